"""The JSON that the form shows is what the tool receives: every digit, every character, in the same order.

Fractions may be written in another way (``1e-08``, ``1e-8``), with the same digits.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.runtime.call import CallOptions
from core.workspace import Workspace
from explorer.services.form_model import FormModel

SERVER = Path(__file__).with_name("echo_server.py")
SKILL, TOOL = "local/a", "echo/echo"
SHOWN = [
    '{"z": 1, "a": {"b": [], "a": {}}}',
    '{"id": 9007199254740993, "huge": -123456789012345678901234567890, "zero": 0}',
    '{"float": 0.1, "small": 5e-324, "large": 1.7976931348623157e+308, "whole": 2.0}',
    '{"text": "é 漢字 👩‍👩‍👧 \\u001b[2J \\u202e \\u0000 \\n\\t\\r \\" \\\\ / \\u007f"}',
    '{"null": null, "empty": "", "no": false, "": [null, [null]]}',
    '{"1": "1", "true": "true", "@x": "@y", "-": "--"}',
]


def told(text: str | bytes) -> Any:
    """The JSON of ``text`` with all digits of its numbers and its members in their order."""
    return json.loads(text, parse_int=str, parse_float=Decimal, object_pairs_hook=lambda pairs: [*pairs])


class Echo:
    """The workspace with the tool, and what it heard last."""

    def __init__(self, folder: Path) -> None:
        self.heard = folder / "heard"
        root = folder / "workspace"
        root.mkdir()
        servers = [
            {"name": "echo", "command": sys.executable, "args": [str(SERVER)], "env": {"HEARD": str(self.heard)}}
        ]
        skill = {"name": SKILL, "description": "Echoes.", "mcp_servers": servers}
        (root / "skills").mkdir()
        (root / "skills/a.yaml").write_text(json.dumps(skill), "utf-8")
        self.workspace = Workspace(root, state=folder / "state")
        self.workspace.load()
        self.workspace.discover(approve=lambda _identity: True)

    def call(self, arguments: Any) -> Any:
        options = CallOptions(confirmed=True, approve=lambda _identity: True, unchecked=True)
        outcome = self.workspace.invoke(SKILL, TOOL, arguments, options)
        assert outcome.result.success, outcome.result.error
        pairs = dict(told(self.heard.read_bytes()))
        return dict(pairs["params"])["arguments"]


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Echo]:
    found = Echo(tmp_path_factory.mktemp("echo"))
    yield found
    found.workspace.close()


@pytest.mark.parametrize("text", SHOWN)
def test_a_tool_receives_exactly_the_json_that_is_shown(echo: Echo, text: str) -> None:
    model = FormModel({"type": "object"})
    assert model.load(text)
    assert told(model.json) == told(text)
    assert echo.call(model.value) == told(model.json)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(2**53, 2**80)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_any_arguments_arrive_as_they_are_shown(echo: Echo, value: Any) -> None:
    model = FormModel({"type": "object"})
    assert model.load(json.dumps(value))
    assert echo.call(model.value) == told(model.json)
