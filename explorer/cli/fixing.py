"""``check --fix`` and ``check --diff``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

import click

from core.text import safe_text
from core.workspace.fixes import FileFix, FixPlan, plan_fixes, write_fixed
from explorer.cli.output import emit_json, say, style

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.workspace import Workspace
    from core.workspace.patches import Patch

ROUNDS = 50
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_LEFT_OUT = "# Not in the patch, as values below env and headers stand there, which are not shown; --fix does it:"
Choose = Callable[["Workspace"], "list[Diagnostic]"]


def show_diff(workspace: Workspace, choose: Choose, named: Collection[str], form: str) -> int:
    """Print what ``apply_fixes`` would change, as a patch for the workspace's folder; 1 when there is something."""
    _rounds(workspace, choose, named, lambda plan: _pretend(workspace, plan))
    patches = list(_patches(workspace))
    if form == "json":
        files = [{"path": path, "patch": patch.text, "left_out": patch.left_out} for path, patch in patches]
        emit_json({"workspace": str(workspace.root), "files": files})
        return 1 if patches else 0
    for _, patch in patches:
        comments = [_LEFT_OUT, *(f"# {line}" for line in patch.left_out.splitlines())] if patch.left_out else []
        _print(patch.text + "".join(f"{safe_text(line)}\n" for line in comments))
    return 1 if patches else 0


def apply_fixes(workspace: Workspace, choose: Choose, named: Collection[str]) -> None:
    """Apply the fixes of what ``choose`` chooses and reload, until nothing is left that a fix would change.

    Fixes that overlapped get their turn in the next round, and so does the next of several cycles.
    """
    _rounds(workspace, choose, named, lambda plan: _write(workspace, plan))


def _rounds(workspace: Workspace, choose: Choose, named: Collection[str], change: Callable[[FixPlan], bool]) -> None:
    for _ in range(ROUNDS):
        if not change(plan_fixes(choose(workspace), workspace.text_of, named)):
            return
        workspace.load()


def _pretend(workspace: Workspace, plan: FixPlan) -> bool:
    """Have the changed files read as if they were written; of two names of one file the first counts."""
    files = {workspace.edited.real(fixed.path): fixed.after for fixed in reversed(plan.files)}
    for path, text in files.items():
        workspace.edited.put(path, text)
    return bool(files)


def _patches(workspace: Workspace) -> Iterator[tuple[str, Patch]]:
    from core.language.reading import limit_of, read_file

    for path in workspace.edited.paths:
        stored = read_file(workspace.root, path, limit_of(path))
        after = workspace.edited.edited(path)
        if after is not None and after != stored.text:
            yield path, FileFix(path, stored.text, after).patch("\ufeff" if stored.bom else "")


def _print(patch: str) -> None:
    """Print a patch: byte for byte where a program reads it, safe and in colour on a terminal."""
    if not sys.stdout.isatty():
        click.echo(patch.encode("utf-8", "surrogateescape"), nl=False)
        return
    for line in patch.split("\n")[:-1]:
        say(style(line.removesuffix("\r"), _COLOURS.get(line[:1])))


def _write(workspace: Workspace, plan: FixPlan) -> bool:
    wrote = False
    for fixed in plan.files:
        try:
            written = write_fixed(workspace.root, fixed)
        except OSError as error:
            say(f"{style(fixed.path)} cannot be written: {style(error.strerror or type(error).__name__)}", err=True)
            continue
        wrote = wrote or written
        if written:
            say(f"fixed {style(fixed.path)}", err=True)
        else:
            say(f"{style(fixed.path)} has changed meanwhile: left alone", err=True)
    return wrote
