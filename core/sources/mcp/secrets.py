"""Keeps the values of ``env`` and ``headers`` out of everything that leaves this package."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from core.model.server_reading import REFERENCE

MASK = "••••••"

_SECRET_NAME = re.compile(
    r"key|token|secret|pass|pwd|auth|cred|cookie|session|private|dsn|signature|bearer|jwt|salt|licen[cs]e"
    r"|(?:^|[^a-z])(?:pin|pat|otp)(?:[^a-z]|$)",
    re.IGNORECASE,
)
_SWITCHES = re.compile(r"true|false|yes|no|on|off|none|null|auto|0|1", re.IGNORECASE)
_SETTINGS = re.compile(
    r"always|ascii|basic|bearer|console|critical|custom|debug|default|detailed|development|"
    r"disabled?|enabled?|english|errors|explicit|global|localhost|markdown|memory|minimal|"
    r"native|normal|notice|offline|online|optional|plugin|preview|private|production|public|"
    r"python|readonly|release|remote|required?|sandbox|server|silent|simple|single|staging|"
    r"standard|stderr|stdout|stream|strict|string|system|testing|verbose|version|warnings?|"
    r"windows",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"[A-Za-z]{1,5}|[0-9]{1,5}|[-+]?[0-9]*[.,:][0-9.,:]*|[~.]{0,2}/.*|https?://[^@?]*|[a-z0-9_.-]+(/[a-z0-9_.-]+)+"
    r"|[A-Z][A-Za-z]+(/[A-Z][A-Za-z_]+)+"
)
_TOKEN = re.compile(r"(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{20,}")


def references(values: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the host variables that ``values`` refer to as ``${NAME}`` or ``${NAME:-default}``."""
    return tuple(sorted({match[1] for value in values for match in REFERENCE.finditer(value)}))


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

    return REFERENCE.sub(replace, value), unset


def shown(value: str) -> str:
    """Return ``value`` as an approval dialog may show it: references as written, everything else masked."""
    parts, at = [], 0
    for match in REFERENCE.finditer(value):
        parts += [_masked(value[at : match.start()]), match[0]]
        at = match.end()
    return "".join([*parts, _masked(value[at:])])


def _masked(text: str) -> str:
    return f"{MASK} ({len(text)} characters)" if text else ""


def is_secret(name: str, value: str) -> bool:
    """Whether ``value`` is to be kept back: not for a switch such as ``true``, under any name.

    Else it is if ``name`` speaks of a secret, or if ``value`` doesn't plainly look like none: a word of settings or of
    at most five letters, a short or broken number, a numeric address, a path or URL without credentials or tokens.
    """
    if _SWITCHES.fullmatch(value.strip()):
        return False
    if _SECRET_NAME.search(name):
        return True
    if _SETTINGS.fullmatch(value.strip()):
        return False
    return _PLAIN.fullmatch(value) is None or _TOKEN.search(value) is not None


def of_host(values: Iterable[str], environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the variables of ``environ`` that ``values`` refer to, each a secret by itself if it looks like one."""
    return [(name, environ[name]) for name in references(values) if name in environ]
