"""The drawing of an include graph, line by line, with a cursor that goes from node to node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from explorer.presenters.graph import canvas_row, node_style
from explorer.presenters.layout import fit
from explorer.services.graph_nav import GraphNav
from explorer.widgets.row_list import to_strip

if TYPE_CHECKING:
    from core.resolve.canvas import Canvas
    from core.resolve.views import IncludeGraph


class GraphCanvas(ScrollView, can_focus=True, inherit_bindings=False):
    """Draws only the lines in sight; the selected node's edges stand out, edges in cycles have their own colour."""

    DEFAULT_CSS = """
    GraphCanvas { height: 1fr; width: 1fr; padding: 0 1; scrollbar-size-vertical: 1; scrollbar-size-horizontal: 1; }
    """
    selected: reactive[str] = reactive("", repaint=False)

    @dataclass
    class Opened(Message):
        """A node was opened; ``ghost`` ones have no file."""

        name: str

    @dataclass
    class Moved(Message):
        """Another node is selected."""

        name: str

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.canvas: Canvas | None = None
        self._nav: GraphNav | None = None
        self._names: dict[int, list[tuple[int, int, str]]] = {}
        self._wrong: dict[int, set[int]] = {}
        self._lit: dict[int, set[int]] = {}

    def show(self, graph: IncludeGraph, canvas: Canvas, focus: str | None) -> None:
        """Show a drawing; the cursor stays on its node, else goes to ``focus``, else to the first one."""
        self.canvas, self._nav = canvas, GraphNav(graph, canvas)
        styles = {node.name: node_style(node) for node in graph.nodes}
        self._names = {}
        for name, rect in canvas.nodes.items():
            self._names.setdefault(rect.y, []).append((rect.x, rect.x + rect.width, styles.get(name, "")))
        self._mark_cycles(graph, canvas)
        self.virtual_size = Size(canvas.width + 1, canvas.height)
        candidates = [self.selected, focus or "", *canvas.nodes]
        wanted = next((name for name in candidates if name in canvas.nodes), "")
        self.set_reactive(GraphCanvas.selected, wanted)
        self._select(wanted)
        self.call_after_refresh(self._bring_into_sight)  # once the bars know how large the drawing is

    def clear(self) -> None:
        """Show nothing."""
        self.canvas, self._nav = None, None
        self.set_reactive(GraphCanvas.selected, "")
        self.virtual_size = Size(0, 0)
        self._select("")

    def _mark_cycles(self, graph: IncludeGraph, canvas: Canvas) -> None:
        ring = {(edge.start, edge.end) for edge in graph.edges if edge.in_cycle}
        self._wrong = {}
        for path in canvas.edges:
            if (path.start, path.end) in ring:
                for x, y, _ in path.cells():
                    self._wrong.setdefault(y, set()).add(x)

    def watch_selected(self, name: str) -> None:
        """Light the edges of the node and bring it into sight."""
        self._select(name)
        self.post_message(self.Moved(name))

    def _select(self, name: str) -> None:
        canvas = self.canvas
        self._lit = {}
        if canvas is not None and name in canvas.nodes:
            for x, y in canvas.highlight(canvas.edges_of(name)):
                self._lit.setdefault(y, set()).add(x)
            self._bring_into_sight()
        self.refresh()

    def _bring_into_sight(self) -> None:
        if self.canvas is not None and (rect := self.canvas.nodes.get(self.selected)) is not None:
            self.scroll_to_region(Region(rect.x, rect.y, rect.width + 2, 1), animate=False, spacing=None)

    def render_line(self, y: int) -> Strip:
        """Draw one line of the part in sight."""
        width, base = self.scrollable_content_region.width, self.visual_style
        row, canvas = y + self.scroll_offset.y, self.canvas
        if canvas is None or row >= canvas.height:
            return Strip.blank(width, base.rich_style)
        rect = canvas.nodes.get(self.selected)
        cursor = (rect.x, rect.x + rect.width) if rect is not None and rect.y == row else None
        wrong, lit = self._wrong.get(row, ()), self._lit.get(row, ())
        part = self.scroll_offset.x, self.scroll_offset.x + width
        content = canvas_row(canvas.lines[row], part, self._names.get(row, []), lit, wrong, cursor)
        return to_strip(fit(content, width), base, width)

    def move(self, direction: str) -> None:
        """Go to the next node ``up``, ``down``, ``left`` or ``right``."""
        if self._nav is not None and self.selected:
            self.selected = getattr(self._nav, direction)(self.selected)

    def find(self, text: str) -> list[str]:
        """Return the nodes that ``text`` finds."""
        return self._nav.matches(text) if self._nav is not None else []

    def on_click(self, event: events.Click) -> None:
        """Select the clicked node; a double click opens it."""
        if self.canvas is None:
            return
        at = self.content_region.offset - self.region.offset
        x, y = int(event.x) - at.x + self.scroll_offset.x, int(event.y) - at.y + self.scroll_offset.y
        name = self.canvas.node_at(x, y)
        if name is not None:
            self.selected = name
            if event.chain == 2:
                self.post_message(self.Opened(name))
