"""Which skills and files have findings, so that a row can say so without searching the list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic, Fix

_ORDER = {"error": 0, "warning": 1, "info": 2}


@dataclass
class Findings:
    """The worst severity of each skill and file, and the list in the order of the Problems area."""

    problems: tuple[Diagnostic, ...] = ()
    by_file: dict[str, list[Diagnostic]] = field(default_factory=dict)
    worst_of_skill: dict[str, str] = field(default_factory=dict)
    worst_of_file: dict[str, str] = field(default_factory=dict)
    totals: Counter[str] = field(default_factory=Counter)

    def worst(self, skill: str | None, path: str | None) -> str | None:
        """Return ``error`` or ``warning`` when the skill or its file has one, else None."""
        found = [self.worst_of_skill.get(skill or ""), self.worst_of_file.get(path or "")]
        return min((s for s in found if s and s != "info"), key=_ORDER.__getitem__, default=None)

    def remedy(self, found: Diagnostic | None) -> Diagnostic | None:
        """Return the finding whose fix does what ``found`` advises; None where no fix does.

        Includes of one cycle all advise the removal of one of them: then it is that one's.
        """
        from core.diagnostics.rules.include import CYCLE

        if found is None or found.code != CYCLE.code or found.hint is None or is_proposed(found.fix):
            return found if found and found.fix else None
        same = (d for d in self.problems if d.code == found.code and d.hint == found.hint)
        return next((d for d in same if is_proposed(d.fix)), None)


def is_proposed(fix: Fix | None) -> bool:
    """Whether the finding itself advises what ``fix`` does."""
    from core.diagnostics import Applies

    return fix is not None and fix.applies is not Applies.ALONE


def collect(diagnostics: Iterable[Diagnostic]) -> Findings:
    """Return the findings, which come sorted by place: errors first, then warnings, then infos."""
    findings = Findings()
    ordered = sorted(diagnostics, key=lambda d: _ORDER[d.severity])
    for found in ordered:
        severity = str(found.severity)
        findings.totals[severity] += 1
        findings.by_file.setdefault(found.place.path, []).append(found)
        findings.worst_of_file.setdefault(found.place.path, severity)
        if found.skill:
            findings.worst_of_skill.setdefault(found.skill, severity)
    findings.problems = tuple(ordered)
    return findings
