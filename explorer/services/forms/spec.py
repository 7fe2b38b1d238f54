"""What kind of field a schema asks for, and what a form says beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from explorer.services.forms.document import MISSING
from explorer.services.forms.schema import Schema, Schemas
from explorer.services.forms.variants import alternatives, is_null

MOST_CHECKBOXES = 12
_LONG_TEXT = 200
_LONG_NAMES = frozenset(
    {"body", "code", "content", "diff", "document", "html", "markdown", "message", "new_text", "notes", "old_text"}
    | {"patch", "prompt", "script", "source", "sql", "template", "text", "yaml"}
)
_LONG_FORMATS = frozenset({"multiline", "multi-line", "textarea", "markdown"})
_HINTS: tuple[tuple[str, frozenset[str]], ...] = (
    ("object", frozenset({"properties", "additionalProperties", "patternProperties", "required", "propertyNames"})),
    ("array", frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"})),
    ("string", frozenset({"minLength", "maxLength", "pattern", "format"})),
    ("number", frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})),
)


class Kind(StrEnum):
    """How a field is filled in."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    CONST = "const"
    OBJECT = "object"
    ARRAY = "array"
    CHECKS = "checks"
    VARIANTS = "variants"
    NULL = "null"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an enum; ``title`` where the schema names it."""

    value: Any
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """One branch of a ``oneOf`` or ``anyOf``, or one of several types."""

    title: str
    schema: Schema


@dataclass(frozen=True, slots=True)
class Spec:
    """A schema as a form needs it. ``schema`` has its references followed and its ``allOf`` merged."""

    kind: Kind
    schema: Schema
    nullable: bool = False
    choices: tuple[Choice, ...] = ()
    variants: tuple[Variant, ...] = ()
    long: bool = False
    secret: bool = False

    @property
    def default(self) -> Any:
        """The schema's default; MISSING when it has none."""
        return self.schema.get("default", MISSING)

    @property
    def title(self) -> str:
        """The schema's own title; empty when it has none."""
        return text_of(self.schema, "title")

    @property
    def description(self) -> str:
        """The schema's description; empty when it has none."""
        return text_of(self.schema, "description")

    @property
    def required(self) -> frozenset[str]:
        """Names of members that must be there."""
        return frozenset(n for n in listed(self.schema.get("required")) if isinstance(n, str))

    @property
    def properties(self) -> dict[str, Any]:
        """Subschemas of the named members, in the schema's order."""
        found = self.schema.get("properties")
        return found if isinstance(found, dict) else {}


def text_of(schema: Schema, keyword: str) -> str:
    """Return the text under ``keyword``; empty when there is none."""
    found = schema.get(keyword)
    return found if isinstance(found, str) else ""


def listed(value: Any) -> Sequence[Any]:
    """Return ``value`` when it is a list, else nothing."""
    return value if isinstance(value, list) else ()


def spec_of(schemas: Schemas, schema: Any, name: str = "", hops: int = 8) -> Spec:
    """Return how a value of ``schema`` is filled in; what no kind fits is edited as JSON.

    ``hops`` bounds the branches that hold nothing but one branch, which a schema may chain without end.
    """
    base = schemas.merged(schema)
    branches = alternatives(schemas, base) if hops else None
    if branches is None:
        return _plain(schemas, base, name)
    null = [b for b in branches if is_null(b)]
    rest = [b for b in branches if not is_null(b)]
    nullable = bool(null) or base.get("nullable") is True
    if len(rest) == 1:
        said = {k: base[k] for k in ("title", "description", "default") if k in base}
        return _with_null(spec_of(schemas, {**rest[0], **said}, name, hops - 1), nullable)
    if rest and all(_fixed(b) for b in rest):
        return Spec(Kind.CHOICE, base, nullable, tuple(c for b in rest for c in _choices(b)))
    titles = _variant_titles(schemas, rest)
    return Spec(Kind.VARIANTS, base, nullable, variants=tuple(map(Variant, titles, rest)))


def _with_null(spec: Spec, nullable: bool) -> Spec:
    return replace(spec, nullable=spec.nullable or nullable)


def _fixed(branch: Schema) -> bool:
    return "const" in branch or isinstance(branch.get("enum"), list)


