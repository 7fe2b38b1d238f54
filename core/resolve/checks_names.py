"""Names that two things share: skills, tools, actors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from core.diagnostics import Diagnostic, Place, Related, Rule
from core.diagnostics.rules.mcp import DIFFERENT_SERVERS
from core.diagnostics.rules.resolution import CASE_TWIN, DUPLICATE_ACTOR, DUPLICATE_SKILL, NAME_COLLISION
from core.language.declarations import ActorDecl
from core.model import is_qualified_name
from core.model.builtins import BUILTINS
from core.resolve.analysis import Analysis
from core.resolve.faults import quoted
from core.resolve.index import Index
from core.resolve.servers import server_key
from core.resolve.views import AgentDefinition, CustomDefinition, McpDefinition

MOST_RELATED = 5


def check_names(analysis: Analysis) -> Iterator[Diagnostic]:
    """Report every name that means two things."""
    index = analysis.structure.index
    yield from _skills(index)
    yield from _tool_files(index)
    yield from _case_twins(index)
    yield from _actors(index.declarations.actors)
    yield from _meeting_tools(analysis)
    yield from _server_files(index)


def _skills(index: Index) -> Iterator[Diagnostic]:
    for numbers in index.several:
        files = [index.files[number] for number in numbers]
        name, places = files[0].name, [file.place(file.name_span) for file in files]
        yield from _at_each(DUPLICATE_SKILL, places, f"{quoted(name)} is defined", "skill", name)


def _tool_files(index: Index) -> Iterator[Diagnostic]:
    for name, files in index.tool_files.items():
        if len(files) == 1 and name not in BUILTINS:
            continue
        places = [file.source.place(file.tool.span) for file in files]
        if name in BUILTINS:
            for place in places:
                message = f"{quoted(name)} is the name of a built-in tool; rename this one."
                yield NAME_COLLISION.at(place, message, hint="rename the tool", tool=name)
        else:
            yield from _at_each(NAME_COLLISION, places, f"{quoted(name)} is defined", "tool", name)


def _at_each(rule: Rule, places: Sequence[Place], subject: str, kind: str, name: str) -> Iterator[Diagnostic]:
    """Report one name at each of its places, with the others beside it."""
    for place in places:
        others = [other for other in places if other != place]
        also = quoted(others[0].path) if others else quoted(place.path)
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        message = f"{subject} here and in {also}{more}; rename all but one."
        related = tuple(Related(other, "also here") for other in others[:MOST_RELATED])
        skill, tool = (name, None) if kind == "skill" else (None, name)
        yield rule.at(place, message, hint="rename all but one", skill=skill, tool=tool, related=related)


def _case_twins(index: Index) -> Iterator[Diagnostic]:
    for names in index.case_twins:
        files = {name: index.files[index.skills[name][0]] for name in names}
        places = {name: file.place(file.name_span) for name, file in files.items()}
        yield from (_twin(*pair, skill=pair[0]) for pair in _pairs(places))
    for names in index.tool_twins:
        tools = {name: index.tool_files[name][0] for name in names}
        places = {name: found.source.place(found.tool.span) for name, found in tools.items()}
        yield from (_twin(*pair, tool=pair[0]) for pair in _pairs(places))


def _pairs(places: dict[str, Place]) -> Iterator[tuple[str, Place, str, Place]]:
    first, *others = sorted(places, key=lambda name: (places[name], name))
    return ((name, places[name], first, places[first]) for name in others)


def _twin(
    name: str, place: Place, first: str, there: Place, skill: str | None = None, tool: str | None = None
) -> Diagnostic:
    other = f"{quoted(first)} in {quoted(there.path)}"
    message = f"{quoted(name)} differs only in upper and lower case from {other}; rename one of them."
    related = (Related(there, f"{quoted(first)} is here"),)
    return CASE_TWIN.at(place, message, hint="rename one of them", skill=skill, tool=tool, related=related)


def _actors(actors: Sequence[ActorDecl]) -> Iterator[Diagnostic]:
    places: defaultdict[str, list[Place]] = defaultdict(list)
    for actor in actors:
        if is_qualified_name(actor.name):
            places[actor.name].append(actor.source.place(actor.name_span))
    for name, found in places.items():
        if len(found) > 1:
            yield from _at_each(DUPLICATE_ACTOR, sorted(found), f"the actor {quoted(name)} is defined", "actor", name)


def _meeting_tools(analysis: Analysis) -> Iterator[Diagnostic]:
    """Report definitions of one name that meet in some set, at the place of each definition, once."""
    structure = analysis.structure
    told: set[Place] = set()
    for skill, group in analysis.membership.first_clashes(structure):
        if all(_has_own_file(analysis, tool) for tool in group):
            continue
        name = structure.table.tools[group[0]].name
        places = {tool: _place_of(analysis, tool) for tool in group}
        for tool, place in places.items():
            if place is None or place in told:
                continue
            told.add(place)
            others = [other for at, other in places.items() if at != tool and other is not None and other != place]
            related = tuple(Related(other, "the other definition") for other in others[:MOST_RELATED])
            message = (
                f"{quoted(name)} is also the name of another tool, and both are in the set of "
                f"{quoted(structure.name(skill))}; rename one of them."
            )
            yield NAME_COLLISION.at(
                place, message, hint="rename one of them", skill=structure.name(skill), tool=name, related=related
            )


def _server_files(index: Index) -> Iterator[Diagnostic]:
    """Report a label that server files define in different ways, at each place; the first of them counts."""
    for label, found in index.servers.by_label.items():
        if len({server_key(decl) for decl, _ in found}) < 2:
            continue
        places = [source.place(decl.span) for decl, source in found]
        for place in places:
            others = [other for other in places if other != place]
            counts = "this one counts" if place == places[0] else "that one counts"
            message = (
                f"{quoted(label)} is another server in {quoted(others[0].path)}, and {counts}; rename one of them."
            )
            related = tuple(Related(other, "defined differently here") for other in others[:MOST_RELATED])
            yield DIFFERENT_SERVERS.at(place, message, hint="rename one of them", related=related)


def _has_own_file(analysis: Analysis, tool: int) -> bool:
    table = analysis.structure.table.tools
    return table[tool].name in analysis.structure.index.tool_files and isinstance(
        table[tool].definition, CustomDefinition
    )


def _place_of(analysis: Analysis, tool: int) -> Place | None:
    """Return where the definition stands; an Agent Skill's is the entry that brings it in."""
    structure = analysis.structure
    match structure.table.tools[tool].definition:
        case CustomDefinition(decl, source):
            return source.place(decl.span)
        case McpDefinition(_, server, source):
            return source.place(server.span)
        case AgentDefinition():
            lister = structure.listers(tool)[0]
            return structure.files[lister].place(structure.listings[lister].spans[tool])
        case _:
            return None
