"""The command that makes a refused call with the approval or the yes that it lacked."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.protocol import SkillError

_PROGRAM = "skill-explorer"
_BYTES = range(0xDC80, 0xDD00)


@dataclass(frozen=True, slots=True)
class Again:
    """A command as it was given: ``words`` name what is asked for, ``options`` are the rest, bare of the two flags."""

    words: tuple[str, ...]
    options: tuple[str, ...] = ()
    yes: bool = False
    trust: bool = False

    def told(self, error: SkillError) -> SkillError:
        """Return ``error`` with the whole command in place of a general hint, where an approval or a yes is needed."""
        needs, hint = error.details.get("needs"), error.details.get("hint")
        if needs not in ("approval", "confirmation") or not isinstance(hint, str):
            return error
        command = self.command(str(needs))
        return error.model_copy(
            update={"message": error.message.replace(hint, command), "details": {**error.details, "hint": command}}
        )

    def command(self, needs: str) -> str:
        """Return the command line for a shell, with the flag that ``needs`` asks for."""
        flags = [
            *(["--trust"] if self.trust or needs == "approval" else []),
            *(["--yes"] if self.yes or needs == "confirmation" else []),
        ]
        return " ".join(map(quoted, (_PROGRAM, *self.words, *flags, *self.options)))


def given(name: str, *values: object) -> tuple[str, ...]:
    """Return the option ``name`` once for each of ``values`` that was given."""
    return tuple(word for value in values if value is not None for word in (name, str(value)))


def quoted(word: str) -> str:
    """Return ``word`` for a shell, in printable characters alone."""
    return shlex.quote(word) if word.isprintable() else f"$'{''.join(map(_escaped, word))}'"


def _escaped(char: str) -> str:
    code = ord(char)
    if char in "\\'":
        return f"\\{char}"
    if char.isprintable():
        return char
    return f"\\x{code - 0xDC00:02x}" if code in _BYTES else f"\\U{code:08x}"
