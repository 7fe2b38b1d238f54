"""Single entries of a listing and single results, beyond what the servers of the other tests send."""

from __future__ import annotations

from typing import Any

import pytest

from core.model.discovery import DiscoveredTool
from core.sources.mcp.content import left_out, read_result
from core.sources.mcp.failures import CallFailure
from core.sources.mcp.redactor import Redactor
from core.sources.mcp.tools import read_tools

OBJECT = {"type": "object"}


def only(item: Any, accepted: tuple[str, ...] = ("t",)) -> DiscoveredTool:
    tools, _ = read_tools([item], frozenset(accepted))
    return tools[0]


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(depth):
        schema = {"not": schema}
    return {**OBJECT, "properties": {"x": schema}}


def test_a_schema_without_end_is_a_problem_of_its_tool_alone() -> None:
    tools, _ = read_tools(
        [{"name": "deep", "inputSchema": nested(10_000)}, {"name": "t", "inputSchema": OBJECT}], {"t"}
    )

    assert [(tool.name, tool.problem) for tool in tools] == [
        ("deep", "its description is nested deeper than 100"),
        ("t", None),
    ]


def test_a_name_without_end_is_cut_and_is_a_problem() -> None:
    tool = only({"name": "n" * 300, "inputSchema": OBJECT})

    assert tool.name == "n" * 256 + "#1"
    assert tool.problem == "its name is longer than 256 characters"


def test_a_tool_that_the_protocol_forbids_to_call_has_a_problem() -> None:
    schema = {**OBJECT, "properties": {"q": {"type": "string", "x-mcp-header": "bad header"}}}

    assert only({"name": "t", "inputSchema": schema}, accepted=()).problem == (
        "its schema asks for headers that the protocol does not allow"
    )


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        (None, "its input schema is null, not an object"),
        (True, "its input schema is a boolean, not an object"),
        ([], "its input schema is a list, not an object"),
        (1.5, "its input schema is a number, not an object"),
        ({"type": None}, 'its input schema has "type": None, not "type": "object"'),
    ],
)
def test_what_is_wrong_with_an_input_schema_is_said(schema: Any, problem: str) -> None:
    assert only({"name": "t", "inputSchema": schema}).problem == problem


def test_a_schema_that_names_no_type_is_taken_as_that_of_an_object_and_noted() -> None:
    (tool,), notes = read_tools([{"name": "t", "inputSchema": {"properties": {}}}], {"t"})

    assert (tool.problem, tool.input_schema) == (None, {"properties": {}})
    assert notes == ('t: its input schema does not say "type": "object", and is taken as if it did',)


def test_the_tools_own_title_comes_before_that_of_its_annotations() -> None:
    item = {"name": "t", "inputSchema": OBJECT, "title": "Own", "annotations": {"title": "Other"}}

    assert only(item).annotations["title"] == "Own"


def test_three_tools_of_one_name_get_three_names() -> None:
    item = {"name": "t", "inputSchema": OBJECT}

    assert [tool.name for tool in read_tools([item, item, item], {"t"})[0]] == ["t", "t#2", "t#3"]


@pytest.mark.parametrize(
    ("raw", "output"),
    [
        ({"content": []}, ""),
        ({}, ""),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "a\nb"),
        ({"content": [{"type": "text", "text": 5}]}, [{"type": "text", "text": 5}]),
        ({"content": [7]}, [7]),
        ({"content": [], "structuredContent": [1, 2]}, [1, 2]),
        ({"content": [], "structuredContent": 0}, 0),
        ({"content": [], "structuredContent": None}, ""),
        ({"content": [], "isError": False}, ""),
    ],
)
def test_output_data_follows_the_contract(raw: dict[str, Any], output: Any) -> None:
    assert read_result(raw, Redactor()) == output


@pytest.mark.parametrize(
    ("texts", "structured"),
    [
        (['{"t": 1, "u": [2]}'], {"u": [2], "t": 1}),
        (["5"], {"result": 5}),
        (["5"], {"result": "5"}),
        (["Ann"], {"result": "Ann"}),
        (["1", "2"], {"result": [1, 2]}),
        (["a", "b"], ["a", "b"]),
        ([""], {"t": 1}),
        ([], {"t": 1}),
        (["anything"], None),
    ],
)
def test_a_text_that_says_the_structured_content_again_is_not_left_out(texts: list[str], structured: Any) -> None:
    blocks = [{"type": "text", "text": text} for text in texts]

    assert list(left_out({"content": blocks, "structuredContent": structured})) == []


def test_what_structured_content_leaves_out_is_told() -> None:
    image = {"type": "image", "mimeType": "image/png", "data": "AAAA"}
    blocks = [{"type": "text", "text": "about 20"}, image, {"type": "text", "text": "[" * 5000}, image, 7]

    assert list(left_out({"content": blocks, "structuredContent": {"t": 21.5}})) == [
        "text beside the structured output: about 20",
        f"text beside the structured output: {'[' * 5000}",
        "beside the structured output: 2 × image",
    ]
    assert list(left_out({"content": "text", "structuredContent": {"t": 21.5}})) == []


@pytest.mark.parametrize("flag", [True, "true", 1])
def test_an_error_without_a_text_says_so(flag: Any) -> None:
    with pytest.raises(CallFailure, match="reported an error without a text"):
        read_result({"content": [], "isError": flag}, Redactor())


def test_the_text_of_an_error_is_cut_and_kept_whole_as_output() -> None:
    with pytest.raises(CallFailure) as caught:
        read_result({"content": [{"type": "text", "text": "e" * 5000}], "isError": True}, Redactor())

    assert caught.value.message == "e" * 2000 + "…"
    assert caught.value.output == "e" * 5000
