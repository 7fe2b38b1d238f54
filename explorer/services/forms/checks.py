"""What a form can say of a value while it is typed: the plain keywords of JSON Schema, each at its field.

The call checks the whole schema again; a keyword that is not here is left to it. Work is bounded, so that no
schema stops the keyboard.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from explorer.services.forms import conditions, leaves
from explorer.services.forms.document import Path
from explorer.services.forms.engine import matches
from explorer.services.forms.problem import Problem
from explorer.services.forms.schema import NOTHING, Schema, Schemas
from explorer.services.forms.spec import listed

MOST_STEPS = 20_000
MOST_PROBLEMS = 200
MOST_APPLIED = 50
_MOST_NESTED = 8
_CONDITIONS = frozenset({"if", "not", "contains", "dependentRequired", "dependentSchemas", "propertyNames"})


class Checker:
    """Checks values against the subschemas of one root."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas

    def problems(self, schema: Any, value: Any) -> list[Problem]:
        """Return what is wrong with ``value``, at most 200 problems, in the order of the schema."""
        return self._run(schema, value, (), _Budget(MOST_STEPS), 0)

    def _run(self, schema: Any, value: Any, path: Path, budget: _Budget, nested: int) -> list[Problem]:
        found: list[Problem] = []
        todo: list[tuple[Any, Any, Path]] = [(schema, value, path)]
        while todo and budget.take() and len(found) < MOST_PROBLEMS:
            part_of, here, at = todo.pop()
            below: list[tuple[Any, Any, Path]] = []
            for part in self._schemas.parts(part_of):
                found.extend(leaves.problems_of(part, here, at))
                if part is NOTHING:
                    continue
                found.extend(self._branches(part, here, at, budget, nested))
                wrong, more = self._conditional(part, here, at, budget, nested)
                found.extend(wrong)
                below.extend((schema, here, at) for schema in more)
                below.extend(_members(part, here, at))
            todo.extend(reversed(below))
        return _first_of_each(found)

    def _conditional(
        self, part: Schema, value: Any, path: Path, budget: _Budget, nested: int
    ) -> tuple[list[Problem], list[Any]]:
        """Return the problems and the further schemas of the keywords that ask another schema; none where unsure."""
        if _CONDITIONS.isdisjoint(part):
            return [], []
        if nested >= _MOST_NESTED:
            budget.unsure = True
            return [], []

        def check(schema: Any, here: Any) -> list[Problem]:
            return [p for p in self._run(schema, here, (), budget, nested + 1) if not p.advice]

        before, budget.unsure = budget.unsure, False
        found = list(conditions.problems_of(part, value, path, check)), list(conditions.applied(part, value, check))
        unsure, budget.unsure = budget.unsure or budget.spent, budget.unsure or before
        return ([], []) if unsure else found

    def in_force(self, schema: Any, value: Any) -> list[Any]:
        """Return the subschemas that hold for ``value`` besides ``schema`` itself, since their condition is met."""
        found: list[Any] = []
        todo, budget = [schema], _Budget(MOST_STEPS)
        while todo and len(found) < MOST_APPLIED and budget.take():
            for part in self._schemas.parts(todo.pop()):
                more = self._conditional(part, value, (), budget, 0)[1]
                found += more
                todo += more
        return found

    def _branches(self, part: Schema, value: Any, path: Path, budget: _Budget, nested: int) -> list[Problem]:
        for keyword in ("oneOf", "anyOf"):
            branches = part.get(keyword)
            if isinstance(branches, list) and branches:
                if nested >= _MOST_NESTED:
                    budget.unsure = True
                    return []
                found = self._alternatives(keyword, branches, value, path, budget, nested)
                if found:
                    return found
        return []

    def _alternatives(
        self, keyword: str, branches: list[Any], value: Any, path: Path, budget: _Budget, nested: int
    ) -> list[Problem]:
        """No branch fits: the problems of the nearest one. Several fit a ``oneOf``: that alone."""
        results = [self._run(b, value, path, budget, nested + 1) for b in branches]
        blocking = [[p for p in result if not p.advice] for result in results]
        fitting = sum(not result for result in blocking)
        if budget.spent or (fitting and (keyword == "anyOf" or fitting == 1)):
            return []
        if fitting > 1:
            return [Problem(path, f"fits {fitting} of the forms, and only one may fit", keyword)]
        nearest = min(blocking, key=_distance)
        if len(branches) == 1 or _inside(nearest, path):
            return nearest
        return [Problem(path, _none_fits(blocking), keyword)]

    def fits(self, schema: Any, value: Any) -> bool:
        """Whether nothing is wrong with ``value`` but advice."""
        return all(p.advice for p in self.problems(schema, value))

    def distance(self, schema: Any, value: Any) -> tuple[int, int]:
        """Return how far ``value`` is from ``schema``: wrong constants and types weigh first."""
        return _distance([p for p in self.problems(schema, value) if not p.advice])


class _Budget:
    """Steps left for one check; once spent, nothing more is judged. ``unsure`` means that something was too deep."""

    def __init__(self, steps: int) -> None:
        self._left = steps
        self.unsure = False

    def take(self) -> bool:
        self._left -= 1
        return self._left >= 0

    @property
    def spent(self) -> bool:
        return self._left < 0


def _distance(problems: list[Problem]) -> tuple[int, int]:
    return sum(p.keyword in ("type", "const", "enum", "never") for p in problems), len(problems)


def _inside(problems: list[Problem], path: Path) -> bool:
    """A branch of the right type is meant: what is wrong inside it says more than that no branch fits."""
    return bool(problems) and all(p.keyword != "type" or len(p.path) > len(path) for p in problems)


def _none_fits(results: list[list[Problem]]) -> str:
    said = dict.fromkeys(p.message for result in results for p in result[:1])
    return " or ".join(list(said)[:3])


def _first_of_each(problems: list[Problem]) -> list[Problem]:
    return list({(p.path, p.message): p for p in problems}.values())


def _members(part: Schema, value: Any, path: Path) -> Iterator[tuple[Any, Any, Path]]:
    if isinstance(value, dict):
        for key, member in value.items():
            for schema in member_schemas(part, key):
                yield schema, member, (*path, key)
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield item_schema(part, at), item, (*path, at)


def member_schemas(part: Schema, key: str) -> list[Any]:
    """Return the subschemas that one schema object applies to the member ``key``."""
    properties, patterns = part.get("properties"), part.get("patternProperties")
    found = [properties[key]] if isinstance(properties, dict) and key in properties else []
    if isinstance(patterns, dict):
        found += [schema for pattern, schema in patterns.items() if matches(pattern, key)]
    if not found and isinstance(part.get("additionalProperties"), dict):
        found.append(part["additionalProperties"])
    return found


def item_schema(part: Schema, at: int) -> Any:
    """Return the subschema that one schema object applies to the item ``at``; draft 7's list of items is read too."""
    items = part.get("items", True)
    prefix = listed(part.get("prefixItems")) or listed(items)
    if at < len(prefix):
        return prefix[at]
    return part.get("additionalItems", True) if isinstance(items, list) else items
