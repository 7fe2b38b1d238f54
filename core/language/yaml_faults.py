"""libyaml's faults in the words of somebody who writes a skill file."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from core.diagnostics.rules import yaml as rules
from core.language.yaml_scene import Fault, Scene, forbidden_character
from core.language.yaml_slips import slip
from core.text import display

_CLOSING = {"[": "]", "{": "}"}


def explain(error: Exception, text: str, last: Any, depth: int) -> Fault:
    """Return the fault that libyaml's ``error`` in ``text`` stands for; ``last`` is the last scalar event before it."""
    if getattr(error, "position", None) is not None:
        return forbidden_character(text)
    mark, begin = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    at = min(mark.index, len(text)) if mark else 0
    scene = Scene(
        text=text,
        at=at,
        since=min(begin.index, len(text)) if begin else at,
        problem=str(getattr(error, "problem", None) or error),
        context=str(getattr(error, "context", None) or ""),
        last=(last.start_mark.index, last.end_mark.index) if last is not None else (0, 0),
        depth=depth,
    )
    odd = slip(scene) or _tab(scene)
    if odd is not None:
        return odd
    for words, handler in _HANDLERS:
        if words in scene.problem or words in scene.context:
            found = handler(scene)
            if found is not None:
                return found
    return _syntax(scene, scene.at, f"this is not YAML: {scene.problem}", "correct it")


def _syntax(scene: Scene, start: int, message: str, hint: str | None = None, end: int | None = None) -> Fault:
    stop = max(end if end is not None else scene.line_end(start), start)
    return Fault(rules.SYNTAX, start, stop, message, hint)


def _tab(scene: Scene) -> Fault | None:
    """A tab among the blanks that begin the line, or right where a token was expected."""
    if "flow" in scene.context or "quoted" in scene.context:
        return None
    start = scene.line_start(scene.at)
    indent = re.compile(r"[ ]*\t").match(scene.text, start)
    at = indent.end() - 1 if indent else scene.at
    if scene.text[at : at + 1] != "\t":
        return None
    return Fault(rules.TAB, at, at + 1, "a tab is used for indentation, where YAML allows only blanks", "use blanks")


def _colon(scene: Scene) -> Fault | None:
    """A colon where no key can be: mostly a value that should be in quotes."""
    start, end = scene.last
    if scene.text[end : scene.at].strip(" \t") or not start < end <= scene.at:
        return _syntax(
            scene,
            scene.at,
            "a colon stands here, but nothing before it can be a key",
            "delete it, or put the value in quotes",
        )
    first = scene.text[start]
    if first in "\"'":
        return _after_quote(scene, start)
    line = scene.line_start(scene.at)
    if scene.depth == 0:
        return _no_key(scene, start)
    if start >= line:
        stop = scene.value_end(start)
        return Fault(
            rules.UNQUOTED_COLON,
            scene.at,
            scene.at + 1,
            f"the value `{display(scene.text[start:stop], 60)}` has a colon followed by a blank; put it in quotes.",
            "put the value in quotes",
            (start, stop),
        )
    key = scene.text[line : scene.at].strip()
    return Fault(
        rules.UNQUOTED_COLON,
        scene.at,
        scene.at + 1,
        f"`{display(key, 40)}:` is indented, so it belongs to the value before it, which can't hold a colon and a "
        "blank; align it with its neighbours if it is a key, or put the whole value in quotes.",
        "align the key, or put the whole value in quotes",
    )


def _no_key(scene: Scene, start: int) -> Fault:
    glued = re.match(r"[^\s:]+:(?=\S)", scene.text[start : scene.line_end(start)])
    if glued:
        at = start + glued.end()
        return _syntax(
            scene, start, f"a blank is missing after the colon of `{display(glued[0], 40)}`", "add a blank", at
        )
    return _syntax(scene, start, f"`{scene.rest(start)}` has no colon, so it is no key", "write `key: value`")


def _after_quote(scene: Scene, start: int) -> Fault:
    rest = scene.rest(scene.at)
    if scene.line_start(start) != scene.line_start(scene.at):
        return _closed_late(scene, start)
    return _syntax(
        scene,
        scene.at,
        f"`{rest}` follows the closing quote of `{display(scene.text[start : scene.last[1]], 40)}`; "
        "quotes must go around the whole value.",
        "put quotes around the whole value, and double or escape those inside",
    )


def _closed_late(scene: Scene, start: int) -> Fault:
    """A quote that only one of a later line closes, before more text: mostly it was to close on its own line."""
    mark = scene.text[start]
    message = f"the quote {mark} of {{at}} is closed only before `{scene.rest(scene.at)}`, lines below"
    fault = _syntax(scene, start, message, f"add the closing {mark} where the value ends")
    fault.opening = start
    return fault


