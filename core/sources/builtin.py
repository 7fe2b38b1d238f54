"""The adapter of the built-in tools; they need no approval, but for the shell (language, part 4)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from core.model.builtins import PREFIX
from core.protocol import SkillErrorType
from core.resolve.views import BuiltinDefinition, ToolDefinition
from core.sources.git_repository import NoRepository, files_above, find_repository
from core.sources.identity import ExecutionIdentity, make_identity
from core.sources.interface import Invocation, Program
from core.sources.program import ProgramRefused, resolve_program
from core.sources.worker_adapter import WorkerAdapter

_LOADER = "core.sources.builtin_run"
_SHELL = "shell_execute"
_SYSTEM = ("/usr/", "/bin/")


class BuiltinAdapter(WorkerAdapter):
    """Carries the built-in tools out, in a worker like all others."""

    def program(self, call: Invocation) -> Program:
        """Return the program; for git, with the repository that the workspace belongs to."""
        tool = call.record.name.removeprefix(PREFIX)
        if not tool.startswith("git_"):
            return Program(_LOADER, {"tool": tool})
        try:
            repository = find_repository(str(self.root))
            program = resolve_program("git", self.root, os.environ, str(self.root))
        except (NoRepository, ProgramRefused) as error:
            raise call.failure(SkillErrorType.TOOL_ACTIVATION_FAILURE, str(error)) from None
        above = files_above(str(self.root), repository["top"])
        visible = (repository["git_dir"], repository["common_dir"], *above, *_own_folder(program))
        return Program(_LOADER, {"tool": tool, "program": program, **repository}, visible)

    def identities(
        self, definition: ToolDefinition, arguments: Mapping[str, object], isolation: str
    ) -> tuple[ExecutionIdentity, ...]:
        """Return the command that the shell would run; the other tools run nothing but our own code."""
        assert isinstance(definition, BuiltinDefinition)
        if definition.spec.tool != _SHELL:
            return ()
        command = arguments.get("command")
        text = command if isinstance(command, str) else "(any command; each one is asked for by itself)"
        details = (("program", "/bin/sh -c"), ("working folder", "the workspace"), ("isolation", isolation))
        parts: dict[str, Any] = {"command": text, "isolation": isolation}
        return (
            make_identity("shell", f"`{definition.spec.name}`", None, self.root, parts, details=details, code=text),
        )


def _own_folder(program: str) -> list[str]:
    """Return where a program lies that isn't the system's, with what it was installed with."""
    real = os.path.realpath(program)
    return [] if real.startswith(_SYSTEM) else [os.path.dirname(os.path.dirname(real))]
