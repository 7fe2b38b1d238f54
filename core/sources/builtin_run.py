"""Loads one built-in tool inside the worker; standard library alone."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MODULES = {
    **dict.fromkeys(("list_directory", "create_directory", "delete_directory"), "folders"),
    **dict.fromkeys(("search_files", "get_file_info"), "search"),
    **dict.fromkeys(("git_status", "git_diff", "git_log", "git_blame"), "git"),
    "shell_execute": "shell",
}


def load(data: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """Return the execute stage of the tool ``data["tool"]``, which works below ``data["root"]``."""
    tool = data["tool"]
    name = f"core.sources.builtin_{_MODULES.get(tool, 'files')}"
    __import__(name)
    execute: Callable[..., Any] = sys.modules[name].TOOLS[tool](data)
    return {"execute": execute}
