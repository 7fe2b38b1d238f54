"""Findings in the forms that other programs read: SARIF 2.1.0 and GitHub annotations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from core.diagnostics import Diagnostic, Place
from core.diagnostics.catalogue import catalogue
from core.text import safe_text
from explorer import __version__

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def sarif(found: Sequence[Diagnostic]) -> dict[str, Any]:
    """Return a SARIF log of one run; columns count characters, as ours do."""
    codes = sorted({d.code for d in found})
    rules = [_sarif_rule(code) for code in codes]
    driver = {"name": "skill-explorer", "version": __version__, "rules": rules}
    results = [_sarif_result(d, codes.index(d.code)) for d in found]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _sarif_rule(code: str) -> dict[str, Any]:
    rule = catalogue()[code]
    return {
        "id": code,
        "shortDescription": {"text": rule.meaning},
        "fullDescription": {"text": rule.why},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _sarif_result(found: Diagnostic, index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": _LEVELS[found.severity],
        "message": {"text": found.message},
        "locations": [{"physicalLocation": _location(found.place)}],
    }
    if found.related:
        result["relatedLocations"] = [
            {"physicalLocation": _location(r.place), "message": {"text": r.message}} for r in found.related
        ]
    if found.fix and not found.fix.confidential:
        result["fixes"] = [_sarif_fix(found)]
    return result


def _location(place: Place) -> dict[str, Any]:
    return {"artifactLocation": {"uri": _uri(place.path)}, "region": _region(place)}


def _uri(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"))


def _region(place: Place) -> dict[str, Any]:
    region = {"startLine": place.line, "startColumn": place.column}
    if place.end_line is not None and place.end_column is not None:
        region |= {"endLine": place.end_line, "endColumn": place.end_column}
    return region


def _sarif_fix(found: Diagnostic) -> dict[str, Any]:
    assert found.fix is not None
    changes = [
        {
            "artifactLocation": {"uri": _uri(edit.place.path)},
            "replacements": [{"deletedRegion": _region(edit.place), "insertedContent": {"text": edit.text}}],
        }
        for edit in found.fix.edits
    ]
    return {"description": {"text": found.fix.title}, "artifactChanges": changes}


def github(found: Iterable[Diagnostic]) -> Iterable[str]:
    """Yield one workflow command for each finding."""
    for d in found:
        place = d.place
        fields = {"file": place.path, "line": place.line, "col": place.column, "title": d.code}
        if place.end_line is not None:
            fields["endLine"] = place.end_line
        joined = ",".join(f"{key}={_property(str(value))}" for key, value in fields.items())
        yield f"::{_COMMANDS[d.severity]} {joined}::{_data(d.message)}"


def _data(text: str) -> str:
    return safe_text(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
