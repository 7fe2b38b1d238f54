"""Reads a drawn include graph back, by its characters alone: the reader that a person would be."""

from __future__ import annotations

from core.resolve.canvas import Canvas
from core.resolve.width import cell_width
from core.text import display

LINES = {
    **dict.fromkeys("─═", "EW"),
    **dict.fromkeys("│║", "NS"),
    **dict.fromkeys("╰╚", "NE"),
    **dict.fromkeys("╯╝", "NW"),
    **dict.fromkeys("╭╔", "SE"),
    **dict.fromkeys("╮╗", "SW"),
    **dict.fromkeys("├╠", "NSE"),
    **dict.fromkeys("┤╣", "NSW"),
    **dict.fromkeys("┬╤╦", "SEW"),
    **dict.fromkeys("┴╧╩", "NEW"),
    **dict.fromkeys("┼╪╬", "NSEW"),
}
MERGES = "╤╧╪╦╩╬"
STEP = {"N": (0, -1), "S": (0, 1), "E": (1, 0), "W": (-1, 0)}
BACK = {"N": "S", "S": "N", "E": "W", "W": "E"}


class Tracer:
    """Follows the lines of a drawing from each node to the right."""

    def __init__(self, canvas: Canvas) -> None:
        self.cells = {}
        for y, line in enumerate(canvas.lines):
            x = 0
            for char in line:
                self.cells[x, y] = char
                x += cell_width(char)
        self.starts = {(r.x, r.y): name for name, r in canvas.nodes.items()}
        self.nodes = canvas.nodes

    def edges(self) -> list[tuple[str, str]]:
        """Return every edge that the drawing shows, sorted."""
        found = []
        for name, rect in self.nodes.items():
            if self.cells.get((rect.x + rect.width, rect.y), " ") != " ":
                found.extend(self._follow(name, (rect.x + rect.width, rect.y), "E"))
            label = "".join(self.cells.get((rect.x + at, rect.y), "") for at in range(rect.width))
            if label.endswith(" ↺"):
                found.append((name, name))
        return sorted(found)

    def _follow(self, source: str, at: tuple[int, int], heading: str) -> list[tuple[str, str]]:
        walk, found, steps = [(at, heading)], [], 0
        while walk:
            steps += 1
            assert steps < 1_000_000, "the lines go in circles"
            (x, y), heading = walk.pop()
            char = self.cells.get((x, y), " ")
            if char == "▸":
                found.append((source, self.starts[x + 1, y]))
            elif char == "◂":
                found.append((self._port((x + 1, y)), source))
            else:
                for way in self._ways(char, heading):
                    step_x, step_y = STEP[way]
                    walk.append(((x + step_x, y + step_y), way))
        return found

    def _ways(self, char: str, heading: str) -> str:
        lines = LINES[char]
        if BACK[heading] not in lines:
            assert lines == "NS", f"a line runs into the side of {char}"
            return heading
        if heading == "E":
            return "E" if char in MERGES else lines.replace("W", "")
        assert "W" not in lines or char in MERGES, f"a trunk runs into {char}"
        return lines.replace(BACK[heading], "").replace("W", "")

    def _port(self, at: tuple[int, int]) -> str:
        assert self.cells[at] in "╯╝"
        x, y = at[0], at[1] - 1
        while self.cells[x, y] in "│║":
            y -= 1
        return self.starts[x, y]


def shown(name: str) -> str:
    """Return a name as the drawing writes it."""
    return display(name, 200)
