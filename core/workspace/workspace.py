"""A workspace: its files' declarations, their resolution, their diagnostics, and calls of their tools."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.diagnostics import Diagnostic, Severity
from core.language.confidential import masked, may_hold_secrets
from core.language.declarations import Declarations
from core.language.edited import EditedTexts
from core.language.load import Progress
from core.language.reading import Unreadable, limit_of
from core.model.discovery import DiscoveredServer
from core.resolve.catalogue import Catalogue
from core.workspace.folder import readable_folder
from core.workspace.last_good import LastGood, last_good
from core.workspace.live_servers import Heard, LiveServers
from core.workspace.reading import WorkspaceReader
from core.workspace.settings import read_settings
from core.workspace.state import state_folder, state_problem
from core.workspace.weighing import Weighing

if TYPE_CHECKING:
    from core.registry.approvals import Approval, Approvals
    from core.registry.history import History
    from core.runtime.call import CallOptions, CallOutcome, EventSink, ExecutionIdentity
    from core.runtime.runtime import ToolRuntime
    from core.workspace.approval_watch import WatchedApprovals
    from core.workspace.refreshing import Refreshed
    from core.workspace.registering import Registrations
    from core.workspace.running import Approve, DiscoveryProgress


@dataclass(frozen=True, slots=True)
class Counts:
    """The summary of ``check``."""

    skills: int
    tools: int
    actors: int
    files: int
    errors: int
    warnings: int
    infos: int


class Workspace:
    """One folder of skills. Loading executes nothing; a call runs in processes of its own.

    Raises:
        WorkspaceUnreadable: ``root`` is no folder that can be listed.
    """

    def __init__(self, root: Path, *, state: Path | None = None) -> None:
        self.root = readable_folder(root)
        self.state = state_folder(state)
        self.declarations = Declarations(complete=False)
        self.edited = EditedTexts(self.root)
        self._reader = WorkspaceReader(self.root, self.edited)
        self.catalogue = Catalogue(self.declarations)
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self.last_good: Mapping[str, LastGood] = {}
        """Skills whose file could be read by an earlier load and can't now, by name, as they were: for looking only."""
        self._weighing = Weighing(self._text_or_none, self._reader.stamp_of)
        self._servers = LiveServers(self)
        self._runtime: ToolRuntime | None = None
        self._lock = threading.Lock()
        self._resolving = threading.Lock()

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.root.name or str(self.root)

    @property
    def files_read(self) -> tuple[str, ...]:
        """What the last load had to read, since it was new or had changed: paths, Agent Skill folders with a slash."""
        return self._reader.read

    def load(
        self,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
        changed: Collection[str] | None = None,
    ) -> bool:
        """Read what has changed since the last load, and resolve; blocks, so a screen calls it in a thread.

        ``changed`` are the only paths that can have changed, relative to the root, if that is known: then folders
        are searched only where it takes that. ``progress`` is told how many files are read, how many there are, and
        the names of the skills read since it was told last, in this thread; a name may come twice. False once
        ``cancelled`` has ended it: what was complete before stays; where nothing was, what was read until then is
        there, without findings that need all files.
        The next load reads only the rest.
        """
        readable_folder(self.root)
        found = self._reader.declarations(progress, cancelled, changed)
        if found.complete or not self.declarations.complete:
            self.adopt(found)
        return found.complete

    def adopt(self, declarations: Declarations) -> None:
        """Resolve ``declarations`` and make them the workspace's present state."""
        with self._resolving:
            self._adopt(declarations)

    def resolve(self) -> None:
        """Resolve the present declarations anew, with what is discovered now."""
        with self._resolving:
            self._adopt(self.declarations)

    def _adopt(self, declarations: Declarations) -> None:
        before = self.catalogue if self.declarations.files else None
        catalogue = Catalogue(declarations, self.discovered, before)
        settings, faults = read_settings(self.root)
        read = [*declarations.diagnostics, *faults]
        across = catalogue.diagnostics_by_path() if declarations.complete else {}
        self.diagnostics = self._weighing.heard(read, across, settings)
        self.last_good = last_good(declarations, self.declarations, self.catalogue, self.last_good)
        self.declarations, self.catalogue = declarations, catalogue

    @property
    def discovered(self) -> Mapping[str, DiscoveredServer]:
        """What the MCP servers that were asked have said, by the keys of their declarations."""
        return self._servers.discovered

    def on_servers_changed(self, heard: Heard) -> Callable[[], None]:
        """Have ``heard`` told, from any thread, what is new of servers by their keys; return what ends that.

        It comes once the catalogue holds the news: after a discovery, a call that had to ask first, a revocation,
        and, at most a few times a second, when a connected server says that its tools have changed.
        """
        return self._servers.subscribe(heard)

    @property
    def counts(self) -> Counts:
        """Numbers for the summary line."""
        by_severity = dict.fromkeys(Severity, 0)
        for found in self.diagnostics:
            by_severity[found.severity] += 1
        return Counts(
            skills=len(self.declarations.skills),
            tools=self.catalogue.tool_total(),
            actors=len(self.declarations.actors),
            files=self.declarations.files,
            errors=by_severity[Severity.ERROR],
            warnings=by_severity[Severity.WARNING],
            infos=by_severity[Severity.INFO],
        )

    def text_of(self, path: str) -> str:
        """Return the text of a workspace file, edited where it is.

        Raises:
            core.language.reading.Unreadable: it is gone, outside, too large or not UTF-8.
        """
        return self.edited.read(path, limit_of(path)).text

    def shown_text_of(self, path: str) -> str:
        """Return ``text_of(path)`` as it may be shown: all in its place, but what ``env`` and ``headers`` hold hidden.

        Raises:
            core.language.reading.Unreadable: it is gone, outside, too large or not UTF-8.
        """
        text = self.text_of(path)
        return masked(text) if may_hold_secrets(path) else text

    def _text_or_none(self, path: str) -> str | None:
        try:
            return self.text_of(path)
        except (Unreadable, OSError):
            return None

    @property
    def runtime(self) -> ToolRuntime:
        """The runtime of this workspace, made at the first call."""
        with self._lock:
            if self._runtime is None:
                from core.registry.outcomes import Outcomes
                from core.runtime.runtime import ToolRuntime

                self._runtime = ToolRuntime(
                    self.root,
                    state=self.state,
                    approvals=self.watched,
                    changed=self._servers.changed,
                    memory=Outcomes(self.state, self.root),
                )
            return self._runtime

    @cached_property
    def watched(self) -> WatchedApprovals:
        """The approvals as calls see them: what is taken back while it is used is ended."""
        from core.workspace.approval_watch import WatchedApprovals

        return WatchedApprovals(self.approvals, self._end)

    @cached_property
    def approvals(self) -> Approvals:
        """The approvals of this workspace in the user's state folder."""
        from core.registry.approvals import Approvals

        return Approvals(self.state, self.root)

    @cached_property
    def history(self) -> History:
        """The earlier calls of this workspace."""
        from core.registry.history import History

        return History(self.state, self.root)

    @property
    def has_registry(self) -> bool:
        """Whether anything was ever registered in this state folder; one look at it, which reads nothing."""
        from core.registry import REGISTRY_FILE

        return (self.state / REGISTRY_FILE).exists()

    @cached_property
    def registrations(self) -> Registrations:
        """The registered skills of this workspace."""
        from core.workspace.registering import Registrations

        return Registrations(self, self._servers)

    def refresh(
        self,
        names: Iterable[str] = (),
        approve: Approve | None = None,
        progress: DiscoveryProgress | None = None,
        cancel: threading.Event | None = None,
    ) -> Refreshed:
        """Refresh the registered skills ``names`` (none: all); their servers are asked by the rules of ``discover``.

        Raises:
            core.registry.database.Unusable: the registry can't be read or written.
        """
        from core.workspace.refreshing import refresh

        return refresh(self, self.registrations, names, approve, progress, cancel)

    def invoke(
        self,
        skill: str,
        tool: str,
        arguments: Any,
        options: CallOptions | None = None,
        events: EventSink | None = None,
        cancel: threading.Event | None = None,
    ) -> CallOutcome:
        """Call one tool of a skill; whatever the tool or the workspace does ends as a ``SkillResult``.

        A server whose tools nobody knows yet is asked first. The history keeps the call, without secrets, unless it
        only asked for the yes that the tool needs each time.
        """
        from core.workspace.calling import Calling

        return Calling(self, self._servers).invoke(skill, tool, arguments, options, events, cancel)

    def identities(
        self,
        skill: str,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> tuple[ExecutionIdentity, ...]:
        """Return what a call of ``tool`` would run that has no approval yet; nothing runs.

        Raises:
            SkillFailure: the skill does not exist or does not resolve.
        """
        from core.workspace.calling import Calling

        return Calling(self, self._servers).identities(skill, tool, arguments, options)

    def confirmation(self, skill: str, tool: str) -> str | None:
        """Return why a call of ``tool`` needs an explicit yes each time; None where it needs none. Nothing runs.

        Raises:
            SkillFailure: the skill does not exist or does not resolve.
        """
        from core.workspace.calling import Calling

        return Calling(self, self._servers).confirmation(skill, tool)

    def record_approvals(self, identities: Iterable[ExecutionIdentity]) -> None:
        """Approve ``identities`` exactly as they are, for this and later runs.

        Raises:
            PermissionError: the state folder lies inside the workspace.
            OSError: the approvals cannot be written.
        """
        self.approvals.record(identities)

    def revoke(self, digests: Iterable[str] | None = None, *, everywhere: bool = False) -> list[Approval]:
        """Take back the approvals that begin with one of ``digests``, and end what runs under them.

        None stands for all of this workspace, ``everywhere`` for those of all workspaces.

        Raises:
            OSError: the approvals cannot be written.
        """
        gone = self.approvals.revoke(digests, everywhere=everywhere)
        self._end(frozenset(approval.digest for approval in gone))
        return gone

    def running(self) -> frozenset[str]:
        """Return the digests of the approvals under which calls or servers run now."""
        with self._lock:
            runtime = self._runtime
        return runtime.running() if runtime is not None else frozenset()

    def _end(self, digests: frozenset[str]) -> None:
        """End what runs under approvals that have been taken back."""
        with self._lock:
            runtime = self._runtime
        if runtime is not None and digests:
            runtime.revoke(digests)
        self._servers.forget(digests)

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should know of the state folder: that it, or what is kept in it, can't be used."""
        if problem := state_problem(self.state):
            return (problem,)
        kept = self.history.notice if "history" in self.__dict__ else None
        entered = self.registrations.store.notice if "registrations" in self.__dict__ else None
        return tuple(notice for notice in (self.approvals.notice, kept, entered) if notice)

    def input_schema_digest(self, skill: str, tool: str) -> str | None:
        """Return the digest of the input schema that ``tool`` has now, as the history keeps it with each call.

        None where there is no such tool, or its server has not been asked for it.
        """
        from core.workspace.calling import schema_of

        return schema_of(self.catalogue, skill, tool)

    def all_identities(self) -> tuple[ExecutionIdentity, ...]:
        """Return everything that calls of the workspace's tools would run, approved or not; nothing runs."""
        from core.workspace.running import identities_of

        return identities_of(self.catalogue, self.runtime)

    def discover(
        self,
        skill: str | None = None,
        approve: Approve | None = None,
        progress: DiscoveryProgress | None = None,
        cancel: threading.Event | None = None,
    ) -> dict[str, DiscoveredServer]:
        """Ask the MCP servers of ``skill`` (None: of all skills) for their tools, and resolve anew with the answers.

        Blocks. ``approve`` is asked for each server without a stored approval; one that stays without it, or
        fails, answers with an ``error``.
        """
        return self._servers.discover(skill, approve, progress, cancel)

    def servers_waiting(self, skill: str | None = None) -> tuple[ExecutionIdentity, ...]:
        """Return what ``discover`` of ``skill`` would ask to approve, as it is now, each once; nothing runs."""
        return self._servers.waiting_of(skill)

    def close(self) -> None:
        """End every process that calls have left running; safe to call twice."""
        with self._lock:
            runtime, self._runtime = self._runtime, None
        self._servers.stop()
        if "watched" in self.__dict__:
            self.watched.close()
        if runtime is not None:
            runtime.close()
        self._servers.join()
