"""What a custom tool may be: functions and bodies, files and hooks, results and exceptions (language, part 4)."""

from __future__ import annotations

from typing import Any

import pytest

WORKS = {
    "function": ("def run(a, b=2): return a * b", {"a": 4}, 8),
    "function with any names": ("def run(**given): return given", {"a-b": 1, "class": 2}, {"a-b": 1, "class": 2}),
    "coroutine": ("async def run(a):\n    import asyncio\n    await asyncio.sleep(0)\n    return a", {"a": 4}, 4),
    "body": ("return arguments['a'] + 1", {"a": 4}, 5),
    "body without return": ("x = 1", {}, None),
    "body that waits": ("import asyncio\nreturn await asyncio.sleep(0, 'done')", {}, "done"),
    "body with a future": ("from __future__ import annotations\nx: Unknown = 3\nreturn x", {}, 3),
    "body with a text of several lines": ('return """a\n  b\nc"""', {}, "a\n  b\nc"),
    "function in a condition": ("if True:\n    def run(): return 1", {}, 1),
    "function under another name": ("def work(a): return a\nrun = work", {"a": 1}, 1),
    "imported function": ("from json import dumps as run", {"obj": [1]}, "[1]"),
    "dataclass": (
        "from dataclasses import asdict, dataclass\n@dataclass\nclass P:\n    x: int\ndef run(): return asdict(P(1))",
        {},
        {"x": 1},
    ),
    "tuple": ("return (1, 'a', None, True)", {}, [1, "a", None, True]),
    "large whole number": ("return 2**63 + 1", {}, 2**63 + 1),
    "text of the world": ("return '技能🧑\u200d🚀\\n\\x1b[31m'", {}, "技能🧑\u200d🚀\n\x1b[31m"),
    "module guard": ("if __name__ == '__main__': raise SystemExit\ndef run(): return 1", {}, 1),
}


@pytest.mark.parametrize(("code", "arguments", "output"), WORKS.values(), ids=WORKS)
def test_code_keeps_to_the_contract(bench: Any, code: str, arguments: Any, output: Any) -> None:
    result = bench.run(code, arguments).result
    assert (result.error, result.output_data) == (None, output)


NO_JSON = {
    "set": ("return {1}", "set"),
    "bytes": ("return b'x'", "bytes"),
    "NaN": ("return float('nan')", "float"),
    "infinity": ("return [float('inf')]", "list"),
    "half a character": ("return '\\udc80'", "str"),
    "cycle": ("a = []\na.append(a)\nreturn a", "list"),
    "very deep": ("a = 1\nfor _ in range(100_000): a = [a]\nreturn a", "list"),
    "endless number": ("return 10**5000", "int"),
    "generator": ("yield 1", "generator"),
    "own object": ("class A: pass\nreturn A()", "A"),
    "treacherous mapping": (
        "class D(dict):\n    def items(self): raise KeyboardInterrupt\n    def __len__(self): return 5\nreturn D(a=1)",
        "D",
    ),
}


@pytest.mark.parametrize(("code", "kind"), NO_JSON.values(), ids=NO_JSON)
def test_a_result_that_is_no_json_is_a_failure_that_names_its_type(bench: Any, code: str, kind: str) -> None:
    error = bench.run(code).result.error
    assert error.error_type == "tool_execution_failure"
    assert f"no JSON ({kind})" in error.message
    assert error.details == {"stage": "execute", "output": "not JSON", "returned": kind}


def test_a_result_may_nest_a_hundred_levels_and_no_more(bench: Any) -> None:
    code = "a = 1\nfor _ in range(arguments['levels']): a = [a]\nreturn a"
    assert bench.run(code, {"levels": 98}).result.success
    assert "deeper than 100 levels" in bench.run(code, {"levels": 150}).result.error.message


def test_a_result_that_is_too_large_is_a_failure(bench: Any) -> None:
    assert "more than 32 MiB" in bench.run("return 'x' * (33 << 20)").result.error.message


RAISED = {
    "ValueError about a cycle": ("raise ValueError('a Cycle!')", "cycle_detected"),
    "ValueError about nothing found": ("raise ValueError('user Not Found')", "skill_not_found"),
    "ValueError": ("int('x')", "resolution_failure"),
    "UnicodeError, a ValueError": ("b'\\xff'.decode()", "resolution_failure"),
    "PermissionError": ("raise PermissionError('no')", "permission_denied"),
    "validation": (
        "class ValidationError(ValueError): __module__ = 'jsonschema.exceptions'\nraise ValidationError('x')",
        "validation_error",
    ),
    "own ValidationError": (
        "class ValidationError(Exception): pass\nraise ValidationError('x')",
        "tool_execution_failure",
    ),
    "activation": ("raise RuntimeError('Activation refused')", "tool_activation_failure"),
    "other": ("raise KeyError('cycle')", "tool_execution_failure"),
    "interrupt": ("raise KeyboardInterrupt", "tool_execution_failure"),
    "generator exit": ("raise GeneratorExit('x')", "tool_execution_failure"),
}


