"""Make the pictures of the README from the running application: ``python screenshots/make.py``.

The same program on the same sample gives the same bytes: fixed size, no animation, no clock, a state folder of
its own. A tool's duration is the one thing that differs from run to run, so no picture shows a finished call.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SAMPLE = HERE.parent / "sample_workspace"
PATIENCE = 500


@dataclass(frozen=True)
class Shot:
    """A picture: which workspace, how large, which keys lead there."""

    name: str
    keys: tuple[str, ...]
    workspace: Path = SAMPLE
    size: tuple[int, int] = (120, 36)
    theme: str = "dark"


def typed(text: str) -> tuple[str, ...]:
    """Return the keys that find ``text`` with the filter and open the first hit that is it."""
    return ("slash", *[{"/": "slash", "-": "minus"}.get(c, c) for c in text], "enter", "enter")


SHOTS = (
    Shot("overview", (*typed("release-desk"),)),
    Shot("tools", (*typed("release-desk"), "2", "down", "right", "right", "right", "right")),
    Shot("graph", (*typed("oncall"), "3")),
    Shot("source", (*typed("oncall"), "p", "enter")),
    Shot("cycle", (*typed("routing"), "3"), SAMPLE / "broken"),
    Shot("problems", ("p",), SAMPLE / "broken"),
    Shot("narrow", (*typed("release-desk"),), size=(80, 24)),
    Shot("light", (*typed("release-desk"), "2"), theme="light"),
)


async def take(shot: Shot, state: Path) -> str:
    """Return the picture as SVG."""
    from explorer.app import ExplorerApp
    from explorer.screens.main import MainScreen
    from explorer.services.settings import Settings

    app = ExplorerApp(shot.workspace, state=state, settings=Settings(theme=shot.theme))
    async with app.run_test(size=shot.size, notifications=True) as pilot:
        main = app.screen_stack[0]
        assert isinstance(main, MainScreen)
        for _ in range(PATIENCE):
            await pilot.pause(0.02)
            if not main.reading:
                break
        for key in shot.keys:
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause(0.1)
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
