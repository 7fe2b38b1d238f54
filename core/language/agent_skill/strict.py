"""The strict profile: what the format's reference validator refuses is an error."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from core.diagnostics import Diagnostic, Severity
from core.diagnostics.rules import agent_skill_fields as fields
from core.diagnostics.rules import file, yaml

REFUSED_BY_REFERENCE: Final = frozenset(
    rule.code for rule in (file.BOM, yaml.ALIAS, yaml.FLOW_STYLE, fields.FIELD_UNKNOWN, fields.FIELD_EXTENSION)
)
"""Codes below an error of what the reference validator does not let pass."""


def strict(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings with everything that the reference validator refuses raised to an error."""
    return [replace(item, severity=Severity.ERROR) if item.code in REFUSED_BY_REFERENCE else item for item in findings]
