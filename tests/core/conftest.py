"""A workspace of tools that are really called, each in processes of its own."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from core.language.load import load_declarations
from core.resolve.catalogue import Catalogue
from core.resolve.views import FlatSkill
from core.runtime import python
from core.runtime.call import CallEvent, CallOptions, CallOutcome, ExecutionIdentity
from core.runtime.confinement import Confinement, Mechanism
from core.runtime.orders import Limits
from core.runtime.probing import try_mechanism
from core.runtime.runtime import ToolRuntime

SKILL = "local/bench"
READS = "{read_only: true}"
WRITES = "{writes: true}"


class Bench:
    """Writes tools into a workspace and calls them."""

    def __init__(self, root: Path, state: Path, confinement: Confinement) -> None:
        self.root, self.state, self.confinement = root, state, confinement
        self.tools: list[str] = []
        self.asked: list[ExecutionIdentity] = []
        self.events: list[CallEvent] = []
        self.limits = Limits()
        self.approvals: Any = None
        root.mkdir()

    def write(self, path: str, content: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else dedent(content).encode())
        return file

    def tool(
        self, code: str | None = None, *, flags: str = READS, timeout: int = 20, name: str = "probe", more: str = ""
    ) -> str:
        """Add the custom tool ``local/<name>``; ``more`` are further lines of its file."""
        lines = f"name: local/{name}\ndescription: A tool of the tests.\nsource: custom\n{dedent(more)}"
        if flags:
            lines += f"capability: {flags}\n"
        if code is not None:
            lines += f"code: |\n{indent(dedent(code).strip(), '  ')}\n"
        self.write(f"tools/{name}.yaml", f"{lines}timeout: {timeout}\n")
        self.tools.append(f"local/{name}")
        return f"local/{name}"

    def flat(self, more: str = "") -> FlatSkill:
        named = f"tools: [{', '.join(self.tools)}]\n" if self.tools else ""
        groups = "[file_operations, directory_operations, git_operations, shell_operations]"
        text = f"name: {SKILL}\ndescription: The skill of the tests.\nbuiltin_groups: {groups}\n{named}{more}"
        self.write("skills/bench.yaml", text)
        return Catalogue(load_declarations(self.root)).flatten(SKILL)

    def runtime(self) -> ToolRuntime:
        return ToolRuntime(
            self.root,
            state=self.state,
            confinement=self.confinement,
            limits=self.limits,
            approvals=self.approvals,
        )

    def approve(self, identity: ExecutionIdentity) -> bool:
        self.asked.append(identity)
        return True

    def call(
        self,
        tool: str,
        arguments: Any = None,
        *,
        cancel: threading.Event | None = None,
        hear: Callable[[CallEvent], None] | None = None,
        skill: str = "",
        **options: Any,
    ) -> CallOutcome:
        flat = self.flat(skill)
        runtime = self.runtime()
        chosen = CallOptions(**{"approve": self.approve, "confirmed": True, **options})
        try:
            return runtime.invoke(flat, SKILL, tool, arguments or {}, chosen, hear or self.events.append, cancel)
        finally:
            runtime.close()

    def run(
        self, code: str, arguments: Any = None, *, timeout: int = 20, flags: str = READS, **options: Any
    ) -> CallOutcome:
        """Call a tool made of ``code``."""
        return self.call(self.tool(code, timeout=timeout, flags=flags), arguments, **options)

    def builtin(self, tool: str, **arguments: Any) -> CallOutcome:
        """Call a built-in tool."""
        return self.call(f"builtin/{tool}", arguments)

    def log(self, outcome: CallOutcome, stream: str = "stdout") -> str:
        return "\n".join(e.text for e in outcome.log if e.kind == "log" and e.data["stream"] == stream)

    def survivors(self) -> list[int]:
        """Return the processes that still belong to a call, by their home folder or where they work."""
        found = []
        for name in filter(str.isdecimal, os.listdir("/proc")):
            try:
                environment = Path(f"/proc/{name}/environ").read_bytes()
                works_in = os.readlink(f"/proc/{name}/cwd")
            except OSError:
                continue
            if str(self.state).encode() in environment or works_in.startswith(str(self.state)):
                found.append(int(name))
        return found

    def leftovers(self) -> list[str]:
        """Return the copies that still lie in the state folder."""
        scratch = self.state / "scratch"
        return sorted(os.listdir(scratch)) if scratch.exists() else []


def until(check: Callable[[], object], seconds: float = 20) -> None:
    """Wait until ``check`` is true; fail after ``seconds``."""
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "it did not happen in time"
        threading.Event().wait(0.01)


_MEASURE = """
import atexit, sys; sys.path[0:0] = [{packages!r}]
import coverage
_measured = coverage.Coverage(config_file=False, branch=True, include=[{core!r}], data_file={data!r}, data_suffix=True)
sys.path.remove({packages!r}); _measured.start()
@atexit.register
def _save():
    _measured.stop()
    try: _measured.save()
    except Exception: pass
