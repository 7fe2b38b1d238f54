"""Fences, encodings and YAML of a SKILL.md, each finding at its exact place."""

from __future__ import annotations

from pathlib import Path

import pytest
from agent_skill_trees import BODY, DESCRIPTION, NAME, check_skill, seen, skill_md

FRONT = NAME + DESCRIPTION
GOOD = skill_md()


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        pytest.param("", {"agent-skill/frontmatter-missing 1:1 error"}, id="empty"),
        pytest.param("  \n\n", {"agent-skill/frontmatter-missing 1:1 error"}, id="blank"),
        pytest.param(f"---js\n{FRONT}---\n{BODY}", {"agent-skill/frontmatter-missing 1:1 error"}, id="language"),
        pytest.param(f"_____\n{FRONT}_____\n{BODY}", {"agent-skill/frontmatter-missing 1:1 error"}, id="underscores"),
        pytest.param("# T\n\na\n\n---\n\nb\n\n---\nc\n", {"agent-skill/frontmatter-missing 1:1 error"}, id="rules"),
        pytest.param(
            f"# Writing skills\n\n```yaml\n{GOOD}```\n", {"agent-skill/frontmatter-missing 1:1 error"}, id="example"
        ),
        pytest.param(f"\n\n{GOOD}", {"agent-skill/frontmatter-leading-content 1:1 error"}, id="blank-lines"),
        pytest.param(f"\r\n{GOOD}", {"agent-skill/frontmatter-leading-content 1:1 error"}, id="blank-crlf"),
        pytest.param(f" {GOOD}", {"agent-skill/frontmatter-leading-content 1:1 error"}, id="indented"),
        pytest.param(f"# Lamps\n{GOOD}", {"agent-skill/frontmatter-leading-content 1:1 error"}, id="heading"),
        pytest.param(f"```yaml\n{GOOD}```\n", {"agent-skill/frontmatter-leading-content 1:1 error"}, id="wrapped"),
        pytest.param("---", {"agent-skill/frontmatter-unclosed 1:1 error"}, id="fence-alone"),
        pytest.param(f"---\n{FRONT}---END\n{BODY}", {"agent-skill/frontmatter-unclosed 1:1 error"}, id="suffix"),
        pytest.param(f"---\n{FRONT} ---\n{BODY}", {"agent-skill/frontmatter-unclosed 1:1 error"}, id="indented-close"),
        pytest.param(f"---\n{FRONT}----\n{BODY}", {"agent-skill/frontmatter-unclosed 1:1 error"}, id="longer-close"),
        pytest.param(
            GOOD.replace("---\n", "--- \t\n", 1).replace("\n", "\r\n"),
            {"agent-skill/frontmatter-fence-whitespace 1:4 warning"},
            id="blanks-crlf",
        ),
        pytest.param(
            GOOD.replace("---\n", "---\xa0\n", 1),
            {"agent-skill/frontmatter-fence-whitespace 1:4 warning"},
            id="no-break-space",
        ),
        pytest.param(
            f"---\n{FRONT}---  ",
            {"agent-skill/frontmatter-fence-whitespace 4:4 warning", "agent-skill/body-empty 4:1 warning"},
            id="blanks-at-end",
        ),
        pytest.param(
            "---\n---\n" + BODY,
            {"agent-skill/name-missing 1:1 error", "agent-skill/description-missing 1:1 error"},
            id="empty-frontmatter",
        ),
        pytest.param("---\n- a\n- b\n---\nx\n", {"agent-skill/frontmatter-not-mapping 2:1 error"}, id="list"),
        pytest.param("---\n# c\n\n42\n---\nx\n", {"agent-skill/frontmatter-not-mapping 4:1 error"}, id="number"),
        pytest.param("---\n~\n---\nx\n", {"agent-skill/frontmatter-not-mapping 2:1 error"}, id="null"),
    ],
)
def test_fences(content: str, wanted: set[str], tmp_path: Path) -> None:
    _, found = check_skill(tmp_path, content)
    assert seen(found) == wanted


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_every_line_end_gives_the_same_places_and_values(ends: str, tmp_path: Path) -> None:
    front = NAME + "description: >-\n  Counts the <lamps>\n  in a floor plan.\nmetadata:\n  release: 1.10\n"
    body = "\n1. See [it](none.md).\n2. Stop.\n"
    skill, found = check_skill(tmp_path, skill_md(front, body).replace("\n", ends))
    assert seen(found) == {
        "agent-skill/description-angle-brackets 4:14 warning",
        "agent-skill/metadata-value-type 7:12 warning",
        "agent-skill/link-broken 10:13 warning",
    }
    assert skill.description == "Counts the <lamps> in a floor plan."
    assert skill.body == "1. See [it](none.md).\n2. Stop.\n".rstrip("\n")
    assert skill.steps == ("See [it](none.md).", "Stop.")


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b"\xef\xbb\xbf" + GOOD.encode(), {"file/bom 1:1 warning"}),
        (GOOD.encode("utf-16"), {"file/encoding 1:1 error"}),
        (GOOD.encode("utf-16-be"), {"file/encoding 1:1 error"}),
        (GOOD.encode("utf-16-le"), {"file/encoding 1:1 error"}),
        (skill_md(body="\nAb \xfc\n").encode("latin-1"), {"file/encoding 6:4 error"}),
        (skill_md(body="\rAb \xfc\r").encode("latin-1"), {"file/encoding 6:4 error"}),
        (skill_md(body="\n\n\xe9\x80").encode("latin-1"), {"file/encoding 7:1 error"}),
    ],
)
def test_an_encoding_is_reported_where_it_breaks(content: bytes, wanted: set[str], tmp_path: Path) -> None:
    _, found = check_skill(tmp_path, content)
    assert seen(found) == wanted


