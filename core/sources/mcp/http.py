"""The HTTP transports: the SDK's, over a client that bounds bytes and turns faults into answers."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast
from urllib.request import getproxies, proxy_bypass

import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CONNECTION_CLOSED, INTERNAL_ERROR

from core.sources.mcp.frames import MAX_LINE
from core.sources.mcp.spec import SSE, ServerSpec

if TYPE_CHECKING:
    from mcp.shared._httpx_utils import McpHttpClientFactory

MAX_EVENT = 1 << 20
_EVENT_END = re.compile(rb"\n\r?\n|\r\r")
_BRIEF = dict.fromkeys(("connect", "read", "write", "pool"), 1.0)


async def open_http(
    stack: AsyncExitStack, spec: ServerSpec, headers: Mapping[str, str], on_fault: Callable[[str, bool], None]
) -> tuple[Any, Any]:
    """Enter the transport of ``spec`` on ``stack`` and return its streams.

    ``on_fault`` is told what went wrong below the protocol, and whether the session is lost by it.
    """
    timeout = httpx2.Timeout(spec.timeout_s, read=None)

    def client(**_: Any) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers={**headers, "Accept-Encoding": "identity"},
            timeout=timeout,
            transport=GuardedTransport(_network(spec.url), on_fault, sessions_end=spec.transport == SSE),
        )

    if spec.transport == SSE:
        factory = cast("McpHttpClientFactory", client)
        return await stack.enter_async_context(sse_client(spec.url, httpx_client_factory=factory))
    http = await stack.enter_async_context(client())
    return await stack.enter_async_context(
        streamable_http_client(spec.url, http_client=http, max_sse_event_size=MAX_LINE)
    )


def _network(url: str) -> httpx2.AsyncBaseTransport:
    """Return the ordinary transport, over the user's proxy where one is set for ``url``."""
    address = httpx2.URL(url)
    proxies = getproxies()
    proxy = None if proxy_bypass(address.host) else proxies.get(address.scheme) or proxies.get("all")
    return httpx2.AsyncHTTPTransport(proxy=proxy)


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Answers a POST that failed on the network with an error of the protocol, so that only that request fails."""

    def __init__(
        self, inner: httpx2.AsyncBaseTransport, on_fault: Callable[[str, bool], None], *, sessions_end: bool
    ) -> None:
        self._inner = inner
        self._on_fault = on_fault
        self._sessions_end = sessions_end

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send ``request``; see the class."""
        if request.method == "DELETE":  # a courtesy at the end, which a dead server must not draw out
            request.extensions = {**request.extensions, "timeout": _BRIEF}
        try:
            response = await self._inner.handle_async_request(request)
        except httpx2.TransportError as error:
            text = _network_text(error)
            self._on_fault(text, self._sessions_end)
            if request.method != "POST":
                raise
            return _answer(request, 503, text, CONNECTION_CLOSED)
        return await self._checked(request, response)

    async def _checked(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            return _answer(request, 502, "the server sent a compressed answer, which was not asked for")
        if request.method == "POST" and response.status_code >= 400:
            return await self._refused(request, response, kind)
        if kind != "text/event-stream":
            response.stream = _Bounded(response.stream)
        elif self._sessions_end:
            response.stream = _Events(response.stream, lambda text: self._on_fault(text, True))
        return response

    async def _refused(self, request: httpx2.Request, response: httpx2.Response, kind: str) -> httpx2.Response:
        lost = response.status_code == 404 and "mcp-session-id" in request.headers
        text = _status_text(response.status_code)
        if lost or self._sessions_end:
            self._on_fault("the server no longer knows the session" if lost else text, True)
        if kind == "application/json":
            response.stream = _Bounded(response.stream)
            return response
        await response.aclose()
        return _answer(request, response.status_code, text)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


class _Bounded(httpx2.AsyncByteStream):
    """A body of at most 4 MiB; more, or a broken connection, fails the one request it answers."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        try:
            async for chunk in self._inner:
                size += len(chunk)
                if size > MAX_LINE:
                    raise httpx2.StreamError(f"the answer is larger than {MAX_LINE >> 20} MiB")
                yield chunk
        except httpx2.TransportError as error:
            raise httpx2.StreamError(_network_text(error)) from error

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Events(httpx2.AsyncByteStream):
    """An event stream that says when an event is larger than the SDK takes, since that ends the session."""

    def __init__(self, inner: Any, on_fault: Callable[[str], None]) -> None:
        self._inner = inner
        self._on_fault = on_fault

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size, before = 0, b""
        async for chunk in self._inner:
            ends = [match.end() for match in _EVENT_END.finditer(before + chunk)]
            size = len(before) + len(chunk) - ends[-1] if ends else size + len(chunk)
            before = (before + chunk)[-3:]
            if size > MAX_EVENT:
                self._on_fault(f"the server sent an event larger than {MAX_EVENT >> 20} MiB")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


def _network_text(error: httpx2.TransportError) -> str:
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
        return f"the server cannot be reached ({reason})"
    return f"the connection to the server broke ({reason})"


def _status_text(status: int) -> str:
    try:
        return f"HTTP {status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"HTTP {status}"


def _answer(request: httpx2.Request, status: int, text: str, code: int = INTERNAL_ERROR) -> httpx2.Response:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": text}}
    return httpx2.Response(status, json=error, request=request)
