"""Reading one YAML text into a positioned document; whatever the text is, the answer is a value, never an exception."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from yaml import YAMLError

from core.diagnostics import Diagnostic, Fix, Related, Rule, Severity
from core.diagnostics.rules import yaml as rules
from core.language.tree import Map, Mark, Seq, SourceText, Span, pack, span_of, unpack
from core.language.yaml_builder import Builder
from core.language.yaml_compose import compose
from core.language.yaml_faults import explain
from core.language.yaml_fixes import quoting_fix
from core.language.yaml_limits import MAX_FAULTS, Limits, Stop
from core.language.yaml_scene import forbidden_character
from core.text import display

FRONTMATTER = Limits(report_aliases=False, part=4)

_GLUED = re.compile(r"([\w-]+)(:(?=\S)|[ \t]*=)")
_SEPARATORS = re.compile("[\x85\u2028\u2029]")
_SURROGATES = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")


@dataclass(slots=True)
class YamlDocument:
    """What one YAML text holds. After a fault (``ok`` false) ``root`` is what was read before it."""

    root: Map | Seq | str | int | float | bool | None
    source: SourceText
    text: str
    diagnostics: list[Diagnostic] = field(default_factory=list)
    documents: int = 0
    offset: int = 0
    aliases: list[Span] = field(default_factory=list)
    """Anchors and aliases, in the order of the text."""
    brackets: list[Mark] = field(default_factory=list)
    """The marks of the collections in brackets."""

    @property
    def flow_collections(self) -> list[Span]:
        """Collections in brackets; inner ones come first."""
        return sorted(map(span_of, self.brackets), key=lambda span: unpack(span)[1])

    @property
    def ok(self) -> bool:
        """Whether nothing in the YAML itself is an error."""
        return not any(d.severity is Severity.ERROR for d in self.diagnostics)

    @property
    def empty(self) -> bool:
        """Whether there is no value at all: nothing, or only blanks and comments."""
        return self.documents == 0 and self.ok


class _Findings:
    """Collects diagnostics, each place once, up to a limit."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.items: list[Diagnostic] = []
        self._seen: set[tuple[str, Span | None]] = set()

    def report(
        self,
        rule: Rule,
        span: Span,
        message: str,
        *,
        hint: str | None = None,
        fix: Fix | None = None,
        quote: str = "",
        first: Span | None = None,
        once: bool = False,
    ) -> None:
        """Add a finding; ``quote`` asks for a fix that quotes that key, ``once`` for one finding of the rule a file.

        Raises ``Stop`` when there are too many.
        """
        mark = (rule.code, None if once else span)
        if mark in self._seen:
            return
        if len(self._seen) == MAX_FAULTS:
            message = f"the file has more than {MAX_FAULTS} faults, so the rest of it is not read"
            self.items.append(rules.LIMIT.at(self.source.place(span), message, severity=Severity.INFO))
            raise Stop
        self._seen.add(mark)
        related: tuple[Related, ...] = ()
        if first is not None:
            related = (Related(self.source.place(first), "first given here"),)
        if quote:
            hint, fix = hint or "put the key in quotes", quoting_fix(self.source, span, quote)
        self.items.append(rule.at(self.source.place(span), message, hint=hint, fix=fix, related=related))

    def has_error_on(self, line: int) -> bool:
        """Whether a fault of this line is known, so that what follows from it need not be told."""
        return any(found.place.line == line and found.severity is Severity.ERROR for found in self.items)


def read_yaml(
    text: str, path: str, *, source: SourceText | None = None, offset: int = 0, limits: Limits | None = None
) -> YamlDocument:
    """Read ``text`` as one YAML 1.2 document.

    For frontmatter pass the ``source`` of the whole file, the ``offset`` of ``text`` in it and ``FRONTMATTER``:
    every span and place is then one of the whole file. Byte order marks at the start are passed over.
    """
    source = source or SourceText(path, text)
    offset += len(text) - len(text.lstrip("\ufeff"))
    text = text.lstrip("\ufeff")
    document = _read(text, text, source, offset, limits or Limits())
    if not document.ok and _SURROGATES.search(text):
        return _read(text, _SURROGATES.sub(_joined, text), source, offset, limits or Limits())
    return document


