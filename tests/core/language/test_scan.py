"""Which files of a folder count, and what is said about the rest; no file is opened for it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from core.language import scan as scanning
from core.language.scan import Scan, scan

Make = Callable[[Iterable[str]], Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write files, folders (``x/``) and links (``x -> y``) below a new workspace."""

    def write(entries: Iterable[str]) -> Path:
        root = tmp_path / "ws"
        root.mkdir(exist_ok=True)
        for entry in entries:
            name, _, target = entry.partition(" -> ")
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if target:
                path.symlink_to(target)
            elif name.endswith("/"):
                path.mkdir(exist_ok=True)
            else:
                path.write_text("name: local/x\n", encoding="utf-8")
        return root

    return write


def paths(found: Scan) -> list[str]:
    return [file.path for file in found.files]


def said(found: Scan) -> list[tuple[str, str, str]]:
    return sorted((d.place.path, d.code, str(d.severity)) for d in found.diagnostics)


def test_every_yaml_file_counts_wherever_it_lies(make: Make) -> None:
    root = make(["a.yaml", "b.yml", "C.YAML", "deep/er/d.yaml", "readme.md", "e.yaml.bak", "yaml", "x.json"])
    assert paths(scan(root)) == ["C.YAML", "a.yaml", "b.yml", "deep/er/d.yaml"]


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("x.yaml", None),
        ("skills/x.yaml", "skills"),
        ("tools/x.yaml", "tools"),
        ("actors/x.yaml", "actors"),
        ("skills/more/x.yaml", "skills"),
        ("skills/tools/x.yaml", "tools"),
        ("tools/skills/deep/x.yaml", "skills"),
        ("Skills/x.yaml", None),
        ("my-skills/x.yaml", None),
    ],
)
def test_the_nearest_of_the_three_folders_is_the_hint(make: Make, path: str, hint: str | None) -> None:
    assert [(file.path, file.kind_hint) for file in scan(make([path])).files] == [(path, hint)]


def test_a_file_is_told_apart_by_size_times_and_inode(make: Make) -> None:
    root = make(["skills/x.yaml"])
    file = scan(root).files[0]
    status = (root / "skills/x.yaml").stat()
    assert (file.size, file.mtime_ns, file.ctime_ns, file.inode) == (
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
    )


def test_hidden_folders_are_skipped_but_for_the_skills_of_clients(make: Make) -> None:
    root = make(
        [
            *(".hidden/a.yaml", ".git/a.yaml", "node_modules/a.yaml", ".venv/a.yaml", "__pycache__/a.yaml"),
            *(".claude/a.yaml", ".claude/skills/b.yaml", ".agents/skills/c/SKILL.md", ".github/skills/d.yaml"),
            *(".github/workflows/ci.yaml", "sub/.claude/skills/e.yaml", ".claude/other/f.yaml"),
        ]
    )
    found = scan(root)
    assert paths(found) == [".claude/skills/b.yaml", ".github/skills/d.yaml", "sub/.claude/skills/e.yaml"]
    assert found.agent_skill_folders == [".agents/skills/c"]


def test_a_folder_of_skills_may_hold_hidden_folders(make: Make) -> None:
    root = make(["skills/.curated/gamma/SKILL.md", "skills/.more/x.yaml", "skills/.git/y.yaml", "tools/.old/z.yaml"])
    found = scan(root)
    assert found.agent_skill_folders == ["skills/.curated/gamma"]
    assert paths(found) == ["skills/.more/x.yaml"]


def test_what_editors_leave_behind_is_ignored(make: Make) -> None:
    root = make(
        [
            "skills/good.yaml",
            "skills/x.yaml~",
            "skills/.x.yaml.swp",
            "skills/4913",
            "skills/#x.yaml#",
            "skills/._x.yaml",
            "skills/.#x.yaml -> user@host.1234:5678",
        ]
    )
    found = scan(root)
    assert paths(found) == ["skills/good.yaml"]
    assert said(found) == []


def test_server_files_of_both_names_are_found(make: Make) -> None:
    root = make([".mcp.json", "sub/mcp.json", "other.json", ".hidden/mcp.json", ".vscode/mcp.json"])
    assert [file.path for file in scan(root).server_files] == [".mcp.json", "sub/mcp.json"]


def test_files_of_an_agent_skill_are_no_files_of_the_workspace(make: Make) -> None:
    root = make(["skills/a.yaml", "deploy/SKILL.md", "deploy/x.yaml", "deploy/scripts/y.yaml", "deploy/mcp.json"])
    found = scan(root)
    assert paths(found) == ["skills/a.yaml"]
    assert found.server_files == []
    assert found.agent_skill_folders == ["deploy"]
    assert [f.path for f in found.agent_skill_files] == [
        *("deploy/SKILL.md", "deploy/mcp.json", "deploy/scripts/y.yaml", "deploy/x.yaml")
    ]


