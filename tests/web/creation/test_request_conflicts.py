"""Test a request that ended in a conflict: what holds its challans, and continuing with the others."""

from __future__ import annotations

import uuid

import pytest
from flask import Flask

from dashboard.services.container import Services
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import words
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import FALSE_WORDS, RC, REVIEW
from tests.web.steps import state_of_request as state


def test_a_conflict_shows_which_link_holds_which_challan_and_offers_the_others(
    staff: WebClient, searched: dict[str, str], app: Flask, levers: Levers
) -> None:
    review = steps.reviewed(staff, "MH1001", "MH1002", "MH1003")
    link_id = steps.elsewhere(app, searched["MH1002"])
    page = staff.read(review.submit("Create payment link"))
    assert state(page) == "ATTACHED"
    assert "One of these challans is already on another link The others are free again." in page.text
    assert "On this link (1)" in page.text
    assert not page.all(".card table"), "both tables have the width of the page, and so the same columns"
    held = page.one("#request-panel table").get_text(" ")
    assert "MH1002" in held
    assert "On this link" in held
    assert words(page.one(".panel-headline").get_text()) == "One of these challans is already on another link"
    assert words(page.one("main h2#asked-title").get_text()) == "Can go on a new link (2)"
    assert page.link("Open the link") == f"/links/{link_id}"
    assert words(page.one("#request-panel .panel-link > .quiet").get_text()) == "Created elsewhere · not sent from here"
    assert page.one("#request-panel .is-unsent")
    staff.post(f"/links/{link_id}/copied", data={"csrf_token": staff.csrf_token()})
    copied = staff.page(page.response.request.path).one("#request-panel .panel-link > .quiet").get_text()
    assert words(copied).startswith("Created elsewhere · Copied only, ")
    assert "Send the link" not in page.text, "the others come next"
    assert "Create with the other 2" in page.buttons()
    rest = staff.read(page.submit("Create with the other 2"))
    assert "On the new link (2)" in rest.text
    assert "MH1002" not in rest.text
    steps.link_of(rest.submit("Create payment link"))
    assert len(levers.truth()["links"]) == 2


@pytest.mark.parametrize(
    ("asked", "held", "said"),
    [
        ("1", ["12"], "This challan is already on another link"),
        ("12", ["123"], "All of these challans are already on another link"),
        ("12", ["1", "2"], "All of these challans are already on 2 other links, named below"),
        (
            "123",
            ["12"],
            "2 of these challans are already on another link The other one is free again.",
        ),
        ("1234", ["1", "2"], "2 of these challans are already on 2 other links, named below The others are"),
    ],
)
def test_a_conflict_names_the_challans_that_are_held_now(
    staff: WebClient, searched: dict[str, str], app: Flask, asked: str, held: list[str], said: str
) -> None:
    review = steps.reviewed(staff, *(f"MH100{number}" for number in asked))
    for numbers in held:
        steps.elsewhere(app, *(searched[f"MH100{number}"] for number in numbers))
    page = staff.read(review.submit("Create payment link"))
    assert state(page) == "ATTACHED"
    told = words(" ".join(each.get_text() for each in page.all(".panel-headline, .panel-words")))
    assert told.startswith(said)
    assert len(page.all("#request-panel table .state")) == len(held) - 1, "the link here shows its own"
    assert ("No other link is needed." in page.text) is (set(asked) <= set(held[0]))
    assert ("free" in told) is not set(asked).issubset("".join(held))


def test_the_challans_of_the_shown_link_are_on_a_link_in_each_language(
    staff: WebClient, searched: dict[str, str], app: Flask
) -> None:
    review = steps.reviewed(staff, "MH1001", "MH1002")
    steps.elsewhere(app, *(searched[number] for number in ("MH1001", "MH1002", "MH1003")))
    address = steps.request_of(review.submit("Create payment link"))
    page = staff.page(address)
    assert "On this link (2) Fines ₹1,000.00, legal fee and GST ₹118.00" in page.text
    assert page.one("#request-panel .button-primary").get_text() == "Send the link"
    assert words(page.one("#request-panel .button-primary")["href"]).endswith("/share")
    staff.post("/language", data={"language": "hi", "csrf_token": staff.csrf_token()})
    shown = staff.page(address).text
    assert "इस लिंक पर (2)" in shown
    assert "लिंक भेजें" in shown


