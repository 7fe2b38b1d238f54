"""``explain``: the page behind a diagnostic's code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import click

from core.diagnostics import Rule
from core.diagnostics.catalogue import catalogue
from core.text import nearest
from explorer.cli.common import format_option, state_option
from explorer.cli.output import emit_json, say, style


@click.command("explain")
@click.argument("code", required=False)
@state_option
@format_option()
def command(code: str | None, state: str | None, form: str) -> int:  # noqa: ARG001 - every command takes --state
    """Say what a diagnostic means, with a wrong and a right example; without a code, list them all.

    Example: skill-explorer explain include/cycle
    """
    rules = catalogue()
    if code is None:
        return _list(rules, form)
    if code not in rules:
        near = nearest(code, rules)
        hint = f"; did you mean {' or '.join(near)}?" if near else "; `skill-explorer explain` lists all"
        raise click.UsageError(f"there is no diagnostic {code!r}{hint}")
    if form == "json":
        emit_json(rules[code].as_dict())
    else:
        for line in page(rules[code]):
            say(line)
    return 0


def _list(rules: Mapping[str, Rule], form: str) -> int:
    if form == "json":
        emit_json([{"code": r.code, "severity": r.severity, "meaning": r.meaning} for r in rules.values()])
        return 0
    for rule in rules.values():
        say(f"{rule.code:44} {rule.severity:8} {rule.meaning}")
    return 0


def page(rule: Rule) -> Iterable[str]:
    """Yield the lines of a rule's page."""
    yield f"{style(rule.code, bold=True)}  {rule.severity}"
    yield rule.meaning
    yield ""
    yield rule.why
    for title, files in (("Wrong:", rule.wrong), ("Right:", rule.right)):
        if files:
            yield ""
            yield style(title, bold=True)
            yield from _example(files)


def _example(files: Mapping[str, str]) -> Iterable[str]:
    for path, text in files.items():
        yield f"  # {style(path)}"
        yield from (f"  {style(line)}" for line in text.splitlines())
