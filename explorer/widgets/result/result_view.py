"""A SkillResult or SkillError, inline: how it went, what came back, what changed, what was printed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import ContentSwitcher, Static
from textual.worker import get_current_worker

from core.runtime.call import CallEvent
from core.text import display, plural
from core.workspace.state import state_folder
from explorer.commands import Where, bindings
from explorer.messages import Notify
from explorer.presenters import marks
from explorer.presenters.diffs import change_lines, compared_head, log_lines, printed_lines
from explorer.presenters.result import error_page, headline
from explorer.services.compare import Pair, compared_text, pairs
from explorer.services.runs import Run, output_text, save
from explorer.widgets.filter_input import FilterInput
from explorer.widgets.hint import key_of, keymap_of
from explorer.widgets.overview import Overview
from explorer.widgets.result.carry_over import CarryOver
from explorer.widgets.result.compared_view import ComparedView
from explorer.widgets.result.json_view import JsonView
from explorer.widgets.result.lines_view import LinesView
from explorer.widgets.result.output_view import OutputView
from explorer.widgets.result.result_tabs import ResultTab, ResultTabs

OUTPUT, CHANGES, LOG, COMPARE = "result-output", "result-changes", "result-log", "result-compare"
MOST_COPIED = 1_000_000


class ResultView(Vertical):
    """Shows one run; the one before it is a key away for comparing."""

    HELP = "What the call returned, what it changed, and what it printed."
    BINDINGS = [*bindings(Where.RESULT)]
    DEFAULT_CSS = """
    ResultView { height: 1fr; border-top: solid $line; border-title-color: $muted; }
    ResultView > #result-head { height: 1; padding: 0 1; }
    ResultView > #result-error { height: auto; max-height: 45%; }
    ResultView > ContentSwitcher { height: 1fr; }
    ResultView > #result-find { display: none; height: 1; border: none; background: $boost; }
    ResultView.-finding > #result-find { display: block; }
    """

    class WantsRoom(Message):
        """The user wants the result in full size, or no longer."""

    @dataclass
    class Compared(Message):
        """Two outputs have been compared."""

        pairs: list[Pair]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.shown: Run | None = None
        self._earlier: list[Run] = []
        self._against: Run | None = None
        self._tab = OUTPUT
        self._lines = 0
        self._found = Content("")
        self.results_folder = state_folder() / "results"

    def compose(self) -> ComposeResult:
        """The words first, then the tabs over what they tell of."""
        yield Static(id="result-head")
        yield Overview(id="result-error")
        yield ResultTabs()
        with ContentSwitcher(initial=OUTPUT):
            yield OutputView(id=OUTPUT)
            yield LinesView(id=CHANGES)
            yield LinesView(id=LOG)
            yield ComparedView(id=COMPARE)
        yield FilterInput("Finds text in the view of the result that is in sight.", id="result-find")
        yield CarryOver()

    def on_mount(self) -> None:
        """Name the area."""
        self.border_title = "result"
        self.find_input.placeholder = "find in the output"
        self.query_one("#result-error").display = False

    @property
    def find_input(self) -> FilterInput:
        """The line that searches."""
        return self.query_one("#result-find", FilterInput)

    @property
    def output(self) -> OutputView:
        """The output."""
        return self.query_one(OutputView)

    def _view(self, name: str) -> LinesView:
        return self.query_one(f"#{name}", LinesView)

    @property
    def view(self) -> JsonView | LinesView:
        """The view in sight."""
        return self.output.view if self._tab == OUTPUT else self._view(self._tab)

    # What is shown

    def start(self, head: Content) -> None:
        """Show a call that has just begun: its log, as it comes."""
        self.shown = None
        self._lines = 0
        self.query_one("#result-error").display = False
        self._view(LOG).show([])
        self.say(head)
        self.switch(LOG)

    def say(self, head: Content) -> None:
        """Show how far a running call has come."""
        self.query_one("#result-head", Static).update(head)

    def hear(self, events: list[CallEvent]) -> None:
        """Add what a running call was heard to say."""
        lines = list(log_lines(events))
        self._lines += printed_lines(events)
        self._view(LOG).add(lines)
        if lines:
            self._say_tabs()

    def show(self, run: Run, earlier: list[Run]) -> None:
        """Show a finished run."""
        self.shown, self._earlier, self._against = run, earlier, None
        outcome = run.outcome
        self.say(headline(run))
        failed = not outcome.result.success
        page = self.query_one("#result-error", Overview)
        page.display = failed
        if failed:
            page.show_page(partial(error_page, outcome, keys=keymap_of(self)))
        log = list(log_lines(outcome.log))
        self._lines = printed_lines(outcome.log)
        self._view(LOG).show(log, empty="Nothing was printed.")
        self._view(CHANGES).show(list(change_lines(outcome)))
        error = outcome.result.error
        details = failed and outcome.result.output_data is None and error is not None
        self.output.show(error.details if details and error is not None else outcome.result.output_data, folded=details)
        self.switch(OUTPUT)

    @on(CarryOver.Done)
    def _applied(self, event: CarryOver.Done) -> None:
        """The changes can't be carried over twice; the message goes on to who keeps the runs."""
        if event.run is self.shown:
            self.shown = event.after
            self.say(headline(event.after))
            self.refresh_bindings()

    def switch(self, tab: str) -> None:
        """Bring a view into sight."""
        focused = self.view.has_focus
        self._tab = tab
        self._found = Content("")
        self.query_one(ContentSwitcher).current = tab
        self._say_tabs()
        if focused:
            self.view.focus()
        self.refresh_bindings()

    def focus_view(self) -> None:
        """Give the focus to the view in sight."""
        self.view.focus()

    def _say_tabs(self) -> None:
        outcome = self.shown.outcome if self.shown else None
        failed = outcome is not None and not outcome.result.success and outcome.result.output_data is None
        tabs = [
            ResultTab(OUTPUT, key_of(self, "result.output"), "Details" if failed else "Output"),
            ResultTab(
                CHANGES,
                key_of(self, "result.changes"),
                "Changes",
                len(outcome.result.resource_changes) if outcome else None,
            ),
            ResultTab(LOG, key_of(self, "result.log"), "Log", self._lines),
        ]
        if self._earlier and self.shown:
            number = self._against.number if self._against else self._earlier[-1].number
            tabs.append(ResultTab(COMPARE, key_of(self, "result.compare"), "Compare with run", number))
        if not self.shown:
            tabs = tabs[2:]
        says = self._found
        if not says.plain and self._tab == OUTPUT and self.shown:
            says = Content.assemble((f"{key_of(self, 'result.view')} ", marks.MUTED), (self.output.look, marks.MUTED))
        self.query_one(ResultTabs).show(tabs, self._tab, says)

    def on_descendant_focus(self, _event: events.DescendantFocus) -> None:
        """The keys of the tabs work now."""
        self.query_one(ResultTabs).offer_keys(True)

    def on_descendant_blur(self, _event: events.DescendantBlur) -> None:
        """The keys of the tabs work only while the focus is in here."""
        focused = self.screen.focused
        self.query_one(ResultTabs).offer_keys(focused is not None and self in focused.ancestors)

    # Comparing

    def _compare(self) -> None:
        run = self.shown
        if run is None or not self._earlier:
            return
        older = [
            r for r in self._earlier if self._tab != COMPARE or not self._against or r.number < self._against.number
        ]
        self._against = older[-1] if older else self._earlier[-1]
        self.query_one(ComparedView).wait()
        self.switch(COMPARE)
        self._match(self._against, run)

    @work(thread=True, group="compare", exclusive=True, exit_on_error=False, description="compare")
    def _match(self, old: Run, new: Run) -> None:
        found = pairs(*(compared_text(run.request.arguments, run.outcome.result) for run in (old, new)))
        if not get_current_worker().is_cancelled:
            self.post_message(self.Compared(found))

    def on_result_view_compared(self, event: Compared) -> None:
        """Show the two outputs."""
        event.stop()
        if self._against is None or self.shown is None:
            return
        self.query_one(ComparedView).compare(compared_head(self._against.number, self.shown.number), event.pairs)

    # Finding

    @on(FilterInput.Typed)
    def _find(self, event: FilterInput.Typed) -> None:
        event.stop()
        total = self.view.find(event.query)
        self._found = Content("")
        if event.query:
            self._found = Content.styled(plural(total, "hit"), "$accent" if total else "$warning")
        self._say_tabs()

    @on(FilterInput.Left)
    def _found_enough(self, event: FilterInput.Left) -> None:
        event.stop()
        self.remove_class("-finding")
        self.view.focus()

    # Keys

    @on(ResultTabs.Chosen)
    def _tab_clicked(self, event: ResultTabs.Chosen) -> None:
        event.stop()
        if event.tab == COMPARE:
            self._compare()
        else:
            self.switch(event.tab)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what this result has."""
        run = self.shown
        if action == "result_apply":
            return bool(run and run.outcome.changes is not None and run.outcome.diffs)
        if action in ("result_output", "result_changes", "result_save"):
            return bool(run)
        if action == "result_compare":
            return bool(run and self._earlier)
        if action == "result_view":
            return bool(run) and self._tab == OUTPUT
        return super().check_action(action, parameters)

    def action_result_output(self) -> None:
        """Show the output."""
        self.switch(OUTPUT)

    def action_result_changes(self) -> None:
        """Show the changes."""
        self.switch(CHANGES)

    def action_result_log(self) -> None:
        """Show the log."""
        self.switch(LOG)

    def action_result_compare(self) -> None:
        """Compare with the run before, and again with the one before that."""
        self._compare()

    def action_result_view(self) -> None:
        """Go on to the next look of the output."""
        self.output.next_look()
        self._say_tabs()

    def action_result_find(self) -> None:
        """Search."""
        self.add_class("-finding")
        self.find_input.focus()

    def action_result_next(self) -> None:
        """Go to the next hit."""
        self._step(1)

    def action_result_previous(self) -> None:
        """Go to the hit before."""
        self._step(-1)

    def _step(self, step: int) -> None:
        number = self.view.step(step)
        if number:
            self._found = Content.styled(f"hit {number:,}", "$accent")
            self._say_tabs()

    def action_result_unfold(self) -> None:
        """Unfold the value at the cursor."""
        if isinstance(self.view, JsonView):
            self.view.unfold()

    def action_result_fold(self) -> None:
        """Fold the value at the cursor."""
        if isinstance(self.view, JsonView):
            self.view.fold()

    def action_result_copy(self) -> None:
        """Copy the value at the cursor as it is, not as it is drawn."""
        text = self.output.selected() if self._tab == OUTPUT else self.view.selected()
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
        self.app.copy_to_clipboard(text[:MOST_COPIED])
        cut = " (the first million characters)" if len(text) > MOST_COPIED else ""
        self.post_message(Notify(f"Copied {len(text[:MOST_COPIED]):,} characters{cut}.", copied=True))

    def action_result_save(self) -> None:
        """Save the output in the state folder, under a name that is still free."""
        if self.shown is not None:
            self._save(output_text(self.shown), self.shown)

    @work(thread=True, group="save", exclusive=True, exit_on_error=False, description="save")
    def _save(self, text: str, run: Run) -> None:
        try:
            path = save(text, run, self.results_folder)
        except OSError as error:
            self.post_message(Notify(f"Nothing was saved: {error}", "error"))
            return
        self.post_message(Notify(f"Saved {display(str(path), 300)}"))

    def action_result_apply(self) -> None:
        """Carry the changes over, after a yes."""
        if self.shown is not None:
            self.query_one(CarryOver).ask(self.shown)

    def action_result_more(self) -> None:
        """Ask for more room, or for less."""
        self.post_message(self.WantsRoom())
