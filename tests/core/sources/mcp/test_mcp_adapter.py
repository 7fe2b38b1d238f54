"""The adapter: the four stages of an MCP tool as the runtime runs them."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp_bench import SERVERS, eventually

from core.language.declarations import ServerDecl
from core.language.tree import SourceText
from core.model import SkillMcpSource, ToolRecord
from core.protocol import SkillErrorType
from core.resolve.views import McpDefinition
from core.sources.interface import AdapterSettings, Invocation, Program, ToolFailed
from core.sources.mcp import McpAdapter


class NoWorker:
    """MCP tools run in their servers; a worker that is touched is a fault."""

    def start(self, program: Program) -> None:
        raise AssertionError

    def run(self, stage: str, arguments: Any = None) -> Any:
        raise AssertionError

    def stop(self) -> None:
        raise AssertionError


class Desk:
    """One adapter on one workspace."""

    def __init__(self, root: Path, adapter: McpAdapter | None = None) -> None:
        self.root = root
        self.adapter = adapter or McpAdapter(AdapterSettings(root, root.parent / "state"))
        self.events: list[Any] = []

    def definition(self, tool: str, command: str = "", mode: str = "plain", **fields: Any) -> McpDefinition:
        words = shlex.join([sys.executable, str(SERVERS / "misbehaving.py"), mode])
        model = SkillMcpSource(server=command or words, **{"legacy": True, "timeout": 20, **fields})
        return McpDefinition("desk#1", ServerDecl("desk", 0, model), SourceText("skills/s.yaml", "name: x"), tool)

    def call(self, definition: McpDefinition, **arguments: Any) -> Invocation:
        return self.approved_call(definition, self.digests(definition), **arguments)

    def digests(self, definition: McpDefinition) -> frozenset[str]:
        return frozenset(identity.digest for identity in self.adapter.identities(definition, {}, ""))

    def approved_call(self, definition: McpDefinition, approved: frozenset[str], **arguments: Any) -> Invocation:
        record = ToolRecord(name=f"desk/{definition.tool}", source="mcp:desk", from_skill="local/s")
        return Invocation(
            skill="local/s",
            record=record,
            definition=definition,
            arguments=arguments,
            timeout_s=20,
            worker=NoWorker(),
            log=lambda *line: self.events.append(line),
            progress=self.events.append,
            approved=approved,
        )

    def run(self, definition: McpDefinition, **arguments: Any) -> Any:
        """Run all stages as the runtime does, with what would run approved."""
        call = self.call(definition, **arguments)
        try:
            assert self.adapter.discover(call).problem is None
            self.adapter.activate(call)
            return self.adapter.execute(call)
        finally:
            self.adapter.deactivate(call)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    root = tmp_path / "workspace"
    root.mkdir()
    made = Desk(root)
    yield made
    made.adapter.close()


def test_the_stages_give_the_output_and_the_servers_own_time(desk: Desk) -> None:
    done = desk.run(desk.definition("structured"), total=3)

    assert done.output == {"total": 3}
    assert done.duration_ms > 0


def test_progress_and_lines_reach_the_call(desk: Desk) -> None:
    desk.run(desk.definition("progress"), steps=1)
    desk.run(desk.definition("log"))

    assert {"progress": 1.0, "total": 3.0, "message": "step 1"} in desk.events
    assert ("server", "warning disk: line 0") in desk.events


def test_a_server_stays_connected_between_calls(desk: Desk) -> None:
    first = desk.run(desk.definition("environment")).output
    desk.run(desk.definition("echo"))

    assert first
    assert desk.adapter.connected(desk.definition("echo"))


def test_nothing_starts_that_is_not_approved(desk: Desk) -> None:
    definition = desk.definition("echo")
    desk.digests(definition)  # showing is not approving

    with pytest.raises(ToolFailed) as caught:
        desk.adapter.discover(desk.approved_call(definition, frozenset({"0" * 64})))

    assert caught.value.error.error_type is SkillErrorType.PERMISSION_DENIED
    assert not desk.adapter.connected(definition)


def test_a_server_whose_approval_is_taken_back_is_ended(desk: Desk) -> None:
    definition, other = desk.definition("echo"), desk.definition("echo", mode="pages")
    desk.run(definition)
    desk.adapter.discover(desk.call(other))

    desk.adapter.revoke(desk.digests(definition))

    assert not desk.adapter.connected(definition)
    assert desk.adapter.connected(other)


def test_a_call_fails_when_the_approval_of_its_server_is_taken_back(desk: Desk) -> None:
    definition = desk.definition("hang")
    call = desk.call(definition)
    desk.adapter.discover(call)
    threading.Timer(0.2, desk.adapter.revoke, [call.approved]).start()

    with pytest.raises(ToolFailed, match="the server was stopped"):
        desk.adapter.execute(call)


def test_what_changed_after_it_was_approved_does_not_start(desk: Desk) -> None:
    script = desk.root / "server.py"
    script.write_text("print('first')", "utf-8")
    definition = desk.definition("echo", "python3 server.py")
    call = desk.call(definition)
    script.write_text("print('second')", "utf-8")
    desk.digests(definition)

    with pytest.raises(ToolFailed) as caught:
        desk.adapter.discover(call)

    assert caught.value.error.error_type is SkillErrorType.PERMISSION_DENIED


def test_a_server_that_cannot_be_started_shows_nothing_and_says_why(desk: Desk) -> None:
    program = desk.root / "server"
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    definition = desk.definition("echo", "./server")

    assert desk.adapter.identities(definition, {}, "") == ()
    with pytest.raises(ToolFailed, match="lies inside the workspace") as caught:
        desk.adapter.discover(desk.call(definition))
    assert caught.value.error.error_type is SkillErrorType.PERMISSION_DENIED


def test_a_server_that_cannot_be_connected_is_an_activation_failure(desk: Desk) -> None:
    with pytest.raises(ToolFailed) as caught:
        desk.run(desk.definition("echo", mode="exit3"))

    error = caught.value.error
    assert error.error_type is SkillErrorType.TOOL_ACTIVATION_FAILURE
    assert "exit code 3" in error.message
    assert error.details["stderr"] == ["fatal: no API key"]


def test_an_error_of_the_tool_is_an_execution_failure_with_its_text(desk: Desk) -> None:
    with pytest.raises(ToolFailed) as caught:
        desk.run(desk.definition("is_error"))

    error = caught.value.error
    assert (error.error_type, error.message) == (SkillErrorType.TOOL_EXECUTION_FAILURE, "the disk is full")
    assert (error.skill_name, error.tool_name) == ("local/s", "desk/is_error")
    assert caught.value.output == "the disk is full"


@pytest.mark.parametrize("tool", ["rpc_error", "crash", "is_error"])
def test_the_details_of_a_failure_are_json(desk: Desk, tool: str) -> None:
    with pytest.raises(ToolFailed) as caught:
        desk.run(desk.definition(tool))

    assert json.loads(json.dumps(caught.value.error.details)) == caught.value.error.details


def test_a_cancelled_call_says_so_in_its_details(desk: Desk) -> None:
    definition = desk.definition("hang")
    call = desk.call(definition)
    desk.adapter.discover(call)
    threading.Timer(0.2, call.cancel.set).start()

    with pytest.raises(ToolFailed) as caught:
        desk.adapter.execute(call)

    assert caught.value.error.details["cancelled"] is True


def test_a_tool_that_the_server_lacks_has_a_problem_with_the_nearest_name(desk: Desk) -> None:
    definition = desk.definition("structurd")

    found = desk.adapter.discover(desk.call(definition))

    assert found.problem == "the server desk has no tool 'structurd'; did you mean structured?"


def test_whole_servers_are_discovered_and_one_that_is_not_approved_says_so(desk: Desk) -> None:
    shown, hidden = desk.definition("", mode="pages"), desk.definition("", mode="annotated")

    found = desk.adapter.discover_servers({"a": shown, "b": hidden}, approved=desk.digests(shown))

    assert [tool.name for tool in found["a"].tools] == ["p0", "p1", "p2"]
    assert found["b"].error == "what desk would run has not been approved as it is now"


def test_a_changed_listing_is_told_by_the_key_of_the_declaration(tmp_path: Path) -> None:
    told: list[str] = []
    (tmp_path / "workspace").mkdir()
    adapter = McpAdapter(AdapterSettings(tmp_path / "workspace", tmp_path / "state", told.append))
    desk = Desk(tmp_path / "workspace", adapter)
    desk.adapter.discover(desk.call(desk.definition("echo", mode="storm")))

    assert eventually(lambda: told == ["desk#1"])
    adapter.close()


def test_a_call_of_a_tool_that_has_changed_says_so(desk: Desk) -> None:
    definition = desk.definition("rev", mode="changing")
    desk.adapter.discover(desk.call(definition))
    desk.adapter.revoke(desk.digests(definition))

    desk.adapter.discover(desk.call(definition))

    assert ("explorer", "desk says something else of rev than when it was first listed") in desk.events


def test_it_says_where_effects_take_place(desk: Desk) -> None:
    assert "runs as you" in (desk.adapter.isolation(desk.definition("echo")) or "")
    assert "remote" in (desk.adapter.isolation(desk.definition("echo", "https://host/mcp")) or "")


def test_the_sdk_is_not_imported_before_a_server_is_needed() -> None:
    code = (
        "import sys, pathlib; from core.sources.interface import AdapterSettings; from core.sources.mcp import "
        "McpAdapter; McpAdapter(AdapterSettings(pathlib.Path('.'), pathlib.Path('.'))).close(); "
        "print([m for m in sys.modules if m.split('.')[0] in ('mcp', 'mcp_types', 'anyio', 'httpx2')])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)

    assert (done.stdout, done.stderr) == ("[]\n", "")
