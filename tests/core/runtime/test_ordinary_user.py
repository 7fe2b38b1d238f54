"""The same defences for a user who is not root: most of them are, most test machines' are not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import core
from core.runtime.confinement import Mechanism

NOBODY = 65_534
CALLER = """
    import json, os, sys
    from dataclasses import replace
    from pathlib import Path
    from core.language.load import load_declarations
    from core.resolve.catalogue import Catalogue
    from core.runtime import orders
    from core.runtime.call import CallOptions
    from core.runtime.confinement import Mechanism
    from core.runtime.probing import offers_overlay, try_mechanism
    from core.runtime.runtime import ToolRuntime
    root, state, mechanism, program = sys.argv[1:]
    confinement = try_mechanism(Mechanism(mechanism), program or None)
    assert confinement is not None
    flat = Catalogue(load_declarations(Path(root))).flatten("local/s")
    runtime = ToolRuntime(Path(root), state=Path(state), confinement=confinement)
    options = CallOptions(approve=lambda _: True)
    names = ("local/reads", "local/writes", "local/looks")
    outcomes = [runtime.invoke(flat, "local/s", name, {}, options) for name in names]
    runtime.close()
    overlaid = offers_overlay(confinement, Path(state) / "scratch")
    orders.QUICK_ENTRIES = -1
    runtime = ToolRuntime(Path(root), state=Path(state), confinement=replace(confinement, overlay=overlaid))
    outcomes.append(runtime.invoke(flat, "local/s", "local/writes", {}, options))
    runtime.close()
    os.chmod(root, 0o555)
    unwritable = [list(outcomes[-1].changes.apply()), Path(root, "a.txt").read_text()]
    told = [
        [o.result.output_data, o.result.error and o.result.error.message, o.isolation,
         [[c["path"], c["change"]] for c in o.result.resource_changes]] for o in outcomes
    ]
    print(json.dumps([os.geteuid(), overlaid, unwritable, told, os.listdir(Path(state) / "scratch")]))
"""
TOOLS = {
    "reads": ("{read_only: true}", "return open('a.txt').read()"),
    "writes": ("{writes: true}", "import os\nopen('a.txt', 'w').write('y')\nos.chmod('.', 0)\nreturn os.geteuid()"),
    "looks": (
        "{read_only: true}",
        "import os\nfound, pid = b'', os.getppid()\nfor _ in range(6):\n"
        "    try: found += open(f'/proc/{pid}/environ', 'rb').read()\n    except OSError: pass\n"
        "    try: pid = int(open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[1])\n"
        "    except (OSError, ValueError): break\nreturn b'planted' in found",
    ),
}


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody reaches and nobody owns."""
    made = Path(tempfile.mkdtemp(prefix="skill-explorer-test-", dir="/tmp"))
    (made / "ws/tools").mkdir(parents=True)
    (made / "ws/skills").mkdir()
    (made / "ws/a.txt").write_text("x")
    for name, (flags, code) in TOOLS.items():
        lines = "".join(f"  {line}\n" for line in code.splitlines())
        text = f"name: local/{name}\ndescription: T.\nsource: custom\ncapability: {flags}\ncode: |\n{lines}"
        (made / f"ws/tools/{name}.yaml").write_text(text)
    names = ", ".join(f"local/{name}" for name in TOOLS)
    (made / "ws/skills/s.yaml").write_text(f"name: local/s\ndescription: S.\ntools: [{names}]\n")
    for path in (made, *made.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    yield made
    shutil.rmtree(made)


BECOME = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")


@pytest.fixture(scope="module")
def interpreter() -> str:
    """An interpreter of our version that others may run too; one in root's home is none."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can become somebody else; an ordinary user's run is the proof already")
    starts = "subprocess.run([sys.executable, '-c', 'pass'], check=True)"
    looks = f"os.listdir({str(Path(core.__file__).parent)!r})"
    wanted = f"import os, subprocess, sys; {looks}; {starts}; print(sys.version_info[:2])"
    for candidate in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        done = subprocess.run([*BECOME, candidate, "-c", wanted], capture_output=True, text=True, check=False)
        if done.stdout.strip() == str(sys.version_info[:2]):
            return candidate
    pytest.skip("an ordinary user may run no interpreter of this version here, or not read this checkout")


@pytest.mark.parametrize("mechanism", list(Mechanism), ids=str)
def test_a_call_is_as_safe_for_an_ordinary_user(
    folder: Path, interpreter: str, mechanism: Mechanism, confinements: Any
) -> None:
    if confinements[mechanism] is None:
        pytest.skip(f"{mechanism} does not work on this machine")
    packages = [str(Path(core.__file__).parent.parent), *(path for path in sys.path if path.endswith("site-packages"))]
    secret = {"HOME": str(folder), "PYTHONPATH": os.pathsep.join(packages), "SECRET_OF_THE_TESTS": "planted-9f2c"}
    arguments = [str(folder / "ws"), str(folder / "state"), str(mechanism), shutil.which("bwrap") or ""]
    done = subprocess.run(
        [*BECOME, interpreter, "-c", dedent(CALLER), *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **secret},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    euid, overlaid, unwritable, [reads, writes, looks, on_overlay], left = json.loads(done.stdout)
    assert (euid, reads[:2], writes[:2]) == (NOBODY, ["x", None], [NOBODY, None])
    assert looks[:2] == [False, None]
    assert left == []
    assert unwritable == [["a.txt"], "x"]
    assert writes[3] == on_overlay[3] == [["a.txt", "modified"]]
    assert on_overlay[:2] == [NOBODY, None]
    assert ("overlay of the workspace" in on_overlay[2]) is overlaid
    if mechanism is Mechanism.BUBBLEWRAP:
        assert looks[2].startswith("Sandboxed by bubblewrap: it can't write elsewhere")