@pytest.mark.parametrize(
    ("front", "wanted"),
    [
        (NAME + "description: Use when: an audit is due.\n", {"yaml/unquoted-colon 3:22 error"}),
        (FRONT + "license: MIT: see LICENSE\n", {"yaml/unquoted-colon 4:13 error"}),
        (NAME + "description: Counts lamps for:\n", {"yaml/unquoted-colon 3:30 error"}),
        (FRONT + "metadata:\n  note: a: b\n", {"yaml/unquoted-colon 5:10 error"}),
        (NAME + "description: 'Counts lamps\n", {"yaml/syntax 3:14 error"}),
        (NAME + "description: @lamps in a plan, counted.\n", {"yaml/syntax 3:14 error"}),
        (NAME + "description: `lamps` in a plan, counted.\n", {"yaml/syntax 3:14 error"}),
        (FRONT + "argument-hint: [a] [b]\n", {"yaml/syntax 4:20 error"}),
        (FRONT + "--- more\n", {"yaml/syntax 4:1 error"}),
        (FRONT + "...\nmore: text\n", {"yaml/syntax 5:1 error"}),
        (FRONT + "metadata:\n  a: b\n\tc: d\n", {"yaml/tab 6:1 error"}),
        (FRONT + 'metadata:\n  a: "1"\n  a: "2"\n', {"yaml/duplicate-key 6:3 error"}),
        (NAME + FRONT, {"yaml/duplicate-key 3:1 error"}),
        ("name: !!str lamp-counter\n" + DESCRIPTION, {"yaml/tag 2:7 error"}),
        (
            NAME + "description: !!python/object/apply:os.system [x]\n",
            {"yaml/tag 3:14 error", "yaml/flow-style 3:14 info"},
        ),
        (
            FRONT + "metadata:\n  a: !!int 3\n  b: 3\n",
            {"yaml/tag 5:6 error", "agent-skill/metadata-value-type 6:6 warning"},
        ),
        (NAME + "description: &d Counts lamps in a floor plan.\n", {"yaml/alias 3:14 warning"}),
        (FRONT + "metadata: {}\n", {"yaml/flow-style 4:11 info"}),
        (NAME + "description:\n  Counts lamps in plans # and cellars\n", {"yaml/inline-comment 4:24 warning"}),
        (NAME + "description: 'Counts lamps in plans' # all\n", set()),
        (NAME + "description: Counts the lamps#1 in plans.\n", set()),
        (NAME + "description: Counts the lamps in plans.\n# a comment\n", set()),
        (FRONT + "license: MIT # or ISC\n", set()),
    ],
)
def test_yaml(front: str, wanted: set[str], tmp_path: Path) -> None:
    _, found = check_skill(tmp_path, skill_md(front))
    assert seen(found) == wanted


@pytest.mark.parametrize(
    ("front", "name", "description"),
    [
        ("name: lamp-counter\ndescription: Use when: due\n", "lamp-counter", "Use when: due"),
        ('\'name\': "lamp-counter"\ndescription: "Counts" lamps\n', "lamp-counter", '"Counts" lamps'),
        ("name: lamp-counter\ndescription: >-\n  Counts\n\n  lamps.\nx: [\n", "lamp-counter", "Counts lamps."),
        ("name: lamp-counter\ndescription: Counts\n  all: lamps\n", "lamp-counter", "Counts all: lamps"),
        ("description: Counts\nx: @\n", "", "Counts"),
        ("name:\ndescription: 'Counts lamps\n", "", "Counts lamps"),
    ],
)
def test_name_and_description_of_broken_yaml_are_still_shown(
    front: str, name: str, description: str, tmp_path: Path
) -> None:
    skill, _ = check_skill(tmp_path, skill_md(front))
    assert (skill.name, skill.description) == (name or "lamp-counter", description)
    assert skill.usable is bool(name)
    assert not skill.valid


def test_the_fix_of_blanks_and_of_a_number_edits_only_that_text(tmp_path: Path) -> None:
    _, found = check_skill(tmp_path, skill_md("name: 2024\n" + DESCRIPTION).replace("---\n", "--- \n", 1), "2024")
    edits = [
        (edit.place.line, edit.place.column, edit.place.end_column, edit.text)
        for item in found
        if item.fix
        for edit in item.fix.edits
    ]
    assert edits == [(1, 4, 5, ""), (2, 7, 11, '"2024"')]


def test_aliases_are_not_expanded_into_a_page_that_never_ends(tmp_path: Path) -> None:
    lines = ["metadata:", '  a: &a "x"'] + [
        f"  {chr(98 + i)}: &{chr(98 + i)} [{', '.join([f'*{chr(97 + i)}'] * 9)}]" for i in range(20)
    ]
    skill, found = check_skill(tmp_path, skill_md(FRONT + "\n".join(lines) + "\n"))
    assert "yaml/alias 5:6 warning" in seen(found)
    assert skill.valid
    assert skill.name == "lamp-counter"
