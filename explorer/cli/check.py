"""``check``: validate everything, execute nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from core.text import safe_text
from explorer.cli.common import chosen_path, format_option, load_workspace, path_argument
from explorer.cli.output import emit_json, say, style, width
from explorer.cli.text import MARKS

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.workspace import Workspace


@click.command("check")
@path_argument
@format_option("sarif", "github")
@click.option("--select", multiple=True, metavar="CODES", help="Only these codes or families, comma separated.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Not these codes or families, comma separated.")
@click.option("--fix", is_flag=True, help="Apply the mechanical fixes, then report what is left.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
def command(
    path: str | None,
    workspace: str | None,
    state: str | None,
    form: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fix: bool,
    diff: bool,
) -> int:
    """Validate a workspace; exit status 1 when there are errors.

    Example: skill-explorer check . --format json
    """
    found = load_workspace(chosen_path(path, workspace), state)
    wanted = partial(_wanted, select=_codes(select), ignore=_codes(ignore))
    chosen = [d for d in found.diagnostics if wanted(d.code)]
    if fix or diff:
        from explorer.cli.fixing import apply_fixes, show_diff

        if diff:
            return show_diff(found, chosen)
        apply_fixes(found, chosen)
        chosen = [d for d in found.diagnostics if wanted(d.code)]
    return _report(found, chosen, form)


def _report(workspace: Workspace, chosen: list[Diagnostic], form: str) -> int:
    summary = _summary(workspace, chosen)
    if form == "json":
        found = [d.as_dict() for d in chosen]
        emit_json({"workspace": str(workspace.root), "summary": summary, "diagnostics": found})
    elif form == "sarif":
        emit_json(formats().sarif(chosen))
    elif form == "github":
        for line in formats().github(chosen):
            say(line)
    else:
        _print(workspace, chosen, summary)
    return 1 if summary["errors"] else 0


def formats() -> ModuleType:
    """The forms for other programs, imported when asked for."""
    from explorer.cli import formats as module

    return module


def _codes(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(code.strip() for value in values for code in value.split(",") if code.strip())


def _wanted(code: str, select: tuple[str, ...], ignore: tuple[str, ...]) -> bool:
    from core.workspace.settings import matches

    return (not select or matches(code, select)) and not matches(code, ignore)


def _summary(workspace: Workspace, chosen: list[Diagnostic]) -> dict[str, Any]:
    shown = [str(d.severity) for d in chosen]
    counted = {f"{severity}s": shown.count(severity) for severity in MARKS}
    return {**asdict(workspace.counts), **counted}


def _print(workspace: Workspace, chosen: list[Diagnostic], summary: dict[str, Any]) -> None:
    lines = SourceLines(workspace)
    for found in chosen:
        for line in diagnostic_lines(found, lines.line(found.place.path, found.place.line)):
            say(line)
    say(
        f"{summary['skills']} skills, {summary['tools']} tools, {summary['actors']} actors "
        f"in {summary['files']} files: "
        f"{summary['errors']} errors, {summary['warnings']} warnings, {summary['infos']} infos"
    )


def diagnostic_lines(found: Diagnostic, source: str | None) -> Iterable[str]:
    """Yield a finding: place, severity and sentence, the source line with a caret, then related places."""
    name, colour = MARKS[found.severity]
    place = found.place
    yield (
        f"{style(f'{place.path}:{place.line}:{place.column}', bold=True)}: "
        f"{style(name, colour, bold=True)}: {style(found.message)} {style(f'[{found.code}]', dim=True)}"
    )
    if source is not None:
        yield from _caret(found, source)
    for item in found.related:
        yield f"    {style(f'{item.place.path}:{item.place.line}:{item.place.column}')}: {style(item.message)}"


def _caret(found: Diagnostic, source: str, most: int = 160) -> Iterable[str]:
    place = found.place
    first = max(0, place.column - 1 - most // 2)
    source = source.replace("\t", " ")
    shown = safe_text(source[first : first + most])
    before = safe_text(source[first : place.column - 1])
    end = place.end_column if place.end_line == place.line and place.end_column else place.column + 1
    marked = safe_text(source[place.column - 1 : end - 1][: most - (place.column - 1 - first)])
    yield f"  {shown}"
    yield "  " + " " * width(before) + click.style("^" * max(1, width(marked)), fg=MARKS[found.severity][1])


class SourceLines:
    """Lines of workspace files for carets; each file is read once, an unreadable one gives none."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._files: dict[str, list[str]] = {}

    def line(self, path: str, number: int) -> str | None:
        """Return line ``number`` (from 1) of ``path``, without its end."""
        if path not in self._files:
            self._files[path] = self._read(path)
        lines = self._files[path]
        return lines[number - 1] if 0 < number <= len(lines) and lines[number - 1].strip() else None

    def _read(self, path: str) -> list[str]:
        from core.language.reading import Unreadable

        try:
            text = self._workspace.text_of(path)
        except (Unreadable, OSError):
            return []
        return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
