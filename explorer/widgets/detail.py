"""The detail: a heading with tabs, and one pane a tab. A pane hears of a subject only once it is looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from explorer.presenters import marks
from explorer.presenters.page import text_page
from explorer.presenters.why_not import no_tool
from explorer.services.findings import Findings
from explorer.services.flat import actor_of, renamed, row_of
from explorer.services.outline import Kind
from explorer.services.subject import (
    UNKNOWN,
    Stands,
    Subject,
    findings_of,
    may_stand,
    place_of,
    standing_of,
    subject_at,
)
from explorer.widgets.filter_input import FilterInput
from explorer.widgets.hint import key_of, keymap_of
from explorer.widgets.overview import Overview
from explorer.widgets.tab_strip import Tab, TabStrip

if TYPE_CHECKING:
    from core.diagnostics import Place
    from core.workspace import Workspace
    from explorer.widgets.graph_view import GraphView
    from explorer.widgets.source_view import SourceView

TABS = (
    Tab("overview", "Overview"),
    Tab("tools", "Tools"),
    Tab("graph", "Graph"),
    Tab("source", "Source"),
    Tab("try", "Try"),
    Tab("history", "History"),
)
ALWAYS_STALE = ("history",)
"""Panes that show what calls leave behind: told each time they come into sight."""
_PANES = {
    "tools": ("explorer.widgets.tools_matrix", "ToolsMatrix"),
    "graph": ("explorer.widgets.graph_view", "GraphView"),
    "source": ("explorer.widgets.source_view", "SourceView"),
    "try": ("explorer.widgets.try_pane", "TryPane"),
    "history": ("explorer.widgets.history_view", "HistoryView"),
}


class Pane(Protocol):
    """What a tab's pane can do: show a skill, and a tool of it, of a workspace."""

    def show(self, workspace: Workspace, skill: str | None, tool: str | None, reason: str = "") -> None:
        """Show it; the same again after a reload keeps the place. Without a tool to try ``reason`` says why."""


