"""Keeps what servers are given in confidence out of what calls say, and out of what is stored of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core.protocol import SkillResult
from core.resolve.catalogue import Catalogue

if TYPE_CHECKING:
    from core.runtime.call import CallEvent, CallOutcome, EventSink
    from core.sources.mcp.redactor import Redactor


class Confidence:
    """Masks every secret of the ``env`` and ``headers`` of all servers, as written and as expanded."""

    def __init__(self, catalogue: Catalogue, environ: Mapping[str, str] | None = None) -> None:
        models = [entry.decl.model for entry in catalogue.servers()]
        self._models = [model for model in models if model.env or model.headers]
        self._environ = os.environ if environ is None else environ

    @cached_property
    def _redactor(self) -> Redactor | None:
        if not self._models:
            return None
        from core.sources.mcp.redactor import Redactor
        from core.sources.mcp.secrets import of_host

        env = [pair for model in self._models for pair in _values(model.env, self._environ)]
        headers = [text for model in self._models for _, text in _values(model.headers, self._environ)]
        host = of_host([*(text for _, text in env), *headers], self._environ)
        return Redactor([*env, *host], headers)

    def kept(self, value: Any) -> Any:
        """Return the JSON ``value`` without any secret."""
        return value if self._redactor is None else self._redactor.tree(value)

    def kept_result(self, result: SkillResult) -> SkillResult:
        """Return ``result`` without any secret."""
        return result if self._redactor is None else SkillResult(**self.kept(result.model_dump()))

    def kept_outcome(self, outcome: CallOutcome) -> CallOutcome:
        """Return ``outcome`` without any secret; what would be carried over stays as it is."""
        if self._redactor is None:
            return outcome
        text = self._redactor.text
        return replace(
            outcome,
            result=self.kept_result(outcome.result),
            log=tuple(map(self._event, outcome.log)),
            diffs=tuple(replace(d, path=text(d.path), diff=text(d.diff)) for d in outcome.diffs),
        )

    def listener(self, events: EventSink | None) -> EventSink | None:
        """Return what tells ``events`` everything without secrets."""
        if events is None or not self._models:
            return events
        return lambda event: events(self._event(event))

    def _event(self, event: CallEvent) -> CallEvent:
        return replace(event, text=self.kept(event.text), data=self.kept(event.data))


def _values(declared: Mapping[str, Any] | None, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    from core.sources.mcp.secrets import expand, references

    for name, secret in (declared or {}).items():
        written = secret.get_secret_value()
        yield name, written
        yield name, expand(written, references([written]), environ)[0]