@pytest.mark.parametrize("name", ["SKILL.md", "skill.md", "Skill.MD"])
def test_skill_md_counts_in_any_case(make: Make, name: str) -> None:
    assert scan(make([f"x/{name}"])).agent_skill_folders == ["x"]


def test_skill_md_makes_an_agent_skill_even_as_a_folder_or_a_broken_link(make: Make) -> None:
    root = make(["a/SKILL.md/readme", "b/SKILL.md -> nowhere", "c/SKILL.md -> /etc/hostname"])
    found = scan(root)
    assert found.agent_skill_folders == ["a", "b", "c"]
    assert said(found) == []


def test_the_workspace_may_be_an_agent_skill_itself_and_hold_others(make: Make) -> None:
    found = scan(make(["SKILL.md", "inner/SKILL.md", "x.yaml"]))
    assert found.agent_skill_folders == [".", "inner"]
    assert paths(found) == []


def test_a_folder_with_settings_of_its_own_is_not_entered(make: Make) -> None:
    root = make(["skill-explorer.toml", "a.yaml", "sub/skill-explorer.toml", "sub/b.yaml", "sub/deep/SKILL.md"])
    found = scan(root)
    assert paths(found) == ["a.yaml"]
    assert found.sub_workspaces == ["sub"]
    assert found.agent_skill_folders == []


def test_each_folder_is_looked_into_once_under_its_real_name(make: Make) -> None:
    root = make(["a-link -> store", "store/lamp/SKILL.md", "store/x.yaml", ".claude/skills -> ../store", "z -> a-link"])
    found = scan(root)
    assert found.agent_skill_folders == ["store/lamp"]
    assert paths(found) == ["store/x.yaml"]
    assert said(found) == []


def test_a_link_brings_in_a_folder_that_is_hidden_otherwise(make: Make) -> None:
    found = scan(make([".shared/x.yaml", "skills -> .shared"]))
    assert [(file.path, file.kind_hint) for file in found.files] == [("skills/x.yaml", "skills")]


def test_a_link_to_a_file_that_is_there_already_adds_nothing(make: Make) -> None:
    root = make(["skills/a.yaml", "skills/b.yaml -> a.yaml", "c.yaml -> data/c.txt", "data/c.txt", "d.yaml -> c.yaml"])
    assert paths(scan(root)) == ["c.yaml", "skills/a.yaml"]


def test_links_without_an_end_are_told_and_end_the_scan(make: Make) -> None:
    root = make(
        [
            "skills/good.yaml",
            "skills/a.yaml -> b.yaml",
            "skills/b.yaml -> a.yaml",
            "skills/self -> .",
            "skills/up -> ..",
            "skills/self2 -> self/self/self",
            "skills/loop -> loop",
        ]
    )
    found = scan(root)
    assert paths(found) == ["skills/good.yaml"]
    assert said(found) == [
        ("skills/a.yaml", "file/link-loop", "error"),
        ("skills/b.yaml", "file/link-loop", "error"),
        ("skills/loop", "file/link-loop", "warning"),
        ("skills/self", "file/link-loop", "warning"),
        ("skills/self2", "file/link-loop", "warning"),
        ("skills/up", "file/link-loop", "warning"),
    ]


def test_links_out_of_the_workspace_are_told_and_not_followed(make: Make) -> None:
    root = make(
        [
            "skills/good.yaml",
            "skills/passwd.yaml -> /etc/passwd",
            "skills/rootdir -> /",
            "agent -> /etc",
            "n.md -> /etc/motd",
            "skills/relative.yaml -> ../../../../../../etc/hostname",
            "skills/dangling.yaml -> nowhere.yaml",
        ]
    )
    found = scan(root)
    assert paths(found) == ["skills/good.yaml"]
    assert said(found) == [
        ("agent", "file/outside", "warning"),
        ("skills/dangling.yaml", "file/unreadable", "error"),
        ("skills/passwd.yaml", "file/outside", "error"),
        ("skills/relative.yaml", "file/outside", "error"),
        ("skills/rootdir", "file/outside", "warning"),
    ]


