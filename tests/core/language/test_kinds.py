"""What a file is: its wrapper says it, else its folder, else its keys."""

from __future__ import annotations

import pytest

from core.language.kinds import classify
from core.language.yaml_reader import read_yaml


def kind(text: str, hint: str | None = None) -> str | None:
    return classify(hint, read_yaml(text, "x.yaml").root)


@pytest.mark.parametrize("hint", [None, "skills", "tools", "actors"])
@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("skill: {name: a/b}", "skill"),
        ("tool: {name: a/b}", "tool"),
        ("actor: {name: a/b}", "actor"),
        ("actors: {a: {skills: [a/b]}}", "actor"),
        ("agents: {a: {skills: [a/b]}}", "actor"),
        ("cleveragents: {version: '3.0'}\nskill: {name: a/b}", "skill"),
        ("actors: {a: {skills: []}}\nskill: {name: a/b}", "actor"),
    ],
)
def test_a_wrapper_decides_whatever_the_folder(text: str, what: str, hint: str | None) -> None:
    assert kind(text, hint) == what


@pytest.mark.parametrize(("hint", "what"), [("skills", "skill"), ("tools", "tool"), ("actors", "actor")])
@pytest.mark.parametrize(
    "text", ["name: a/b\ntools: [x]\ncode: x\nskills: []", "name: a/b", "", "~", "- a", "hello", "[1, 2"]
)
def test_without_a_wrapper_the_folder_decides(text: str, hint: str, what: str) -> None:
    assert kind(text, hint) == what


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("name: a/b\nskills: [c/d]\ntools: [x]", "actor"),
        ("name: a/b\ntools: [x]\ncode: x", "skill"),
        ("name: a/b\nincludes: []", "skill"),
        ("name: a/b\nbuiltins: []", "skill"),
        ("name: a/b\nmcpServers: []", "skill"),
        ("name: a/b\nagentSkillFolders: []", "skill"),
        ("name: a/b\noverrides: {}", "skill"),
        ("name: a/b\ncode: x", "tool"),
        ("name: a/b\nsource: custom", "tool"),
        ("name: a/b\nentry_point: a.py:f", "tool"),
        ("name: a/b\ntool_type: tool", "tool"),
        ("name: a/b\ninput_schema: {}\ncode: x", "tool"),
        ("name: a/b\ndescription: x\nversion: 1", None),
        ("name: a/b\ninput_schema: {}", None),
        ("skills: [c/d]", None),
        ("tools: [x]", None),
        ("code: x", None),
        ("skill: a/b", None),
        ("tool: black", None),
        ("actors: [a]", None),
        ("", None),
        ("- name: a", None),
        ("services: {web: {image: nginx}}", None),
    ],
)
def test_elsewhere_the_keys_decide_and_only_beside_a_name(text: str, what: str | None) -> None:
    assert kind(text) == what


@pytest.mark.parametrize("hint", ["skills", "tools", "actors"])
def test_a_file_in_one_of_the_folders_with_no_key_of_its_kind_is_none(hint: str) -> None:
    assert kind("services: {web: {image: nginx}}", hint) is None


def test_what_was_read_before_a_fault_still_decides() -> None:
    assert kind("name: a/b\nincludes: [c/d]\ndescription: Use when: it breaks\n") == "skill"
