"""Findings about a server's ``env`` and ``headers`` that repeat a secret: told without it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from core.diagnostics import Diagnostic
from core.language.confidential import Secret, may_hold_secrets, secrets_in
from core.language.tree import SourceText

_HIDDEN = "••••••"


def without_secrets(found: Iterable[Diagnostic], text_of: Callable[[str], str | None]) -> Iterator[Diagnostic]:
    """Yield each finding; one at a secret hides it, and has no fix, since that would have to spell it out."""
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
        place = found.place
        start = self._source.offset(place.line, place.column)
        end = self._source.offset(place.end_line or place.line, place.end_column or place.column)
        message, hint = found.message, found.hint
        for value in self._values(start, max(start + 1, end)):
            message = message.replace(value, _HIDDEN)
            hint = hint.replace(value, _HIDDEN) if hint else hint
        if (message, hint) == (found.message, found.hint):
            return found
        return replace(found, message=message, hint=hint, fix=None)

    def _values(self, start: int, end: int) -> Iterator[str]:
        from core.sources.mcp.secrets import is_secret

        for secret in self._secrets[bisect_left(self._ends, start + 1) :]:
            if secret.start >= end:
                return
            value = self._text[secret.start : secret.end].strip("\"'")
            if value and is_secret(secret.name, value):
                yield value
