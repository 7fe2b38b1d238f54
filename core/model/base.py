"""The one pydantic configuration: frozen, no unknown fields, no input echoed in errors."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Base of every model: immutable after construction (skills_protocol, JSON Schema rule 4)."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
