"""Names of skills and tools (language, part 2)."""

from __future__ import annotations

import re

from core.letters import code_and_name, look_alike

NAME_PATTERN = re.compile(r"^[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+$")
SHORT_NAME_PATTERN = re.compile(r"[a-zA-Z0-9_-]+")
MOST_CHARACTERS = 128
"""How long each of the two parts of a name may be."""
_QUOTES = "\"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb` "
_SEPARATOR = re.compile(r"[ ]*[\\/.:][ ]*")
_LETTERS_FIRST = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]*/[a-zA-Z][a-zA-Z0-9_-]*")
_SEPARATED = re.compile(r" /|/ ")
_FILE = re.compile(r"\.(?:ya?ml|md|json|py)$")
_OUTSIDE = re.compile(r"[^a-zA-Z0-9_/-]")


def is_qualified_name(name: str) -> bool:
    """Whether the whole of ``name`` is namespace/short_name; a trailing newline is not."""
    return NAME_PATTERN.fullmatch(name) is not None


def is_too_long(name: str) -> bool:
    """Whether a part of ``name`` is longer than anybody reads."""
    return len(name) > MOST_CHARACTERS and any(len(part) > MOST_CHARACTERS for part in name.split("/"))


def name_problem(name: str) -> str:
    """Say why ``name`` is not namespace/short_name: the character that may not stand there, by its code point."""
    odd = _OUTSIDE.search(name)
    if odd is not None:
        return _odd_character(odd[0])
    if is_too_long(name):
        return f"a part of it has more than {MOST_CHARACTERS} characters"
    slashes = name.count("/")
    if slashes != 1:
        return "it needs a namespace and a `/`" if slashes == 0 else "it has more than one `/`"
    return "a part before or after the `/` is missing"


def meant_name(name: str) -> str | None:
    """Return the name that ``name`` plainly stands for: without quotes that are none, or with the slash written so."""
    bare = name.strip(_QUOTES)
    found = _SEPARATOR.sub("/", bare, count=1) if "/" not in bare or _SEPARATED.search(bare) else bare
    return found if found != name and not is_path(name) and _LETTERS_FIRST.fullmatch(found) else None


def is_path(name: str) -> bool:
    """Whether ``name`` is rather the path of a file."""
    return name.startswith(("./", "../", "/", "~")) or _FILE.search(name) is not None


def _odd_character(char: str) -> str:
    if char.isascii():
        shown = f"`{char}`" if char.isprintable() and char != "`" else "the character"
        return f"{shown} (U+{ord(char):04X}) may not stand in a name"
    looks = f" looks like `{meant}`, but" if (meant := look_alike(char)) else ""
    return f"the character {code_and_name(char)}{looks} may not stand in a name"
