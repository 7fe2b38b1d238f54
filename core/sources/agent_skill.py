"""The adapter of Agent Skills: executing one gives what a model would be given; no script runs (language, part 6)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.language.agent_skill.preview import FILE, given_file, preview
from core.language.declarations import AgentSkillDecl
from core.language.reading import Unreadable, read_workspace_file
from core.model.discovery import DiscoveredTool
from core.protocol import SkillErrorType
from core.resolve.views import AgentDefinition, ToolDefinition
from core.sources.identity import ExecutionIdentity
from core.sources.interface import AdapterSettings, Executed, Invocation


class AgentSkillAdapter:
    """Gives the instructions of a SKILL.md that was read when the workspace was loaded."""

    def __init__(self, settings: AdapterSettings) -> None:
        self.root = settings.root

    def identities(
        self, definition: ToolDefinition, arguments: Mapping[str, object], isolation: str
    ) -> tuple[ExecutionIdentity, ...]:
        """Return nothing: nothing runs."""
        return ()

    def isolation(self, definition: ToolDefinition) -> str | None:
        """Say that nothing runs."""
        return "Nothing runs: the instructions are read and shown."

    def discover(self, call: Invocation) -> DiscoveredTool:
        """Return name and description: the metadata that a model always sees."""
        skill = self._declared(call).decl
        problem = None if skill.usable else f"{skill.path}/SKILL.md can't be used; its diagnostics say why"
        record = call.record
        return DiscoveredTool(
            record.name,
            skill.description,
            record.capability,
            input_schema=record.input_schema,
            output_schema=record.output_schema,
            problem=problem,
        )

    def activate(self, call: Invocation) -> None:
        """Make sure that there are instructions."""
        skill = self._declared(call).decl
        if not skill.body.strip():
            message = f"{skill.path}/SKILL.md has no instructions"
            raise call.failure(SkillErrorType.TOOL_ACTIVATION_FAILURE, message)

    def execute(self, call: Invocation) -> Executed:
        """Return instructions, steps, resources, allowed tools and their size in tokens; a file on request.

        Raises:
            SkillFailure: the file that is wanted is none of the skill's, or can't be read as text.
        """
        skill = self._declared(call).decl
        wanted = call.arguments.get(FILE)
        return Executed(preview(skill) if wanted is None else {**preview(skill), FILE: self._file(call, skill, wanted)})

    def _file(self, call: Invocation, skill: AgentSkillDecl, wanted: object) -> dict[str, object]:
        if not isinstance(wanted, str) or wanted not in skill.resources:
            message = f"{skill.path} has no file {wanted!r:.200} to give"
            raise call.failure(SkillErrorType.TOOL_EXECUTION_FAILURE, message, resources=list(skill.resources))
        try:
            return given_file(wanted, read_workspace_file(self.root, f"{skill.path}/{wanted}"))
        except Unreadable as error:
            message = f"{wanted} can't be given: {error.message}"
            raise call.failure(SkillErrorType.TOOL_EXECUTION_FAILURE, message) from error

    def deactivate(self, call: Invocation) -> None:
        """Nothing is held."""

    def revoke(self, digests: Collection[str]) -> None:
        """Nothing runs."""

    def running(self) -> frozenset[str]:
        """Return nothing: nothing is kept between calls."""
        return frozenset()

    def close(self) -> None:
        """Nothing is kept between calls."""

    @staticmethod
    def _declared(call: Invocation) -> AgentDefinition:
        assert isinstance(call.definition, AgentDefinition)
        return call.definition
