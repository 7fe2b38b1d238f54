"""The one boundary of the interface: what nobody expected becomes a report that is shown and can be copied."""

from __future__ import annotations

import traceback
from typing import Any

from textual import events
from textual.app import App, ScreenError
from textual.css.query import QueryError
from textual.dom import DOMNode, NoScreen
from textual.errors import NoWidget
from textual.geometry import Region
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget, WidgetError
from textual.worker import Worker, WorkerState

from explorer.services.crash import crash_report

UNEXPECTED_STATUS = 70
MOST_FAILURES = 3
"""So many failures are survived; what fails once more is taken not to recover."""
_SETTING_UP = (events.Compose, events.Mount, events.Load)
_CALLBACKS = {"_tick", "_flush_next_callbacks", "_invoke_and_clear_callbacks"}
_DRAWING = "_on_timer_update"
_GONE = (WidgetError, QueryError, ScreenError, NoScreen, NoWidget)


class BoundaryApp(App[int]):
    """An application that a failing handler or thread does not end, as long as it can go on honestly.

    A handler's failure leaves its widget as it was in the middle of it, and everything else alone: a report says so
    and the program goes on. What fails while it is set up or drawn would fail again, and ends the program, with the
    report. Either way ``crash`` holds the first report and the exit status is ``UNEXPECTED_STATUS``. That a screen
    or widget is gone once the program leaves is no failure; what asked for it is dropped.
    """

    crash = ""
    _failures = 0
    _reporting = False

    def _register_child(self, parent: DOMNode, child: Widget, before: int | None, after: int | None) -> None:
        """Put the boundary around what a widget hears (Textual ends a widget whose handler fails, and has no hook)."""
        super()._register_child(parent, child, before, after)
        _never_draw_removed(child)
        hear = child._dispatch_message

        async def guarded(message: Message) -> None:
            try:
                await hear(message)
            except Exception as error:  # noqa: BLE001 - the boundary
                self._caught(error, message)
            self._look_at_worker(message)

        child.__dict__["_dispatch_message"] = guarded

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except Exception as error:  # noqa: BLE001 - the boundary
            self._caught(error, message)
        self._look_at_worker(message)

    def _caught(self, error: Exception, message: Message) -> None:
        if self._comes_too_late(error):
            return
        if isinstance(message, _SETTING_UP):
            raise error
        self.survive(error)

    def _comes_too_late(self, error: Exception) -> bool:
        return self._exit and isinstance(error, _GONE)

    def _look_at_worker(self, message: Message) -> None:
        """A worker tells its end only to the widget that started it."""
        if isinstance(message, Worker.StateChanged) and message.state is WorkerState.ERROR:
            error = message.worker.error
            if isinstance(error, Exception):
                self.survive(error)

    def _handle_exception(self, error: Exception) -> None:
        """Hear of what Textual caught itself: a callback's failure is survived, any other ends the program."""
        if self._comes_too_late(error):
            return
        names = {frame.name for frame in traceback.extract_tb(error.__traceback__)}
        if names & _CALLBACKS and _DRAWING not in names:
            self.survive(error)
        else:
            self._end(error)

    def survive(self, error: Exception) -> None:
        """Show a report of ``error`` and go on; end the program if that has happened too often."""
        if self._comes_too_late(error):
            return
        self._failures += 1
        if self._failures > MOST_FAILURES or not self.is_running or self._exit:
            self._end(error)
            return
        self._note(error)
        if not self._reporting:
            self._reporting = True
            self.push_screen(self.report_screen(crash_report(error)), self._read)

    def report_screen(self, report: str) -> Screen[Any]:
        """Return a dialog that shows a report."""
        raise NotImplementedError

    def _read(self, _answer: object) -> None:
        self._reporting = False

    def _end(self, error: Exception) -> None:
        self._note(error)
        self._close_messages_no_wait()

    def _note(self, error: Exception) -> None:
        if not self.crash:
            self.crash = crash_report(error)
        self._return_code = UNEXPECTED_STATUS
        if self._exception is None:
            self._exception = error  # a test under a Pilot fails with it, whatever becomes of the program
            self._exception_event.set()

    def exit(self, result: int | None = None, return_code: int = 0, message: Any = None) -> None:
        """Leave; after something unexpected the status says so."""
        super().exit(result, return_code or (UNEXPECTED_STATUS if self.crash else 0), message)


def _never_draw_removed(widget: Widget) -> None:
    """Leave a removed widget blank until the layout forgets it (Textual has taken its component styles by then)."""
    draw = widget.render_lines

    def drawn(crop: Region) -> list[Strip]:
        return draw(crop) if widget.parent is not None else [Strip.blank(crop.width)] * crop.height

    widget.__dict__["render_lines"] = drawn
