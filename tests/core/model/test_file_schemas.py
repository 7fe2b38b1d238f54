"""The schemas for editors accept what the readers accept, and know the same keys."""

from __future__ import annotations

import jsonschema_rs
import pytest
import yaml
from places import SAMPLE

from core.model.dialect import SKILL_KEYS
from core.model.file_schemas import file_schema
from core.model.tool_reading import TOOL_KEYS

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


@pytest.mark.parametrize(("kind", "keys"), [("skill", SKILL_KEYS), ("tool", TOOL_KEYS)])
def test_a_schema_knows_every_spelling_that_the_reader_knows(kind: str, keys) -> None:
    assert set(file_schema(kind)["anyOf"][0]["properties"]) == set(keys.spellings)


def test_a_misspelt_key_is_refused() -> None:
    validator = jsonschema_rs.validator_for(file_schema("skill"))
    assert not validator.is_valid({"name": "local/a", "description": "A.", "include": ["local/b"]})
