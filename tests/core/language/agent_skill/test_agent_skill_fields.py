"""Name, description and the other keys of the frontmatter."""

from __future__ import annotations

from pathlib import Path

import pytest
from agent_skill_trees import DESCRIPTION, NAME, check_skill, seen, skill_md

from core.language.agent_skill.reader import read_agent_skill

FRONT = NAME + DESCRIPTION


def _codes(wanted: str) -> set[str]:
    return {f"agent-skill/name-{part}" if "/" not in part else part for part in wanted.split()}


@pytest.mark.parametrize(
    ("name", "folder", "wanted"),
    [
        ("lamp", "lamp", ""),
        ("lamp2", "lamp2", ""),
        ("'lamp'", "lamp", ""),
        ("3.14", "3.14", "type"),
        ("0o17", "0o17", "type"),
        ("1e3", "1e3", "type"),
        (".nan", "lamp", "type"),
        ("False", "False", "type"),
        ("[lamp]", "lamp", "type yaml/flow-style"),
        ("~", "lamp", "empty"),
        ("null", "null", "empty"),
        ("''", "lamp", "empty"),
        ('" \\t"', "lamp", "empty"),
        ("yes", "yes", "yaml/ambiguous-scalar"),
        ("012", "012", "yaml/ambiguous-scalar"),
        ("off", "on", "yaml/ambiguous-scalar dir-mismatch"),
        ("1_000", "1_000", "yaml/ambiguous-scalar charset"),
        ("'yes'", "yes", ""),
        ("l" * 64, "l" * 64, ""),
        ("l" * 65, "l" * 65, "too-long"),
        ("ﬁ" * 33, "fi" * 33, "too-long not-normalized"),
        ("Lamp", "Lamp", "charset"),
        ("lamp_counter", "lamp_counter", "charset"),
        ("lamp.counter", "lamp.counter", "charset"),
        ("lamp counter", "lamp counter", "charset"),
        ("lamp/counter", "counter", "charset dir-mismatch"),
        ("lamp-💡", "lamp-💡", "charset"),
        ("-lamp", "-lamp", "edge-hyphen"),
        ("lamp-", "lamp", "edge-hyphen dir-mismatch"),
        ("'--'", "--", "edge-hyphen double-hyphen"),
        ("lamp", "lamps", "dir-mismatch"),
        ("lamp", "Lamp", "dir-mismatch"),
        ("straße", "straße", "non-ascii"),
        ("Лампа", "Лампа", "charset non-ascii"),
        ("e\u0301lue", "\u00e9lue", "non-ascii"),
        ("\uff4c\uff41\uff4d\uff50", "lamp", "not-normalized"),
        ("lamp\u00b2", "lamp2", "not-normalized"),
        ("' lamp'", "lamp", "whitespace"),
        ('"lamp\\n"', "lamp", "whitespace"),
        ("anthropic-lamps", "anthropic-lamps", "reserved"),
        ("my-Claude", "my-Claude", "reserved charset"),
        ("la\u200bmp", "lamp", "charset dir-mismatch agent-skill/text-invisible"),
    ],
)
def test_names(name: str, folder: str, wanted: str, tmp_path: Path) -> None:
    _, found = check_skill(tmp_path, skill_md(f"name: {name}\n{DESCRIPTION}"), folder)
    assert {item.code for item in found} == _codes(wanted)
    assert {item.place.line for item in found} <= {2}


def test_a_name_that_a_link_gives_the_folder_is_the_one_that_counts(tmp_path: Path) -> None:
    check_skill(tmp_path, skill_md(), "store/other")
    (tmp_path / "lamp-counter").symlink_to("store/other")
    _, found = read_agent_skill(tmp_path, "lamp-counter")
    assert seen(found) == set()


def test_the_workspace_itself_has_the_name_of_its_folder(tmp_path: Path) -> None:
    check_skill(tmp_path, skill_md())
    skill, found = read_agent_skill(tmp_path / "lamp-counter", ".")
    assert skill is not None
    assert (skill.path, skill.name, seen(found)) == (".", "lamp-counter", set())
    assert skill.source.path == "SKILL.md"


