"""No finding tells a value below ``env`` or ``headers``, whatever its type, its key's name or its file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from core.workspace import Workspace
from explorer.cli import main

SERVER = "name: local/a\ndescription: A.\n{}:\n  - name: one\n    command: x\n{}"
URL = "name: local/a\ndescription: A.\n{}:\n  - name: one\n    url: http://127.0.0.1:9/mcp\n{}"
VALUES = {
    "918273601": "918273601",
    "-918273601": "918273601",
    "918273601.50": "918273601.5",
    "0x36bb8001": "36bb8001",
    "2026-01-17": "2026-01-17",
    "4711": "4711",
    ".25e3": "25e3",
}
SHAPES = {
    "flow": "    env: {{PIN: {}}}\n",
    "block": "    env:\n      PIN: {}\n",
    "list": "    env:\n      PIN: [{}]\n",
    "mapping": "    env:\n      PIN: {{deep: {}}}\n",
    "no mapping": "    env: {}\n",
    "anchor": "    env:\n      PIN: &a {}\n",
    "alias": "    x: &a {{PIN: {}}}\n    env: *a\n",
    "question mark": "    ? env\n    :\n      ? PIN\n      : {}\n",
    "close quotes": '    "env": {{"PIN":{}}}\n',
    "headers": "    headers: {{Foo: {}}}\n",
}
FORMS = ("text", "json", "sarif", "github")
Make = Callable[[dict[str, str]], Path]


def said(root: Path, form: str, capsys: pytest.CaptureFixture[str]) -> str:
    main(["check", str(root), "--format", form])
    done = capsys.readouterr()
    return done.out + done.err


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("section", ["mcp_servers", "mcpServers"])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_no_form_of_check_tells_a_value_of_a_skill_file(
    shape: str, section: str, form: str, make_workspace: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    head = URL if "headers" in shape else SERVER
    files = {
        f"skills/s{at}.yaml": head.format(section, shape.format(value)).replace("local/a", f"local/s{at}")
        for at, value in enumerate(VALUES)
    }
    output = said(make_workspace(files), form, capsys)
    assert "yaml/ambiguous-scalar" in output or "skill/wrong-type" in output
    assert [line for line in output.splitlines() if any(word in line for word in VALUES.values())] == []


@pytest.mark.parametrize("value", ["true", "yes", "off", "null", "7"])
def test_a_short_value_is_hidden_where_it_stands_as_a_word(value: str, make_workspace: Make) -> None:
    workspace = Workspace(make_workspace({"skills/a.yaml": SERVER.format("mcp_servers", f"    env: {{A: {value}}}\n")}))
    workspace.load()
    (found,) = workspace.diagnostics
    assert found.hint == 'write "••••••"'
    assert not set(re.findall(r"\w+", found.message)) & {value, "true", "false", "7"}


@pytest.mark.parametrize("form", FORMS)
def test_no_form_of_check_tells_a_value_of_a_server_file(
    form: str, make_workspace: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    servers = {
        "a": {"command": "x", "env": {"T": 918273621, "U": [918273622], "V": {"k": 918273623}}},
        "b": {"url": "http://127.0.0.1:9/mcp", "headers": {"Foo": 918273624, "Bar": 1918273625.5}},
        "c": {"command": "x", "env": 918273626},
    }
    output = said(make_workspace({".mcp.json": json.dumps({"mcpServers": servers})}), form, capsys)
    assert "server-file" in output
    assert "9182736" not in output


def test_a_fix_that_spells_out_a_value_is_applied_but_not_exported(
    make_workspace: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_workspace({"skills/a.yaml": SERVER.format("mcp_servers", "    env: {PIN: 918273601}\n")})
    found = json.loads(said(root, "json", capsys))["diagnostics"]
    assert [(d["code"], d["fix"]) for d in found] == [("yaml/ambiguous-scalar", None)]
    main(["check", str(root), "--diff"])
    assert "918273601" not in capsys.readouterr().out
    main(["check", str(root), "--fix"])
    assert 'env: {PIN: "918273601"}' in (root / "skills/a.yaml").read_text("utf-8")
    assert said(root, "json", capsys).count('"code"') == 0


def test_a_finding_of_a_whole_server_keeps_its_own_words(make_workspace: Make) -> None:
    text = SERVER.format("mcp_servers", "    url: http://127.0.0.1:9/\n    env: {A: a, B: the, C: one}\n")
    workspace = Workspace(make_workspace({"skills/a.yaml": text}))
    workspace.load()
    assert [d.message for d in workspace.diagnostics if "•" in d.message] == []
