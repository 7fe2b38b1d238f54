"""Checks one value against one schema in a process that can be ended: alternatives may multiply for ever."""

from __future__ import annotations

import json
import sys

_MEMORY = 1 << 30


def main() -> None:
    """Read ``{"schema", "value"}`` from stdin and print the list of faults, or why the schema is none."""
    _limit_memory()
    from core.language.json_schema import SchemaUnusable, instance_errors

    asked = json.load(sys.stdin)
    try:
        found = instance_errors(asked["schema"], asked["value"])
    except SchemaUnusable as error:
        json.dump({"unusable": str(error)}, sys.stdout)
        return
    json.dump({"errors": [[error.path, error.message] for error in found]}, sys.stdout)


def _limit_memory() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    except (ImportError, OSError, ValueError):
        return
