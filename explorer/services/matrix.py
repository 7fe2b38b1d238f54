"""The tools matrix as plain data: a row a tool, a column a flag; filtered, sorted and exported without a screen."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.model import FlagProvenance, ToolRecord

UNKNOWN, UNSET, YES, NO = "?", "–", "yes", "no"
MARK_WIDTH = 2


@dataclass(frozen=True, slots=True)
class Column:
    """One column. ``flag`` is the capability it shows; None for what is no flag."""

    key: str
    title: str
    short: str
    flag: str | None = None


COLUMNS = (
    Column("tool", "tool", "tool"),
    Column("source", "source", "source"),
    Column("reads", "reads", "reads", "read_only"),
    Column("writes", "writes", "writes", "writes"),
    Column("approval", "approval", "appr", "human_approval_required"),
    Column("checkpoint", "checkpoint", "ckpt", "checkpointable"),
    Column("idempotent", "idempotent", "idem", "idempotent"),
    Column("unsafe", "unsafe", "unsafe", "unsafe"),
    Column("side-effects", "side effects", "side", "side_effects"),
)
_SOURCES = {"builtin": "built-in", "agent_skill": "Agent Skill"}


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell says: its word, and whether that was overridden or is only assumed."""

    word: str
    overridden: bool = False
    assumed: bool = False

    @property
    def text(self) -> str:
        """The word with its mark: ``*`` overridden, ``?`` assumed."""
        mark = "*" if self.overridden else "?" if self.assumed and self.word != UNKNOWN else ""
        return self.word + mark


def provenance_of(record: ToolRecord, column: Column) -> FlagProvenance | None:
    """Return where the value of a cell comes from; None where nothing is recorded."""
    return record.provenance.get(column.flag) if column.flag else None


def cell(record: ToolRecord, column: Column) -> Cell:
    """Return what stands in ``column`` for ``record``."""
    if column.flag is None:
        word = record.name if column.key == "tool" else _SOURCES.get(record.source, record.source)
        return Cell(word)
    origin = provenance_of(record, column)
    overridden = origin is not None and origin.origin == "overridden"
    unknown = record.status == "undiscovered" and not overridden
    value = None if unknown else getattr(record.capability, column.flag)
    if column.flag == "writes" and value is None and record.gate_capability.counts_as_writing:
        return Cell(YES, assumed=True)
    if unknown:
        return Cell(UNKNOWN)
    assumed = value is not None and origin is not None and origin.origin == "assumed"
    return Cell(_word(record, column, value), overridden, assumed)


def _word(record: ToolRecord, column: Column, value: Any) -> str:
    if column.flag == "checkpointable" and value:
        return record.capability.checkpoint_scope or YES
    if isinstance(value, list):
        return ", ".join(value) or NO
    return {None: UNSET, True: YES, False: NO}.get(value, str(value))


@dataclass
class Matrix:
    """The rows of one set, and which of them are in sight in which order."""

    records: Sequence[ToolRecord]
    query: str = ""
    sort_by: str = ""
    reverse: bool = False
    visible: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._texts = [
            f"{r.name}\n{r.description}\n{r.source}\n{r.from_skill}\n{r.problem or ''}".casefold() for r in self.records
        ]
        self._known: dict[str, list[Cell]] = {}
        sources = {r.source for r in self.records}
        self.longest = (
            max((len(r.name) + MARK_WIDTH * bool(r.problem) for r in self.records), default=0),
            max((len(_SOURCES.get(source, source)) for source in sources), default=0),
        )
        self.refresh()

    def refresh(self) -> None:
        """Work out which rows are in sight, after a change of query or order."""
        rows = list(range(len(self.records)))
        for word in self.query.casefold().split():
            rows = self._keep(rows, word)
        column = next((c for c in COLUMNS if c.key == self.sort_by), None)
        if column is not None:
            cells = self._cells(column)
            rows.sort(key=lambda at: _rank(cells[at]), reverse=self.reverse)
        self.visible = rows

    def _keep(self, rows: list[int], word: str) -> list[int]:
        """Keep what has a word in its texts, or with ``column:value`` in that column; ``-`` before it inverts."""
        wanted = not word.startswith("-") or len(word) == 1
        word = word if wanted else word[1:]
        key, colon, value = word.partition(":")
        column = next((c for c in COLUMNS if key and c.key.startswith(key)), None)
        if not colon or column is None:
            texts = self._texts
            return [at for at in rows if (word in texts[at]) is wanted]
        cells = self._cells(column)
        hits = {found for found in set(cells) if _matches(found, value) is wanted}
        return [at for at in rows if cells[at] in hits]

    def _cells(self, column: Column) -> list[Cell]:
        if column.key not in self._known:
            self._known[column.key] = [cell(record, column) for record in self.records]
        return self._known[column.key]

    def sort(self, key: str) -> None:
        """Sort by a column; by the same one the other way round, and a third time as the set has them."""
        if self.sort_by != key:
            self.sort_by, self.reverse = key, False
        elif not self.reverse:
            self.reverse = True
        else:
            self.sort_by, self.reverse = "", False
        self.refresh()

    def find(self, name: str) -> int | None:
        """Return where the tool ``name`` stands among the rows in sight."""
        return next((row for row, at in enumerate(self.visible) if self.records[at].name == name), None)

    def table(self) -> list[list[str]]:
        """Return titles and cells of the rows in sight, as text."""
        rows = [[cell(self.records[at], column).text for column in COLUMNS] for at in self.visible]
        return [[column.title for column in COLUMNS], *rows]


def _matches(found: Cell, value: str) -> bool:
    if value == "*":
        return found.overridden
    if value == UNKNOWN:
        return found.assumed or found.word == UNKNOWN
    return value in found.word.casefold() if value not in (YES, NO) else _is(found, value)


def _is(found: Cell, value: str) -> bool:
    says_yes = found.word not in (NO, UNSET, UNKNOWN)
    return says_yes if value == YES else not says_yes and found.word != UNKNOWN


def _rank(found: Cell) -> tuple[int, str]:
    return {YES: 0, UNKNOWN: 2, NO: 3, UNSET: 4}.get(found.word, 1), found.word.casefold()


def as_markdown(table: list[list[str]]) -> str:
    """Return ``table`` as a Markdown table; a ``|`` in a cell is escaped."""
    lines = ["| " + " | ".join(text.replace("|", "\\|").replace("\n", " ") for text in row) + " |" for row in table]
    return "\n".join([lines[0], "|" + " --- |" * len(table[0]), *lines[1:]]) + "\n"


def as_csv(table: list[list[str]]) -> str:
    """Return ``table`` as CSV; a cell that a spreadsheet would take for a formula gets an apostrophe before it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in table:
        writer.writerow([f"'{word}" if word[:1] in tuple("=+-@\t\r") else word for word in row])
    return text.getvalue()


def suffix_of(text: str) -> str:
    """Return the ending of a file for ``text``: that of a table of this module, else of plain text."""
    titles = [column.title for column in COLUMNS]
    first = text.partition("\n")[0]
    return {",".join(titles): "csv", f"| {' | '.join(titles)} |": "md"}.get(first, "txt")
