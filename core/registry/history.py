"""Earlier calls, kept between runs: what was asked and what came back (SQLite in the state folder)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from core.protocol import SkillResult
from core.registry.approvals import now
from core.registry.database import Database, Schema, Unusable

SCHEMA_VERSION = 1
MOST_CALLS = 1000
MOST_RESULT = 1 << 20
_TABLE = """
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, root TEXT NOT NULL, skill TEXT NOT NULL,
    tool TEXT NOT NULL, arguments TEXT NOT NULL, schema TEXT NOT NULL, real INTEGER NOT NULL, result TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS calls_of_tool ON calls (root, tool, id);
"""


@dataclass(frozen=True, slots=True)
class PastCall:
    """One earlier call; ``schema`` identifies the input schema that the arguments were made for."""

    id: int
    at: str
    skill: str
    tool: str
    arguments: Any
    schema: str
    real: bool
    result: SkillResult


def schema_digest(schema: dict[str, Any] | None) -> str:
    """Return a digest of an input schema: last arguments come back only while it stays the same."""
    return hashlib.sha256(json.dumps(schema, sort_keys=True).encode()).hexdigest()[:16]


class History:
    """The calls of one workspace. A database that is damaged is kept aside; one that is locked is only read.

    ``notice`` says what could not be kept; no method raises for the state of the database.
    """

    def __init__(self, state: Path, root: Path, *, clock: Callable[[], datetime] = now) -> None:
        schema = Schema(SCHEMA_VERSION, _TABLE, write_ahead=True)
        self._database = Database(state, "history.sqlite", "history", schema, root)
        self._root = str(root.resolve())
        self._clock = clock
        self._notice: str | None = None

    @property
    def notice(self) -> str | None:
        """What could not be kept or read, last; None while all could."""
        return self._notice or self._database.notice

    def add(self, skill: str, tool: str, arguments: Any, schema: str, real: bool, result: SkillResult) -> int | None:
        """Keep a call and return its number; None when it could not be kept."""
        at = self._clock().isoformat(timespec="seconds")
        try:
            row = (at, self._root, skill, tool, _dump(arguments), schema, int(real), _stored(result))
        except (TypeError, ValueError, RecursionError) as error:
            self._notice = f"a call could not be kept: {error}"
            return None
        columns = "at, root, skill, tool, arguments, schema, real, result"
        try:
            with self._database.open() as database:
                cursor = database.execute(f"INSERT INTO calls ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
                database.execute(
                    "DELETE FROM calls WHERE root = ? AND id <= (SELECT id FROM calls WHERE root = ? "
                    "ORDER BY id DESC LIMIT 1 OFFSET ?)",
                    (self._root, self._root, MOST_CALLS),
                )
                return cursor.lastrowid
        except Unusable as error:
            self._notice = str(error)
            return None

    def calls(self, skill: str | None = None, tool: str | None = None, limit: int = 100) -> list[PastCall]:
        """Return the calls of this workspace, newest first, of one skill or tool where they are given."""
        where, values = ["root = ?"], [self._root]
        for column, value in (("skill", skill), ("tool", tool)):
            if value is not None:
                where.append(f"{column} = ?")
                values.append(value)
        query = f"SELECT * FROM calls WHERE {' AND '.join(where)} ORDER BY id DESC LIMIT ?"
        return self._select(query, (*values, limit))

    def call(self, number: int) -> PastCall | None:
        """Return the call of that number in this workspace."""
        found = self._select("SELECT * FROM calls WHERE root = ? AND id = ?", (self._root, number))
        return found[0] if found else None

    def _select(self, query: str, values: tuple[Any, ...]) -> list[PastCall]:
        if not self._database.path.exists():
            return []
        try:
            with self._database.open() as database:
                return [call for row in database.execute(query, values) if (call := _past_call(row)) is not None]
        except Unusable as error:
            self._notice = str(error)
            return []


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True)


def _stored(result: SkillResult) -> str:
    text = json.dumps(result.model_dump(mode="json"), ensure_ascii=True)
    if len(text) <= MOST_RESULT:
        return text
    shortened = result.model_copy(update={"output_data": f"(not kept: {len(text):,} bytes)", "resource_changes": []})
    return json.dumps(shortened.model_dump(mode="json"), ensure_ascii=True)


def _past_call(row: tuple[Any, ...]) -> PastCall | None:
    number, at, _root, skill, tool, arguments, schema, real, result = row
    try:
        return PastCall(
            number, at, skill, tool, json.loads(arguments), schema, bool(real), SkillResult(**json.loads(result))
        )
    except (ValueError, TypeError, RecursionError):
        return None
