"""Looks at the descriptions of this workspace's skills, without a YAML library."""

from pathlib import Path


def lint(shortest=40, longest=200):
    findings, checked = [], 0
    for file in sorted([*Path("skills").glob("*.yaml"), *Path("agent_skills").glob("*/SKILL.md")]):
        description = _description(file)
        checked += 1
        for finding in _findings(description, file.name == "SKILL.md", shortest, longest):
            findings.append({"file": file.as_posix(), "finding": finding})
    return {"checked": checked, "findings": findings}


def _description(file):
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("description:"):
            return line.partition(":")[2].strip()
    return ""


def _findings(description, for_a_model, shortest, longest):
    if not description:
        yield "has no description"
    elif len(description) < shortest:
        yield f"description has {len(description)} characters, fewer than {shortest}"
    elif len(description) > longest:
        yield f"description has {len(description)} characters, more than {longest}"
    if for_a_model and "use when" not in description.lower():
        yield "does not say when to use it"
