"""``skill-explorer.toml``: how a workspace wants its findings weighed. Inert: it can start, trust or fetch nothing."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from core.diagnostics import Diagnostic, Place, Severity
from core.diagnostics.catalogue import catalogue
from core.diagnostics.rules.settings import BAD_SETTING
from core.language.reading import Unreadable, read_workspace_file
from core.text import nearest

FILE = "skill-explorer.toml"
OFF = "off"


@dataclass(frozen=True, slots=True)
class Ignore:
    """Codes (or families) that do not count in files whose path matches ``path``."""

    path: str
    codes: tuple[str, ...]

    def covers(self, found: Diagnostic) -> bool:
        """Whether ``found`` is ignored by this entry."""
        return fnmatchcase(found.place.path, self.path) and matches(found.code, self.codes)


@dataclass(frozen=True, slots=True)
class Settings:
    """Severities by code (None switches a rule off) and ignores by path."""

    severities: dict[str, Severity | None]
    ignores: tuple[Ignore, ...] = ()

    def weigh(self, found: Diagnostic) -> Diagnostic | None:
        """Return ``found`` with the severity that counts here, or None when it does not count."""
        if any(ignore.covers(found) for ignore in self.ignores):
            return None
        severity = self.severities.get(found.code, found.severity)
        return None if severity is None else found.with_severity(severity)


def matches(code: str, patterns: tuple[str, ...]) -> bool:
    """Whether ``code`` is one of ``patterns``, each a code or a family."""
    return any(code == p or code.startswith(p.rstrip("/") + "/") for p in patterns)


def read_settings(root: Path) -> tuple[Settings, list[Diagnostic]]:
    """Return the settings of the workspace at ``root``; what cannot be used is said and left out."""
    if not os.path.lexists(root / FILE):
        return Settings({}), []
    try:
        data = tomllib.loads(read_workspace_file(root, FILE))
    except (Unreadable, OSError, ValueError) as error:
        return Settings({}), [BAD_SETTING.at(Place(FILE), f"`{FILE}` cannot be read: {error}")]
    return _Reader().read(data)


class _Reader:
    """Reads the document key by key; TOML gives no positions, so each message names its key."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []

    def read(self, data: dict[str, Any]) -> tuple[Settings, list[Diagnostic]]:
        for key in data.keys() - {"severity", "ignore"}:
            self._say(f"`{key}` is no setting; there are `severity` and `ignore`")
        severities: dict[str, Severity | None] = {}
        for code, value in self._mapping(data, "severity"):
            self._add_severity(severities, code, value)
        ignores = data.get("ignore", [])
        if not isinstance(ignores, list):
            self._say("`ignore` must be written as [[ignore]] tables")
            ignores = []
        return Settings(severities, tuple(i for e in ignores if (i := self._ignore(e)))), self.found

    def _mapping(self, data: dict[str, Any], key: str) -> list[tuple[str, Any]]:
        value = data.get(key, {})
        if isinstance(value, dict):
            return list(value.items())
        self._say(f"`{key}` must be a table")
        return []

    def _add_severity(self, severities: dict[str, Severity | None], code: str, value: Any) -> None:
        if code not in catalogue():
            near = nearest(code, catalogue())
            self._say(f"`{code}` is no diagnostic" + (f"; did you mean `{near[0]}`?" if near else ""))
        elif value == OFF:
            severities[code] = None
        elif value in list(Severity):
            severities[code] = Severity(value)
        else:
            self._say(f"the severity of `{code}` must be error, warning, info or off")

    def _ignore(self, entry: Any) -> Ignore | None:
        path, codes = (entry.get("path"), entry.get("codes")) if isinstance(entry, dict) else (None, None)
        if isinstance(path, str) and isinstance(codes, list) and all(isinstance(c, str) for c in codes):
            return Ignore(path, tuple(codes))
        self._say('an [[ignore]] table needs `path = "glob"` and `codes = ["code", …]`')
        return None

    def _say(self, message: str) -> None:
        self.found.append(BAD_SETTING.at(Place(FILE), message))
