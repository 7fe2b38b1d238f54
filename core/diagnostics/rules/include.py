"""Faults of includes between skills (design: resolution, part 2; ADR-030, Constraints)."""

from core.diagnostics.types import Rule, Severity

_LEAF = "name: local/leaf\ndescription: Reads files.\ntools: [builtin/read_file]\n"
_BRANCH = "name: local/branch\ndescription: Reads files and history.\nbuiltin_groups: [git_operations]\n"


def _skills(**texts: str) -> dict[str, str]:
    return {f"skills/{name}.yaml": text for name, text in texts.items()}


def _tree(includes: str) -> str:
    return f"name: local/tree\ndescription: Puts the others together.\nincludes: {includes}\n"


_RIGHT = _skills(leaf=_LEAF, tree=_tree("[local/leaf]"))

CYCLE = Rule(
    "include/cycle",
    Severity.ERROR,
    "Skills include each other in a circle.",
    "None of them has a finite set of tools, so none of them resolves, and neither does what includes them. "
    "Remove one of the includes of the circle; where several circles share an include, removing that one breaks "
    "them all. The one that is proposed goes by `check --fix --select include/cycle`; a plain `--fix` leaves "
    "circles alone, as which include to give up is a decision.",
    wrong=_skills(leaf=_LEAF + "includes: [local/tree]\n", tree=_tree("[local/leaf]")),
    right=_RIGHT,
)
MISSING = Rule(
    "include/missing",
    Severity.ERROR,
    "A skill includes one that no file defines.",
    "The skill resolves only in part: its own tools and the other includes are there, what the missing one would bring "
    "is not. Correct the name, or write the missing skill.",
    wrong=_skills(leaf=_LEAF, tree=_tree("[local/laef]")),
    right=_RIGHT,
    remedy="correct the name, or write the skill",
)
DUPLICATE = Rule(
    "include/duplicate",
    Severity.WARNING,
    "A skill includes the same skill twice.",
    "The second include adds nothing, and if the two carry different overrides their tools take the more cautious "
    "value of each flag. Keep one of them.",
    wrong=_skills(leaf=_LEAF, tree=_tree("[local/leaf, local/leaf]")),
    right=_RIGHT,
)
REDUNDANT = Rule(
    "include/redundant",
    Severity.INFO,
    "A skill includes another that one of its other includes brings already.",
    "The set of tools and all their flags stay the same without it. It may be kept on purpose, to say what the skill "
    "is about.",
    wrong=_skills(leaf=_LEAF, branch=_BRANCH + "includes: [local/leaf]\n", tree=_tree("[local/branch, local/leaf]")),
    right=_skills(leaf=_LEAF, branch=_BRANCH + "includes: [local/leaf]\n", tree=_tree("[local/branch]")),
)
