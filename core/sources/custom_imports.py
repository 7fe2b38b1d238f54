"""What a custom tool may import beside its file: the approved files, as the bytes that were approved.

Runs inside the worker. Python's own way would also take compiled files, extension modules and links, of which an
approval knows nothing.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import CodeType
    from typing import Any


class _Approved(SourceFileLoader):
    """Compiles a file itself, never from a cache, and only while its bytes are the approved ones."""

    def __init__(self, name: str, path: str, digest: str) -> None:
        super().__init__(name, path)
        self._digest = digest

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the file; raises ImportError for a file that has changed."""
        from hashlib import sha256

        data = self.get_data(self.path)
        if sha256(data).hexdigest() != self._digest:
            raise ImportError(f"{self.path} has changed since it was approved", name=fullname, path=self.path)
        code: CodeType = self.source_to_code(data, self.path)
        return code


class Imports:
    """Finds modules in ``folders`` of ``root``, after Python's own, so that none of them is replaced."""

    def __init__(self, root: str, folders: Iterable[str], modules: Mapping[str, str]) -> None:
        self._root = root
        self._folders = [os.path.normpath(os.path.join(root, folder)) for folder in folders]
        self._modules = modules
        self._packages: set[str] = set()

    def install(self) -> None:
        """Take part in imports: last for new modules, first for those inside the packages that were found here."""
        sys.meta_path.append(self)
        sys.meta_path.insert(0, _Inside(self))

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        """Return a module of one of the folders."""
        return None if path is not None else self._first(fullname, self._folders)

    def inside(self, fullname: str, path: Sequence[str] | None) -> ModuleSpec | None:
        """Return a module of a package that was found here; nobody else may look there."""
        ours = [folder for folder in path or () if folder in self._packages]
        if not ours:
            return None
        found = self._first(fullname, ours)
        if found is None:
            raise ModuleNotFoundError(f"No module named {fullname!r} among the approved files", name=fullname)
        return found

    def _first(self, fullname: str, folders: Iterable[str]) -> ModuleSpec | None:
        found = (self._in(fullname, folder) for folder in folders)
        return next((spec for spec in found if spec is not None), None)

    def _in(self, fullname: str, folder: str) -> ModuleSpec | None:
        place = os.path.join(folder, fullname.rpartition(".")[2])
        package = os.path.join(place, "__init__.py")
        for path, locations in ((package, [place]), (f"{place}.py", None)):
            digest = self._modules.get(os.path.relpath(path, self._root))
            if digest is not None:
                self._packages.update(locations or ())
                spec = ModuleSpec(fullname, _Approved(fullname, path, digest), origin=path)
                spec.submodule_search_locations, spec.has_location = locations, True
                return spec
        return self._namespace(fullname, place)

    def _namespace(self, fullname: str, place: str) -> ModuleSpec | None:
        start = os.path.relpath(place, self._root) + os.sep
        if not any(path.startswith(start) for path in self._modules):
            return None
        self._packages.add(place)
        spec = ModuleSpec(fullname, None, is_package=True)
        spec.submodule_search_locations = [place]
        return spec


class _Inside:
    def __init__(self, imports: Imports) -> None:
        self._imports = imports

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        return self._imports.inside(fullname, path)
