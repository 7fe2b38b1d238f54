"""Reading a file of the workspace without waiting, without leaving it and without taking in more than is allowed."""

from __future__ import annotations

import errno
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from core.diagnostics import Diagnostic, Place, Rule
from core.diagnostics.rules import file as rules
from core.language.containment import LinkLoop, Uncontained, contained, real_parts
from core.language.scan_names import is_skill_md

__all__ = ["SKILL_MD_LIMIT", "FileText", "Uncontained", "Unreadable", "contained", "read_file", "read_workspace_file"]

FILE_LIMIT = 1 << 20
MEND = "make it a file that can be read, or delete it"
COPY = "copy the file into the workspace"
REPLACE = "replace it by a regular file"
SKILL_MD_LIMIT = 2 << 20

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW | os.O_CLOEXEC
_WHOLE_CHARACTERS = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
"""Characters of more than one byte in UTF-8: a text in an older encoding hardly ever has one."""
_UTF32_MARKS = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class Unreadable(Exception):  # noqa: N818 - it states what a file is
    """A file that isn't read; carries the rule, the sentence and the remedy."""

    def __init__(
        self, rule: Rule, path: str, message: str, hint: str | None = None, line: int = 1, column: int = 1
    ) -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.rule = rule
        self.path = path
        self.message = message
        self.hint = hint

    @property
    def diagnostic(self) -> Diagnostic:
        """The finding, at the start of the file unless a place in it is known."""
        return self.rule.at(Place(self.path, self.line, self.column), self.message, hint=self.hint)


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of one file without its byte order mark; line ends are as they stand in the file."""

    text: str
    size: int
    """Size in bytes."""
    bom: bool = False
    """Whether the file began with a byte order mark."""


def limit_of(path: str) -> int:
    """Return how many bytes the file at ``path`` may have."""
    return SKILL_MD_LIMIT if is_skill_md(path.rpartition("/")[2]) else FILE_LIMIT


def read_workspace_file(root: Path, rel: str, limit: int = FILE_LIMIT) -> str:
    """Return the text of the file at ``rel`` (relative to ``root``, with ``/``), at most ``limit`` bytes long.

    Raises:
        Unreadable: it is gone, no regular file, outside, too large, or not UTF-8.
    """
    return read_file(root, rel, limit).text


def read_file(root: Path, rel: str, limit: int = FILE_LIMIT) -> FileText:
    """Return the text of the file at ``rel`` with what its bytes say; raises as ``read_workspace_file`` does."""
    data = _read_bytes(root, rel, limit)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(rel, data, error) from None
    if "\0" in text[:64] and _looks_like_utf16(data):
        raise _not_utf8(rel, data, None)
    bom = text.startswith("\ufeff")
    return FileText(text[1:] if bom else text, len(data), bom)


def _read_bytes(root: Path, rel: str, limit: int) -> bytes:
    try:
        with open(_open(root, rel), "rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise _no_file(rel, status.st_mode)
            if status.st_size > limit:
                raise _too_large(rel, status.st_size, limit)
            data = _take(file.fileno(), limit + 1)
    except OSError as error:
        raise _failure(rel, error) from None
    except Uncontained as error:
        raise _refused(rel, error) from None
    if len(data) > limit:
        raise _too_large(rel, len(data), limit)
    return data


def _take(descriptor: int, most: int) -> bytes:
    """Read until the end of the file or ``most`` bytes."""
    data = os.read(descriptor, most)
    if not data or len(data) == most:
        return data
    parts = [data]
    left = most - len(data)
    while left > 0 and (data := os.read(descriptor, left)):
        parts.append(data)
        left -= len(data)
    return b"".join(parts)


def _open(root: Path, rel: str) -> int:
    """Open ``rel`` folder by folder, so that no link is followed that wasn't checked first."""
    parts = _own_parts(rel)
    try:
        return _open_parts(root, parts)
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            raise
    return _open_parts(root, real_parts(root, parts))


def _own_parts(rel: str) -> list[str]:
    """Split a path that the program itself made; raises Uncontained if it could leave."""
    parts = [part for part in rel.split("/") if part not in ("", ".")]
    possible = "\0" not in rel and not any("\ud800" <= char < "\udc80" or "\udcff" < char <= "\udfff" for char in rel)
    if rel.startswith("/") or ".." in parts or not possible:
        raise Uncontained("it leads out of the workspace")
    return parts


