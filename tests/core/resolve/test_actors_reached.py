"""Which actors get a skill or a tool, also through skills that include it."""

from __future__ import annotations

import pytest
from resolve_builder import Resolve

from core.protocol import SkillFailure

FILES = {
    "skills/leaf.yaml": "name: a/leaf\ndescription: x\ntools: [builtin/read_file]\n",
    "skills/other.yaml": "name: a/other\ndescription: x\ntools: [builtin/read_file, builtin/write_file]\n",
    "skills/mid.yaml": "name: a/mid\ndescription: x\nincludes: [a/leaf]\n",
    "skills/top.yaml": "name: a/top\ndescription: x\nincludes: [a/mid]\n",
    "actors/far.yaml": "name: bot/far\nskills: [a/top]\n",
    "actors/near.yaml": "name: bot/near\nskills: [a/leaf]\n",
    "actors/else.yaml": "name: bot/else\nskills: [a/other]\n",
}


def test_an_actor_reaches_a_skill_through_what_includes_it(resolve: Resolve) -> None:
    catalogue = resolve(FILES)
    assert catalogue.actors_of("a/leaf") == ("bot/near",)
    assert catalogue.actors_reaching("a/leaf") == ("bot/far", "bot/near")
    assert catalogue.actors_reaching("a/top") == ("bot/far",)
    assert catalogue.actors_reaching("a/none") == ()


def test_a_tool_is_got_by_every_actor_with_any_skill_that_has_it(resolve: Resolve) -> None:
    catalogue = resolve(FILES)
    assert catalogue.actors_with("a/leaf", "builtin/read_file") == ("bot/else", "bot/far", "bot/near")
    assert catalogue.actors_with("a/other", "builtin/write_file") == ("bot/else",)
    with pytest.raises(SkillFailure):
        catalogue.actors_with("a/leaf", "builtin/write_file")
