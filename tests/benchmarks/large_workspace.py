"""A workspace of very many skills on disk: the same arguments give the same bytes."""

from __future__ import annotations

import random
from pathlib import Path

VERBS = [
    "read",
    "write",
    "list",
    "search",
    "fetch",
    "build",
    "deploy",
    "lint",
    "format",
    "test",
    "sync",
    "merge",
    "diff",
    "patch",
    "tag",
    "query",
]
NOUNS = [
    "file",
    "repo",
    "branch",
    "issue",
    "pipeline",
    "cluster",
    "secret",
    "table",
    "bucket",
    "topic",
    "queue",
    "schema",
    "report",
    "invoice",
]
INLINE = """\
  - name: {name}
    description: {verb} the {noun} number {number} and say in a line or two what came of it.
    source: custom
    code: |
      def run({noun}, limit=10):
          found = [line for line in open({noun}).read().splitlines() if line.strip()]
          return {{"lines": found[:limit], "total": len(found)}}
    input_schema:
      type: object
      properties:
        {noun}: {{type: string, description: "The {noun} to {verb}."}}
        limit: {{type: integer, minimum: 1, maximum: 100, default: 10}}
        mode:
          type: string
          enum: [fast, exact, careful]
      required: [{noun}]
      additionalProperties: false
    capability:
      read_only: {reads}
      writes: {writes}
      side_effects: []
    timeout: 30   # seconds
"""
TOOL_FILE = """\
name: {name}
description: {verb} the {noun} number {number} of the catalogue.
source: custom
code: |
  def run({noun}):
      return {noun}
input_schema:
  type: object
  properties:
    {noun}: {{type: string, description: "The {noun} to {verb}."}}
  required: [{noun}]
capability:
  read_only: true
"""


def write_workspace(root: Path, skills: int, *, files: int = 700, fan: int = 2, inline: int = 3) -> Path:
    """Write ``skills`` skills of ten tools, ``inline`` of them inline, and ``files`` tool files."""
    chance = random.Random(skills)
    (root / "skills").mkdir(parents=True)
    (root / "tools").mkdir()
    names = [f"local/{chance.choice(VERBS)}-{chance.choice(NOUNS)}-{number}" for number in range(files)]
    for number, name in enumerate(names):
        text = TOOL_FILE.format(name=name, number=number, verb=chance.choice(VERBS), noun=chance.choice(NOUNS))
        (root / f"tools/{number}.yaml").write_text(text, encoding="utf-8")
    for number in range(skills):
        (root / f"skills/{number}.yaml").write_text(
            _skill(number, skills, names, fan, chance, inline), encoding="utf-8"
        )
    return root


def _skill(number: int, skills: int, names: list[str], fan: int, chance: random.Random, inline: int) -> str:
    later = range(number + 1, min(number + 400, skills))
    lines = [f"name: {skill_name(number)}", f"description: Skill number {number}.", f"version: 1.0.{number}"]
    if later and fan:
        lines += ["includes:", *[f"  - {skill_name(n)}" for n in sorted(chance.sample(later, min(fan, len(later))))]]
    lines += ["tools:", *[f"  - {name}" for name in chance.sample(names, 10 - inline)]]
    text = "\n".join(lines) + "\n"
    for index in range(inline):
        verb, noun, writes = chance.choice(VERBS), chance.choice(NOUNS), chance.random() < 0.3
        flags = {"reads": str(not writes).lower(), "writes": str(writes).lower()}
        text += INLINE.format(name=f"{verb}-{noun}-{number}-{index}", verb=verb, noun=noun, number=number, **flags)
    return text


def skill_name(number: int) -> str:
    """Return the name of the skill with this number."""
    return f"local/{VERBS[number % len(VERBS)]}-{NOUNS[number // len(VERBS) % len(NOUNS)]}-{number}"
