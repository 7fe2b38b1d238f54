"""What resolution costs at 10,000 skills: CPU time, beside the least work that could give the same (quality, 1)."""

from __future__ import annotations

import gc
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator

import pytest

from core.diagnostics import Place
from core.language.declarations import (
    Declarations,
    IncludeDecl,
    OverrideDecl,
    SkillFile,
    ToolDecl,
    ToolFile,
    ToolRefDecl,
)
from core.language.tree import SourceText, pack
from core.model import CustomTool, Skill, ToolCapability, ToolSource
from core.resolve.analysis import Analysis
from core.resolve.catalogue import Catalogue
from core.resolve.layout import draw
from core.resolve.structure import Structure
from core.resolve.views import GraphEdge, GraphNode, IncludeGraph, SkillStatus

pytestmark = pytest.mark.benchmark
SKILLS, TOOLS, FAN, OWN = 10_000, 50_000, 5, 10
ROUNDS = 5
FLATTEN_P95_S, FLATTEN_FLOORS = 0.050, 4
SUMMARY_FLOORS = 12
MOST_MEMORY = 150 * 1024 * 1024
LAYOUT_S = 0.5
AT_ONCE_S = 2.0
SPAN = pack(1, 5)
TEXT = "x" * 80


def cpu_s(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def median_s(work: Callable[[], object]) -> float:
    return statistics.median(cpu_s(work) for _ in range(ROUNDS))


def skill(name: str, tools: list[str], includes: list[tuple[str, str | None]]) -> SkillFile:
    return SkillFile(
        name,
        SourceText(f"skills/{name[6:]}.yaml", TEXT),
        SPAN,
        Skill(name=name, description="D."),
        tuple(IncludeDecl(other, SPAN, _careful(tool), SPAN) for other, tool in includes),
        (),
        tuple(ToolRefDecl(tool, SPAN) for tool in tools),
    )


def _careful(tool: str | None) -> tuple[OverrideDecl, ...]:
    return (OverrideDecl(tool, SPAN, {"human_approval_required": True}),) if tool else ()


def tool_file(name: str, writes: bool) -> ToolFile:
    capability = ToolCapability(writes=True) if writes else ToolCapability(read_only=True)
    model = CustomTool(name=name, description="D.", source=ToolSource.CUSTOM, code="x", capability=capability)
    return ToolFile(SourceText(f"tools/{name[6:]}.yaml", TEXT), ToolDecl(name, SPAN, model, capability))


@pytest.fixture(scope="module")
def dense() -> Iterator[Declarations]:
    """10,000 skills of 10 tools; each includes five later ones, one include in fifty with an override."""
    chance = random.Random(1)
    declarations = Declarations()
    declarations.tools = [tool_file(f"local/t{n}", chance.random() < 0.3) for n in range(TOOLS)]
    own = [[f"local/t{chance.randrange(TOOLS)}" for _ in range(OWN)] for _ in range(SKILLS)]
    for number in range(SKILLS):
        later = range(number + 1, SKILLS)
        chosen = sorted(chance.sample(later, min(FAN, len(later))))
        includes = [(f"local/s{n}", chance.choice(own[n]) if chance.random() < 0.02 else None) for n in chosen]
        declarations.skills.append(skill(f"local/s{number}", own[number], includes))
    gc.collect()
    gc.freeze()
    yield declarations
    gc.unfreeze()


@pytest.mark.large
def test_flattening_one_skill_costs_little_more_than_walking_its_includes(dense: Declarations) -> None:
    catalogue = Catalogue(dense)
    rows = sorted(catalogue.skills(), key=lambda row: -row.tools)
    asked = [row.name for row in (*rows[:10], *random.Random(2).sample(rows, 90))]
    catalogue._flatten(asked[0]).records[0]
    costs, floors = [], []
    structure = catalogue._structure
    for name in asked:
        number = structure.index.skills[name][0]
        costs.append(cpu_s(lambda name=name: catalogue._flatten(name).records[0]))  # type: ignore[misc]
        floors.append(cpu_s(lambda number=number: bare_walk(structure, number)))  # type: ignore[misc]
    p95 = sorted(costs)[94]
    ratio = sum(costs) / sum(floors)
    print(f"flatten: p95 {p95 * 1000:.1f} ms, biggest {rows[0].tools:,} tools, {ratio:.1f} times a bare walk")
    assert p95 <= FLATTEN_P95_S
    assert ratio <= FLATTEN_FLOORS


def bare_walk(structure: Structure, number: int) -> dict[int, None]:
    seen, stack, found = {number}, [number], {}
    while stack:
        at = stack.pop()
        found.update(structure.listings[at].tools)
        for child in structure.children[at]:
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return found


@pytest.mark.large
def test_counts_and_findings_of_all_skills_cost_a_few_passes_over_bits(dense: Declarations) -> None:
    structure = Structure(dense, {})
    floor = median_s(lambda: bare_pass(structure))
    cost = median_s(lambda: Analysis.of(structure))
    print(f"analysis: {cost * 1000:.0f} ms, {cost / floor:.1f} times one bare pass ({floor * 1000:.0f} ms)")
    assert cost <= SUMMARY_FLOORS * floor


def bare_pass(structure: Structure) -> list[int]:
    sets = [0] * len(structure.files)
    counts = []
    waiting = [len(parents) for parents in structure.parents]
    for number in structure.order:
        row = bytearray(len(structure.table.tools) // 8 + 1)
        for tool in structure.listings[number].tools:
            row[tool >> 3] |= 1 << (tool & 7)
        bits = int.from_bytes(row, "little")
        for child in structure.children[number]:
            bits |= sets[child]
            waiting[child] -= 1
            if not waiting[child]:
                sets[child] = 0
        sets[number] = bits
        counts.append(bits.bit_count())
    return counts


@pytest.mark.large
def test_what_is_kept_of_all_skills_is_small(dense: Declarations) -> None:
    structure = Structure(dense, {})
    gc.collect()
    tracemalloc.start()
    analysis = Analysis.of(structure)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    kept_mb, peak_mb = kept / 2**20, peak / 2**20
    print(f"analysis: {kept_mb:.0f} MB kept, {peak_mb:.0f} MB at most, {len(analysis.membership.present):,} skills")
    assert peak <= MOST_MEMORY


def graph(edges: list[tuple[str, str]]) -> IncludeGraph:
    names = dict.fromkeys(name for edge in edges for name in edge)
    nodes = tuple(GraphNode(name, None, SkillStatus.RESOLVED) for name in names)
    return IncludeGraph(nodes, tuple(GraphEdge(*edge, Place("s.yaml")) for edge in edges))


@pytest.mark.parametrize("fan", [2, 5])
def test_a_thousand_nodes_are_laid_out_in_half_a_second(fan: int) -> None:
    chance = random.Random(3)
    edges = []
    for number in range(1_000):
        later = range(number + 1, min(number + 125, 1_000))
        edges += [(f"s{number}", f"s{n}") for n in sorted(chance.sample(later, min(fan, len(later))))]
    whole = graph(edges)
    cost = median_s(lambda: draw(whole))
    print(f"layout: 1,000 nodes and {len(edges):,} edges in {cost * 1000:.0f} ms")
    assert cost <= LAYOUT_S


SHAPES = {
    "complete digraph of 40": [(f"local/s{a}", f"local/s{b}") for a in range(40) for b in range(40) if a != b],
    "ring of 5,000": [(f"local/s{n}", f"local/s{(n + 1) % 5_000}") for n in range(5_000)],
    "chain of 5,000": [(f"local/s{n}", f"local/s{n + 1}") for n in range(5_000)],
    "lattice of 40 layers": [(f"local/s{n}-{a}", f"local/s{n + 1}-{b}") for n in range(39) for a in "ab" for b in "ab"],
    "layered ring of 50 x 50": [
        (f"local/s{n}-{a}", f"local/s{(n + 1) % 50}-{(a + step) % 50}")
        for n in range(50)
        for a in range(50)
        for step in (0, 1, 7)
    ],
}


@pytest.mark.parametrize("edges", SHAPES.values(), ids=SHAPES)
def test_hard_shapes_answer_at_once(edges: list[tuple[str, str]]) -> None:
    below: dict[str, list[tuple[str, str | None]]] = {name: [] for edge in edges for name in edge}
    for start, end in edges:
        below[start].append((end, None))
    declarations = Declarations(skills=[skill(name, [], includes) for name, includes in below.items()])

    def ask() -> None:
        catalogue = Catalogue(declarations)
        catalogue.diagnostics()
        catalogue.graph()
        catalogue.flatten(edges[0][0])

    cost = median_s(ask)
    print(f"{cost * 1000:.0f} ms")
    assert cost <= AT_ONCE_S
