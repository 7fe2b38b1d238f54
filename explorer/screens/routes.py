"""What the areas of the main screen say and ask for, and where that leads."""

from __future__ import annotations

import time

from textual import on
from textual.timer import Timer

from core.text import display
from explorer import messages
from explorer.screens.live import Live
from explorer.services.outline import Kind
from explorer.services.subject import Subject, subject_of
from explorer.widgets.detail import Detail
from explorer.widgets.hint import SAVES_IT, with_keys
from explorer.widgets.problems import ProblemList, ProblemsTitle
from explorer.widgets.skill_tree import SkillTree
from explorer.widgets.tab_strip import TabStrip

FOLLOW_S = 0.05
NOT_MECHANICAL = "This include cannot be removed mechanically; {edit-file} opens it in the editor."
FORM_S = 5.0
"""So long keys wait for a form at most."""


class Routes(Live):
    """Keeps which tool the keys mean; everything else the areas keep themselves."""

    _follow: Timer | None = None
    _tool: tuple[str, str] | None = None
    _form_until = 0.0
    _form_shown = False

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

    async def on_tab_strip_chosen(self, message: TabStrip.Chosen) -> None:
        """Open the clicked tab."""
        await self.detail.switch(message.tab)
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
        self._tool = (message.skill, message.tool) if message.tool else None
        self.refresh_bindings()

    # What the areas ask for

    def on_open_skill(self, message: messages.OpenSkill) -> None:
        """Show a skill in tree and detail."""
        self.tree_area.reveal(message.name)
        self._show(Subject(Kind.SKILL, message.name, message.name))

    async def on_open_tool(self, message: messages.OpenTool) -> None:
        """Show a tool among the tools of its skill."""
        self.tree_area.reveal(message.skill, message.tool)
        self._show(Subject(Kind.TOOL, message.tool, message.skill, message.tool))
        await self.detail.switch("tools")
        self.show_detail()

    async def on_open_actor(self, message: messages.OpenActor) -> None:
        """Show an actor."""
        self._show(Subject(Kind.ACTOR, message.name))
        await self.detail.switch("overview")

    async def on_open_place(self, message: messages.OpenPlace) -> None:
        """Show a place in Source."""
        await self.detail.show_place(message.path, message.line, message.column)
        self.show_detail()

    async def on_try_tool(self, message: messages.TryTool) -> None:
        """Open the form of a tool."""
        self.expect_form()
        self._show(Subject(Kind.TOOL, message.tool, message.skill, message.tool))
        await self.detail.switch("try")
        if message.arguments is not None:
            await self.detail.prefill(message.skill, message.tool, message.arguments)
        self.show_form()

    def expect_form(self) -> None:
        """Take the next keys for the form that is being opened."""
        self._form_until, self._form_shown = time.monotonic() + FORM_S, False

    def show_form(self) -> None:
        """Go to the form that is expected."""
        self.show_detail()
        self.call_after_refresh(self._note_form)

    def _note_form(self) -> None:
        self._form_shown = True

    @property
    def opening_form(self) -> bool:
        """Whether a form has been asked for and does not have the focus yet."""
        if time.monotonic() >= self._form_until or (self._form_shown and not self.detail.waiting):
            self._form_until = 0.0
        return self._form_until > 0

    def on_show_why(self, message: messages.ShowWhy) -> None:
        """Explain a tool."""
        from explorer.screens.dialogs import show_why

        if self.workspace:
            show_why(self, self.workspace, message.skill, message.tool)

    async def on_show_cycles(self, message: messages.ShowCycles) -> None:
        """Show the cycles of a skill beside its graph."""
        self._show(Subject(Kind.SKILL, message.skill, message.skill))
        await self.detail.show_cycles()
        self.add_class("-detail")

    def on_remove_include(self, message: messages.RemoveInclude) -> None:
        """Offer to remove an include that closes a cycle."""
        from core.diagnostics.rules.include import CYCLE
        from explorer.screens.dialogs import offer_fix

        place = (message.line, message.column)
        here = self.findings.by_file.get(message.path, ())
        found = next((d for d in here if d.code == CYCLE.code and (d.place.line, d.place.column) == place), None)
        if self.workspace and found and found.fix:
            offer_fix(self, self.workspace, found)
        else:
            self.notify(with_keys(self, NOT_MECHANICAL), markup=False)

    def on_start_skill(self, _message: messages.StartSkill) -> None:
        """Offer to write a first skill."""
        from explorer.screens.dialogs import offer_first_skill

        if self.workspace:
            offer_first_skill(self, self.workspace.root)

    def on_explorer_notify(self, message: messages.Notify) -> None:
        """Say something in passing."""
        text = message.text + (with_keys(self, SAVES_IT) if message.copied else "")
        self.notify(display(text, 500), severity=message.severity, markup=False)

    def on_ask_carry_over(self, message: messages.AskCarryOver) -> None:
        """Ask before the real workspace changes."""
        from explorer.screens.dialogs import ask_carry_over

        ask_carry_over(self, message)

    def on_ask_approval(self, message: messages.AskApproval) -> None:
        """Ask, and hand the answer to the thread that waits for it."""
        from explorer.screens.dialogs import ask_approval

        ask_approval(self, message)

    def on_ask_approvals(self, message: messages.AskApprovals) -> None:
        """Ask for several approvals at once."""
        from explorer.screens.dialogs import ask_approvals

        ask_approvals(self, message)

    def _stop_following(self) -> None:
        if self._follow:
            self._follow.stop()
        self._follow = None

    def _show(self, subject: Subject) -> None:
        self._stop_following()
        self._tool = (subject.skill, subject.tool) if subject.skill and subject.tool else None
        self.detail.show(subject)
        self.refresh_bindings()
