"""The rules of an Agent Skill's name."""

from __future__ import annotations

import re
from unicodedata import normalize

from core.diagnostics.rules import agent_skill as rules
from core.language.agent_skill.fields import Field, check_text
from core.letters import code_and_name, look_alike
from core.text import display

MAX_NAME = 64
_PLAIN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_RESERVED = ("claude", "anthropic")


def check_name(field: Field, folder: str) -> None:
    """Check the name against the format and against ``folder``, the name of the skill's folder."""
    if field.empty:
        field.page.add(rules.NAME_EMPTY, field.span, "`name` is empty", hint=f"write `name: {display(folder, 80)}`")
        return
    if not check_text(field, rules.NAME_TYPE):
        return
    written = field.text or ""
    bare = written.strip()
    name = normalize("NFKC", bare)
    _check_spelling(field, written, bare, name)
    _check_format(field, name)
    if name != normalize("NFKC", folder):
        field.page.add(
            rules.NAME_DIR_MISMATCH,
            field.span,
            f"the name is `{display(bare, 80)}`, but the folder is `{display(folder, 80)}`",
            hint="give both the same name",
        )


def _check_spelling(field: Field, written: str, bare: str, name: str) -> None:
    add = field.page.add
    if bare != written:
        message = f"blanks surround the name `{display(written, 80)}`"
        add(rules.NAME_WHITESPACE, field.span, message, hint="remove them")
    if bare.isascii():
        return
    shown = display(written, 80)
    if name != normalize("NFC", bare):
        add(
            rules.NAME_NOT_NORMALIZED,
            field.span,
            f"the name `{shown}` has compatibility characters and becomes `{display(name, 80)}` when normalised",
            hint=f"write `{display(name, 80)}`",
        )
    letter = next((char for char in name if char.isalnum() and not char.isascii()), None)
    if letter:
        like = f" that looks like `{meant}`" if (meant := look_alike(letter)) else ""
        message = (
            f"the name `{shown}` has letters outside a-z and 0-9, such as {code_and_name(letter)}{like}, which many "
            "clients refuse"
        )
        add(rules.NAME_NON_ASCII, field.span, message, hint="prefer ASCII letters")


def _check_format(field: Field, name: str) -> None:
    if _PLAIN.fullmatch(name) and len(name) <= MAX_NAME and not any(word in name for word in _RESERVED):
        return
    add, shown = field.page.add, display(name, 80)
    if len(name) > MAX_NAME:
        message = f"the name has {len(name):,} characters, where at most {MAX_NAME} are allowed"
        add(rules.NAME_TOO_LONG, field.span, message, hint="shorten it")
    bad = [char for char in dict.fromkeys(name) if not _allowed(char)]
    if bad:
        listed = ", ".join("a blank" if char == " " else f"`{display(char)}`" for char in bad[:5])
        message = f"the name `{shown}` has {listed}; only lower-case letters, digits and hyphens are allowed"
        add(rules.NAME_CHARSET, field.span, message, hint=_suggestion(name))
    if name[:1] == "-" or name[-1:] == "-":
        add(rules.NAME_EDGE_HYPHEN, field.span, f"the name `{shown}` begins or ends with a hyphen", hint="remove it")
    if "--" in name:
        add(rules.NAME_DOUBLE_HYPHEN, field.span, f"the name `{shown}` has two hyphens in a row", hint="use one")
    if word := next((word for word in _RESERVED if word in name.lower()), None):
        message = f"the name `{shown}` holds `{word}`, which Anthropic's platform reserves"
        add(rules.NAME_RESERVED, field.span, message)


def _allowed(char: str) -> bool:
    return char == "-" or (char.isalnum() and char == char.lower())


def _suggestion(name: str) -> str | None:
    kept = "".join(char if char.isalnum() else " " for char in name.lower())
    words = "-".join(kept.split())[:MAX_NAME].strip("-")
    return f"write `{display(words, 80)}`" if words and words != name else None
