"""Arguments and outputs against their schemas (resolution, part 4), in bounded time whatever the schema."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from typing import Any

from core.language.json_schema import SchemaUnusable, instance_errors
from core.protocol import SkillError, SkillErrorType
from core.runtime.python import checking_command
from core.runtime.worker.frames import MAX_DEPTH, too_deep

ARGUMENTS_LIMIT = 1 << 24
_PATIENCE_S = 5
_SMALL = 1 << 14
_REFERENCES = ('"$ref"', '"$dynamicRef"', '"$recursiveRef"')
_PATTERNS = ('"pattern', '"format"', '"uniqueItems"')


def check_arguments(skill: str, tool: str, schema: Mapping[str, Any] | None, arguments: Any) -> SkillError | None:
    """Return a ``validation_error`` with every fault and its JSON path, or None."""
    problem = unusable(arguments)
    if problem is not None:
        return _error(skill, tool, "input", [["$", problem]])
    return _checked(skill, tool, "input", schema, arguments)


def check_output(skill: str, tool: str, schema: Mapping[str, Any] | None, output: Any) -> SkillError | None:
    """Return a ``validation_error`` for an output that its schema rejects, or None."""
    return _checked(skill, tool, "output", schema, output)


def unusable(arguments: Any) -> str | None:
    """Return why ``arguments`` can't be sent whatever the schema says, or None."""
    if not isinstance(arguments, dict) or not all(isinstance(key, str) for key in arguments):
        return "must be a mapping of names to values"
    try:
        text = json.dumps(arguments, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError, OverflowError) as error:
        return f"is no JSON value ({error})" if isinstance(error, TypeError) else "is no JSON value"
    if len(text) > ARGUMENTS_LIMIT:
        return f"has more than {ARGUMENTS_LIMIT >> 20} MiB as JSON"
    return f"nests deeper than {MAX_DEPTH} levels" if too_deep(text) else None


def _checked(skill: str, tool: str, side: str, schema: Mapping[str, Any] | None, value: Any) -> SkillError | None:
    if schema is None:
        return None
    try:
        found = _faults(schema, value)
    except SchemaUnusable as error:
        message = f"the {side} schema of `{tool}` can't be used: {error}"
        return _whole(skill, tool, message, {"side": side, "errors": []})
    except TimeoutError:
        message = f"checking the {side} against its schema took longer than {_PATIENCE_S} s"
        return _whole(skill, tool, message, {"side": side, "errors": []})
    return _error(skill, tool, side, found) if found else None


def _faults(schema: Mapping[str, Any], value: Any) -> list[list[str]]:
    """Return path and message of each fault; in a process of its own where the time can't be foreseen.

    Without references a check visits each part of the schema once for each part of the value.
    """
    try:
        schema_text, value_text = json.dumps(schema), json.dumps(value)
    except (ValueError, TypeError, RecursionError):
        return [["$", "is no JSON value"]]
    multiplies = any(mark in schema_text for mark in _REFERENCES)
    searches = any(mark in schema_text for mark in _PATTERNS)
    if not multiplies and not (searches and len(value_text) > _SMALL):
        return [[error.path, error.message] for error in instance_errors(schema, value)]
    return _elsewhere(f'{{"schema": {schema_text}, "value": {value_text}}}')


def _elsewhere(question: str) -> list[list[str]]:
    try:
        done = subprocess.run(
            checking_command(),
            input=question.encode(),
            capture_output=True,
            timeout=_PATIENCE_S,
            cwd="/",
            start_new_session=True,
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        raise TimeoutError from error
    except (subprocess.SubprocessError, OSError) as error:
        raise SchemaUnusable("it takes more memory than is allowed") from error
    answer = json.loads(done.stdout)
    if "unusable" in answer:
        raise SchemaUnusable(answer["unusable"])
    faults: list[list[str]] = answer["errors"]
    return faults


def _error(skill: str, tool: str, side: str, faults: list[list[str]]) -> SkillError:
    what = "arguments" if side == "input" else "output"
    path, message = faults[0]
    at = f"`{path}` of the {what}" if path != "$" else f"the {what}"
    more = f" (and {len(faults) - 1:,} more)" if len(faults) > 1 else ""
    errors = [{"path": where, "message": text} for where, text in faults]
    return _whole(skill, tool, f"{at}: {message}{more}", {"side": side, "errors": errors})


def _whole(skill: str, tool: str, message: str, details: dict[str, Any]) -> SkillError:
    return SkillError(
        error_type=SkillErrorType.VALIDATION_ERROR,
        message=message,
        details=details,
        skill_name=skill,
        tool_name=tool,
    )
