"""Overrides: who wins, what they may name, what they may not take back (resolution, part 1)."""

from __future__ import annotations

from typing import Any

import pytest
from resolve_builder import Resolve, record, skill, tool

from core.diagnostics import Diagnostic
from core.model import FlagProvenance
from core.resolve.catalogue import Catalogue


def codes(catalogue: Catalogue) -> list[tuple[str, str]]:
    return [(found.code, str(found.severity)) for found in catalogue.diagnostics()]


def one(catalogue: Catalogue) -> Diagnostic:
    (found,) = catalogue.diagnostics()
    return found


def test_the_outer_override_wins_field_by_field(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool(capability="{writes: true}", more="timeout: 7\n"),
            **skill(
                "base",
                "tools:\n  - name: local/t\n    override: {timeout: 11, description: entry, unsafe: true}\n"
                "overrides:\n  local/t: {timeout: 12, description: skill-level}\n",
            ),
            **skill(
                "middle",
                "includes:\n  - name: local/base\n    overrides:\n      local/t: {timeout: 13, idempotent: true}\n"
                "overrides:\n  local/t: {timeout: 14}\n",
            ),
            **skill("top", "includes:\n  - name: local/middle\n    overrides:\n      local/t: {timeout: 15}\n"),
        }
    )
    base, middle, top = (record(catalogue, f"local/{name}") for name in ("base", "middle", "top"))
    assert (base.timeout, base.description, base.capability.unsafe) == (12, "skill-level", True)
    assert (middle.timeout, middle.description, middle.capability.idempotent) == (14, "skill-level", True)
    assert (top.timeout, top.description, top.capability.unsafe) == (15, "skill-level", True)
    assert codes(catalogue) == []


def test_each_flag_says_where_it_was_set_and_what_it_replaced(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool(capability="{writes: true, checkpointable: true}"),
            **skill("base", "tools: [local/t]\n"),
            **skill(
                "top",
                "includes:\n  - name: local/base\n    overrides:\n"
                "      local/t:\n        human_approval_required: true\n        checkpointable: false\n",
            ),
        }
    )
    flags = record(catalogue, "local/top").provenance
    approval = FlagProvenance(
        value=True,
        origin="overridden",
        path="skills/top.yaml",
        line=7,
        replaced=None,  # type: ignore[arg-type]
    )
    assert flags["human_approval_required"] == approval
    assert flags["checkpointable"].replaced is True
    assert (flags["writes"].origin, flags["writes"].path, flags["writes"].line) == ("declared", "tools/local-t.yaml", 5)
    assert flags["read_only"].value is False
    assert (flags["idempotent"].value, flags["idempotent"].origin) == (None, "declared")
    assert record(catalogue, "local/base").provenance["human_approval_required"].value is None


def test_an_override_changes_the_set_of_its_own_skill_and_those_above_alone(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool(),
            **skill("base", "tools: [local/t]\n"),
            **skill("top", "includes: [local/base]\noverrides:\n  local/t: {unsafe: true}\n"),
        }
    )
    assert record(catalogue, "local/base").capability.unsafe is None
    assert record(catalogue, "local/top").capability.unsafe is True


@pytest.mark.parametrize("written", ["local/t", "t"])
def test_a_tool_is_named_in_full_or_by_its_last_part(resolve: Resolve, written: str) -> None:
    catalogue = resolve({**tool(), **skill("s", f"tools: [local/t]\noverrides:\n  {written}: {{unsafe: true}}\n")})
    assert record(catalogue, "local/s").capability.unsafe is True
    assert codes(catalogue) == []


@pytest.mark.parametrize("written", ["builtin/read_file", "builtin/file-read", "read_file", "file-read", "read-file"])
def test_a_builtin_may_be_named_by_an_alias(resolve: Resolve, written: str) -> None:
    catalogue = resolve(skill("s", f"tools: [builtin/read_file]\noverrides:\n  {written}: {{unsafe: true}}\n"))
    assert record(catalogue, "local/s", "builtin/read_file").capability.unsafe is True


def test_an_inline_tool_may_be_named_by_its_last_part(resolve: Resolve) -> None:
    inline = "tools:\n  - {name: here, description: H., source: custom, code: return 1, writes: true}\n"
    catalogue = resolve(
        {
            **skill("base", inline),
            **skill("top", "includes:\n  - {name: local/base, overrides: {here: {unsafe: true}}}\n"),
        }
    )
    assert record(catalogue, "local/top", "local/base/here").capability.unsafe is True