@pytest.mark.parametrize(("code", "kind"), RAISED.values(), ids=RAISED)
def test_what_a_tool_raises_is_mapped_by_the_protocols_table(bench: Any, code: str, kind: str) -> None:
    error = bench.run(f"def run():\n    {code.replace(chr(10), chr(10) + '    ')}").result.error
    assert str(error.error_type) == kind
    assert error.details["raised_by"] == "tool"


def test_an_exception_keeps_class_message_and_traceback_with_places_of_the_workspace(bench: Any) -> None:
    code = """
        def run():
            try: {}['x']
            except KeyError as e: raise RuntimeError('outer') from e
    """
    error = bench.run(code).result.error
    assert error.message == "outer"
    assert error.details["exception"] == "RuntimeError"
    assert error.details["traceback"] == ["tools/probe.yaml:8 in run"]
    assert error.details["causes"] == ["KeyError: 'x'"]


def test_a_traceback_names_no_place_of_this_machine(bench: Any) -> None:
    code = """
        import json
        def run():
            exec(compile("json.loads('{')", '/somewhere/else/odd.py', 'exec'), {'json': json})
    """
    error = bench.run(code).result.error
    frames = [frame.rpartition(" in ")[0] for frame in error.details["traceback"]]
    assert frames[:2] == ["tools/probe.yaml:8", "<elsewhere>/odd.py:1"]
    assert frames[2].startswith("<python>/json/__init__.py:")
    assert all(not frame.startswith("/") for frame in frames)


EVIL = {
    "message that raises": "class E(Exception):\n    def __str__(self): raise RuntimeError('[/] \\x1b[2J')\nraise E",
    "message that exits": "class E(Exception):\n    def __str__(self): raise SystemExit(9)\nraise E",
    "message that is no text": "class E(Exception):\n    def __str__(self): return 5\nraise E",
    "message of a megabyte": "raise Exception('x' * 1_000_000)",
    "message with half a character": "raise Exception('\\udc80')",
    "class without a name": "class E(Exception): pass\nE.__name__ = 'x' * 1000\nE.__module__ = 5\nraise E('x')",
    "treacherous class": (
        "class M(type):\n    def __getattribute__(cls, n): raise SystemExit\n"
        "class E(Exception, metaclass=M): pass\nraise E('x')"
    ),
    "endless recursion": "def f(): f()\nf()",
    "cause of itself": "e = Exception('x')\ne.__cause__ = e\nraise e",
    "half a number": "import errno\nraise OSError('\\udc80', {}, [])",
}


@pytest.mark.parametrize("code", EVIL.values(), ids=EVIL)
def test_an_evil_exception_is_a_plain_bounded_failure(bench: Any, code: str) -> None:
    result = bench.run(f"def run():\n    {code.replace(chr(10), chr(10) + '    ')}").result
    assert result.error.error_type == "tool_execution_failure"
    assert 0 < len(result.error.message) < 11_000
    assert result.model_dump_json()


NOT_LOADABLE = {
    "import": ("import nothing_like_it\ndef run(): pass", "ModuleNotFoundError"),
    "module that raises": ("def run(): pass\nraise ValueError('not found')", "ValueError"),
    "module that exits": ("def run(): pass\nraise SystemExit(3)", "SystemExit"),
    "run that is no function": ("run = 5", "ToolNotLoadable"),
}


@pytest.mark.parametrize(("code", "name"), NOT_LOADABLE.values(), ids=NOT_LOADABLE)
def test_code_that_does_not_load_fails_at_activation(bench: Any, code: str, name: str) -> None:
    outcome = bench.run(code)
    assert outcome.result.error.error_type == "tool_activation_failure"
    assert outcome.result.error.details["exception"] == name
    assert "execute" not in outcome.stages


NOT_PYTHON = {
    "syntax": ("def run(:\n    pass", 6, 11),
    "second line": ("def run():\n    return (", 7, 14),
    "only a comment": ("# nothing", 6, 3),
    "deep brackets": ("return " + "(" * 400 + ")" * 400, 6, 210),
}


