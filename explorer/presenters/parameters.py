"""What a tool takes, in words: name, type, bounds, whether it is required, and what it is for."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from explorer.presenters import marks
from explorer.presenters.page import Page
from explorer.services.forms.exact import MAX_DEPTH, deeper_than
from explorer.services.forms.schema import Schemas
from explorer.services.forms.spec import Spec, spec_of
from explorer.services.forms.words import demands

MOST_SHOWN = 40


def parameters(page: Page, schema: Any) -> None:
    """Add a field for each parameter of ``schema``; say so when there are none or the schema can't be read."""
    if not isinstance(schema, dict) or deeper_than(schema, MAX_DEPTH):
        page.field("takes", Content.styled("any JSON object: it says nothing of its parameters", marks.MUTED))
        return
    schemas = Schemas(schema)
    spec = spec_of(schemas, schema)
    if not spec.properties:
        page.field("takes", Content.styled(_without_names(spec), marks.MUTED))
        return
    for at, (name, part) in enumerate(spec.properties.items()):
        if at == MOST_SHOWN:
            page.field("", Content.styled(f"and {len(spec.properties) - MOST_SHOWN:,} more", marks.MUTED))
            break
        page.field("takes" if at == 0 else "", _parameter(schemas, name, part, name in spec.required))


def _without_names(spec: Spec) -> str:
    if spec.variants:
        return f"one of {len(spec.variants)} forms: {', '.join(v.title for v in spec.variants[:5])}"
    return "nothing" if spec.schema.get("additionalProperties") is False or not spec.schema else "any JSON object"


def _parameter(schemas: Schemas, name: str, part: Any, required: bool) -> Content:
    spec = spec_of(schemas, part, name)
    needed = Content.styled(" required", "$accent") if required else Content("")
    said = Content.assemble("  ", marks.text(demands(schemas, spec), marks.MUTED, 200))
    purpose = Content.assemble("  ", marks.text(spec.description, limit=300)) if spec.description else Content("")
    return Content.assemble(marks.text(name, "bold", 80), needed, said, purpose)
