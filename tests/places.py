"""Where the repository's own files are, and how long searches go on, for tests."""

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "sample_workspace"

FUZZ_SECONDS = float(os.environ.get("FUZZ_SECONDS", "60"))
"""How long each long search goes on; the continuous integration has them short."""


def examples(in_a_minute: int) -> int:
    """Return how many of the examples of a long search that takes about a minute fit into its time."""
    return max(1, int(in_a_minute * min(1.0, FUZZ_SECONDS / 60)))
