"""Rules of SKILL.md: description, optional fields and keys of clients (agentskills.io; design: language, part 6)."""

from __future__ import annotations

from core.diagnostics.examples import agent_skill
from core.diagnostics.types import Rule, Severity

DESCRIPTION_MISSING = Rule(
    "agent-skill/description-missing",
    Severity.ERROR,
    "The frontmatter has no `description`.",
    "A model decides from the description alone whether to open the skill; clients skip a skill without one.",
    wrong=agent_skill(description=None),
    right=agent_skill(),
)
DESCRIPTION_EMPTY = Rule(
    "agent-skill/description-empty",
    Severity.ERROR,
    "`description` has no value.",
    "An empty, blank or null description tells nobody when to use the skill. A value that begins with ` #` is a "
    "comment: quote it.",
    wrong=agent_skill(description='""'),
    right=agent_skill(),
)
DESCRIPTION_TYPE = Rule(
    "agent-skill/description-type",
    Severity.ERROR,
    "`description` is a number, a boolean, a list or a mapping.",
    "Only text is allowed, as clients show it to a model as it is. Join a list to sentences, and put a number or "
    "a yes in quotes.",
    wrong=agent_skill("  - Writes release notes.", "  - Use before each release.", description=""),
    right=agent_skill(),
)
DESCRIPTION_TOO_LONG = Rule(
    "agent-skill/description-too-long",
    Severity.ERROR,
    "`description` has more than 1,024 characters.",
    "Some clients drop the skill then. Characters are code points; blanks at both ends do not count.",
    wrong=agent_skill(description="Release notes. " + "n" * 1010),
    right=agent_skill(description="Release notes. " + "n" * 1009),
)
DESCRIPTION_ANGLE_BRACKETS = Rule(
    "agent-skill/description-angle-brackets",
    Severity.WARNING,
    "`description` holds `<` or `>`.",
    "Claude refuses the upload of such a skill, because the description stands inside tags in its prompt.",
    wrong=agent_skill(description="Writes release notes for <project> before each release."),
    right=agent_skill(description="Writes release notes for a project before each release."),
)
DESCRIPTION_SHORT = Rule(
    "agent-skill/description-short",
    Severity.INFO,
    "`description` has fewer than 20 characters.",
    "It should say what the skill does and when to use it, in words that a request would hold.",
    wrong=agent_skill(description="Release notes."),
    right=agent_skill(),
)
COMPATIBILITY_TYPE = Rule(
    "agent-skill/compatibility-type",
    Severity.ERROR,
    "`compatibility` is not text.",
    "The format takes one sentence of at most 500 characters, not a list or a mapping.",
    wrong=agent_skill("compatibility: [git, python]"),
    right=agent_skill("compatibility: Needs git and Python 3.11."),
)
COMPATIBILITY_EMPTY = Rule(
    "agent-skill/compatibility-empty",
    Severity.ERROR,
    "`compatibility` has no value.",
    "The format asks for 1 to 500 characters where the key is given. Leave the key out if there is nothing to say.",
    wrong=agent_skill('compatibility: ""'),
    right=agent_skill(),
)
COMPATIBILITY_TOO_LONG = Rule(
    "agent-skill/compatibility-too-long",
    Severity.ERROR,
    "`compatibility` has more than 500 characters.",
    "It only names what the skill needs to work (a client, a program, access to the network); the details belong "
    "into the body, which is read when the skill is used.",
    wrong=agent_skill("compatibility: " + "n" * 501),
    right=agent_skill("compatibility: " + "n" * 500),
)
LICENSE_TYPE = Rule(
    "agent-skill/license-type",
    Severity.WARNING,
    "`license` is not text.",
    "It is the name of a licence or of a bundled file, and clients show it as text. Put a number in quotes; write "
    "one licence, not a list.",
    wrong=agent_skill("license: 2.0"),
    right=agent_skill("license: Apache-2.0"),
)
METADATA_TYPE = Rule(
    "agent-skill/metadata-type",
    Severity.ERROR,
    "`metadata` is not a mapping.",
    "It maps keys to texts, and clients that read it expect nothing else. Write indented `key: value` lines below "
    "it, or delete it.",
    wrong=agent_skill("metadata:", "  - owner", "  - docs"),
    right=agent_skill("metadata:", "  owner: docs"),
)
METADATA_VALUE_TYPE = Rule(
    "agent-skill/metadata-value-type",
    Severity.WARNING,
    "A value of `metadata` is not text.",
    "Strict clients refuse lists, mappings, numbers, booleans and empty values there; `1.10` as a number is 1.1.",
    wrong=agent_skill("metadata:", "  release: 1.10"),
    right=agent_skill("metadata:", '  release: "1.10"'),
)
ALLOWED_TOOLS_TYPE = Rule(
    "agent-skill/allowed-tools-type",
    Severity.WARNING,
    "`allowed-tools` is not text.",
    "The format takes tool names separated by blanks; some clients read a list as well, others ignore it, and "
    "then nothing is restricted or allowed.",
    wrong=agent_skill("allowed-tools:", "  - Read", "  - Grep"),
    right=agent_skill("allowed-tools: Read Grep"),
)
ALLOWED_TOOLS_COMMA = Rule(
    "agent-skill/allowed-tools-comma",
    Severity.WARNING,
    "`allowed-tools` is separated by commas.",
    "Blanks separate the names; a client that splits at blanks looks for a tool called `Read,`.",
    wrong=agent_skill("allowed-tools: Read, Grep"),
    right=agent_skill("allowed-tools: Read Grep"),
)
FIELD_UNKNOWN = Rule(
    "agent-skill/field-unknown",
    Severity.WARNING,
    "A key that neither the format nor a known client has.",
    "The reference validator refuses it, other clients ignore it; often it is a misspelt key. Facts of your own "
    "belong under `metadata`.",
    wrong=agent_skill("colour: amber"),
    right=agent_skill("metadata:", "  colour: amber"),
)
FIELD_EXTENSION = Rule(
    "agent-skill/field-extension",
    Severity.INFO,
    "A key of one client, not of the format.",
    "Claude Code, VS Code and others add keys of their own; the rest ignore them, and the reference validator "
    "refuses them.",
    wrong=agent_skill("user-invocable: false"),
    right=agent_skill(),
)
EXTENSION_TYPE = Rule(
    "agent-skill/extension-type",
    Severity.WARNING,
    "The value of a client's key has the wrong type.",
    'A list where text is due makes that client refuse the skill; a quoted `"false"` counts as true in some.',
    wrong=agent_skill("argument-hint: [version]"),
    right=agent_skill('argument-hint: "[version]"'),
)
