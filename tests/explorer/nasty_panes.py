"""The panes that show tools, calls and results, each full of one nasty text."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.screen import Screen
from textual.widget import Widget

sys.path.append(str(Path(__file__).parent / "panes"))

from pane_fakes import FakeCatalogue, FakeWorkspace, error, graph_of, outcome, record

from core.protocol import SkillErrorType
from core.registry.history import PastCall
from core.runtime.call import CallEvent, CallOutcome, FileDiff
from explorer.presenters import marks
from explorer.services.calls import CallRequest
from explorer.services.form_model import FormModel
from explorer.services.forms.exact import dump
from explorer.services.runs import Run
from explorer.widgets.arguments import Arguments
from explorer.widgets.filter_input import FilterInput
from explorer.widgets.form.choice_picker import ChoicePicker
from explorer.widgets.graph_view import GraphView
from explorer.widgets.history_view import HistoryView
from explorer.widgets.key_bar import KeyBar
from explorer.widgets.result.output_view import OutputView
from explorer.widgets.result.result_view import COMPARE, ResultView
from explorer.widgets.run_bar import RunBar
from explorer.widgets.tools_matrix import ToolsMatrix
from explorer.widgets.tree_area import TreeArea
from explorer.widgets.try_pane import TryPane

SKILL, TOOL = "local/a", "local/one"
Show = Callable[[str], "Widget | Screen[object]"]


def schema(text: str) -> dict[str, Any]:
    """A schema with the text at each place from which a form takes words."""
    said = {"title": text, "description": text}
    return {
        "type": "object",
        "properties": {
            text: {"type": "string", **said, "default": text, "pattern": text, "format": text},
            "long": {"type": "string", "format": "multiline", **said},
            "number": {"type": "number", **said},
            "choice": {"enum": [text, "b", "c", "d"], **said},
            "constant": {"const": text, **said},
            "checks": {"type": "array", "uniqueItems": True, "items": {"enum": [text, "b"]}},
            "list": {"type": "array", "items": {"type": "string"}},
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
            "branches": {"oneOf": [{"title": text, "type": "string"}, {"type": "integer"}]},
            "json": said,
        },
        "required": [text],
    }


def values(text: str) -> dict[str, Any]:
    """Arguments with the text in each of its fields."""
    return {
        "long": text,
        "number": text,
        "choice": text + "?",
        "constant": text,
        "checks": [text],
        "list": [text],
        "map": {text: text},
        "branches": text,
        "json": {text: text},
        text + "!": text,
    }


def output(text: str) -> Any:
    """An output with the text as name, value, and in each kind of block."""
    picture = {"type": "image", "mimeType": text, "data": "AAAA"}
    link = {"type": "resource_link", "uri": text, "name": text, "mimeType": text}
    return {text: [text, {text: text}], "picture": picture, "link": link, "long": text * 20}


def arguments(text: str) -> Widget:
    view = Arguments()

    async def fill() -> None:
        view.fit(100, 40)
        model = FormModel(schema(text))
        model.load(dump(values(text)))
        model.state.drafts["json",] = text
        await view.show(model)
        await view.refuse()

    view.call_later(fill)
    return view


def broken_json(text: str) -> Widget:
    view = Arguments()

    async def fill() -> None:
        view.fit(100, 10)
        model = FormModel(schema(text))
        model.load(f'{{"{text}": 1, "{text}": 2}}')
        await view.show(model)

    view.call_later(fill)
    return view


def run_of(text: str, number: int, *, fails: bool = False) -> Run:
    log = (CallEvent("log", text, {"stream": "stderr"}), CallEvent("stage", text))
    details = {"errors": [{"path": text, "message": text}], "stderr": [text], "hint": text, "data": {text: text}}
    failed = error(SkillErrorType.VALIDATION_ERROR, text, path=text, exception=text, traceback=[text], **details)
    diffs = (FileDiff(text, "modified", f"-{text}\n+{text}\n"),)
    done = outcome(None if fails else output(f"{text}{number}"), failed=failed if fails else None, log=log, diffs=diffs)
    changed = done.result.model_copy(update={"resource_changes": [{"path": text, "change": text}], "tool_name": text})
    return Run(number, CallRequest(text, record(text), {text: text}), CallOutcome(changed, log, diffs))


def result(tab: str = "result-output", *, fails: bool = False) -> Show:
    def show(text: str) -> Widget:
        view = ResultView()

        def fill() -> None:
            view.show(run_of(text, 2, fails=fails), [run_of(text, 1)])
            if tab == COMPARE:
                view.action_result_compare()
            else:
                view.switch(tab)

        view.call_after_refresh(fill)
        return view

    return show


def looks(turns: int) -> Show:
    def show(text: str) -> Widget:
        view = OutputView()

        def fill() -> None:
            view.show(text)
            for _ in range(turns):
                view.next_look()

        view.call_after_refresh(fill)
        return view

    return show


def blocks(text: str) -> Widget:
    view = OutputView()
    view.call_after_refresh(lambda: view.show([{"type": "text", "text": text}, *list(output(text).values())[1:3]]))
    return view


def history(text: str) -> Widget:
    view, workspace = HistoryView(), FakeWorkspace()
    for number in (2, 1):
        run = run_of(text, number, fails=number == 2)
        workspace.history.past.append(
            PastCall(number, text, SKILL, TOOL, {text: text}, "now", True, run.outcome.result)
        )
    view.call_after_refresh(view.show, workspace, SKILL, TOOL)
    return view


def trying(text: str) -> Widget:
    one = record(TOOL, input_schema=schema(text), description=text, writes=True)
    workspace = FakeWorkspace(FakeCatalogue({SKILL: [one]}))
    workspace.runtime.isolation = lambda *_given: text  # type: ignore[method-assign]
    pane = TryPane()
    pane.call_after_refresh(pane.show, workspace, SKILL, TOOL)
    return pane


def bar(text: str) -> Widget:
    view = RunBar()
    view.call_after_refresh(lambda: view.show(running=True, faulty=True, state=marks.text(text)))
    return view


def matrix(text: str) -> Widget:
    one = record(text, source=f"mcp:{text}", description=text, side_effects=[text], from_skill=text)
    one = one.model_copy(update={"problem": text, "input_schema": schema(text)})
    view = ToolsMatrix()
    view.call_after_refresh(view.show, FakeWorkspace(FakeCatalogue({SKILL: [one]})), SKILL, None)
    return view


def graph(text: str) -> Widget:
    class Graphs(FakeCatalogue):
        def skill(self, name: str) -> Any:
            return object()

    found = graph_of({text: [f"{text}2"], f"{text}2": [text]}, cycle=(text, f"{text}2"), ghosts=(f"{text}2",))
    texts = {edge.place.path: f"{text}\n" * 9 for edge in found.edges}
    view = GraphView()
    view.call_after_refresh(view.show, FakeWorkspace(Graphs({}, found), texts=texts), text, None)
    return view


def tree_area(text: str) -> Widget:
    area = TreeArea()
    area.call_after_refresh(lambda: setattr(area.query_one(FilterInput), "value", text))
    return area


PANES: dict[str, Show] = {
    "arguments": arguments,
    "broken JSON": broken_json,
    "picker": lambda text: ChoicePicker([text, "b"], 0),  # type: ignore[return-value]
    "result": result(),
    "error": result(fails=True),
    "changes": result("result-changes"),
    "log": result("result-log"),
    "comparison": result(COMPARE),
    "text": looks(0),
    "Markdown": looks(1),
    "blocks": blocks,
    "history": history,
    "try": trying,
    "bar": bar,
    "matrix": matrix,
    "graph": graph,
    "filter": tree_area,
    "keys": lambda text: KeyBar(),
}
