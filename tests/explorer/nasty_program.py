"""Shows each widget in turn, full of the text in the file that is the first argument; the second is told of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path.cwd() / "tests/explorer"))

from nasty_widgets import WIDGETS, Bare
from textual.screen import Screen

TURN_S = 0.1


class Parade(Bare):
    """Goes on to the next widget once the one on the screen has settled."""

    def __init__(self, text: str, report: Path) -> None:
        super().__init__(Screen())
        self.text, self.report = text, report
        self.classes_seen: set[str] = set()
        self.names: list[str] = []

    def on_mount(self) -> None:
        self.animation_level = "none"
        self.run_worker(self.go_through(), exit_on_error=True)

    async def go_through(self) -> None:
        for name, show in WIDGETS.items():
            made = show(self.text)
            screen: Screen[object] = made if isinstance(made, Screen) else Screen()
            await self.push_screen(screen)
            if made is not screen:
                await screen.mount(made)
            await self.settle(screen)
            self.names.append(name)
            await screen.dismiss()
        self.report.write_text(json.dumps({"shown": self.names, "classes": sorted(self.classes_seen)}), "utf-8")
        self.exit()

    async def settle(self, screen: Screen[object]) -> None:
        import asyncio

        quiet = 0
        while quiet < 3:
            await asyncio.sleep(TURN_S)
            busy = any(worker.group != "default" and not worker.is_finished for worker in self.workers)
            quiet = 0 if busy else quiet + 1
        for widget in [screen, *screen.query("*")]:
            self.classes_seen.update(found.__name__ for found in type(widget).__mro__)


if __name__ == "__main__":
    parade = Parade(json.loads(Path(sys.argv[1]).read_text("utf-8")), Path(sys.argv[2]))
    parade.run()
    sys.exit(parade.return_code)
