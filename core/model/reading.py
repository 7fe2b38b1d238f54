"""Typed reading of parsed mappings: every fault goes to a sink, with the place where it stands.

The same functions serve plain dicts, where a fault becomes a ``ValueError``, and positioned documents, where it
becomes a diagnostic; they only differ in the sink.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.diagnostics import Rule
from core.diagnostics.rules import skill as skill_rules
from core.diagnostics.rules import tool as tool_rules
from core.diagnostics.rules.hidden import SUSPECT_TEXT
from core.model.declared import Span
from core.model.sinks import At, Change, Container, Sink
from core.model.suspect import suspect_words
from core.text import SURE, display, like_the_best, likeness, nearest, surely_meant


@dataclass(frozen=True, slots=True)
class FileRules:
    """The rules for general faults in one kind of file."""

    unknown_key: Rule
    legacy_key: Rule
    wrapped: Rule
    wrapper_mixed: Rule
    given_twice: Rule
    missing_key: Rule
    wrong_type: Rule
    invalid_name: Rule


def _rules_of(module: Any) -> FileRules:
    return FileRules(**{name: getattr(module, name.upper()) for name in FileRules.__slots__})


SKILL_FILE = _rules_of(skill_rules)
TOOL_FILE = _rules_of(tool_rules)


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys that a kind of mapping knows: canonical spellings and, by them, others.

    ``silent`` spellings say the same and are as good; the other ones are reported. ``open`` mappings may hold
    more keys, which belong to other programs.
    """

    what: str
    canonical: tuple[str, ...]
    legacy: Mapping[str, str] = field(default_factory=dict)
    silent: Mapping[str, str] = field(default_factory=dict)
    open: bool = False
    spellings: Mapping[str, str] = field(init=False)
    usual: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        same = {key: key for key in self.canonical}
        object.__setattr__(self, "spellings", {**same, **self.silent, **self.legacy})
        object.__setattr__(self, "usual", frozenset(self.canonical))


_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (str, "text"),
    (bool, "true or false"),
    ((int, float), "a number"),
    (dict, "a mapping"),
    ((list, tuple), "a list"),
)
_REMEDIES = (
    ("text, in quotes", "put it in quotes"),
    ("text", "write text"),
    ("a mapping", "write a mapping, like `{key: value}`"),
    ("a list", "write a list, like `[one, two]`"),
)
_SIMPLE = re.compile(r"[A-Za-z0-9_./-]+")
_BULLETS = frozenset("+\u2022\u00b7\u2013\u2014\u2219\u25cf\u25e6\u2043")
NOTHINGS = frozenset(("none", "nil", "undefined", "null", "~"))
"""Words, in lower case, that programs use for nothing."""
GRANTING = frozenset(("trust", "trusted", "approve", "approved", "approvals", "allow", "sandbox"))
"""Keys by which a workspace might want to be trusted."""
NO_TRUST = "delete it, as no file of a workspace can grant trust"
_MOST_HELPED = 200
"""After so many unknown keys of one file no nearest keys are looked for: nobody reads that many hints."""
_WORD = 6
"""No text of letters as long as this, or longer, is anything but text."""
_MEANT = {"true": True, "yes": True, "on": True, "y": True, "false": False, "no": False, "off": False, "n": False}


def shown(value: Any) -> str:
    """Return a name or key from a file, fit to stand in a message."""
    return f"`{display(str(value), 80)}`"


def kind_of(value: Any) -> str:
    """Name the kind of a parsed value."""
    if value is None:
        return "nothing"
    return next((name for kind, name in _KINDS if isinstance(value, kind)), "something else")


def to_write(wanted: str) -> str:
    """Return the remedy for a value that is not of the ``wanted`` kind."""
    return next((remedy for kind, remedy in _REMEDIES if wanted.startswith(kind)), f"write {wanted}")


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """Return the remedy that names the nearest candidates; None when there is none."""
    near = like_the_best(word, nearest(word, candidates))
    return f"did you mean {' or '.join(shown(n) for n in near)}?" if near else None


def _spelt(container: Mapping[str, Any], keys: Keys, canonical: str) -> int:
    """Return how many keys of ``container`` are spellings of ``canonical``."""
    return sum(keys.spellings.get(key) == canonical for key in container)


