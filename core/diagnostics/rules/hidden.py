"""Characters that deceive the eye or steer a terminal."""

from core.diagnostics.types import Rule, Severity

_RIGHT = {"skills/greeter.yaml": "name: local/greeter\ndescription: Greets people.\ntools: [builtin/read_file]\n"}

HIDDEN_CHARACTER = Rule(
    "file/hidden-character",
    Severity.WARNING,
    "The text holds a character that can't be seen, or that changes the order in which others are shown.",
    "What people read then differs from what programs and models get. The explorer shows such characters by their "
    "code; delete them, or make sure that they are meant.",
    wrong={
        "skills/greeter.yaml": "name: local/greeter\ndescription: Greets \u202eelpoep\u202c.\n"
        "tools: [builtin/read_file]\n"
    },
    right=_RIGHT,
)
