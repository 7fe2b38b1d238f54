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
    """Return a function that watches a folder and returns once the watch is armed."""
    started: list[Watched] = []

    def start(root: Path) -> Watched:
        started.append(Watched(root))
        assert [started[-1].next().paths for _ in range(2)] == [None, None]
        return started[-1]

    yield start
    for one in started:
        one.end()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "ws"
    (root / "skills/deep").mkdir(parents=True)
    (root / "skills/a.yaml").write_text("name: local/a\n", encoding="utf-8")
    (root / "skills/deep/b.yaml").write_text("name: local/b\n", encoding="utf-8")
    return root


def save(path: Path, text: str = "name: local/other\n") -> None:
    """Save as editors do: beside, then over."""
    path.with_name(".saving").write_text(text, encoding="utf-8")
    path.with_name(".saving").replace(path)


@pytest.mark.parametrize(
    ("act", "path"),
    [
        (lambda root: (root / "skills/a.yaml").write_text("name: local/z\n"), "skills/a.yaml"),
        (lambda root: save(root / "skills/a.yaml"), "skills/a.yaml"),
        (lambda root: save(root / "skills/new.yaml"), "skills/new.yaml"),
        (lambda root: (root / "skills/a.yaml").unlink(), "skills/a.yaml"),
        (lambda root: (root / "skills/a.yaml").rename(root / "skills/c.yaml"), "skills/c.yaml"),
        (lambda root: (root / "skills/deep").rename(root / "skills/moved"), "skills/moved"),
        (lambda root: (root / "skills/made").mkdir(), "skills/made"),
    ],
    ids=["a save in place", "a save by renaming", "a new file", "a deletion", "a rename", "a move", "a new folder"],
)
def test_what_happens_is_heard_with_its_path(
    root: Path, watched: Callable[[Path], Watched], act: Callable[[Path], object], path: str
) -> None:
    watching = watched(root)
    act(root)
    heard: set[str] = set()
    while path not in heard:
        change = watching.next()
        assert change.state is WatchState.EVENTS
        heard |= change.paths or set()


def test_a_save_in_a_folder_that_was_moved_is_heard(root: Path, watched: Callable[[Path], Watched]) -> None:
    watching = watched(root)
    (root / "skills/deep").rename(root / "skills/moved")
    watching.next()
    saved = "skills/moved/b.yaml"
    save(root / saved)
    while saved not in (watching.next().paths or ()):
        pass


def test_a_workspace_that_vanishes_is_waited_for(root: Path, watched: Callable[[Path], Watched]) -> None:
    watching = watched(root)
    root.rename(root.parent / "away")
    assert "waiting" in watching.until(WatchState.GONE).notice
    (root.parent / "away").rename(root)
    assert [watching.until(WatchState.EVENTS).paths, watching.next().paths] == [None, None]
    (root / "skills/a.yaml").touch()
    assert watching.next().paths == {"skills/a.yaml"}


def test_a_folder_put_in_the_place_of_the_workspace_is_watched(root: Path, watched: Callable[[Path], Watched]) -> None:
    watching = watched(root)
    root.rename(root.parent / "away")
    root.mkdir()
    while watching.next().paths is not None:
        pass
    watching.next()
    (root / "other.yaml").touch()
    while "other.yaml" not in (watching.next().paths or ()):
        pass


def test_a_system_without_watches_is_polled_and_says_so(
    root: Path, watched: Callable[[Path], Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = module._armed

    def without_events(*arguments: object) -> Iterator[Change]:
        if arguments[3] is WatchState.EVENTS:
            raise OSError("OS file watch limit reached")
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_armed", without_events)
    watching = watched(root)
    assert watching.next().state is WatchState.POLLING
    for number in range(3):
        save(root / "skills/a.yaml", f"name: local/a{number}\n")
        change = watching.next()
        assert (change.state, "limit" in change.notice) == (WatchState.POLLING, True)
        assert "skills/a.yaml" in (change.paths or ())
    (root / "skills/deep").rename(root / "skills/moved")
    assert {"skills/deep/b.yaml", "skills/moved/b.yaml"} <= (watching.next().paths or set())