@pytest.mark.parametrize(("code", "line", "column"), NOT_PYTHON.values(), ids=NOT_PYTHON)
def test_code_that_is_not_python_is_a_validation_error_at_the_place_that_check_names(
    bench: Any, code: str, line: int, column: int
) -> None:
    outcome = bench.run(code)
    error = outcome.result.error
    assert (error.error_type, outcome.stages) == ("validation_error", ("check",))
    assert bench.asked == []
    place = {"path": "tools/probe.yaml", "line": line, "column": column}
    assert error.details == {"code": "tool/python-syntax", **place, "hint": "correct the code"}
    assert error.message.startswith(f"tools/probe.yaml:{line}:{column}: The code is not Python: ")


def test_a_file_of_an_entry_point_that_is_not_python_is_named_with_the_place(bench: Any) -> None:
    bench.write("lib/main.py", "x = 1\ndef go(:\n")
    error = bench.call(bench.tool(more="entry_point: lib/main.py:go\n")).result.error
    assert (error.error_type, error.message[:16]) == ("validation_error", "lib/main.py:2:8:")


def test_an_entry_point_runs_a_function_of_a_file_and_may_import_its_neighbours(bench: Any) -> None:
    bench.write(
        "lib/main.py",
        "import helper\nfrom pathlib import Path\ndef go(x): return [helper.twice(x), Path('a').read_text()]",
    )
    bench.write("lib/helper.py", "def twice(x): return 2 * x")
    bench.write("a", "text")
    tool = bench.tool(more="entry_point: lib/main.py:go\n")
    assert bench.call(tool, {"x": 4}).result.output_data == [8, "text"]


def test_an_entry_point_is_found_beside_the_file_that_names_it(bench: Any) -> None:
    bench.write("tools/own.py", "async def go(): return 'beside'")
    assert bench.call(bench.tool(more="entry_point: own.py:go\n")).result.output_data == "beside"


def test_a_neighbour_cannot_stand_in_for_a_module_of_python(bench: Any) -> None:
    bench.write("lib/main.py", "import json\ndef go(): return json.loads('1')")
    bench.write("lib/json.py", "def loads(text): return 'ours'")
    assert bench.call(bench.tool(more="entry_point: lib/main.py:go\n")).result.output_data == 1


MISSING = {
    "file": ("nowhere.py:go", "isn't there"),
    "outside": ("../main.py:go", "refused"),
    "absolute": ("/etc/main.py:go", "refused"),
    "function": ("lib/main.py:other", "`other`"),
}


@pytest.mark.parametrize(("entry", "words"), MISSING.values(), ids=MISSING)
def test_an_entry_point_that_is_not_there_fails_at_activation(bench: Any, entry: str, words: str) -> None:
    bench.write("lib/main.py", "def go(): return 1")
    error = bench.call(bench.tool(more=f"entry_point: {entry}\n")).result.error
    assert (str(error.error_type), words in error.message) == ("tool_activation_failure", True), error.message


def test_hooks_run_at_their_stages_in_one_process(bench: Any) -> None:
    code = """
        seen = []
        def prepare(): seen.append('activate')
        def look(): seen.append('discover')
        def run(): return seen + ['execute']
        def clean(): print('cleaned after', seen)
    """
    more = "lifecycle: {discover: look, activate: prepare, deactivate: clean}\n"
    outcome = bench.call(bench.tool(code, more=more))
    assert outcome.result.output_data == ["discover", "activate", "execute"]
    assert "cleaned after ['discover', 'activate']" in bench.log(outcome)
    assert outcome.stages == ("check", "discover", "activate", "execute", "deactivate")


def test_the_deactivation_hook_runs_after_a_failure_too(bench: Any) -> None:
    code = "def run(): raise RuntimeError('x')\ndef clean(): print('cleaned')"
    assert "cleaned" in bench.log(bench.call(bench.tool(code, more="lifecycle: {deactivate: clean}\n")))


def test_a_failing_deactivation_hook_does_not_spoil_the_result(bench: Any) -> None:
    code = "def run(): return 1\ndef clean(): raise RuntimeError('x')"
    outcome = bench.call(bench.tool(code, more="lifecycle: {deactivate: clean}\n"))
    assert (outcome.result.success, "deactivation failed: x" in bench.log(outcome, "explorer")) == (True, True)


def test_an_execution_hook_takes_the_place_of_run(bench: Any) -> None:
    code = "def run(a): return 'run'\ndef work(a): return a"
    assert bench.call(bench.tool(code, more="lifecycle: {execute: work}\n"), {"a": 1}).result.output_data == 1


def test_the_duration_is_that_of_the_execute_stage_alone(bench: Any) -> None:
    code = "import time\ntime.sleep(0.5)\ndef run(): time.sleep(0.05)"
    assert 50 <= bench.run(code).result.duration_ms < 500


def test_stages_are_heard_in_order(bench: Any) -> None:
    bench.run("return 1")
    stages = [event.text for event in bench.events if event.kind == "stage"]
    assert stages == ["check", "discover", "activate", "execute", "deactivate"]
