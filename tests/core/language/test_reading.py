"""Reading one file: without waiting, without leaving the workspace, without taking in more than is allowed."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.reading import Uncontained, Unreadable, contained, read_file, read_workspace_file

MIB = 1 << 20


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    (folder / "skills").mkdir(parents=True)
    (folder / "skills" / "a.yaml").write_text("name: local/a\n", encoding="utf-8")
    (tmp_path / "secret.yaml").write_text("secret", encoding="utf-8")
    return folder


def refusal(root: Path, path: str, limit: int = MIB) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        read_file(root, path, limit)
    return caught.value


def test_a_file_is_read_as_it_stands(root: Path) -> None:
    (root / "crlf.yaml").write_bytes("a: ä\r\nb: c\r".encode())
    assert read_workspace_file(root, "crlf.yaml") == "a: ä\r\nb: c\r"
    assert read_file(root, "crlf.yaml").size == 12


def test_a_byte_order_mark_is_left_out_and_told(root: Path) -> None:
    (root / "bom.yaml").write_bytes(b"\xef\xbb\xbfa: b\n")
    found = read_file(root, "bom.yaml")
    assert (found.text, found.bom) == ("a: b\n", True)
    assert read_file(root, "skills/a.yaml").bom is False


def test_an_empty_file_is_empty_text(root: Path) -> None:
    (root / "empty.yaml").touch()
    assert read_workspace_file(root, "empty.yaml") == ""


@pytest.mark.parametrize("link", ["skills/b.yaml", "skills/to_folder/a.yaml", "skills/absolute.yaml", "twice.yaml"])
def test_a_link_that_stays_inside_is_followed(root: Path, link: str) -> None:
    (root / "skills" / "b.yaml").symlink_to("a.yaml")
    (root / "skills" / "to_folder").symlink_to("../skills")
    (root / "skills" / "absolute.yaml").symlink_to(root / "skills" / "a.yaml")
    (root / "twice.yaml").symlink_to("skills/to_folder/b.yaml")
    assert read_workspace_file(root, link) == "name: local/a\n"


@pytest.mark.parametrize(
    "target", ["/etc/hostname", "../../secret.yaml", "/dev/zero", "/proc/self/environ", "../skills/../../secret.yaml"]
)
def test_a_link_out_of_the_workspace_is_refused(root: Path, target: str) -> None:
    (root / "skills" / "out.yaml").symlink_to(target)
    found = refusal(root, "skills/out.yaml")
    assert found.rule.code == "file/outside"
    assert found.diagnostic.place.path == "skills/out.yaml"


def test_a_folder_that_is_a_link_out_of_the_workspace_is_refused(root: Path) -> None:
    (root / "out").symlink_to("..")
    assert refusal(root, "out/secret.yaml").rule.code == "file/outside"


@pytest.mark.parametrize("path", ["../secret.yaml", "skills/../../secret.yaml", "/etc/hostname", "a\0b", "\ud800.yaml"])
def test_a_path_that_leaves_by_itself_is_refused(root: Path, path: str) -> None:
    assert refusal(root, path).rule.code == "file/outside"


def test_a_chain_of_links_without_an_end_is_told(root: Path) -> None:
    (root / "x.yaml").symlink_to("y.yaml")
    (root / "y.yaml").symlink_to("x.yaml")
    assert refusal(root, "x.yaml").rule.code == "file/link-loop"


def test_what_is_not_there_or_leads_to_nothing_is_unreadable(root: Path) -> None:
    (root / "dangling.yaml").symlink_to("nowhere.yaml")
    for path in ("dangling.yaml", "gone.yaml", "gone/gone.yaml", "skills/a.yaml/b.yaml", "skills", "a" * 300):
        assert refusal(root, path).rule.code == "file/unreadable", path


def test_a_pipe_a_socket_and_a_device_are_never_opened_for_reading(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(root / "pipe.yaml")
    monkeypatch.chdir(root)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket.yaml")
        assert refusal(root, "pipe.yaml").rule.code == "file/not-regular"
        assert refusal(root, "socket.yaml").rule.code == "file/not-regular"
        assert "pipe" in refusal(root, "pipe.yaml").message


def test_a_file_without_permission_is_unreadable(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("core.language.reading.os.open", refuse)
    found = refusal(root, "skills/a.yaml")
    assert found.rule.code == "file/unreadable"
    assert "Permission denied" in found.message


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(root: Path) -> None:
    (root / "full.yaml").write_bytes(b"#" * MIB)
    (root / "over.yaml").write_bytes(b"#" * (MIB + 1))
    assert len(read_workspace_file(root, "full.yaml")) == MIB
    found = refusal(root, "over.yaml")
    assert found.rule.code == "file/too-large"
    assert "larger than 1 MiB" in found.message
    assert len(read_workspace_file(root, "over.yaml", 2 * MIB)) == MIB + 1


def test_a_file_that_pretends_to_be_small_is_not_read_beyond_the_limit(root: Path) -> None:
    (root / "a.yaml").symlink_to("skills/a.yaml")
    assert refusal(root, "a.yaml", 3).rule.code == "file/too-large"


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ("name: local/x\n".encode("utf-16"), "UTF-16"),
        ("name: local/x\n".encode("utf-16-le"), "UTF-16"),
        ("name: local/x\n".encode("utf-16-be"), "UTF-16"),
        ("name: ä\n".encode("utf-16-le"), "UTF-16"),
        ("name: local/x\n".encode("utf-32"), "UTF-32"),
        ("name: ä\n".encode("latin-1"), "byte 7 is 0xe4"),
        (b"\x89PNG\r\n\x1a\n", "byte 1 is 0x89"),
        (b"\xed\xa0\x80", "byte 1 is 0xed"),
    ],
)
def test_what_is_not_utf8_is_refused_by_the_name_of_its_encoding(root: Path, data: bytes, named: str) -> None:
    (root / "odd.yaml").write_bytes(data)
    found = refusal(root, "odd.yaml")
    assert found.rule.code == "file/encoding"
    assert named in found.message


def test_a_nul_in_text_is_left_to_whoever_reads_it(root: Path) -> None:
    (root / "nul.yaml").write_bytes(b"description: a\0b\n")
    assert read_workspace_file(root, "nul.yaml") == "description: a\0b\n"


@given(st.binary(max_size=200))
def test_any_bytes_give_text_or_a_finding(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / "any-bytes").write_bytes(data)
    try:
        outcome = read_workspace_file(folder, "any-bytes").encode()
    except Unreadable as error:
        outcome = error.rule.code.encode()
    assert outcome in (data, data.removeprefix(b"\xef\xbb\xbf"), b"file/encoding")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a/b", "a/b"),
        ("./a//b/.", "a/b"),
        (".", "."),
        ("a/../b", "b"),
        ("a/b/../..", "."),
        (" ", None),
        ("-rf", "-rf"),
        ("$HOME", "$HOME"),
        ("..%2f..", "..%2f.."),
        ("...", "..."),
        ("", None),
        ("/etc", None),
        ("//host/share", None),
        ("~", None),
        ("~root/.ssh", None),
        ("..", None),
        ("./a/../../b", None),
        ("../../../../etc", None),
        ("file:///etc", None),
        ("https://example.org/x", None),
        ("\\\\host\\share", None),
        ("C:\\x", None),
        ("C:/x", None),
        ("..\\x", None),
        ("a\0b", None),
        ("a\ud800b", None),
        ("a" * 256, None),
        ("a/" * 2_100, None),
    ],
)
def test_a_written_path_is_taken_apart_or_refused(root: Path, text: str, path: str | None) -> None:
    if path is not None:
        assert contained(root, text) == path
        return
    with pytest.raises(Uncontained):
        contained(root, text)


def test_a_written_path_may_not_pass_through_a_link_out_of_the_workspace(root: Path) -> None:
    (root / "out").symlink_to("/etc")
    (root / "in").symlink_to("skills")
    assert contained(root, "in/a.yaml") == "in/a.yaml"
    for text in ("out", "out/hostname", "in/../out"):
        with pytest.raises(Uncontained):
            contained(root, text)


def test_a_written_path_through_an_endless_link_is_refused(root: Path) -> None:
    (root / "loop").symlink_to("loop")
    with pytest.raises(Uncontained):
        contained(root, "loop/x")


def test_nothing_outside_is_touched_to_refuse_a_path(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "out").symlink_to("../secret.yaml")
    (root / "far").symlink_to("/etc/hostname")
    touched: list[str] = []
    real = os.readlink
    monkeypatch.setattr(os, "readlink", lambda path: touched.append(os.path.abspath(path)) or real(path))
    for text in ("out", "far", "../secret.yaml", "/etc/hostname", "~", "a/../../secret.yaml"):
        with pytest.raises(Uncontained):
            contained(root, text)
    assert touched
    assert all(path.startswith(f"{root}/") for path in touched)


@given(st.text(st.sampled_from("ab./\\~:\0 $C"), max_size=30))
def test_no_written_path_leaves_the_workspace(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.getbasetemp()
    try:
        path = contained(folder, text)
    except Uncontained:
        return
    inside = os.path.normpath(os.path.join(folder, path))
    assert inside == str(folder) or inside.startswith(f"{folder}/")
