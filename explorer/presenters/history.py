"""Earlier calls: a row each, and the page of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content

from core.runtime.call import CallOutcome
from core.text import display
from explorer.messages import TryTool
from explorer.presenters import marks
from explorer.presenters.keys import NO_KEYMAP, Keymap
from explorer.presenters.layout import fit
from explorer.presenters.page import Page
from explorer.presenters.result import duration, error_page, was_cancelled
from explorer.services.json_rows import dump_any

if TYPE_CHECKING:
    from core.registry.history import PastCall

MOST_TEXT = 20_000
TIME_WIDTH = 19


def call_row(call: PastCall, width: int, *, with_tool: bool, marked: bool) -> Content:
    """Return number, when, how it went, for how long, and with what; the tool too where the list is not about one."""
    result = call.result
    mark = Content.styled("✓", "$success") if result.success else Content.styled("✗", "$error")
    if was_cancelled(result):
        mark = Content.styled("■", marks.MUTED)
    number = Content.styled(f" {'◆' if marked else ' '}{call.id:>4}  ", "$accent" if marked else marks.MUTED)
    took = f" {duration(result.duration_ms):>8}  "
    tool = fit(marks.text(call.tool), min(32, width // 3)) + Content("  ") if with_tool else Content("")
    when = marks.text(call.at[:TIME_WIDTH].replace("T", " "), marks.MUTED)
    return Content.assemble(number, when, "  ", mark, took, tool, marks.text(_short(call.arguments), limit=300))


def call_page(call: PastCall, width: int, keys: Keymap = NO_KEYMAP) -> Page:
    """Return the page of one call: what was asked, what came back."""
    result = call.result
    page = Page(width)
    page.field("run", Content(str(call.id)))
    page.field("tool", marks.text(call.tool), TryTool(call.skill, call.tool))
    page.field("of", marks.text(call.skill))
    if call.real:
        page.field("ran on", Content("the real workspace"))
    _json(page, "Arguments", call.arguments)
    if result.error is not None:
        page.heading(str(result.error.error_type))
        page.lines += error_page(CallOutcome(result), width, keys).lines
        if result.error.details:
            _json(page, "Details", result.error.details)
    if result.success or result.output_data is not None:
        _json(page, "Output", result.output_data)
    changes = [str(change.get("path", "")) for change in result.resource_changes]
    page.links("Changed", ((marks.text(path), Content(""), None) for path in changes[:100]))
    return page


def _json(page: Page, title: str, value: Any) -> None:
    page.heading(title)
    text = value if isinstance(value, str) else dump_any(value)
    text = text or '"" empty text'
    page.paragraph(display(text, MOST_TEXT, multiline=True), indent=3)


def _short(arguments: Any) -> str:
    return dump_any(arguments, indent=None)
