"""``skill-explorer.toml``: how a workspace wants its findings weighed. Inert: it can start, trust or fetch nothing."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from core.diagnostics import Diagnostic, Place, Severity
from core.diagnostics.catalogue import families, unknown_code
from core.diagnostics.rules.settings import BAD_SETTING
from core.language.reading import Unreadable, read_workspace_file
from core.language.tree import SourceText
from core.model.reading import GRANTING, NO_TRUST, did_you_mean, shown
from core.text import display
from core.workspace.toml_places import Path as TomlPath
from core.workspace.toml_places import toml_places

FILE = "skill-explorer.toml"
OFF = "off"
TABLES = ("severity", "ignore")
_ENTRY_KEYS = ("path", "codes")
_ENTRY = 'write `path = "glob"` and `codes = ["code", ...]`'
_POSITION = re.compile(r"\(at line (\d+), column (\d+)\)")
SIZE_LIMIT = 1 << 14
MOST_FINDINGS = 100


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
    """Return the settings of the workspace at ``root``; what cannot be used is said at its place and left out."""
    if not os.path.lexists(root / FILE):
        return Settings({}), []
    try:
        text = read_workspace_file(root, FILE, SIZE_LIMIT)
    except Unreadable as error:
        place = error.diagnostic.place
        return Settings({}), [BAD_SETTING.at(place, f"`{FILE}` cannot be read: {error.message}", hint=error.hint)]
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        return Settings({}), [_no_toml(str(error), SourceText(FILE, text))]
    return _Reader(text).read(data)


def _no_toml(error: str, source: SourceText) -> Diagnostic:
    """Return the finding for what ``tomllib`` says; it names a line and a column, or the end of the document."""
    found = _POSITION.search(error)
    line, column = (int(found[1]), int(found[2])) if found else source.line_column(source.length)
    what = error.partition(" (at ")[0]
    what = f"{what[:1].lower()}{what[1:]}" if what else "it is nested too deeply"
    return BAD_SETTING.at(Place(FILE, line, column), f"`{FILE}` is not TOML: {display(what, 200)}")


class _Reader:
    """Reads the document key by key."""

    def __init__(self, text: str) -> None:
        self.found: list[Diagnostic] = []
        self._source = SourceText(FILE, text)
        self._places = toml_places(text)

    def read(self, data: dict[str, Any]) -> tuple[Settings, list[Diagnostic]]:
        self._check_keys(data, (), TABLES, "setting")
        severities: dict[str, Severity | None] = {}
        table = data.get("severity", {})
        if isinstance(table, dict):
            for code, value in table.items():
                self._add_severity(severities, code, value)
        else:
            self._say(("severity",), "`severity` must be a table", "write `[severity]` above its entries")
        ignores = data.get("ignore", [])
        if not isinstance(ignores, list):
            self._say(("ignore",), "`ignore` must be a list of tables", "write `[[ignore]]` above each entry")
            ignores = []
        read = [self._ignore(("ignore", number), entry) for number, entry in enumerate(ignores)]
        return Settings(severities, tuple(ignore for ignore in read if ignore is not None)), self.found

    def _check_keys(self, table: dict[str, Any], path: TomlPath, known: tuple[str, ...], what: str) -> None:
        for key in table:
            if key in known:
                continue
            hint = did_you_mean(key, known) or "delete it"
            if key in GRANTING:
                hint = NO_TRUST
            names = " and ".join(f"`{name}`" for name in known)
            message = f"{shown(key)} is no {what}, of which there are {names}"
            self._say((*path, key), message, hint, on_key=True)

    def _add_severity(self, severities: dict[str, Severity | None], code: str, value: Any) -> None:
        path = ("severity", code)
        hint = unknown_code(code, whole_families=False)
        if hint is not None:
            what = "a family, where a single code is wanted" if code.rstrip("/*") in families() else "no diagnostic"
            self._say(path, f"{shown(code)} is {what}", hint, on_key=True)
        elif value == OFF:
            severities[code] = None
        elif value in list(Severity):
            severities[code] = Severity(value)
        else:
            allowed = (*Severity, OFF)
            near = did_you_mean(value, allowed) if isinstance(value, str) else None
            message = f"the severity of {shown(code)} must be error, warning, info or off"
            self._say(path, message, near or f'write "{Severity.WARNING}", for example')

    def _ignore(self, at: TomlPath, entry: Any) -> Ignore | None:
        if not isinstance(entry, dict):
            self._say(at, "an entry of `ignore` must be a table", _ENTRY)
            return None
        self._check_keys(entry, at, _ENTRY_KEYS, "key of an [[ignore]] table")
        path, codes = entry.get("path"), entry.get("codes")
        if any(key not in entry for key in _ENTRY_KEYS):
            if entry.keys() <= set(_ENTRY_KEYS):
                self._say(at, "an [[ignore]] table needs `path` and `codes`", _ENTRY)
        elif not isinstance(path, str):
            self._say((*at, "path"), "`path` must be text", _ENTRY)
        elif not isinstance(codes, list):
            self._say((*at, "codes"), "`codes` must be a list of codes", _ENTRY)
        else:
            known = [code for number, code in enumerate(codes) if self._is_code((*at, "codes", number), code)]
            return Ignore(path, tuple(known))
        return None

    def _is_code(self, at: TomlPath, code: Any) -> bool:
        if not isinstance(code, str):
            self._say(at, "a code must be text", _ENTRY)
            return False
        hint = unknown_code(code)
        if hint is not None:
            self._say(at, f"{shown(code)} is no diagnostic", hint)
        return hint is None

    def _say(self, at: TomlPath, message: str, hint: str, *, on_key: bool = False) -> None:
        span = self._places.keys.get(at) if on_key else self._places.values.get(at) or self._places.keys.get(at)
        place = Place(FILE) if span is None else self._source.place(span)
        if len(self.found) < MOST_FINDINGS:
            self.found.append(BAD_SETTING.at(place, message, hint=hint))
