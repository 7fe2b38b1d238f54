"""The rules of the keys of the frontmatter; the name's own are in ``name``, those of clients in ``extensions``."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from core.diagnostics.rules import agent_skill as name_rules
from core.diagnostics.rules import agent_skill_fields as rules
from core.diagnostics.rules import yaml as yaml_rules
from core.language.agent_skill.extensions import check_extension
from core.language.agent_skill.fields import Field, check_text, field_of
from core.language.agent_skill.name import check_name
from core.language.agent_skill.page import Page
from core.language.tree import Map, Seq, Span, pack, unpack
from core.language.yaml_fixes import comment_after
from core.text import display, plural

MAX_DESCRIPTION: Final = 1024
MAX_COMPATIBILITY: Final = 500
SHORT_DESCRIPTION: Final = 20
_NO_DESCRIPTION: Final = "say what the skill does and when to use it"


def check_fields(page: Page, front: Map, opening: Span, folder: str, tagged: Collection[int] = ()) -> None:
    """Check every key of ``front``.

    Missing keys are reported at ``opening``, the first fence. ``tagged`` are the offsets of YAML tags, which are
    reported already; the value that carries one is not looked at.
    """
    if "name" not in front:
        hint = f"add `name: {display(folder, 80)}`"
        page.add(name_rules.NAME_MISSING, opening, "the frontmatter has no `name`", hint=hint)
    if "description" not in front:
        hint = f"add `description:` and {_NO_DESCRIPTION}"
        page.add(rules.DESCRIPTION_MISSING, opening, "the frontmatter has no `description`", hint=hint)
    for key in front:
        field = field_of(page, front, key)
        if tagged and not (key == "metadata" and isinstance(field.value, Map)) and _carries(field, tagged):
            continue
        if key == "name":
            check_name(field, folder)
        elif key == "metadata":
            _check_metadata(field, tagged)
        else:
            _CHECKS.get(key, check_extension)(field)


def _carries(field: Field, tagged: Collection[int]) -> bool:
    start, end = unpack(field.key_span)[1], unpack(field.value_span)[1]
    return any(start <= at <= end for at in tagged)


def _check_description(field: Field) -> None:
    add = field.page.add
    if field.empty:
        comment = not field.raw and comment_after(field.page.text, field.value_span)
        message = "`description` is empty, as ` #` begins a comment" if comment else "`description` is empty"
        add(rules.DESCRIPTION_EMPTY, field.span, message, hint="put it in quotes" if comment else _NO_DESCRIPTION)
        return
    if not check_text(field, rules.DESCRIPTION_TYPE):
        return
    text = (field.text or "").strip()
    if len(text) > MAX_DESCRIPTION:
        message = f"the description has {len(text):,} characters; at most {MAX_DESCRIPTION:,} are allowed"
        add(rules.DESCRIPTION_TOO_LONG, field.span, message, hint="move details into the body")
    if len(text) < SHORT_DESCRIPTION:
        message = f"the description has only {plural(len(text), 'character')}"
        add(rules.DESCRIPTION_SHORT, field.span, message, hint=_NO_DESCRIPTION)
    if "<" in text or ">" in text:
        message = "the description has `<` or `>`, which Claude refuses on upload"
        add(rules.DESCRIPTION_ANGLE_BRACKETS, _bracket(field), message, hint="say it in words")
    _check_comment(field)


def _bracket(field: Field) -> Span:
    """Return the span of the first angle bracket, or of the value where it was written as an escape."""
    start, end = unpack(field.value_span)
    raw = field.page.flat[start:end]
    header = raw.find("\n") if raw[:1] in ("|", ">") else 0
    found = [at for at in (raw.find("<", header), raw.find(">", header)) if at >= 0]
    return pack(start + min(found), start + min(found) + 1) if found else field.span


def _check_comment(field: Field) -> None:
    start, end = unpack(field.value_span)
    if field.page.text[start : start + 1] in ('"', "'", "|", ">", "*", "!"):
        return
    comment = comment_after(field.page.text, field.value_span)
    if comment:
        lost = display(field.page.text[end : unpack(comment)[1]].strip(), 80)
        message = f"` #` begins a comment, so the description loses `{lost}`"
        field.page.add(yaml_rules.INLINE_COMMENT, comment, message, hint="put the description in quotes")


def _check_license(field: Field) -> None:
    check_text(field, rules.LICENSE_TYPE)


def _check_compatibility(field: Field) -> None:
    add = field.page.add
    if field.empty:
        add(rules.COMPATIBILITY_EMPTY, field.span, "`compatibility` is empty", hint="say what is needed, or remove it")
    elif check_text(field, rules.COMPATIBILITY_TYPE):
        length = len((field.text or "").strip())
        if length > MAX_COMPATIBILITY:
            message = f"`compatibility` has {length:,} characters; at most {MAX_COMPATIBILITY} are allowed"
            add(rules.COMPATIBILITY_TOO_LONG, field.span, message, hint="move details into the body")


def _check_metadata(field: Field, tagged: Collection[int]) -> None:
    if not isinstance(field.value, Map):
        message = f"`metadata` is {field.kind}, where a mapping of keys to texts is due"
        field.page.add(rules.METADATA_TYPE, field.span, message, hint="write indented `key: value` lines")
        return
    for key in field.value:
        entry = field_of(field.page, field.value, key)
        if not (tagged and _carries(entry, tagged)):
            check_text(entry, rules.METADATA_VALUE_TYPE, f"metadata.{display(key, 80)}")


def _check_allowed_tools(field: Field) -> None:
    if not check_text(field, rules.ALLOWED_TOOLS_TYPE):
        return
    text = field.text or ""
    if len(split_tools(text, ",")) > 1 or text.strip().endswith(","):
        hint = f"write `{display(' '.join(split_tools(text, ', ')), 200)}`"
        message = "`allowed-tools` is separated by commas, where blanks are due"
        field.page.add(rules.ALLOWED_TOOLS_COMMA, field.span, message, hint=hint)


def split_tools(text: str, separators: str = ", \t\n") -> list[str]:
    """Split ``allowed-tools`` at any of ``separators`` outside of parentheses."""
    names, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char == "(":
            depth += 1
        elif char == ")":
            depth = max(0, depth - 1)
        elif char in separators and not depth:
            names.append(text[start:at])
            start = at + 1
    names.append(text[start:])
    return [name.strip() for name in names if name.strip()]


def allowed_tools(value: Any) -> str | None:
    """Return ``allowed-tools`` as one text, whichever of its forms was written; None where it says nothing."""
    if isinstance(value, Seq):
        value = " ".join(item for item in value if isinstance(item, str))
    return value.strip() or None if isinstance(value, str) else None


_CHECKS: Final[dict[str, Callable[[Field], None]]] = {
    "description": _check_description,
    "license": _check_license,
    "compatibility": _check_compatibility,
    "allowed-tools": _check_allowed_tools,
}
