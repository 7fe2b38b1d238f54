"""How what a workspace gives differs from what is registered of a skill, and what of both is kept.

Neither the order of tools nor that of includes counts, nor which include brings a tool in. What an MCP server has
not been asked for can't be compared: of a tool that is or was known by its name alone, no more than what overrides
say is compared, and of a server whose tools nobody has listed nothing is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from core.model import CAPABILITY_FLAGS, Origin, ToolRecord, ToolStatus
from core.registry.snapshot import Snapshot, canonical
from core.resolve.tools import MCP_PREFIX
from core.text import plural

_GATE = "gate_capability."
_SKILL_FIELDS = ("description", "version", "read_only", "input_schema", "output_schema", "includes")
_TOOL_FIELDS = ("source", "status", "description", "timeout", "input_schema", "output_schema")


@dataclass(frozen=True, slots=True)
class Difference:
    """One field of a tool, or of the skill itself (``tool`` None); a value that isn't there is None.

    A field ``gate_capability.FLAG`` is what the gate goes by, where that changes otherwise than the flag shown.
    """

    tool: str | None
    field: str
    registered: Any
    current: Any


@dataclass(frozen=True, slots=True)
class Drift:
    """Tools that were added and removed, fields that changed, and labels of servers that could not be compared."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[Difference, ...] = ()
    unchecked: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is different."""
        return bool(self.added or self.removed or self.changed)

    @property
    def words(self) -> str:
        """The differences in numbers; empty where there are none."""
        parts = [f"{plural(len(self.added), 'tool')} added"] if self.added else []
        parts += [f"{plural(len(self.removed), 'tool')} removed"] if self.removed else []
        tools = len({one.tool for one in self.changed if one.tool is not None})
        what = [plural(tools, "tool")] if tools else []
        what += ["the skill itself"] if any(one.tool is None for one in self.changed) else []
        return ", ".join([*parts, f"{' and '.join(what)} changed"] if what else parts)


NO_DRIFT = Drift()


def drift_of(registered: Snapshot, current: Snapshot) -> Drift:
    """Return how ``current`` differs from ``registered``, each difference once."""
    before, after = _by_name(registered), _by_name(current)
    silent = _silent(registered, current)
    labels = silent | {_label(after[name]) for name in after if _is_stub_of(after[name], before.get(name))}
    return Drift(
        tuple(name for name in after if name not in before),
        tuple(name for name in before if name not in after and _label(before[name]) not in silent),
        (*_skill_changes(registered, current), *_tool_changes(registered, current)),
        tuple(sorted(labels)),
    )


def merged(registered: Snapshot, current: Snapshot) -> Snapshot:
    """Return ``current`` with what is registered of the servers that it knows nothing of as yet."""
    before, names = _by_name(registered), {tool.name for tool in current.tools}
    silent = _silent(registered, current)
    known = [_kept(tool, before.get(tool.name)) for tool in current.tools]
    lost = [tool for tool in registered.tools if tool.name not in names and _label(tool) in silent]
    unchecked = drift_of(registered, current).unchecked
    ways = {label: registered.servers[label] for label in unchecked if label in registered.servers}
    return current.model_copy(
        update={
            "tools": [*known, *lost],
            "servers": {**current.servers, **ways},
            "unlisted": [label for label in current.unlisted if label not in silent],
        }
    )


def _by_name(snapshot: Snapshot) -> dict[str, ToolRecord]:
    return {tool.name: tool for tool in snapshot.tools}


def _label(tool: ToolRecord) -> str:
    return tool.source.removeprefix(MCP_PREFIX)


def _silent(registered: Snapshot, current: Snapshot) -> set[str]:
    """Return the labels of the servers whose whole listing was known, and isn't now."""
    return {label for label in current.unlisted if label in registered.servers and label not in registered.unlisted}


def _is_stub_of(tool: ToolRecord, known: ToolRecord | None) -> bool:
    """Whether ``tool`` is ``known`` by its name alone."""
    if known is None or tool.source != known.source:
        return False
    return tool.status is ToolStatus.UNDISCOVERED is not known.status


def _overridden(tool: ToolRecord) -> Iterator[str]:
    return (field for field, said in tool.provenance.items() if said.origin is Origin.OVERRIDDEN)


def _kept(current: ToolRecord, registered: ToolRecord | None) -> ToolRecord:
    """Return ``current``, or where only its name is known what is registered, under the overrides that hold now."""
    if registered is None or not _is_stub_of(current, registered):
        return current
    fields = set(_overridden(current))
    flags = {field: getattr(current.capability, field) for field in fields if field in CAPABILITY_FLAGS}
    texts = {field: getattr(current, field) for field in fields if field not in CAPABILITY_FLAGS}
    return registered.model_copy(
        update={
            **texts,
            "from_skill": current.from_skill,
            "direct": current.direct,
            "first_hops": current.first_hops,
            "capability": registered.capability.model_copy(update=flags),
            "gate_capability": registered.gate_capability.model_copy(update=flags),
            "provenance": {**registered.provenance, **{field: current.provenance[field] for field in fields}},
        }
    )


def _skill_changes(registered: Snapshot, current: Snapshot) -> Iterator[Difference]:
    for field in _SKILL_FIELDS:
        yield from _difference(None, field, getattr(registered, field), getattr(current, field))
    for label in sorted({*registered.servers, *current.servers}):
        before, after = registered.servers.get(label), current.servers.get(label)
        yield from _difference(None, f"mcp_servers.{label}", before, after)


def _tool_changes(registered: Snapshot, current: Snapshot) -> Iterator[Difference]:
    before = _by_name(registered)
    for tool in current.tools:
        was = before.get(tool.name)
        if was is None:
            continue
        if _is_stub_of(tool, was):
            yield from _changes(tool.name, _fields(was), _fields(tool), {*_overridden(tool)})
            continue
        if _is_stub_of(was, tool):
            yield from _changes(
                tool.name, _fields(was), _fields(tool), {"status", *_overridden(was), *_overridden(tool)}
            )
            continue
        yield from _changes(tool.name, _fields(was), _fields(tool))
        yield from _gate_changes(was, tool)
        digests = registered.definitions.get(tool.name), current.definitions.get(tool.name)
        yield from _difference(tool.name, "definition", *digests)


def _fields(tool: ToolRecord) -> dict[str, Any]:
    flags = {flag: getattr(tool.capability, flag) for flag in CAPABILITY_FLAGS}
    return {**{field: getattr(tool, field) for field in _TOOL_FIELDS}, **flags}


def _changes(
    tool: str, before: dict[str, Any], after: dict[str, Any], only: Iterable[str] | None = None
) -> Iterator[Difference]:
    for field in after:
        if only is None or field in only:
            yield from _difference(tool, field, before[field], after[field])


def _gate_changes(before: ToolRecord, after: ToolRecord) -> Iterator[Difference]:
    for flag in CAPABILITY_FLAGS:
        shown = (getattr(before.capability, flag), getattr(after.capability, flag))
        gate = (getattr(before.gate_capability, flag), getattr(after.gate_capability, flag))
        if gate != shown:
            yield from _difference(after.name, f"{_GATE}{flag}", *gate)


def _difference(tool: str | None, field: str, registered: Any, current: Any) -> Iterator[Difference]:
    if canonical(registered) != canonical(current):
        yield Difference(tool, field, registered, current)
