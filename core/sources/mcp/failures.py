"""What can go wrong between the explorer and an MCP server, as exceptions with details fit for a SkillError."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.protocol import SkillErrorType


class McpFailure(Exception):  # noqa: N818 - a failure of the server, not of the program
    """Base: ``kind`` is the protocol's category, ``details`` JSON, ``output`` what the tool gave all the same."""

    kind = SkillErrorType.TOOL_EXECUTION_FAILURE

    def __init__(self, message: str, details: Mapping[str, Any] | None = None, output: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = dict(details or {})
        self.output = output


class ServerRefused(McpFailure):
    """The server may not be started as it is declared, or is no longer what was approved."""

    kind = SkillErrorType.PERMISSION_DENIED


class ConnectFailure(McpFailure):
    """No session could be had: not started, ended early, gave no answer, or speaks no common version."""

    kind = SkillErrorType.TOOL_ACTIVATION_FAILURE


class CallFailure(McpFailure):
    """A request failed on a server that was connected."""


class Cancelled(CallFailure):
    """The caller gave up."""

    def __init__(self, message: str = "the call was cancelled") -> None:
        super().__init__(message, {"cancelled": True})
