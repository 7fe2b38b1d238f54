"""Faults of actor files, as far as skills go (design: language, part 7; ADR-030, Constraints)."""

from core.diagnostics.types import Rule, Severity

_SKILL = {"skills/greeter.yaml": "name: local/greeter\ndescription: Greets people.\ntools: [builtin/read_file]\n"}


def _actor(text: str) -> dict[str, str]:
    return {**_SKILL, "actors/host.yaml": text}


_RIGHT = _actor("name: local/host\nskills: [local/greeter]\n")

NAME = Rule(
    "actor/name",
    Severity.ERROR,
    "An actor file has no usable name.",
    "An actor is found by its name, which is of the form namespace/short_name; without one nothing can be run as "
    "it. The keys of an `actors:` map need no namespace.",
    wrong=_actor("name: host\nskills: [local/greeter]\n"),
    right=_RIGHT,
)
MISSPELT_KEY = Rule(
    "actor/misspelt-key",
    Severity.ERROR,
    "A key with names of skills is not called `skills`.",
    "Keys that are not known belong to other programs and are passed over, so the actor gets none of the skills.",
    wrong=_actor("name: local/host\nskils: [local/greeter]\n"),
    right=_RIGHT,
)
WRONG_TYPE = Rule(
    "actor/wrong-type",
    Severity.ERROR,
    "What an actor file says of skills is of the wrong kind.",
    "`skills` is a list of names, and a map of actors has a mapping for each of them.",
    wrong=_actor("name: local/host\nskills: local/greeter\n"),
    right=_RIGHT,
)
WILDCARD = Rule(
    "actor/wildcard",
    Severity.ERROR,
    "An actor names skills by a pattern.",
    "A pattern would silently take in skills that are added later. Name each skill in full.",
    wrong=_actor('name: local/host\nskills: ["local/*"]\n'),
    right=_RIGHT,
)
UNQUALIFIED_SKILL = Rule(
    "actor/unqualified-skill",
    Severity.ERROR,
    "An actor does not name a skill in full.",
    "Skills are found by their whole name, namespace/short_name, so that two of the same short name can stand "
    "side by side. Write the namespace too.",
    wrong=_actor("name: local/host\nskills: [greeter]\n"),
    right=_RIGHT,
)
DIRECT_TOOL = Rule(
    "actor/direct-tool",
    Severity.ERROR,
    "An actor names a tool, an MCP server or an Agent Skill itself.",
    "Skills are the only way to tools: put the tool into a skill and give the actor that skill.",
    wrong=_actor("name: local/host\nskills: [local/greeter]\ntools: [builtin/read_file]\n"),
    right=_RIGHT,
)
INLINE_SKILL = Rule(
    "actor/inline-skill",
    Severity.ERROR,
    "A skill is written inside an actor file.",
    "A skill stands in a file of its own, so that others can use it. Move it there and name it here.",
    wrong=_actor("name: local/host\nskills:\n  - name: local/greeter\n    tools: [builtin/read_file]\n"),
    right=_RIGHT,
)
DUPLICATE_SKILL = Rule(
    "actor/duplicate-skill",
    Severity.WARNING,
    "An actor names the same skill twice.",
    "The second entry adds nothing, as the set of tools holds each of them once. Delete it, so that nobody looks "
    "for a difference.",
    wrong=_actor("name: local/host\nskills:\n  - local/greeter\n  - local/greeter\n"),
    right=_RIGHT,
)
