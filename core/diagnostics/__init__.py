"""Diagnostics as values: a rule, a place, a sentence, a remedy (design: interfaces, part 2)."""

from core.diagnostics.types import Applies, Diagnostic, Edit, Fix, Place, Related, Rule, Severity

__all__ = ["Applies", "Diagnostic", "Edit", "Fix", "Place", "Related", "Rule", "Severity"]
