"""Faults of a file as such, before anybody looks at what it says."""

from core.diagnostics.example_files import Link, Pipe, Stored
from core.diagnostics.types import Rule, Severity

_SKILL = "name: local/greeter\ndescription: Greets people.\ntools: [builtin/read_file]\n"
_RIGHT = {"skills/greeter.yaml": _SKILL}
_SKILL_MD = (
    "---\nname: greeter\ndescription: Greets people when they arrive at the desk.\n---\n"
    "# Steps\n1. Say hello.\n2. Ask for the name.\n"
)

MISSING = Rule(
    "file/missing",
    Severity.ERROR,
    "The folder of an Agent Skill has no SKILL.md.",
    "The file SKILL.md, written exactly so, is what makes a folder an Agent Skill; clients look for nothing else.",
    wrong={"greeter/Skill.md": _SKILL_MD},
    right={"greeter/SKILL.md": _SKILL_MD},
)
NAME_CASE = Rule(
    "file/name-case",
    Severity.WARNING,
    "The file is called skill.md, not SKILL.md.",
    "Some clients accept it, others don't find the skill, and it depends on the system: macOS and Windows don't "
    "tell case apart, Linux does. Rename it to SKILL.md.",
    wrong={"greeter/skill.md": _SKILL_MD},
    right={"greeter/SKILL.md": _SKILL_MD},
)
UNREADABLE = Rule(
    "file/unreadable",
    Severity.ERROR,
    "A file or folder is there but can't be read.",
    "It may be a link to nothing, or lack the permission to be read. What it defines is missing from the workspace.",
    wrong={"skills/greeter.yaml": Link("nowhere.yaml")},
    right=_RIGHT,
)
NOT_REGULAR = Rule(
    "file/not-regular",
    Severity.ERROR,
    "A pipe, socket or device stands where a file is expected.",
    "It is never opened: reading it could wait for ever or do something. Replace it by a regular file.",
    wrong={"skills/greeter.yaml": Pipe()},
    right=_RIGHT,
)
OUTSIDE = Rule(
    "file/outside",
    Severity.ERROR,
    "A link leads out of the workspace.",
    "Only what lies below the workspace's folder is read, so that opening it never shows other files. "
    "Copy the file into the workspace, or open a folder that holds both.",
    wrong={"skills/greeter.yaml": Link("/etc/hostname")},
    right={"skills/greeter.yaml": Link("../shared/greeter.yaml"), "shared/greeter.yaml": _SKILL},
)
LINK_LOOP = Rule(
    "file/link-loop",
    Severity.ERROR,
    "A link leads back to itself or to a folder around it.",
    "There is nothing at its end, or only what was seen already. Delete it or let it lead to the real file.",
    wrong={"skills/a.yaml": Link("b.yaml"), "skills/b.yaml": Link("a.yaml")},
    right=_RIGHT,
)
ENCODING = Rule(
    "file/encoding",
    Severity.ERROR,
    "The file is not UTF-8.",
    "Files of a workspace are UTF-8 text. Some shells and editors write UTF-16; save the file again as UTF-8.",
    wrong={"skills/greeter.yaml": Stored("(the file, saved as UTF-16)", lambda: _SKILL.encode("utf-16"))},
    right=_RIGHT,
)
BOM = Rule(
    "file/bom",
    Severity.WARNING,
    "SKILL.md begins with a byte order mark.",
    "Clients that look for --- at the very start don't find it and drop the skill. Save it as UTF-8 without a BOM.",
    wrong={"greeter/SKILL.md": "\ufeff" + _SKILL_MD},
    right={"greeter/SKILL.md": _SKILL_MD},
)
TOO_LARGE = Rule(
    "file/too-large",
    Severity.ERROR,
    "The file is larger than 1 MiB; a SKILL.md is refused above 2 MiB and warned of above 512 KiB.",
    "No definition needs that size, and it makes every reader slow. Move data and references to files of their own.",
    wrong={
        "skills/greeter.yaml": Stored("(more than 1 MiB of text)", lambda: b"#" * (1 << 20) + b"\n" + _SKILL.encode())
    },
    right=_RIGHT,
)
NAME_ENCODING = Rule(
    "file/name-encoding",
    Severity.ERROR,
    "The name of a file or folder is not UTF-8.",
    "It can't be written into messages, JSON or a database, so it is left out. Rename it.",
    wrong={"skills/gr\udcfc\udcdf.yaml": _SKILL},
    right=_RIGHT,
)
CASE_TWIN = Rule(
    "file/case-twin",
    Severity.WARNING,
    "Two names in one folder differ only in case.",
    "On systems that don't tell case apart (macOS, Windows), one of the two replaces the other. Rename one.",
    wrong={"skills/greeter.yaml": _SKILL, "skills/Greeter.yaml": _SKILL.replace("local/greeter", "local/usher")},
    right=_RIGHT,
)
WRONG_FOLDER = Rule(
    "file/wrong-folder",
    Severity.ERROR,
    "A YAML file lies in the folder of another kind of file.",
    "What a file without a wrapper is says the nearest folder above it that is called skills/, tools/ or actors/. This "
    "one has the keys of another kind, so it would be read as what it is not. Move it, or give it a wrapper (`skill:`, "
    "`tool:`, `actor:`) where it is.",
    wrong={"skills/count.yaml": "name: local/count\ndescription: Counts.\nsource: custom\ncode: return 1\n"},
    right={"tools/count.yaml": "name: local/count\ndescription: Counts.\nsource: custom\ncode: return 1\n"},
)
UNRECOGNISED = Rule(
    "file/unrecognised",
    Severity.WARNING,
    "A YAML file in skills/, tools/ or actors/ has no key of such a file.",
    "It defines nothing, and perhaps lies in the wrong folder. Move it, or give it the keys it needs.",
    wrong={"skills/greeter.yaml": "services: {web: {image: nginx}}\n"},
    right=_RIGHT,
    remedy="add a `name` or move the file",
)
