"""The result of ``tools/call`` as output data (interfaces, JSON shapes)."""

from __future__ import annotations

from typing import Any

from core.sources.mcp.failures import CallFailure
from core.sources.mcp.json_limits import UnfitJsonError, fit_json
from core.sources.mcp.secrets import Redactor

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
