"""The findings of a resolution by file, with what the next resolution needs to take some of them over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.diagnostics import Diagnostic
from core.resolve.checks_use import Uses
from core.resolve.claims import Claim
from core.resolve.redundant import Doubled


@dataclass(slots=True)
class Findings:
    """``by_path`` has the cross-file findings of each file, sorted, each fault once.

    The others are findings of single skills that cost much to make: of includes that change nothing, of claims that
    don't hold, by skill; and of skills that nobody uses.
    """

    by_path: dict[str, list[Diagnostic]] = field(default_factory=dict)
    doubled: dict[int, Doubled] = field(default_factory=dict)
    claims: dict[int, Claim] = field(default_factory=dict)
    unused: Uses = field(default_factory=Uses)
    _as_found: dict[str, list[Diagnostic]] = field(default_factory=dict)

    def group(self, found: Iterable[Diagnostic], before: Findings) -> None:
        """Sort ``found`` by path and place; of those that say the same of one place only one is left."""
        files = self._as_found
        for finding in found:
            files.setdefault(finding.place.path, []).append(finding)
        for path, held in files.items():
            same = before._as_found.get(path) == held
            self.by_path[path] = before.by_path[path] if same else _once(held)

    def all(self) -> list[Diagnostic]:
        """Return all of them, in the order of every list of diagnostics."""
        return [found for path in sorted(self.by_path) for found in self.by_path[path]]


def _once(found: list[Diagnostic]) -> list[Diagnostic]:
    if len(found) == 1:
        return found
    single: dict[object, Diagnostic] = {}
    for finding in sorted(found, key=_full_key):
        single.setdefault((finding.code, finding.place, finding.message), finding)
    return list(single.values())


def _full_key(finding: Diagnostic) -> tuple[object, ...]:
    related = [(other.place.path, other.place.line, other.place.column) for other in finding.related]
    return (*finding.sort_key(), finding.skill or "", finding.tool or "", related)
