"""A row of the tree: fold mark and name at the left, count, flags and findings in columns at the right."""

from __future__ import annotations

from textual.content import Content

from explorer.presenters import marks
from explorer.presenters.flags import letters, skill_letters, tool_letters
from explorer.presenters.layout import two_sides
from explorer.services.outline import Kind, Node

_QUIET = {Kind.BRANCH, Kind.SERVER, Kind.FILE, Kind.WORKSPACE, Kind.NOTE}
MOST_INDENT = 24


def indent_of(node: Node) -> int:
    """Return the cells before the row's fold mark; deep rows stop moving to the right."""
    return 1 + min(node.depth * 2, MOST_INDENT)


def tree_row(node: Node, width: int, *, opened: bool, worst: str | None) -> Content:
    """Return the row of ``node``."""
    fold = ("▾ " if opened else "▸ ") if node.expandable else "  "
    left = Content.assemble((" " * indent_of(node), ""), (fold, marks.MUTED), _label(node))
    return two_sides(left, _columns(node, worst), width)


def _label(node: Node) -> Content:
    include = node.include
    if include is not None and include.in_cycle:
        return Content.assemble(marks.text(node.label), (f" {marks.CYCLE} cycle", "$error"))
    if node.kind is Kind.SKILL and node.row is None and not node.early:
        return Content.assemble(marks.text(node.label, "italic"), marks.ghost(not node.unread))
    style = "bold" if node.kind is Kind.NAMESPACE else marks.MUTED if node.kind in _QUIET else ""
    stale = Content.styled(f" {marks.STALE} {marks.AS_BEFORE}", "$warning") if node.stale else Content("")
    return marks.text(node.label, style) + stale


def _columns(node: Node, worst: str | None) -> Content:
    if node.count is None and node.row is None and node.record is None and worst is None:
        return Content(" ")
    count = f" {node.count:>4,}" if node.count is not None else "     "
    mark = marks.severity(worst) if worst else Content(" ")
    return Content.assemble((count, marks.MUTED), " ", letters(_letters(node)), " ", mark, " ")


def _letters(node: Node) -> str:
    if node.record is not None:
        return tool_letters(node.record)
    if node.kind is Kind.SERVER and node.count is None:
        return "?  "
    if node.row is None:
        return "   "
    return skill_letters(node.row)
