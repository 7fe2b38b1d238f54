"""The SDK's session with two changes: results come as they were sent, and what is heard beside them is heard at once.

The SDK validates a whole listing at a time, so that one malformed tool would hide all others, and checks results
against their schema on the event loop. Here both are handed out raw, for the project's own readers.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import anyio.abc
from anyio import TASK_STATUS_IGNORED
from mcp import ClientSession, MCPError
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost, listen
from mcp.shared.dispatcher import CallOptions, DispatchContext, OnNotify, OnNotifyIntercept, OnRequest
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from mcp_types import (
    CONNECTION_CLOSED,
    UNSUPPORTED_PROTOCOL_VERSION,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    EmptyResult,
    LoggingLevel,
    PaginatedRequestParams,
    RequestId,
    SetLevelRequest,
    SetLevelRequestParams,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

from core.sources.mcp.hearing import Hearing

_RAW: Final = "skill-explorer/raw"
_ENVELOPE: Final[dict[str, Any]] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
_LONGEST_PROBE_S = 10.0

Progress = Callable[[float, float | None, str | None], None]


class Dispatcher(JSONRPCDispatcher[TransportContext]):
    """Wraps raw results in an envelope that every protocol version accepts, and tells when the stream has ended."""

    def __init__(self, transport_streams: tuple[Any, Any], hearing: Hearing, list_changed: Callable[[], None]) -> None:
        super().__init__(*transport_streams)
        self.ended = asyncio.Event()
        self._hearing = hearing
        self._list_changed = list_changed

    async def send_raw_request(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        opts: CallOptions | None = None,
        *,
        _related_request_id: RequestId | None = None,
    ) -> dict[str, Any]:
        """Send a request; results of ``tools/list`` and ``tools/call`` come wrapped."""
        raw = await super().send_raw_request(method, params, opts, _related_request_id=_related_request_id)
        if method == "tools/list":
            return {**_ENVELOPE, "tools": _sound_tools(raw.get("tools")), "_meta": {_RAW: raw}}
        if method == "tools/call":
            return {**_ENVELOPE, "content": [], "_meta": {_RAW: raw}}
        return raw

    async def run(
        self,
        on_request: OnRequest,
        on_notify: OnNotify,
        on_notify_intercept: OnNotifyIntercept | None = None,
        *,
        task_status: anyio.abc.TaskStatus[None] = TASK_STATUS_IGNORED,
    ) -> None:
        """Run until the stream ends; requests of the server are heard as refused."""

        async def refusing(
            context: DispatchContext[TransportContext], method: str, params: Mapping[str, Any] | None
        ) -> dict[str, Any]:
            if method != "ping":
                self._hearing.line("client", f"the server asked for {method}; refused")
            return await on_request(context, method, params)

        def intercept(method: str, params: Mapping[str, Any] | None) -> bool:
            consumed = bool(on_notify_intercept and on_notify_intercept(method, params))
            return self._heard(method, params) or consumed

        try:
            await super().run(refusing, on_notify, intercept, task_status=task_status)
        finally:
            self.ended.set()

    def _heard(self, method: str, params: Mapping[str, Any] | None) -> bool:
        """Take what this client listens to, in the order of the wire and without a task for each."""
        if method == "notifications/message":
            self._hearing.message(params)
        elif method == "notifications/tools/list_changed":
            self._list_changed()
        else:
            return False
        return True


def _sound_tools(tools: Any) -> list[dict[str, Any]]:
    """Return what the SDK must know of the tools that it would accept: name and input schema."""
    found = [t for t in tools if isinstance(t, dict)] if isinstance(tools, list) else []
    return [
        {"name": t["name"], "inputSchema": {"type": "object", **t["inputSchema"]}}
        for t in found
        if isinstance(t.get("name"), str)
        and isinstance(t.get("inputSchema"), dict)
        and t["inputSchema"].get("type", "object") == "object"
    ]


async def negotiate(session: ClientSession, *, legacy: bool, probe: bool, timeout_s: float) -> None:
    """Agree on a protocol version: the newest that both speak; ``legacy`` offers only those with a handshake.

    ``probe`` false begins with the handshake, for a server that is known to want it.

    Raises:
        MCPError: the server refused, or the connection closed.
        RuntimeError: the server answered with a version that this client doesn't speak.
    """
    if probe and not legacy and await _discovered(session, min(_LONGEST_PROBE_S, timeout_s / 3)):
        return
    try:
        await session.initialize()
    except MCPError as error:
        if legacy or error.code != UNSUPPORTED_PROTOCOL_VERSION:
            raise
        await session.discover()  # it was only slow to start: the abandoned probe has made the session a modern one


async def _discovered(session: ClientSession, limit_s: float) -> bool:
    try:
        async with asyncio.timeout(limit_s):
            await session.discover()
    except MCPError as error:
        if error.code == CONNECTION_CLOSED or _only_modern(error):
            raise
        return False
    except (TimeoutError, RuntimeError, ValidationError):
        return False
    return True


def _only_modern(error: MCPError) -> bool:
    data = error.data if isinstance(error.data, dict) else {}
    supported = data.get("supported")
    if error.code != UNSUPPORTED_PROTOCOL_VERSION or not isinstance(supported, list):
        return False
    return not any(version in supported for version in HANDSHAKE_PROTOCOL_VERSIONS)


async def raw_page(session: ClientSession, cursor: str | None) -> tuple[dict[str, Any], frozenset[str]]:
    """Return one page of ``tools/list`` as it came, and the names that the SDK kept."""
    result = await session.list_tools(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
    raw = (result.meta or {})[_RAW]
    return raw, frozenset(tool.name for tool in result.tools)


async def raw_call(session: ClientSession, tool: str, arguments: dict[str, Any], hear: Progress) -> dict[str, Any]:
    """Return the result of ``tools/call`` as it came.

    Raises:
        MCPError: a JSON-RPC error, or the connection closed.
    """

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        hear(progress, total, message)

    result = await session.send_request(
        CallToolRequest(params=CallToolRequestParams(name=tool, arguments=arguments)),
        CallToolResult,
        progress_callback=progressed,
    )
    raw: dict[str, Any] = (result.meta or {})[_RAW]
    return raw


async def ask_for_logs(session: ClientSession, level: LoggingLevel) -> None:
    """Ask a server with the handshake for log messages from ``level`` on; one that can't stays silent."""
    capabilities = session.server_capabilities
    if capabilities is not None and capabilities.logging is not None:
        with contextlib.suppress(MCPError, ValidationError):
            await session.send_request(SetLevelRequest(params=SetLevelRequestParams(level=level)), EmptyResult)


async def watch_listing(session: ClientSession, changed: Callable[[], None]) -> None:
    """Call ``changed`` for each piece of news of a modern server's listing, for as long as it tells."""
    capabilities = session.server_capabilities
    if capabilities is None or capabilities.tools is None or not capabilities.tools.list_changed:
        return
    with contextlib.suppress(MCPError, SubscriptionLost, ListenNotSupportedError, ValidationError):
        async with listen(session, tools_list_changed=True) as news:
            async for _ in news:
                changed()
