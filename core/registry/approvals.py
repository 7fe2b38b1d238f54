"""The approvals: which execution identities may run (resolution, part 5). It fails closed.

A store that cannot be read holds no approval; it is kept aside and a notice says so. Nothing in a workspace
can write here, and a state folder that lies inside the workspace is refused.
"""

from __future__ import annotations

import difflib
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.registry.private_file import Damaged, lies_inside, locked, read_private, set_aside, write_private
from core.sources.identity import ExecutionIdentity

VERSION = 1
_MOST_CODE = 64 * 1024
_UNSEEN = "a value that is not shown has changed"


def now() -> datetime:
    """The clock that is used where none is injected."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Approval:
    """One approved identity, with what was shown when it was approved.

    ``listing`` holds a digest of each tool that its server had when it was first asked; None before that.
    """

    digest: str
    kind: str
    title: str
    root: str
    path: str | None
    line: int | None
    details: tuple[tuple[str, str], ...]
    code: str | None
    approved_at: str
    listing: dict[str, str] | None = None

    def is_about(self, identity: ExecutionIdentity, root: str) -> bool:
        """Whether this approved an earlier state of the same thing in the same workspace."""
        return (self.kind, self.title, self.root, self.path) == (identity.kind, identity.title, root, identity.path)


@dataclass(frozen=True, slots=True)
class ListingChange:
    """What is different in a server's listing since it was approved: names of tools."""

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


class Approvals:
    """The store of one state folder. Reads see what other programs wrote meanwhile.

    Args:
        state: the user's state folder.
        root: the workspace; approvals of others are kept, but neither counted nor shown as earlier ones.
        clock: gives the time that an approval is stamped with.
    """

    def __init__(self, state: Path, root: Path, *, clock: Callable[[], datetime] = now) -> None:
        self._path = state / "approvals.json"
        self._root = str(root.resolve())
        self._inside = lies_inside(state, root)
        self._clock = clock
        self._lock = threading.Lock()
        self.notice: str | None = None
        if self._inside:
            self.notice = "the state folder lies inside the workspace: nothing in it counts as approved"

    def allows(self, identity: ExecutionIdentity) -> bool:
        """Whether exactly ``identity`` is approved."""
        found = self._read().get(identity.digest)
        return found is not None and found.root == self._root and not self._inside

    def compared(self, identity: ExecutionIdentity) -> ExecutionIdentity:
        """Return ``identity`` with what has changed since an earlier approval of the same thing."""
        earlier = self._earlier(identity)
        if earlier is None:
            return identity
        return replace(identity, changed=tuple(_changes(earlier, identity)) or (_UNSEEN,))

    def state_of(self, identity: ExecutionIdentity) -> str:
        """Return ``approved``, ``changed`` (an earlier state was approved) or ``new``."""
        if self.allows(identity):
            return "approved"
        return "changed" if self._earlier(identity) else "new"

    def record(self, identities: Iterable[ExecutionIdentity]) -> None:
        """Approve ``identities`` as they are now.

        Raises:
            PermissionError: the state folder lies inside the workspace.
            OSError: the store cannot be written.
        """
        if self._inside:
            raise PermissionError(self.notice)
        stamp = self._clock().isoformat(timespec="seconds")
        added = {i.digest: self._approval(i, stamp) for i in identities}
        with self._lock, locked(self._path):
            self._write({**self._read(), **added})

    def revoke(self, digests: Iterable[str] | None = None, *, everywhere: bool = False) -> list[Approval]:
        """Take back the approvals whose digest begins with one of ``digests``, and return them.

        None stands for all of this workspace, ``everywhere`` for those of all workspaces.

        Raises:
            OSError: the store cannot be written.
        """
        prefixes = None if digests is None else tuple(digests)
        with self._lock, locked(self._path):
            held = self._read()
            every = [a for a in held.values() if everywhere or prefixes is not None or a.root == self._root]
            gone = [a for a in every if prefixes is None or a.digest.startswith(prefixes)]
            self._write({a.digest: a for a in held.values() if a not in gone})
        return gone

    def pin(self, digest: str, listing: Mapping[str, str]) -> ListingChange:
        """Keep the ``listing`` with the approval of ``digest`` where it has none yet; return how it differs from that.

        A new approval of the same server forgets the listing. What has no stored approval has nothing to differ from.
        """
        held = self._read().get(digest)
        if held is None or held.root != self._root or self._inside:
            return ListingChange()
        if held.listing is None:
            self._keep_listing(digest, listing)
            return ListingChange()
        both = held.listing.keys() & listing.keys()
        return ListingChange(
            tuple(name for name in listing if name in both and held.listing[name] != listing[name]),
            tuple(name for name in listing if name not in both),
            tuple(name for name in held.listing if name not in both),
        )

    def _keep_listing(self, digest: str, listing: Mapping[str, str]) -> None:
        try:
            with self._lock, locked(self._path):
                held = self._read()
                if digest in held:
                    self._write({**held, digest: replace(held[digest], listing=dict(listing))})
        except OSError as error:
            self.notice = f"what the server lists could not be kept: {error.strerror}"

    def digests(self) -> frozenset[str]:
        """Return everything that is approved in this workspace."""
        return frozenset(approval.digest for approval in self.here())

    def here(self) -> list[Approval]:
        """Return every approval that counts in this workspace, oldest first."""
        return [] if self._inside else [approval for approval in self.entries() if approval.root == self._root]

    def entries(self) -> list[Approval]:
        """Return every approval of every workspace, oldest first."""
        return sorted(self._read().values(), key=lambda approval: (approval.approved_at, approval.digest))

    def _approval(self, identity: ExecutionIdentity, stamp: str) -> Approval:
        code = identity.code if identity.code is None or len(identity.code) <= _MOST_CODE else None
        return Approval(
            identity.digest,
            identity.kind,
            identity.title,
            self._root,
            identity.path,
            identity.line,
            identity.details,
            code,
            stamp,
        )

    @property
    def path(self) -> Path:
        """The file of the store."""
        return self._path

    def _earlier(self, identity: ExecutionIdentity) -> Approval | None:
        about = [a for a in self._read().values() if a.is_about(identity, self._root) and a.digest != identity.digest]
        return max(about, key=lambda approval: approval.approved_at, default=None)

    def _read(self) -> dict[str, Approval]:
        try:
            content = read_private(self._path)
            return _decode(content) if content else {}
        except (Damaged, ValueError, TypeError, KeyError, RecursionError) as error:
            aside = set_aside(self._path)
            kept = f", kept as {aside.name}" if aside else ""
            self.notice = f"the approvals could not be read ({error}){kept}: nothing counts as approved"
            return {}

    def _write(self, held: dict[str, Approval]) -> None:
        document = {"version": VERSION, "approvals": [asdict(approval) for approval in held.values()]}
        write_private(self._path, json.dumps(document, indent=1).encode())


