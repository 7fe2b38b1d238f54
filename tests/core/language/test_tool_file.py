"""Tool files, and what is checked of a tool's code, entry point and schemas (language, part 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.diagnostics import Diagnostic
from core.language.declarations import Declarations
from core.language.tree import unpack

HEAD = "name: local/t\ndescription: T.\nsource: custom\n"
CODE = "code: return 1\n"
Findings = Callable[..., list[Diagnostic]]
Where = Callable[[Diagnostic], tuple[int, int, int, int]]
Load = Callable[[dict[str, Any]], Declarations]


def tool(text: str, **more: str) -> dict[str, str]:
    return {"tools/t.yaml": text, **more}


@pytest.mark.parametrize(
    "text",
    [
        HEAD + CODE + "writes: true\n",
        HEAD + CODE + "capability: {writes: true}\n",
        "tool:\n" + "".join(f"  {line}\n" for line in (HEAD + CODE + "writes: true").splitlines()),
        'cleveragents: {version: "3.0"}\n' + HEAD + CODE + "writes: true\n",
    ],
)
def test_a_tool_file_is_read_flat_or_wrapped_with_flags_nested_or_flat(load: Load, text: str) -> None:
    declared = load(tool(text))
    assert [d.message for d in declared.diagnostics if d.severity != "info"] == []
    found = declared.tools[0].tool
    assert (found.name, found.model.description, found.capability.writes) == ("local/t", "T.", True)
    assert found.capability.counts_as_writing


def test_a_flat_flag_of_a_tool_file_is_never_silently_ignored(load: Load) -> None:
    declared = load(tool("name: local/t\nsource: custom\nwrites: true\n"))
    assert declared.tools[0].tool.capability.writes is True
    assert [d.code for d in declared.diagnostics] == ["tool/missing-key", "tool/no-code"]


def test_a_conflict_is_told_at_the_tools_file_with_both_places(findings: Findings, where: Where) -> None:
    found = findings(tool(HEAD + CODE + "capability:\n  read_only: true\n  writes: true\n"))
    assert [(d.code, where(d), d.tool) for d in found] == [
        ("tool/capability-conflict", (6, 14, 6, 18), "local/t"),
    ]
    assert found[0].related[0].place.line == 7


@pytest.mark.parametrize(
    ("line", "code", "place"),
    [
        ("resourceslots: []\n", "tool/unknown-key", (5, 1)),
        ("lifecycle: {run: x}\n", "tool/unknown-key", (5, 13)),
        ("timeout: 0\n", "tool/timeout", (5, 10)),
        ("timeout: 1e30\n", "tool/timeout", (5, 10)),
        ("timeout: 3601\n", "tool/long-timeout", (5, 10)),
        ("tool_type: check\n", "tool/tool-type", (5, 12)),
        ("entry_point: t.py:run\n", "tool/code-and-entry-point", (5, 1)),
        ("input_schema: {type: string}\n", "schema/input-type", (5, 15)),
        ("output_schema: 5\n", "tool/wrong-type", (5, 16)),
        ("capability: {unsafe: 1}\n", "tool/wrong-type", (5, 22)),
    ],
)
def test_a_fault_is_told_where_it_stands(
    findings: Findings, where: Where, line: str, code: str, place: tuple[int, int]
) -> None:
    found = findings(tool(HEAD + CODE + line, **{"t.py": "def run():\n    return 1\n"}))
    assert [(d.code, where(d)[:2]) for d in found] == [(code, place)]


@pytest.mark.parametrize("name", ["t", "a/b/c", "local/t x"])
def test_a_tool_file_needs_a_full_name(load: Load, name: str) -> None:
    declared = load(tool(f"name: {name}\ndescription: T.\nsource: custom\n{CODE}"))
    assert declared.tools == []
    assert [(b.kind, b.name) for b in declared.broken] == [("tool", name)]
    assert [d.code for d in declared.diagnostics] == ["tool/invalid-name"]


@pytest.mark.parametrize(
    ("code", "place", "what"),
    [
        ("code: |\n  def run(:\n      pass\n", (5, 11), "invalid syntax"),
        ("code: |\n\n  x = 1\n  return (x\n", (7, 10), "was never closed"),
        ("code: |-\n      return (\n", (5, 14), "was never closed"),
        ("code: |2\n    return 1\n", (5, 4), "unexpected indent"),
        ("code: 'return it''s ('\n", (4, 17), "invalid syntax|unterminated"),
        ('code: "x = 1\\nreturn )"\n', (4, 22), "unmatched"),
        ("code: return )\n", (4, 14), "unmatched"),
        ("code: >\n  return\n  )\n", (4, 7), "unmatched|invalid"),
        ('code: "x = \\0"\n', (4, 12), "NUL"),
        ("code: ''\n", (4, 8), "empty"),
        ("code: '# nothing'\n", (4, 8), "empty"),
        ("code: |\n  nonlocal x\n", (5, 3), "nonlocal"),
        ("code: |\n  def run():\n      pass\n  return 1\n", (7, 3), "outside function"),
    ],
)
def test_a_syntax_error_is_told_at_its_line_and_column(
    findings: Findings, where: Where, code: str, place: tuple[int, int], what: str
) -> None:
    import re

    found = findings(tool(HEAD + code), "tool/python-syntax")
    assert [where(d)[:2] for d in found] == [place]
    assert re.search(what, found[0].message), found[0].message
    assert found[0].tool == "local/t"


@pytest.mark.parametrize(
    "code",
    [
        "return 1",
        "x = await wait()\n  return x",
        "from __future__ import annotations\n  return 1",
        "def run(a, *, b=1): return a",
        "async def run(): return 1",
        "if True:\n      def run(): return 1",
        "from helpers import run",
        "text = '''\n  a\n  '''\n  return text",
        "'a' is 'b'",
    ],
)
def test_code_that_a_tool_can_run_has_no_fault(findings: Findings, code: str) -> None:
    assert findings(tool(f"{HEAD}code: |\n  {code}\n")) == []


def test_code_is_never_executed(load: Load, tmp_path: Any) -> None:
    load(tool(f"{HEAD}code: |\n  open({str(tmp_path / 'ran')!r}, 'w')\n  def run(): pass\n"))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "code",
    ["return " + "-" * 30_000 + "1", "return " + "(" * 5_000 + ")" * 5_000, "return " + "1+" * 15_000 + "1"],
    ids=["unary", "brackets", "sum"],
)
def test_code_too_deep_for_python_is_an_error_and_nothing_worse(findings: Findings, code: str) -> None:
    assert [d.severity for d in findings(tool(f"{HEAD}code: '{code}'\n"), "tool/python-syntax")] == ["error"]


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("lib/t.py:run", None),
        ("lib/t.py:Helper", None),
        ("lib/t.py:imported", None),
        ("lib/t.py:rum", "defines no `rum`; did you mean `run`?"),
        ("lib/none.py:run", "no file `lib/none.py`"),
        ("lib/t.py", "written `file.py:function`"),
        ("lib.t:run", "written `file.py:function`"),
        ("lib/t.py:run()", "written `file.py:function`"),
        ("lib:run", "written `file.py:function`"),
    ],
)
def test_an_entry_point_is_a_function_of_a_file(findings: Findings, entry: str, problem: str | None) -> None:
    python = "from os import path as imported\n\nclass Helper: pass\n\nasync def run():\n    return 1\n"
    found = findings(tool(f"{HEAD}entry_point: {entry}\n", **{"lib/t.py": python}))
    assert [d.code for d in found] == ([] if problem is None else ["tool/entry-point"])
    assert problem is None or problem in found[0].message


@pytest.mark.parametrize("entry", ["../t.py:run", "/etc/t.py:run", "~/t.py:run"])
def test_an_entry_point_outside_is_refused(findings: Findings, entry: str) -> None:
    assert [d.code for d in findings(tool(f"{HEAD}entry_point: {entry}\n"))] == ["skill/path-outside"]


def test_an_entry_point_beside_its_file_is_found_with_an_info(load: Load) -> None:
    declared = load(tool(f"{HEAD}entry_point: t.py:run\n", **{"tools/t.py": "def run(): return 1\n"}))
    assert [d.code for d in declared.diagnostics] == ["skill/path-from-file"]
    assert declared.depends == {"tools/t.py": ["tools/t.yaml"]}


def test_a_python_file_that_is_no_python_is_told_at_its_line(findings: Findings) -> None:
    found = findings(tool(f"{HEAD}entry_point: t.py:run\n", **{"t.py": "x = 1\ndef run(:\n"}))
    assert [(d.code, d.place.path, d.place.line) for d in found] == [("tool/python-syntax", "t.py", 2)]


@pytest.mark.parametrize(
    ("schema", "code", "place"),
    [
        ("{type: object, properties: {a: {type: strng}}}", "schema/invalid", (5, 53)),
        ("{type: object, required: a}", "schema/invalid", (5, 40)),
        ("{type: object, properties: {a: {$ref: 'file:///etc/passwd'}}}", "schema/reference", (5, 53)),
        ("{type: object, properties: {a: {$ref: '#/$defs/none'}}}", "schema/reference", (5, 53)),
        ("{type: object, $schema: 'http://127.0.0.1:9/x'}", "schema/dialect", (5, 39)),
        ("{type: object, properties: {a: {pattern: '('}}}", "schema/pattern", (5, 56)),
        ("{type: object, patternProperties: {'(': {}}}", "schema/pattern", (5, 50)),
        ("{type: object, properties: {a: {type: integer, default: x}}}", "schema/default", (5, 71)),
        ("{type: object, properties: {a: {examples: [1, x], type: integer}}}", "schema/default", (5, 61)),
    ],
)
def test_a_fault_of_a_schema_is_told_at_its_part(
    findings: Findings, where: Where, schema: str, code: str, place: tuple[int, int]
) -> None:
    found = findings(tool(f"{HEAD}{CODE}input_schema: {schema}\n"))
    assert [(d.code, where(d)[:2]) for d in found] == [(code, place)]


def test_the_code_of_a_tool_knows_its_place(load: Load) -> None:
    text = f"{HEAD}code: |\n  return 1\n"
    start, end = unpack(load(tool(text)).tools[0].tool.code_span)
    assert text[start:end].strip() == "|\n  return 1"


def test_code_that_cannot_be_checked_in_time_is_a_warning(
    load: Load, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    import core.language.python_check as module

    sleeper = tmp_path / "sleeper.py"
    sleeper.write_text("import sys\nsys.stdin.buffer.read()\n")
    monkeypatch.setattr(module, "_SCRIPT", sleeper)
    monkeypatch.setattr(module, "TIME_LIMIT_S", 0.1)
    large = "x = 1\n  " * module.LARGE
    declared = load(
        tool(f"{HEAD}code: |\n  {large}\n", **{"tools/u.yaml": f"{HEAD}entry_point: u.py:run\n", "u.py": large})
    )
    assert [(d.code, d.severity) for d in declared.diagnostics] == [("tool/python-syntax", "warning")]
    assert len(declared.tools) == 2


@pytest.mark.parametrize(
    ("line", "names", "codes"),
    [
        ("resources: {db: , log: {type: file}}\n", ["db", "log"], []),
        ("resource_slots: [{type: file}, {name: db}]\n", ["db"], ["tool/missing-key"]),
        ("resource_slots: [db]\n", [], ["tool/wrong-type"]),
        ("resource_slots: db\n", [], ["tool/wrong-type"]),
    ],
)
def test_a_resource_slot_needs_a_name(load: Load, line: str, names: list[str], codes: list[str]) -> None:
    declared = load(tool(HEAD + CODE + line))
    assert [slot.name for slot in declared.tools[0].tool.model.resource_slots] == names
    assert [d.code for d in declared.diagnostics] == codes


def test_a_reference_to_what_is_no_schema_is_an_error(findings: Findings) -> None:
    schema = "{type: object, required: [x], properties: {x: {$ref: '#/required/0'}}}"
    assert [d.code for d in findings(tool(f"{HEAD}{CODE}output_schema: {schema}\n"))] == ["schema/invalid"]


def test_a_tool_wrapper_that_holds_no_mapping_is_an_error(load: Load) -> None:
    declared = load(tool("tool: local/t\n"))
    assert [d.code for d in declared.diagnostics] == ["tool/wrong-type"]
    assert [b.kind for b in declared.broken] == ["tool"]