def test_a_conflict_that_is_over_is_shown_as_over(
    staff: WebClient, searched: dict[str, str], app: Flask, levers: Levers, services: Services, clock: MovableClock
) -> None:
    review = steps.reviewed(staff, "MH1001", "MH1002")
    link_id = steps.elsewhere(app, searched["MH1001"])
    address = steps.request_of(review.submit("Create payment link"))
    levers.expire(link_id)
    clock.advance(seconds=4)
    services.link_poller.refresh(link_id)
    told = words(staff.page(address).one(".panel-headline").get_text())
    assert told == "No link holds these challans any more; they are free again"


def test_a_conflict_over_a_challan_that_cannot_be_paid_names_it(
    staff: WebClient, searched: dict[str, str], levers: Levers
) -> None:
    levers.set_challan(searched["MH1001"], status="DISPOSED")
    page = staff.read(steps.create(staff))
    assert state(page) == "REJECTED"
    assert "a challan is no longer payable" in page.text
    held = page.one("#request-panel table").get_text(" ")
    assert "MH1001" in held
    assert "Disposed" in held
    assert "Cannot go on a new link (1)" in page.text, "it is on no link"
    assert page.one(".request-cannot #held-title"), "and its amount is as quiet as what cannot be paid"
    assert "Create with the other 4" in page.buttons()


def test_a_colleague_goes_on_with_the_challans_of_the_request_and_not_with_their_own(
    staff: WebClient, manager: WebClient, searched: dict[str, str], app: Flask, levers: Levers
) -> None:
    review = steps.reviewed(staff, "MH1001", "MH1002", "MH1003")
    steps.elsewhere(app, searched["MH1002"])
    address = steps.request_of(review.submit("Create payment link", hours="72"))
    steps.select(staff, "MH1004")
    for visitor in (staff, manager):
        sent = levers.count("create_link")
        again = visitor.read(visitor.page(address).submit("Create with the other 2"))
        assert again.response.request.path == REVIEW
        assert "On the new link (2)" in again.text
        assert "MH1001" in again.text
        assert "MH1003" in again.text
        assert "MH1004" not in again.text
        assert again.field("Expires after (hours)")["value"] == "72"
        assert levers.count("create_link") == sent, "it is a review"


def test_a_request_whose_challans_went_elsewhere_meanwhile_is_not_tried_again(
    staff: WebClient, manager: WebClient, searched: dict[str, str], levers: Levers
) -> None:
    levers.set_organization(linkAllowance=0)
    address = steps.request_of(steps.create(staff, "MH1001"))
    before = staff.page(address)
    levers.set_challan(searched["MH1001"], status="DISPOSED")
    steps.refresh(manager)
    page = staff.read(before.submit("Try again"))
    assert page.response.request.path == address
    assert "None of these challans can go on a new link now." in page.everything


def test_a_request_that_made_a_link_is_not_tried_again(staff: WebClient, unclear: str, levers: Levers) -> None:
    levers.set_organization(linkAllowance=0)
    form = staff.page(steps.request_of(steps.create(staff, "MH1003"))).form("Try again")
    form.action = f"{unclear}/again"
    assert form.submit().headers["Location"] == unclear, "its challans are reserved"
    form.action = f"/requests/{uuid.UUID(int=7)}/again"
    assert form.submit().status_code == 404


def test_a_conflict_over_the_vehicle_is_explained(staff: WebClient, searched: dict[str, str], levers: Levers) -> None:
    levers.assign_vehicle(RC, "second")
    page = staff.read(steps.create(staff))
    assert state(page) == "REJECTED"
    assert "the vehicle belongs to another organization or was deleted" in page.text
    assert "Create with the other" not in page.text


def test_a_conflict_that_is_not_explained_yet_stays_open(
    staff: WebClient, searched: dict[str, str], levers: Levers
) -> None:
    levers.fault("create_link", "status", status=409)
    page = staff.read(steps.create(staff, "MH1001"))
    assert state(page) == "UNKNOWN"
    assert "The service reported a conflict that is not explained yet." in page.text
    assert not FALSE_WORDS.search(page.response.text)
