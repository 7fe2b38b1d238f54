"""Models to text: exact widths, safe characters, states in words as well as in colour."""

from __future__ import annotations

import pytest
from fakes import row, story, tool
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from core.diagnostics import Diagnostic, Fix, Place, Related, Severity
from core.model import FlagProvenance, Origin, ToolStatus
from core.registry.skills import Registered, RegistryStatus
from core.resolve.views import WhyTool
from core.runtime.call import ExecutionIdentity
from core.text import safe_text
from core.workspace.registering import Standing
from explorer.messages import OpenActor
from explorer.presenters.approval import approval_page
from explorer.presenters.flags import skill_letters, tool_letters
from explorer.presenters.header import header_line, loading
from explorer.presenters.layout import fit, keep_end, two_sides, wrap
from explorer.presenters.page import Page
from explorer.presenters.problem import problem_row, problem_text
from explorer.presenters.skill_page import problems_part, skill_page
from explorer.presenters.source import source_rows
from explorer.presenters.tool_page import flag_lines, origin_text, tool_page, value_text
from explorer.presenters.why_page import why_page
from explorer.services.source_text import file_text

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Cf", "Zl", "Zp")), max_size=80)


def plain(page: Page) -> str:
    return "\n".join(line.content.plain for line in page.lines)


@given(TEXTS, st.integers(1, 60))
def test_fitted_text_has_exactly_the_width(text: str, width: int) -> None:
    assert fit(Content(text), width).cell_length == width
    assert keep_end(Content(text), width).cell_length == width


@given(TEXTS, TEXTS, st.integers(1, 60))
def test_two_sides_fill_the_row_and_the_right_one_is_kept(left: str, right: str, width: int) -> None:
    line = two_sides(Content(left), Content(right), width)
    assert line.cell_length == width
    if Content(right).cell_length < width:
        assert line.plain.endswith(right)


@given(TEXTS, st.integers(20, 60))
def test_wrapped_lines_fit(text: str, width: int) -> None:
    assert all(line.cell_length <= width for line in wrap(Content(text), width, indent=4))


@given(st.text(max_size=200), st.integers(20, 100))
def test_a_page_shows_any_text_safely_and_within_its_width(text: str, width: int) -> None:
    page = Page(width)
    page.paragraph(text)
    shown = [line.content.plain for line in page.lines]
    assert all(safe_text(line) == line and "\n" not in line for line in shown)


@pytest.mark.parametrize(
    ("flags", "letters"),
    [
        ({"read_only": True}, "R  "),
        ({"writes": True}, "W  "),
        ({"writes": True, "human_approval_required": True, "checkpointable": True}, "WAC"),
        ({"writes": True, "unsafe": True}, "WA "),
        ({}, "?  "),
    ],
)
def test_a_tools_letters_say_what_the_gate_takes_it_for(flags: dict[str, bool], letters: str) -> None:
    assert tool_letters(tool("x/y", **flags)) == letters


def test_an_undiscovered_tool_is_not_known() -> None:
    record = tool("x/y", read_only=True).model_copy(update={"status": "undiscovered"})
    assert tool_letters(record) == "?  "


def test_a_skill_with_an_undiscovered_server_never_reads_as_read_only() -> None:
    reader = tool("x/y", read_only=True)
    assert skill_letters(row("a/b", [reader])) == "R  "
    assert skill_letters(row("a/b", [reader], undiscovered_servers=("time",))) == "?  "
    assert skill_letters(row("a/b", [tool("x/y", writes=True)], undiscovered_servers=("time",))) == "W? "


def test_a_skill_without_tools_has_nothing_that_is_not_known() -> None:
    assert skill_letters(row("a/b", [])).strip() == ""
    assert skill_letters(row("a/b", [], undiscovered_servers=("time",))) == "?  "


def test_the_header_keeps_the_counts_of_problems_where_room_is_short() -> None:
    counts = story().counts
    assert "4 skills · 41 tools" in header_line("ws", counts, None, "watching", 100).plain
    assert "4 skills · 41 tools · 1 unreadable" in header_line("ws", counts, None, "", 100, 1).plain
    short = header_line("ws", counts, None, "watching", 44).plain
    assert "✗ 0" in short
    assert "skills" not in short
    assert "the folder is gone" in header_line("ws", counts, None, "gone", 60).plain


