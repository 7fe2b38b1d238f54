"""Work that makes many objects and throws none away, without the garbage collector walking them again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MANY_OBJECTS = 50_000


@contextmanager
def no_collections(*, keeps: bool = False) -> Iterator[None]:
    """Keep the collector from running inside; it is on again afterwards if it was on before.

    What ``keeps`` its objects, and made very many, has them left out of later walks too: one walk over all of a
    large workspace would make a screen stand still for seconds.
    """
    enabled = gc.isenabled()
    gc.disable()
    before = gc.get_count()[0]
    try:
        yield
    finally:
        if keeps and gc.get_count()[0] - before > MANY_OBJECTS:
            gc.freeze()
        if enabled:
            gc.enable()
