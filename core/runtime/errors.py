"""What went wrong in a worker, as the protocol's errors (resolution, part 3).

What a tool raised goes through the protocol's table, marked as the tool's own word; ends, time-outs and limits are
the supervisor's word.
"""

from __future__ import annotations

import errno
import os
import re
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.protocol import SkillError, SkillErrorType, classify
from core.runtime.python import library_folders

REPLY_LIMIT = 1 << 25
_WRITE_ERRORS = (errno.EROFS, errno.EACCES, errno.EPERM)
_EXECUTE = "execute"
_SIGNALLED = 128


@dataclass(frozen=True, slots=True)
class Call:
    """Whose error it is, and where the tool worked: ``roots`` are cut from the paths that it names.

    ``overlaid`` says that it worked on an overlay of the workspace.
    """

    skill: str
    tool: str
    roots: tuple[str, ...]
    read_only: bool
    timeout_s: float
    overlaid: bool = False

    def error(self, kind: SkillErrorType, message: str, **details: Any) -> SkillError:
        """Return an error of this call."""
        return SkillError(error_type=kind, message=message, details=details, skill_name=self.skill, tool_name=self.tool)

    def relative(self, text: str) -> str:
        """Return ``text`` with the paths of the tool's folder made relative to the workspace."""
        for root in self.roots:
            text = re.sub(re.escape(root) + r"(/|(?![\w.-]))", lambda found: "" if found[1] else ".", text)
        return text


def raised(call: Call, stage: str, failure: Mapping[str, Any]) -> SkillError:
    """Return the error for what the tool raised in ``stage``; ``failure`` may have any shape, as the tool's word."""
    message = call.relative(_text(failure.get("message"))) + _limit_of_overlays(call, failure)
    if "returned" in failure:
        return _no_json(call, stage, _text(failure.get("returned")), message)
    chain = _chain(failure.get("chain"))
    name = chain[0][1] if chain else "Exception"
    details = {"raised_by": "tool", "exception": name, "stage": stage, **_places(call, failure)}
    written = _tried_to_write(call, failure)
    if written is not None:
        return denied_write(call, [written], **details)
    if stage not in (_EXECUTE, "deactivate"):
        text = f"activation failed: {name}: {message}" if message else f"activation failed: {name}"
        return call.error(SkillErrorType.TOOL_ACTIVATION_FAILURE, text, **details)
    if name == "SystemExit":
        text = f"the tool called sys.exit({message})"
        return call.error(SkillErrorType.TOOL_EXECUTION_FAILURE, text, **details)
    return call.error(classify(chain, message), message or name, **details)


def _no_json(call: Call, stage: str, returned: str, why: str) -> SkillError:
    """Return the error for a value that JSON can't hold: the tool raised nothing, its value is at fault."""
    text = f"the tool returned something that is no JSON ({returned}): {why}"
    details = {"stage": stage, "output": "not JSON", "returned": returned}
    return call.error(SkillErrorType.TOOL_EXECUTION_FAILURE, text, **details)


def denied_write(call: Call, paths: Sequence[str], **details: Any) -> SkillError:
    """Return the error for a tool that only reads by its own word and tried to write all the same."""
    shown = ", ".join(paths[:5]) + (f" and {len(paths) - 5:,} more" if len(paths) > 5 else "")
    message = f"declared read-only but tried to write {shown}"
    return call.error(SkillErrorType.PERMISSION_DENIED, message, **details, paths=list(paths[:50]))


def _tried_to_write(call: Call, failure: Mapping[str, Any]) -> str | None:
    """Return the workspace path whose writing the confinement refused, or None.

    A refusal that could as well come from reading counts only where reading would have been allowed.
    """
    number, name = failure.get("errno"), failure.get("filename")
    if not call.read_only or number not in _WRITE_ERRORS or not isinstance(name, str):
        return None
    base = call.roots[0]
    path = os.path.normpath(os.path.join(base, name))
    if not any(path.startswith(root + os.sep) for root in call.roots):
        return None
    readable = not os.path.lexists(path) or os.access(path, os.R_OK)
    return call.relative(path) if number == errno.EROFS or readable else None


