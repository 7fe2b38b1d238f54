"""Starting files: small, commented, and accepted by ``check`` as they are."""

from __future__ import annotations

import os
from pathlib import Path

from core.language.reading import Unreadable, read_workspace_file
from core.language.tree import Map
from core.language.yaml_reader import read_yaml
from core.model import is_qualified_name

SKILL = """\
# A skill: a named collection of tools. It is what an actor is given.
name: {name}
description: Says in one sentence what these tools are for and when to use them.
version: "0.1.0"

# Other skills whose tools belong here too:
# includes:
#   - local/other-skill

# Built-in groups: file_operations, directory_operations, git_operations, shell_operations.
# builtin_groups:
#   - git_operations

# Single tools, built-in or your own:
tools:
  - builtin/read_file

# MCP servers and Agent Skills:
# mcp_servers:
#   - name: time
#     command: mcp-server-time
# agent_skill_folders:
#   - agent_skills/some-skill
"""

TOOL = """\
# A custom tool: a Python function with a JSON Schema for its arguments.
name: {name}
description: Greets somebody.
source: custom
timeout: 30
# What it may do. A tool that says nothing counts as writing.
capability:
  read_only: true
input_schema:
  type: object
  properties:
    who: {{type: string, minLength: 1, description: Whom to greet.}}
  required: [who]
  additionalProperties: false
code: |
  def run(who):
      print("this line goes to the log")
      return {{"greeting": f"Hello, {{who}}"}}
"""

ACTOR = """\
# An actor: what it can do comes only through the skills that it names in full.
name: {name}
skills: []
"""

_KINDS = {"skill": ("skills", SKILL), "tool": ("tools", TOOL), "actor": ("actors", ACTOR)}


def starter(kind: str, name: str) -> tuple[str, str]:
    """Return where the starting file of a ``skill``, ``tool`` or ``actor`` belongs, and its text.

    Raises:
        ValueError: the name is not namespace/short_name.
    """
    if not is_qualified_name(name):
        raise ValueError(f"a name is namespace/short_name, of letters, digits, '_' and '-', not {name!r}")
    folder, template = _KINDS[kind]
    return f"{folder}/{name.split('/')[1]}.yaml", template.format(name=name)


def write_starter(root: Path, kind: str, name: str) -> str:
    """Write the starting file of a ``skill``, ``tool`` or ``actor`` and return its path in the workspace.

    Where another namespace has taken the file of that short name, the namespace is part of the file's name.

    Raises:
        ValueError: the name is not namespace/short_name.
        FileExistsError: there is a file already.
        OSError: it cannot be written.
    """
    relative, text = starter(kind, name)
    (root / relative).parent.mkdir(exist_ok=True)
    if _names_another(root, relative, name):
        relative = f"{_KINDS[kind][0]}/{name.replace('/', '-')}.yaml"
    handle = os.open(root / relative, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return relative


def _names_another(root: Path, relative: str, name: str) -> bool:
    """Whether the file is there and names something else."""
    try:
        read = read_yaml(read_workspace_file(root, relative), relative)
    except Unreadable:
        return False
    return isinstance(read.root, Map) and read.root.get("name") not in (None, name)
