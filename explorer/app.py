"""The Textual application: settings, theme, keys, errors and signals around the main screen."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from textual.actions import SkipAction
from textual.binding import Binding
from textual.command import Provider
from textual.filter import LineFilter
from textual.message import Message
from textual.screen import Screen

from core.text import display
from explorer.answering import AnsweringApp
from explorer.boundary import UNEXPECTED_STATUS
from explorer.commands import BY_ID, Command, Where, bindings
from explorer.presenters.keys import bound
from explorer.screens.main import MainScreen
from explorer.services.collector import EVERY_S, Collector
from explorer.services.loader import Loader
from explorer.services.scrub import ScrubFilter
from explorer.services.session import read_session, session_file, write_session
from explorer.services.settings import THEMES as THEME_NAMES
from explorer.services.settings import Settings, read_settings, settings_file
from explorer.services.terminal import on_signals, refusal
from explorer.theme import DARK, LIGHT, THEMES, VARIABLES

USAGE_STATUS = 2
AGAIN_S = 5.0
"""So long a second ctrl+c leaves, and the sentence that says so stands."""


def _provider(name: str) -> type[Provider]:
    return getattr(import_module("explorer.screens.palette"), name)  # type: ignore[no-any-return]  # by name, when opened


class ExplorerApp(AnsweringApp):
    """Opens one workspace. What happens on it is the main screen's business."""

    TITLE = "Skill Explorer"
    CSS_PATH = "styles/explorer.tcss"
    COMMANDS = {partial(_provider, "Actions"), partial(_provider, "Names")}
    BINDINGS = [*bindings(Where.APP), Binding("ctrl+c", "interrupt", show=False, priority=True)]
    _interrupted = False

    def __init__(self, root: Path, *, state: Path, settings: Settings | None = None) -> None:
        super().__init__()
        self.animation_level = "none"
        self.settings = settings or Settings()
        self._session_file = session_file(state, root.absolute())
        self.session = read_session(self._session_file)
        self.loader = Loader(root, state, self._post)
        self._scrub = ScrubFilter()
        self._collector = Collector()
        for theme in THEMES:
            self.register_theme(theme)
        wanted = self.session.theme or THEME_NAMES[self.settings.theme]
        self.theme = wanted if wanted in (DARK.name, LIGHT.name) else DARK.name
        self.set_keymap(self.settings.keys)
        self._drawn_with = self.get_css_variables()
        self.stylesheet.set_variables(self._drawn_with)

    def get_default_screen(self) -> Screen[None]:
        """The main screen is the one at the bottom."""
        screen = MainScreen(self.loader, self.session)
        screen.fit(self.size)
        return screen

    @property
    def holds_keys(self) -> bool:
        """Whether the form of a tool is on its way."""
        stack = self.screen_stack
        return len(stack) == 1 and isinstance(stack[0], MainScreen) and stack[0].opening_form

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give our own names of colours a value in any theme."""
        return VARIABLES

    def refresh_css(self, animate: bool = True) -> None:
        """Read the styles again for another theme; not before the first frame, which is drawn in the right one."""
        variables = self.get_css_variables()
        if self._dom_ready or variables != self._drawn_with:
            super().refresh_css(animate)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Put the net that catches control characters behind all other filters."""
        return [*super().get_line_filters(), self._scrub]

    def on_ready(self) -> None:
        """Collect garbage again and read the workspace, now that the first frame stands."""
        self._collector.start()
        self.set_interval(EVERY_S, self._collector.tidy)
        main = self.screen_stack[0]
        if isinstance(main, MainScreen):
            main.load()

    def on_mount(self) -> None:
        """Leave tidily on signals, come back whole; say what in the settings could not be used."""
        on_signals(self._leave)
        self.app_resume_signal.subscribe(self, self._draw_all)
        for problem in self.settings.problems:
            self.notify(display(problem, 500), severity="warning", markup=False, timeout=15)

    def on_unmount(self) -> None:
        """Keep what survives a restart, end what calls have left running."""
        self._collector.stop()
        if self.loader.workspace:
            self.loader.workspace.close()
            with suppress(OSError):  # a state folder that cannot be written costs the session, nothing else
                write_session(self._session_file, self.session)

    def _draw_all(self, _app: object) -> None:
        """Draw the whole screen: Textual takes for drawn what the terminal has dropped while others had it."""
        self.screen.refresh()

    def _leave(self, status: int) -> None:
        self.exit(status, return_code=status)

    def _post(self, message: Message) -> None:
        self.screen_stack[0].post_message(message)

    def report_screen(self, report: str) -> Screen[Any]:
        """Return the dialog that shows what went wrong."""
        from explorer.screens.page import report_screen

        return report_screen(report)

    def action_switch_theme(self) -> None:
        """Change to the other theme, and remember it."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name
        self.session.theme = self.theme

    def action_help(self) -> None:
        """Show help for the focused place."""
        from explorer.screens.help import help_screen

        self.push_screen(help_screen(self.screen))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to go to the shell only where a shell can stop and continue programs."""
        if action == "suspend":
            return self._driver is not None and self._driver.can_suspend
        return super().check_action(action, parameters)

    def why_idle(self, near: Sequence[Command]) -> str:
        """Have the main screen say why its own commands cannot run."""
        screen = self.screen
        return screen.why_idle(near[0].id) if near and isinstance(screen, MainScreen) else ""

    def action_suspend(self) -> None:
        """Stop until the shell says to go on."""
        self.action_suspend_process()

    def action_interrupt(self) -> None:
        """Copy what is selected; with nothing selected, say how to leave, and leave at the second press."""
        if getattr(self.focused, "selected_text", "") or self.screen.get_selected_text():
            raise SkipAction
        if self._interrupted:
            self.exit(0)
            return
        self._interrupted = True
        self.set_timer(AGAIN_S, self._go_on)
        keys = bound(self.settings.keys, "quit"), bound(self.settings.keys, "force-quit")
        said = f"ctrl+c once more leaves Skill Explorer; so do {keys[0]} and, while typing, {keys[1]}."
        self.notify(display(said, 300), markup=False, timeout=AGAIN_S)

    def _go_on(self) -> None:
        self._interrupted = False

    def action_force_quit(self) -> None:
        """Leave."""
        self.exit(0)


def run(root: Path, *, state: Path | None) -> int:
    """Open the screen on the workspace at ``root``; return the exit status once it has been left."""
    from core.workspace.state import state_folder

    if reason := refusal():
        print(f"skill-explorer: {reason}", file=sys.stderr)
        return USAGE_STATUS
    gc.disable()
    settings = read_settings(settings_file(), frozenset(BY_ID))
    app = ExplorerApp(root, state=state_folder(state), settings=settings)
    status = app.run()
    if app.crash:
        print(app.crash, file=sys.stderr)
        return UNEXPECTED_STATUS
    return status or app.return_code or 0
