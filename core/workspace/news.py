"""What is new in the listing of a server that was listed before: told to whoever shows it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.model.discovery import DiscoveredServer


@dataclass(frozen=True, slots=True)
class ServerNews:
    """Names of tools that a server has added, taken away or changed since the answer before, and its new notes.

    Nothing is added by a first answer, and nothing gone when an approval was taken back.
    """

    label: str
    added: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def news_of(answer: DiscoveredServer, before: DiscoveredServer | None) -> ServerNews | None:
    """Return what ``answer`` says that ``before`` didn't; None where it is the same, stderr apart."""
    if before is None:
        return ServerNews(answer.label, notes=answer.notes)
    if replace(answer, stderr="") == replace(before, stderr=""):
        return None
    old = {tool.name: tool for tool in before.tools}
    new = {tool.name: tool for tool in answer.tools}
    return ServerNews(
        answer.label,
        added=tuple(name for name in new if name not in old),
        gone=tuple(name for name in old if name not in new),
        changed=tuple(name for name in new if name in old and new[name] != old[name]),
        notes=tuple(note for note in answer.notes if note not in before.notes),
    )
