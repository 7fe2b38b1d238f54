"""Everything that one pass over all skills finds out, computed once for a workspace."""

from __future__ import annotations

from dataclasses import dataclass

from core.resolve.atoms import Atoms
from core.resolve.divergence import Meetings
from core.resolve.membership import Membership, MembershipPass
from core.resolve.structure import Structure
from core.resolve.summary import Summaries


@dataclass(frozen=True, slots=True)
class Analysis:
    """The sets of all skills as bits: members, touched tools, meetings of ways, counts."""

    structure: Structure
    membership: Membership
    atoms: Atoms
    meetings: Meetings
    summaries: Summaries

    @classmethod
    def of(cls, structure: Structure) -> Analysis:
        """Analyse all skills of ``structure``."""
        membership = MembershipPass(structure).run()
        atoms = Atoms(structure, membership)
        meetings = Meetings(atoms, membership)
        atoms.run(meetings)
        return cls(structure, membership, atoms, meetings, Summaries(structure, membership, atoms))
