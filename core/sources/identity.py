"""Execution identities: what exactly would run, as one digest and as the lines of a dialog (resolution, part 5)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.diagnostics import Place

_TAG = b"skill-explorer execution identity 1\0"
_LOADER_NAMES = {"PATH", "HOME", "BASH_ENV", "ENV", "NODE_OPTIONS", "NODE_PATH", "BROWSER", "EDITOR", "PAGER"}
_LOADER_PREFIXES = ("LD_", "DYLD_", "PYTHON", "PERL5", "RUBY", "GIT_")


@dataclass(frozen=True, slots=True)
class ExecutionIdentity:
    """What exactly would run (resolution, part 5). ``details`` are the dialog's lines: label and whole value.

    ``path`` and ``line`` are None for what no file of the workspace defines. ``warnings`` are sentences that the
    dialog calls out; ``changed`` says what differs from an earlier approval.
    """

    digest: str
    kind: str
    title: str
    path: str | None
    line: int | None
    details: tuple[tuple[str, str], ...]
    code: str | None = None
    warnings: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def digest_of(kind: str, root: Path, parts: Mapping[str, Any]) -> str:
    """Return the digest over ``parts`` (JSON values), the kind and the real root: a change of any changes it."""
    whole = {"kind": kind, "root": str(root.resolve()), "parts": parts}
    text = json.dumps(whole, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(_TAG + text.encode()).hexdigest()


def make_identity(
    kind: str,
    title: str,
    place: Place | None,
    root: Path,
    parts: Mapping[str, Any],
    *,
    details: Iterable[tuple[str, str]],
    code: str | None = None,
    warnings: Iterable[str] = (),
) -> ExecutionIdentity:
    """Return the identity of ``parts``; ``kind`` is ``custom``, ``shell``, ``mcp-stdio`` or ``mcp-http``.

    ``title`` names the thing and stays the same when its content changes: a store finds an earlier approval by
    kind, path and title.
    """
    return ExecutionIdentity(
        digest=digest_of(kind, root, parts),
        kind=kind,
        title=title,
        path=None if place is None else place.path,
        line=None if place is None else place.line,
        details=(("workspace", str(root.resolve())), *details),
        code=code,
        warnings=tuple(warnings),
    )


def sha256_of(content: bytes) -> str:
    """Return the hex digest of ``content``."""
    return hashlib.sha256(content).hexdigest()


def loader_variables(names: Iterable[str]) -> list[str]:
    """Return those of ``names`` that change which program or library runs; a dialog calls them out."""
    return sorted(n for n in names if n.upper() in _LOADER_NAMES or n.upper().startswith(_LOADER_PREFIXES))