@pytest.mark.parametrize(
    ("front", "wanted"),
    [
        (NAME, {"description-missing 1:1 error"}),
        (DESCRIPTION, {"name-missing 1:1 error"}),
        (
            NAME + "Description: Counts the lamps in plans.\n",
            {"description-missing 1:1 error", "field-unknown 3:1 warning"},
        ),
        (NAME + "description:\n", {"description-empty 3:1 error"}),
        (NAME + "description: ~\n", {"description-empty 3:14 error"}),
        (NAME + "description: #1 for lamps\n", {"description-empty 3:1 error"}),
        (NAME + "description: |\n  \n", {"description-empty 3:14 error"}),
        (NAME + "description: 42\n", {"description-type 3:14 error"}),
        (NAME + "description: true\n", {"description-type 3:14 error"}),
        (NAME + "description:\n  use: audits\n", {"description-type 3:1 error"}),
        (NAME + "description: Lamps.\n", {"description-short 3:14 info"}),
        (NAME + f"description: {'💡' * 1024}\n", set()),
        (NAME + f"description: {'é' * 1025}\n", {"description-too-long 3:14 error"}),
        (NAME + f"description: '  {'l' * 1024}  '\n", set()),
        (NAME + "description: |\n  Counts lamps\n  in a -> b plans.\n", {"description-angle-brackets 5:9 warning"}),
        (NAME + 'description: "Counts \\x3clamps of a plan."\n', {"description-angle-brackets 3:14 warning"}),
        (FRONT + "compatibility: ''\n", {"compatibility-empty 4:16 error"}),
        (FRONT + "compatibility:\n", {"compatibility-empty 4:1 error"}),
        (FRONT + "compatibility: 3\n", {"compatibility-type 4:16 error"}),
        (FRONT + f"compatibility: |\n  {'k' * 500}\n", set()),
        (FRONT + f"compatibility: {'k' * 501}\n", {"compatibility-too-long 4:16 error"}),
        (FRONT + "license:\n", {"license-type 4:1 warning"}),
        (FRONT + "license:\n  - MIT\n", {"license-type 4:1 warning"}),
        (FRONT + "license: true\n", {"license-type 4:10 warning"}),
        (FRONT + "metadata: text\n", {"metadata-type 4:11 error"}),
        (FRONT + "metadata:\n", {"metadata-type 4:1 error"}),
        (FRONT + "metadata: 3\n", {"metadata-type 4:11 error"}),
        (
            FRONT + "metadata:\n  a: 1.10\n  b: true\n  c:\n  d:\n    - x\n  e: x\n",
            {
                "metadata-value-type 5:6 warning",
                "metadata-value-type 6:6 warning",
                "metadata-value-type 7:3 warning",
                "metadata-value-type 8:3 warning",
            },
        ),
        (FRONT + "allowed-tools: Read, Grep\n", {"allowed-tools-comma 4:16 warning"}),
        (FRONT + "allowed-tools: Bash(git:*, x) Read\n", set()),
        (FRONT + "allowed-tools:\n  - Read\n", {"allowed-tools-type 4:1 warning"}),
        (FRONT + "allowed-tools: true\n", {"allowed-tools-type 4:16 warning"}),
        (FRONT + "allowed_tools: Read\n", {"field-unknown 4:1 warning"}),
        (FRONT + "? colour\n: amber\n", {"field-unknown 4:3 warning"}),
        (FRONT + "3: amber\n", {"field-unknown 4:1 warning"}),
        (FRONT + "arguments:\n  - plan\n", {"field-extension 4:1 info"}),
        (FRONT + "hooks: x\n", {"field-extension 4:1 info", "extension-type 4:8 warning"}),
        (FRONT + "user-invocable: yes\n", {"field-extension 4:1 info", "extension-type 4:17 warning"}),
        (FRONT + "model: 5\n", {"field-extension 4:1 info", "extension-type 4:8 warning"}),
        (FRONT + "context:\n  - fork\n", {"field-extension 4:1 info", "extension-type 4:1 warning"}),
    ],
)
def test_fields(front: str, wanted: set[str], tmp_path: Path) -> None:
    _, found = check_skill(tmp_path, skill_md(front))
    assert seen(found) == {f"agent-skill/{item}" for item in wanted}


