"""Whether a folder can be a workspace at all; cheap, so that a screen can be drawn before anything is read."""

from __future__ import annotations

from pathlib import Path

from core.text import display


class WorkspaceUnreadable(Exception):  # noqa: N818 - it names a state, as its siblings do
    """The folder of a workspace is missing, is no folder, or cannot be listed."""


def readable_folder(root: Path) -> Path:
    """Return the real path of ``root``.

    Raises:
        WorkspaceUnreadable: it is no folder that can be listed.
    """
    try:
        found = root.resolve(strict=True)
        next(iter(found.iterdir()), None)
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise WorkspaceUnreadable(f"cannot read the workspace `{display(str(root), 500)}`: {reason}") from error
    return found
