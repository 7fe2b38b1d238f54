"""Each way of confining keeps exactly what its sentence says, measured from inside and heard from outside."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from core.runtime.confinement import Confinement, Grant, Mechanism, WorksOn
from core.runtime.probing import find_confinement

ATTEMPTS = """
    import os, socket
    def works(attempt):
        try: attempt()
        except OSError: return False
        return True
    def connect(family, address):
        with socket.socket(family) as s:
            s.settimeout(1)
            s.connect(address)
    def run(outside, tcp, udp):
        return {
            'write_outside': works(lambda: open(outside + '/made', 'w').close()),
            'modes_outside': works(lambda: os.chmod(outside + '/file', 0o600)),
            'read_outside': works(lambda: open(outside + '/file').close()),
            'sockets': works(lambda: connect(socket.AF_UNIX, outside + '/socket')),
            'tcp': works(lambda: connect(socket.AF_INET, ('127.0.0.1', tcp))),
            'udp': works(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', udp))),
        }
"""


def attempts(bench: Any, outside: Path, flags: str) -> tuple[dict[str, bool], Any]:
    outside.mkdir()
    (outside / "file").write_text("x")
    with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp, socket.socket(socket.AF_UNIX) as local:
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        udp.bind(("127.0.0.1", 0))
        udp.setblocking(False)
        local.bind(str(outside / "socket"))
        local.listen()
        given = {"outside": str(outside), "tcp": tcp.getsockname()[1], "udp": udp.getsockname()[1]}
        outcome = bench.run(ATTEMPTS, given, flags=flags)
        found = dict(outcome.result.output_data)
        try:
            found["udp"] = bool(udp.recv(1))
        except BlockingIOError:
            found["udp"] = False
    return found, outcome


USES = {"reader": ("{read_only: true}", WorksOn.READ_ONLY_COPY), "writer": ("{writes: true}", WorksOn.COPY)}


@pytest.mark.parametrize(("flags", "works_on"), USES.values(), ids=USES)
def test_a_tool_can_do_exactly_what_the_trial_could(
    each_bench: Any, tmp_path: Path, flags: str, works_on: WorksOn
) -> None:
    gaps = each_bench.confinement.gaps(Grant(works_on))
    found, outcome = attempts(each_bench, tmp_path / "outside", flags)
    assert {name for name, worked in found.items() if worked} == set(found) & gaps
    if each_bench.confinement.mechanism is Mechanism.LIMITS:
        assert "runs as you, can read and write your files and use the network" in outcome.isolation
    elif gaps & set(found):
        assert outcome.isolation.startswith("Partly sandboxed by")
    else:
        assert outcome.isolation.startswith("Sandboxed by")


def test_the_network_is_open_to_tools_that_declare_side_effects_and_the_sentence_says_so(
    each_bench: Any, tmp_path: Path
) -> None:
    found, outcome = attempts(each_bench, tmp_path / "outside", "{read_only: true, side_effects: [network]}")
    assert (found["tcp"], found["udp"]) == (True, True)
    assert "network" in outcome.isolation
    assert "can't use the network" not in outcome.isolation


def test_each_level_is_called_by_its_name(each_bench: Any) -> None:
    assert str(each_bench.confinement.mechanism) in each_bench.run("return 1").isolation or (
        each_bench.confinement.mechanism is Mechanism.LIMITS
    )


SENTENCES = {
    "nothing is open": (frozenset(), "Sandboxed by bubblewrap: it can't write elsewhere, ", "Not blocked"),
    "the network is shut in one word": (frozenset(), "or use the network.", "TCP"),
    "one gap": (frozenset({"udp"}), "Not blocked: UDP.", "use the network"),
    "another gap": (
        frozenset({"sockets", "modes_outside"}),
        "Not blocked: modes and times of other files, local",
        "UDP",
    ),
}


@pytest.mark.parametrize(("gaps", "words", "absent"), SENTENCES.values(), ids=SENTENCES)
def test_the_sentence_names_every_gap(gaps: frozenset[str], words: str, absent: str) -> None:
    sentence = Confinement(Mechanism.BUBBLEWRAP, open=gaps).sentence(Grant(WorksOn.COPY))
    assert words in sentence
    assert absent not in sentence


def test_a_tool_that_only_reads_may_be_held_closer_and_its_sentence_says_so() -> None:
    found = Confinement(Mechanism.LANDLOCK_SECCOMP, open=frozenset({"modes_outside"}), open_to_readers=frozenset())
    reads, writes = found.sentence(Grant(WorksOn.READ_ONLY_COPY)), found.sentence(Grant(WorksOn.COPY))
    assert reads.startswith("Sandboxed by Landlock and seccomp: it can't write elsewhere, change modes and times")
    assert writes.startswith("Partly sandboxed by Landlock and seccomp: ")
    assert "Not blocked: modes and times of other files." in writes


def test_the_sentence_names_the_overlay_that_may_stand_for_the_copy_and_its_limits_where_it_does() -> None:
    found = Confinement(Mechanism.BUBBLEWRAP, open=frozenset(), overlay=True)
    writer, real = Grant(WorksOn.COPY), Grant(WorksOn.REAL)
    assert "It works on a copy or an overlay of the workspace." in found.sentence(writer)
    assert "overlay" not in found.sentence(real)
    said = found.sentence(writer, overlaid=True)
    assert "It works on an overlay of the workspace: what others save meanwhile shows through, and folders" in said
    assert "copy" not in said


TABLES = {
    Mechanism.BUBBLEWRAP: (set(), set()),
    Mechanism.LANDLOCK_SECCOMP: ({"modes_outside", "modes_workspace"}, set()),
    Mechanism.LANDLOCK: (2 * [{"modes_outside", "modes_workspace", "sockets", "udp"}]),
}


@pytest.mark.parametrize("mechanism", TABLES, ids=str)
def test_each_level_leaves_open_no_more_than_is_known_of_it(
    confinements: dict[Mechanism, Confinement | None], mechanism: Mechanism
) -> None:
    """An older Landlock leaves TCP and other processes open as well."""
    found = confinements[mechanism]
    if found is None:
        pytest.skip(f"{mechanism} does not work on this machine")
    for works_on, known in zip((WorksOn.COPY, WorksOn.READ_ONLY_COPY), TABLES[mechanism], strict=True):
        assert found.gaps(Grant(works_on)) <= known | (
            {"tcp", "processes"} if mechanism is Mechanism.LANDLOCK else set()
        )


@pytest.mark.parametrize("reaps", [True, False])
def test_the_sentence_says_when_detached_processes_are_not_found(reaps: bool) -> None:
    sentence = Confinement(reaps=reaps).sentence(Grant(WorksOn.COPY))
    assert ("may outlive the call" in sentence) is not reaps


def test_the_answer_of_the_trial_is_kept_and_found_again(tmp_path: Path) -> None:
    first = find_confinement(tmp_path / "ws", tmp_path / "state")
    kept = json.loads((tmp_path / "state/confinement.json").read_text())
    kept["mechanism"], kept["open"], kept["open_to_readers"] = "Landlock", ["udp"], []
    (tmp_path / "state/confinement.json").write_text(json.dumps(kept))
    again = find_confinement(tmp_path / "ws", tmp_path / "state")
    assert (again.mechanism, again.open) == (Mechanism.LANDLOCK, frozenset({"udp"}))
    assert again.open_to_readers == frozenset()
    assert first.mechanism in Mechanism


@pytest.mark.parametrize("content", ["", "{", "[]", '{"key": []}', '{"key": null, "mechanism": "best"}'])
def test_a_damaged_answer_is_found_afresh(tmp_path: Path, content: str) -> None:
    (tmp_path / "confinement.json").write_text(content)
    assert find_confinement(tmp_path / "ws", tmp_path) == find_confinement(tmp_path / "ws", tmp_path / "fresh")


def test_an_answer_that_lies_in_the_workspace_is_not_believed(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    true = find_confinement(root, tmp_path / "state")
    planted = json.loads((tmp_path / "state/confinement.json").read_text())
    planted["mechanism"], planted["program"], planted["open"] = "bubblewrap", str(root / "evil"), []
    (root / "state").mkdir(parents=True)
    (root / "state/confinement.json").write_text(json.dumps(planted))
    assert find_confinement(root, root / "state") == true


def test_no_program_of_the_workspace_is_taken_for_the_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    (root / "bwrap").write_text("#!/bin/sh\ntouch ran\n")
    os.chmod(root / "bwrap", 0o755)
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", f"{root}::.:/nowhere")
    found = find_confinement(root, tmp_path / "state")
    assert found.mechanism is not Mechanism.BUBBLEWRAP
    assert not (root / "ran").exists()


def test_a_sandbox_that_fails_at_the_start_fails_the_call(bench: Any) -> None:
    bench.confinement = Confinement(Mechanism.BUBBLEWRAP, "/bin/false", (), frozenset())
    error = bench.run("return 1").result.error
    assert str(error.error_type) == "tool_activation_failure"
    assert "exit status 1" in error.message


def test_a_sandbox_that_is_gone_fails_the_call(bench: Any) -> None:
    bench.confinement = Confinement(Mechanism.BUBBLEWRAP, "/nowhere/bwrap", (), frozenset())
    error = bench.run("return 1").result.error
    assert (str(error.error_type), "No such file" in error.message) == ("tool_activation_failure", True)


def test_a_tool_works_in_the_workspace_with_a_home_and_a_temporary_folder_of_its_own(each_bench: Any) -> None:
    code = """
        import os, pathlib, tempfile
        (pathlib.Path.home() / 'x').write_text('x')
        with tempfile.NamedTemporaryFile() as f: f.write(b'x')
        return sorted(os.listdir('.'))
    """
    assert each_bench.run(code).result.output_data == ["skills", "tools"]
