"""Errors of a JSON Schema check as sentences: with a path, never with the value itself, never at endless length."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.model.reading import kind_of, shown
from core.text import display

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

MASK = "the value"
_SHOWN = 5
_NO_MORE = "additionalProperties"
_MOST = 300


@dataclass(frozen=True, slots=True)
class InstanceError:
    """One fault of a value: where in it, as a JSON path like ``$.a[0]``, and what is wrong."""

    path: str
    message: str


def json_path(steps: Iterable[str | int]) -> str:
    """Return a JSON path from ``$``."""
    path = "$"
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        elif step.isidentifier() and step.isascii():
            path += f".{step}"
        else:
            path += f"[{json.dumps(display(step, 80), ensure_ascii=False)}]"
    return path


def describe(error: ValidationError) -> str:
    """Say what is wrong in one clause; the validator must have been made with ``MASK``."""
    name, details = error.kind.name, error.kind.as_dict()
    if name == "falseSchema" and error.schema_path[-1:] == [_NO_MORE]:
        return "has a key that is not known here"
    say = _CLAUSES.get(name)
    return display(say(details, error.instance) if say else error.message, _MOST)


def _some(values: Iterable[Any]) -> str:
    listed = list(values)
    texts = [display(json.dumps(v, ensure_ascii=False), 40) for v in listed[:_SHOWN]]
    more = f" and {len(listed) - _SHOWN:,} more" if len(listed) > _SHOWN else ""
    return ", ".join(texts) + more


def _type(details: Mapping[str, Any], instance: Any) -> str:
    wanted = [_KINDS.get(name, name) for name in details["types"]]
    return f"must be {' or '.join(wanted)}, but is {kind_of(instance)}"


def _names(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - _SHOWN:,} more" if len(listed) > _SHOWN else ""
    return ", ".join(shown(name) for name in listed[:_SHOWN]) + more


_KINDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "a mapping",
    "string": "text",
}
_CLAUSES: dict[str, Callable[[Mapping[str, Any], Any], str]] = {
    "type": _type,
    "enum": lambda d, _: f"must be one of {_some(d['options'])}",
    "const": lambda d, _: f"must be {_some([d['expected_value']])}",
    "required": lambda d, _: f"{shown(d['property'])} is missing",
    _NO_MORE: lambda d, _: f"{_names(d['unexpected'])} is not known here",
    "unevaluatedProperties": lambda d, _: f"{_names(d['unexpected'])} is not known here",
    "minimum": lambda d, _: f"must be at least {d['limit']}",
    "maximum": lambda d, _: f"must be at most {d['limit']}",
    "exclusiveMinimum": lambda d, _: f"must be more than {d['limit']}",
    "exclusiveMaximum": lambda d, _: f"must be less than {d['limit']}",
    "multipleOf": lambda d, _: f"must be a multiple of {d['multiple_of']}",
    "minLength": lambda d, _: f"must have at least {d['limit']} characters",
    "maxLength": lambda d, _: f"must have at most {d['limit']} characters",
    "minItems": lambda d, _: f"must have at least {d['limit']} entries",
    "maxItems": lambda d, _: f"must have at most {d['limit']} entries",
    "minProperties": lambda d, _: f"must have at least {d['limit']} keys",
    "maxProperties": lambda d, _: f"must have at most {d['limit']} keys",
    "uniqueItems": lambda _, __: "must not have the same entry twice",
    "pattern": lambda d, _: f"does not match the pattern {shown(d['pattern'])}",
    "format": lambda d, _: f"is not of the format {shown(d['format'])}",
    "anyOf": lambda _, __: "fits none of the alternatives",
    "oneOf": lambda _, __: "must fit exactly one of the alternatives",
    "not": lambda _, __: "is what the schema excludes",
    "falseSchema": lambda _, __: "must not be there",
    "contains": lambda _, __: "has no entry of the kind that it must contain",
}
