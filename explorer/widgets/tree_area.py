"""The left area: its heading, the filter while it is used, the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from explorer.presenters import marks
from explorer.presenters.layout import two_sides
from explorer.widgets.filter_input import FilterInput
from explorer.widgets.focus_mark import heading
from explorer.widgets.hint import key_of
from explorer.widgets.skill_tree import SkillTree

if TYPE_CHECKING:
    from explorer.services.early import EarlyOutline
    from explorer.services.finder import Finder
    from explorer.services.findings import Findings
    from explorer.services.outline import Outline


class TreeTitle(Widget):
    """The heading, with the key that filters."""

    DEFAULT_CSS = "TreeTitle { height: 1; width: 1fr; }"

    def render(self) -> Content:
        """Return the line."""
        filtering = isinstance(self.parent, TreeArea) and self.parent.filtering
        says = f"{key_of(self, 'filter.clear')} shows all " if filtering else f"{key_of(self, 'filter')} filter "
        keys = Content.styled(says, marks.MUTED)
        return two_sides(heading("Skills", self), keys, self.size.width)

    def on_click(self) -> None:
        """Filter, or show all again."""
        if isinstance(self.parent, TreeArea):
            (self.parent.clear_filter if self.parent.filtering else self.parent.start_filter)()


class TreeArea(Vertical):
    """Joins the filter to the tree."""

    def compose(self) -> ComposeResult:
        """Put the filter between heading and tree; it shows only while it is used."""
        yield TreeTitle()
        yield FilterInput("Narrows the tree to the skills and tools with these words.")
        yield SkillTree(id="tree")

    @property
    def tree_list(self) -> SkillTree:
        """The tree."""
        return self.query_one(SkillTree)

    def show(self, outline: Outline, finder: Finder, findings: Findings) -> None:
        """Show another state of the workspace."""
        self.tree_list.set_catalogue(outline, finder, findings)

    def show_early(self, outline: EarlyOutline) -> None:
        """Show the skills that have been read so far."""
        self.tree_list.set_early(outline)

    def reveal(self, skill: str, tool: str | None = None) -> None:
        """Put the cursor of the tree on a skill or tool that is shown already; a filter that hides it closes."""
        if self.filtering and not self.tree_list.go_to_hit(skill, tool):
            self.clear_filter()
        self.tree_list.reveal(skill, tool, quietly=True)

    def start_filter(self) -> None:
        """Open the filter and type into it, from the very next key on."""
        self.add_class("-filtering")
        self.query_one(TreeTitle).refresh()
        self.screen.set_focus(self.query_one(FilterInput))

    @property
    def filtering(self) -> bool:
        """Whether the filter is open."""
        return self.has_class("-filtering")

    def clear_filter(self) -> None:
        """Close the filter and show the whole tree."""
        self.remove_class("-filtering")
        self.query_one(TreeTitle).refresh()
        self.query_one(FilterInput).value = ""
        self.tree_list.set_query("")
        self.refresh_bindings()

    def on_filter_input_typed(self, message: FilterInput.Typed) -> None:
        """Filter the tree."""
        self.tree_list.set_query(message.query)

    def on_filter_input_left(self) -> None:
        """Go on in the tree, at the best hit; an empty filter closes."""
        if not self.query_one(FilterInput).value:
            self.clear_filter()
        self.tree_list.go_to_best_hit()
        self.tree_list.focus()
