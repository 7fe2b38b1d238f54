"""Words in a description that are meant for a model rather than for the person who reads it."""

from __future__ import annotations

import re

_SIGNS = ("<", "gnore ", "GNORE ", "isregard ", "the user", "~/", ".ssh", ".aws", "/etc/")
"""One of these is in every text that the patterns find; looking for them costs next to nothing."""
_PATTERNS = (
    re.compile(r"</?(?:important|system|instructions?|secret|hidden)>", re.IGNORECASE),
    re.compile(
        r"\b(?:ignore|disregard)\s+(?:(?:all|any|the|your)\s+)*(?:previous|prior|above|earlier|other)\s+"
        r"(?:instructions?|messages?|prompts?|rules?)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:do\s+not|don't|never)\s+(?:tell|inform|show|reveal|mention)\b[^.\n]{0,40}\bthe\s+user\b", re.IGNORECASE
    ),
    re.compile(r"(?:~/|\$HOME/)\.(?:ssh|aws|gnupg|netrc|kube|docker|config/gcloud)\b[\w./-]*|/etc/(?:passwd|shadow)\b"),
)


def suspect_words(text: str) -> str | None:
    """Return the first words of ``text`` that tell a model what to do or where secrets lie; None without any.

    That says nothing of the rest: a text without such words is no safer.
    """
    if not any(sign in text for sign in _SIGNS):
        return None
    found = (pattern.search(text) for pattern in _PATTERNS)
    return next((match[0] for match in found if match is not None), None)
