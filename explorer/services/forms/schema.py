"""A JSON Schema's own parts: local references followed, ``allOf`` taken apart, all within fixed limits."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from explorer.services.forms.document import MISSING

MOST_PARTS = 200
_REFERENCES = ("$ref", "$dynamicRef")
_DEFINITIONS = ("$defs", "definitions")

Schema = Mapping[str, Any]
NOTHING: Schema = {"not": {}}


class Schemas:
    """Reads the subschemas of one root schema; nothing outside it is ever looked up."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self._parts: dict[int, tuple[Any, tuple[Schema, ...]]] = {}
        self._merged: dict[int, tuple[Any, Schema]] = {}

    def parts(self, schema: Any) -> tuple[Schema, ...]:
        """Return all schemas that a value must satisfy at once: itself, then its reference, then its ``allOf``.

        A reference that leads nowhere is left out; a loop of references ends where it began.
        """
        known = self._parts.get(id(schema))
        if known is None:
            known = self._parts[id(schema)] = (schema, tuple(self._walk(schema)))
        return known[1]

    def _walk(self, schema: Any) -> list[Schema]:
        found: list[Schema] = []
        seen: set[int] = set()
        todo = [schema]
        while todo and len(found) < MOST_PARTS:
            part = _as_mapping(todo.pop())
            if id(part) in seen:
                continue
            seen.add(id(part))
            found.append(part)
            todo.extend(reversed(self._next(part)))
        return found

    def _next(self, part: Schema) -> list[Any]:
        targets = [self.target(part[key]) for key in _REFERENCES if key in part]
        together = part.get("allOf")
        more = together if isinstance(together, list) else []
        return [t for t in targets if t is not MISSING] + more

    def target(self, reference: Any) -> Any:
        """Return the subschema that a local ``reference`` names; MISSING when it names none."""
        if not isinstance(reference, str) or not reference.startswith("#"):
            return MISSING
        fragment = unquote(reference[1:])
        if fragment and not fragment.startswith("/"):
            return self._anchor(fragment)
        found = self.root
        for step in fragment.split("/")[1:]:
            found = _member(found, step.replace("~1", "/").replace("~0", "~"))
        return found

    def _anchor(self, name: str) -> Any:
        root = _as_mapping(self.root)
        for section in _DEFINITIONS:
            for schema in _as_mapping(root.get(section)).values():
                if isinstance(schema, dict) and name in (schema.get("$anchor"), schema.get("$dynamicAnchor")):
                    return schema
        return self.root if name in (root.get("$anchor"), root.get("$dynamicAnchor")) else MISSING

    def merged(self, schema: Any) -> Schema:
        """Return one schema that says what all parts of ``schema`` say, as far as a form shows it."""
        known = self._merged.get(id(schema))
        if known is None:
            known = self._merged[id(schema)] = (schema, merge(self.parts(schema)))
        return known[1]


def _as_mapping(schema: Any) -> Schema:
    if isinstance(schema, dict):
        return schema
    return NOTHING if schema is False else {}


def _member(found: Any, step: str) -> Any:
    if isinstance(found, dict):
        return found.get(step, MISSING)
    if isinstance(found, list) and step.isdecimal() and int(step) < len(found):
        return found[int(step)]
    return MISSING


def merge(parts: tuple[Schema, ...]) -> Schema:
    """Return the keywords of all ``parts`` in one schema: the tightest bounds, texts from the first that has them."""
    result: dict[str, Any] = {}
    for part in parts:
        for keyword, value in part.items():
            if keyword not in _TAKEN_APART:
                result[keyword] = _join(keyword, result[keyword], value) if keyword in result else value
    return result


_TAKEN_APART = {"$ref", "$dynamicRef", "allOf"}


def _join(keyword: str, first: Any, second: Any) -> Any:
    rule = _RULES.get(keyword)
    if rule is None or (type(first) is not type(second) and keyword not in _MIXED):
        return first
    return rule(first, second)


def _number(pick: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def rule(first: Any, second: Any) -> Any:
        return pick(first, second) if _is_number(first) and _is_number(second) else first

    return rule


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _both(first: Any, second: Any) -> Any:
    return {"allOf": [first, second]}


def _properties(first: Any, second: Any) -> Any:
    shared = {name: _both(first[name], second[name]) for name in first if name in second}
    return {**first, **second, **shared}


def _union(first: Any, second: Any) -> Any:
    return list(dict.fromkeys([*first, *second])) if _all_text(first) and _all_text(second) else first


def _all_text(names: Any) -> bool:
    return all(isinstance(name, str) for name in names)


def _common(first: Any, second: Any) -> Any:
    kept = {json.dumps(value, sort_keys=True) for value in _listed(second)}
    return [value for value in _listed(first) if json.dumps(value, sort_keys=True) in kept]


def _types(first: Any, second: Any) -> Any:
    """Types that both allow; every integer is a number too."""
    ours, theirs = _listed(first), _listed(second)
    wide = {*theirs, "integer"} if "number" in theirs else set(theirs)
    kept = [name for name in ours if name in wide]
    return [*kept, "integer"] if "number" in ours and "integer" in theirs and "integer" not in kept else kept


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


_MIXED = {"type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "items", "additionalProperties"}
_RULES: dict[str, Callable[[Any, Any], Any]] = {
    "properties": _properties,
    "$defs": lambda first, second: {**second, **first},
    "required": _union,
    "enum": _common,
    "type": _types,
    "items": _both,
    "additionalProperties": _both,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), _number(max)),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), _number(min)),
}
