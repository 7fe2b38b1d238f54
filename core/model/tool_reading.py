"""Tool definitions, inline in a skill or in files of their own, to canonical fields (language, part 4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from core.diagnostics import Diagnostic
from core.diagnostics.rules.tool import CODE_TWICE, NO_CODE, SOURCE, TOOL_TYPE
from core.model.capability import CAPABILITY_FLAGS
from core.model.capability_reading import FLAGS, Said, add_flags, add_nested, read_timeout, settle_conflict
from core.model.declared import NO_SPAN, Span
from core.model.reading import Keys, Reader, shown
from core.model.sinks import At, Change
from core.model.tool import ToolSource
from core.model.wrapper import HEADER

STAGES = ("discover", "activate", "execute", "deactivate")
INLINE_MARKS = frozenset(("code", "source", "entry_point"))
"""An entry of ``tools`` with one of these keys is a definition, not a reference."""

WRITTEN_SOURCES = frozenset((ToolSource.CUSTOM.value, ToolSource.WRAPPED.value))
_SCHEMA_TYPES = frozenset(("array", "boolean", "integer", "null", "number", "object", "string"))
TOOL_TYPES = ("tool", "validation")
TOOL_KEYS = Keys(
    "a tool",
    (
        *("name", "description", "source", "code", "entry_point", "input_schema", "output_schema", "capability"),
        *("resource_slots", "lifecycle", "timeout", "tool_type", "mode", "wraps", "transform"),
        *CAPABILITY_FLAGS,
    ),
    silent={"resources": "resource_slots"},
)
TOOL_FILE_KEYS = Keys("a tool", TOOL_KEYS.canonical, TOOL_KEYS.legacy, {**TOOL_KEYS.silent, HEADER: HEADER})
SLOT_KEYS = Keys(
    "a resource slot",
    ("name", "type", "access", "description", "required", "binding"),
    legacy={"resource_type": "type"},
)
_LIFECYCLE_KEYS = Keys("a lifecycle", STAGES)


@dataclass(slots=True)
class ToolPart:
    """A tool as its mapping says it: the fields of its model, and where they stand.

    ``problem`` is the first reported fault for which it can't be run; ``refused`` says that activating it would not
    find that fault by itself. ``not_python`` is the finding that its code is no Python.
    """

    container: Mapping[str, Any]
    fields: dict[str, Any]
    said: Said
    keys: dict[str, str]
    span: Span = NO_SPAN
    problem: str | None = None
    refused: bool = False
    not_python: Diagnostic | None = None

    def unusable(self, why: str) -> None:
        """Take a fault that keeps the tool from running."""
        self.problem = self.problem or why

    def refuse(self, why: str) -> None:
        """Take a fault that keeps the tool from running and that activating it would not find."""
        self.unusable(why)
        self.refused = True

    def at(self, field: str) -> At:
        """Return where the value of ``field`` stands."""
        return At(self.container, self.keys[field])


def read_tool(reader: Reader, container: Mapping[str, Any], at: At, keys: Keys = TOOL_KEYS) -> ToolPart:
    """Return the tool that ``container``, which stands at ``at``, defines; what is missing or unusable is reported."""
    found = reader.fields(container, keys)
    part = ToolPart(container, {}, Said(), found)
    for field, key in found.items():
        read = _FIELDS.get(field)
        value = read(reader, container, key) if read is not None else None
        if value is not None:
            part.fields[field] = value
    if reader.misspelt(container, ("code",)):
        part.fields.pop("code", None)
    _require(reader, part, at)
    _add_capability(reader, part)
    _check_code(reader, part, at)
    return part


def _require(reader: Reader, part: ToolPart, at: At) -> None:
    known_source = "source" in part.fields
    for name, default in (("description", ""), ("source", ToolSource.CUSTOM)):
        part.fields.setdefault(name, default)
        if name not in part.keys:
            reader.missing(part.container, name, "this tool", at)
    if "source" in part.keys and not known_source:
        part.refuse("its `source` is neither `custom` nor `wrapped`")


def _read_source(reader: Reader, container: Mapping[str, Any], key: str) -> ToolSource | None:
    source = reader.text(container, key)
    if source in WRITTEN_SOURCES:
        return ToolSource(source)
    if source is not None:
        message = f"{shown(source)} is no source of a tool that is defined here; it is `custom` or `wrapped`."
        fix = _in_small_letters(At(container, key), source, WRITTEN_SOURCES)
        reader.sink.report(SOURCE, At(container, key), message, hint="write `custom`", fix=fix)
    return None


def _in_small_letters(at: At, word: str, known: Collection[str]) -> Change | None:
    small = word.strip().lower()
    return Change(f"write {small}", at, small) if small in known else None


def _add_capability(reader: Reader, part: ToolPart) -> None:
    if "capability" in part.keys:
        add_nested(reader, part.container, "capability", part.said)
    flat = FLAGS & part.keys.keys()
    if flat:
        add_flags(reader, part.container, [name for name in part.keys if name in flat], part.said)
    settle_conflict(reader, part.said)
    if part.said.values:
        part.fields["capability"] = part.said.values


def _read_lifecycle(reader: Reader, container: Mapping[str, Any], key: str) -> dict[str, str] | None:
    hooks = reader.mapping(container, key)
    stages = reader.fields(hooks, _LIFECYCLE_KEYS) if hooks else {}
    return {s: t for s in stages if hooks and (t := reader.text(hooks, s)) is not None} or None


def _read_tool_type(reader: Reader, container: Mapping[str, Any], key: str) -> str | None:
    tool_type = reader.text(container, key)
    if tool_type is None or tool_type in TOOL_TYPES:
        return tool_type
    message = f"{shown(tool_type)} is no type of tool; it is `tool` or `validation`."
    fix = _in_small_letters(At(container, key), tool_type, TOOL_TYPES)
    reader.sink.report(TOOL_TYPE, At(container, key), message, hint="write `tool` or `validation`", fix=fix)
    return None


def _read_slots(reader: Reader, container: Mapping[str, Any], key: str) -> list[dict[str, Any]] | None:
    """Return resource slots, written as a list or as a map by name."""
    value = container[key]
    if isinstance(value, dict):
        slots = [_read_slot(reader, value, name, name) for name in value]
    else:
        items = reader.items(container, key, "a list of slots, or a mapping of them", texts=False)
        slots = [_read_slot(reader, items, index) for index in range(len(items))]
    return [slot for slot in slots if slot is not None] or None


def _read_slot(reader: Reader, holder: Any, key: Any, name: str | None = None) -> dict[str, Any] | None:
    if holder[key] is None and name is not None:
        return {"name": name}
    slot = reader.mapping(holder, key)
    if slot is None:
        return None
    found: dict[str, Any] = {} if name is None else {"name": name}
    for field, written in reader.fields(slot, SLOT_KEYS).items():
        value = reader.flag(slot, written) if field == "required" else reader.text(slot, written)
        found.setdefault(field, value)
    if found.get("name") is None:
        reader.missing(slot, "name", "this resource slot", At(holder, key))
        return None
    return found


def _check_code(reader: Reader, part: ToolPart, at: At) -> None:
    code, entry = "code" in part.keys, "entry_point" in part.keys
    if code and entry:
        message = "The tool has both `code` and `entry_point`, of which only one can run; delete the other."
        at, other = (At(part.container, key, on_key=True) for key in ("entry_point", "code"))
        related = ((other, "`code` is here"),)
        reader.sink.report(CODE_TWICE, at, message, hint="delete `code` or `entry_point`", related=related)
        part.refuse("it has both `code` and `entry_point`")
    elif not code and not entry and part.fields["source"] is ToolSource.CUSTOM:
        hint = "add `code:` or `entry_point:`"
        message = "The tool has neither `code` nor `entry_point`, so there is nothing to run; add one of them."
        reader.sink.report(NO_CODE, at, message, hint=hint)
        part.unusable("it has neither `code` nor `entry_point`")
    lost = next((key for key in ("code", "entry_point") if key in part.keys and key not in part.fields), None)
    if lost is not None:
        part.refuse(f"its `{lost}` is no text")


def _read_schema(reader: Reader, container: Mapping[str, Any], key: str) -> Mapping[str, Any] | None:
    """Return a schema, which is more than the name of a type."""
    value = container[key]
    if isinstance(value, str) and value in _SCHEMA_TYPES:
        text = f"{{type: {value}}}"
        reader.wrong(container, key, "a mapping", Change(f"write {text}", At(container, key), text), f"write `{text}`")
        return None
    return reader.mapping(container, key)


_FIELDS: dict[str, Callable[[Reader, Mapping[str, Any], str], Any]] = {
    "description": Reader.description,
    **dict.fromkeys(("code", "entry_point", "mode", "wraps", "transform"), Reader.text),
    **dict.fromkeys(("input_schema", "output_schema"), _read_schema),
    "source": _read_source,
    "timeout": read_timeout,
    "resource_slots": _read_slots,
    "lifecycle": _read_lifecycle,
    "tool_type": _read_tool_type,
}
