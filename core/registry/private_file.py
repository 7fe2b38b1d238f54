"""Files of the user's state: private, replaced whole, never through a link, and never trusted when damaged."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

MOST_BYTES = 8 << 20


class Damaged(Exception):  # noqa: N818 - it names a state
    """A state file is no private regular file of this user, or is too large."""


def lies_inside(state: Path, root: Path) -> bool:
    """Whether a state folder lies in the workspace at ``root``, which could then write what the program believes."""
    return state.resolve().is_relative_to(root.resolve())


def private_folder(folder: Path) -> Path:
    """Make ``folder`` (mode 0700) where it is missing and return it.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def read_private(path: Path) -> bytes | None:
    """Return the content of ``path``, or None where nothing is there.

    Raises:
        Damaged: it is a link, no regular file, another user's, writable by others, or over 8 MiB.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Damaged(error.strerror or str(error)) from error
    try:
        _must_be_private(os.fstat(handle))
        with os.fdopen(os.dup(handle), "rb") as file:
            content = file.read(MOST_BYTES + 1)
    finally:
        os.close(handle)
    if len(content) > MOST_BYTES:
        raise Damaged("it is too large")
    return content


def must_be_private(path: Path) -> None:
    """Refuse a file that others could have brought there.

    Raises:
        Damaged: it is a link, no regular file, another user's, or writable by others.
        OSError: it can't be looked at.
    """
    _must_be_private(os.lstat(path))


def _must_be_private(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Damaged("it is no regular file")
    if found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise Damaged("others could have written it")


def write_private(path: Path, content: bytes) -> None:
    """Replace ``path`` by ``content`` in one step (mode 0600); a full disk leaves the old one.

    Raises:
        OSError: it cannot be written.
    """
    handle, temporary = tempfile.mkstemp(dir=private_folder(path.parent), prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(handle)
        os.replace(temporary, path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


def set_aside(path: Path) -> Path | None:
    """Rename a damaged ``path`` to the next free ``.corrupt-N`` and return that; None when it cannot be moved."""
    for number in range(1, 1000):
        aside = path.with_name(f"{path.name}.corrupt-{number}")
        if not os.path.lexists(aside):
            try:
                os.rename(path, aside)
            except OSError:
                return None
            return aside
    return None


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock beside ``path``, so that two programs do not lose each other's writes."""
    lock = private_folder(path.parent) / f".{path.name}.lock"
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