def _limit_of_overlays(call: Call, failure: Mapping[str, Any]) -> str:
    if not call.overlaid or failure.get("errno") != errno.EXDEV:
        return ""
    return " (the tool works on an overlay of the workspace, in which folders that are there already can't be renamed)"


def _places(call: Call, failure: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    frames = failure.get("traceback")
    if isinstance(frames, list):
        found["traceback"] = [_frame(call, frame) for frame in frames if isinstance(frame, list) and len(frame) == 3]
    syntax = failure.get("syntax")
    if isinstance(syntax, list) and len(syntax) == 3:
        found |= {"path": _shown(call.relative(_text(syntax[0]))), "line": syntax[1], "column": syntax[2]}
    causes = failure.get("causes")
    if isinstance(causes, list) and causes:
        found["causes"] = [
            f"{_text(c.get('exception'))}: {call.relative(_text(c.get('message')))}"
            for c in causes
            if isinstance(c, dict)
        ]
    return found


def _frame(call: Call, frame: list[Any]) -> str:
    path, line, function = frame
    return f"{_shown(call.relative(_text(path)))}:{line} in {_text(function)}"


def _shown(path: str) -> str:
    """Return the file of a frame without where on this machine it lies: below ``<python>`` or ``<elsewhere>``."""
    if not os.path.isabs(path):
        return path
    found = next((path[len(folder) :] for folder in library_folders() if path.startswith(folder + os.sep)), None)
    return f"<elsewhere>/{os.path.basename(path)}" if found is None else f"<python>{found}"


def _chain(value: Any) -> list[tuple[str, str]]:
    pairs = value if isinstance(value, list) else []
    return [(_text(p[0]), _text(p[1])) for p in pairs if isinstance(p, list) and len(p) == 2]


def _text(value: Any) -> str:
    return plain(value) if isinstance(value, str) else "?"


def plain(text: str) -> str:
    """Return ``text`` without lone surrogates, which no JSON document can hold."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def ended(call: Call, told: Mapping[str, Any], *, in_sandbox: bool) -> SkillError:
    """Return the error for a shim that ended, or was ended, before it answered."""
    why, stage = told["why"], told["stage"]
    details: dict[str, Any] = {"stage": stage}
    if why == "cancel":
        return call.error(SkillErrorType.TOOL_EXECUTION_FAILURE, "cancelled", **details, cancelled=True)
    if why == "timeout":
        limit = f"{call.timeout_s:g}"
        text = f"the tool took longer than {limit} s and was ended"
        return call.error(SkillErrorType.TOOL_EXECUTION_FAILURE, text, **details, timeout_s=_number(call.timeout_s))
    if why == "too_long":
        text = f"the tool returned more than {REPLY_LIMIT >> 20} MiB"
        return call.error(SkillErrorType.TOOL_EXECUTION_FAILURE, text, **details)
    how, more = _how_it_ended(told["status"], in_sandbox)
    kind = SkillErrorType.TOOL_EXECUTION_FAILURE if stage == _EXECUTE else SkillErrorType.TOOL_ACTIVATION_FAILURE
    if why == "closed":
        return call.error(kind, "the tool closed its line to the explorer and was ended without a result", **details)
    return call.error(kind, f"the tool {how} before it returned a result", **details, **more)


def _how_it_ended(status: int | None, in_sandbox: bool) -> tuple[str, dict[str, Any]]:
    if status is None:
        return "ended", {}
    number = -status if status < 0 else status - _SIGNALLED if in_sandbox and status > _SIGNALLED else 0
    if number:
        return f"was ended by signal {number} ({_signal_name(number)})", {"signal": number}
    return f"ended with exit status {status}", {"exit_status": status}


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def _number(seconds: float) -> int | float:
    return int(seconds) if seconds == int(seconds) else seconds
