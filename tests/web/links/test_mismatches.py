"""Links whose amounts do not match: no page offers to send them until a manager has checked that."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from flask import Flask

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.store.accounts import people
from dashboard.store.reconciliation import discrepancies
from dashboard.store.reconciliation.discrepancies import Discrepancy
from tests.support.clock import MovableClock
from tests.support.people import MEERA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.links.test_list import Ledger, link_id, shown, words_of
from tests.web.sharing.steps import adds_a_driver

pytestmark = pytest.mark.hour(5)  # Half past ten in India.

LESS = {"total": Decimal(501), "asks": Decimal(400)}


@pytest.fixture
def entered(app: Flask, clock: MovableClock) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def mismatch(entered: Ledger) -> Discrepancy:
    with entered.services.store.read() as connection:
        return discrepancies.of_link(connection, link_id(1))[DiscrepancyKind.SUMS]


def meera(entered: Ledger) -> int:
    with entered.services.store.read() as connection:
        found = people.find_by_email(connection, MEERA.email)
    assert found is not None
    return found.id


def mark_as_checked(entered: Ledger) -> None:
    found = mismatch(entered)
    entered.services.discrepancies.acknowledge(found.id, found.version, meera(entered), "Asked the service.")


def reopen(entered: Ledger) -> None:
    found = mismatch(entered)
    entered.services.discrepancies.reopen(found.id, found.version, meera(entered))


def offered(staff: WebClient) -> dict[str, str]:
    """Return what each page that lists links offers to do with the one link."""
    row = f'tr[data-row="{link_id(1)}"]'
    places = {
        "/": f".recent-links {row} .given .button, .recent-links {row} .given a",
        "/links": f"{row} .acts button[name=driver], {row} .acts a",
        "/vehicles": ".table-vehicles .acts > .button:not(.button-quiet)",
        "/follow-up": f"#first-{link_id(1)} .button",
    }
    found = {address: staff.page(address).all(place) for address, place in places.items()}
    return {address: words_of(each[0]).split(" ")[0] if each else "" for address, each in found.items()}


def test_a_link_whose_amounts_do_not_match_is_offered_nowhere_until_a_manager_has_checked_them(
    staff: WebClient, manager: WebClient, entered: Ledger
) -> None:
    adds_a_driver(staff)
    entered.enter(1, **LESS)
    held = {"/": "Check", "/links": "Check", "/vehicles": "Check", "/follow-up": ""}
    assert offered(staff) == held
    assert shown(staff.page("/links?only=check")) == [1]
    mark_as_checked(entered)
    assert offered(staff) == {"/": "Send", "/links": "Send", "/vehicles": "Send", "/follow-up": "Send"}
    assert shown(staff.page("/links?only=not-sent")) == [1]
    reopen(entered)
    assert offered(staff) == held


def test_a_link_whose_amounts_match_again_is_offered_as_any_other(staff: WebClient, entered: Ledger) -> None:
    adds_a_driver(staff)
    entered.enter(1, **LESS)
    entered.enter(1)
    assert set(offered(staff).values()) == {"Send"}


def test_a_link_that_a_person_put_into_follow_up_waits_there_to_be_checked(staff: WebClient, entered: Ledger) -> None:
    adds_a_driver(staff)
    entered.enter(1, **LESS)
    entered.services.follow_ups.ask([link_id(1)], 1)
    assert offered(staff)["/follow-up"] == "Check"
    page = staff.page("/follow-up")
    assert words_of(page.one("#follow-count > p")) == "1 link to follow up · ₹400.00 · 1 cannot be sent"
    assert not [each for each in page.buttons() if each.startswith("Send")]
    assert "Nothing to send" in words_of(staff.page("/").one(".figures-none"))
    entered.enter(2)
    home = staff.page("/")
    cards = [words_of(each) for each in home.all(".figure-card")]
    check = "+ 1 to check before sending Check · + 1 to check before sending"
    assert f"Not sent ₹502.00 1 link MH12 AB 1001 Send 1 {check}" in cards
    assert shown(staff.page(home.link(check.removeprefix("+ 1 to check before sending ")))) == [1]
    assert len(staff.page(home.link("Send 1")).all(".reminder-links li")) == 1
    assert "Send it anyway" in [words_of(each) for each in staff.page(f"/links/{link_id(1)}").all("summary")]


def test_open_pages_follow_when_amounts_cease_to_match_and_when_they_were_checked(
    staff: WebClient, manager: WebClient, entered: Ledger
) -> None:
    adds_a_driver(staff)
    entered.enter(1)
    pages = {"/": "#home-panel", "/links": "#links-rows", f"/links/{link_id(1)}": "#link-panel"}

    def follows(changes: Any) -> list[str]:
        """Return which of the open pages fetch something once that has changed."""
        asks = {address: str(staff.page(address).one(region)["hx-get"]) for address, region in pages.items()}
        changes()
        return [address for address, asked in asks.items() if steps.poll(staff, asked).status_code == 200]

    assert follows(lambda: entered.enter(1, **LESS)) == [*pages]
    assert follows(lambda: mark_as_checked(entered)) == [*pages]
    assert follows(lambda: None) == []
