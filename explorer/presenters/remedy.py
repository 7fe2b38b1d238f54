"""What can be done about an error, with the keys of the screen: core's own remedies name the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.presenters.keys import Keymap, with_bound

if TYPE_CHECKING:
    from core.protocol import SkillError

_BY_NEED = {
    "approval": "{try.run} in the form runs it again and shows what would run: approve it there",
    "confirmation": "{try.run} in the form runs it again and asks: say yes there",
}
_UNDISCOVERED = "not all tools are known: {discover} asks the servers for theirs"


def message_of(error: SkillError) -> str:
    """Return the sentence of ``error`` without a command to run instead."""
    hint = error.details.get("hint")
    needs = error.details.get("needs") in _BY_NEED
    return error.message.partition(f"; `{hint}`")[0] if needs and isinstance(hint, str) else error.message


def remedy_of(error: SkillError, keys: Keymap) -> str | None:
    """Return what to do about ``error`` on the screen; None where nothing is known."""
    details = error.details
    said = _BY_NEED.get(str(details.get("needs")))
    if said is None and "undiscovered_servers" in details:
        said = _UNDISCOVERED
    if said is not None:
        return with_bound(keys, said)
    hint = details.get("hint")
    return hint if isinstance(hint, str) else None
