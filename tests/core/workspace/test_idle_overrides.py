"""An override of a tool that isn't in the set has one fault, whatever its fields."""

from __future__ import annotations

from pathlib import Path

from core.workspace import Workspace


def codes(tmp_path: Path, overrides: str) -> list[str]:
    """Return the codes for a skill with these overrides."""
    (tmp_path / "skills").mkdir()
    text = f"name: local/s\ndescription: S.\ntools: [builtin/read_file]\noverrides: {overrides}\n"
    (tmp_path / "skills/s.yaml").write_text(text, encoding="utf-8")
    workspace = Workspace(tmp_path, state=tmp_path / "state")
    workspace.load()
    return [d.code for d in workspace.diagnostics]


def test_only_that_the_tool_is_unknown_is_told(tmp_path: Path) -> None:
    assert codes(tmp_path, "{local/gone: {source: custom, name: x}}") == ["tool/override-unknown"]


def test_what_can_not_be_overridden_of_a_known_tool_is_told(tmp_path: Path) -> None:
    assert codes(tmp_path, "{builtin/read_file: {source: custom}}") == ["tool/not-overridable"]
