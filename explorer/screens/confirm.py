"""The approval dialog: the whole of what would run, and three answers. The focus starts on Cancel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from core.text import display, plural
from explorer.messages import Choose, Consent
from explorer.presenters import marks
from explorer.presenters.approval import TAKEN_BACK, ApprovalsPage, approval_page
from explorer.screens.answer import AnswerScreen
from explorer.widgets.answer_button import AnswerButton
from explorer.widgets.hint import key_of, with_keys
from explorer.widgets.key_bar import KeyBar
from explorer.widgets.overview import Overview

if TYPE_CHECKING:
    from core.runtime.call import ExecutionIdentity
    from explorer.presenters.page import Page


HINT = "{confirm.previous} {confirm.next} choose, space answers. Enter only ever cancels."
NONE_LEFT = "All are left out: nothing would run."


class ConsentButton(AnswerButton, inherit_bindings=False):
    """A button that enter does not press: nothing runs because of a key that was meant for something else.

    While ``locked`` says why not, nothing presses it.
    """

    BINDINGS = [Binding("space", "press", "Answer", show=False), Binding("enter", "explain", show=False)]
    locked = ""

    def set_locked(self, reason: str) -> None:
        """Give no answer for ``reason``; for an empty one, give it again."""
        self.locked = reason
        self.set_class(bool(reason), "-locked")

    def press(self) -> ConsentButton:
        """Answer, or say why that cannot be yet."""
        if self.locked:
            self.notify(self.locked, markup=False)
        else:
            super().press()
        return self

    def action_explain(self) -> None:
        """Say which key it is."""
        self.notify(with_keys(self, HINT), markup=False)


class ApprovalText(Overview):
    """What would run. Enter does nothing here: it only ever cancels."""

    def can_open(self) -> bool:
        """Rows are left out with another key, or with a click."""
        return False


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer, and to what of what was shown."""

    consent: Consent = Consent.CANCEL
    chosen: tuple[ExecutionIdentity, ...] = ()


class ConfirmScreen(AnswerScreen[Decision]):
    """Answers CANCEL however it is left, unless a button with another answer was chosen on purpose.

    No other answer can be chosen before the end of the page has been in sight.
    """

    HELP = "All that would run. Nothing runs before one of the answers for it is chosen."

    def __init__(
        self,
        identities: tuple[ExecutionIdentity, ...],
        *,
        confirm_only: bool = False,
        call: ExecutionIdentity | None = None,
    ) -> None:
        super().__init__()
        self._identities, self._confirm_only, self._call = identities, confirm_only, call
        self._pages = ApprovalsPage(identities)
        self._left_out: set[str] = set()
        self._seen = False

    @property
    def several(self) -> bool:
        """Whether single ones can be left out."""
        return len(self._identities) > 1

    @property
    def chosen(self) -> tuple[ExecutionIdentity, ...]:
        """What an answer is for."""
        return tuple(identity for identity in self._identities if identity.digest not in self._left_out)

    def compose(self) -> ComposeResult:
        """Show all of the identities above the buttons."""
        title = f"These {len(self._identities):,} would run" if self.several else self._identities[0].title
        with Vertical(classes="dialog"):
            yield Static(Content.styled(display(title), "bold"), classes="dialog-title")
            yield ApprovalText()
            with Horizontal(classes="dialog-buttons"):
                yield AnswerButton(Content("Cancel"), id="cancel")
                yield ConsentButton(Content(self._label(Consent.ONCE)), id=Consent.ONCE)
                if not self._confirm_only:
                    yield ConsentButton(Content(self._label(Consent.APPROVE)), id=Consent.APPROVE)

            yield Static(classes="dialog-hint")
        yield KeyBar()

    def on_mount(self) -> None:
        """Fill the page; nothing but Cancel has the focus."""
        self.watch(self.page, "scroll_y", self._look, init=False)
        self.watch(self.page, "virtual_size", self._look_soon, init=False)
        self.page.show_page(self._page)
        self._look()
        self.query_one("#cancel").focus()

    def on_resize(self, _event: events.Resize) -> None:
        """More or less may be in sight now."""
        self._look_soon()

    def _page(self, width: int) -> Page:
        if self.several:
            page = self._pages.page(width, self._left_out)
        else:
            page = approval_page(self._identities[0], width, self._call)
        if not self._confirm_only:
            page.blank()
            page.paragraph(with_keys(self, TAKEN_BACK), marks.MUTED)
        return page

    def _look_soon(self) -> None:
        self.call_after_refresh(self._look)

    def _look(self) -> None:
        """Note whether the end has been in sight, and let the buttons answer accordingly."""
        below = self.lines_below
        self._seen = self._seen or bool(self.page.row_count() and not below)
        unseen = f"Look at all of it first: {plural(below, 'more line')} below; {key_of(self, 'confirm.more')} goes on."
        reason = NONE_LEFT if not self.chosen else "" if self._seen else unseen
        for button in self.query(ConsentButton):
            button.set_locked(reason)
            button.label = Content(self._label(button.id))
        self.query_one(".dialog-hint", Static).update(
            Content.styled(reason or with_keys(self, HINT), "$warning" if reason else "$muted")
        )
        self.refresh_bindings()

    def _label(self, answer: str | None) -> str:
        count = len(self.chosen)
        if answer == Consent.ONCE:
            return f"Run once ({count:,})" if self.several else "Run once"
        if not self.several:
            return "Approve exactly this"
        return "Approve this 1 as it is now" if count == 1 else f"Approve these {count:,} as they are now"

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        consent = Consent(event.button.id or Consent.CANCEL)
        self.dismiss(Decision(consent, () if consent is Consent.CANCEL else self.chosen))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Something can be left out of several, from the page."""
        if action == "confirm_toggle":
            return self.is_mounted and self.several and self.page.has_focus
        return super().check_action(action, parameters)

    def action_dialog_close(self) -> None:
        """Answer with Cancel."""
        self.dismiss(Decision())

    def action_confirm_toggle(self) -> None:
        """Leave out what the cursor stands on, or take it in again."""
        self.page.chosen()

    @on(Choose)
    def _toggle(self, choice: Choose) -> None:
        choice.stop()
        self._left_out ^= {choice.digest}
        self.page.show_page(self._page, keep_place=True)
        self.page.scroll_to_cursor()
        self._look()
