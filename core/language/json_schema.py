"""JSON Schemas from files and servers: whether they are schemas, and validators that fetch nothing.

A schema is data from a stranger: its size is limited before any library sees it, no reference leaves it, and
patterns run in an engine that takes linear time or gives up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pydantic_core import from_json

from core.diagnostics import Severity
from core.diagnostics.rules import schema as rules
from core.language.schema_keywords import keyword_problems
from core.language.schema_messages import MASK, InstanceError, describe, json_path
from core.language.schema_walk import (
    LATEST,
    MAX_TEXT,
    REFERENCES,
    Path,
    SchemaProblem,
    children,
    dialect_of,
    dialect_problem,
    patterns,
    pre_check,
    subschemas,
    target,
)
from core.model.reading import did_you_mean, shown

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator

MAX_ERRORS = 50
_BACKTRACKS = 100_000
_MAX_EXPANDED = 2_000
_ENCODER = json.JSONEncoder(allow_nan=False, check_circular=False)
_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
_UNUSUAL = re.compile(r'"(?:\$|pattern|default"|examples")')
_PLAIN = 32
"""A schema with fewer braces is not too deep."""


class SchemaUnusable(ValueError):  # noqa: N818 - it states what a schema is
    """Nothing can be checked against a schema: it is none, or breaks a limit."""


def schema_problems(schema: Mapping[str, Any]) -> tuple[SchemaProblem, ...]:
    """Return everything that is wrong with ``schema``, errors and warnings; answers are kept by content."""
    return checked(schema)[1]


def checked(schema: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[SchemaProblem, ...]]:
    """Return ``schema`` as plain data, the same object for equal schemas, and what is wrong with it."""
    try:
        text = _ENCODER.encode(schema)
    except (ValueError, TypeError, RecursionError):
        return dict(schema), (SchemaProblem(rules.INVALID, (), "The schema holds what JSON can't"),)
    if len(text) > MAX_TEXT:
        message = f"The schema has {len(text):,} characters as JSON; more than {MAX_TEXT:,} are not checked"
        return dict(schema), (SchemaProblem(rules.LIMIT, (), message, "make it smaller"),)
    try:
        return _checked_text(text)
    except ValueError:
        return dict(schema), (SchemaProblem(rules.INVALID, (), "The schema holds text that is no Unicode"),)


@lru_cache(maxsize=4_096)
def _checked_text(text: str) -> tuple[dict[str, Any], tuple[SchemaProblem, ...]]:
    schema = from_json(text)
    if _UNUSUAL.search(text) is None:
        found = () if text.count("{") < _PLAIN else pre_check(schema)
        if not found and _meta(LATEST).is_valid(schema):
            return schema, tuple(keyword_problems(schema))
    return schema, tuple(_problems(schema))


def _problems(schema: dict[str, Any]) -> Iterator[SchemaProblem]:
    dialect = dialect_problem(schema)
    if dialect is not None:
        yield dialect
    found = pre_check(schema)
    yield from found
    if any(problem.rule is rules.LIMIT for problem in found):
        return
    meta = [_meta_problem(error) for error, _ in zip(_meta_errors(schema), range(MAX_ERRORS), strict=False)]
    yield from meta
    broken = [problem for path, sub, _ in subschemas(schema) for problem in _bad_patterns(sub, path)]
    yield from broken
    yield from keyword_problems(schema)
    if not (found or meta or broken):
        yield from _unbuildable(schema)
        yield from _rejected_defaults(schema)


def _deny(uri: str) -> Any:
    raise ValueError(f"nothing is fetched for a schema, and {uri} is outside it")


@lru_cache(maxsize=8)
def _meta(dialect: str) -> Validator:
    import jsonschema_rs

    return jsonschema_rs.validator_for({"$schema": dialect, "$ref": dialect}, retriever=_deny, mask=MASK)


def _meta_errors(schema: dict[str, Any]) -> Iterator[ValidationError]:
    known = dialect_of(schema)
    for error in _meta(known or LATEST).iter_errors(schema):
        if known or list(error.instance_path) != ["$schema"]:
            yield error


def _meta_problem(error: ValidationError) -> SchemaProblem:
    path = tuple(error.instance_path)
    if path and path[-1] == "type" and isinstance(error.instance, str):
        hint = did_you_mean(error.instance, _TYPES) or f"the types are {', '.join(_TYPES)}"
        return SchemaProblem(rules.INVALID, path, f"{shown(error.instance)} is no JSON Schema type; {hint}", hint)
    where = f"{shown(path[-1])} of the schema" if path and isinstance(path[-1], str) else "This part of the schema"
    return SchemaProblem(rules.INVALID, path, f"{where} {describe(error)}")


def _bad_patterns(sub: Mapping[str, Any], path: Path) -> Iterator[SchemaProblem]:
    for where, pattern in patterns(sub, path):
        if not _is_pattern(pattern):
            message = f"{shown(pattern)} is no regular expression that can be checked"
            yield SchemaProblem(rules.PATTERN, where, message, "correct the pattern")


@lru_cache(maxsize=1_024)
def _is_pattern(pattern: str) -> bool:
    try:
        _build({"pattern": pattern})
    except ValueError:
        return False
    return True


def _build(schema: Mapping[str, Any], **options: Any) -> Validator:
    """Return a validator that fetches nothing; raises ValueError when the schema is none."""
    import jsonschema_rs

    known = dict(schema)
    if dialect_of(schema) is None:
        del known["$schema"]
    engine = jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS)
    return jsonschema_rs.validator_for(known, retriever=_deny, mask=MASK, pattern_options=engine, **options)


def _unbuildable(schema: dict[str, Any]) -> Iterator[SchemaProblem]:
    try:
        _build(schema)
    except ValueError:
        yield SchemaProblem(rules.INVALID, (), "The schema can't be used: a part that it refers to is missing or unfit")


def _rejected_defaults(schema: dict[str, Any]) -> Iterator[SchemaProblem]:
    for path, sub, _ in subschemas(schema):
        given: list[tuple[Path, Any]] = [(("default",), sub["default"])] if "default" in sub else []
        examples = sub.get("examples")
        given += [(("examples", i), e) for i, e in enumerate(examples)] if isinstance(examples, list) else []
        if not given or _expands_too_far(schema, sub):
            continue
        validator = _build_part(schema, path)
        for steps, value in given:
            error = next(validator.iter_errors(value), None)
            if error is not None:
                where = json_path(error.instance_path)
                what = "default" if steps[0] == "default" else "example"
                at = "" if where == "$" else f" at `{where}`"
                message = f"The {what} breaks its own schema{at}: it {describe(error)}"
                yield SchemaProblem(rules.DEFAULT, (*path, *steps), message, "correct one of the two")


def _build_part(schema: dict[str, Any], path: Path) -> Validator:
    if not path:
        return _build(schema)
    import jsonschema_rs

    pointer = "".join(f"/{quote(str(step).replace('~', '~0').replace('/', '~1'), safe='~')}" for step in path)
    named = {key: value for key, value in schema.items() if key not in ("$id", "$schema")}
    dialect = {"$schema": dialect_of(schema) or LATEST}
    registry = jsonschema_rs.Registry([("urn:schema", {**named, **dialect})], retriever=_deny)
    return _build({**dialect, "$ref": f"urn:schema#{pointer}"}, registry=registry)


def _expands_too_far(schema: dict[str, Any], part: Mapping[str, Any]) -> bool:
    """Whether following every reference from ``part`` meets too many schemas: then no time limit could be kept."""
    pending: list[Any] = [part]
    for _ in range(_MAX_EXPANDED):
        if not pending:
            return False
        sub = pending.pop()
        if isinstance(sub, Mapping):
            pending.extend(child for _, child in children(sub, ()))
            pending.extend(target(schema, sub[key]) for key in REFERENCES if isinstance(sub.get(key), str))
    return True


def validator_for(schema: Mapping[str, Any]) -> Validator:
    """Return a validator for instances of ``schema``, of the draft that it names, else 2020-12.

    It fetches no file and no address. Checking can still take long: alternatives may multiply.

    Raises:
        SchemaUnusable: the schema is none or breaks a limit; the message says why and where.
    """
    plain, problems = checked(schema)
    error = next((p for p in problems if p.rule.severity is Severity.ERROR), None)
    if error is not None:
        raise SchemaUnusable(f"{json_path(error.path)}: {error.message}")
    try:
        return _build(plain)
    except ValueError as fault:
        raise SchemaUnusable("the schema can't be used") from fault


def instance_errors(schema: Mapping[str, Any], instance: Any, limit: int = MAX_ERRORS) -> list[InstanceError]:
    """Return what is wrong with ``instance``, at most ``limit`` faults; raises SchemaUnusable as ``validator_for``."""
    validator = validator_for(schema)
    try:
        found = zip(validator.iter_errors(instance), range(limit), strict=False)
        return [InstanceError(json_path(error.instance_path), describe(error)) for error, _ in found]
    except (ValueError, TypeError, RecursionError, OverflowError) as fault:
        return [InstanceError("$", f"is no JSON value that can be checked ({type(fault).__name__})")]
