"""Match a JSON document against a pattern: mappings and lists by subset, plus a few operators."""

from __future__ import annotations

import re
from typing import Any


def misses(want: Any, got: Any, where: str = "$") -> list[str]:
    """Return what in ``got`` does not match ``want``; empty when all does."""
    if isinstance(want, dict):
        operators = {key: value for key, value in want.items() if key.startswith("$")}
        return _operators(operators, got, where) if operators else _mapping(want, got, where)
    if isinstance(want, list):
        return _each_somewhere(want, got, where)
    same = want == got and isinstance(want, bool) == isinstance(got, bool)
    return [] if same else [f"{where}: {got!r} instead of {want!r}"]


def _mapping(want: dict[str, Any], got: Any, where: str) -> list[str]:
    if not isinstance(got, dict):
        return [f"{where}: {got!r} is no mapping"]
    found = [f"{where}.{key} is missing" for key in want if key not in got]
    return found + [m for key in want if key in got for m in misses(want[key], got[key], f"{where}.{key}")]


def _each_somewhere(want: list[Any], got: Any, where: str) -> list[str]:
    if not isinstance(got, list):
        return [f"{where}: {got!r} is no list"]
    return [f"{where}: nothing like {item!r} in {got!r:.800}" for item in want if all(misses(item, g) for g in got)]


def _operators(operators: dict[str, Any], got: Any, where: str) -> list[str]:
    return [miss for name, argument in operators.items() for miss in _OPERATORS[name](argument, got, where)]


def _length(argument: int, got: Any, where: str) -> list[str]:
    return [] if got is not None and len(got) == argument else [f"{where}: {got!r} has not length {argument}"]


def _text(argument: str, got: Any, where: str) -> list[str]:
    return [] if isinstance(got, str) and re.search(argument, got) else [f"{where}: {got!r} lacks /{argument}/"]


def _none(argument: Any, got: Any, where: str) -> list[str]:
    return [f"{where} holds {argument!r}"] if any(not misses(argument, item) for item in got or []) else []


def _any(argument: list[Any], got: Any, where: str) -> list[str]:
    return [] if any(not misses(item, got) for item in argument) else [f"{where}: {got!r} is none of {argument!r}"]


def _exactly(argument: list[Any], got: Any, where: str) -> list[str]:
    if not isinstance(got, list) or len(got) != len(argument):
        return [f"{where}: {got!r} is not exactly {argument!r}"]
    return [m for at, (w, g) in enumerate(zip(argument, got, strict=True)) for m in misses(w, g, f"{where}[{at}]")]


_OPERATORS = {"$len": _length, "$re": _text, "$none": _none, "$any": _any, "$exactly": _exactly}
