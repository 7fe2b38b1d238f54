"""The schemas for editors accept what the readers accept, and know the same keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import SAMPLE
from schema_documents import WHOLE, changed

from core.diagnostics import Diagnostic, Severity
from core.language.kinds import classify
from core.language.load import load_declarations
from core.language.yaml_reader import read_yaml
from core.model.dialect import SKILL_KEYS
from core.model.file_schemas import file_schema
from core.model.tool_reading import TOOL_FILE_KEYS
from core.resolve.catalogue import Catalogue

KINDS = {"skills": "skill", "tools": "tool", "actors": "actor"}
FILES = [path for folder in KINDS for path in sorted((SAMPLE / folder).glob("*.yaml"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_of_the_sample_is_accepted(path) -> None:
    validator = jsonschema_rs.validator_for(file_schema(KINDS[path.parent.name]))
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert [str(error) for error in validator.iter_errors(document)] == []


@pytest.mark.parametrize("kind", ["skill", "tool", "actor"])
def test_a_schema_is_a_schema(kind: str) -> None:
    jsonschema_rs.meta.validate(file_schema(kind))


@pytest.mark.parametrize(("kind", "keys"), [("skill", SKILL_KEYS), ("tool", TOOL_FILE_KEYS)])
def test_a_schema_knows_every_spelling_that_the_reader_knows(kind: str, keys) -> None:
    assert set(file_schema(kind)["else"]["properties"]) == set(keys.spellings)


def test_a_misspelt_key_is_refused() -> None:
    validator = jsonschema_rs.validator_for(file_schema("skill"))
    assert not validator.is_valid({"name": "local/a", "description": "A.", "include": ["local/b"]})


LEFT_TO_CHECK = {
    "skill/given-twice",  # two spellings of one section
    "tool/given-twice",  # a flag at two places
    "tool/capability-conflict",  # flags at two places
    "mcp/duplicate-name",
    "tool/python-syntax",
    "schema/invalid",
    "skill/path-outside",
    "file/wrong-folder",  # where the file lies
    "actor/misspelt-key",  # what other programs may use is open
}
"""What no schema of one document can say, or not in a way that helps in an editor."""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("documents")
    (root / "a.py").write_text("def run(): pass\ndef f(): pass\n", "utf-8")
    return root


def structural_faults(root: Path, kind: str, document: Any) -> Iterator[Diagnostic]:
    """Yield what ``check`` finds in the document, errors alone; a built-in that doesn't exist is one."""
    file = root / f"{kind}s/a.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(yaml.safe_dump(document, sort_keys=False), "utf-8")
    declared = load_declarations(root)
    file.unlink()
    yield from (d for d in declared.diagnostics if d.severity is Severity.ERROR or d.code == "file/unrecognised")
    yield from (d for d in Catalogue(declared).diagnostics() if "no built-in tool" in d.message)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), kind=st.sampled_from(sorted(WHOLE)))
def test_a_schema_accepts_what_check_accepts_and_refuses_what_it_refuses(
    workspace: Path, data: st.DataObject, kind: str
) -> None:
    document = data.draw(changed(WHOLE[kind]))
    if classify(f"{kind}s", read_yaml(yaml.safe_dump(document), "a.yaml").root) not in (kind, None):
        return
    faults = list(structural_faults(workspace, kind, document))
    if any(fault.code in LEFT_TO_CHECK for fault in faults):
        return
    said = [str(error) for error in jsonschema_rs.validator_for(file_schema(kind)).iter_errors(document)]
    assert bool(said) is bool(faults), (faults[:3], said[:3])


@pytest.mark.parametrize("kind", sorted(WHOLE))
def test_the_documents_to_start_from_are_accepted_by_both(workspace: Path, kind: str) -> None:
    validator = jsonschema_rs.validator_for(file_schema(kind))
    for document in WHOLE[kind]:
        assert [str(error) for error in validator.iter_errors(document)] == []
        assert list(structural_faults(workspace, kind, document)) == []


WHAT_EDITORS_SAY = [
    ("skill", {"name": "local/a", "description": "A.", "tools": ["a/*"]}, "/tools/0"),
    ("skill", {"name": "local/a", "description": "A.", "includes": [{"nme": "local/b"}]}, "/includes/0"),
    ("skill", {"skill": {"name": "local/a", "description": 5, "read_only": "true"}}, "/skill/read_only"),
    (
        "skill",
        {"name": "local/a", "description": "A.", "mcp_servers": [{"command": "x", "url": 5}]},
        "/mcp_servers/0/url",
    ),
    ("tool", {"name": "local/a", "description": "A.", "source": "custom"}, ""),
    ("actor", {"actors": {"x": {"skills": ["local/*"]}}}, "/actors/x/skills/0"),
]


@pytest.mark.parametrize(("kind", "document", "at"), WHAT_EDITORS_SAY)
def test_a_schema_names_the_place_of_a_fault_and_not_the_whole_file(kind: str, document: Any, at: str) -> None:
    errors = list(jsonschema_rs.validator_for(file_schema(kind)).iter_errors(document))
    assert at in ["".join(f"/{step}" for step in error.instance_path) for error in errors]
    assert all("anyOf" not in str(error.schema_path) for error in errors)
