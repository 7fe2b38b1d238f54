"""Which Overview a subject has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.presenters.actor_page import actor_page
from explorer.presenters.keys import NO_KEYMAP, Keymap
from explorer.presenters.page import Page
from explorer.presenters.skill_page import skill_page
from explorer.presenters.source_page import agent_skill_page, file_page, server_page, workspace_page
from explorer.presenters.tool_page import tool_page
from explorer.services.flat import actor_of, actors_with, file_of
from explorer.services.outline import Kind
from explorer.services.subject import UNKNOWN, Stands, Subject, record_of

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.language.declarations import ServerDecl
    from core.workspace import Workspace


def subject_page(
    workspace: Workspace,
    subject: Subject,
    findings: list[Diagnostic],
    width: int,
    stands: Stands = UNKNOWN,
    keys: Keymap = NO_KEYMAP,
) -> Page:
    """Return the Overview of ``subject``; what is gone since says so."""
    return _page(workspace, subject, findings, width, stands, keys) or _gone(subject, width)


def _page(
    workspace: Workspace,
    subject: Subject,
    findings: list[Diagnostic],
    width: int,
    stands: Stands,
    keys: Keymap,
) -> Page | None:
    match subject.kind:
        case Kind.SKILL:
            return skill_page(workspace, subject.name, findings, width, stands.entry)
        case Kind.TOOL:
            record = record_of(workspace, subject)
            actors = actors_with(workspace, subject.skill or "", subject.name) if record else ()
            return tool_page(subject.skill or "", record, actors, width, stands.trust, keys) if record else None
        case Kind.ACTOR:
            actor = actor_of(workspace, subject.name)
            return actor_page(actor, findings, width) if actor else None
        case Kind.AGENT_SKILL:
            found = next((s for s in workspace.declarations.agent_skills if s.path == subject.name), None)
            return agent_skill_page(found, findings, width) if found else None
        case Kind.SERVER:
            server = _server(workspace, subject)
            return server_page(*server, findings, width, stands.trust, keys) if server else None
        case Kind.WORKSPACE:
            return workspace_page(subject.name, width)
    return file_page(subject.name, findings, width)


def _gone(subject: Subject, width: int) -> Page:
    page = Page(width)
    page.paragraph(f"{subject.title} is no longer there.", "$warning")
    return page


def _server(workspace: Workspace, subject: Subject) -> tuple[ServerDecl, str, int] | None:
    file = file_of(workspace, subject.skill or "")
    for server in file.servers if file else ():
        if file and server.label == subject.name:
            return server, file.path, file.place(server.span).line
    for server_file in workspace.declarations.server_files:
        for server in server_file.servers:
            if server.label == subject.name:
                return server, server_file.source.path, server_file.source.place(server.span).line
    return None
