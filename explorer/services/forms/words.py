"""A schema's demands in words, short enough to stand beside a field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from explorer.services.forms.document import MISSING
from explorer.services.forms.exact import dump
from explorer.services.forms.schema import Schema, Schemas
from explorer.services.forms.spec import Kind, Spec, listed, spec_of, type_of

MOST = 60
_LONGEST_CHOICE = 40
_COUNTED = {"Length": ("character", "characters"), "Items": ("item", "items"), "Properties": ("entry", "entries")}


def demands(schemas: Schemas, spec: Spec) -> str:
    """Return type, bounds, format and default of a field: ``integer ≥ 1 · default 20``."""
    parts = [_typed(schemas, spec), *_limits(spec.schema), *_formats(spec.schema)]
    if spec.nullable:
        parts.append("null allowed")
    if spec.default is not MISSING:
        parts.append(f"default {brief(spec.default)}")
    return " · ".join(part for part in parts if part)


def _typed(schemas: Schemas, spec: Spec) -> str:
    if spec.kind is Kind.CHOICE:
        return f"one of {len(spec.choices):,}"
    if spec.kind is Kind.CONST:
        return f"always {brief(spec.schema['const'])}"
    if spec.kind is Kind.CHECKS:
        return "any of"
    if spec.kind is Kind.VARIANTS:
        return _either(spec)
    if spec.kind is Kind.JSON:
        return "any JSON"
    if spec.kind is Kind.ARRAY:
        return _list_of(schemas, spec)
    if spec.kind is Kind.OBJECT and not spec.schema.get("properties"):
        return _map_of(schemas, spec)
    return " ".join(part for part in (type_of(spec.schema) or str(spec.kind), _range(spec.schema)) if part)


def _either(spec: Spec) -> str:
    named = " or ".join(variant.title for variant in spec.variants)
    return named if len(named) <= _LONGEST_CHOICE else f"one of {len(spec.variants)} forms"


def _list_of(schemas: Schemas, spec: Spec) -> str:
    if listed(spec.schema.get("prefixItems")):
        return f"list of {len(spec.schema['prefixItems'])} by place"
    items = spec_of(schemas, spec.schema.get("items"))
    return {Kind.JSON: "list", Kind.CHOICE: "list of choices"}.get(
        items.kind, f"list of {type_of(items.schema) or 'values'}"
    )


def _map_of(schemas: Schemas, spec: Spec) -> str:
    values = spec.schema.get("additionalProperties", True)
    if values is False:
        return "object"
    kind = type_of(spec_of(schemas, values).schema) if isinstance(values, dict) else None
    return f"object, names of your own{f', each {kind}' if kind else ''}"


def _range(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    parts = []
    if _is_number(low) and _is_number(high):
        parts.append(f"{brief(low)} to {brief(high)}")
    else:
        parts.extend(f"{sign} {brief(v)}" for sign, v in (("≥", low), ("≤", high)) if _is_number(v))
    for sign, keyword in ((">", "exclusiveMinimum"), ("<", "exclusiveMaximum")):
        if _is_number(schema.get(keyword)):
            parts.append(f"{sign} {brief(schema[keyword])}")
    return ", ".join(parts)


def _limits(schema: Schema) -> Iterator[str]:
    if _is_number(schema.get("multipleOf")):
        yield f"a multiple of {brief(schema['multipleOf'])}"
    for suffix, (one, many) in _COUNTED.items():
        low, high = schema.get(f"min{suffix}"), schema.get(f"max{suffix}")
        if _is_number(low) and _is_number(high):
            yield f"{low} {many if low != 1 else one}" if low == high else f"{low} to {high} {many}"
        elif _is_number(low) and low:
            yield f"at least {low} {one if low == 1 else many}"
        elif _is_number(high):
            yield f"at most {high} {one if high == 1 else many}"
    if schema.get("uniqueItems") is True:
        yield "no duplicates"


def _formats(schema: Schema) -> Iterator[str]:
    if isinstance(schema.get("format"), str):
        yield str(schema["format"])
    if isinstance(schema.get("pattern"), str):
        yield f"pattern {_cut(schema['pattern'])}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def brief(value: Any) -> str:
    """Return ``value`` as JSON on one line, cut to 60 characters; a large container is only counted."""
    if isinstance(value, dict | list) and len(value) > MOST:
        return f"{{{len(value):,} entries}}" if isinstance(value, dict) else f"[{len(value):,} items]"
    try:
        return _cut(dump(value, indent=None))
    except (ValueError, TypeError, RecursionError):
        return _cut(f"no JSON: {type(value).__name__}")


def _cut(text: str) -> str:
    return text if len(text) <= MOST else text[: MOST - 1] + "…"
