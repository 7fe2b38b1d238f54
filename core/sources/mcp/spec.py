"""What a server's declaration comes to: how it would be reached, without reaching it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from core.model import SkillMcpSource
from core.sources.mcp.failures import ConnectFailure, ServerRefused
from core.sources.mcp.secrets import expand, references
from core.sources.program import ProgramRefused, clean_path, is_inside, resolve_program

DEFAULT_TIMEOUT_S = 30
STDIO, STREAMABLE_HTTP, SSE = "stdio", "streamable-http", "sse"
_INHERITED = ("HOME", "LANG", "LC_ALL", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TZ", "USER")


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """One server: for stdio ``program``, ``argv`` and ``cwd``, else ``url``; ``env`` and ``headers`` as written."""

    label: str
    root: Path
    transport: str
    program: str = ""
    argv: tuple[str, ...] = ()
    cwd: str = ""
    url: str = ""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout_s: float = DEFAULT_TIMEOUT_S
    legacy: bool = False

    @property
    def host_variables(self) -> tuple[str, ...]:
        """The variables of the user's environment that env and headers may read."""
        return references([*self.env.values(), *self.headers.values()])

    @property
    def key(self) -> str:
        """The same for two declarations that ask for the same server; holds no secret."""
        return repr((self.transport, self.program, self.argv, self.cwd, self.url, hash(self._values())))

    def _values(self) -> tuple[object, ...]:
        values = (tuple(sorted(self.env.items())), tuple(sorted(self.headers.items())))
        return (*values, self.timeout_s, self.legacy, self.root, self.label)


def read_spec(label: str, model: SkillMcpSource, root: Path, environ: Mapping[str, str]) -> ServerSpec:
    """Return how the server of ``model`` would be reached.

    Raises:
        ServerRefused: it may not be started: its program or folder is where it must not be.
        ConnectFailure: it cannot be started: no such program, or a command or URL that makes no sense.
    """
    env = {name: value.get_secret_value() for name, value in (model.env or {}).items()}
    headers = {name: value.get_secret_value() for name, value in (model.headers or {}).items()}
    timeout = float(model.timeout or DEFAULT_TIMEOUT_S)
    legacy = bool(model.legacy)
    if is_url(model):
        url, transport = _checked_url(model.server), model.transport or _http_transport(model.server)
        return ServerSpec(label, root, transport, url=url, headers=headers, timeout_s=timeout, legacy=legacy)
    argv, cwd = _argv(model), _folder(model.cwd, root)
    try:
        program = resolve_program(argv[0], root, environ, cwd)
    except ProgramRefused as refused:
        raise (ServerRefused if refused.inside else ConnectFailure)(str(refused)) from refused
    return ServerSpec(label, root, STDIO, program, argv, cwd, env=env, timeout_s=timeout, legacy=legacy)


def is_url(model: SkillMcpSource) -> bool:
    """Whether ``model`` is reached over HTTP."""
    if model.transport is not None:
        return model.transport != STDIO
    return model.server.lower().startswith(("http://", "https://"))


def _http_transport(url: str) -> str:
    return SSE if urlsplit(url).path.rstrip("/").endswith("/sse") else STREAMABLE_HTTP


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        known = parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or any(c <= " " for c in url):
        raise ConnectFailure("the server's URL is no http:// or https:// address")
    return url


def _argv(model: SkillMcpSource) -> tuple[str, ...]:
    try:
        words = shlex.split(model.server)
    except ValueError as error:
        raise ConnectFailure(f"the server's command line cannot be split: {error}") from error
    if not words:
        raise ConnectFailure("the server's command line is empty")
    if any("\0" in word for word in words):
        raise ConnectFailure("the server's command line holds a NUL character")
    return tuple(words)


def _folder(cwd: str | None, root: Path) -> str:
    folder = os.path.normpath(os.path.join(root, cwd or "."))
    if "\0" in folder or not os.path.isdir(folder):
        raise ConnectFailure(f"the server's working folder {cwd!r} does not exist")
    if not is_inside(os.path.realpath(folder), root):
        raise ServerRefused(f"the server's working folder {cwd!r} lies outside the workspace")
    return folder


@dataclass(frozen=True, slots=True)
class Expanded:
    """``env`` and ``headers`` ready for use; ``unset`` names the host variables that were missing."""

    env: dict[str, str] = field(repr=False)
    headers: dict[str, str] = field(repr=False)
    unset: tuple[str, ...] = ()


def expand_spec(spec: ServerSpec, environ: Mapping[str, str]) -> Expanded:
    """Return what ``spec`` declares with the host variables that it lists filled in from ``environ``."""
    env = {name: expand(value, spec.host_variables, environ) for name, value in spec.env.items()}
    headers = {name: expand(value, spec.host_variables, environ) for name, value in spec.headers.items()}
    missing = {name for _, unset in (*env.values(), *headers.values()) for name in unset}
    return Expanded(
        {name: value for name, (value, _) in env.items()},
        {name: value for name, (value, _) in headers.items()},
        tuple(sorted(missing)),
    )


def child_environment(root: Path, declared: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """Return the whole environment of a server: a few of the user's names, a clean PATH, and what it declares."""
    base = {name: environ[name] for name in _INHERITED if name in environ}
    return {**base, "PATH": clean_path(root, environ), **declared}
