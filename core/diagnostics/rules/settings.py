"""Rules about how a workspace wants its findings weighed: its settings, and comments in its files."""

from core.diagnostics.types import Rule, Severity

BAD_SETTING = Rule(
    "workspace/settings",
    Severity.WARNING,
    "A setting in skill-explorer.toml cannot be used.",
    "A setting that nobody reads gives false safety: a rule that was meant to be off stays on, or the other way "
    "round. The file knows two things: a [severity] table of code to error, warning, info or off, and [[ignore]] "
    "tables with a path pattern and codes.",
    wrong={"skill-explorer.toml": '[severity]\n"skill/no-such-rule" = "off"\n'},
    right={"skill-explorer.toml": "[severity]\n'include/cycle' = 'error'\n"},
    remedy="correct it",
)
_GREETER = "name: local/greeter\ndescription: Greets people.\nincludes:\n"
BAD_IGNORE = Rule(
    "workspace/ignore",
    Severity.WARNING,
    "A comment that is to silence a finding names none.",
    "`# skill-explorer: ignore[code]` silences the findings of a code, or of a whole family, on its line, or on the "
    "next one where it stands alone. A code that doesn't exist silences nothing.",
    wrong={"skills/greeter.yaml": _GREETER + "  - local/gone  # skill-explorer: ignore[include/mising]\n"},
    right={"skills/greeter.yaml": _GREETER + "  - local/gone  # skill-explorer: ignore[include/missing]\n"},
)
