"""The small parts of a worker by themselves: frames, pipes, diffs, snapshots, and the trial of a confinement."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.runtime.spool import Spool
from core.runtime.worker import probe
from core.runtime.worker.diffs import LINE_LIMIT, MAX_DIFFS, SIZE_LIMIT, diffs
from core.runtime.worker.failure import described
from core.runtime.worker.frames import FrameBuffer, FrameTooLong, packed, read_frame, too_deep, write_frame
from core.runtime.worker.pipes import LogPipe, Outbox
from core.runtime.worker.snapshot import changes, hash_file, scan

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.lists(st.binary(max_size=50)), st.lists(st.integers(1, 20)))
def test_frames_arrive_whole_however_they_are_cut(frames: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(map(packed, frames))
    buffer, heard, at = FrameBuffer(100), [], 0
    for cut in [*cuts, len(stream)]:
        heard += buffer.feed(stream[at : at + cut])
        at += cut
    assert heard == frames


def test_a_frame_over_the_limit_is_refused_before_it_is_read() -> None:
    with pytest.raises(FrameTooLong):
        FrameBuffer(100).feed((101).to_bytes(4, "big"))


@given(st.binary(max_size=300))
def test_a_written_frame_is_read_again(payload: bytes) -> None:
    read, write = os.pipe()
    write_frame(write, payload)
    os.close(write)
    assert (read_frame(read), read_frame(read)) == (payload, None)
    os.close(read)


def depth(value: Any) -> int:
    inner = value if isinstance(value, list) else value.values() if isinstance(value, dict) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


@given(JSON, st.integers(0, 5))
def test_depth_is_measured_on_the_text_as_on_the_value(value: Any, limit: int) -> None:
    assert too_deep(json.dumps(value, ensure_ascii=False).encode(), limit) == (depth(value) > limit)


def test_printed_lines_come_whole_and_what_is_over_the_limit_is_counted() -> None:
    read, write = os.pipe()
    os.set_blocking(read, False)
    log = LogPipe(read, "stdout", 12)
    assert (log.read(), log.ready()) == ("", False)
    os.write(write, b"one\ntw")
    assert (log.read(), log.ready()) == ("one\n", False)
    os.write(write, "o\nü and more".encode()[:-1])
    assert log.read() == "two\nü a"
    os.write(write, b"x" * 100)
    assert (log.read(), log.dropped) == ("", 106)
    os.close(write)
    assert (log.read(), log.open, log.rest()) == ("", False, "")
    os.close(read)


def test_half_a_character_at_the_end_is_shown_as_one_that_is_broken() -> None:
    read, write = os.pipe()
    os.write(write, b"a\xc3")
    os.close(write)
    log = LogPipe(read, "stdout", 100)
    assert log.read() + log.read() + log.rest() == "a\ufffd"
    os.close(read)


def test_an_outbox_waits_for_a_full_pipe_and_gives_up_on_a_closed_one() -> None:
    read, write = os.pipe()
    outbox = Outbox(write)
    outbox.put(bytes(1 << 20))
    assert outbox.waiting
    os.read(read, 1 << 16)
    outbox.flush()
    assert outbox.waiting
    os.close(read)
    outbox.flush()
    assert not outbox.waiting
    os.close(write)


def changed(path: str, change: str = "modified") -> dict[str, Any]:
    return {"path": path, "change": change}


UNCOMPARED = {
    "binary": (b"a\0", b"b"),
    "not UTF-8": (b"\xff", b"b"),
    "large": (b"a", b"b" * (SIZE_LIMIT + 1)),
    "many lines": (b"a\n", b"b\n" * (LINE_LIMIT + 1)),
    "unknown": (None, b"b"),
}


@pytest.mark.parametrize(("before", "after"), UNCOMPARED.values(), ids=UNCOMPARED)
def test_what_cannot_be_compared_has_an_empty_diff(tmp_path: Path, before: bytes | None, after: bytes) -> None:
    (tmp_path / "f").write_bytes(after)
    [made] = diffs([changed("f")], str(tmp_path), lambda _: before)
    assert made == {"path": "f", "change": "modified", "diff": ""}


def test_diffs_are_made_for_a_limited_number_of_files(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("new\n")
    made = diffs([changed("f")] * (MAX_DIFFS + 1), str(tmp_path), lambda _: b"old\n")
    assert [bool(d["diff"]) for d in made] == [True] * MAX_DIFFS + [False]


def test_a_diff_says_where_no_line_end_is(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("new")
    [made] = diffs([changed("f")], str(tmp_path), lambda _: b"old\n")
    assert made["diff"] == "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+new\n\\ No newline at end of file\n"


def test_a_deleted_file_is_compared_with_nothing(tmp_path: Path) -> None:
    [made] = diffs([changed("f", "deleted")], str(tmp_path), lambda _: b"old\n")
    assert made["diff"].startswith("--- a/f\n+++ /dev/null\n")


def test_a_scan_tells_kinds_apart_follows_no_link_and_stops_at_its_limit(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/file").write_text("x")
    os.symlink("/", tmp_path / "link")
    os.mkfifo(tmp_path / "pipe")
    found = scan(str(tmp_path)).entries
    kinds = {path: entry[0] for path, entry in found.items()}
    assert kinds == {"folder": "directory", "folder/file": "file", "link": "symlink", "pipe": "other"}
    assert "folder/file" not in scan(str(tmp_path), lambda path: path == "folder").entries
    assert len(scan(str(tmp_path), limit=1).entries) == 1
    assert (hash_file(str(tmp_path / "pipe")), hash_file(str(tmp_path / "nowhere"))) == (None, None)


def test_a_scan_of_what_is_not_there_finds_nothing(tmp_path: Path) -> None:
    assert scan(str(tmp_path / "nowhere")).entries == {}


def test_a_file_that_has_become_a_link_and_a_link_that_leads_elsewhere_are_changes(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    os.symlink("one", tmp_path / "b")
    before = scan(str(tmp_path)).entries
    (tmp_path / "a").unlink()
    (tmp_path / "b").unlink()
    os.symlink("x", tmp_path / "a")
    os.symlink("two", tmp_path / "b")
    found, more = changes(before, scan(str(tmp_path)).entries, lambda _: "hash", str(tmp_path))
    assert [(c["path"], c["change"], c["type"]) for c in found] == [
        ("a", "modified", "symlink"),
        ("b", "modified", "symlink"),
    ]
    assert more == 0


def test_a_spool_keeps_contents_and_refuses_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a" * 3_000_000)
    (tmp_path / "b").write_bytes(b"b")
    os.mkfifo(tmp_path / "pipe")
    spool = Spool(tmp_path)
    taken = [spool.take(str(tmp_path), name) for name in ("a", "b", "pipe", "nowhere")]
    assert taken == [True, True, False, False]
    assert b"".join(spool.read("a")) == b"a" * 3_000_000
    assert (b"".join(spool.read("b")), "pipe" in spool) == (b"b", False)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b", "pipe"]
    spool.close()


def test_an_unconfined_trial_finds_everything_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("workspace", "outside"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("x")
    with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp, socket.socket(socket.AF_UNIX) as local:
        for bound in (tcp, udp):
            bound.bind(("127.0.0.1", 0))
        local.bind(str(tmp_path / "outside/socket"))
        tcp.listen()
        local.listen()
        plan = {
            "workspace": str(tmp_path / "workspace"),
            "outside": str(tmp_path / "outside"),
            "pid": os.getpid(),
            "started": Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19],
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "landlock": None,
        }
        probe.main(json.dumps(plan))
        found = json.loads(capsys.readouterr().out)
        probe.main(json.dumps({**plan, "outside": str(tmp_path / "missing"), "started": "0", "tcp": 1}))
        shut = json.loads(capsys.readouterr().out)
    assert set(found.values()) == {True}
    assert {name for name, worked in shut.items() if worked} == {"write_workspace", "modes_workspace", "udp"}


def test_what_was_raised_is_described_whatever_it_is() -> None:
    class OddError(Exception):
        def __str__(self) -> str:
            raise SystemExit

    try:
        raise OddError
    except OddError as raised:
        told = described(raised)
    assert told["chain"][0][1] == "OddError"
    assert "can't be read" in told["message"]
