"""Everything that one pass over all skills finds out, computed once for a workspace."""

from __future__ import annotations

from dataclasses import dataclass

from core.resolve.atoms import Atoms
from core.resolve.carried import NEW, Carried
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
    def of(cls, structure: Structure, before: Analysis | None = None) -> Analysis:
        """Analyse all skills of ``structure``; sets that are as they were in ``before`` are taken from there."""
        carried = structure.carried if before and before.structure is _earlier(structure) else None
        membership = MembershipPass(structure, before.membership if before and carried else None).run()
        if before and carried and _same_overrides(before, carried, structure, membership):
            atoms, meetings = before.atoms, before.meetings
        else:
            atoms = Atoms(structure, membership)
            meetings = Meetings(atoms, membership)
            atoms.run(meetings)
        return cls(structure, membership, atoms, meetings, Summaries(structure, membership, atoms))


def _earlier(structure: Structure) -> Structure | None:
    return structure.carried.before if structure.carried else None


def _same_overrides(before: Analysis, carried: Carried, structure: Structure, membership: Membership) -> bool:
    """Whether there are overrides, and every one lies over the same tools as before, and these say what they said."""
    touched = before.atoms.layout.start
    if not touched or not carried.same_graph or not structure.table.changed.isdisjoint(touched):
        return False
    return all(_as_before(before, carried, structure, membership, skill) for skill in membership.renewed)


def _as_before(before: Analysis, carried: Carried, structure: Structure, membership: Membership, skill: int) -> bool:
    old = carried.old[skill]
    if old == NEW:
        return False
    listing, earlier = structure.listings[skill], before.structure.listings[old]
    touched, was, now = before.atoms.layout.start, before.membership, membership
    return (
        listing.layers == earlier.layers
        and was.include_sites.get(old) == now.include_sites.get(skill)
        and was.own_sites.get(old) == now.own_sites.get(skill)
        and [tool for tool in listing.tools if tool in touched] == [tool for tool in earlier.tools if tool in touched]
    )
