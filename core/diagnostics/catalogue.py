"""Every rule under its code: the one table behind ``explain``, settings and the tests."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from core.diagnostics.types import Rule

FAMILIES = ("file", "yaml", "skill", "tool", "include", "mcp", "agent_skill", "actor", "workspace")


@cache
def catalogue() -> dict[str, Rule]:
    """Return all rules by code, in the order of the families."""
    rules: dict[str, Rule] = {}
    for family in FAMILIES:
        module = import_module(f"core.diagnostics.rules.{family}")
        for value in vars(module).values():
            if isinstance(value, Rule):
                rules[value.code] = value
    return rules
