"""A tool that nobody has listed yet: its server is asked first, if it may be, and only then is it called."""

from __future__ import annotations

import threading

import pytest
from office import EVERY_TOOL, READS, Calling, Office, error_of, eventually

from core.model import ToolStatus
from core.runtime.call import Stage


def test_a_tool_of_a_server_without_an_allow_list_is_found_and_called(office: Office) -> None:
    office.skill()
    workspace = office.open()
    assert list(workspace.catalogue.flatten("local/office").records) == []

    outcome = office.call(workspace, "desk/echo", {"a": 1})

    assert '"a": 1' in outcome.result.output_data
    assert outcome.stages == (Stage.CHECK, Stage.DISCOVER, Stage.ACTIVATE, Stage.EXECUTE, Stage.DEACTIVATE)


def test_what_was_asked_for_a_call_is_in_the_catalogue_and_told(office: Office) -> None:
    office.skill()
    workspace = office.open()
    told: list[frozenset[str]] = []
    workspace.on_servers_changed(lambda news: told.append(frozenset(news)))

    office.call(workspace, "desk/echo")
    office.call(workspace, "desk/echo")

    names = {record.name for record in workspace.catalogue.flatten("local/office").records}
    assert names == {f"desk/{name}" for name in EVERY_TOOL}
    assert told == [frozenset(workspace.discovered)]
    assert len(office.started) == 1


def test_the_user_is_asked_once_for_one_call(office: Office) -> None:
    office.skill()

    office.call(office.open(), "desk/echo")

    assert [identity.title for identity in office.asked] == ["MCP server desk"]


def test_a_no_starts_nothing_and_names_the_command_that_would_approve_it(office: Office) -> None:
    office.skill()

    error = error_of(office.call(office.open(), "desk/echo", approve=None))

    assert str(error.error_type) == "permission_denied"
    assert error.details["hint"] == "skill-explorer invoke local/office desk/echo --trust"
    assert office.started == []


def test_a_stored_approval_is_enough(office: Office) -> None:
    office.skill()
    workspace = office.open()
    workspace.record_approvals(workspace.identities("local/office", "desk/echo"))

    assert office.call(workspace, "desk/echo", approve=None).result.success
    assert workspace.identities("local/office", "desk/echo") == ()


def test_what_a_call_would_run_is_shown_without_running_it(office: Office) -> None:
    office.skill()

    [identity] = office.open().identities("local/office", "desk/echo")

    assert (identity.kind, identity.title) == ("mcp-stdio", "MCP server desk")
    assert office.started == []


def test_a_tool_that_the_server_lacks_is_told_with_the_nearest_names(office: Office) -> None:
    office.skill()

    error = error_of(office.call(office.open(), "desk/ecco"))

    assert str(error.error_type) == "resolution_failure"
    assert "did you mean `desk/echo`?" in error.message
    assert error.details["nearest"][0] == "desk/echo"


def test_a_tool_of_no_server_starts_none_and_says_whose_tools_are_unknown(office: Office) -> None:
    office.skill()

    error = error_of(office.call(office.open(), "shelf/echo"))

    assert str(error.error_type) == "resolution_failure"
    assert error.details["undiscovered_servers"] == ["desk"]
    assert "skill-explorer tools local/office --discover" in error.details["hint"]
    assert office.started == []


def test_a_server_that_falls_over_at_once_says_how_and_its_last_words(office: Office) -> None:
    office.skill(mcp_servers=[office.server(env={"FALLS_OVER": "3"})])

    error = error_of(office.call(office.open(), "desk/echo"))

    assert str(error.error_type) == "tool_activation_failure"
    assert "exit code 3" in error.message
    assert error.details["stderr"] == ["no key, no service"]


def test_asking_can_be_cancelled(office: Office) -> None:
    office.skill(mcp_servers=[office.server(env={"SLOW": "60"})])
    calling = Calling(office, office.open(), "desk/echo")
    assert eventually(lambda: office.started)

    calling.cancel.set()

    assert calling.result().error.details["cancelled"] is True


