"""A workspace for the panes without files: real view types, chosen by the test."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.diagnostics import Place
from core.model import FlagProvenance, Origin, ToolCapability, ToolRecord, ToolStatus, join
from core.model.builtins import BUILTINS
from core.protocol import SkillError, SkillErrorType, SkillFailure, SkillMetadata, SkillResult
from core.registry.history import PastCall
from core.resolve.views import BuiltinDefinition, FlatSkill, GraphEdge, GraphNode, IncludeGraph, SkillStatus, WhyTool
from core.runtime.call import CallEvent, CallOptions, CallOutcome, ExecutionIdentity, Stage

NASTY = "[/nope] [@click=app.quit]x[/] \x1b]52;c;aGk=\x07 \x1b[2J \u202eevil \x9b31m \x00 " + "w" * 40


def record(
    name: str,
    *,
    source: str = "custom",
    description: str = "",
    overridden: dict[str, tuple[Any, Any]] | None = None,
    status: ToolStatus = ToolStatus.READY,
    input_schema: dict[str, Any] | None = None,
    from_skill: str = "local/base",
    **flags: Any,
) -> ToolRecord:
    """A tool that declares ``flags`` in its own file; ``overridden`` maps a flag to its value and the one before."""
    declared = ToolCapability(**flags).completed()
    changed = {flag: value for flag, (value, _) in (overridden or {}).items()}
    path = f"tools/{name.split('/')[-1]}.yaml"
    provenance = {
        flag: FlagProvenance(value=value, origin=Origin.DECLARED, path=path, line=at + 4)
        for at, (flag, value) in enumerate(declared)
        if value is not None
    }
    if not provenance:
        provenance["writes"] = FlagProvenance(value=None, origin=Origin.ASSUMED)
    for flag, (value, before) in (overridden or {}).items():
        provenance[flag] = FlagProvenance(
            value=value, origin=Origin.OVERRIDDEN, path="skills/desk.yaml", line=14, replaced=before
        )
    return ToolRecord(
        name=name,
        description=description,
        source=source,
        from_skill=from_skill,
        status=status,
        capability=declared.model_copy(update=changed),
        gate_capability=join(declared, declared.model_copy(update=changed)),
        provenance=provenance,
        input_schema=input_schema,
    )


def desk_records() -> list[ToolRecord]:
    """The set of the sketch: every source, an override, an undiscovered tool, one of which nothing is known."""
    parameters = {
        "type": "object",
        "properties": {
            "from": {"type": "string", "description": "The older version."},
            "to": {"type": ["string", "null"]},
            "limit": {"type": "integer", "minimum": 1, "default": 20},
        },
        "required": ["from"],
    }
    return [
        record("builtin/read_file", source="builtin", description="Reads a text file.", read_only=True),
        record(
            "builtin/write_file",
            source="builtin",
            description="Writes a text file, making it where it is missing.",
            writes=True,
            checkpointable=True,
            checkpoint_scope="file",
            overridden={"human_approval_required": (True, None)},
        ),
        record(
            "local/changelog-reader",
            description="Reads CHANGELOG.md and returns the entries between two versions.",
            read_only=True,
            idempotent=True,
            input_schema=parameters,
        ),
        record(
            "local/bump-version", writes=True, side_effects=["git", "network"], overridden={"writes": (False, True)}
        ),
        record("local/mystery", description="Nothing is declared."),
        record("time/get_current_time", source="mcp:time", status=ToolStatus.UNDISCOVERED),
        record("agent_skill/write-notes", source="agent_skill", read_only=True),
    ]


def error(kind: SkillErrorType, message: str, **details: Any) -> SkillError:
    """An error of the desk skill."""
    return SkillError(error_type=kind, message=message, details=details, skill_name="local/release-desk")


@dataclass
class FakeCatalogue:
    """Answers with the sets, ways and graph that it was given."""

    sets: dict[str, list[ToolRecord]] = field(default_factory=dict)
    whole: IncludeGraph = field(default_factory=lambda: IncludeGraph((), ()))

    def flatten(self, name: str) -> FlatSkill:
        """The set of a skill."""
        if name not in self.sets:
            raise SkillFailure(error(SkillErrorType.SKILL_NOT_FOUND, f"no skill is called {name}"))
        records = self.sets[name]
        waiting = tuple(r.source[4:] for r in records if r.status is ToolStatus.UNDISCOVERED)
        metadata = SkillMetadata(name=name, description="")
        definitions = tuple(BuiltinDefinition(BUILTINS["builtin/read_file"]) for _ in records)
        return FlatSkill(name, SkillStatus.RESOLVED, tuple(records), definitions, metadata, (), waiting)

    def errors(self, name: str) -> tuple[SkillError, ...]:
        """Why a skill does not resolve."""
        return tuple(self.flatten(name).errors)

    def why(self, skill: str, tool: str) -> WhyTool:
        """The ways to a tool."""
        found = next(r for r in self.sets[skill] if r.name == tool)
        paths = (("local/release-desk", "local/notes", "local/base"), ("local/release-desk", "local/base"))
        return WhyTool(skill, tool, paths, 2, found.provenance)

    def graph(self, name: str | None = None, radius: int | None = None) -> IncludeGraph:
        """The graph, always whole: the view's own focus is what is tried."""
        return self.whole


