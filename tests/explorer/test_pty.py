"""On a real pseudo-terminal: start, resize, quit, signals, a crash; and no byte of untrusted text reaches it raw."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from pty_driver import PATIENCE_S, Terminal, running

from explorer.boundary import MOST_FAILURES

RunProgram = Callable[..., subprocess.CompletedProcess[str]]
MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
TREE = {"skills/a.yaml": "name: local/a\ndescription: Reads things.\ntools:\n  - builtin/read_file\n"}
READY = "Reads things."

CRASHING = """
import sys
from pathlib import Path
from explorer.app import run
from explorer.screens.main import MainScreen
from explorer.widgets.skill_tree import SkillTree

def fail(*_, **__):
    secret = "hunter2"
    raise RuntimeError("it broke at '%s'" % secret)

def thread(self):
    self.run_worker(fail, thread=True, exit_on_error=False)

def later(self):
    self.call_after_refresh(fail)
    self.set_timer(0.01, fail)

def drawing(self):
    SkillTree.row = fail
    self.skill_tree.refresh()

MainScreen.action_copy = {"handler": fail, "thread": thread, "later": later, "drawing": drawing}[sys.argv[3]]
sys.exit(run(Path(sys.argv[1]), state=Path(sys.argv[2])))
"""
REPORT = "Something unexpected"


def test_quitting_leaves_the_terminal_as_it_was(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    with running("open", str(make_workspace(TREE)), "--state", str(tmp_path / "s")) as terminal:
        terminal.until(READY)
        terminal.type("q")
        assert terminal.ended() == 0
        assert terminal.restored


def test_keys_that_are_typed_before_the_first_frame_do_no_harm(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    with running("open", str(make_workspace(TREE)), "--state", str(tmp_path / "s")) as terminal:
        terminal.type("twgnNfedry123456\t\x1b[A\x1b[B\r")
        terminal.until("1 skill")
        terminal.type("\x11")
        assert terminal.ended() == 0
        assert terminal.restored


def test_a_resize_is_followed(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    with running("open", str(make_workspace(TREE)), "--state", str(tmp_path / "s")) as terminal:
        terminal.until(READY)
        terminal.resize(60, 20)
        terminal.until("Skills")
        terminal.type("\r")
        terminal.until(READY)
        terminal.resize(140, 40)
        terminal.until("Skills")
        terminal.type("q")
        assert terminal.ended() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT], ids=lambda n: n.name)
def test_a_signal_ends_it_with_the_terminal_restored(
    make_workspace: MakeWorkspace, tmp_path: Path, number: signal.Signals
) -> None:
    with running("open", str(make_workspace(TREE)), "--state", str(tmp_path / "s")) as terminal:
        terminal.until(READY)
        terminal.process.send_signal(number)
        assert terminal.ended() == 128 + number
        assert terminal.restored


@pytest.mark.parametrize("whole_group", [False, True], ids=["the program alone", "the terminal's whole group"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda n: n.name)
def test_a_signal_ends_it_also_while_the_editor_has_the_terminal(
    make_workspace: MakeWorkspace, tmp_path: Path, number: signal.Signals, whole_group: bool
) -> None:
    with editing(make_workspace(TREE), tmp_path) as terminal:
        os.killpg(terminal.process.pid, number) if whole_group else terminal.process.send_signal(number)
        assert terminal.ended() == 128 + number
        assert terminal.restored


def test_a_terminal_that_goes_while_the_editor_has_it_takes_the_program_along(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    with editing(make_workspace(TREE), tmp_path) as terminal:
        terminal.hang_up()
        assert terminal.process.wait(PATIENCE_S) == 128 + signal.SIGHUP


@contextmanager
def editing(root: Path, tmp_path: Path) -> Iterator[Terminal]:
    """Open ``root``, and an editor on the file of its first skill."""
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\necho it edits\nexec sleep 600\n")
    editor.chmod(0o755)
    with running("open", str(root), "--state", str(tmp_path / "s"), VISUAL=str(editor)) as terminal:
        terminal.until(READY)
        terminal.type("e")
        terminal.until_written(b"it edits")
        yield terminal


def report_of(terminal: Terminal) -> str:
    """Return what stands below the shell's line once the screen has been left."""
    said = terminal.written.rsplit(b"\x1b[?1049l", 1)[1].decode()
    assert "RuntimeError: it broke" in said
    assert "in fail" in said
    assert "Traceback" not in said
    return said


@pytest.mark.parametrize("where", ["handler", "thread", "later"])
def test_what_fails_in_a_handler_or_a_thread_is_reported_and_the_program_goes_on(
    make_workspace: MakeWorkspace, tmp_path: Path, where: str
) -> None:
    with running(str(make_workspace(TREE)), str(tmp_path / "s"), where, script=CRASHING) as terminal:
        terminal.until(READY)
        terminal.type("y")
        terminal.until(REPORT)
        terminal.until("RuntimeError: it broke")
        terminal.type("\x1b")
        terminal.until_gone(REPORT)
        terminal.type("4")
        terminal.until("builtin/read_file")
        terminal.type("\x11")
        assert terminal.ended() == 70
        assert terminal.restored
        report_of(terminal)
        assert b"hunter2" not in terminal.written


