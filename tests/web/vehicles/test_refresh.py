"""Test refreshes of a vehicle from the source: what is new, who may refresh, and what a failure leaves."""

from __future__ import annotations

import json
import re
import uuid

import pytest

from dashboard.services.container import Services
from dashboard.store.accounts import people
from dashboard.store.engine import Store
from dashboard.store.vehicles import vehicles
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import RC, calls_of, challan


def test_a_refresh_shows_what_is_new_changed_and_gone(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    page = steps.searched(staff)
    assert not page.all(".mark")
    levers.issue_challan(RC, **challan(6))
    levers.set_challan(five["MH1002"], challanAmount=750)
    levers.set_challan(five["MH1003"], status="DISPOSED")
    levers.set_challan(five["MH1004"], gone=True)
    assert not steps.searched(staff).all(".mark"), "a search may answer from the service's cache"
    clock.advance(minutes=5)
    page = staff.read(steps.refresh(staff))
    assert "1 new challan since" in page.text
    assert "MH1006 NEW" in steps.row(page, "MH1006")
    assert "MH1002 CHANGED" in steps.row(page, "MH1002")
    assert "Fine was 500" in steps.row(page, "MH1002")
    assert "Status was Pending" in steps.row(page, "MH1003")
    assert steps.group(page, "not_payable") == ["MH1003"]
    gone = words(page.one(".gone").get_text(" "))
    assert "No longer listed (1) It may have been paid." in gone
    assert re.search(r"paid\. As listed until \d+:\d\d [ap]m :", gone)
    assert re.search(r"Was to pay MH1004 .* Was pending ₹500\.00 ₹559\.00", gone)
    assert "MH1004" not in steps.boxes(page)


def test_a_refresh_asks_the_source_itself(staff: WebClient, five: dict[str, str], levers: Levers, store: Store) -> None:
    steps.searches(staff)
    assert steps.refresh(staff).status_code == 303
    first, second = (call["body"] for call in levers.calls("search"))
    assert "bypassCache" not in first
    assert '"bypassCache":true' in second
    assert steps.audited(store) == [("search", RC, "Asha Rao"), ("refresh", RC, "Asha Rao")]


def test_a_second_refresh_is_refused_and_says_who_refreshes(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    with services.store.write() as connection:
        asha = people.find_by_email(connection, ASHA.email)
        now = services.clock()
        assert vehicles.take_refresh(connection, RC, asha.id, now, now + services.schedule.refresh_deadline)

    def second() -> None:
        page = manager.read(steps.refresh(manager))
        assert "A colleague is refreshing this vehicle from the source just now." in page.text
        assert "Asha Rao is refreshing this vehicle from the source just now." in page.text
        assert list(steps.boxes(page)) == list(five)

    assert calls_of(levers, second) == 0


def test_a_person_refreshes_a_vehicle_once_a_minute(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    assert calls_of(levers, lambda: steps.refresh(staff)) == 1
    clock.advance(seconds=20)

    def again() -> None:
        page = staff.read(steps.refresh(staff))
        assert "You refreshed this vehicle from the source less than a minute ago." in page.text
        assert "You can do so again in 40 s." in page.text
        assert list(steps.boxes(page)) == list(five)

    assert calls_of(levers, again) == 0
    assert calls_of(levers, lambda: steps.refresh(manager)) == 1, "the limit is each person's own"
    clock.advance(seconds=40)
    assert calls_of(levers, lambda: steps.refresh(staff)) == 1


def test_a_refresh_that_failed_may_be_repeated_at_once(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    levers.fault("search", "status", status=500)
    assert steps.refresh(staff).status_code == 502
    assert calls_of(levers, lambda: steps.refresh(staff)) == 1


def test_an_abandoned_refresh_blocks_only_until_its_lease_runs_out(
    staff: WebClient, manager: WebClient, five: dict[str, str], services: Services, clock: MovableClock
) -> None:
    steps.searches(staff)
    with services.store.write() as connection:
        asha = people.find_by_email(connection, ASHA.email)
        now = services.clock()
        vehicles.take_refresh(connection, RC, asha.id, now, now + services.schedule.refresh_deadline)
    clock.advance(minutes=1)
    assert "is refreshing" not in manager.read(steps.refresh(manager)).text


@pytest.mark.parametrize(
    ("fault", "status", "shown"),
    [
        ({"kind": "cut", "count": 2}, 504, "The service did not answer"),
        ({"kind": "status", "status": 500}, 502, "The service answered with an error"),
        ({"kind": "corrupt", "corruption": "nan"}, 502, "The service answered with an error"),
        ({"kind": "corrupt", "corruption": "success-false"}, 502, "The service answered with an error"),
    ],
)
def test_a_failed_refresh_keeps_the_last_list_with_its_age(
    staff: WebClient,
    five: dict[str, str],
    levers: Levers,
    clock: MovableClock,
    fault: dict[str, object],
    status: int,
    shown: str,
) -> None:
    asked = words(steps.searched(staff).one(".vehicle-updated time").get_text())
    clock.advance(minutes=7)
    levers.fault("search", **fault)  # type: ignore[arg-type]  # The fields of a fault differ in type.
    answer = steps.refresh(staff)
    assert answer.status_code == status
    page = staff.read(answer)
    assert list(steps.boxes(page)) == list(five)
    assert shown in page.text
    # Past midnight the moment shows its date too.
    told = words(page.one(".vehicle-updated").get_text(" "))
    assert re.fullmatch(rf"Not refreshed\. {shown}[\w :’-]*\. Showing [\w ,]*{re.escape(asked)} ?\.", told), told
    assert not page.all(".notice"), "it stands beside what tries again, and not above the challans"
    assert "Try again" in page.buttons()
    assert "Refresh from source" not in page.buttons()
    assert shown not in staff.read(steps.refresh(staff)).text, "the next refresh may try again, and succeeds"


def test_a_vehicle_that_the_service_returns_under_another_number_is_shown_under_it(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    data = {"rcNumber": "MH12AB1002", "carId": str(uuid.uuid4()), "newChallansCount": 0, "challans": []}
    body = json.dumps({"success": True, "data": data})
    for ask in (steps.refresh, steps.search):
        levers.fault("search", "raw", status=200, body=body, content_type="application/json")
        assert ask(staff).headers["Location"] == "/vehicles/MH12AB1002"
