"""Test how managers have paid links verified that nobody verified."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dashboard.services.container import Services
from tests.support.levers import Levers
from tests.support.page import words
from tests.support.web_client import HTMX, WebClient
from tests.web import steps


@pytest.fixture
def paid(staff: WebClient, searched: dict[str, str], services: Services, levers: Levers) -> str:
    link_id = steps.link_of(steps.create(staff, "MH1001"))
    levers.pay(link_id)
    services.link_poller.refresh(link_id)
    return link_id


def watcher_works(services: Services) -> int:
    claimed = services.settlement_tracker.claim_due(5)
    for link_id in claimed:
        services.settlement_tracker.check(link_id)
    return len(claimed)


def unverified(page) -> str:
    return words(page.one("#unverified").get_text(" "))


def test_unverified_links_are_counted_and_verified_by_one_button(
    manager: WebClient, services: Services, paid: str
) -> None:
    page = manager.page("/reconcile")
    assert unverified(page).startswith("1 paid link not yet verified with the department")
    assert page.one(f'#unverified a[href="/links/{paid}"]')
    assert "hx-get" not in page.one("#unverified").attrs
    assert watcher_works(services) == 0
    page = manager.read(page.submit("Verify 1 link (1 search)"))
    assert "Verifying 1 paid link with the department. You can leave this page." in unverified(page)
    poll = str(page.one("#unverified")["hx-get"])
    assert poll.startswith("/reconcile/unverified?since=")
    assert "Verify 1 link (1 search)" not in page.buttons()
    assert watcher_works(services) == 1
    assert unverified(manager.region(poll, on="/reconcile")) == "Verified: 1 settled"
    assert unverified(manager.page("/reconcile")) == "", "it is said to whoever waited for it"


@pytest.fixture
def slow_source(levers: Levers) -> None:
    """Let the source know nothing of payments."""
    levers.switch(paid_lag_seconds=10**6)


def test_nothing_promises_a_look_that_nobody_asked_for(
    manager: WebClient, services: Services, slow_source: None, paid: str
) -> None:
    page = manager.page("/reconcile")
    assert not page.all("#unsettled"), "the line above the kinds says it already"
    poll = str(manager.read(page.submit("Verify 1 link (1 search)")).one("#unverified")["hx-get"])
    watcher_works(services)
    assert unverified(manager.region(poll, on="/reconcile")).startswith("Verified: 1 still pending")
    assert manager.get("/reconcile/unverified?since=x", headers=HTMX).status_code == 200
    page = manager.page("/reconcile")
    assert "Verified just now" in page.text
    assert "Verified again" not in page.text


def test_what_goes_on_says_how_far_it_has_come_once_one_is_checked(
    manager: WebClient, services: Services, staff: WebClient, levers: Levers, paid: str
) -> None:
    levers.add_vehicle("MH14AA1001", [steps.challan(9)])
    steps.searches(staff, "MH14AA1001")
    other = steps.link_of(steps.create(staff, "MH1009", rc="MH14AA1001"))
    levers.pay(other)
    services.link_poller.refresh(other)
    page = manager.read(manager.page("/reconcile").submit("Verify 2 links (2 searches)"))
    assert "Verifying 2 paid links with the department, one vehicle after the other." in unverified(page)
    poll = str(page.one("#unverified")["hx-get"])
    [first] = services.settlement_tracker.claim_due(1)
    services.settlement_tracker.check(first)
    said = unverified(manager.region(poll, on="/reconcile"))
    assert said == "Verifying paid links with the department: 1 of 2 verified. You can leave this page."


def test_all_that_is_pending_is_checked_by_one_button_and_nothing_else(
    manager: WebClient, services: Services, staff: WebClient, levers: Levers, clock: Any, slow_source: None, paid: str
) -> None:
    def pays(rc: str) -> str:
        levers.add_vehicle(rc, [steps.challan(int(rc[-1]))])
        steps.searches(staff, rc)
        link_id = steps.link_of(steps.create(staff, f"MH100{rc[-1]}", rc=rc))
        levers.pay(link_id)
        services.link_poller.refresh(link_id)
        return link_id

    pays("MH14AA1008")
    manager.page("/reconcile").submit("Verify 2 links (2 searches)")
    watcher_works(services)
    pays("MH14AA1009")
    clock.advance(seconds=60)
    page = manager.page("/reconcile/findings/unsettled")
    assert "Not verified again" not in page.text, "when to check again stands above the rows"
    advice = words(page.one(".discrepancy-words").get_text())
    assert re.match(r"The department can take days\. Still pending after \d+ \w+\? Verify again,", advice)
    assert [words(each.get_text()) for each in page.all("tr[data-row] td a")] == [
        "Open the link MH14 AA 1008",
        "Open the link MH12 AB 1001",
    ]
    on_its_page = advice.replace("Verify again,", "Verify again in Reconcile,")
    assert on_its_page in words(manager.page(f"/links/{paid}").text), "the page of the link says the same"
    [check_all] = page.all(".discrepancy-all form .button")
    assert "button-quiet" in check_all["class"], "it can be checked at once, and need not be"
    assert paid in page.one("[data-copy-source]").get_text(), "what support has to know"
    assert "Challan MH1001: PENDING" in page.one("[data-copy-source]").get_text()
    assert "Verify 1 link (1 search)" in manager.page("/reconcile").buttons(), "each link under one button"
    page = manager.read(page.submit("Verify all (2 searches)"))
    assert "Verifying 2 paid links with the department" in unverified(page)
    assert "Verify 1 link (1 search)" in page.buttons(), "a link that nobody has verified yet stays as it was"


def test_staff_may_not_ask_for_it(staff: WebClient, paid: str) -> None:
    answer = staff.post("/reconcile/verify", data={"csrf_token": staff.csrf_token()})
    assert answer.status_code == 403
