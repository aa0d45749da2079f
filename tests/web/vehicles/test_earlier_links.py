"""Test what a vehicle and its review say of the link that a challan is on, or of the ended one that it was on."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from flask import Flask

from dashboard.domain.allowance_resets import INDIA
from dashboard.domain.sharing import Answer
from dashboard.services.container import Services
from dashboard.store.sharing import questions
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import REVIEW, VEHICLE

MONEY = "Money may have left the driver’s account. Ask first."


@pytest.fixture
def link_id(staff: WebClient, five: dict[str, str]) -> str:
    steps.searches(staff)
    return steps.link_of(steps.create(staff, "MH1001"))


def test_challans_on_a_link_stand_under_the_way_to_it_and_those_of_several_under_its_sum(
    staff: WebClient, link_id: str, services: Services
) -> None:
    services.link_poller.refresh(link_id)
    page = staff.page(VEHICLE)
    head = page.one("#on_link .group-head")
    assert words(head.get_text(" ")) == "On an active link (1)"
    above = page.one("#vehicle-panel .vehicle-link")
    assert (above["href"], "₹559.00" in above.get_text()) == (f"/links/{link_id}", True), "its sum stands there"
    services.link_poller.refresh(steps.link_of(steps.create(staff, "MH1002", "MH1003")))
    heads = [words(each.get_text(" ")) for each in staff.page(VEHICLE).all("[data-group=on_link] .group-head")]
    assert sorted(heads) == [
        "On an active link (1) ₹559.00 open link",
        "On an active link (2) ₹1,118.00 open link",
    ]


def test_what_was_paid_is_no_sum_to_pay(staff: WebClient, link_id: str, levers: Levers, services: Services) -> None:
    def head() -> str:
        return words(staff.page(VEHICLE).one("[data-sort=total]").get_text())

    assert head() == "To pay"
    levers.pay(link_id)
    services.link_poller.refresh(link_id)
    page = staff.page(VEHICLE)
    assert head() == "Total"
    assert page.one("#paid .total")["data-label"] == "Total"


def fails(link_id: str, levers: Levers, services: Services) -> None:
    levers.fail(link_id)
    services.link_poller.refresh(link_id)


def marked(page: Page) -> list[str]:
    return [str(row["data-challan"]) for row in page.all("tr.challan:has(.was-on)")]


def test_ticks_of_an_earlier_visit_leave_out_what_was_on_a_failed_link_until_it_is_ticked_again(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    fails(link_id, levers, services)
    steps.searches(staff)
    steps.select(staff, "MH1001", "MH1002")
    page = staff.page(VEHICLE)
    assert steps.ticked(page) == ["MH1002"]
    assert words(page.one("[data-earlier]").get_text()) == "1 left out: check the failed payment first"
    assert "1 of 5 selected" in words(page.one("#selection-sum").get_text(" "))
    steps.select(staff, "MH1001", "MH1002")
    again = staff.read(staff.get(VEHICLE, headers={"Referer": f"http://localhost{VEHICLE}/review"}))
    assert steps.ticked(again) == ["MH1001", "MH1002"], "whoever ticks it knows"
    again = staff.read(staff.get(VEHICLE, headers={"Referer": "http://localhost/sign-in?next=/"}))
    assert steps.ticked(again) == ["MH1001", "MH1002"], "nothing is lost through sign-in"
    levers.set_link(link_id, status="EXPIRED")
    services.link_poller.refresh(link_id)
    assert steps.ticked(staff.page(VEHICLE)) == ["MH1001", "MH1002"]


def test_a_failed_link_stands_before_others_that_have_ended(
    staff: WebClient, link_id: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    fails(link_id, levers, services)
    clock.advance(seconds=90)
    steps.searches(staff)
    later = steps.link_of(steps.create(staff, "MH1002"))
    levers.expire(later)
    services.link_poller.refresh(later)
    states = [words(each.get_text()) for each in staff.page(VEHICLE).all("#vehicle-panel .state")]
    assert states == ["Failed", "Expired"]


def test_a_failed_link_leads_to_its_payment_until_it_is_known_that_no_money_was_taken(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    fails(link_id, levers, services)
    card = staff.page(VEHICLE).one("#vehicle-panel li")
    assert words(card.select_one(".acts").get_text()) == "Check payment · MH12 AB 1001"
    assert card.select_one(".acts a")["href"] == f"/links/{link_id}"
    levers.expire(other := steps.link_of(steps.create(staff, "MH1002")))
    services.link_poller.refresh(other)
    expired = staff.page(VEHICLE).all("#vehicle-panel li")[1]
    assert not expired.select(".acts"), "its challans are in the list below"


def test_challans_on_links_stand_in_the_order_of_the_links_above(
    staff: WebClient, link_id: str, services: Services, clock: MovableClock
) -> None:
    clock.advance(minutes=1)
    later = steps.link_of(steps.create(staff, "MH1002"))
    for each in (link_id, later):
        services.link_poller.refresh(each)
    page = staff.page(VEHICLE)
    above = [each["href"] for each in page.all("#vehicle-panel .vehicle-link")]
    assert above == [f"/links/{later}", f"/links/{link_id}"]
    assert [each["href"] for each in page.all("[data-group=on_link] .group-head a")] == above


def test_a_challan_of_a_failed_link_says_so_and_leads_to_that_link(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    assert marked(staff.page(VEHICLE)) == []
    fails(link_id, levers, services)
    page = staff.page(VEHICLE)
    assert "MH1001" in steps.group(page, "payable")
    assert marked(page) == ["MH1001"]
    cell = page.one("tr.challan .challan-status:has(.was-on)")
    assert words(cell.get_text(" ")).startswith("Pending Check first: was on a failed link · Open")
    assert cell.select_one(".was-on-failed a")["href"] == f"/links/{link_id}"
    assert words(cell.a.text) == "Open, the link that held MH1001"


def test_the_review_warns_of_it_above_the_button_and_does_not_refuse(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    fails(link_id, levers, services)
    steps.select(staff, "MH1001", "MH1002")
    page = staff.page(REVIEW)
    warning = page.one(".review-send .was-on-failed")
    said = words(warning.get_text(" "))
    assert said.startswith("1 challan was on a link that failed ")
    assert MONEY in said
    assert warning.a["href"] == f"/links/{link_id}"
    assert warning.find_next("button")["id"] == "create-link"
    assert words(page.one(".table-review .was-on").text).startswith("Was on a failed link, ")
    assert steps.link_of(steps.create(staff, "MH1001", "MH1002")) != link_id
    steps.select(staff, "MH1003")
    assert MONEY not in staff.page(REVIEW).text


def test_a_challan_that_was_on_two_ended_links_says_so(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    levers.expire(link_id)
    services.link_poller.refresh(link_id)
    second = steps.link_of(steps.create(staff, "MH1001", "MH1002"))
    fails(second, levers, services)
    said = {str(row["data-challan"]): row.select_one(".was-on") for row in staff.page(VEHICLE).all("tr.challan")}
    both = said["MH1001"]
    said_of_both = words(both.get_text(" "))
    assert re.search(r"^Check first: was on a failed link · Open.*, and on one that expired$", said_of_both)
    assert both.a["href"] == f"/links/{second}"
    assert "and on" not in said["MH1002"].get_text(" ")


def test_a_link_that_expired_lately_is_said_without_alarm(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    levers.expire(link_id)
    services.link_poller.refresh(link_id)
    page = staff.page(VEHICLE)
    assert marked(page) == ["MH1001"]
    assert not page.all(".was-on-failed")
    steps.select(staff, "MH1001")
    review = staff.page(REVIEW)
    assert "A late payment may still arrive: money may be paid twice." in review.text
    assert not review.all(".was-on-failed")
    assert MONEY not in review.text


def test_what_all_payable_challans_share_is_said_once_in_their_head(
    staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    fails(steps.link_of(steps.create(staff, *five)), levers, services)
    page = staff.page(VEHICLE)
    assert marked(page) == []
    assert words(page.one("#payable .group-head .was-on").text).startswith("Check first: was on a failed link")
    steps.select(staff)
    assert "5 challans were on a link that failed " in staff.page(REVIEW).text


def test_the_challans_of_several_failed_links_are_counted_together(
    staff: WebClient, link_id: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    other = steps.link_of(steps.create(staff, "MH1002"))
    for each in (other, link_id):
        fails(each, levers, services)
        clock.advance(minutes=1)
    steps.select(staff, "MH1001", "MH1002", "MH1003")
    warning = staff.page(REVIEW).one(".review-send .was-on-failed")
    said = words(warning.get_text(" "))
    assert said.startswith("2 challans were on links that failed, the last at ")
    assert warning.a["href"] == f"/links/{link_id}", "that which failed last, not that which was made last"
    assert MONEY in said


def said_of_the_link(page: Page) -> tuple[str, str]:
    """Return what the line above the list says of the one link, and what a row says of it."""
    return words(page.one(".vehicle-link").get_text(" ")), words(page.all("tr.challan .was-on")[0].get_text(" "))


def test_an_expired_link_that_a_search_finds_late_says_when_it_ended_and_not_when_it_was_found(
    staff: WebClient, five: dict[str, str], app: Flask, clock: MovableClock, levers: Levers, services: Services
) -> None:
    made = steps.elsewhere(app, five["MH1001"], five["MH1002"])
    morning = (clock().astimezone(INDIA) + timedelta(days=1)).replace(hour=9)
    clock.advance(seconds=(morning - clock()).total_seconds())
    levers.set_link(made, expiresAt=(morning - timedelta(hours=15)).isoformat())
    levers.expire(made)
    steps.comes_back(staff, ASHA)
    steps.searches(staff)
    chip, row = said_of_the_link(staff.page(VEHICLE))
    assert chip == "Expired ₹1,118.00 time not known Open the link", "the search does not tell when it ended"
    assert row == "Was on an expired link · Open , the link that held MH1001"
    steps.select(staff, "MH1001")
    assert (
        "1 challan was on a link that expired. A late payment may still arrive: money may be paid twice."
        in staff.page(REVIEW).text
    )
    services.link_poller.refresh(made)
    chip, row = said_of_the_link(staff.page(VEHICLE))
    assert chip == "Expired ₹1,118.00 2 challans ended yesterday Open the link"
    assert row == "Was on a link that expired yesterday · Open , the link that held MH1001"
    assert "was on a link that expired at " in staff.page(REVIEW).text


def test_a_paid_link_that_a_search_finds_late_says_when_it_was_paid(
    staff: WebClient, five: dict[str, str], app: Flask, levers: Levers, clock: MovableClock, services: Services
) -> None:
    made = steps.elsewhere(app, five["MH1001"], five["MH1002"])
    levers.pay(made)
    levers.set_link(made, paidAt=(clock() - timedelta(minutes=40)).isoformat())
    steps.searches(staff)
    services.link_poller.refresh(made)
    assert "40 min ago" in words(staff.page(VEHICLE).one(".vehicle-link").get_text(" "))


def test_what_a_failed_link_may_have_paid_is_said_beside_what_is_to_pay(
    staff: WebClient, link_id: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    def of_vehicle() -> str:
        return words(staff.page(VEHICLE).one(".vehicle-sum").get_text(" "))

    def of_list(address: str) -> str:
        return words(staff.page(address).one(f".table-vehicles [data-row={steps.RC}] .sum").get_text(" "))

    fails(link_id, levers, services)
    steps.searches(staff)
    assert "to pay ₹559.00 of it to check first" in of_vehicle()
    assert all(of_list(each).endswith("₹559.00 to check") for each in ("/", "/vehicles"))
    assert "₹559.00 to check" in staff.get("/vehicles?q=1001", headers={"HX-Request": "true"}).text
    with services.store.write() as connection:
        questions.note_answer(connection, link_id, Answer.NOT_TAKEN, at=clock(), person_id=1)
    assert "to check" not in of_vehicle() + of_list("/"), "its driver says that no money was taken"
    said = words(staff.page(VEHICLE).one("tr.challan .was-on").get_text(" "))
    assert said.startswith("Was on a failed link, "), "and nothing is left to check"


def test_where_all_may_have_been_paid_the_first_page_says_so_in_place_of_the_sum(
    staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    fails(steps.link_of(steps.create(staff, *five)), levers, services)
    steps.searches(staff)
    assert "all of it to check first" in words(staff.page(VEHICLE).one(".vehicle-sum").get_text(" "))
    row = staff.page("/").one(f".table-vehicles [data-row={steps.RC}] .sum")
    assert words(row.get_text(" ")) == "Payment to check"
    assert "Payment to check" in staff.page("/vehicles").one(f"[data-row={steps.RC}] .sum").get_text()
