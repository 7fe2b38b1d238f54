"""MCP servers in skills: how they are reached, what they are called, what stays secret (language, part 5)."""

from __future__ import annotations

from typing import Any

import pytest

from core.model import Skill, SkillMcpSource


def server(**entry: Any) -> SkillMcpSource:
    return servers(entry)[0]


def servers(*entries: Any) -> list[SkillMcpSource]:
    return Skill.from_config({"name": "local/a", "description": "A.", "mcp_servers": list(entries)}).mcp_servers


def fault(*entries: Any) -> str:
    with pytest.raises(ValueError, match=r".") as caught:
        servers(*entries)
    return str(caught.value)


def test_command_and_arguments_are_the_same_as_one_quoted_line() -> None:
    found = server(name="s", command="srv", args=["--title", "two words", "it's"])
    assert found.argv == ("srv", "--title", "two words", "it's")
    assert server(name="s", server=found.server).argv == found.argv


def test_a_url_is_no_command() -> None:
    found = server(name="s", url="https://mcp.example/x")
    assert (found.is_url, found.argv, found.server) == (True, (), "https://mcp.example/x")
    assert found == server(name="s", server="https://mcp.example/x")


@pytest.mark.parametrize(
    ("entry", "label"),
    [
        ({"server": "issue-server --stdio"}, "issue-server"),
        ({"server": "/opt/bin/issue-server"}, "issue-server"),
        ({"server": "npx -y @scope/server-github@1.2.3"}, "server-github"),
        ({"server": "npx mcp-text-editor"}, "mcp-text-editor"),
        ({"server": "uvx mcp-server-time"}, "mcp-server-time"),
        ({"server": "uv tool run mcp-server-time"}, "mcp-server-time"),
        ({"command": "uvx", "args": ["--quiet", "mcp-server-git"]}, "mcp-server-git"),
        ({"server": "python -m mcp_server_time --local"}, "mcp_server_time"),
        ({"server": "python3.12 -I -m notes"}, "notes"),
        ({"server": "python3 tools/server.py"}, "python3"),
        ({"server": "C:\\\\tools\\\\srv.exe"}, "srv"),
        ({"url": "https://api.example.com:8443/mcp"}, "api.example.com"),
        ({"url": "http://[::1]:8000/mcp"}, "1"),
        ({"server": "builtin"}, "builtin-server"),
        ({"server": "npx"}, "npx"),
        ({"server": "\u00e9\u00e9"}, "server"),
    ],
)
def test_a_server_without_a_name_is_called_after_what_it_runs(entry: dict[str, Any], label: str) -> None:
    assert server(**entry).name == label


def test_servers_that_would_be_called_the_same_get_numbers() -> None:
    assert [s.name for s in servers({"server": "srv a"}, {"server": "srv b"}, {"server": "srv c"})] == [
        "srv",
        "srv-2",
        "srv-3",
    ]


def test_two_servers_of_one_given_name_are_an_error() -> None:
    assert "Another server is called `s`" in fault({"name": "s", "server": "a"}, {"name": "s", "server": "b"})


@pytest.mark.parametrize("name", ["my/server", "builtin", "agent_skill", "a b", "", "s\n"])
def test_a_name_that_cannot_begin_a_tool_name_is_refused(name: str) -> None:
    assert fault({"name": name, "server": "srv"}).startswith("mcp_servers[0].name: ")


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "srv", "url": "https://x.example"},
        {"server": "srv", "command": "srv"},
        {"server": "https://x.example", "url": "https://x.example"},
        {"url": "https://x.example", "args": ["-v"]},
    ],
)
def test_a_server_is_reached_in_one_way(entry: dict[str, Any]) -> None:
    assert "exclude each other" in fault({"name": "s", **entry})


@pytest.mark.parametrize(
    "server", ["srv 'open", "", "   ", "ftp://x.example", "http://", "http://x.example:port", "ws://x.example"]
)
def test_a_command_or_url_that_cannot_be_read_is_refused(server: str) -> None:
    assert fault({"name": "s", "server": server}).startswith("mcp_servers[0].server: ")


@pytest.mark.parametrize("key", ["args", "env", "headers", "cwd", "transport", "legacy"])
def test_settings_without_a_command_or_url_are_an_error(key: str) -> None:
    assert "neither `command` nor `url`" in fault({"name": "s", key: "x"})


@pytest.mark.parametrize("entry", ["github", {"name": "github"}])
def test_a_name_alone_refers_to_the_server_file(entry: Any) -> None:
    found = servers(entry)[0]
    assert (found.name, found.server) == ("github", "")


def test_a_command_given_as_a_bare_text_is_an_error_with_the_remedy() -> None:
    assert "write `server:`" in fault("npx -y thing")


def test_a_reference_may_narrow_the_tools() -> None:
    found = server(name="github", tools=["a"], overrides={"a": {"read_only": True}}, timeout=5)
    assert (found.server, found.tools, found.overrides, found.timeout) == ("", ["a"], {"a": {"read_only": True}}, 5)


@pytest.mark.parametrize(
    ("entry", "transport"),
    [
        ({"server": "srv", "transport": "stdio"}, "stdio"),
        ({"url": "https://x.example", "transport": "streamable-http"}, "streamable-http"),
        ({"url": "https://x.example", "transport": "http"}, "streamable-http"),
        ({"url": "https://x.example", "transport": "sse"}, "sse"),
        ({"server": "srv"}, None),
    ],
)
def test_a_transport_is_kept_as_it_is_said(entry: dict[str, Any], transport: str | None) -> None:
    assert server(name="s", **entry).transport == transport


@pytest.mark.parametrize(
    "entry",
    [
        {"server": "srv", "transport": "sse"},
        {"url": "https://x.example", "transport": "stdio"},
        {"server": "srv", "transport": "pigeon"},
    ],
)
def test_a_transport_that_does_not_fit_is_an_error(entry: dict[str, Any]) -> None:
    assert fault({"name": "s", **entry}).startswith("mcp_servers[0].transport: ")


def test_an_allow_list_and_a_filter_say_the_same() -> None:
    assert server(name="s", server="srv", tools=["a", "b"]) == server(
        name="s", server="srv", tool_filter={"include": ["a", "b"]}
    )
    found = server(name="s", server="srv", tools=["a"], tool_filter={"exclude": ["b"]})
    assert (found.tools, found.exclude) == (["a"], ["b"])


def test_an_allow_list_given_twice_is_an_error() -> None:
    assert "says the same" in fault({"name": "s", "server": "x", "tools": ["a"], "tool_filter": {"include": ["a"]}})


def test_an_empty_allow_list_allows_nothing() -> None:
    found = Skill.from_config(
        {"name": "local/a", "description": "A.", "mcp_servers": [{"name": "s", "server": "x", "tools": []}]}
    )
    assert found.mcp_servers[0].tools == []
    assert found.as_cli_dict()["mcp_servers"][0]["tools"] == []


@pytest.mark.parametrize("timeout", [0, "soon", True, 1.5, None])
def test_a_timeout_is_a_count_of_seconds(timeout: Any) -> None:
    assert fault({"name": "s", "server": "x", "timeout": timeout}).startswith("mcp_servers[0].timeout: ")


def test_no_representation_shows_a_secret() -> None:
    found = server(name="s", server="srv", env={"TOKEN": "sk-live-1"}, headers={"Authorization": "Bearer sk-live-2"})
    assert found.env is not None
    assert found.env["TOKEN"].get_secret_value() == "sk-live-1"
    assert "sk-live" not in f"{found!r} {found} {found.model_dump()} {found.model_dump_json()}"
