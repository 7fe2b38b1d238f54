"""Earlier calls: a row each, and the page of one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from textual.content import Content

from core.text import display
from explorer.messages import TryTool
from explorer.presenters import marks
from explorer.presenters.layout import fit
from explorer.presenters.page import Page
from explorer.presenters.result import was_cancelled

if TYPE_CHECKING:
    from core.registry.history import PastCall

MOST_TEXT = 20_000
TIME_WIDTH = 19


def call_row(call: PastCall, width: int, *, with_tool: bool) -> Content:
    """Return when, how it went, for how long, and with what; the tool too where the list is not about one."""
    result = call.result
    mark = Content.styled("✓", "$success") if result.success else Content.styled("✗", "$error")
    if was_cancelled(result):
        mark = Content.styled("■", marks.MUTED)
    took = f"{result.duration_ms:>8,.0f} ms  "
    tool = fit(marks.text(call.tool), min(32, width // 3)) + Content("  ") if with_tool else Content("")
    when = marks.text(call.at[:TIME_WIDTH].replace("T", " "), marks.MUTED)
    return Content.assemble(" ", when, "  ", mark, took, tool, marks.text(_short(call.arguments), limit=300))


def call_page(call: PastCall, width: int) -> Page:
    """Return the page of one call: what was asked, what came back."""
    result = call.result
    page = Page(width)
    page.field("tool", marks.text(call.tool), TryTool(call.skill, call.tool))
    page.field("of", marks.text(call.skill))
    if call.real:
        page.field("ran on", Content("the real workspace"))
    _json(page, "Arguments", call.arguments)
    if result.error is not None:
        page.heading("Error")
        page.paragraph(f"{result.error.error_type}: {result.error.message}", "$error", indent=3)
    if result.success or result.output_data is not None:
        _json(page, "Output", result.output_data)
    changes = [str(change.get("path", "")) for change in result.resource_changes]
    page.links("Changed", ((marks.text(path), Content(""), None) for path in changes[:100]))
    return page


def _json(page: Page, title: str, value: Any) -> None:
    page.heading(title)
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    page.paragraph(display(text, MOST_TEXT, multiline=True), indent=3)


def _short(arguments: Any) -> str:
    return json.dumps(arguments, ensure_ascii=False)
