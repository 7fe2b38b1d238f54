"""What is said when a key of the command table has nothing to do where it is pressed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from explorer.commands import COMMANDS, Command, Where, moves
from explorer.presenters.keys import Keymap, key_name, with_bound

SILENT = {
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "tab", "shift+tab"),
    *("escape", "enter", "space", "backspace", "delete"),
}
"""Keys that move, leave or edit: pressed once too often they need no answer."""
OUTSIDE = (Where.MAIN, Where.APP)
NOT_NOW = "nothing to do here now."
REASONS: Mapping[str, str] = {
    "suspend": "this terminal has no shell to go back to.",
    "dialog.copy": "there is no text to copy here.",
    "source.view": "only a SKILL.md can be shown as it reads.",
    "matrix.filter": "there are no tools to filter.",
    "graph.radius": "this is the graph of the whole workspace; {graph.focus} centres it on a skill.",
    "graph.cycles": "no skills here include each other.",
    "graph.remove": "first choose an include of a cycle; {graph.cycles} goes to the cycles.",
    "graph.search": "nothing is drawn.",
    "graph.copy": "nothing is drawn.",
    "try.run": "a call is running; {try.cancel} stops it.",
    "try.send": "nothing is wrong with the arguments; {try.run} runs the tool.",
    "try.result": "there is no result yet; {try.run} runs the tool.",
    "try.json": "the result has the whole pane; {try.result} goes back to the form.",
    "try.where": "this tool always runs in one place; the line at the top says where.",
    "form.state": "this field has no other state.",
    "form.remove": "nothing is set here.",
    "form.lines": "only a field of text can have several lines.",
    "result.output": "the call is still running.",
    "result.changes": "the call is still running.",
    "result.save": "the call is still running.",
    "result.view": "only the output can be shown in several ways; {result.output} goes to it.",
    "result.compare": "there is no earlier run to compare with.",
    "result.apply": "there are no changes to carry over.",
    "history.compare": "there is no earlier call of this tool; {history.mark} marks another one.",
    "history.mark": "there is no call.",
    "history.copy": "there is no call.",
    "approvals.revoke": "nothing is approved.",
    "approvals.revoke-all": "nothing is approved.",
}


def commands_of(key: str, keymap: Keymap) -> list[Command]:
    """Return the commands that ``key`` stands for somewhere, but for those that only move."""
    if key in SILENT:
        return []
    bound = ((c, (keymap.get(c.id) or c.keys).split(",")) for c in COMMANDS if not moves(c))
    return [command for command, keys in bound if key in map(str.strip, keys)]


def idle_key(key: str, found: list[Command], here: Collection[str], keymap: Keymap, *, dialog: bool) -> str:
    """Return why ``key`` does nothing, or where it does something.

    ``found`` are the commands that it stands for, ``here`` the ids of those that belong to the focused place, the
    nearest first; ``dialog`` says that nothing else can be reached before a dialog is closed.
    """
    near = next((command for name in here for command in found if command.id == name), None)
    if near is not None:
        said = with_bound(keymap, REASONS.get(near.id, NOT_NOW))
        return f"{key_name(key)} {near.label}: {said}"
    if dialog:
        return with_bound(keymap, f"{key_name(key)} does nothing in this dialog; {{dialog.close}} closes it.")
    places = list(dict.fromkeys(command.where.value for command in found))
    names = [f"{name[0].lower()}{name[1:]}" for name in places]
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    does = f": {found[0].help}" if len(found) == 1 else "."
    return f"{key_name(key)} works {listed}{does}"