def test_loading_says_how_many_of_how_many() -> None:
    assert "1,200 of 3,000 files" in loading(1200, 3000).plain
    assert "looking for files" in loading(0, 0).plain


def test_the_page_of_a_skill_leads_to_what_it_names() -> None:
    page = skill_page(story(), "local/release-desk", [], 80)  # type: ignore[arg-type]
    assert "What local/release-desk is for." in plain(page)
    targets = [line.leads_to for line in page.lines if line.leads_to]
    assert {type(target).__name__ for target in targets} == {"OpenPlace", "OpenSkill", "OpenActor"}


def test_the_page_of_a_skill_that_is_gone_says_so() -> None:
    assert "No file defines the skill a/b" in plain(skill_page(story(), "a/b", [], 80))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("status", "reason", "said"),
    [
        ("current", None, "✓ 2026-12-01 02:00 · current"),
        ("stale", "MCP server `x` was not asked", "? 2026-12-01 02:00 · stale: MCP server `x` was not asked"),
        ("gone", "no file defines it any longer", "▲ 2026-12-01 02:00 · gone: no file defines it any longer"),
    ],
)
def test_the_page_of_a_registered_skill_says_how_its_entry_stands(status: str, reason: str | None, said: str) -> None:
    entry = Registered("a/b", "2026-12-01T02:00:44+00:00", None, 3, "d" * 64)
    standing = Standing(entry, RegistryStatus(status), reason=reason)
    for name in ("a/b", "local/release-desk"):
        assert said in plain(skill_page(story(), name, [], 100, standing))  # type: ignore[arg-type]


def test_the_page_of_a_tool_shows_inputs_and_where_flags_come_from() -> None:
    page = tool_page("local/a", tool("x/y", writes=True), ("local/bot",), 80)
    text = plain(page)
    assert "path required  string" in text
    assert OpenActor("local/bot") in [line.leads_to for line in page.lines]
    assert "writes" in text
    assert "tools/a.yaml:3" in text


def test_the_page_of_a_servers_tool_shows_the_limit_of_each_answer_and_of_the_whole() -> None:
    text = plain(tool_page("local/a", tool("x/y", "mcp:x"), (), 100))
    assert "300 s for each answer, 3,000 s in all while it reports progress" in text
    assert "for each answer" not in plain(tool_page("local/a", tool("x/y"), (), 100))


def test_a_tool_that_changed_is_no_tool_that_cannot_run() -> None:
    said = tool("x/y").model_copy(update={"problem": "changed since it was approved"})
    broken = said.model_copy(update={"status": ToolStatus.UNAVAILABLE})
    assert "▲ beware" in plain(tool_page("local/a", said, (), 80))
    assert "cannot run" in plain(tool_page("local/a", broken, (), 80))


@pytest.mark.parametrize(
    ("origin", "said"),
    [
        ("assumed", "? assumed"),
        ("declared", "declared"),
        ("annotated", "annotated"),
        ("overridden", "* overridden, was no"),
    ],
)
def test_an_origin_is_said_in_words(origin: str, said: str) -> None:
    replaced = False if origin == "overridden" else None
    assert said in origin_text(FlagProvenance(value=True, origin=Origin(origin), replaced=replaced)).plain


@pytest.mark.parametrize(
    ("value", "said"), [(None, "–"), (True, "yes"), (False, "no"), (["a", "b"], "a, b"), ([], "none")]
)
def test_values_are_said_in_words(value: object, said: str) -> None:
    assert value_text(value) == said


def test_why_shows_the_ways_shortest_first_and_counts_the_rest() -> None:
    said, unsaid = (FlagProvenance(value=value, origin=Origin("declared")) for value in (True, None))
    why = WhyTool("a/b", "x/y", (("a/b",), ("a/b", "c/d")), 5, {"cost": unsaid, "reads": said, "unsafe": unsaid})
    text = plain(why_page(why, 80))
    assert text.index("a/b\n") < text.index("a/b ▸ c/d")
    assert "and 3 more" in text
    assert text.count("nothing is said") == 1
    assert "cost, unsafe: nothing is said" in text


