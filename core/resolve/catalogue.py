"""All that a workspace's skills come to: the one object that front ends and the runtime ask."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from core.diagnostics import Diagnostic, Place
from core.gc_pause import no_collections
from core.language.declarations import ActorDecl, BrokenFile, Declarations, SkillFile
from core.model import SkillCapabilitySummary
from core.model.builtins import canonical_builtin
from core.model.discovery import DiscoveredServer
from core.protocol import SkillError, SkillMetadata
from core.resolve.actors import errors_for, skill_errors, status_of, usable_skills
from core.resolve.analysis import Analysis
from core.resolve.bits import bits_of
from core.resolve.carried import Carried
from core.resolve.errors import errors_of, lacks_tool, not_found, unknown_actor
from core.resolve.findings import Findings
from core.resolve.flatten import DefinitionSet, Flat, ToolSet, flatten
from core.resolve.graph import reach
from core.resolve.include_graph import NamedGraph
from core.resolve.paths import include_paths
from core.resolve.rows import include_views, sources_of
from core.resolve.structure import Structure
from core.resolve.validate import validate
from core.resolve.views import (
    ActorView,
    FlatSkill,
    IncludeGraph,
    ServerEntry,
    SkillRow,
    SkillStatus,
    Unassigned,
    UnassignedServer,
    WhyTool,
)
from core.text import nearest

_KEPT_SETS = 16
NOTHING_DISCOVERED: Mapping[str, DiscoveredServer] = MappingProxyType({})


class Catalogue:
    """The resolved skills of a workspace. A value: made once from declarations, never changed.

    ``discovered`` has what MCP servers said, by ``ServerEntry.key``. Skills are told apart by full name; asking for
    one that isn't there raises ``core.protocol.SkillFailure`` with the nearest names.
    """

    def __init__(
        self,
        declarations: Declarations,
        discovered: Mapping[str, DiscoveredServer] = NOTHING_DISCOVERED,
        before: Catalogue | None = None,
    ) -> None:
        """Resolve ``declarations``; what is as it was in ``before`` is taken from there, which costs less."""
        with no_collections():
            self._structure: Structure = Structure(declarations, discovered, before._structure if before else None)
            self._declarations = declarations
            self._broken = self._structure.index.broken_skills()
            self._rows: dict[str, SkillRow] = {}
            self._flat: OrderedDict[str, FlatSkill] = OrderedDict()
            if before is not None:
                self._take_names(before)
                self._analysis = Analysis.of(self._structure, before._analysis)
                self._findings = validate(self._analysis, (before._analysis, before._findings))
                if self._structure.carried is not None:
                    self.renewed = self._names_of(self._analysis.membership.renewed)
                    self._rows = self._same_rows(before, self._structure.carried)
                self._structure.carried = None

    def _take_names(self, before: Catalogue) -> None:
        """Take over the names, and who includes whom, as far as they are the same."""
        carried = self._structure.carried
        if not (carried and carried.same_names):
            return
        if before._broken.keys() == self._broken.keys():
            self._names = before._names
        pairs = ((before._structure.files[number], self._structure.files[number]) for number in carried.fresh)
        if "_includers" in before.__dict__ and all(_included(old) == _included(new) for old, new in pairs):
            self._includers = before._includers

    renewed: frozenset[str] | None = None
    """The skills whose sets were worked out again, where others were taken over; None where none were."""

    def _names_of(self, skills: Iterable[int]) -> frozenset[str]:
        return frozenset(self._structure.name(skill) for skill in skills)

    def _same_rows(self, before: Catalogue, carried: Carried) -> dict[str, SkillRow]:
        """Return the rows of ``before`` that can't have changed."""
        structure, analysis, was = self._structure, self._analysis, before._analysis
        overrides = analysis.atoms is was.atoms or not (analysis.atoms.layout.bits or was.atoms.layout.bits)
        if not carried.same_graph or structure.status is not before._structure.status or not overrides:
            return {}
        changed, present = bits_of(structure.table.changed), analysis.membership.present
        new = set(structure.include_faults)
        if changed and analysis.membership.masks != was.membership.masks:
            new.update(number for number, tools in enumerate(present) if tools & changed)
        rows = before._rows.copy()
        gone = {*before._broken, *self._broken, *self._names_of(new | analysis.membership.renewed)}
        for name in gone.intersection(rows):
            del rows[name]
        return rows

    @cached_property
    def _analysis(self) -> Analysis:
        with no_collections():
            return Analysis.of(self._structure)

    @cached_property
    def _named(self) -> NamedGraph:
        with no_collections():
            return NamedGraph(self._structure)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(sorted({*self._structure.index.skills, *self._broken}))

    @cached_property
    def _actors(self) -> dict[str, ActorDecl]:
        return {actor.name: actor for actor in reversed(self._declarations.actors)}

    @cached_property
    def _users(self) -> dict[str, tuple[str, ...]]:
        users: dict[str, dict[str, None]] = {}
        for actor in self._declarations.actors:
            for skill, _ in actor.skills:
                users.setdefault(skill, {})[actor.name] = None
        return {skill: tuple(sorted(names)) for skill, names in users.items()}

    @cached_property
    def _findings(self) -> Findings:
        with no_collections():
            return validate(self._analysis)

    def skills(self) -> tuple[SkillRow, ...]:
        """Return every skill, by name: also those that don't resolve, and unreadable files whose name is known."""
        with no_collections():
            known = self._rows
            return tuple([known[name] if name in known else self._row(name) for name in self._names])

    def names(self) -> tuple[str, ...]:
        """Return the names of ``skills()``; makes no row."""
        return self._names

    def skill(self, name: str) -> SkillRow | None:
        """Return one skill; None when no file defines it."""
        return self._row(name) if name in self._structure.index.skills or name in self._broken else None

    def file(self, name: str) -> SkillFile | None:
        """Return the file that defines a skill; of several the first by path."""
        numbers = self._structure.index.skills.get(name)
        return self._structure.files[numbers[0]] if numbers else None

    def files(self) -> Sequence[SkillFile | None]:
        """Return ``file`` of each of ``names``, in their order."""
        if not (self._broken or self._structure.index.several):
            return self._structure.files
        return [self.file(name) for name in self._names]

    def included_by(self, name: str) -> tuple[str, ...]:
        """Return the skills that include ``name`` themselves, sorted."""
        return self._includers.get(name, ())

    @cached_property
    def _includers(self) -> dict[str, tuple[str, ...]]:
        includers: defaultdict[str, list[str]] = defaultdict(list)
        for skill, numbers in self._structure.index.skills.items():
            for name in _included(self._structure.files[numbers[0]]):
                includers[name].append(skill)
        return {name: tuple(sorted(skills)) for name, skills in includers.items()}

    def actors_of(self, skill: str) -> tuple[str, ...]:
        """Return the actors that are given ``skill`` themselves, sorted."""
        return self._users.get(skill, ())

    def actors_reaching(self, skill: str) -> tuple[str, ...]:
        """Return the actors that are given ``skill``, or a skill that includes it however far down, sorted."""
        numbers = self._structure.index.skills.get(skill)
        return self._reaching(numbers[:1]) if numbers else self.actors_of(skill)

    def actors_with(self, skill: str, tool: str) -> tuple[str, ...]:
        """Return the actors that get ``tool``, the one that is in ``skill``, through any of their skills, sorted.

        Raises:
            SkillFailure: there is no such skill, or its set has no such tool (``resolution_failure``).
        """
        records, at = self._find(skill, tool)
        return self._reaching(self._listers(records, at))

    def _reaching(self, numbers: Iterable[int]) -> tuple[str, ...]:
        above = reach(self._structure.parents, numbers)
        return tuple(sorted({actor for at in above for actor in self.actors_of(self._structure.name(at))}))

    def flatten(self, name: str) -> FlatSkill:
        """Return the flattened set of a skill; its records are made when they are looked at.

        Raises:
            SkillFailure: no file defines ``name`` (``skill_not_found``).
        """
        known = self._flat.pop(name, None)
        if known is None:
            known = self._flatten(name)
        self._flat[name] = known
        if len(self._flat) > _KEPT_SETS:
            self._flat.popitem(last=False)
        return known

    def errors(self, name: str) -> tuple[SkillError, ...]:
        """Return why a skill does not resolve; flattens nothing.

        Raises:
            SkillFailure: no file defines ``name`` (``skill_not_found``).
        """
        if self.skill(name) is None:
            raise not_found(name, self._structure.index)
        if name in self._broken:
            return skill_errors(self._structure, name)
        return errors_of(self._structure, self._structure.index.skills[name][0])

    def why(self, skill: str, tool: str) -> WhyTool:
        """Return the include paths by which ``tool`` comes into ``skill``, and where each of its flags comes from.

        Raises:
            SkillFailure: there is no such skill, or its set has no such tool (``resolution_failure``).
        """
        records, at = self._find(skill, tool)
        record, structure = records[at], self._structure
        number = structure.index.skills[skill][0]
        paths, count = include_paths(structure.children, structure.parents, number, self._listers(records, at))
        named = tuple(tuple(structure.name(step) for step in path) for path in paths)
        return WhyTool(skill, record.name, named, count, record.provenance)

    def _find(self, skill: str, tool: str) -> tuple[ToolSet, int]:
        records = self.flatten(skill).records
        assert isinstance(records, ToolSet)
        at = records.find(tool)
        if at is None:
            at = records.find(canonical_builtin(tool) or tool)
        if at is None:
            raise lacks_tool(skill, tool, nearest(tool, records.names))
        return records, at

    def _listers(self, records: ToolSet, at: int) -> set[int]:
        return {lister for definition in records.definitions_at(at) for lister in self._structure.listers(definition)}

    def graph(self, name: str | None = None, radius: int | None = None) -> IncludeGraph:
        """Return the include graph, or what lies within ``radius`` steps (None: any) up and down of one skill.

        Raises:
            SkillFailure: no file defines or names ``name``.
        """
        if name is None:
            return self._named.whole()
        found = self._named.around(name, radius)
        if found is None:
            raise not_found(name, self._structure.index)
        return found

    def actors(self) -> tuple[str, ...]:
        """Return the names of all actors, sorted."""
        return tuple(sorted(self._actors))

    def actor(self, name: str) -> ActorView:
        """Return an actor's merged tools; tools of several skills are there once, joined like ways to one tool.

        Raises:
            SkillFailure: no file defines the actor.
        """
        decl = self._actors.get(name)
        if decl is None:
            raise unknown_actor(name, nearest(name, self._actors))
        structure, analysis = self._structure, self._analysis
        usable = usable_skills(structure, decl)
        flat = flatten(structure, usable, analysis.membership.clashes.__contains__)
        return ActorView(
            name,
            decl.source.place(decl.name_span),
            tuple((skill, status_of(structure, skill)) for skill in dict.fromkeys(s for s, _ in decl.skills)),
            ToolSet(structure, analysis.atoms, flat, usable, None),
            errors_for(structure, decl),
        )

    def unassigned(self) -> Unassigned:
        """Return the Agent Skills that no skill offers and the servers of server files that no skill uses."""
        table, index = self._structure.table, self._structure.index
        skills = tuple(skill for path, skill in sorted(index.agent_skills.items()) if not table.knows(skill))
        unused = (entry for entry in index.servers.entries() if not entry.skills)
        return Unassigned(skills, tuple(UnassignedServer(e.decl.label, e.source.path) for e in unused))

    def servers(self) -> tuple[ServerEntry, ...]:
        """Return the distinct MCP servers of the workspace with the skills that use each."""
        return self._structure.index.servers.entries()

    def tool_total(self) -> int:
        """Return how many differently named tools the skills list or tool files define."""
        listed, files = self._structure.table.by_name, self._structure.index.tool_files
        return len(listed) + sum(1 for name in files if name not in listed)

    def diagnostics(self) -> list[Diagnostic]:
        """Return the findings that need more than one file to see, sorted."""
        return self._findings.all()

    def diagnostics_by_path(self) -> Mapping[str, list[Diagnostic]]:
        """Return the findings that need more than one file to see, sorted, by file."""
        return self._findings.by_path

    def _row(self, name: str) -> SkillRow:
        known = self._rows.get(name)
        if known is None:
            known = self._rows[name] = self._make_row(name)
        return known

    def _make_row(self, name: str) -> SkillRow:
        broken = self._broken.get(name)
        if broken is not None:
            return _broken_row(name, broken)
        structure = self._structure
        number = structure.index.skills[name][0]
        file, status = structure.files[number], structure.status[number]
        summary = self._summary(number)
        return SkillRow(
            name,
            file.model.description,
            file.model.version,
            file.place(file.name_span),
            status,
            summary.total_tools,
            include_views(structure, number),
            sources_of(self._analysis, number),
            summary,
            self._analysis.membership.unknown_of(number),
        )

    def _summary(self, number: int) -> SkillCapabilitySummary:
        whole = self._structure.status[number] is SkillStatus.RESOLVED
        return self._analysis.summaries.of(number, whole=whole)

    def _flatten(self, name: str) -> FlatSkill:
        row = self.skill(name)
        if row is None:
            raise not_found(name, self._structure.index)
        structure, analysis, metadata = self._structure, self._analysis, _metadata(row)
        if name in self._broken:
            nothing = ToolSet(structure, analysis.atoms, Flat([], []), (), None)
            return FlatSkill(name, row.status, nothing, (), metadata, self.errors(name))
        number = structure.index.skills[name][0]
        flat = flatten(structure, [number], analysis.membership.clashes.__contains__)
        claimed = bool(structure.files[number].model.read_only)
        return FlatSkill(
            name,
            row.status,
            ToolSet(structure, analysis.atoms, flat, [number], number),
            DefinitionSet(structure, flat),
            metadata,
            self.errors(name),
            row.undiscovered_servers,
            claimed,
        )


def _included(file: SkillFile) -> dict[str, None]:
    return dict.fromkeys(include.name for include in file.includes)


def _metadata(row: SkillRow) -> SkillMetadata:
    summary = row.summary
    writes = summary.write_tools > 0 or summary.has_side_effects
    return SkillMetadata(
        name=row.name,
        description=row.description,
        version=row.version,
        tool_count=summary.total_tools,
        capability_summary=summary,
        source_types=list(row.sources),
        writes=writes,
        read_only=not writes,
    )


def _broken_row(name: str, broken: BrokenFile) -> SkillRow:
    summary = SkillCapabilitySummary(has_side_effects=True)
    return SkillRow(name, "", "0.0.0", Place(broken.path), SkillStatus.UNRESOLVED, 0, (), (), summary)
