"""Flattening, overrides and joins held to a naive reference on random workspaces."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from naive_sets import ALL, ANY, LISTS, naive_set
from resolve_builder import Builder

from core.language.declarations import Declarations
from core.model import ToolCapability, ToolRecord
from core.model.capability import join
from core.resolve.catalogue import Catalogue

TOOLS = ("local/t0", "local/t1", "local/t2")
_bools = st.sampled_from([True, False])
_words = st.lists(st.sampled_from(["disk", "net", "db"]), max_size=2, unique=True)
_text = st.sampled_from(["file", "all"])


def flags() -> st.SearchStrategy[dict[str, Any]]:
    values: dict[str, st.SearchStrategy[Any]] = dict.fromkeys((*ANY, *ALL), _bools)
    values |= dict.fromkeys(LISTS, _words) | {"checkpoint_scope": _text}
    return st.fixed_dictionaries({}, optional=values).filter(_is_consistent)


def _is_consistent(values: dict[str, Any]) -> bool:
    return not (values.get("read_only") and values.get("writes"))


_more = {"description": st.sampled_from(["one", "two"]), "timeout": st.integers(1, 3)}


def override() -> st.SearchStrategy[dict[str, Any]]:
    extra = st.fixed_dictionaries({}, optional=_more)
    return st.builds(lambda a, b: {**a, **b}, flags(), extra).filter(bool)


overrides = st.dictionaries(st.sampled_from(TOOLS), override(), max_size=2)


@st.composite
def workspaces(draw: st.DrawFn, most: int = 6) -> Declarations:
    """Skills s0 … sN; each may include those of higher number, so that nothing is circular."""
    builder = Builder()
    for tool in TOOLS:
        builder.tool(tool, **draw(flags()))
    count = draw(st.integers(1, most))
    for number in range(count):
        below = [f"local/s{other}" for other in range(number + 1, count)]
        includes = draw(st.lists(st.tuples(st.sampled_from(below), overrides), max_size=3)) if below else []
        listed = draw(st.lists(st.sampled_from(TOOLS), max_size=2, unique=True))
        tools = [(tool, draw(st.one_of(st.just({}), override()))) for tool in listed]
        builder.skill(
            f"local/s{number}", [t if fields else t[0] for t in tools for fields in [t[1]]], includes, draw(overrides)
        )
    return builder.declarations


def shown(record: ToolRecord) -> dict[str, Any]:
    flags = {flag: value for flag, value in record.capability.model_dump().items() if value is not None}
    for flag in LISTS:
        if flag in flags:
            flags[flag] = set(flags[flag])
    return {"description": record.description, "timeout": record.timeout, **flags}


@given(workspaces())
@settings(max_examples=150, deadline=None)
def test_the_set_of_each_skill_is_that_of_the_naive_reference(declarations: Declarations) -> None:
    catalogue = Catalogue(declarations)
    for file in declarations.skills:
        expected = naive_set(declarations, file.name)
        records = catalogue.flatten(file.name).records
        assert [record.name for record in records] == list(expected)
        for record in records:
            values = {name: value for name, value in expected[record.name].items() if name != "follows"}
            assert shown(record) == {n: set(v) if n in LISTS else v for n, v in values.items()}


@given(workspaces())
@settings(max_examples=50, deadline=None)
def test_counts_from_bits_are_those_of_the_records(declarations: Declarations) -> None:
    catalogue = Catalogue(declarations)
    for row in catalogue.skills():
        gates = [record.gate_capability for record in catalogue.flatten(row.name).records]
        summary = row.summary
        assert summary.total_tools == len(gates)
        assert summary.write_tools == sum(gate.counts_as_writing for gate in gates)
        assert summary.read_only_tools == sum(gate.counts_as_reading for gate in gates)
        assert summary.checkpointable_tools == sum(bool(gate.checkpointable) for gate in gates)
        assert summary.has_side_effects == any(gate.side_effects for gate in gates)


@given(workspaces())
@settings(max_examples=50, deadline=None)
def test_flags_do_not_depend_on_the_order_of_includes(declarations: Declarations) -> None:
    forward = Catalogue(declarations)
    ordered = {file.name: _flags(forward, file.name) for file in declarations.skills}
    for file in declarations.skills:
        file.includes = tuple(reversed(file.includes))
    backward = Catalogue(declarations)
    assert ordered == {file.name: _flags(backward, file.name) for file in declarations.skills}


def _flags(catalogue: Catalogue, skill: str) -> dict[str, dict[str, Any]]:
    found = {}
    for record in catalogue.flatten(skill).records:
        flags = shown(record)
        del flags["description"]
        flags.pop("checkpoint_scope", None)
        found[record.name] = flags
    return found


@given(workspaces())
@settings(max_examples=50, deadline=None)
def test_a_declared_writer_never_passes_the_gate_as_a_reader(declarations: Declarations) -> None:
    declared = {file.tool.name for file in declarations.tools if _declares_writing(file.tool.capability)}
    catalogue = Catalogue(declarations)
    for file in declarations.skills:
        flat = catalogue.flatten(file.name)
        for record in flat.records:
            if record.name in declared:
                assert record.gate_capability.counts_as_writing
                assert not flat.metadata.read_only
                assert not flat.read_only


def _declares_writing(capability: ToolCapability) -> bool:
    return bool(capability.writes)


@given(workspaces())
@settings(max_examples=50, deadline=None)
def test_tightening_alone_never_makes_the_gate_more_permissive(declarations: Declarations) -> None:
    """Whatever overrides say, the gate takes at least the declared value of each declared flag."""
    declared = {file.tool.name: file.tool.capability for file in declarations.tools}
    catalogue = Catalogue(declarations)
    for file in declarations.skills:
        for record in catalogue.flatten(file.name).records:
            said = declared[record.name].model_dump(exclude_none=True)
            gate = record.gate_capability.model_dump()
            for flag in ANY:
                assert not said.get(flag) or gate[flag]
            for flag in ALL:
                assert said.get(flag) is not False or gate[flag] is False
            for flag in LISTS:
                assert set(said.get(flag, ())) <= set(gate[flag] or ())


capabilities = flags().map(lambda values: ToolCapability(**values))


def _same(left: ToolCapability, right: ToolCapability) -> bool:
    pairs = [(getattr(left, flag), getattr(right, flag)) for flag in (*ANY, *ALL)]
    lists = [(set(getattr(left, f) or ()), set(getattr(right, f) or ())) for f in LISTS]
    return all(a == b for a, b in (*pairs, *lists))


@given(capabilities, capabilities, capabilities)
def test_the_join_of_flags_is_associative_commutative_and_idempotent(
    a: ToolCapability, b: ToolCapability, c: ToolCapability
) -> None:
    assert _same(join(a, join(b, c)), join(join(a, b), c))
    assert _same(join(a, b), join(b, a))
    assert _same(join(a, a), a)
