"""The cross-file findings of a workspace, each fault once; what follows from another finding is not told again."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from core.diagnostics import Diagnostic
from core.diagnostics.rules.resolution import OVERRIDE_UNKNOWN
from core.diagnostics.rules.tool import NOT_OVERRIDABLE
from core.resolve.analysis import Analysis
from core.resolve.checks_includes import check_includes
from core.resolve.checks_names import check_names
from core.resolve.checks_tools import check_tools
from core.resolve.checks_use import check_use, unused
from core.resolve.claims import broken_claims, untouched_claims
from core.resolve.findings import Findings
from core.resolve.redundant import doubled


def validate(analysis: Analysis, earlier: tuple[Analysis, Findings] | None = None) -> Findings:
    """Return all findings; those that can't have changed since the ``earlier`` analysis are taken from there."""
    before, known = earlier if earlier and analysis.structure.carried else (None, Findings())
    found = Findings()
    found.claims = broken_claims(analysis, untouched_claims(analysis, before, known.claims) if before else {})
    found.doubled = doubled(analysis, before, known.doubled)
    found.unused = unused(analysis.structure, known.unused)
    checks = (check(analysis) for check in (check_names, check_includes, check_tools, check_use))
    claims = (claim.finding for claim in found.claims.values())
    in_vain = (finding for twice in found.doubled.values() for finding in twice.findings)
    lonely = (finding for _, finding in found.unused.findings.values())
    found.group(chain(*checks, claims, in_vain, lonely), known)
    return found


def without_idle_overrides(read: Iterable[Diagnostic], across: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return what reading found and what resolution found; of an override of an unknown tool only that is told."""
    across = list(across)
    unknown = {(d.place.path, d.skill, d.tool) for d in across if d.code == OVERRIDE_UNKNOWN.code}
    kept = (d for d in read if d.code != NOT_OVERRIDABLE.code or (d.place.path, d.skill, d.tool) not in unknown)
    return [*kept, *across]
