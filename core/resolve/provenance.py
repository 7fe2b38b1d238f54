"""Where each value of a tool comes from: one flag with its statement, and the cell that holds a tool's flags.

A cell maps fields (capability flags, ``description``, ``timeout``) to flags; a field that nobody set is absent.
Cells are never changed once made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from core.language.declarations import AgentSkillDecl, ToolDecl
from core.language.tree import NO_SPAN, SourceText, Span
from core.model import CAPABILITY_FLAGS, FlagProvenance, Origin, ToolCapability
from core.model.builtins import Builtin
from core.model.discovery import DiscoveredTool
from core.model.tool import DEFAULT_TIMEOUT_S

DESCRIPTION = "description"
TIMEOUT = "timeout"
TEXT_FIELDS = (DESCRIPTION, "checkpoint_scope")


class Flag(NamedTuple):
    """One value and the statement that set it; ``derived`` when it follows from another flag of that statement."""

    value: Any
    origin: Origin
    source: SourceText | None = None
    span: Span = NO_SPAN
    replaced: Any = None
    derived: bool = False


Cell = Mapping[str, Flag]


def base_of_builtin(spec: Builtin) -> Cell:
    """Return what the built-in ``spec`` says of itself."""
    return _base(spec.capability, Flag(spec.description, Origin.DECLARED), DEFAULT_TIMEOUT_S, {})


def base_of_custom(decl: ToolDecl, source: SourceText) -> Cell:
    """Return what the custom tool ``decl`` declares in ``source``."""
    description = Flag(decl.model.description, Origin.DECLARED, source, decl.span)
    return _base(decl.capability, description, decl.model.timeout, decl.flag_spans)


def base_of_mcp(tool: DiscoveredTool | None, timeout: int) -> Cell:
    """Return what an MCP server's annotations say; before discovery nothing is known, so the tool may write."""
    if tool is None:
        return _base(ToolCapability(), Flag("", Origin.ASSUMED), timeout, {})
    return _base(tool.capability, Flag(tool.description, Origin.ANNOTATED), timeout, {})


def base_of_agent_skill(decl: AgentSkillDecl) -> Cell:
    """Return the flags of an Agent Skill, which only gives instructions (language, part 6)."""
    description = Flag(decl.description, Origin.DECLARED, decl.source)
    return _base(ToolCapability(read_only=True), description, DEFAULT_TIMEOUT_S, {})


def _base(capability: ToolCapability, description: Flag, timeout: int, spans: Mapping[str, Span]) -> Cell:
    cell: dict[str, Flag] = {DESCRIPTION: description, TIMEOUT: description._replace(value=timeout)}
    said = description if description.origin is not Origin.ASSUMED else description._replace(origin=Origin.ANNOTATED)
    for name in CAPABILITY_FLAGS:
        value = getattr(capability, name)
        if value is not None:
            cell[name] = said._replace(value=value, span=spans.get(name, said.span))
    _complete(cell)
    return cell


def _complete(cell: dict[str, Flag]) -> None:
    """Fill in ``read_only`` and ``writes`` where they follow from what is said (language, part 4)."""
    reads, writes = cell.get("read_only"), cell.get("writes")
    if writes is None:
        if reads is not None and reads.value:
            cell["writes"] = reads._replace(value=False, derived=True)
            return
        cell["writes"] = Flag(True, Origin.ASSUMED)
        if reads is None:
            cell["read_only"] = Flag(False, Origin.ASSUMED)
    elif writes.value and (reads is None or reads.value):
        cell["read_only"] = writes._replace(value=False, derived=True)


def capability_of(cell: Cell) -> ToolCapability:
    """Return the flags of ``cell`` as a model."""
    return ToolCapability.model_construct(**{f: cell[f].value if f in cell else None for f in CAPABILITY_FLAGS})


def provenance_of(cell: Cell, base: Cell) -> dict[str, FlagProvenance]:
    """Return the provenance of every flag, unset ones too, and of an overridden description or timeout."""
    about = base[DESCRIPTION]
    origin = about.origin if about.origin is Origin.DECLARED else Origin.ASSUMED
    unset = _shown(Flag(None, origin, about.source, about.span))
    shown = {name: _shown(cell[name]) if name in cell else unset for name in CAPABILITY_FLAGS}
    for name in (DESCRIPTION, TIMEOUT):
        if cell[name].origin is Origin.OVERRIDDEN:
            shown[name] = _shown(cell[name])
    return shown


def _shown(flag: Flag) -> FlagProvenance:
    path = line = None
    if flag.source is not None:
        path = flag.source.path
        line = flag.source.line_column(flag.span >> 32)[0]
    return FlagProvenance.model_construct(
        value=flag.value, origin=flag.origin, path=path, line=line, replaced=flag.replaced
    )
