"""What anchors stand for, and how many values that is, so that no alias has to be followed to count them."""

from __future__ import annotations

from typing import Any

from core.diagnostics.rules import yaml as rules
from core.language.tree import Span
from core.language.yaml_limits import MAX_ALIASES, MAX_NODES, Report
from core.text import display

_OPEN, _UNKNOWN = -1, -2


class Anchors:
    """The anchors of one document. ``nodes`` is always the number of values that were read so far."""

    def __init__(self, report: Report, *, report_excess: bool) -> None:
        self._report = report
        self._report_excess = report_excess
        self._known: dict[str, tuple[Any, int]] = {}
        self._open: dict[int, tuple[str, int]] = {}
        self._extra = 0
        self.spans: list[Span] = []
        """Anchors and aliases, in the order of the text."""

    def add(self, name: str, scalar: Any, span: Span) -> None:
        """Note an anchor on a scalar."""
        self.spans.append(span)
        self._known[name] = (scalar, 1)

    def begin(self, name: str, value: Any, span: Span, nodes: int) -> None:
        """Note an anchor on a collection that begins."""
        self.spans.append(span)
        self._known[name] = (value, _OPEN)
        self._open[id(value)] = (name, nodes + self._extra)

    def end(self, value: Any, nodes: int) -> None:
        """Weigh the collection ``value``, which ends, if it has an anchor."""
        if id(value) not in self._open:
            return
        name, before = self._open.pop(id(value))
        if self._known[name][0] is value:
            self._known[name] = (value, nodes + self._extra - before + 1)

    def resolve(self, name: str, span: Span, nodes: int) -> Any:
        """Return what the alias at ``span`` stands for; None, mostly with a finding, where it may not be followed."""
        self.spans.append(span)
        value, weight = self._known.get(name, (None, _UNKNOWN))
        shown = display(name, 60)
        if weight == _UNKNOWN:
            message = f"`*{shown}` refers to an anchor that isn't there; put text that begins with * in quotes."
            self._report(rules.SYNTAX, span, message, hint="put the value in quotes", quote=f"*{name}")
        elif weight == _OPEN:
            message = f"`*{shown}` stands inside the value that it names, which would never end"
            self._report(rules.ALIAS_LIMIT, span, message, once=True)
        elif len(self.spans) > MAX_ALIASES:
            self._refuse(span, f"the file has more than {MAX_ALIASES:,} anchors and aliases")
        elif nodes + self._extra + weight > MAX_NODES:
            self._refuse(span, f"with its aliases written out, the file expands to more than {MAX_NODES:,} values")
        else:
            self._extra += weight
            return value
        return None

    def _refuse(self, span: Span, message: str) -> None:
        if self._report_excess:
            self._report(rules.ALIAS_LIMIT, span, message, once=True)
