"""The adapter of custom Python tools, inline or from a file (language, part 4)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from core.model.discovery import DiscoveredTool
from core.protocol import SkillErrorType
from core.resolve.views import CustomDefinition, ToolDefinition
from core.sources.custom_code import Code, CodeMissing, code_of
from core.sources.identity import ExecutionIdentity, digest_of, make_identity
from core.sources.interface import Invocation, Program
from core.sources.worker_adapter import WorkerAdapter

_LOADER = "core.sources.custom_loader"
_KIND = "custom"
_VARIABLES = "PATH, LANG, HOME, TMPDIR, TZ, GIT_OPTIONAL_LOCKS"


class CustomAdapter(WorkerAdapter):
    """Runs Python that somebody wrote into the workspace, as it was when it was approved."""

    def identities(
        self, definition: ToolDefinition, arguments: Mapping[str, object], isolation: str
    ) -> tuple[ExecutionIdentity, ...]:
        """Return the tool's code and everything else that decides what it does; arguments are not part of it."""
        assert isinstance(definition, CustomDefinition)
        try:
            code = code_of(definition, self.root)
        except CodeMissing:
            return ()  # nothing to run; activation says what is missing
        identity = make_identity(
            _KIND,
            f"tool {definition.decl.name}",
            definition.source.place(definition.decl.span),
            self.root,
            _parts(definition, code, isolation),
            details=_details(definition, code, isolation),
            code=code.shown,
            warnings=_warnings(code),
        )
        return (identity,)

    def discover(self, call: Invocation) -> DiscoveredTool:
        """Return what the declaration says; a tool with a hook for this stage runs it."""
        if "discover" in (self._declared(call).decl.model.lifecycle or {}):
            call.worker.start(self.program(call))
            call.worker.run("discover")
        return super().discover(call)

    def program(self, call: Invocation) -> Program:
        """Return the code as it is now, if it is what was approved."""
        definition = self._declared(call)
        try:
            code = code_of(definition, self.root)
        except CodeMissing as error:
            raise call.failure(SkillErrorType.TOOL_ACTIVATION_FAILURE, str(error)) from None
        if digest_of(_KIND, self.root, _parts(definition, code, call.isolation)) not in call.approved:
            message = f"the code of `{call.record.name}` has changed since it was approved; nothing was run"
            raise call.failure(SkillErrorType.PERMISSION_DENIED, message, needs="approval")
        data = {"sources": code.sources, "stages": code.stages, "folders": code.folders, "modules": code.modules}
        return Program(_LOADER, data)

    @staticmethod
    def _declared(call: Invocation) -> CustomDefinition:
        assert isinstance(call.definition, CustomDefinition)
        return call.definition


def _parts(definition: CustomDefinition, code: Code, isolation: str) -> dict[str, Any]:
    return {
        **code.parts(),
        "name": definition.decl.name,
        "capability": definition.decl.capability.model_dump(mode="json"),
        "interpreter": [*_interpreter(), sys.version],
        "environment": _VARIABLES,
        "isolation": isolation,
    }


def _interpreter() -> tuple[str, str]:
    """Return the program and the environment whose packages it has, whatever link it was started by."""
    return os.path.realpath(sys.executable), sys.prefix


def _details(definition: CustomDefinition, code: Code, isolation: str) -> Iterator[tuple[str, str]]:
    yield "runs", definition.decl.model.entry_point or "the code below"
    for stage, (key, name) in code.stages.items():
        source = code.sources.get(str(key), {"file": "nothing"})
        yield f"at {stage}", f"`{name or 'run'}` of {source['file']}"
    program, environment = _interpreter()
    yield "interpreter", f"{program} ({sys.version.split()[0]}) of {environment}"
    yield "environment", _VARIABLES
    yield "working folder", "the workspace"
    yield "isolation", isolation
    for path, digest in code.modules.items():
        yield f"file {path}", f"sha256 {digest}"


def _warnings(code: Code) -> Iterator[str]:
    if not code.complete:
        yield "lies beside more Python files than an approval can cover, so it can't import them"
