"""Why a session or a request ended, in a sentence and in details: exit status, last stderr lines, error codes."""

from __future__ import annotations

import asyncio
from typing import Any

from core.sources.mcp.failures import CallFailure, ConnectFailure, McpFailure
from core.sources.mcp.json_limits import UnfitJsonError, fit_json
from core.sources.mcp.live import Live
from core.sources.mcp.process import ExitStatus

_DEATH_S = 0.7
_OUR_SIGNALS = ("SIGTERM", "SIGKILL")
_CLOSED = "Connection closed"  # the SDK's own words; its code is used by servers too


async def connect_failure(live: Live, error: BaseException) -> McpFailure:
    """Return why ``live`` could not be connected; call it once everything is unwound."""
    error = innermost(error)
    head = f"cannot connect to {live.spec.label}"
    details = _details(live)
    if isinstance(error, McpFailure):
        error.message = live.hearing.redactor.text(error.message)
        return error
    if isinstance(error, TimeoutError):
        details["timeout_s"] = live.spec.timeout_s
        text = f"no answer within {live.spec.timeout_s:g} s"
    elif _is_closed(error):
        text = await _end_of(live, details)
    else:
        text = _text_of(live, error, details)
    return ConnectFailure(f"{head}: {text}{_hint(live)}{_last_words(live, details)}", details)


async def request_failure(live: Live, error: BaseException) -> CallFailure:
    """Return why a request to the connected server failed."""
    error = innermost(error)
    details = _details(live)
    if _is_closed(error):
        live.lost.set()  # the next request must not meet the same session
        text = await _end_of(live, details)
        return CallFailure(f"{text}{_last_words(live, details)}", details)
    return CallFailure(_text_of(live, error, details), details)


def innermost(error: BaseException) -> BaseException:
    """Return the first cause inside groups of exceptions."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _is_closed(error: BaseException) -> bool:
    return getattr(error, "code", None) is not None and str(error) == _CLOSED


def _details(live: Live) -> dict[str, Any]:
    details: dict[str, Any] = {"server": live.spec.label}
    if stderr := live.hearing.tail():
        details["stderr"] = stderr
    return details


def _last_words(live: Live, details: dict[str, Any]) -> str:
    """Return the end of stderr as a part of a sentence; it may have grown while the end was waited for."""
    lines = details["stderr"] = live.hearing.tail()
    words = " / ".join(line.strip()[:300] for line in lines[-3:] if line.strip())
    if not lines:
        del details["stderr"]
    return f"; its last words: {words}" if words else ""


async def _end_of(live: Live, details: dict[str, Any]) -> str:
    if live.stopped:
        return "the server was stopped"
    if live.fault is not None:
        return live.fault
    if live.stdio is None or live.stdio.process is None:
        return "the connection to the server ended"
    exited = live.stdio.process.exited
    await asyncio.wait([exited], timeout=_DEATH_S)
    if not exited.done() or (live.stdio.told_to_end and exited.result().signal in _OUR_SIGNALS):
        return "the server closed its output"
    return _exit_text(exited.result(), details)


def _exit_text(status: ExitStatus, details: dict[str, Any]) -> str:
    if status.signal is not None:
        details["signal"] = status.signal
        return f"the server was ended by {status.signal}"
    if status.code is None:
        return "the server ended"
    details["exit_code"] = status.code
    return f"the server ended with exit code {status.code}"


def _text_of(live: Live, error: BaseException, details: dict[str, Any]) -> str:
    """Return the text of an error that the server, the SDK or the network gave, with its code and data."""
    code = getattr(error, "code", None)
    if isinstance(code, int):
        details["code"] = code
        details["data"] = _fit(live, getattr(error, "data", None))
        text = str(error)
    elif isinstance(error, ValueError):
        text = "unreadable answer: it does not follow the protocol"
    else:
        text = live.fault or f"{type(error).__name__}: {error}"
    return live.hearing.redactor.text(text)[:2000]


def _fit(live: Live, data: Any) -> Any:
    try:
        return live.hearing.redactor.tree(fit_json(data))
    except UnfitJsonError as error:
        return str(error)


def _hint(live: Live) -> str:
    """Return what may help where the transport looks wrong."""
    if live.spec.transport == "streamable-http" and live.spec.url.rstrip("/").endswith("/sse"):
        return " (its URL looks like one for `transport: sse`)"
    return ""
