"""Every key of the screen in one table: the source of bindings, footer, help, palette and the README's list.

A row says where its key works. ``action_<id>`` (dashes as underscores) of the widget or screen that stands for
that place does the work; ``bindings(where)`` gives that class its ``BINDINGS``. The id is what a user's settings
remap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from textual.binding import Binding


class Where(StrEnum):
    """The place a command belongs to; help shows its commands under this heading."""

    MAIN = "Everywhere"
    LIST = "In lists"
    TREE = "In the tree"
    OVERVIEW = "In Overview"
    SOURCE = "In Source"
    PROBLEMS = "In Problems"
    DIALOG = "In dialogs"


@dataclass(frozen=True, slots=True)
class Command:
    """One thing the user can do. ``keys`` are Textual key names, first the one that is shown."""

    id: str
    keys: str
    label: str
    help: str
    where: Where
    show: bool = False
    palette: bool = False
    priority: bool = False

    @property
    def action(self) -> str:
        """The name of the Textual action."""
        return self.id.replace("-", "_").replace(".", "_")

    def binding(self) -> Binding:
        """Return the binding that runs the command; users remap it by its id."""
        return Binding(
            self.keys,
            self.action,
            self.label,
            show=self.show,
            id=self.id,
            tooltip=self.help,
            priority=self.priority,
        )


def _main() -> Iterator[Command]:
    where = Where.MAIN
    yield Command("try-tool", "t", "Try", "Open the form that runs the selected tool.", where, True, True)
    yield Command("show-graph", "g", "Graph", "Show the include graph around the selected skill.", where, True, True)
    yield Command("show-why", "w", "Why", "Say why the selected tool is here and where its flags come from.", where, True, True)
    yield Command("show-problems", "p", "Problems", "Open the list of problems, or close it.", where, True, True)
    yield Command("edit-file", "e", "Editor", "Open the file at the selected place in your editor.", where, True, True)
    yield Command("fix-problem", "f", "Fix", "Show the mechanical fix of the selected problem, then apply it.", where, True, True)
    yield Command("filter", "slash", "Filter", "Filter skills and tools as you type.", where, True, True)
    yield Command("next-problem", "n", "Next problem", "Go to the next problem's place.", where, palette=True)
    yield Command("previous-problem", "N", "Previous problem", "Go to the previous problem's place.", where, palette=True)
    yield Command("refresh", "r", "Refresh", "Read the workspace again.", where, palette=True)
    yield Command("copy", "y", "Copy", "Copy what is selected: a name, a place or a value.", where, palette=True)
    yield Command("show-tab-1", "1", "Overview", "Show the Overview tab.", where, palette=True)
    yield Command("show-tab-2", "2", "Tools", "Show the Tools tab.", where, palette=True)
    yield Command("show-tab-3", "3", "Graph", "Show the Graph tab.", where, palette=True)
    yield Command("show-tab-4", "4", "Source", "Show the Source tab.", where, palette=True)
    yield Command("show-tab-5", "5", "Try", "Show the Try tab.", where, palette=True)
    yield Command("next-area", "tab", "Next area", "Move to the next area.", where)
    yield Command("previous-area", "shift+tab", "Previous area", "Move to the previous area.", where)
    yield Command("back", "escape", "Back", "Stop what is loading, or go back to the tree.", where)
    yield Command("switch-theme", "ctrl+t", "Theme", "Switch between the dark and the light theme.", where, palette=True)
    yield Command("command-palette", "ctrl+p", "Palette", "Find an action, a skill or a tool by name.", where, True)
    yield Command("help", "question_mark,f1", "Help", "Show the keys that work here.", where, True, True)
    yield Command("quit", "q", "Quit", "Leave Skill Explorer.", where, True, True)
    yield Command("force-quit", "ctrl+q", "Quit", "Leave from anywhere, also while typing.", where, priority=True)


def _lists() -> Iterator[Command]:
    where = Where.LIST
    yield Command("list.up", "up,k", "Up", "Move one row up.", where)
    yield Command("list.down", "down,j", "Down", "Move one row down.", where)
    yield Command("list.page-up", "pageup", "Page up", "Move one page up.", where)
    yield Command("list.page-down", "pagedown", "Page down", "Move one page down.", where)
    yield Command("list.first", "home", "First", "Move to the first row.", where)
    yield Command("list.last", "end", "Last", "Move to the last row.", where)
    yield Command("list.open", "enter", "Open", "Open what the row stands for.", where, True)


def _places() -> Iterator[Command]:
    yield Command("tree.expand", "right", "Unfold", "Unfold the row, or go to its first child.", Where.TREE)
    yield Command("tree.collapse", "left", "Fold", "Fold the row, or go to its parent.", Where.TREE)
    yield Command("tree.toggle", "space", "Fold or unfold", "Fold or unfold the row.", Where.TREE)
    yield Command("source.left", "left", "Left", "Scroll to the left.", Where.SOURCE)
    yield Command("source.right", "right", "Right", "Scroll to the right.", Where.SOURCE)
    yield Command("source.view", "v", "Raw / rendered", "Show a SKILL.md as text or as it reads.", Where.SOURCE, True)
    yield Command("dialog.close", "escape", "Close", "Close without doing anything.", Where.DIALOG, True)
    yield Command("dialog.copy", "y", "Copy", "Copy the text of the dialog.", Where.DIALOG)


COMMANDS: tuple[Command, ...] = (*_main(), *_lists(), *_places())
BY_ID: dict[str, Command] = {command.id: command for command in COMMANDS}


def bindings(*places: Where) -> list[Binding]:
    """Return the bindings of the commands of ``places``, for a class's ``BINDINGS``."""
    return [command.binding() for command in COMMANDS if command.where in places]
