"""The gate: what may be called through which skill, decided before anything runs."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import FlagProvenance, Origin, Skill, ToolCapability, ToolRecord, ToolStatus, join
from core.protocol import SkillMetadata
from core.resolve.views import FlatSkill, SkillStatus
from core.runtime.call import CallOptions
from core.runtime.gate import refusal

FLAG = st.sampled_from([None, True, False])
CAPABILITY = st.builds(
    ToolCapability,
    read_only=FLAG,
    writes=FLAG,
    unsafe=FLAG,
    human_approval_required=FLAG,
    side_effects=st.sampled_from([None, ["disk"]]),
)
EVERYTHING = CallOptions(confirmed=True, approve=lambda _: True)


def record(effective: ToolCapability, gate: ToolCapability | None = None, **more: Any) -> ToolRecord:
    chosen = {"name": "local/t", "source": "custom", "from_skill": "local/s", **more}
    return ToolRecord(capability=effective, gate_capability=gate or effective, **chosen)


def flat(found: ToolRecord, *, read_only: bool, status: SkillStatus = SkillStatus.RESOLVED) -> FlatSkill:
    skill = Skill(name="local/s", description="S.")
    return FlatSkill("local/s", status, [found], [], SkillMetadata.from_skill(skill, [found]), read_only=read_only)


@given(CAPABILITY, CAPABILITY, st.sampled_from([SkillStatus.RESOLVED, SkillStatus.PARTIAL]))
def test_no_override_opens_a_read_only_skill_to_a_tool_that_can_write(
    declared: ToolCapability, override: ToolCapability, status: SkillStatus
) -> None:
    """Whatever an override claims, the gate sees the join with what the tool declares."""
    laid = {k: v for k, v in override.model_dump().items() if v is not None}
    effective = declared.model_copy(update=laid)
    found = record(effective, join(declared, effective))
    denied = refusal(flat(found, read_only=True, status=status), found, EVERYTHING)
    if declared.counts_as_writing or effective.counts_as_writing:
        assert denied is not None
        assert denied.error_type == "permission_denied"


@given(CAPABILITY, st.booleans())
def test_an_unsafe_tool_is_never_called_without_a_yes(capability: ToolCapability, read_only: bool) -> None:
    found = record(capability)
    denied = refusal(flat(found, read_only=read_only), found, CallOptions(approve=lambda _: True))
    assert denied is not None or not (capability.unsafe or capability.human_approval_required)


TABLE = {
    "reader in a read-only skill": (ToolCapability(read_only=True), True, False, None),
    "writer in a read-only skill": (ToolCapability(writes=True), True, True, "is read-only and"),
    "unsaid in a read-only skill": (ToolCapability(), True, True, "counts as writing"),
    "says only that it does not read only": (ToolCapability(read_only=False), True, True, "is read-only and"),
    "neither reader nor writer": (ToolCapability(writes=False), True, False, None),
    "contradiction": (ToolCapability(read_only=True, writes=True), True, True, "is read-only and"),
    "writer elsewhere": (ToolCapability(writes=True), False, False, None),
    "unsafe": (ToolCapability(read_only=True, unsafe=True), False, False, "is unsafe"),
    "unsafe, confirmed": (ToolCapability(read_only=True, unsafe=True), False, True, None),
    "approval": (ToolCapability(writes=True, human_approval_required=True), False, False, "needs approval"),
    "approval, confirmed": (ToolCapability(writes=True, human_approval_required=True), False, True, None),
}


@pytest.mark.parametrize(("capability", "read_only", "confirmed", "words"), TABLE.values(), ids=TABLE)
def test_the_gate_follows_its_table(
    capability: ToolCapability, read_only: bool, confirmed: bool, words: str | None
) -> None:
    found = record(capability)
    denied = refusal(flat(found, read_only=read_only), found, CallOptions(confirmed=confirmed))
    assert (denied and str(denied.error_type)) == (words and "permission_denied")
    assert denied is None or str(words) in denied.message


def test_a_refusal_names_the_flag_and_where_it_was_set() -> None:
    place = FlagProvenance(value=True, origin=Origin.DECLARED, path="tools/t.yaml", line=7)
    found = record(ToolCapability(writes=True), provenance={"writes": place})
    denied = refusal(flat(found, read_only=True), found, EVERYTHING)
    assert denied is not None
    assert "`writes` is true (tools/t.yaml:7)" in denied.message
    assert denied.details == {"flag": "writes", "value": True, "origin": "declared", "path": "tools/t.yaml", "line": 7}


@pytest.mark.parametrize("read_only", [True, False])
def test_an_override_that_calls_a_declared_writer_read_only_is_denied_wherever_it_is_called(read_only: bool) -> None:
    declared, effective = ToolCapability(writes=True), ToolCapability(writes=False, read_only=True)
    place = FlagProvenance(value=False, origin=Origin.OVERRIDDEN, path="skills/s.yaml", line=5, replaced=True)
    found = record(effective, join(declared, effective), provenance={"writes": place})
    denied = refusal(flat(found, read_only=read_only), found, EVERYTHING)
    assert denied is not None
    assert "calls it read-only (skills/s.yaml:5)" in denied.message


@pytest.mark.parametrize("flag", ["unsafe", "human_approval_required"])
def test_an_override_does_not_spare_the_yes_that_the_tool_itself_asks_for(bench: Any, flag: str) -> None:
    bench.tool("return 1", flags=f"{{read_only: true, {flag}: true}}")
    laid = f"overrides: {{local/probe: {{{flag}: false}}}}\n"
    error = bench.call("local/probe", skill=laid, confirmed=False).result.error
    assert (str(error.error_type), error.details["needs"]) == ("permission_denied", "confirmation")


def test_a_skill_whose_metadata_says_read_only_calls_no_writer_whoever_made_it() -> None:
    found = record(ToolCapability(writes=True))
    told = flat(record(ToolCapability(read_only=True)), read_only=False)
    assert told.metadata.read_only
    assert refusal(told, found, EVERYTHING) is not None


@pytest.mark.parametrize(("confirmed", "origin"), product([True, False], [Origin.ANNOTATED, Origin.OVERRIDDEN]))
def test_a_servers_own_word_alone_does_not_open_a_read_only_skill(confirmed: bool, origin: Origin) -> None:
    claim = FlagProvenance(value=True, origin=origin)
    found = record(ToolCapability(read_only=True), source="mcp:s", provenance={"read_only": claim})
    denied = refusal(flat(found, read_only=True), found, CallOptions(confirmed=confirmed))
    assert (denied is None) == (confirmed or origin is Origin.OVERRIDDEN)


def test_a_tool_that_is_not_available_says_why() -> None:
    found = record(ToolCapability(read_only=True), status=ToolStatus.UNAVAILABLE, problem="its file is broken")
    denied = refusal(flat(found, read_only=False), found, EVERYTHING)
    assert denied is not None
    assert (str(denied.error_type), denied.message) == ("tool_activation_failure", "its file is broken")


def test_what_is_present_in_a_partial_skill_can_be_called(bench: Any) -> None:
    bench.tool("return 1")
    outcome = bench.call("local/probe", skill="includes: [local/nowhere]\n")
    assert outcome.result.output_data == 1


def test_nothing_of_an_unresolved_skill_can_be_called(bench: Any) -> None:
    bench.tool("return 1")
    error = bench.call("local/probe", skill="includes: [local/bench]\n").result.error
    assert str(error.error_type) == "cycle_detected"


def test_a_denied_call_starts_nothing_and_asks_for_nothing(bench: Any) -> None:
    bench.tool("return 1", flags="{writes: true}")
    outcome = bench.call("local/probe", skill="read_only: true\n")
    assert str(outcome.result.error.error_type) == "permission_denied"
    assert (bench.asked, outcome.stages) == ([], ("check",))
    assert not (bench.state / "scratch").exists()
