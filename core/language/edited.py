"""Files as they would be after edits that nobody has written yet."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.language.containment import Uncontained, real_parts
from core.language.reading import FILE_LIMIT, FileText, read_file


class EditedTexts:
    """The files of the workspace ``root`` with some texts in place of what is stored; two links to a file share one."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._texts: dict[str, str] = {}

    @property
    def paths(self) -> list[str]:
        """The files with another text, by the paths that they have without links, in order."""
        return sorted(self._texts)

    def put(self, path: str, text: str) -> None:
        """Take ``text`` for that of the file at ``path`` from now on."""
        self._texts[self.real(path)] = text

    def real(self, path: str) -> str:
        """Return ``path`` without links; as it is where it leads nowhere."""
        try:
            return "/".join(real_parts(self._root, path.split("/")))
        except (Uncontained, OSError):
            return path

    def edited(self, path: str) -> str | None:
        """Return the text that has been put for ``path``; None for a file that is as it is stored."""
        return self._texts.get(self.real(path)) if self._texts else None

    def read(self, path: str, limit: int = FILE_LIMIT) -> FileText:
        """Return what the file at ``path`` holds now; raises as ``read_file`` does."""
        stored, text = read_file(self._root, path, limit), self.edited(path)
        return stored if text is None else replace(stored, text=text, size=len(text.encode()))

    def stamp(self, key: str, stored: tuple[object, ...]) -> tuple[object, ...]:
        """Return what differs once the file, or with a slash at its end the Agent Skill, at ``key`` has changed."""
        if not self._texts:
            return stored
        if not key.endswith("/"):
            return (*stored, self.edited(key))
        folder = "" if key == "./" else f"{self.real(key[:-1])}/"
        return (*stored, *(item for item in sorted(self._texts.items()) if item[0].startswith(folder)))
