"""Findings about a server's ``env`` and ``headers`` that repeat a value: told without it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from core.diagnostics import Diagnostic, Place
from core.language.confidential import Secret, may_hold_secrets, secrets_in
from core.language.tree import SourceText
from core.language.yaml_scalars import spellings

_HIDDEN = "••••••"
_LONG = 6


def without_secrets(found: Iterable[Diagnostic], text_of: Callable[[str], str | None]) -> Iterator[Diagnostic]:
    """Yield each finding; one at a secret hides it, and a fix that spells it out is confidential."""
    files: dict[str, _File | None] = {}
    for diagnostic in found:
        path = diagnostic.place.path
        if path not in files:
            files[path] = _File.of(path, text_of) if may_hold_secrets(path) else None
        file = files[path]
        yield diagnostic if file is None else file.hide(diagnostic)


class _File:
    def __init__(self, path: str, text: str, secrets: list[Secret]) -> None:
        self._text = text
        self._source = SourceText(path, text)
        self._secrets = secrets
        self._ends = [secret.end for secret in secrets]

    @classmethod
    def of(cls, path: str, text_of: Callable[[str], str | None]) -> _File | None:
        text = text_of(path)
        secrets = secrets_in(text) if text else []
        return cls(path, text, secrets) if text and secrets else None

    def hide(self, found: Diagnostic) -> Diagnostic:
        edits = found.fix.edits if found.fix else ()
        places = [found.place, *(edit.place for edit in edits if edit.place.path == found.place.path)]
        told = _told(value for place in places for value in self._values(place))
        if told is None:
            return found
        fix = found.fix
        if fix is not None and any(told.search(edit.text) for edit in fix.edits):
            fix = replace(fix, title=told.sub(_HIDDEN, fix.title), confidential=True)
        return replace(
            found,
            message=told.sub(_HIDDEN, found.message),
            hint=told.sub(_HIDDEN, found.hint) if found.hint else found.hint,
            fix=fix,
            related=tuple(replace(item, message=told.sub(_HIDDEN, item.message)) for item in found.related),
        )

    def _values(self, place: Place) -> Iterator[str]:
        """Yield the values, as written, that ``place`` touches: each that it lies in, and of others what tells much.

        A finding about a whole server would lose words of its own to `env: {MODE: text}`.
        """
        from core.sources.mcp.secrets import is_secret

        start = self._source.offset(place.line, place.column)
        end = self._source.offset(place.end_line or place.line, place.end_column or place.column)
        for secret in self._secrets[bisect_left(self._ends, start + 1) :]:
            if secret.start >= max(start + 1, end):
                return
            value = self._text[secret.start : secret.end]
            inside = secret.start <= start and end <= secret.end
            if inside and start < end:
                yield self._text[start:end]
            if inside or len(value) >= _LONG or is_secret(secret.name, value.strip("\"'")):
                yield value


def _told(values: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds each of ``values`` in a sentence, however findings spell it; a short one as a word only."""
    forms = {form for value in values for form in spellings(value) if form}
    if not forms:
        return None
    ordered = sorted(forms, key=len, reverse=True)
    return re.compile("|".join(re.escape(f) if len(f) >= _LONG else rf"(?<!\w){re.escape(f)}(?!\w)" for f in ordered))
