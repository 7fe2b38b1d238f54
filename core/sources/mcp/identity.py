"""What an approval of a server covers: digest, dialog lines and warnings (resolution, part 5)."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from core.diagnostics import Place
from core.model.discovery import DiscoveredServer, DiscoveredTool
from core.sources.identity import (
    ExecutionIdentity,
    digest_of,
    loader_variables,
    make_identity,
    sha256_of,
)
from core.sources.mcp.secrets import shown
from core.sources.mcp.spec import STDIO, ServerSpec

NOT_SANDBOXED = (
    "not sandboxed: the server runs as you, can read and change your files and use the network; its effects are real"
)
REMOTE = "a remote server: its effects are real, and it is sent the arguments of each call"

_PYTHON = (".py", ".pyc", ".so", ".pyd")
_CODE = (*_PYTHON, ".pyi", ".js", ".mjs", ".cjs", ".ts", ".node", ".wasm", ".sh", ".rb", ".pl", ".lua", ".php", ".jar")
_SKIPPED = {".git"}
_MOST_FILES = 2000
_MOST_SHOWN = 20
_MOST_BYTES = 50 << 20


def isolation_of(spec: ServerSpec) -> str:
    """Return in a sentence where the effects of the server's tools take place."""
    return NOT_SANDBOXED if spec.transport == STDIO else REMOTE


def server_identity(spec: ServerSpec, place: Place) -> ExecutionIdentity:
    """Return what an approval of ``spec`` covers; reads the workspace files it names, runs nothing."""
    code = _code_of(spec)
    return make_identity(
        _kind(spec),
        f"MCP server {spec.label}",
        place,
        spec.root,
        _parts(spec, code),
        details=_details(spec, code),
        warnings=_warnings(spec, code),
    )


def server_digest(spec: ServerSpec) -> str:
    """Return the digest of ``server_identity`` as things are now."""
    return digest_of(_kind(spec), spec.root, _parts(spec, _code_of(spec)))


def listing_digest(server: DiscoveredServer) -> str:
    """Return a digest over names, descriptions and schemas of the tools: it tells a changed listing from an old one."""
    return digest_of("mcp-listing", Path("/"), {tool.name: tool_digest(tool) for tool in server.tools})


def tool_digest(tool: DiscoveredTool) -> str:
    """Return a digest over all that a server says of one tool."""
    said = [tool.name, tool.description, tool.annotations, tool.input_schema, tool.output_schema, tool.problem]
    return digest_of("mcp-tool", Path("/"), {"said": said})


def _kind(spec: ServerSpec) -> str:
    return "mcp-stdio" if spec.transport == STDIO else "mcp-http"


def _parts(spec: ServerSpec, code: _Code) -> dict[str, Any]:
    return {
        "transport": spec.transport,
        "program": spec.program,
        "argv": list(spec.argv),
        "cwd": spec.cwd,
        "url": spec.url,
        "env": dict(spec.env),
        "headers": dict(spec.headers),
        "host_variables": list(spec.host_variables),
        "files": code.files,
        "links": code.links,
        "complete": code.complete,
        "isolation": isolation_of(spec),
    }


def _details(spec: ServerSpec, code: _Code) -> Iterator[tuple[str, str]]:
    if spec.transport == STDIO:
        yield "program", spec.program
        for index, word in enumerate(spec.argv):
            yield f"argument {index}", word
        yield "working folder", spec.cwd
    else:
        yield "URL", spec.url
        yield "transport", spec.transport
    for label, declared in (("environment", spec.env), ("header", spec.headers)):
        for name, value in declared.items():
            yield f"{label} {name}", value if loader_variables([name]) else shown(value)
    for path, target in list(code.links.items())[:_MOST_SHOWN]:
        yield f"link {path}", f"leads to {target}"
    for path, digest in list(code.files.items())[:_MOST_SHOWN]:
        yield f"file {path}", f"sha256 {digest}"
    if len(code.files) > _MOST_SHOWN:
        whole = sha256_of(json.dumps(code.files, sort_keys=True).encode())
        yield "all files", f"{len(code.files):,} files, sha256 {whole}"
    yield "isolation", isolation_of(spec)


