"""What the areas of the screen tell each other; facts in the past tense, requests in the imperative."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message


@dataclass
class OpenSkill(Message):
    """Show this skill in the tree and in the detail."""

    name: str


@dataclass
class OpenTool(Message):
    """Show this tool of this skill, in the matrix."""

    skill: str
    tool: str


@dataclass
class OpenPlace(Message):
    """Show this line of this workspace file in Source; line and column count from 1."""

    path: str
    line: int = 1
    column: int = 1


@dataclass
class TryTool(Message):
    """Open the form that runs this tool."""

    skill: str
    tool: str


@dataclass
class ShowWhy(Message):
    """Explain why this tool is in this skill and why its flags are what they are."""

    skill: str
    tool: str


@dataclass
class Notify(Message):
    """Tell the user something in passing; ``text`` is plain text, never markup."""

    text: str
    severity: str = "information"
