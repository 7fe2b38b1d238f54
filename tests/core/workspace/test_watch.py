"""Watching a workspace with the real file system."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.workspace import watch as module
from core.workspace.watch import Change, WatchState, watch

PATIENCE_S = 20


class Watched:
    """A watch running in a thread; ``next`` waits for its next change."""

    def __init__(self, root: Path) -> None:
        self.stop = threading.Event()
        self._changes: queue.Queue[Change] = queue.Queue()
        self._thread = threading.Thread(target=self._run, args=(root,), daemon=True)
        self._thread.start()

    def _run(self, root: Path) -> None:
        for change in watch(root, self.stop, look_s=0.2):
            self._changes.put(change)

    def next(self) -> Change:
        return self._changes.get(timeout=PATIENCE_S)

    def until(self, state: WatchState) -> Change:
        while (change := self.next()).state is not state:
            pass
        return change

    def end(self) -> None:
        self.stop.set()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Callable[[Path], Watched]]:
    started: list[Watched] = []

    def start(root: Path) -> Watched:
        started.append(Watched(root))
        assert started[-1].next().state in WatchState
        return started[-1]

    yield start
    for one in started:
        one.end()


def touch_until_heard(watching: Watched, act: Callable[[int], object]) -> Change:
    """Act again until a change is heard: an event source needs a moment to be armed."""
    for number in range(100):
        act(number)
        try:
            return watching._changes.get(timeout=0.3)
        except queue.Empty:
            continue
    pytest.fail("no change was heard")


def test_a_save_by_renaming_is_heard(tmp_path: Path, watched: Callable[[Path], Watched]) -> None:
    watching = watched(tmp_path)

    def save(number: int) -> None:
        (tmp_path / "new").write_text(str(number), encoding="utf-8")
        (tmp_path / "new").replace(tmp_path / "skill.yaml")

    assert touch_until_heard(watching, save).state is WatchState.EVENTS


def test_a_workspace_that_vanishes_is_waited_for(tmp_path: Path, watched: Callable[[Path], Watched]) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    watching = watched(root)
    root.rename(tmp_path / "away")
    assert "waiting" in watching.until(WatchState.GONE).notice
    (tmp_path / "away").rename(root)
    watching.until(WatchState.EVENTS)
    assert touch_until_heard(watching, lambda n: (root / f"{n}.yaml").touch()).state is WatchState.EVENTS


def test_a_system_without_watches_is_polled_and_says_so(
    tmp_path: Path, watched: Callable[[Path], Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = module._armed

    def without_events(*arguments: object) -> Iterator[Change]:
        if arguments[3] is WatchState.EVENTS:
            raise OSError("OS file watch limit reached")
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_armed", without_events)
    watching = watched(tmp_path)
    assert "limit" in watching.until(WatchState.POLLING).notice
    assert touch_until_heard(watching, lambda n: (tmp_path / f"{n}.yaml").touch()).state is WatchState.POLLING
