"""The main screen: what the keys mean. It computes nothing itself."""

from __future__ import annotations

from functools import partial

from explorer import messages
from explorer.commands import BY_ID, Where, bindings
from explorer.presenters.why_not import Standing, why_not
from explorer.screens import handover
from explorer.screens.routes import Routes
from explorer.widgets.detail import TABS
from explorer.widgets.hint import key_of, with_keys

NEEDS = {
    "try_tool": "subject",
    "show_why": "tool",
    "show_graph": "skill",
    "edit_file": "place",
    "fix_problem": "fix",
    "next_problem": "problem",
    "previous_problem": "problem",
    "back": "back",
    "discover": "servers",
    "show_approvals": "workspace",
}


class MainScreen(Routes):
    """Carries out the commands that work everywhere, and offers only those that are possible now."""

    BINDINGS = bindings(Where.MAIN)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what is possible now."""
        match NEEDS.get(action):
            case "tool":
                return self._tool is not None
            case "subject":
                return self._tool is not None or bool(self.detail.subject and self.detail.subject.skill)
            case "skill":
                return bool(self.detail.subject and self.detail.subject.skill) and self.detail.tab != "graph"
            case "place":
                return bool(self.detail.subject or self.findings.problems)
            case "servers":
                return not self.busy and self._has_servers()
            case "workspace":
                return self.workspace is not None
            case "problem":
                return bool(self.findings.problems)
            case "back":
                return self.busy or self.tree_area.filtering or self.focused is not self.skill_tree
            case "fix":
                return self.findings.remedy(self.problems.problem_list.found) is not None
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

    async def action_try_tool(self) -> None:
        """Open the form of the selected tool; with none selected, show the skill's tools to choose from."""
        if self._tool:
            self.expect_form()
            self.post_message(messages.TryTool(*self._tool))
            return
        await self.detail.switch("tools")
        self.show_detail()
        self.notify(with_keys(self, "Choose a tool, then {list.open} opens its form."), markup=False)

    def action_show_why(self) -> None:
        """Explain the selected tool."""
        if self._tool:
            self.post_message(messages.ShowWhy(*self._tool))

    async def action_show_graph(self) -> None:
        """Show the graph around the selected skill."""
        await self.detail.switch("graph")
        self.show_detail()

    def action_show_problems(self) -> None:
        """Go to the list, opening it where it is closed; from there, close it and go back."""
        rows = self.problems.problem_list
        if self.focused is rows:
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

        found = self.findings.remedy(self.problems.problem_list.found)
        if self.workspace and found:
            offer_fix(self, self.workspace, found)

    def why_idle(self, command: str) -> str:
        """Return why the key of ``command`` does nothing now; an empty text for one of another place."""
        if BY_ID[command].where is not Where.MAIN:
            return ""
        if command == "fix-problem":
            found = self.problems.problem_list.found
            return f"There is no mechanical fix for this one: {found.code}." if found else "There is nothing to fix."
        now = Standing(self.detail.subject, self.detail.tab, self.workspace is not None, self.busy)
        return why_not(command, now, partial(key_of, self))

    def action_show_approvals(self) -> None:
        """Show what is approved."""
        from explorer.screens.dialogs import show_approvals

        if self.workspace:
            show_approvals(self, self.workspace)

    def action_filter(self) -> None:
        """Type into the filter of the tree."""
        self.remove_class("-detail")
        self.tree_area.start_filter()

    async def action_next_problem(self) -> None:
        """Go to the next problem's place."""
        await self._step(1)

    async def action_previous_problem(self) -> None:
        """Go to the previous problem's place."""
        await self._step(-1)

    async def _step(self, by: int) -> None:
        if found := self.problems.problem_list.step(by):
            place = found.place
            await self.detail.show_place(place.path, place.line, place.column)
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

    def action_save_copy(self) -> None:
        """Save what was copied last."""
        from core.workspace.state import state_folder

        handover.save_copy(self, state_folder(self.loader.state) / "copied")

    async def action_show_tab(self, number: int) -> None:
        """Show a tab and go there."""
        tab = TABS[number - 1].id
        if tab == "try" and self._tool:
            self.expect_form()
        await self.detail.switch(tab)
        self.show_form()

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
