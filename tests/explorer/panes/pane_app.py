"""An app with one pane in it, in the explorer's own theme, that remembers what the pane asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from textual import events, on
from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input, TextArea
from workers_at_rest import workers_at_rest

from explorer import messages
from explorer.boundary import BoundaryApp
from explorer.theme import THEMES, VARIABLES
from explorer.widgets.key_bar import KeyBar

STYLES = sorted((Path(messages.__file__).parent / "styles").glob("*.tcss"))


class PaneApp(BoundaryApp):
    """Shows the widget that ``make`` makes above the line of keys."""

    CSS_PATH = STYLES
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (150, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]

    def __init__(self, make: Callable[[], Widget], after: Callable[[Any], None] | None = None) -> None:
        super().__init__()
        self.animation_level = "none"
        self._make, self._after = make, after
        self.asked: list[Message] = []
        self.begun = False
        self.on_approval: Callable[[messages.AskApproval], None] = lambda _ask: None
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return VARIABLES

    def compose(self) -> ComposeResult:
        yield self._make()
        yield KeyBar()

    def on_ready(self) -> None:
        if self._after is not None:
            self._after(self)

    @on(messages.OpenSkill)
    @on(messages.OpenTool)
    @on(messages.OpenPlace)
    @on(messages.TryTool)
    @on(messages.ShowWhy)
    @on(messages.Notify)
    @on(messages.ToolHighlighted)
    def remember(self, message: Message) -> None:
        message.prevent_default()
        self.asked.append(message)

    @on(messages.AskApproval)
    def approve(self, message: messages.AskApproval) -> None:
        self.asked.append(message)
        self.on_approval(message)

    @on(messages.AskCarryOver)
    def carry_over(self, message: messages.AskCarryOver) -> None:
        self.asked.append(message)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Keep the caret from blinking, so that a picture is always the same."""
        if isinstance(event.widget, Input | TextArea):
            event.widget.cursor_blink = False

    def asked_for(self, kind: type[Message]) -> list[Any]:
        """What was asked for of one kind, oldest first."""
        return [message for message in self.asked if type(message) is kind]


async def settle(pilot: Pilot[None]) -> None:
    """Wait until no worker runs and no message waits; the first time until the focus is where it stays, too."""
    app = pilot.app
    await workers_at_rest(app)
    await pilot.pause()
    if isinstance(app, PaneApp) and not app.begun:
        app.begun = True
        seen = [(app.focused, len(app.screen.query("*")))]
        while len(seen) < 4 or len(set(seen[-4:])) > 1:
            await pilot.pause(0.02)
            await workers_at_rest(app)
            seen.append((app.focused, len(app.screen.query("*"))))
            assert len(seen) < 500, "the pane never came to rest"


async def still(pilot: Pilot[None]) -> None:
    """Wait until no worker runs and nothing changes on the screen any more; a bounded time."""
    await settle(pilot)
    await unchanging(pilot)


async def unchanging(pilot: Pilot[None], word: str = "") -> None:
    """Wait until ``word`` is on the screen and nothing has changed on it for a while; a bounded time."""
    pictures = [""]
    for _ in range(400):
        await pilot.pause(0.05)
        pictures.append(screen_text(pilot.app))
        if word in pictures[-1] and len(pictures) > 5 and len(set(pictures[-5:])) == 1:
            return
    raise AssertionError(f"the screen never stood still with {word!r} on it")


async def press(pilot: Pilot[None], keys: Iterable[str]) -> None:
    """Press keys one after the other and wait for what they start."""
    for key in keys:
        await pilot.press(key)
    await settle(pilot)


def screen_text(app: App[Any]) -> str:
    """The characters on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)
