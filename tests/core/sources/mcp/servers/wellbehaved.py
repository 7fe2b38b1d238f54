"""A server on the official SDK that does what a server may: stdio, streamable HTTP or SSE, with a listening socket on
a file descriptor that the starter made (``wellbehaved.py http FD``)."""

from __future__ import annotations

import asyncio
import socket
import sys
from typing import TypedDict

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ToolAnnotations

CUT_SHORT: list[float] = []

server = MCPServer("desk", log_level="ERROR")


class Total(TypedDict):
    total: int


@server.tool(annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True), title="Add two numbers")
def add(a: int, b: int) -> Total:
    """Adds."""
    return {"total": a + b}


@server.tool()
async def count(steps: int, ctx: Context) -> str:
    """Reports its progress."""
    for step in range(steps):
        await ctx.report_progress(step + 1, steps, f"step {step + 1}")
    return "counted"


@server.tool()
async def speak(ctx: Context) -> str:
    """Logs."""
    await ctx.log("warning", "the bell rings")
    return "spoken"


@server.tool()
async def wait(seconds: float) -> str:
    """Takes its time, and counts how often that is cut short."""
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        CUT_SHORT.append(seconds)
        raise
    return "waited"


@server.tool()
def cut_short(seconds: float) -> int:
    """Says how often a wait of that many seconds was cut short."""
    return CUT_SHORT.count(seconds)


@server.tool()
async def grow(ctx: Context) -> str:
    """Adds a tool and tells."""
    server.add_tool(lambda: "new", name="grown", description="Was not there before.")
    await ctx.notify_tools_changed()
    if ctx.protocol_version and ctx.protocol_version < "2026":
        await ctx.session.send_tool_list_changed()
    return "grown"


@server.tool()
def large(size: int) -> str:
    """Answers at length."""
    return "A" * size


@server.tool()
def header(name: str, ctx: Context) -> str:
    """Says what a request header holds."""
    return (ctx.headers or {}).get(name, "")


def serve(kind: str, fd: int) -> None:
    app = server.sse_app() if kind == "sse" else server.streamable_http_app()
    config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=fd)])


if __name__ == "__main__":
    if len(sys.argv) > 2:
        serve(sys.argv[1], int(sys.argv[2]))
    else:
        server.run()
