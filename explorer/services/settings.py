"""The user's settings: a TOML file in the user's own configuration folder, never in a workspace.

theme = "dark"            # or "light"
[keys]
refresh = "f5"            # the id of a command: one key, or several with commas between
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.text import nearest

THEMES = {"dark": "explorer-dark", "light": "explorer-light"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What the file says; ``problems`` are sentences about what in it could not be used."""

    theme: str = "dark"
    keys: dict[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def settings_file(folder: Path | None = None) -> Path:
    """Return where the file belongs; it need not exist."""
    if folder is None:
        from platformdirs import user_config_path

        folder = user_config_path("skill-explorer", appauthor=False)
    return folder / "settings.toml"


def read_settings(path: Path, commands: frozenset[str]) -> Settings:
    """Return the settings in ``path``; what is wrong in it is told and left out. ``commands`` are the known ids."""
    if not path.exists():
        return Settings()
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return Settings(problems=(f"{path}: {error}",))
    problems = [f"{path}: unknown setting {key!r}" for key in data if key not in ("theme", "keys")]
    theme = data.get("theme", "dark")
    if theme not in THEMES:
        problems.append(f"{path}: theme is {theme!r}; it can be {' or '.join(THEMES)}")
        theme = "dark"
    keys, wrong = _keys(data.get("keys", {}), commands)
    return Settings(theme, keys, (*problems, *(f"{path}: {text}" for text in wrong)))


def _keys(table: Any, commands: frozenset[str]) -> tuple[dict[str, str], list[str]]:
    if not isinstance(table, dict):
        return {}, ["keys is a table of command = key"]
    keys: dict[str, str] = {}
    wrong: list[str] = []
    for name, key in table.items():
        if name not in commands:
            wrong.append(f"keys.{name}: no such command{_meant(name, commands)}")
        elif not isinstance(key, str) or not key.strip():
            wrong.append(f"keys.{name}: the key is a text like f5 or ctrl+r")
        else:
            keys[name] = key
    return keys, wrong


def _meant(name: str, commands: frozenset[str]) -> str:
    near = nearest(name, sorted(commands))
    return f"; did you mean {' or '.join(near)}?" if near else ""
