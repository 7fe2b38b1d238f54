"""Whether text is Python that a tool can run; compiles and never executes.

Runs in the program itself, and as a script of its own for code that is large or odd, so with the standard library
alone. The code contract is the language page's, part 4: a function ``run``, or the body of one.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings

TYPE_CHECKING = False  # importing typing would cost the script more than this module
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MAIN = "run"
_FILE = "<code>"
_DEFINES_MAIN = re.compile(rf"^(?:async[ \t]+)?def[ \t]+{MAIN}\b", re.MULTILINE)
_MAY_BE_INDENTED = re.compile(r"\s*(?:#|(?<=[ \t])\S)")
"""Code whose first line may not begin at the margin, which it could inside of a function only."""
_NESTING = ("body", "orelse", "finalbody", "handlers")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTIONS: tuple[type[Any], ...] = (ast.FunctionDef, ast.AsyncFunctionDef)

Problem = tuple[int, int, str]
"""Line and column of the code, both from 1, and what is wrong."""


def problem_of(code: str) -> Problem | None:
    """Return why ``code`` is no Python that a tool can run; None when it is. Python's warnings are the caller's."""
    return None if _compiles_at_once(code) else _examine(code)


def names_of(code: str) -> list[str] | None:
    """Return the names that the module ``code`` binds at its top; None when it is no Python."""
    try:
        return sorted(set(_bound(ast.parse(code))))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _compiles_at_once(code: str) -> bool:
    """The quick way for code without faults; the slow way finds the exact place of one."""
    whole = _DEFINES_MAIN.search(code) is not None
    if not whole and _MAY_BE_INDENTED.match(code):
        return False
    text = code if whole else "async def run(arguments):\n " + code.replace("\n", "\n ")
    try:
        compile(text, _FILE, "exec", dont_inherit=True, optimize=2)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _examine(code: str) -> Problem | None:
    if "\0" in code:
        before = code[: code.index("\0")]
        return before.count("\n") + 1, len(before) - before.rfind("\n"), "it holds a NUL character"
    try:
        compiled(code)
    except SyntaxError as error:
        return error.lineno or 1, max(error.offset or 1, 1), error.msg
    except (RecursionError, MemoryError):
        return 1, 1, "it is nested too deeply for Python"
    except ValueError as error:
        return 1, 1, str(error)
    return None


def compiled(code: str, file: str = _FILE, *, module: bool = False) -> tuple[Any, bool]:
    """Return ``code`` compiled, and whether it is the body of a function: then the result defines ``run(arguments)``.

    Code that defines ``run``, or is a ``module`` whatever it defines, is taken as it stands; ``await`` makes a body
    that of a coroutine.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as ``compile`` does.
    """
    tree = ast.parse(code, file)
    if not (module or tree.body):
        raise SyntaxError("it is empty", (file, 1, 1, ""))
    if module or MAIN in _bound(tree):
        return compile(tree, file, "exec", dont_inherit=True), False
    try:
        return compile(_as_function(tree, ast.FunctionDef), file, "exec", dont_inherit=True), True
    except SyntaxError as error:
        if "await" not in error.msg and "async" not in error.msg:
            raise
    tree = _as_function(ast.parse(code, file), ast.AsyncFunctionDef)
    return compile(tree, file, "exec", dont_inherit=True), True


def _as_function(tree: ast.Module, kind: Any) -> ast.Module:
    """Return a module with a function whose body are the statements of ``tree``; imports from the future stay above."""
    future = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    body = [node for node in tree.body if node not in future] or [ast.Pass()]
    none: list[Any] = []
    arguments = ast.arguments(
        posonlyargs=none, args=[ast.arg("arguments")], kwonlyargs=none, kw_defaults=none, defaults=none
    )
    function = kind(name=MAIN, args=arguments, body=body, decorator_list=[])
    return ast.fix_missing_locations(ast.Module(body=[*future, function], type_ignores=[]))


def _bound(tree: ast.Module) -> Iterator[str]:
    """Yield the names that module-level statements bind, also inside ``if``, ``try`` and the like."""
    queue: list[Any] = list(tree.body)
    while queue:
        node = queue.pop()
        if isinstance(node, _DEFINITIONS):
            yield node.name
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))
        else:
            for field in _NESTING:
                queue += getattr(node, field, [])


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Answer requests from standard input until it ends: length and text in, one line of JSON out."""
    import json

    warnings.simplefilter("ignore")
    _limit_memory()
    while header := sys.stdin.buffer.readline():
        asked, size = header.split()
        code = sys.stdin.buffer.read(int(size)).decode("utf-8", "surrogatepass")
        answer = names_of(code) if asked == b"names" else problem_of(code)
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
