"""Keys that the format does not have: those of known clients, and those of nobody."""

from __future__ import annotations

from typing import Final

from core.diagnostics import Edit, Fix
from core.diagnostics.rules import agent_skill_fields as rules
from core.language.agent_skill.fields import Field
from core.text import display, like_the_best, nearest, surely_meant

FIELDS: Final = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")

_CLAUDE: Final = "Claude Code"
_VS_CODE: Final = "Claude Code and VS Code"
_EXTENSIONS: Final[dict[str, tuple[str, tuple[type, ...]]]] = {
    "when_to_use": (_CLAUDE, (str,)),
    "argument-hint": (_VS_CODE, (str,)),
    "arguments": (_CLAUDE, (str, list)),
    "disable-model-invocation": (_VS_CODE, (bool,)),
    "user-invocable": (_VS_CODE, (bool,)),
    "model": (_CLAUDE, (str,)),
    "effort": (_CLAUDE, (str,)),
    "context": (_VS_CODE, (str,)),
    "agent": (_CLAUDE, (str,)),
    "hooks": (_CLAUDE, (dict,)),
    "paths": (_CLAUDE, (str, list)),
    "shell": (_CLAUDE, (str,)),
    "steps": ("CleverAgents", (list,)),
    "when_not_to_use": ("agentskills-core", (str,)),
    "version": ("agentskills-core", ()),
    "requires": ("OpenClaw", ()),
    "homepage": ("OpenClaw", ()),
    "triggers": ("OpenClaw", ()),
    "tags": ("OpenClaw", ()),
}
"""Who has the key, and the types it takes there (none: any)."""
_TYPES: Final[dict[type, str]] = {str: "text", bool: "true or false", list: "a list", dict: "a mapping"}


def check_extension(field: Field) -> None:
    """Report a key that the format does not have, and a wrong type of a client's key."""
    key, shown = field.key, display(field.key, 80)
    if key not in _EXTENSIONS:
        _report_unknown(field, shown)
        return
    owner, types = _EXTENSIONS[key]
    field.page.add(rules.FIELD_EXTENSION, field.key_span, f"`{shown}` is a key of {owner}; other clients ignore it")
    if types and not isinstance(field.text if field.text is not None else field.value, types):
        due = " or ".join(_TYPES[each] for each in types)
        hint = "put it in quotes" if str in types and not field.empty else f"write {due}"
        message = f"`{shown}` is {field.kind}, where {due} is due"
        field.page.add(
            rules.EXTENSION_TYPE, field.span, message, hint=hint, fix=field.quote() if str in types else None
        )


def _report_unknown(field: Field, shown: str) -> None:
    free = [name for name in FIELDS if name not in field.parent]
    word = field.key.lower().replace("_", "-")
    near = [word] if word in free else like_the_best(word, nearest(word, free))[:1]
    hint, fix, ending = "put it under `metadata`, or remove it", None, ""
    if near:
        hint, ending = f"write `{near[0]}`", f"; did you mean `{near[0]}`?"
    if surely_meant(word, near):
        fix = Fix(f"Rename it to `{near[0]}`", (Edit(field.page.source.place(field.key_span), near[0]),))
    field.page.add(
        rules.FIELD_UNKNOWN, field.key_span, f"`{shown}` is no key of the format{ending}", hint=hint, fix=fix
    )
