"""Where the user's own state lives: never inside a workspace (resolution, part 5)."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder(given: Path | None = None) -> Path:
    """Return the state folder: ``given``, or the system's place for it. It is not made here."""
    if given is not None:
        return given.expanduser().absolute()
    from platformdirs import user_state_path

    return user_state_path("skill-explorer", appauthor=False)


def state_problem(folder: Path) -> str | None:
    """Say why nothing can be kept in ``folder`` and how another is named; None where it can. It is not made here."""
    place = next(path for path in (folder, *folder.parents) if os.path.lexists(path))
    if not place.is_dir():
        reason = "it is no folder" if place == folder else f"{place} is no folder"
    elif not os.access(place, os.W_OK | os.X_OK):
        reason = "it cannot be written" if place == folder else f"it cannot be made in {place}"
    else:
        return None
    return (
        f"The state folder {folder} cannot be used: {reason}. No tool can run and nothing is kept; "
        "start with --state FOLDER, or set XDG_STATE_HOME, to use another."
    )
