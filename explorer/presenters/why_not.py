"""Why a key does nothing now: one sentence that says what to do first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.services.outline import Kind

if TYPE_CHECKING:
    from explorer.services.subject import Subject

KeyOf = Callable[[str], str]
READING = "The workspace is still being read."
NO_PROBLEMS = "There are no problems."


@dataclass(frozen=True, slots=True)
class Standing:
    """What decides which keys work: what is selected, which tab is in sight, and what runs."""

    subject: Subject | None
    tab: str
    read: bool
    asking: bool


def why_not(command: str, now: Standing, key: KeyOf) -> str:
    """Return why ``command`` cannot run now; ``key`` gives the key of a command as it is bound."""
    if not now.read:
        return READING
    match command:
        case "try-tool":
            return no_tool(now.subject, key)
        case "show-why":
            return _no_why(now.subject, key)
        case "show-graph":
            return _no_graph(now, key)
        case "discover":
            return _no_servers(now, key)
        case "next-problem" | "previous-problem":
            return NO_PROBLEMS
    return "Choose something in the tree first."


def no_tool(subject: Subject | None, key: KeyOf) -> str:
    """Return why no tool of ``subject`` can be tried."""
    if subject is None:
        return "Choose a tool to try it."
    match subject.kind:
        case Kind.AGENT_SKILL:
            return (
                f"No skill lists this Agent Skill, so it is no tool yet: agent_skill_folders: [{subject.name}] in a "
                f"skill's file makes it one. {key('show-tab-4')} shows its text."
            )
        case Kind.ACTOR:
            return f"An actor has the tools of its skills: {key('show-tab-2')} lists them; choose one to try it."
        case Kind.SKILL | Kind.TOOL | Kind.SERVER if subject.skill:
            return f"Choose a tool of {subject.skill} to try it: {key('show-tab-2')} lists them."
    return "Only a tool can be tried: choose one of a skill."


def _no_why(subject: Subject | None, key: KeyOf) -> str:
    if subject is not None and (subject.skill or subject.kind is Kind.ACTOR):
        return f"Choose a tool first, in the tree or with {key('show-tab-2')}: why is about one tool."
    return "Choose a tool of a skill first: why is about one tool."


def _no_graph(now: Standing, key: KeyOf) -> str:
    if now.tab == "graph":
        return f"This is the graph; {key('graph.radius')} reaches further."
    return f"Choose a skill first; {key('show-tab-3')} shows the graph of the whole workspace."


def _no_servers(now: Standing, key: KeyOf) -> str:
    if now.asking:
        return f"Servers are being asked already; {key('back')} stops that."
    if now.subject is not None and now.subject.skill:
        return f"{now.subject.skill} has no MCP server to ask."
    return "Choose a skill with an MCP server first."
