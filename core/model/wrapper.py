"""The envelope of a file: flat, or below a key that says what it is, with or without a version header."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.model.reading import Keys, Reader, shown
from core.model.sinks import At, Change

HEADER = "cleveragents"
_HEADER_KEYS = Keys(f"`{HEADER}`", ("version",))


def unwrap(config: Mapping[str, Any], wrapper: str, reader: Reader) -> Mapping[str, Any] | None:
    """Return the mapping below ``wrapper``, or ``config`` itself when it has none; None when it is no mapping."""
    if wrapper not in config:
        return config
    if isinstance(config[wrapper], str) and "name" not in config:
        at = At(config, wrapper, on_key=True)
        message = f"`{wrapper}` holds a whole {wrapper}; for its name alone write `name`."
        fix = Change("rename to name", at, "name")
        reader.sink.report(reader.rules.wrong_type, at, message, hint="write `name`", fix=fix)
        return None
    inner = reader.mapping(config, wrapper)
    if inner is None:
        return None
    at = At(config, wrapper, on_key=True)
    beside = [key for key in config if key not in (wrapper, HEADER)]
    for key in beside:
        reader.told(inner, key)
        reader.sink.report(
            reader.rules.wrapper_mixed,
            At(config, key, on_key=True),
            f"{shown(key)} stands beside `{wrapper}:`, which holds the whole {wrapper}; move it below that.",
            hint=f"move it below `{wrapper}:`",
            related=((at, f"`{wrapper}:` is here"),),
        )
    if not beside:
        message = f"The {wrapper} stands below `{wrapper}:`; it is read and means the same as at the top level."
        hint = f"write its keys without `{wrapper}:`"
        reader.sink.report(reader.rules.wrapped, at, message, hint=hint, fix=Change(hint, at, None))
    return inner


def format_version(config: Mapping[str, Any], reader: Reader) -> str | None:
    """Return the version of the format that a file's header names."""
    if config.get(HEADER) is None:
        return None
    header = reader.mapping(config, HEADER)
    found = reader.fields(header, _HEADER_KEYS) if header else {}
    return reader.text(header, "version") if found else None
