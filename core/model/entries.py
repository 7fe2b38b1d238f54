"""The entries of a skill's lists: names, references and includes, each with its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.diagnostics import Rule
from core.diagnostics.rules.skill import DUPLICATE_ENTRY, SANDBOX_POLICY, UNKNOWN_GROUP
from core.diagnostics.rules.tool import ALIAS, INVALID_NAME
from core.model.builtins import GROUPS, PREFIX, canonical_builtin
from core.model.capability_reading import as_fields, read_override, read_override_map, sources_beside
from core.model.declared import GroupDecl, IncludeDecl, OverrideDecl, Span, ToolRefDecl
from core.model.names import (
    MOST_CHARACTERS,
    NAME_PATTERN,
    SHORT_NAME_PATTERN,
    is_path,
    is_qualified_name,
    is_too_long,
    meant_name,
    name_problem,
)
from core.model.reading import NOTHINGS, Keys, Reader, did_you_mean, shown
from core.model.sinks import At, Change
from core.model.tool_reading import INLINE_MARKS, TOOL_KEYS, ToolPart, read_tool
from core.text import like_the_best, nearest, surely_meant

SANDBOX_POLICIES = ("none", "restricted", "full")
GROUP_KEYS = Keys("a built-in group", ("group",), silent={"name": "group"})
_INCLUDE_KEYS = Keys("an include", ("name", "overrides", "description"), silent={"tool_overrides": "overrides"})
_ENTRY_KEYS = Keys("this entry", ("name", *sorted(INLINE_MARKS)))
FOLDER_KEYS = Keys("an Agent Skill folder", ("path", "name", "sandbox_policy"))


@dataclass(slots=True)
class FolderPart:
    """An entry of ``agent_skill_folders``; ``at`` is its path."""

    path: str
    span: Span
    fields: dict[str, Any]
    at: At


def report_repeated(
    reader: Reader, items: Sequence[Any], named: Sequence[tuple[str, int]], rule: Rule = DUPLICATE_ENTRY
) -> None:
    """Report what the list ``items`` names twice; ``named`` has the name and index of each entry."""
    first: dict[str, int] = {}
    if len({name for name, _ in named}) == len(named):
        return
    for name, index in named:
        if first.setdefault(name, index) == index:
            continue
        at = At(items, index)
        reader.sink.report(
            rule,
            at,
            f"{shown(name)} is listed twice; delete one of the entries.",
            hint="delete this entry",
            fix=Change("delete the entry", at, None) if _says_no_more(items[index], items[first[name]]) else None,
            related=((At(items, first[name]), "the first one is here"),),
        )


def _says_no_more(entry: Any, first: Any) -> bool:
    """Whether ``entry`` can go without loss, as it is a name alone or repeats the ``first`` of that name."""
    return not isinstance(entry, dict) or len(entry) == 1 or entry == first


def is_plain_reference(name: str) -> bool:
    """Whether an entry of ``tools`` names a tool in a way that needs no further look."""
    return NAME_PATTERN.fullmatch(name) is not None and not name.startswith(PREFIX)


def check_name(reader: Reader, at: At, name: str, meant: str | None = None) -> bool:
    """Report a name that is not of the form namespace/short_name; ``meant`` is what it surely stands for."""
    if is_qualified_name(name) and not is_too_long(name):
        return True
    meant = meant or meant_name(name)
    problem, hint = name_remedy(name, meant)
    message = f"{shown(name)} is no name of the form namespace/short_name: {problem}; {hint}"
    fix = Change(f"write {meant}", at, meant) if meant else None
    reader.sink.report(reader.rules.invalid_name, at, message, hint=hint, fix=fix)
    return False


def name_remedy(name: str, meant: str | None) -> tuple[str, str]:
    """Return what is wrong with a name, and what to write."""
    if name.casefold() in NOTHINGS:
        return "it stands for nothing", "write namespace/short_name, or leave it out"
    if " - " in name:
        return "it is two entries, of which the second is indented further", "align the dashes"
    if meant:
        return name_problem(name), f"did you mean `{meant}`?"
    if is_path(name):
        return "it is the path of a file", "write the `name` that stands in that file"
    if "*" in name:
        return name_problem(name), "name each one in full"
    if SHORT_NAME_PATTERN.fullmatch(name) and not is_too_long(name):
        return name_problem(name), f"write namespace/short_name, like `local/{name[:MOST_CHARACTERS]}`"
    return name_problem(name), "write namespace/short_name"


def read_groups(
    reader: Reader, container: Mapping[str, Any], key: str
) -> tuple[list[str], tuple[GroupDecl, ...], list[tuple[str, Span]]]:
    """Return the groups as written, the known ones with their places, and the others with theirs."""
    items = reader.items(container, key, "a list of group names")
    written, known, named, unknown = [], [], [], []
    for index in range(len(items)):
        holder, at = _named(reader, items, index, GROUP_KEYS, "group")
        name = None if holder is None else reader.name(holder, at)
        if name is None:
            unknown.append((f"entry {index + 1}", reader.sink.span(items, index)))
            continue
        written.append(name)
        if name in GROUPS:
            known.append(GroupDecl(name, reader.sink.span(holder, at)))
            named.append((name, index))
        else:
            unknown.append((name, reader.sink.span(holder, at)))
            _report_group(reader, At(holder, at), name)
    report_repeated(reader, items, named)
    return written, tuple(known), unknown


def _report_group(reader: Reader, at: At, name: str) -> None:
    bare = name.removeprefix(PREFIX)
    hint, meant = did_you_mean(name, GROUPS), surely_meant(name, like_the_best(name, nearest(name, GROUPS)))
    if bare in GROUPS:
        hint, meant = f"did you mean `{bare}`?", bare
    hint = hint or f"the groups are {', '.join(GROUPS)}"
    fix = Change(f"write {meant}", at, meant) if meant else None
    reader.sink.report(UNKNOWN_GROUP, at, f"No built-in group is called {shown(name)}; {hint}", hint=hint, fix=fix)


def _named(reader: Reader, items: Sequence[Any], index: int, keys: Keys, key: str) -> tuple[Any, Any]:
    """Return the container and key of an entry's name, which is the entry itself or stands under ``key``."""
    item = items[index]
    if not isinstance(item, dict):
        return items, index
    found = reader.fields(item, keys)
    if key not in found:
        if all(word in keys.spellings for word in item):
            reader.missing(item, key, "this entry", At(items, index))
        return None, None
    return item, found[key]


