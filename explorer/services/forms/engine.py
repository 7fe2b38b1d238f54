"""Patterns and formats by the engine that checks the call itself, in time linear in the text."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

LONGEST_PATTERN = 256


def matches(pattern: Any, text: str) -> bool:
    """Whether ``text`` matches; a pattern that is none, or longer than 256 characters, is left to the call itself."""
    if not isinstance(pattern, str) or len(pattern) > LONGEST_PATTERN:
        return True
    return _holds(_validator("pattern", pattern), text)


def has_format(name: Any, text: str) -> bool:
    """Whether ``text`` has the format ``name``; unknown formats hold."""
    if not isinstance(name, str):
        return True
    return _holds(_validator("format", name), text)


def _holds(validator: Draft202012Validator | None, text: str) -> bool:
    """The call itself refuses text that is no Unicode, and with it what no engine can judge."""
    try:
        return validator is None or validator.is_valid(text)
    except UnicodeError:
        return True


@lru_cache(maxsize=256)
def _validator(keyword: str, value: str) -> Draft202012Validator | None:
    import jsonschema_rs

    try:
        return jsonschema_rs.Draft202012Validator(
            {keyword: value}, validate_formats=True, pattern_options=jsonschema_rs.RegexOptions(), offline=True
        )
    except ValueError:
        return None
