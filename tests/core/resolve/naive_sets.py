"""The flattened set by the letter of the design, recursive and slow: the reference that the real one is held to."""

from __future__ import annotations

from typing import Any

from core.language.declarations import Declarations, OverrideDecl, SkillFile, ToolRefDecl

ANY = ("writes", "unsafe", "human_approval_required")
ALL = ("read_only", "checkpointable", "idempotent")
LISTS = ("side_effects", "write_scope")
TEXTS = ("checkpoint_scope", "description")
Values = dict[str, Any]


def naive_set(declarations: Declarations, name: str) -> dict[str, Values]:
    """Return tool name to values (set ones only, plus ``follows`` for a derived ``writes``), in order."""
    skills = {file.name: file for file in declarations.skills}
    tools = {file.tool.name: file.tool for file in declarations.tools}

    def base(tool: str) -> Values:
        decl = tools[tool]
        said = {flag: value for flag, value in decl.capability.model_dump().items() if value is not None}
        values = {"description": decl.model.description, "timeout": decl.model.timeout, **said, "follows": False}
        if "writes" not in said:
            if said.get("read_only"):
                values.update(writes=False, follows=True)
            else:
                values.update(writes=True, read_only=False)
        elif said["writes"] and not said.get("read_only"):
            values["read_only"] = False
        return values

    def finished(file: SkillFile) -> dict[str, Values]:
        ways: list[dict[str, Values]] = []
        for include in file.includes:
            child = finished(skills[include.name])
            ways.append(laid_over(child, include.overrides))
        own: dict[str, Values] = {}
        for entry in file.tools:
            assert isinstance(entry, ToolRefDecl)
            own.setdefault(entry.name, base(entry.name))
            if entry.override is not None:
                own[entry.name] = over(own[entry.name], entry.override.fields)
        ways.append(own)
        merged: dict[str, Values] = {}
        for way in ways:
            for tool, values in way.items():
                merged[tool] = joined(merged[tool], values) if tool in merged else values
        return laid_over(merged, file.overrides)

    return finished(skills[name])


def laid_over(found: dict[str, Values], overrides: tuple[OverrideDecl, ...]) -> dict[str, Values]:
    found = dict(found)
    for override in overrides:
        if override.tool in found:
            found[override.tool] = over(found[override.tool], override.fields)
    return found


def over(values: Values, fields: Values) -> Values:
    laid = {**values, **fields}
    reads, writes = fields.get("read_only"), fields.get("writes")
    if writes:
        laid["read_only"] = False
    if writes is not None:
        laid["follows"] = False
    elif reads:
        laid["follows"] = values["follows"] if values["writes"] is False else True
        laid["writes"] = False
    elif reads is False and values["follows"]:
        laid.update(writes=True, follows=False)
    return laid


def joined(left: Values, right: Values) -> Values:
    result: Values = {"timeout": min(left["timeout"], right["timeout"])}
    for flag in (*ANY, *ALL):
        pair = (left.get(flag), right.get(flag))
        decisive = flag in ANY
        value = decisive if decisive in pair else None if None in pair else not decisive
        if value is not None:
            result[flag] = value
    for flag in LISTS:
        sets = [set(values[flag]) for values in (left, right) if flag in values]
        if sets:
            result[flag] = set().union(*sets)
    for text in TEXTS:
        value = left.get(text, right.get(text))
        if value is not None:
            result[text] = value
    result["follows"] = result["writes"] is False and (left["follows"] or right["follows"])
    return result
