"""The result of ``tools/call`` as output data (interfaces, JSON shapes)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from core.sources.mcp.failures import CallFailure
from core.sources.mcp.json_limits import UnfitJsonError, fit_json
from core.sources.mcp.redactor import Redactor

_MESSAGE = 2000


def read_result(raw: dict[str, Any], redactor: Redactor) -> Any:
    """Return structured content where there is some, else text where all blocks are text, else the list of blocks.

    Raises:
        CallFailure: the tool reported an error, asks for input, or gave something that is no result.
    """
    try:
        result = redactor.tree(fit_json(raw))
    except UnfitJsonError as error:
        raise CallFailure(f"unreadable answer: {error}") from error
    if result.get("resultType") == "input_required":
        raise CallFailure("the tool asks for input during the call, which is not offered", {"input_required": True})
    blocks = _blocks(result)
    output = result["structuredContent"] if result.get("structuredContent") is not None else _plain(blocks)
    if result.get("isError"):
        text = _text_of(blocks)
        message = f"{text[:_MESSAGE]}…" if len(text) > _MESSAGE else text
        raise CallFailure(message or "the tool reported an error without a text", {"is_error": True}, output)
    return output


def _blocks(result: dict[str, Any]) -> list[Any]:
    blocks = result.get("content", [])
    if not isinstance(blocks, list):
        raise CallFailure("unreadable answer: its content is no list")
    return blocks


def _is_text(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)


def _plain(blocks: list[Any]) -> Any:
    return _text_of(blocks) if all(map(_is_text, blocks)) else blocks


def _text_of(blocks: list[Any]) -> str:
    return "\n".join(block["text"] for block in blocks if _is_text(block))


def left_out(raw: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each text and each kind of block that the structured content of a result leaves out.

    A text that only says the structured content over again, whole or its sole member ``result``, is not left out.
    """
    structured, blocks = raw.get("structuredContent"), raw.get("content")
    if structured is None or not isinstance(blocks, list):
        return
    texts = [block["text"] for block in blocks if _is_text(block)]
    if not _says_again(texts, structured):
        yield from (f"text beside the structured output: {text}" for text in texts if text)
    others = [str(block.get("type")) for block in blocks if isinstance(block, dict) and not _is_text(block)]
    yield from (f"beside the structured output: {others.count(k)} × {k:.100}" for k in dict.fromkeys(others))


def _says_again(texts: list[str], structured: Any) -> bool:
    said = [_read(text) for text in texts]
    alone = structured["result"] if isinstance(structured, dict) and structured.keys() == {"result"} else structured
    return said in ([structured], [alone], alone) or texts == [alone]


def _read(text: str) -> Any:
    """The JSON that a text is; a text that is none stands for itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
