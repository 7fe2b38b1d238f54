"""The keywords that look at one value alone."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from typing import Any

from explorer.services.forms.document import Path
from explorer.services.forms.engine import has_format, matches
from explorer.services.forms.problem import Problem
from explorer.services.forms.schema import NOTHING, Schema
from explorer.services.forms.spec import listed
from explorer.services.forms.words import brief

_LARGEST_UNIQUE = 2_000
_Finding = tuple[str, str]


def problems_of(schema: Schema, value: Any, path: Path) -> Iterator[Problem]:
    """Yield what ``schema`` alone finds wrong with ``value``, without looking into its members' subschemas."""
    if schema is NOTHING:
        yield Problem(path, "nothing is allowed here", "never")
        return
    wrong = _type_problem(schema, value)
    if wrong:
        yield Problem(path, wrong, "type")
        return
    for keyword, message in (*_fixed(schema, value), *_by_type(schema, value)):
        yield Problem(path, message, keyword, advice=keyword == "format")
    if isinstance(value, dict):
        yield from (Problem((*path, name), "required", "required") for name in _lacking(schema, value))
        yield from (Problem((*path, key), "no such name here", "never") for key in _unknown(schema, value))


def _lacking(schema: Schema, value: dict[str, Any]) -> Iterator[str]:
    return (name for name in listed(schema.get("required")) if isinstance(name, str) and name not in value)


def _unknown(schema: Schema, value: dict[str, Any]) -> Iterator[str]:
    if schema.get("additionalProperties") is not False:
        return
    properties, patterns = schema.get("properties"), schema.get("patternProperties")
    known = properties if isinstance(properties, dict) else {}
    shapes = list(patterns) if isinstance(patterns, dict) else []
    yield from (key for key in value if key not in known and not any(matches(shape, key) for shape in shapes))


def is_type(name: Any, value: Any) -> bool:
    """Whether ``value`` is of the JSON type ``name``; unknown names hold."""
    test = _TYPES.get(name) if isinstance(name, str) else None
    return test is None or test(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_integer(value: Any) -> bool:
    return _is_number(value) and (isinstance(value, int) or value.is_integer())


_TYPES: dict[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": _is_integer,
    "number": _is_number,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def type_name(value: Any) -> str:
    """Return the JSON type of ``value`` as people say it."""
    found = next((name for name, test in _TYPES.items() if test(value)), "something else")
    return {"string": "text", "array": "a list", "object": "an object"}.get(found, found)


def _type_problem(schema: Schema, value: Any) -> str:
    names = schema.get("type")
    wanted = names if isinstance(names, list) else [names] if isinstance(names, str) else []
    if not wanted or (value is None and schema.get("nullable") is True):
        return ""
    if any(is_type(name, value) for name in wanted):
        return ""
    said = " or ".join(str(name) for name in wanted[:4])
    return f"must be {said}, is {type_name(value)}"


def same(left: Any, right: Any) -> bool:
    """Whether two values are the same JSON: 1 and 1.0 are, 1 and true are not."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right) and (not isinstance(left, dict | list) or canonical(left) == canonical(right))


def canonical(value: Any) -> str:
    """Return a text that two values share exactly when they are the same JSON."""
    return json.dumps(json.loads(json.dumps(value), parse_float=_whole_if_whole), sort_keys=True)


def _whole_if_whole(text: str) -> float | int:
    value = float(text)
    return int(value) if value.is_integer() else value


def _fixed(schema: Schema, value: Any) -> Iterator[_Finding]:
    if "const" in schema and not same(schema["const"], value):
        yield "const", f"must be {brief(schema['const'])}"
    allowed = schema.get("enum")
    if isinstance(allowed, list) and not _among(value, allowed):
        said = ", ".join(brief(one) for one in allowed[:5])
        yield "enum", f"must be one of {said}" + (f" and {len(allowed) - 5:,} more" if len(allowed) > 5 else "")


def _among(value: Any, allowed: list[Any]) -> bool:
    """Texts are looked for without a step in Python for each: enums may have a hundred thousand of them."""
    return value in allowed if isinstance(value, str) else any(same(one, value) for one in allowed)


def _by_type(schema: Schema, value: Any) -> Iterator[_Finding]:
    if isinstance(value, str):
        yield from _text(schema, value)
    elif _is_number(value):
        yield from _bounds(schema, value)
    elif isinstance(value, list):
        yield from _count(schema, "Items", len(value), "item", "items")
        if schema.get("uniqueItems") is True and not _unique(value):
            yield "uniqueItems", "the same item twice"
    elif isinstance(value, dict):
        yield from _count(schema, "Properties", len(value), "entry", "entries")


def _text(schema: Schema, value: str) -> Iterator[_Finding]:
    yield from _count(schema, "Length", len(value), "character", "characters")
    if "pattern" in schema and not matches(schema["pattern"], value):
        yield "pattern", f"does not match {str(schema['pattern'])[:80]}"
    if "format" in schema and not has_format(schema["format"], value):
        yield "format", f"does not look like {schema['format']}"


def _count(schema: Schema, suffix: str, size: int, one: str, many: str) -> Iterator[_Finding]:
    low, high = schema.get(f"min{suffix}"), schema.get(f"max{suffix}")
    if _is_number(low) and low is not None and size < low:
        yield f"min{suffix}", f"at least {low} {one if low == 1 else many}, has {size:,}"
    if _is_number(high) and high is not None and size > high:
        yield f"max{suffix}", f"at most {high} {one if high == 1 else many}, has {size:,}"


def _bounds(schema: Schema, value: float) -> Iterator[_Finding]:
    for keyword, (holds, sign) in _BOUNDS.items():
        bound = schema.get(keyword)
        if _is_number(bound) and not holds(value, bound):
            yield keyword, f"must be {sign} {brief(bound)}"
    step = schema.get("multipleOf")
    if _is_number(step) and step is not None and step > 0 and not _is_multiple(value, step):
        yield "multipleOf", f"must be a multiple of {brief(step)}"


_BOUNDS: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "minimum": (lambda value, bound: value >= bound, "≥"),
    "maximum": (lambda value, bound: value <= bound, "≤"),
    "exclusiveMinimum": (lambda value, bound: value > bound, ">"),
    "exclusiveMaximum": (lambda value, bound: value < bound, "<"),
}


def _is_multiple(value: float, step: float) -> bool:
    if isinstance(value, float) and not math.isfinite(value):
        return False
    with localcontext() as context:
        context.prec = 5000
        return Decimal(repr(value)) % Decimal(repr(step)) == 0


def _unique(items: list[Any]) -> bool:
    if len(items) > _LARGEST_UNIQUE:
        return True
    seen = {canonical(item) for item in items}
    return len(seen) == len(items)
