"""How long a save among 10,000 skills takes to the frame that shows what it changed, beside core's part of it."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from large_workspace import write_workspace
from stopwatch import PATIENCE, Stopwatch, p95, timed

from core.gc_pause import no_collections
from core.workspace import Workspace
from explorer.app import ExplorerApp
from explorer.screens.main import MainScreen
from explorer.widgets.status_header import StatusHeader

pytestmark = [pytest.mark.benchmark, pytest.mark.large]
SKILLS, SAVES = 10_000, 20
P95_S = 0.150
"""From the save to the frame, hearing of it included; the line says how much of it is core's."""


def save(path: Path, text: str) -> float:
    """Write ``text`` as editors do, and return when it was there."""
    new = path.with_name("new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)
    return perf_counter()


class Saving:
    """An application that runs, and the moments at which its frames show a word that they are to show."""

    def __init__(self, watch: Stopwatch) -> None:
        self._app = watch.app
        self._word, self._shown_at = "", 0.0
        watch.app.post_display_hook = self._look  # type: ignore[method-assign]

    def _look(self) -> None:
        at = perf_counter()
        if self._word and not self._shown_at and self._word in self._screen():
            self._shown_at = at

    def _screen(self) -> str:
        return "\n".join(strip.text for strip in self._app.screen._compositor.render_strips())

    async def to_frame(self, path: Path, text: str, word: str) -> float:
        """Save ``text``; return after how many seconds a frame shows ``word``."""
        self._word, self._shown_at = word, 0.0
        saved = save(path, text)
        for _ in range(4 * PATIENCE):
            if self._shown_at:
                return self._shown_at - saved
            await asyncio.sleep(0.002)
        raise AssertionError(f"no frame shows {word}")


async def ready(watch: Stopwatch) -> None:
    """Wait until everything is read, watched and quiet."""
    main = watch.app.screen_stack[0]
    assert isinstance(main, MainScreen)
    while main.reading or main.workspace is None or not main.query_one(StatusHeader).watched:
        await asyncio.sleep(0.05)
    await watch.quiet()


async def test_a_save_is_in_the_frame_before_one_would_wait_for_it(tmp_path: Path) -> None:
    root = write_workspace(tmp_path / "ws", SKILLS)
    chosen = random.Random(8).sample(range(SKILLS), SAVES)
    frames: list[float] = []
    async with timed(ExplorerApp(root, state=tmp_path / "state")) as watch:
        await ready(watch)
        await watch.press("p")
        saving = Saving(watch)
        for number in chosen:
            path = root / f"skills/{number}.yaml"
            text = path.read_text(encoding="utf-8")
            frames.append(await saving.to_frame(path, f"{text}gone{number}: 1\n", f"gone{number}"))
            save(path, text)
            await watch.quiet()
    parts = core_parts(root, chosen, tmp_path / "other")
    print(
        f"save to frame: p50 {median(frames) * 1000:.0f} ms, p95 {p95(frames) * 1000:.0f} ms; core: p50 "
        f"{median(parts) * 1000:.0f} ms, p95 {p95(parts) * 1000:.0f} ms; {median(frames) / median(parts):.1f} times, "
        f"{(median(frames) - median(parts)) * 1000:.0f} ms more"
    )
    assert p95(frames) <= P95_S


def core_parts(root: Path, chosen: list[int], state: Path) -> list[float]:
    """Return how many seconds core takes for each of the same saves."""
    workspace = Workspace(root, state=state)
    with no_collections(keeps=True):
        workspace.load()
    found = []
    for number in chosen:
        path = root / f"skills/{number}.yaml"
        text = path.read_text(encoding="utf-8")
        begun = save(path, f"{text}gone{number}: 1\n")
        with no_collections():
            workspace.load(changed=[f"skills/{number}.yaml"])
        found.append(perf_counter() - begun)
        save(path, text)
        workspace.load()
    workspace.close()
    return found