def test_a_short_name_of_several_tools_is_an_error_that_lists_them(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool("local/t"),
            **tool("team/t"),
            **skill("s", "tools: [local/t, team/t]\noverrides:\n  t: {unsafe: true}\n"),
        }
    )
    found = one(catalogue)
    assert (found.code, found.severity, found.place.line) == ("tool/override-ambiguous", "error", 5)
    assert "`local/t`, `team/t`" in found.message
    assert record(catalogue, "local/s").capability.unsafe is None


def test_a_short_name_is_unambiguous_within_its_own_set(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool("local/t"),
            **tool("team/t"),
            **skill("a", "tools: [local/t]\noverrides:\n  t: {unsafe: true}\n"),
            **skill("b", "tools: [team/t]\noverrides:\n  t: {unsafe: true}\n"),
        }
    )
    assert codes(catalogue) == []
    assert record(catalogue, "local/a").capability.unsafe is True


def test_an_override_of_a_tool_that_the_set_lacks_is_an_error_with_the_nearest_name_and_a_fix(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool("local/migrate"),
            **skill("base", "tools: [local/migrate]\n"),
            **skill("top", "includes:\n  - name: local/base\n    overrides:\n      local/migrat: {unsafe: true}\n"),
        }
    )
    found = one(catalogue)
    assert (found.code, found.severity, found.skill) == ("tool/override-unknown", "error", "local/top")
    assert (found.place.path, found.place.line, found.place.column) == ("skills/top.yaml", 6, 7)
    assert found.hint == "did you mean `local/migrate`?"
    assert found.fix is not None
    assert [(edit.place, edit.text) for edit in found.fix.edits] == [(found.place, "local/migrate")]


def test_an_override_of_a_misspelt_short_name_finds_the_nearest_short_name(resolve: Resolve) -> None:
    catalogue = resolve(
        {**tool("local/migrate"), **skill("s", "tools: [local/migrate]\noverrides: {migrat: {unsafe: true}}\n")}
    )
    assert one(catalogue).hint == "did you mean `migrate`?"


def test_a_tool_elsewhere_in_the_workspace_is_not_in_the_set(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool("local/t"),
            **skill("a", "tools: [local/t]\n"),
            **skill("b", "tools: [builtin/read_file]\noverrides:\n  local/t: {unsafe: true}\n"),
        }
    )
    assert one(catalogue).code == "tool/override-unknown"


def test_an_override_in_an_incomplete_set_is_not_blamed(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool("local/t"),
            **skill("s", "includes: [local/gone]\noverrides:\n  local/of-gone: {unsafe: true}\n"),
        }
    )
    assert [code for code, _ in codes(catalogue)] == ["include/missing"]


LOOSENING = [
    ("{writes: true}", "{writes: false}"),
    ("{writes: true}", "{read_only: true}"),
    ("{writes: true}", "{read_only: true, writes: false}"),
    ("{read_only: false}", "{read_only: true}"),
    ("{unsafe: true}", "{unsafe: false}"),
    ("{human_approval_required: true}", "{human_approval_required: false}"),
    ("{checkpointable: false}", "{checkpointable: true}"),
    ("{idempotent: false}", "{idempotent: true}"),
    ("{side_effects: [disk, net]}", "{side_effects: [net]}"),
    ("{write_scope: [src, doc]}", "{write_scope: [doc]}"),
]


@pytest.mark.parametrize(("declared", "override"), LOOSENING)
def test_loosening_a_declared_value_is_shown_and_warned_of_and_changes_nothing(
    resolve: Resolve, declared: str, override: str
) -> None:
    files = {**tool(capability=declared), **skill("plain", "tools: [local/t]\n")}
    catalogue = resolve({**files, **skill("s", f"tools: [local/t]\noverrides:\n  local/t: {override}\n")})
    plain, loose = record(catalogue, "local/plain"), record(catalogue, "local/s")
    assert loose.capability != plain.capability
    assert loose.gate_capability.counts_as_writing == plain.gate_capability.counts_as_writing
    assert loose.gate_capability.counts_as_reading is False
    rows = [catalogue.skill(f"local/{name}") for name in ("plain", "s")]
    assert rows[0] is not None
    assert rows[1] is not None
    assert rows[0].summary == rows[1].summary
    found = one(catalogue)
    assert (found.code, found.severity, found.tool) == ("tool/override-loosens", "warning", "local/t")
    assert found.place.line == 5
    assert found.related[0].place.path == "tools/local-t.yaml"


def test_reading_alone_said_over_a_tool_that_is_declared_no_reader_opens_nothing(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool(capability="{read_only: false}"),
            **skill("s", "tools: [local/t]\noverrides:\n  local/t: {read_only: true}\n"),
        }
    )
    assert record(catalogue, "local/s").gate_capability.counts_as_writing
    assert not catalogue.flatten("local/s").metadata.read_only


