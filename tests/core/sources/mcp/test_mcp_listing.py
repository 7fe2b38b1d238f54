"""What servers say of their tools, however badly they say it."""

from __future__ import annotations

import threading

import pytest
from mcp_bench import Bench, eventually

from core.model.discovery import DiscoveredTool
from core.sources.mcp.identity import listing_digest
from core.sources.mcp.pool import ServerPool
from core.sources.mcp.spec import ServerSpec


def tools(bench: Bench, mode: str) -> dict[str, DiscoveredTool]:
    found = bench.misbehaving(mode).discover()
    assert found.error is None
    return {tool.name: tool for tool in found.tools}


def test_all_pages_are_read(bench: Bench) -> None:
    assert list(tools(bench, "pages")) == ["p0", "p1", "p2"]


def test_a_listing_without_end_is_cut_and_told(bench: Bench) -> None:
    found = bench.misbehaving("endless-pages").discover()

    assert len(found.tools) == 100
    assert found.notes == ("the server's listing has no end; only its first 100 pages were read",)


def test_a_cursor_that_comes_again_ends_the_listing(bench: Bench) -> None:
    found = bench.misbehaving("same-cursor").discover()

    assert [tool.name for tool in found.tools] == ["again", "again#2"]
    assert found.notes == ("the server's listing came round to where it had been; it was cut there",)


def test_tools_before_a_page_that_fails_are_kept(bench: Bench) -> None:
    found = bench.misbehaving("late-page-fails").discover()

    assert [tool.name for tool in found.tools] == ["kept"]
    assert found.notes == ("the rest of the listing could not be read: page lost",)


def test_a_listing_that_is_no_list_is_an_error(bench: Bench) -> None:
    assert bench.misbehaving("no-list").discover().error == "unreadable answer: the listing of its tools is no list"


def test_a_malformed_tool_is_kept_with_its_problem_and_hides_no_other(bench: Bench) -> None:
    found = tools(bench, "malformed")

    assert {name: tool.problem for name, tool in found.items()} == {
        "good": None,
        "string-schema": "its input schema is text, not an object",
        "no-schema": "it has no input schema",
        "list-schema": 'its input schema has "type": \'array\', not "type": "object"',
        "tool#5": "the server gives it no name",
        "tool#6": "the server gives it no name",
        "tool#7": "the server's entry for it is no object",
        "twin": None,
        "twin#2": "the server lists more than one tool of this name; the first is the one that is called",
        "odd\x1b[2J": None,
        "typed": None,
        "last": None,
    }
    assert found["twin"].description == "Does twin."
    assert found["odd\x1b[2J"].description.endswith("… 34,464 more")


def test_what_is_odd_about_a_usable_tool_is_noted(bench: Bench) -> None:
    assert bench.misbehaving("malformed").discover().notes == (
        "typed: its annotations are a list and are left out",
        "typed: its description is a number and is left out",
        "typed: its output schema is text and is left out",
    )


def test_annotations_give_capabilities_by_the_protocols_defaults(bench: Bench) -> None:
    found = tools(bench, "annotated")

    def flags(name: str) -> tuple[bool | None, bool | None, bool | None, frozenset[str]]:
        tool = found[name]
        return tool.capability.read_only, tool.capability.writes, tool.capability.idempotent, tool.annotated

    assert flags("reads") == (True, False, True, {"read_only", "writes", "idempotent"})
    assert flags("writes") == (False, True, None, {"read_only", "writes"})
    assert flags("silent") == (None, None, None, frozenset())
    assert flags("destroys") == (None, None, None, frozenset())
    assert found["silent"].capability.counts_as_writing
    assert found["silent"].annotations == {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    }
    assert found["reads"].annotations["title"] == "Reads a page"
    assert found["destroys"].annotations["openWorldHint"] is False
    assert found["destroys"].capability.side_effects is None


def test_a_tool_that_claims_to_read_only_and_to_destroy_counts_as_writing(bench: Bench) -> None:
    server = bench.misbehaving("annotated").discover()
    both = next(tool for tool in server.tools if tool.name == "both")

    assert both.capability.counts_as_writing
    assert not both.capability.read_only
    assert "both: it says that it only reads and that it destroys; it counts as writing" in server.notes


def test_a_hint_that_is_no_boolean_gives_nothing(bench: Bench) -> None:
    server = bench.misbehaving("annotated").discover()
    wordy = next(tool for tool in server.tools if tool.name == "wordy")

    assert wordy.annotated == frozenset()
    assert wordy.capability.counts_as_writing
    assert "wordy: its readOnlyHint is neither true nor false and is left out" in server.notes


def test_a_listing_is_kept_until_the_server_says_that_it_has_changed(bench: Bench) -> None:
    server = bench.misbehaving()
    first = server.discover()

    assert server.discover() is first
    assert bench.record.read_text("utf-8").count('"tools/list"') == 1


def test_a_storm_of_changes_is_told_a_few_times_at_most(bench: Bench, environ: dict[str, str]) -> None:
    told: list[str] = []
    heard = threading.Event()

    def changed(spec: ServerSpec) -> None:
        told.append(spec.label)
        heard.set()

    pool = ServerPool(environ, changed=changed)
    try:
        storm = bench.misbehaving("storm")
        storm.pool = pool
        assert storm.discover().error is None
        assert heard.wait(10)
        assert storm.call("echo").output == "{}"
    finally:
        pool.close()
    assert 1 <= len(told) <= 3


def test_a_tool_that_has_changed_since_it_was_first_listed_is_named(bench: Bench) -> None:
    server = bench.misbehaving("changing")
    first = server.discover()
    bench.pool.stop()
    second = server.discover()

    assert listing_digest(second) != listing_digest(first)
    assert first.notes == ()
    assert second.notes == ("changed since it was first listed: rev",)


def test_the_servers_name_and_version_of_the_protocol_are_told(bench: Bench) -> None:
    found = bench.misbehaving().discover()

    assert found.server_name == "\x1b[31mmisbehaving 1"
    assert found.protocol == "2025-11-25"


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_every_version_with_a_handshake_is_spoken(bench: Bench, version: str) -> None:
    server = bench.misbehaving("version", version, legacy=False)

    assert server.discover().protocol == version
    assert server.call("structured", a=1).output == {"a": 1}


def test_many_servers_are_discovered_together_and_one_that_fails_spoils_no_other(bench: Bench) -> None:
    servers = {f"s{n}": bench.misbehaving("pages", label=f"s{n}") for n in range(6)}
    servers["bad"] = bench.misbehaving("exit3", label="bad")
    done: list[tuple[int, int]] = []

    found = bench.pool.discover_all(
        {key: used.server for key, used in servers.items()}, progress=lambda *counts: done.append(counts)
    )

    assert list(found) == list(servers)
    assert [len(answer.tools) for answer in found.values()] == [3] * 6 + [0]
    assert "exit code 3" in (found["bad"].error or "")
    assert done == [(n, 7) for n in range(1, 8)]


def test_of_many_servers_only_a_few_are_kept_when_nobody_uses_them(bench: Bench, environ: dict[str, str]) -> None:
    pool = ServerPool(environ, kept_idle=2)
    try:
        servers = {f"s{n}": bench.misbehaving(label=f"s{n}").server for n in range(5)}
        pool.discover_all(servers)
        assert eventually(lambda: len(bench.alive()) == 2)
        assert eventually(lambda: sorted(pool.states().values()) == ["idle"] * 3 + ["ready"] * 2)
    finally:
        pool.close()
