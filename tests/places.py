"""Where the repository's own files are, for tests."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "sample_workspace"
