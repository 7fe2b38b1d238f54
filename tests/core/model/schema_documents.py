"""Documents near the file format, right and wrong: whole files, and what one change makes of them."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

TOOL = {
    "name": "local/count",
    "description": "Counts.",
    "source": "custom",
    "code": "return 1",
    "input_schema": {"type": "object"},
    "capability": {"read_only": True, "side_effects": ["none"], "write_scope": "a", "checkpoint_scope": "file"},
    "resource_slots": [{"name": "db", "type": "database", "required": True}],
    "lifecycle": {"activate": "start"},
    "timeout": 20,
    "tool_type": "tool",
}
ENTRY_POINT = {"name": "local/a", "description": "A.", "source": "wrapped", "entry_point": "a.py:run", "writes": False}
INLINE = {"name": "count", "description": "Counts.", "source": "custom", "code": "return 1", "resources": {"db": None}}
SERVERS = [
    {"name": "one", "server": "npx thing", "args": ["-y"], "env": {"A": "b"}, "timeout": 3, "tools": ["x"]},
    {"name": "two", "command": "npx", "transport": "stdio", "tool_filter": {"exclude": ["x"]}, "cwd": "."},
    {"name": "three", "url": "https://example.org/mcp", "transport": "sse", "headers": {"A": "b"}, "legacy": True},
    {"name": "four", "server": "http://example.org", "overrides": {"x": {"read_only": True}}},
    {"name": "five"},
    "six",
]
SKILL = {
    "name": "local/a",
    "description": "A.",
    "version": "1.0.0",
    "read_only": False,
    "builtin_groups": ["git_operations", {"group": "file_operations"}],
    "tools": [
        "builtin/read_file",
        "local/count",
        {"name": "local/b", "override": {"writes": True, "timeout": 3}, "description": "B."},
        {"name": "local/c", "capability": {"idempotent": True}, "unsafe": False},
        {key: value for key, value in INLINE.items() if key != "resources"},
    ],
    "anonymous_tools": [{**INLINE, "name": "other"}],
    "includes": ["local/d", {"name": "local/e", "overrides": {"local/x": {"writes": True}}}],
    "mcp_servers": SERVERS,
    "agent_skill_folders": ["notes", {"path": "more", "sandbox_policy": "none"}],
    "overrides": {"local/count": {"read_only": True, "capability": {"unsafe": False}}},
    "input_schema": {"type": "object"},
}
LISTED = {
    "name": "local/l",
    "description": "L.",
    "includes": [{"name": "local/e", "tool_overrides": [{"tool": "x", "override": {"writes": True}}, {"name": "y"}]}],
}
WHOLE = {
    "skill": [SKILL, LISTED, {"skill": SKILL, "cleveragents": {"version": "3.0"}}],
    "tool": [TOOL, ENTRY_POINT, {"tool": TOOL}],
    "actor": [
        {"name": "local/host", "model": "big", "skills": ["local/a", "local/b"]},
        {"actors": {"one": {"skills": ["local/a"]}, "two": None}},
        {"agents": [{"name": "one", "skills": []}]},
        {"actor": {"name": "local/host", "skills": ["local/a"]}, "other": 1},
    ],
}
VALUES: list[Any] = [
    *(None, True, 0, 1, -1, 2.5, 10**12, "", " ", "x", "a/b", "a/*", "builtin/raed_file", "builtin/file-read", "true"),
    *("http://example.org", "ftp://x", "stdio", "local/a\n", "custom", "git_operations", "none", "a.py:f", "c.py"),
    *([], {}, [None], ["x"], [1], [{}], ["local/z", "local/z2"], {"name": "x"}, {"name": "local/q"}, {"tool": "x"}),
    *({"x": None}, {"x": {}}, {"a": {"writes": True}}, {"a": {"nope": True}}, {"command": "x"}, [["x"]], {"x": [1]}),
]
KEYS = (
    *("name", "description", "source", "code", "entry_point", "timeout", "writes", "tools", "builtins", "include"),
    *("includes", "skills", "skill", "override", "overrides", "tool", "url", "command", "server", "args", "transport"),
    *("group", "path", "sandbox_policy", "capability", "nope", "env", "resources", "agents", "read_only", "version"),
)


def _paths(document: Any) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    pending: list[tuple[tuple[Any, ...], Any]] = [((), document)]
    while pending:
        path, value = pending.pop()
        found.append(path)
        if isinstance(value, dict | list):
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            pending += [((*path, key), item) for key, item in inner]
    return found


def _at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


@st.composite
def changed(draw: st.DrawFn, whole: list[Any]) -> Any:
    """A whole document with up to two values replaced, keys added or keys taken away."""
    document = copy.deepcopy(draw(st.sampled_from(whole)))
    for _ in range(draw(st.integers(0, 2))):
        path = draw(st.sampled_from(_paths(document)))
        here = _at(document, path)
        what = draw(st.sampled_from(["replace", "add", "drop"]))
        if what == "add" and isinstance(here, dict):
            here[draw(st.sampled_from(KEYS))] = copy.deepcopy(draw(st.sampled_from(VALUES)))
        elif path and what == "drop":
            del _at(document, path[:-1])[path[-1]]
        elif path:
            _at(document, path[:-1])[path[-1]] = copy.deepcopy(draw(st.sampled_from(VALUES)))
    return document
