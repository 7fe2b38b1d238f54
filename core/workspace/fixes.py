"""Mechanical fixes: edits that change their own characters and nothing else."""

from __future__ import annotations

import codecs
import os
import tempfile
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from core.diagnostics import Applies, Diagnostic, Edit, Fix
from core.language.confidential import masked, may_hold_secrets
from core.language.reading import Unreadable
from core.language.tree import SourceText
from core.workspace.patches import Patch, patch_of, shown_difference


@dataclass(frozen=True, slots=True)
class FileFix:
    """A file before and after its fixes."""

    path: str
    before: str
    after: str

    def diff(self) -> str:
        """Return the change as a unified diff, without what ``env`` and ``headers`` hold."""
        return shown_difference(self.path, self.before, self.after, self._shown())

    def patch(self, mark: str = "") -> Patch:
        """Return the change for git or patch; ``mark`` is the byte order mark that the file begins with."""
        before, after = self._shown()
        return patch_of(self.path, mark + self.before, mark + self.after, (mark + before, mark + after))

    def _shown(self) -> tuple[str, str]:
        hide = masked if may_hold_secrets(self.path) else str
        return hide(self.before), hide(self.after)


@dataclass(slots=True)
class FixPlan:
    """What would change, for which findings; ``left`` are fixes that overlap others or can't be read."""

    files: list[FileFix] = field(default_factory=list)
    applied: list[Diagnostic] = field(default_factory=list)
    left: list[Diagnostic] = field(default_factory=list)


def plan_fixes(found: Iterable[Diagnostic], text_of: Callable[[str], str], named: Collection[str] = ()) -> FixPlan:
    """Plan the fixes of ``found``; a fix goes in whole or not at all, overlapping ones wait.

    Fixes that decide something are taken only for the codes in ``named``, those for one at a time never.
    """
    plan = FixPlan()
    taken: dict[str, list[tuple[int, int, str]]] = {}
    sources: dict[str, tuple[str, SourceText]] = {}
    for diagnostic in found:
        if diagnostic.fix is None or not _taken(diagnostic.fix, diagnostic.code in named):
            continue
        try:
            spans = [_span(edit, sources, text_of) for edit in diagnostic.fix.edits]
        except Unreadable:
            plan.left.append(diagnostic)
            continue
        if any(_overlaps(span, taken.get(path, [])) for path, span in spans):
            plan.left.append(diagnostic)
            continue
        for path, span in spans:
            taken.setdefault(path, []).append(span)
        plan.applied.append(diagnostic)
    for path, edits in sorted(taken.items()):
        before = sources[path][0]
        plan.files.append(FileFix(path, before, _edited(before, edits)))
    return plan


def _taken(fix: Fix, named: bool) -> bool:
    return fix.applies is Applies.ALWAYS or (named and fix.applies is Applies.NAMED)


def plan_one(fix: Fix, text_of: Callable[[str], str]) -> list[FileFix]:
    """Return the files that ``fix`` alone changes."""
    sources: dict[str, tuple[str, SourceText]] = {}
    edits: dict[str, list[tuple[int, int, str]]] = {}
    for edit in fix.edits:
        path, span = _span(edit, sources, text_of)
        edits.setdefault(path, []).append(span)
    return [FileFix(path, sources[path][0], _edited(sources[path][0], spans)) for path, spans in edits.items()]


def _span(
    edit: Edit, sources: dict[str, tuple[str, SourceText]], text_of: Callable[[str], str]
) -> tuple[str, tuple[int, int, str]]:
    place = edit.place
    if place.path not in sources:
        text = text_of(place.path)
        sources[place.path] = (text, SourceText(place.path, text))
    source = sources[place.path][1]
    start = source.offset(place.line, place.column)
    end = source.offset(place.end_line or place.line, place.end_column or place.column)
    return place.path, (start, end, edit.text)


def _overlaps(span: tuple[int, int, str], taken: list[tuple[int, int, str]]) -> bool:
    start, end, _ = span
    return any((start < other_end and other_start < end) or start == other_start for other_start, other_end, _ in taken)


def _edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    pieces, at = [], 0
    for start, end, new in sorted(edits):
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])


def write_fixed(root: Path, fixed: FileFix) -> bool:
    """Replace the file atomically; return False and touch nothing when it has changed meanwhile.

    Its mode stays, and so does a byte order mark at its beginning, which is no part of the text.
    """
    path = root / fixed.path
    if path.is_symlink():
        path = path.resolve()
    stored = path.read_bytes()
    mark = codecs.BOM_UTF8 if stored.startswith(codecs.BOM_UTF8) else b""
    if stored != mark + fixed.before.encode():
        return False
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".skill-explorer-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(mark + fixed.after.encode())
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, path.stat().st_mode & 0o7777)
        os.replace(temporary, path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise
    return True
