"""Workspaces written as texts, read by the loader and resolved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from resolve_builder import Resolve

from core.language.load import load_declarations
from core.model.discovery import DiscoveredServer
from core.resolve.catalogue import Catalogue


@pytest.fixture
def resolve(tmp_path: Path) -> Resolve:
    """Return a function that writes files (path to text), loads them and resolves them."""

    def of(files: Mapping[str, str], discovered: Mapping[str, DiscoveredServer] | None = None) -> Catalogue:
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return Catalogue(load_declarations(tmp_path), discovered or {})

    return of
