"""Characters by their names, and which of them are drawn like another."""

from __future__ import annotations

from unicodedata import name as character_name
from unicodedata import normalize

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


def look_alike(char: str) -> str | None:
    """Return the ASCII character that ``char`` is drawn like, or is a form of; None where there is none."""
    meant = _LOOKS_LIKE.get(char) or normalize("NFKC", char)
    return meant if len(meant) == 1 and meant.isascii() and meant != char else None


def code_and_name(char: str) -> str:
    """Return the code point of ``char`` and what Unicode calls it, like ``U+043E (CYRILLIC SMALL LETTER O)``."""
    called = character_name(char, "")
    return f"U+{ord(char):04X}{f' ({called})' if called else ''}"
