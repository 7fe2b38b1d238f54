"""MCP servers of skills and server files, before and after discovery (resolution, part 1; language, part 5)."""

from __future__ import annotations

import pytest
from resolve_builder import Files, Resolve, codes, record, skill

from core.model import ToolCapability, ToolStatus
from core.model.discovery import DiscoveredServer, DiscoveredTool
from core.resolve.catalogue import Catalogue

_ISSUES = '{"command": "issue-server", "tools": ["list", "get", "drop"]}'
SHARED: Files = {".mcp.json": f'{{"mcpServers": {{"issues": {_ISSUES}}}}}'}
OPEN: Files = {".mcp.json": '{"mcpServers": {"issues": {"command": "issue-server"}}}'}
READS = DiscoveredTool(
    "list",
    "Lists issues.",
    ToolCapability(read_only=True),
    frozenset({"read_only"}),
    input_schema={"type": "object"},
)
WRITES = DiscoveredTool("drop", "Drops one.")


def key(catalogue: Catalogue) -> str:
    (entry,) = catalogue.servers()
    return entry.key


def names(catalogue: Catalogue, skill: str = "local/s") -> list[str]:
    return [record.name for record in catalogue.flatten(skill).records]


def test_an_undiscovered_server_with_an_allow_list_gives_stubs_that_may_write(resolve: Resolve) -> None:
    catalogue = resolve(skill("s", "mcp_servers:\n  - {name: m, command: srv, tools: [a, b]}\n"))
    found = record(catalogue, "local/s", "m/a")
    assert (found.status, found.source, found.timeout) == (ToolStatus.UNDISCOVERED, "mcp:m", 30)
    assert (found.capability.writes, found.provenance["writes"].origin) == (True, "assumed")
    row = catalogue.skill("local/s")
    assert row is not None
    assert (row.tools, row.sources, row.undiscovered_servers, row.status) == (2, ("mcp:m",), (), "resolved")


def test_an_undiscovered_server_without_one_adds_no_tools_and_is_never_read_only(resolve: Resolve) -> None:
    server = skill("s", "mcp_servers: [{name: m, command: srv}]\n")
    catalogue = resolve({**server, **skill("top", "includes: [local/s]\n")})
    flat = catalogue.flatten("local/top")
    assert (len(flat.records), flat.undiscovered_servers, flat.status) == (0, ("m",), "resolved")
    summary = flat.metadata.capability_summary
    assert (summary.total_tools, summary.has_side_effects, summary.mcp_sources) == (0, True, 1)
    assert (flat.metadata.read_only, flat.read_only, flat.metadata.source_types) == (False, False, ["mcp:m"])


def test_exclude_wins_over_the_allow_list(resolve: Resolve) -> None:
    body = "mcp_servers:\n  - {name: s, command: srv, tool_filter: {include: [a, b], exclude: [b]}}\n"
    assert names(resolve(skill("s", body))) == ["s/a"]


def test_discovery_turns_stubs_into_live_records(resolve: Resolve) -> None:
    files = skill("s", "mcp_servers:\n  - {name: m, command: srv, tools: [drop, list]}\n")
    server = DiscoveredServer("m", (READS, WRITES, DiscoveredTool("other")))
    catalogue = resolve(files, {key(resolve(files)): server})
    listed, dropped = record(catalogue, "local/s", "m/list"), record(catalogue, "local/s", "m/drop")
    assert names(catalogue) == ["m/drop", "m/list"]
    assert (listed.status, listed.description, listed.input_schema) == ("ready", "Lists issues.", {"type": "object"})
    assert (listed.capability.read_only, listed.provenance["read_only"].origin) == (True, "annotated")
    assert (listed.capability.writes, listed.provenance["writes"].origin) == (False, "annotated")
    assert (dropped.capability.writes, dropped.provenance["writes"].origin) == (True, "assumed")
    assert catalogue.flatten("local/s").undiscovered_servers == ()


def test_without_an_allow_list_discovery_gives_all_tools_but_the_excluded(resolve: Resolve) -> None:
    files = skill("s", "mcp_servers:\n  - {name: m, command: srv, tool_filter: {exclude: [drop]}}\n")
    assert resolve(files).flatten("local/s").undiscovered_servers == ("m",)
    catalogue = resolve(files, {key(resolve(files)): DiscoveredServer("m", (WRITES, READS))})
    flat = catalogue.flatten("local/s")
    assert (names(catalogue), flat.undiscovered_servers, flat.metadata.read_only) == (["m/list"], (), True)


def test_an_override_of_an_annotated_value_holds(resolve: Resolve) -> None:
    body = "mcp_servers:\n  - {name: m, command: srv, overrides: {list: {writes: true}, drop: {read_only: true}}}\n"
    files = skill("s", body)
    catalogue = resolve(files, {key(resolve(files)): DiscoveredServer("m", (READS, WRITES))})
    assert record(catalogue, "local/s", "m/list").gate_capability.counts_as_writing
    assert record(catalogue, "local/s", "m/drop").gate_capability.counts_as_reading
    assert codes(catalogue) == []


@pytest.mark.parametrize("written", ["list", "m/list"])
def test_a_server_s_override_names_its_tool_with_or_without_the_label(resolve: Resolve, written: str) -> None:
    overrides = f"overrides: {{{written}: {{unsafe: true}}}}"
    body = f"mcp_servers:\n  - name: m\n    command: srv\n    tools: [list]\n    {overrides}\n"
    catalogue = resolve(skill("s", body))
    assert record(catalogue, "local/s", "m/list").capability.unsafe is True
    assert codes(catalogue) == []


