"""The link targets of Markdown prose: inline links and images, reference definitions, ``href`` and ``src``.

Code spans and comments hold no links. The scanner goes over each paragraph once; a destination nests at most 4
parentheses, which keeps the time linear whatever the text.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator

from core.language.agent_skill.markdown import Body, Paragraphs

Target = tuple[str, int, int]
"""A target, unescaped, and the range it was written in."""

_SIMPLE = re.compile(r"\[[^\[\]\n]*\]\(([^\x00- ()<>\\]*)\)")
_TOKEN = re.compile(r"\\.|`+|\[|\]\(?|<!--|<(?=[A-Za-z])")
_RUN = re.compile(r"`+")
_BLANKS = re.compile(r"[ \t\n]*")
_PLAIN = re.compile(r"[^\x00- ()\\]*")
_ATTRIBUTE = re.compile(r"""\s(?:href|src)[ \t]*=[ \t]*(?:"([^"\n]*)"|'([^'\n]*)')""", re.IGNORECASE)
_DEFINITION = re.compile(
    r"^[ ]{0,3}\[(?!\^)[^\[\]\n]{1,999}\]:[ \t]*(?:\n[ \t]*)?(<[^<>\n]*>|[^\s<]\S*)(?:[ \t]+[\"'(].*)?[ \t]*$",
    re.MULTILINE,
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_NESTED_PARENTHESES = 4
_LONGEST_TAG = 2_000
_FEW_LINKS = 1_000


def link_targets(flat: str, body: Body) -> Iterator[Target]:
    """Yield the targets of ``body`` in order of paragraphs; comments met inside them join ``body.comments``."""
    for prose in body.prose:
        for first, last in Paragraphs(flat, prose).around("](", "]:", "<"):
            text = flat[first:last]
            if "`" in text or "\\" in text or "<" in text:
                yield from _Scanner(flat, first, last, body).targets()
            else:
                yield from _plain_targets(flat, first, last, body)
            if flat.find("]:", first, last) >= 0:
                yield from (_target(m[1], m.start(1)) for m in _DEFINITION.finditer(flat, first, last))


def _plain_targets(flat: str, start: int, end: int, body: Body) -> Iterator[Target]:
    """Yield the targets of a paragraph without code, escapes and tags, where links mostly have the simplest form."""
    links = flat.count("](", start, end)
    found = [(match[1], *match.span(1)) for match in _SIMPLE.finditer(flat, start, end)] if links <= _FEW_LINKS else []
    return iter(found) if found and len(found) == links else _Scanner(flat, start, end, body).targets()


class _Scanner:
    """One pass over one paragraph."""

    def __init__(self, flat: str, start: int, end: int, body: Body) -> None:
        self._flat, self._start, self._end, self._body = flat, start, end, body
        self._at, self._opened = start, 0
        self._runs: dict[int, array[int]] | None = None
        self._comments_close = True
        self._no_tag_before = start

    def targets(self) -> Iterator[Target]:
        while match := _TOKEN.search(self._flat, self._at, self._end):
            self._at, token = match.end(), match[0]
            if token[0] == "`":
                self._at = self._end_of_span(match.start(), match.end())
            elif token == "[":
                self._opened += 1
            elif token[0] == "]":
                yield from self._link(token)
            elif token == "<!--":
                self._skip_comment(match.start())
            elif token == "<" and match.start() >= self._no_tag_before:
                yield from self._tag()

    def _end_of_span(self, start: int, end: int) -> int:
        """Return where the code span ends that may open from ``start`` to ``end``: at ``end`` if no run closes it."""
        if self._runs is None:
            self._runs = {}
            for run in _RUN.finditer(self._flat, self._start, self._end):
                self._runs.setdefault(run.end() - run.start(), array("L")).append(run.start())
        same = self._runs.get(end - start, array("L"))
        index = bisect_right(same, start)
        return same[index] + end - start if index < len(same) else end

    def _link(self, token: str) -> Iterator[Target]:
        if not self._opened:
            return
        self._opened -= 1
        if token == "](" and (found := self._destination()):
            yield found
            self._at = found[2]

    def _destination(self) -> Target | None:
        flat, at = self._flat, self._skip_blanks(self._at)
        if flat[at : at + 1] == "<":
            close = flat.find(">", at, min(self._end, at + _LONGEST_TAG))
            return self._closed(at, close + 1) if close >= 0 and "\n" not in flat[at:close] else None
        depth, stop = 0, at
        while True:
            stop = _PLAIN.match(flat, stop, self._end).end()  # type: ignore[union-attr]  # it may match nothing
            char = flat[stop : stop + 1] if stop < self._end else ""
            if char == "\\":
                stop = min(stop + 2, self._end)
                continue
            if char == "(" and depth < _NESTED_PARENTHESES:
                depth += 1
            elif char == ")" and depth:
                depth -= 1
            else:
                return self._closed(at, stop)
            stop += 1

    def _closed(self, start: int, stop: int) -> Target | None:
        """Return the target from ``start`` to ``stop`` if the link ends there or goes on with a title."""
        at = self._skip_blanks(stop)
        follows = self._flat[at : at + 1] if at < self._end else ""
        if follows == ")" or (at > stop and follows and follows in "\"'("):
            return _target(self._flat[start:stop], start)
        return None

    def _skip_blanks(self, at: int) -> int:
        match = _BLANKS.match(self._flat, at, self._end)
        return match.end() if match else at

    def _skip_comment(self, start: int) -> None:
        stop = self._flat.find("-->", self._at, self._end) if self._comments_close else -1
        if stop < 0:
            self._comments_close = False
            return
        self._body.comments.append((start, stop + 3))
        self._at = stop + 3

    def _tag(self) -> Iterator[Target]:
        limit = min(self._end, self._at + _LONGEST_TAG)
        stop = self._flat.find(">", self._at, limit)
        if stop < 0:
            self._no_tag_before = limit
            return
        for match in _ATTRIBUTE.finditer(self._flat, self._at, stop):
            group = 1 if match[1] is not None else 2
            yield match[group], match.start(group), match.end(group)
        self._at = stop + 1


def _target(written: str, start: int) -> Target:
    end = start + len(written)
    if written.startswith("<"):
        written, start, end = written[1:-1], start + 1, end - 1
    return _ESCAPE.sub(r"\1", written), start, end
