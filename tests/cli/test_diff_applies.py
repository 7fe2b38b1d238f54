"""``check --diff`` prints what ``--fix`` would do, as patches that git and patch take."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from explorer.cli import main

Make = Callable[..., Path]
GIT = ["git", "apply", "--whitespace=nowarn", "-"]
PATCH = ["patch", "-p1", "--binary", "--force", "--silent", "--fuzz=0"]
HEAD = "name: local/a\ndescription: A.\nversion: 1.10\nbuiltins: [git_operations]\n"
MANY = "".join(f"# {number}\n" for number in range(12))
SERVER = "mcpServers:\n  - name: one\n    command: x\n    env:\n      PIN: {}\n"
CYCLE = {
    f"skills/{name}.yaml": f"name: local/{name}\ndescription: D.\nincludes:\n"
    + "".join(f"  - local/{other}\n" for other in others)
    for name, others in {"a": "bd", "b": "ca", "c": "a", "d": "ad", "e": "ae", "f": "g", "g": "f"}.items()
}
SHAPES: dict[str, dict[str, str | bytes]] = {
    "plain": {"skills/a.yaml": HEAD},
    "no end of line": {"skills/a.yaml": HEAD.rstrip("\n")},
    "first and last lines": {"skills/a.yaml": f"version: 1.10\n{MANY}name: local/a\ndescription: A.\nbuiltins: []"},
    "two places": {"skills/a.yaml": HEAD.replace("version", f"{MANY}version").replace("built", f"{MANY}built")},
    "CRLF": {"skills/a.yaml": HEAD.replace("\n", "\r\n")},
    "CRLF without the last": {"skills/a.yaml": HEAD.replace("\n", "\r\n").rstrip()},
    "CR": {"skills/a.yaml": HEAD.replace("\n", "\r")},
    "mixed ends": {"skills/a.yaml": "name: local/a\r\ndescription: A.\nversion: 1.10\r\nbuiltins: []\n"},
    "byte order mark": {"skills/a.yaml": b"\xef\xbb\xbf" + b"version: 1.10\nname: local/a\ndescription: A.\n"},
    "other separators": {"skills/a.yaml": HEAD.replace("A.", "A \u2028 B \x85 C.")},
    "letters beyond ASCII": {"skills/d\u00e9j\u00e0 \u8a9e.yaml": HEAD},
    "blanks in the path": {"my skills/skills/an  a.yaml": HEAD},
    "odd signs in the path": {'skills/a"b\\c\td\ne.yaml': HEAD},
    "several files": {"skills/a.yaml": HEAD, "skills/b.yaml": HEAD.replace("local/a", "local/b"), "c/SKILL.md": ""},
    "two rounds": {"skills/a.yaml": "name: local/a\ndescription: A.\nincludes: [local/b, local/b, local/b]\n",
                   "skills/b.yaml": "name: local/b\ndescription: B.\n"},
    "values of a server around": {"skills/a.yaml": HEAD + SERVER.format("tell-nobody")},
    "cycles": dict(CYCLE),
}  # fmt: skip


@pytest.fixture
def diff(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., tuple[int, bytes]]:
    def run(*arguments: str) -> tuple[int, bytes]:
        status = main(["check", *arguments, "--diff"])
        return status, capfdbinary.readouterr().out

    return run


def contents(root: Path) -> dict[Path, bytes]:
    return {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def copies(root: Path) -> Iterator[tuple[list[str], Path]]:
    for number, command in enumerate((GIT, PATCH)):
        yield command, Path(shutil.copytree(root, root.parent / f"copy {number}"))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_patch_does_what_fix_does(shape: str, make_workspace: Make, diff: Callable[..., tuple[int, bytes]]) -> None:
    root = make_workspace(SHAPES[shape])
    chosen = ["--select", "include/cycle,yaml,skill,include"]
    before = contents(root)
    status, patch = diff(str(root), *chosen)
    assert contents(root) == before
    fixed = Path(shutil.copytree(root, root.parent / "fixed"))
    main(["check", str(fixed), *chosen, "--fix"])
    assert (status, contents(fixed) != before) == (1, True)
    for command, copy in copies(root):
        done = subprocess.run(command, cwd=copy, input=patch, capture_output=True, check=False, timeout=30)
        assert (done.returncode, done.stderr) == (0, b""), (command, patch.decode("utf-8", "replace"))
        assert contents(copy) == contents(fixed), command


def test_a_patch_applies_in_a_workspace_that_is_a_folder_of_a_repository(
    make_workspace: Make, diff: Callable[..., tuple[int, bytes]]
) -> None:
    root = make_workspace({"inner/skills/a.yaml": HEAD, "skills/a.yaml": HEAD})
    subprocess.run(["git", "init", "-q", str(root)], check=True, timeout=30)
    patch = diff(str(root / "inner"))[1]
    subprocess.run(GIT, cwd=root / "inner", input=patch, check=True, timeout=30)
    assert '"1.10"' in (root / "inner/skills/a.yaml").read_text()
    assert (root / "skills/a.yaml").read_text() == HEAD


def test_a_file_with_two_names_is_changed_once(make_workspace: Make, diff: Callable[..., tuple[int, bytes]]) -> None:
    root = make_workspace({"skills/a.yaml": HEAD})
    (root / "skills/b.yaml").symlink_to("a.yaml")
    patch = diff(str(root))[1]
    assert patch.count(b"+++ ") == 1
    subprocess.run(GIT, cwd=root, input=patch, check=True, timeout=30)
    assert diff(str(root)) == (0, b"")


@pytest.mark.parametrize("after", ["", "    cwd: x\n", MANY])
@pytest.mark.parametrize("value", ["918273601", '"918273601"'])
def test_what_stands_at_the_value_of_a_server_is_told_outside_of_the_patch(
    value: str, after: str, make_workspace: Make, diff: Callable[..., tuple[int, bytes]]
) -> None:
    text = HEAD + SERVER.format(value) + after
    root = make_workspace({"skills/a.yaml": text})
    status, patch = diff(str(root))
    assert (status, b"918273601" in patch) == (1, False)
    told = [line for line in patch.splitlines() if line.startswith(b"# ")]
    assert bool(told) == (value == "918273601")
    for command, copy in copies(root):
        subprocess.run(command, cwd=copy, input=patch, check=True, timeout=30)
        changed = (copy / "skills/a.yaml").read_text()
        assert changed == text.replace("1.10", '"1.10"').replace("builtins", "builtin_groups").replace(
            "mcpServers", "mcp_servers"
        )


def test_as_json_each_file_has_its_patch(make_workspace: Make, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_workspace({"skills/a.yaml": HEAD + SERVER.format(918273601)})
    assert main(["check", str(root), "--diff", "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["workspace"] == str(root)
    (file,) = document["files"]
    assert file["path"] == "skills/a.yaml"
    assert file["patch"].startswith("--- a/skills/a.yaml\n+++ b/skills/a.yaml\n@@ -1,")
    assert "PIN: " in file["left_out"]
    assert "918273601" not in json.dumps(document)


@pytest.mark.parametrize("other", [["--format", "sarif"], ["--watch"], ["--fix"]])
def test_a_difference_refuses_what_it_cannot_be_with(
    other: list[str], make_workspace: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(make_workspace({})), "--diff", *other]) == 2
    assert "--diff" in capsys.readouterr().err


def test_a_large_agent_skill_is_fixed_too(make_workspace: Make, diff: Callable[..., tuple[int, bytes]]) -> None:
    head = "---\nname: notes\ndescription: Keeps notes: all of them. Use for notes.\n---\n\n1. Go.\n"
    root = make_workspace({"notes/SKILL.md": head + "Words that fill the page.\n" * 50_000})
    status, patch = diff(str(root))
    assert (status, patch[:22]) == (1, b"--- a/notes/SKILL.md\n+")
