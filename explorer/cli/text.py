"""The text form of the core's values, and the JSON form of one that has none of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from core.text import plural
from explorer.cli.output import cell, style, table

if TYPE_CHECKING:
    from core.model import FlagProvenance, SkillCapabilitySummary, ToolRecord
    from core.model.discovery import DiscoveredServer
    from core.protocol import SkillError

_MOST_LINES = 200
_MOST_HINT = 20_000  # a command that is cut can't be given
MARKS = {"error": ("error", "red"), "warning": ("warning", "yellow"), "info": ("info", "blue")}


def error_lines(error: SkillError) -> Iterable[str]:
    """Yield what a SkillError says: kind, sentence, then its details."""
    yield style(f"{error.error_type}: ", "red", bold=True) + style(error.message)
    for key, value in error.details.items():
        lines = _lines(value)
        if len(lines) > 1:
            yield f"  {style(key, dim=True)}:"
            yield from (f"    {style(line)}" for line in lines[:_MOST_LINES])
            yield from [f"    … {plural(len(lines) - _MOST_LINES, 'more line')}"] if len(lines) > _MOST_LINES else []
        else:
            yield f"  {style(key, dim=True)}: {cell(value, _MOST_HINT if key == 'hint' else 400)}"


def _lines(value: Any) -> list[str]:
    """Return the lines of a text, or of a list of texts that has lines or sentences in it; none for anything else."""
    if isinstance(value, str):
        return value.splitlines()
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return [line for item in value for line in item.splitlines()] if any(" " in item for item in value) else []
    return []


def tool_table(records: Iterable[ToolRecord]) -> Iterable[str]:
    """Yield the flattened tools as a table of flags."""
    header = ("tool", "source", "from", "reads", "writes", "approval", "checkpoint", "status")
    return table(header, (_tool_row(record) for record in records))


def problem_lines(records: Iterable[ToolRecord]) -> Iterable[str]:
    """Yield why each tool can't be called that can't, or what to beware of."""
    for record in records:
        if record.problem is not None:
            yield f"{cell(record.name, 120)}: {style(record.problem, 'yellow')}"


def _tool_row(record: ToolRecord) -> tuple[str, ...]:
    flags = record.capability
    return (
        cell(record.name, 120),
        cell(record.source),
        cell(record.from_skill) + (" *" if record.direct else ""),
        _flag(record, "read_only", flags.read_only),
        _flag(record, "writes", flags.writes),
        _flag(record, "human_approval_required", flags.human_approval_required),
        _flag(record, "checkpoint_scope", flags.checkpoint_scope or flags.checkpointable),
        record.status,
    )


def _flag(record: ToolRecord, flag: str, value: Any) -> str:
    said = record.provenance.get(flag)
    mark = {"overridden": "*", "assumed": "?"}.get(said.origin, "") if said and value is not None else ""
    return cell(value) + mark


def flag_lines(flags: dict[str, FlagProvenance]) -> Iterable[str]:
    """Yield one row a flag: value, where it was set, what it replaced."""
    return table(("flag", "value", "origin", "where", "replaced"), (_flag_row(k, v) for k, v in flags.items()))


def _flag_row(flag: str, said: FlagProvenance) -> tuple[str, ...]:
    where = f"{cell(said.path, 200)}:{said.line}" if said.path else "-"
    return flag, cell(said.value), said.origin, where, cell(said.replaced)


def summary_line(summary: SkillCapabilitySummary) -> str:
    """Return the capability summary in words."""
    parts = [
        plural(summary.total_tools, "tool"),
        f"{summary.read_only_tools} read",
        f"{summary.write_tools} write",
        f"{summary.checkpointable_tools} checkpointable",
    ]
    if summary.has_side_effects:
        parts.append("side effects")
    if summary.mcp_sources:
        parts.append(f"{summary.mcp_sources} MCP")
    if summary.agent_skill_sources:
        parts.append(plural(summary.agent_skill_sources, "Agent Skill"))
    return ", ".join(parts)


def server_document(answer: DiscoveredServer) -> dict[str, Any]:
    """Return as JSON what a server said when it was asked for its tools."""
    return {
        "name": answer.label,
        "server": answer.server_name,
        "protocol": answer.protocol,
        "tools": None if answer.error is not None else len(answer.tools),
        "changed": list(answer.changed),
        "notes": list(answer.notes),
        "error": answer.error,
    }
