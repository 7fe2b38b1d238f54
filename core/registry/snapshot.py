"""What is registered of a skill: its flattened tools, and of the skill itself what a change of would matter."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import Field

from core.model import Skill, ToolRecord, ToolStatus
from core.model.base import Frozen
from core.model.render import connection_as_cli_dict
from core.resolve.tools import MCP_PREFIX
from core.resolve.views import AgentDefinition, CustomDefinition, FlatSkill, McpDefinition, ToolDefinition
from core.sources.custom_code import CodeMissing, code_of

Hide = Callable[[Any], Any]
_HIDDEN = ("name", "description", "input_schema", "output_schema", "problem")
_HIDDEN_FLAGS = ("side_effects", "write_scope", "checkpoint_scope")


class Snapshot(Frozen):
    """A skill as it was resolved; plain JSON data, so that it outlives the program.

    ``includes`` are sorted. ``servers`` says by label how each MCP server is started or reached, its secrets masked;
    ``unlisted`` names those whose tools nobody has listed. ``definitions`` has, by tool, a digest of what it is made
    from beyond its record: code and its stages, or instructions.
    """

    description: str = ""
    version: str = "0.0.0"
    read_only: bool | None = None
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None
    includes: list[str] = Field(default_factory=list)
    servers: dict[str, Any] = Field(default_factory=dict)
    unlisted: list[str] = Field(default_factory=list)
    tools: list[ToolRecord] = Field(default_factory=list)
    definitions: dict[str, str] = Field(default_factory=dict)

    @property
    def unavailable(self) -> list[ToolRecord]:
        """The tools that can't be called, whose ``problem`` says why."""
        return [tool for tool in self.tools if tool.status is ToolStatus.UNAVAILABLE]

    @property
    def unknown_servers(self) -> list[str]:
        """The labels of the servers of which not all tools are known, sorted."""
        stubs = (tool for tool in self.tools if tool.status is ToolStatus.UNDISCOVERED)
        return sorted({*self.unlisted, *(tool.source.removeprefix(MCP_PREFIX) for tool in stubs)})


class Definitions:
    """Digests of what tools are made from, each found out once; ``root`` is the workspace in which entry points lie."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[int, tuple[ToolDefinition, str | None]] = {}

    def digest(self, definition: ToolDefinition) -> str | None:
        """Return the digest of what no field of a record says; None for a tool that is no more than its record.

        Blocks while files with code are read.
        """
        made = definition.decl if isinstance(definition, CustomDefinition | AgentDefinition) else definition
        if id(made) not in self._known:
            made_from = _made_from(definition, self._root)
            digest = None if made_from is None else f"sha256 {digest_of(canonical(made_from))[:16]}"
            self._known[id(made)] = definition, digest  # which keeps what the number stands for alive
        return self._known[id(made)][1]


def snapshot_of(
    flat: FlatSkill, skill: Skill, servers: Iterable[McpDefinition], definitions: Definitions, hide: Hide
) -> Snapshot:
    """Return what would be registered of a resolved skill; blocks while files with code are read.

    Args:
        flat: its flattened set.
        skill: its model.
        servers: the MCP servers of the set.
        definitions: gives what its tools are made from.
        hide: takes the confidential values out of JSON data, and returns what has none as it is.
    """
    found = Snapshot(
        description=skill.description,
        version=skill.version,
        read_only=skill.read_only,
        input_schema=skill.input_schema,
        output_schema=skill.output_schema,
        includes=sorted({include.name for include in skill.includes}),
        servers=_connections(servers),
        unlisted=sorted(flat.undiscovered_servers),
        tools=list(flat.records),
        definitions=dict(_digests(flat, definitions)),
    )
    document = found.model_dump(mode="json")
    return found if hide(document) is document else _without_secrets(found, hide)


def text_of(snapshot: Snapshot) -> str:
    """Return ``snapshot`` as the text that is stored: the same for equal ones."""
    return canonical(snapshot.model_dump(mode="json"))


def digest_of(text: str) -> str:
    """Return the digest of a stored text."""
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(value: Any) -> str:
    """Return the JSON ``value`` as text in which neither the order of keys nor ``True == 1`` blurs a difference."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _connections(servers: Iterable[McpDefinition]) -> dict[str, Any]:
    """Return by label what starts or reaches each server: of one label usually one, else a list of them."""
    found: dict[str, list[Any]] = {}
    for definition in servers:
        found.setdefault(definition.server.label, []).append(connection_as_cli_dict(definition.server.model))
    return {label: ways[0] if len(ways) == 1 else sorted(ways, key=canonical) for label, ways in found.items()}


def _without_secrets(snapshot: Snapshot, hide: Hide) -> Snapshot:
    texts = ("description", "input_schema", "output_schema", "servers")
    return snapshot.model_copy(
        update={
            **{name: hide(getattr(snapshot, name)) for name in texts},
            "tools": [_hidden(record, hide) for record in snapshot.tools],
            "definitions": {hide(name): digest for name, digest in snapshot.definitions.items()},
        }
    )


def _hidden(record: ToolRecord, hide: Hide) -> ToolRecord:
    """Return ``record`` with the confidential values taken out of its texts; what the program reads stays as it is."""
    flags = {name: hide(getattr(record.capability, name)) for name in _HIDDEN_FLAGS}
    gate = {name: hide(getattr(record.gate_capability, name)) for name in _HIDDEN_FLAGS}
    said = {
        name: one.model_copy(update={"value": hide(one.value), "replaced": hide(one.replaced)})
        for name, one in record.provenance.items()
    }
    return record.model_copy(
        update={
            **{name: hide(getattr(record, name)) for name in _HIDDEN},
            "capability": record.capability.model_copy(update=flags),
            "gate_capability": record.gate_capability.model_copy(update=gate),
            "provenance": said,
        }
    )


def _digests(flat: FlatSkill, definitions: Definitions) -> Iterator[tuple[str, str]]:
    for record, definition in zip(flat.records, flat.definitions, strict=True):
        digest = definitions.digest(definition)
        if digest is not None:
            yield record.name, digest


def _made_from(definition: ToolDefinition, root: Path) -> Any:
    """Return what decides what a tool does and is in no field of its record; None where nothing is."""
    match definition:
        case CustomDefinition(decl):
            model = decl.model
            extras = [model.tool_type, model.mode, model.wraps, model.transform]
            slots = [slot.model_dump(mode="json") for slot in model.resource_slots]
            return [_code(definition, root), extras, slots]
        case AgentDefinition(decl):
            return [decl.body, decl.steps, decl.allowed_tools]
        case _:
            return None


def _code(definition: CustomDefinition, root: Path) -> Any:
    try:
        code = code_of(definition, root, alone=True)
    except CodeMissing as error:
        return str(error)
    return [[source["text"] for source in code.sources.values()], code.stages]
