"""Trust: what runs was approved exactly as it is now (resolution, part 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from core.protocol import SkillError, SkillErrorType
from core.runtime.call import CallOptions, ExecutionIdentity


class ApprovalStore(Protocol):
    """The approvals of this user for one workspace, as the runtime needs them."""

    def allows(self, identity: ExecutionIdentity) -> bool:
        """Whether exactly ``identity`` is approved."""
        ...

    def compared(self, identity: ExecutionIdentity) -> ExecutionIdentity:
        """Return ``identity`` with what has changed since an earlier approval of the same thing."""
        ...


class NoApprovals:
    """Nothing is approved beforehand."""

    def allows(self, identity: ExecutionIdentity) -> bool:
        """Return False."""
        return False

    def compared(self, identity: ExecutionIdentity) -> ExecutionIdentity:
        """Return ``identity`` as it is."""
        return identity


def unapproved(
    identities: Callable[[], tuple[ExecutionIdentity, ...]], store: ApprovalStore
) -> tuple[ExecutionIdentity, ...]:
    """Return what still needs an approval, compared with earlier ones."""
    return tuple(store.compared(identity) for identity in identities() if not store.allows(identity))


def approved_digests(
    skill: str,
    tool: str,
    identities: Callable[[], tuple[ExecutionIdentity, ...]],
    store: ApprovalStore,
    options: CallOptions,
) -> SkillError | frozenset[str]:
    """Ask for each approval that is missing; return the approved digests, or why the call is refused.

    What would run is looked at once more after a question: it must still be what was approved.
    """
    before = identities()
    approved = frozenset(identity.digest for identity in before)
    asked = [store.compared(identity) for identity in before if not store.allows(identity)]
    if asked and options.approve is None:
        return _not_approved(skill, tool, asked)
    for identity in asked:
        if options.approve is None or not options.approve(identity):
            return _not_approved(skill, tool, [identity])
    if asked and approved != {identity.digest for identity in identities()}:
        message = f"what `{tool}` runs has changed while it was being approved; nothing was run"
        return _denied(skill, tool, message, {"needs": "approval"})
    return approved


def _not_approved(skill: str, tool: str, missing: list[ExecutionIdentity]) -> SkillError:
    """Return the refusal, which names everything that is ``missing``; its details are those of the first."""
    first = missing[0]
    command = f"skill-explorer invoke {skill} {tool} --trust"
    what = " and ".join(f"{identity.title}{_where(identity)} {_state(identity)}" for identity in missing)
    details: dict[str, object] = {
        "needs": "approval",
        "digest": first.digest,
        "path": first.path,
        "line": first.line,
        "changed": list(first.changed),
        "hint": command,
    }
    if len(missing) > 1:
        details["digests"] = [identity.digest for identity in missing]
    it = "it" if len(missing) == 1 else "all of it"
    return _denied(skill, tool, f"{what}; `{command}` approves {it} for one call", details)


def _where(identity: ExecutionIdentity) -> str:
    return "" if identity.path is None else f" ({identity.path}:{identity.line})"


def _state(identity: ExecutionIdentity) -> str:
    return "has changed since it was approved" if identity.changed else "is not approved to run"


def _denied(skill: str, tool: str, message: str, details: dict[str, object]) -> SkillError:
    return SkillError(
        error_type=SkillErrorType.PERMISSION_DENIED,
        message=message,
        details=details,
        skill_name=skill,
        tool_name=tool,
    )
