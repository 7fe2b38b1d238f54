"""Name and description of a frontmatter that is not YAML, read line by line, so that the skill can still be shown."""

from __future__ import annotations

import re

_ENTRY = re.compile(r"""^["']?(name|description)["']?[ \t]*:(?:[ \t]+(.*))?$""")
_BLOCK = re.compile(r"[|>][-+0-9]*[ \t]*$")
_LONGEST = 4_000
_MOST_LINES = 10_000


def salvage(front: str) -> dict[str, str]:
    """Return ``name`` and ``description`` as far as their lines tell; lines of ``front`` end with LF."""
    found: dict[str, str] = {}
    lines = front.split("\n", _MOST_LINES)[:_MOST_LINES]
    for at, line in enumerate(lines):
        entry = _ENTRY.match(line.rstrip())
        if entry and entry[1] not in found:
            value = (entry[2] or "").strip()
            parts = [] if not value or _BLOCK.match(value) else [value]
            parts += _continuation(lines, at + 1)
            found[entry[1]] = _unquoted(" ".join(parts)[:_LONGEST])
    return {key: value for key, value in found.items() if value}


def _continuation(lines: list[str], at: int) -> list[str]:
    """Return the indented lines that follow; a blank line between them does not end the value."""
    parts: list[str] = []
    for line in lines[at:]:
        if line.strip() and line[0] not in " \t":
            break
        parts.append(line.strip())
    return [part for part in parts if part]


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text.lstrip("\"'") if text[:1] in ('"', "'") and text.count(text[0]) == 1 else text
