"""What is bounded: memory held for touched tools, meetings looked at, and that the answers stay the same."""

from __future__ import annotations

import pytest
from resolve_builder import Builder

from core.language.declarations import Declarations
from core.resolve.bits import bits_of, numbers_of
from core.resolve.catalogue import Catalogue
from core.resolve.flatten import ToolSet


def lattice(layers: int, tools: int) -> Declarations:
    """Return layers of two skills; each includes both of the next, one of them with an override."""
    builder = Builder()
    names = [f"local/t{n}" for n in range(tools)]
    for name in names:
        builder.tool(name, read_only=True)
    for layer in range(layers):
        for side in range(2):
            below = [f"local/l{layer + 1}-{other}" for other in range(2)] if layer < layers - 1 else []
            laid = {names[layer % tools]: {"unsafe": True}} if side else {names[0]: {"timeout": layer + 1}}
            includes = [(below[0], laid), below[1]] if below else []
            own = {names[-1]: {"human_approval_required": True}} if layer == 2 and side else None
            builder.skill(f"local/l{layer}-{side}", [] if below else names, includes, own)
    return builder.declarations


def answers(declarations: Declarations) -> list[object]:
    catalogue = Catalogue(declarations)
    rows = [(row.name, row.summary) for row in catalogue.skills()]
    records = [record.as_dict() for row in rows for record in catalogue.flatten(row[0]).records]
    return [rows, records, catalogue.diagnostics()]


def test_what_is_too_much_to_hold_is_worked_out_again_with_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    declarations = lattice(8, 5)
    held = answers(declarations)
    monkeypatch.setattr("core.resolve.atoms.MOST_HELD_BITS", 0)
    assert answers(declarations) == held


def test_forgetting_joins_and_carriers_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    declarations = lattice(8, 5)
    kept = answers(declarations)
    monkeypatch.setattr("core.resolve.atoms._MOST_REMEMBERED", 0)
    monkeypatch.setattr("core.resolve.atoms._MOST_CARRIERS", 1)
    assert answers(declarations) == kept


def test_looking_at_meetings_ends_with_a_word_about_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.resolve.divergence.MOST_LOOKED_AT", 1)
    found = [d for d in Catalogue(lattice(6, 5)).diagnostics() if d.code == "tool/override-divergence"]
    ended = [d for d in found if d.severity == "info"]
    assert len(ended) == 1
    assert "were not" in ended[0].message


def test_an_actor_s_texts_are_those_of_its_first_skill() -> None:
    builder = Builder()
    builder.tool("local/t", read_only=True)
    builder.skill("local/base", ["local/t"])
    builder.skill("local/a", [], ["local/base"])
    builder.skill("local/b", [], ["local/base"], {"local/t": {"description": "renamed", "checkpoint_scope": "x"}})
    for skills, expected in ((["local/a", "local/b"], "about local/t"), (["local/b", "local/a"], "renamed")):
        builder.declarations.actors = [builder.actor("local/bot", skills)]
        (found,) = Catalogue(builder.declarations).actor("local/bot").records
        assert found.description == expected
        assert found.capability.checkpoint_scope == "x"


def test_only_records_that_are_looked_at_are_made() -> None:
    builder = Builder()
    names = [f"local/t{n}" for n in range(2_000)]
    for name in names:
        builder.tool(name, read_only=True)
    builder.skill("local/all", names)
    catalogue = Catalogue(builder.declarations)
    records = catalogue.flatten("local/all").records
    assert isinstance(records, ToolSet)
    assert (len(records), records.names[-1], records.find("local/t1999")) == (2_000, "local/t1999", 1_999)
    assert records.made == 0
    assert records[7].name == "local/t7"
    assert records.made == 1


@pytest.mark.parametrize("numbers", [[], [0], [3, 70, 71], list(range(0, 900, 3)), list(range(200))])
def test_bits_and_numbers_are_the_same_set(numbers: list[int]) -> None:
    assert numbers_of(bits_of(numbers)) == numbers
