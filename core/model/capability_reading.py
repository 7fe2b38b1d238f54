"""Capability flags as files give them, nested or flat, on tools and in overrides (language, part 4)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.diagnostics.rules.tool import CAPABILITY_CONFLICT, LONG_TIMEOUT, NOT_OVERRIDABLE, TIMEOUT
from core.model.capability import CAPABILITY_FLAGS, join_flag
from core.model.declared import OverrideDecl, Span
from core.model.reading import Keys, Reader, did_you_mean, shown
from core.model.sinks import At, Change, Sink
from core.text import like_the_best, nearest, surely_meant

FLAGS = frozenset(CAPABILITY_FLAGS)
OVERRIDABLE = (*CAPABILITY_FLAGS, "description", "timeout")
_SECONDS = re.compile(r"([1-9][0-9]{0,6}) ?s?")
LONG_TIMEOUT_S = 3_600
MOST_TIMEOUT_S = 1_000_000_000
_LISTS = frozenset(("side_effects", "write_scope"))
TEXT_FLAGS = frozenset(("checkpoint_scope",))
BOOLEAN_FLAGS = FLAGS - _LISTS - TEXT_FLAGS
_ITEM_KEYS = Keys("this entry", ("tool", "override"))
_CAPABILITY = Keys("a capability", CAPABILITY_FLAGS)
_OVERRIDE = frozenset((*OVERRIDABLE, "capability"))
_FIXED = frozenset(("name", "source", "code", "entry_point", "input_schema", "output_schema", "lifecycle", "tool_type"))
"""What a tool says of itself and nobody else may say of it."""
_WHAT_CAN_BE = "capability flags, `description` and `timeout` can be overridden"

Source = tuple[Mapping[str, Any], Collection[str]]
"""A mapping that holds overriding fields, and the keys in it that are none of them."""


@dataclass(slots=True)
class Said:
    """Flags (and in overrides description and timeout), each with the mapping that it stands in."""

    values: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def add(self, name: str, value: Any, container: Mapping[str, Any]) -> None:
        """Take a value, unless it was unusable."""
        if value is not None:
            self.values[name] = value
            self.places[name] = container

    def at(self, name: str) -> At:
        """Return where the value of ``name`` stands."""
        return At(self.places[name], name)

    def spans(self, sink: Sink) -> dict[str, Span]:
        """Return the span of each value; values that stand together need no dict of their own."""
        first = next(iter(self.places.values()), None)
        if first is not None and all(container is first for container in self.places.values()):
            return dict(sink.value_spans(first))
        return {name: sink.span(container, name) for name, container in self.places.items()}


def read_timeout(reader: Reader, container: Any, key: Any) -> int | None:
    """Return a number of whole seconds, 1 or more."""
    value = container[key]
    if type(value) is not int or not 1 <= value <= MOST_TIMEOUT_S:
        bound = f"{MOST_TIMEOUT_S:,} at most" if type(value) is int and value > MOST_TIMEOUT_S else "1 or more"
        message = f"`timeout` must be a whole number of seconds, {bound}; leave it out for the default."
        found = _SECONDS.fullmatch(value) if isinstance(value, str) else None
        fix = Change(f"write {found[1]}", At(container, key), found[1]) if found else None
        reader.sink.report(
            TIMEOUT, At(container, key), message, hint=f"write a whole number of seconds, {bound}", fix=fix
        )
        return None
    if value > LONG_TIMEOUT_S:
        message = f"`timeout` is {value:,} seconds; more than 3600 lets a call that hangs go on for hours."
        reader.sink.report(LONG_TIMEOUT, At(container, key), message, hint="write at most 3600")
    return value


def add_nested(reader: Reader, container: Any, key: Any, said: Said) -> None:
    """Take the flags below a ``capability:`` key."""
    value = container[key]
    words = value if isinstance(value, list) else [value]
    if isinstance(value, (list, str)) and words and all(isinstance(w, str) and w in BOOLEAN_FLAGS for w in words):
        text = f"{{{', '.join(f'{word}: true' for word in words)}}}"
        reader.wrong(container, key, "a mapping", Change(f"write {text}", At(container, key), text), f"write `{text}`")
        return
    nested = reader.mapping(container, key)
    if nested is None:
        return
    if not said.values and nested.keys() <= BOOLEAN_FLAGS and set(map(type, nested.values())) == {bool}:
        said.values.update(nested)
        said.places.update(dict.fromkeys(nested, nested))
    else:
        add_flags(reader, nested, reader.fields(nested, _CAPABILITY), said)


def add_flags(reader: Reader, container: Mapping[str, Any], names: Collection[str], said: Said) -> None:
    """Take the flags among ``names`` that stand in ``container``; disagreement with an earlier place is an error."""
    for name in names:
        value = container[name]
        if (value is not True and value is not False) or name not in BOOLEAN_FLAGS:
            value = _flag_value(reader, container, name)
        if value is None:
            continue
        if name in said.values and said.values[name] != value:
            _report_disagreement(reader, container, name, said.at(name))
            value = join_flag(name, said.values[name], value)
        said.add(name, value, container)


def _flag_value(reader: Reader, container: Mapping[str, Any], name: str) -> Any:
    if name in _LISTS:
        found = reader.texts(container, name, one=True)
        return None if found is None else [text for text, _ in found]
    return reader.text(container, name) if name in TEXT_FLAGS else reader.flag(container, name)


def _report_disagreement(reader: Reader, container: Mapping[str, Any], name: str, earlier: At) -> None:
    reader.sink.report(
        reader.rules.given_twice,
        At(container, name),
        f"`{name}` is given twice with different values; delete one of them.",
        hint=f"keep one `{name}`",
        related=((earlier, "the other value"),),
    )


def settle_conflict(reader: Reader, said: Said) -> None:
    """Report that something only reads and also writes; it counts as writing from then on."""
    values = said.values
    if not (values.get("read_only") and values.get("writes")):
        return
    what = shown(reader.sink.tool) if reader.sink.tool else "this"
    reader.sink.report(
        CAPABILITY_CONFLICT,
        said.at("read_only"),
        f"{what} has both `read_only: true` and `writes: true`, so it counts as writing; delete the one that is wrong.",
        hint="delete `read_only` or `writes`",
        related=((said.at("writes"), "`writes: true` is here"),),
    )
    values["read_only"] = False


def read_override(reader: Reader, sources: Sequence[Source], tool: str, span: Span) -> OverrideDecl:
    """Return the fields that ``sources`` lay over ``tool``, each nested or flat."""
    said = Said()
    outer, reader.sink.tool = reader.sink.tool, tool
    for fields, around in sources:
        _add_override(reader, fields, around, said)
    settle_conflict(reader, said)
    reader.sink.tool = outer
    return OverrideDecl(tool, span, said.values, said.spans(reader.sink))


def _add_override(reader: Reader, fields: Mapping[str, Any], around: Collection[str], said: Said) -> None:
    if fields.get("capability") is not None:
        add_nested(reader, fields, "capability", said)
    add_flags(reader, fields, [f for f in fields if f in FLAGS and fields[f] is not None], said)
    for name in fields:
        if name == "description" and fields[name] is not None:
            said.add(name, reader.text(fields, name), fields)
        elif name == "timeout":
            said.add(name, read_timeout(reader, fields, name), fields)
        elif name not in _OVERRIDE and name not in around:
            _report_not_overridable(reader, fields, name, around)


def _report_not_overridable(reader: Reader, fields: Mapping[str, Any], name: str, around: Collection[str]) -> None:
    written = str(name)
    near = [] if name in _FIXED else like_the_best(written, nearest(written, (*_OVERRIDE, *around)))
    hint = did_you_mean(written, near) or f"only {_WHAT_CAN_BE}"
    misspelt = bool(around and near)
    rule = reader.rules.unknown_key if misspelt else NOT_OVERRIDABLE
    fault = "is no key of this entry" if misspelt else "can't be overridden"
    at, meant = At(fields, name, on_key=True), surely_meant(written, near)
    fix = Change(f"rename to {meant}", at, meant) if meant and meant not in fields else None
    reader.sink.report(rule, at, f"{shown(name)} {fault}; {hint}", hint=hint, fix=fix)


def read_override_map(reader: Reader, container: Any, key: Any) -> tuple[OverrideDecl, ...]:
    """Return overrides written as a map from tool to fields, or as a list of ``{tool, override}``."""
    value = container[key]
    if isinstance(value, dict):
        found = [_override_entry(reader, value, tool) for tool in value if value[tool] is not None]
    else:
        items = reader.items(container, key, "a mapping from tools to fields", texts=False)
        found = [_override_item(reader, items, index) for index in range(len(items))]
    return tuple(override for override in found if override is not None)


def _override_entry(reader: Reader, value: Mapping[str, Any], tool: str) -> OverrideDecl | None:
    fields = reader.mapping(value, tool)
    if fields is None:
        return None
    return read_override(reader, [(fields, ())], tool, reader.sink.span(value, tool, on_key=True))


def _override_item(reader: Reader, items: Sequence[Any], index: int) -> OverrideDecl | None:
    item = reader.mapping(items, index)
    if item is None:
        return None
    key = "name" if "name" in item and "tool" not in item else "tool"
    if item.get(key) is None:
        if len(item) == 1 and isinstance(next(iter(item.values())), dict):
            hint = "write it without the dash, or as `tool: ...` and `override: ...`"
            reader.sink.report(
                reader.rules.missing_key, At(items, index), f"This override names its tool by a key; {hint}", hint=hint
            )
        elif not reader.report_slips(item, _ITEM_KEYS):
            reader.missing(item, "tool", "this override", At(items, index))
        return None
    tool = reader.text(item, key)
    if tool is None:
        return None
    return read_override(reader, sources_beside(reader, item, key), tool, reader.sink.span(item, key))


def sources_beside(reader: Reader, item: Mapping[str, Any], key: str) -> list[Source]:
    """Return where the overrides of the entry ``item``, named by ``key``, stand: below ``override``, and beside it."""
    around = (key, "override")
    nested = reader.mapping(item, "override") if item.get("override") is not None else None
    return [*([] if nested is None else [(nested, ())]), (item, around)]


def as_fields(overrides: Collection[OverrideDecl]) -> dict[str, dict[str, Any]]:
    """Return overrides as the models keep them: by tool, later ones over earlier, and writing over only reading."""
    fields: dict[str, dict[str, Any]] = {}
    for override in overrides:
        merged = {**fields.get(override.tool, {}), **override.fields}
        if merged.get("read_only") and merged.get("writes"):
            merged["read_only"] = False
        fields[override.tool] = merged
    return fields
