"""Faults of the workspace as a whole."""

from core.diagnostics.types import Rule, Severity

_SKILL = "name: local/greeter\ndescription: Greets people.\ntools: [builtin/read_file]\n"

LIMIT = Rule(
    "workspace/limit",
    Severity.ERROR,
    "The workspace has more files or deeper folders than are looked at.",
    "At most 20,000 files are read, in at most 100,000 folders, 64 levels deep, so that opening a folder like / ends. "
    "What is beyond isn't checked. Open a smaller folder.",
    wrong={"d/" * 65 + "greeter.yaml": _SKILL},
    right={"skills/greeter.yaml": _SKILL},
)
