"""Two tools of one name that only includes bring together: every command tells the same of them, with the remedy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.cli import main

Ask = Callable[..., tuple[int, Any]]
SERVER = "name: local/{0}\ndescription: D.\nmcp_servers: [{{name: desk, command: {0}, tools: [echo]}}]\n"
TREE = {
    "skills/a.yaml": SERVER.format("a"),
    "skills/b.yaml": SERVER.format("b"),
    "skills/both.yaml": "name: local/both\ndescription: D.\nincludes: [local/a, local/b]\n",
    "skills/top.yaml": "name: local/top\ndescription: D.\nincludes: [local/both]\n",
    "actors/o.yaml": "name: local/o\nskills: [local/top]\n",
}
SAID = "2 different tools have this name, from `local/a` and `local/b`; rename one of them"


@pytest.mark.parametrize("skill", ["local/both", "local/top"])
def test_every_command_tells_the_same_of_a_collision(
    skill: str, make_workspace: Callable[..., Path], ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("-w", str(make_workspace(TREE)))
    _, checked = ask("check", where[1])
    found = [
        (d["code"], d["path"], d["related"][0]["path"]) for d in checked["diagnostics"] if d["severity"] == "error"
    ]
    pair = ["skills/a.yaml", "skills/b.yaml"]
    assert found == [("tool/name-collision", *pair), ("tool/name-collision", *pair[::-1])]
    told = []
    for command in (["show", skill], ["tools", skill], ["actor", "local/o"]):
        status, document = ask(*command, *where)
        (tool,) = document["tools"]
        told.append((status, tool["name"], tool["status"], tool["problem"]))
        assert main([*command, *where]) == status
        assert f"desk/echo: {SAID}" in capsys.readouterr().out
    assert told == [(0, "desk/echo", "unavailable", SAID)] * 3
    status, result = ask("invoke", skill, "desk/echo", "--trust", *where)
    assert (status, SAID in result["error"]["message"]) == (1, True)
    assert main(["invoke", skill, "desk/echo", *where]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == "desk/echo was not run"
