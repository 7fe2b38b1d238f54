"""What the tests of the registry share: a workspace whose skills are registered, and the commands that are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from desk_workspace import DeskWorkspace

Ask = Callable[..., tuple[int, Any]]
BUCKETS = ("refreshed", "unchanged", "failed", "skipped")


class Registry:
    """Asks the commands about the workspace of the desk, with three skills more.

    One is of files alone, one includes it, one stands beside them.
    """

    def __init__(self, desk: DeskWorkspace, ask: Ask) -> None:
        self.desk, self.run = desk, ask
        self.skill("files", "tools: [local/twice, builtin/read_file]\n")
        self.skill("above", "includes: [local/files]\n")
        self.skill("beside", "builtin_groups: [git_operations]\n")

    def skill(self, name: str, body: str) -> None:
        self.desk.write(f"skills/{name}.yaml", f"name: local/{name}\ndescription: D.\n{body}")

    def ask(self, *words: str) -> tuple[int, Any]:
        return self.run(*words, *self.desk.options)

    def register(self, *names: str) -> Any:
        status, found = self.ask("register", *names)
        assert status == 0, found
        return found["registered"]

    def refreshed(self, *words: str) -> tuple[int, dict[str, list[str]], Any]:
        """Return the exit status, the names in each bucket that has some, and the whole document."""
        status, found = self.ask("refresh", *words)
        return status, {b: [row["name"] for row in found[b]] for b in BUCKETS if found[b]}, found

    def states(self, *words: str) -> dict[str, str]:
        status, found = self.ask("registry", "list", *words)
        assert status == ("--discover" in words and "--trust" not in words)
        return {row["name"]: row["status"] for row in found["skills"]}

    def diff(self, *words: str) -> tuple[int, Any]:
        """Return the exit status, and per skill that differs what was added, removed and changed."""
        status, found = self.ask("registry", "diff", *words)
        told = {row["name"]: (row["added"], row["removed"], row["changed"]) for row in found["skills"]}
        return status, {name: parts for name, parts in told.items() if any(parts)}

    def tools(self, name: str) -> dict[str, Any]:
        return {tool["name"]: tool for tool in self.ask("registry", "show", name)[1]["tools"]}


def changed(tool: str | None, field: str, registered: Any, current: Any) -> dict[str, Any]:
    return {"tool": tool, "field": field, "registered": registered, "current": current}
