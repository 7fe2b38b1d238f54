"""Whatever files say, resolution answers: nothing raises, hangs or contradicts itself."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from resolve_builder import Builder

from core.diagnostics import Severity
from core.language.declarations import Declarations
from core.protocol import SkillDefinition
from core.resolve.catalogue import Catalogue
from core.resolve.export import to_dot, to_mermaid, to_text
from core.resolve.views import SkillStatus

SKILLS = [f"local/{name}" for name in "abcdE"] + ["local/e", "local/gone"]
TOOLS = ["local/t", "local/u", "team/t", "local/gone", "builtin/read_file", "builtin/write_file"]
_fields = st.fixed_dictionaries(
    {}, optional={"writes": st.booleans(), "unsafe": st.booleans(), "description": st.just("x")}
).filter(bool)
_overrides = st.dictionaries(st.sampled_from([*TOOLS, "t", "read_file", "nothing"]), _fields, max_size=2)


@st.composite
def any_workspace(draw: st.DrawFn) -> Declarations:
    """Skills that include anything, themselves too; names may be missing, repeated or ambiguous."""
    builder = Builder()
    for name in draw(st.lists(st.sampled_from(TOOLS[:3]), max_size=4)):
        builder.tool(name, writes=draw(st.booleans()))
    for name in draw(st.lists(st.sampled_from(SKILLS[:-1]), max_size=7)):
        builder.skill(
            name,
            draw(st.lists(st.sampled_from(TOOLS), max_size=3)),
            draw(st.lists(st.tuples(st.sampled_from(SKILLS), _overrides), max_size=3)),
            draw(_overrides),
            draw(st.sampled_from([None, True])),
        )
    given = draw(st.lists(st.sampled_from(SKILLS), max_size=3))
    builder.declarations.actors = [builder.actor("local/bot", given)]
    return builder.declarations


@given(any_workspace())
@settings(max_examples=150, deadline=None)
def test_every_question_has_an_answer(declarations: Declarations) -> None:
    catalogue = Catalogue(declarations)
    findings = catalogue.diagnostics()
    assert findings == sorted(findings, key=lambda found: found.sort_key())
    assert len({(found.code, found.place, found.message) for found in findings}) == len(findings)
    for row in catalogue.skills():
        flat = catalogue.flatten(row.name)
        assert (len(flat.records), len(flat.definitions)) == (row.tools, row.tools)
        assert bool(flat.errors) == (flat.status is not SkillStatus.RESOLVED)
        assert flat.metadata.capability_summary == row.summary
        assert [record.name for record in flat.records] == list(dict.fromkeys(record.name for record in flat.records))
        for record in flat.records:
            why = catalogue.why(row.name, record.name)
            assert why.path_count >= len(why.paths) > 0
            assert why.paths[0][0] == row.name
        around = catalogue.graph(row.name, 1)
        assert row.name in {node.name for node in around.nodes}
        file = catalogue.file(row.name)
        assert file is not None
        SkillDefinition(skill=file.model, resolved_tools=list(flat.records), metadata=flat.metadata)
    actor = catalogue.actor("local/bot")
    assert len({record.name for record in actor.records}) == len(actor.records)
    graph = catalogue.graph()
    assert bool(graph.cycles) == any(edge.in_cycle for edge in graph.edges) == bool(graph.suggested_cut)
    for text in (to_text(graph), to_mermaid(graph), to_dot(graph)):
        assert text.endswith("\n") or not text


@given(any_workspace())
@settings(max_examples=100, deadline=None)
def test_a_skill_that_does_not_resolve_has_an_error_somewhere(declarations: Declarations) -> None:
    catalogue = Catalogue(declarations)
    broken = [row.name for row in catalogue.skills() if row.status is not SkillStatus.RESOLVED]
    errors = [found for found in catalogue.diagnostics() if found.severity is Severity.ERROR]
    assert errors or not broken