def _follows_quote(scene: Scene) -> bool:
    start, end = scene.last
    gap = scene.text[end : scene.at]
    return end > start and scene.text[start] in "\"'" and end <= scene.at and not gap.strip(" \t")


def _missing_colon(scene: Scene) -> Fault:
    at = scene.since
    return _syntax(
        scene,
        at,
        f"`{scene.rest(at)}` is no key (it has no colon) and isn't indented enough to belong to the value before it",
        "indent it to continue the value, or write `key: value`",
    )


def _dash(scene: Scene) -> Fault:
    if _follows_quote(scene):
        return _after_quote(scene, scene.last[0])
    return _syntax(
        scene, scene.at, "a list item can't begin here", "begin the list on the next line, each item with its own `- `"
    )


def _after_bracket(scene: Scene) -> Fault | None:
    """Text after the closing bracket of a value, on the same line."""
    start = scene.line_start(scene.at)
    before = scene.text[start : scene.at].rstrip(" \t")
    if not before.endswith(("]", "}")):
        return None
    key = re.match(r"[ ]*(?:- +)*[^\s:\[{][^:]*:[ \t]+(?=[\[{])", before)
    fault = _syntax(
        scene,
        scene.at,
        f"`{scene.rest(scene.at)}` follows the closing {before[-1]}; put the whole value in quotes if it is text.",
        "put the whole value in quotes",
    )
    fault.quote = (start + key.end(), scene.value_end(start + key.end())) if key else None
    return fault


def _not_aligned(scene: Scene) -> Fault:
    if _follows_quote(scene):
        return _after_quote(scene, scene.last[0])
    bracket = _after_bracket(scene)
    if bracket is not None:
        return bracket
    if re.match(r"-(?:\s|$)", scene.text[scene.at :][:2]):
        return _syntax(scene, scene.at, "a list item stands among the keys of a mapping", "indent it below its key")
    wanted = scene.since - scene.line_start(scene.since) + 1
    column = scene.at - scene.line_start(scene.at) + 1
    what = "the items of the list" if "'-'" in scene.problem else "the keys of the mapping"
    if scene.text[scene.at : scene.at + 1] == ":":
        return _syntax(scene, scene.at, "a key is missing before this colon", "write the key")
    if column == wanted:
        return _syntax(
            scene, scene.at, f"`{scene.rest(scene.at)}` is no item of the list that it stands in", "begin it with `- `"
        )
    return _syntax(
        scene,
        scene.at,
        f"`{scene.rest(scene.at)}` begins in column {column}, but {what} around it begin in column {wanted}",
        f"indent it by {wanted - 1}" if wanted > 1 else "don't indent it",
    )


def _unclosed_quote(scene: Scene) -> Fault:
    return _not_closed(scene, scene.since)


def _not_closed(scene: Scene, opening: int, end: int | None = None) -> Fault:
    """A quote or a bracket that nothing closes, told where it stands."""
    mark = scene.text[opening : opening + 1]
    what = "bracket" if mark in _CLOSING else "quote"
    closing = _CLOSING.get(mark, mark)
    fault = _syntax(scene, opening, f"the {what} {mark} of {{at}} is not closed", f"add the closing {closing}", end)
    fault.opening = opening
    return fault


def _escape(scene: Scene) -> Fault:
    start = scene.text.rfind("\\", scene.since, scene.at + 1)
    start = start if start >= 0 else scene.at
    half = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}").match(scene.text, start)
    if half:
        what = f"`{half[0]}` is half of a character, which stands for nothing"
        return _syntax(scene, start, what, "write the whole character", half.end())
    shown = display(scene.text[start : start + 2], 10)
    return _syntax(
        scene,
        start,
        f"`{shown}` is no escape sequence that YAML knows in double quotes",
        "write `\\\\` for a backslash, or use single quotes",
        start + 2,
    )


def _start_character(scene: Scene) -> Fault:
    char = scene.text[scene.at : scene.at + 1]
    stop = scene.value_end(scene.at)
    fault = _syntax(
        scene,
        scene.at,
        f"a value can't begin with `{display(char)}`; put it in quotes.",
        "put the value in quotes",
        stop,
    )
    if "flow" not in scene.context and stop > scene.at:
        fault.quote = (scene.at, stop)
    return fault


def _alias_name(scene: Scene) -> Fault:
    at = scene.since
    char, stop = scene.text[at : at + 1], scene.value_end(at)
    what = "an alias" if char == "*" else "an anchor"
    fault = _syntax(
        scene,
        at,
        f"`{scene.rest(at)}` begins with {char}, which begins {what} in YAML; put it in quotes.",
        "put the value in quotes",
        stop,
    )
    fault.quote = (at, stop) if stop > at else None
    return fault


