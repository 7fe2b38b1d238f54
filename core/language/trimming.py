"""How many entries of one file become declarations, which take far more memory than what they are written with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from core.diagnostics.rules import yaml as rules
from core.language.sink import DocumentSink
from core.language.tree import Map, Seq
from core.model.sinks import At

_FREE: Final = 16_000
_CHARACTERS: Final = 20
_IN_LIST, _IN_MAPPING, _CONFIDENTIAL, _COLLECTION = 8, 2, 8, 16
"""What an entry counts, by where it is or what: in proportion to the memory that the dearest of its kind takes."""
_SCHEMAS: Final = frozenset({"input_schema", "output_schema"})
"""Are kept as they were read, so that they cost no more."""
_CONFIDENCES: Final = frozenset({"env", "headers"})
_Open = tuple[Map | Seq, Iterator[tuple[int, tuple[Any, Any]]], int]
_SIGNS: Final = (",", ":", "\n", "\r", "- ", "? ", "[", "{")
_END: Final[tuple[int, tuple[Any, Any]]] = (-1, (None, None))


def trim(root: Any, sink: DocumentSink) -> None:
    """Leave out, with a finding, what ``root`` has beyond the entries that are read of a file of its size.

    An alias counts as what it stands for. What the root itself says in a text, like its name, stays.
    """
    if not isinstance(root, (Map, Seq)) or _has_few(sink.text):
        return
    left, entries = _FREE + len(sink.text) // _CHARACTERS, 0
    path = [_opened(root)]
    kept = [0]
    while path:
        container, rest, weight = path[-1]
        at, (key, value) = next(rest, _END)
        if at < 0:
            path.pop()
            kept.pop()
            continue
        collection = isinstance(value, (Map, Seq))
        left -= _COLLECTION if collection else weight
        if left < 0:
            message = f"the file has more than {entries:,} entries, so what follows is not read"
            sink.report(rules.LIMIT, At(container, key), message, hint="divide it into several files")
            _cut_after([container for container, *_ in path], [*kept[:-1], at])
            return
        entries += 1
        kept[-1] = at + 1
        if collection and key not in _SCHEMAS:
            path.append(_opened(value, key))
            kept.append(0)


def _has_few(text: str) -> bool:
    """Whether no walk is needed to see that ``text`` stays below the limit: each entry begins or ends with a sign."""
    return sum(map(text.count, _SIGNS)) * _COLLECTION < _FREE and "*" not in text


def _opened(container: Map | Seq, key: Any = None) -> _Open:
    """Return ``container``, which stands under ``key``, with its numbered entries and what each of them counts."""
    if isinstance(container, Seq):
        return container, enumerate(enumerate(container)), _IN_LIST
    return container, enumerate(container.items()), _CONFIDENTIAL if key in _CONFIDENCES else _IN_MAPPING


def _cut_after(path: list[Map | Seq], kept: list[int]) -> None:
    for container, keep in list(zip(path, kept, strict=True))[1:]:
        _cut(container, keep)
    root = path[0]
    for value in islice(list(root.values() if isinstance(root, Map) else root), kept[0], None):
        if isinstance(value, (Map, Seq)):
            _cut(value, 0)
    if len(path) == 1:
        _cut(root, kept[0])


def _cut(container: Map | Seq, keep: int) -> None:
    if isinstance(container, Seq):
        del container[keep:]
        container.marks = container.marks[:keep]
        return
    for key in list(container)[keep:]:
        del container[key]
    container.marks = container.marks[: 2 * keep]
