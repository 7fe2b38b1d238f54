"""Results as servers give them, and what stands on the screen after the call."""

from __future__ import annotations

import base64
import struct
from dataclasses import dataclass
from typing import Any

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", 640, 480)
NUMBER = {"type": "object", "properties": {"t": {"type": "number"}}, "required": ["t"]}


@dataclass(frozen=True, slots=True)
class Answer:
    """One kind of answer. ``shows`` stands on the screen after ``keys``, ``hides`` does not.

    ``copied`` is what the copy key then gives.
    """

    kind: str
    messages: tuple[dict[str, Any], ...]
    shows: tuple[str, ...]
    keys: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    copied: str | None = None
    output_schema: dict[str, Any] | None = None


def result(*blocks: Any, **more: Any) -> tuple[dict[str, Any], ...]:
    return ({"result": {"content": list(blocks), **more}},)


def text(said: Any) -> dict[str, Any]:
    return {"type": "text", "text": said}


def data(kind: str, mime: str, held: bytes) -> dict[str, Any]:
    return {"type": kind, "mimeType": mime, "data": base64.b64encode(held).decode()}


OK, FAILED = "✓ succeeded", "✗ tool_execution_failure"

ANSWERS = (
    Answer(
        "structured content alone is the output",
        result(structuredContent={"t": 21.5}),
        (OK, "t  21.5", "l Log 0"),
        copied='{\n  "t": 21.5\n}',
    ),
    Answer(
        "text alone is the output, line by line",
        result(text("first [/b]\nsecond")),
        (OK, "first [/b]", "second"),
        copied="first [/b]\nsecond",
    ),
    Answer(
        "a text that says something else than the structured content stands in the log",
        result(text("about [/b] twenty"), structuredContent={"t": 21.5}),
        (OK, "text beside the structured output: about [/b] twenty"),
        ("l",),
    ),
    Answer(
        "a text that only repeats the structured content is no news",
        result(text('{"t": 21.5}'), structuredContent={"t": 21.5}),
        (OK, "t  21.5", "l Log 0"),
    ),
    Answer(
        "an error of the tool has its own words, and its schema has none",
        result(text("the disk is full\nof [/logs]"), isError=True),
        (FAILED, "the disk is full", "of [/logs]", "the server"),
        hides=("output schema",),
        output_schema=NUMBER,
    ),
    Answer(
        "an error of the protocol keeps code, message and data",
        ({"error": {"code": -32602, "message": "bad ticket", "data": {"hint": "see docs"}}},),
        (FAILED, "bad ticket", "-32602", '{"hint": "see docs"}', "the server"),
    ),
    Answer(
        "an output that breaks its schema is shown beside what is wrong",
        result(structuredContent={"t": "warm"}),
        ("✗ validation_error", "$.t", "does not fit its output schema", '"warm"'),
        output_schema=NUMBER,
    ),
    Answer(
        "a picture is told by type and size",
        result(text("chart"), data("image", "image/png", PNG)),
        (OK, "chart", "[image · image/png · 640 × 480 · 24 bytes]"),
        hides=("iVBOR",),
    ),
    Answer(
        "a sound is told by type and size",
        result(data("audio", "audio/wav", b"x" * 6144)),
        (OK, "[audio · audio/wav · 6.0 KiB]"),
    ),
    Answer(
        "a resource shows its address and its text",
        result({"type": "resource", "resource": {"uri": "mem://x", "mimeType": "text/plain", "text": "inside"}}),
        (OK, "[resource · mem://x · text/plain · 6 characters]", "inside"),
    ),
    Answer(
        "a link to a resource shows its name and where it leads",
        result({"type": "resource_link", "uri": "file:///b.txt", "name": "b", "size": 2048}),
        (OK, "[resource link · b · 2.0 KiB · file:///b.txt]"),
    ),
    Answer("nothing at all is told from a blank screen", result(), (OK, '"" empty text'), copied=""),
    Answer(
        "Markdown is text at first, and drawn on request",
        result(text("# Title\n\n- one\n- [/two]\n")),
        (OK, "• one", "[/two]"),
        ("v",),
        hides=("# Title",),
    ),
    Answer(
        "control sequences are signs on the screen and bytes in what is copied",
        result(text("\x1b]0;owned\x07\x1b[31mred\x1b[2J \u202eevil")),
        (OK, "owned", "red", "evil"),
        hides=("\x1b", "\x07", "\u202e"),
        copied="\x1b]0;owned\x07\x1b[31mred\x1b[2J \u202eevil",
    ),
    Answer(
        "one line of 1 MiB is there to its end",
        result(text({"repeat": "0123456789abcde ", "times": 1 << 16}), text("the end")),
        (OK, "the end"),
        ("end",),
    ),
    Answer(
        "50,000 lines are there to the last",
        result(text({"repeat": "line #\n", "times": 50_000})),
        (OK, "line 49999"),
        ("end",),
    ),
    Answer(
        "what a server reports meanwhile is in the log",
        (
            {"method": "notifications/message", "params": {"level": "warning", "logger": "disk", "data": "low [/b]"}},
            *result(text("done")),
        ),
        (OK, "l Log 1", "warning disk: low [/b]"),
        ("l",),
    ),
    Answer(
        "null in an output is null",
        result(structuredContent={"nothing": None, "text": "null"}),
        (OK, "nothing  null", 'text  "null"'),
    ),
    Answer(
        "null instead of a result is an unreadable answer",
        ({"result": None},),
        (FAILED, "unreadable answer: its result is no object", "the server"),
    ),
)
