"""The code of a custom tool as it is now: what an approval covers is what the worker is given, byte for byte."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from core.language.containment import Uncontained, contained
from core.language.reading import Unreadable, read_workspace_file
from core.resolve.views import CustomDefinition
from core.sources.identity import sha256_of

EXECUTE = "execute"
_STAGES = ("discover", "activate", EXECUTE, "deactivate")
_MAIN = "main"
_SKIPPED = {".git", ".venv", "node_modules", "__pycache__"}
_MOST_FILES = 2_000
_MOST_BYTES = 50 << 20


class CodeMissing(Exception):  # noqa: N818 - it states what a tool is
    """The tool names code that isn't there or can't be read."""


@dataclass(slots=True)
class Code:
    """Sources and stages as ``core.sources.custom_loader`` takes them, and digests of the modules they may import."""

    sources: dict[str, dict[str, Any]] = field(default_factory=dict)
    stages: dict[str, list[str | None]] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    modules: dict[str, str] = field(default_factory=dict)
    complete: bool = True
    alone: bool = False
    """Whether the modules that lie beside are left out; then no approval can be about it."""

    @property
    def shown(self) -> str:
        """What an approval shows: every source, under its file's name where there are several."""
        if len(self.sources) == 1:
            return "".join(source["text"] for source in self.sources.values())
        return "\n".join(f"# {source['file']}\n{source['text']}" for source in self.sources.values())

    def parts(self) -> dict[str, Any]:
        """Return what a digest covers."""
        return {"sources": self.sources, "stages": self.stages, "modules": self.modules, "complete": self.complete}


def code_of(definition: CustomDefinition, root: Path, *, alone: bool = False) -> Code:
    """Read the code of a tool, with the modules that lie beside it unless it is wanted ``alone``; nothing is run.

    Raises:
        CodeMissing: a file or the code itself is missing.
    """
    model = definition.decl.model
    code = Code(alone=alone)
    if model.entry_point is not None:
        code.stages[EXECUTE] = _entry(code, model.entry_point, definition, root)
    elif model.code is not None:
        _add(code, _MAIN, model.code, definition.source.path, _first_line(definition), module=False)
        code.stages[EXECUTE] = [_MAIN, None]
    for stage, hook in (model.lifecycle or {}).items():
        if stage in _STAGES:
            code.stages[stage] = _hook(code, stage, hook, definition, root)
    if EXECUTE not in code.stages:
        raise CodeMissing(f"`{definition.decl.name}` has neither code nor an entry point")
    return code


def _hook(code: Code, stage: str, hook: str, definition: CustomDefinition, root: Path) -> list[str | None]:
    """A hook is the name of a function of the tool's code, ``file.py:function``, or code of its own."""
    text = hook.strip()
    if text.isidentifier():
        return [next(iter(code.sources), _MAIN), text]
    path, colon, name = text.rpartition(":")
    if colon and name.isidentifier() and path.endswith(".py"):
        return _entry(code, text, definition, root)
    _add(code, stage, hook, f"{definition.source.path} ({stage})", 1, module=False)
    return [stage, None]


def _entry(code: Code, entry: str, definition: CustomDefinition, root: Path) -> list[str | None]:
    path, colon, name = entry.rpartition(":")
    if not colon or not name.isidentifier():
        raise CodeMissing(f"the entry point `{entry}` is not `file.py:function`")
    file = _found(path, definition, root)
    if file not in code.sources:
        try:
            text = read_workspace_file(root, file)
        except Unreadable as error:
            raise CodeMissing(f"{file}: {error.message}") from None
        _add(code, file, text, file, 1, module=True)
        if not code.alone:
            _add_modules(code, str(PurePosixPath(file).parent), root)
    return [file, name]


def _found(path: str, definition: CustomDefinition, root: Path) -> str:
    """Return ``path`` from the workspace's root, or else from the folder of the file that names it."""
    beside = str(PurePosixPath(definition.source.path).parent / path)
    for candidate in (path, beside):
        try:
            plain = contained(root, candidate)
        except Uncontained as error:
            raise CodeMissing(f"the entry point's file `{path}` is refused: {error}") from None
        if (root / plain).is_file():
            return plain
    raise CodeMissing(f"the entry point's file `{path}` isn't there")


def _add(code: Code, key: str, text: str, file: str, line: int, *, module: bool) -> None:
    code.sources[key] = {"text": text, "file": file, "line": line, "module": module}


def _first_line(definition: CustomDefinition) -> int:
    """Return the line of the file on which the code begins: a block of YAML begins below its key."""
    place = definition.source.place(definition.decl.code_span)
    spans_lines = place.end_line is not None and place.end_line > place.line
    return place.line + 1 if spans_lines else place.line


def _add_modules(code: Code, folder: str, root: Path) -> None:
    """Let the file import what lies beside it, if all of that can be covered by the approval."""
    if folder in code.folders:
        return
    size = 0
    for path in _python_files(root / folder, root):
        try:
            size += path.stat().st_size
            if len(code.modules) >= _MOST_FILES or size > _MOST_BYTES:
                code.complete = False
                return
            code.modules[path.relative_to(root).as_posix()] = sha256_of(path.read_bytes())
        except OSError:
            continue  # gone or unreadable: then it can't be imported either
    code.folders.append(folder)


def _python_files(folder: Path, root: Path) -> Iterator[Path]:
    """Yield the files that can be imported; a link counts by what it leads to, inside the workspace."""
    whole = root.resolve()
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        found = (Path(parent) / name for name in sorted(files) if name.endswith(".py"))
        yield from (path for path in found if path.is_file() and path.resolve().is_relative_to(whole))
