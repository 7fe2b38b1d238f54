"""The algebra of overrides: laying one over a tool, joining ways to a tool, and what the gate makes of it.

Overlay is a shallow merge in which the outer value wins; join takes the more cautious value of each flag
(resolution, part 1). The gate never believes an override that loosens what the tool declares itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from core.language.declarations import OverrideDecl
from core.language.tree import SourceText
from core.model import CAPABILITY_FLAGS, Origin, ToolCapability
from core.model.capability import join_flag
from core.resolve.provenance import DESCRIPTION, TIMEOUT, Cell, Flag

FIELDS = (*CAPABILITY_FLAGS, DESCRIPTION, TIMEOUT)
_LISTS = ("side_effects", "write_scope")


def overlay(cell: Cell, decl: OverrideDecl, source: SourceText) -> Cell:
    """Return ``cell`` with the fields of ``decl`` laid over it."""
    laid = dict(cell)
    for name, value in decl.fields.items():
        if value is not None:
            span = decl.field_spans.get(name, decl.span)
            laid[name] = Flag(value, Origin.OVERRIDDEN, source, span, _value(cell, name))
    _follow(laid, cell, decl.fields)
    return laid


def _follow(laid: dict[str, Flag], cell: Cell, fields: Mapping[str, Any]) -> None:
    """Carry what an override says of reading over to writing, and back, where it says one alone."""
    reads, writes = fields.get("read_only"), fields.get("writes")
    if writes and reads is not False:
        _derive(laid, cell, "read_only", laid["writes"])
    elif reads and writes is None:
        _derive(laid, cell, "writes", laid["read_only"])
    elif reads is False and writes is None:
        before = cell.get("writes")
        if before is not None and before.derived:
            laid["writes"] = Flag(True, Origin.ASSUMED, replaced=before.value)


def _derive(laid: dict[str, Flag], cell: Cell, name: str, cause: Flag) -> None:
    before = cell.get(name)
    if before is None or before.value is not False:
        laid[name] = cause._replace(value=False, replaced=_value(cell, name), derived=True)
    elif name in laid and laid[name].value is not False:
        laid[name] = before


def _value(cell: Cell, name: str) -> Any:
    return cell[name].value if name in cell else None


def join_cells(ways: Iterable[Cell]) -> Cell:
    """Return the join of several ways to one tool; texts and equal values are taken from the first of them."""
    joined: Cell | None = None
    for cell in ways:
        joined = cell if joined is None or joined is cell else _join(joined, cell)
    return joined or {}


def _join(left: Cell, right: Cell) -> Cell:
    joined: dict[str, Flag] = {}
    for name in FIELDS:
        found = _join_field(name, left.get(name), right.get(name))
        if found is not None:
            joined[name] = found
    return joined


def _join_field(name: str, left: Flag | None, right: Flag | None) -> Flag | None:
    if left is None and right is None:
        return None
    value = join_value(name, left.value if left else None, right.value if right else None)
    if value is None:
        return None
    chosen = _setter(value, left, right)
    derived = value is False and any(f is not None and f.derived for f in (left, right))
    return (
        chosen if chosen.value == value and chosen.derived == derived else chosen._replace(value=value, derived=derived)
    )


def _setter(value: Any, left: Flag | None, right: Flag | None) -> Flag:
    ways = [flag for flag in (left, right) if flag is not None]
    same = [flag for flag in ways if _same(flag.value, value)]
    overridden = [flag for flag in ways if flag.origin is Origin.OVERRIDDEN]
    return (same or overridden or ways)[0]


def _same(left: Any, right: Any) -> bool:
    return comparable(left) == comparable(right)


def join_value(name: str, left: Any, right: Any) -> Any:
    """Return the value of ``name`` for two ways: the more cautious flag, the lesser timeout, the first text."""
    if name == TIMEOUT:
        return right if left is None else left if right is None else min(left, right)
    return join_flag(name, left, right)


def comparable(value: Any) -> Hashable:
    """Return ``value`` so that equal ones compare and hash equal; the order of a list means nothing."""
    found: Hashable = tuple(sorted(set(value))) if isinstance(value, list) else value
    return found


def loosens(name: str, old: Any, new: Any) -> bool:
    """Whether ``new`` is less cautious than ``old``; texts and timeouts have no such order."""
    if old is None or name not in CAPABILITY_FLAGS or name == "checkpoint_scope":
        return False
    if name in _LISTS:
        return any(item not in new for item in old)
    return comparable(join_flag(name, old, new)) != comparable(new)


def gate_of(cell: Cell, base: Cell) -> ToolCapability:
    """Return the flags that summary, metadata, consistency rule and gate go by: declared and effective joined."""
    flags = {name: _gated(name, cell, base) for name in CAPABILITY_FLAGS}
    writes, declared = cell.get("writes"), base.get("read_only")
    if writes is not None and writes.derived and declared is not None and _is_declared(declared) and not declared.value:
        flags["writes"] = True
    return ToolCapability.model_construct(**flags)


def _gated(name: str, cell: Cell, base: Cell) -> Any:
    effective, declared = _value(cell, name), base.get(name)
    if declared is None or not _is_declared(declared):
        return effective
    return join_flag(name, declared.value, effective)


def _is_declared(flag: Flag) -> bool:
    return flag.origin is Origin.DECLARED


def loosened(decl: OverrideDecl, before: Cell, base: Cell) -> tuple[list[str], list[str]]:
    """Return the fields of ``decl`` that loosen a declared value, and those that loosen an earlier override."""
    declared, earlier = [], []
    for name, value in decl.fields.items():
        own, now = base.get(name), before.get(name)
        if value is None:
            continue
        if own is not None and _is_declared(own) and loosens(name, own.value, value):
            declared.append(name)
        elif now is not None and now.origin is Origin.OVERRIDDEN and loosens(name, now.value, value):
            earlier.append(name)
    return declared, earlier
