"""The engine that checks the call, asked beforehand about the keywords that the form does not read itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from explorer.services.forms.problem import Problem

if TYPE_CHECKING:
    from jsonschema_rs import Validator

LARGEST = 1 << 14
_MOST = 20
_ITS_OWN = ('"unevaluated', '"dependencies"', '"additionalItems"', '"$schema"')
_UNBOUNDED = ('"$ref"', '"$dynamicRef"', '"$recursiveRef"', '"$anchor"')


class LastWord:
    """Asks only where the time is foreseen: no references, and arguments and schema of at most 16 KiB each."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema if _concerned(schema) else None
        self._validator: Validator | None = None

    def problems(self, value: Any) -> list[Problem]:
        """Return what the engine refuses; nothing where it is not asked."""
        validator = self._ready()
        if validator is None or not _small(value):
            return []
        from core.language.schema_messages import describe

        try:
            errors = zip(validator.iter_errors(value), range(_MOST), strict=False)
            return [Problem(tuple(error.instance_path), describe(error), "engine") for error, _ in errors]
        except (ValueError, OverflowError):  # what is no JSON value is refused by the call itself
            return []

    def _ready(self) -> Validator | None:
        if self._schema is not None and self._validator is None:
            from core.language.json_schema import SchemaUnusable, validator_for

            try:
                self._validator = validator_for(self._schema)
            except SchemaUnusable:
                self._schema = None
        return self._validator


def _concerned(schema: Any) -> bool:
    if not isinstance(schema, dict) or not _small(schema):
        return False
    text = json.dumps(schema)
    return any(mark in text for mark in _ITS_OWN) and not any(mark in text for mark in _UNBOUNDED)


def _small(value: Any) -> bool:
    try:
        return len(json.dumps(value)) <= LARGEST
    except (ValueError, TypeError, RecursionError):
        return False
