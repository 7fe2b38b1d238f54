"""Rules about the settings of a workspace."""

from core.diagnostics.types import Rule, Severity

BAD_SETTING = Rule(
    "workspace/settings",
    Severity.WARNING,
    "a setting in skill-explorer.toml cannot be used",
    "A setting that nobody reads gives false safety: a rule that was meant to be off stays on, or the other way "
    "round. The file knows two things: a [severity] table of code to error, warning, info or off, and [[ignore]] "
    "tables with a path pattern and codes.",
    wrong={"skill-explorer.toml": '[severity]\n"skill/no-such-rule" = "off"\n'},
    right={"skill-explorer.toml": "[severity]\n'include/cycle' = 'error'\n"},
    remedy="correct it",
)