class Detail(Vertical):
    """Keeps the subject and tells the pane in sight about it."""

    @dataclass
    class Looked(Message):
        """It is known how the subject stands."""

        subject: Subject
        standing: Stands

    @dataclass
    class Switched(Message):
        """Another tab is in sight."""

        tab: str

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.subject: Subject | None = None
        self._workspace: Workspace | None = None
        self._findings = Findings()
        self._place: Place | None = None
        self._path: str | None = None
        self._fresh: set[str] = set()
        self._shown: dict[str, Subject] = {}
        self._standing = UNKNOWN

    def compose(self) -> ComposeResult:
        """Put the heading above the panes."""
        yield TabStrip(TABS)
        with ContentSwitcher(initial="overview"):
            yield Overview(id="overview")

    @property
    def tab(self) -> str:
        """The id of the tab in sight."""
        return self.query_one(ContentSwitcher).current or "overview"

    @property
    def pane(self) -> Widget:
        """The pane in sight."""
        return self.query_one(f"#{self.tab}")

    @property
    def source(self) -> SourceView:
        """The Source pane."""
        from explorer.widgets.source_view import SourceView

        return self.query_one("#source", SourceView)

    @property
    def waiting(self) -> bool:
        """Whether Try is in sight and its form is not there yet."""
        if self.tab != "try":
            return False
        from explorer.widgets.try_pane import TryPane

        return self.query_one("#try", TryPane).waiting

    def on_mount(self) -> None:
        """Mark the first tab; it has nothing to show yet."""
        self.query_one(TabStrip).active = "overview"
        self.query_one(Overview).show_page(partial(text_page, marks.LOADING))

    async def prefill(self, skill: str, tool: str, arguments: str) -> None:
        """Put arguments into the form of a tool."""
        from explorer.widgets.try_pane import TryPane

        await self._make("try")
        self.query_one("#try", TryPane).prefill(skill, tool, arguments)

    def reload(self, workspace: Workspace, findings: Findings) -> None:
        """Show the same subject in another state of the workspace."""
        self._workspace, self._findings = workspace, findings
        self._fresh.clear()
        self._follow_file(workspace)
        self._tell()

    def _follow_file(self, workspace: Workspace) -> None:
        """Where the file of the subject's skill names it otherwise now, stay with it."""
        subject = self.subject
        new = renamed(workspace, subject.skill, self._path) if subject and subject.skill else None
        if subject and new:
            self.subject = replace(subject, skill=new, name=new if subject.kind is Kind.SKILL else subject.name)

    def show(self, subject: Subject) -> None:
        """Show another subject."""
        if subject == self.subject:
            return
        self.subject, self._place = subject, None
        self._fresh.clear()
        self._tell()

    async def switch(self, tab: str) -> None:
        """Bring a tab into sight; its pane is made when it is first wanted."""
        await self._make(tab)
        self.query_one(ContentSwitcher).current = tab
        self.query_one(TabStrip).active = tab
        self._tell()
        self.post_message(self.Switched(tab))

    async def _make(self, tab: str) -> None:
        switcher = self.query_one(ContentSwitcher)
        if not switcher.query_children(f"#{tab}"):
            pane = _pane(tab)
            pane.display = False
            await switcher.mount(pane)

    async def show_place(self, path: str, line: int, column: int) -> None:
        """Show a place in Source; another file than the subject's makes what it declares the subject."""
        from core.diagnostics import Place

        if self._workspace and not self._stands_in(path):
            self.subject = subject_at(self._workspace, path)
            self._fresh.clear()
        self._place = Place(path, line, column)
        self._fresh.discard("source")
        await self.switch("source")

    async def show_cycles(self) -> None:
        """Show the graph with the cycles beside it, and go there."""
        await self.switch("graph")
        self._graph.go_to_cycles()

    @property
    def _graph(self) -> GraphView:
        from explorer.widgets.graph_view import GraphView

        return self.query_one("#graph", GraphView)

    def _stands_in(self, path: str) -> bool:
        here = place_of(self._workspace, self.subject) if self._workspace and self.subject else None
        return here is not None and here.path == path

    def focus_pane(self) -> None:
        """Give the focus to the pane in sight."""
        pane = self.pane
        inside = [w for w in self.screen.focus_chain if pane in w.ancestors_with_self]
        wanted = [w for w in inside if not isinstance(w, FilterInput)] or inside
        self.screen.set_focus(wanted[0] if wanted else None)

    def here(self) -> tuple[str, int] | None:
        """Return file and line of what is in sight: Source's line, or where the subject is declared."""
        if self.tab == "source" and self.source.path:
            return self.source.path, self.source.line
        if self.tab == "graph" and (include := self._graph.include):
            return include.path, include.line
        place = place_of(self._workspace, self.subject) if self._workspace and self.subject else None
        return (place.path, place.line) if place else None

    def selected_text(self) -> str:
        """Return what copying means here: the line in Source, else the subject's name."""
        if self.tab == "source":
            return self.source.line_text
        return self.subject.name if self.subject else ""

    def look_again(self) -> None:
        """Have the Overview say how what it is about stands now."""
        if self._workspace and self.subject and self.tab == "overview":
            self._look(self._workspace, self.subject)

    def _tell(self) -> None:
        workspace, subject, tab = self._workspace, self.subject, self.tab
        if workspace is None:
            return
        if subject is None:
            self._tell_nothing(workspace, tab)
            return
        self._head(workspace, subject)
        if tab in self._fresh and tab not in ALWAYS_STALE:
            self.look_again()
            return
        self._fresh.add(tab)
        if tab == "overview":
            self._overview(workspace, subject, same=self._shown.get("overview") == subject)
            self._look(workspace, subject)
        elif tab == "source":
            self._show_source(workspace, subject)
        elif tab == "tools" and subject.kind is Kind.ACTOR:
            self._show_actor(workspace, subject.name)
        else:
            cast(Pane, self.pane).show(workspace, subject.skill, subject.tool, no_tool(subject, partial(key_of, self)))
        self._shown[tab] = subject

    def _show_actor(self, workspace: Workspace, name: str) -> None:
        from explorer.widgets.tools_matrix import ToolsMatrix

        self.query_one("#tools", ToolsMatrix).show_actor(workspace, name)

    def _tell_nothing(self, workspace: Workspace, tab: str) -> None:
        """Say what can be done where nothing can be selected."""
        from explorer.presenters.start_page import start_page

        self.query_one(TabStrip).show(marks.text(workspace.name), Content(""), {})
        if tab == "overview":
            if not (workspace.catalogue.skills() or workspace.declarations.agent_skills):
                page = self.query_one("#overview", Overview)
                page.show_page(lambda width: start_page(workspace, width, keymap_of(self)), keep_place=True)
        elif tab != "source":
            cast(Pane, self.pane).show(workspace, None, None)

    def _head(self, workspace: Workspace, subject: Subject) -> None:
        row = row_of(workspace, subject.skill) if subject.skill else None
        self._path = row.place.path if row else None
        state = marks.status(row.status) if row else Content("")
        if subject.skill in workspace.last_good:
            state = Content.assemble(state, (f"  {marks.STALE} {marks.AS_BEFORE}", "$warning"))
        count = row.tools if row else self._tools_of_actor(workspace, subject)
        self.query_one(TabStrip).show(marks.text(subject.title), state, {} if count is None else {"tools": count})

    def _tools_of_actor(self, workspace: Workspace, subject: Subject) -> int | None:
        actor = actor_of(workspace, subject.name) if subject.kind is Kind.ACTOR else None
        return len(actor.records) if actor else None

    def _overview(self, workspace: Workspace, subject: Subject, *, same: bool) -> None:
        from explorer.presenters.subject_page import subject_page

        if not same:
            self._standing = UNKNOWN
        standing = self._standing
        findings = findings_of(workspace, subject, self._findings.by_file, self._findings.problems)
        self.query_one("#overview", Overview).show_page(
            lambda width: subject_page(workspace, subject, findings, width, standing, keymap_of(self)), keep_place=same
        )

    def _look(self, workspace: Workspace, subject: Subject) -> None:
        """Find out in a thread how a tool, a server or a registered skill stands: that reads files."""
        if not may_stand(workspace, subject):
            return

        def look() -> None:
            self.post_message(self.Looked(subject, standing_of(workspace, subject)))

        self.run_worker(
            look, thread=True, group="standing", exclusive=True, exit_on_error=False, description="standing"
        )

    @on(Looked)
    def _stand(self, message: Looked) -> None:
        """Show it, where the Overview still is about that."""
        message.stop()
        known = message.standing == self._standing or self._shown.get("overview") != message.subject
        if self._workspace and not known:
            self._standing = message.standing
            self._overview(self._workspace, message.subject, same=True)

    def _show_source(self, workspace: Workspace, subject: Subject) -> None:
        explicit, self._place = self._place, None
        place = explicit or place_of(workspace, subject)
        if place is None:
            return
        keep = explicit is None and self._shown.get("source") == subject and place.path == self.source.path
        found = self._findings.by_file.get(place.path, ())
        self.source.show_file(place.path, workspace.shown_text_of, found, None if keep else place.line)


def import_panes() -> None:
    """Import what the tabs show, so that none of them takes long when it is first opened."""
    for module, _name in _PANES.values():
        import_module(module)


def _pane(tab: str) -> Widget:
    """Return the pane of a tab; its module is imported now."""
    module, name = _PANES[tab]
    pane: Widget = getattr(import_module(module), name)(id=tab)
    return pane
