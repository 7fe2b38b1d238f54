"""The main screen: routes what the areas ask for and what the keys mean. It computes nothing itself."""

from __future__ import annotations

from textual import on
from textual.timer import Timer

from core.text import display
from explorer import messages
from explorer.commands import Where, bindings
from explorer.screens import handover
from explorer.screens.live import Live
from explorer.services.outline import Kind
from explorer.services.subject import Subject, subject_of
from explorer.widgets.detail import TABS, Detail
from explorer.widgets.problems import ProblemList, ProblemsTitle
from explorer.widgets.skill_tree import SkillTree
from explorer.widgets.tab_strip import TabStrip

FOLLOW_S = 0.05
NEEDS = {
    "try_tool": "tool",
    "show_why": "tool",
    "show_graph": "skill",
    "edit_file": "place",
    "fix_problem": "fix",
    "next_problem": "problem",
    "previous_problem": "problem",
    "back": "back",
    "discover": "servers",
}


class MainScreen(Live):
    """Keeps which tool the keys mean; everything else the areas keep themselves."""

    BINDINGS = bindings(Where.MAIN)
    _follow: Timer | None = None
    _tool: tuple[str, str] | None = None

    # What the areas say

    def on_skill_tree_selected(self, message: SkillTree.Selected) -> None:
        """Follow the cursor with the detail, once it rests."""
        if message.node != self.skill_tree.node:
            return  # the cursor has been put elsewhere meanwhile
        self._stop_following()
        subject = subject_of(message.node) if message.node else None
        if subject:
            self._follow = self.set_timer(FOLLOW_S, lambda: self._show(subject))

    @property
    def following(self) -> bool:
        """Whether the detail has yet to follow the cursor of the tree."""
        return self._follow is not None

    def on_skill_tree_opened(self, message: SkillTree.Opened) -> None:
        """Show the row in the detail and go there."""
        if subject := subject_of(message.node):
            self._show(subject)
            self.show_detail()

    def on_tab_strip_chosen(self, message: TabStrip.Chosen) -> None:
        """Open the clicked tab."""
        self.detail.switch(message.tab)
        self.show_detail()

    def on_detail_switched(self, message: Detail.Switched) -> None:
        """Remember the tab for the next start."""
        self.session.tab = message.tab

    @on(ProblemsTitle.Clicked)
    def _toggle_problems(self) -> None:
        self.problems.open(not self.problems.opened)

    def on_problem_list_highlighted(self, _message: ProblemList.Highlighted) -> None:
        """Offer a fix only where there is one."""
        self.refresh_bindings()

    def on_tool_highlighted(self, message: messages.ToolHighlighted) -> None:
        """Let the keys mean the tool at a pane's cursor."""
        self._tool = (message.skill, message.tool)
        self.refresh_bindings()

    # What the areas ask for

    def on_open_skill(self, message: messages.OpenSkill) -> None:
        """Show a skill in tree and detail."""
        self.tree_area.reveal(message.name)
        self._show(Subject(Kind.SKILL, message.name, message.name))

    def on_open_tool(self, message: messages.OpenTool) -> None:
        """Show a tool among the tools of its skill."""
        self.tree_area.reveal(message.skill, message.tool)
        self._show(Subject(Kind.TOOL, message.tool, message.skill, message.tool))
        self.detail.switch("tools")
        self.show_detail()

    def on_open_actor(self, message: messages.OpenActor) -> None:
        """Show an actor."""
        self._show(Subject(Kind.ACTOR, message.name))
        self.detail.switch("overview")

    def on_open_place(self, message: messages.OpenPlace) -> None:
        """Show a place in Source."""
        self.detail.show_place(message.path, message.line, message.column)
        self.show_detail()

    def on_try_tool(self, message: messages.TryTool) -> None:
        """Open the form of a tool."""
        self._show(Subject(Kind.TOOL, message.tool, message.skill, message.tool))
        self.detail.switch("try")
        if message.arguments is not None:
            self.detail.prefill(message.skill, message.tool, message.arguments)
        self.show_detail()

    def on_show_why(self, message: messages.ShowWhy) -> None:
        """Explain a tool."""
        from explorer.screens.dialogs import show_why

        if self.workspace:
            show_why(self, self.workspace, message.skill, message.tool)

    def on_explorer_notify(self, message: messages.Notify) -> None:
        """Say something in passing."""
        self.notify(display(message.text, 500), severity=message.severity, markup=False)

    def on_ask_approval(self, message: messages.AskApproval) -> None:
        """Ask, and hand the answer to the thread that waits for it."""
        from explorer.screens.dialogs import ask_approval

        ask_approval(self, message)

    def _stop_following(self) -> None:
        if self._follow:
            self._follow.stop()
        self._follow = None

    def _show(self, subject: Subject) -> None:
        self._stop_following()
        self._tool = (subject.skill, subject.tool) if subject.skill and subject.tool else None
        self.detail.show(subject)
        self.refresh_bindings()

    # What the keys mean

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what is possible now."""
        match NEEDS.get(action):
            case "tool":
                return self._tool is not None
            case "skill":
                return bool(self.detail.subject and self.detail.subject.skill) and self.detail.tab != "graph"
            case "place":
                return bool(self.detail.subject or self.findings.problems)
            case "servers":
                return not self.busy and self._has_servers()
            case "problem":
                return bool(self.findings.problems)
            case "back":
                return self.busy or self.tree_area.filtering or self.focused is not self.skill_tree
            case "fix":
                found = self.problems.problem_list.found
                return bool(found and found.fix)
        return True

    def _has_servers(self) -> bool:
        subject = self.detail.subject
        row = self.workspace.catalogue.skill(subject.skill) if self.workspace and subject and subject.skill else None
        return row is not None and (bool(row.undiscovered_servers) or any(s.startswith("mcp:") for s in row.sources))

    def _place(self) -> tuple[str, int] | None:
        found = self.problems.problem_list.found
        if found and self.focused is self.problems.problem_list:
            return found.place.path, found.place.line
        return self.detail.here()

    def action_try_tool(self) -> None:
        """Open the form of the selected tool."""
        if self._tool:
            self.post_message(messages.TryTool(*self._tool))

    def action_show_why(self) -> None:
        """Explain the selected tool."""
        if self._tool:
            self.post_message(messages.ShowWhy(*self._tool))

    def action_show_graph(self) -> None:
        """Show the graph around the selected skill."""
        self.detail.switch("graph")
        self.show_detail()

    def action_show_problems(self) -> None:
        """Open the list and go there; from there, close it and go back."""
        rows = self.problems.problem_list
        if self.problems.opened and self.focused is rows:
            self.problems.open(False)
            self.show_detail() if self.has_class("-detail") else self.show_tree()
        else:
            self.problems.open(True)
            self.call_after_refresh(rows.focus)

    def action_edit_file(self) -> None:
        """Open the place that is looked at in the user's editor, then read the workspace again."""
        if place := self._place():
            handover.edit(self, self.loader.root, *place)

    def action_fix_problem(self) -> None:
        """Show the fix of the selected problem."""
        from explorer.screens.dialogs import offer_fix

        found = self.problems.problem_list.found
        if self.workspace and found and found.fix:
            offer_fix(self, self.workspace, found)

    def action_filter(self) -> None:
        """Type into the filter of the tree."""
        self.remove_class("-detail")
        self.call_after_refresh(self.tree_area.start_filter)

    def action_next_problem(self) -> None:
        """Go to the next problem's place."""
        self._step(1)

    def action_previous_problem(self) -> None:
        """Go to the previous problem's place."""
        self._step(-1)

    def _step(self, by: int) -> None:
        if found := self.problems.problem_list.step(by):
            place = found.place
            self.detail.show_place(place.path, place.line, place.column)
            self.add_class("-detail")

    def action_refresh(self) -> None:
        """Read the workspace again."""
        self.load()

    def action_discover(self) -> None:
        """Ask the servers of the selected skill for their tools."""
        if self.detail.subject and self.detail.subject.skill:
            self.discover(self.detail.subject.skill)

    def action_copy(self) -> None:
        """Copy what is selected where the focus is."""
        found = self.problems.problem_list.found
        if found and self.focused is self.problems.problem_list:
            place = found.place
            text = f"{place.path}:{place.line}:{place.column}: {found.severity}: {found.message} [{found.code}]"
        elif self.focused is self.skill_tree:
            text = self.skill_tree.node.name if self.skill_tree.node else ""
        else:
            text = self.detail.selected_text()
        handover.copy(self, text)

    def action_show_tab(self, number: int) -> None:
        """Show a tab and go there."""
        self.detail.switch(TABS[number - 1].id)
        self.show_detail()

    def action_next_area(self) -> None:
        """Go to the next area; on a narrow terminal the next area takes its turn."""
        if self.narrow and self.focused is self.skill_tree and self.detail.subject:
            self.show_detail()
        else:
            self.focus_next()

    def action_previous_area(self) -> None:
        """Go to the previous area; on a narrow terminal the tree takes its turn."""
        if self.narrow and self.focused is not self.skill_tree:
            self.show_tree()
        else:
            self.focus_previous()

    def action_back(self) -> None:
        """Stop a load, or clear the filter, or go back to the tree."""
        if self.reading:
            self.stop_load()
        elif self.busy:
            self.stop_asking()
        elif self.focused is self.skill_tree:
            self.tree_area.clear_filter()
        else:
            self.show_tree()
