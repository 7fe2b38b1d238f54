"""No datum vanishes between a mapping and the model, nor on the way back (language, part 3)."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model import CAPABILITY_FLAGS, Skill
from core.model.builtins import GROUPS
from core.model.dialect import SKILL_KEYS
from core.model.render import MASK
from core.model.server_reading import SERVER_KEYS
from core.model.tool_reading import STAGES, TOOL_KEYS

ALL_FLAGS: dict[str, Any] = {
    "read_only": False,
    "writes": True,
    "checkpointable": True,
    "side_effects": ["datum-effect"],
    "idempotent": False,
    "unsafe": True,
    "human_approval_required": True,
    "write_scope": ["datum-scope"],
    "checkpoint_scope": "datum-checkpoint",
}
TOOL: dict[str, Any] = {
    "name": "datum-tool",
    "description": "datum-tool-description",
    "source": "wrapped",
    "code": "datum_code",
    "input_schema": {"type": "object", "title": "datum-input"},
    "output_schema": {"type": "object", "title": "datum-output"},
    "capability": ALL_FLAGS,
    "resource_slots": [
        {
            "name": "datum-slot",
            "type": "datum-type",
            "access": "datum-access",
            "description": "datum-slot-description",
            "required": True,
            "binding": "datum-binding",
        }
    ],
    "lifecycle": {stage: f"datum-{stage}" for stage in STAGES},
    "timeout": 1234,
    "tool_type": "validation",
    "mode": "datum-mode",
    "wraps": "datum-wraps",
    "transform": "datum-transform",
}
OVERRIDE: dict[str, Any] = {**ALL_FLAGS, "description": "datum-override-description", "timeout": 4321}
SERVER: dict[str, Any] = {
    "name": "datum-server",
    "command": "datum-command",
    "args": ["datum argument"],
    "transport": "stdio",
    "env": {"DATUM_VARIABLE": "secret-datum-1"},
    "headers": {"X-Datum": "secret-datum-2"},
    "cwd": "datum-cwd",
    "tools": ["datum-allowed"],
    "tool_filter": {"exclude": ["datum-excluded"]},
    "overrides": {"datum-mcp-tool": OVERRIDE},
    "timeout": 77,
    "legacy": True,
}
EVERYTHING: dict[str, Any] = {
    "name": "Datum/skill",
    "description": "datum-description",
    "version": "9.8.7",
    "read_only": False,
    "builtin_groups": ["git_operations"],
    "tools": ["datum/plain", {"name": "datum/overridden", "override": OVERRIDE}],
    "anonymous_tools": [TOOL, {"description": "datum-second", "source": "custom", "entry_point": "datum.py:entry"}],
    "includes": [
        "datum/child",
        {"name": "datum/changed", "overrides": {"datum/deep": OVERRIDE}, "description": "datum-include"},
    ],
    "mcp_servers": [SERVER, {"name": "datum-url", "url": "https://datum.example/mcp"}, "datum-reference"],
    "agent_skill_folders": ["datum-folder", {"path": "datum-path", "name": "datum-label", "sandbox_policy": "full"}],
    "overrides": {"datum/any": OVERRIDE},
    "input_schema": {"type": "object", "title": "datum-skill-input"},
    "output_schema": {"type": "object", "title": "datum-skill-output"},
}


def leaves(value: Any) -> list[str]:
    """Every scalar of nested data, as JSON."""
    if isinstance(value, dict):
        return [leaf for child in value.values() for leaf in leaves(child)]
    if isinstance(value, list):
        return [leaf for child in value for leaf in leaves(child)]
    return [json.dumps(value)]


def test_the_example_holds_every_key_that_there_is() -> None:
    assert set(EVERYTHING) == set(SKILL_KEYS.canonical)
    assert set(TOOL) | {"entry_point"} == set(TOOL_KEYS.canonical) - set(CAPABILITY_FLAGS)
    assert set(ALL_FLAGS) == set(CAPABILITY_FLAGS)
    assert set(SERVER) | {"server", "url"} == set(SERVER_KEYS.canonical)


def test_every_datum_of_a_skill_comes_back_except_masked_values() -> None:
    shown = Skill.from_config(EVERYTHING).as_cli_dict()
    text = json.dumps(shown)
    lost = [leaf for leaf in leaves(EVERYTHING) if leaf.strip('"') not in text and "secret" not in leaf]
    assert lost == []
    assert "secret" not in text
    assert shown["mcp_servers"][0]["env"] == {"DATUM_VARIABLE": MASK}
    assert shown["mcp_servers"][0]["headers"] == {"X-Datum": MASK}


def test_the_sections_come_in_the_canonical_order() -> None:
    backwards = dict(reversed(EVERYTHING.items()))
    assert list(Skill.from_config(backwards).as_cli_dict()) == list(SKILL_KEYS.canonical)


def test_empty_sections_are_left_out() -> None:
    bare = Skill.from_config({"name": "local/a", "description": "A.", "tools": [], "overrides": {}})
    assert bare.as_cli_dict() == {"name": "local/a", "description": "A.", "version": "0.0.0"}


def test_the_rendering_is_read_back_to_the_same_rendering() -> None:
    shown = Skill.from_config(EVERYTHING).as_cli_dict()
    assert Skill.from_config(shown).as_cli_dict() == shown


@pytest.mark.parametrize("flag", CAPABILITY_FLAGS)
@pytest.mark.parametrize("where", ["nested", "flat"])
def test_every_flag_of_an_inline_tool_is_kept(flag: str, where: str) -> None:
    flags = {flag: ALL_FLAGS[flag]}
    tool = {"description": "A.", "source": "custom", "code": "return 1"}
    tool |= {"capability": flags} if where == "nested" else flags
    found = Skill.from_config({"name": "local/a", "description": "A.", "inline_tools": [tool]})
    assert found.anonymous_tools[0].capability is not None
    assert getattr(found.anonymous_tools[0].capability, flag) == ALL_FLAGS[flag]


WORD = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1, max_size=12)
SENTENCE = WORD.filter(lambda text: bool(text.strip()))
NAME = st.from_regex(r"[a-zA-Z0-9_-]{1,6}/[a-zA-Z0-9_-]{1,6}", fullmatch=True).filter(
    lambda name: not name.startswith("builtin/")
)
SHORT = st.from_regex(r"[a-zA-Z0-9_-]{1,8}", fullmatch=True)
FLAGS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("checkpointable", "idempotent", "unsafe", "human_approval_required"), st.booleans()),
        **dict.fromkeys(("side_effects", "write_scope"), st.lists(WORD, max_size=2)),
        "checkpoint_scope": WORD,
    },
).flatmap(lambda flags: st.sampled_from([flags, {**flags, "writes": True}, {**flags, "read_only": True}]))
OVERRIDES = st.builds(
    lambda flags, more: {**flags, **more},
    FLAGS,
    st.fixed_dictionaries({}, optional={"description": WORD, "timeout": st.integers(1, 9999)}),
)
BY_TOOL = st.dictionaries(WORD, OVERRIDES.filter(bool), max_size=2)
SCHEMA = st.fixed_dictionaries({"type": st.just("object")}, optional={"title": WORD})
INLINE = st.fixed_dictionaries(
    {"description": SENTENCE, "source": st.sampled_from(["custom", "wrapped"]), "code": WORD},
    optional={
        "capability": FLAGS,
        "timeout": st.integers(1, 9999),
        "input_schema": SCHEMA,
        "tool_type": st.sampled_from(["tool", "validation"]),
        "lifecycle": st.dictionaries(st.sampled_from(STAGES), WORD, min_size=1, max_size=2),
    },
)
SERVERS = st.lists(
    st.fixed_dictionaries(
        {"name": SHORT.filter(lambda n: n not in ("builtin", "agent_skill")), "command": SHORT},
        optional={
            "args": st.lists(WORD.filter(lambda word: "\0" not in word), max_size=3),
            "env": st.dictionaries(WORD, WORD, max_size=2),
            "tools": st.lists(WORD, max_size=2),
            "overrides": BY_TOOL,
            "timeout": st.integers(1, 9999),
            "legacy": st.booleans(),
            "cwd": WORD,
        },
    ),
    max_size=3,
    unique_by=lambda server: server["name"],
)
SKILLS = st.fixed_dictionaries(
    {"name": NAME, "description": SENTENCE},
    optional={
        "version": WORD,
        "read_only": st.booleans(),
        "builtin_groups": st.lists(st.sampled_from(sorted(GROUPS)), unique=True),
        "tools": st.lists(
            NAME | st.builds(lambda n, o: {"name": n, "override": o}, NAME, OVERRIDES) | INLINE, max_size=4
        ),
        "anonymous_tools": st.lists(INLINE, max_size=2),
        "includes": st.lists(NAME | st.builds(lambda n, o: {"name": n, "overrides": o}, NAME, BY_TOOL), max_size=3),
        "mcp_servers": SERVERS,
        "agent_skill_folders": st.lists(WORD, max_size=2),
        "overrides": BY_TOOL,
        "input_schema": SCHEMA,
    },
)


@settings(max_examples=150, deadline=None)
@given(SKILLS)
def test_reading_what_was_rendered_gives_an_equal_skill_apart_from_masks(config: dict[str, Any]) -> None:
    first = Skill.from_config(config)
    again = Skill.from_config(first.as_cli_dict())
    masked = [
        server.model_copy(update={"env": dict.fromkeys(server.env, MASK)}) if server.env else server
        for server in first.mcp_servers
    ]
    plain = first.model_copy(update={"mcp_servers": masked})
    assert _secrets_shown(again) == _secrets_shown(plain)
    json.dumps(first.as_cli_dict(), allow_nan=False)


def _secrets_shown(skill: Skill) -> dict[str, Any]:
    dumped = skill.model_dump()
    for server in dumped["mcp_servers"]:
        server["env"] = {k: getattr(v, "get_secret_value", lambda v=v: v)() for k, v in (server["env"] or {}).items()}
    return dumped


@settings(max_examples=100, deadline=None)
@given(SKILLS)
def test_the_wrapped_form_means_the_same(config: dict[str, Any]) -> None:
    assert Skill.from_config({"cleveragents": {"version": "3.0"}, "skill": config}) == Skill.from_config(config)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
KEYS = st.sampled_from([*SKILL_KEYS.spellings, *TOOL_KEYS.spellings, *SERVER_KEYS.spellings, "skill", "group", "path"])


@settings(max_examples=300, deadline=None)
@given(
    st.recursive(
        JSON,
        lambda inner: st.dictionaries(KEYS, inner, max_size=4) | st.lists(inner, max_size=3),
        max_leaves=12,
    )
)
def test_any_mapping_gives_a_skill_or_a_value_error(config: Any) -> None:
    with suppress(ValueError):
        assert Skill.from_config(config).name
