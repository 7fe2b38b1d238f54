"""Every rule under its code: the one table behind ``explain``, settings and the tests."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from core.diagnostics import rules as package
from core.diagnostics.types import Rule
from core.text import display, like_the_best, nearest


@cache
def catalogue() -> dict[str, Rule]:
    """Return all rules by code, sorted."""
    found: dict[str, Rule] = {}
    for module in iter_modules(package.__path__):
        values = vars(import_module(f"{package.__name__}.{module.name}")).values()
        found.update({rule.code: rule for rule in values if isinstance(rule, Rule)})
    return dict(sorted(found.items()))


@cache
def families() -> frozenset[str]:
    """Return the families of the codes: what stands before the slash."""
    return frozenset(code.partition("/")[0] for code in catalogue())


def unknown_code(code: str, *, whole_families: bool = True) -> str | None:
    """Return the remedy for what is no code, nor, with ``whole_families``, the name of a family; else None."""
    if code in catalogue() or (whole_families and code.rstrip("/") in families()):
        return None
    near = like_the_best(code, nearest(code, catalogue()))
    if near:
        return f"did you mean {' or '.join(f'`{display(name, 80)}`' for name in near)}?"
    return "`skill-explorer explain` lists the codes"
