"""The cross-file findings of a workspace, each fault once; what follows from another finding is not told again."""

from __future__ import annotations

from core.diagnostics import Diagnostic, Place
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