def test_loosening_an_assumed_value_holds_without_a_word(resolve: Resolve) -> None:
    catalogue = resolve(
        {**tool(capability=""), **skill("s", "tools: [local/t]\noverrides:\n  local/t: {read_only: true}\n")}
    )
    found = record(catalogue, "local/s")
    assert (found.capability.read_only, found.capability.writes) == (True, False)
    assert found.gate_capability.counts_as_reading
    assert catalogue.flatten("local/s").metadata.read_only
    assert codes(catalogue) == []


def test_loosening_an_earlier_override_holds_with_an_info(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool(capability="{read_only: true}"),
            **skill("base", "tools: [local/t]\noverrides:\n  local/t: {human_approval_required: true}\n"),
            **skill("top", "includes: [local/base]\noverrides:\n  local/t: {human_approval_required: false}\n"),
        }
    )
    assert record(catalogue, "local/top").gate_capability.human_approval_required is False
    found = one(catalogue)
    assert (found.code, found.severity, found.place.path) == ("tool/override-loosens", "info", "skills/top.yaml")


def test_taking_back_a_tightening_down_to_what_is_declared_is_only_an_info(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool(capability="{read_only: true}"),
            **skill("base", "tools: [local/t]\noverrides:\n  local/t: {writes: true}\n"),
            **skill("top", "includes: [local/base]\noverrides:\n  local/t: {writes: false, read_only: true}\n"),
        }
    )
    assert catalogue.flatten("local/top").metadata.read_only
    assert not catalogue.flatten("local/base").metadata.read_only
    assert codes(catalogue) == [("tool/override-loosens", "info")]


TIGHTENING = [
    ("{read_only: true}", "{writes: true}", {"writes": True, "read_only": False}),
    ("{read_only: true}", "{read_only: false}", {"writes": True, "read_only": False}),
    ("{read_only: true, writes: false}", "{read_only: false}", {"writes": False, "read_only": False}),
    ("{read_only: true}", "{unsafe: true}", {"unsafe": True, "read_only": True}),
    ("{writes: true, side_effects: [a]}", "{side_effects: [a, b]}", {"side_effects": ["a", "b"]}),
]


@pytest.mark.parametrize(("declared", "override", "expected"), TIGHTENING)
def test_tightening_is_free(resolve: Resolve, declared: str, override: str, expected: dict[str, Any]) -> None:
    catalogue = resolve(
        {**tool(capability=declared), **skill("s", f"tools: [local/t]\noverrides:\n  local/t: {override}\n")}
    )
    found = record(catalogue, "local/s").capability.model_dump()
    assert {name: found[name] for name in expected} == expected
    assert codes(catalogue) == []


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("{read_only: true}", (True, False, "declared")),
        ("{writes: true}", (False, True, "declared")),
        ("{writes: false}", (None, False, "declared")),
        ("{read_only: false}", (False, True, "assumed")),
        ("", (False, True, "assumed")),
    ],
)
def test_unset_flags_follow_or_are_assumed(resolve: Resolve, declared: str, expected: tuple[Any, Any, str]) -> None:
    catalogue = resolve({**tool(capability=declared), **skill("s", "tools: [local/t]\n")})
    found = record(catalogue, "local/s")
    origin = found.provenance["writes"].origin
    assert (found.capability.read_only, found.capability.writes, origin) == expected


def test_a_writes_false_alone_is_counted_neither_as_reader_nor_as_writer(resolve: Resolve) -> None:
    row = resolve({**tool(capability="{writes: false}"), **skill("s", "tools: [local/t]\n")}).skill("local/s")
    assert row is not None
    assert (row.summary.total_tools, row.summary.read_only_tools, row.summary.write_tools) == (1, 0, 0)


def test_one_override_that_loosens_several_fields_is_one_finding(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool(capability="{writes: true, unsafe: true}"),
            **skill("s", "tools:\n  - name: local/t\n    override: {writes: false, unsafe: false}\n"),
        }
    )
    found = one(catalogue)
    assert "`writes: false`" in found.message
    assert "`unsafe: false`" in found.message


def test_the_override_list_form_of_an_include_means_the_same(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool(),
            **skill("c", "tools: [local/t]\n"),
            **skill(
                "parent",
                "includes:\n  - name: local/c\n    tool_overrides:\n      - tool: local/t\n"
                "        override: {capability: {human_approval_required: true}}\n",
            ),
        }
    )
    assert record(catalogue, "local/parent").capability.human_approval_required is True
    assert record(catalogue, "local/c").capability.human_approval_required is None
