"""Findings in the forms that other programs read: SARIF 2.1.0 and GitHub annotations."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from core.diagnostics import Diagnostic, Place
from core.diagnostics.catalogue import catalogue
from core.text import safe_text
from explorer import __version__

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


_BASE_ID = "%SRCROOT%"


@dataclass(frozen=True, slots=True)
class Repository:
    """Where the programs that are told of findings start their paths, and what leads from there to the workspace."""

    root: Path
    prefix: str

    @classmethod
    def around(cls, workspace: Path) -> Repository:
        """Return ``GITHUB_WORKSPACE``, else the folder with `.git`, else the current one, else ``workspace`` itself.

        The first that the workspace lies in; no git is run.
        """
        real = workspace.resolve()
        checked_out = os.environ.get("GITHUB_WORKSPACE")
        candidates = [Path(checked_out).resolve()] if checked_out else []
        candidates += [folder for folder in (real, *real.parents) if (folder / ".git").exists()][:1]
        with suppress(OSError):
            candidates.append(Path.cwd())
        root = next((folder for folder in candidates if real.is_relative_to(folder)), real)
        prefix = real.relative_to(root).as_posix()
        return cls(root, "" if prefix == "." else f"{prefix}/")

    def path(self, path: str) -> str:
        """Return a path of the workspace as the other programs know it."""
        return self.prefix.rstrip("/") or "." if path in ("", ".") else self.prefix + path

    @property
    def uri(self) -> str:
        """The folder itself, with a slash at its end."""
        return f"file://{_quoted(str(self.root).rstrip('/'))}/"

    def artifact(self, path: str) -> dict[str, Any]:
        """Return the SARIF location of a file."""
        return {"uri": _quoted(self.path(path)), "uriBaseId": _BASE_ID}

    def location(self, place: Place) -> dict[str, Any]:
        """Return the SARIF location of a place in a file."""
        return {"artifactLocation": self.artifact(place.path), "region": _region(place)}


def sarif(workspace: Path, found: Sequence[Diagnostic]) -> dict[str, Any]:
    """Return a SARIF log of one run; columns count characters, as ours do."""
    repository = Repository.around(workspace)
    codes = sorted({d.code for d in found})
    rules = [_sarif_rule(code) for code in codes]
    run = {
        "tool": {"driver": {"name": "skill-explorer", "version": __version__, "rules": rules}},
        "originalUriBaseIds": {_BASE_ID: {"uri": repository.uri}},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(d, codes.index(d.code), repository) for d in found],
    }
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _sarif_rule(code: str) -> dict[str, Any]:
    rule = catalogue()[code]
    return {
        "id": code,
        "shortDescription": {"text": rule.meaning},
        "fullDescription": {"text": rule.why},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _sarif_result(found: Diagnostic, index: int, repository: Repository) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": _LEVELS[found.severity],
        "message": {"text": found.message},
        "locations": [{"physicalLocation": repository.location(found.place)}],
    }
    if found.related:
        result["relatedLocations"] = [
            {"physicalLocation": repository.location(r.place), "message": {"text": r.message}} for r in found.related
        ]
    if found.fix and not found.fix.confidential:
        result["fixes"] = [_sarif_fix(found, repository)]
    return result


def _quoted(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"))


def _region(place: Place) -> dict[str, Any]:
    region = {"startLine": place.line, "startColumn": place.column}
    if place.end_line is not None and place.end_column is not None:
        region |= {"endLine": place.end_line, "endColumn": place.end_column}
    return region


def _sarif_fix(found: Diagnostic, repository: Repository) -> dict[str, Any]:
    assert found.fix is not None
    changes = [
        {
            "artifactLocation": repository.artifact(edit.place.path),
            "replacements": [{"deletedRegion": _region(edit.place), "insertedContent": {"text": edit.text}}],
        }
        for edit in found.fix.edits
    ]
    return {"description": {"text": found.fix.title}, "artifactChanges": changes}


def github(workspace: Path, found: Iterable[Diagnostic]) -> Iterable[str]:
    """Yield one workflow command for each finding."""
    repository = Repository.around(workspace)
    for d in found:
        place = d.place
        fields = {"file": repository.path(place.path), "line": place.line, "col": place.column, "title": d.code}
        if place.end_line is not None:
            fields["endLine"] = place.end_line
        joined = ",".join(f"{key}={_property(str(value))}" for key, value in fields.items())
        yield f"::{_COMMANDS[d.severity]} {joined}::{_data(d.message)}"


def _data(text: str) -> str:
    return safe_text(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
