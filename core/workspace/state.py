"""Where the user's own state lives: never inside a workspace (resolution, part 5)."""

from __future__ import annotations

from pathlib import Path


def state_folder(given: Path | None = None) -> Path:
    """Return the state folder: ``given``, or the system's place for it. It is not made here."""
    if given is not None:
        return given.expanduser().absolute()
    from platformdirs import user_state_path

    return user_state_path("skill-explorer", appauthor=False)