class FakeRuntime:
    """Says how calls are kept apart."""

    def isolation(self, record: ToolRecord, definition: Any, options: CallOptions) -> str:
        """The sentence."""
        where = "the real workspace" if options.real else "a copy of the workspace"
        return f"works on {where}; sandboxed: no network, writes nowhere else"


@dataclass
class FakeHistory:
    """Earlier calls, newest first."""

    past: list[PastCall] = field(default_factory=list)

    def calls(self, skill: str, tool: str, limit: int) -> list[PastCall]:
        """Those of one tool."""
        return [call for call in self.past if (call.skill, call.tool) == (skill, tool)][:limit]


Script = Callable[["FakeWorkspace", Any, CallOptions, Callable[[CallEvent], None], threading.Event], CallOutcome]


@dataclass
class FakeWorkspace:
    """Stands for a loaded workspace; ``script`` is what a call does, ``calls`` what was asked."""

    catalogue: FakeCatalogue = field(default_factory=FakeCatalogue)
    script: Script | None = None
    needed: tuple[ExecutionIdentity, ...] = ()
    calls: list[tuple[str, str, Any, CallOptions]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    name: str = "sample_workspace"
    root: Path = Path("/ws")
    state: Path = field(default_factory=lambda: Path(os.environ["XDG_STATE_HOME"]) / "skill-explorer")
    runtime: FakeRuntime = field(default_factory=FakeRuntime)
    approved: list[ExecutionIdentity] = field(default_factory=list)
    last_good: dict[str, Any] = field(default_factory=dict)
    history: FakeHistory = field(default_factory=FakeHistory)

    def record_approvals(self, identities: list[ExecutionIdentity]) -> None:
        """Remember what was approved."""
        self.approved += identities

    def input_schema_digest(self, skill: str, tool: str) -> str | None:
        """The schema of now."""
        return "now"

    def text_of(self, path: str) -> str:
        """The text of a file."""
        return self.texts[path]

    shown_text_of = text_of

    def identities(self, skill: str, tool: str, *_: Any) -> tuple[ExecutionIdentity, ...]:
        """What needs approval."""
        return self.needed

    def confirmation(self, skill: str, tool: str) -> str | None:
        """Why a yes is needed; here only the call itself finds that out."""
        return None

    def invoke(
        self,
        skill: str,
        tool: str,
        arguments: Any,
        options: CallOptions | None = None,
        events: Callable[[CallEvent], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> CallOutcome:
        """Run the script."""
        options = options or CallOptions()
        self.calls.append((skill, tool, arguments, options))
        assert self.script is not None
        return self.script(self, arguments, options, events or (lambda _event: None), cancel or threading.Event())


def outcome(output: Any = None, *, failed: SkillError | None = None, **more: Any) -> CallOutcome:
    """What comes back from a call."""
    result = SkillResult(
        skill_name="local/release-desk",
        tool_name="local/changelog-reader",
        success=failed is None,
        output_data=output,
        error=failed,
        duration_ms=42.0,
    )
    return CallOutcome(result, stages=(Stage.EXECUTE,), **more)


def identity(title: str = "local/changelog-reader") -> ExecutionIdentity:
    """Something that wants to run."""
    details = (("folder", "a copy of the workspace"), ("network", "none"))
    return ExecutionIdentity("d" * 64, "custom tool", title, "tools/changelog-reader.yaml", 1, details, "return 1\n")


def desk() -> FakeWorkspace:
    """A workspace with the skill of the sketch."""
    return FakeWorkspace(FakeCatalogue({"local/release-desk": desk_records()}))


def graph_of(edges: dict[str, list[str]], *, cycle: tuple[str, ...] = (), ghosts: tuple[str, ...] = ()) -> IncludeGraph:
    """A graph from a table of includes."""
    names = list(dict.fromkeys([*edges, *(end for ends in edges.values() for end in ends)]))
    ring = set(zip(cycle, (*cycle[1:], *cycle[:1]), strict=True))
    nodes = tuple(
        GraphNode(n, None if n in ghosts else f"skills/{n.split('/')[-1]}.yaml", SkillStatus.RESOLVED, n in ghosts)
        for n in names
    )
    found = tuple(
        GraphEdge(start, end, Place(f"skills/{start.split('/')[-1]}.yaml", 4 + at, 5), (start, end) in ring)
        for start, ends in edges.items()
        for at, end in enumerate(ends)
    )
    cut = (cycle[-1], cycle[0]) if cycle else None
    return IncludeGraph(nodes, found, (cycle,) if cycle else (), len(cycle) and 1, cut)
