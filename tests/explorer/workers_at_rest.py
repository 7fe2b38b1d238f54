"""Waiting for the workers of an application."""

from __future__ import annotations

import asyncio
from typing import Any

from textual.app import App
from textual.worker import WorkerCancelled


async def workers_at_rest(app: App[Any]) -> None:
    """Wait until every worker has ended; one that another took the place of is no failure."""
    while app.workers:
        try:
            await app.workers.wait_for_complete()
        except WorkerCancelled:
            await asyncio.sleep(0.01)  # a thread goes on for a while after it was cancelled
            continue
        return
