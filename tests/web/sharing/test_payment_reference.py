"""Noting the reference of a payment that failed, though the driver says that money was taken."""

from __future__ import annotations

import pytest
from flask import Flask

from dashboard.store.accounts import audit
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.sharing.steps import makes_a_link

_SAVE = "Save the payment reference"


@pytest.fixture
def taken(staff: WebClient, levers: Levers) -> str:
    """Return the id of a link whose payment failed, and whose driver says that money was taken."""
    link_id = makes_a_link(staff)
    levers.fail(link_id)
    steps.check(staff, link_id)
    staff.page(f"/links/{link_id}").submit("Money taken")
    return link_id


def details(page: Page) -> str:
    return page.one("#link-panel textarea[data-copy-source]").get_text()


def said(page: Page, selector: str) -> str:
    return words(page.one(selector).get_text(" "))


def test_support_gets_the_reference_that_the_driver_gave(
    staff: WebClient, manager: WebClient, app: Flask, taken: str
) -> None:
    page = staff.page(f"/links/{taken}")
    assert "Payment reference (UTR): not known" in details(page)
    answer = page.submit(_SAVE, reference=" 4123 4567 8901")
    assert answer.headers["Location"] == f"/links/{taken}"
    assert "Payment reference saved." in staff.read(answer).text
    for person in (staff, manager):
        page = person.page(f"/links/{taken}")
        assert "\nPayment reference (UTR): 412345678901\n" in details(page)
        assert page.one("#reference")["value"] == "412345678901"
    timeline = words(page.one("#link-timeline").get_text(" "))
    assert "Payment reference: 412345678901 · Asha Rao" in timeline, timeline
    with app.extensions["services"].store.read() as connection:
        [entry] = [each for each in audit.newest(connection) if each.action == "payment reference"]
    assert entry.detail == {"reference": "412345678901"}


def test_a_reference_is_corrected_and_removed_and_noted_once(staff: WebClient, taken: str) -> None:
    for reference in ("11111111", "22222222", "22222222", "11111111", ""):
        staff.page(f"/links/{taken}").submit(_SAVE, reference=reference)
    page = staff.page(f"/links/{taken}")
    assert "Payment reference (UTR): not known" in details(page)
    assert not page.one("#reference").get("value")
    timeline = words(page.one("#link-timeline").get_text(" "))
    found = timeline.split("Payment reference: ")[1:]
    assert [each[:8] for each in found] == ["11111111", "22222222", "11111111"], timeline
    assert "The payment reference was taken back · Asha Rao" in timeline


def test_what_is_no_reference_stays_typed_and_is_said(staff: WebClient, taken: str) -> None:
    answer = staff.page(f"/links/{taken}").submit(_SAVE, reference="upi: ask Ramesh")
    assert answer.status_code == 422
    page = staff.read(answer)
    field = page.one("#reference")
    assert field["value"] == "upi: ask Ramesh"
    assert field["aria-invalid"] == "true"
    said = words(page.one("#reference-error").get_text(" "))
    assert said == "Type the 8 to 35 letters and digits of the reference; a UPI payment has 12 digits."
    assert "Payment reference (UTR): not known" in details(page)


def test_it_is_asked_for_only_while_money_was_taken(staff: WebClient, levers: Levers, taken: str) -> None:
    page = staff.page(f"/links/{taken}")
    page.submit(_SAVE, reference="412345678901")
    staff.page(f"/links/{taken}").submit("Change what the driver says")
    staff.page(f"/links/{taken}").submit("No money taken")
    assert not staff.page(f"/links/{taken}").all("#reference")
    page.submit(_SAVE, reference="???")  # by a page that is open since
    staff.page(f"/links/{taken}").submit("Change what the driver says")
    staff.page(f"/links/{taken}").submit("Money taken")
    assert staff.page(f"/links/{taken}").one("#reference")["value"] == "412345678901", "it is not asked for again"
    levers.pay(taken)
    assert not steps.check(staff, taken).all("#reference")