def _choices(schema: Schema) -> tuple[Choice, ...]:
    if "const" in schema:
        return (Choice(schema["const"], text_of(schema, "title") or None),)
    names = listed(schema.get("enumNames"))
    values = [v for v in listed(schema.get("enum")) if v is not None]
    titles = [t if isinstance(t, str) else None for t in names] if len(names) == len(values) else []
    alone = text_of(schema, "title") if len(values) == 1 else ""
    return tuple(Choice(v, titles[at] if titles else alone or None) for at, v in enumerate(values))


def _variant_titles(schemas: Schemas, branches: list[Schema]) -> list[str]:
    """No two branches are called the same: those that would be get their number."""
    members = [frozenset(_members_of(branch)) for branch in branches]
    everywhere = members[0].intersection(*members[1:]) if members else frozenset()
    titles = [_variant_title(schemas, branch, everywhere) or "variant" for branch in branches]
    return [f"{t} {at}" if titles.count(t) > 1 or t == "variant" else t for at, t in enumerate(titles, 1)]


def _variant_title(schemas: Schemas, branch: Schema, everywhere: frozenset[str]) -> str:
    """A branch is called by its title, else by its constants, else by its type and the members that others lack."""
    if text_of(branch, "title"):
        return text_of(branch, "title")
    constants = [
        f"{key}: {found['const']}"
        for key, member in _members_of(branch).items()
        if "const" in (found := schemas.merged(member))
    ]
    if constants:
        return ", ".join(constants[:3])
    name = type_of(branch)
    required = [n for n in listed(branch.get("required")) if isinstance(n, str)]
    own = required or [n for n in _members_of(branch) if n not in everywhere]
    return f"object with {', '.join(own[:3])}" if name == "object" and own else name


def _members_of(branch: Schema) -> dict[str, Any]:
    found = branch.get("properties")
    return found if isinstance(found, dict) else {}


def type_of(schema: Schema) -> str:
    """Return the one type, null aside, that ``schema`` names or that its keywords are about; empty for any."""
    found = schema.get("type")
    names = [n for n in ([found] if isinstance(found, str) else listed(found)) if n != "null"]
    if names:
        return names[0] if len(names) == 1 and isinstance(names[0], str) else ""
    return next((name for name, keywords in _HINTS if not keywords.isdisjoint(schema)), "")


def _plain(schemas: Schemas, base: Schema, name: str) -> Spec:
    nullable = _allows_null(base)
    if "const" in base:
        return Spec(Kind.NULL if base["const"] is None else Kind.CONST, base, nullable)
    if isinstance(base.get("enum"), list):
        return Spec(Kind.CHOICE, base, nullable, _choices(base))
    kind = _KINDS.get(type_of(base), Kind.NULL if base.get("type") in ("null", ["null"]) else Kind.JSON)
    if kind is Kind.ARRAY:
        return _array(schemas, base, nullable)
    if kind is Kind.TEXT:
        return Spec(kind, base, nullable, long=_is_long(base, name), secret=_is_secret(base))
    return Spec(kind, base, nullable)


_KINDS = {
    "string": Kind.TEXT,
    "integer": Kind.INTEGER,
    "number": Kind.NUMBER,
    "boolean": Kind.BOOLEAN,
    "object": Kind.OBJECT,
    "array": Kind.ARRAY,
}


def _allows_null(schema: Schema) -> bool:
    named = schema.get("type")
    if isinstance(schema.get("enum"), list) and None in schema["enum"]:
        return named is None or named == "null" or (isinstance(named, list) and "null" in named)
    return schema.get("nullable") is True or (isinstance(named, list) and "null" in named)


def _array(schemas: Schemas, base: Schema, nullable: bool) -> Spec:
    """A list of few fixed values, each at most once, is a row of boxes to tick."""
    items = schemas.merged(base.get("items"))
    choices = _choices(items) if "prefixItems" not in base and isinstance(items.get("enum"), list) else ()
    few = 0 < len(choices) <= MOST_CHECKBOXES and base.get("uniqueItems") is True
    return Spec(Kind.CHECKS if few else Kind.ARRAY, base, nullable, choices if few else ())


def _is_long(schema: Schema, name: str) -> bool:
    at_most = schema.get("maxLength")
    if isinstance(at_most, int) and at_most <= _LONG_TEXT:
        return False
    wanted = schema.get("format") in _LONG_FORMATS or "contentMediaType" in schema
    return wanted or (name.lower() in _LONG_NAMES and "pattern" not in schema and "format" not in schema)


def _is_secret(schema: Schema) -> bool:
    return schema.get("format") == "password" or schema.get("writeOnly") is True
