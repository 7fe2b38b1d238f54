"""The one object a front end talks to: load, resolve, check and invoke, without a rule of the language in it.

Its names are imported when they are first asked for, so that a screen is drawn before the language is loaded.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.workspace.folder import WorkspaceUnreadable
    from core.workspace.workspace import Counts, Workspace

__all__ = ["Counts", "Workspace", "WorkspaceUnreadable"]
_HOMES = {"Counts": "workspace", "Workspace": "workspace", "WorkspaceUnreadable": "folder"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
