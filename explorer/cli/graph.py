"""``graph``: the include graph, whole or around one skill."""

from __future__ import annotations

import click

from core.protocol import SkillFailure
from explorer.cli.common import fail, format_option, load_workspace, workspace_options
from explorer.cli.output import emit_json, say, style


@click.command("graph")
@click.argument("skill", required=False)
@workspace_options
@format_option("mermaid", "dot")
def command(skill: str | None, workspace: str | None, state: str | None, form: str) -> int:
    """Draw the include graph; exit status 1 when it has cycles.

    Example: skill-explorer graph local/release-desk -w sample_workspace --format mermaid
    """
    from core.resolve.export import to_dot, to_mermaid, to_text

    found = load_workspace(workspace, state)
    try:
        graph = found.catalogue.graph(skill)
    except SkillFailure as failure:
        return fail(failure.error, form)
    if form == "json":
        emit_json(graph.as_dict())
    else:
        draw = {"text": to_text, "mermaid": to_mermaid, "dot": to_dot}[form]
        for line in draw(graph).splitlines():
            say(style(line))
    return 1 if graph.cycles else 0
