"""MCP servers as skills and client files give them, to canonical fields (language, part 5)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from core.diagnostics import Severity
from core.diagnostics.rules.mcp import (
    BAD_COMMAND,
    COMMAND_AND_URL,
    DERIVED_NAME,
    EXPANSION,
    INVALID_NAME,
    NO_COMMAND,
    TIMEOUT,
    TRANSPORT,
)
from core.model.capability_reading import as_fields, read_override_map
from core.model.declared import OverrideDecl, Span
from core.model.reading import Keys, Reader, shown
from core.model.sinks import At, Change
from core.text import SURE, likeness

LABEL_PATTERN = re.compile(r"[A-Za-z0-9_.-]+")
RESERVED_LABELS = frozenset(("builtin", "agent_skill"))
REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
"""A variable of the user's environment, with what stands for it where it isn't set."""
TRANSPORTS = ("stdio", "streamable-http", "sse")
TRANSPORT_WORDS = {
    **dict.fromkeys(("http", "streamable_http", "streamableHttp", "streamablehttp"), "streamable-http"),
    **{name: name for name in TRANSPORTS},
}
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_RUNNERS = frozenset(("npx", "uvx", "bunx", "pipx", "pnpx", "uv"))
_RUNNER_WORDS = frozenset(("run", "exec", "dlx", "tool"))
_PYTHON = re.compile(r"(?:python|pypy)[0-9.]*(?:\.exe)?|py")
WAYS = ("server", "command", "url")
NEEDS_COMMAND = ("args", "transport", "env", "headers", "cwd", "legacy")
_SLIP = 2
_AS_URL = "write it as `url`"
_CANONICAL = (
    *("name", "server", "command", "args", "url", "transport", "env", "headers", "cwd"),
    *("tools", "tool_filter", "overrides", "timeout", "legacy"),
)
SERVER_KEYS = Keys("an MCP server", _CANONICAL)
CLIENT_FILE_KEYS = Keys("an MCP server", _CANONICAL, silent={"type": "transport"}, open=True)
_WAY_KEYS = Keys("an MCP server", WAYS)
_FILTER_KEYS = Keys("a tool filter", ("include", "exclude"))
_MOST_TIMEOUT_S = 1_000_000_000

Names = tuple[tuple[str, Span], ...]


@dataclass(slots=True)
class ServerPart:
    """A server as its entry says it: the fields of its model, and the parts that have places."""

    label: str
    span: Span
    fields: dict[str, Any]
    container: Any
    allow: Names | None = None
    exclude: Names = ()
    overrides: tuple[OverrideDecl, ...] = ()
    reference: bool = False
    derived: bool = False


def is_url(server: str) -> bool:
    """Whether the reference form ``server`` is a URL and not a command line."""
    return _URL.match(server) is not None


def split_command(server: str) -> list[str] | None:
    """Return the arguments of a command line, split as a shell would; None when its quotes are not closed."""
    try:
        return shlex.split(server)
    except ValueError:
        return None


def derived_label(server: str) -> str:
    """Return the label for a server without a name: its host, its program, or the package after a runner."""
    if is_url(server):
        return _as_label(urlsplit(server).hostname or "")
    words = split_command(server) or server.split()
    program = re.split(r"[/\\]", words[0])[-1] if words else ""
    rest = [word for word in words[1:] if word not in _RUNNER_WORDS]
    if program in _RUNNERS:
        program = next((word for word in rest if not word.startswith("-")), program)
    elif _PYTHON.fullmatch(program) and "-m" in rest[:-1]:
        program = rest[rest.index("-m") + 1]
    return _as_label(program)


def _as_label(text: str) -> str:
    last = text.rsplit("/", 1)[-1] if not text.startswith("@") or "/" in text else text
    name = re.sub(r"(?<=.)@.*|\.(?:exe|cmd|py|js)$", "", last)
    label = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-") or "server"
    return f"{label}-server" if label in RESERVED_LABELS else label


def read_server_entry(reader: Reader, items: Sequence[Any], index: int) -> ServerPart | None:
    """Return an entry of a skill's ``mcp_servers``; None when it says nothing usable."""
    item = items[index]
    if isinstance(item, dict):
        return read_server(reader, item, At(items, index))
    name = reader.text(items, index)
    if name is None:
        return None
    if _is_label(name):
        span = reader.sink.span(items, index)
        return ServerPart(name, span, {"name": name, "server": ""}, items, reference=True)
    message = f"{shown(name)} is no name of a server of .mcp.json; write `server:` before a command or URL."
    reader.sink.report(INVALID_NAME, At(items, index), message, hint="write `server: ...`")
    return None


def _is_label(name: str) -> bool:
    return LABEL_PATTERN.fullmatch(name) is not None and name not in RESERVED_LABELS


