"""The MCP servers of an open workspace: what they said, under which approvals, and who hears when that changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from core.model.discovery import DiscoveredServer
from core.protocol import SkillError, SkillErrorType
from core.workspace.news import ServerNews, news_of
from core.workspace.relisting import Relister

if TYPE_CHECKING:
    from core.registry.approvals import Approvals
    from core.resolve.catalogue import Catalogue
    from core.resolve.views import McpDefinition
    from core.runtime.call import CallOptions, ExecutionIdentity
    from core.runtime.identity import ApprovalStore
    from core.runtime.runtime import ToolRuntime
    from core.workspace.running import Answers, Approve, DiscoveryProgress

Heard = Callable[[Mapping[str, ServerNews]], None]
_MOST_NAMED = 10
_CHANGED, _ADDED, _GONE = (
    "changed since it was approved",
    "not there when it was approved",
    "gone since it was approved",
)
_RELISTED = "changed since it was first listed"


class Host(Protocol):
    """What a workspace is to its servers."""

    catalogue: Catalogue

    @property
    def runtime(self) -> ToolRuntime:
        """What reaches the servers."""
        ...

    @property
    def approvals(self) -> Approvals:
        """The stored approvals."""
        ...

    @property
    def watched(self) -> ApprovalStore:
        """The same; what is used of them is watched."""
        ...

    def resolve(self) -> None:
        """Resolve anew with what is discovered now."""
        ...


class LiveServers:
    """What is known of the servers; methods may be called from any thread, and block while servers answer."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.discovered: dict[str, DiscoveredServer] = {}
        self._approved: dict[str, frozenset[str]] = {}
        self._heard: list[Heard] = []
        self._lock = threading.Lock()
        self._unresolved = 0
        self._relister = Relister(self._relist)

    @property
    def changed(self) -> Callable[[str], None]:
        """What an adapter tells of a changed listing."""
        return self._relister.changed

    def subscribe(self, heard: Heard) -> Callable[[], None]:
        """Have ``heard`` told what is new, by the keys of servers, once it is resolved; return what ends that."""
        self._heard.append(heard)

        def unsubscribe() -> None:
            if heard in self._heard:
                self._heard.remove(heard)

        return unsubscribe

    def waiting(self, servers: Iterable[McpDefinition]) -> tuple[ExecutionIdentity, ...]:
        """Return what asking ``servers`` would run that has no approval yet, each once; nothing runs."""
        from core.runtime.identity import unapproved
        from core.workspace.running import server_identities

        runtime = self._host.runtime
        found = {i.digest: i for definition in servers for i in server_identities(runtime, definition)}
        return unapproved(lambda: tuple(found.values()), self._host.watched)

    def waiting_of(self, skill: str | None) -> tuple[ExecutionIdentity, ...]:
        """Return the same for the servers of ``skill``, or all."""
        from core.workspace.running import server_definitions

        return self.waiting(server_definitions(self._host.catalogue, skill).values())

    def discover(
        self,
        skill: str | None,
        approve: Approve | None,
        progress: DiscoveryProgress | None,
        cancel: threading.Event | None,
    ) -> dict[str, DiscoveredServer]:
        """Ask the servers of ``skill``, or all."""
        from core.workspace.running import server_definitions

        return self.ask(server_definitions(self._host.catalogue, skill), approve, progress, cancel)

    def ask(
        self,
        servers: Mapping[str, McpDefinition],
        approve: Approve | None,
        progress: DiscoveryProgress | None,
        cancel: threading.Event | None,
    ) -> dict[str, DiscoveredServer]:
        """Ask ``servers``, each that is approved or that ``approve`` says yes to; return the answers by their keys."""
        from core.workspace.running import discover

        host = self._host
        return self._take(discover(servers, host.runtime, host.watched, approve, progress, cancel))

    def ask_for_call(
        self,
        skill: str,
        tool: str,
        servers: Mapping[str, McpDefinition],
        options: CallOptions,
        cancel: threading.Event | None,
    ) -> SkillError | None:
        """Ask ``servers`` for the sake of a call; return why that can't be, in the words that the call would use."""
        from core.runtime.identity import approved_digests
        from core.workspace.running import Answers, ask_approved, server_identities

        runtime, answers = self._host.runtime, Answers()

        def needed() -> dict[str, tuple[ExecutionIdentity, ...]]:
            return {key: server_identities(runtime, definition) for key, definition in servers.items()}

        def all_needed() -> tuple[ExecutionIdentity, ...]:
            found = {i.digest: i for identities in needed().values() for i in identities}
            return tuple(sorted(found.values(), key=lambda i: (i.path or "", i.line or 0)))

        found = approved_digests(skill, tool, all_needed, self._host.watched, options)
        if isinstance(found, SkillError):
            return found
        for key, identities in needed().items():
            answers.approved[key] = frozenset(identity.digest for identity in identities) & found
        answers.servers = ask_approved(servers, runtime, answers.approved, cancel=cancel)
        taken = self._take(answers)
        failed = next((answer for answer in taken.values() if answer.error is not None), None)
        return None if failed is None else failure_of(failed, skill, tool)

    def forget(self, digests: frozenset[str]) -> None:
        """Know nothing more of the servers that were asked under ``digests``."""
        with self._lock:
            gone = {
                key: ServerNews(self.discovered[key].label) for key, used in self._approved.items() if used & digests
            }
            self._approved = {key: used for key, used in self._approved.items() if key not in gone}
            self.discovered = {key: answer for key, answer in self.discovered.items() if key not in gone}
            self._unresolved += bool(gone)
        self._resolve_and_tell(gone)

    def stop(self) -> None:
        """Ask no server again by itself."""
        self._relister.stop()

    def join(self) -> None:
        """Wait for what was begun."""
        self._relister.join()

    def _take(self, answers: Answers) -> dict[str, DiscoveredServer]:
        """Keep what was answered; a server that fails now loses nothing that it said before."""
        told = {key: self._pinned(answer, answers.approved.get(key)) for key, answer in answers.servers.items()}
        good = {key: answer for key, answer in told.items() if answer.error is None}
        with self._lock:
            news = {key: news_of(answer, self.discovered.get(key)) for key, answer in good.items()}
            self.discovered = self.discovered | good
            self._approved |= {key: answers.approved[key] for key in good}
            fresh = {key: new for key, new in news.items() if new is not None}
            self._unresolved += bool(fresh)
        self._resolve_and_tell(fresh)
        return told

    def _resolve_and_tell(self, news: Mapping[str, ServerNews]) -> None:
        """Resolve with what is new; what another thread has heard and not resolved yet is waited for, too."""
        if not news and not self._unresolved:
            return
        try:
            self._host.resolve()
        finally:
            with self._lock:
                self._unresolved -= bool(news)
        for heard in tuple(self._heard) if news else ():
            heard(news)

    def _pinned(self, answer: DiscoveredServer, approved: frozenset[str] | None) -> DiscoveredServer:
        """Return ``answer`` with what is different in it since the server was approved."""
        if answer.error is not None or not approved:
            return answer
        from core.sources.mcp.identity import tool_digest

        listing = {tool.name: tool_digest(tool) for tool in answer.tools}
        found = self._host.approvals.pin(min(approved), listing)
        notes = (
            *_note(_CHANGED, found.changed),
            *_note(_ADDED, found.added),
            *_note(_GONE, found.gone),
        )
        said = dict.fromkeys(answer.changed, _RELISTED) | dict.fromkeys(found.changed, _CHANGED)
        said |= dict.fromkeys(found.added, _ADDED)
        tools = tuple(replace(tool, changed=said[tool.name]) if tool.name in said else tool for tool in answer.tools)
        return replace(answer, tools=tools, notes=(*answer.notes, *notes), changed=tuple(said))

    def _relist(self, keys: frozenset[str]) -> None:
        """Ask the servers of ``keys`` again, as far as they still run: news of a listing starts nothing."""
        from core.workspace.running import Answers, ask_approved, mcp_adapter, server_definitions

        runtime = self._host.runtime
        with self._lock:
            approved = {key: self._approved[key] for key in keys if key in self._approved}
        known = {k: d for k, d in server_definitions(self._host.catalogue).items() if k in approved}
        running = {k: d for k, d in known.items() if mcp_adapter(runtime, d).connected(d)}
        self._take(Answers(ask_approved(running, runtime, approved), approved))


def _note(words: str, names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        return ()
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return (f"{words}: {', '.join(names[:_MOST_NAMED])}{more}",)


def failure_of(answer: DiscoveredServer, skill: str, tool: str | None = None) -> SkillError:
    """Return the error of a server that gave no listing."""
    from core.workspace.running import CANCELLED, NOT_APPROVED

    details: dict[str, object] = {"server": answer.label}
    if answer.stderr:
        details["stderr"] = answer.stderr.splitlines()[-20:]
    kind = SkillErrorType.TOOL_ACTIVATION_FAILURE
    if answer.error == NOT_APPROVED:
        kind = SkillErrorType.PERMISSION_DENIED
        details |= {"needs": "approval", "hint": f"skill-explorer tools {skill} --discover --trust"}
    elif answer.error == CANCELLED:
        kind = SkillErrorType.TOOL_EXECUTION_FAILURE
        details["cancelled"] = True
    return SkillError(
        error_type=kind,
        message=f"MCP server `{answer.label}`: {answer.error}",
        details=details,
        skill_name=skill,
        tool_name=tool,
    )