def _warnings(spec: ServerSpec, code: _Code) -> Iterator[str]:
    if loaders := loader_variables(spec.env):
        yield f"changes which program or library runs: {', '.join(loaders)}"
    if spec.host_variables:
        yield f"is given these variables of your environment: {', '.join(spec.host_variables)}"
    if code.modules:
        yield f"runs code of the workspace: {', '.join(code.modules)}"
    if not code.complete:
        yield f"names more code of the workspace than is covered (over {_MOST_FILES:,} files or 50 MiB)"


def runs_python_of_workspace(spec: ServerSpec) -> bool:
    """Whether the command names Python code of the workspace, which must leave no compiled files beside itself."""
    named = (os.path.realpath(path) for path in _named(spec)) if spec.transport == STDIO else ()
    return any(_inside(path, os.path.realpath(spec.root)) and _is_python(path) for path in named)


def _is_python(path: str) -> bool:
    return path.endswith(_PYTHON) or os.path.exists(os.path.join(path, "__main__.py"))


@dataclass(slots=True)
class _Code:
    """Workspace files that the command names, by relative path, and the code files beside them.

    ``links`` says where the links among them lead.
    """

    files: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    modules: list[str] = field(default_factory=list)
    complete: bool = True
    size: int = 0


def _code_of(spec: ServerSpec) -> _Code:
    code = _Code()
    if spec.transport != STDIO:
        return code
    root = os.path.realpath(spec.root)
    for path in _named(spec):
        real = os.path.realpath(path)
        if os.path.normpath(path) != os.path.normpath(os.path.join(spec.root, os.path.relpath(real, root))):
            code.links[os.path.relpath(path, spec.root)] = os.path.relpath(real, root)
        if not _inside(real, root):
            continue
        if os.path.isdir(real):
            _add_tree(code, real, root)
        elif _add(code, real, root) and real.endswith(_CODE):
            code.modules.append(os.path.relpath(real, root))
            _add_tree(code, os.path.dirname(real), root)
    return code


def _inside(path: str, root: str) -> bool:
    return os.path.commonpath([root, path]) == root


def _named(spec: ServerSpec) -> Iterator[str]:
    """Yield the paths that words of the command may mean: files, ``--option=file``, and modules after ``-m``."""
    for before, word in pairwise(spec.argv):
        names = [word, word.partition("=")[2]] if word.startswith("-") else [word]
        if before == "-m":
            module = word.replace(".", os.sep)
            names += [module, f"{module}.py"]
        for name in filter(None, names):
            path = os.path.join(spec.cwd, name)
            if os.path.exists(path):
                yield path


def _add_tree(code: _Code, folder: str, root: str) -> None:
    """Add the code below ``folder``, and below the folders of the workspace that links in it lead to, each once."""
    waiting = [folder]
    while waiting:
        for parent, folders, files in os.walk(waiting.pop()):
            folders[:] = sorted(name for name in folders if name not in _SKIPPED)
            if parent in code.folders or not code.complete:
                folders.clear()
                continue
            code.folders.add(parent)
            waiting += _linked_folders(code, parent, folders, root)
            for name in sorted(files):
                if name.endswith(_CODE) and code.complete:
                    _add_file(code, os.path.join(parent, name), root)


def _linked_folders(code: _Code, parent: str, names: list[str], root: str) -> Iterator[str]:
    for path in (os.path.join(parent, name) for name in names):
        if os.path.islink(path):
            real = os.path.realpath(path)
            code.links[os.path.relpath(path, root)] = os.path.relpath(real, root)
            if _inside(real, root):
                yield real


def _add_file(code: _Code, path: str, root: str) -> None:
    if not os.path.islink(path):
        _add(code, path, root)
        return
    real = os.path.realpath(path)
    code.links[os.path.relpath(path, root)] = os.path.relpath(real, root)
    if _inside(real, root):
        _add(code, real, root)


def _add(code: _Code, path: str, root: str) -> bool:
    """Add the digest of a regular file that lies in the workspace; whether it is there now."""
    relative = os.path.relpath(path, root)
    if relative in code.files:
        return True
    try:
        facts = os.lstat(path)
        if not stat.S_ISREG(facts.st_mode):
            return False
        code.size += facts.st_size
        if len(code.files) >= _MOST_FILES or code.size > _MOST_BYTES:
            code.complete = False
            return False
        with open(path, "rb") as file:
            code.files[relative] = sha256_of(file.read(_MOST_BYTES))
    except OSError:
        code.files[relative] = "unreadable"
    return True