def read_include(reader: Reader, items: Sequence[Any], index: int) -> tuple[IncludeDecl, str | None] | None:
    """Return an entry of ``includes`` and its description."""
    item = items[index]
    span = reader.sink.span(items, index)
    holder, key = _named(reader, items, index, _INCLUDE_KEYS, "name")
    name = None if holder is None else reader.name(holder, key)
    overrides: tuple[OverrideDecl, ...] = ()
    description = None
    if isinstance(item, dict):
        at = next((k for k in ("overrides", "tool_overrides") if item.get(k) is not None), None)
        overrides = () if at is None else read_override_map(reader, item, at)
        description = reader.text(item, "description") if item.get("description") is not None else None
    if name is None or not check_name(reader, At(holder, key), name):
        return None
    return IncludeDecl(name, reader.sink.span(holder, key), overrides, span), description


def include_fields(include: IncludeDecl, description: str | None) -> dict[str, Any]:
    """Return the fields of ``SkillInclude``."""
    fields = {"name": include.name, "overrides": as_fields(include.overrides) or None, "description": description}
    return {name: value for name, value in fields.items() if value is not None}


def read_tool_entry(reader: Reader, items: Sequence[Any], index: int) -> ToolRefDecl | ToolPart | None:
    """Return an entry of ``tools``: a reference, or a definition."""
    item = items[index]
    if not isinstance(item, dict):
        name = item if type(item) is str else reader.name(items, index)
        return None if name is None else _reference(reader, items, index, name, None)
    if not INLINE_MARKS.isdisjoint(item):
        return read_inline_tool(reader, items, index)
    if item.get("name") is None:
        if reader.report_slips(item, _ENTRY_KEYS):
            return None
        hint = "add `name:` for a reference, or `code:` for a definition"
        message = f"This entry names no tool and defines none; {hint}."
        reader.sink.report(reader.rules.missing_key, At(items, index), message, hint=hint)
        return None
    name = reader.name(item, "name")
    if name is None:
        return None
    override = read_override(reader, sources_beside(reader, item, "name"), name, reader.sink.span(item, "name"))
    return _reference(reader, item, "name", name, override if override.fields else None)


