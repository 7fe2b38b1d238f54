"""Which file of a folder is read, and what shows only beside other skills."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from agent_skill_trees import BODY, check_tree, seen, skill_md, write_tree

from core.diagnostics import Severity
from core.language import scan as scanning
from core.language.agent_skill.reader import read_agent_skill
from core.language.agent_skill.strict import strict


def _named(name: str) -> dict[str, str]:
    return {"text": f"---\nname: {name}\ndescription: Counts the lamps in a floor plan.\n---\n{BODY}"}


@pytest.mark.parametrize(
    ("files", "path", "wanted", "usable"),
    [
        (["skill.md"], "lamp-counter/skill.md", "file/name-case 1:1 warning", True),
        (["SKILL.md", "skill.md"], "lamp-counter/skill.md", "file/name-case 1:1 warning", True),
        (["Skill.md"], "lamp-counter/Skill.md", "file/missing 1:1 error", False),
        (["SKILL.MD"], "lamp-counter/SKILL.MD", "file/missing 1:1 error", False),
    ],
)
def test_the_spelling_of_the_file(files: list[str], path: str, wanted: str, usable: bool, tmp_path: Path) -> None:
    write_tree(tmp_path, {f"lamp-counter/{name}": {"text": skill_md()} for name in files})
    (skill,), found = check_tree(tmp_path)
    assert seen(found) == {wanted}
    assert found[0].place.path == path
    assert (skill.usable, skill.valid) == (usable, usable)


def test_a_folder_without_the_file_has_no_skill_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "lamp-counter").mkdir()
    skill, found = read_agent_skill(tmp_path, "lamp-counter")
    assert skill is None
    assert seen(found) == {"file/missing 1:1 error"}
    assert found[0].place.path == "lamp-counter/SKILL.md"


def test_a_folder_that_is_not_there_or_outside_is_not_read(tmp_path: Path) -> None:
    inner = tmp_path / "ws"
    write_tree(tmp_path, {"lamp-counter/SKILL.md": {"text": skill_md()}, "ws/out": {"link": "../lamp-counter"}})
    for folder in ("none", "out", "../lamp-counter", "a\0b"):
        skill, found = read_agent_skill(inner, folder)
        assert skill is None
        assert seen(found) == {"file/unreadable 1:1 error"}


@pytest.mark.parametrize("target", ["nothing.md", "SKILL.md", "/etc/hostname", "../../outside.md"])
def test_a_link_in_place_of_the_file_that_gives_no_text_is_unreadable(target: str, tmp_path: Path) -> None:
    write_tree(tmp_path / "ws", {"lamp-counter/SKILL.md": {"link": target}})
    (tmp_path / "outside.md").write_text(skill_md(), encoding="utf-8")
    (skill,), found = check_tree(tmp_path / "ws")
    assert seen(found) == {"file/unreadable 1:1 error"}
    assert not skill.usable


def test_a_pipe_in_place_of_the_file_is_never_opened(tmp_path: Path) -> None:
    (tmp_path / "lamp-counter").mkdir()
    os.mkfifo(tmp_path / "lamp-counter" / "SKILL.md")
    _, found = check_tree(tmp_path)
    assert seen(found) == {"file/not-regular 1:1 error"}


def test_a_link_to_a_file_of_the_workspace_is_read_under_the_name_of_its_folder(tmp_path: Path) -> None:
    write_tree(
        tmp_path, {"shared/lamp.md": {"text": skill_md()}, "lamp-counter/SKILL.md": {"link": "../shared/lamp.md"}}
    )
    (skill,), found = check_tree(tmp_path)
    assert seen(found) == set()
    assert (skill.name, skill.path) == ("lamp-counter", "lamp-counter")


def test_a_skill_inside_another_is_listed_and_told_of(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "outer/SKILL.md": _named("outer"),
            "outer/assets/inner/SKILL.md": _named("inner"),
            "outer-2/SKILL.md": _named("outer-2"),
        },
    )
    skills, found = check_tree(tmp_path)
    assert [skill.path for skill in skills] == ["outer", "outer-2", "outer/assets/inner"]
    assert seen(found) == {"agent-skill/discovery-nested 1:1 info"}
    assert found[0].place.path == "outer/assets/inner/SKILL.md"


def test_a_skill_with_very_many_files_hides_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "MAX_FILES", 3)
    write_tree(
        tmp_path,
        {"a/SKILL.md": _named("a"), "z/SKILL.md": _named("z"), "skills/x.yaml": {"text": "name: local/x\n"}}
        | {f"a/assets/{number}": {"text": ""} for number in range(9)},
    )
    skills, found = check_tree(tmp_path)
    assert [skill.path for skill in skills] == ["a", "z"]
    assert [file.path for file in scanning.scan(tmp_path).files] == ["skills/x.yaml"]
    assert seen(found) == set()


def test_everything_below_a_workspace_that_is_a_skill_is_inside_it(tmp_path: Path) -> None:
    root = tmp_path / "outer"
    write_tree(root, {"SKILL.md": _named("outer"), "inner/SKILL.md": _named("inner")})
    _, found = check_tree(root)
    assert [item.place.path for item in found] == ["inner/SKILL.md"]


def test_two_skills_of_one_name_are_told_once_with_the_other_place(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {f"{place}/lamp/SKILL.md": _named("lamp") for place in ("a", "b")} | {"c/lamp/SKILL.md": {"text": "# none\n"}},
    )
    _, found = check_tree(tmp_path)
    (twin,) = [item for item in found if item.code.startswith("agent-skill/discovery")]
    assert (twin.code, twin.place.path, twin.place.line) == (
        "agent-skill/discovery-duplicate-name",
        "b/lamp/SKILL.md",
        2,
    )
    assert [item.place.path for item in twin.related] == ["a/lamp/SKILL.md"]


def test_one_broken_skill_spoils_none_of_its_neighbours(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "a/SKILL.md": _named("a"),
            "b/SKILL.md": {"text": "---\nname: [b]\n---\n"},
            "c/SKILL.md": {"link": "nothing"},
            "d/SKILL.md": _named("d"),
        },
    )
    skills, _ = check_tree(tmp_path)
    assert [(skill.name, skill.valid) for skill in skills] == [("a", True), ("b", False), ("c", False), ("d", True)]


def test_the_strict_profile_raises_what_the_reference_validator_refuses(tmp_path: Path) -> None:
    front = "name: lamp-counter\ndescription: Counts lamps.\ncolour: amber\nmodel: x\nmetadata: {a: b}\n"
    write_tree(tmp_path, {"lamp-counter/SKILL.md": {"text": skill_md(front)}})
    _, found = check_tree(tmp_path)
    assert {item.code for item in strict(found) if item.severity is Severity.ERROR} == {
        "agent-skill/field-unknown",
        "agent-skill/field-extension",
        "yaml/flow-style",
    }
    assert {item.code for item in found if item.severity is Severity.ERROR} == set()
