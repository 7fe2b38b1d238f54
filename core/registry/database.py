"""A SQLite file of the user's state: private, of a known version, kept aside when it is damaged."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from core.registry.private_file import Damaged, lies_inside, must_be_private, private_folder, set_aside

_BUSY_MS = 2000


class Unusable(Exception):  # noqa: N818 - it states what a store is
    """A store that can't be read or written now; the message is a clause that says which and why."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables of one file; ``script`` makes them, also where some are there. A changed one has a higher version."""

    version: int
    script: str
    write_ahead: bool = False
    """Whether readers go on beside a writer; then even reading needs a folder that can be written."""


class Database:
    """One file in the state folder, opened anew for each use; ``what`` names it in messages.

    A damaged file is renamed, and an empty one takes its place. ``notice`` says so, or that nothing can be kept here.
    """

    def __init__(self, state: Path, name: str, what: str, schema: Schema, root: Path) -> None:
        self.path = state / name
        self._what, self._schema = what, schema
        self._inside = lies_inside(state, root)
        self.notice = f"the state folder lies inside the workspace: no {what} is kept" if self._inside else None
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection; what was changed is committed when the block ends, and dropped when it raises.

        Raises:
            Unusable: it lies in the workspace, is no private file, was written by a newer version, is locked for
                more than two seconds, or fails while it is used.
        """
        if self._inside:
            raise Unusable(self.notice)
        with self._lock:
            database = self._connect()
            try:
                with database:
                    yield database
            except (sqlite3.Error, OSError, UnicodeError) as error:
                raise Unusable(f"the {self._what} could not be used: {error}") from error
            finally:
                database.close()

    def _connect(self) -> sqlite3.Connection:
        try:
            return self._prepared()
        except sqlite3.OperationalError as error:
            raise Unusable(f"the {self._what} could not be opened: {error}") from error
        except sqlite3.DatabaseError as error:
            aside = set_aside(self.path)
            self.notice = f"the {self._what} was damaged ({error}) and is kept as {aside.name if aside else 'it is'}"
        except (OSError, Damaged) as error:
            raise Unusable(f"the {self._what} could not be opened: {error}") from error
        try:
            return self._prepared()
        except (sqlite3.Error, OSError, Damaged) as error:
            raise Unusable(f"the {self._what} could not be opened: {error}") from error

    def _prepared(self) -> sqlite3.Connection:
        database = self._opened()
        try:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version > self._schema.version:
                raise sqlite3.OperationalError("it was written by a newer version")
            if version < self._schema.version:
                if self._schema.write_ahead:
                    database.execute("PRAGMA journal_mode = WAL")
                database.executescript(self._schema.script)
                database.execute(f"PRAGMA user_version = {self._schema.version}")
        except sqlite3.Error:
            database.close()
            raise
        return database

    def _opened(self) -> sqlite3.Connection:
        """Connect to the file, made where it is missing; one that can't be written is only read."""
        if not os.path.lexists(self.path):
            private_folder(self.path.parent)
            self.path.touch(mode=0o600)
        must_be_private(self.path)
        if os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK):
            return sqlite3.connect(self.path, timeout=_BUSY_MS / 1000, check_same_thread=False)
        address = f"file:{quote(os.fspath(self.path))}?mode=ro"
        return sqlite3.connect(address, uri=True, timeout=_BUSY_MS / 1000, check_same_thread=False)
