"""Findings and remedies about single scalars, for whoever knows that a value is meant to be text."""

from __future__ import annotations

import re
from typing import Any

from core.diagnostics import Diagnostic, Edit, Fix
from core.diagnostics.rules import yaml as rules
from core.language.tree import Map, Seq, SourceText, Span, pack, unpack
from core.language.yaml_scalars import FIRST_OF_AMBIGUOUS, MAX_DIGITS, ambiguous, quoted

_COMMENT = re.compile(r"[ \t]+#[^\r\n]*")


def quoting_fix(source: SourceText, span: Span, text: str) -> Fix:
    """Return the fix that puts ``text``, which stands at ``span``, in quotes."""
    return Fix("put it in quotes", (Edit(source.place(span), quoted(text)),))


def ambiguity(source: SourceText, owner: Map | Seq, key: str | int, else_write: str | None = None) -> Diagnostic | None:
    """Return the warning for the entry ``key`` of ``owner`` if other readers take its plain scalar for no text.

    For entries that are meant to be text. Quoted ones and texts of several lines are never ambiguous.
    ``else_write`` is a second remedy.
    """
    entries: Any = owner
    value = entries[key]
    if isinstance(value, str) and (value[:1] not in FIRST_OF_AMBIGUOUS or len(value) > MAX_DIGITS):
        return None
    span, raw = entries.spans[key], entries.raw.get(key)
    if raw is None:
        start, end = unpack(span)
        if not isinstance(value, str) or end - start != len(value):
            return None
        raw = value
    taken_for = ambiguous(raw)
    if taken_for is None or not raw:
        return None
    hint = f"write {quoted(raw)}"
    message = f"`{raw}` is read as text here, but some YAML readers take it for {taken_for}"
    if else_write:
        message += f"; {hint}, {else_write}"
    return rules.AMBIGUOUS_SCALAR.at(source.place(span), message, hint=hint, fix=quoting_fix(source, span, raw))


def comment_after(text: str, span: Span, offset: int = 0) -> Span | None:
    """Return the span of the comment that follows the plain scalar at ``span`` on its line.

    ``text`` begins at ``offset`` of the file.
    """
    match = _COMMENT.match(text, unpack(span)[1] - offset)
    return pack(match.start() + offset, match.end() + offset) if match else None
