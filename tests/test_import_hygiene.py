"""What is imported when: static contracts cannot tell a deferred import from an eager one, a process can."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from places import ROOT, SAMPLE

PROBE = "import sys\n{statement}\nprint(*sorted({heavy!r} & {{name.split('.')[0] for name in sys.modules}}))"
USER_INTERFACE = {"textual", "rich"}
HEAVY = {"textual", "rich", "mcp", "networkx", "jsonschema", "jsonschema_rs", "sqlite3", "watchfiles"}


def imported(statement: str, heavy: set[str]) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROBE.format(statement=statement, heavy=heavy)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env=dict(os.environ),
    )
    return set(done.stdout.split("\n")[-2].split())


def command(*arguments: str) -> str:
    return f"from explorer.cli import main\nmain({list(arguments)!r})"


@pytest.mark.parametrize("module", ["core.protocol", "core.workspace", "core.runtime.runtime", "core.resolve.layout"])
def test_core_imports_no_user_interface(module: str) -> None:
    assert imported(f"import {module}", USER_INTERFACE) == set()


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_help_and_version_import_nothing_heavy(argument: str) -> None:
    assert imported(command(argument), HEAVY | {"pydantic", "yaml"}) == set()


def test_a_check_without_a_cycle_imports_no_graph_library_and_no_client() -> None:
    assert imported(command("check", str(SAMPLE)), {"textual", "rich", "mcp", "networkx", "sqlite3"}) == set()


def test_the_application_imports_no_mcp_client() -> None:
    assert imported("import explorer.app", {"mcp", "networkx"}) == set()


def test_the_first_frame_waits_for_no_part_of_the_language() -> None:
    statement = "import explorer.app\nfrom core.workspace.folder import readable_folder\nimport core.workspace.state"
    assert imported(statement, {"pydantic", "yaml", "mcp", "networkx", "jsonschema_rs"}) == set()


def test_no_two_test_files_have_one_name() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("*.py") if path.name != "conftest.py"]
    assert sorted(names) == sorted(set(names))