def test_nothing_outside_is_looked_at(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make(["x.yaml", "out.yaml -> /etc/hostname", "folder -> /etc", "up -> ../..", "in.yaml -> x.yaml"])
    touched: list[str] = []
    for name in ("stat", "readlink", "scandir"):
        real = getattr(os, name)
        monkeypatch.setattr(
            os, name, lambda path, *a, _real=real, **k: touched.append(str(path)) or _real(path, *a, **k)
        )
    scan(root)
    monkeypatch.undo()
    assert touched
    assert all(Path(os.path.abspath(path)).is_relative_to(root) for path in touched)


def test_pipes_sockets_and_devices_are_told_and_never_opened(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make(["skills/good.yaml", "skills/device.yaml -> /dev/zero"])
    os.mkfifo(root / "skills/pipe.yaml")
    os.mkfifo(root / "skills/pipe.txt")
    monkeypatch.chdir(root / "skills")  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket.yaml")
    found = scan(root)
    assert paths(found) == ["skills/good.yaml"]
    assert said(found) == [
        ("skills/device.yaml", "file/outside", "error"),
        ("skills/pipe.yaml", "file/not-regular", "error"),
        ("skills/socket.yaml", "file/not-regular", "error"),
    ]


def test_names_that_are_not_utf8_are_left_out_and_told_in_a_form_that_can_be_written(make: Make) -> None:
    root = make(["skills/good.yaml"])
    for name in (b"bad-\xff.yaml", b"folder-\xfe"):
        target = os.path.join(os.fsencode(root), b"skills", name)
        if name.endswith(b".yaml"):
            os.close(os.open(target, os.O_CREAT))
        else:
            os.mkdir(target)
    found = scan(root)
    assert paths(found) == ["skills/good.yaml"]
    assert said(found) == [
        ("skills/bad-<FF>.yaml", "file/name-encoding", "error"),
        ("skills/folder-<FE>", "file/name-encoding", "error"),
    ]


def test_strange_names_that_are_utf8_count(make: Make) -> None:
    names = [
        "-rf.yaml",
        " space .yaml",
        "nl\nrow.yaml",
        "esc\x1b[2J.yaml",
        "[bold]x.yaml",
        "$(id).yaml",
        "rlo\u202e.yaml",
    ]
    root = make([f"skills/{name}" for name in names])
    assert set(paths(scan(root))) == {f"skills/{name}" for name in names}


def test_names_that_differ_only_in_case_are_both_listed_with_a_warning(make: Make) -> None:
    root = make(["skills/Skill.yaml", "skills/skill.yaml", "Tools/a.yaml", "tools/b.yaml"])
    found = scan(root)
    assert paths(found) == ["Tools/a.yaml", "skills/Skill.yaml", "skills/skill.yaml", "tools/b.yaml"]
    assert said(found) == [
        ("skills/skill.yaml", "file/case-twin", "warning"),
        ("tools", "file/case-twin", "warning"),
    ]


def test_a_folder_that_cannot_be_read_is_told_and_the_others_are_read(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make(["locked/x.yaml", "open/y.yaml"])
    real = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = scan(root)
    assert paths(found) == ["open/y.yaml"]
    assert said(found) == [("locked", "file/unreadable", "error")]
    assert "Permission denied" in found.diagnostics[0].message


def test_a_folder_that_vanishes_meanwhile_is_no_finding(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make(["gone/x.yaml", "here/y.yaml"])
    real = os.scandir

    def vanish(path: str) -> object:
        if path.endswith("gone"):
            raise FileNotFoundError(2, "No such file or directory")
        return real(path)

    monkeypatch.setattr(os, "scandir", vanish)
    found = scan(root)
    assert paths(found) == ["here/y.yaml"]
    assert said(found) == []


def test_no_more_files_than_the_limit_are_taken_and_the_limit_is_told(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "MAX_FILES", 3)
    found = scan(make(f"skills/{n}.yaml" for n in range(5)))
    assert len(found.files) == 3
    assert [(d.code, d.severity) for d in found.diagnostics] == [("workspace/limit", "error")]
    assert "more than 3 files" in found.diagnostics[0].message


def test_no_more_folders_than_the_limit_are_entered(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "MAX_FOLDERS", 3)
    found = scan(make(f"{n}/x.yaml" for n in range(5)))
    assert len(found.folders) == 3
    assert [d.code for d in found.diagnostics] == ["workspace/limit"]


def test_folders_too_deep_are_told_once_and_not_entered(make: Make) -> None:
    deep = "d/" * 64
    root = make([f"{deep}x.yaml", f"{deep}e/y.yaml", f"{deep}f/z.yaml"])
    found = scan(root)
    assert paths(found) == [f"{deep}x.yaml"]
    assert [(d.code, d.severity) for d in found.diagnostics] == [("workspace/limit", "warning")]


def test_two_hundred_empty_folders_deep_ends(make: Make) -> None:
    found = scan(make(["deep/" + "d/" * 200, "skills/a.yaml"]))
    assert paths(found) == ["skills/a.yaml"]


def test_a_scan_that_is_cancelled_says_so_and_keeps_what_it_has(make: Make) -> None:
    root = make(["a.yaml", "b/c.yaml", "d/e.yaml"])
    answers = iter([False, True, True])
    found = scan(root, lambda: next(answers))
    assert found.cancelled
    assert paths(found) == ["a.yaml"]
    assert not scan(root, lambda: False).cancelled


def test_a_workspace_that_is_a_link_itself_is_looked_at(make: Make, tmp_path: Path) -> None:
    make(["a.yaml", "b.yaml -> a.yaml", "c -> ."])
    (tmp_path / "alias").symlink_to("ws")
    assert paths(scan(tmp_path / "alias")) == ["a.yaml"]


def test_the_folders_that_were_looked_into_are_told_for_a_watcher(make: Make) -> None:
    assert scan(make(["a/b/x.yaml", ".git/y"])).folders == [".", "a", "a/b"]
