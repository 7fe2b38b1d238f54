"""The arguments a form starts from: only what the schema leaves no choice about."""

from __future__ import annotations

from typing import Any

from explorer.services.forms.checks import Checker
from explorer.services.forms.document import MISSING
from explorer.services.forms.schema import Schemas
from explorer.services.forms.spec import Kind, Spec, spec_of

_DEEPEST = 6
_SIMPLE_STARTS: dict[Kind, Any] = {Kind.TEXT: "", Kind.OBJECT: {}, Kind.ARRAY: [], Kind.CHECKS: [], Kind.NULL: None}


def initial(schemas: Schemas, checker: Checker, schema: Any) -> Any:
    """Return what a required value of ``schema`` starts as; MISSING where the user has to say it.

    A constant, the only value of an enum, a default that the schema itself accepts, and for an object its
    required members that have one of these.
    """
    return _initial(schemas, checker, spec_of(schemas, schema), schema, _DEEPEST)


def _initial(schemas: Schemas, checker: Checker, spec: Spec, schema: Any, deeper: int) -> Any:
    if spec.default is not MISSING and checker.fits(schema, spec.default):
        return spec.default
    if spec.kind is Kind.CONST:
        return spec.schema["const"]
    if spec.kind is Kind.NULL:
        return None
    if spec.kind is Kind.CHOICE and len(spec.choices) == 1 and not spec.nullable:
        return spec.choices[0].value
    if spec.kind is not Kind.OBJECT or not deeper:
        return MISSING
    return members(schemas, checker, spec, deeper)


def members(schemas: Schemas, checker: Checker, spec: Spec, deeper: int = _DEEPEST) -> dict[str, Any]:
    """Return the required members of an object that start with a value."""
    found = {
        name: _initial(schemas, checker, spec_of(schemas, schema), schema, deeper - 1)
        for name, schema in spec.properties.items()
        if name in spec.required
    }
    return {name: value for name, value in found.items() if value is not MISSING}


def chosen(schemas: Schemas, checker: Checker, schema: Any) -> Any:
    """Return what a value of ``schema`` becomes when the user asks for one: as it starts, else the empty one.

    Numbers, booleans and choices have no empty value: they stay MISSING.
    """
    value = initial(schemas, checker, schema)
    return empty(spec_of(schemas, schema)) if value is MISSING else value


def empty(spec: Spec) -> Any:
    """Return the empty value of a kind: ``""``, ``{}``, ``[]``; MISSING where there is none."""
    return _SIMPLE_STARTS.get(spec.kind, MISSING)
