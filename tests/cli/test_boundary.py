"""The edges of the command line: misuse, closed pipes, help."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.diagnostics.catalogue import catalogue
from core.text import safe_text
from explorer.cli import main
from explorer.cli.group import COMMANDS, cli
from explorer.cli.registry import command as registry


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("chekc",), "did you mean 'check'"),
        (("unregister", "local/a"), "did you mean 'register'"),
        (("register",), "SKILL"),
        (("registry",), "Missing command"),
        (("registry", "lst"), "No such command"),
        (("check", "--format", "xml"), "xml"),
        (("check", ".", "-w", ".."), "once"),
        (("check", "/no/such/folder"), "cannot read the workspace"),
        (("check", ""), "an empty path names no folder"),
        (("list", "-w", " "), "an empty path names no folder"),
        (("check", ".", "--state", ""), "an empty path names no folder"),
        ((" ",), "no command"),
        (("check", __file__), "cannot read the workspace"),
        (("check", ".", "--select", "includ"), "did you mean 'include'"),
        (("show",), "SKILL"),
        (("explain", "include/cylce"), "include/cycle"),
        (("invoke", "local/a", "local/t", "--input", "{"), "not JSON"),
        (("invoke", "local/a", "local/t", "--set", "x"), "key=value"),
        (("invoke", "local/a", "local/t", "--set", "=3"), "key=value"),
        (("new", "skill", "noslash"), "namespace/short_name"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_misuse_is_one_line_and_status_two(
    arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(arguments)) == 2
    done = capsys.readouterr()
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    assert says in done.err


@pytest.mark.parametrize("code", catalogue())
def test_every_code_is_explained_in_both_forms_alike(code: str, ask: Any, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = ask("explain", code)
    assert status == 0
    assert told.keys() == {"code", "severity", "meaning", "why", "wrong", "right", "remedy"}
    assert main(["explain", code]) == 0
    page = capsys.readouterr().out
    assert code in page
    assert told["meaning"] in page
    assert [path for path in {**told["wrong"], **told["right"]} if f"# {safe_text(path)}" not in page] == []
    assert {type(text) for text in {**told["wrong"], **told["right"]}.values()} <= {str}


def test_a_new_file_is_not_written_over_another(make_workspace: Any, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_workspace({"skills/a.yaml": "kept"})
    assert main(["new", "skill", "local/a", "-w", str(root)]) == 2
    assert "there already" in capsys.readouterr().err
    assert (root / "skills/a.yaml").read_text(encoding="utf-8") == "kept"


def test_two_skills_of_one_short_name_get_files_of_their_own(tmp_path: Path) -> None:
    root = str(tmp_path)
    assert [main(["new", "skill", name, "-w", root]) for name in ("local/x", "team/x")] == [0, 0]
    assert [main(["new", "skill", name, "-w", root]) for name in ("local/x", "team/x")] == [2, 2]
    assert sorted(path.name for path in (tmp_path / "skills").iterdir()) == ["team-x.yaml", "x.yaml"]
    assert main(["check", root]) == 0


@pytest.mark.parametrize("form", ["sarif", "github"])
def test_a_watch_refuses_a_form_that_it_cannot_show_changes_in(tmp_path: Path, form: str) -> None:
    assert main(["check", str(tmp_path), "--watch", "--format", form]) == 2


def test_a_tab_in_the_name_of_a_file_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "a\tb.yaml").write_text("name: local/a\n")
    main(["check", str(tmp_path)])
    out = capsys.readouterr().out
    assert "skills/a\u2409b.yaml" in out
    assert "\t" not in out


@pytest.mark.parametrize("kind", ["skill", "tool", "actor"])
def test_a_starting_file_is_accepted_as_it_is(
    kind: str, make_workspace: Any, ask: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(make_workspace({}))
    assert main(["new", kind, "local/first", "-w", root]) == 0
    capsys.readouterr()
    status, document = ask("check", root)
    assert (status, [d for d in document["diagnostics"] if d["severity"] != "info"]) == (0, [])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert "Example: skill-explorer" in " ".join(capsys.readouterr().out.split())
    assert cli.get_command(None, name) is not None  # type: ignore[arg-type]


@pytest.mark.parametrize("name", registry.commands)
def test_every_command_on_the_registry_has_help_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["registry", name, "--help"]) == 0
    assert f"Example: skill-explorer registry {name}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("arguments", [("explain",), ("check", "."), ("schema", "skill")], ids=lambda a: a[0])
def test_a_closed_pipe_ends_quietly(arguments: tuple[str, ...], make_workspace: Any) -> None:
    root = make_workspace({f"skills/s{n}.yaml": "name: [\n" for n in range(60)})
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as out:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "explorer", *arguments],
            check=False,
            stdout=out,
            stderr=subprocess.PIPE,
            timeout=60,
            cwd=root,
            env=dict(os.environ),
        )
    assert (done.returncode in (0, 1), done.stderr) == (True, b"")


def test_a_workspace_inside_is_named_and_not_entered(make_workspace: Any, ask: Any) -> None:
    skill = "name: local/a\ndescription: A skill.\n"
    root = make_workspace({"skills/a.yaml": skill, "sub/skill-explorer.toml": "", "sub/skills/b.yaml": skill})
    _, document = ask("list", str(root))
    assert [row["path"] for row in document["skills"]] == ["skills/a.yaml"]
    assert document["workspaces"] == ["sub"]


ODD_STREAMS = {
    "no output": (["list"], "1>&-", {}, 0),
    "no output as JSON": (["check", "--format", "json"], "1>&-", {}, 0),
    "no error stream": (["check", "/no/such/folder"], "2>&-", {}, 2),
    "no streams": (["show", "local/a"], "0<&- 1>&- 2>&-", {}, 0),
    "no input": (["open"], "0<&-", {}, 2),
    "Latin letters": (["show", "local/a"], "", {"PYTHONIOENCODING": "latin-1"}, 0),
    "ASCII letters": (["check"], "", {"PYTHONIOENCODING": "ascii"}, 0),
    "a narrow dumb terminal": (["list"], "", {"COLUMNS": "20", "TERM": "dumb", "LC_ALL": "C"}, 0),
}


@pytest.mark.parametrize("odd", ODD_STREAMS)
def test_odd_streams_change_no_status(odd: str, make_workspace: Any) -> None:
    root = make_workspace({"skills/a.yaml": "name: local/a\ndescription: Déjà 語.\ntools: [builtin/read_file]\n"})
    arguments, streams, environment, status = ODD_STREAMS[odd]
    program = f'exec "$0" -P -m explorer "$@" {streams}'
    done = subprocess.run(
        ["sh", "-c", program, sys.executable, *arguments],
        cwd=root,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, b"unexpected" in done.stderr) == (status, False), done.stderr


def test_a_current_folder_that_is_gone_stops_nothing(make_workspace: Any) -> None:
    root = make_workspace({"skills/a.yaml": "name: local/a\ndescription: A.\nincludes: [local/gone]\n"})
    program = f'mkdir gone && cd gone && rmdir ../gone && exec "$0" -P -m explorer check "{root}" --format github'
    done = subprocess.run(
        ["sh", "-c", program, sys.executable], cwd=root.parent, capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout[:29]) == (1, b"::error file=skills/a.yaml,li"), done.stderr
