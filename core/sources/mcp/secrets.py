"""Keeps the values of ``env`` and ``headers`` out of everything that leaves this package."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

MASK = "••••••"

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_SECRET_NAME = re.compile(r"key|token|secret|pass|pwd|auth|cred|cookie|session|private|dsn|signature", re.IGNORECASE)
_PLAIN = re.compile(
    r"[A-Za-z]{1,12}|[-+]?[0-9]*[.,:][0-9.,:]*|[~.]{0,2}/.*|https?://[^@?]*|[a-z0-9_.-]+(/[a-z0-9_.-]+)+"
)
_SHORTEST = 6


def references(values: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the host variables that ``values`` refer to as ``${NAME}`` or ``${NAME:-default}``."""
    return tuple(sorted({match[1] for value in values for match in _REFERENCE.finditer(value)}))


def expand(value: str, allowed: Iterable[str], environ: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return ``value`` with its references replaced, and the names that are neither set nor have a default.

    A name outside ``allowed`` stays as it is written.
    """
    unset: list[str] = []
    names = frozenset(allowed)

    def replace(match: re.Match[str]) -> str:
        name, default = match[1], match[2]
        if name not in names:
            return match[0]
        found = environ.get(name, "")
        if name not in environ and default is None:
            unset.append(name)
        return found or default or ""

    return _REFERENCE.sub(replace, value), unset


def shown(value: str) -> str:
    """Return ``value`` as an approval dialog may show it: references as written, everything else masked."""
    parts, at = [], 0
    for match in _REFERENCE.finditer(value):
        parts += [_masked(value[at : match.start()]), match[0]]
        at = match.end()
    return "".join([*parts, _masked(value[at:])])


def _masked(text: str) -> str:
    return f"{MASK} ({len(text)} characters)" if text else ""


class Redactor:
    """Replaces the given secrets wherever a server repeats them.

    A value counts unless it plainly is none: a short or single word, a fraction, a numeric address, a path or a URL
    without credentials, under a name that doesn't speak of a secret.
    """

    def __init__(self, env: Iterable[tuple[str, str]] = (), headers: Iterable[str] = ()) -> None:
        found = {value for name, value in env if is_secret(name, value)}
        for value in headers:
            found |= {value, value.rpartition(" ")[2]}
        words = sorted((v for v in found if len(v) >= _SHORTEST), key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, words))) if words else None

    def text(self, text: str) -> str:
        """Return ``text`` without secrets."""
        return self._pattern.sub(MASK, text) if self._pattern else text

    def tree(self, value: Any) -> Any:
        """Return the JSON ``value`` without secrets, also in its keys; of any depth."""
        if self._pattern is None:
            return value
        whole: list[Any] = [value]
        waiting: list[tuple[Any, Any]] = [(whole, 0)]
        while waiting:
            holder, key = waiting.pop()
            item = holder[key]
            if isinstance(item, str):
                holder[key] = self.text(item)
            elif isinstance(item, dict):
                holder[key] = copy = {self.text(k): v for k, v in item.items()}
                waiting += [(copy, k) for k in copy]
            elif isinstance(item, list):
                holder[key] = items = list(item)
                waiting += [(items, i) for i in range(len(items))]
        return whole[0]


def is_secret(name: str, value: str) -> bool:
    """Whether the variable or header ``name`` speaks of a secret, or ``value`` doesn't plainly look like none."""
    return bool(_SECRET_NAME.search(name)) or _PLAIN.fullmatch(value) is None
