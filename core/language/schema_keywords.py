"""Keywords of a JSON Schema that are none: validators pass them over, so that nothing is checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from core.diagnostics.rules.schema import KEYWORD
from core.language.schema_walk import Path, SchemaProblem, subschemas
from core.model.reading import shown
from core.text import SURE, like_the_best, likeness, nearest

KEYWORDS = frozenset(
    (
        *("additionalItems", "additionalProperties", "allOf", "anyOf", "const", "contains"),
        *("contentEncoding", "contentMediaType", "contentSchema", "default", "definitions"),
        *("dependencies", "dependentRequired", "dependentSchemas", "deprecated", "description"),
        *("else", "enum", "example", "examples", "exclusiveMaximum", "exclusiveMinimum", "format"),
        *("id", "if", "items", "maxContains", "maxItems", "maxLength", "maxProperties", "maximum"),
        *("minContains", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not"),
        *("nullable", "oneOf", "pattern", "patternProperties", "prefixItems", "properties"),
        *("propertyNames", "readOnly", "required", "then", "title", "type", "unevaluatedItems"),
        *("unevaluatedProperties", "uniqueItems", "writeOnly"),
    )
)
_MOST = 20


def keyword_problems(schema: Mapping[str, Any]) -> Iterator[SchemaProblem]:
    """Yield the warnings for keys that surely are slips for keywords, and for a schema that has no keyword at all."""
    strange = [key for key in schema if _is_strange(key)]
    if strange and len(strange) == len(schema):
        message = f"none of the keys of this schema, like {shown(strange[0])}, is a keyword of JSON Schema"
        yield SchemaProblem(KEYWORD, (strange[0],), message, "put them under `properties`")
        return
    yield from islice(_slips(schema), _MOST)


def _slips(schema: Mapping[str, Any]) -> Iterator[SchemaProblem]:
    unknown = ((path, key) for path, sub, _ in subschemas(schema) for key in sub if _is_strange(key))
    for path, key in islice(unknown, _MOST * _MOST):
        near = like_the_best(key, nearest(key, KEYWORDS))
        if near and likeness(key, near[0]) >= SURE:
            yield _slip((*path, key), key, near[0])


def _slip(path: Path, key: str, meant: str) -> SchemaProblem:
    return SchemaProblem(KEYWORD, path, f"{shown(key)} is no keyword of JSON Schema", f"did you mean `{meant}`?")


def _is_strange(key: object) -> bool:
    return isinstance(key, str) and key not in KEYWORDS and not key.startswith(("$", "x-", "x_"))
