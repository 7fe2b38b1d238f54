"""A dialog that shows a page and asks: the focus goes through the answers and the page, which scrolls from anywhere."""

from __future__ import annotations

from typing import TypeVar

from explorer.commands import Where, bindings
from explorer.widgets.dialog import Dialog
from explorer.widgets.overview import Overview

Answer = TypeVar("Answer")


class AnswerScreen(Dialog[Answer]):
    """The keys that dialogs with answers have in common."""

    BINDINGS = bindings(Where.CONFIRM)

    @property
    def page(self) -> Overview:
        """What is asked about."""
        return self.query_one(Overview)

    @property
    def lines_below(self) -> int:
        """The number of lines of the page that stand below what is in sight."""
        page = self.page
        return max(0, page.row_count() - page.scroll_offset.y - page.scrollable_content_region.height)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing can be copied or left out; there is more to go to only where some is out of sight."""
        if action in ("confirm_more", "confirm_end"):
            return self.is_mounted and self.lines_below > 0
        if action == "confirm_less":
            return self.is_mounted and self.page.scroll_offset.y > 0
        return action not in ("dialog_copy", "confirm_toggle")

    def action_confirm_next(self) -> None:
        """Go to the next button, or to the text."""
        self.focus_next()

    def action_confirm_previous(self) -> None:
        """Go to the previous button, or to the text."""
        self.focus_previous()

    def action_confirm_more(self) -> None:
        """Scroll on."""
        self.page.action_list_page_down()

    def action_confirm_less(self) -> None:
        """Scroll back."""
        self.page.action_list_page_up()

    def action_confirm_end(self) -> None:
        """Scroll to the end."""
        self.page.action_list_last()
