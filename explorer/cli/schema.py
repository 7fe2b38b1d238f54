"""``schema``: the JSON Schemas of the file format."""

from __future__ import annotations

import click

from explorer.cli.common import state_option
from explorer.cli.output import emit_json


@click.command("schema")
@click.argument("kind", type=click.Choice(["skill", "tool", "actor"]))
@state_option
@click.option("--format", "form", type=click.Choice(["json", "text"]), default="json", help="The same document.")
def command(kind: str, state: str | None, form: str) -> int:  # noqa: ARG001 - every command takes --state and --format
    """Print the JSON Schema of skill, tool or actor files, for editors.

    Example: skill-explorer schema skill > skill.schema.json
    """
    from core.model.file_schemas import file_schema

    emit_json(file_schema(kind))
    return 0
