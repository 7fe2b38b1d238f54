"""What stands in a YAML file by mistake and is no YAML at all: conflicts, fences, templates, look-alike characters."""

from __future__ import annotations

import re

from core.diagnostics.rules import yaml as rules
from core.language.yaml_scene import Fault, Scene
from core.letters import code_and_name

_CONFLICT = re.compile(r"^<{7}(?=[ \t\r\n]|\Z)", re.MULTILINE)
_BULLET = re.compile(r"[ ]*\*(?=[ \t])")
_FENCE = re.compile(r"[ ]*(?:`{3,}|~{3,})")
_FOREIGN_COMMENT = re.compile(r"[ \t]*(//|/\*)")
_ODD_BLANKS = "\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff"
_ODD_INDENT = re.compile(rf"[ \t]*([{_ODD_BLANKS}])")
_ODD_COLON = re.compile("[ ]*(?:- +)*[\\w-]+[ ]*([\uff1a\ufe55\u2236\ua789\u02d0])")


def slip(scene: Scene) -> Fault | None:
    """Return the fault that such a slip is, if one explains that reading ended where it did."""
    for look in (_bullet, _conflict, _fence, _foreign_comment, _template, _variable, _odd_blank, _odd_colon):
        found = look(scene)
        if found is not None:
            return found
    return None


def _fault(start: int, end: int, message: str, hint: str) -> Fault:
    return Fault(rules.SYNTAX, start, end, message, hint)


def _starts(scene: Scene) -> list[int]:
    """Return where the lines begin that reading stopped at: that of the fault, and that of what it was reading."""
    return list(dict.fromkeys(map(scene.line_start, (scene.since, scene.last[0], scene.at))))


def _bullet(scene: Scene) -> Fault | None:
    """A list as Markdown has it; only the asterisk is more to YAML than text."""
    found = _BULLET.match(scene.text, scene.line_start(scene.since))
    at = None if found is None else found.end() - 1
    return None if at is None or at != scene.since else _fault(at, at + 1, "* begins no list item here", "write `- `")


def _conflict(scene: Scene) -> Fault | None:
    found = _CONFLICT.search(scene.text)
    if found is None or found.start() > scene.at:
        return None
    hint = "keep one side, and delete the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`"
    return _fault(found.start(), scene.line_end(found.start()), "a merge conflict was left in the file", hint)


def _fence(scene: Scene) -> Fault | None:
    start = scene.line_start(scene.at)
    found = _FENCE.match(scene.text, start)
    return found and _fault(start, found.end(), "this is a Markdown fence, which is no YAML", "delete the line")


def _foreign_comment(scene: Scene) -> Fault | None:
    above = scene.line_start(max(scene.line_start(scene.at) - 1, 0))
    for start in (*_starts(scene), above):
        if found := _FOREIGN_COMMENT.match(scene.text, start):
            message, hint = f"{found[1]} begins no comment here", "begin it with #, or delete it"
            return _fault(found.start(1), scene.line_end(start), message, hint)
    return None


def _template(scene: Scene) -> Fault | None:
    if scene.text[scene.at - 1 : scene.at + 1] != "{%" or scene.at == 0:
        return None
    return unfilled(scene.at - 1, scene.at + 1, "{%")


def unfilled(start: int, end: int, mark: str) -> Fault:
    """Return the fault for a template that nobody filled in."""
    message = f"`{mark}` begins a template that was not filled in"
    return _fault(start, end, message, "fill it in, or put the value in quotes")


def _variable(scene: Scene) -> Fault | None:
    """A variable without quotes in a list or mapping in brackets, which end it."""
    if scene.text[scene.at - 1 : scene.at + 1] != "${" or scene.at == 0:
        return None
    message = "a value with `${` needs quotes between brackets"
    return _fault(scene.at - 1, scene.at + 1, message, "put the value in quotes")


def _odd_blank(scene: Scene) -> Fault | None:
    for start in _starts(scene):
        if found := _ODD_INDENT.match(scene.text, start):
            message = f"the character {code_and_name(found[1])} is used for indentation, where YAML allows only blanks"
            return _fault(found.start(1), found.end(1), message, "use blanks")
    return None


def _odd_colon(scene: Scene) -> Fault | None:
    for start in _starts(scene):
        if found := _ODD_COLON.match(scene.text, start):
            message = f"the character {code_and_name(found[1])} looks like a colon, but is none"
            return _fault(found.start(1), found.end(1), message, "write a plain colon and a blank")
    return None
