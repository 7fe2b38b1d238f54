"""Schemas as servers have them: what the form offers, what a user types, and the JSON that the tool then gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PERSON = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
NODE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
}
KINDS = [
    {"properties": {"kind": {"const": "name"}, "name": {"type": "string"}}, "required": ["kind", "name"]},
    {"properties": {"kind": {"const": 2}, "id": {"type": "integer"}}, "required": ["kind", "id"]},
]


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of schema. ``offers`` stands on the screen before a key is pressed, ``says`` before the call is made.

    ``sent`` is what the tool gets, byte for byte; ``run`` is the key that sends it.
    """

    kind: str
    schema: dict[str, Any]
    keys: tuple[str, ...]
    sent: str
    offers: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    run: str = "ctrl+r"


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def needs(**properties: Any) -> dict[str, Any]:
    return {**of(**properties), "required": list(properties)}


def field(schema: Any) -> dict[str, Any]:
    return of(v=schema)


TEXT = {"type": "string"}
WHOLE = {"type": "integer"}

FORMS = (
    Form(
        "a nullable enum has its values and null beside each other",
        field({"anyOf": [{"type": "string", "enum": ["x", "y"]}, {"type": "null"}]}),
        ("left",),
        '{"v":null}',
        ("● not set", "○ x", "○ y", "○ null"),
    ),
    Form(
        "a text that may be null is not set, empty, null or typed",
        field({"type": ["string", "null"]}),
        ("ctrl+n", "ctrl+n"),
        '{"v":null}',
        ("not set", "string · null allowed"),
    ),
    Form(
        "a value of several types is one of them, and text of digits stays text",
        field({"type": ["string", "integer", "null"]}),
        ("right", "down", *"12"),
        '{"v":"12"}',
        ("● not set  ○ string  ○ integer  ○ null", "string or integer · null allowed"),
    ),
    Form(
        "a reference shows the fields that it stands for",
        {**needs(person={"$ref": "#/$defs/Person"}), "$defs": {"Person": PERSON}},
        ("down", *"Ann"),
        '{"person":{"name":"Ann"}}',
        ("person *", "name *"),
    ),
    Form(
        "an object that may be null is not set, null or filled in",
        {**of(person={"anyOf": [{"$ref": "#/$defs/Person"}, {"type": "null"}]}), "$defs": {"Person": PERSON}},
        ("ctrl+n", "ctrl+n"),
        '{"person":null}',
        ("not set", "object · null allowed"),
    ),
    Form(
        "a schema that contains itself unfolds as far as one goes",
        {"type": "object", **NODE, "$defs": {"Node": NODE}},
        (*"a", "down", "enter", "down", "enter", *"b"),
        '{"name":"a","children":[{"name":"b"}]}',
        ("name", "children"),
    ),
    Form(
        "a field without a type takes any JSON",
        of(v={"description": "Whatever there is."}),
        (*'{"deep": [1, null]}',),
        '{"v":{"deep":[1,null]}}',
        ("any JSON", "Whatever there is."),
    ),
    Form(
        "branches at the root with constants that tell them apart",
        {"type": "object", "oneOf": KINDS},
        ("up", "up", "right", "down", "down", *"7"),
        '{"kind":2,"id":7}',
        ("● kind: name", "○ kind: 2"),
    ),
    Form(
        "either branch at the root may do",
        {"type": "object", "anyOf": [of(path=TEXT), of(url=TEXT)]},
        ("right", "down", *"u"),
        '{"url":"u"}',
        ("object with path or object with url",),
    ),
    Form(
        "all parts of an allOf are one object",
        {"type": "object", "allOf": [needs(a=TEXT), {"$ref": "#/$defs/B"}], "$defs": {"B": of(b=WHOLE)}},
        (*"x", "down", *"5"),
        '{"a":"x","b":5}',
        ("a *", "b ", "string", "integer"),
    ),
    Form(
        "an object in an object",
        field(of(inner=of(deep={"type": "number"}))),
        ("enter", "down", "enter", "down", *"0.5"),
        '{"v":{"inner":{"deep":0.5}}}',
        ("▸ not set", "object"),
    ),
    Form(
        "a list of objects grows by filled-in items",
        field({"type": "array", "items": PERSON}),
        ("enter", "down", "enter", *"Ann", "down", "enter", *"Bo"),
        '{"v":[{"name":"Ann"},{"name":"Bo"}]}',
        ("list of object",),
    ),
    Form(
        "the items of a list of integers are integers",
        field({"type": "array", "items": WHOLE}),
        ("enter", "down", "enter", *"1", "down", "enter", *"2"),
        '{"v":[1,2]}',
        ("list of integer",),
    ),
    Form(
        "a free map takes names and values",
        field({"type": "object", "additionalProperties": WHOLE}),
        ("enter", "down", *"PORT", "enter", *"80"),
        '{"v":{"PORT":80}}',
        ("object",),
    ),
    Form(
        "a numeric enum sends numbers",
        field({"type": "integer", "enum": [1, 2, 3]}),
        ("right", "right"),
        '{"v":2}',
        ("○ 1", "○ 2", "○ 3"),
    ),
    Form(
        "a titled enum shows titles and sends values",
        field({"oneOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}]}),
        ("right", "right"),
        '{"v":"g"}',
        ("○ Red", "○ Green"),
    ),
    Form(
        "a required constant is there already",
        needs(v={"const": {"v": 1.5}}),
        (),
        '{"v":{"v":1.5}}',
        ("always",),
    ),
    Form(
        "an optional boolean is unset, true or false",
        of(untouched={"type": "boolean"}, no={"type": "boolean"}),
        ("down", "left"),
        '{"no":false}',
        ("● not set  ○ true  ○ false",),
    ),
    Form(
        "a required text may be empty",
        needs(v=TEXT),
        ("ctrl+n",),
        '{"v":""}',
        ("v *", "required"),
    ),
    Form(
        "a default that is required is there, false and empty ones too",
        needs(
            n={"type": "integer", "default": 0},
            b={"type": "boolean", "default": False},
            s={"type": "string", "default": ""},
            a={"type": "array", "items": TEXT, "default": ["x", "y"]},
        ),
        (),
        '{"n":0,"b":false,"s":"","a":["x","y"]}',
        ("default 0", "default false", 'default ""', 'default ["x", "y"]'),
    ),
    Form(
        "a default that is not required is said, and sent on request",
        of(n={"type": "integer", "default": 0}, other={"type": "integer", "default": 5}),
        ("ctrl+n",),
        '{"n":0}',
        ("not set, default 0", "not set, default 5"),
    ),
    Form(
        "an integer beyond 2^53 keeps every digit",
        field(WHOLE),
        (*"9007199254740993",),
        '{"v":9007199254740993}',
    ),
    Form(
        "a text of digits stays a text",
        of(v=TEXT, w=TEXT),
        (*"007", "down", *"true"),
        '{"v":"007","w":"true"}',
    ),
    Form(
        "bounds, pattern and format stand beside the field",
        of(
            n={"type": "integer", "minimum": 1, "maximum": 9},
            p={"type": "string", "pattern": "^v[0-9]+$"},
            d={"type": "string", "format": "date", "maxLength": 10},
        ),
        (*"9", "down", *"v1", "down", *"2026-11-30"),
        '{"n":9,"p":"v1","d":"2026-11-30"}',
        ("integer 1 to 9", "pattern ^v[0-9]+$", "at most 10 characters · date"),
    ),
    Form(
        "what bounds, pattern and format refuse is said at once, and can be sent all the same",
        of(
            n={"type": "integer", "minimum": 1},
            p={"type": "string", "pattern": "^v[0-9]+$"},
            d={"type": "string", "format": "date"},
        ),
        (*"0", "down", *"x", "down", *"soon"),
        '{"n":0,"p":"x","d":"soon"}',
        says=("✗ must be ≥ 1", "✗ does not match ^v[0-9]+$", "▲ does not look like date", "✗ $.n, $.p"),
        run="ctrl+s",
    ),
    Form(
        "odd names are ordinary names",
        of(**{"a.b": TEXT, "x y": TEXT, "": TEXT, "ключ 漢": TEXT, "[/nope]": TEXT}),
        (*"1", "down", *"2", "down", *"3", "down", *"4", "down", *"5"),
        '{"a.b":"1","x y":"2","":"3","ключ 漢":"4","[/nope]":"5"}',
        ("a.b", "x y", '""', "ключ 漢", "[/nope]"),
    ),
    Form(
        "a tool without arguments can be run at once",
        {"type": "object"},
        (),
        "{}",
    ),
    Form(
        "a tool that takes nothing has no field",
        {"type": "object", "additionalProperties": False},
        (),
        "{}",
        ("It takes no arguments.",),
    ),
    Form(
        "the root names no type",
        {"properties": {"v": WHOLE}},
        (*"5",),
        '{"v":5}',
        ("integer",),
    ),
    Form(
        "the root is a reference and names no type",
        {"$ref": "#/$defs/Person", "$defs": {"Person": PERSON}},
        (*"Ann",),
        '{"name":"Ann"}',
        ("name *",),
    ),
    Form(
        "two hundred fields are shown by fifty, and all can be reached",
        {**of(**{f"p{n}": TEXT for n in range(200)}), "required": ["p49"]},
        (*"x", "down", "enter", *"y"),
        '{"p49":"x","p50":"y"}',
        ("p48 ", "p49 *"),
    ),
    Form(
        "a run goes to the field that lacks something, however far down it is",
        {**of(**{f"p{n}": TEXT for n in range(200)}), "required": ["p180"]},
        ("ctrl+r", *"x"),
        '{"p180":"x"}',
        ("$.p180: required",),
    ),
    Form(
        "what nobody touches is not sent",
        of(a=TEXT, n=WHOLE, l={"type": "array", "items": TEXT}, o=of(q=TEXT), b={"type": "boolean"}),
        (),
        "{}",
    ),
)
