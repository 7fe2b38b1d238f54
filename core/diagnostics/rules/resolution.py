"""Faults that show only when all files are seen together (design: resolution, parts 1 and 2)."""

from core.diagnostics.types import Rule, Severity

_READER = "name: local/reader\ndescription: Reads files.\ntools: [builtin/read_file]\n"
_BUILD = (
    "name: local/build\ndescription: Builds the project.\nsource: custom\ncode: return {}\ncapability: {writes: true}\n"
)
_MAKER = "name: local/maker\ndescription: Builds things.\ntools: [local/build]\n"
_GREET = "---\nname: greet\ndescription: Greets people when they arrive.\n---\n1. Say hello.\n"


def _skills(*texts: str) -> dict[str, str]:
    return {f"skills/{_short(text)}.yaml": text for text in texts}


def _short(text: str) -> str:
    return text.split("\n", 1)[0].rsplit("/", 1)[-1]


def _made(*texts: str) -> dict[str, str]:
    return {**_skills(*texts), "tools/build.yaml": _BUILD}


def _actor(skill: str) -> dict[str, str]:
    return {"actors/bot.yaml": f"name: local/bot\nskills: [{skill}]\n"}


DUPLICATE_SKILL = Rule(
    "skill/duplicate-name",
    Severity.ERROR,
    "Two files define a skill of the same name.",
    "Nobody can tell which of them an include or an actor means, so neither resolves. Rename one of them.",
    wrong={"skills/a.yaml": _READER, "skills/b.yaml": _READER},
    right={"skills/a.yaml": _READER, "skills/b.yaml": _READER.replace("local/reader", "local/other-reader")},
)
CASE_TWIN = Rule(
    "skill/case-twin",
    Severity.WARNING,
    "Two skills, or two tools, have names that differ only in upper and lower case.",
    "They are different things, but people mix them up, and on some systems their files can't stand side by side. "
    "Rename one of them.",
    wrong=_skills(_READER, _READER.replace("local/reader", "local/Reader")),
    right=_skills(_READER, _READER.replace("local/reader", "local/other-reader")),
)
AGENT_FOLDER_MISSING = Rule(
    "skill/agent-folder-missing",
    Severity.ERROR,
    "A skill names an Agent Skill folder that isn't there.",
    "An Agent Skill is a folder with a SKILL.md in it; without one there is nothing to offer. Correct the path, which "
    "starts at the root of the workspace.",
    wrong={**_skills(_READER + "agent_skill_folders: [agent_skills/greeet]\n"), "agent_skills/greet/SKILL.md": _GREET},
    right={**_skills(_READER + "agent_skill_folders: [agent_skills/greet]\n"), "agent_skills/greet/SKILL.md": _GREET},
    remedy="correct the path, or put a SKILL.md there",
)
READ_ONLY_BROKEN = Rule(
    "skill/read-only-broken",
    Severity.ERROR,
    "A skill claims to be read-only, but something in its set can write.",
    "The claim is about the whole flattened set, includes and servers too. Drop the claim, or drop what breaks it; "
    "calls of writing tools through the skill are refused meanwhile.",
    wrong=_made(_MAKER + "read_only: true\n"),
    right=_skills(_READER + "read_only: true\n"),
)
UNUSED = Rule(
    "skill/unused",
    Severity.INFO,
    "No skill includes this skill and no actor is given it.",
    "Where a workspace has actors, a skill does nothing until one of them gets it. Give it to an actor, include it, or "
    "delete it.",
    wrong={
        **_skills(_READER, "name: local/git\ndescription: G.\nbuiltin_groups: [git_operations]\n"),
        **_actor("local/git"),
    },
    right={**_skills(_READER), **_actor("local/reader")},
)
UNKNOWN_TOOL = Rule(
    "tool/unknown",
    Severity.ERROR,
    "A skill lists a tool that no file defines.",
    "The skill resolves only in part. Correct the name, or write the tool. Tools of MCP servers and Agent Skills are "
    "not listed under `tools`: they come with `mcp_servers` and `agent_skill_folders`.",
    wrong=_skills(_READER.replace("read_file", "reed_file")),
    right=_skills(_READER),
    remedy="correct the name, or write the tool",
)
OVERRIDE_UNKNOWN = Rule(
    "tool/override-unknown",
    Severity.ERROR,
    "An override names a tool that isn't in the set.",
    "It changes nothing, so a protection that it was meant to add is missing. Name the tool in full, or by the part "
    "after its last slash.",
    wrong=_made(_MAKER + "overrides:\n  local/biuld: {human_approval_required: true}\n"),
    right=_made(_MAKER + "overrides:\n  local/build: {human_approval_required: true}\n"),
)
OVERRIDE_AMBIGUOUS = Rule(
    "tool/override-ambiguous",
    Severity.ERROR,
    "An override names a tool by a short name that several tools of the set have.",
    "Several tools of the set end in that short name, so the override changes none of them until it says which "
    "one it means, by the full name.",
    wrong={
        **_made(_MAKER.replace("[local/build]", "[local/build, team/build]") + "overrides:\n  build: {unsafe: true}\n"),
        "tools/team.yaml": _BUILD.replace("local/build", "team/build"),
    },
    right={
        **_made(
            _MAKER.replace("[local/build]", "[local/build, team/build]") + "overrides:\n  team/build: {unsafe: true}\n"
        ),
        "tools/team.yaml": _BUILD.replace("local/build", "team/build"),
    },
)
OVERRIDE_LOOSENS = Rule(
    "tool/override-loosens",
    Severity.WARNING,
    "An override makes a tool look less dangerous.",
    "Where it contradicts what the tool declares itself, it is shown but has no effect: summary, metadata and the "
    "read-only gate go by the declaration, and a call through it is refused. Where it takes back an earlier override "
    "it holds, and this is only an information.",
    wrong=_made(_MAKER + "overrides:\n  local/build: {writes: false}\n"),
    right=_made(_MAKER + "overrides:\n  local/build: {human_approval_required: true}\n"),
)
OVERRIDE_DIVERGENCE = Rule(
    "tool/override-divergence",
    Severity.WARNING,
    "One tool comes in by two ways that say different things of it.",
    "The more cautious value of each flag is taken. Say in `overrides:` of the skill where the ways meet which value "
    "is meant.",
    wrong=_made(
        _MAKER,
        "name: local/careful\ndescription: Asks first.\nincludes:\n  - name: local/maker\n    overrides:\n"
        "      local/build: {human_approval_required: true}\n",
        "name: local/both\ndescription: Gets it twice.\nincludes: [local/maker, local/careful]\n",
    ),
    right=_made(
        _MAKER,
        "name: local/careful\ndescription: Asks first.\nincludes:\n  - name: local/maker\n    overrides:\n"
        "      local/build: {human_approval_required: true}\n",
        "name: local/both\ndescription: Gets it twice.\nincludes: [local/maker, local/careful]\n"
        "overrides:\n  local/build: {human_approval_required: true}\n",
    ),
)
NAME_COLLISION = Rule(
    "tool/name-collision",
    Severity.ERROR,
    "Two different tools have the same full name.",
    "A call could reach either of them, so neither can be called until one of them is renamed. An MCP server's tools "
    "are named after the server's `name`.",
    wrong={"tools/a.yaml": _BUILD, "tools/b.yaml": _BUILD},
    right={"tools/a.yaml": _BUILD, "tools/b.yaml": _BUILD.replace("local/build", "local/rebuild")},
)
UNREACHABLE_TOOL = Rule(
    "tool/unreachable",
    Severity.INFO,
    "No skill lists this tool, so no actor can reach it.",
    "Skills are the only way from an actor to a tool. List it under `tools:` of a skill, or delete it.",
    wrong={**_made(_READER), **_actor("local/reader")},
    right={**_made(_MAKER), **_actor("local/maker")},
)
UNKNOWN_SERVER = Rule(
    "mcp/unknown-server",
    Severity.ERROR,
    "A skill refers to an MCP server that no server file defines.",
    "A name alone refers to a server of `.mcp.json`. Correct the name, define the server there, or write its command "
    "or URL here.",
    wrong={
        **_skills(_READER + "mcp_servers: [issue]\n"),
        ".mcp.json": '{"mcpServers": {"issues": {"command": "issue-server"}}}\n',
    },
    right={
        **_skills(_READER + "mcp_servers: [issues]\n"),
        ".mcp.json": '{"mcpServers": {"issues": {"command": "issue-server"}}}\n',
    },
)
UNKNOWN_FILTER_NAME = Rule(
    "mcp/unknown-filter-name",
    Severity.WARNING,
    "A list of tools names one that the MCP server doesn't offer.",
    "The name is misspelt, or the server has renamed the tool; nothing is there under it. What a server has shows only "
    "once it has been discovered; what a server file keeps back shows at once.",
    wrong={
        **_skills(_READER + "mcp_servers:\n  - {name: issues, tools: [lsit]}\n"),
        ".mcp.json": '{"mcpServers": {"issues": {"command": "issue-server", "tools": ["list"]}}}\n',
    },
    right={
        **_skills(_READER + "mcp_servers:\n  - {name: issues, tools: [list]}\n"),
        ".mcp.json": '{"mcpServers": {"issues": {"command": "issue-server", "tools": ["list"]}}}\n',
    },
)
UNKNOWN_SKILL = Rule(
    "actor/unknown-skill",
    Severity.ERROR,
    "An actor is given a skill that no file defines.",
    "The actor lacks the tools that it should have. Correct the name, or write the skill.",
    wrong={**_skills(_READER), **_actor("local/raeder")},
    right={**_skills(_READER), **_actor("local/reader")},
)
DUPLICATE_ACTOR = Rule(
    "actor/duplicate-name",
    Severity.ERROR,
    "Two files define an actor of the same name.",
    "Nobody can tell which of the two is meant where the name is used, nor which skills it has. Rename one of "
    "them, or merge their lists of skills.",
    wrong={**_skills(_READER), **_actor("local/reader"), "actors/b.yaml": "name: local/bot\nskills: [local/reader]\n"},
    right={**_skills(_READER), **_actor("local/reader")},
)
