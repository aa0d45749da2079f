"""Test that no mark that reorders text on screen stands in what a page shows, whoever wrote it."""

from __future__ import annotations

from tests.support.web_client import WebClient
from tests.web import steps

#: Shown backwards up to the end of its line: "Paid exe.png".
BACKWARDS = "Paid \u202egnp.exe"


def test_a_note_is_shown_in_the_order_in_which_it_was_typed(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    staff.page("/vehicles/MH12AB1001").submit("Save details", note=BACKWARDS, trip="\u2067T-1\u2069")
    page = staff.page("/vehicles/MH12AB1001")
    assert "Paid gnp.exe" in page.text
    assert "T-1" in page.text
    assert not {"\u202e", "\u2067", "\u2069"} & set(page.text)
    assert page.field("Note")["value"] == BACKWARDS, "what is stored is not changed by saving it again"
