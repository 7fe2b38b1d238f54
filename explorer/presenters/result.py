"""What came back from a call: the line that says how it went, an error in the order in which one reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content

from core.text import plural
from explorer.messages import OpenPlace
from explorer.presenters import marks
from explorer.presenters.keys import NO_KEYMAP, Keymap
from explorer.presenters.page import Page
from explorer.presenters.places import place_text
from explorer.presenters.remedy import message_of, remedy_of
from explorer.services.json_rows import dump_any

if TYPE_CHECKING:
    from core.protocol import SkillError, SkillResult
    from core.runtime.call import CallOutcome
    from explorer.services.runs import Run

MOST_FAULTS = 5
TAIL_LINES = 6
MOST_DETAILS = 2_000


def headline(run: Run) -> Content:
    """Return how it went, in one line: outcome, time, what changed, where it ran, which run it was."""
    result = run.outcome.result
    if result.success:
        parts = [Content.styled("✓ succeeded", "bold $success")]
    elif was_cancelled(result):
        parts = [Content.styled("■ cancelled", "bold $muted")]
    else:
        parts = [Content.styled(f"✗ {result.error.error_type if result.error else 'failed'}", "bold $error")]
    parts.append(Content(duration(result.duration_ms)))
    if changed := len(result.resource_changes):
        parts.append(Content.styled(f"{plural(changed, 'file')} changed", "$warning"))
    if run.request.has_copy and run.request.record.gate_capability.counts_as_writing:
        parts.append(Content.styled(_where_it_ran(run), marks.MUTED))
    if run.request.unchecked:
        parts.append(Content.styled("sent as it was", "$warning"))
    parts.append(Content.styled(f"run {run.number}", marks.MUTED))
    return Content.styled(" · ", marks.MUTED).join(parts)


def _where_it_ran(run: Run) -> str:
    if run.request.real:
        return "on the real workspace"
    where = "on an overlay" if run.outcome.overlaid else "on a copy"
    if not run.carried:
        return where
    total = len(run.outcome.diffs)
    some = "" if run.carried == total else f"{run.carried:,} of {total:,} "
    return f"{where}, {some}carried over to the real workspace"


def changes_page(changes: tuple[tuple[str, str], ...], width: int) -> Page:
    """Return the page that names the changed files, each with how it changed."""
    page = Page(width)
    for path, change in changes:
        page.field(change, marks.text(path, limit=500))
    return page


def was_cancelled(result: SkillResult) -> bool:
    """Whether the user stopped the call; an approval that was taken back is something else."""
    details = result.error.details if result.error is not None else {}
    return bool(details.get("cancelled")) and not details.get("revoked")


def duration(milliseconds: float) -> str:
    """Return a time as people say it."""
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    return f"{milliseconds / 1000:.1f} s" if milliseconds < 60_000 else f"{milliseconds / 60_000:.1f} min"


def error_page(outcome: CallOutcome, width: int, keys: Keymap = NO_KEYMAP) -> Page:
    """Return the page of a failed call: the sentence, where, who said so, the last lines of its log.

    The details stand here only where an output takes the place in which they are folded out.
    """
    page = Page(width)
    error = outcome.result.error
    if error is None:
        page.paragraph("The call failed, and nothing says why.", "$error")
        return page
    if was_cancelled(outcome.result):
        page.paragraph(f"Cancelled by you after {duration(outcome.result.duration_ms)}.", "bold")
    else:
        page.paragraph(message_of(error), "bold")
        _where(page, error)
        page.field("said by", Content(who_said(error)))
        page.field("in", marks.text(f"{error.skill_name} ▸ {error.tool_name}" if error.tool_name else error.skill_name))
    if (remedy := remedy_of(error, keys)) is not None:
        page.field("remedy", marks.text(remedy))
    _ending(page, error.details)
    if outcome.result.output_data is not None and error.details:
        page.field("details", marks.text(dump_any(error.details, indent=None), marks.MUTED, MOST_DETAILS))
    _tail(page, outcome, error)
    return page


def who_said(error: SkillError) -> str:
    """Return whose word the error is."""
    details = error.details
    if details.get("raised_by") == "tool":
        return "the tool: it raised this itself"
    if details.get("is_error") or "code" in details:
        return "the server"
    if details.get("side") == "input":
        return "the explorer, before anything ran: the input schema refuses the arguments"
    if details.get("side") == "output":
        return "the explorer: the tool's output does not fit its output schema"
    if error.error_type == "permission_denied":
        return "the explorer: the call was not allowed"
    return "the explorer"


def _where(page: Page, error: SkillError) -> None:
    faults = error.details.get("errors")
    shown = [f for f in faults if isinstance(f, dict)][:MOST_FAULTS] if isinstance(faults, list) else []
    for at, fault in enumerate(shown):
        where = marks.text(fault.get("path", "$"), "$accent", 200)
        said = marks.text(fault.get("message", ""), limit=300)
        page.field("where" if at == 0 else "", Content.assemble(where, "  ", said))
    if isinstance(faults, list) and len(faults) > MOST_FAULTS:
        page.field("", Content.styled(f"and {len(faults) - MOST_FAULTS:,} more", marks.MUTED))
    path, line = error.details.get("path"), error.details.get("line")
    if isinstance(path, str):
        number = line if isinstance(line, int) else None
        page.field("declared at", place_text(path, number), OpenPlace(path, number or 1))


_ENDINGS = (
    ("exception", "exception"),
    ("code", "code"),
    ("data", "data"),
    ("exit_code", "exit status"),
    ("exit_status", "exit status"),
    ("signal", "signal"),
    ("timeout_s", "limit in s"),
    ("stage", "in stage"),
)


def _ending(page: Page, details: dict[str, Any]) -> None:
    for key, label in _ENDINGS:
        if (value := details.get(key)) is not None:
            said = dump_any(value, indent=None) if isinstance(value, dict | list) else value
            page.field(label, marks.text(said, limit=400))
    traceback = details.get("traceback")
    if isinstance(traceback, list) and traceback:
        page.field("at", marks.text(traceback[-1], limit=300))


def _tail(page: Page, outcome: CallOutcome, error: SkillError) -> None:
    """The last lines that were printed; a dead server's own words stand in the error."""
    said = error.details.get("stderr")
    lines = said if isinstance(said, list) else said.splitlines() if isinstance(said, str) else []
    lines = [str(line) for line in lines] or [
        line for e in outcome.log if e.kind == "log" for line in e.text.split("\n")
    ]
    if not lines:
        return
    page.blank()
    title = "last words" if len(lines) <= TAIL_LINES else f"last words, {TAIL_LINES} of {len(lines):,} lines"
    page.paragraph(title, marks.MUTED)
    for line in lines[-TAIL_LINES:]:
        page.paragraph(line[:500], indent=3)
