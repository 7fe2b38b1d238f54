"""The two requests that the explorer makes: list the tools, call one. Each is bounded, and ends when cancelled."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core.model.discovery import DiscoveredServer
from core.model.tool import PROGRESS_FACTOR
from core.sources.mcp.content import left_out, read_result
from core.sources.mcp.endings import request_failure
from core.sources.mcp.failures import CallFailure, McpFailure
from core.sources.mcp.identity import tool_digest
from core.sources.mcp.live import Live
from core.sources.mcp.tools import read_tools

MAX_PAGES = 100
MAX_TOOLS = 10_000
_MOST_NAMED = 10
_METHOD_NOT_FOUND = -32601


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call gave: output data and the time that the server took, in milliseconds."""

    output: Any
    duration_ms: float


@dataclass(slots=True)
class _Pages:
    items: list[Any] = field(default_factory=list)
    accepted: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)


async def list_tools(live: Live) -> DiscoveredServer:
    """Return what the server says it has; from memory while nothing has changed.

    What came before a page that failed is kept, with a note.

    Raises:
        CallFailure: the first page failed.
    """
    if live.listing is None:
        pages = _Pages()
        try:
            async with asyncio.timeout(live.spec.timeout_s) as limit:
                await _walk(live, pages, limit)
        except TimeoutError:
            _note(pages, _too_slow(live, "the listing of its tools", live.spec.timeout_s))
        except Exception as error:  # noqa: BLE001 - whatever the SDK makes of an answer fails this listing only
            if getattr(error, "code", None) != _METHOD_NOT_FOUND or pages.items:
                _note(pages, await _failed(live, error))
        live.listing = _discovered(live, pages)
    return live.listing


async def _walk(live: Live, pages: _Pages, limit: asyncio.Timeout) -> None:
    """Read page after page, at most a hundred; a cursor that comes again ends it too."""
    from core.sources.mcp.session import raw_page

    last = _later(live.spec.timeout_s * PROGRESS_FACTOR)
    seen: set[str] = set()
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page, names = await raw_page(live.session, cursor)
        pages.items += _items_of(page)
        pages.accepted |= names
        cursor = page.get("nextCursor")
        if not isinstance(cursor, str) or not cursor:
            return
        if cursor in seen:
            pages.notes.append("the server's listing came round to where it had been; it was cut there")
            return
        if len(pages.items) >= MAX_TOOLS:
            del pages.items[MAX_TOOLS:]
            pages.notes.append(f"the server lists more than {MAX_TOOLS:,} tools; the rest was not read")
            return
        seen.add(cursor)
        limit.reschedule(min(_later(live.spec.timeout_s), last))
    pages.notes.append(f"the server's listing has no end; only its first {MAX_PAGES} pages were read")


def _items_of(page: dict[str, Any]) -> list[Any]:
    items = page.get("tools", [])
    if not isinstance(items, list):
        raise CallFailure("unreadable answer: the listing of its tools is no list")
    return items


def _note(pages: _Pages, failure: McpFailure) -> None:
    if not pages.items:
        raise failure
    pages.notes.append(f"the rest of the listing could not be read: {failure.message}")


def _discovered(live: Live, pages: _Pages) -> DiscoveredServer:
    tools, odd = read_tools(live.hearing.redactor.tree(pages.items), pages.accepted)
    changed = [tool.name for tool in tools if live.known.setdefault(tool.name, tool_digest(tool)) != tool_digest(tool)]
    if changed:
        pages.notes.append(f"changed since it was first listed: {', '.join(changed[:_MOST_NAMED])}")
    return DiscoveredServer(
        label=live.spec.label,
        tools=tools,
        stderr=live.hearing.stderr(),
        server_name=live.name,
        protocol=live.protocol,
        notes=(*live.notes, *pages.notes, *odd),
        changed=tuple(changed),
    )


async def call_tool(
    live: Live, tool: str, arguments: dict[str, Any], timeout_s: float, progress: Callable[[dict[str, Any]], None]
) -> Reply:
    """Call ``tool``; ``timeout_s`` bounds the wait for an answer or for progress, ten times that the whole.

    Raises:
        CallFailure: an error of the tool or the protocol, too long a wait, or the end of the server.
    """
    from core.sources.mcp.session import raw_call

    _check_arguments(arguments)
    started = time.monotonic()
    try:
        async with asyncio.timeout(timeout_s) as limit:
            last = _later(timeout_s * PROGRESS_FACTOR)

            def heard(done: float, total: float | None, message: str | None) -> None:
                if not limit.expired():
                    limit.reschedule(min(_later(timeout_s), last))
                progress(_progress_data(live, done, total, message))

            raw = await raw_call(live.session, tool, arguments, heard)
    except TimeoutError:
        raise _too_slow(live, f"the answer of {tool}", time.monotonic() - started, timeout_s) from None
    except Exception as error:  # noqa: BLE001 - whatever the SDK makes of an answer fails this call only
        raise await _failed(live, error) from None  # the SDK's error may hold what a server must not say
    elapsed = (time.monotonic() - started) * 1000
    output = read_result(raw, live.hearing.redactor)
    for line in left_out(raw):
        live.hearing.line("server", line)
    return Reply(output, elapsed)


def _check_arguments(arguments: dict[str, Any]) -> None:
    try:
        json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise CallFailure(f"the arguments cannot be sent: {error}"[:300]) from error


def _later(seconds: float) -> float:
    return asyncio.get_running_loop().time() + seconds


def _progress_data(live: Live, done: float, total: float | None, message: str | None) -> dict[str, Any]:
    text = live.hearing.redactor.text(message)[:2000] if message else None
    return {"progress": done, "total": total, "message": text}


def _too_slow(live: Live, what: str, waited_s: float, limit_s: float | None = None) -> CallFailure:
    details: dict[str, Any] = {"server": live.spec.label, "timeout_s": limit_s or waited_s}
    if stderr := live.hearing.tail():
        details["stderr"] = stderr
    return CallFailure(f"{live.spec.label} did not send {what} within {round(waited_s, 1):g} s", details)


async def _failed(live: Live, error: BaseException) -> McpFailure:
    return error if isinstance(error, McpFailure) else await request_failure(live, error)
