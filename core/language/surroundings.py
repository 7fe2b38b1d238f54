"""What a file's meaning depends on besides its own text: where the workspace is, and which files it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from core.language.containment import Uncontained, contained
from core.language.edited import EditedTexts
from core.language.python_check import PythonChecker, Unchecked
from core.language.python_compile import Problem
from core.language.reading import Unreadable, read_workspace_file


@dataclass(frozen=True, slots=True)
class FoundPath:
    """A path of a file, relative to the workspace; ``from_file`` says that it starts at the file's own folder."""

    path: str
    from_file: bool = False


@dataclass(slots=True)
class Surroundings:
    """The workspace around the files that are read. ``depends`` notes which Python files each YAML file looks at."""

    root: Path
    checker: PythonChecker
    agent_folders: frozenset[str] = frozenset()
    edited: EditedTexts | None = None
    depends: dict[str, set[str]] = field(default_factory=dict)
    _names: dict[str, tuple[bool, list[str] | None]] = field(default_factory=dict)

    def text_of(self, path: str) -> str:
        """Return the text of a file, edited where it is; raises as ``read_workspace_file`` does."""
        return self.edited.read(path).text if self.edited is not None else read_workspace_file(self.root, path)

    def find_folder(self, path: str, file: str) -> FoundPath:
        """Return the Agent Skill folder that ``path`` in ``file`` means: from the root, else from the file's folder.

        Raises:
            Uncontained: it leaves the workspace, whichever way it is taken.
        """
        return self._find(path, file, self.agent_folders.__contains__)

    def find_file(self, path: str, file: str) -> FoundPath:
        """Return the file that ``path`` in ``file`` means, in the same way."""
        return self._find(path, file, self.has_file)

    def has_file(self, path: str) -> bool:
        """Whether a Python file can be read at ``path``."""
        return self.names_in(path)[0]

    def _find(self, path: str, file: str, exists: Callable[[str], bool]) -> FoundPath:
        refusal: Uncontained | None = None
        found = None
        try:
            found = contained(self.root, path)
        except Uncontained as error:
            refusal = error
        if found is not None and exists(found):
            return FoundPath(found)
        beside = self._beside(path, file)
        if beside is not None and beside != found and exists(beside):
            return FoundPath(beside, from_file=True)
        if refusal is not None:
            raise refusal
        return FoundPath(found or path)

    def _beside(self, path: str, file: str) -> str | None:
        if path.startswith(("/", "~", "\\")):
            return None
        try:
            return contained(self.root, f"{PurePosixPath(file).parent}/{path}")
        except Uncontained:
            return None

    def names_in(self, path: str) -> tuple[bool, list[str] | None]:
        """Return whether the Python file at ``path`` can be read, and the names that it binds at its top."""
        known = self._names.get(path)
        if known is None:
            known = self._names[path] = self._look_into(path)
        return known

    def problem_in(self, path: str) -> Problem | None:
        """Return what makes the Python file at ``path`` none; None where that can't be said."""
        try:
            return self.checker.problem(read_workspace_file(self.root, path))
        except (Unreadable, Unchecked):
            return None

    def _look_into(self, path: str) -> tuple[bool, list[str] | None]:
        try:
            return True, self.checker.names(read_workspace_file(self.root, path))
        except Unreadable:
            return False, None
        except Unchecked:
            return True, None
