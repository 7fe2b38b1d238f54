"""``new``: a starting file."""

from __future__ import annotations

from pathlib import Path

import click

from explorer.cli.common import format_option, workspace_options
from explorer.cli.output import emit_json, say, style


@click.command("new")
@click.argument("kind", type=click.Choice(["skill", "tool", "actor"]))
@click.argument("name")
@workspace_options
@format_option()
def command(kind: str, name: str, workspace: str | None, state: str | None, form: str) -> int:  # noqa: ARG001 - every command takes --state
    """Write a commented starting file that `check` accepts.

    Example: skill-explorer new tool local/greet
    """
    from core.workspace.starters import write_starter

    try:
        path = write_starter(Path(workspace or "."), kind, name)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    except FileExistsError as error:
        raise click.ClickException(f"{error.filename} is there already") from error
    except OSError as error:
        raise click.ClickException(f"cannot write the file: {error.strerror}") from error
    if form == "json":
        emit_json({"path": path})
    else:
        say(f"wrote {style(path)}")
    return 0