def test_a_listed_tool_is_called_by_what_its_server_says_of_it(office: Office) -> None:
    """A stub counts as writing, so a read-only skill could never call it without asking the server."""
    office.lists({"echo": READS})
    office.skill(read_only=True, mcp_servers=[office.server(tools=["echo"])])
    workspace = office.open()
    assert workspace.catalogue.flatten("local/office").records[0].status is ToolStatus.UNDISCOVERED

    outcome = office.call(workspace, "desk/echo")

    assert outcome.result.success


def test_a_listed_tool_that_its_server_calls_writing_stays_out_of_a_read_only_skill(office: Office) -> None:
    office.lists({"echo": {"annotations": {"readOnlyHint": False}}})
    office.skill(read_only=True, mcp_servers=[office.server(tools=["echo"])])

    error = error_of(office.call(office.open(), "desk/echo"))

    assert str(error.error_type) == "permission_denied"
    assert "is read-only and `desk/echo` can write" in error.message


def test_a_servers_word_that_a_tool_only_reads_is_enough_where_nobody_claims_more(office: Office) -> None:
    """A skill whose tools all happen to read asks for nothing; one that claims to read only asks each time."""
    office.lists({"echo": READS})
    office.skill()
    office.skill("local/claims", read_only=True, mcp_servers=[office.server()])
    workspace = office.open()

    assert office.call(workspace, "desk/echo", confirmed=False).result.success
    error = error_of(office.call(workspace, "desk/echo", skill="local/claims", confirmed=False))
    assert error.details["needs"] == "confirmation"


def test_two_calls_at_once_start_the_server_once(office: Office) -> None:
    office.skill()
    workspace = office.open()

    calls = [Calling(office, workspace, "desk/echo") for _ in range(4)]

    assert [call.result().error for call in calls] == [None] * 4
    assert len(office.started) == 1


def test_a_call_knows_the_tools_that_another_call_has_just_heard_of(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.skill()
    workspace = office.open()
    resolve, heard, go_on = workspace.resolve, threading.Event(), threading.Event()

    def slowly() -> None:
        if not heard.is_set():
            heard.set()
            assert go_on.wait(30)
        resolve()

    monkeypatch.setattr(workspace, "resolve", slowly)
    first = Calling(office, workspace, "desk/echo")
    assert heard.wait(30)
    second = Calling(office, workspace, "desk/echo").result()
    go_on.set()
    assert (first.result().error, second.error) == (None, None)


def test_a_reload_while_a_server_is_asked_is_not_lost(office: Office) -> None:
    office.skill(mcp_servers=[office.server(env={"SLOW": "0.3"})])
    workspace = office.open()
    calling = Calling(office, workspace, "desk/echo")
    assert eventually(lambda: office.started)

    office.skill("local/late", tools=["builtin/read_file"])
    workspace.load()
    calling.result()

    assert {row.name for row in workspace.catalogue.skills()} == {"local/office", "local/late"}
    assert workspace.catalogue.flatten("local/office").undiscovered_servers == ()


def test_closing_ends_a_server_that_is_being_asked(office: Office) -> None:
    office.skill(mcp_servers=[office.server(env={"SLOW": "60"})])
    workspace = office.open()
    calling = Calling(office, workspace, "desk/echo")
    assert eventually(lambda: office.started)

    threading.Thread(target=workspace.close, daemon=True).start()

    assert not calling.result().success
    assert eventually(lambda: not office.alive)


def test_that_a_server_wants_the_handshake_is_remembered_in_the_next_run(office: Office) -> None:
    """A silent server would else cost the time of a probe at each start."""
    asked = office.root.parent / "methods"
    office.skill(mcp_servers=[office.server(legacy=False, env={"METHODS": str(asked)})])
    for _ in range(2):
        workspace = office.open()
        assert office.call(workspace, "desk/echo").result.success
        workspace.close()

    methods = asked.read_text("utf-8").split()
    assert (methods.count("server/discover"), methods.count("initialize")) == (1, 2)


def test_a_server_that_is_not_what_it_was_is_asked_afresh(office: Office) -> None:
    asked = office.root.parent / "methods"
    for number in range(2):
        env = {"METHODS": str(asked), "NUMBER": str(number)}
        office.skill(mcp_servers=[office.server(legacy=False, env=env)])
        workspace = office.open()
        assert office.call(workspace, "desk/echo").result.success
        workspace.close()

    assert asked.read_text("utf-8").split().count("server/discover") == 2
