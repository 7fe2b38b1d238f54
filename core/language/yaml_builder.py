"""libyaml's events, in one pass, to ``Map``, ``Seq`` and scalars with spans, whatever is wrong with them.

Texts without faults, anchors and tags mostly come here never: ``yaml_compose`` reads them quicker.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, Final

from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from core.diagnostics.rules import yaml as rules
from core.language.tree import Map, Seq, Span, Written, pack
from core.language.yaml_anchors import Anchors
from core.language.yaml_limits import COLLECTION, KEY, MAX_DEPTH, MAX_TEXT, Limits, Report, Stop
from core.language.yaml_scalars import (
    CONSTANTS,
    FIRST_OF_NUMBER,
    FIRST_OF_ODD_KEYS,
    NOT_JSON,
    TOO_LONG,
    plain_value,
)
from core.language.yaml_slips import unfilled
from core.text import display

_DROPPED: Final = "\udc00"
"""Begins the stand-in for a key that is none, until its value was read; no YAML text can hold this character."""


class Builder:
    """Builds the first document; whatever ``build`` raises, ``root`` holds what was read until then."""

    def __init__(self, text: str, base: int, limits: Limits, report: Report, restore: dict[int, str] | None) -> None:
        self._text = text
        self._base = base
        self._offset = base << 32 | base
        self._report = report
        self._restore = restore
        self._written = Written(text, base)
        self._holder = Seq()
        self._stack: list[tuple[Any, bool, str | None, list[Any], int, int]] = []
        self._dropped: list[tuple[Map, str]] = []
        self._nodes = 0
        self._most = self._left = limits.most_values(text)
        self.anchors = Anchors(report, report_excess=limits.report_aliases)
        self.flow_collections: list[Span] = []
        self.documents = 0
        self.last: ScalarEvent | None = None

    @property
    def root(self) -> Any:
        """The document's value as far as it was read; None when there was none."""
        return self._holder[0] if self._holder else None

    @property
    def depth(self) -> int:
        """How many collections were open where reading ended."""
        return len(self._stack)

    def build(self) -> None:
        """Read the first document. Raises ``Stop`` at a limit, ``yaml.YAMLError`` or ``UnicodeError`` at a fault."""
        parser = CParser(self._text)
        try:
            self._run(parser.get_event, self._holder, self._holder.marks)
        finally:
            parser.dispose()
            self._tidy()

    def _run(self, get: Callable[[], Any], cur: Any, marks: Any) -> None:
        """Run through the events; written out in one loop, as calls cost more here than anything else.

        ``tail`` is the event that ends furthest on.
        """
        keyed, offset, stack = False, self._offset, self._stack
        number_first, key_first = FIRST_OF_NUMBER, FIRST_OF_ODD_KEYS
        key: Any = None
        tail: Any = None
        value: Any
        while True:
            event = get()
            kind = type(event)
            if kind is ScalarEvent:
                self.last = tail = event
                value, span, plain = self._examine(event, event.value, not event.style)
                if keyed and key is None:
                    key = value
                    self._left -= KEY - 1
                    if value in cur or (plain and (value in CONSTANTS or value[0] in key_first)):
                        key = self._odd_key(cur, value, span, plain)
                    marks.append(span)
                    continue
                if plain and (value in CONSTANTS or value[0] in number_first):
                    value = self._typed(value, span)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                start = event.start_mark.index
                value = (Map if kind is MappingStartEvent else Seq)(0, array("Q"), self._written)
                value.mark = span = (start << 32 | start) + offset
                key, key_after = self._examine_collection(event, value, cur, keyed, key, marks)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                value, in_flow = cur, event.end_mark.index > event.start_mark.index
                tail = event if in_flow else tail
                cur, keyed, key, marks, index, start = stack.pop()
                value.mark = marks[index] = (start << 32 | tail.end_mark.index) + offset
                if in_flow:
                    self.flow_collections.append(value.span)
                self._leave(value, key, marks)
                continue
            else:
                key, tail = self._other(event, cur, keyed, key, marks, tail)
                continue
            if keyed:
                cur[key], key = value, None
            else:
                cur.append(value)
            marks.append(span)
            if kind is not ScalarEvent:
                stack.append((cur, keyed, key_after, marks, len(marks) - 1, start))
                cur, keyed, key, marks = value, kind is MappingStartEvent, None, value.marks

    def _examine_collection(
        self, event: Any, value: Map | Seq, cur: Any, keyed: bool, key: str | None, marks: Any
    ) -> tuple[str | None, str | None]:
        """Look at depth, tag and anchor of a collection; return its key, and the next one if it is a key itself."""
        span, start = value.span, event.start_mark.index
        self._count(start, COLLECTION)
        if len(self._stack) >= MAX_DEPTH:
            self._stop(span, f"values are nested deeper than {MAX_DEPTH} levels here", "nest them less")
        if event.tag is not None:
            self._tag(start)
        if event.anchor is not None:
            at = self._text.index("&", start)
            self.anchors.begin(event.anchor, value, pack(at, at + 1 + len(event.anchor)) + self._offset, self._nodes)
        if not keyed or key is not None:
            return key, None
        if start and self._text[start - 1 : start + 1] == "{{":
            fault = unfilled(start - 1, start + 1, "{{")
            where = pack(fault.start, fault.end) + self._offset
            key = self._drop(cur, fault.rule, where, fault.message, hint=fault.hint)
        else:
            key = self._drop(cur, rules.KEY_TYPE, span, "a key must be text, not a list or mapping")
        marks.append(span)
        return key, self._stand_in(cur)

    def _leave(self, value: Map | Seq, key: str | None, marks: Any) -> None:
        """Weigh ``value`` if it has an anchor; ``key`` is the next one if ``value`` stood where a key should."""
        self.anchors.end(value, self._nodes)
        if not value.marks:
            value.marks = ()
        if key is not None:
            marks.append(value.span)

    def _other(self, event: Any, cur: Any, keyed: bool, key: Any, marks: Any, tail: Any) -> tuple[str | None, Any]:
        """Read an alias as an entry of ``cur``, or see whether the document ends; return the state after it."""
        kind = type(event)
        if kind is not AliasEvent:
            self._boundary(event)
            return key, tail
        self._count(event.start_mark.index)
        span = pack(event.start_mark.index, event.end_mark.index) + self._offset
        value = self.anchors.resolve(event.anchor, span, self._nodes)
        marks.append(span)
        if keyed and key is None:
            return self._drop(cur, rules.KEY_TYPE, span, "a key must be text written out, not an alias"), event
        if keyed:
            cur[key] = value
        else:
            cur.append(value)
        return None, event

    def _count(self, start: int, values: int = 1) -> None:
        self._nodes += 1
        self._left -= values
        if self._left < 0:
            message = f"the file has more than {self._most:,} values, so the rest is not read"
            self._stop(pack(start, start + 1) + self._offset, message)

    def _stop(self, span: Span, message: str, hint: str | None = None) -> None:
        self._report(rules.LIMIT, span, message, hint=hint)
        raise Stop

    def _examine(self, event: Any, value: str, plain: bool) -> tuple[str, Span, bool]:
        """Look at what few scalars have: tags, anchors, great length, characters that were exchanged."""
        start = event.start_mark.index
        self._count(start)
        if self._restore is not None:
            value = value.translate(self._restore)
        if event.tag is not None:
            self._tag(start)
            plain = False
        if event.anchor is not None:
            start = self._anchored(event, value, start, plain)
        if len(value) > MAX_TEXT:
            at = start + self._base
            self._report(
                rules.LIMIT,
                pack(at, at + 1),
                f"a text has {len(value):,} characters, where {MAX_TEXT:,} are allowed",
                hint="make it shorter",
            )
        return value, pack(start, event.end_mark.index) + self._offset, plain

    def _anchored(self, event: Any, value: str, start: int, plain: bool) -> int:
        """Note the anchor of a scalar and return where the value after it begins."""
        end = event.end_mark.index
        at = self._text.index("&", start, end)
        after = at + 1 + len(event.anchor)
        self.anchors.add(event.anchor, plain_value(value) if plain else value, pack(at, after) + self._offset)
        while after < end and self._text[after] in " \t\r\n":
            after += 1
        return after

    def _tag(self, start: int) -> None:
        at = self._text.find("!", start)
        end = at + 1
        while end < len(self._text) and self._text[end] not in " \t\r\n,[]{}":
            end += 1
        self._report(
            rules.TAG,
            pack(at, end) + self._offset,
            f"the tag `{_shown(self._text[at:end])}` is not allowed, as values are plain data",
            hint="delete the tag",
        )

    def _odd_key(self, cur: Map, key: str, span: Span, plain: bool) -> str:
        """Return the key to use for ``key``, which is either there already or perhaps no text."""
        if plain and key == "<<":
            return self._drop(cur, rules.MERGE_KEY, span, "the merge key `<<` is not supported")
        if plain and plain_value(key) is not key:
            shown = f"`{_shown(key)}` is not text" if key else "a key is missing before this colon"
            return self._drop(cur, rules.KEY_TYPE, span, f"keys must be text: {shown}", quote=key)
        if key in cur:
            first = cur.marks[2 * list(cur).index(key)]
            return self._drop(
                cur, rules.DUPLICATE_KEY, span, f"`{_shown(key)}` is given twice in this mapping", first=first
            )
        return key

    def _drop(self, cur: Map, rule: Any, span: Span, message: str, **more: Any) -> str:
        """Report a key that is none and return what stands in for it."""
        self._report(rule, span, message, **more)
        return self._stand_in(cur)

    def _stand_in(self, cur: Map) -> str:
        """Return a key under which a value is kept until it is thrown away."""
        key = f"{_DROPPED}{len(self._dropped)}"
        self._dropped.append((cur, key))
        return key

    def _typed(self, text: str, span: Span) -> Any:
        """Return what a plain scalar stands for; an unfit number is null."""
        value = plain_value(text)
        if value is text:
            return text
        if value is NOT_JSON:
            self._report(rules.NOT_JSON, span, f"`{text}` can't be represented as JSON")
        elif value is TOO_LONG:
            message = f"a number has {len(text):,} characters"
            self._report(rules.LIMIT, span, message, hint="put it in quotes if it is text")
        else:
            return value
        return None

    def _boundary(self, event: Any) -> None:
        """Count documents; raise ``Stop`` where the first one ends for good."""
        kind = type(event)
        if kind is DocumentStartEvent:
            self.documents += 1
            if self.documents > 1:
                span = pack(event.start_mark.index, event.end_mark.index) + self._offset
                message = "a second YAML document begins here, but a file holds one"
                self._report(rules.MULTI_DOCUMENT, span, message, hint="move it to a file of its own")
                raise Stop
        elif event is None or kind is StreamEndEvent:
            raise Stop

    def _tidy(self) -> None:
        """Throw away what stands under keys that are none."""
        for cur in {id(cur): cur for cur, _ in self._dropped}.values():
            entries = zip(cur, cur.marks[0::2], cur.marks[1::2], strict=False)
            cur.marks = array("Q", [mark for key, *entry in entries if key[:1] != _DROPPED for mark in entry])
        for cur, key in self._dropped:
            cur.pop(key, None)


def _shown(text: str) -> str:
    return display(text, 60)
