"""A fault in what one skill names: told once as a diagnostic at its place, and again in the skill's own errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from core.diagnostics import Applies, Diagnostic, Edit, Fix, Place, Related, Rule
from core.language.declarations import IncludeDecl, SkillFile
from core.language.tree import Span
from core.protocol import SkillError, SkillErrorType
from core.text import display, surely_meant


def quoted(name: str) -> str:
    """Return an untrusted name as messages show it."""
    return f"`{display(name, 200)}`"


def did_you_mean(near: Sequence[str]) -> str | None:
    """Return the hint that offers ``near`` names; None where there are none."""
    if not near:
        return None
    *first, last = (quoted(name) for name in near)
    return f"did you mean {', '.join(first)} or {last}?" if first else f"did you mean {last}?"


def renaming(place: Place, word: str, near: Sequence[str]) -> Fix | None:
    """Return the fix that writes the name surely meant by ``word`` at ``place``; None while it could be several."""
    meant = surely_meant(word, near)
    return None if meant is None else Fix(f"write {display(meant, 200)}", (Edit(place, meant),))


def removal_of(file: SkillFile, include: IncludeDecl, applies: Applies) -> Fix | None:
    """Return the fix that takes ``include`` out of ``file``; None where it can't be cut out by itself."""
    edits = tuple(Edit(file.place(span), "") for span in include.removal)
    return Fix(f"remove the include of {display(include.name, 200)}", edits, applies) if edits else None


@dataclass(frozen=True, slots=True)
class Fault:
    """Something called ``name`` that a skill names and that is missing or broken.

    ``rule`` is None where the cause has its own diagnostic elsewhere: then only the skill's errors tell it.
    """

    span: Span
    message: str
    name: str
    rule: Rule | None = None
    near: tuple[str, ...] = ()
    hint: str | None = None
    tool: str | None = None
    details: dict[str, Any] = field(default_factory=dict)
    related: tuple[Related, ...] = ()

    def diagnostic(self, file: SkillFile) -> Diagnostic | None:
        """Return the finding at its place in ``file``."""
        if self.rule is None:
            return None
        place = file.place(self.span)
        hint = did_you_mean(self.near) or self.hint
        return self.rule.at(
            place,
            self.message,
            hint=hint,
            skill=file.name,
            tool=self.tool,
            fix=renaming(place, self.name, self.near),
            related=self.related,
        )

    def error(self, file: SkillFile) -> SkillError:
        """Return the reason it gives for not resolving ``file``'s skill."""
        place = file.place(self.span)
        details = {**self.details, "path": place.path, "line": place.line, "nearest": list(self.near)}
        return SkillError(
            error_type=SkillErrorType.RESOLUTION_FAILURE,
            message=self.message,
            details=details,
            skill_name=file.name,
            tool_name=self.tool,
        )
