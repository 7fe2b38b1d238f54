"""A server's blocks: readable at once, and told by kind, type and size where they are no text."""

from __future__ import annotations

import base64
import struct
from typing import Any

import pytest
from pane_app import PaneApp, press, screen_text, settle
from try_driver import answering, app, with_script

from explorer.services.content_blocks import described, size_words

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", 640, 480)
GIF = b"GIF89a" + struct.pack("<HH", 12, 7)
JPEG = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08" + struct.pack(">HH", 30, 20) + b"\x00" * 8


def picture(data: bytes, mime: str) -> dict[str, Any]:
    return {"type": "image", "mimeType": mime, "data": base64.b64encode(data).decode()}


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (picture(PNG, "image/png"), "image · image/png · 640 × 480 · 24 bytes"),
        (picture(GIF, "image/gif"), "image · image/gif · 12 × 7 · 10 bytes"),
        (picture(JPEG, "image/jpeg"), "image · image/jpeg · 20 × 30 · 25 bytes"),
        (picture(b"?", "image/x"), "image · image/x · 1 byte"),
        ({"type": "image", "data": "%%%"}, "image · 2 bytes"),
        ({"type": "audio", "mimeType": "audio/wav", "data": "A" * 8192}, "audio · audio/wav · 6.0 KiB"),
        (
            {"type": "resource_link", "uri": "file:///b.txt", "name": "b", "mimeType": "text/plain", "size": 2048},
            "resource link · b · text/plain · 2.0 KiB · file:///b.txt",
        ),
        (
            {"type": "resource", "resource": {"uri": "mem://x", "mimeType": "text/plain", "text": "abc"}},
            "resource · mem://x · text/plain · 3 characters",
        ),
        ({"type": "resource", "resource": {"uri": "mem://y", "blob": "AAAA"}}, "resource · mem://y · 3 bytes"),
        ({"type": "resource", "resource": {}}, "resource"),
    ],
)
def test_a_block_is_told_in_few_words(block: dict[str, Any], said: str) -> None:
    assert described(block) == said


@pytest.mark.parametrize(("size", "said"), [(0, "0 bytes"), (3 << 20, "3.0 MiB"), (True, ""), (-1, ""), ("5", "")])
def test_sizes_are_said_as_people_say_them(size: Any, said: str) -> None:
    assert size_words(size) == said


async def shown(value: Any, *keys: str) -> tuple[str, PaneApp]:
    running = app(with_script(answering(value)))
    async with running.run_test(size=(120, 44)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r", *keys])
        return screen_text(running), running


async def test_blocks_are_readable_at_once_and_a_tree_on_request() -> None:
    blocks = [{"type": "text", "text": "first\nsecond"}, picture(PNG, "image/[/png]")]
    blocks.append({"type": "resource", "resource": {"uri": "mem://x", "text": "inside"}})
    text, _ = await shown(blocks)
    for part in ("first", "second", "[image · image/[/png] · 640 × 480 · 24 bytes]", "[resource · mem://x", "inside"):
        assert part in text
    tree, _ = await shown(blocks, "v", "v")
    assert "▸ 1  image · image/[/png] · 640 × 480" in tree


async def test_an_empty_text_is_said_to_be_one_and_copies_as_nothing() -> None:
    text, running = await shown("", "y")
    assert '"" empty text' in text
    assert running.clipboard == ""
    null, _ = await shown({"a": None, "b": ""})
    assert "a  null" in null
    assert 'b  ""' in null


async def test_a_text_is_copied_whole_and_raw_not_as_it_is_drawn() -> None:
    _, running = await shown("one\n\x1b[2J\ttwo " + "x" * 500, "y")
    assert running.clipboard == "one\n\x1b[2J\ttwo " + "x" * 500


async def test_what_is_no_unicode_is_copied_as_its_escape() -> None:
    _, running = await shown({"odd": "\ud800!"}, "down", "y")
    assert running.clipboard == "\\ud800!"


async def test_numbers_are_copied_with_every_digit() -> None:
    value = {"id": 9007199254740993, "huge": 10**40, "zero": -0.0, "small": 5e-324}
    for steps, said in enumerate(("9007199254740993", str(10**40), "-0.0", "5e-324"), 1):
        _, running = await shown(value, *["down"] * steps, "y")
        assert running.clipboard == said


async def test_a_long_text_is_there_from_its_first_lines_and_then_whole() -> None:
    running = app(with_script(answering("\n".join(f"line {n}" for n in range(50_000)))))
    async with running.run_test(size=(120, 44)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r"])
        assert "line 0" in screen_text(running)
        await press(pilot, ["pagedown", "end"])
        assert "line 49999" in screen_text(running)
        await press(pilot, ["y"])
        assert running.clipboard.endswith("line 49999")


async def test_a_large_value_is_shown_as_text_without_a_wait() -> None:
    text, _ = await shown([{"id": n} for n in range(20_000)], "v", "end")
    assert '"id": 19999' in text
    again, _ = await shown([{"id": n} for n in range(20_000)], "v", "v")
    assert "[] 20,000" in again
