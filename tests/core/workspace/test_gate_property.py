"""No override, alias, include or diamond lets a tool that declares that it writes through a read-only skill."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language.load import load_declarations
from core.model import ToolRecord
from core.resolve.catalogue import Catalogue
from core.resolve.views import FlatSkill
from core.runtime.call import CallOptions
from core.runtime.runtime import ToolRuntime

EVERYTHING = CallOptions(confirmed=True, approve=lambda _: True, real=True)
CUSTOM = {
    "local/writes": {"writes": True},
    "local/both": {"writes": True, "read_only": True},
    "local/reads": {"read_only": True},
}
WRITERS = {"local/writes", "local/both", "builtin/write_file", "builtin/delete_file", "builtin/shell_execute"}
WAYS = [
    "local/writes",
    "local/both",
    "local/reads",
    "builtin/write_file",
    "write_file",
    "builtin:delete_file",
    "read_file",
]
NAMES = [*WAYS, "writes", "both", "builtin/shell_execute", "inline"]
SKILLS = [f"local/s{number}" for number in range(5)]

SOFTENED = st.fixed_dictionaries(
    {},
    optional={
        "read_only": st.booleans(),
        "writes": st.booleans(),
        "unsafe": st.just(False),
        "human_approval_required": st.just(False),
        "side_effects": st.just([]),
    },
)
OVERRIDES = st.dictionaries(st.sampled_from(NAMES), SOFTENED, max_size=4)
INLINE = st.fixed_dictionaries(
    {
        "name": st.just("inline"),
        "description": st.just("I."),
        "source": st.just("custom"),
        "code": st.just("return 1"),
        "capability": st.just({"writes": True}),
    }
)
ENTRY = st.one_of(
    st.sampled_from(WAYS),
    st.builds(lambda name, over: {"name": name, "override": over}, st.sampled_from(WAYS), SOFTENED),
    INLINE,
)


def skill(number: int) -> st.SearchStrategy[dict[str, Any]]:
    """A skill that may include those with a higher number, so that there is no cycle."""
    include = st.one_of(
        st.sampled_from(SKILLS[number + 1 :]),
        st.builds(
            lambda name, over: {"name": name, "overrides": over}, st.sampled_from(SKILLS[number + 1 :]), OVERRIDES
        ),
    )
    fields: dict[str, Any] = {
        "includes": st.lists(include, max_size=3) if number + 1 < len(SKILLS) else st.just([]),
        "tools": st.lists(ENTRY, max_size=4),
        "builtin_groups": st.lists(st.sampled_from(["file_operations", "shell_operations"]), max_size=1),
        "overrides": OVERRIDES,
        "read_only": st.booleans(),
    }
    head = {"name": st.just(SKILLS[number]), "description": st.just("S.")}
    return st.fixed_dictionaries(head, optional=fields)


WORKSPACES = st.tuples(*(skill(number) for number in range(len(SKILLS))))


def writes_by_itself(record: ToolRecord) -> bool:
    return record.name in WRITERS or record.name.endswith("/inline")


def write(root: Path, skills: tuple[dict[str, Any], ...]) -> None:
    for name, flags in CUSTOM.items():
        tool = {"name": name, "description": "T.", "source": "custom", "capability": flags, "code": "return 1"}
        (root / f"{name.replace('/', '-')}.yaml").write_text(yaml.safe_dump(tool), "utf-8")
    for model in skills:
        (root / f"{model['name'].replace('/', '-')}.yaml").write_text(yaml.safe_dump(model), "utf-8")


def opened(flat: FlatSkill, runtime: ToolRuntime) -> list[str]:
    """Return the writing tools that a call through ``flat`` would not be denied."""
    return [
        record.name
        for record in flat.records
        if writes_by_itself(record)
        and (flat.read_only or record.capability.counts_as_reading)
        and _kind(runtime, flat, record) not in DENIED
    ]


DENIED = {"permission_denied", "resolution_failure", "tool_activation_failure"}


def _kind(runtime: ToolRuntime, flat: FlatSkill, record: ToolRecord) -> str:
    outcome = runtime.invoke(flat, flat.name, record.name, {}, EVERYTHING)
    return "called" if outcome.result.error is None or len(outcome.stages) > 1 else str(outcome.result.error.error_type)


@settings(max_examples=150, deadline=None)
@given(WORKSPACES)
def test_a_tool_that_declares_that_it_writes_is_never_called_through_a_read_only_skill(
    skills: tuple[dict[str, Any], ...],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "ws")
        root.mkdir()
        write(root, skills)
        catalogue = Catalogue(load_declarations(root))
        runtime = ToolRuntime(root, state=Path(folder, "state"))
        for row in catalogue.skills():
            flat = catalogue.flatten(row.name)
            assert opened(flat, runtime) == []
            if any(writes_by_itself(record) for record in flat.records):
                assert flat.metadata.writes
                assert not flat.metadata.read_only
        runtime.close()


def test_the_property_would_see_a_tool_that_is_let_through(tmp_path: Path) -> None:
    """Else it could not fail: a writer in a skill that is not read-only is called."""
    write(tmp_path, ({"name": "local/s0", "description": "S.", "tools": ["local/writes"]},))
    runtime = ToolRuntime(tmp_path, state=tmp_path.parent / "state")
    flat = Catalogue(load_declarations(tmp_path)).flatten("local/s0")
    assert _kind(runtime, flat, flat.records[0]) == "called"
    runtime.close()
