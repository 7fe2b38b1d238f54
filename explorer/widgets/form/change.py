"""What an editor asks of the form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message

from explorer.services.form_model import FormModel
from explorer.services.forms.document import Path


@dataclass
class FormChange(Message):
    """Do ``apply`` to the model; the path it returns, if any, gets the focus, ``inside`` its first field."""

    apply: Callable[[FormModel], Path | None]
    inside: bool = False
