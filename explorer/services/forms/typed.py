"""Text in a field to a value, and back to the same text."""

from __future__ import annotations

from typing import Any

from explorer.services.forms.document import MISSING
from explorer.services.forms.exact import NotJson, dump, parse
from explorer.services.forms.rows import Row
from explorer.services.forms.spec import Kind


def typed_number(text: str, *, whole: bool) -> Any:
    """Return what was typed into a number field: a number, other JSON as what it is, anything else as plain text."""
    try:
        value = parse(text)
    except NotJson:
        return text
    return int(value) if whole and isinstance(value, float) and value.is_integer() else value


def field_text(row: Row) -> str:
    """Return what stands in the field of a row: ``write`` of it gives the same value again."""
    if row.draft is not None:
        return row.draft
    value = row.value
    if value is MISSING or (value is None and row.spec.kind is not Kind.JSON):
        return ""
    if row.spec.kind in (Kind.INTEGER, Kind.NUMBER) and isinstance(value, str):
        whole = row.spec.kind is Kind.INTEGER
        return value if identical(typed_number(value.strip(), whole=whole), value) else dump(value, indent=None)
    if isinstance(value, str) and row.spec.kind is not Kind.JSON:
        return value
    return dump(value, indent=None)


def no_json(text: str) -> str:
    """Return why ``text`` is no JSON."""
    try:
        parse(text)
    except NotJson as error:
        return f"no JSON: {error}"
    return "no JSON"


def identical(left: Any, right: Any) -> bool:
    """Whether two values are the same and of one type: 1 and true are not, nor 1 and 1.0."""
    return type(left) is type(right) and bool(left == right)
