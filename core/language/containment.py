"""Paths that stay inside the workspace. Nothing outside is looked at, not even to say that it is there."""

from __future__ import annotations

import errno
import os
import re
from collections import deque
from pathlib import Path

MAX_LINKS = 40
_MAX_PATH = 4_096
_MAX_NAME = 255
_DRIVE = re.compile(r"[A-Za-z]:(?:[\\/]|\Z)")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class Uncontained(Exception):  # noqa: N818 - it states what a path is
    """A path leaves the workspace, or could; the text says how."""


class LinkLoop(Uncontained):
    """A chain of links that never ends."""


def contained(root: Path, text: str) -> str:
    """Return the path ``text``, as a user wrote it, relative to ``root`` with ``/`` and without ``.`` and ``..``.

    The workspace itself is ``.``. Whether anything is there isn't checked.

    Raises:
        Uncontained: it is absolute, starts with ``~``, a drive or a host, is a URL, leaves the workspace by ``..`` or
            through a link, can't be followed, or is no possible path.
    """
    parts = _normal_parts(text)
    try:
        real_parts(root, parts)
    except OSError as error:
        raise Uncontained(f"it can't be followed: {error.strerror}") from None
    return "/".join(parts) or "."


def _normal_parts(text: str) -> list[str]:
    refusal = _refusal(text)
    if refusal:
        raise Uncontained(refusal)
    parts: list[str] = []
    for part in text.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            raise Uncontained("it leads out of the workspace")
    return parts


def _refusal(text: str) -> str | None:
    """Say why ``text`` is no relative path, whatever the workspace holds."""
    if not text.strip():
        return "it is empty"
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        return "it holds a character that no path can have"
    if text.startswith("~"):
        return "it starts at a home folder (`~`), not in the workspace"
    if text.startswith(("/", "\\")) or _DRIVE.match(text):
        return "it is absolute; paths are relative to the workspace"
    if _URL.match(text):
        return "it is a URL; only folders and files of the workspace can be named"
    if ".." in text.split("\\"):
        return "it leads out of the workspace"
    if len(os.fsencode(text)) > _MAX_PATH or any(len(os.fsencode(part)) > _MAX_NAME for part in text.split("/")):
        return "it is longer than a path can be"
    return None


def real_parts(root: Path, parts: list[str]) -> list[str]:
    """Return ``parts`` below ``root`` with every symbolic link replaced by what it leads to.

    Links are followed by their text alone, so that a link out of the workspace is refused before anything outside
    is touched. Parts that don't exist stay as they are.

    Raises:
        Uncontained: a link leads out of the workspace.
        LinkLoop: there are more than 40 links in a row.
        OSError: a folder on the way can't be searched.
    """
    pending = deque(parts)
    done: list[str] = []
    links = 0
    while pending:
        part = pending.popleft()
        if part in ("", "."):
            continue
        if part == "..":
            if not done:
                raise Uncontained("it leads out of the workspace")
            done.pop()
            continue
        target = _link_target(os.path.join(root, *done, part))
        if target is None:
            done.append(part)
            continue
        links += 1
        if links > MAX_LINKS:
            raise LinkLoop("it is a chain of links that never ends")
        if target.startswith("/"):
            target = _below(root, target)
            done.clear()
        pending.extendleft(reversed(target.split("/")))
    return done


def _link_target(path: str) -> str | None:
    """Return what the link at ``path`` says; None where there is no link."""
    try:
        return os.readlink(path)
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.ENOENT, errno.ENOTDIR):
            return None
        if error.errno == errno.ELOOP:
            raise LinkLoop("it is a chain of links that never ends") from None
        raise


def _below(root: Path, target: str) -> str:
    """Return the absolute ``target`` relative to ``root``, by its text."""
    for base in {os.path.abspath(root), os.path.realpath(root)}:
        if target == base or target.startswith(base.rstrip("/") + "/"):
            return target[len(base) :].lstrip("/")
    raise Uncontained("it leads out of the workspace")
