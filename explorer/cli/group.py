"""The table of commands; each module is imported when its command runs, so that ``--help`` stays quick."""

from __future__ import annotations

import os
from importlib import import_module

import click

from explorer import __version__

COMMANDS: dict[str, tuple[str, str]] = {
    "open": ("open", "Open the terminal interface on a workspace."),
    "check": ("check", "Validate everything; execute nothing."),
    "list": ("listing", "List the skills with counts and capabilities."),
    "show": ("show", "Show one skill with its flattened tools and where they come from."),
    "tools": ("tools", "Show the flattened tool table of a skill."),
    "why": ("why", "Say why a tool is in a skill and where each flag comes from."),
    "graph": ("graph", "Draw the include graph, cycles marked."),
    "invoke": ("invoke", "Call one tool and print its SkillResult."),
    "actor": ("actor", "Show the merged tool surface of an actor."),
    "register": ("register", "Enter skills in the registry, as they resolve now."),
    "registry": ("registry", "List, show, compare or remove what is registered."),
    "refresh": ("refresh", "Resolve registered skills anew and ask their MCP servers."),
    "trust": ("trust", "List what would run, approve it as it is now, or take approvals back."),
    "history": ("history", "List earlier calls, or make one of them again."),
    "schema": ("schema", "Print the JSON Schema of a kind of file, for editors."),
    "new": ("new", "Write a starting file for a skill, a tool or an actor."),
    "explain": ("explain", "Say what a diagnostic means, with a wrong and a right example."),
}


class LazyGroup(click.Group):
    """A group that knows its commands by table; a first word that is none of them is the path to open."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command ``cmd_name``."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"explorer.cli.{COMMANDS[cmd_name][0]}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table without importing a command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read ``skill-explorer [PATH]`` as ``skill-explorer open [PATH]``."""
        if not args or not (args[0] in COMMANDS or args[0] in ("--help", "-h", "--version")):
            _refuse_misspelt(args)
            args = ["open", *args]
        return super().parse_args(ctx, args)


def _refuse_misspelt(args: list[str]) -> None:
    """Raise for a first word that is neither a command nor anything that lies here."""
    word = args[0] if args else "-"
    if word.startswith("-") or os.sep in word or os.path.exists(word):
        return
    from core.text import nearest

    near = nearest(word, COMMANDS)
    hint = f"did you mean {near[0]!r}?" if near else "--help lists the commands"
    raise click.UsageError(f"{word!r} is no command and no folder here; {hint}")


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="skill-explorer", message="%(prog)s %(version)s")
def cli() -> None:
    """See, check and try skills: which include brought a tool in, why it counts as writing, what it returns.

    \b
    skill-explorer                     opens the current folder
    skill-explorer check . --format json
    skill-explorer why local/ops builtin/write_file
    """
