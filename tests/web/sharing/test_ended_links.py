"""Test what is left of a link that ended unpaid, while other links take its challans."""

from __future__ import annotations

from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import words
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, prepares, shares


def test_an_ended_link_waits_with_what_no_other_link_has_taken(
    staff: WebClient, levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    ended = steps.link_of(steps.create(staff, "MH1000", "MH1001", "MH1002"))
    levers.expire(ended)
    steps.check(staff, ended)
    whole = words(staff.page("/follow-up").one("#ended-title").get_text())
    assert whole.endswith("1 link · ₹1,677.00")
    assert "3 challans" in words(staff.page("/follow-up").one("#follow-ended").get_text(" "))
    steps.searches(staff)
    clock.advance(minutes=1)
    again = steps.link_of(steps.create(staff, "MH1000"))
    page = staff.page("/follow-up")
    assert words(page.one("#ended-title").get_text()).endswith("1 link · ₹1,118.00")
    row = words(page.one("#follow-ended").get_text(" "))
    assert "2 of 3 challans" in row
    assert "₹1,118.00 left of ₹1,677.00" in row
    listed = words(staff.page("/links").one(f"[data-row='{ended}'] .num").get_text(" "))
    assert listed == "₹1,677.00 2 of 3 challans left, ₹1,118.00", "the whole, and what can be created again"
    found = words(staff.page("/find?q=MH1").one(f"[data-row='{ended}'] .num").get_text(" "))
    assert found == listed
    assert words(staff.page("/links").one(f"[data-row='{again}'] .num").get_text(" ")) == "₹559.00 1 challan"
    assert "Ended unpaid ₹1,118.00 1 link" in words(staff.page("/").one(".figures").get_text(" "))
    steps.create(staff, "MH1001", "MH1002")
    assert not staff.page("/follow-up").all("#follow-ended li")
    assert "Ended unpaid" not in staff.page("/").one(".figures").get_text()
    levers.expire(again)
    steps.check(staff, again)
    assert "1 link · ₹559.00" in words(staff.page("/follow-up").one("#ended-title").get_text()), "and not the first one"


def test_the_message_of_a_link_that_ended_is_not_taken_back_in_its_row(staff: WebClient, levers: Levers) -> None:
    adds_a_driver(staff)
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, "MH1000"))
    shares(staff, prepares(staff, link_id), link_id, "whatsapp")
    assert "Undo" in words(staff.page("/follow-up").one(f"#contact-{link_id}").get_text(" "))
    levers.expire(link_id)
    steps.check(staff, link_id)
    said = words(staff.page("/follow-up").one(f"#contact-{link_id}").get_text(" "))
    assert said.startswith("Sent ")
    assert "Undo" not in said
