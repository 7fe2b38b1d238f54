"""The skill registry: the skills that were registered, each as it was resolved then (ADR-030, Skill Registry).

An entry belongs to a workspace and the name of a skill in it. It holds the skill's ``Snapshot``, when it was
registered, when all of it was last found to hold (``refreshed_at``), and a digest of the snapshot. Asked later, an
entry is

- ``current``: the workspace still gives the same;
- ``drifted``: it gives something else, which ``core.registry.drift`` says tool by tool and field by field;
- ``stale``: what is registered can't be held against the workspace, since the skill does not resolve now, or since
  an MCP server has not been asked or does not answer;
- ``gone``: no file defines the skill any longer.

Only registering, refreshing and removing change an entry, each in one transaction: what fails leaves it as it is.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.registry import REGISTRY_FILE
from core.registry.approvals import now
from core.registry.database import Database, Schema
from core.registry.drift import NO_DRIFT, Drift, drift_of, merged
from core.registry.snapshot import Snapshot, digest_of, text_of

SCHEMA_VERSION = 1
MOST_SNAPSHOT = 64 << 20
_TABLE = """
CREATE TABLE IF NOT EXISTS skills (
    root TEXT NOT NULL, name TEXT NOT NULL, registered_at TEXT NOT NULL, refreshed_at TEXT, tools INTEGER NOT NULL,
    digest TEXT NOT NULL, snapshot BLOB NOT NULL, PRIMARY KEY (root, name)
);
"""
_QUICK = 1
_COLUMNS = "name, registered_at, refreshed_at, tools, digest"


class RegistryStatus(StrEnum):
    """How what is registered stands against the workspace."""

    CURRENT = "current"
    DRIFTED = "drifted"
    STALE = "stale"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Registered:
    """One entry without its snapshot; times in UTC, ``refreshed_at`` None until a refresh found all of it to hold."""

    name: str
    registered_at: str
    refreshed_at: str | None
    tools: int
    digest: str


@dataclass(frozen=True, slots=True)
class Entered:
    """What has been written: the entry, how it differs from what was registered, and whether nothing readable was."""

    entry: Registered
    drift: Drift
    new: bool
    snapshot: Snapshot


class SkillRegistry:
    """The registered skills of one workspace. Reads see what other programs wrote meanwhile.

    Args:
        state: the user's state folder.
        root: the workspace; entries of others are kept, and not seen.
        clock: gives the time that an entry is stamped with.

    Raises:
        Unusable: by every method, where the database can't be read or written; nothing has changed then.
    """

    def __init__(self, state: Path, root: Path, *, clock: Callable[[], datetime] = now) -> None:
        self._database = Database(state, REGISTRY_FILE, "registry", Schema(SCHEMA_VERSION, _TABLE), root)
        self._root = str(root.resolve())
        self._clock = clock

    @property
    def notice(self) -> str | None:
        """Says that a damaged database was set aside, or that nothing can be kept; else None."""
        return self._database.notice

    def entries(self) -> tuple[Registered, ...]:
        """Return every entry of this workspace, by name."""
        return tuple(Registered(*row) for row in self._select(_COLUMNS))

    def snapshot(self, name: str) -> Snapshot | None:
        """Return what is registered of a skill; None where nothing is that can be read."""
        rows = self._select("snapshot", name)
        return _decoded(rows[0][0]) if rows else None

    def register(self, name: str, snapshot: Snapshot) -> Entered:
        """Enter a skill, or enter it anew; what is registered of servers that are silent in ``snapshot`` is kept.

        Raises:
            ValueError: it is more than is kept of one skill.
        """
        with self._database.open() as database:
            database.execute("BEGIN IMMEDIATE")
            return self._write(database, name, snapshot, registered_at=self._stamp(), refreshed_at=None)

    def refresh(self, name: str, snapshot: Snapshot, *, whole: bool) -> Entered | None:
        """Replace what is registered by what ``snapshot`` knows; None for a skill that is not registered any longer.

        ``whole`` says that nothing of it had to be left unchecked.

        Raises:
            ValueError: it is more than is kept of one skill.
        """
        with self._database.open() as database:
            database.execute("BEGIN IMMEDIATE")
            found = self._rows(database, "registered_at, refreshed_at", name)
            if not found:
                return None
            registered_at, refreshed_at = found[0]
            stamp = self._stamp() if whole else refreshed_at
            return self._write(database, name, snapshot, registered_at=registered_at, refreshed_at=stamp)

    def remove(self, names: Iterable[str]) -> None:
        """Forget skills; one that is not registered is no error."""
        with self._database.open() as database:
            database.executemany(
                "DELETE FROM skills WHERE root = ? AND name = ?", [(self._root, name) for name in names]
            )

    def _select(self, columns: str, *name: str) -> list[Any]:
        if not self._database.path.exists():
            return []
        with self._database.open() as database:
            return self._rows(database, columns, *name)

    def _rows(self, database: sqlite3.Connection, columns: str, *name: str) -> list[Any]:
        one = " AND name = ?" if name else ""
        query = f"SELECT {columns} FROM skills WHERE root = ?{one} ORDER BY name"
        return database.execute(query, (self._root, *name)).fetchall()

    def _write(
        self,
        database: sqlite3.Connection,
        name: str,
        snapshot: Snapshot,
        *,
        registered_at: str,
        refreshed_at: str | None,
    ) -> Entered:
        stored = self._rows(database, "snapshot", name)
        before = _decoded(stored[0][0]) if stored else None
        entered = snapshot if before is None else merged(before, snapshot)
        text = text_of(entered)
        if len(text) > MOST_SNAPSHOT:
            raise ValueError(f"{len(text):,} bytes are more than is kept of one skill: {MOST_SNAPSHOT:,}")
        found = Registered(name, registered_at, refreshed_at, len(entered.tools), digest_of(text))
        values = (self._root, name, registered_at, refreshed_at, found.tools, found.digest, _encoded(text))
        database.execute(
            f"INSERT OR REPLACE INTO skills (root, {_COLUMNS}, snapshot) VALUES (?, ?, ?, ?, ?, ?, ?)", values
        )
        drift = NO_DRIFT if before is None else drift_of(before, entered)
        return Entered(found, drift, before is None, entered)

    def _stamp(self) -> str:
        return self._clock().isoformat(timespec="seconds")


def _encoded(text: str) -> bytes:
    return zlib.compress(text.encode(), _QUICK)


def _decoded(stored: bytes) -> Snapshot | None:
    """Return a stored snapshot; None for one that can't be read, which is replaced when it is registered anew."""
    try:
        text = zlib.decompressobj().decompress(stored, MOST_SNAPSHOT)
        return Snapshot.model_validate(json.loads(text))
    except (zlib.error, ValueError, TypeError, RecursionError):
        return None