def _brackets(scene: Scene) -> Fault:
    start, _ = scene.last
    opening = scene.text[scene.since : scene.since + 1]
    closing = _CLOSING.get(opening, "}")
    if scene.text[scene.at : scene.at + 1] == ":" and scene.line_start(start) == scene.line_start(scene.at):
        return Fault(
            rules.UNQUOTED_COLON,
            scene.at,
            scene.at + 1,
            "a value without quotes has a colon followed by a blank; put it in quotes.",
            "put the value in quotes",
        )
    if scene.line_start(scene.at) != scene.line_start(scene.since) or scene.at >= len(scene.text):
        return _not_closed(scene, scene.since, scene.since + 1)
    if scene.text[scene.at : scene.at + 1] in _CLOSING.values():
        return _wrong_bracket(scene, opening, closing)
    return _syntax(
        scene, scene.at, f"a comma or the closing {closing} is missing before `{scene.rest(scene.at)}`", "add a comma"
    )


def _wrong_bracket(scene: Scene, opening: str, closing: str) -> Fault:
    found = scene.text[scene.at : scene.at + 1]
    message = f"{found} stands where the bracket {opening} of {{at}} is still open"
    fault = _syntax(scene, scene.at, message, f"add the closing {closing} before it", scene.at + 1)
    fault.opening = scene.since
    return fault


def _node_content(scene: Scene) -> Fault:
    if not scene.text[scene.at :].strip():
        opening = scene.open_bracket()
        if opening is not None:
            return _not_closed(scene, opening, opening + 1)
        return _syntax(scene, scene.since, "a value is missing at the end of the file", "write the value")
    return _start_character(scene)


def _block_header(scene: Scene) -> Fault:
    mark = scene.text[scene.since : scene.since + 1]
    return _syntax(
        scene, scene.at, f"after {mark} the text must begin on the next line", "put the text on the next line, indented"
    )


def _tag(scene: Scene) -> Fault:
    at = scene.since
    stop = at + len(scene.text[at : scene.line_end(at)].split(None, 1)[0]) if scene.rest(at) else at
    shown = display(scene.text[at:stop], 40)
    return Fault(rules.TAG, at, stop, f"the tag `{shown}` is not allowed, as values are plain data", "delete the tag")


def _directive(scene: Scene) -> Fault:
    at = scene.since
    return _syntax(
        scene,
        at,
        "a line that begins with % is a YAML directive, which no workspace file needs",
        "delete it, or put the value in quotes",
    )


def _outside(scene: Scene) -> Fault:
    if re.search(r"^\.\.\.", scene.text[: scene.at], re.MULTILINE):
        return Fault(
            rules.MULTI_DOCUMENT,
            scene.at,
            scene.line_end(scene.at),
            "text follows the end of the document (`...`)",
            "delete the line `...`",
        )
    if scene.text[scene.line_start(scene.at) : scene.at].strip():
        return _syntax(scene, scene.at, f"`{scene.rest(scene.at)}` follows the end of the value", "delete it")
    return _syntax(
        scene,
        scene.at,
        f"`{scene.rest(scene.at)}` stands outside the document: it is indented less than its first line",
        "align the lines",
    )


def _too_deep(scene: Scene) -> Fault:
    return Fault(rules.LIMIT, scene.at, scene.at + 1, "values are nested deeper than 64 levels here", "nest them less")


def _question(scene: Scene) -> Fault:
    return _syntax(scene, scene.at, "a value can't begin with `? `; put it in quotes.", "put the value in quotes")


_HANDLERS: tuple[tuple[str, Callable[[Scene], Fault | None]], ...] = (
    ("maximum nesting depth", _too_deep),
    ("mapping values are not allowed", _colon),
    ("mapping keys are not allowed", _question),
    ("could not find expected ':'", _missing_colon),
    ("block sequence entries are not allowed", _dash),
    ("did not find expected key", _not_aligned),
    ("did not find expected '-' indicator", _not_aligned),
    ("found unexpected end of stream", _unclosed_quote),
    ("found unexpected document indicator", _unclosed_quote),
    ("while parsing a quoted scalar", _escape),
    ("while scanning an alias", _alias_name),
    ("while scanning an anchor", _alias_name),
    ("did not find expected ',' or", _brackets),
    ("did not find expected node content", _node_content),
    ("cannot start any token", _start_character),
    ("while scanning a block scalar", _block_header),
    ("undefined tag handle", _tag),
    ("a tag", _tag),
    ("directive", _directive),
    ("incompatible YAML document", _directive),
    ("did not find expected <document start>", _outside),
)
