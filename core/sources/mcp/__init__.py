"""MCP servers as a source of tools. The SDK is imported when a server is first needed, never before."""

from core.sources.mcp.adapter import McpAdapter

__all__ = ["McpAdapter"]
