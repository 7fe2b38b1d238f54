"""Actor files: skills by full name, and nothing else that gives tools (language, part 7; ADR-030)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.diagnostics import Diagnostic
from core.language.declarations import Declarations

Findings = Callable[..., list[Diagnostic]]
Where = Callable[[Diagnostic], tuple[int, int, int, int]]
Load = Callable[[dict[str, Any]], Declarations]


def actors(declared: Declarations) -> list[tuple[str, list[str]]]:
    return [(actor.name, [name for name, _ in actor.skills]) for actor in declared.actors]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name: local/x\nskills: [local/a, local/b]\n", [("local/x", ["local/a", "local/b"])]),
        ("actor:\n  name: local/x\n  skills: [local/a]\n", [("local/x", ["local/a"])]),
        ("actors:\n  one: {skills: [local/a]}\n  two: {}\n", [("one", ["local/a"]), ("two", [])]),
        ("agents:\n  one: {skills: [local/a]}\n", [("one", ["local/a"])]),
        ("name: local/team\nactors:\n  one: {skills: [local/a]}\n", [("one", ["local/a"])]),
        (
            "name: local/team\nskills: [local/b]\nactors:\n  one: {skills: [local/a]}\n",
            [("local/team", ["local/b"]), ("one", ["local/a"])],
        ),
        ("actors:\n  - {name: one, skills: [local/a]}\n", [("one", ["local/a"])]),
        ("name: local/x\n", [("local/x", [])]),
    ],
)
def test_actors_are_read_flat_wrapped_and_from_maps(
    load: Load, text: str, expected: list[tuple[str, list[str]]]
) -> None:
    declared = load({"actors/x.yaml": text})
    assert declared.diagnostics == []
    assert actors(declared) == expected


def test_keys_of_other_programs_are_ignored(load: Load) -> None:
    declared = load(
        {
            "actors/x.yaml": "name: local/x\nprovider: openai\nmodel: gpt\nroutes: [{from: a, to: b}]\n"
            "cleveragents: {version: '3.0'}\nskills: [local/a]\nconfig: {tools: [x]}\n"
        }
    )
    assert (declared.diagnostics, actors(declared)) == ([], [("local/x", ["local/a"])])


def test_a_file_with_skills_is_an_actor_wherever_it_lies(load: Load) -> None:
    assert actors(load({"x.yaml": "name: local/x\nskills: [local/a]\n"})) == [("local/x", ["local/a"])]


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ('name: local/x\nskills: ["local/*"]\n', "actor/wildcard", (2, 10)),
        ("name: local/x\nskills:\n  - local/?\n", "actor/wildcard", (3, 5)),
        ("name: local/x\nskills:\n  - local/[ab]\n", "actor/wildcard", (3, 5)),
        ("name: local/x\nskills: [a]\n", "actor/unqualified-skill", (2, 10)),
        ("name: local/x\nskills: [builtin/read_file]\n", "actor/direct-tool", (2, 10)),
        ("name: local/x\nskills: [agent_skill/deploy]\n", "actor/direct-tool", (2, 10)),
        ("name: local/x\nskills: []\ntools: [local/t]\n", "actor/direct-tool", (3, 1)),
        ("name: local/x\nskills: []\nmcp_servers: [{server: x}]\n", "actor/direct-tool", (3, 1)),
        ("name: local/x\nskills: []\nmcpServers: {x: {command: y}}\n", "actor/direct-tool", (3, 1)),
        ("actors:\n  one:\n    agent_skills: [x]\n", "actor/direct-tool", (3, 5)),
        ("agents:\n  one:\n    builtins: [git_operations]\n", "actor/direct-tool", (3, 5)),
        ("name: local/x\nskills:\n  - {name: local/a, tools: []}\n", "actor/inline-skill", (3, 5)),
        ("name: local/x\nskills:\n  local/a: {tools: []}\n", "actor/inline-skill", (2, 1)),
        (
            "actors:\n  one: {skills: [local/a]}\nskill: {name: local/a, description: A.}\n",
            "actor/inline-skill",
            (3, 1),
        ),
        ("actors:\n  one:\n    skill: {name: local/a}\n", "actor/inline-skill", (3, 5)),
        ("name: local/x\nskills: local/a\n", "actor/wrong-type", (2, 9)),
        ("name: local/x\nskills: [5]\n", "actor/wrong-type", (2, 10)),
        ("actors:\n  one: yes\n", "actor/wrong-type", (2, 8)),
        ("actors: none\n", "actor/wrong-type", (1, 9)),
        ("name: x\nskills: [local/a]\n", "actor/name", (1, 7)),
        ("skills: [local/a]\n", "actor/name", (1, 1)),
        ("name: [x]\nskills: [local/a]\n", "actor/name", (1, 7)),
        ("name: local/x\nskills: [local/a, local/a]\n", "actor/duplicate-skill", (2, 19)),
    ],
)
def test_a_fault_is_told_where_it_stands(
    findings: Findings, where: Where, text: str, code: str, place: tuple[int, int]
) -> None:
    found = findings({"actors/x.yaml": text})
    assert [(d.code, where(d)[:2]) for d in found] == [(code, place)]


def test_an_empty_list_of_tools_names_none(findings: Findings) -> None:
    assert findings({"actors/x.yaml": "name: local/x\nskills: [local/a]\ntools: []\nmcp_servers:\n"}) == []


def test_the_usable_skills_of_an_actor_stay_when_others_are_faulty(load: Load) -> None:
    declared = load({"actors/x.yaml": "name: local/x\nskills: ['*', local/a, x, local/b]\n"})
    assert actors(declared) == [("local/x", ["local/a", "local/b"])]


def test_an_actor_without_a_usable_name_is_a_broken_file(load: Load) -> None:
    declared = load({"actors/x.yaml": "name: x\nskills: [local/a]\n"})
    assert [(b.kind, b.name) for b in declared.broken] == [("actor", "x")]
