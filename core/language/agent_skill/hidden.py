"""What a reader does not see: control characters, invisible characters, and HTML that rendering leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.diagnostics import Severity
from core.diagnostics.rules import agent_skill_body as rules
from core.language.agent_skill.markdown import Body
from core.language.agent_skill.page import Page
from core.language.hidden import described
from core.language.tree import Map, Seq, Span, pack, unpack
from core.text import display

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U000e0000-\U000e0fff]+|[\ufe00-\ufe0f]{2,}"
)
_EMOJI = "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_JOINING = "\u0600-\u08ff\u0900-\u0dff\u0e80-\u109f\u1780-\u18af\U00010a00-\U00010bff\U00011000-\U00011fff"
_FINE = re.compile(
    f"(?<=[{_EMOJI}\ufe0f\u20e3])\u200d(?=[{_EMOJI}])"
    f"|(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])"
    "|(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
    "|(?<=[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"
)
_TAGS = re.compile("[\U000e0020-\U000e007e]")
_ELEMENT = re.compile(r"<[A-Za-z][^<>\n]{0,1000}>")
_HIDES = re.compile(
    r"\shidden(?=[\s=>/])|display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|font-size\s{0,9}:\s{0,9}0(?![.\d])"
    r"|opacity\s{0,9}:\s{0,9}0(?![.\d])",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w{2,}")
_WORDS_OF_A_PASSAGE = 4


def check_characters(page: Page, start: int, end: int) -> bool:
    """Report control and invisible characters, once a line; say whether a control stands from ``start`` to ``end``.

    That is where the YAML is, which forbids it.
    """
    forbidden = False
    if page.flat.isascii() and page.flat.replace("\n", "").replace("\t", "").isprintable():
        return False
    for match in _each_line(page.flat, _CONTROL):
        inside = start <= match.start() < end
        forbidden = forbidden or inside
        where = " in the frontmatter, where YAML forbids it" if inside else ""
        page.add(
            rules.TEXT_CONTROL_CHARS,
            pack(match.start(), match.end()),
            f"the line has the control character U+{ord(match[0]):04X}{where}",
            hint="delete it",
            severity=Severity.ERROR if inside else None,
        )
    if not page.flat.isascii():
        for match in _each_line(page.flat, _INVISIBLE):
            page.add(
                rules.TEXT_INVISIBLE,
                pack(match.start(), match.end()),
                f"the line has {_described(match[0])}, which nobody sees",
                hint="delete it",
            )
    return forbidden


def _each_line(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the first match of each line that is not fine where it stands."""
    at = 0
    while match := pattern.search(text, at):
        if _fine(text, match):
            at = match.end()
            continue
        yield match
        at = text.find("\n", match.end())
        if at < 0:
            return


def _fine(text: str, match: re.Match[str]) -> bool:
    allowed = _FINE.match(text, match.start())
    return allowed is not None and allowed.end() == match.end()


def _described(found: str) -> str:
    tags = _TAGS.search(found)
    return described(found, tags.start() if tags else 0).replace("the character", "the invisible character")


def check_escapes(page: Page, front: Map) -> None:
    """Report values of double-quoted text that hold control or invisible characters only by an escape."""
    pending: list[Any] = [front]
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        for key, value in node.items() if isinstance(node, Map) else enumerate(node):
            if isinstance(value, Map | Seq):
                pending.append(value)
            elif isinstance(value, str):
                _check_value(page, value, node.spans[key])


def _check_value(page: Page, value: str, span: Span) -> None:
    start, end = unpack(span)
    written = page.flat[start:end]
    if "\\" not in written:
        return
    for pattern, rule in ((_CONTROL, rules.TEXT_CONTROL_CHARS), (_INVISIBLE, rules.TEXT_INVISIBLE)):
        match = next(_each_line(value, pattern), None)
        if match and not pattern.search(written):
            page.add(rule, span, f"an escape in the value gives {_escaped(match[0])}", hint="delete the escape")


def _escaped(found: str) -> str:
    return f"the control character U+{ord(found):04X}" if _CONTROL.match(found) else _described(found)


def check_html(page: Page, body: Body) -> None:
    """Report comments and hidden elements of the body that hold more than a few words."""
    for start, end in body.comments:
        text = page.flat[start + 4 : end].removesuffix("-->")
        if len(_WORD.findall(text, 0, 2000)) >= _WORDS_OF_A_PASSAGE:
            message = f"a comment is left out when the file is rendered: `{display(' '.join(text.split()), 80)}`"
            page.add(rules.TEXT_HIDDEN, pack(start, end), message, hint="read it before trusting the skill")
    for start, end in body.prose:
        if page.flat.find("<", start, end) < 0:
            continue
        for tag in _ELEMENT.finditer(page.flat, start, end):
            if _HIDES.search(tag[0]):
                message = f"an element is left out when the file is rendered: `{display(tag[0], 80)}`"
                page.add(rules.TEXT_HIDDEN, pack(*tag.span()), message, hint="read it before trusting the skill")
