"""Turns the code of a custom tool into functions; runs inside the worker, so with the standard library alone.

The code contract is the language page's, part 4: a function ``run(**arguments)``, or a body that sees
``arguments`` and returns; or a function of a file; and hooks for the other stages.
"""

from __future__ import annotations

import os
import sys

from core.language.python_compile import MAIN, compiled
from core.sources.custom_imports import Imports

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

_IS_BODY = "__skill_tool_body__"


class ToolNotLoadable(Exception):  # noqa: N818 - it names a state of the tool
    """The tool's code lacks what its declaration names."""


def load(data: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """Run the code of each source once and return the function of each stage.

    ``sources`` maps a key to text, file name, first line and whether it is a whole module; ``stages`` maps a stage
    to a key and a function's name, None for ``run`` or the body; ``folders`` are where imports look last, for the
    ``modules`` that were approved. Files and folders are relative to ``root``, where the tool works.
    """
    sys.dont_write_bytecode = True
    root = data["root"]
    for path, digest in data["modules"].items():
        _check(os.path.join(root, path), path, digest)
    Imports(root, data["folders"], data["modules"]).install()
    namespaces = {key: _namespace(key, root, **source) for key, source in data["sources"].items()}
    return {stage: _stage(stage, namespaces[key], name) for stage, (key, name) in data["stages"].items()}


def _check(file: str, path: str, digest: str) -> None:
    from hashlib import sha256

    with open(file, "rb") as opened:
        if sha256(opened.read()).hexdigest() != digest:
            raise ToolNotLoadable(f"{path} has changed since it was approved")


def _namespace(key: str, root: str, text: str, file: str, line: int, module: bool) -> dict[str, Any]:
    """Run one source as a module of its own; its lines count as in the file that holds it."""
    made: ModuleType = type(sys)(f"skill_tool_{key}")
    made.__dict__.update(__file__=os.path.join(root, file))
    sys.modules[made.__name__] = made
    code, made.__dict__[_IS_BODY] = compiled("\n" * (line - 1) + text, file, module=module)
    exec(code, made.__dict__)
    return made.__dict__


def _stage(stage: str, namespace: dict[str, Any], name: str | None) -> Callable[..., Any]:
    function: Any = namespace.get(name or MAIN)
    if not callable(function):
        raise ToolNotLoadable(f"`{name or MAIN}`, which {stage} needs, is no function of {namespace['__file__']}")
    if name is None and namespace[_IS_BODY]:
        return lambda arguments: function(arguments)
    return (lambda arguments: function(**arguments)) if stage == "execute" else lambda _arguments: function()
