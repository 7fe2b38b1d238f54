"""A workspace made of the real view types, without files: for looking at one widget at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from core.diagnostics import Diagnostic, Place, Severity
from core.language.declarations import AgentSkillDecl, Declarations
from core.language.tree import SourceText
from core.model import FlagProvenance, Origin, SkillCapabilitySummary, ToolCapability, ToolRecord
from core.protocol import SkillError, SkillErrorType, SkillFailure, SkillMetadata
from core.resolve.views import (
    ActorView,
    FlatSkill,
    IncludeGraph,
    IncludeView,
    SkillRow,
    SkillStatus,
    Unassigned,
    WhyTool,
)
from core.workspace.last_good import LastGood


def tool(name: str, source: str = "custom", skill: str = "local/a", **flags: Any) -> ToolRecord:
    capability = ToolCapability(**flags)
    provenance = {
        flag: FlagProvenance(value=value, origin=Origin.DECLARED, path="tools/a.yaml", line=3)
        for flag, value in capability.model_dump().items()
    }
    return ToolRecord(
        name=name,
        description=f"What {name} does.",
        source=source,
        from_skill=skill,
        direct=True,
        capability=capability,
        gate_capability=capability,
        provenance=provenance,
        input_schema={"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    )


@dataclass
class FakeCatalogue:
    rows: dict[str, SkillRow] = field(default_factory=dict)
    tools: dict[str, list[ToolRecord]] = field(default_factory=dict)
    actor_skills: dict[str, tuple[str, ...]] = field(default_factory=dict)
    loose: tuple[AgentSkillDecl, ...] = ()

    def skills(self) -> tuple[SkillRow, ...]:
        return tuple(self.rows[name] for name in sorted(self.rows))

    def skill(self, name: str) -> SkillRow | None:
        return self.rows.get(name)

    def file(self, name: str) -> Any:
        return None

    def included_by(self, name: str) -> tuple[str, ...]:
        return tuple(r.name for r in self.skills() if any(i.name == name for i in r.includes))

    def actors_of(self, name: str) -> tuple[str, ...]:
        return tuple(a for a, skills in self.actor_skills.items() if name in skills)

    actors_reaching = actors_of

    def actors_with(self, skill: str, tool: str) -> tuple[str, ...]:
        return tuple(a for a, skills in self.actor_skills.items() if skill in skills)

    def actors(self) -> tuple[str, ...]:
        return tuple(self.actor_skills)

    def actor(self, name: str) -> ActorView:
        skills = tuple((s, SkillStatus.RESOLVED) for s in self.actor_skills[name])
        records = [record for s, _ in skills for record in self.tools.get(s, ())]
        return ActorView(name, Place("actors/a.yaml"), skills, records)

    def unassigned(self) -> Unassigned:
        return Unassigned(self.loose)

    def flatten(self, name: str) -> FlatSkill:
        if name not in self.rows:
            raise SkillFailure(
                SkillError(error_type=SkillErrorType.SKILL_NOT_FOUND, message=f"no skill {name}", skill_name=name)
            )
        row, records = self.rows[name], self.tools.get(name, [])
        metadata = SkillMetadata(name=name, description=row.description)
        return FlatSkill(name, row.status, records, [None] * len(records), metadata)  # type: ignore[list-item]

    def errors(self, name: str) -> tuple[SkillError, ...]:
        return self.flatten(name).errors

    def why(self, skill: str, name: str) -> WhyTool:
        record = next(r for r in self.tools[skill] if r.name == name)
        return WhyTool(skill, name, ((skill,),), 1, record.provenance)

    def graph(self, name: str | None = None, radius: int | None = None) -> IncludeGraph:
        return IncludeGraph((), ())


def row(name: str, tools: list[ToolRecord], includes: tuple[str, ...] = (), **more: Any) -> SkillRow:
    place = Place(f"skills/{name.split('/')[1]}.yaml", 1, 7)
    views = tuple(IncludeView(i, SkillStatus.RESOLVED, place.path, 4 + n) for n, i in enumerate(includes))
    summary = SkillCapabilitySummary.of(t.gate_capability for t in tools)
    values: dict[str, Any] = {"description": f"What {name} is for.", "version": "1.0.0", "status": SkillStatus.RESOLVED}
    values |= {"tools": len(tools), "includes": views, "sources": ("custom",), "summary": summary, **more}
    return SkillRow(name=name, place=place, **values)


@dataclass
class FakeWorkspace:
    catalogue: FakeCatalogue
    diagnostics: tuple[Diagnostic, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)
    root: Path = Path("/nowhere")
    declarations: Declarations = field(default_factory=Declarations)
    last_good: dict[str, LastGood] = field(default_factory=dict)

    @property
    def counts(self) -> Any:
        severities = [d.severity for d in self.diagnostics]
        numbers = {f"{s}s": severities.count(s) for s in Severity}
        return SimpleNamespace(skills=len(self.catalogue.rows), tools=41, actors=1, files=9, **numbers)

    def load(self, progress: Any = None, cancelled: Any = None, changed: Any = None) -> None:
        if progress:
            progress(1, 1)

    def text_of(self, path: str) -> str:
        if path not in self.texts:
            raise OSError(f"no file {path}")
        return self.texts[path]

    shown_text_of = text_of

    def close(self) -> None:
        pass


def story() -> FakeWorkspace:
    """Return a small workspace with one of everything."""
    read = tool("builtin/read_file", "builtin", "local/file-ops", read_only=True)
    write = tool("builtin/write_file", "builtin", "local/file-ops", writes=True, human_approval_required=True)
    changes = tool("local/changelog-reader", "custom", "local/release-desk", read_only=True)
    now = tool("time/get_current_time", "mcp:time", "local/release-desk", read_only=True)
    catalogue = FakeCatalogue()
    for name, tools, includes in (
        ("local/file-ops", [read, write], ()),
        ("local/notes", [], ("local/file-ops",)),
        ("local/release-desk", [changes, now], ("local/file-ops", "local/notes")),
        ("team/triage", [], ("team/routing",)),
    ):
        catalogue.rows[name] = row(name, tools, includes)
        catalogue.tools[name] = tools
    catalogue.actor_skills = {"local/release-bot": ("local/release-desk",)}
    text = "name: local/release-desk\ndescription: Prepares releases.\nincludes:\n  - local/file-ops\n  - local/notes\n"
    loose = AgentSkillDecl("write-notes", "agent/write-notes", SourceText("agent/write-notes/SKILL.md", ""))
    catalogue.loose = (loose,)
    found = (
        Diagnostic(
            "tool/override-divergence",
            Severity.WARNING,
            "`builtin/write_file` needs approval only through one of its two ways; an override here settles it",
            Place("skills/release-desk.yaml", 5, 5, 5, 19),
            "local/release-desk",
            hint="add an override for `builtin/write_file`",
        ),
    )
    return FakeWorkspace(
        catalogue,
        found,
        {
            "skills/release-desk.yaml": text,
            "agent/write-notes/SKILL.md": "---\nname: write-notes\n---\n# Title\n\n1. One\n",
        },
        declarations=Declarations(agent_skills=[loose]),
    )