def _decode(content: bytes) -> dict[str, Approval]:
    document = json.loads(content)
    if document["version"] != VERSION:
        raise ValueError(f"version {document['version']!r}")
    found = [_approval_from(entry) for entry in document["approvals"]]
    return {approval.digest: approval for approval in found}


def _approval_from(entry: dict[str, Any]) -> Approval:
    details = tuple((str(label), str(value)) for label, value in entry["details"])
    approval = Approval(**{**entry, "details": details})
    texts = (approval.digest, approval.kind, approval.title, approval.root, approval.path or "", approval.approved_at)
    if not all(isinstance(text, str) for text in texts) or len(approval.digest) != 64 or not _is_listing(approval):
        raise TypeError("an entry is no approval")
    return approval


def _is_listing(approval: Approval) -> bool:
    listing = approval.listing
    return listing is None or (isinstance(listing, dict) and all(isinstance(d, str) for d in listing.values()))


def _changes(earlier: Approval, identity: ExecutionIdentity) -> Iterable[str]:
    before, after = list(earlier.details), list(identity.details)
    yield from (f"- {label}: {value}" for label, value in before if (label, value) not in after)
    yield from (f"+ {label}: {value}" for label, value in after if (label, value) not in before)
    if earlier.code is not None and identity.code is not None and earlier.code != identity.code:
        lines = difflib.unified_diff(
            earlier.code.splitlines(), identity.code.splitlines(), "approved", "now", "", "", 1, ""
        )
        yield from lines
