"""The keywords that look at a value through another schema: if, not, contains, dependent names, names of members."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from explorer.services.forms.document import Path
from explorer.services.forms.problem import Problem
from explorer.services.forms.schema import Schema
from explorer.services.forms.spec import listed
from explorer.services.forms.words import brief

Check = Callable[[Any, Any], list[Problem]]
"""Schema and value to what is wrong, advice left out."""


def applied(part: Schema, value: Any, check: Check) -> Iterator[Any]:
    """Yield the subschemas that ``part`` applies to ``value`` on a condition: then or else, and dependent ones."""
    if "if" in part:
        branch = "else" if check(part["if"], value) else "then"
        if branch in part:
            yield part[branch]
    dependent = part.get("dependentSchemas")
    if isinstance(dependent, dict) and isinstance(value, dict):
        yield from (schema for name, schema in dependent.items() if name in value)


def problems_of(part: Schema, value: Any, path: Path, check: Check) -> Iterator[Problem]:
    """Yield what the other keywords of ``part`` find wrong with ``value``."""
    if "not" in part and not check(part["not"], value):
        yield Problem(path, ruled_out(part["not"]), "not")
    if isinstance(value, list) and "contains" in part:
        yield from _contained(part, value, path, check)
    if isinstance(value, dict):
        yield from _dependent(part, value, path)
        yield from _names(part, value, path, check)


def ruled_out(schema: Any) -> str:
    """Return in words what ``{"not": schema}`` forbids."""
    if not isinstance(schema, dict) or not schema:
        return "nothing is allowed here"
    if set(schema) == {"const"}:
        return f"must not be {brief(schema['const'])}"
    if set(schema) == {"enum"}:
        return f"must not be one of {', '.join(brief(one) for one in listed(schema['enum'])[:5])}"
    if set(schema) == {"type"}:
        return f"must not be {schema['type'] if isinstance(schema['type'], str) else brief(schema['type'])}"
    if set(schema) == {"required"}:
        return f"must not have {' and '.join(map(str, listed(schema['required'])[:5]))}"
    return f"must not fit {brief(schema)}"


def _contained(part: Schema, value: list[Any], path: Path, check: Check) -> Iterator[Problem]:
    low, high = _count(part.get("minContains"), 1), _count(part.get("maxContains"), len(value))
    fitting = sum(not check(part["contains"], item) for item in value)
    if fitting < low:
        yield Problem(path, f"at least {low} of the items must be {_wanted(part)}, {fitting:,} is", "contains")
    if fitting > high:
        yield Problem(path, f"at most {high} of the items may be {_wanted(part)}, {fitting:,} are", "contains")


def _count(value: Any, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


def _wanted(part: Schema) -> str:
    schema = part["contains"]
    return brief(schema["const"]) if isinstance(schema, dict) and set(schema) == {"const"} else f"like {brief(schema)}"


def _dependent(part: Schema, value: dict[str, Any], path: Path) -> Iterator[Problem]:
    dependent = part.get("dependentRequired")
    for name, wanted in dependent.items() if isinstance(dependent, dict) else ():
        if name in value:
            lacking = [other for other in listed(wanted) if isinstance(other, str) and other not in value]
            yield from (Problem((*path, other), f"required with {name}", "required") for other in lacking)


def _names(part: Schema, value: dict[str, Any], path: Path, check: Check) -> Iterator[Problem]:
    if "propertyNames" not in part:
        return
    for name in value:
        yield from (
            Problem((*path, name), f"as a name: {p.message}", "never") for p in check(part["propertyNames"], name)
        )
