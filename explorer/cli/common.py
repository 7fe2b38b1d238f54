"""What the commands share: options, opening a workspace, and ending with a SkillError."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from explorer.cli.output import emit_json, say, style

if TYPE_CHECKING:
    from core.protocol import SkillError
    from core.runtime.call import ExecutionIdentity
    from core.workspace import Workspace
    from core.workspace.registering import Registrations

F = TypeVar("F", bound=Callable[..., Any])


def format_option(*formats: str) -> Callable[[F], F]:
    """``--format``; text and json, plus what a command adds."""
    return click.option("--format", "form", type=click.Choice([*("text", "json"), *formats]), default="text")


def named(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """Return the path that is given; an empty one, as an unset variable leaves it, names no folder.

    Raises:
        click.BadParameter: it is empty.
    """
    if value is not None and not value.strip():
        raise click.BadParameter("an empty path names no folder; write . for the current one")
    return value


def workspace_options(function: F) -> F:
    """``-w PATH`` and ``--state DIR``, for commands that are given a skill or an actor."""
    help_text = "The workspace."
    option = click.option("-w", "--workspace", default=None, metavar="PATH", callback=named, help=help_text)
    return state_option(option(function))


def state_option(function: F) -> F:
    """``--state DIR``: where approvals, history and registry are kept instead of the user's state folder."""
    help_text = "Keep approvals, history and registry here."
    return click.option("--state", default=None, metavar="DIR", callback=named, help=help_text)(function)


def path_argument(function: F) -> F:
    """``[PATH]``, also as ``-w PATH``."""
    return click.argument("path", required=False, callback=named)(workspace_options(function))


def chosen_path(path: str | None, workspace: str | None) -> str:
    """Return the workspace meant by argument or option, else the current folder.

    Raises:
        click.UsageError: both are given and differ.
    """
    if path and workspace and path != workspace:
        raise click.UsageError("give the workspace once: as an argument or with -w")
    return path or workspace or "."


def load_workspace(path: str | None, state: str | None) -> Workspace:
    """Open and load a workspace.

    Raises:
        click.ClickException: it cannot be read; the program ends with status 2.
    """
    from core.workspace import Workspace, WorkspaceUnreadable

    try:
        workspace = Workspace(Path(path or "."), state=Path(state) if state else None)
        workspace.load()
    except WorkspaceUnreadable as error:
        raise click.ClickException(str(error)) from error
    return workspace


@contextmanager
def registry_of(workspace: Workspace) -> Iterator[Registrations]:
    """Yield the registry of a loaded workspace, which is closed afterwards.

    Raises:
        click.ClickException: the registry can't be used; the program ends with status 2.
    """
    from core.registry.database import Unusable

    try:
        yield workspace.registrations
        say_notices(workspace)
    except Unusable as error:
        raise click.ClickException(str(error)) from error
    finally:
        workspace.close()


def approve_and_say(identity: ExecutionIdentity) -> bool:
    """``--trust``: say yes to what this one run needs, and say on stderr what that is."""
    say(f"trusted for this run: {style(identity.kind)} {style(identity.title)} ({identity.digest[:12]})", err=True)
    return True


def say_notices(workspace: Workspace) -> None:
    """Say on stderr what of the state folder could not be used."""
    for notice in workspace.notices:
        say(style(notice, "yellow"), err=True)


def fail(error: SkillError, form: str) -> int:
    """Print ``error`` in the form asked for and return the exit status."""
    if form == "json":
        emit_json({"error": error.model_dump(mode="json")})
    else:
        from explorer.cli.text import error_lines

        for line in error_lines(error):
            say(line, err=True)
    return 1
