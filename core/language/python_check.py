"""The syntax of Python in tools: compiled here when small and plain, else in a guarded process; never executed."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any, Self

from core.language.python_compile import Problem, names_of, problem_of

SMALL, LARGE = 150, 6_000
DEEP = 50
LONG_LINE = 2_000
TIME_LIMIT_S = 5.0
MAX_FAILURES = 10
_SCRIPT = Path(__file__).with_name("python_compile.py")
_BRACKETS = re.compile(r"[()\[\]{}]")
_CHAIN = re.compile(r"[-+~](?:[ \t]*[-+~]){49}|not(?:[ \t]+not){29}|lambda(?:[ \t]*:[ \t]*lambda){14}")


class Unchecked(Exception):  # noqa: N818 - it states what happened to code
    """Code that could not be checked within the limits of time and memory."""


def is_odd(code: str) -> bool:
    """Whether compiling ``code`` might take much time, memory or stack."""
    if len(code) > LARGE or (len(code) > SMALL and _CHAIN.search(code)):
        return True
    if len(code) > LONG_LINE and max(map(len, code.splitlines())) > LONG_LINE:
        return True
    if sum(map(code.count, "([{")) <= DEEP:
        return False
    depth = deepest = 0
    for match in _BRACKETS.finditer(code):
        depth += 1 if match[0] in "([{" else -1
        deepest = max(deepest, depth)
    return deepest > DEEP


class PythonChecker:
    """Checks code, as a context: Python's warnings about it are ignored there.

    The guarded process starts when it is first needed and ends with the context. Code without faults is compiled once,
    however many tools hold it.
    """

    def __init__(self) -> None:
        self._fine: set[str] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._quiet = warnings.catch_warnings()

    def __enter__(self) -> Self:
        self._quiet.__enter__()
        warnings.simplefilter("ignore")
        return self

    def __exit__(self, *_: object) -> None:
        self._quiet.__exit__(None, None, None)
        self._close()

    def problem(self, code: str) -> Problem | None:
        """Return where and why ``code`` is no Python that a tool can run; raises Unchecked."""
        if code in self._fine:
            return None
        problem = self._problem(code)
        if problem is None:
            self._fine.add(code)
        return problem

    def _problem(self, code: str) -> Problem | None:
        if not is_odd(code):
            return problem_of(code)
        line, column, message = self._ask("problem", code) or (0, 0, "")
        return (line, column, message) if message else None

    def names(self, code: str) -> list[str] | None:
        """Return the names that a module binds at its top; None when it is no Python; raises Unchecked."""
        if not is_odd(code):
            return names_of(code)
        found: list[str] | None = self._ask("names", code)
        return found

    def _close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _ask(self, what: str, code: str) -> Any:
        if self._failures >= MAX_FAILURES:
            raise Unchecked
        try:
            return self._answer(self._started(), what, code.encode("utf-8", "surrogatepass"))
        except (OSError, ValueError):
            self._failures += 1
            self._close()
            raise Unchecked from None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_SCRIPT)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={},
                start_new_session=True,
                close_fds=True,
            )
        return self._process

    def _answer(self, process: subprocess.Popen[bytes], what: str, data: bytes) -> Any:
        """Send one request and return its answer; raises OSError or ValueError when none comes in time."""
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"%s %d\n" % (what.encode(), len(data)) + data)
        process.stdin.flush()
        answer = b""
        deadline = time.monotonic() + TIME_LIMIT_S
        while not answer.endswith(b"\n"):
            ready, _, _ = select.select([process.stdout], [], [], max(deadline - time.monotonic(), 0))
            part = os.read(process.stdout.fileno(), 65_536) if ready else b""
            if not part:
                raise TimeoutError
            answer += part
        return json.loads(answer)
