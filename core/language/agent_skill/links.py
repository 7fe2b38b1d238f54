"""The links of a body: broken, leaving the folder, or too deep."""

from __future__ import annotations

import re

from core.diagnostics.rules import agent_skill_body as rules
from core.language.agent_skill.folder import SkillFolder, Target
from core.language.agent_skill.inline import link_targets
from core.language.agent_skill.markdown import Body
from core.language.agent_skill.page import Page
from core.language.tree import Span, pack
from core.text import display

DEEPEST_LINK = 2
"""How many names a path may have: one folder and the file in it."""

_OWN_FOLDER = re.compile(
    r"(?:\$?\{{1,2}[ ]?(?:baseDir|base_dir|skillDir|skill_dir|SKILL_DIR|CLAUDE_SKILL_DIR)[ ]?\}{1,2}"
    r"|\$(?:SKILL_DIR|CLAUDE_SKILL_DIR))(?:/|\Z)",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_TEMPLATE = re.compile(r"[{}<>*$|]|\.\.\.|\u2026")
_HOME = re.compile(r"~[\w-]*(?:/|\Z)")
_DRIVE = re.compile(r"[A-Za-z]:")


def check_links(page: Page, body: Body, folder: SkillFolder) -> None:
    """Check each relative link of ``body`` against ``folder``; what leads out of it is never looked at."""
    for written, start, end in link_targets(page.flat, body):
        path = _path_of(written)
        if path is None:
            continue
        parts = _parts_of(path, folder.name)
        found = Target.OUTSIDE if parts is None else folder.look_up(parts)
        if parts is None or found is Target.OUTSIDE:
            _report_outside(page, pack(start, end), written)
        elif found is Target.MISSING:
            _report_broken(page, pack(start, end), written, parts, folder)
        elif len(parts) > DEEPEST_LINK:
            message = f"the link `{display(written, 80)}` goes more than one folder deep"
            page.add(rules.LINK_DEPTH, pack(start, end), message, hint="move the file up")


def _report_outside(page: Page, span: Span, written: str) -> None:
    message = f"the link `{display(written, 80)}` leaves the skill's folder"
    page.add(rules.LINK_ESCAPES, span, message, hint="copy the target into the skill's folder")


def _path_of(written: str) -> str | None:
    """Return the path that a link target stands for; None for a URL, an anchor or a template."""
    if written.startswith(("http://", "https://", "#")):
        return None
    target = written.strip()
    if own := _OWN_FOLDER.match(target):
        target = target[own.end() :]
    if _SCHEME.match(target):
        return "/" if target[:5].lower() == "file:" else None
    if target.startswith("//") or _TEMPLATE.search(target):
        return None
    path = re.split("[#?]", target, maxsplit=1)[0]
    if "%" in path:
        from urllib.parse import unquote

        path = unquote(path)
    return path or None


def _parts_of(path: str, folder: str) -> tuple[str, ...] | None:
    """Return the path's names below the skill's folder, called ``folder``; None if it leaves the folder."""
    slashed = path.replace("\\", "/")
    if slashed.startswith("/") or _HOME.match(slashed) or _DRIVE.match(slashed):
        return None
    parts: list[str] = [folder]
    outside = 0
    for part in slashed.split("/"):
        if part == "..":
            if parts:
                parts.pop()
            else:
                outside += 1
        elif part not in ("", "."):
            parts.append(part)
    if outside or parts[:1] != [folder]:
        return None
    return tuple(path.split("/")) if "\\" in path and ".." not in slashed else tuple(parts[1:])


def _report_broken(page: Page, span: Span, written: str, parts: tuple[str, ...], folder: SkillFolder) -> None:
    if page.is_full(rules.LINK_BROKEN):
        return
    near = folder.near(tuple("/".join(parts).replace("\\", "/").split("/")))
    shown = display(written, 80)
    if near:
        message = f"the link `{shown}` leads to nothing; did you mean `{display(near, 80)}`?"
        hint = f"write `{display(near, 80)}`"
    else:
        message, hint = f"the link `{shown}` leads to nothing in the skill's folder", "correct the path or add the file"
    page.add(rules.LINK_BROKEN, span, message, hint=hint)
