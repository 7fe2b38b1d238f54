"""The four areas of the main screen: what stands where, which one is in sight, and what a load does to them."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from explorer.presenters import marks
from explorer.presenters.header import loading, stopped
from explorer.services.early import EarlyOutline
from explorer.services.finder import Finder
from explorer.services.findings import Findings
from explorer.services.loader import Loaded, LoadEnded, Loader, LoadProgressed
from explorer.services.session import Session
from explorer.widgets.detail import TABS, Detail, import_panes
from explorer.widgets.hint import keymap_of, with_keys
from explorer.widgets.key_bar import KeyBar
from explorer.widgets.problems import ProblemsPanel, ProblemsTitle
from explorer.widgets.skill_tree import SkillTree
from explorer.widgets.status_header import StatusHeader
from explorer.widgets.tab_strip import TabStrip
from explorer.widgets.tree_area import TreeArea, TreeTitle

if TYPE_CHECKING:
    from core.workspace import Workspace

READY_S = 0.4
TAB_IDS = {tab.id for tab in TABS}
NOT_LOADED = "Nothing is loaded; {refresh} reads the workspace."
STOPPED = "Stopped loading; {refresh} goes on with the rest."
AS_BEFORE = "Stopped loading; what was read before is still shown, {refresh} reads the workspace again."
FAILED = "Loading ended unexpectedly; {refresh} tries again."
STOPPING = Content.styled("stopping …", marks.MUTED)
NO_SKILLS = "No skill yet: {list.open} writes a first one."


class Areas(Screen[None]):
    """Tree, detail, problems and keys. On a narrow terminal tree and detail take turns (class ``-detail``)."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (150, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]
    AUTO_FOCUS = "SkillTree"

    def __init__(self, loader: Loader, session: Session) -> None:
        super().__init__()
        self.loader, self.session = loader, session
        self.workspace: Workspace | None = None
        self.findings, self.finder = Findings(), Finder()
        self._stop = threading.Event()
        self._busy = True
        self._early = EarlyOutline()

    def fit(self, size: Size) -> None:
        """Take the classes that suit ``size`` before anything is drawn: the first frame is then the right one."""
        for length, points in zip(size, (self.HORIZONTAL_BREAKPOINTS, self.VERTICAL_BREAKPOINTS), strict=True):
            suited = [name for least, name in points if least <= length][-1:]
            self.update_classes(dict.fromkeys(suited, True), update=False)

    def compose(self) -> ComposeResult:
        """Lay out the areas."""
        yield StatusHeader(self.loader.root.resolve().name)
        yield Static(id="notices")
        with Horizontal(id="body"):
            yield TreeArea(id="tree-area")
            yield Detail(id="detail")
        yield ProblemsPanel(id="problems")
        yield KeyBar()

    @property
    def tree_area(self) -> TreeArea:
        """The left area."""
        return self.query_one(TreeArea)

    @property
    def skill_tree(self) -> SkillTree:
        """The tree in it."""
        return self.query_one(SkillTree)

    @property
    def detail(self) -> Detail:
        """The area in the centre."""
        return self.query_one(Detail)

    @property
    def problems(self) -> ProblemsPanel:
        """The area at the bottom."""
        return self.query_one(ProblemsPanel)

    @property
    def narrow(self) -> bool:
        """Whether there is room for one of tree and detail only."""
        return self.has_class("-narrow")

    @property
    def reading(self) -> bool:
        """Whether the workspace is being read."""
        return self._busy

    @property
    def stopped(self) -> bool:
        """Whether the user stopped the load before all was read."""
        return self.workspace is not None and not self.workspace.declarations.complete

    @property
    def busy(self) -> bool:
        """Whether something runs that escape stops."""
        return self._busy

    def on_mount(self) -> None:
        """Begin in the tree."""
        self.skill_tree.state = self.session
        self.skill_tree.focus()

    def on_unmount(self) -> None:
        """Stop a load that is still running."""
        self._stop.set()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Let the area with the focus be the one in sight where there is room for one only."""
        ancestors = event.widget.ancestors_with_self
        if self.detail in ancestors:
            self.add_class("-detail")
        elif self.tree_area in ancestors:
            self.remove_class("-detail")
        for heading in (TreeTitle, TabStrip, ProblemsTitle):
            self.query_one(heading).refresh()

    def load(self, *, quietly: bool = False, changed: Collection[str] | None = None) -> None:
        """Read the workspace (again) in a thread; one load at a time. ``quietly`` shows progress only when it takes.

        ``changed`` are the only paths that can have changed since the load before, if that is known.
        """
        self._stop.set()
        self._stop, self._busy = threading.Event(), True
        if not quietly:
            self.show_progress(loading(0, 0, keymap_of(self)))
        stop = self._stop
        run = partial(self.loader.run, stop, changed)
        self.run_worker(
            run, thread=True, group="load", exclusive=True, exit_on_error=False, name="load", description="load"
        )

    def stop_load(self) -> None:
        """End the running load at its next file."""
        self._stop.set()
        self.show_progress(STOPPING)

    def show_progress(self, progress: Content | None) -> None:
        """Show in the header what is going on, or the counts again."""
        self.query_one(StatusHeader).show_progress(progress)

    def show_notices(self, notices: Sequence[str]) -> None:
        """Show below the header what keeps the program from doing all it can, for as long as it is open."""
        said = (Content.assemble(("▲ ", "$warning"), marks.text(notice, "$warning")) for notice in notices)
        bar = self.query_one("#notices", Static)
        bar.update(Content("\n").join(said))
        bar.display = bool(notices)

    def show_watching(self, state: str) -> None:
        """Show in the header how the files are watched."""
        self.query_one(StatusHeader).show_watched(state)

    def opened(self, workspace: Workspace) -> None:
        """Get the other tabs ready in a thread, once the workspace is there for the first time."""
        self.set_timer(READY_S, self._get_ready)

    def _get_ready(self) -> None:
        self.run_worker(import_panes, thread=True, group="ready", exit_on_error=False, description="import")

    def settled(self) -> None:
        """Hear that a load is over."""

    def on_load_progressed(self, message: LoadProgressed) -> None:
        """Show how far it is, and of a first load the skills as they come."""
        if message.run is not self._stop or not self._busy or self._stop.is_set():
            return
        self.show_progress(loading(message.done, message.total, keymap_of(self)))
        if self.workspace is None and message.names:
            self._early.add(message.names)
            self.tree_area.show_early(self._early)

    def on_load_ended(self, message: LoadEnded) -> None:
        """Say why there is nothing new; what was there stays."""
        if message.run is not self._stop:
            return
        self._busy = False
        self.show_progress(None)
        said = message.problem or with_keys(self, AS_BEFORE)
        self.notify(said, severity="error" if message.problem else "information", markup=False)
        if self.workspace is None:
            self.skill_tree.empty = with_keys(self, NOT_LOADED)
            self.skill_tree.rows_changed()
        self.settled()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """End the load that met something unexpected; the application shows what it was."""
        if event.worker.name == "load" and event.state is WorkerState.ERROR:
            self.on_load_ended(LoadEnded(self._stop, with_keys(self, FAILED)))

    async def on_loaded(self, message: Loaded) -> None:
        """Show another state of the workspace; selection, scroll and open rows stay."""
        if message.run not in (None, self._stop):
            return
        first = self.workspace is None
        self.workspace, self.findings, self.finder = message.workspace, message.findings, message.finder
        found = message.workspace.declarations
        done = found.files - found.unread
        standing = None if found.complete else stopped(done, found.files, keymap_of(self))
        unreadable = len({broken.path for broken in found.broken})
        self.query_one(StatusHeader).show(message.workspace.counts, standing, unreadable, len(found.agent_skills))
        self.problems.show(message.findings)
        self.skill_tree.empty = with_keys(self, NO_SKILLS)
        if first:
            worth_it = message.findings.totals["error"] + message.findings.totals["warning"]
            self.problems.open(self.has_class("-tall") and not self.narrow and worth_it > 0)
        self.detail.reload(message.workspace, message.findings)
        if self.detail.subject is None and not first:
            self.skill_tree.start_over()
        self.tree_area.show(message.outline, message.finder, message.findings)
        if first:
            await self.detail.switch(self.session.tab if self.session.tab in TAB_IDS else "overview")
            self.opened(message.workspace)
        if message.run is not None:
            self._ended(complete=found.complete)

    def _ended(self, *, complete: bool) -> None:
        self._busy = False
        self.show_progress(None)
        if complete:
            self.settled()
        else:
            self.notify(with_keys(self, STOPPED), markup=False)

    def show_detail(self) -> None:
        """Bring the detail into sight and give it the focus."""
        self.add_class("-detail")
        self.call_after_refresh(self.detail.focus_pane)

    def show_tree(self) -> None:
        """Bring the tree into sight and give it the focus."""
        self.remove_class("-detail")
        self.call_after_refresh(self.skill_tree.focus)
