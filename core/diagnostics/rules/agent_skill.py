"""Rules of SKILL.md: its frontmatter and its name (agentskills.io; design: language, part 6)."""

from __future__ import annotations

from core.diagnostics.examples import BODY, DESCRIPTION, agent_skill
from core.diagnostics.types import Rule, Severity

_FRONT = f"name: release-notes\ndescription: {DESCRIPTION}\n"


def _file(text: str) -> dict[str, str]:
    return {"release-notes/SKILL.md": text}


FRONTMATTER_MISSING = Rule(
    "agent-skill/frontmatter-missing",
    Severity.ERROR,
    "SKILL.md does not begin with a line of three hyphens.",
    "Name and description live between two such lines at the top of the file; without them no client finds the "
    "skill. A longer line (`----`) or one with a language tag (`---js`) does not count.",
    wrong=_file(f"----\n{_FRONT}----\n\n{BODY}"),
    right=agent_skill(),
)
FRONTMATTER_LEADING_CONTENT = Rule(
    "agent-skill/frontmatter-leading-content",
    Severity.ERROR,
    "Something stands before the frontmatter.",
    "A blank line, a comment or a heading above the first `---` makes most clients see a file without frontmatter. "
    "Move it below the second `---`, or delete it.",
    wrong=_file(f"<!-- generated -->\n---\n{_FRONT}---\n\n{BODY}"),
    right=agent_skill(body=f"<!-- generated -->\n\n{BODY}"),
)
FRONTMATTER_UNCLOSED = Rule(
    "agent-skill/frontmatter-unclosed",
    Severity.ERROR,
    "The frontmatter has no second `---` line.",
    "The closing line holds three hyphens at column 1 and nothing else; `...` or `---END` do not close it, and "
    "the whole file is then taken for metadata.",
    wrong=_file(f"---\n{_FRONT}...\n\n{BODY}"),
    right=agent_skill(),
)
FRONTMATTER_FENCE_WHITESPACE = Rule(
    "agent-skill/frontmatter-fence-whitespace",
    Severity.WARNING,
    "Blanks follow the hyphens of a frontmatter line.",
    "Some clients compare the line exactly and drop the skill without a word. Remove the blanks.",
    wrong=_file(f"--- \n{_FRONT}---\n\n{BODY}"),
    right=agent_skill(),
)
FRONTMATTER_NOT_MAPPING = Rule(
    "agent-skill/frontmatter-not-mapping",
    Severity.ERROR,
    "The frontmatter is a list or a single value instead of `key: value` lines.",
    "Nothing in it can be told apart, so neither name nor description is known and clients skip the skill. Write "
    "one `key: value` line for each.",
    wrong=_file(f"---\n- release-notes\n- writes release notes\n---\n\n{BODY}"),
    right=agent_skill(),
)
NAME_MISSING = Rule(
    "agent-skill/name-missing",
    Severity.ERROR,
    "The frontmatter has no `name`.",
    "The name is the skill's identity; clients that need it skip the folder, often without a word. Write `name:` "
    "with the name of the folder.",
    wrong=agent_skill(name=None),
    right=agent_skill(),
)
NAME_EMPTY = Rule(
    "agent-skill/name-empty",
    Severity.ERROR,
    "`name` has no value.",
    "An empty name (also `null`, `~` or blanks) identifies nothing: some clients skip the skill, others fall back "
    "to the folder's name. Write the folder's name there.",
    wrong=agent_skill(name='""'),
    right=agent_skill(),
)
NAME_TYPE = Rule(
    "agent-skill/name-type",
    Severity.ERROR,
    "`name` is a number, a boolean, a list or a mapping.",
    "Typed clients refuse it and some crash on it. Quote what is meant as text; an unfilled `{placeholder}` is a "
    "mapping in YAML.",
    wrong=agent_skill(name="2024", folder="2024"),
    right=agent_skill(name='"2024"', folder="2024"),
)
NAME_TOO_LONG = Rule(
    "agent-skill/name-too-long",
    Severity.ERROR,
    "`name` has more than 64 characters.",
    "The format allows 1 to 64 characters, counted after Unicode normalisation (NFKC); clients refuse or skip a "
    "longer one. Shorten it, and the folder's name with it.",
    wrong=agent_skill(name="n" * 65, folder="n" * 65),
    right=agent_skill(name="n" * 64, folder="n" * 64),
)
NAME_CHARSET = Rule(
    "agent-skill/name-charset",
    Severity.ERROR,
    "`name` holds something other than lower-case letters, digits and hyphens.",
    "Clients use the name as a command and as a folder; upper case, blanks, `_`, `:`, `.` and `/` are refused.",
    wrong=agent_skill(name="release_notes", folder="release_notes"),
    right=agent_skill(),
)
NAME_EDGE_HYPHEN = Rule(
    "agent-skill/name-edge-hyphen",
    Severity.ERROR,
    "`name` begins or ends with a hyphen.",
    "Hyphens only separate words, so one at an end stands for a missing word; the format's validator and upload "
    "checks refuse such a name. Remove it from the name and from the folder.",
    wrong=agent_skill(name="release-", folder="release-"),
    right=agent_skill(name="release", folder="release"),
)
NAME_DOUBLE_HYPHEN = Rule(
    "agent-skill/name-double-hyphen",
    Severity.ERROR,
    "`name` holds two hyphens in a row.",
    "One hyphen separates two words; two in a row are mostly a slip, and the format's validator refuses them. "
    "Keep one, in the name and in the folder's name.",
    wrong=agent_skill(name="release--notes", folder="release--notes"),
    right=agent_skill(),
)
NAME_DIR_MISMATCH = Rule(
    "agent-skill/name-dir-mismatch",
    Severity.ERROR,
    "`name` differs from the name of the skill's folder.",
    "The two are one identity: a client lists the skill under one and looks for it under the other. The comparison "
    "minds case and ignores how accents are composed. Rename the folder or change the name.",
    wrong=agent_skill(folder="notes"),
    right=agent_skill(),
)
NAME_NON_ASCII = Rule(
    "agent-skill/name-non-ascii",
    Severity.WARNING,
    "`name` has letters outside a-z and 0-9.",
    "The format's reference code accepts letters of every script, many clients do not.",
    wrong=agent_skill(name="notizen-für-alle", folder="notizen-für-alle"),
    right=agent_skill(),
)
NAME_NOT_NORMALIZED = Rule(
    "agent-skill/name-not-normalized",
    Severity.WARNING,
    "`name` is written with compatibility characters, such as full-width letters.",
    "They look alike and become other characters under NFKC; clients that do not normalise see another name.",
    wrong=agent_skill(name="release-\uff4eotes"),
    right=agent_skill(),
)
NAME_WHITESPACE = Rule(
    "agent-skill/name-whitespace",
    Severity.WARNING,
    "Blanks surround the name.",
    "The reference code strips them, other clients take them as part of the name.",
    wrong=agent_skill(name='" release-notes"'),
    right=agent_skill(),
)
NAME_RESERVED = Rule(
    "agent-skill/name-reserved",
    Severity.INFO,
    "`name` holds `claude` or `anthropic`.",
    "Anthropic's platform refuses such names on upload; other clients do not mind.",
    wrong=agent_skill(name="claude-notes", folder="claude-notes"),
    right=agent_skill(),
)
