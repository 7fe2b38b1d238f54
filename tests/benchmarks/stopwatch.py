"""What a key costs an application under a Pilot: CPU time up to the frame, and the longest stretch without a turn.

The frame counts the time of the thread that draws; the longest turn that of the whole process, since a thread that
holds the interpreter makes the loop's turn the longer for it.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import process_time, thread_time
from typing import Any

from textual import events
from textual.app import App

from explorer.services.collector import Collector

QUIET_TURNS = 6
TURN_S = 0.005
PATIENCE = 4_000


@dataclass
class Key:
    """One key: CPU seconds up to its first frame and, of all threads, until all was quiet; the longest turn."""

    frame: float
    whole: float
    longest: float


@dataclass
class Stopwatch:
    """An application that runs, and what has been measured of it."""

    app: App[Any]
    keys: list[Key] = field(default_factory=list)
    longest: float = 0.0
    _frames: list[float] = field(default_factory=list)
    _start: float = field(default_factory=process_time)

    async def turns(self) -> None:
        """Measure every turn of the loop until cancelled."""
        while True:
            before = process_time()
            await asyncio.sleep(0)
            self.longest = max(self.longest, process_time() - before)
            await asyncio.sleep(0.001)

    async def quiet(self) -> None:
        """Wait until nothing uses the processor any more."""
        still = 0
        for _ in range(PATIENCE):
            before = process_time()
            await asyncio.sleep(TURN_S)
            still = still + 1 if process_time() - before < TURN_S / 5 else 0
            if still >= QUIET_TURNS and not self.app.workers:
                return
        raise AssertionError("it is never quiet")

    async def press(self, key: str) -> Key:
        """Press a key, wait for what comes of it, and note what it cost."""
        self._frames.clear()
        self.longest = 0.0
        start, drawing = process_time(), thread_time()
        self.app.post_message(events.Key(key, key if len(key) == 1 else None))
        for _ in range(PATIENCE):
            if self._frames:
                break
            await asyncio.sleep(0.001)
        assert self._frames, f"{key} draws nothing"
        frame = self._frames[0] - drawing
        await self.quiet()
        found = Key(frame, process_time() - start, self.longest)
        self.keys.append(found)
        return found

    async def press_all(self, keys: Sequence[str]) -> list[Key]:
        """Press one after the other, each when the one before is done with."""
        return [await self.press(key) for key in keys]

    def since_start(self) -> float:
        """Return the CPU seconds since the application was started."""
        return process_time() - self._start

    def framed(self) -> None:
        """Note that a frame has been drawn."""
        self._frames.append(thread_time())


@asynccontextmanager
async def timed(app: App[Any], size: tuple[int, int] = (120, 36)) -> AsyncIterator[Stopwatch]:
    """Run ``app`` with a stopwatch beside it, the garbage collector held as the explorer holds it."""
    gc.collect()
    collector = Collector()
    collector.start()
    watch = Stopwatch(app)
    app.post_display_hook = watch.framed  # type: ignore[method-assign]
    async with app.run_test(size=size, notifications=True):
        turns = asyncio.create_task(watch.turns())
        try:
            yield watch
        finally:
            turns.cancel()
            collector.stop()


def p95(values: Sequence[float]) -> float:
    """Return the value that 95 % of ``values`` do not exceed."""
    return sorted(values)[max(0, -(-95 * len(values) // 100) - 1)]
