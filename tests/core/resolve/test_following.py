"""A resolution that follows another gives what a first one gives, and works out again only what depends on a change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.language.load import load_declarations
from core.language.memory import FileMemory
from core.resolve.catalogue import Catalogue

SKILLS = [f"local/{letter}" for letter in "abcdefg"]
ODD_NAMES = ["local/A", "local/zz", "local/t", "team/a"]
TOOLS = ["local/t", "local/u", "builtin/read_file", "builtin/write_file"]
ODD_TOOLS = ["team/t", "local/near", "local/a", "local/tt"]
MEANT = ["local/t", "t", "local/g/x", "x", "y", "read_file", "local/nothing", "steps", "api/go"]
SAID = ["writes: true", "unsafe: true", "writes: false", "description: Other.", "timeout: 7", "read_only: true"]
PATHS = [f"skills/{letter}.yaml" for letter in "abcdefg"]
TOOL_PATHS = {"tools/t.yaml": "local/t", "tools/u.yaml": "local/u", "tools/v.yaml": "team/t"}
TOOL = "name: {}\ndescription: T.\nsource: custom\ncode: {}\n{}"
AGENT = "---\nname: steps\ndescription: {0}\n---\n\n1. Go.\n"
AGENT_PATH = "agent/steps/SKILL.md"
Edit = tuple[str, str | None]


class Followed:
    """A folder whose catalogue is made anew from the one before after each edit."""

    def __init__(self, root: Path) -> None:
        self.root, self._memory = root, FileMemory()
        self.catalogue = Catalogue(load_declarations(root, memory=self._memory))

    def edit(self, files: Mapping[str, str | None]) -> Catalogue:
        """Write or delete files; return a first resolution of what they declare then."""
        for path, text in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            if text is not None:
                target.write_text(text, encoding="utf-8")
        declared = load_declarations(self.root, memory=self._memory)
        self.catalogue = Catalogue(declared, before=self.catalogue)
        return Catalogue(declared)


def everything(catalogue: Catalogue) -> dict[str, Any]:
    """Return all that a catalogue can be asked."""
    rows = catalogue.skills()
    sets = {row.name: catalogue.flatten(row.name) for row in rows}
    return {
        "diagnostics": catalogue.diagnostics(),
        "rows": rows,
        "graph": catalogue.graph(),
        "sets": {name: (list(flat.records), list(flat.definitions)) for name, flat in sets.items()},
        "errors": {name: (flat.errors, flat.metadata, flat.undiscovered_servers) for name, flat in sets.items()},
        "why": {name: [catalogue.why(name, r.name) for r in flat.records] for name, flat in sets.items()},
        "users": {name: (catalogue.included_by(name), catalogue.actors_of(name)) for name in sets},
        "actors": [_actor(catalogue, name) for name in catalogue.actors()],
        "others": (catalogue.unassigned(), catalogue.servers(), catalogue.tool_total()),
    }


def _actor(catalogue: Catalogue, name: str) -> tuple[object, ...]:
    view = catalogue.actor(name)
    return view.name, view.place, view.skills, list(view.records), view.errors


_lays = st.dictionaries(st.sampled_from(MEANT), st.sampled_from(SAID), min_size=1, max_size=2)


def _overrides(laid: Mapping[str, str], indent: str) -> str:
    return f"{indent}overrides:\n" + "".join(f"{indent}  {tool}: {{{said}}}\n" for tool, said in laid.items())


def _rarely(draw: st.DrawFn, one_in: int) -> bool:
    return draw(st.integers(0, 999)) % one_in == one_in - 1


@st.composite
def skill_edits(draw: st.DrawFn, at: int) -> Edit:
    """One skill file: mostly under its own name and including later ones, so that many sets are whole."""
    if _rarely(draw, 12):
        return PATHS[at], None
    name = draw(st.sampled_from([*SKILLS, *ODD_NAMES])) if _rarely(draw, 10) else SKILLS[at]
    text = "\n" * draw(st.integers(0, 2)) + f"name: {name}\ndescription: D.\n"
    text += "read_only: true\n" if _rarely(draw, 5) else ""
    text += draw(_includes(at)) + draw(_tool_lists())
    text += _overrides(draw(_lays), "") if _rarely(draw, 4) else ""
    if _rarely(draw, 6):
        text += f"agent_skill_folders: [{draw(st.sampled_from(['agent/steps', 'agent/step']))}]\n"
    if _rarely(draw, 12):
        text += f"mcp_servers:\n  - name: api\n    server: api\n    tools: [{draw(st.sampled_from(['go', 'run']))}]\n"
    return PATHS[at], text + "broken: [\n" if _rarely(draw, 12) else text


@st.composite
def _includes(draw: st.DrawFn, at: int) -> str:
    later = SKILLS[at + 1 :] or SKILLS[:1]
    count = draw(st.integers(0, 3)) if at < 6 else int(_rarely(draw, 10))
    text = "includes:\n" if count else ""
    for _ in range(count):
        name = draw(st.sampled_from([*SKILLS, *ODD_NAMES] if _rarely(draw, 20) else later))
        text += f"  - name: {name}\n" + (_overrides(draw(_lays), "    ") if _rarely(draw, 4) else "")
    return text


@st.composite
def _tool_lists(draw: st.DrawFn) -> str:
    count = draw(st.integers(0, 2))
    named = [draw(st.sampled_from([*TOOLS, *ODD_TOOLS] if _rarely(draw, 15) else TOOLS)) for _ in range(count)]
    inline = draw(st.lists(st.sampled_from(["x", "y"]), max_size=2, unique=not _rarely(draw, 10)))
    text = "tools:\n" if named or inline else ""
    for name in named:
        text += f"  - name: {name}\n    override: {{unsafe: true}}\n" if _rarely(draw, 4) else f"  - {name}\n"
    for name in inline:
        flag = draw(st.sampled_from(["read_only: true", "writes: true"]))
        text += f"  - {{name: {name}, description: X., source: custom, code: return 1, {flag}}}\n"
    return text


@st.composite
def other_edits(draw: st.DrawFn) -> Edit:
    """A tool file, an actor or an Agent Skill."""
    what = draw(st.sampled_from(["tool", "actor", "agent"]))
    if what == "agent":
        return AGENT_PATH, draw(st.sampled_from([AGENT.format("Use it."), AGENT.format("["), None]))
    if what == "actor":
        names = draw(st.lists(st.sampled_from([*SKILLS, *ODD_NAMES]), max_size=4, unique=True))
        return "actors/bot.yaml", None if _rarely(draw, 4) else f"name: local/bot\nskills: [{', '.join(names)}]\n"
    path = draw(st.sampled_from(list(TOOL_PATHS)))
    name = draw(st.sampled_from([*TOOLS, "local/g/x"])) if _rarely(draw, 5) else TOOL_PATHS[path]
    code = draw(st.sampled_from(["return 1", "return 2", "return ("]))
    text = TOOL.format(name, code, draw(st.sampled_from(["", "writes: true\n", "read_only: true\n"])))
    return path, None if _rarely(draw, 5) else text + "broken: [\n" if _rarely(draw, 6) else text


_edits = st.integers(0, 6).flatmap(skill_edits) | st.integers(0, 6).flatmap(skill_edits) | other_edits()
_first = st.tuples(*(skill_edits(at) for at in range(7)))
_steps = st.lists(st.lists(_edits, min_size=1, max_size=2), min_size=1, max_size=6)
_TOOL_FILES = [(path, TOOL.format(name, "return 1", "")) for path, name in TOOL_PATHS.items()]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(first=_first, steps=_steps)
def test_after_any_edits_all_is_as_if_resolved_for_the_first_time(
    first: tuple[Edit, ...], steps: list[list[Edit]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    followed = Followed(tmp_path_factory.mktemp("ws"))
    for step in [[*first, *_TOOL_FILES, (AGENT_PATH, AGENT.format("Use it."))], *steps]:
        expected = everything(followed.edit(dict(step)))
        found = everything(followed.catalogue)
        for what, value in expected.items():
            assert found[what] == value, what


CHAIN = {
    "skills/a.yaml": "name: local/a\ndescription: A.\nincludes: [local/b]\n",
    "skills/b.yaml": "name: local/b\ndescription: B.\nincludes: [local/c]\n",
    "skills/c.yaml": "name: local/c\ndescription: C.\ntools:\n"
    "  - {name: x, description: X., source: custom, code: return 1, read_only: true}\n",
    "skills/d.yaml": "name: local/d\ndescription: D.\ntools: [local/t]\n",
    "tools/t.yaml": TOOL.format("local/t", "return 1", ""),
}


@pytest.mark.parametrize(
    ("path", "old", "new", "renewed"),
    [
        ("skills/c.yaml", "C.", "Other.", {"local/c"}),
        ("skills/c.yaml", "return 1", "return 2", {"local/c"}),
        ("skills/c.yaml", "name: x", "name: y", {"local/a", "local/b", "local/c"}),
        ("skills/b.yaml", "[local/c]", "[local/c, local/d]", {"local/a", "local/b"}),
        ("skills/d.yaml", "[local/t]", "[builtin/read_file]", {"local/d"}),
        ("skills/c.yaml", "name: local/c", "name: local/z", {"local/a", "local/b", "local/z"}),
        ("tools/t.yaml", "return 1", "return 2", set()),
        ("tools/t.yaml", "name: local/t", "name: local/u", {"local/d"}),
    ],
)
def test_only_the_sets_that_depend_on_an_edit_are_worked_out_again(
    tmp_path: Path, path: str, old: str, new: str, renewed: set[str]
) -> None:
    followed = Followed(tmp_path)
    followed.edit(CHAIN)
    expected = everything(followed.edit({path: CHAIN[path].replace(old, new)}))
    assert followed.catalogue.renewed == renewed
    assert everything(followed.catalogue) == expected


def test_an_edit_of_a_server_resolves_all_anew(tmp_path: Path) -> None:
    followed = Followed(tmp_path)
    followed.edit(CHAIN)
    server = "mcp_servers:\n  - {name: api, server: api, tools: [go]}\n"
    expected = followed.edit({"skills/d.yaml": CHAIN["skills/d.yaml"] + server})
    assert followed.catalogue.renewed is None
    assert everything(followed.catalogue) == everything(expected)


def test_definitions_that_come_and_go_leave_no_trace(tmp_path: Path) -> None:
    followed = Followed(tmp_path)
    followed.edit(CHAIN)
    for number in range(30):
        expected = followed.edit({"skills/c.yaml": CHAIN["skills/c.yaml"].replace("name: x", f"name: x{number}")})
    assert everything(followed.catalogue) == everything(expected)
    assert followed.catalogue.tool_total() == 2
