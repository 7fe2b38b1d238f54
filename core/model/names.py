"""Names of skills and tools (language, part 2)."""

from __future__ import annotations

import re
from unicodedata import name as character_name
from unicodedata import normalize

NAME_PATTERN = re.compile(r"^[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+$")
SHORT_NAME_PATTERN = re.compile(r"[a-zA-Z0-9_-]+")
MOST_CHARACTERS = 128
"""How long each of the two parts of a name may be."""
_LOOKS_LIKE = dict(
    zip(
        "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u043a"
        "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405"
        "\u03bf\u03bd\u03b1\u03b9\u03ba\u03c1\u03c5\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d"
        "\u039f\u03a1\u03a4\u03a5\u03a7\u0131\u0261\u2044\u2215\u2010\u2011\u2012\u2013\u2212",
        "aeopcyxijshdqwkABEKMHOPCTYXIJSovaikpuABEZHIKMNOPTYXig//-----",
        strict=True,
    )
)
"""Letters of other scripts, and strokes, that most fonts draw like a character that may stand in a name."""
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


def _odd_character(char: str) -> str:
    if char.isascii():
        shown = f"`{char}`" if char.isprintable() and char != "`" else "the character"
        return f"{shown} (U+{ord(char):04X}) may not stand in a name"
    called = character_name(char, "")
    meant = _LOOKS_LIKE.get(char) or normalize("NFKC", char)
    like = f" looks like `{meant}`, but" if len(meant) == 1 and meant.isascii() else ""
    return f"the character U+{ord(char):04X}{f' ({called})' if called else ''}{like} may not stand in a name"