def test_the_flags_of_a_page_stand_in_columns_also_where_a_value_is_long() -> None:
    page = Page(80)
    values = {"reads": True, "write_scope": ["VERSION"], "checkpoint_scope": "file"}
    flag_lines(page, {flag: FlagProvenance(value=v, origin=Origin("declared")) for flag, v in values.items()})
    assert len({line.content.plain.index("declared") for line in page.lines}) == 1


def test_the_page_of_an_approval_names_a_place_only_where_a_file_defines_what_runs() -> None:
    custom = ExecutionIdentity("d" * 64, "custom", "tool local/t", "tools/t.yaml", 3, ())
    shell = ExecutionIdentity("d" * 64, "shell", "`builtin/shell_execute`", None, None, ())
    assert "tools/t.yaml:3" in plain(approval_page(custom, 60))
    said = plain(approval_page(shell, 60))
    assert ("defined in" in said, "None" in said) == (False, False)


def test_all_lines_of_a_wrapped_problem_on_a_page_are_in_the_colour_of_what_can_be_opened() -> None:
    page = Page(60)
    problems_part(page, [Diagnostic("a/b", Severity.ERROR, "many words " * 20, Place("a.yaml", 1), hint=None)])
    lines = [line.content for line in page.lines if "words" in line.content.plain]
    assert len(lines) > 2
    assert all(any(span.style == "$accent" for span in line.spans) for line in lines)


def finding(**more: object) -> Diagnostic:
    values: dict[str, object] = {"place": Place("skills/a.yaml", 2, 3, 2, 6), "hint": "do that", **more}
    return Diagnostic("include/missing", Severity.ERROR, "`x/y` is not there", **values)  # type: ignore[arg-type]


def test_a_problem_names_mark_place_sentence_and_code() -> None:
    line = problem_row(finding(), 120, 40).plain
    assert line.startswith(" ✗ skills/a.yaml:2:3")
    assert "`x/y` is not there" in line
    assert line.endswith("include/missing ")


@given(st.text(), st.integers(-3, 20))
def test_a_text_that_keeps_its_end_has_the_width_also_where_there_is_none(text: str, width: int) -> None:
    assert keep_end(Content(safe_text(text)), width).cell_length == max(0, width)


def test_a_long_place_keeps_its_end() -> None:
    long = finding(place=Place("very/long/" * 9 + "name.yaml", 14, 2))
    assert "name.yaml:14:2" in problem_row(long, 60, 99).plain


def test_the_whole_problem_has_remedy_other_places_and_fix() -> None:
    more = {"related": (Related(Place("skills/b.yaml", 9), "first said here"),), "fix": Fix("Write x/z", ())}
    shown = finding(**more)
    text = "\n".join(line.plain for line in problem_text(shown, shown.fix, 80))
    assert [word in text for word in ("→ do that", "skills/b.yaml:9", "first said here", "f Write x/z")] == [True] * 4


def test_findings_stand_below_their_line_and_underline_their_range() -> None:
    file = file_text("skills/a.yaml", "name: a/b\n\t- x/y\nend: 1\n")
    rows = source_rows(file, None, [finding()], 60)
    assert [(row.line, row.is_finding) for row in rows] == [(1, False), (2, False), (2, True), (3, False)]
    underlined = [
        row.content.plain[s.start : s.end] for row in rows for s in row.content.spans if "underline" in str(s.style)
    ]
    assert underlined == [" x/"]


def test_a_finding_beyond_the_end_stands_at_the_last_line() -> None:
    rows = source_rows(file_text("a.yaml", "one"), None, [finding(place=Place("a.yaml", 9))], 60)
    assert [(row.line, row.is_finding) for row in rows] == [(1, False), (1, True)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_diagnostics_count_them(end: str) -> None:
    assert file_text("a.yaml", end.join(["a", "", "b"])).raw == ("a", "", "b")