def test_support_is_asked_as_well_once_the_challans_are_on_another_link(staff: WebClient, taken: str) -> None:
    steps.searches(staff)
    review = staff.read(staff.page(f"/links/{taken}").submit("Create again"))
    new = steps.link_of(review.submit("Create payment link"))
    page = staff.page(f"/links/{taken}")
    act = said(page, "#link-panel .panel-act")
    assert act.startswith("Do not send the new link until support answers"), act
    assert "button-primary" in page.one("#link-panel .copy-details button")["class"]
    assert [each.get_text() for each in page.all("#link-panel a.button-primary")] == [], "the new link comes after that"
    assert page.link("Open the new link") == f"/links/{new}"
    page.submit(_SAVE, reference="412345678901")
    assert "Payment reference (UTR): 412345678901" in details(staff.page(f"/links/{taken}"))


def test_a_link_created_though_money_was_taken_is_held_back_until_support_answers(
    staff: WebClient, taken: str, levers: Levers
) -> None:
    steps.searches(staff)
    review = staff.read(staff.page(f"/links/{taken}").submit("Create again"))
    new = steps.link_of(review.submit("Create payment link"))
    page = staff.page(f"/links/{new}")
    assert said(page, "#link-payment .panel-warning") == "Do not send it yet"
    why = "The driver says that money was taken with a failed link for the same challans."
    assert said(page, "#link-payment .share-doubt").startswith(why)
    assert "check first" in said(page, "#link-panel .panel-state")
    assert page.one("#link-payment details #payment-url"), "it stands with the other ways to send it anyway"
    assert not page.all(".share-code")
    support = page.one("#link-payment textarea[data-copy-source]").get_text()
    assert taken in support, "they are told of the link with which money was taken"
    assert said(staff.page(f"/links/{new}/share"), "#share-now .panel-warning").startswith(why)
    assert "1 to check before sending" in staff.page("/follow-up").text
    for place in ("/links", "/"):
        row = said(staff.page(place), f"#row-{new}, .recent-links tr[data-row='{new}']")
        assert "Check first" in row, (place, row)
        assert "Send" not in row, (place, row)
    assert f"row-{new}" in staff.page("/links?only=check-first").response.text
    assert f"row-{new}" not in staff.page("/links?only=not-sent").response.text
    assert "money was taken before" in said(staff.page("/links"), f"#row-{new}")
    levers.pay(new)
    steps.check(staff, new)
    first = said(staff.page(f"/links/{taken}"), "#link-panel .panel-act")
    assert first.startswith("The new link is paid: ask support about the first payment"), first
    staff.page(f"/links/{taken}").submit("Change what the driver says")
    staff.page(f"/links/{taken}").submit("No money taken")
    assert not staff.page(f"/links/{taken}").all("#link-panel .panel-warning")


def test_so_is_one_that_was_created_beside_it_until_the_driver_says_otherwise(staff: WebClient, taken: str) -> None:
    steps.searches(staff)
    new = steps.link_of(steps.create(staff))
    held = "The driver says that money was taken with a failed link for the same challans."
    assert held in staff.page(f"/links/{new}").text
    staff.page(f"/links/{taken}").submit("Change what the driver says")
    staff.page(f"/links/{taken}").submit("No money taken")
    assert held not in staff.page(f"/links/{new}").text
    assert f"row-{new}" in staff.page("/links?only=not-sent").response.text


def test_a_reference_outlasts_an_expired_session(staff: WebClient, clock: MovableClock, taken: str) -> None:
    page = staff.page(f"/links/{taken}")
    token = page.one("meta[name=csrf-token]")["content"]
    clock.advance(hours=1)
    answer = staff.post(f"/links/{taken}/payment-reference", data={"csrf_token": token, "reference": "412345678901"})
    signing_in = staff.page(answer.headers["Location"])
    again = staff.read(signing_in.submit("Sign in", email=ASHA.email, password="a long enough phrase"))
    assert "412345678901" in again.text
    assert "Payment reference (UTR)" in again.text


def test_of_a_link_that_nobody_knows_no_reference_is_noted(staff: WebClient) -> None:
    fields = {"csrf_token": staff.csrf_token(), "reference": "412345678901"}
    assert staff.post("/links/00000000-0000-4000-8000-000000000000/payment-reference", data=fields).status_code == 404
