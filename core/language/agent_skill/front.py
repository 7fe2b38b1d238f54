"""The frontmatter as data: read as YAML and held to its rules, or salvaged line by line where it is not YAML."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from core.diagnostics import Diagnostic, Severity
from core.diagnostics.rules import agent_skill as rules
from core.diagnostics.rules import agent_skill_fields as field_rules
from core.diagnostics.rules import yaml as yaml_rules
from core.language.agent_skill.fields import field_of
from core.language.agent_skill.frontmatter import Frontmatter
from core.language.agent_skill.hidden import check_escapes
from core.language.agent_skill.metadata import check_fields
from core.language.agent_skill.page import Page
from core.language.agent_skill.salvage import salvage
from core.language.tree import NO_SPAN, Map, Span, pack
from core.language.yaml_reader import FRONTMATTER, YamlDocument, read_yaml, root_mapping
from core.text import display

_ODD_KEYS = frozenset((yaml_rules.KEY_TYPE.code, yaml_rules.MERGE_KEY.code))
_READ_ON = frozenset((yaml_rules.DUPLICATE_KEY.code, yaml_rules.TAG.code))
"""Faults after which the rest of the frontmatter is as good as ever."""


@dataclass(slots=True)
class Front:
    """What the frontmatter says; ``name`` and ``description`` also where only their lines could be read."""

    data: Map = field(default_factory=Map)
    name: str = ""
    name_span: Span = NO_SPAN
    description: str = ""


def read_front(page: Page, front: Frontmatter, folder: str) -> Front:
    """Read the YAML between the fences and check it; ``folder`` is the name of the skill's folder."""
    start = front.start + page.text.startswith("\ufeff", front.start)
    text = page.text[start : front.end]
    document = read_yaml(text, page.source.path, source=page.source, offset=start, limits=FRONTMATTER)
    tagged: set[int] = set()
    complete = True
    for finding in document.diagnostics:
        complete = _take(page, finding, tagged) and complete
    if not complete:
        return salvaged(page, front)
    _report_style(page, document)
    root = document.root
    if not isinstance(root, Map) and not document.empty:
        _report_kind(page, document)
        return Front()
    data = root if isinstance(root, Map) else Map()
    check_fields(page, data, pack(front.opening, front.opening + 3), folder, tagged)
    if "\\" in text:
        check_escapes(page, data)
    return _read(page, data)


def salvaged(page: Page, front: Frontmatter) -> Front:
    """Return what the lines of a frontmatter that is not YAML tell."""
    found = salvage(page.flat[front.start : front.end])
    return Front(name=found.get("name", ""), description=found.get("description", ""))


def _read(page: Page, data: Map) -> Front:
    front = Front(data)
    if "name" in data:
        front.name = _shown(page, data, "name")
        front.name_span = data.spans["name"] if front.name else NO_SPAN
    if "description" in data:
        front.description = _shown(page, data, "description")
    _write_out(data.get("metadata"))
    return front


def _write_out(metadata: Any) -> None:
    """Let numbers and the like in ``metadata`` be the text that stands in the file: 1.10 stays 1.10."""
    if isinstance(metadata, Map):
        metadata.update({key: raw for key, raw in metadata.raw.items() if metadata.get(key) is not None})


def _shown(page: Page, data: Map, key: str) -> str:
    entry = field_of(page, data, key)
    return "" if entry.empty else (entry.text if entry.text is not None else entry.raw or "").strip()


def _take(page: Page, finding: Diagnostic, tagged: set[int]) -> bool:
    """Take over a finding of the YAML reader in the words of this format; say whether the YAML was read to its end."""
    code = finding.code
    if code in _ODD_KEYS:
        _report_odd_key(page, finding)
    elif code == yaml_rules.MULTI_DOCUMENT.code:
        message = "a second YAML document begins here; a frontmatter is one"
        hint = "delete the line, or put it in quotes"
        page.found.append(yaml_rules.SYNTAX.at(finding.place, message, hint=hint))
        return False
    elif code != yaml_rules.NOT_JSON.code:
        page.found.append(finding)
        if code == yaml_rules.TAG.code:
            tagged.add(page.source.offset(finding.place.line, finding.place.column))
        return code in _READ_ON or finding.severity is not Severity.ERROR
    return True


def _report_odd_key(page: Page, finding: Diagnostic) -> None:
    """A key that is no text is an unknown key here; below the top it only is worth a warning."""
    start = page.source.offset(finding.place.line, 1)
    stop = page.flat.find("\n", start)
    line = page.flat[start : stop if stop >= 0 else None]
    if finding.place.column > 1 and not line.startswith("?"):
        page.found.append(replace(finding, severity=Severity.WARNING))
        return
    shown = display(line.partition(":")[0].strip(), 80)
    page.add(
        field_rules.FIELD_UNKNOWN,
        pack(start, start + len(shown)),
        f"`{shown}` is no key of the format",
        hint="put it under `metadata` as text, or remove it",
    )


def _report_style(page: Page, document: YamlDocument) -> None:
    """Tell once of what is YAML and yet refused by some readers of the format."""
    if document.aliases:
        message = "the frontmatter has anchors or aliases, which some clients refuse"
        page.add(yaml_rules.ALIAS, min(document.aliases), message, hint="write the value out where it is used")
    if document.flow_collections:
        message = "the frontmatter has a collection in brackets, which the reference validator refuses"
        page.add(yaml_rules.FLOW_STYLE, min(document.flow_collections), message, hint="write one entry a line")


def _report_kind(page: Page, document: YamlDocument) -> None:
    found = root_mapping(document, "frontmatter")
    if isinstance(found, Diagnostic):
        message = "the frontmatter is no mapping of keys to values"
        page.found.append(rules.FRONTMATTER_NOT_MAPPING.at(found.place, message, hint="write `key: value` lines"))
