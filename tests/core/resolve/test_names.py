"""Names that two things share, or nearly (language, part 2)."""

from __future__ import annotations

import json

from resolve_builder import Resolve, codes, skill, tool

from core.resolve.near import NearNames
from core.resolve.views import SkillStatus


def test_two_files_of_one_skill_are_told_at_both_and_neither_resolves(resolve: Resolve) -> None:
    text = "name: local/a\ndescription: A.\ntools: [builtin/read_file]\n"
    catalogue = resolve({"skills/one.yaml": text, "skills/two.yaml": text, **skill("user", "includes: [local/a]\n")})
    found = catalogue.diagnostics()
    assert [(f.code, f.severity, f.place.path, f.place.line, f.place.column) for f in found] == [
        ("skill/duplicate-name", "error", "skills/one.yaml", 1, 7),
        ("skill/duplicate-name", "error", "skills/two.yaml", 1, 7),
    ]
    assert [item.place.path for item in found[0].related] == ["skills/two.yaml"]
    status = {row.name: row.status for row in catalogue.skills()}
    assert status == {"local/a": SkillStatus.UNRESOLVED, "local/user": SkillStatus.PARTIAL}
    (error,) = catalogue.flatten("local/a").errors
    assert error.details["paths"] == ["skills/one.yaml", "skills/two.yaml"]
    (error,) = catalogue.flatten("local/user").errors
    assert error.details["include"] == "local/a"
    assert len(catalogue.flatten("local/user").records) == 0
    assert catalogue.file("local/a") is not None


def test_server_files_that_define_one_label_differently_are_told_at_each_place(resolve: Resolve) -> None:
    def servers(**commands: str) -> str:
        return json.dumps({"mcpServers": {label: {"command": command} for label, command in commands.items()}})

    catalogue = resolve(
        {"mcp.json": servers(a="x", b="y"), ".mcp.json": servers(a="z", b="y"), "s/.mcp.json": servers(c="x")}
    )
    found = catalogue.diagnostics()
    assert [(f.code, f.severity, f.place.path, f.place.line) for f in found] == [
        ("mcp/different-servers", "warning", ".mcp.json", 1),
        ("mcp/different-servers", "warning", "mcp.json", 1),
    ]
    assert ["this one counts" in f.message for f in found] == [True, False]
    assert [[item.place.path for item in f.related] for f in found] == [["mcp.json"], [".mcp.json"]]


def test_names_that_differ_only_in_case_are_warned_of_and_both_stay(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            "skills/a.yaml": "name: local/a\ndescription: A.\n",
            "skills/z.yaml": "name: local/A\ndescription: A.\n",
            **tool("local/t"),
            "tools/z.yaml": tool("local/T")["tools/local-T.yaml"],
        }
    )
    assert [(f.code, f.severity, f.place.path, f.skill, f.tool) for f in catalogue.diagnostics()] == [
        ("skill/case-twin", "warning", "skills/z.yaml", "local/A", None),
        ("skill/case-twin", "warning", "tools/z.yaml", None, "local/T"),
    ]
    assert [row.name for row in catalogue.skills()] == ["local/A", "local/a"]
    assert {row.status for row in catalogue.skills()} == {SkillStatus.RESOLVED}


def test_actors_of_one_full_name_are_told_and_short_keys_of_maps_are_not(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("s"),
            "actors/a.yaml": "name: local/bot\nskills: [local/s]\n",
            "actors/b.yaml": "name: local/bot\nskills: [local/s]\n",
            "actors/c.yaml": "actors:\n  planner: {skills: [local/s]}\n",
            "actors/d.yaml": "actors:\n  planner: {skills: [local/s]}\n",
        }
    )
    assert codes(catalogue) == ["actor/duplicate-name"] * 2
    assert catalogue.actors() == ("local/bot", "planner")


def test_near_names_are_found_among_many() -> None:
    names = [f"team-{n % 7}/tool-number-{n}" for n in range(5_000)] + ["local/deploy-to-staging"]
    near = NearNames(lambda: names)
    assert near.to("local/deploy-to-stagging")[0] == "local/deploy-to-staging"
    assert near.to("local/deploy-to-stagging", lambda name: name.startswith("team")) == []
    assert near.to("zzz/qqqqqq") == []


def test_after_very_many_questions_no_more_hints_are_looked_for() -> None:
    near = NearNames(lambda: ["local/abcdef"])
    for number in range(500):
        near.to(f"other/name-{number}")
    assert near.to("local/abcdeg") == []
    assert near.to("other/name-1") == []
