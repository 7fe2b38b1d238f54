"""Faults of the YAML itself, whatever the file is about."""

from core.diagnostics.types import Rule, Severity

_HEAD = "name: local/greeter\ndescription: Greets people.\n"
_SKILL_MD = "---\nname: greeter\ndescription: Greets people when they arrive.\n---\n# Steps\n1. Say hello.\n"
_RIGHT = {"skills/greeter.yaml": _HEAD + "tools: [builtin/read_file]\n"}


def _wrong(text: str) -> dict[str, str]:
    return {"skills/greeter.yaml": text}


SYNTAX = Rule(
    "yaml/syntax",
    Severity.ERROR,
    "The file is not YAML from this place on.",
    "What follows the fault can't be read, so the whole file counts as broken. The place is where reading stopped; "
    "the cause is there or just before it: a missing colon, a bracket or quote that isn't closed, uneven indentation.",
    wrong=_wrong('name: local/greeter\ndescription: "Greets people.\ntools: [builtin/read_file]\n'),
    right=_RIGHT,
    remedy="correct it",
)
UNQUOTED_COLON = Rule(
    "yaml/unquoted-colon",
    Severity.ERROR,
    "A value without quotes has a colon and a blank in it.",
    "In YAML a colon followed by a blank separates a key from its value, so a value that has one must stand in quotes.",
    wrong=_wrong("name: local/greeter\ndescription: Use when: somebody arrives.\ntools: [builtin/read_file]\n"),
    right=_wrong('name: local/greeter\ndescription: "Use when: somebody arrives."\ntools: [builtin/read_file]\n'),
)
TAB = Rule(
    "yaml/tab",
    Severity.ERROR,
    "A tab is used for indentation.",
    "YAML indents with blanks only, because editors disagree on how wide a tab is. Replace the tab by blanks.",
    wrong=_wrong(_HEAD + "tools:\n\t- builtin/read_file\n"),
    right=_wrong(_HEAD + "tools:\n  - builtin/read_file\n"),
)
CONTROL_CHARACTER = Rule(
    "yaml/control-character",
    Severity.ERROR,
    "The file holds a character that YAML does not allow.",
    "Control characters are invisible and can steer a terminal. Delete it, or write it as an escape in double quotes.",
    wrong=_wrong("name: local/greeter\ndescription: Greets \x07 people.\ntools: [builtin/read_file]\n"),
    right=_RIGHT,
)
DUPLICATE_KEY = Rule(
    "yaml/duplicate-key",
    Severity.ERROR,
    "A key is given twice in one mapping.",
    "Most readers keep only the last value without a word, so one of the two never takes effect. Merge or delete one.",
    wrong=_wrong(_HEAD + "description: Greets them again.\ntools: [builtin/read_file]\n"),
    right=_RIGHT,
    remedy="delete one of them",
)
KEY_TYPE = Rule(
    "yaml/key-type",
    Severity.ERROR,
    "A key is not text.",
    "Keys that are numbers, booleans, null, lists or mappings have no counterpart in JSON and differ between readers. "
    "Put the key in quotes.",
    wrong=_wrong(_HEAD + "tools: [builtin/read_file]\n1: one\n"),
    right=_RIGHT,
    remedy="write the key as text",
)
MERGE_KEY = Rule(
    "yaml/merge-key",
    Severity.ERROR,
    "The merge key << is used.",
    "YAML 1.2 has no merge key, so readers disagree on what it does. Write the keys out.",
    wrong=_wrong(_HEAD + "overrides:\n  builtin/read_file:\n    <<: {unsafe: true}\ntools: [builtin/read_file]\n"),
    right=_wrong(_HEAD + "overrides:\n  builtin/read_file:\n    unsafe: true\ntools: [builtin/read_file]\n"),
    remedy="write its keys out",
)
TAG = Rule(
    "yaml/tag",
    Severity.ERROR,
    "A value carries an explicit YAML tag.",
    "Tags ask the reader to build something other than plain data, up to running code in careless readers. "
    "No file of a workspace needs one; delete the tag.",
    wrong=_wrong("name: local/greeter\ndescription: !!str Greets people.\ntools: [builtin/read_file]\n"),
    right=_RIGHT,
)
NOT_JSON = Rule(
    "yaml/not-json",
    Severity.ERROR,
    "A value can't be represented as JSON.",
    "Arguments, schemas and results are JSON, which has neither infinity nor not-a-number.",
    wrong=_wrong(_HEAD + "tools: [builtin/read_file]\noverrides: {builtin/read_file: {side_effects: [.inf]}}\n"),
    right=_RIGHT,
    remedy="write a number or text that JSON has",
)
MULTI_DOCUMENT = Rule(
    "yaml/multi-document",
    Severity.ERROR,
    "The file holds a second YAML document.",
    "One file defines one thing, so that its place is clear. Move what follows the --- line to a file of its own.",
    wrong=_wrong(_HEAD + "tools: [builtin/read_file]\n---\nname: local/second\ndescription: Another one.\n"),
    right=_RIGHT,
)
EMPTY = Rule(
    "yaml/empty",
    Severity.ERROR,
    "The file is empty, or holds only comments.",
    "A file in this place is meant to define something, and what other files expect of it is missing. Fill it or "
    "delete it.",
    wrong=_wrong("# nothing here yet\n"),
    right=_RIGHT,
    remedy="write `key: value` lines, or delete the file",
)
NOT_MAPPING = Rule(
    "yaml/not-mapping",
    Severity.ERROR,
    "The file does not hold a mapping.",
    "Files of a workspace are mappings: lines of `key: value`. A list or a single value can't name what it defines.",
    wrong=_wrong("- local/greeter\n- Greets people.\n"),
    right=_RIGHT,
    remedy="write `key: value` lines",
)
LIMIT = Rule(
    "yaml/limit",
    Severity.ERROR,
    "The file passes a limit of what is read.",
    "At most 64 levels of nesting, 262,144 characters a text and 1,000 a number are read, and 100 faults of a file "
    "are listed. A file may hold 30,000 values and one more for each 8 characters, where a key counts 2 and a list or "
    "mapping 4; a frontmatter may hold a fourth of that. Outside of JSON Schemas its entries are counted once more, up "
    "to 16,000 and one for each 20 characters: 2 for one of a mapping, 8 for one of a list, `env` or `headers`, 16 for "
    "one that is a list or mapping. That leaves room for 2,000 includes, or for 200 tools with all their keys. More is "
    "a mistake or an attack, and many programs fail on it.",
    wrong=_wrong(_HEAD + "overrides:\n  deep: " + "[" * 70 + "]" * 70 + "\n"),
    right=_RIGHT,
    remedy="make the file smaller",
)
ALIAS_LIMIT = Rule(
    "yaml/alias-limit",
    Severity.ERROR,
    "Aliases stand for too much: more than 200,000 values, more than 1,000 aliases, or one inside what it names.",
    "A few hundred bytes can stand for billions of values that way. Write the value out where it is used.",
    wrong=_wrong(_HEAD + "tools: [builtin/read_file]\noverrides: &all {again: *all}\n"),
    right=_RIGHT,
    remedy="write the values out",
)
AMBIGUOUS_SCALAR = Rule(
    "yaml/ambiguous-scalar",
    Severity.WARNING,
    "A text without quotes is something else for some YAML readers.",
    "Readers of YAML 1.1 take `no` for false, `1.10` for 1.1, `0755` for 493 and `1:30` for 90. Put it in quotes.",
    wrong=_wrong("name: local/greeter\ndescription: no\ntools: [builtin/read_file]\n"),
    right=_wrong('name: local/greeter\ndescription: "no"\ntools: [builtin/read_file]\n'),
)
LINE_SEPARATOR = Rule(
    "yaml/line-separator",
    Severity.WARNING,
    "The text holds a character that some YAML readers take for the end of the line.",
    "U+0085, U+2028 and U+2029 end a line in YAML 1.1 but not in YAML 1.2 or in editors, so a reader may see keys that "
    "you don't. Delete it, or write it as an escape in double quotes.",
    wrong=_wrong("name: local/greeter\ndescription: Greets\u2028people.\ntools: [builtin/read_file]\n"),
    right=_RIGHT,
)
ALIAS = Rule(
    "yaml/alias",
    Severity.WARNING,
    "Frontmatter uses an anchor (&) or an alias (*).",
    "Some clients refuse frontmatter with aliases. Write the value out where it is used.",
    wrong={
        "greeter/SKILL.md": "---\nname: greeter\ndescription: &d Greets people when they arrive.\n"
        "metadata: {summary: *d}\n---\n# Steps\n1. Say hello.\n"
    },
    right={"greeter/SKILL.md": _SKILL_MD},
)
FLOW_STYLE = Rule(
    "yaml/flow-style",
    Severity.INFO,
    "Frontmatter uses [ ] or { }.",
    "It is YAML, but the reference checker of the format refuses it. Write one entry a line.",
    wrong={
        "greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people when they arrive.\n"
        'metadata: {release: "2"}\n---\n# Steps\n1. Say hello.\n'
    },
    right={
        "greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people when they arrive.\n"
        'metadata:\n  release: "2"\n---\n# Steps\n1. Say hello.\n'
    },
)
INLINE_COMMENT = Rule(
    "yaml/inline-comment",
    Severity.WARNING,
    "A value without quotes is cut by ' #'.",
    "A blank and # begin a comment, so the rest of the line is not part of the value. Put the value in quotes.",
    wrong={
        "greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people when they arrive # also at night.\n---\n"
        "# Steps\n1. Say hello.\n"
    },
    right={
        "greeter/SKILL.md": '---\nname: greeter\ndescription: "Greets people when they arrive # also at night."\n---\n'
        "# Steps\n1. Say hello.\n"
    },
)
