"""The findings of a resolution by file, with what the next resolution needs to take some of them over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from core.diagnostics import Diagnostic, Severity
from core.diagnostics.rules.yaml import LIMIT
from core.resolve.checks_use import Uses
from core.resolve.claims import Claim
from core.resolve.redundant import Doubled

MOST = 100


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
    _left_out: Counter[str] = field(default_factory=Counter)

    def group(self, found: Iterable[Diagnostic], before: Findings) -> None:
        """Sort ``found`` by path and place; of those that say the same of one place only one is left.

        Of one file at most ``MOST`` are kept, and as many errors more; the last one tells how many are left out.
        """
        files = self._as_found
        for finding in found:
            path = finding.place.path
            held = files.setdefault(path, [])
            if len(held) < MOST or (len(held) < 2 * MOST and finding.severity is Severity.ERROR):
                held.append(finding)
            else:
                self._left_out[path] += 1
        for path, held in files.items():
            left = self._left_out[path]
            same = before._as_found.get(path) == held and before._left_out[path] == left
            self.by_path[path] = before.by_path[path] if same else [*_once(held), *_told(held, left)]

    def all(self) -> list[Diagnostic]:
        """Return all of them, in the order of every list of diagnostics."""
        return [found for path in sorted(self.by_path) for found in self.by_path[path]]


def _told(held: list[Diagnostic], left: int) -> list[Diagnostic]:
    message = f"{left:,} more findings of this file are not listed."
    last = max((finding.place for finding in held), key=lambda place: place.line)
    return [LIMIT.at(last, message, severity=Severity.INFO)] if left else []


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
