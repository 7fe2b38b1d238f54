"""The boundary of the command line: usage errors, closed pipes and the unexpected end here, never as a traceback."""

from __future__ import annotations

import io
import os
import sys

import click

from explorer.cli.group import cli
from explorer.cli.interrupt import INTERRUPTED_STATUS

USAGE_STATUS = 2
UNEXPECTED_STATUS = 70


def main(arguments: list[str] | None = None) -> int:
    """Run the program and return its exit status."""
    _make_streams_usable()
    try:
        status = cli.main(arguments, prog_name="skill-explorer", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        return _say(error.format_message(), USAGE_STATUS)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted", INTERRUPTED_STATUS)
    except BrokenPipeError:
        return _quiet_pipe()
    except OSError as error:
        return _say(f"{error.strerror or error}", UNEXPECTED_STATUS)
    except Exception as error:  # noqa: BLE001 - the one place that turns the unexpected into a sentence
        return _unexpected(error)
    return status if isinstance(status, int) else 0


def _make_streams_usable() -> None:
    """Have closed streams take what is written, and ones of few letters show the others as escapes."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - stays open as long as the program
        elif isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def _say(message: str, status: int) -> int:
    from core.text import safe_text

    try:
        line = safe_text(" ".join(message.split()))
        sys.stderr.write(f"skill-explorer: {line}\n".encode("utf-8", "replace").decode("utf-8"))
    except OSError:
        return status
    return status


def _quiet_pipe() -> int:
    """Leave quietly; the interpreter's own flush at exit must not meet the closed pipe again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _unexpected(error: Exception) -> int:
    from explorer.cli.report import describe

    return _say(f"unexpected error, please report it: {describe(error)}", UNEXPECTED_STATUS)
