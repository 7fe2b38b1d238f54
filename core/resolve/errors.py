"""Why a skill does not resolve, as the protocol's errors: cycles, missing parts, and the chain down to the cause."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.model import ToolSource
from core.protocol import SkillError, SkillErrorType, SkillFailure
from core.resolve.cycles import arrows, pairs, trail
from core.resolve.faults import did_you_mean, quoted
from core.resolve.graph import Edges
from core.resolve.index import Index
from core.resolve.structure import NOBODY, Structure
from core.resolve.views import SkillStatus
from core.text import display

MOST_LISTED = 50


def errors_of(structure: Structure, skill: int) -> tuple[SkillError, ...]:
    """Return every reason for which ``skill`` is not resolved, the gravest first; none for a resolved one."""
    file = structure.files[skill]
    if not structure.single[skill]:
        return (_duplicate(structure, skill),)
    found = [_cycle(structure, skill)] if structure.in_cycle[skill] else []
    found += [fault.error(file) for fault in structure.listings[skill].faults]
    found += [fault.error(file) for fault in structure.include_faults.get(skill, {}).values()]
    for at, target in enumerate(structure.targets[skill]):
        healthy = target == NOBODY or structure.status[target] is SkillStatus.RESOLVED
        if not healthy and not structure.closes_cycle(skill, target):
            found.append(_unresolved_include(structure, skill, at, target))
    return tuple(found)


def not_found(name: str, index: Index) -> SkillFailure:
    """Return the failure for a skill that no file defines, with the nearest names, or what else has the name."""
    close = index.near_skills.to(name)
    short = name.removeprefix(f"{ToolSource.AGENT_SKILL}/")
    agent = next((skill for skill in index.agent_skills.values() if skill.name == short), None)
    hint = did_you_mean(close)
    if agent is not None:
        hint = f"it is an Agent Skill: a skill offers it by `agent_skill_folders: [{display(agent.path, 200)}]`"
    message = f"no file defines the skill {quoted(name)}" + (f"; {hint}" if hint else "")
    return SkillFailure(_error(SkillErrorType.SKILL_NOT_FOUND, message, name, {"nearest": close}))


def unreadable(name: str, path: str) -> SkillError:
    """Return the error of a skill whose file gives no model."""
    message = f"{quoted(path)}, which should define {quoted(name)}, can't be read"
    return _error(SkillErrorType.RESOLUTION_FAILURE, message, name, {"path": path})


def lacks_tool(skill: str, tool: str, close: Iterable[str]) -> SkillFailure:
    """Return the failure for a tool that the set of ``skill`` lacks, with the nearest names."""
    near = list(close)
    hint = did_you_mean(near)
    message = f"{quoted(skill)} has no tool {quoted(tool)}" + (f"; {hint}" if hint else "")
    error = _error(SkillErrorType.RESOLUTION_FAILURE, message, skill, {"nearest": near})
    return SkillFailure(error.model_copy(update={"tool_name": tool}))


def unknown_actor(name: str, close: Iterable[str]) -> SkillFailure:
    """Return the failure for an actor that no file defines, with the nearest names; ``skill_name`` is the actor's."""
    near = list(close)
    hint = did_you_mean(near)
    message = f"no file defines the actor {quoted(name)}" + (f"; {hint}" if hint else "")
    return SkillFailure(_error(SkillErrorType.RESOLUTION_FAILURE, message, name, {"actor": name, "nearest": near}))


def _error(kind: SkillErrorType, message: str, skill: str, details: dict[str, Any]) -> SkillError:
    return SkillError(error_type=kind, message=message, details=details, skill_name=skill)


def _duplicate(structure: Structure, skill: int) -> SkillError:
    name = structure.name(skill)
    paths = [structure.files[number].path for number in structure.index.skills[name]]
    message = f"{len(paths)} files define {quoted(name)}: {', '.join(quoted(path) for path in paths[:5])}"
    return _error(SkillErrorType.RESOLUTION_FAILURE, message, name, {"paths": paths[:MOST_LISTED]})


def _cycle(structure: Structure, skill: int) -> SkillError:
    cycle = shortest_through(structure.edges, skill)
    names = [structure.name(number) for number in cycle]
    edges = [_edge(structure, start, end) for start, end in list(pairs(tuple(cycle)))[:MOST_LISTED]]
    details = {"cycle": names, "edges": edges}
    return _error(SkillErrorType.CYCLE_DETECTED, f"includes form a cycle: {trail(names)}", names[0], details)


def _edge(structure: Structure, start: int, end: int) -> dict[str, Any]:
    file = structure.files[start]
    place = file.place(file.includes[structure.targets[start].index(end)].span)
    return {"from": file.name, "to": structure.name(end), "path": place.path, "line": place.line}


def shortest_through(edges: Edges, start: int) -> list[int]:
    """Return the shortest cycle through ``start``, which lies on one, beginning there."""
    came: dict[int, int] = {}
    queue = [start]
    for node in queue:
        for child in edges[node]:
            if child == start:
                return _way_back(came, start, node)
            if child not in came:
                came[child] = node
                queue.append(child)
    raise ValueError("the skill lies on no cycle")


def _way_back(came: dict[int, int], start: int, end: int) -> list[int]:
    way = [end]
    while way[-1] != start:
        way.append(came[way[-1]])
    return way[::-1]


def _unresolved_include(structure: Structure, skill: int, at: int, target: int) -> SkillError:
    chain, cause = _chain(structure, target)
    file = structure.files[skill]
    names = [file.name, *chain]
    part = " in full" if structure.status[target] is SkillStatus.PARTIAL else ""
    way = f" ({arrows(names)})" if len(names) > 2 else ""
    message = f"{quoted(file.name)} includes {quoted(names[1])}, which does not resolve{part}{way}: {cause.message}"
    place = file.place(file.includes[at].span)
    details = {
        "include": names[1],
        "chain": names[:MOST_LISTED],
        "chain_length": len(names),
        "cause": {"error_type": str(cause.error_type), "message": cause.message, **cause.details},
        "path": place.path,
        "line": place.line,
    }
    return _error(SkillErrorType.RESOLUTION_FAILURE, message, file.name, details)


def _chain(structure: Structure, skill: int) -> tuple[list[str], SkillError]:
    """Follow the first include that does not resolve down to the skill that has a fault of its own."""
    names = [structure.name(skill)]
    while True:
        if structure.in_cycle[skill]:
            return names, _cycle(structure, skill)
        faults = [*structure.listings[skill].faults, *structure.include_faults.get(skill, {}).values()]
        if faults:
            return names, faults[0].error(structure.files[skill])
        skill = next(t for t in structure.targets[skill] if structure.status[t] is not SkillStatus.RESOLVED)
        names.append(structure.name(skill))
