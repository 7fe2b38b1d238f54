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
from core.language.tree import Map, Seq, pack
from core.model import SkillMcpSource
from core.model.reading import TOOL_FILE, FileRules, Reader, shown
from core.model.server_reading import CLIENT_FILE_KEYS, WAYS, read_server
from core.model.sinks import At, Change
from core.text import SURE, likeness

SECTION = "mcpServers"
_OTHER_SECTIONS = frozenset(("servers", "mcp_servers", "mcp-servers", "mcp"))
_WAYS = frozenset(WAYS)
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


def read_server_file(root: object, sink: DocumentSink, around: Surroundings) -> ServerFile | None:
    """Return the servers of the document ``root``; other keys belong to other programs. None: it gives no servers."""
    if isinstance(root, Map) and SECTION not in root and _misnamed(root, sink):
        return None
    entries = root.get(SECTION, Map()) if isinstance(root, Map) else None
    if not isinstance(entries, Map):
        at = At(root, SECTION) if isinstance(root, Map) else At(root)
        message = f"A server file holds a mapping `{SECTION}` from names to servers; this one doesn't."
        sink.report(SERVER_FILE, at, message, hint=f'write {{"{SECTION}": {{...}}}}')
        return None
    read = {name: _read_entry(entries, name, sink, around) for name in entries}
    servers = tuple(server for server in read.values() if server is not None)
    return ServerFile(sink.source, servers, tuple(name for name, server in read.items() if server is None))


def _holds_servers(value: object) -> bool:
    entries = value.values() if isinstance(value, Map) else value if isinstance(value, Seq) else ()
    return any(isinstance(entry, Map) and not _WAYS.isdisjoint(entry) for entry in entries)


def _misnamed(root: Map, sink: DocumentSink) -> bool:
    """Report servers under another key than the one that is read, or under none; say whether there are any."""
    for key, value in root.items():
        if _holds_servers(value) and (key in _OTHER_SECTIONS or likeness(key, SECTION) >= SURE):
            at = At(root, key, on_key=True)
            message = f"{shown(key)} is not read in a server file; did you mean `{SECTION}`?"
            fix = Change(f"rename to {SECTION}", at, SECTION) if isinstance(value, Map) else None
            sink.report(SERVER_FILE, at, message, hint=f"did you mean `{SECTION}`?", fix=fix)
            return True
    bare = next((key for key, value in root.items() if isinstance(value, Map) and not _WAYS.isdisjoint(value)), None)
    if bare is not None:
        hint = f"put the servers below `{SECTION}`"
        sink.report(
            SERVER_FILE, At(root, bare, on_key=True), f"{shown(bare)} stands outside of `{SECTION}`; {hint}", hint=hint
        )
    return bare is not None


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
