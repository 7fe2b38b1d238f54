"""From a folder with a SKILL.md to its declaration and its findings."""

from __future__ import annotations

import os
from pathlib import Path

from core.diagnostics import Diagnostic, Place, Severity
from core.diagnostics.rules import agent_skill_body as rules
from core.diagnostics.rules import file as file_rules
from core.language.agent_skill.body import check_size
from core.language.agent_skill.folder import SkillFolder
from core.language.agent_skill.front import Front, read_front, salvaged
from core.language.agent_skill.frontmatter import split
from core.language.agent_skill.hidden import check_characters, check_html
from core.language.agent_skill.links import check_links
from core.language.agent_skill.markdown import read_body
from core.language.agent_skill.metadata import allowed_tools
from core.language.agent_skill.page import Page
from core.language.agent_skill.steps import steps_of
from core.language.containment import Uncontained, real_parts
from core.language.declarations import AgentSkillDecl
from core.language.edited import EditedTexts
from core.language.ignore_comments import bad_comments
from core.language.reading import MEND, SKILL_MD_LIMIT, FileText, Unreadable
from core.language.tree import SourceText, pack

SKILL_MD = "SKILL.md"
LARGE_FILE = 512 << 10

_OWN_WORDS = frozenset((file_rules.TOO_LARGE.code, file_rules.ENCODING.code, file_rules.NOT_REGULAR.code))
"""What keeps its code when SKILL.md can't be read; everything else is ``file/unreadable`` for it."""


def read_agent_skill(
    root: Path, folder: str, edited: EditedTexts | None = None
) -> tuple[AgentSkillDecl | None, list[Diagnostic]]:
    """Read the Agent Skill in ``folder``, relative to the workspace ``root`` (``.`` for the root itself).

    The declaration is there whenever the folder holds a SKILL.md, however broken; None otherwise, with the finding
    that says why. Nothing is raised, and nothing outside of ``root`` is read. ``edited`` has files that read otherwise
    than stored.
    """
    parts = [part for part in folder.split("/") if part not in ("", ".")]
    path = "/".join(parts)
    name = parts[-1] if parts else os.path.basename(os.path.abspath(root))
    try:
        skill_folder = SkillFolder(root.joinpath(*real_parts(root, parts)), name)
    except (Uncontained, OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return None, [file_rules.UNREADABLE.at(Place(path or "."), f"the folder can't be read: {reason}", hint=MEND)]
    found, file = _find(skill_folder.names, path)
    if file is None:
        return None, found
    if not found or found[0].severity is not Severity.ERROR:
        decl, more = _read_file(edited or EditedTexts(root), skill_folder, path, file)
        found += more
    else:
        decl = AgentSkillDecl(name, path or ".", SourceText(_join(path, file), ""), usable=False)
    decl.valid = not any(item.severity is Severity.ERROR for item in found)
    return decl, found


def _join(path: str, file: str) -> str:
    return f"{path}/{file}" if path else file


def _find(names: frozenset[str], path: str) -> tuple[list[Diagnostic], str | None]:
    """Choose the file to read among the names of a folder and report how it is spelt."""
    spelt = sorted(name for name in names if name.lower() == "skill.md")
    found: list[Diagnostic] = []
    lower = SKILL_MD.lower()
    if lower in spelt:
        message = f"the file is called {lower}; some clients only find {SKILL_MD}"
        if SKILL_MD in spelt:
            message = f"{lower} stands beside {SKILL_MD}, which is read; systems that ignore case keep only one of them"
        hint = f"delete {lower}" if SKILL_MD in spelt else f"rename it to {SKILL_MD}"
        found.append(file_rules.NAME_CASE.at(Place(_join(path, lower)), message, hint=hint))
    if SKILL_MD in spelt or lower in spelt:
        return found, SKILL_MD if SKILL_MD in spelt else lower
    if not spelt:
        place = Place(_join(path, SKILL_MD))
        return [file_rules.MISSING.at(place, f"the folder has no {SKILL_MD}", hint=f"add a {SKILL_MD}")], None
    message = f"the folder has no {SKILL_MD}; {spelt[0]} is not found by clients"
    place = Place(_join(path, spelt[0]))
    return [file_rules.MISSING.at(place, message, hint=f"rename {spelt[0]} to {SKILL_MD}")], spelt[0]


def _read_file(
    texts: EditedTexts, folder: SkillFolder, path: str, file: str
) -> tuple[AgentSkillDecl, list[Diagnostic]]:
    rel = _join(path, file)
    try:
        content = texts.read(rel, SKILL_MD_LIMIT)
    except Unreadable as error:
        decl = AgentSkillDecl(folder.name, path or ".", SourceText(rel, ""), usable=False)
        finding = error.diagnostic
        if finding.code not in _OWN_WORDS:
            finding = file_rules.UNREADABLE.at(finding.place, error.message, hint=error.hint)
        return decl, [finding]
    page = Page(content.text, rel)
    _report_file(page, content)
    decl = _read_page(page, folder, path)
    if folder.truncated:
        message = "the skill has more resources than are listed"
        page.add(rules.DISCOVERY_TRUNCATED, pack(0, 0), message, hint="keep fewer files in fewer folders")
    return decl, [*page.findings(), *bad_comments(page.source, page.text)]


def _report_file(page: Page, content: FileText) -> None:
    if content.bom:
        message = "the file begins with a byte order mark, and some clients then see no frontmatter"
        page.add(file_rules.BOM, pack(0, 0), message, hint="save it as UTF-8 without a byte order mark")
    if content.size > LARGE_FILE:
        message = f"the file has {content.size / 1024:,.0f} KiB; all of it is loaded whenever the skill is used"
        page.add(file_rules.TOO_LARGE, pack(0, 0), message, hint="move details away", severity=Severity.WARNING)


def _read_page(page: Page, folder: SkillFolder, path: str) -> AgentSkillDecl:
    split_at = split(page)
    front, body_start = Front(), 0
    forbidden = check_characters(page, *((split_at.start, split_at.end) if split_at and split_at.closed else (0, 0)))
    if split_at is not None:
        body_start = split_at.body
        readable = split_at.closed and not forbidden
        front = read_front(page, split_at, folder.name) if readable else salvaged(page, split_at)
        if split_at.closed:
            check_size(page, split_at)
    body = read_body(page.flat, body_start)
    check_links(page, body, folder)
    check_html(page, body)
    return AgentSkillDecl(
        name=front.name or folder.name,
        path=path or ".",
        source=page.source,
        description=front.description,
        usable=split_at is not None and split_at.closed and bool(front.name),
        frontmatter=front.data,
        body=_plain(page.text[body_start:]),
        resources=folder.resources,
        steps=steps_of(front.data, page.flat, body),
        allowed_tools=allowed_tools(front.data.get("allowed-tools")),
        name_span=front.name_span,
    )


def _plain(text: str) -> str:
    """Return the body with line feeds as line ends and no blank lines around it."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.strip("\n")
