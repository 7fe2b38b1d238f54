"""Every rule under its code: the one table behind ``explain``, settings and the tests."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from core.diagnostics import rules as package
from core.diagnostics.types import Rule


@cache
def catalogue() -> dict[str, Rule]:
    """Return all rules by code, sorted."""
    found: dict[str, Rule] = {}
    for module in iter_modules(package.__path__):
        values = vars(import_module(f"{package.__name__}.{module.name}")).values()
        found.update({rule.code: rule for rule in values if isinstance(rule, Rule)})
    return dict(sorted(found.items()))
