"""The source lines of the includes that close cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.resolve.views import IncludeGraph
    from core.workspace import Workspace

_MOST_LINES = 60


def cycle_lines(workspace: Workspace, graph: IncludeGraph) -> dict[tuple[str, int], str]:
    """Return the text of each include in a cycle, by path and line; blocks while the files are read."""
    ring = {(edge.place.path, edge.place.line) for edge in graph.edges if edge.in_cycle}
    found: dict[tuple[str, int], str] = {}
    files: dict[str, list[str]] = {}
    for path, line in sorted(ring)[:_MOST_LINES]:
        if path not in files:
            files[path] = _lines(workspace, path)
        if line <= len(files[path]):
            found[path, line] = files[path][line - 1]
    return found


def _lines(workspace: Workspace, path: str) -> list[str]:
    from core.language.reading import Unreadable

    try:
        return workspace.shown_text_of(path).splitlines()
    except (Unreadable, OSError):
        return []
