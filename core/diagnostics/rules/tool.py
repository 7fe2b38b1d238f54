"""Faults of a tool's own definition, in a skill or in a file of its own (design: language, part 4)."""

from core.diagnostics.types import Rule, Severity

_HEAD = "name: local/greet\ndescription: Greets somebody.\nsource: custom\n"
_CODE = 'code: return "hello"\n'
_READS = "capability: {read_only: true}\n"


def _tool(text: str) -> dict[str, str]:
    return {"tools/greet.yaml": text}


def _skill(text: str) -> dict[str, str]:
    return {"skills/greeter.yaml": "name: local/greeter\ndescription: Greets people.\n" + text}


_RIGHT = _tool(_HEAD + _CODE + _READS)

UNKNOWN_KEY = Rule(
    "tool/unknown-key",
    Severity.ERROR,
    "A tool file has a key that means nothing there.",
    "A misspelt key would be ignored without a word: a tool whose `writes` is misspelt would not count as declared. "
    "Correct the spelling or delete the key.",
    wrong=_tool(_HEAD + _CODE + "capabilty: {read_only: true}\n"),
    right=_RIGHT,
)
LEGACY_KEY = Rule(
    "tool/legacy-key",
    Severity.INFO,
    "A key of a tool is written in an older spelling.",
    "It is read and means the same, but other programs may know only the usual spelling.",
    wrong=_tool(_HEAD + _CODE + _READS + "resource_slots: [{name: out, resource_type: file}]\n"),
    right=_tool(_HEAD + _CODE + _READS + "resource_slots: [{name: out, type: file}]\n"),
)
WRAPPED = Rule(
    "tool/wrapped",
    Severity.INFO,
    "The tool stands below a `tool:` key.",
    "It is read and means the same as its keys at the top level, which is the form that every program knows.",
    wrong=_tool("tool:\n  name: local/greet\n  description: Greets somebody.\n  source: custom\n  code: return 1\n"),
    right=_RIGHT,
)
WRAPPER_MIXED = Rule(
    "tool/wrapper-mixed",
    Severity.ERROR,
    "Keys stand beside a `tool:` key that holds the whole tool.",
    "Only what is below `tool:` counts, so the keys beside it would be lost. Move them below it.",
    wrong=_tool("tool:\n  name: local/greet\n  description: Greets.\n  source: custom\n  code: return 1\n" + _READS),
    right=_RIGHT,
)
GIVEN_TWICE = Rule(
    "tool/given-twice",
    Severity.ERROR,
    "A tool or an override says the same thing in two places, or in two spellings.",
    "Where the two disagree nobody can tell which holds; until one is deleted the more cautious one does.",
    wrong=_tool(_HEAD + _CODE + "writes: false\ncapability: {writes: true}\n"),
    right=_tool(_HEAD + _CODE + "capability: {writes: true}\n"),
)
MISSING_KEY = Rule(
    "tool/missing-key",
    Severity.ERROR,
    "A tool lacks something that it must say.",
    "A tool has a name, a description, by which people and models choose it, and a source.",
    wrong=_tool("name: local/greet\nsource: custom\n" + _CODE + _READS),
    right=_RIGHT,
)
WRONG_TYPE = Rule(
    "tool/wrong-type",
    Severity.ERROR,
    "A value of a tool file is of the wrong kind.",
    "The value can't be used and is left out until it is text, a list, a mapping, a number or true/false as the key "
    "asks for.",
    wrong=_tool(_HEAD + _CODE + "capability: {read_only: sometimes}\n"),
    right=_RIGHT,
)
INVALID_NAME = Rule(
    "tool/invalid-name",
    Severity.ERROR,
    "A tool's name does not fit where it stands.",
    "A tool in a file of its own is called namespace/short_name; one inside a skill has a short name without `/`, "
    "or none, because the skill's name comes before it.",
    wrong=_tool("name: greet\ndescription: Greets somebody.\nsource: custom\n" + _CODE + _READS),
    right=_RIGHT,
)
ALIAS = Rule(
    "tool/alias",
    Severity.INFO,
    "A built-in tool is named by an older name.",
    "It is found and means the same; the name with `_` is the one that lists and results show.",
    wrong=_skill("tools: [builtin/file-read]\n"),
    right=_skill("tools: [builtin/read_file]\n"),
)
SOURCE = Rule(
    "tool/source",
    Severity.ERROR,
    "The source of a tool is neither `custom` nor `wrapped`.",
    "A tool that is written down here is custom (or wraps another); tools of MCP servers, Agent Skills and the "
    "program itself come from the sections for them.",
    wrong=_tool("name: local/greet\ndescription: Greets somebody.\nsource: python\n" + _CODE + _READS),
    right=_RIGHT,
)
CAPABILITY_CONFLICT = Rule(
    "tool/capability-conflict",
    Severity.ERROR,
    "A tool says that it only reads and that it writes.",
    "One of the two is wrong. Until it is corrected the tool counts as writing, so that nothing slips through the "
    "gate of a read-only skill.",
    wrong=_tool(_HEAD + _CODE + "capability: {read_only: true, writes: true}\n"),
    right=_RIGHT,
)
NOT_OVERRIDABLE = Rule(
    "tool/not-overridable",
    Severity.ERROR,
    "An override names a field that can't be overridden.",
    "An override adjusts capability flags, the description and the timeout. What a tool is - name, source, code, "
    "schemas - is said only where it is defined.",
    wrong=_skill("tools: [builtin/read_file]\noverrides: {builtin/read_file: {source: custom}}\n"),
    right=_skill("tools: [builtin/read_file]\noverrides: {builtin/read_file: {timeout: 10}}\n"),
)
TIMEOUT = Rule(
    "tool/timeout",
    Severity.ERROR,
    "A timeout is not a whole number of seconds, 1 or more.",
    "The time limit ends a call that hangs; without a usable one the default of 300 seconds holds.",
    wrong=_tool(_HEAD + _CODE + _READS + "timeout: 0\n"),
    right=_tool(_HEAD + _CODE + _READS + "timeout: 30\n"),
)
LONG_TIMEOUT = Rule(
    "tool/long-timeout",
    Severity.WARNING,
    "A timeout is longer than an hour.",
    "A call that hangs would hold its caller for all that time. 1 to 3,600 seconds are usual.",
    wrong=_tool(_HEAD + _CODE + _READS + "timeout: 86400\n"),
    right=_tool(_HEAD + _CODE + _READS + "timeout: 3600\n"),
)
TOOL_TYPE = Rule(
    "tool/tool-type",
    Severity.ERROR,
    "The type of a tool is neither `tool` nor `validation`.",
    "Whether a tool is a validation is said by `tool_type` alone, never guessed from its name.",
    wrong=_tool(_HEAD + _CODE + _READS + "tool_type: check\n"),
    right=_tool(_HEAD + _CODE + _READS + "tool_type: validation\n"),
)
NO_CODE = Rule(
    "tool/no-code",
    Severity.ERROR,
    "A custom tool says neither by `code` nor by `entry_point` what it runs.",
    "Without one of them a call has nothing to run. Write the Python "
    "under `code`, or name a function of a file by `entry_point: file.py:function`.",
    wrong=_tool(_HEAD + _READS),
    right=_RIGHT,
)
PYTHON_SYNTAX = Rule(
    "tool/python-syntax",
    Severity.ERROR,
    "The code of a tool is not Python.",
    "It was compiled, not run. A call of the tool would fail at once; the place is where Python stopped reading.",
    wrong=_tool(_HEAD + "code: |\n  def run(who):\n      return (who\n" + _READS),
    right=_tool(_HEAD + "code: |\n  def run(who):\n      return who\n" + _READS),
)
CODE_TWICE = Rule(
    "tool/code-and-entry-point",
    Severity.ERROR,
    "A tool has code of its own and an entry point as well.",
    "Only one of the two can run, and nothing says which is meant. Delete the other.",
    wrong=_tool(_HEAD + _CODE + _READS + "entry_point: lib/count.py:run\n"),
    right=_RIGHT,
)
ENTRY_POINT = Rule(
    "tool/entry-point",
    Severity.ERROR,
    "An entry point is not a function in a Python file of the workspace.",
    "It is written `file.py:function`, with the path from the root of the workspace; without the function there is "
    "nothing to call.",
    wrong={**_tool(_HEAD + "entry_point: greet.py:rum\n" + _READS), "greet.py": "def run():\n    return 1\n"},
    right={**_tool(_HEAD + "entry_point: greet.py:run\n" + _READS), "greet.py": "def run():\n    return 1\n"},
)
