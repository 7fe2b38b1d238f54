"""What of the screen survives a restart: a small file in the user's state folder for each workspace."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MOST_OPENED = 2_000
VERSION = 1


@dataclass
class TreeState:
    """Which rows of the tree are unfolded, and where its cursor stands, by the keys of rows."""

    opened: set[tuple[str, ...]] = field(default_factory=set)
    cursor: tuple[str, ...] | None = None


@dataclass
class Session(TreeState):
    """The state of the tree, and which tab and theme were chosen."""

    tab: str = "overview"
    theme: str | None = None


def session_file(state: Path, root: Path) -> Path:
    """Return the file for the workspace at ``root``."""
    digest = hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
    return state / "screens" / f"{digest}.json"


def read_session(path: Path) -> Session:
    """Return what was kept; nothing for a missing, damaged or foreign file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Session()
    if not isinstance(data, dict) or data.get("version") != VERSION:
        return Session()
    opened = {key for item in _list(data.get("opened"))[:MOST_OPENED] if (key := _key(item))}
    tab, theme = data.get("tab"), data.get("theme")
    return Session(
        opened,
        _key(data.get("cursor")),
        tab if isinstance(tab, str) else "overview",
        theme if isinstance(theme, str) else None,
    )


def write_session(path: Path, session: Session) -> None:
    """Keep ``session``; the file is replaced as a whole.

    Raises:
        OSError: the folder cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    data = {
        "version": VERSION,
        "opened": sorted(session.opened)[:MOST_OPENED],
        "cursor": session.cursor,
        "tab": session.tab,
        "theme": session.theme,
    }
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".screen-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(data, file)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _key(value: Any) -> tuple[str, ...] | None:
    parts = _list(value)
    return tuple(parts) if parts and all(isinstance(part, str) for part in parts) else None
