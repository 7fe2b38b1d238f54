"""Reads a changelog in the Keep a Changelog form."""

import re
from pathlib import Path

HEADING = re.compile(r"^## \[(\d+)\.(\d+)\.(\d+)\] - (\S+)")


def read_changelog(limit=20, filter=None, **range_):
    oldest = _version(range_["from"])
    newest = _version(range_["to"]) if range_.get("to") else None
    kinds = set((filter or {}).get("kinds") or ["added", "changed", "fixed", "removed"])
    entries = []
    for version, date, items in _releases(Path("CHANGELOG.md").read_text(encoding="utf-8")):
        print(f"looking at {'.'.join(map(str, version))}")
        if version >= oldest and (newest is None or version <= newest):
            kept = {kind: texts for kind, texts in items.items() if kind in kinds}
            entries.append({"version": ".".join(map(str, version)), "date": date, "items": kept})
    return {"entries": entries[:limit]}


def _version(text):
    return tuple(int(part) for part in text.split("."))


def _releases(text):
    release = kind = None
    for line in text.splitlines():
        if heading := HEADING.match(line):
            if release:
                yield release
            release = (tuple(map(int, heading.groups()[:3])), heading.group(4), {})
        elif release and line.startswith("### "):
            kind = line[4:].strip().lower()
        elif release and line.startswith("- ") and kind:
            release[2].setdefault(kind, []).append(line[2:])
    if release:
        yield release
