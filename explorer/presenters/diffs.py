"""Changes and comparisons as coloured lines; ``+`` and ``-`` say without colour what is new and what is gone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice, zip_longest
from typing import TYPE_CHECKING

from textual.content import Content

from core.text import display, plural
from explorer.presenters import marks
from explorer.presenters.layout import fit
from explorer.services.compare import Pair
from explorer.services.json_rows import wrapped

if TYPE_CHECKING:
    from core.runtime.call import CallEvent, CallOutcome, FileDiff

SIDE_BY_SIDE = 90
MOST_ROWS = 20
_STYLES = {"+": "$success", "-": "$error", "@": "$accent"}


def change_lines(outcome: CallOutcome) -> Iterator[Content]:
    """Yield each changed file with its unified diff; where nothing changed, say so."""
    if not outcome.diffs and not outcome.result.resource_changes:
        yield Content.styled("Nothing changed.", marks.MUTED)
    shown = {diff.path for diff in outcome.diffs}
    for diff in outcome.diffs:
        yield from _file(diff)
    for change in outcome.result.resource_changes:
        if change.get("path") not in shown:
            yield Content.assemble(
                marks.text(change.get("change", "changed"), "bold"), " ", marks.text(change.get("path"))
            )


def _file(diff: FileDiff) -> Iterator[Content]:
    yield Content.assemble(marks.text(diff.change, "bold"), " ", marks.text(diff.path, "bold"))
    if not diff.diff:
        yield Content.styled("  no text to show", marks.MUTED)
    for line in diff.diff.splitlines():
        if not line.startswith(("--- ", "+++ ")):
            yield marks.text(line, _STYLES.get(line[:1], ""), 1000)
    yield Content("")


def log_lines(events: Iterable[CallEvent]) -> Iterator[Content]:
    """Yield what was printed and which stage began when; standard error is marked."""
    for event in events:
        if event.kind == "log":
            head = Content.styled("err ", "$warning") if event.data.get("stream") == "stderr" else Content("    ")
            for line in event.text.split("\n"):
                yield head + marks.text(line, limit=2000)
        elif event.kind == "stage":
            at = f"{event.at_ms / 1000:.1f} s"
            yield Content.assemble(("  · ", marks.MUTED), (display(event.text), marks.MUTED), (f"  {at}", marks.MUTED))


def printed_lines(events: Iterable[CallEvent]) -> int:
    """Return how many lines were printed; the stages among them don't count."""
    return sum(event.text.count("\n") + 1 for event in events if event.kind == "log")


def compared_head(old: int, new: int) -> Content:
    """Return which two runs are compared, each with its sign."""
    return Content.assemble((f"- run {old}", "$error"), "   ", (f"+ run {new}", "$success"))


def compared_lines(pairs: list[Pair], width: int) -> Iterator[Content]:
    """Yield two outputs side by side; where it is narrow each stretch that differs, first as it was, then as it is."""
    half = (width - 3) // 2
    if all(pair.same for pair in pairs):
        equal = sum(max(1, pair.skipped) for pair in pairs)
        yield Content.styled(f"  no difference: {plural(equal, 'equal line')}", marks.MUTED)
        return
    for same, run in groupby(pairs, key=lambda pair: pair.same):
        if width >= SIDE_BY_SIDE or same:
            for pair in run:
                yield from _pair(pair, width, half)
        else:
            different = list(run)
            yield from (line for pair in different for line in _side(pair.left, "-", width))
            yield from (line for pair in different for line in _side(pair.right, "+", width))


def _pair(pair: Pair, width: int, half: int) -> Iterable[Content]:
    if pair.skipped:
        return [Content.styled(f"  … {plural(pair.skipped, 'equal line')}", marks.MUTED)]
    return _beside(pair, half) if width >= SIDE_BY_SIDE else _side(pair.left, " ", width)


def _beside(pair: Pair, half: int) -> Iterator[Content]:
    left = _side(pair.left, " " if pair.same else "-", half)
    right = _side(pair.right, " " if pair.same else "+", half)
    blank = Content(" " * half)
    for one, other in zip_longest(left, right, fillvalue=blank):
        yield Content.assemble(one, " │ ", other)


def _side(line: str | None, sign: str, width: int) -> list[Content]:
    """One line in as many rows as it needs, the first with its sign; none where this side has none."""
    if line is None:
        return []
    style, shown = _STYLES.get(sign, ""), line[: MOST_ROWS * width]
    rows = list(islice(wrapped(shown, width - 2), MOST_ROWS * 2))
    if len(line) > len(shown):
        rows.append(f"… {plural(len(line) - len(shown), 'more character')}")
    return [
        fit(Content.assemble((f"{sign if at == 0 else ' '} ", style), Content.styled(row, style)), width)
        for at, row in enumerate(rows)
    ]
