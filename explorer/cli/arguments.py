"""The arguments of a call as the command line gives them: ``--input`` and ``--set``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from core.text import display
from explorer.cli.input_json import parse, read_input

if TYPE_CHECKING:
    from core.workspace import Workspace
    from explorer.services.forms.spec import Spec


def read_arguments(given: str | None, pairs: tuple[str, ...]) -> tuple[Any, dict[str, str]]:
    """Return the arguments of ``--input``, and the texts of ``--set`` by name.

    Raises:
        click.UsageError: the input is no JSON, or no object that a pair can be laid over; a pair has no name or
            no ``=``.
    """
    arguments = read_input(given) if given is not None else {}
    if pairs and not isinstance(arguments, dict):
        raise click.UsageError("--set needs the arguments to be a JSON object")
    texts = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not key or not equals:
            raise click.UsageError(f"--set takes key=value, not `{display(pair, 200)}`")
        texts[key] = text
    return arguments, texts


def typed(texts: Mapping[str, str], schema: Any) -> dict[str, Any]:
    """Return each text as the JSON that it is, else as itself; where ``schema`` wants text it stays text."""
    from explorer.services.forms.schema import Schemas
    from explorer.services.forms.spec import spec_of

    schemas = Schemas(schema)
    members = spec_of(schemas, schema).properties
    return {key: _typed(text, spec_of(schemas, members.get(key))) for key, text in texts.items()}


def input_schema(workspace: Workspace, skill: str, tool: str) -> Any:
    """Return the input schema that a tool is known to have; None for one that nobody knows."""
    from core.protocol import SkillError, SkillFailure
    from core.runtime.runtime import find_tool

    try:
        found = find_tool(workspace.catalogue.flatten(skill), skill, tool)
    except SkillFailure:
        return None
    return None if isinstance(found, SkillError) else found[0].input_schema


def _typed(text: str, spec: Spec) -> Any:
    value = _value(text)
    if isinstance(value, str) or (value is None and spec.nullable):
        return value
    return text if _wants_text(spec) else value


def _wants_text(spec: Spec) -> bool:
    from explorer.services.forms.spec import Kind

    texts = bool(spec.choices) and all(isinstance(choice.value, str) for choice in spec.choices)
    return spec.kind is Kind.TEXT or (spec.kind is Kind.CHOICE and texts)


def _value(text: str) -> Any:
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return text
