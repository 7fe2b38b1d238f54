"""Inline comments: ``# skill-explorer: ignore[code, …]`` on a line, or alone on the line before."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.diagnostics import Diagnostic
from core.diagnostics.catalogue import unknown_code
from core.diagnostics.rules.settings import BAD_IGNORE
from core.language.tree import SourceText, pack

_MARK = "skill-explorer:"
_COMMENT = re.compile(r"#\s*skill-explorer:\s*ignore\[([^\]\r\n]*)\]")
_OTHERWISE = re.compile(
    r"(?<![^ \t\r\n])#[ \t]*skill-explorer:[ \t]*+(?!ignore\[[^\]\r\n]*\])(?:ig|disable|noqa)[^\r\n]*", re.IGNORECASE
)
_CODE = re.compile(r"[^,\s](?:[^,]*[^,\s])?")


def ignored_lines(text: str) -> dict[int, tuple[str, ...]]:
    """Return the codes and families that comments silence, by the number of the line that they speak of."""
    if _MARK not in text:
        return {}
    ignored: dict[int, tuple[str, ...]] = {}
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if match := _COMMENT.search(line):
            codes = tuple(code.strip() for code in match[1].split(",") if code.strip())
            target = number + 1 if line.lstrip().startswith("#") else number
            ignored[target] = (*ignored.get(target, ()), *codes)
    return ignored


def bad_comments(source: SourceText, text: str) -> Iterator[Diagnostic]:
    """Yield a finding for each comment, or code in one, that silences nothing because nothing is called so."""
    if _MARK not in text:
        return
    for comment in _COMMENT.finditer(text):
        codes = list(_CODE.finditer(text, comment.start(1), comment.end(1)))
        if not codes:
            place = source.place(pack(comment.start(), comment.end()))
            yield BAD_IGNORE.at(place, "this comment names no code", hint="write the code between the brackets")
        for code in codes:
            hint = unknown_code(code[0])
            if hint is not None:
                place = source.place(pack(code.start(), code.end()))
                yield BAD_IGNORE.at(place, f"`{code[0][:80]}` is no diagnostic", hint=hint)
    for comment in _OTHERWISE.finditer(text):
        place = source.place(pack(comment.start(), comment.end()))
        yield BAD_IGNORE.at(place, "this comment says nothing that is known", hint=f"write `# {_MARK} ignore[code]`")
