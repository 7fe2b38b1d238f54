"""Lines, JSON and chunks: what holds for any bytes that a server may send."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import JSONRPCError, JSONRPCResponse

from core.sources.mcp.frames import Noise, ProtocolFault, Splitter, read_frame
from core.sources.mcp.hearing import LineReader
from core.sources.mcp.json_limits import MAX_DEPTH, UnfitJsonError, fit_json

CHUNKS = st.lists(st.binary(max_size=30) | st.just(b"\n"), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(CHUNKS)
def test_lines_do_not_depend_on_how_bytes_are_cut(chunks: list[bytes]) -> None:
    splitter = Splitter()

    lines = [line for chunk in chunks for line in splitter.feed(chunk)]

    assert [*lines, splitter.take()] == b"".join(chunks).split(b"\n")


@given(st.integers(1, 50), CHUNKS)
def test_a_line_over_the_limit_is_a_fault_however_it_is_cut(limit: int, chunks: list[bytes]) -> None:
    splitter = Splitter(limit)
    too_long = any(len(line) > limit for line in b"".join(chunks).split(b"\n"))

    if too_long:
        with pytest.raises(ProtocolFault):
            [splitter.feed(chunk) for chunk in chunks]
    else:
        [splitter.feed(chunk) for chunk in chunks]


@given(st.binary())
def test_any_line_is_a_message_noise_or_a_fault(line: bytes) -> None:
    try:
        read_frame(line)
    except ProtocolFault:
        with pytest.raises(UnicodeDecodeError):
            line.decode()


@given(JSON)
def test_any_json_that_is_no_message_is_noise(value: Any) -> None:
    frame = read_frame(json.dumps({"value": value}).encode())

    assert isinstance(frame, Noise)


@given(st.integers(0, 2**31), JSON.filter(lambda value: not isinstance(value, dict)))
def test_an_answer_without_a_result_becomes_an_error_for_its_request(number: int, result: Any) -> None:
    frame = read_frame(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode())

    assert not isinstance(frame, Noise)
    assert isinstance(frame.message, JSONRPCError)
    assert frame.message.id == number


def test_a_byte_order_mark_before_a_message_does_no_harm() -> None:
    frame = read_frame('\ufeff{"jsonrpc":"2.0","id":1,"result":{}}'.encode())

    assert not isinstance(frame, Noise)
    assert isinstance(frame.message, JSONRPCResponse)


@given(JSON)
def test_fit_json_is_given_back_as_it_is(value: Any) -> None:
    assert fit_json(value) == value


@given(st.text(st.characters(categories=["Cs", "Ll"])))
def test_lone_surrogates_are_replaced(text: str) -> None:
    fit = fit_json({text: [text]})

    json.dumps(fit, ensure_ascii=False).encode()


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_lacks_are_refused(number: float) -> None:
    with pytest.raises(UnfitJsonError):
        fit_json([{"x": number}])


def test_depth_is_bounded_without_recursion() -> None:
    def nested(depth: int) -> Any:
        value: Any = 1
        for _ in range(depth):
            value = [value]
        return value

    assert fit_json(nested(MAX_DEPTH)) == nested(MAX_DEPTH)
    with pytest.raises(UnfitJsonError, match="deeper than 100"):
        fit_json(nested(MAX_DEPTH + 1))
    with pytest.raises(UnfitJsonError):
        fit_json(nested(100_000))


@given(CHUNKS)
def test_heard_lines_are_those_that_were_written(chunks: list[bytes]) -> None:
    heard: list[str] = []
    reader = LineReader(heard.append)
    for chunk in chunks:
        reader.feed(chunk)
    reader.end()

    *lines, begun = b"".join(chunks).split(b"\n")
    whole = [*lines, begun] if begun else lines
    assert heard == [line.decode("utf-8", "replace").rstrip("\r") for line in whole]


def test_a_heard_line_without_end_is_cut_and_counted() -> None:
    heard: list[str] = []
    reader = LineReader(heard.append, limit=10)
    for _ in range(5):
        reader.feed(b"x" * 10)
    reader.feed(b"\n")

    assert heard == ["xxxxxxxxxx… 40 more bytes"]
