"""Findings as a workspace wants them: weighed by its settings, silenced by comments, without secrets, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import NamedTuple

from core.diagnostics import Diagnostic
from core.resolve.validate import without_idle_overrides
from core.workspace.alias_fixes import without_alias_fixes
from core.workspace.masking import without_secrets
from core.workspace.settings import Settings
from core.workspace.suppress import without_suppressed

_NONE: list[Diagnostic] = []


class _Heard(NamedTuple):
    """What came of one file's findings, and what it came from."""

    read: list[Diagnostic]
    across: list[Diagnostic]
    stamp: object
    heard: list[Diagnostic]


class Weighing:
    """Weighs file by file; a file that says what it said, with the same findings, is not looked at again.

    ``text_of`` gives a file's text, or None when it cannot be read; ``stamp_of`` something that differs once the file
    has changed, or None where that isn't known.
    """

    def __init__(self, text_of: Callable[[str], str | None], stamp_of: Callable[[str], object | None]) -> None:
        self._text_of = text_of
        self._stamp_of = stamp_of
        self._settings: Settings | None = None
        self._known: dict[str, _Heard] = {}

    def heard(
        self, read: Iterable[Diagnostic], across: Mapping[str, list[Diagnostic]], settings: Settings
    ) -> tuple[Diagnostic, ...]:
        """Return what is heard of the findings of reading and, by path, of resolution; sorted."""
        by_path: dict[str, list[Diagnostic]] = {}
        for found in read:
            by_path.setdefault(found.place.path, []).append(found)
        before = self._known if settings == self._settings else {}
        text_of = cache(self._text_of)
        known = {
            path: self._of_file(path, by_path.get(path, _NONE), across.get(path, _NONE), settings, before, text_of)
            for path in sorted(by_path.keys() | across.keys())
        }
        self._known, self._settings = known, settings
        return tuple(found for file in known.values() for found in file.heard)

    def _of_file(
        self,
        path: str,
        read: list[Diagnostic],
        across: list[Diagnostic],
        settings: Settings,
        before: Mapping[str, _Heard],
        text_of: Callable[[str], str | None],
    ) -> _Heard:
        stamp = self._stamp_of(path)
        known = before.get(path)
        if known and stamp is not None and known.stamp == stamp and known.read == read and known.across == across:
            return known
        weighed = (settings.weigh(found) for found in without_idle_overrides(read, across))
        counting = (found for found in weighed if found is not None)
        heard = without_secrets(without_alias_fixes(without_suppressed(counting, text_of), text_of), text_of)
        return _Heard(read, across, stamp, sorted(dict.fromkeys(heard), key=Diagnostic.sort_key))
