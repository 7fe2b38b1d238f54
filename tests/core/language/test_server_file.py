"""``.mcp.json`` as MCP clients write it: their servers are known, their other keys are theirs (language, part 5)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from core.diagnostics import Diagnostic
from core.language.declarations import Declarations

Findings = Callable[..., list[Diagnostic]]
Load = Callable[[dict[str, Any]], Declarations]


def test_servers_are_named_by_their_keys_and_know_their_places(load: Load) -> None:
    text = json.dumps(
        {
            "mcpServers": {
                "github": {
                    "type": "stdio",
                    "command": "npx",
                    "args": ["-y", "x"],
                    "env": {"T": "sk-live"},
                    "disabled": True,
                },
                "docs": {
                    "type": "http",
                    "url": "https://docs.example/mcp",
                    "headers": {"A": "b"},
                    "autoApprove": ["x"],
                },
                "events": {"type": "sse", "url": "https://events.example"},
            },
            "inputs": [],
        },
        indent="\t",
    )
    declared = load({".mcp.json": text})
    assert declared.diagnostics == []
    file = declared.server_files[0]
    assert [(s.label, s.model.server, s.model.transport) for s in file.servers] == [
        ("github", "npx -y x", "stdio"),
        ("docs", "https://docs.example/mcp", "streamable-http"),
        ("events", "https://events.example", "sse"),
    ]
    assert file.source.place(file.servers[0].span).line == 3
    assert "sk-live" not in repr(file)


@pytest.mark.parametrize("path", [".mcp.json", "mcp.json", "tools/mcp.json"])
def test_both_file_names_count_in_any_folder(load: Load, path: str) -> None:
    declared = load({path: '{"mcpServers": {"s": {"command": "srv"}}}'})
    assert [(f.source.path, [s.label for s in f.servers]) for f in declared.server_files] == [(path, ["s"])]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[]", "mcp/server-file"),
        ("5", "mcp/server-file"),
        ("", "mcp/server-file"),
        ('{"mcpServers": []}', "mcp/server-file"),
        ('{"mcpServers": {"s": "srv"}}', "mcp/server-file"),
        ('{"mcpServers": {"s": {}}}', "mcp/no-command"),
        ('{"mcpServers": {"s/t": {"command": "srv"}}}', "mcp/invalid-name"),
        ('{"mcpServers": {"s": {"command": "a", "url": "http://b.example"}}}', "mcp/command-and-url"),
        ('{"mcpServers": {"s": {"command": "a", "cwd": "/etc"}}}', "skill/path-outside"),
        ('{"mcpServers": {"s": {"url": "b.example"}}}', "mcp/bad-command"),
        ('{"mcpServers": {"s": {"command": "a"}', "yaml/syntax"),
    ],
)
def test_a_fault_is_told_and_spoils_nothing_else(load: Load, text: str, code: str) -> None:
    declared = load({".mcp.json": text, "skills/a.yaml": "name: local/a\ndescription: A.\n"})
    assert [d.code for d in declared.diagnostics] == [code]
    assert [skill.name for skill in declared.skills] == ["local/a"]


def test_one_bad_server_hides_no_other(load: Load) -> None:
    declared = load({".mcp.json": '{"mcpServers": {"bad": 5, "good": {"command": "srv"}}}'})
    assert [s.label for s in declared.server_files[0].servers] == ["good"]


def test_a_file_without_servers_is_none_of_ours(findings: Findings) -> None:
    assert findings({"mcp.json": '{"servers": {}}'}) == []


def test_json_escapes_are_read(load: Load) -> None:
    declared = load({".mcp.json": '{"mcpServers": {"s": {"command": "srv", "args": ["\\u00e9", "a\\/b", "\\t"]}}}'})
    assert declared.diagnostics == []
    assert declared.server_files[0].servers[0].model.args == ["é", "a/b", "\t"]
