"""Words of the screen: short, whole, said once."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from textual.content import Content

from core.diagnostics import Diagnostic, Fix, Place, Severity
from core.model.record import FlagProvenance
from core.registry.approvals import Approval
from explorer.presenters.approvals import approval_row, columns_of
from explorer.presenters.layout import within
from explorer.presenters.problem import problem_text
from explorer.presenters.tool_page import origin_text
from explorer.services.forms.schema import Schemas
from explorer.services.forms.spec import spec_of
from explorer.services.forms.words import demands


def test_an_override_that_changes_nothing_says_so() -> None:
    same = FlagProvenance(value=True, origin="overridden", replaced=True)
    other = FlagProvenance(value=True, origin="overridden", replaced=False)
    assert origin_text(same).plain.endswith("overridden, to the same value")
    assert origin_text(other).plain.endswith("overridden, was no")


@pytest.mark.parametrize(
    ("message", "hint", "told"),
    [
        ("The value `a: b` has a colon; put it in quotes.", "put the value in quotes", False),
        (
            "`a/b` has both `read_only` and `writes`; delete the one that is wrong.",
            "delete `read_only` or `writes`",
            False,
        ),
        ("`a/b` is not there.", "write a/c", True),
    ],
)
def test_a_remedy_that_the_sentence_names_is_not_told_again(message: str, hint: str, told: bool) -> None:
    found = Diagnostic("include/missing", Severity.ERROR, message, Place("a.yaml"), hint=hint)
    lines = [line.plain for line in problem_text(found, Fix("do it", ()), 120)]
    assert lines == [message, *([f"→ {hint}"] if told else []), "f do it"]


def approval() -> Approval:
    details = (("runs", "python3"),)
    return Approval(
        "0" * 64,
        "custom",
        "tool local/changelog-reader",
        "/ws",
        "t.yaml",
        3,
        details,
        None,
        "2026-11-30T22:21:53+00:00",
    )


@pytest.mark.parametrize("runs", [False, True])
def test_a_row_of_the_approvals_is_whole_in_a_dialog_on_eighty_columns(runs: bool) -> None:
    narrow, wide = (approval_row(approval(), width, columns_of([approval()]), runs=runs).plain for width in (68, 108))
    assert "tool local/changelog-reader" in narrow
    assert "2026-11-30" in narrow
    assert "…" not in narrow
    assert "t.yaml:3" in wide
    assert "22:21" in wide


def test_the_rows_of_the_approvals_stand_in_columns_at_every_width() -> None:
    short, long = replace(approval(), kind="mcp-stdio", title="x", path=None), approval()
    for width, columns in itertools.product((50, 68, 84, 108, 160), [columns_of([short, long])]):
        one, other = (approval_row(found, width, columns, runs=False).plain for found in (short, long))
        assert (len(one), len(other)) == (width, width)
        assert one.index(" x ") == other.index(" tool ")
        assert one.index("2026-") == other.index("2026-")
        assert width < 84 or one.index("built in") == other.index("t.yaml:3")


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "object"}, "object, names of your own"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "object, names of your own, each integer"),
        ({"type": "object", "additionalProperties": False}, "object"),
        ({"type": "object", "properties": {"a": {}}}, "object"),
    ],
)
def test_an_object_of_free_entries_says_that_their_names_are_free(schema: dict[str, object], says: str) -> None:
    schemas = Schemas(schema)
    assert demands(schemas, spec_of(schemas, schema)) == says


def test_a_text_that_is_longer_than_its_room_ends_with_an_ellipsis() -> None:
    text = Content("one two three four five six")
    assert within(text, 10, 2).plain == "one two\nthree fou…"
    assert within(text, 40, 1).plain == text.plain
    assert all(len(line) <= 10 for line in within(text, 10, 2).plain.split("\n"))