class Reader:
    """Reads values of known kinds out of mappings and lists; what is absent or unusable is None."""

    __slots__ = ("_everywhere", "_misspelt", "_starts", "_unknowns", "rules", "sink")

    def __init__(self, sink: Sink, rules: FileRules) -> None:
        self.sink = sink
        self.rules = rules
        self._starts = sink.odd_starts
        self._everywhere = sink.odd_everywhere
        self._misspelt: set[tuple[int, str]] = set()
        self._unknowns = 0

    # keys

    def fields(self, container: Mapping[str, Any], keys: Keys) -> dict[str, str]:
        """Return, for each known key that has a value, its canonical spelling and the one used."""
        if container.keys() <= keys.usual and None not in container.values():
            return {key: key for key in container}
        found: dict[str, str] = {}
        spellings = keys.spellings
        for key, value in container.items():
            canonical = spellings.get(key)
            if canonical is None:
                self._unknown(container, key, keys)
            elif canonical in found:
                self.twice(container, found[canonical], key)
            elif value is not None or canonical == "timeout":
                found[canonical] = key
                if key in keys.legacy:
                    self._legacy(container, key, canonical, keys)
        return found

    def twice(self, container: Container, first: Any, second: Any) -> None:
        """Report that ``second`` says again what ``first`` says."""
        self.sink.report(
            self.rules.given_twice,
            At(container, second, on_key=True),
            f"{shown(second)} says the same as {shown(first)} above; keep one of them.",
            hint=f"merge it into {shown(first)}",
            related=((At(container, first, on_key=True), f"{shown(first)} is here"),),
        )

    def _unknown(self, container: Mapping[str, Any], key: Any, keys: Keys) -> None:
        if keys.open:
            return
        self._unknowns += 1
        helps = self._unknowns <= _MOST_HELPED
        if helps and self._in_emptied_block(container, key):
            return
        near = like_the_best(str(key), nearest(str(key), keys.spellings)) if helps else []
        best = keys.spellings[near[0]] if near else None
        at = At(container, key, on_key=True)
        fix = None
        if best:
            taken = (id(container), best) in self._misspelt or _spelt(container, keys, best)
            sure = likeness(str(key), near[0]) >= SURE and len({keys.spellings[name] for name in near}) == 1
            fix = Change(f"rename to {best}", at, best) if sure and not taken else None
            self._misspelt.add((id(container), best))
        hint = f"did you mean `{best}`?" if best else "delete it"
        if not best and key in GRANTING:
            hint = rest = NO_TRUST
        else:
            rest = hint if best else f"its keys are {', '.join(keys.canonical)}."
        message = f"{shown(key)} is no key of {keys.what}; {rest}"
        self.sink.report(self.rules.unknown_key, at, message, hint=hint, fix=fix)

    def _in_emptied_block(self, container: Mapping[str, Any], key: Any) -> bool:
        """Report, in place of a key, that it was to be in the block of text above it, which has no line of its own."""
        names = list(container)
        above = names[names.index(key) - 1] if names[0] != key else None
        if above is None or container[above] != "" or not self.sink.opens_block(container, above):
            return False
        message = f"{shown(above)} is empty, as the lines below it are not indented further than it is; indent them."
        self.sink.report(self.rules.wrong_type, At(container, above), message, hint="indent the lines below it")
        self.told(container, above)
        return True

    def _legacy(self, container: Mapping[str, Any], key: str, canonical: str, keys: Keys) -> None:
        at = At(container, key, on_key=True)
        alone = _spelt(container, keys, canonical) == 1
        fix = Change(f"rename to {canonical}", at, canonical) if alone else None
        message = f"`{key}` is an older spelling of `{canonical}`; it is read and means the same."
        self.sink.report(self.rules.legacy_key, at, message, hint=f"write `{canonical}`", fix=fix)

    def report_slips(self, container: Mapping[str, Any], keys: Keys) -> bool:
        """Report each key that surely is a slip for one of ``keys``; say whether there was one."""
        for key in container:
            near = like_the_best(str(key), nearest(str(key), keys.canonical))
            if surely_meant(str(key), near):
                self._unknown(container, key, keys)
        return self.misspelt(container, keys.canonical)

    def told(self, container: Mapping[str, Any], name: str) -> None:
        """Note that a fault explains why ``container`` has no ``name``, so that it is not told as missing too."""
        self._misspelt.add((id(container), name))

    def misspelt(self, container: Mapping[str, Any], names: Iterable[str]) -> bool:
        """Whether a key of ``container`` has been reported as a slip for one of ``names``."""
        return any((id(container), name) in self._misspelt for name in names)

    def missing(self, container: Mapping[str, Any], key: str, what: str, at: At | None = None) -> None:
        """Report that ``container``, which is ``what`` and stands at ``at``, must have ``key``.

        A misspelt key has been reported as such and is not missing too.
        """
        if not self.misspelt(container, (key,)):
            message = f"{what[0].upper()}{what[1:]} has no `{key}`; add one."
            hint = f"add `{key}:`"
            if key in container:
                at, message, hint = (
                    At(container, key, on_key=True),
                    f"`{key}` has no value; write one.",
                    "write a value",
                )
            self.sink.report(self.rules.missing_key, at or At(container), message, hint=hint)

    def description(self, container: Mapping[str, Any], key: str) -> str | None:
        """Return the description that a skill or tool must have; an empty one says as little as none."""
        text = self.text(container, key)
        if text is not None and not text.strip():
            message = f"`{key}` is empty; say there what this is for."
            self.sink.report(self.rules.missing_key, At(container, key), message, hint="say what this is for")
        if text is not None and (words := suspect_words(text)) is not None:
            message = f"{shown(key)} speaks to a model, not to the reader, in {shown(words)}"
            self.sink.report(SUSPECT_TEXT, At(container, key), message)
        return text

    def wrong(
        self, container: Container, key: Any, wanted: str, fix: Change | None = None, hint: str | None = None
    ) -> None:
        """Report that a value is not of the ``wanted`` kind; never shows the value itself."""
        name = "this entry" if isinstance(key, int) else shown(key)
        message = f"{name} must be {wanted}, but is {kind_of(container[key])}"
        self.sink.report(self.rules.wrong_type, At(container, key), message, hint=hint or to_write(wanted), fix=fix)

    # values

    def text(self, container: Container, key: Any) -> str | None:
        """Return a text as it is written."""
        value = container[key]
        if type(value) is str:
            if self._everywhere or (value[:1] in self._starts and (len(value) < _WORD or value[0] < "A")):
                self.sink.check_text(container, key, value)
            return value
        nothing = isinstance(value, (dict, list)) or (value is None and isinstance(key, int))
        written = None if nothing else self.sink.written(container, key)
        if written is None:
            self._no_text(container, key, value)
            return None
        self.sink.check_text(container, key, written)
        return written

    def _no_text(self, container: Container, key: Any, value: Any) -> None:
        if value is None or isinstance(value, (dict, list)):
            self.wrong(container, key, "text")
            return
        quoted = (
            None
            if (raw := self.sink.quoted(container, key)) is None
            else Change("put it in quotes", At(container, key), raw)
        )
        self.wrong(container, key, "text, in quotes", quoted)

    def name(self, container: Container, key: Any) -> str | None:
        """Return a text that has to be a name: what other readers take for no text can't be one anyway."""
        value = container[key]
        if type(value) is str:
            return value
        written = None if isinstance(value, (dict, list)) else self.sink.written(container, key)
        if written is None:
            self.wrong(container, key, "a name")
        return written

    def flag(self, container: Container, key: Any) -> bool | None:
        """Return a boolean; a word that means one is an error and read as meant."""
        value = container[key]
        if value is True or value is False:
            return value
        meant = _MEANT.get(value.lower()) if isinstance(value, str) else None
        if meant is None and value in (0, 1) and isinstance(value, int):
            meant = bool(value)
        text = str(meant).lower()
        fix = None if meant is None else Change(f"write {text}", At(container, key), text)
        self.wrong(container, key, "true or false", fix)
        return meant

    def mapping(self, container: Container, key: Any) -> Mapping[str, Any] | None:
        """Return a mapping."""
        value = container[key]
        if isinstance(value, dict):
            return value
        self.wrong(container, key, "a mapping")
        return None

    def items(self, container: Container, key: Any, of: str, *, texts: bool = True) -> Sequence[Any]:
        """Return a list, whose entries may be ``texts``; a single value instead is an error and no entries."""
        value = container[key]
        if isinstance(value, (list, tuple)):
            return value
        self._no_list(container, key, of, texts=texts)
        return ()

    def _no_list(self, container: Container, key: Any, of: str, *, texts: bool) -> None:
        """Report that a value is no list; names with commas between are put in one by the fix."""
        value, fix, hint = container[key], None, None
        if texts and isinstance(value, str):
            words = re.split(r",\s*", value)
            if value.casefold() in NOTHINGS:
                hint = "delete the key, or write a list"
            elif all(_SIMPLE.fullmatch(word) for word in words):
                fix = Change("put it in a list", At(container, key), self.sink.as_list(words))
            elif re.match(r"-\S", value):
                hint = "write a blank after each dash"
            elif value[:1] in _BULLETS:
                hint = "begin each entry with `- `"
        self.wrong(container, key, of, fix, hint)

    def texts(self, container: Container, key: Any, *, one: bool = False) -> list[tuple[str, Span]] | None:
        """Return a list of texts with their places; with ``one`` a single text is a list of one."""
        value = container[key]
        if one and isinstance(value, str):
            self.sink.check_text(container, key, value)
            return [(value, self.sink.span(container, key))]
        if not isinstance(value, (list, tuple)):
            self._no_list(container, key, "a list of texts", texts=True)
            return None
        found = []
        for index in range(len(value)):
            text = self.text(value, index)
            if text is not None:
                found.append((text, self.sink.span(value, index)))
        return found

    def text_map(self, container: Container, key: Any) -> dict[str, str] | None:
        """Return a mapping of texts; None when it is none or holds nothing."""
        value = self.mapping(container, key)
        texts = {name: self.text(value, name) for name in value} if value else {}
        return {name: text for name, text in texts.items() if text is not None} or None
