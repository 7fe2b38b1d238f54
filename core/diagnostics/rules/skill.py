"""Faults of a skill file's own sections (design: language, parts 2, 3 and 6)."""

from core.diagnostics.types import Rule, Severity

_HEAD = "name: local/greeter\ndescription: Greets people.\n"
_TOOLS = "tools: [builtin/read_file]\n"


def _skill(text: str) -> dict[str, str]:
    return {"skills/greeter.yaml": text}


_RIGHT = _skill(_HEAD + _TOOLS)

UNKNOWN_KEY = Rule(
    "skill/unknown-key",
    Severity.ERROR,
    "A skill file has a key that means nothing there.",
    "A misspelt key would be ignored without a word, and what stands under it never take effect. Correct the spelling "
    "or delete the key.",
    wrong=_skill(_HEAD + _TOOLS + "include: [local/other]\n"),
    right=_RIGHT,
)
LEGACY_KEY = Rule(
    "skill/legacy-key",
    Severity.INFO,
    "A key is written in an older spelling.",
    "It is read and means the same, but other programs may know only the spelling that the skill definition uses.",
    wrong=_skill(_HEAD + "builtins: [git_operations]\n"),
    right=_skill(_HEAD + "builtin_groups: [git_operations]\n"),
)
WRAPPED = Rule(
    "skill/wrapped",
    Severity.INFO,
    "The skill stands below a `skill:` key.",
    "It is read and means the same as its keys at the top level, which is the form that every program knows.",
    wrong=_skill("skill:\n  name: local/greeter\n  description: Greets people.\n  tools: [builtin/read_file]\n"),
    right=_RIGHT,
)
WRAPPER_MIXED = Rule(
    "skill/wrapper-mixed",
    Severity.ERROR,
    "Keys stand beside a `skill:` key that holds the whole skill.",
    "Only what is below `skill:` counts, so the keys beside it would be lost. Move them below it.",
    wrong=_skill("skill:\n  name: local/greeter\n  description: Greets people.\n" + _TOOLS),
    right=_RIGHT,
)
GIVEN_TWICE = Rule(
    "skill/given-twice",
    Severity.ERROR,
    "One section is given in two spellings.",
    "Programs would take one or the other. Merge them under the spelling that the skill definition uses.",
    wrong=_skill(_HEAD + "builtin_groups: [git_operations]\nbuiltins: [file_operations]\n"),
    right=_skill(_HEAD + "builtin_groups: [git_operations, file_operations]\n"),
)
MISSING_KEY = Rule(
    "skill/missing-key",
    Severity.ERROR,
    "A skill file lacks something that it must say.",
    "Every skill has a name, by which others refer to it, and a description, by which people and models choose it; "
    "entries that are mappings must say what they are about.",
    wrong=_skill("name: local/greeter\n" + _TOOLS),
    right=_RIGHT,
)
WRONG_TYPE = Rule(
    "skill/wrong-type",
    Severity.ERROR,
    "A value of a skill file is of the wrong kind.",
    "The value can't be used and is left out until it is text, a list, a mapping, a number or true/false as the key "
    "asks for.",
    wrong=_skill(_HEAD + "tools: builtin/read_file\n"),
    right=_RIGHT,
)
INVALID_NAME = Rule(
    "skill/invalid-name",
    Severity.ERROR,
    "A name is not of the form namespace/short_name.",
    "Skills and tools are found by their whole name: two parts of letters A-Z and a-z, digits, `_` and `-`, with one "
    "`/` between them.",
    wrong=_skill("name: greeter\ndescription: Greets people.\n" + _TOOLS),
    right=_RIGHT,
)
VERSION = Rule(
    "skill/version",
    Severity.WARNING,
    "A version is not a semantic version.",
    "Tools that compare versions expect three numbers, like 1.2.0, with an optional pre-release and build part.",
    wrong=_skill(_HEAD + 'version: "first"\n' + _TOOLS),
    right=_skill(_HEAD + 'version: "1.0.0"\n' + _TOOLS),
)
UNKNOWN_GROUP = Rule(
    "skill/unknown-group",
    Severity.ERROR,
    "A built-in group does not exist.",
    "The groups are part of the program: file_operations, directory_operations, git_operations, shell_operations.",
    wrong=_skill(_HEAD + "builtin_groups: [file_operation]\n"),
    right=_skill(_HEAD + "builtin_groups: [file_operations]\n"),
)
DUPLICATE_ENTRY = Rule(
    "skill/duplicate-entry",
    Severity.WARNING,
    "A list of a skill names the same thing twice.",
    "The second entry adds nothing, and one with an override of its own hides what is in force. Delete one of them.",
    wrong=_skill(_HEAD + "tools:\n  - builtin/read_file\n  - builtin/read_file\n"),
    right=_RIGHT,
)
SANDBOX_POLICY = Rule(
    "skill/sandbox-policy",
    Severity.ERROR,
    "A sandbox policy is none of `none`, `restricted` and `full`.",
    "The policy says what bundled scripts of an Agent Skill may do; an unknown one would be taken for any of them.",
    wrong={
        **_skill(_HEAD + "agent_skill_folders:\n  - {path: greet, sandbox_policy: maybe}\n"),
        "greet/SKILL.md": "---\nname: greet\ndescription: Greets people when they arrive.\n---\n1. Say hello.\n",
    },
    right={
        **_skill(_HEAD + "agent_skill_folders:\n  - {path: greet, sandbox_policy: restricted}\n"),
        "greet/SKILL.md": "---\nname: greet\ndescription: Greets people when they arrive.\n---\n1. Say hello.\n",
    },
)
PATH_OUTSIDE = Rule(
    "skill/path-outside",
    Severity.ERROR,
    "A path leads out of the workspace.",
    "A workspace uses only its own files, so that it can be moved and shared, and opened without reading anything "
    "else. Absolute paths, `~` and `..` above the root are refused.",
    wrong=_skill(_HEAD + "agent_skill_folders: [../greet]\n"),
    right=_RIGHT,
)
PATH_FROM_FILE = Rule(
    "skill/path-from-file",
    Severity.INFO,
    "A path is found from the file's own folder, not from the root of the workspace.",
    "It works, but paths start at the root of the workspace for everybody who reads the file. Write it from there.",
    wrong={
        **_skill(_HEAD + "agent_skill_folders: [greet]\n"),
        "skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets people when they arrive.\n---\n1. Say hello.\n",
    },
    right={
        **_skill(_HEAD + "agent_skill_folders: [skills/greet]\n"),
        "skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets people when they arrive.\n---\n1. Say hello.\n",
    },
)
SCHEMA_WITHOUT_TYPE = Rule(
    "skill/schema-without-type",
    Severity.ERROR,
    'A schema of a skill has no "type".',
    'The skill protocol accepts an input or output schema of a skill only with a "type" key.',
    wrong=_skill(_HEAD + "input_schema: {properties: {who: {type: string}}}\n"),
    right=_skill(_HEAD + "input_schema: {type: object, properties: {who: {type: string}}}\n"),
)
