"""libyaml's events, in one pass, to ``Map``, ``Seq`` and scalars with spans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from core.diagnostics.rules import yaml as rules
from core.language.tree import Map, Seq, Span, pack
from core.language.yaml_scalars import FIRST_OF_TYPED, NOT_JSON, Unfit, plain_value

Report = Callable[..., None]
"""Takes a rule, a span, a message, and as keywords what ``Rule.at`` takes."""

_FIRST_OF_ODD_KEYS: Final = FIRST_OF_TYPED | {"<"}
_DROPPED: Final = "\udc00"
"""Stands for a key that is none until its value was read; no YAML text can hold this character."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a file is read; ``expanded`` counts values with every alias written out."""

    depth: int = 64
    nodes: int = 200_000
    expanded: int = 200_000
    aliases: int = 1_000
    text: int = 262_144
    report_aliases: bool = True
    """Whether aliases over the limits are errors; they are read as null either way."""


class Stop(Exception):  # noqa: N818 - it ends the reading and is no error
    """The rest of the file isn't read; why has been reported."""


class Builder:
    """Builds the first document; whatever ``build`` raises, ``root`` holds what was read until then."""

    def __init__(self, text: str, base: int, limits: Limits, report: Report, restore: dict[int, str] | None) -> None:
        self._text = text
        self._base = base
        self._offset = base << 32 | base
        self._limits = limits
        self._report = report
        self._restore = restore
        self._watch = restore is not None or "&" in text or "!" in text or len(text) > limits.text
        self._holder = Seq()
        self._stack: list[tuple[Any, bool, str | None, int, str | None]] = []
        self._dropped: list[Map] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._open: dict[int, tuple[str, int]] = {}
        self._extra = 0
        self.aliases: list[Span] = []
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
            self._run(parser.get_event)
        finally:
            parser.dispose()
            self._tidy()

    def _run(self, get: Callable[[], Event | None]) -> None:
        """Run through the events; written out in one loop, as calls cost more here than anything else."""
        offset, watch, typed_first = self._offset, self._watch, FIRST_OF_TYPED
        cur: Any = self._holder
        keyed, key, nodes, end = False, None, 0, 0
        while True:
            event: Any = get()
            kind = type(event)
            if kind is ScalarEvent:
                self.last = event
                value, start, end, plain = event.value, event.start_mark.index, event.end_mark.index, not event.style
                nodes += 1
                if watch:
                    value, start, plain = self._examine(event, value, start, plain)
                span = (start << 32 | end) + offset
                if keyed and key is None:
                    key = value
                    if value in cur or (plain and (not value or value[0] in _FIRST_OF_ODD_KEYS)):
                        key = self._odd_key(cur, value, span, plain)
                    cur.key_spans[key] = span
                    continue
                if plain and (not value or value[0] in typed_first):
                    typed = plain_value(value)
                    if typed is not value:
                        cur.raw[key if keyed else len(cur)] = value
                        value = self._unfit(typed, value, span) if typed.__class__ is Unfit else typed
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                cur = self._enter(event, cur, keyed, key, nodes)
                nodes += 1
                keyed, key = kind is MappingStartEvent, None
                continue
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                cur, keyed, key, end = self._leave(event, cur, end, nodes)
                continue
            elif kind is AliasEvent:
                nodes += 1
                end = event.end_mark.index
                span = (event.start_mark.index << 32 | end) + offset
                value = self._alias(event.anchor, span, nodes)
                if keyed and key is None:
                    key = self._drop(cur, rules.KEY_TYPE, span, "a key must be text written out, not an alias")
                    continue
            elif self._boundary(event):
                return
            else:
                continue
            if keyed:
                cur[key] = value
                cur.spans[key] = span
                key = None
            else:
                cur.append(value)
                cur.spans.append(span)

    def _enter(self, event: Any, cur: Any, keyed: bool, key: str | None, nodes: int) -> Map | Seq:
        """Begin a collection as the entry ``key`` of ``cur``; without a key it stands where one should."""
        start = event.start_mark.index + self._base
        value: Map | Seq = (Map if type(event) is MappingStartEvent else Seq)(pack(start, start))
        if len(self._stack) >= self._limits.depth:
            self._stop(rules.TOO_DEEP, start, f"values are nested deeper than {self._limits.depth} levels here")
        if nodes > self._limits.nodes:
            self._stop(
                rules.TOO_BIG, start, f"the file has more than {self._limits.nodes:,} values; the rest is not read"
            )
        key_after = None
        if keyed and key is None:
            key = key_after = self._drop(cur, rules.KEY_TYPE, value.span, "a key must be text, not a list or mapping")
        if keyed:
            cur[key] = value
        else:
            cur.append(value)
        self._stack.append((cur, keyed, key, start, key_after))
        if self._watch:
            self._examine_collection(event, value, nodes)
        return value

    def _examine_collection(self, event: Any, value: Map | Seq, nodes: int) -> None:
        if event.tag is not None:
            self._tag(event.start_mark.index)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, -1)
            self._open[id(value)] = (event.anchor, nodes + self._extra)
            at = self._text.index("&", event.start_mark.index)
            self.aliases.append(pack(at, at + 1 + len(event.anchor)) + self._offset)

    def _stop(self, rule: Any, start: int, message: str) -> None:
        self._report(rule, pack(start, start + 1), message)
        raise Stop

    def _leave(self, event: Any, value: Map | Seq, end: int, nodes: int) -> tuple[Any, bool, str | None, int]:
        """Give ``value`` its span, also in its parent; return the parent's state and where ``value`` ends."""
        parent, keyed, key, start, key_after = self._stack.pop()
        stop: int = event.end_mark.index
        bracketed = stop > event.start_mark.index
        end = stop if bracketed else end
        value.span = span = (start << 32) + end + self._base
        if keyed:
            parent.spans[key] = span
        else:
            parent.spans.append(span)
        if bracketed:
            self.flow_collections.append(span)
        if self._open and id(value) in self._open:
            anchor, before = self._open.pop(id(value))
            if self._anchors[anchor][0] is value:
                self._anchors[anchor] = (value, nodes + self._extra - before)
        return parent, keyed, key_after, end

    def _examine(self, event: Any, value: str, start: int, plain: bool) -> tuple[str, int, bool]:
        """Look at what few scalars have: tags, anchors, great length, characters that were exchanged."""
        if self._restore is not None:
            value = value.translate(self._restore)
        if event.tag is not None:
            self._tag(start)
            plain = False
        if event.anchor is not None:
            self._anchors[event.anchor] = (plain_value(value) if plain else value, 1)
            start = self._anchored(event, start)
        if len(value) > self._limits.text:
            at = start + self._base
            self._report(
                rules.TOO_LONG,
                pack(at, at + 1),
                f"a text has {len(value):,} characters; {self._limits.text:,} are allowed",
            )
        return value, start, plain

    def _anchored(self, event: Any, start: int) -> int:
        """Note the anchor and return where the value after it begins."""
        end = event.end_mark.index
        at = self._text.index("&", start, end)
        after = at + 1 + len(event.anchor)
        self.aliases.append(pack(at, after) + self._offset)
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
            f"the tag `{self._text[at:end]}` is not allowed; values are plain data",
            hint="delete the tag",
        )

    def _odd_key(self, cur: Map, key: str, span: Span, plain: bool) -> str:
        """Return the key to use for ``key``, which is either there already or perhaps no text."""
        if plain and key == "<<":
            return self._drop(cur, rules.MERGE_KEY, span, "the merge key `<<` is not supported; write its keys out")
        if plain and plain_value(key) is not key:
            shown = f"`{key}` is not text" if key else "a key is missing before this colon"
            return self._drop(cur, rules.KEY_TYPE, span, f"keys must be text: {shown}", quote=key)
        if key in cur:
            self._report(
                rules.DUPLICATE_KEY, span, f"`{key}` is given twice in this mapping", first=cur.key_spans.get(key)
            )
        return key

    def _drop(self, cur: Map, rule: Any, span: Span, message: str, quote: str = "") -> str:
        self._report(rule, span, message, quote=quote)
        self._dropped.append(cur)
        return _DROPPED

    def _unfit(self, found: Any, raw: str, span: Span) -> Any:
        """Report a number that can't be one; it is read as null."""
        if found is NOT_JSON:
            self._report(rules.NOT_JSON, span, f"`{raw}` can't be represented as JSON")
        else:
            self._report(rules.TOO_LONG, span, f"a number has {len(raw):,} characters; put it in quotes if it is text")
        return None

    def _alias(self, anchor: str, span: Span, nodes: int) -> Any:
        self.aliases.append(span)
        if anchor not in self._anchors:
            self._report(
                rules.SYNTAX,
                span,
                f"`*{anchor}` refers to an anchor that isn't there; text that begins with * must be in quotes",
                hint="put the value in quotes",
                quote=f"*{anchor}",
            )
            return None
        value, weight = self._anchors[anchor]
        problem = None
        if weight < 0:
            problem = f"`*{anchor}` stands inside the value that it names, which would never end"
        elif len(self.aliases) > self._limits.aliases:
            problem = f"the file has more than {self._limits.aliases:,} anchors and aliases"
        elif nodes + self._extra + weight > self._limits.expanded:
            problem = f"with its aliases written out, the file expands to more than {self._limits.expanded:,} values"
        else:
            self._extra += weight
            return value
        if self._limits.report_aliases or weight < 0:
            self._report(rules.ALIAS_LIMIT, span, problem, once=True)
        return None

    def _boundary(self, event: Any) -> bool:
        """Count documents; tell whether reading ends here."""
        kind = type(event)
        if kind is DocumentStartEvent:
            self.documents += 1
            if self.documents > 1:
                span = pack(event.start_mark.index, event.end_mark.index) + self._offset
                self._report(
                    rules.MULTI_DOCUMENT,
                    span,
                    "a second YAML document begins here; a file holds one document",
                    hint="move it to a file of its own",
                )
                return True
        return event is None or kind is StreamEndEvent

    def _tidy(self) -> None:
        for cur in self._dropped:
            for part in (cur, cur.spans, cur.key_spans, cur.raw):
                part.pop(_DROPPED, None)
        for parent, keyed, key, start, _ in self._stack:
            span = pack(start, start)
            if keyed:
                parent.spans.setdefault(key, span)
                if key == _DROPPED:
                    parent.pop(key, None)
            elif len(parent.spans) < len(parent):
                parent.spans.append(span)
