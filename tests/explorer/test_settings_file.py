"""The user's settings file: what can be used is used, the rest is told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.services.settings import Settings, read_settings, settings_file

KNOWN = frozenset({"refresh", "quit"})


def read(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return read_settings(path, KNOWN)


def test_a_missing_file_is_the_default(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "none.toml", KNOWN) == Settings()


def test_theme_and_keys_are_read(tmp_path: Path) -> None:
    settings = read(tmp_path, 'theme = "light"\n[keys]\nrefresh = "f5"\n')
    assert (settings.theme, settings.keys, settings.problems) == ("light", {"refresh": "f5"}, ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour = 1\n", "unknown setting 'colour'"),
        ('theme = "pink"\n', "theme is 'pink'; it can be dark or light"),
        ('[keys]\nrefesh = "f5"\n', "keys.refesh: no such command; did you mean refresh"),
        ("[keys]\nrefresh = 5\n", "keys.refresh: the key is a text"),
        ("keys = 1\n", "keys is a table"),
        ("theme = \n", "line 1"),
    ],
)
def test_what_cannot_be_used_is_told_with_the_file(tmp_path: Path, text: str, said: str) -> None:
    settings = read(tmp_path, text)
    assert said in settings.problems[0]
    assert str(tmp_path) in settings.problems[0]
    assert settings.theme == "dark"


def test_the_file_lies_in_the_users_configuration_folder(tmp_path: Path) -> None:
    assert settings_file(tmp_path) == tmp_path / "settings.toml"
    assert "skill-explorer" in str(settings_file())
