"""Graph: the include graph around a skill or of the whole workspace, and its cycles beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static
from textual.worker import get_current_worker

from core.protocol import SkillFailure
from core.text import display, plural
from explorer.commands import Where, bindings
from explorer.messages import Notify, OpenPlace, OpenSkill, RemoveInclude
from explorer.presenters import marks
from explorer.presenters.cycles_page import cycles_page
from explorer.presenters.graph import heading
from explorer.services.cycle_lines import cycle_lines
from explorer.widgets.filter_input import FilterInput
from explorer.widgets.graph_canvas import GraphCanvas
from explorer.widgets.hint import with_keys
from explorer.widgets.overview import Overview

if TYPE_CHECKING:
    from core.resolve.canvas import Canvas
    from core.resolve.views import IncludeGraph
    from core.workspace import Workspace

_RADII = (1, 2, None, None)
_WHOLE = 3
BESIDE = 110


class GraphView(Vertical):
    """The drawing is made in a thread; keys go from node to node, and to the cycles where there are any."""

    HELP = "What includes what, from left to right. The cursor goes along the lines."
    BINDINGS = [*bindings(Where.GRAPH)]
    DEFAULT_CSS = """
    GraphView > #graph-head { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    GraphView.-says > #graph-head { height: auto; max-height: 8; text-wrap: wrap; padding: 0 1; }
    GraphView > #graph-body { height: 1fr; }
    GraphView #graph-cycles { display: none; height: 45%; border-top: solid $line; border-title-color: $muted; }
    GraphView.-cycles #graph-cycles { display: block; }
    GraphView.-cycles > #graph-body { layout: vertical; }
    GraphView.-cycles.-beside > #graph-body { layout: horizontal; }
    GraphView.-beside #graph-cycles { height: 1fr; width: 42%; border-top: none; border-left: solid $line; }
    GraphView > #graph-find { display: none; }
    GraphView.-finding > #graph-find { display: block; }
    """

    @dataclass
    class Drawn(Message):
        """A drawing is ready; without one ``reason`` says why."""

        asked: tuple[str | None, int]
        graph: IncludeGraph | None
        canvas: Canvas | None = None
        texts: dict[tuple[str, int], str] | None = None
        reason: str = ""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._workspace: Workspace | None = None
        self._skill: str | None = None
        self._focus: str | None = None
        self.reach = 1
        self._graph: IncludeGraph | None = None
        self._hits: list[str] = []
        self._hit = 0
        self._to_cycles = False

    def compose(self) -> ComposeResult:
        """What is shown, the drawing, the cycles."""
        yield Static(Content.styled(f" {marks.LOADING}", marks.MUTED), id="graph-head")
        with Horizontal(id="graph-body"):
            yield GraphCanvas(id="graph-canvas")
            yield Overview(id="graph-cycles")
        yield FilterInput("Finds skills in the graph by words of their names.", id="graph-find")

    def on_mount(self) -> None:
        """Name the parts."""
        self.cycles.border_title = "cycles"
        self.find_input.placeholder = "find a skill"

    @property
    def canvas(self) -> GraphCanvas:
        """The drawing."""
        return self.query_one(GraphCanvas)

    @property
    def cycles(self) -> Overview:
        """The cycles."""
        return self.query_one("#graph-cycles", Overview)

    @property
    def find_input(self) -> FilterInput:
        """The line that searches."""
        return self.query_one("#graph-find", FilterInput)

    def show(self, workspace: Workspace, skill: str | None, tool: str | None, reason: str = "") -> None:
        """Show the graph around ``skill``, the whole one for None; the same again keeps reach and cursor."""
        self._workspace = workspace
        if skill != self._skill or self._focus is None:
            self._skill = self._focus = skill
        self._ask()

    def go_to_cycles(self) -> None:
        """Go to the cycles, once they are drawn."""
        self._to_cycles = True
        self._ask()

    @property
    def include(self) -> OpenPlace | None:
        """The include at the cursor of the cycles, while the focus is there."""
        here = self.cycles.leads_to if self.cycles.has_focus else None
        return here if isinstance(here, OpenPlace) else None

    def _ask(self) -> None:
        if self._workspace is not None:
            self._draw(self._workspace, self._focus, self.reach)

    @work(thread=True, group="graph", exclusive=True, exit_on_error=False, description="draw")
    def _draw(self, workspace: Workspace, name: str | None, reach: int) -> None:
        found = drawing(workspace, name, reach)
        if not get_current_worker().is_cancelled:
            self.post_message(found)

    def on_graph_view_drawn(self, event: Drawn) -> None:
        """Put the drawing in."""
        event.stop()
        if event.asked != (self._focus, self.reach):
            return
        before, self._graph = self._graph, event.graph
        if event.graph is None or event.canvas is None:
            reason = display(with_keys(self, event.reason), 500)
            self.query_one("#graph-head", Static).update(Content.styled(reason, marks.MUTED))
            self.add_class("-says")
            self.canvas.clear()
            self.remove_class("-cycles")
            return
        self.remove_class("-says")
        graph, texts = event.graph, event.texts or {}
        self._head()
        self.canvas.show(graph, event.canvas, self._focus)
        if graph.cycles:
            page = partial(cycles_page, graph, lambda path, line: texts.get((path, line), ""))
            same = before is not None and before.suggested_cut == graph.suggested_cut
            self.cycles.show_page(page, keep_place=same and not self._to_cycles)
        elif self.cycles.has_focus:
            self.canvas.focus()
        self.set_class(bool(graph.cycles), "-cycles")
        if self._to_cycles and graph.cycles:
            self.call_after_refresh(self.cycles.focus)
        self._to_cycles = False
        self.refresh_bindings()

    def _head(self, note: str = "") -> None:
        if self._graph is not None and self.is_mounted:
            line = heading(self._graph, self._focus, self.reach, note, self.size.width)
            self.query_one("#graph-head", Static).update(line)

    def on_resize(self) -> None:
        """Put the cycles beside the drawing where there is room."""
        self.set_class(self.size.width >= BESIDE, "-beside")
        self._head()

    @on(GraphCanvas.Opened)
    def _opened(self, event: GraphCanvas.Opened) -> None:
        event.stop()
        self._open(event.name)

    @on(GraphCanvas.Moved)
    def _moved(self, event: GraphCanvas.Moved) -> None:
        event.stop()

    @on(Overview.Moved)
    def _follow_cycle(self, event: Overview.Moved) -> None:
        """Light the include in the drawing that the cursor of the cycles stands on."""
        event.stop()
        for edge in self._graph.edges if self._graph and self.cycles.has_focus else ():
            if OpenPlace(edge.place.path, edge.place.line, edge.place.column) == self.include:
                self.canvas.selected = edge.start
                return

    def _open(self, name: str) -> None:
        assert self._workspace is not None
        if self._workspace.catalogue.skill(name) is None:
            self.post_message(Notify(f"No file defines {name}."))
        else:
            self.post_message(OpenSkill(name))

    # Finding

    @on(FilterInput.Typed)
    def _find(self, event: FilterInput.Typed) -> None:
        event.stop()
        self._hits, self._hit = self.canvas.find(event.query), 0
        self._head("no skill here matches" if event.query.strip() and not self._hits else "")
        self.refresh_bindings()
        if self._hits:
            self.canvas.selected = self._hits[0]

    @on(FilterInput.Left)
    def _found_enough(self, event: FilterInput.Left) -> None:
        event.stop()
        self.remove_class("-finding")
        self._head()
        self.canvas.focus()

    def _step(self, step: int) -> None:
        if self._hits:
            self._hit = (self._hit + step) % len(self._hits)
            self.canvas.selected = self._hits[self._hit]

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the cycles only where there are some."""
        if not action.startswith("graph_") or not self.is_mounted:
            return super().check_action(action, parameters)
        if action == "graph_cycles":
            return self.has_class("-cycles")
        if action == "graph_remove":
            return self.include is not None
        if action in ("graph_open", "graph_focus") and (self.cycles.has_focus or not self.canvas.selected):
            return False
        if action in ("graph_search", "graph_copy"):
            return self.canvas.canvas is not None
        if action == "graph_radius":
            return self._focus is not None
        if action in ("graph_next", "graph_previous"):
            return len(self._hits) > 1
        return super().check_action(action, parameters)

    def _in_cycles(self) -> bool:
        return self.cycles.has_focus

    def action_graph_up(self) -> None:
        """Go up."""
        self.canvas.move("up")

    def action_graph_down(self) -> None:
        """Go down."""
        self.canvas.move("down")

    def action_graph_left(self) -> None:
        """Go to what includes this."""
        self.canvas.move("left")

    def action_graph_right(self) -> None:
        """Go to what this includes."""
        self.canvas.move("right")

    def action_graph_open(self) -> None:
        """Open the selected skill."""
        if self.canvas.selected:
            self._open(self.canvas.selected)

    def action_graph_radius(self) -> None:
        """Reach further: neighbours, two steps, all above and below, the workspace, and neighbours again."""
        self.reach = (self.reach + 1) % len(_RADII)
        self._ask()

    def action_graph_focus(self) -> None:
        """Show the graph around the selected skill."""
        self._focus = self.canvas.selected or self._focus
        self._ask()

    def action_graph_search(self) -> None:
        """Search."""
        self.add_class("-finding")
        self.find_input.focus()

    def action_graph_next(self) -> None:
        """Go to the next skill found."""
        self._step(1)

    def action_graph_previous(self) -> None:
        """Go to the skill found before."""
        self._step(-1)

    def action_graph_cycles(self) -> None:
        """Go to the cycles, or back to the drawing."""
        (self.canvas if self._in_cycles() else self.cycles).focus()

    def action_graph_remove(self) -> None:
        """Ask for the removal of the include at the cursor of the cycles."""
        if (place := self.include) is not None:
            self.post_message(RemoveInclude(place.path, place.line, place.column))

    def action_graph_copy(self) -> None:
        """Copy the drawing as text."""
        canvas = self.canvas.canvas
        if canvas is not None:
            self.app.copy_to_clipboard("\n".join(canvas.lines) + "\n")
            self.post_message(Notify(f"Copied a drawing of {plural(canvas.height, 'line')}.", copied=True))


def drawing(workspace: Workspace, name: str | None, reach: int) -> GraphView.Drawn:
    """Return the drawing around ``name``, the lines of its cycles included; blocks for large graphs."""
    from core.resolve.layout import TooLarge, draw

    asked = (name, reach)
    try:
        whole = not name or reach == _WHOLE
        graph = workspace.catalogue.graph(None if whole else name, None if whole else _RADII[reach])
    except SkillFailure as failure:
        return GraphView.Drawn(asked, None, reason=failure.error.message)
    if not graph.nodes:
        return GraphView.Drawn(asked, None, reason="No skill includes another: there is nothing to draw.")
    try:
        canvas = draw(graph)
    except TooLarge:
        return GraphView.Drawn(
            asked, None, reason="Too much to draw at once: choose a skill, and {graph.radius} for its neighbours."
        )
    return GraphView.Drawn(asked, graph, canvas, cycle_lines(workspace, graph))
