"""The values of a frontmatter as its rules see them: what is text, where it stands, how it was written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from core.diagnostics import Fix, Rule
from core.language.agent_skill.page import Page
from core.language.tree import Map, Seq, Span, unpack
from core.language.yaml_fixes import ambiguity, quoting_fix
from core.language.yaml_scalars import CONSTANTS, quoted
from core.text import display

_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+\Z")


@dataclass(slots=True)
class Field:
    """One entry of ``parent``: ``text`` is the value where it is text, ``raw`` what was written where it is typed.

    A decimal number with a leading zero counts as text: readers do not agree on what else it is.
    """

    page: Page
    parent: Map
    key: str
    value: Any
    text: str | None
    raw: str | None

    @property
    def key_span(self) -> Span:
        """Where the key stands."""
        return self.parent.key_spans[self.key]

    @property
    def value_span(self) -> Span:
        """Where the value stands."""
        return self.parent.spans[self.key]

    @property
    def span(self) -> Span:
        """Where findings about the whole value belong: at the value if it begins on the key's line, else at the key."""
        start, begin = unpack(self.value_span)[0], unpack(self.key_span)[0]
        if (self.value is None and not self.raw) or "\n" in self.page.flat[begin:start]:
            return self.key_span
        return self.value_span

    @property
    def empty(self) -> bool:
        """Whether the value is null, empty or blank."""
        if self.value is None:
            return not self.raw or self.raw in CONSTANTS
        return self.text is not None and not self.text.strip()

    @property
    def kind(self) -> str:
        """What the value is, for a message."""
        if isinstance(self.value, Map):
            return "a mapping"
        if isinstance(self.value, Seq):
            return "a list"
        if self.text is not None:
            return "text"
        if self.empty:
            return "empty"
        shown = display(self.raw if self.raw is not None else str(self.value), 80)
        return f"the boolean `{shown}`" if isinstance(self.value, bool) else f"the number `{shown}`"

    def quote(self) -> Fix | None:
        """Return the fix that makes text of a plain scalar that is none."""
        start, end = unpack(self.value_span)
        if not self.raw or self.page.text[start:end] != self.raw:
            return None
        return quoting_fix(self.page.source, self.value_span, self.raw)


def field_of(page: Page, parent: Map, key: str) -> Field:
    """Return the entry ``key`` of ``parent``."""
    value, raw = parent[key], parent.raw.get(key)
    text = value if isinstance(value, str) else None
    if raw is not None and _LEADING_ZERO.match(raw):
        text = raw
    return Field(page, parent, key, value, text, raw)


def check_text(field: Field, rule: Rule, name: str | None = None) -> bool:
    """Say whether ``field`` is text; report ``rule`` where it is not, and where readers may take it for something else.

    ``name`` is the key as the message shows it.
    """
    if field.text is None:
        fix = field.quote()
        hint = f"write {quoted(display(field.raw, 80))}" if fix and field.raw else "write it as one text"
        message = f"`{name or field.key}` is {field.kind}, where text is due"
        field.page.add(rule, field.span, message, hint=hint, fix=fix)
        return False
    found = ambiguity(field.page.source, field.parent, field.key)
    if found:
        field.page.found.append(found)
    return True