"""


@pytest.fixture(scope="session", autouse=True)
def measured_workers() -> Iterator[None]:
    """Where coverage is measured, have it look into our isolated processes too; its own ways in are shut there."""
    coverage = sys.modules.get("coverage")
    current = coverage.Coverage.current() if coverage else None
    if coverage is None or current is None:
        yield
        return
    packages = str(Path(coverage.__file__).parent.parent)
    data = str(Path(current.config.data_file).absolute())
    begin = _MEASURE.format(packages=packages, core=f"{python.LIBRARY}/core/*", data=data)
    patch = pytest.MonkeyPatch()
    patch.setattr(python, "_FIND", f"exec({begin!r}); {python._FIND}")
    yield
    patch.undo()


@pytest.fixture(scope="session")
def confinements() -> dict[Mechanism, Confinement | None]:
    """What each mechanism achieves on this machine."""
    return {mechanism: try_mechanism(mechanism, shutil.which("bwrap")) for mechanism in Mechanism}


def chosen(confinements: dict[Mechanism, Confinement | None], mechanism: Mechanism) -> Confinement:
    found = confinements[mechanism]
    if found is None:
        pytest.skip(f"{mechanism} does not work on this machine")
    return found


@pytest.fixture(params=list(Mechanism), ids=str)
def each_bench(
    request: pytest.FixtureRequest, tmp_path: Path, confinements: dict[Mechanism, Confinement | None]
) -> Iterator[Bench]:
    """A bench for each way of confining."""
    yield from checked(Bench(tmp_path / "ws", tmp_path / "state", chosen(confinements, request.param)))


def best(confinements: dict[Mechanism, Confinement | None]) -> Confinement:
    """Return the best confinement that works here; where coverage is measured, the one that lets it be."""
    if python._FIND.startswith("exec"):
        return Confinement()
    return next(found for found in confinements.values() if found is not None)


@pytest.fixture
def bench(tmp_path: Path, confinements: dict[Mechanism, Confinement | None]) -> Iterator[Bench]:
    """A bench with the best confinement that works here."""
    yield from checked(Bench(tmp_path / "ws", tmp_path / "state", best(confinements)))


@pytest.fixture
def bare_bench(tmp_path: Path) -> Iterator[Bench]:
    """A bench with limits alone: the runtime's own defences are all there is."""
    yield from checked(Bench(tmp_path / "ws", tmp_path / "state", Confinement()))


@pytest.fixture(params=["best", "limits"])
def either_bench(
    request: pytest.FixtureRequest, tmp_path: Path, confinements: dict[Mechanism, Confinement | None]
) -> Iterator[Bench]:
    """A bench with the best confinement, and one with limits alone."""
    chosen = best(confinements) if request.param == "best" else Confinement()
    yield from checked(Bench(tmp_path / "ws", tmp_path / "state", chosen))


def checked(bench: Bench) -> Iterator[Bench]:
    """Afterwards no process and no copy may be left."""
    yield bench
    assert bench.survivors() == []
    assert bench.leftovers() == []


@pytest.fixture
def wait_until() -> Callable[..., None]:
    """Return the bounded wait."""
    return until
