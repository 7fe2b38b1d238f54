"""What needs more than its mapping to judge a tool: its code, its schemas, its entry point."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.diagnostics import Diagnostic, Place, Severity
from core.diagnostics.rules.schema import INPUT_TYPE, KEYWORD
from core.diagnostics.rules.skill import PATH_FROM_FILE, PATH_OUTSIDE
from core.diagnostics.rules.tool import ENTRY_POINT, PYTHON_SYNTAX
from core.language.containment import Uncontained
from core.language.json_schema import checked
from core.language.python_check import Unchecked
from core.language.scalar_places import place_in_scalar
from core.language.schema_walk import Path, SchemaProblem
from core.language.sink import DocumentSink
from core.language.surroundings import FoundPath, Surroundings
from core.language.yaml_scalars import quoted
from core.model.reading import did_you_mean, shown
from core.model.sinks import At, Change
from core.model.tool_reading import ToolPart

_OTHER_TYPES = ("array", "boolean", "integer", "null", "number", "string")
_ENTRY_POINT = re.compile(r"(?P<file>[^:]+\.py):(?P<function>[A-Za-z_][A-Za-z0-9_]*)")


def check_tool(part: ToolPart, sink: DocumentSink, around: Surroundings) -> None:
    """Report what is wrong with the code, the entry point and the schemas of ``part``, and make its schemas plain.

    Faults for which the tool can't be run are noted in ``part`` as well.
    """
    fields = part.fields
    if "code" in fields:
        _check_code(part, sink, around)
    if "entry_point" in fields and "code" not in part.keys:
        _check_entry_point(part, sink, around)
    if "input_schema" in fields:
        check_schema(fields, "input_schema", part.container, sink)
        if fields["input_schema"].get("type", "object") in _OTHER_TYPES:
            message = "A tool is called with named arguments, so its `input_schema` must be of `type: object`."
            sink.report(INPUT_TYPE, At(part.container, "input_schema"), message, hint="write `type: object`")
    if "output_schema" in fields:
        check_schema(fields, "output_schema", part.container, sink)


def check_schema(fields: dict[str, Any], name: str, container: Mapping[str, Any], sink: DocumentSink) -> None:
    """Report what is wrong with a schema at the places in it, and replace it by plain data."""
    written = fields[name]
    fields[name], problems = checked(written)
    for problem in problems:
        sink.report(problem.rule, _at(container, name, written, problem), problem.message, hint=problem.hint)


def _at(container: Any, key: Any, schema: Any, problem: SchemaProblem) -> At:
    """Return the place of the innermost part of the path that is there; a pattern that is a key is meant itself."""
    path: Path = problem.path
    value: Any = schema
    for step in path:
        if isinstance(value, dict):
            present = step in value
        else:
            present = isinstance(value, Sequence) and isinstance(step, int) and step < len(value)
        if not present or isinstance(value, str):
            break
        container, key, value = value, step, value[step]
    on_key = problem.rule is KEYWORD or (len(path) > 1 and path[-2] == "patternProperties")
    return At(container, key, on_key=on_key)


def _check_code(part: ToolPart, sink: DocumentSink, around: Surroundings) -> None:
    code = part.fields["code"]
    try:
        problem = around.checker.problem(code)
    except Unchecked:
        at = part.at("code")
        message = "The code could not be checked: compiling it takes too long or too much memory."
        sink.report(PYTHON_SYNTAX, at, message, hint="make it smaller", severity=Severity.WARNING)
        return
    if problem is None:
        return
    at = part.at("code")
    line, column, what = problem
    place = sink.source.place(place_in_scalar(sink.text, sink.span(at.container, at.key), code, line, column))
    found = PYTHON_SYNTAX.at(place, _not_python(what), hint="correct the code", skill=sink.skill, tool=sink.tool)
    _refuse_code(part, "its code is not Python", found, sink)


def _not_python(what: str) -> str:
    return f"The code is not Python: {what}"


def _refuse_code(part: ToolPart, why: str, found: Diagnostic, sink: DocumentSink) -> None:
    sink.add(found)
    part.unusable(why)
    part.not_python = found


def _check_entry_point(part: ToolPart, sink: DocumentSink, around: Surroundings) -> None:
    text, at = part.fields["entry_point"], part.at("entry_point")
    match = _ENTRY_POINT.fullmatch(text)
    if match is None:
        message = f"{shown(text)} is no entry point; it is written `file.py:function`."
        sink.report(ENTRY_POINT, at, message, hint="write `file.py:function`")
        part.unusable("its entry point is not written `file.py:function`")
        return
    file, function = match["file"], match["function"]
    found = _find(file, at, sink, around, f":{function}")
    if found is None:
        part.unusable("its entry point is outside the workspace")
        return
    there, names = around.names_in(found.path)
    around.depends.setdefault(found.path, set()).add(sink.source.path)
    if not there:
        message = f"There is no file {shown(file)} in the workspace that could be read; correct the path."
        sink.report(ENTRY_POINT, at, message, hint="correct the path")
        part.unusable("the file of its entry point is not there")
    elif names is not None and function not in names:
        hint = did_you_mean(function, names) or f"define `{function}` there"
        sink.report(ENTRY_POINT, at, f"{shown(file)} defines no {shown(function)}; {hint}", hint=hint)
        part.unusable("the function of its entry point is not there")
    elif names is None and (problem := around.problem_in(found.path)) is not None:
        line, column, what = problem
        finding = PYTHON_SYNTAX.at(Place(found.path, line, column), _not_python(what), hint="correct the code")
        _refuse_code(part, "the file of its entry point is not Python", finding, sink)


def _find(path: str, at: At, sink: DocumentSink, around: Surroundings, rest: str) -> FoundPath | None:
    try:
        found = around.find_file(path, sink.source.path)
    except Uncontained as error:
        report_outside(path, error, at, sink)
        return None
    if found.from_file:
        report_from_file(path, found, at, sink, rest)
    return found


def report_outside(path: str, error: Uncontained, at: At, sink: DocumentSink) -> None:
    """Report a path that leaves the workspace."""
    message = f"The path {shown(path)} can't be used: {error}; write a path from the root of the workspace."
    sink.report(PATH_OUTSIDE, at, message, hint="write a path from the root of the workspace")


def report_from_file(path: str, found: FoundPath, at: At, sink: DocumentSink, rest: str = "") -> None:
    """Tell that a path was found from the file's own folder."""
    there = shown(found.path)
    message = f"{shown(path)} is found beside this file, as {there}; paths start at the root of the workspace."
    fix = Change("write the path from the root", at, quoted(found.path + rest))
    sink.report(PATH_FROM_FILE, at, message, hint=f"write {there}", fix=fix)
