"""Files that lie in the folder of another kind than their keys say, like a tool in ``skills/``."""

from __future__ import annotations

from core.diagnostics.rules.file import WRONG_FOLDER
from core.language.kinds import FOLDERS, WRAPPING, FileKind
from core.language.sink import DocumentSink
from core.language.tree import Map
from core.model.dialect import SKILL_KEYS
from core.model.sinks import At
from core.model.tool_reading import TOOL_KEYS, WRITTEN_SOURCES

_MOST_NAMED = 3
_WITH_ARTICLE = {FileKind.SKILL: "a skill", FileKind.TOOL: "a tool", FileKind.ACTOR: "an actor"}
_TOOL_MARKS = ("source", "code", "entry_point", "tool_type", "lifecycle", "resource_slots", "capability")
_PASSES_FOR_AN_ACTORS = frozenset(("tools", "mcp_servers", "agent_skill_folders"))
"""Sections of a skill that actor files are often given by mistake."""
_SHARED = frozenset(("name", "description", "version", "read_only", "input_schema", "output_schema"))


def looks_like(hint: str | None, root: Map) -> tuple[FileKind, list[str]] | None:
    """Return what a file of the folder ``hint`` is by its keys, and by which; None where it is as the folder says."""
    folder = FOLDERS.get(hint or "")
    if folder is None or not WRAPPING.isdisjoint(root):
        return None
    marks = {kind: _MARKS[kind](root) for kind in _MARKS}
    if folder is FileKind.ACTOR:
        sections = {SKILL_KEYS.spellings[key] for key in marks[FileKind.SKILL]}
        if len(sections) < 2 and sections <= _PASSES_FOR_AN_ACTORS:
            marks[FileKind.SKILL] = []
        if not _runs(root):
            marks[FileKind.TOOL] = []
    found = [kind for kind, keys in marks.items() if keys]
    return (found[0], marks[found[0]]) if len(found) == 1 and found[0] is not folder else None


def report_misplaced(kind: FileKind, keys: list[str], hint: str, root: Map, sink: DocumentSink) -> None:
    """Report that a file of the folder ``hint`` is of another ``kind`` by its ``keys``."""
    named = [f"`{key}`" for key in keys[:_MOST_NAMED]]
    has = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    remedy = f"move it to {kind}s/"
    read = _WITH_ARTICLE[FOLDERS[hint]]
    message = f"This looks like {_WITH_ARTICLE[kind]} (it has {has}), but files in {hint}/ are read as {read}"
    sink.report(WRONG_FOLDER, At(root, keys[0], on_key=True), message, hint=remedy)


def _skill_marks(root: Map) -> list[str]:
    return [
        key for key in root if SKILL_KEYS.spellings.get(key, "name") not in _SHARED and key not in TOOL_KEYS.spellings
    ]


def _tool_marks(root: Map) -> list[str]:
    return [key for key in _TOOL_MARKS if key in root]


def _actor_marks(root: Map) -> list[str]:
    return ["skills"] if "skills" in root else []


def _runs(root: Map) -> bool:
    source = root.get("source")
    return "code" in root or "entry_point" in root or (isinstance(source, str) and source in WRITTEN_SOURCES)


_MARKS = {FileKind.SKILL: _skill_marks, FileKind.TOOL: _tool_marks, FileKind.ACTOR: _actor_marks}
