"""The branches of a schema that a value may take: ``oneOf``, ``anyOf`` and several types."""

from __future__ import annotations

from typing import Any

from explorer.services.forms.schema import Schema, Schemas

MOST_VARIANTS = 50
_CONDITIONS = frozenset(
    {"required", "title", "description", "not", "dependentRequired", "minProperties", "maxProperties"}
)


def alternatives(schemas: Schemas, base: Schema) -> list[Schema] | None:
    """Return the branches of ``base``, each merged with what all share; None when there is no choice to make.

    Branches that only demand names (``anyOf: [{required: [a]}, {required: [b]}]``) are a condition, not a choice.
    """
    for keyword in ("oneOf", "anyOf"):
        branches = base.get(keyword)
        if isinstance(branches, list) and branches and not _only_conditions(branches):
            shared = {k: v for k, v in base.items() if k not in (keyword, "title", "description", "default")}
            return [_branch(schemas, shared, branch) for branch in branches[:MOST_VARIANTS]]
    return _types(base)


def _only_conditions(branches: list[Any]) -> bool:
    return all(isinstance(b, dict) and _CONDITIONS.issuperset(b) for b in branches)


def _branch(schemas: Schemas, shared: Schema, branch: Any) -> Schema:
    """The branch speaks first, so that its own titles hold, and the shared keywords tighten it."""
    return schemas.merged({"allOf": [branch, shared]}) if shared else schemas.merged(branch)


def _types(base: Schema) -> list[Schema] | None:
    names = base.get("type")
    if not isinstance(names, list) or "enum" in base or "const" in base:
        return None
    if len([n for n in names if n != "null"]) < 2:
        return None
    shared = {k: v for k, v in base.items() if k not in ("title", "description")}
    return [{**shared, "type": name} for name in names[:MOST_VARIANTS]]


def is_null(branch: Schema) -> bool:
    """Whether a branch allows null and nothing else."""
    if branch.get("type") in ("null", ["null"]):
        return True
    return ("const" in branch and branch["const"] is None) or branch.get("enum") == [None]
