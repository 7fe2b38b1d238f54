"""The rules of the body's size, and what the body's rules have in common."""

from __future__ import annotations

from core.diagnostics.rules import agent_skill_body as rules
from core.language.agent_skill.frontmatter import Frontmatter
from core.language.agent_skill.page import Page
from core.language.tree import pack

MAX_LINES = 500
MAX_TOKENS = 5_000
CHARACTERS_OF_A_TOKEN = 4


def tokens_of(text: str) -> int:
    """Estimate how many tokens a model needs for ``text``: one for four characters, rounded up."""
    return -(-len(text) // CHARACTERS_OF_A_TOKEN)


def check_size(page: Page, front: Frontmatter) -> None:
    """Report a body that is empty, longer than 500 lines or larger than 5,000 tokens, blanks around it apart."""
    flat = page.flat
    bare = flat[front.body :].strip()
    if not bare:
        closing = pack(front.end, front.end + 3)
        page.add(rules.BODY_EMPTY, closing, "nothing follows the frontmatter", hint="write the instructions there")
        return
    first = len(flat) - len(flat[front.body :].lstrip())
    lines = bare.count("\n") + 1
    if lines > MAX_LINES:
        at = _line_after(flat, first, MAX_LINES)
        message = f"the body has {lines:,} lines; at most {MAX_LINES} are advised"
        page.add(rules.BODY_LINES, pack(at, at), message, hint="move details into `references/`")
    tokens = tokens_of(bare)
    if tokens > MAX_TOKENS:
        message = f"the body has about {tokens:,} tokens; at most {MAX_TOKENS:,} are advised"
        page.add(rules.BODY_TOKENS, pack(first, first), message, hint="move details into `references/`")


def _line_after(flat: str, at: int, lines: int) -> int:
    """Return where the line begins that comes ``lines`` after the one of ``at``."""
    for _ in range(lines):
        at = flat.index("\n", at) + 1
    return at
