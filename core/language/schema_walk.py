"""Walking a JSON Schema as data: its sub-schemas, its limits and its references, without recursion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from core.diagnostics import Rule
from core.diagnostics.rules import schema as rules
from core.model.reading import shown

MAX_TEXT = 65_536
MAX_DEPTH = 32
MAX_KEYWORDS = 2_000
MAX_PATTERN = 256
LATEST = "https://json-schema.org/draft/2020-12/schema"
DIALECTS = {
    **{uri: uri for uri in (LATEST, "https://json-schema.org/draft/2019-09/schema")},
    **{f"http://json-schema.org/draft-0{n}/schema": f"http://json-schema.org/draft-0{n}/schema#" for n in (4, 6, 7)},
}
"""Known values of ``$schema``, without the empty fragment and with the scheme they were published under."""

_ONE = (
    *("additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not"),
    *("propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"),
)
_LIST = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_MAP = ("$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties")
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_ANCHORS = ("$anchor", "$dynamicAnchor")

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """What is wrong with a schema, and the path to it from the schema's root."""

    rule: Rule
    path: Path
    message: str
    hint: str | None = None


def children(schema: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield the direct sub-schemas of ``schema`` with their paths."""
    for key in _ONE:
        if isinstance(schema.get(key), Mapping):
            yield (*path, key), schema[key]
    for key in _LIST:
        if isinstance(schema.get(key), list):
            yield from (((*path, key, index), sub) for index, sub in enumerate(schema[key]))
    for key in _MAP:
        if isinstance(schema.get(key), Mapping):
            yield from (((*path, key, name), sub) for name, sub in schema[key].items())


def subschemas(schema: Any) -> Iterator[tuple[Path, Mapping[str, Any], int]]:
    """Yield every schema in ``schema`` that is a mapping, with its path and depth; the root has depth 1."""
    pending: list[tuple[Path, Any, int]] = [((), schema, 1)]
    while pending:
        path, sub, depth = pending.pop()
        if isinstance(sub, Mapping):
            yield path, sub, depth
            pending.extend((where, child, depth + 1) for where, child in children(sub, path))


def pre_check(schema: Mapping[str, Any]) -> list[SchemaProblem]:
    """Return what is wrong with ``schema`` as data; the first limit that it breaks is the only finding."""
    problems: list[SchemaProblem] = []
    keywords = 0
    references: list[tuple[Path, str]] = []
    anchors: set[str] = set()
    for path, sub, depth in subschemas(schema):
        keywords += len(sub)
        if depth > MAX_DEPTH:
            return [_limit(path, f"the schema is deeper than {MAX_DEPTH} schemas")]
        if keywords > MAX_KEYWORDS:
            return [_limit((), f"the schema has more than {MAX_KEYWORDS:,} keywords")]
        problems.extend(_long_patterns(sub, path))
        references.extend(((*path, key), sub[key]) for key in REFERENCES if isinstance(sub.get(key), str))
        anchors.update(sub[key] for key in _ANCHORS if isinstance(sub.get(key), str))
        if isinstance(sub.get("$id"), str) and sub["$id"].startswith("#"):
            anchors.add(sub["$id"][1:])
    for where, reference in references:
        problems.extend(_reference_problem(schema, where, reference, anchors))
    return problems


def dialect_problem(schema: Mapping[str, Any]) -> SchemaProblem | None:
    """Return the warning for a ``$schema`` that isn't known."""
    if "$schema" not in schema or dialect_of(schema) is not None:
        return None
    message = f"{shown(schema['$schema'])} is no known dialect, so the schema is taken for draft 2020-12"
    return SchemaProblem(rules.DIALECT, ("$schema",), message, "delete `$schema`")


def dialect_of(schema: Mapping[str, Any]) -> str | None:
    """Return the address of the meta-schema that ``schema`` follows; None when it names one that isn't known."""
    named = schema.get("$schema", LATEST)
    if not isinstance(named, str):
        return None
    plain = named.removesuffix("#")
    secure, _, rest = plain.partition("://")
    return DIALECTS.get(plain) or (DIALECTS.get(f"http://{rest}") if secure == "https" else None)


def _limit(path: Path, what: str) -> SchemaProblem:
    return SchemaProblem(rules.LIMIT, path, f"{what[0].upper()}{what[1:]}, so it is not checked", "make it smaller")


def _long_patterns(sub: Mapping[str, Any], path: Path) -> Iterator[SchemaProblem]:
    for where, pattern in patterns(sub, path):
        if len(pattern) > MAX_PATTERN:
            yield _limit(where, f"the pattern has more than {MAX_PATTERN} characters")


def patterns(sub: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the regular expressions of one schema, with their paths."""
    if isinstance(sub.get("pattern"), str):
        yield (*path, "pattern"), sub["pattern"]
    if isinstance(sub.get("patternProperties"), Mapping):
        yield from (((*path, "patternProperties", p), p) for p in sub["patternProperties"] if isinstance(p, str))


def _reference_problem(
    schema: Mapping[str, Any], where: Path, reference: str, anchors: set[str]
) -> Iterator[SchemaProblem]:
    if not reference.startswith("#"):
        message = (
            f"{shown(reference)} is outside the schema, and nothing is fetched for a schema; copy it into `$defs`."
        )
        yield SchemaProblem(rules.REFERENCE, where, message, "copy what it names into `$defs`")
    elif target(schema, reference) is None and reference[1:] not in anchors:
        message = f"{shown(reference)} names no part of this schema"
        yield SchemaProblem(rules.REFERENCE, where, message, "correct the reference")


def target(schema: Mapping[str, Any], reference: str) -> Any:
    """Return what a reference like ``#/$defs/a`` names; None for nothing, or an anchor."""
    if reference in ("#", "#/"):
        return schema
    if not reference.startswith("#/"):
        return None
    found: Any = schema
    for step in reference[2:].split("/"):
        key = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping):
            found = found.get(key)
        elif isinstance(found, list) and key.isdigit() and int(key) < len(found):
            found = found[int(key)]
        else:
            return None
    return found
