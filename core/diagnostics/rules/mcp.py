"""Faults in what is said of an MCP server (design: language, part 5)."""

from core.diagnostics.types import Rule, Severity


def _skill(server: str) -> dict[str, str]:
    return {"skills/issues.yaml": "name: local/issues\ndescription: Reads issues.\nmcp_servers:\n  - " + server + "\n"}


_FILE = '{"mcpServers": {"issues": {"command": "%s"}}}\n'
_RIGHT = _skill("{name: issues, server: issue-server --stdio, tools: [list]}")

DERIVED_NAME = Rule(
    "mcp/derived-name",
    Severity.INFO,
    "A server has no name, so one is made from its command or URL.",
    "The name is the first part of its tools' names, so a change of the command would rename them. Give it one.",
    wrong=_skill("{server: issue-server --stdio}"),
    right=_RIGHT,
)
INVALID_NAME = Rule(
    "mcp/invalid-name",
    Severity.ERROR,
    "A server's name can't begin the names of its tools.",
    "It consists of letters, digits, `_`, `.` and `-`, and is neither `builtin` nor `agent_skill`, which begin the "
    "names of other tools.",
    wrong=_skill("{name: my/issues, server: issue-server}"),
    right=_RIGHT,
)
DUPLICATE_NAME = Rule(
    "mcp/duplicate-name",
    Severity.ERROR,
    "Two servers of one file have the same name.",
    "A tool of a server is called by the server's name and its own, so the tools of the two could not be told "
    "apart. Rename one of them.",
    wrong=_skill("{name: issues, server: issue-server}\n  - {name: issues, server: other-server}"),
    right=_skill("{name: issues, server: issue-server}\n  - {name: others, server: other-server}"),
)
DIFFERENT_SERVERS = Rule(
    "mcp/different-servers",
    Severity.WARNING,
    "Two server files define one name in different ways.",
    "A skill that refers to the name gets the first one: that of the file nearest to the root, `.mcp.json` before "
    "`mcp.json`. Whoever reads the other file expects something else. Rename one, or make them equal.",
    wrong={".mcp.json": _FILE % "issue-server", "mcp.json": _FILE % "other-server"},
    right={".mcp.json": _FILE % "issue-server", "mcp.json": _FILE % "issue-server"},
)
COMMAND_AND_URL = Rule(
    "mcp/command-and-url",
    Severity.ERROR,
    "A server is given by more than one of `server`, `command` and `url`.",
    "It is either a program to start, with arguments, or a URL to connect to, said once.",
    wrong=_skill("{name: issues, command: issue-server, url: 'https://issues.example/mcp'}"),
    right=_skill("{name: issues, url: 'https://issues.example/mcp'}"),
)
EXPANSION = Rule(
    "mcp/expansion",
    Severity.WARNING,
    "A variable is begun by `${` and not named and closed, or stands where none is put in.",
    "In `env` and `headers`, `${NAME}` and `${NAME:-default}` are replaced by variables of the user's environment, "
    "after an approval that lists them. Anything else stays as it is written, so the server gets the dollar sign.",
    wrong=_skill("{name: issues, server: issue-server, env: {TOKEN: '${ISSUE_TOKEN'}}"),
    right=_skill("{name: issues, server: issue-server, env: {TOKEN: '${ISSUE_TOKEN}'}}"),
)
NO_COMMAND = Rule(
    "mcp/no-command",
    Severity.ERROR,
    "A server has settings but neither a command nor a URL.",
    "Without one it can't be reached. A name alone refers to a server of .mcp.json, which has its settings there.",
    wrong=_skill("{name: issues, args: [--stdio]}"),
    right=_skill("{name: issues, command: issue-server, args: [--stdio]}"),
)
BAD_COMMAND = Rule(
    "mcp/bad-command",
    Severity.ERROR,
    "A command line or URL can't be read.",
    "A command line is split as a shell would, so its quotes must be closed; a URL begins with http:// or https:// "
    "and has a host.",
    wrong=_skill("{name: issues, server: 'issue-server \"--title'}"),
    right=_RIGHT,
)
TRANSPORT = Rule(
    "mcp/transport",
    Severity.ERROR,
    "A transport does not exist or does not fit.",
    "A command is spoken to by `stdio`, a URL by `streamable-http` or `sse`; leave the key out to take the usual one.",
    wrong=_skill("{name: issues, command: issue-server, transport: sse}"),
    right=_skill("{name: issues, command: issue-server, transport: stdio}"),
)
TIMEOUT = Rule(
    "mcp/timeout",
    Severity.ERROR,
    "A server's timeout is not a whole number of seconds, 1 or more.",
    "It limits connecting and each request; without a usable one the default of 30 seconds holds.",
    wrong=_skill("{name: issues, server: issue-server, timeout: never}"),
    right=_skill("{name: issues, server: issue-server, timeout: 60}"),
)
SERVER_FILE = Rule(
    "mcp/server-file",
    Severity.ERROR,
    "A file of MCP servers is not of the form that MCP clients use.",
    "It holds a mapping `mcpServers` from names to servers, each with a command or a URL.",
    wrong={".mcp.json": '{"mcpServers": ["issue-server"]}\n'},
    right={".mcp.json": '{"mcpServers": {"issues": {"command": "issue-server"}}}\n'},
)