def test_ambiguous_texts_are_told_in_metadata_and_not_in_unknown_keys(tmp_path: Path) -> None:
    front = FRONT + "metadata:\n  a: no\n  b: 1:30\n  c: 2026-01-05\n  d: 007\ncolour: no\n"
    _, found = check_skill(tmp_path, skill_md(front))
    assert seen(found) == {
        "yaml/ambiguous-scalar 5:6 warning",
        "yaml/ambiguous-scalar 6:6 warning",
        "yaml/ambiguous-scalar 7:6 warning",
        "yaml/ambiguous-scalar 8:6 warning",
        "agent-skill/field-unknown 9:1 warning",
    }


def test_a_key_that_is_no_text_below_the_top_is_a_warning(tmp_path: Path) -> None:
    skill, found = check_skill(tmp_path, skill_md(FRONT + "metadata:\n  1: x\n"))
    assert seen(found) == {"yaml/key-type 5:3 warning"}
    assert skill.valid


def test_a_misspelt_key_gets_a_fix_unless_the_right_one_is_there(tmp_path: Path) -> None:
    _, found = check_skill(tmp_path, skill_md(NAME + "descriptoin: Counts the lamps in plans.\n"))
    (unknown,) = [item for item in found if item.code == "agent-skill/field-unknown"]
    assert unknown.fix is not None
    assert [edit.text for edit in unknown.fix.edits] == ["description"]
    _, found = check_skill(tmp_path, skill_md(FRONT + "descriptoin: x\n"))
    assert [item.fix for item in found] == [None]


def test_a_wrong_type_is_shown_as_it_was_written(tmp_path: Path) -> None:
    skill, found = check_skill(tmp_path, skill_md("name: 1.10\n" + DESCRIPTION))
    assert skill.name == "1.10"
    assert "1.10" in found[0].message


def test_many_findings_of_one_rule_are_capped_and_the_rest_counted(tmp_path: Path) -> None:
    lines = "".join(f"  k{number}: {number + 1}\n" for number in range(80))
    _, found = check_skill(tmp_path, skill_md(FRONT + "metadata:\n" + lines))
    assert len(found) == 50
    assert "(30 more like this in the file)" in found[-1].message


def test_a_letter_that_looks_like_another_is_named(tmp_path: Path) -> None:
    _, found = check_skill(tmp_path, skill_md(NAME.replace("lamp", "l\u0430mp") + DESCRIPTION))
    (letters,) = (item for item in found if item.code == "agent-skill/name-non-ascii")
    assert "such as U+0430 (CYRILLIC SMALL LETTER A) that looks like `a`" in letters.message


@pytest.mark.parametrize("key", ["allowed_tools", "Allowed-Tools", "alowed-tools", "allowed tools"])
def test_a_key_of_the_format_in_another_spelling_is_renamed_by_its_fix(key: str, tmp_path: Path) -> None:
    _, (found,) = check_skill(tmp_path, skill_md(f"{NAME}{DESCRIPTION}{key}: Read\n"))
    assert found.fix is not None
    assert [edit.text for edit in found.fix.edits] == ["allowed-tools"]


@pytest.mark.parametrize("key", ["tools", "meta", "keywords", "license-file-of-this-skill"])
def test_a_key_that_may_mean_something_else_is_not_renamed(key: str, tmp_path: Path) -> None:
    _, found = check_skill(tmp_path, skill_md(f"{NAME}{DESCRIPTION}{key}: x\n"))
    assert [(item.code, item.fix) for item in found] == [("agent-skill/field-unknown", None)]
