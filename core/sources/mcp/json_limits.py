"""JSON from a server made fit for the rest of the program: bounded depth, finite numbers, real characters."""

from __future__ import annotations

import math
import re
from typing import Any

MAX_DEPTH = 100
_SURROGATE = re.compile("[\ud800-\udfff]")


class UnfitJsonError(ValueError):
    """A value that JSON cannot hold, or one nested too deeply; the message says which."""


def fit_json(value: Any) -> Any:
    """Return a copy of ``value`` with lone surrogates replaced; of any breadth, without recursion.

    Raises:
        UnfitJsonError: it is nested deeper than 100, or holds a number that isn't finite.
    """
    whole: list[Any] = [value]
    waiting: list[tuple[Any, Any, int]] = [(whole, 0, 0)]
    while waiting:
        holder, key, depth = waiting.pop()
        item = holder[key]
        if isinstance(item, str):
            holder[key] = _characters(item)
        elif isinstance(item, float) and not math.isfinite(item):
            raise UnfitJsonError(f"{item} is no number of JSON")
        elif isinstance(item, dict | list):
            if depth >= MAX_DEPTH:
                raise UnfitJsonError(f"nested deeper than {MAX_DEPTH}")
            copy = {_characters(str(k)): v for k, v in item.items()} if isinstance(item, dict) else list(item)
            holder[key] = copy
            waiting += [(copy, at, depth + 1) for at in (copy if isinstance(copy, dict) else range(len(copy)))]
    return whole[0]


def _characters(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)
