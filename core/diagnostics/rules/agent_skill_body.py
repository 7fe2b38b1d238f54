"""Rules of SKILL.md: body, links, characters that hide, and the folders around it (design: language, part 6)."""

from __future__ import annotations

from core.diagnostics.examples import agent_skill
from core.diagnostics.types import Rule, Severity

_GUIDE = {"release-notes/references/style.md": "Short sentences.\n"}

BODY_EMPTY = Rule(
    "agent-skill/body-empty",
    Severity.WARNING,
    "Nothing follows the frontmatter.",
    "The body holds the instructions that a model is given when it uses the skill; without it the skill only has "
    "a name. Write the steps there.",
    wrong=agent_skill(body=""),
    right=agent_skill(),
)
BODY_LINES = Rule(
    "agent-skill/body-lines",
    Severity.WARNING,
    "The body has more than 500 lines.",
    "All of it is loaded whenever the skill is used. Move details into files under `references/`.",
    wrong=agent_skill(body="Collect.\n" * 501),
    right=agent_skill(body="Collect.\n" * 500),
)
BODY_TOKENS = Rule(
    "agent-skill/body-tokens",
    Severity.WARNING,
    "The body has more than about 5,000 tokens.",
    "Estimated as a token for four characters. All of it is loaded whenever the skill is used; move details into "
    "files under `references/`.",
    wrong=agent_skill(body="Collect the changes of one week. " * 700),
    right=agent_skill(body="Collect the changes of one week. " * 600),
)
LINK_BROKEN = Rule(
    "agent-skill/link-broken",
    Severity.WARNING,
    "A relative link points at nothing in the skill's folder.",
    "A model that follows it finds no file. Links start at the folder of SKILL.md and mind case.",
    wrong=agent_skill(body="Keep to [the style](references/Style.md).\n") | _GUIDE,
    right=agent_skill(body="Keep to [the style](references/style.md).\n") | _GUIDE,
)
LINK_ESCAPES = Rule(
    "agent-skill/link-escapes",
    Severity.WARNING,
    "A link leaves the skill's folder.",
    "Only the folder is installed, so the target is missing elsewhere; what lies outside is never read here. "
    "Symbolic links count as where they lead to.",
    wrong=agent_skill(body="Keep to [the style](../style.md).\n"),
    right=agent_skill(body="Keep to [the style](references/style.md).\n") | _GUIDE,
)
LINK_DEPTH = Rule(
    "agent-skill/link-depth",
    Severity.INFO,
    "A link goes more than one folder deep.",
    "The format advises files at most one level below SKILL.md: models may read deeper ones only in part.",
    wrong=agent_skill(body="Keep to [the style](references/en/style.md).\n")
    | {"release-notes/references/en/style.md": "Short sentences.\n"},
    right=agent_skill(body="Keep to [the style](references/style.md).\n") | _GUIDE,
)
TEXT_CONTROL_CHARS = Rule(
    "agent-skill/text-control-chars",
    Severity.WARNING,
    "SKILL.md holds control characters.",
    "They can clear or rewrite a terminal that shows the file. In the frontmatter YAML forbids them, which makes "
    "it an error there.",
    wrong=agent_skill(body="Collect.\x1b[2J\n"),
    right=agent_skill(),
)
TEXT_INVISIBLE = Rule(
    "agent-skill/text-invisible",
    Severity.WARNING,
    "SKILL.md holds characters that nobody sees.",
    "Bidirectional controls reorder what is shown; zero-width and tag characters carry text that a model reads and "
    "a reviewer does not. Joiners inside emoji and inside words of scripts that need them are fine.",
    wrong=agent_skill(body="Collect\u200b the changes.\n"),
    right=agent_skill(body="Collect the changes \U0001f468\u200d\U0001f469\u200d\U0001f467.\n"),
)
TEXT_HIDDEN = Rule(
    "agent-skill/text-hidden",
    Severity.INFO,
    "A passage of the body is left out when the file is rendered.",
    "HTML comments and hidden elements reach the model and not the reader of the rendered page. Read them before "
    "trusting the skill.",
    wrong=agent_skill(body="<!-- Send the changes to the archive first. -->\n\nCollect the changes.\n"),
    right=agent_skill(body="Send the changes to the archive first.\n\nCollect the changes.\n"),
)
DISCOVERY_TRUNCATED = Rule(
    "agent-skill/discovery-truncated",
    Severity.INFO,
    "A skill's folder holds more than is listed.",
    "At most 1,000 files below `scripts/`, `references/` and `assets/` are listed, at most 16 folders deep.",
    wrong=agent_skill() | {f"release-notes/{'references/' + 'deep/' * 16}style.md": "Short sentences.\n"},
    right=agent_skill() | _GUIDE,
)
DISCOVERY_NESTED = Rule(
    "agent-skill/discovery-nested",
    Severity.INFO,
    "A skill lies inside the folder of another skill.",
    "Some clients list it as a skill of its own, others take it for a resource. Move it beside the outer skill.",
    wrong=agent_skill() | agent_skill(name="drafts", folder="release-notes/drafts"),
    right=agent_skill() | agent_skill(name="drafts", folder="drafts"),
)
DISCOVERY_DUPLICATE_NAME = Rule(
    "agent-skill/discovery-duplicate-name",
    Severity.WARNING,
    "Two different skills share a name.",
    "A client keeps one of them, and which one depends on the client, so people work with different instructions "
    "without knowing. Rename one, with its folder.",
    wrong=agent_skill(folder="docs/release-notes") | agent_skill(folder="tools/release-notes"),
    right=agent_skill(folder="docs/release-notes") | agent_skill(name="changes", folder="tools/changes"),
)
