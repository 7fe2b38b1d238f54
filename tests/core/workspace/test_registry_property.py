"""Registered, then compared: nothing differs; after one change of the files, exactly that change does."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from core.registry.drift import Difference
from core.registry.skills import RegistryStatus
from core.workspace import Workspace

TOOLS = ("local/t0", "local/t1", "local/t2", "builtin/read_file")
CUSTOM = TOOLS[:3]
FLAGS = ("checkpointable", "idempotent", "unsafe", "human_approval_required")


@dataclass(frozen=True)
class Files:
    """Tools with their flags; skills with what they list and include, none of them in a cycle."""

    flags: Mapping[str, Mapping[str, bool]]
    listed: tuple[tuple[str, ...], ...]
    includes: tuple[tuple[int, ...], ...]
    code: Mapping[str, str] = field(default_factory=dict)

    def write(self, root: Path) -> None:
        for name in CUSTOM:
            said = {"writes": True, **self.flags[name]}
            code = self.code.get(name, "return 1")
            _dump(root, name, description="T.", source="custom", capability=said, code=code)
        for number, listed in enumerate(self.listed):
            includes = [f"local/s{below}" for below in self.includes[number]]
            _dump(root, f"local/s{number}", description="D.", includes=includes, tools=list(listed))

    def reaches(self, number: int) -> set[int]:
        """Return a skill and all that it includes."""
        found, waiting = set(), [number]
        while waiting:
            one = waiting.pop()
            found.add(one)
            waiting += [below for below in self.includes[one] if below not in found]
        return found

    def set_of(self, number: int) -> set[str]:
        """Return the tools of a skill, flattened naively."""
        return {tool for one in self.reaches(number) for tool in self.listed[one]}


def _dump(root: Path, name: str, **fields: object) -> None:
    folder = root / ("skills" if "includes" in fields else "tools")
    folder.mkdir(parents=True, exist_ok=True)
    document = {"name": name, **{key: value for key, value in fields.items() if value != []}}
    (folder / f"{name.partition('/')[2]}.yaml").write_text(yaml.safe_dump(document), "utf-8")


@st.composite
def workspaces(draw: st.DrawFn) -> Files:
    count = draw(st.integers(1, 5))
    some_flags = st.dictionaries(st.sampled_from(FLAGS), st.booleans())
    below = [st.lists(st.integers(n + 1, count - 1), max_size=3, unique=True) for n in range(count - 1)]
    listed = st.lists(st.sampled_from(TOOLS), max_size=3, unique=True)
    return Files(
        {name: draw(some_flags) for name in CUSTOM},
        tuple(tuple(draw(listed)) for _ in range(count)),
        (*(tuple(draw(found)) for found in below), ()),
    )


@contextmanager
def registered(files: Files) -> Iterator[tuple[Path, Workspace]]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "ws"
        files.write(root)
        workspace = Workspace(root, state=Path(folder) / "state")
        workspace.load()
        names = [f"local/s{number}" for number in range(len(files.listed))]
        assert workspace.registrations.register(names).failed == ()
        yield root, workspace


Told = dict[str, tuple[set[str], set[str], list[Difference]]]
NOTHING: tuple[set[str], set[str], list[Difference]] = (set(), set(), [])


def after(workspace: Workspace, root: Path, files: Files) -> Told:
    """Return by skill the tools added and removed and the fields changed once ``files`` are what lies there."""
    files.write(root)
    workspace.load()
    found = workspace.registrations.standings()
    for one in found:
        assert one.status is (RegistryStatus.DRIFTED if one.drift else RegistryStatus.CURRENT)
    return {d.entry.name: (set(d.drift.added), set(d.drift.removed), list(d.drift.changed)) for d in found}


def expected(before: Files, now: Files, changed: Mapping[int, Difference]) -> Told:
    """Return the same by naive sets; ``changed`` is the field that changed, by the number of the skill."""
    found: Told = {}
    for number in range(len(before.listed)):
        was, is_now, row = before.set_of(number), now.set_of(number), changed.get(number)
        rows = [row] if row is not None and (row.tool is None or row.tool in was & is_now) else []
        found[f"local/s{number}"] = (is_now - was, was - is_now, rows)
    return found


@given(workspaces(), st.data())
@settings(max_examples=25, deadline=None)
def test_one_change_of_a_flag_shows_as_that_flag_wherever_the_tool_is(files: Files, data: st.DataObject) -> None:
    tool, flag = data.draw(st.sampled_from(CUSTOM)), data.draw(st.sampled_from(FLAGS))
    was = files.flags[tool].get(flag)
    value = data.draw(st.sampled_from([one for one in (True, False) if one is not was]))
    now = replace(files, flags={**files.flags, tool: {**files.flags[tool], flag: value}})
    row = Difference(tool, flag, was, value)
    with registered(files) as (root, workspace):
        assert all(told == NOTHING for told in after(workspace, root, files).values())
        told = after(workspace, root, now)
    assert told == expected(files, now, dict.fromkeys(range(len(files.listed)), row))


@given(workspaces(), st.data())
@settings(max_examples=25, deadline=None)
def test_a_tool_listed_or_no_longer_listed_shows_where_no_other_way_leads_to_it(
    files: Files, data: st.DataObject
) -> None:
    number, tool = data.draw(st.integers(0, len(files.listed) - 1)), data.draw(st.sampled_from(TOOLS))
    listed = list(files.listed)
    own = listed[number]
    listed[number] = tuple(t for t in own if t != tool) if tool in own else (*own, tool)
    now = replace(files, listed=tuple(listed))
    with registered(files) as (root, workspace):
        told = after(workspace, root, now)
    assert told == expected(files, now, {})


@given(workspaces().filter(lambda files: len(files.listed) > 1), st.data())
@settings(max_examples=25, deadline=None)
def test_an_include_more_or_less_shows_as_that_and_as_the_tools_that_came_or_went(
    files: Files, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(files.listed) - 2))
    below = data.draw(st.integers(number + 1, len(files.listed) - 1))
    includes = list(files.includes)
    own = includes[number]
    includes[number] = tuple(one for one in own if one != below) if below in own else (*own, below)
    now = replace(files, includes=tuple(includes))
    names = [sorted(f"local/s{one}" for one in found) for found in (own, includes[number])]
    row = Difference(None, "includes", names[0], names[1])
    with registered(files) as (root, workspace):
        told = after(workspace, root, now)
        assert told == expected(files, now, {number: row})
        assert workspace.refresh().complete
        assert all(told == NOTHING for told in after(workspace, root, now).values())


@given(workspaces(), st.sampled_from(CUSTOM))
@settings(max_examples=15, deadline=None)
def test_other_code_shows_as_another_definition_of_that_tool_alone(files: Files, tool: str) -> None:
    now = replace(files, code={tool: "return 2"})
    with registered(files) as (root, workspace):
        told = after(workspace, root, now)
    fields = {name: [(row.tool, row.field) for row in changed] for name, (_, _, changed) in told.items()}
    held = {f"local/s{n}": [(tool, "definition")] * (tool in files.set_of(n)) for n in range(len(files.listed))}
    assert fields == held
    assert not any(added or removed for added, removed, _ in told.values())
