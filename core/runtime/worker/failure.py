"""What a tool raised, as plain data: an exception may lie, raise again, or be a megabyte long."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from types import FrameType, TracebackType
    from typing import Any

_TEXT_LIMIT = 10_000
_NAME_LIMIT = 200
_FRAMES = 30
_CAUSES = 5
_MODULE, _NAME, _MRO = (type.__dict__[name].__get__ for name in ("__module__", "__name__", "__mro__"))
_HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def described(raised: BaseException) -> dict[str, Any]:
    """Return class chain, message, place and causes of ``raised``; never raises."""
    try:
        if isinstance(raised, MemoryError):
            _release(raised)
        return {**_one(raised), "causes": _causes(raised)}
    except BaseException as again:  # noqa: BLE001 - the tool's own code runs while it is looked at
        name = type(again).__name__
        return {
            "message": f"an exception that raises {name} when it is looked at",
            "chain": [["builtins", "Exception"]],
        }


def _one(raised: BaseException) -> dict[str, Any]:
    found: dict[str, Any] = {
        "message": _text(raised),
        "chain": [[_name(_MODULE(c)), _name(_NAME(c))] for c in _MRO(type(raised))[:20]],
        "traceback": _frames(raised.__traceback__),
    }
    if isinstance(raised, SyntaxError):
        found["syntax"] = [_plain(raised.filename), _plain(raised.lineno), _plain(raised.offset)]
    if isinstance(raised, OSError):
        found["errno"] = _plain(raised.errno)
        found["filename"] = _plain(raised.filename2) or _plain(raised.filename)
    return found


def _text(raised: BaseException) -> str:
    try:
        text = str(raised)
    except BaseException as again:  # noqa: BLE001 - __str__ is the tool's code
        return f"(its message can't be read: {type(again).__name__})"
    rest = len(text) - _TEXT_LIMIT
    return f"{text[:_TEXT_LIMIT]}… {rest:,} more" if rest > 0 else text[:_TEXT_LIMIT]


def _name(value: object) -> str:
    return value[:_NAME_LIMIT] if type(value) is str else "?"


def _plain(value: object) -> str | int | None:
    if type(value) is int:
        return value
    return value[:_TEXT_LIMIT] if type(value) is str else None


def _frames(traceback: TracebackType | None) -> list[list[Any]]:
    """Return file, line and function of the innermost frames, ours left out."""
    found = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not code.co_filename.startswith((_HERE, "<frozen")):
            found.append([code.co_filename[:_TEXT_LIMIT], traceback.tb_lineno, code.co_name[:_NAME_LIMIT]])
        traceback = traceback.tb_next
    return found[-_FRAMES:]


def _causes(raised: BaseException) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    at: BaseException | None = raised
    while at is not None and len(found) < _CAUSES:
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
        if at is not None:
            found.append({"exception": _name(_NAME(type(at))), "message": _text(at)})
    return found


def _release(raised: BaseException) -> None:
    """Let go of what the failed frames hold, so that there is memory to answer with."""
    traceback = raised.__traceback__
    while traceback is not None:
        frame: FrameType = traceback.tb_frame
        traceback = traceback.tb_next
        try:
            frame.clear()
        except RuntimeError:
            continue  # still running: ours
