"""One table of commands: what it promises, the classes that stand for its places do."""

from __future__ import annotations

from collections import Counter

import pytest

from explorer.app import ExplorerApp
from explorer.commands import BY_ID, COMMANDS, Command, Where, bindings
from explorer.presenters.keys import KeyHint, key_bar, key_name
from explorer.screens.confirm import ConfirmScreen
from explorer.screens.main import MainScreen
from explorer.screens.page import PageScreen
from explorer.widgets.filter_input import FilterInput
from explorer.widgets.row_list import RowList
from explorer.widgets.skill_tree import SkillTree
from explorer.widgets.source_view import SourceView

PLACES = {
    Where.MAIN: MainScreen,
    Where.APP: ExplorerApp,
    Where.LIST: RowList,
    Where.TREE: SkillTree,
    Where.FILTER: FilterInput,
    Where.SOURCE: SourceView,
    Where.DIALOG: PageScreen,
    Where.CONFIRM: ConfirmScreen,
}
OWN = [command for command in COMMANDS if command.where in PLACES]


def test_every_command_has_an_id_of_its_own() -> None:
    assert len(BY_ID) == len(COMMANDS)


BY_STATE = {"try.cancel", "try.back", "head.fold", "head.unfold", "add.item", "add.more", "add.entry"}
"""Commands that share a key and are never possible at the same time."""


@pytest.mark.parametrize("where", list(Where))
def test_no_key_means_two_things_in_one_place(where: Where) -> None:
    keys = Counter(key for c in COMMANDS if c.where is where and c.id not in BY_STATE for key in c.keys.split(","))
    assert [key for key, count in keys.items() if count > 1] == []


@pytest.mark.parametrize("command", OWN, ids=lambda c: c.id)
def test_the_class_of_a_place_carries_out_its_commands(command: Command) -> None:
    action = command.action.split("(")[0]
    assert callable(getattr(PLACES[command.where], f"action_{action}", None))


def test_a_binding_carries_the_id_that_settings_remap() -> None:
    assert {binding.id for binding in bindings(Where.TREE)} == {c.id for c in COMMANDS if c.where is Where.TREE}


def test_a_number_at_the_end_of_an_id_is_the_argument_of_its_action() -> None:
    assert BY_ID["show-tab-3"].action == "show_tab(3)"
    assert BY_ID["list.page-up"].action == "list_page_up"


@pytest.mark.parametrize(("key", "name"), [("slash", "/"), ("question_mark", "?"), ("ctrl+p", "ctrl+p"), ("up", "↑")])
def test_keys_are_written_as_people_read_them(key: str, name: str) -> None:
    assert key_name(key) == name


def test_the_line_of_keys_drops_what_does_not_fit_but_never_help_and_quit() -> None:
    hints = [KeyHint(str(n), f"Command {n}", "x") for n in range(9)]
    hints += [KeyHint("question_mark", "Help", "help", True), KeyHint("q", "Quit", "quit", True)]
    line, places = key_bar(hints, 60)
    assert line.plain.rstrip().endswith("q Quit")
    assert "? Help" in line.plain
    assert line.cell_length <= 60
    assert [line.plain[start:end].strip() for start, end, _ in places][-1] == "q Quit"


def test_every_command_is_explained_in_one_sentence() -> None:
    assert [c.id for c in COMMANDS if not c.help.endswith(".") or not c.label] == []