def _open_parts(root: Path, parts: list[str]) -> int:
    if not parts:
        return os.open(root, _FOLDER_FLAGS)
    folder = os.open(root, _FOLDER_FLAGS)
    try:
        for part in parts[:-1]:
            inner = os.open(part, _FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(parts[-1], _FILE_FLAGS, dir_fd=folder)
    finally:
        os.close(folder)


def _no_file(rel: str, mode: int) -> Unreadable:
    if stat.S_ISDIR(mode):
        return Unreadable(rules.UNREADABLE, rel, "a folder stands where a file is expected", "rename the folder")
    return Unreadable(rules.NOT_REGULAR, rel, irregular(mode), REPLACE)


def irregular(mode: int) -> str:
    """Say that something of this ``mode`` is no regular file."""
    return f"this is {kind_of(mode)}, not a regular file, so it is not opened"


def kind_of(mode: int) -> str:
    """Name what is no regular file."""
    names = (
        (stat.S_ISFIFO, "a named pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    )
    return next((name for test, name in names if test(mode)), "something")


def _too_large(rel: str, size: int, limit: int) -> Unreadable:
    shown = f"{size / (1 << 20):.1f} MiB" if size >= limit + (1 << 17) else f"{size:,} bytes"
    most = f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit >> 10} KiB"
    message = f"the file is larger than {most} ({shown}), so it is not read"
    return Unreadable(rules.TOO_LARGE, rel, message, "move data to files of their own")


def _failure(rel: str, error: OSError) -> Unreadable:
    if error.errno == errno.ENXIO:
        return Unreadable(rules.NOT_REGULAR, rel, irregular(stat.S_IFSOCK), REPLACE)
    if error.errno == errno.ELOOP:
        return Unreadable(rules.LINK_LOOP, rel, "this link leads back to itself", "delete it")
    if error.errno == errno.ENOENT:
        return Unreadable(rules.UNREADABLE, rel, "the file is not there any more, or is a link to nothing", MEND)
    return Unreadable(rules.UNREADABLE, rel, f"it can't be read: {error.strerror or type(error).__name__}", MEND)


def _refused(rel: str, error: Uncontained) -> Unreadable:
    if isinstance(error, LinkLoop):
        return Unreadable(rules.LINK_LOOP, rel, "this link leads back to itself", "delete it")
    return Unreadable(
        rules.OUTSIDE,
        rel,
        "this link leads out of the workspace, so it is not followed",
        COPY,
    )


def _not_utf8(rel: str, data: bytes, error: UnicodeDecodeError | None) -> Unreadable:
    if data.startswith(_UTF32_MARKS):
        found = "looks like UTF-32"
    elif data.startswith(_UTF16_MARKS) or _looks_like_utf16(data):
        found = "looks like UTF-16"
    elif error is None:
        found = "it holds NUL bytes"
    else:
        before = data[: error.start].decode("utf-8")
        lines = re.split("\r\n|\r|\n", before)
        found = f"byte {error.start + 1:,} is {data[error.start]:#04x}"
        message = f"the file is not UTF-8 ({found}{_older_encoding(data)})"
        return Unreadable(
            rules.ENCODING, rel, message, "save it as UTF-8", len(lines), len(lines[-1].lstrip("\ufeff")) + 1
        )
    return Unreadable(rules.ENCODING, rel, f"the file is not UTF-8 ({found})", "save it as UTF-8")


def _older_encoding(data: bytes) -> str:
    """Name the encoding that a text most likely is in that has bytes above 0x7f and no whole character of them."""
    if b"\0" in data or _WHOLE_CHARACTERS.search(data):
        return ""
    return ", perhaps Windows-1252" if any(0x80 <= byte < 0xA0 for byte in data) else ", perhaps Latin-1"


def _looks_like_utf16(data: bytes) -> bool:
    """Whether every second byte is NUL more often than not, as in UTF-16 without a mark."""
    head = data[:256]
    half = len(head) // 2
    return half >= 1 and max(head[0::2].count(0), head[1::2].count(0)) * 10 >= half * 7
