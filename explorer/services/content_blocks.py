"""The blocks of a server's answer: text, pictures, sounds, resources; each told by kind, type and size."""

from __future__ import annotations

import base64
import binascii
import struct
from typing import Any

_HEAD = 65_536
_KINDS = ("text", "image", "audio", "resource_link", "resource")


def is_block(value: Any) -> bool:
    """Whether ``value`` is a content block."""
    return isinstance(value, dict) and value.get("type") in _KINDS and _held(value) is not None


def are_blocks(value: Any) -> bool:
    """Whether ``value`` is a list of content blocks and nothing else."""
    return isinstance(value, list) and bool(value) and all(map(is_block, value))


def _held(block: dict[str, Any]) -> str | dict[str, Any] | None:
    """What a block holds under the name that its kind has for it; None when it lacks that."""
    name = {"text": "text", "resource_link": "uri", "resource": "resource"}.get(block["type"], "data")
    held = block.get(name)
    return held if isinstance(held, dict if name == "resource" else str) else None


def described(block: dict[str, Any]) -> str:
    """Return what a block is in few words; for a text block that is only that it is one."""
    kind, mime = block["type"], block.get("mimeType")
    if kind == "text":
        return "text"
    if kind == "resource_link":
        return _words("resource link", block.get("name"), mime, size_words(block.get("size")), block["uri"])
    if kind == "resource":
        return _resource(block["resource"])
    data = _decoded(block["data"])
    return _words(kind, mime, _pixels(data), size_words(_size(block["data"])))


def readable(block: dict[str, Any]) -> str:
    """Return the text of a block, or in brackets what it is."""
    if block["type"] == "text":
        return str(block["text"])
    text = block["resource"].get("text") if block["type"] == "resource" else None
    return f"[{described(block)}]" + (f"\n{text}" if isinstance(text, str) else "")


def _resource(resource: dict[str, Any]) -> str:
    text, blob = resource.get("text"), resource.get("blob")
    size = f"{len(text):,} characters" if isinstance(text, str) else ""
    size = size_words(_size(blob)) if isinstance(blob, str) else size
    return _words("resource", resource.get("uri"), resource.get("mimeType"), size)


def _words(*parts: Any) -> str:
    return " · ".join(str(part) for part in parts if isinstance(part, str) and part)


def size_words(size: Any) -> str:
    """Return a number of bytes as people say it; nothing for what is none."""
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        return ""
    if size < 1024:
        return f"{size:,} byte" if size == 1 else f"{size:,} bytes"
    return f"{size / 1024:,.1f} KiB" if size < 1 << 20 else f"{size / (1 << 20):,.1f} MiB"


def _size(data: str) -> int:
    return len(data.rstrip("=")) * 3 // 4


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data[:_HEAD])
    except (binascii.Error, ValueError):
        return b""


def _pixels(data: bytes) -> str:
    """Width and height by the file's own header: PNG, GIF, JPEG."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        return _by(*struct.unpack(">II", data[16:24]))
    if data.startswith((b"GIF87a", b"GIF89a")) and len(data) >= 10:
        return _by(*struct.unpack("<HH", data[6:10]))
    return _jpeg(data) if data.startswith(b"\xff\xd8") else ""


def _jpeg(data: bytes) -> str:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return _by(width, height)
        at += 2 + max(2, length)
    return ""


def _by(width: int, height: int) -> str:
    return f"{width:,} × {height:,}"