def _reference(
    reader: Reader, container: Any, key: Any, name: str, override: OverrideDecl | None
) -> ToolRefDecl | None:
    span = reader.sink.span(container, key)
    if name.removeprefix(PREFIX) in GROUPS:
        hint = "list it under `builtin_groups:`"
        message = f"{shown(name)} is a group of built-in tools, not a tool; {hint}"
        reader.sink.report(reader.rules.invalid_name, At(container, key), message, hint=hint)
        return None
    if not name.startswith(PREFIX) or " - " in name:
        meant = canonical_builtin(PREFIX + name)
        usable = check_name(reader, At(container, key), name, meant)
        return ToolRefDecl(name, span, override) if usable else None
    canonical = canonical_builtin(name) or name
    if canonical == name:
        return ToolRefDecl(name, span, override)
    at = At(container, key)
    message = f"{shown(name)} is an older name of `{canonical}`; it is found and means the same."
    fix = Change(f"write {canonical}", at, canonical)
    reader.sink.report(ALIAS, at, message, hint=f"write `{canonical}`", fix=fix)
    return ToolRefDecl(canonical, span, override, written=name)


def read_inline_tool(reader: Reader, items: Sequence[Any], index: int) -> ToolPart | None:
    """Return a tool that is defined in the list ``items``."""
    item = reader.mapping(items, index)
    if item is None:
        return None
    name = item.get("name")
    reader.sink.tool = name if isinstance(name, str) else None
    part = read_tool(reader, item, At(items, index), TOOL_KEYS)
    if "name" in part.keys:
        part.span = reader.sink.span(item, "name")
        name = reader.text(item, "name")
        part.fields["name"] = name if name is None else _inline_name(reader, item, name)
    else:
        part.span = reader.sink.span(items, index)
    reader.sink.tool = None
    return part


def _inline_name(reader: Reader, item: Mapping[str, Any], name: str) -> str | None:
    if SHORT_NAME_PATTERN.fullmatch(name):
        return name
    short = name.rsplit("/", 1)[-1]
    usable = SHORT_NAME_PATTERN.fullmatch(short) is not None
    hint = f"write `{short}`" if usable else "use letters, digits, `_` and `-`"
    what = f"{shown(name)} can't name an inline tool: a short name has letters, digits, `_` and `-`, and no `/`"
    fix = Change(hint.replace("`", ""), At(item, "name"), short) if usable else None
    reader.sink.report(INVALID_NAME, At(item, "name"), f"{what}; {hint}", hint=hint, fix=fix)
    return short if usable else None


def name_inline_tools(skill: str, tools: Sequence[ToolPart]) -> list[str]:
    """Return the full names of the inline tools of ``skill``; resolution tells of names that two of them share."""
    names: list[str] = []
    unnamed = 0
    for part in tools:
        given = part.fields.get("name")
        unnamed += given is None
        names.append(f"{skill}/{given or f'inline-{unnamed}'}")
    return names


def read_folder(reader: Reader, items: Sequence[Any], index: int) -> FolderPart | None:
    """Return an entry of ``agent_skill_folders``."""
    holder, key = _named(reader, items, index, FOLDER_KEYS, "path")
    path = None if holder is None else reader.text(holder, key)
    if path is None:
        return None
    fields = {"path": path}
    if holder is not items:
        for name in ("name", "sandbox_policy"):
            value = reader.text(holder, name) if holder.get(name) is not None else None
            if value is not None and (name == "name" or _known_policy(reader, holder, value)):
                fields[name] = value
    return FolderPart(path, reader.sink.span(holder, key), fields, At(holder, key))


def _known_policy(reader: Reader, item: Mapping[str, Any], policy: str) -> bool:
    if policy in SANDBOX_POLICIES:
        return True
    message = f"{shown(policy)} is no sandbox policy; it is `none`, `restricted` or `full`."
    hint = "write `none`, `restricted` or `full`"
    reader.sink.report(SANDBOX_POLICY, At(item, "sandbox_policy"), message, hint=hint)
    return False
