"""What servers have changed of their tools, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.workspace.news import ServerNews

MOST_NAMED = 5


def news_text(news: ServerNews) -> str | None:
    """Return which tools the server has added, taken away or changed; None where that is none."""
    parts = (("added", news.added), ("gone", news.gone), ("changed", news.changed))
    said = [f"{word} {_named(names)}" for word, names in parts if names]
    return f"The tools of {news.label} are others now: {'; '.join(said)}." if said else None


def _named(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"