def _read(text: str, parsed: str, source: SourceText, offset: int, limits: Limits) -> YamlDocument:
    """Read ``parsed``, which says the same as ``text`` at the same offsets."""
    odd_ends = not text.isascii() and _SEPARATORS.search(text) is not None
    composed = None if offset or odd_ends else compose(parsed)
    if composed is not None:
        return YamlDocument(composed.root, source, text, documents=1, brackets=composed.brackets)
    findings = _Findings(source)
    restore = None
    if odd_ends:
        parsed, restore = _exchange_separators(parsed, offset, findings)
    builder = Builder(parsed, offset, limits, findings.report, restore)
    _build(builder, text, offset, findings)
    return YamlDocument(
        root=builder.root,
        source=source,
        text=text,
        diagnostics=findings.items,
        documents=builder.documents,
        offset=offset,
        aliases=builder.anchors.spans,
        brackets=builder.flow_collections,
    )


def _joined(pair: re.Match[str]) -> str:
    """Write two escapes of UTF-16 as one of UTF-32, as JSON allows and libyaml doesn't; the line end fills the gap."""
    high, low = int(pair[1], 16), int(pair[2], 16)
    return f"\\\n\\U{0x10000 + ((high - 0xD800) << 10) + low - 0xDC00:08x}"


def _build(builder: Builder, text: str, offset: int, findings: _Findings) -> None:
    try:
        builder.build()
    except Stop:
        return
    except UnicodeError:
        fault = forbidden_character(text)
    except YAMLError as error:
        fault = explain(error, text, builder.last, builder.depth)
    else:
        return
    fix = None
    if fault.quote is not None:
        start, end = fault.quote
        fix = quoting_fix(findings.source, pack(start + offset, end + offset), text[start:end])
    span = pack(fault.start + offset, fault.end + offset)
    message = fault.said(*findings.source.line_column((fault.opening or 0) + offset))
    if not findings.has_error_on(findings.source.place(span).line):
        findings.report(fault.rule, span, message, hint=fault.hint, fix=fix)


def _exchange_separators(text: str, offset: int, findings: _Findings) -> tuple[str, dict[int, str]]:
    """Put other characters for those that end a line in YAML 1.1 only, and warn of the first of each."""
    used = set(text)
    free = (char for char in map(chr, chain(range(0xE000, 0xF900), range(0x10000, 0x110000))) if char not in used)
    restore: dict[int, str] = {}
    for char in sorted(set(_SEPARATORS.findall(text)), key=text.index):
        at, times = text.index(char) + offset, text.count(char)
        more = f" (here and {times - 1:,} more times)" if times > 1 else ""
        findings.report(
            rules.LINE_SEPARATOR,
            pack(at, at + 1),
            f"the character U+{ord(char):04X}{more} ends a line for some YAML readers, though not in YAML 1.2",
            hint="delete it, or write it as an escape in double quotes",
        )
        restore[ord(next(free))] = char
    return text.translate({ord(old): new for new, old in restore.items()}), restore


def root_mapping(document: YamlDocument, what: str) -> Map | Diagnostic:
    """Return the root if it is a mapping, else the finding that says so; ``what`` is the file, as "a skill file"."""
    if isinstance(document.root, Map):
        return document.root
    start = document.offset
    if document.empty:
        place = document.source.place(pack(start, start))
        return rules.EMPTY.at(place, f"the file is empty, but {what} is a mapping of keys to values")
    root: Any = document.root
    if isinstance(root, str) and (slip := _no_colon(document)) is not None:
        return slip
    found = "a list" if isinstance(root, Seq) else "nothing" if root is None else "a single value"
    message = f"expected a mapping (lines of `key: value`), as {what} is one, found {found}"
    return rules.NOT_MAPPING.at(document.source.place(_root_span(document)), message)


def _no_colon(document: YamlDocument) -> Diagnostic | None:
    """Return the finding for a file that is one text because its first line has no colon with a blank after it."""
    start = unpack(_root_span(document))[0]
    found = _GLUED.match(document.text, start - document.offset)
    if found is None:
        return None
    key = display(found[1], 40)
    what = "no blank follows the colon" if found[2] == ":" else "an equals sign stands in place of the colon"
    place = document.source.place(pack(found.start(2) + document.offset, found.end(2) + document.offset))
    return rules.SYNTAX.at(place, f"{what} of `{key}`, so it is no key", hint=f"write `{key}: ` and the value")


def _root_span(document: YamlDocument) -> Span:
    if isinstance(document.root, Seq):
        return document.root.span
    skipped = re.match(r"(?:\s|#[^\r\n]*|---(?=\s))*", document.text)
    start = (skipped.end() if skipped else 0) + document.offset
    return pack(start, start)
