"""The tree at the left: actors, skills by namespace with what they include and hold, unassigned sources."""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from explorer.commands import BY_ID, Where, bindings
from explorer.messages import StartSkill
from explorer.presenters import marks
from explorer.presenters.layout import wrap
from explorer.presenters.tree import indent_of, tree_row
from explorer.services.early import EarlyOutline
from explorer.services.finder import Finder, words_of
from explorer.services.findings import Findings
from explorer.services.flat import renamed
from explorer.services.outline import Key, Kind, Node, Outline, Tree
from explorer.services.session import TreeState
from explorer.widgets.hint import with_keys
from explorer.widgets.row_list import RowList

MOST_HITS = 500
OPEN_AT_FIRST = 200
NO_HITS = "Nothing matches; {filter.clear} clears the filter."


class SkillTree(RowList):
    """Rows come from an ``Outline``; unfolding asks it for the children of that one node."""

    HELP = "The skills by namespace, with their includes and tools; the right side follows the cursor."
    # At once: what is typed after it belongs into the filter, however busy the tree is.
    BINDINGS = [
        *bindings(Where.TREE),
        Binding(BY_ID["filter"].keys, "screen.filter", BY_ID["filter"].label, id="filter", priority=True),
    ]

    @dataclass
    class Selected(Message):
        """The cursor stands on this row; None when there is no row."""

        node: Node | None

    @dataclass
    class Opened(Message):
        """The user opened this row."""

        node: Node

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self.state = TreeState()
        self._outline: Tree | None = None
        self._begun = TreeState()
        self._loading = True
        self._finder = Finder()
        self._findings = Findings()
        self._rows: list[Node] = []
        self._query = ""
        self._told: Key | None = None
        self._in_sight: list[object] = []
        self.empty = ""

    @property
    def node(self) -> Node | None:
        """The row at the cursor."""
        return self._rows[self.cursor] if self._rows else None

    def set_catalogue(self, outline: Outline, finder: Finder, findings: Findings) -> None:
        """Show another state of the workspace; what was unfolded and selected stays so, where it still exists."""
        begin, self._loading = self._loading and self._untouched, False
        self._findings = findings
        self._follow_file(outline)
        self._show(outline, finder, begin=begin)

    def _follow_file(self, outline: Outline) -> None:
        """Where the file of the skill at the cursor names it otherwise now, stay with it."""
        here, old = self.state.cursor or (), self._top_skill()
        new = renamed(outline.workspace, old.name, old.row.place.path) if old is not None and old.row else None
        way = outline.way_to(new) if new else []
        if old is None or not way:
            return
        top = outline.hit(way[-1].name).key if self._query else way[-1].key
        size = len(old.key)
        self.state.opened |= {(*top, *key[size:]) for key in self.state.opened if key[:size] == old.key}
        self.state.opened.add(way[0].key)
        self.state.cursor = (*top, *here[size:])

    def _top_skill(self) -> Node | None:
        """Return the row of the skill that the cursor stands in, or in what it includes; not one below an actor."""
        here = self.state.cursor or ()
        if here[:1] not in (("namespace",), ("hit",)):
            return None
        above = (row for row in self._rows[: self.cursor + 1] if row.key == here[: len(row.key)])
        return next((row for row in above if row.kind is Kind.SKILL), None)

    def set_early(self, outline: EarlyOutline) -> None:
        """Show the skills that have been read so far; what the user does among them, or did last time, stays done."""
        begin, wanted = not self.state.opened, self.state.cursor
        self._show(outline, outline.finder, begin=begin)
        if begin:
            self._begun = TreeState(set(self.state.opened), self.state.cursor)
        elif wanted is not None:
            self.state.cursor = wanted  # it may come yet

    @property
    def _untouched(self) -> bool:
        begun = self._begun
        return self.state.opened == begun.opened and (not begun.opened or self.state.cursor == begun.cursor)

    def _show(self, outline: Tree, finder: Finder, *, begin: bool) -> None:
        self._outline, self._finder = outline, finder
        if begin:
            self.state.opened |= _at_first(outline)
            self.state.cursor = _first(outline.rows(self.state.opened))
        self._rebuild()
        if begin and self.cursor < self.size.height:
            self.scroll_home(animate=False)

    def start_over(self) -> None:
        """Let the next catalogue choose what is unfolded and selected, as the first one did."""
        self.state.opened.clear()
        self._loading, self._begun, self.state.cursor = True, TreeState(), None

    def set_query(self, query: str) -> None:
        """Show only what matches ``query``; an empty one shows the tree again."""
        if query == self._query:
            return
        node = self.node
        self._query = query
        if not query and node is not None and node.skill:
            self._unfold_to(node.skill, node.name if node.kind is Kind.TOOL else None)
        self._rebuild()

    def reveal(self, skill: str, tool: str | None = None, *, quietly: bool = False) -> bool:
        """Put the cursor on a skill, or on a tool it lists itself, unfolding what is above; False when it's gone.

        ``quietly`` tells nobody: whoever asks shows the thing already.
        """
        node = self.node
        if node is not None and node.skill == skill and (node.name == (tool or skill)):
            return True
        if self._query or not self._unfold_to(skill, tool):
            return False
        if quietly:
            self._told = self.state.cursor
        self._rebuild()
        self.scroll_to_cursor()
        return True

    def go_to_hit(self, skill: str, tool: str | None) -> bool:
        """Put the cursor on the filtered row of a skill or tool, telling nobody; False when the filter hides it."""
        name = tool or skill
        at = next((i for i, row in enumerate(self._rows) if row.name == name and row.skill == skill), None)
        if at is not None:
            self._told = self.state.cursor = self._rows[at].key
            self.cursor = at
        return at is not None

    def go_to_best_hit(self) -> None:
        """Put the cursor on the row that the query names best, a tool as well as a skill."""
        if not (words := words_of(self._query)) or not self._rows:
            return
        rated = ((_rating(row.name.casefold(), words), -at) for at, row in enumerate(self._rows))
        self.cursor = -max(rated)[1]

    def _unfold_to(self, skill: str, tool: str | None) -> bool:
        way = self._outline.way_to(skill, tool) if self._outline else []
        if not way:
            return False
        self.state.opened.update(node.key for node in way[:-1])
        self.state.cursor = way[-1].key
        return True

    def row_count(self) -> int:
        """One line tells what to do when there is nothing to list."""
        return len(self._rows) or len(self._says())

    def selectable(self, index: int) -> bool:
        """Nothing can be selected in an empty tree."""
        return bool(self._rows)

    def row(self, index: int, width: int) -> Content:
        """Return a row's text."""
        if not self._rows:
            return Content(" ") + self._says()[index]
        node = self._rows[index]
        return tree_row(node, width, opened=node.key in self.state.opened, worst=self._worst(node))

    def _says(self) -> list[Content]:
        text = with_keys(self, NO_HITS) if self._query else self.empty
        return wrap(Content.styled(text, marks.MUTED), self.scrollable_content_region.width - 1)

    def highlighted(self) -> None:
        """Remember the row and tell the screen."""
        node = self.node
        key = node.key if node else None
        if key is not None and key == self._told:
            return
        self.state.cursor = self._told = key
        self.tell(self.Selected(node))

    def chosen(self) -> None:
        """Unfold what only folds, open everything else."""
        if (node := self.node) is None:
            if self.can_open():
                self.post_message(StartSkill())
        elif node.kind in (Kind.BRANCH, Kind.NAMESPACE):
            self.action_tree_toggle()
        else:
            self.post_message(self.Opened(node))

    def can_open(self) -> bool:
        """A row opens; in a workspace without any, a first skill can be written."""
        return bool(self._rows) or not (self._loading or self._query)

    def clicked(self, index: int, x: int) -> bool:
        """A click on the fold mark folds or unfolds."""
        if not self._rows:
            self.chosen()
            return True
        node = self._rows[index]
        on_mark = node.expandable and indent_of(node) <= x < indent_of(node) + 2
        if on_mark or node.kind in (Kind.BRANCH, Kind.NAMESPACE):
            self.cursor = index
            self.action_tree_toggle()
            return True
        return False

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to fold and unfold only what does."""
        node = self.node
        if action in ("tree_expand", "tree_toggle"):
            return node is not None and node.expandable
        if action == "tree_collapse":
            return node is not None and (node.depth > 0 or node.key in self.state.opened)
        return super().check_action(action, parameters)

    def action_tree_toggle(self) -> None:
        """Fold or unfold the row."""
        if (node := self.node) and node.expandable:
            self.state.opened ^= {node.key}
            self._rebuild()
            self.refresh_bindings()

    def action_tree_expand(self) -> None:
        """Unfold the row, or go to its first child."""
        if (node := self.node) is None or not node.expandable:
            return
        if node.key in self.state.opened:
            self.cursor += 1
        else:
            self.action_tree_toggle()

    def action_tree_collapse(self) -> None:
        """Fold the row, or go to its parent."""
        if (node := self.node) is None:
            return
        if node.expandable and node.key in self.state.opened:
            self.action_tree_toggle()
            return
        above = [i for i in range(self.cursor) if self._rows[i].depth < node.depth]
        if above:
            self.cursor = above[-1]

    def _rebuild(self) -> None:
        if self._outline is None:
            return
        before, drawn_at, height = self.state.cursor, self.cursor, self.cursor - self.scroll_offset.y
        self._rows = self._hits() if self._query else self._outline.rows(self.state.opened)
        self.virtual_size = Size(self.size.width, self.row_count())
        self.set_reactive(SkillTree.cursor, self._row_at(before or ()))
        self.scroll_to(y=max(0, self.cursor - height), animate=False)
        if self._sight_changed() or self.cursor != drawn_at:
            self.refresh()
        if self.node is None or self.node.key != self._told:
            self.highlighted()

    def _sight_changed(self) -> bool:
        """Whether the rows in sight are not those that were there when this was last asked."""
        top, opened, before = self.scroll_offset.y, self.state.opened, self._in_sight
        rows = self._rows[top : top + max(1, self.size.height)]
        shown = ((row, row.key in opened, self._worst(row)) for row in rows)
        self._in_sight = [top, self.size.height, *shown] if rows else []
        return not rows or before != self._in_sight

    def _worst(self, node: Node) -> str | None:
        if node.kind not in (Kind.SKILL, Kind.FILE):
            return None
        return self._findings.worst(node.skill, node.row.place.path if node.row else node.path)

    def _row_at(self, key: Key) -> int:
        """Return the row with ``key``, else the nearest above it that is still there, else one that is no skill's."""
        if self.cursor < len(self._rows) and self._rows[self.cursor].key == key:
            return self.cursor
        places = {row.key: at for at, row in enumerate(self._rows)}
        while key:
            if key in places:
                return places[key]
            key = key[:-2]
        at = max(0, min(self.cursor, len(self._rows) - 1))
        return at if self._query else next((i for i in range(at, -1, -1) if self._rows and not self._rows[i].depth), 0)

    def _hits(self) -> list[Node]:
        outline = self._outline
        assert outline is not None
        wanted: dict[str, list[str]] = {}
        servers: dict[str, list[str]] = {}
        entries, total = self._finder.find(self._query, MOST_HITS)
        for entry in entries:
            tools = wanted.setdefault(entry.skill, [])
            if entry.tool:
                tools.append(entry.tool)
            if entry.server:
                servers.setdefault(entry.skill, []).append(entry.server)
        rows: list[Node] = []
        for name, tools in wanted.items():
            node = outline.hit(name)
            rows += outline.rows(self.state.opened, (node,)) if node.key in self.state.opened else [node]
            if node.key not in self.state.opened:
                rows += outline.tool_hits(node, tools) + outline.server_hits(node, servers.get(name, ()))
        if total > len(entries):
            rows.append(Node(("more",), Kind.NOTE, "more", f"… {total - len(entries):,} more; type on"))
        return rows


def _rating(name: str, words: list[str]) -> int:
    """Return how well ``words`` name a row: all of it, the start of its last part, somewhere in it, not at all."""
    if [name] == words:
        return 3
    if not all(word in name for word in words):
        return 0
    return 2 if name.rpartition("/")[2].startswith(words[0]) else 1


def _first(rows: list[Node]) -> Key | None:
    """Return the first skill, else the first row that the detail can show."""
    shown = [node for node in rows if node.kind not in (Kind.BRANCH, Kind.NAMESPACE, Kind.NOTE, Kind.ACTOR)]
    return next((node.key for node in shown if node.kind is Kind.SKILL), shown[0].key if shown else None)


def _at_first(outline: Tree) -> set[Key]:
    """Unfold a small workspace far enough that its skills are in sight at once."""
    spaces = [node for node in outline.roots() if node.kind is Kind.NAMESPACE]
    if sum(node.count or 0 for node in spaces) <= OPEN_AT_FIRST or len(spaces) == 1:
        return {node.key for node in outline.roots() if node.kind in (Kind.NAMESPACE, Kind.BRANCH)}
    return {node.key for node in spaces[:1]}