def test_a_server_s_override_of_a_tool_outside_its_allow_list_is_told(resolve: Resolve) -> None:
    body = "mcp_servers:\n  - {name: m, command: srv, tools: [listing], overrides: {listin: {unsafe: true}}}\n"
    (found,) = resolve(skill("s", body)).diagnostics()
    assert (found.code, found.hint) == ("tool/override-unknown", "did you mean `m/listing`?")


def test_overrides_of_tools_that_only_discovery_can_know_are_not_blamed(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("s", "mcp_servers: [{name: m, command: srv, overrides: {any: {unsafe: true}}}]\n"),
            **skill("top", "includes: [local/s]\noverrides:\n  m/any: {unsafe: true}\n  other: {unsafe: true}\n"),
            **skill("bad", "includes: [local/s]\noverrides:\n  n/any: {unsafe: true}\n"),
        }
    )
    assert [(found.code, found.skill) for found in catalogue.diagnostics()] == [("tool/override-unknown", "local/bad")]


def test_a_filter_name_that_the_server_lacks_is_a_warning_after_discovery(resolve: Resolve) -> None:
    files = skill("s", "mcp_servers:\n  - name: m\n    command: srv\n    tools: [list, lsit]\n")
    assert codes(resolve(files)) == []
    catalogue = resolve(files, {key(resolve(files)): DiscoveredServer("m", (READS,))})
    (found,) = catalogue.diagnostics()
    assert (found.code, found.severity, found.place.line, found.place.column) == (
        "mcp/unknown-filter-name",
        "warning",
        6,
        19,
    )
    assert names(catalogue) == ["m/list"]


def test_a_server_that_gave_an_error_leaves_its_stubs_unavailable_with_the_reason(resolve: Resolve) -> None:
    files = skill("s", "mcp_servers:\n  - {name: m, command: srv, tools: [list]}\n")
    catalogue = resolve(files, {key(resolve(files)): DiscoveredServer("m", error="it exited with 3")})
    found = record(catalogue, "local/s", "m/list")
    assert (found.status, found.problem) == ("unavailable", "it exited with 3")


def test_a_malformed_tool_is_kept_and_hides_no_other(resolve: Resolve) -> None:
    files = skill("s", "mcp_servers: [{name: m, command: srv}]\n")
    server = DiscoveredServer("m", (DiscoveredTool("odd", problem="its schema is no schema"), READS, READS))
    catalogue = resolve(files, {key(resolve(files)): server})
    assert [(r.name, str(r.status)) for r in catalogue.flatten("local/s").records] == [
        ("m/odd", "unavailable"),
        ("m/list", "ready"),
    ]


@pytest.mark.parametrize("entry", ["issues", "{name: issues}"])
def test_a_name_alone_refers_to_the_server_file(resolve: Resolve, entry: str) -> None:
    catalogue = resolve({**SHARED, **skill("s", f"mcp_servers: [{entry}]\n")})
    assert names(catalogue) == ["issues/list", "issues/get", "issues/drop"]
    assert catalogue.unassigned().mcp_servers == ()
    definition = catalogue.flatten("local/s").definitions[0]
    assert definition.server.model.server == "issue-server"  # type: ignore[union-attr]


def test_a_reference_narrows_what_the_server_file_offers(resolve: Resolve) -> None:
    body = "mcp_servers:\n  - {name: issues, tools: [get, drop, other], overrides: {get: {read_only: true}}}\n"
    catalogue = resolve({**SHARED, **skill("s", body)})
    assert names(catalogue) == ["issues/get", "issues/drop"]
    assert record(catalogue, "local/s", "issues/get").gate_capability.counts_as_reading
    assert codes(catalogue) == ["mcp/unknown-filter-name"]


def test_a_reference_to_no_server_is_an_error_with_the_nearest_and_a_partial_skill(resolve: Resolve) -> None:
    catalogue = resolve({**OPEN, **skill("s", "mcp_servers:\n  - isues\n")})
    (found,) = catalogue.diagnostics()
    assert (found.code, found.place.line, found.hint) == ("mcp/unknown-server", 4, "did you mean `issues`?")
    row = catalogue.skill("local/s")
    assert row is not None
    assert row.status == "partial"


def test_servers_that_no_skill_uses_are_unassigned(resolve: Resolve) -> None:
    catalogue = resolve({**OPEN, **skill("s")})
    assert [(server.name, server.path) for server in catalogue.unassigned().mcp_servers] == [("issues", ".mcp.json")]
    assert [entry.skills for entry in catalogue.servers()] == [()]


def test_servers_that_differ_in_a_secret_are_two(resolve: Resolve) -> None:
    def server(token: str) -> str:
        return f"mcp_servers: [{{name: m, command: srv, env: {{T: {token}}}, tools: [x]}}]\n"

    catalogue = resolve({**skill("a", server("one")), **skill("b", server("two"))})
    keys = [entry.key for entry in catalogue.servers()]
    assert len(set(keys)) == 2
    assert all(k.startswith("m#") and "one" not in k and "two" not in k for k in keys)


def test_a_reference_into_an_unreadable_server_file_is_not_told_again(resolve: Resolve) -> None:
    catalogue = resolve({".mcp.json": '{"mcpServers": ', **skill("s", "mcp_servers: [issues]\n")})
    row = catalogue.skill("local/s")
    assert row is not None
    assert (codes(catalogue), row.status) == ([], "partial")
