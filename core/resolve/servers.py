"""MCP servers as skills use them: the one definition behind equal declarations, and the tools it gives."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from core.language.declarations import OverrideDecl, ServerDecl, ServerFile
from core.language.tree import SourceText, Span
from core.model.discovery import DiscoveredServer, DiscoveredTool
from core.resolve.views import ServerEntry

DEFAULT_TIMEOUT_S = 30


class Named(NamedTuple):
    """A tool as an allow-list or an exclude-list names it."""

    name: str
    span: Span
    source: SourceText


@dataclass(slots=True)
class ServerUse:
    """One entry of a skill's ``mcp_servers`` with its definition: its own, or that of the server file it refers to.

    ``tools`` are the names that it contributes with what discovery said of each (None: not discovered); ``unknown``
    says that the server may have tools nobody has listed; ``absent`` are listed names that the server doesn't offer.
    """

    key: str
    decl: ServerDecl
    source: SourceText
    tools: tuple[tuple[str, DiscoveredTool | None], ...]
    unknown: bool
    overrides: tuple[tuple[OverrideDecl, SourceText], ...]
    absent: tuple[Named, ...] = ()
    error: str | None = None

    @property
    def label(self) -> str:
        """The prefix of its tools' names."""
        return self.decl.label

    @property
    def timeout(self) -> int:
        """Seconds for each request."""
        return self.decl.model.timeout or DEFAULT_TIMEOUT_S


def server_key(decl: ServerDecl) -> str:
    """Return the same key for declarations that start the same program or reach the same address in the same way."""
    model = decl.model
    parts: list[Any] = [model.server, model.args, model.transport, model.cwd, bool(model.legacy)]
    parts += [sorted((k, v.get_secret_value()) for k, v in (m or {}).items()) for m in (model.env, model.headers)]
    digest = blake2b(json.dumps(parts).encode(), digest_size=8)
    return f"{decl.label}#{digest.hexdigest()}"


@dataclass(slots=True)
class Servers:
    """Every server of a workspace: those of the server files by label, and the distinct definitions by key."""

    discovered: Mapping[str, DiscoveredServer]
    by_label: dict[str, list[tuple[ServerDecl, SourceText]]] = field(default_factory=dict)
    """The servers of the server files; of several with one label the first counts."""
    shared: dict[str, tuple[ServerDecl, SourceText]] = field(default_factory=dict)
    _definitions: dict[str, tuple[ServerDecl, SourceText]] = field(default_factory=dict)
    _users: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Iterable[ServerFile], discovered: Mapping[str, DiscoveredServer]) -> Servers:
        """Collect the servers of ``files``; of two with one label the first counts, the root's file before others."""
        servers = cls(discovered)
        for file in sorted(files, key=lambda f: (f.source.path.count("/"), f.source.path)):
            for decl in file.servers:
                servers.by_label.setdefault(decl.label, []).append((decl, file.source))
        servers.shared = {label: found[0] for label, found in servers.by_label.items()}
        for decl, source in servers.shared.values():
            servers._definitions.setdefault(server_key(decl), (decl, source))
        return servers

    def entries(self) -> tuple[ServerEntry, ...]:
        """Return the distinct servers, by label and key."""
        found = (
            ServerEntry(key, decl, source, tuple(sorted(self._users.get(key, ()))))
            for key, (decl, source) in self._definitions.items()
        )
        return tuple(sorted(found, key=lambda entry: (entry.decl.label, entry.key)))

    def use(self, decl: ServerDecl, source: SourceText, skill: str) -> ServerUse | None:
        """Return how ``skill`` uses the server of its entry ``decl``; None when it refers to one that isn't there."""
        listed = _Listed.of(decl, source)
        definition, where = decl, source
        if decl.reference:
            if decl.label not in self.shared:
                return None
            definition, where = self.shared[decl.label]
            listed = _Listed.of(definition, where).narrowed(listed)
        key = server_key(definition)
        definition, where = self._definitions.setdefault(key, (definition, where))
        users = self._users.setdefault(key, [])
        if not users or users[-1] != skill:
            users.append(skill)
        return _use(key, definition, where, listed, self.discovered.get(key))


@dataclass(slots=True)
class _Listed:
    allow: tuple[Named, ...] | None
    exclude: tuple[Named, ...]
    overrides: tuple[tuple[OverrideDecl, SourceText], ...]
    lost: tuple[Named, ...] = ()

    @classmethod
    def of(cls, decl: ServerDecl, source: SourceText) -> _Listed:
        allow = None if decl.allow is None else tuple(Named(*named, source) for named in decl.allow)
        exclude = tuple(Named(*named, source) for named in decl.exclude)
        return cls(allow, exclude, tuple((override, source) for override in decl.overrides))

    def narrowed(self, inner: _Listed) -> _Listed:
        """Return what is left when ``inner`` is applied to this definition's own lists."""
        lost: tuple[Named, ...] = ()
        allow = inner.allow
        if allow is None:
            allow = self.allow
        elif self.allow is not None:
            shared = {named.name for named in self.allow}
            lost = tuple(named for named in allow if named.name not in shared)
            allow = tuple(named for named in allow if named.name in shared)
        return _Listed(allow, (*self.exclude, *inner.exclude), (*self.overrides, *inner.overrides), lost)


def _use(key: str, decl: ServerDecl, source: SourceText, listed: _Listed, found: DiscoveredServer | None) -> ServerUse:
    excluded = {named.name for named in listed.exclude}
    if found is None or found.error is not None:
        names = dict.fromkeys(n.name for n in listed.allow or () if n.name not in excluded)
        stubs = tuple((name, None) for name in names)
        error = found.error if found else None
        return ServerUse(key, decl, source, stubs, listed.allow is None, listed.overrides, listed.lost, error)
    live = {tool.name: tool for tool in reversed(found.tools)}
    order = [t.name for t in found.tools] if listed.allow is None else [n.name for n in listed.allow]
    tools = tuple((name, live[name]) for name in dict.fromkeys(order) if name in live and name not in excluded)
    absent = tuple(named for named in (*(listed.allow or ()), *listed.exclude) if named.name not in live)
    return ServerUse(key, decl, source, tools, False, listed.overrides, (*listed.lost, *absent))
