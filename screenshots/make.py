"""Make the pictures of the README from the running application: ``python screenshots/make.py``.

The same program on the same sample gives the same bytes: fixed size, no animation, no blinking, a state folder of
its own; a call says that it took as long as ``TOOK_MS``, and an approval names ``SHOWN_ROOT`` and ``SHOWN_PYTHON``.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from core.runtime.call import CallOutcome, ExecutionIdentity
    from explorer.app import ExplorerApp

HERE = Path(__file__).parent
SAMPLE = HERE.parent / "sample_workspace"
PATIENCE = 500
TOOK_MS = 42.0
SHOWN_ROOT, SHOWN_PYTHON = "/home/you/sample_workspace", "/usr/bin/python3"
APPROVE = ("end", "right", "space")


@dataclass(frozen=True)
class Shot:
    """A picture: which workspace, how large, which keys lead there."""

    name: str
    keys: tuple[str, ...]
    workspace: Path = SAMPLE
    size: tuple[int, int] = (120, 36)
    theme: str = "dark"


def typed(text: str) -> tuple[str, ...]:
    """Return the keys that find ``text`` with the filter and go to the first hit that is it, in the whole tree."""
    return ("slash", *[{"/": "slash", "-": "minus"}.get(c, c) for c in text], "enter", "escape")


SHOTS = (
    Shot("overview", (*typed("release-desk"), "1")),
    Shot("tools", (*typed("release-desk"), "2", "down", "right", "right", "right", "right")),
    Shot("graph", (*typed("oncall"), "3", "z", "right")),
    Shot("try", (*typed("local/changelog-reader"), "t", *"1.2.0", "ctrl+r", *APPROVE)),
    Shot("approval", (*typed("local/changelog-reader"), "t", *"1.2.0", "ctrl+r")),
    Shot("changes", (*typed("local/bump-version"), "t", "ctrl+r", *APPROVE, "d")),
    Shot("source", (*typed("oncall"), "p", "enter")),
    Shot("cycle", (*typed("routing"), "3", "c"), SAMPLE / "broken"),
    Shot("problems", ("p",), SAMPLE / "broken"),
    Shot("narrow", (*typed("release-desk"), "2", "down", "right", "right", "right"), size=(80, 24)),
    Shot("light", (*typed("release-desk"), "2"), theme="light"),
)


@contextmanager
def steady() -> Iterator[None]:
    """Leave out of the pictures what differs from run to run: durations, folders, a blinking cursor."""
    from textual.widgets import Input

    from core.workspace import Workspace
    from explorer.screens.confirm import ConfirmScreen

    invoke, ask = Workspace.invoke, ConfirmScreen.__init__

    def timed(self: Workspace, *arguments: Any, **more: Any) -> CallOutcome:
        outcome = invoke(self, *arguments, **more)
        return replace(outcome, result=outcome.result.model_copy(update={"duration_ms": TOOK_MS}))

    def placed(self: ConfirmScreen, identities: tuple[ExecutionIdentity, ...], **more: Any) -> None:
        ask(self, tuple(_placed(identity) for identity in identities), **more)

    with (
        patch.object(Workspace, "invoke", timed),
        patch.object(ConfirmScreen, "__init__", placed),
        patch.object(Input, "_toggle_cursor", lambda _self: None),
    ):
        yield


def _placed(identity: ExecutionIdentity) -> ExecutionIdentity:
    details = tuple((label, _neutral(value)) for label, value in identity.details)
    return replace(identity, details=details, digest="0" * 64)


def _neutral(text: str) -> str:
    for here, shown in (
        (str(SAMPLE), SHOWN_ROOT),
        (sys.executable, SHOWN_PYTHON),
        (str(Path(sys.executable).resolve()), SHOWN_PYTHON),
        (f" of {sys.prefix}", ""),
    ):
        text = text.replace(here, shown)
    return text


async def settled(app: ExplorerApp, pilot: Pilot[int]) -> None:
    """Wait until nothing runs, or until what runs waits for an answer; a bounded number of turns."""
    from textual.screen import ModalScreen

    await pilot.pause(0.1)
    for _ in range(PATIENCE):
        if isinstance(app.screen, ModalScreen) or all(worker.is_finished for worker in app.workers):
            break
        await pilot.pause(0.02)
    await pilot.pause(0.1)


async def take(shot: Shot, state: Path) -> str:
    """Return the picture as SVG."""
    from explorer.app import ExplorerApp
    from explorer.screens.main import MainScreen
    from explorer.services.settings import Settings
    from explorer.widgets.status_header import StatusHeader

    app = ExplorerApp(shot.workspace, state=state, settings=Settings(theme=shot.theme))
    with steady():
        async with app.run_test(size=shot.size, notifications=True) as pilot:
            main = app.screen_stack[0]
            assert isinstance(main, MainScreen)
            for _ in range(PATIENCE):
                await pilot.pause(0.02)
                if not main.reading and main.query_one(StatusHeader).watched:
                    break
            for key in shot.keys:
                await pilot.press(key)
                await settled(app, pilot)
            app.clear_notifications()
            await settled(app, pilot)
            return app.export_screenshot(title=f"skill-explorer {shot.workspace.name}")


def main() -> int:
    """Write every picture, or those named on the command line."""
    os.environ |= {"TEXTUAL_ANIMATIONS": "none", "TZ": "UTC", "COLORTERM": "truecolor"}
    os.environ.pop("NO_COLOR", None)
    wanted = set(sys.argv[1:])
    for shot in SHOTS:
        if not wanted or shot.name in wanted:
            with tempfile.TemporaryDirectory() as state:
                svg = asyncio.run(take(shot, Path(state)))
            (HERE / f"{shot.name}.svg").write_text(svg + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