def read_server(
    reader: Reader, item: Mapping[str, Any], at: At, keys: Keys = SERVER_KEYS, name: str | None = None
) -> ServerPart | None:
    """Return the server that ``item``, which stands at ``at``, describes; ``name`` is its key in a client's file."""
    found = reader.fields(item, keys)
    server, args = _read_way(reader, item, found, at, name is not None)
    if server is None:
        return None
    part = ServerPart("", reader.sink.span(at.container, at.key, on_key=at.on_key), {}, item)
    part.reference = server == ""
    _add_name(reader, part, found, at, server, name)
    part.fields.update(server=server, args=args, transport=_read_transport(reader, item, found, server))
    _add_settings(reader, part, found)
    _add_filter(reader, part, found)
    if "overrides" in found:
        part.overrides = read_override_map(reader, item, "overrides")
        part.fields["overrides"] = as_fields(part.overrides) or None
    part.fields = {field: value for field, value in part.fields.items() if value is not None}
    return part


def _read_way(
    reader: Reader, item: Mapping[str, Any], found: Mapping[str, str], at: At, named: bool
) -> tuple[str | None, list[str] | None]:
    """Return the command line or URL and the arguments in it; an empty command line refers to .mcp.json.

    A server that its file has ``named`` can't refer to another.
    """
    ways = [way for way in WAYS if way in found]
    if not ways:
        if reader.misspelt(item, WAYS) or (named and _has_slip(item) and reader.report_slips(item, _WAY_KEYS)):
            return None, None
        settings = [key for key in NEEDS_COMMAND if key in found]
        if not settings and not named and any(key not in SERVER_KEYS.spellings for key in item):
            return None, None
        if settings or named or "name" not in found:
            has = f"has `{settings[0]}`, but" if settings else "has"
            other = "" if named else ", or refer to .mcp.json by name alone"
            message = f"The server {has} neither `command` nor `url`; add one of them{other}."
            reader.sink.report(NO_COMMAND, at, message, hint="add `command:` or `url:`")
            return None, None
        return "", None
    if len(ways) > 1:
        _report_two_ways(reader, item, ways)
    way = ways[0]
    if isinstance(item[way], list):
        reader.wrong(item, way, "text", hint="write the program there, and the rest under `args`")
        return None, None
    text = reader.text(item, way)
    if text is None:
        return None, None
    words = [text] if way != "server" else None if is_url(text) else split_command(text)
    if _unusable(reader, item, way, text, words):
        return None, None
    if is_url(text):
        if "args" in found:
            _report_two_ways(reader, item, [way, "args"])
        return text, None
    args = [word for word, _ in reader.texts(item, "args") or ()] if "args" in found else []
    for index, word in enumerate(args if len(args) == len(item.get("args") or ()) else ()):
        _check_expansion(reader, At(item["args"], index), word, expands=False)
    argv = [*(words or ()), *args]
    return shlex.join(argv) if args or way == "command" else text, argv[1:] if args else None


def _has_slip(item: Mapping[str, Any]) -> bool:
    """Whether a key is a slip of a letter or two; longer ones, like `serverUrl`, are words of other programs."""
    return any(abs(len(key) - len(way)) <= _SLIP and likeness(key, way) >= SURE for key in item for way in WAYS)


def _report_two_ways(reader: Reader, item: Mapping[str, Any], ways: list[str]) -> None:
    first, second = ways[:2]
    reader.sink.report(
        COMMAND_AND_URL,
        At(item, second, on_key=True),
        f"The server has `{first}` and `{second}`, which exclude each other; delete one of them.",
        hint=f"keep `{first}` or `{second}`",
        related=((At(item, first, on_key=True), f"`{first}` is here"),),
    )


def _unusable(reader: Reader, item: Mapping[str, Any], way: str, text: str, words: list[str] | None) -> bool:
    if not text.strip():
        problem, hint = f"`{way}` is empty; write a command or a URL.", "write a command or a URL"
    elif is_url(text) and way == "command":
        problem, hint = f"`command` is a URL, not a program; {_AS_URL}.", _AS_URL
    elif is_url(text):
        problem, hint = _url_problem(text)
    elif way == "url":
        problem, hint = f"{shown(text)} is no URL; it begins with http:// or https://.", "write the whole URL"
    elif not words:
        problem, hint = f"`{way}` has a quote that is not closed; close it.", "close the quote"
    else:
        return False
    if problem:
        renamed = hint == _AS_URL and "url" not in item
        fix = Change("rename to url", At(item, way, on_key=True), "url") if renamed else None
        reader.sink.report(BAD_COMMAND, At(item, way), problem, hint=hint, fix=fix)
    return bool(problem)


def _url_problem(text: str) -> tuple[str, str]:
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "The URL can't be read; it is http(s)://host/path.", "write a whole URL"
    if parts.scheme not in ("http", "https") or not host:
        return "The URL must begin with http:// or https:// and have a host.", "write http(s)://host/path"
    return "", ""


