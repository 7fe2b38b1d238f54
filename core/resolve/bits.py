"""Sets of small numbers as the bits of one integer: union, intersection and count in a few machine steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.resolve.tools import AGENT_SKILL, BUILTIN, CUSTOM, Tool

_FEW = 16
_SPARSE = 64


def bits_of(numbers: Iterable[int]) -> int:
    """Return an integer with the given bits set."""
    chosen = list(numbers)
    if len(chosen) < _FEW:
        bits = 0
        for number in chosen:
            bits |= 1 << number
        return bits
    row = bytearray(max(chosen) // 8 + 1)
    for number in chosen:
        row[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(row, "little")


def numbers_of(bits: int) -> list[int]:
    """Return the numbers of the bits that are set, ascending."""
    if bits.bit_count() <= _SPARSE:
        return _numbers_of_few(bits)
    found: list[int] = []
    for at, byte in enumerate(bits.to_bytes((bits.bit_length() + 7) // 8, "little")):
        if byte:
            found.extend(at * 8 + low for low in _numbers_of_few(byte))
    return found


def _numbers_of_few(bits: int) -> list[int]:
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers over a set of tools."""

    total: int = 0
    readers: int = 0
    writers: int = 0
    checkpointable: int = 0
    with_effects: int = 0
    builtins: int = 0
    customs: int = 0
    agent_skills: int = 0


_KINDS = 7
_SOURCES = {BUILTIN: 4, CUSTOM: 5, AGENT_SKILL: 6}


@dataclass(frozen=True, slots=True)
class Masks:
    """The tools by what their definitions say of themselves, in the order of ``Counts`` after its total."""

    kinds: tuple[int, ...]

    @classmethod
    def of(cls, tools: Iterable[Tool]) -> Masks:
        """Sort ``tools`` into kinds."""
        return cls((0,) * _KINDS).with_changed(dict(enumerate(tools)))

    def with_changed(self, tools: Mapping[int, Tool]) -> Masks:
        """Return the kinds after the definitions of some numbers have changed."""
        kinds: list[list[int]] = [[] for _ in range(_KINDS)]
        for number, tool in tools.items():
            said = tool.capability
            if said.counts_as_writing:
                kinds[1].append(number)
            elif said.read_only:
                kinds[0].append(number)
            if said.checkpointable:
                kinds[2].append(number)
            if said.side_effects:
                kinds[3].append(number)
            if tool.source in _SOURCES:
                kinds[_SOURCES[tool.source]].append(number)
        kept = ~bits_of(tools)
        return Masks(tuple(old & kept | bits_of(new) for old, new in zip(self.kinds, kinds, strict=True)))

    def count(self, bits: int) -> Counts:
        """Count the tools of ``bits``."""
        return Counts(bits.bit_count(), *((bits & kind).bit_count() if kind else 0 for kind in self.kinds))
