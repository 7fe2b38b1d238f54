"""The notes of the release desk as an MCP server: one Markdown file a note, in the folder ``notes`` of the workspace.

Speaks the protocol over stdio with the standard library alone, so that any Python from 3.9 on runs it:

    python3 servers/notes_server.py
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any, Callable, Iterator

NOTES = Path(__file__).resolve().parent.parent / "notes"
VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
TEXT = {"type": "string"}
TAGS = {"type": "array", "items": TEXT, "uniqueItems": True}
NOTE = {
    "type": "object",
    "properties": {"name": TEXT, "title": TEXT, "tags": TAGS},
    "required": ["name", "title", "tags"],
}


class NoteError(Exception):
    """Something that the caller can put right; its text is shown to them."""


class Note:
    """A note: a heading, a line of tags, and text."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self.lines = path.read_text(encoding="utf-8").splitlines()
        heads = [line[2:].strip() for line in self.lines if line.startswith("# ")]
        tags = [line[5:] for line in self.lines if line.lower().startswith("tags:")]
        self.title = heads[0] if heads else self.name
        self.tags = [tag.strip() for tag in ",".join(tags[:1]).split(",") if tag.strip()]

    def summary(self) -> dict[str, Any]:
        return {"name": self.name, "title": self.title, "tags": self.tags}


def notes() -> Iterator[Note]:
    for path in sorted(NOTES.glob("*.md")):
        yield Note(path)


def list_notes(tag: str | None = None, **_: Any) -> dict[str, Any]:
    return {"notes": [note.summary() for note in notes() if tag is None or tag in note.tags]}


def search_notes(query: str, limit: int = 10, report: Callable[..., None] | None = None) -> dict[str, Any]:
    if not query.strip():
        raise NoteError("The query is empty; say what to look for.")
    paths = sorted(NOTES.glob("*.md"))
    found = []
    for done, path in enumerate(paths, 1):
        found += _matches(Note(path), query.casefold())
        if report is not None:
            report(done, len(paths), path.stem)
    return {"matches": found[:limit], "total": len(found)}


def _matches(note: Note, query: str) -> list[dict[str, Any]]:
    return [
        {"name": note.name, "title": note.title, "line": number, "text": line.strip()}
        for number, line in enumerate(note.lines, 1)
        if query in line.casefold()
    ]


def add_note(title: str, text: str, tags: tuple[str, ...] = (), **_: Any) -> dict[str, Any]:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:60]
    if not name:
        raise NoteError("The title needs at least one letter or digit.")
    head = f"# {' '.join(title.split())}\ntags: {', '.join(tags)}\n\n"
    NOTES.mkdir(exist_ok=True)
    try:
        with open(NOTES / f"{name}.md", "x", encoding="utf-8") as file:
            file.write(head + text.rstrip() + "\n")
    except FileExistsError:
        raise NoteError(f"There is a note {name} already; choose another title.") from None
    return {"name": name}


def _tool(
    run: Callable[..., dict[str, Any]],
    description: str,
    inputs: dict[str, Any],
    required: list[str],
    outputs: dict[str, Any],
    **hints: bool,
) -> dict[str, Any]:
    return {
        "run": run,
        "name": run.__name__,
        "title": run.__name__.replace("_", " ").capitalize(),
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": inputs,
            "required": required,
            "additionalProperties": False,
        },
        "outputSchema": {"type": "object", "properties": outputs, "required": list(outputs)},
        "annotations": {"openWorldHint": False, **hints},
    }


TOOLS = [
    _tool(
        list_notes,
        "Lists the notes, all of them or those with one tag.",
        {"tag": {**TEXT, "description": "Only notes that carry this tag."}},
        [],
        {"notes": {"type": "array", "items": NOTE}},
        readOnlyHint=True,
        idempotentHint=True,
    ),
    _tool(
        search_notes,
        "Finds the lines of notes that hold a text, whatever its case.",
        {
            "query": {**TEXT, "minLength": 1, "description": "The text to look for."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
        },
        ["query"],
        {
            "matches": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"name": TEXT, "title": TEXT, "line": {"type": "integer"}, "text": TEXT},
                    "required": ["name", "title", "line", "text"],
                },
            },
            "total": {"type": "integer", "minimum": 0},
        },
        readOnlyHint=True,
        idempotentHint=True,
    ),
    _tool(
        add_note,
        "Writes a new note; an existing one is never changed.",
        {
            "title": {**TEXT, "minLength": 1, "maxLength": 120},
            "text": {**TEXT, "description": "Markdown."},
            "tags": TAGS,
        },
        ["title", "text"],
        {"name": TEXT},
        readOnlyHint=False,
        destructiveHint=False,
        idempotentHint=False,
    ),
]


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def call(params: dict[str, Any]) -> dict[str, Any]:
    tool = next((tool for tool in TOOLS if tool["name"] == params.get("name")), None)
    if tool is None:
        return failure(f"There is no tool {params.get('name')!r}.")
    arguments = dict(params.get("arguments") or {})
    token = (params.get("_meta") or {}).get("progressToken")
    if tool["run"] is search_notes and token is not None:
        arguments["report"] = reporter(token)
    try:
        output = tool["run"](**arguments)
    except (NoteError, TypeError, OSError, UnicodeError) as error:
        return failure(str(error))
    return {"content": [{"type": "text", "text": json.dumps(output)}], "structuredContent": output}


def failure(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": True}


def reporter(token: Any) -> Callable[..., None]:
    def report(done: int, total: int, message: str) -> None:
        params = {"progressToken": token, "progress": done, "total": total, "message": message}
        send({"method": "notifications/progress", "params": params})

    return report


def handle(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """Return the result of a request; None for a method that this server doesn't have."""
    if method == "initialize":
        wanted = params.get("protocolVersion")
        return {
            "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "release-desk-notes", "version": "1.0.0"},
        }
    if method == "tools/list":
        return {"tools": [{key: value for key, value in tool.items() if key != "run"} for tool in TOOLS]}
    if method == "tools/call":
        return call(params)
    return {} if method == "ping" else None


def main() -> None:
    for line in sys.stdin:
        try:
            message = json.loads(line)
        except ValueError:
            print("notes: a line that is no JSON was left out", file=sys.stderr)
            continue
        if not isinstance(message, dict) or "id" not in message or "method" not in message:
            continue
        result = handle(message["method"], message.get("params") or {})
        if result is None:
            error = {"code": -32601, "message": f"no method {message['method']}"}
            send({"id": message["id"], "error": error})
        else:
            send({"id": message["id"], "result": result})


if __name__ == "__main__":
    main()
