"""Faults of JSON Schemas in skills and tools."""

from core.diagnostics.types import Rule, Severity


def _tool(schema: str) -> dict[str, str]:
    return {
        "tools/greet.yaml": "name: local/greet\ndescription: Greets somebody.\nsource: custom\ncode: return 1\n"
        "capability: {read_only: true}\ninput_schema: " + schema + "\n"
    }


_RIGHT = _tool("{type: object, properties: {who: {type: string}}}")

INVALID = Rule(
    "schema/invalid",
    Severity.ERROR,
    "A schema is no JSON Schema.",
    "The value breaks the rules for schemas themselves, so nothing can be checked against it.",
    wrong=_tool("{type: object, properties: {who: {type: text}}}"),
    right=_RIGHT,
    remedy="correct the schema",
)
KEYWORD = Rule(
    "schema/keyword",
    Severity.WARNING,
    "A key of a schema is a misspelt keyword, or none of its keys is a keyword.",
    "Keys that JSON Schema doesn't know are passed over, so what they were to demand is not checked. Correct the key; "
    "names of arguments stand below `properties`.",
    wrong=_tool("{type: object, propertys: {who: {type: string}}}"),
    right=_RIGHT,
)
LIMIT = Rule(
    "schema/limit",
    Severity.ERROR,
    "A schema is larger or deeper than is checked.",
    "At most 65,536 characters as JSON, 32 schemas deep, 2,000 keywords, patterns of 256 characters: beyond that a "
    "schema is a mistake or an attack.",
    wrong=_tool("{type: object, properties: {who: {type: string, pattern: " + "a" * 300 + "}}}"),
    right=_RIGHT,
)
REFERENCE = Rule(
    "schema/reference",
    Severity.ERROR,
    "A schema refers to something outside itself, or to nothing.",
    "No file or address is ever fetched for a schema: a `$ref` begins with `#` and names a part that exists.",
    wrong=_tool("{type: object, properties: {who: {$ref: 'https://schemas.example/who.json'}}}"),
    right=_tool("{type: object, properties: {who: {$ref: '#/$defs/who'}}, $defs: {who: {type: string}}}"),
)
DIALECT = Rule(
    "schema/dialect",
    Severity.WARNING,
    "A schema names a dialect of JSON Schema that is not known.",
    "It is taken for draft 2020-12. The known ones are drafts 4, 6, 7, 2019-09 and 2020-12; leave `$schema` out for "
    "the last.",
    wrong=_tool("{$schema: 'https://schemas.example/dialect', type: object}"),
    right=_tool("{$schema: 'https://json-schema.org/draft/2020-12/schema', type: object}"),
)
PATTERN = Rule(
    "schema/pattern",
    Severity.ERROR,
    "A pattern of a schema is no regular expression.",
    "A call would fail when its arguments are checked. Patterns are regular expressions as JavaScript has them.",
    wrong=_tool("{type: object, properties: {who: {type: string, pattern: '('}}}"),
    right=_tool("{type: object, properties: {who: {type: string, pattern: '^[a-z]+$'}}}"),
)
DEFAULT = Rule(
    "schema/default",
    Severity.WARNING,
    "A default or an example breaks its own schema.",
    "Whoever follows the default or the example gets an error from the check of the arguments, and so does a form "
    "that is filled with it. Correct the value or the schema.",
    wrong=_tool("{type: object, properties: {count: {type: integer, default: many}}}"),
    right=_tool("{type: object, properties: {count: {type: integer, default: 3}}}"),
)
INPUT_TYPE = Rule(
    "schema/input-type",
    Severity.WARNING,
    "The input schema of a tool is not for an object.",
    "A tool is called with named arguments, which are an object; a schema of another type rejects every call.",
    wrong=_tool("{type: string}"),
    right=_RIGHT,
)
