"""The command line: the same answers as the screen, as text or JSON (design: interfaces, part 1)."""

from explorer.cli.entry import main

__all__ = ["main"]
