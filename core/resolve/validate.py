"""The cross-file findings of a workspace, each fault once; what follows from another finding is not told again."""

from __future__ import annotations

from collections.abc import Sequence

from core.diagnostics import Diagnostic, Place
from core.diagnostics.rules.resolution import OVERRIDE_UNKNOWN
from core.diagnostics.rules.tool import NOT_OVERRIDABLE
from core.resolve.analysis import Analysis
from core.resolve.checks_includes import check_includes
from core.resolve.checks_names import check_names
from core.resolve.checks_tools import check_tools
from core.resolve.checks_use import check_use
from core.resolve.claims import check_claims


def validate(analysis: Analysis) -> list[Diagnostic]:
    """Return all findings, sorted."""
    found: dict[tuple[str, Place, str], Diagnostic] = {}
    for check in (check_names, check_includes, check_tools, check_claims, check_use):
        for finding in check(analysis):
            found.setdefault((finding.code, finding.place, finding.message), finding)
    return sorted(found.values(), key=Diagnostic.sort_key)


def without_idle_overrides(read: Sequence[Diagnostic], across: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return what reading found and what resolution found; of an override of an unknown tool only that is told."""
    unknown = {(d.place.path, d.skill, d.tool) for d in across if d.code == OVERRIDE_UNKNOWN.code}
    kept = (d for d in read if d.code != NOT_OVERRIDABLE.code or (d.place.path, d.skill, d.tool) not in unknown)
    return [*kept, *across]
