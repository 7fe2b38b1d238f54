"""Actors, as far as skills go: their name and the skills they are given (language, part 7)."""

from pydantic import Field

from core.model.base import Frozen


class Actor(Frozen):
    """An actor file's binding of skills; keys of actor maps need no namespace."""

    name: str
    skills: list[str] = Field(default_factory=list)
