"""Keeps what servers are given in confidence out of what is stored."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from core.resolve.catalogue import Catalogue


def redacted(catalogue: Catalogue, value: Any, environ: Mapping[str, str] | None = None) -> Any:
    """Return the JSON ``value`` without any secret of a server's ``env`` or ``headers``, as written or as expanded."""
    models = [entry.decl.model for entry in catalogue.servers() if entry.decl.model.env or entry.decl.model.headers]
    if not models:
        return value
    from core.sources.mcp.secrets import Redactor

    host = os.environ if environ is None else environ
    env = [pair for model in models for pair in _values(model.env, host)]
    headers = [text for model in models for _, text in _values(model.headers, host)]
    return Redactor(env, headers).tree(value)


def _values(declared: Mapping[str, Any] | None, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    from core.sources.mcp.secrets import expand, references

    for name, secret in (declared or {}).items():
        written = secret.get_secret_value()
        yield name, written
        yield name, expand(written, references([written]), environ)[0]
