"""A custom tool imports what was approved and nothing that merely lies where Python would look."""

from __future__ import annotations

import importlib.util
import marshal
import sys
from pathlib import Path
from typing import Any

import pytest

EVIL = "def value(): return 'evil'"
MAIN = "import helper\ndef go(): return helper.value()"


@pytest.fixture
def tool(bench: Any) -> str:
    bench.write("lib/main.py", MAIN)
    bench.write("lib/helper.py", "def value(): return 'good'")
    return str(bench.tool(more="entry_point: lib/main.py:go\n"))


def compiled(text: str) -> bytes:
    """Return a compiled file that Python takes without looking at the source."""
    return (
        importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(compile(text, "x", "exec"))
    )


def in_the_cache(bench: Any) -> Path:
    return Path(bench.write(f"lib/__pycache__/helper.{sys.implementation.cache_tag}.pyc", compiled(EVIL)))


def test_a_compiled_file_in_the_cache_is_not_taken(bench: Any, tool: str) -> None:
    in_the_cache(bench)
    assert bench.call(tool).result.output_data == "good"


def test_python_itself_would_take_that_file(bench: Any, tool: str) -> None:
    """Else the test above could not fail."""
    in_the_cache(bench)
    spec = importlib.util.spec_from_file_location("planted", bench.root / "lib/helper.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.value() == "evil"


@pytest.mark.parametrize("name", ["extra.pyc", "extra.so", "extra.abi3.so"])
def test_a_file_that_is_no_source_cannot_be_imported(bench: Any, name: str) -> None:
    bench.write("lib/main.py", "def go():\n    import extra\n    return extra.value()")
    bench.write(f"lib/{name}", compiled(EVIL))
    error = bench.call(bench.tool(more="entry_point: lib/main.py:go\n")).result.error
    assert "No module named 'extra'" in error.message


def test_packages_their_modules_and_folders_without_an_init_are_imported(bench: Any) -> None:
    bench.write(
        "lib/main.py",
        "from pack import a\nfrom pack.deep import b\nimport plain.c\ndef go(): return [a.x, b.x, plain.c.x]",
    )
    for path, text in {
        "pack/__init__.py": "from . import a",
        "pack/a.py": "x = 1",
        "pack/deep/__init__.py": "",
        "pack/deep/b.py": "from ..a import x as y\nx = y + 1",
        "plain/c.py": "x = 3",
    }.items():
        bench.write(f"lib/{path}", text)
    assert bench.call(bench.tool(more="entry_point: lib/main.py:go\n")).result.output_data == [1, 2, 3]


def test_a_module_of_a_package_that_was_not_approved_is_not_found(bench: Any) -> None:
    bench.write("lib/main.py", "import pack\ndef go():\n    import pack.late\n    return pack.late.x")
    bench.write("lib/pack/__init__.py", "")
    bench.write("lib/pack/late.pyc", compiled("x = 'evil'"))
    error = bench.call(bench.tool(more="entry_point: lib/main.py:go\n")).result.error
    assert "No module named 'pack.late'" in error.message


def test_a_link_inside_the_workspace_is_followed_and_counts_by_its_content(bench: Any) -> None:
    bench.write("lib/main.py", MAIN)
    bench.write("shared/good.py", "def value(): return 'good'")
    bench.write("shared/evil.py", EVIL)
    link = bench.root / "lib/helper.py"
    link.symlink_to("../shared/good.py")
    tool = bench.tool(more="entry_point: lib/main.py:go\n")
    assert bench.call(tool).result.output_data == "good"
    before = bench.asked[-1].digest

    link.unlink()
    link.symlink_to("../shared/evil.py")

    assert bench.call(tool, approve=None).result.error.details["digest"] != before


def test_a_link_out_of_the_workspace_is_not_imported(bench: Any) -> None:
    (bench.root.parent / "helper.py").write_text(EVIL)
    bench.write("lib/main.py", MAIN)
    (bench.root / "lib/helper.py").symlink_to(bench.root.parent / "helper.py")
    error = bench.call(bench.tool(more="entry_point: lib/main.py:go\n")).result.error
    assert "No module named 'helper'" in error.message
