"""Every key of the screen in one table: the source of bindings, footer, help, palette and the README's list.

A row says where its key works. ``action_<id>`` (dashes as underscores) of the widget or screen that stands for
that place does the work; ``bindings(where)`` gives that class its ``BINDINGS``. The id is what a user's settings
remap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from textual.binding import Binding, BindingType


class Where(StrEnum):
    """The place a command belongs to; help shows its commands under this heading."""

    MAIN = "Everywhere"
    APP = "Always"
    LIST = "In lists"
    TREE = "In the tree"
    FILTER = "In the filter"
    MATRIX = "In Tools"
    GRAPH = "In the graph"
    SOURCE = "In Source"
    TRY = "In Try"
    FORM = "In the form"
    FIELD = "In a field that is chosen, not typed"
    BOXES = "In a list of boxes"
    HEAD = "On a heading of the form"
    ADD = "Where something is added"
    RESULT = "In a result"
    HISTORY = "In History"
    PROBLEMS = "In Problems"
    DIALOG = "In dialogs"
    CONFIRM = "Before something runs"
    APPROVALS = "In Approvals"


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
        """The Textual action; a number at the end of the id is its argument."""
        name, _, number = self.id.rpartition("-")
        action = (name if number.isdigit() else self.id).replace(".", "_").replace("-", "_")
        return f"{action}({number})" if number.isdigit() else action

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
    yield Command(
        "show-why", "w", "Why", "Say why the selected tool is here and where its flags come from.", where, True, True
    )
    yield Command("show-problems", "p", "Problems", "Go to the list of problems; there, close it.", where, True, True)
    yield Command("edit-file", "e", "Editor", "Open the file at the selected place in your editor.", where, True, True)
    yield Command(
        "fix-problem", "f", "Fix", "Show the mechanical fix of the selected problem, then apply it.", where, True, True
    )
    yield Command("filter", "slash", "Filter", "Filter skills and tools as you type.", where, True, True)
    yield Command("next-problem", "n", "Next problem", "Go to the next problem's place.", where, palette=True)
    yield Command(
        "previous-problem", "N", "Previous problem", "Go to the previous problem's place.", where, palette=True
    )
    yield Command("discover", "d", "Discover", "Ask the MCP servers of this skill for their tools.", where, True, True)
    yield Command(
        "show-approvals", "A", "Approvals", "List what is approved here, and take approvals back.", where, True, True
    )
    yield Command("refresh", "r", "Refresh", "Read the workspace again.", where, palette=True)
    yield Command("copy", "y", "Copy", "Copy what is selected: a name, a place or a value.", where, palette=True)
    yield Command(
        "save-copy", "Y", "Save copy", "Save what was copied last to a file in the state folder.", where, palette=True
    )
    yield Command("show-tab-1", "1", "Overview", "Show the Overview tab.", where, palette=True)
    yield Command("show-tab-2", "2", "Tools", "Show the Tools tab.", where, palette=True)
    yield Command("show-tab-3", "3", "Graph", "Show the Graph tab.", where, palette=True)
    yield Command("show-tab-4", "4", "Source", "Show the Source tab.", where, palette=True)
    yield Command("show-tab-5", "5", "Try", "Show the Try tab.", where, palette=True)
    yield Command("show-tab-6", "6", "History", "Show the History tab.", where, palette=True)
    yield Command("next-area", "tab", "Next area", "Move to the next area.", where)
    yield Command("previous-area", "shift+tab", "Previous area", "Move to the previous area.", where)
    yield Command("back", "escape", "Back", "Stop what is loading, or go back to the tree.", where)


def _always() -> Iterator[Command]:
    where = Where.APP
    yield Command("command-palette", "ctrl+p", "Palette", "Find an action, a skill or a tool by name.", where, True)
    yield Command(
        "switch-theme", "ctrl+t", "Theme", "Switch between the dark and the light theme.", where, palette=True
    )
    yield Command("help", "question_mark,f1", "Help", "Show the keys that work here.", where, True, True)
    yield Command("suspend", "ctrl+z", "Suspend", "Go to the shell for a while; `fg` comes back.", where)
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
    yield Command("filter.leave", "enter,down", "To the hits", "Go to the first hit.", Where.FILTER, True)
    yield Command("filter.clear", "escape", "Clear", "Clear it: show everything again.", Where.FILTER, True)
    yield Command("tree.expand", "right", "Unfold", "Unfold the row, or go to its first child.", Where.TREE)
    yield Command("tree.collapse", "left", "Fold", "Fold the row, or go to its parent.", Where.TREE)
    yield Command("tree.toggle", "space", "Fold or unfold", "Fold or unfold the row.", Where.TREE)
    yield Command("source.left", "left", "Left", "Scroll to the left.", Where.SOURCE)
    yield Command("source.right", "right", "Right", "Scroll to the right.", Where.SOURCE)
    yield Command(
        "source.view", "v", "Raw / rendered", "Show a SKILL.md as text or as it reads.", Where.SOURCE, True, True
    )
    yield Command("dialog.close", "escape", "Close", "Close without doing anything.", Where.DIALOG, True)
    yield Command("dialog.copy", "y", "Copy", "Copy the text of the dialog.", Where.DIALOG, True)
    yield Command("dialog.help", "question_mark,f1", "Help", "Show the keys that work here.", Where.DIALOG, True)
    yield Command("confirm.next", "right,down", "Next answer", "Go to the next answer.", Where.CONFIRM, True)
    yield Command("confirm.previous", "left,up", "Previous answer", "Go to the answer before.", Where.CONFIRM)
    yield Command("confirm.more", "pagedown", "More", "Show more of what would happen.", Where.CONFIRM, True)
    yield Command("confirm.less", "pageup", "Less", "Go back in what would happen.", Where.CONFIRM)
    yield Command("confirm.end", "end", "End", "Go to the end of what would happen.", Where.CONFIRM)
    yield Command(
        "confirm.toggle", "space", "Leave out", "Leave one of several out, or take it in.", Where.CONFIRM, True
    )


def _matrix() -> Iterator[Command]:
    where = Where.MATRIX
    yield Command("matrix.left", "left", "Left", "Move one column to the left.", where)
    yield Command("matrix.right", "right", "Right", "Move one column to the right.", where)
    yield Command(
        "matrix.filter", "slash", "Filter", "Filter the tools by words, writes:yes or source:mcp.", where, True
    )
    yield Command("matrix.sort", "s", "Sort", "Sort by this column; again for the other way round.", where, True)
    yield Command("matrix.only", "space", "Only these", "Keep the rows with this value in this column.", where, True)
    yield Command("matrix.all", "backspace", "All", "Show all rows again.", where)
    yield Command("matrix.place", "o", "Declared", "Open the file at the line that sets this value.", where, True)
    yield Command("matrix.copy", "y", "Copy", "Copy the tool's name.", where)
    yield Command("matrix.copy-table", "m", "Copy table", "Export the rows in sight: copy them as Markdown.", where)
    yield Command("matrix.copy-csv", "c", "CSV", "Export the rows in sight: copy them as CSV.", where, True)


def _graph() -> Iterator[Command]:
    where = Where.GRAPH
    yield Command("graph.up", "up,k", "Up", "Go to the skill above.", where)
    yield Command("graph.down", "down,j", "Down", "Go to the skill below.", where)
    yield Command("graph.left", "left,h", "Left", "Go to a skill that includes this one.", where)
    yield Command("graph.right", "right,l", "Right", "Go to a skill that this one includes.", where)
    yield Command(
        "graph.remove",
        "f",
        "Remove include",
        "Show what removing this include changes, then remove it.",
        where,
        True,
    )
    yield Command("graph.open", "enter", "Open", "Open the skill.", where, True)
    yield Command(
        "graph.radius", "z", "Reach", "Reach one step, two, all above and below, or the workspace.", where, True
    )
    yield Command("graph.focus", "space", "Centre", "Show the graph around this skill.", where, True)
    yield Command("graph.search", "slash", "Find", "Find a skill in the graph.", where, True)
    yield Command("graph.next", "n", "Next", "Go to the next skill found.", where)
    yield Command("graph.previous", "N", "Previous", "Go to the skill found before.", where)
    yield Command("graph.cycles", "c", "Cycles", "Go to the cycles, one include under the other, or back.", where, True)
    yield Command("graph.copy", "y", "Copy", "Copy the drawing as text.", where)


def _try() -> Iterator[Command]:
    where = Where.TRY
    yield Command("try.run", "ctrl+r,f5,ctrl+enter", "Run", "Run the tool with these arguments.", where, True)
    yield Command("try.cancel", "escape", "Cancel", "Stop the running call.", where, True)
    yield Command("try.back", "escape", "Form", "Go back from the result to the form.", where, True)
    yield Command("try.result", "f4", "Form / result", "Go to the result, or back to the form.", where, True)
    yield Command(
        "try.json", "f6", "JSON", "Go to the JSON that will be sent, or back to the form.", where, True, priority=True
    )
    yield Command("try.send", "ctrl+s", "Send as it is", "Run with arguments that the schema refuses.", where, True)
    yield Command("try.where", "ctrl+o", "Copy / real", "Run on a copy, or on the real workspace.", where)
    yield Command("try.reset", "ctrl+l", "Start over", "Clear the form.", where)
    yield Command("try.command", "ctrl+y", "Copy command", "Copy the command line that makes this call.", where)
    yield Command("try.next", "tab", "Next field", "Move to the next field.", where)
    yield Command("try.previous", "shift+tab", "Previous field", "Move to the previous field.", where)
    where = Where.FORM
    yield Command("form.up", "up", "Up", "Go to the field above.", where)
    yield Command("form.down", "down", "Down", "Go to the field below.", where)
    yield Command(
        "form.state", "ctrl+n", "Not set", "Go on to the next state: not set, default, empty, null.", where, True
    )
    yield Command("form.remove", "f8", "Remove", "Remove this item or entry.", where, True)
    yield Command("form.lines", "f7", "More lines", "Give the text more lines, or one.", where, True, priority=True)
    where = Where.FIELD
    yield Command("field.left", "left", "Before", "Go to the value before.", where)
    yield Command("field.right", "right", "Next", "Go to the next value.", where)
    yield Command("field.space", "space", "Next", "Go to the next value.", where)
    yield Command("field.enter", "enter", "Choose", "Choose from the whole list.", where, True)
    where = Where.BOXES
    yield Command("boxes.left", "left", "Before", "Go to the box before.", where)
    yield Command("boxes.right", "right", "Next", "Go to the next box.", where)
    yield Command("boxes.tick", "space,enter", "Tick", "Tick the box, or clear it.", where, True)
    where = Where.HEAD
    yield Command("head.unfold", "enter,right,space", "Unfold", "Show what is in it.", where, True)
    yield Command("head.fold", "enter,left,space", "Fold", "Hide what is in it.", where, True)
    where = Where.ADD
    yield Command("add.item", "enter,space", "Add", "Add an item to the list, and go to it.", where, True)
    yield Command("add.more", "enter,space", "More", "Show more of what is there.", where, True)
    yield Command("add.entry", "enter", "Add", "Add an entry of this name, and go to it.", where, True)


def _result() -> Iterator[Command]:
    where = Where.RESULT
    yield Command("result.output", "o", "Output", "Show what the tool returned.", where)
    yield Command("result.changes", "d", "Changes", "Show what the tool changed.", where)
    yield Command("result.log", "l", "Log", "Show what the tool printed.", where)
    yield Command("result.compare", "c", "Compare", "Compare with an earlier run.", where, True)
    yield Command("result.view", "v", "View", "Show the output as a tree, as text or as Markdown.", where, True)
    yield Command("result.find", "slash", "Find", "Find text in the output.", where, True)
    yield Command("result.next", "n", "Next", "Go to the next place found.", where)
    yield Command("result.previous", "N", "Previous", "Go to the place found before.", where)
    yield Command("result.copy", "y", "Copy", "Copy the selected value, raw.", where, True)
    yield Command("result.save", "s", "Save", "Save the output to a file in the state folder.", where, True)
    yield Command("result.apply", "a", "Apply", "Carry the changes over to the real workspace.", where, True)
    yield Command("result.unfold", "right", "Unfold", "Unfold the value.", where)
    yield Command("result.fold", "left", "Fold", "Fold the value, or go to the one it is in.", where)
    yield Command("result.more", "z", "Full size", "Give the result the whole pane, or share it again.", where, True)


def _history() -> Iterator[Command]:
    where = Where.HISTORY
    yield Command(
        "history.compare", "c", "Compare", "Compare with the marked run, else with the one before.", where, True
    )
    yield Command("history.mark", "space", "Mark", "Mark the run that others are compared with.", where, True)
    yield Command("history.copy", "y", "Copy command", "Copy the command line that makes this call.", where, True)


def _approvals() -> Iterator[Command]:
    where = Where.APPROVALS
    yield Command("approvals.revoke", "r,delete", "Revoke", "Take this approval back, after a yes.", where, True)
    yield Command(
        "approvals.revoke-all", "R", "Revoke all", "Take all of this workspace back, after a yes.", where, True
    )


_MOVES = {
    *("matrix.left", "matrix.right", "graph.up", "graph.down", "graph.left", "graph.right", "graph.open"),
    *("try.next", "try.previous", "form.up", "form.down", "result.fold", "result.unfold"),
    *("field.left", "field.right", "field.space", "field.enter", "boxes.left", "boxes.right", "boxes.tick"),
    *("head.fold", "head.unfold", "add.item", "add.more", "add.entry"),
}


def moves(command: Command) -> bool:
    """Whether the command does no more than move."""
    return command.where is Where.LIST or command.id in _MOVES


def _offered(commands: Iterable[Command]) -> Iterator[Command]:
    """Yield the commands of the panes; what does more than move is in the palette wherever it can run."""
    for command in commands:
        yield replace(command, palette=not moves(command))


COMMANDS: tuple[Command, ...] = (
    *_main(),
    *_always(),
    *_lists(),
    *_places(),
    *_offered((*_matrix(), *_graph(), *_try(), *_result(), *_history(), *_approvals())),
)
BY_ID: dict[str, Command] = {command.id: command for command in COMMANDS}


def bindings(*places: Where) -> list[BindingType]:
    """Return the bindings of the commands of ``places``, for a class's ``BINDINGS``."""
    return [command.binding() for command in COMMANDS if command.where in places]
