"""The words around a call: what is tried and where, what keeps it from running, how far it has come."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from textual.content import Content

from core.text import display, plural
from explorer.commands import BY_ID
from explorer.presenters import marks
from explorer.presenters.keys import NO_KEYMAP, Keymap, bound, key_name
from explorer.services.form_model import FormModel
from explorer.services.forms.document import pointer
from explorer.services.forms.exact import NotJson, dump
from explorer.services.forms.problem import Problem

if TYPE_CHECKING:
    from core.runtime.call import CallEvent
    from explorer.services.calls import RunningCall
    from explorer.services.runs import TryState

_MOST_NAMED = 3
_CLOSED = re.compile(r": it can't [^.]*(?=\.)")


def heading(state: TryState, isolation: str, width: int, keys: Keymap = NO_KEYMAP) -> Content:
    """Return on one line what keeps the tool from doing harm; where nothing is known of that, what it does.

    All that a sandbox closes is left to the help, to which the line leads where it fits; what it leaves open is not.
    """
    short = _CLOSED.sub("", isolation, count=1)
    said = marks.text(short or state.record.description, marks.MUTED, 500)
    key = key_name((keys.get("help") or BY_ID["help"].keys).split(",")[-1].strip())  # the one that is not typed
    more = Content.styled(f"  {key} says more", marks.MUTED)
    return said + more if short != isolation and said.cell_length + more.cell_length <= width else said


def readiness(model: FormModel, problems: list[Problem], *, strict: bool) -> Content:
    """Return what keeps the arguments from being sent; before the first try, what is still to fill in."""
    if model.broken is not None:
        return Content.styled("✗ the JSON is broken", "$error")
    if not problems:
        return Content.styled("✓ ready", marks.MUTED)
    missing = [p for p in problems if p.keyword == "required"]
    if not strict and len(missing) == len(problems):
        return Content.styled(f"{plural(len(missing), 'field')} to fill in", marks.MUTED)
    paths = list(dict.fromkeys(pointer(p.path) for p in problems))
    more = f" and {len(paths) - _MOST_NAMED:,} more" if len(paths) > _MOST_NAMED else ""
    return Content.assemble(("✗ ", "$error"), marks.text(", ".join(paths[:_MOST_NAMED]) + more, "$error", 200))


def summary(model: FormModel) -> Content:
    """Return the JSON that will be sent on one line, or why there is none."""
    if model.broken is not None:
        return broken(model.broken)
    text = dump(model.value, indent=None)
    return Content.assemble(heading_of_json(model), "  ", marks.text(text, limit=400))


def heading_of_json(model: FormModel) -> Content:
    """Return what stands above the JSON: that it will be sent, and which of its numbers will be another one."""
    if model.broken is not None:
        return broken(model.broken)
    said = Content.styled("will be sent", marks.MUTED)
    for written, sent in list(model.rounded.items())[:1]:
        words = f", {written} as {sent}, the nearest number there is"
        said = Content.assemble(said, marks.text(words, "$warning", 120))
    return said


def broken(error: NotJson) -> Content:
    """Return why a text is no JSON, and what follows from that."""
    return Content.styled(f"✗ {display(str(error), 200)}; nothing can be sent", "$error")


def refusal(model: FormModel, problems: list[Problem], keys: Keymap = NO_KEYMAP) -> str:
    """Return why nothing was run, and what can still be done."""
    if not model.sendable:
        return "Not run: what would be sent is no JSON yet."
    return (
        f"Not run: {plural(len(problems), 'fault')} in the arguments. {bound(keys, 'try.send')} sends them as they are."
    )


def progress(call: RunningCall, last: CallEvent | None, stage: str) -> Content:
    """Return how long the call has run, in which stage it is, and how far it says it has come."""
    if call.waits:
        return Content.styled("● waiting for your answer", "bold $accent")
    word = "running" if call.executes else "starting"
    parts = [Content.styled(f"● {word} {call.elapsed_s:.1f} s", "bold $accent")]
    limit = call.request.timeout_s or call.request.record.timeout
    if limit:
        limit = limit if last is None else call.request.record.longest_s(limit)
        parts.append(Content.styled(f"of {limit} s", marks.MUTED))
    if stage:
        parts.append(marks.text(stage, marks.MUTED))
    if last is not None:
        parts.append(_how_far(last))
    return Content("  ").join(parts)


def _how_far(event: CallEvent) -> Content:
    done, total = event.data.get("progress"), event.data.get("total")
    said = marks.text(event.text, limit=80)
    if isinstance(done, int | float) and isinstance(total, int | float) and total > 0:
        share = max(0.0, min(1.0, done / total))
        filled = round(share * 10)
        bar = Content.assemble(("━" * filled, "$accent"), ("━" * (10 - filled), "$line"))
        return Content.assemble(bar, f" {share:.0%} ", said)
    return Content.assemble(marks.text(done, limit=20), " ", said) if done is not None else said
