"""``.mcp.json`` and ``mcp.json``, in the form that MCP clients use, to declarations of servers (language, part 5)."""

from __future__ import annotations

import json

from core.diagnostics import Severity
from core.diagnostics.rules import mcp as rules
from core.diagnostics.rules.mcp import SERVER_FILE
from core.language.declarations import ServerDecl, ServerFile
from core.language.sink import DocumentSink
from core.language.skill_file import check_cwd, server_decl
from core.language.surroundings import Surroundings
from core.language.tree import Map, pack
from core.model import SkillMcpSource
from core.model.reading import TOOL_FILE, At, FileRules, Reader
from core.model.server_reading import CLIENT_FILE_KEYS, read_server

SECTION = "mcpServers"
_RULES = FileRules(
    unknown_key=SERVER_FILE,
    legacy_key=TOOL_FILE.legacy_key,
    wrapped=SERVER_FILE,
    wrapper_mixed=SERVER_FILE,
    given_twice=TOOL_FILE.given_twice,
    missing_key=SERVER_FILE,
    wrong_type=SERVER_FILE,
    invalid_name=rules.INVALID_NAME,
)


def read_server_file(root: object, sink: DocumentSink, around: Surroundings) -> ServerFile:
    """Return the servers of the document ``root``; other keys belong to other programs."""
    entries = root.get(SECTION, Map()) if isinstance(root, Map) else None
    if not isinstance(entries, Map):
        at = At(root, SECTION) if isinstance(root, Map) else At(root)
        message = f"A server file holds a mapping `{SECTION}` from names to servers; this one doesn't."
        sink.report(SERVER_FILE, at, message, hint=f'write {{"{SECTION}": {{...}}}}')
        return ServerFile(sink.source)
    read = {name: _read_entry(entries, name, sink, around) for name in entries}
    servers = tuple(server for server in read.values() if server is not None)
    return ServerFile(sink.source, servers, tuple(name for name, server in read.items() if server is None))


def check_json(sink: DocumentSink) -> None:
    """Warn of a file that is read here, as YAML is more than JSON, but not by programs that want JSON."""
    if not sink.text.strip():
        return
    try:
        json.loads(sink.text)
    except json.JSONDecodeError as error:
        place = sink.source.place(pack(error.pos, error.pos))
        message = (
            f"MCP clients read this file as JSON, which it isn't from here on: {error.msg[0].lower()}{error.msg[1:]}"
        )
        hint = "write it as JSON, with names in double quotes and no comma before a closing bracket"
        sink.add(SERVER_FILE.at(place, message, hint=hint, severity=Severity.WARNING))
    except ValueError:
        return


def _read_entry(entries: Map, name: str, sink: DocumentSink, around: Surroundings) -> ServerDecl | None:
    reader = Reader(sink, _RULES)
    entry = reader.mapping(entries, name)
    if entry is None:
        return None
    part = read_server(reader, entry, At(entries, name, on_key=True), CLIENT_FILE_KEYS, name)
    if part is None or part.reference:
        return None
    check_cwd(part, sink, around)
    return server_decl(part, SkillMcpSource(**part.fields))
