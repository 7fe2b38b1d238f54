"""What is said of an unexpected exception: its class, message and places, never a local variable's value."""

from __future__ import annotations

import traceback
from pathlib import Path

from explorer.services.crash import said_by


def describe(error: BaseException, frames: int = 4) -> str:
    """Return one line: class, message, and the innermost ``frames`` places as ``file:line``."""
    places = [f"{Path(f.filename).name}:{f.lineno}" for f in traceback.extract_tb(error.__traceback__)[-frames:]]
    return f"{type(error).__name__}: {said_by(error)} ({' < '.join(reversed(places))})"
