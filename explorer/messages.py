"""What the areas of the screen tell each other; facts in the past tense, requests in the imperative."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from textual.message import Message

if TYPE_CHECKING:
    from core.runtime.call import ExecutionIdentity


@dataclass
class Request(Message):
    """Something that leads elsewhere on the main screen; a dialog closes on it and hands it on."""


@dataclass
class OpenSkill(Request):
    """Show this skill in the tree and in the detail."""

    name: str


@dataclass
class OpenTool(Request):
    """Show this tool of this skill, in the matrix."""

    skill: str
    tool: str


@dataclass
class OpenPlace(Request):
    """Show this line of this workspace file in Source; line and column count from 1."""

    path: str
    line: int = 1
    column: int = 1


@dataclass
class ShowCycles(Request):
    """Show the cycles that this skill is in, include by include."""

    skill: str


@dataclass
class RemoveInclude(Request):
    """Show what removing the include at this place changes, and remove it on a yes."""

    path: str
    line: int
    column: int


@dataclass
class StartSkill(Request):
    """Show a first skill, and write it on a yes."""


@dataclass
class TryTool(Request):
    """Open the form that runs this tool; ``arguments``, JSON text, are put into it where given."""

    skill: str
    tool: str
    arguments: str | None = None


@dataclass
class ShowWhy(Request):
    """Explain why this tool is in this skill and why its flags are what they are."""

    skill: str
    tool: str


@dataclass
class Notify(Message, namespace="explorer"):
    """Tell the user something in passing; ``text`` is plain text, never markup. What was ``copied`` can be saved."""

    text: str
    severity: Literal["information", "warning", "error"] = "information"
    copied: bool = False


class Consent(StrEnum):
    """What the user answers when something wants to run."""

    CANCEL = "cancel"
    ONCE = "once"
    APPROVE = "approve"


@dataclass
class AskApproval(Message):
    """Show the approval dialog for exactly this, and put the answer into ``answer``.

    For a worker thread: post it, then wait for ``answer.result(timeout)``; a dialog that goes away answers CANCEL.
    ``confirm_only`` asks for the yes that an ``unsafe`` or ``human_approval_required`` tool needs each time:
    there is nothing to remember, so the dialog offers no APPROVE. ``call`` says what such a yes is for where one
    answer counts as both; it is never remembered.
    """

    identity: ExecutionIdentity
    answer: Future[Consent]
    confirm_only: bool = False
    call: ExecutionIdentity | None = None


@dataclass
class AskApprovals(Message):
    """Show one dialog for all of these; ``answer`` gets the digests of those that may run, none on CANCEL.

    For a worker thread, as ``AskApproval``.
    """

    identities: tuple[ExecutionIdentity, ...]
    answer: Future[frozenset[str]]


@dataclass
class Choose(Request):
    """Leave out what has this digest of what is asked for, or take it in again."""

    digest: str


@dataclass
class AskCarryOver(Message):
    """Ask whether these changes of a copy are to be carried over to the real workspace; only a yes calls ``then``."""

    changes: tuple[tuple[str, str], ...]
    then: Callable[[], object]

    @property
    def question(self) -> str:
        """What is asked."""
        count = len(self.changes)
        return f"Carry {count:,} {'change' if count == 1 else 'changes'} over to the real workspace?"


@dataclass
class OpenActor(Request):
    """Show this actor and its merged tools."""

    name: str


@dataclass
class ToolHighlighted(Message):
    """The cursor of a pane stands on this tool, or on none; the keys that try, explain or copy a tool mean it now."""

    skill: str
    tool: str | None