def _add_name(
    reader: Reader, part: ServerPart, found: Mapping[str, str], at: At, server: str, name: str | None
) -> None:
    item = part.container
    given = name if name is not None else reader.text(item, "name") if "name" in found else None
    if given is not None and name is None:
        part.span = reader.sink.span(item, "name")
    if given is not None and _is_label(given):
        part.label = given
    else:
        whole = given is not None and given not in RESERVED_LABELS and re.search("[A-Za-z0-9]", given)
        part.label = _as_label(given) if given and whole else derived_label(server) if server else _as_label("")
        part.derived = True
        if given is None:
            _report_derived(reader, part, at)
        else:
            _report_label(reader, at if name is not None else At(item, "name"), given, part.label)
    part.fields["name"] = part.label


def _report_derived(reader: Reader, part: ServerPart, at: At) -> None:
    message = f"The server has no name; it is called {shown(part.label)} after what it runs; give it a `name`."
    reader.sink.report(DERIVED_NAME, at, message, hint=f"add `name: {part.label}`")


def _report_label(reader: Reader, at: At, given: str, label: str) -> None:
    rule = "is kept for other tools" if given in RESERVED_LABELS else "may hold only letters, digits, `_`, `.` and `-`"
    message = f"The server's name {shown(given)} {rule}; {shown(label)} would do."
    reader.sink.report(INVALID_NAME, at, message, hint=f"write `{label}`")


def _check_expansion(reader: Reader, at: At, text: str, *, expands: bool = True) -> None:
    """Report a `${` that begins no reference, or a reference where none is replaced; never shows the text."""
    if "${" not in text:
        return
    name = f"entry {at.key + 1} of `args`" if isinstance(at.key, int) else shown(at.key)
    if "${" in REFERENCE.sub("", text):
        hint = "write `${NAME}` or `${NAME:-default}`" if expands else "write the value itself, or put it into `env`"
        reader.sink.report(
            EXPANSION, at, f"{name} begins a variable that it does not name and close; {hint}", hint=hint
        )
    elif not expands:
        hint = "put it into `env`"
        message = f"{name} names a variable, but they are replaced in `env` and `headers` alone; {hint}"
        reader.sink.report(EXPANSION, at, message, hint=hint, severity=Severity.INFO)


def _read_transport(reader: Reader, item: Mapping[str, Any], found: Mapping[str, str], server: str) -> str | None:
    """Return the transport that is said, if it fits what is reached."""
    if not server or "transport" not in found:
        return None
    usual = "streamable-http" if is_url(server) else "stdio"
    key = found["transport"]
    text = reader.text(item, key)
    said = None if text is None else TRANSPORT_WORDS.get(text)
    if said is not None and (said == "stdio") is (usual == "stdio"):
        return said
    if text is not None:
        fits = "`stdio`" if usual == "stdio" else "`streamable-http` or `sse`"
        message = (
            f"The transport {shown(text)} does not fit {'a command' if usual == 'stdio' else 'a URL'}; use {fits}."
        )
        reader.sink.report(TRANSPORT, At(item, key), message, hint=f"write {fits}")
    return None


def _add_settings(reader: Reader, part: ServerPart, found: Mapping[str, str]) -> None:
    item = part.container
    for key in ("env", "headers"):
        if key in found:
            part.fields[key] = values = reader.text_map(item, key)
            for name in values or ():
                _check_expansion(reader, At(item[key], name), (values or {})[name])
    if "cwd" in found:
        part.fields["cwd"] = reader.text(item, "cwd")
    if "legacy" in found:
        part.fields["legacy"] = reader.flag(item, "legacy")
    if "timeout" in found:
        part.fields["timeout"] = _read_timeout(reader, item)


def _read_timeout(reader: Reader, item: Mapping[str, Any]) -> int | None:
    value = item["timeout"]
    if type(value) is int and 1 <= value <= _MOST_TIMEOUT_S:
        return value
    message = "`timeout` must be a whole number of seconds, 1 or more; leave it out for the default of 30."
    reader.sink.report(TIMEOUT, At(item, "timeout"), message, hint="write a number of seconds")
    return None


def _add_filter(reader: Reader, part: ServerPart, found: Mapping[str, str]) -> None:
    item = part.container
    allow = reader.texts(item, "tools") if "tools" in found else None
    filters = reader.mapping(item, "tool_filter") if "tool_filter" in found else None
    for key in reader.fields(filters, _FILTER_KEYS) if filters else ():
        names = reader.texts(filters, key)
        if key == "exclude":
            part.exclude = tuple(names or ())
        elif "tools" in found:
            reader.twice(item, "tools", "tool_filter")
        else:
            allow = names
    part.allow = None if allow is None else tuple(allow)
    part.fields["tools"] = None if allow is None else [name for name, _ in allow]
    part.fields["exclude"] = [name for name, _ in part.exclude] or None
