"""What an approval covers: every change of what would run gives another digest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from mcp_bench import SERVERS, Bench

from core.diagnostics import Place
from core.sources.mcp.failures import ServerRefused
from core.sources.mcp.identity import isolation_of, server_digest, server_identity
from core.sources.program import ProgramRefused, clean_path, is_inside, resolve_program

BASE = {"env": {"A": "1"}, "cwd": "."}
URL = "https://host/mcp"


def digest(bench: Bench, command: str, **fields: object) -> str:
    return server_digest(bench.server(command, **fields).server.spec)


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("echo hello there", BASE),
        ("echo 'hello there'", BASE),
        ("cat hello", BASE),
        ("echo hello", {**BASE, "env": {"A": "2"}}),
        ("echo hello", {**BASE, "env": {"B": "1"}}),
        ("echo hello", {**BASE, "env": {"A": "${A}"}}),
        ("echo hello", {**BASE, "env": {"A": "1", "LD_PRELOAD": "./x.so"}}),
        ("echo hello", {**BASE, "cwd": "sub"}),
    ],
)
def test_every_part_of_a_command_counts(bench: Bench, command: str, fields: dict[str, object]) -> None:
    (bench.root / "sub").mkdir()

    assert digest(bench, "echo hello", **BASE) == digest(bench, "echo hello", **BASE)
    assert digest(bench, command, **fields) != digest(bench, "echo hello", **BASE)


@pytest.mark.parametrize(
    ("url", "fields"),
    [
        ("http://host/mcp", {"headers": {"A": "1"}}),
        ("https://host:444/mcp", {"headers": {"A": "1"}}),
        ("https://host/mcp?x=1", {"headers": {"A": "1"}}),
        (URL, {"headers": {"A": "2"}}),
        (URL, {"headers": {"B": "1"}}),
        (URL, {"headers": {"A": "1"}, "transport": "sse"}),
    ],
)
def test_every_part_of_an_address_counts(bench: Bench, url: str, fields: dict[str, object]) -> None:
    assert digest(bench, url, **fields) != digest(bench, URL, headers={"A": "1"})


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("python3 servers/run.py", "servers/run.py"),
        ("python3 servers/run.py", "servers/helper.py"),
        ("python3 servers/run.py", "servers/deeper/helper.py"),
        ("sh --require=servers/run.js x", "servers/run.js"),
        ("python3 -m servers.run", "servers/run.py"),
        ("python3 -m servers", "servers/helper.py"),
        ("cat data.txt", "data.txt"),
    ],
)
def test_a_change_of_a_file_that_the_command_names_counts(bench: Bench, command: str, path: str) -> None:
    for name in ("run.py", "run.js", "helper.py", "deeper/helper.py"):
        (bench.root / "servers" / name).parent.mkdir(parents=True, exist_ok=True)
        (bench.root / "servers" / name).write_text("1", "utf-8")
    (bench.root / "data.txt").write_text("1", "utf-8")
    before = digest(bench, command)

    (bench.root / path).write_text("2", "utf-8")

    assert digest(bench, command) != before


def test_a_change_of_a_file_that_the_command_does_not_name_does_not_count(bench: Bench) -> None:
    (bench.root / "servers").mkdir()
    (bench.root / "servers/run.py").write_text("1", "utf-8")
    before = digest(bench, "python3 servers/run.py")

    (bench.root / "servers/notes.md").write_text("new", "utf-8")
    (bench.root / "other.py").write_text("new", "utf-8")

    assert digest(bench, "python3 servers/run.py") == before


@pytest.mark.parametrize(
    "path", ["servers/helper.pyc", "servers/__pycache__/run.cpython-311.pyc", "servers/run.abi3.so", "servers/x.node"]
)
def test_compiled_code_beside_the_script_counts_too(bench: Bench, path: str) -> None:
    (bench.root / "servers/__pycache__").mkdir(parents=True)
    (bench.root / "servers/run.py").write_text("1", "utf-8")
    before = digest(bench, "python3 servers/run.py")

    (bench.root / path).write_bytes(b"compiled")

    assert digest(bench, "python3 servers/run.py") != before


def test_a_run_of_the_servers_own_leaves_nothing_that_counts(bench: Bench) -> None:
    (bench.root / "servers").mkdir()
    (bench.root / "servers/helper.py").write_text("x = 1", "utf-8")
    (bench.root / "servers/run.py").write_text(
        f"import sys; sys.path.insert(1, {str(SERVERS)!r}); sys.argv[1:] = ['plain']; import helper, misbehaving\n"
        "misbehaving.main()",
        "utf-8",
    )
    used = bench.server("python3 servers/run.py", legacy=True)

    assert used.call("echo", a=1).output
    assert digest(bench, "python3 servers/run.py", legacy=True) == used.server.digest


@pytest.mark.parametrize("link", ["file", "folder", "named"])
def test_where_a_link_leads_counts_and_so_does_what_is_there(bench: Bench, link: str) -> None:
    for name in ("one", "two"):
        (bench.root / "lib" / name).mkdir(parents=True)
        (bench.root / "lib" / name / "helper.py").write_text("same", "utf-8")
    (bench.root / "servers").mkdir()
    (bench.root / "servers/run.py").write_text("1", "utf-8")
    at, to = {
        "file": ("servers/helper.py", "../lib/{}/helper.py"),
        "folder": ("servers/pack", "../lib/{}"),
        "named": ("servers/start.py", "../lib/{}/helper.py"),
    }[link]
    command = "python3 servers/start.py" if link == "named" else "python3 servers/run.py"
    (bench.root / at).symlink_to(to.format("one"))
    first = digest(bench, command)

    (bench.root / "lib/one/helper.py").write_text("changed", "utf-8")
    second = digest(bench, command)
    (bench.root / at).unlink()
    (bench.root / at).symlink_to(to.format("two"))

    assert len({first, second, digest(bench, command)}) == 3


def test_links_that_lead_in_a_circle_are_no_trap(bench: Bench) -> None:
    (bench.root / "servers/deep").mkdir(parents=True)
    (bench.root / "servers/run.py").write_text("1", "utf-8")
    (bench.root / "servers/deep/up").symlink_to("..")
    (bench.root / "servers/root").symlink_to("..")

    identity = server_identity(bench.server("python3 servers/run.py").server.spec, Place("s.yaml"))

    assert dict(identity.details)["link servers/root"] == "leads to ."


def test_the_root_counts(bench: Bench, tmp_path: Path) -> None:
    before = digest(bench, "echo hello")
    bench.root = tmp_path / "copy"
    bench.root.mkdir()

    assert digest(bench, "echo hello") != before


def test_the_dialog_shows_one_argument_a_line_and_what_runs(bench: Bench) -> None:
    (bench.root / "run.py").write_text("pass", "utf-8")
    spec = bench.server("python3 run.py 'two words' \x1b[2J").server.spec

    identity = server_identity(spec, Place("skills/s.yaml", 4, 3))
    lines = dict(identity.details)

    assert (identity.kind, identity.title, identity.path, identity.line) == (
        *("mcp-stdio", "MCP server desk", "skills/s.yaml", 4),
    )
    assert os.path.isabs(lines["program"])
    assert [lines[f"argument {n}"] for n in range(4)] == ["python3", "run.py", "two words", "\x1b[2J"]
    assert lines["working folder"] == str(bench.root)
    assert lines["file run.py"].startswith("sha256 ")
    assert "runs code of the workspace: run.py" in identity.warnings
    assert lines["isolation"] == isolation_of(spec)
    assert "not sandboxed" in lines["isolation"]


def test_more_code_than_can_be_covered_is_said(bench: Bench) -> None:
    (bench.root / "lib").mkdir()
    for number in range(2001):
        (bench.root / f"lib/m{number}.py").touch()

    identity = server_identity(bench.server("python3 -m lib").server.spec, Place("s.yaml"))

    assert dict(identity.details)["all files"].startswith("2,000 files, sha256 ")
    assert len([label for label, _ in identity.details if label.startswith("file ")]) == 20
    assert any("more code of the workspace than is covered" in warning for warning in identity.warnings)


def test_a_link_out_of_the_workspace_is_not_read(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x", "utf-8")
    (bench.root / "link").symlink_to(tmp_path / "secret")

    identity = server_identity(bench.server("cat link").server.spec, Place("s.yaml"))

    assert not [label for label, _ in identity.details if label.startswith("file")]


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", "utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("path", ["", ".", ":", "bin", "{root}", "{root}/bin", "{link}"])
def test_a_program_is_never_found_in_the_workspace(bench: Bench, tmp_path: Path, path: str) -> None:
    program(bench.root / "npx")
    program(bench.root / "bin/npx")
    (tmp_path / "link").symlink_to(bench.root / "bin")
    outside = program(tmp_path / "good/npx")
    entry = path.format(root=bench.root, link=tmp_path / "link")

    found = resolve_program("npx", bench.root, {"PATH": f"{entry}:{outside.parent}"}, str(bench.root))

    assert found == str(outside)
    with pytest.raises(ProgramRefused, match="no program 'npx' on the PATH"):
        resolve_program("npx", bench.root, {"PATH": entry}, str(bench.root))


@pytest.mark.parametrize("command", ["./npx", "{root}/npx", "sub/../npx", "{link}/npx", "{out}"])
def test_a_program_that_lies_in_the_workspace_is_refused(bench: Bench, tmp_path: Path, command: str) -> None:
    program(bench.root / "npx")
    (tmp_path / "link").symlink_to(bench.root)
    (tmp_path / "out").symlink_to(bench.root / "npx")
    words = command.format(root=bench.root, link=tmp_path / "link", out=tmp_path / "out")

    with pytest.raises(ServerRefused, match="lies inside the workspace"):
        bench.server(words)


def test_a_link_in_the_workspace_to_a_program_outside_is_refused(bench: Bench) -> None:
    (bench.root / "sh").symlink_to("/bin/sh")

    with pytest.raises(ServerRefused, match="lies inside the workspace"):
        bench.server("./sh -c true")


def test_a_path_keeps_only_absolute_entries_outside_the_workspace(tmp_path: Path) -> None:
    path = f":.:bin:{tmp_path}:{tmp_path}/bin:/usr/bin:{tmp_path}x"

    assert clean_path(tmp_path, {"PATH": path}) == f"/usr/bin:{tmp_path}x"
    assert clean_path(tmp_path, {}) == os.defpath
    assert not is_inside(f"{tmp_path}x", tmp_path)
