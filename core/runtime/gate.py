"""Whether a call may happen at all, decided before anything runs (resolution, part 4; skills_protocol, gating).

The gate looks at ``gate_capability``, the join of what a tool declares and what overrides made of it, so that no
override, alias or include opens it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.language.declarations import ToolDecl
from core.model import FlagProvenance, Origin, ToolRecord, ToolStatus
from core.protocol import SkillError, SkillErrorType
from core.resolve.views import CustomDefinition, FlatSkill, SkillStatus
from core.runtime.call import CallOptions
from core.text import display

_CONSENT = ("unsafe", "human_approval_required")


def refusal(flat: FlatSkill, record: ToolRecord, options: CallOptions) -> SkillError | None:
    """Return why the call is refused, or None."""
    return (
        _unresolved(flat, record)
        or _not_python(flat, record)
        or _unavailable(flat, record)
        or _loosened(flat, record)
        or _read_only(flat, record)
        or _unconfirmed(flat, record, options)
    )


def _error(
    flat: FlatSkill, record: ToolRecord, kind: SkillErrorType, message: str, details: dict[str, Any]
) -> SkillError:
    return SkillError(error_type=kind, message=message, details=details, skill_name=flat.name, tool_name=record.name)


def _unresolved(flat: FlatSkill, record: ToolRecord) -> SkillError | None:
    if flat.status is not SkillStatus.UNRESOLVED:
        return None
    if flat.errors:
        return flat.errors[0].model_copy(update={"tool_name": record.name})
    return _error(flat, record, SkillErrorType.RESOLUTION_FAILURE, f"`{flat.name}` does not resolve", {})


def _not_python(flat: FlatSkill, record: ToolRecord) -> SkillError | None:
    """Code that does not compile is refused where ``check`` reports it; nobody is asked to trust it."""
    found = next((d.not_python for d in _custom(flat, record) if d.not_python is not None), None)
    if found is None:
        return None
    place = found.place
    message = f"{display(place.path, 200)}:{place.line}:{place.column}: {found.message}"
    details = {"code": found.code, "path": place.path, "line": place.line, "column": place.column, "hint": found.hint}
    return _error(flat, record, SkillErrorType.VALIDATION_ERROR, message, details)


def _custom(flat: FlatSkill, record: ToolRecord) -> Iterator[ToolDecl]:
    for definition in flat.definitions:
        if isinstance(definition, CustomDefinition) and definition.decl.name == record.name:
            yield definition.decl


def _unavailable(flat: FlatSkill, record: ToolRecord) -> SkillError | None:
    if record.status is not ToolStatus.UNAVAILABLE or _told_by_activation(flat, record):
        return None
    message = record.problem or f"`{record.name}` is not available"
    return _error(flat, record, SkillErrorType.TOOL_ACTIVATION_FAILURE, message, {})


def _told_by_activation(flat: FlatSkill, record: ToolRecord) -> bool:
    """Whether activating the tool fails as well, and then says more exactly why."""
    return any(decl.problem == record.problem and not decl.refused for decl in _custom(flat, record))


def _loosened(flat: FlatSkill, record: ToolRecord) -> SkillError | None:
    """A tool that an override calls read-only against its own declaration is denied wherever it is called."""
    if record.capability.counts_as_writing or not record.gate_capability.counts_as_writing:
        return None
    flag, place = _set_at(record, ("writes", "read_only"))
    where = _where(place)
    message = f"`{record.name}` can write by its own declaration, and an override calls it read-only{where}"
    details = {**_details(flag, place), "hint": "take the override back, or change what the tool itself declares"}
    return _error(flat, record, SkillErrorType.PERMISSION_DENIED, message, details)


def _read_only(flat: FlatSkill, record: ToolRecord) -> SkillError | None:
    if not (flat.read_only or flat.metadata.read_only) or not record.gate_capability.counts_as_writing:
        return None
    flag, place = _set_at(record, ("writes", "read_only"))
    if place is None or place.origin is Origin.ASSUMED:
        why = "nothing says that it only reads, so it counts as writing"
    else:
        why = f"its flag `{flag}` is {str(place.value).lower()}{_where(place)}"
    message = f"`{flat.name}` is read-only and `{record.name}` can write: {why}"
    return _error(flat, record, SkillErrorType.PERMISSION_DENIED, message, _details(flag, place))


def _unconfirmed(flat: FlatSkill, record: ToolRecord, options: CallOptions) -> SkillError | None:
    if options.confirmed:
        return None
    for flag in _CONSENT:
        if getattr(record.gate_capability, flag):
            _, place = _set_at(record, (flag,))
            what = "is unsafe" if flag == "unsafe" else "needs approval"
            message = f"`{record.name}` {what}{_where(place)}, so each call must be confirmed"
            return _consent(flat, record, message, flag, place)
    claim = record.provenance.get("read_only")
    if flat.read_only and claim is not None and claim.origin is Origin.ANNOTATED and claim.value:
        message = f"only its server says that `{record.name}` reads, so a read-only skill asks before each call"
        return _consent(flat, record, message, "read_only", claim)
    return None


def _consent(flat: FlatSkill, record: ToolRecord, message: str, flag: str, place: FlagProvenance | None) -> SkillError:
    details = {**_details(flag, place), "needs": "confirmation", "hint": "confirm the call, or add --yes"}
    return _error(flat, record, SkillErrorType.PERMISSION_DENIED, message, details)


def _set_at(record: ToolRecord, flags: tuple[str, ...]) -> tuple[str, FlagProvenance | None]:
    """Return the first of ``flags`` that somebody set, with where."""
    for flag in flags:
        found = record.provenance.get(flag)
        if found is not None and found.origin is not Origin.ASSUMED and found.value is not None:
            return flag, found
    return flags[0], record.provenance.get(flags[0])


def _where(place: FlagProvenance | None) -> str:
    return "" if place is None or place.path is None else f" ({place.path}:{place.line})"


def _details(flag: str, place: FlagProvenance | None) -> dict[str, Any]:
    if place is None:
        return {"flag": flag}
    return {"flag": flag, "value": place.value, "origin": str(place.origin), "path": place.path, "line": place.line}
