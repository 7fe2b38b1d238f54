"""Every awkward kind of schema and of result, from the keys to the bytes that a real server gets, and back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from awkward_desk import Desk, desk_of
from awkward_forms import FORMS, Form
from awkward_results import ANSWERS, OK, Answer, result, text

pytestmark = pytest.mark.asyncio(loop_scope="module")

READS = {"annotations": {"readOnlyHint": True}}
HALFWAY = {"method": "notifications/progress", "params": {"progress": 5, "total": 10, "message": "halfway [/b]"}}


def of_form(form: Form) -> dict[str, Any]:
    return {"tool": {**READS, "inputSchema": form.schema}}


def of_answer(answer: Answer) -> dict[str, Any]:
    schema = {} if answer.output_schema is None else {"outputSchema": answer.output_schema}
    return {"tool": {**READS, "inputSchema": {"type": "object"}, **schema}, "answer": answer.messages}


TOOLS = {
    **{f"form-{at}": of_form(form) for at, form in enumerate(FORMS)},
    **{f"answer-{at}": of_answer(answer) for at, answer in enumerate(ANSWERS)},
    "slow": of_answer(Answer("slow", (HALFWAY, {"wait": True}), ())),
    "after": of_answer(Answer("after", result(text("still here")), ())),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    async with desk_of(tmp_path_factory.mktemp("awkward"), TOOLS, (140, 46)) as found:
        yield found


@pytest.mark.parametrize(("at", "form"), enumerate(FORMS), ids=[form.kind for form in FORMS])
async def test_a_schema(desk: Desk, at: int, form: Form) -> None:
    await desk.choose(f"form-{at}")
    await desk.shows(*form.offers)
    await desk.press(*form.keys)
    await desk.shows(*form.says)
    await desk.press(form.run)
    await desk.shows(OK, form.sent)
    assert await desk.copied() == form.sent


@pytest.mark.parametrize(("at", "answer"), enumerate(ANSWERS), ids=[answer.kind for answer in ANSWERS])
async def test_a_result(desk: Desk, at: int, answer: Answer) -> None:
    await desk.choose(f"answer-{at}")
    await desk.press("ctrl+r", *answer.keys)
    await desk.shows(*answer.shows)
    assert len(desk.lacks(answer.hides)) == len(answer.hides), desk.screen
    if answer.copied is not None:
        assert await desk.copied() == answer.copied


async def test_a_slow_call_shows_its_progress_and_its_server_hears_that_it_is_cancelled(desk: Desk) -> None:
    await desk.choose("slow")
    await desk.pilot.press("ctrl+r")
    await desk.until("50% halfway [/b]")
    await desk.press("escape")
    await desk.shows("■ cancelled", "Cancelled by you after")
    await desk.choose("after")  # the server takes no other call before it hears of the cancellation
    await desk.press("ctrl+r")
    await desk.shows(OK, "still here")
