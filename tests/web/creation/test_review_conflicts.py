"""Test a selection that is not what it was when its review is sent: changed, tampered with, old, or sent too late."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import ASHA
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.creation.test_review import HOURS, covered, many
from tests.web.steps import REVIEW, VEHICLE, calls_of, challan

# Changes under a selection


def test_a_challan_that_is_no_longer_payable_is_left_out_and_named(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    steps.select(staff, "MH1001", "MH1002")
    levers.set_challan(five["MH1002"], status="DISPOSED", seen=True)
    steps.searches(staff)
    page = staff.page(REVIEW)
    assert covered(page) == [five["MH1001"]]
    dropped = page.one('section[aria-labelledby="dropped-title"]').get_text(" ")
    assert "MH1002" in dropped
    assert "Disposed" in dropped


def test_a_challan_that_a_colleague_has_put_on_a_link_is_not_sent(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(staff, "MH1001", "MH1002")
    link_id = steps.link_of(steps.create(manager, "MH1002"))
    page = staff.read(mine.submit("Create payment link"))
    assert page.status == 422
    assert "The other one can go on this new link." in page.text
    assert covered(page) == [five["MH1001"]]
    held = page.one('section[aria-labelledby="holding-links-title"]')
    assert "MH1002" in held.get_text()
    assert held.select(f'a[href="/links/{link_id}"]')
    assert levers.count("create_link") == 1
    steps.link_of(page.submit("Create payment link"))


def test_a_challan_that_a_colleague_is_just_requesting_is_not_sent(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(staff, "MH1001", "MH1002")
    levers.fault("create_link", "cut", when="after")
    request = steps.request_of(steps.create(manager, "MH1002"))
    page = staff.read(mine.submit("Create payment link"))
    assert page.status == 422
    assert page.all(f'section[aria-labelledby="requests-title"] a[href="{request}"]')
    assert "Meera Iyer’s request of" in page.text
    assert levers.count("create_link") == 1


def test_a_challan_sent_twice_in_one_form_counts_once(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff, "MH1001")
    steps.link_of(review.submit("Create payment link", challan=[five["MH1001"], five["MH1001"]]))
    assert json.loads(levers.calls("create_link")[0]["body"])["challan_ids"] == [five["MH1001"]]


@pytest.mark.parametrize(
    "fields",
    [
        {"challan": ["00000000-0000-4000-8000-000000000000"]},
        {"challan": ["<script>"]},
        {"challan": None},
        {"request_key": ""},
        {"request_key": "short"},
        {"request_key": "x" * 65},
    ],
)
def test_a_form_that_was_tampered_with_sends_nothing(
    staff: WebClient, five: dict[str, str], levers: Levers, fields: dict[str, Any]
) -> None:
    steps.searches(staff)
    page = staff.read(steps.reviewed(staff).submit("Create payment link", **fields))
    assert page.status == 422
    assert "created" in page.text
    assert levers.count("create_link") == 0


def test_a_challan_of_another_vehicle_is_not_sent(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    other = levers.add_vehicle("KA05MN4321", [challan(9)])["challans"][0]["id"]
    steps.searches(staff)
    steps.searches(staff, "KA05MN4321")
    page = staff.read(steps.reviewed(staff).submit("Create payment link", challan=[five["MH1001"], other]))
    assert page.status == 422
    assert levers.count("create_link") == 0


def test_a_creation_for_a_vehicle_that_was_never_searched_leads_to_its_page(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    form = steps.reviewed(staff).form("Create payment link")
    form.action = "/vehicles/KA05MN4321/links"
    assert form.submit().headers["Location"] == "/vehicles/KA05MN4321"
    assert levers.count("create_link") == 0


# An old list


def test_an_old_list_is_searched_again_before_anything_is_sent(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff)
    clock.advance(minutes=16)
    steps.link_of(review.submit("Create payment link"))
    assert [call["operation"] for call in levers.calls()] == ["search", "search", "create_link"]


def test_when_nothing_is_left_of_a_selection_the_page_says_so_and_leads_back(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff, "MH1001", "MH1002")
    for number in ("MH1001", "MH1002"):
        levers.set_challan(five[number], status="DISPOSED", seen=True)
    clock.advance(minutes=16)
    page = staff.read(review.submit("Create payment link"))
    assert page.status == 422
    assert "None of these challans can be selected any more. No new link was created." in page.text
    assert page.one("#review a.button")["href"] == VEHICLE
    assert not page.all(".empty"), "it is said above"
    assert levers.count("create_link") == 0


def test_a_change_that_an_old_list_did_not_show_stops_the_creation(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff, "MH1001", "MH1002")
    levers.set_challan(five["MH1001"], status="DISPOSED", seen=True)
    clock.advance(minutes=16)
    page = staff.read(review.submit("Create payment link", hours="72"))
    assert page.status == 422
    assert "1 of your 2 challans can no longer be selected. The other one can go on this new link." in page.text
    assert covered(page) == [five["MH1002"]]
    assert page.field(HOURS)["value"] == "72"
    assert levers.count("create_link") == 0


def test_an_old_list_that_cannot_be_renewed_stops_the_creation(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff, "MH1001", "MH1002")
    clock.advance(minutes=16)
    levers.fault("search", "status", status=500)
    page = staff.read(review.submit("Create payment link", hours="72"))
    assert page.status == 502
    assert "The service answered with an error" in page.text
    assert "Nothing was sent." in page.text
    assert covered(page) == [five["MH1001"], five["MH1002"]]
    assert page.field(HOURS)["value"] == "72"
    assert levers.count("create_link") == 0


# An ended session


def test_a_creation_of_an_ended_session_returns_to_the_review_and_sends_nothing(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff, "MH1001", "MH1004")
    clock.advance(minutes=31)

    def sign_in_again() -> None:
        answer = review.submit("Create payment link", hours="96")
        sign_in = staff.read(answer)
        assert "What you entered is saved: sign in, check it, then send it." in sign_in.text
        page = staff.read(staff.signs_in(ASHA.email, at=answer.headers["Location"]))
        assert page.response.request.path == REVIEW
        assert covered(page) == [five["MH1001"], five["MH1004"]]
        assert page.field(HOURS)["value"] == "96"

    assert calls_of(levers, sign_in_again) == 0


def test_an_ended_session_loses_nothing_of_a_large_selection(
    staff: WebClient, levers: Levers, clock: MovableClock
) -> None:
    many(levers, 120)
    steps.searches(staff)
    review = steps.reviewed(staff)
    clock.advance(minutes=31)
    answer = review.submit("Create payment link")
    page = staff.read(staff.signs_in(ASHA.email, at=answer.headers["Location"]))
    assert "120 challans make 2 links: 100 + 20" in page.text


def test_a_new_selection_keeps_the_hours_typed_before(
    staff: WebClient, five: dict[str, str], clock: MovableClock
) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff, "MH1001")
    review.submit("Create payment link", hours="96")
    assert review.submit("Create payment link", hours="72").status_code == 422, "the same form, with other hours"
    assert steps.reviewed(staff, "MH1002").field(HOURS)["value"] == "72"
    page = staff.page(VEHICLE)
    clock.advance(minutes=31)
    answer = page.submit("Review and create", challan=[five["MH1003"]])
    page = staff.read(staff.signs_in(ASHA.email, at=answer.headers["Location"]))
    assert page.field(HOURS)["value"] == "72"


def test_a_creation_of_unclear_outcome_is_answered_with_the_page_of_its_request(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    staff.page(VEHICLE).submit("Review and create", challan=[five["MH1003"]])
    levers.fault("create_link", "cut", when="after")
    headers = {**HTMX, "HX-Target": "review", "HX-Current-URL": f"http://localhost{REVIEW}"}
    answer = staff.page(REVIEW).submit("Create payment link", headers=headers)
    assert (answer.status_code, answer.headers["HX-Retarget"]) == (200, "#main")
    shown = Page(staff, answer, region=True)
    assert shown.one("main #request-panel")["data-state"] == "UNKNOWN"
