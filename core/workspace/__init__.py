"""The one object a front end talks to: load, resolve, check and invoke, without a rule of the language in it."""

from core.workspace.workspace import Counts, Workspace, WorkspaceUnreadable

__all__ = ["Counts", "Workspace", "WorkspaceUnreadable"]