def test_what_cannot_be_drawn_ends_the_program_with_a_report(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    with running(str(make_workspace(TREE)), str(tmp_path / "s"), "drawing", script=CRASHING) as terminal:
        terminal.until(READY)
        terminal.type("y")
        assert terminal.ended() == 70
        assert terminal.restored
        report_of(terminal)
        assert b"hunter2" not in terminal.written


def test_a_program_that_keeps_failing_ends(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    with running(str(make_workspace(TREE)), str(tmp_path / "s"), "handler", script=CRASHING) as terminal:
        terminal.until(READY)
        for _ in range(MOST_FAILURES):
            terminal.type("y")
            terminal.until(REPORT)
            terminal.type("\x1b")
            terminal.until_gone(REPORT)
        terminal.type("y")
        assert terminal.ended() == 70
        assert terminal.restored
        report_of(terminal)


def test_the_shell_gets_the_terminal_back_for_a_while(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    with running("open", str(make_workspace(TREE)), "--state", str(tmp_path / "s")) as terminal:
        terminal.until("watching")
        before = terminal.text
        terminal.type("\x1a")
        terminal.until_stopped()
        assert terminal.restored
        terminal.written = b""
        terminal.screen.reset()
        terminal.process.send_signal(signal.SIGCONT)
        terminal.until_written(b"\x1b[?1049h")
        terminal.until(before)
        terminal.type("q")
        assert terminal.ended() == 0
        assert terminal.restored


def test_a_dumb_terminal_gets_one_line(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    with running("open", str(make_workspace(TREE)), "--state", str(tmp_path / "s"), TERM="dumb") as terminal:
        assert terminal.ended() == 2
        assert b"\x1b" not in terminal.written
        assert terminal.written.count(b"\n") == 1


def test_what_is_no_terminal_gets_one_line(make_workspace: MakeWorkspace, run_program: RunProgram) -> None:
    done = run_program("open", str(make_workspace(TREE)))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "needs a terminal" in done.stderr


NASTY = (
    "[/]",
    "[bold]x[/red]",
    "[@click=app.quit]press[/]",
    "\x1b]52;c;RVZJTA==\x07",
    "\x1b[31;1mEVIL",
    "\x1b[2J",
    "\x9b31mEVIL",
    "\x9d52;c;RVZJTA==\x9c",
    "\x00\x08\x0e\x7f",
    "\u202eEVIL\u202c",
    "\u200b\u2066\U000e0041",
)
FORBIDDEN = (
    b"\x1b]52",
    b"\x1b[31;1mEVIL",
    b"\x1b[2JEVIL",
    "\x9b".encode(),
    "\x9d".encode(),
    "\u202e".encode(),
    "\u200b".encode(),
    "\u2066".encode(),
    "\U000e0041".encode(),
    b"\x00",
    b"\x0e",
    b"\x7f",
)


def nasty_tree() -> dict[str, str | bytes]:
    text = " ".join(NASTY) + " EVIL"
    quoted = '"' + text.encode("unicode_escape").decode().replace('"', "").replace("\\U000e0041", "\\U000E0041") + '"'
    skill = f"name: local/a\ndescription: {quoted}\nversion: {quoted}\nincludes:\n  - {quoted}\ntools:\n  - {quoted}\n"
    inline = f"  - name: evil\n    description: {quoted}\n    source: custom\n    code: 'return 1'\n"
    body = text.replace("\x00", "")
    return {
        "skills/a.yaml": skill + inline + f"x{quoted}: 1\n",
        "skills/b.yaml": f"name: local/b\ndescription: Fine.\n# {body}\n".encode(),
        f"tools/{body.replace('/', '')}.yaml": "name: [",
        "agent/SKILL.md": f"---\nname: agent\ndescription: {quoted}\n---\n# {body}\n\n1. {body}\n<!-- {body} -->\n",
    }


def test_no_untrusted_byte_reaches_the_terminal_raw(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    root = make_workspace(nasty_tree())
    with running("open", str(root), "--state", str(tmp_path / "s"), size=(140, 40)) as terminal:
        terminal.until("Skills")
        terminal.until("skills")
        for keys in ("1", "\t", "2", "3", "4", "5", "\x1b", "p", "n", "n", "n", "n", "G", "?", "\x1b", "\x10", "\x1b"):
            terminal.type(keys)
            for _ in range(8):
                terminal.pump()
        terminal.type("\x1b")
        for _ in range(12):
            terminal.type("j")
            terminal.pump(0.2)
            terminal.type("4v")
            for _ in range(6):
                terminal.pump()
            terminal.type("\x1b")
            terminal.pump(0.3)
        assert terminal.process.poll() is None, terminal.text
        terminal.type("\x11")
        assert terminal.ended() == 0
        assert "EVIL" in terminal.written.decode(errors="replace")
        assert [bad for bad in FORBIDDEN if bad in terminal.written] == []
