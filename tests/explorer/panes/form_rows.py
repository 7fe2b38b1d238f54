"""A form model of some properties, and its rows in short."""

from __future__ import annotations

from typing import Any

from explorer.services.form_model import FormModel
from explorer.services.forms.rows import Role, Row


def form(properties: dict[str, Any], *required: str, **more: Any) -> FormModel:
    return FormModel({"type": "object", "properties": properties, "required": list(required), **more})


def row(model: FormModel, *path: str | int, role: Role = Role.FIELD) -> Row:
    return next(r for r in model.rows()[0] if r.path == path and r.role is role)


def labels(model: FormModel) -> list[str]:
    return ["  " * r.depth + r.label for r in model.rows()[0]]


def messages(model: FormModel) -> dict[str, str]:
    return {".".join(map(str, r.path)): r.problems[0].message for r in model.rows()[0] if r.problems}
