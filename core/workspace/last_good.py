"""Skills whose file has just become unreadable, as they were before: to be looked at, never to be run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from core.language.declarations import Declarations, SkillFile
from core.protocol import SkillError
from core.resolve.catalogue import Catalogue
from core.resolve.errors import unreadable
from core.resolve.views import FlatSkill, SkillRow, SkillStatus

MOST_KEPT = 50
_KINDS = frozenset(("skill", "file"))


@dataclass
class LastGood:
    """A skill as it was resolved last; its file can't be read now."""

    file: SkillFile
    catalogue: Catalogue

    @cached_property
    def row(self) -> SkillRow | None:
        """The row that it had, but unresolved, as it is now."""
        row = self.catalogue.skill(self.file.name)
        return replace(row, status=SkillStatus.UNRESOLVED) if row else None

    @property
    def flat(self) -> FlatSkill:
        """The set that it had."""
        return self.catalogue.flatten(self.file.name)

    @property
    def errors(self) -> tuple[SkillError, ...]:
        """Why it does not resolve now."""
        return (unreadable(self.file.name, self.file.path),)


def last_good(
    declarations: Declarations, before: Declarations, catalogue: Catalogue, known: Mapping[str, LastGood]
) -> dict[str, LastGood]:
    """Return by name the skills of ``before``, and those ``known`` already, whose files ``declarations`` can't read.

    A skill that another file defines now, or whose file is deleted, is not among them; 50 are kept at most.
    """
    broken = {file.path for file in declarations.broken if file.kind in _KINDS}
    if not broken:
        return {}
    defined = {file.name for file in declarations.skills}
    found = {name: good for name, good in known.items() if good.file.path in broken and name not in defined}
    for file in before.skills:
        if file.path in broken and file.name not in defined and len(found) < MOST_KEPT:
            found.setdefault(file.name, LastGood(file, catalogue))
    return found
