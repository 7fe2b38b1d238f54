"""Objects and lists with more members than a form shows at once."""

from __future__ import annotations

import json

from form_rows import form, row

from explorer.services.forms.rows import Role


def test_a_thousand_properties_are_shown_in_pages_and_all_can_be_reached() -> None:
    model = form({f"p{n}": {"type": "string"} for n in range(1000)})
    assert len(model.rows()[0]) == 51
    more = model.rows()[0][-1]
    assert (more.role, more.inside) == (Role.MORE, 950)
    for _ in range(19):
        model.show_more(model.rows()[0][-1])
    assert len(model.rows()[0]) == 1000


def test_what_stands_beyond_the_first_page_is_shown_when_it_is_asked_for() -> None:
    model = form({f"p{n}": {"type": "string"} for n in range(120)})
    model.load(json.dumps({f"x{n}": 1 for n in range(60)} | {"p0": list(range(90))}))
    for path in (("p99",), ("x40",), ("p0", 70), ("nowhere",), ()):
        model.reveal(path)
    assert row(model, "p99").label == "p99"
    assert row(model, "x40").foreign
