"""Starting the user's editor: the right line, no shell, nothing from the workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.services.editor import NoEditor, editor_command


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    (folder / "skills").mkdir(parents=True)
    (folder / "skills" / "a b.yaml").write_text("name: x/y\n", encoding="utf-8")
    return folder


def program(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("vim", ["+7", "{file}"]),
        ("nano", ["+7", "{file}"]),
        ("code", ["--wait", "--goto", "{file}:7"]),
        ("hx", ["{file}:7"]),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(
    root: Path, tmp_path: Path, name: str, arguments: list[str]
) -> None:
    path = program(tmp_path / "bin", name)
    file = str((root / "skills" / "a b.yaml").resolve())
    command = editor_command(root, "skills/a b.yaml", 7, {"EDITOR": name, "PATH": str(path.parent)})
    assert command == [str(path), *(a.format(file=file) for a in arguments)]


def test_arguments_in_the_setting_are_kept(root: Path, tmp_path: Path) -> None:
    path = program(tmp_path / "bin", "ed")
    environment = {"VISUAL": f"'{path}' -n 'two words'", "EDITOR": "other", "PATH": ""}
    command = editor_command(root, "skills/a b.yaml", 1, environment)
    assert command[:3] == [str(path), "-n", "two words"]


def test_an_editor_inside_the_workspace_is_not_started(root: Path) -> None:
    path = program(root / "bin", "vim")
    with pytest.raises(NoEditor, match="lies in the workspace"):
        editor_command(root, "skills/a b.yaml", 1, {"EDITOR": "vim", "PATH": str(path.parent)})


def test_without_any_editor_the_remedy_is_named(root: Path) -> None:
    with pytest.raises(NoEditor, match=r"set \$EDITOR"):
        editor_command(root, "skills/a b.yaml", 1, {"PATH": ""})


@pytest.mark.parametrize("path", ["../outside.yaml", "skills/gone.yaml", "skills"])
def test_only_files_of_the_workspace_are_opened(root: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "outside.yaml").write_text("x", encoding="utf-8")
    editor = program(tmp_path / "bin", "vim")
    with pytest.raises(NoEditor, match="not a file of this workspace"):
        editor_command(root, path, 1, {"EDITOR": str(editor), "PATH": ""})


def test_an_unbalanced_setting_is_no_command(root: Path) -> None:
    with pytest.raises(NoEditor, match="not a command"):
        editor_command(root, "skills/a b.yaml", 1, {"EDITOR": "vim 'x", "PATH": ""})
