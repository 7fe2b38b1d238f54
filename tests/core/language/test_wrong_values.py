"""Values of the wrong kind, twice, or half written: one finding each, with the place and what to write."""

from __future__ import annotations

from typing import Any

import pytest

HEAD = "name: local/a\ndescription: A.\n"
SERVER = HEAD + "mcp_servers:\n  - {name: s, command: x, %s}\n"


def said(found: list[Any]) -> list[tuple[Any, ...]]:
    return [(d.code, d.place.line, d.place.column, d.message, d.fix is not None) for d in found]


@pytest.mark.parametrize(
    ("entry", "at", "message", "mends"),
    [
        ('{"command": 5}', "5}", "`command` must be text, in quotes, but is a number; put it in quotes.", True),
        (
            '{"command": true}',
            "true",
            "`command` must be text, in quotes, but is true or false; put it in quotes.",
            True,
        ),
        (
            '{"command": ["x"]}',
            "[",
            "`command` must be text, but is a list; write the program there, and the rest under",
            False,
        ),
        (
            '{"command": "x", "args": "-y"}',
            '"-y',
            "`args` must be a list of texts, but is text; write a list, like",
            True,
        ),
        ('{"command": "x", "args": [1]}', "1]", "This entry must be text, in quotes, but is a number", True),
        ('{"command": "x", "args": [null]}', "null", "This entry must be text, but is nothing; write text.", False),
        ('{"command": "x", "env": {"A": 5}}', "5}}", "`A` must be text, in quotes, but is a number", True),
        ('{"command": "x", "env": 5}', "5}", "`env` must be a mapping, but is a number; write a mapping, like", False),
    ],
)
def test_a_value_of_the_wrong_kind_in_a_server_file_is_an_error_that_says_what_to_write(
    findings: Any, entry: str, at: str, message: str, mends: bool
) -> None:
    text = f'{{"mcpServers": {{"a": {entry}}}}}\n'
    found = findings({".mcp.json": text})
    assert [(d.code, d.place.column) for d in found] == [("mcp/server-file", text.index(at) + 1)]
    assert found[0].message.startswith(message)
    assert (found[0].fix is not None) is mends


def test_putting_a_number_of_a_server_file_in_quotes_mends_it(findings: Any, fixed: Any) -> None:
    text = '{"mcpServers": {"a": {"command": 5}}}\n'
    (found,) = findings({".mcp.json": text})
    mended = fixed(text, found)
    assert mended == '{"mcpServers": {"a": {"command": "5"}}}\n'
    assert findings({".mcp.json": mended}) == []


def test_a_url_as_command_is_renamed(findings: Any, fixed: Any) -> None:
    text = HEAD + "mcp_servers:\n  - {name: s, command: 'https://example.org/mcp'}\n"
    (found,) = findings(text)
    assert (found.code, found.place.line, found.place.column) == ("mcp/bad-command", 4, 24)
    assert findings(fixed(text, found)) == []


def test_an_argument_of_a_server_file_is_put_in_a_list_as_json_has_it(findings: Any, fixed: Any) -> None:
    text = '{"mcpServers": {"a": {"command": "x", "args": "-y"}}}\n'
    (found,) = findings({".mcp.json": text})
    assert fixed(text, found) == text.replace('"-y"', '["-y"]')


def test_code_beside_an_entry_point_is_one_finding_with_both_places(findings: Any) -> None:
    text = "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\nentry_point: nothere\n"
    (found,) = findings({"tools/t.yaml": text})
    assert (found.code, found.place.line, found.related[0].place.line) == ("tool/code-and-entry-point", 5, 4)


@pytest.mark.parametrize(
    ("more", "severity"),
    [
        ('env: {A: "${bad"}', "warning"),
        ('env: {A: "x${"}', "warning"),
        ('env: {A: "${B C}"}', "warning"),
        ('env: {A: "${1X}"}', "warning"),
        ('env: {A: "${X-y}"}', "warning"),
        ('args: ["${bad"]', "warning"),
        ('args: ["-x", "${A}"]', "info"),
    ],
)
def test_a_variable_that_is_not_replaced_is_told_without_the_value(findings: Any, more: str, severity: str) -> None:
    text = SERVER.replace("%s", more)
    (found,) = findings(text)
    at = text.splitlines()[3].index("${") + 1
    assert (found.code, found.severity, found.place.line) == ("mcp/expansion", severity, 4)
    assert found.place.column < at < found.place.end_column
    assert "bad" not in found.message


@pytest.mark.parametrize("more", ['env: {A: "${X}-${Y:-z}", B: "$X", C: "%X%"}', 'args: ["$X", "{x}"]'])
def test_a_variable_that_is_replaced_and_a_lone_dollar_sign_are_no_faults(findings: Any, more: str) -> None:
    assert findings(SERVER.replace("%s", more)) == []


@pytest.mark.parametrize(
    ("includes", "left"),
    [
        ("  - {name: local/b}\n  - local/b\n", "  - {name: local/b}\n"),
        ("  - local/b\n  - {name: local/b}\n", "  - local/b\n"),
        ("  - local/b\n  - name: local/b\n  - local/c\n", "  - local/b\n  - local/c\n"),
        (
            "  - {name: local/b, description: x}\n  - {name: local/b, description: x}\n",
            "  - {name: local/b, description: x}\n",
        ),
        ("  - local/b\n  - {name: local/b, overrides: {x: {writes: true}}}\n", None),
    ],
)
def test_an_include_that_is_listed_twice_is_deleted_where_nothing_is_lost(
    findings: Any, fixed: Any, includes: str, left: str | None
) -> None:
    text = f"{HEAD}includes:\n{includes}"
    (found,) = findings(text, "include/duplicate")
    assert (found.fix is not None) is (left is not None)
    if left is not None:
        assert fixed(text, found) == f"{HEAD}includes:\n{left}"


@pytest.mark.parametrize(
    ("written", "whole"),
    [('"1.2"', '"1.2.0"'), ("v1.2.3", '"1.2.3"'), ("latest", None), ("1.2.3.4", None), ("01.2.3", None)],
)
def test_a_version_of_fewer_numbers_is_completed_where_that_is_asked_for(
    findings: Any, fixed: Any, written: str, whole: str | None
) -> None:
    text = f"{HEAD}version: {written}\n"
    (found,) = findings(text)
    assert (found.code, found.place.line, found.place.column) == ("skill/version", 3, 10)
    assert (found.fix is not None) is (whole is not None)
    if whole is not None:
        assert found.fix.applies == "named"
        mended = fixed(text, found)
        assert mended == f"{HEAD}version: {whole}\n"
        assert findings(mended) == []


@pytest.mark.parametrize(("written", "whole"), [("1.0", "1.0.0"), ("1.10", "1.10.0"), ("2", "2.0.0")])
def test_a_version_that_is_a_number_is_told_at_once_what_it_will_need(
    findings: Any, fixed: Any, written: str, whole: str
) -> None:
    text = f"{HEAD}version: {written}\n"
    (found,) = findings(text)
    assert found.code == "yaml/ambiguous-scalar"
    assert found.message.endswith(f'; write "{written}", or "{whole}", as a version has three numbers.')
    assert fixed(text, found) == f'{HEAD}version: "{written}"\n'
