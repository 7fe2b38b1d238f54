"""Actor files, as far as skills go (language, part 7); what else they say belongs to other programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.diagnostics.rules.actor import (
    DIRECT_TOOL,
    DUPLICATE_SKILL,
    INLINE_SKILL,
    MISSPELT_KEY,
    NAME,
    UNQUALIFIED_SKILL,
    WILDCARD,
    WRONG_TYPE,
)
from core.language.declarations import ActorDecl
from core.language.sink import DocumentSink
from core.language.tree import Map, Seq, Span
from core.model.dialect import SKILL_KEYS
from core.model.entries import name_remedy
from core.model.names import is_qualified_name, meant_name, name_problem
from core.model.reading import kind_of, shown, to_write
from core.model.sinks import At, Change
from core.text import SURE, likeness

MAPS = ("actors", "agents")
_DIRECT = frozenset(
    spelling
    for spelling, canonical in SKILL_KEYS.spellings.items()
    if canonical in ("tools", "anonymous_tools", "mcp_servers", "agent_skill_folders", "builtin_groups")
)
_TOOL_PREFIXES = {"builtin/": "a built-in tool", "agent_skill/": "an Agent Skill"}


def read_actor_file(root: Map, sink: DocumentSink) -> tuple[list[ActorDecl], str | None]:
    """Return the actors of the document ``root``, and the name of one that is not usable."""
    body = root
    if isinstance(root.get("actor"), Map):
        body = root["actor"]
    elif root.get("actor") is not None:
        _wrong(root, "actor", "a mapping", sink)
    actors: list[ActorDecl] = []
    maps = [key for key in MAPS if body.get(key) is not None]
    for key in maps:
        actors.extend(_read_map(body, key, sink))
    if isinstance(root.get("skill"), Map):
        _report_inline(At(root, "skill", on_key=True), sink)
    broken = None
    if not maps or body.get("skills") is not None:
        actor, broken = _read_flat(body, sink)
        actors[:0] = [actor] if actor else []
    return actors, broken


def _read_flat(body: Map, sink: DocumentSink) -> tuple[ActorDecl | None, str | None]:
    name = body.get("name")
    usable = isinstance(name, str) and is_qualified_name(name)
    if not usable:
        if isinstance(name, str):
            problem = f"{shown(name)} is no name of the form namespace/short_name: {name_problem(name)}"
        else:
            problem = "The actor has no `name`"
        at = At(body, "name") if "name" in body else At(body)
        sink.report(NAME, at, problem, hint="write namespace/short_name")
    skills = _read_entry(body, sink)
    if not usable or not isinstance(name, str):
        return None, name if isinstance(name, str) else None
    return ActorDecl(name, sink.source, sink.span(body, "name"), skills, _meant(body, skills)), None


def _read_map(body: Map, key: str, sink: DocumentSink) -> list[ActorDecl]:
    entries = body[key]
    if not isinstance(entries, (Map, Seq)):
        _wrong(body, key, "a mapping from names to actors", sink)
        return []
    found = []
    for place in entries if isinstance(entries, Map) else range(len(entries)):
        entry: Any = entries[place]  # type: ignore[index]
        if isinstance(entry, Map):
            skills = _read_entry(entry, sink)
            name, span = _name_of(entries, place, entry, sink)
            found += [ActorDecl(name, sink.source, span, skills, _meant(entry, skills))] if name else []
        elif entry is not None:
            _wrong(entries, place, "a mapping", sink)
    return found


def _name_of(entries: Map | Seq, place: Any, entry: Map, sink: DocumentSink) -> tuple[str | None, Span]:
    """Return the name of an entry: its key, or in a list what it says itself."""
    if isinstance(entries, Map):
        return place, sink.span(entries, place, on_key=True)
    name = entry.get("name")
    return name if isinstance(name, str) else None, sink.span(entry, "name")


def _read_entry(entry: Map, sink: DocumentSink) -> tuple[tuple[str, Span], ...]:
    """Return the usable names of skills that an actor is given; report what it may not have."""
    for key in entry:
        if key in _DIRECT and entry[key] not in (None, [], {}):
            message = f"An actor gets tools through skills only; put what `{key}` names into a skill and name that."
            sink.report(DIRECT_TOOL, At(entry, key, on_key=True), message, hint="put it into a skill")
    if entry.get("skill") is not None and isinstance(entry["skill"], Map):
        _report_inline(At(entry, "skill", on_key=True), sink)
    skills = entry.get("skills")
    if skills is None:
        if (slip := _misspelt_key(entry)) is not None:
            _report_misspelt(entry, slip, sink)
        return ()
    if isinstance(skills, Map) and not all(is_qualified_name(name) and not skills[name] for name in skills):
        _report_inline(At(entry, "skills", on_key=True), sink)
        return ()
    if not isinstance(skills, Seq):
        named = isinstance(skills, str) and is_qualified_name(skills)
        fix = Change("put it in a list", At(entry, "skills"), sink.as_list([skills])) if named else None
        _wrong(entry, "skills", "a list of names", sink, fix)
        return ()
    return _read_names(skills, sink)


def _read_names(skills: Seq, sink: DocumentSink) -> tuple[tuple[str, Span], ...]:
    found: dict[str, Span] = {}
    for index, name in enumerate(skills):
        if isinstance(name, Map) and list(name) == ["name"] and isinstance(name["name"], str):
            fix = Change("write the name alone", At(skills, index), name["name"])
            _wrong(skills, index, "the name of a skill", sink, fix, "write the name alone")
        elif isinstance(name, Map):
            _report_inline(At(skills, index), sink)
        elif not isinstance(name, str):
            _wrong(skills, index, "the name of a skill", sink)
        elif _is_usable(skills, index, name, sink):
            if name in found:
                _report_duplicate(skills, index, name, sink)
            found.setdefault(name, skills.spans[index])
    return tuple(found.items())


def _is_usable(skills: Seq, index: int, name: str, sink: DocumentSink) -> bool:
    at = At(skills, index)
    what = next((what for prefix, what in _TOOL_PREFIXES.items() if name.startswith(prefix)), None)
    if any(char in name for char in "*?[]{}"):
        message = f"{shown(name)} is a pattern; an actor names each skill in full."
        sink.report(WILDCARD, at, message, hint="name each skill in full")
    elif what:
        message = f"{shown(name)} is {what}, not a skill; put it into a skill and name that."
        sink.report(DIRECT_TOOL, at, message, hint="put it into a skill")
    elif not is_qualified_name(name):
        meant = meant_name(name)
        problem, hint = name_remedy(name, meant)
        fix = Change(f"write {meant}", at, meant) if meant else None
        sink.report(
            UNQUALIFIED_SKILL, at, f"{shown(name)} names no skill in full: {problem}; {hint}", hint=hint, fix=fix
        )
    else:
        return True
    return False


def _misspelt_key(entry: Map) -> str | None:
    """Return a key with names of skills that surely is a slip for `skills`; others belong to other programs."""
    for key, value in entry.items():
        names = value if isinstance(value, list) else [value]
        texts = bool(names) and all(isinstance(name, str) for name in names)
        if texts and key not in (*MAPS, "skills") and likeness(key, "skills") >= SURE:
            return key
    return None


def _report_misspelt(entry: Map, key: str, sink: DocumentSink) -> None:
    at, hint = At(entry, key, on_key=True), "did you mean `skills`?"
    fix = Change("rename to skills", at, "skills")
    sink.report(MISSPELT_KEY, at, f"{shown(key)} gives the actor no skills; {hint}", hint=hint, fix=fix)


def _report_duplicate(skills: Seq, index: int, name: str, sink: DocumentSink) -> None:
    at = At(skills, index)
    fix = Change("delete the entry", at, None)
    message = f"{shown(name)} is listed twice; delete one of the entries."
    sink.report(DUPLICATE_SKILL, at, message, hint="delete this entry", fix=fix)


def _report_inline(at: At, sink: DocumentSink) -> None:
    message = "A skill stands in a file of its own, not inside an actor file; move it there and name it here."
    sink.report(INLINE_SKILL, at, message, hint="move the skill to a file of its own")


def _wrong(
    container: Any, key: Any, wanted: str, sink: DocumentSink, fix: Change | None = None, hint: str | None = None
) -> None:
    what = "This entry" if isinstance(key, int) else f"`{key}`"
    message = f"{what} must be {wanted}, but is {kind_of(container[key])}"
    hint = to_write(wanted) if hint is None else hint
    sink.report(WRONG_TYPE, At(container, key), message, hint=hint, fix=fix)


def _meant(entry: Map, usable: Sequence[tuple[str, Span]]) -> tuple[str, ...]:
    """Return the texts below ``skills`` of an entry that are no usable names, whatever their form."""
    skills = entry.get("skills") if entry.get("skills") is not None else entry.get(_misspelt_key(entry) or "")
    items: list[Any] = (
        skills if isinstance(skills, list) else list(skills or ()) if isinstance(skills, Map) else [skills]
    )
    names = [item.get("name") if isinstance(item, Map) else item for item in items]
    known = {name for name, _ in usable}
    return tuple(name for name in names if isinstance(name, str) and name not in known)
