"""A custom tool's own YAML document to its declaration (language, part 4)."""

from __future__ import annotations

from core.language.declarations import BrokenFile, ToolFile
from core.language.sink import DocumentSink
from core.language.skill_file import tool_decl, written_name
from core.language.surroundings import Surroundings
from core.language.tool_checks import check_tool
from core.language.tree import Map
from core.model import CustomTool
from core.model.entries import check_name
from core.model.reading import TOOL_FILE, Reader
from core.model.sinks import At
from core.model.tool_reading import TOOL_FILE_KEYS, read_tool
from core.model.wrapper import format_version, unwrap


def read_tool_file(root: Map, sink: DocumentSink, around: Surroundings) -> ToolFile | BrokenFile:
    """Return what the document ``root`` declares; without a usable name it is a broken file."""
    reader = Reader(sink, TOOL_FILE)
    given = written_name(root, "tool")
    broken = BrokenFile(sink.source.path, "tool", given)
    body = unwrap(root, "tool", reader)
    if body is None:
        return broken
    sink.tool = given
    format_version(root, reader)
    part = read_tool(reader, body, At(body), TOOL_FILE_KEYS)
    check_tool(part, sink, around)
    if "name" not in part.keys:
        reader.missing(body, "name", "the tool")
        return broken
    name = reader.text(body, "name")
    if name is None or not check_name(reader, At(body, "name"), name):
        return broken
    part.span = sink.span(body, "name")
    part.fields["name"] = name
    return ToolFile(sink.source, tool_decl(part, name, CustomTool(**part.fields), sink))
