"""A fault of the YAML, and the text around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from yaml import CSafeLoader, YAMLError, scan
from yaml.tokens import FlowMappingEndToken, FlowMappingStartToken, FlowSequenceEndToken, FlowSequenceStartToken

from core.diagnostics import Rule
from core.diagnostics.rules import yaml as rules
from core.text import display

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAMES = {0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x0B: "VT", 0x0C: "FF", 0x1B: "ESC", 0x7F: "DEL"}


@dataclass(slots=True)
class Fault:
    """Where reading ended and why; ``quote`` is the range that quotes would mend.

    ``{at}`` in the message stands for the line and column of ``opening``.
    """

    rule: Rule
    start: int
    end: int
    message: str
    hint: str | None = None
    quote: tuple[int, int] | None = None
    opening: int | None = None

    def said(self, line: int, column: int) -> str:
        """Return the message, where ``opening`` stands in this line and column."""
        return (
            self.message.replace("{at}", f"line {line}, column {column},") if self.opening is not None else self.message
        )


@dataclass(slots=True)
class Scene:
    """The text around a fault: ``at`` is where libyaml noticed it, ``since`` where what it was reading begins."""

    text: str
    at: int
    since: int
    problem: str
    context: str
    last: tuple[int, int]
    depth: int

    def line_start(self, at: int) -> int:
        """Where the line of ``at`` begins."""
        return max(self.text.rfind("\n", 0, at), self.text.rfind("\r", 0, at)) + 1

    def line_end(self, at: int) -> int:
        """Where the line of ``at`` ends, without its line end."""
        ends = [end for end in (self.text.find("\n", at), self.text.find("\r", at)) if end >= 0]
        return min(ends, default=len(self.text))

    def line(self, at: int) -> str:
        """The line of ``at``, without its line end."""
        return self.text[self.line_start(at) : self.line_end(at)]

    def rest(self, at: int) -> str:
        """What stands from ``at`` to the end of the line, shortened for a message."""
        return display(self.text[at : self.line_end(at)].strip(), 40)

    def value_end(self, at: int) -> int:
        """Where a value that begins at ``at`` ends on its line: before a comment and blanks."""
        value = re.split(r"[ \t]#", self.text[at : self.line_end(at)], maxsplit=1)[0]
        return at + len(value.rstrip())

    def open_bracket(self) -> int | None:
        """Where the innermost bracket stands that is still open at the fault; None without one."""
        opened: list[int] = []
        try:
            for token in scan(self.text[: self.at], Loader=CSafeLoader):
                if isinstance(token, (FlowSequenceStartToken, FlowMappingStartToken)):
                    opened.append(token.start_mark.index)
                elif isinstance(token, (FlowSequenceEndToken, FlowMappingEndToken)) and opened:
                    opened.pop()
        except YAMLError:
            pass
        return opened[-1] if opened else None


def forbidden_character(text: str) -> Fault:
    """Return the fault for the first character of ``text`` that YAML doesn't allow."""
    match = _FORBIDDEN.search(text)
    at = match.start() if match else 0
    code = ord(match[0]) if match else 0
    name = f"U+{code:04X}" + (f" ({_NAMES[code]})" if code in _NAMES else "")
    return Fault(
        rules.CONTROL_CHARACTER,
        at,
        at + 1,
        f"the character {name} is not allowed in YAML",
        hint="delete it, or write it as an escape in double quotes",
    )
