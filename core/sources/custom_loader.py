"""Turns the code of a custom tool into functions; runs inside the worker, so with the standard library alone.

The code contract is the language page's, part 4: a function ``run(**arguments)``, or a body that sees
``arguments`` and returns; or a function of a file; and hooks for the other stages.
"""

from __future__ import annotations

import _ast
import os
import sys

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType
    from typing import Any

_MAIN = "run"
_IS_BODY = "__skill_tool_body__"
_NESTING = ("body", "orelse", "finalbody", "handlers")


class ToolNotLoadable(Exception):  # noqa: N818 - it names a state of the tool
    """The tool's code lacks what its declaration names."""


def load(data: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """Run the code of each source once and return the function of each stage.

    ``sources`` maps a key to text, file name, first line and whether it is a whole module; ``stages`` maps a stage
    to a key and a function's name, None for ``run`` or the body; ``folders`` are appended to where imports look.
    Files and folders are relative to ``root``, where the tool works.
    """
    sys.dont_write_bytecode = True
    root = data["root"]
    for path, digest in data["modules"].items():
        _check(os.path.join(root, path), path, digest)
    sys.path += [os.path.join(root, folder) for folder in data["folders"]]
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
    code, made.__dict__[_IS_BODY] = _compiled("\n" * (line - 1) + text, file, module)
    exec(code, made.__dict__)
    return made.__dict__


def _compiled(text: str, file: str, module: bool) -> tuple[Any, bool]:
    """Return the code of a module, and whether the text was the body of a function."""
    tree = _parsed(text, file)
    if module or any(name == _MAIN for name in _bound(tree)):
        return _code(tree, file), False
    try:
        return _code(_as_function(tree, _ast.FunctionDef), file), True
    except SyntaxError as error:
        if "await" not in str(error) and "async" not in str(error):
            raise
    return _code(_as_function(_parsed(text, file), _ast.AsyncFunctionDef), file), True


def _parsed(text: str, file: str) -> Any:
    return compile(text, file, "exec", _ast.PyCF_ONLY_AST, dont_inherit=True)


def _code(tree: Any, file: str) -> Any:
    return compile(tree, file, "exec", dont_inherit=True)


def _bound(tree: Any) -> Iterator[str]:
    """Yield the names that module-level statements bind, also inside ``if`` and ``try``."""
    queue = list(tree.body)
    while queue:
        node = queue.pop()
        if isinstance(node, _ast.FunctionDef | _ast.AsyncFunctionDef | _ast.ClassDef):
            yield node.name
        elif isinstance(node, _ast.Import | _ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, _ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, _ast.Name))
        else:
            for field in _NESTING:
                queue += getattr(node, field, [])


def _as_function(tree: Any, kind: Any) -> Any:
    """Return the module whose ``run(arguments)`` has the statements of ``tree`` as its body."""
    future = [node for node in tree.body if isinstance(node, _ast.ImportFrom) and node.module == "__future__"]
    body = [node for node in tree.body if node not in future]
    if not body:
        raise ToolNotLoadable("the tool's code is empty")
    place = {"lineno": body[0].lineno, "col_offset": 0, "end_lineno": body[0].lineno, "end_col_offset": 0}
    parameters = _ast.arguments(
        posonlyargs=[], args=[_ast.arg(arg="arguments", **place)], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    extra: dict[str, Any] = {"type_params": []} if "type_params" in kind._fields else {}
    function = kind(name=_MAIN, args=parameters, body=body, decorator_list=[], **place, **extra)
    function.returns = None
    tree.body = [*future, function]
    return tree


def _stage(stage: str, namespace: dict[str, Any], name: str | None) -> Callable[..., Any]:
    function: Any = namespace.get(name or _MAIN)
    if not callable(function):
        raise ToolNotLoadable(f"`{name or _MAIN}`, which {stage} needs, is no function of {namespace['__file__']}")
    if name is None and namespace[_IS_BODY]:
        return lambda arguments: function(arguments)
    return (lambda arguments: function(**arguments)) if stage == "execute" else lambda _arguments: function()
