"""What lists and trees show of a skill: its includes with their state, and where its tools come from."""

from __future__ import annotations

from core.resolve.analysis import Analysis
from core.resolve.structure import NOBODY, Structure
from core.resolve.tools import AGENT_SKILL, BUILTIN, CUSTOM, MCP_PREFIX
from core.resolve.views import IncludeView, SkillStatus


def include_views(structure: Structure, skill: int) -> tuple[IncludeView, ...]:
    """Return the includes of ``skill`` in listed order."""
    file, found = structure.files[skill], []
    for include, target in zip(file.includes, structure.targets[skill], strict=True):
        line, column = file.source.line_column(include.span >> 32)
        status = SkillStatus.UNRESOLVED if target == NOBODY else structure.status[target]
        ghost = include.name not in structure.index.skills and structure.index.broken_skill(include.name) is None
        closes = structure.closes_cycle(skill, target)
        found.append(IncludeView(include.name, status, file.path, line, column, ghost, closes))
    return tuple(found)


def sources_of(analysis: Analysis, skill: int) -> tuple[str, ...]:
    """Return the source labels of a set, sorted."""
    counts = analysis.membership.counts_of(skill)
    found = [MCP_PREFIX + label for label in analysis.membership.labels_of(skill)]
    if counts.builtins:
        found.append(BUILTIN)
    if counts.customs:
        found.append(CUSTOM)
    if counts.agent_skills:
        found.append(AGENT_SKILL)
    return tuple(sorted(found))
