"""Skills that name something broken: partial, with an error that names it (resolution, part 2)."""

from __future__ import annotations

import pytest
from resolve_builder import Resolve, record, skill, tool

from core.model import ToolStatus
from core.resolve.catalogue import Catalogue
from core.resolve.views import SkillStatus

HEAD = "name: local/t\ndescription: T.\n"
READS = "capability: {read_only: true}\n"
BROKEN = {
    "python": HEAD + "source: custom\ncode: 'def ('\n" + READS,
    "no file": HEAD + "source: custom\nentry_point: gone.py:run\n" + READS,
    "no function": HEAD + "source: custom\nentry_point: there.py:gone\n" + READS,
    "no entry point": HEAD + "source: custom\nentry_point: there\n" + READS,
    "outside": HEAD + "source: custom\nentry_point: ../out.py:run\n" + READS,
    "source": HEAD + "source: python\ncode: return 1\n" + READS,
    "nothing to run": HEAD + "source: custom\n" + READS,
}


def partial(catalogue: Catalogue, name: str, word: str) -> None:
    """Check that a skill is partial for one reason that names ``word``, and reads nothing only."""
    flat = catalogue.flatten(name)
    assert flat.status is SkillStatus.PARTIAL
    (error,) = flat.errors
    assert (error.error_type, error.skill_name) == ("resolution_failure", name)
    assert word in error.message
    assert not flat.metadata.read_only


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_tool_makes_the_skills_that_list_it_partial(resolve: Resolve, text: str) -> None:
    files = {"tools/t.yaml": text, "there.py": "def run():\n    return 1\n"}
    catalogue = resolve({**files, **skill("s", "tools: [local/t]\n"), **skill("up", "includes: [local/s]\n")})
    partial(catalogue, "local/s", "local/t")
    partial(catalogue, "local/up", "local/s")
    found = record(catalogue, "local/s")
    assert found.status is ToolStatus.UNAVAILABLE
    assert found.problem
    assert catalogue.diagnostics() == []
    assert catalogue.flatten("local/s").errors[0].details["cause"] == "tools/t.yaml"


def test_a_broken_inline_tool_makes_its_skill_partial(resolve: Resolve) -> None:
    inline = "tools: [{description: T., source: custom, code: 'def ('}]\n"
    catalogue = resolve(skill("s", inline))
    partial(catalogue, "local/s", "local/s/inline-1")
    assert record(catalogue, "local/s", "local/s/inline-1").status is ToolStatus.UNAVAILABLE


def test_a_tool_name_with_two_definitions_makes_the_skill_partial(resolve: Resolve) -> None:
    twins = {"tools/one.yaml": BROKEN["source"].replace("python", "custom")}
    twins["tools/two.yaml"] = twins["tools/one.yaml"]
    catalogue = resolve({**twins, **skill("s", "tools: [local/t]\n")})
    partial(catalogue, "local/s", "local/t")
    assert catalogue.flatten("local/s").errors[0].details["cause"] == ["tools/one.yaml", "tools/two.yaml"]
    assert record(catalogue, "local/s").status is ToolStatus.UNAVAILABLE


def test_a_tool_with_other_faults_leaves_the_skill_whole(resolve: Resolve) -> None:
    catalogue = resolve({**tool(more="timeout: 0\n"), **skill("s", "tools: [local/t]\n")})
    assert catalogue.flatten("local/s").status is SkillStatus.RESOLVED


LEFT_OUT = {
    "folder outside": ("agent_skill_folders: [../elsewhere]\n", "../elsewhere"),
    "unknown group": ("builtin_groups: [nothing]\n", "nothing"),
    "tool name": ("tools: ['no name']\n", "no name"),
    "tool name in a mapping": ("tools: [{name: 'no name', writes: false}]\n", "no name"),
    "include name": ("includes: [noname]\n", "noname"),
    "no definition": ("anonymous_tools: [5]\n", "entry 1"),
}


@pytest.mark.parametrize(("body", "word"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_is_reported_and_left_out_makes_the_skill_partial(resolve: Resolve, body: str, word: str) -> None:
    catalogue = resolve(skill("s", body))
    partial(catalogue, "local/s", word)
    assert catalogue.diagnostics() == []


def test_an_agent_skill_with_errors_makes_the_skill_partial_and_stays_readable(resolve: Resolve) -> None:
    text = "---\nname: other\ndescription: Greets people.\n---\nHello.\n"
    catalogue = resolve({"help/greet/SKILL.md": text, **skill("s", "agent_skill_folders: [help/greet]\n")})
    partial(catalogue, "local/s", "other")
    found = record(catalogue, "local/s", "agent_skill/other")
    assert (found.status, bool(found.problem)) == (ToolStatus.READY, True)


INLINE = "source: custom, code: return 1"


@pytest.mark.parametrize("other", ["name: x", "name: inline-1"])
def test_inline_tools_of_one_name_collide(resolve: Resolve, other: str) -> None:
    first = "description: One." if other == "name: inline-1" else "name: x, description: One."
    name = f"local/s/{other.removeprefix('name: ')}"
    body = f"tools:\n  - {{{first}, {INLINE}}}\n  - {{{other}, description: Two., {INLINE}}}\n"
    catalogue = resolve(skill("s", body))
    partial(catalogue, "local/s", name)
    found = catalogue.diagnostics()
    assert [(f.code, f.severity, f.place.line, f.tool) for f in found] == [
        ("tool/name-collision", "error", 4, name),
        ("tool/name-collision", "error", 5, name),
    ]
    assert [r.name for r in catalogue.flatten("local/s").records] == [name]
    assert record(catalogue, "local/s", name).status is ToolStatus.UNAVAILABLE
