"""Arguments as one JSON value, changed by path; every change gives a new value and leaves the old one alone."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

Path = tuple[str | int, ...]


class Missing(Enum):
    """The one value that stands for no value: an absent key."""

    MISSING = "not set"


MISSING: Final = Missing.MISSING


def get(value: Any, path: Path) -> Any:
    """Return what stands at ``path``; MISSING when nothing does."""
    for key in path:
        if isinstance(value, dict) and isinstance(key, str):
            value = value.get(key, MISSING)
        elif isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value):
            value = value[key]
        else:
            return MISSING
    return value


def put(value: Any, path: Path, new: Any) -> Any:
    """Return ``value`` with ``new`` at ``path``, making objects for names and lists for places on the way.

    A place at or beyond the end of a list appends to it.
    """
    if not path:
        return new
    chain = [value]
    for key in path[:-1]:
        chain.append(get(chain[-1], (key,)))
    for container, key in zip(reversed(chain), reversed(path), strict=True):
        new = _with(container, key, new)
    return new


def _with(container: Any, key: str | int, new: Any) -> Any:
    if isinstance(key, str):
        base = container if isinstance(container, dict) else {}
        return {**base, key: new}
    items = list(container) if isinstance(container, list) else []
    items[key : key + 1] = [new]
    return items


def remove(value: Any, path: Path) -> Any:
    """Return ``value`` without what stands at ``path``; the same when nothing does, MISSING for the empty path."""
    if get(value, path) is MISSING:
        return value
    if not path:
        return MISSING
    parent = get(value, path[:-1])
    if isinstance(parent, dict):
        smaller: Any = {k: v for k, v in parent.items() if k != path[-1]}
    else:
        smaller = [item for at, item in enumerate(parent) if at != path[-1]]
    return put(value, path[:-1], smaller) if path[:-1] else smaller


def ordered(mapping: dict[str, Any], order: Sequence[str]) -> dict[str, Any]:
    """Return ``mapping`` with the keys of ``order`` first, in that order, and the others as they stood."""
    first = {key: mapping[key] for key in order if key in mapping}
    return {**first, **mapping}


def pointer(path: Path) -> str:
    """Return ``path`` as JSON paths are written in messages: ``$.a[0]``, odd names quoted."""
    return "$" + "".join(_step(key) for key in path)


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if key.isidentifier() else f"[{key!r}]"
