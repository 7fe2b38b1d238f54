"""The quick way through YAML: libyaml's own composer, for texts without faults, anchors and tags."""

from __future__ import annotations

import operator
import re
from typing import Any, Final, cast

from yaml import YAMLError
from yaml._yaml import CParser
from yaml.nodes import MappingNode, ScalarNode

from core.language.tree import Map, Mark, Seq
from core.language.yaml_limits import MAX_DEPTH, MAX_TEXT
from core.language.yaml_scalars import CONSTANTS, FIRST_OF_NUMBER, FIRST_OF_ODD_KEYS, Unfit, plain_value

_ANCHOR: Final = re.compile("&[0-9A-Za-z_-]")
_BARE_TAG: Final = re.compile(r"(?<![^\s\[\]{},:?-])!(?![^\s\[\]{},])")
"""The tag that the composer takes for none."""


_FEW_NODES: Final = 4_000
_CHARACTERS_A_NODE: Final = 100


class _Unusual(Exception):  # noqa: N818 - it states what a text is
    """A text that the builder has to read."""


class _Composer(CParser):
    """Leaves what scalars mean to the caller.

    The composer asks three methods about every node; these do nothing, in C, since three calls of Python would cost
    more than all the rest. An untagged node gets a slice for its tag.
    """

    descend_resolver = staticmethod(operator.is_)
    ascend_resolver = staticmethod(bool)
    resolve = staticmethod(slice)


class Composition:
    """A document without faults: its root, and the marks of its collections in brackets."""

    __slots__ = ("_tagged", "_text", "_todo", "brackets", "root")

    def __init__(self, node: Any, text: str) -> None:
        self._text = text
        self.brackets: list[Mark] = []
        self._tagged = "!" in text
        self._todo: list[tuple[Map | Seq, Any, int]] = []
        self.root = self._begin(node, 1)
        while self._todo:
            container, node, depth = self._todo.pop()
            if type(container) is Map:
                self._fill_map(container, node, depth)
            else:
                self._fill_seq(cast(Seq, container), node, depth)

    def _begin(self, node: Any, depth: int) -> Map | Seq:
        """Return the container for ``node``, to be filled later."""
        if depth > MAX_DEPTH or (self._tagged and type(node.tag) is str):
            raise _Unusual
        if node.flow_style:
            if self._text[node.start_mark.index] not in "[{":  # a pair that is an entry of a list
                raise _Unusual
            self.brackets.append(node)
        container = Map(node) if type(node) is MappingNode else Seq(node)
        self._todo.append((container, node, depth))
        return container

    def _fill_map(self, container: Map, node: Any, depth: int) -> None:
        marks, tagged, number_first, key_first = container.marks, self._tagged, FIRST_OF_NUMBER, FIRST_OF_ODD_KEYS
        for entry in node.value:
            key_node, value_node = entry
            key, value = key_node.value, value_node.value
            if type(key_node) is not ScalarNode or key in container or (tagged and type(key_node.tag) is str):
                raise _Unusual
            if not key_node.style and (key in CONSTANTS or key[0] in key_first) and _is_odd_key(key):
                raise _Unusual
            if type(value_node) is not ScalarNode:
                value = self._begin(value_node, depth + 1)
            elif tagged and type(value_node.tag) is str:
                raise _Unusual
            elif not value_node.style and (value in CONSTANTS or value[0] in number_first):
                value = _typed(value)
            container[key] = value
            marks += entry

    def _fill_seq(self, container: Seq, node: Any, depth: int) -> None:
        container.marks = node.value
        for item in node.value:
            value = item.value
            if type(item) is not ScalarNode:
                value = self._begin(item, depth + 1)
            elif self._tagged and type(item.tag) is str:
                raise _Unusual
            elif not item.style and (value in CONSTANTS or value[0] in FIRST_OF_NUMBER):
                value = _typed(value)
            container.append(value)


def compose(text: str) -> Composition | None:
    """Return what the one document in ``text`` holds; None where that takes the builder, so for every fault."""
    if (
        len(text) > MAX_TEXT
        or _is_dense(text)
        or ("&" in text and _ANCHOR.search(text))
        or ("!" in text and _BARE_TAG.search(text))
    ):
        return None
    try:
        parser = _Composer(text)
    except UnicodeError:
        return None
    try:
        node = parser.get_single_node()
        return None if node is None or type(node) is ScalarNode else Composition(node, text)
    except (YAMLError, UnicodeError, _Unusual):
        return None
    finally:
        parser.dispose()


def _is_dense(text: str) -> bool:
    """Whether the nodes of ``text`` may take a multiple of its size; the builder keeps none of them."""
    most = _FEW_NODES + len(text) // _CHARACTERS_A_NODE
    return len(text) > most and sum(map(text.count, ":,[{\n")) > most


def _is_odd_key(key: str) -> bool:
    return key == "<<" or plain_value(key) is not key


def _typed(text: str) -> Any:
    value = plain_value(text)
    if isinstance(value, Unfit):
        raise _Unusual
    return value
