"""``open``: the terminal interface."""

from __future__ import annotations

from pathlib import Path

import click

from explorer.cli.common import chosen_path, path_argument


@click.command("open")
@path_argument
def command(path: str | None, workspace: str | None, state: str | None) -> int:
    """Open the terminal interface on a workspace.

    Example: skill-explorer open sample_workspace
    """
    from core.workspace.folder import WorkspaceUnreadable, readable_folder
    from explorer.app import run

    root = Path(chosen_path(path, workspace))
    try:
        readable_folder(root)
    except WorkspaceUnreadable as error:
        raise click.ClickException(str(error)) from error
    return run(root, state=Path(state) if state else None)
