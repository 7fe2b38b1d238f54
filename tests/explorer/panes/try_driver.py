"""A Try pane on a desk of fakes, and what it sent."""

from __future__ import annotations

import json
from typing import Any

from pane_app import PaneApp
from pane_fakes import (
    FakeCatalogue,
    FakeWorkspace,
    desk,
    outcome,
    record,
)

from core.runtime.call import CallOutcome
from explorer.widgets.try_pane import TryPane

SKILL, TOOL = "local/release-desk", "local/changelog-reader"


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def answering(value: Any = None, **more: Any) -> Any:
    def script(workspace: Any, arguments: Any, options: Any, events: Any, cancel: Any) -> CallOutcome:
        return outcome({"got": arguments} if value is None else value, **more)

    return script


def app(workspace: FakeWorkspace, tool: str = TOOL, clock: Any = None) -> PaneApp:
    def after(running: PaneApp) -> None:
        running.query_one(TryPane).show(workspace, SKILL, tool)  # type: ignore[arg-type]

    return PaneApp(lambda: TryPane(clock=clock or Clock()), after)


def of(schema: Any, script: Any = None, **flags: Any) -> FakeWorkspace:
    one = record("local/one", input_schema=schema, **flags)
    return FakeWorkspace(FakeCatalogue({SKILL: [one]}), script or answering())


def with_script(script: Any) -> FakeWorkspace:
    workspace = desk()
    workspace.script = script
    return workspace


def sent(running: PaneApp) -> Any:
    return json.loads(running.query_one(TryPane).arguments.editor.area.text)


def pane(running: PaneApp) -> TryPane:
    return running.query_one(TryPane)
