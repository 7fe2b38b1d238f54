"""Handing over to the world outside the screen: the clipboard, the user's editor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from core.text import display
from explorer.services.matrix import suffix_of
from explorer.services.new_file import write_new
from explorer.widgets.hint import SAVES_IT, with_keys

if TYPE_CHECKING:
    from explorer.screens.areas import Areas


def copy(screen: Areas, text: str) -> None:
    """Copy ``text`` in its displayed form, and say what was sent to the terminal's clipboard."""
    if not text:
        screen.notify("There is nothing here to copy.", markup=False)
        return
    shown = display(text, 100_000, multiline=True)
    screen.app.copy_to_clipboard(shown)
    screen.notify(with_keys(screen, f"Copied: {display(shown, 60)}{SAVES_IT}"), markup=False)


def save_copy(screen: Areas, folder: Path) -> None:
    """Save what was copied last to a new file in ``folder``, for terminals that give a program no clipboard."""
    text = screen.app.clipboard
    if not text:
        screen.notify(with_keys(screen, "Nothing has been copied yet; {copy} copies."), markup=False)
        return
    try:
        path = write_new(text, folder, "copied", suffix_of(text))
    except OSError as error:
        said = display(f"It was not saved: {error.strerror or error}", 300)
        screen.notify(said, severity="error", markup=False)
        return
    screen.notify(display(f"Saved what was copied to {path}", 500), markup=False, timeout=10)


def edit(screen: Areas, root: Path, path: str, line: int) -> None:
    """Give the terminal to the user's editor, then read the workspace again."""
    from explorer.services.editor import NoEditor, editor_command
    from explorer.services.terminal import AskedToLeaveError

    try:
        command = editor_command(root, path, line)
        with screen.app.suspend():
            status = _run(command)
    except AskedToLeaveError:
        return  # the terminal stays as the editor left it: it may be gone, and then writing to it waits for ever
    except NoEditor as reason:
        screen.notify(display(str(reason), 300), severity="warning", markup=False)
        return
    except SuspendNotSupported:
        screen.notify("This terminal cannot be given to an editor.", severity="warning", markup=False)
        return
    if status:
        screen.notify(display(f"The editor ended with {status}.", 300), severity="warning", markup=False)
    screen.load()


def _run(command: list[str]) -> str:
    from explorer.services.terminal import run_in_front

    try:
        status = run_in_front(command)
    except OSError as error:
        return str(error)
    return f"status {status}" if status else ""
