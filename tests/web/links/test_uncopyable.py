"""Test that a link that may have ended, or was not checked just now, cannot be copied or shared."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from dashboard.store.links import tables
from tests.support.clock import MovableClock
from tests.support.page import Page
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import comes_back


@pytest.fixture
def link_id(staff: WebClient, searched: dict[str, str]) -> str:
    return steps.link_of(steps.create(staff))


def test_a_link_past_its_expiry_cannot_be_shared_before_it_is_checked(
    staff: WebClient, link_id: str, clock: MovableClock
) -> None:
    clock.advance(hours=48, minutes=20)
    comes_back(staff, ASHA)
    with staff.application.extensions["store"].write() as connection:
        connection.execute(update(tables.link).values(checked_at=clock()))
    page = staff.page(f"/links/{link_id}")
    assert page.one("#link-panel")["data-status"] == "ACTIVE", "our own clock ends no link"
    assert page.one("#link-panel")["data-copyable"] == "false"
    assert "This link has most likely ended at" in page.text
    assert str(page.one("#link-panel")["data-off"]).startswith("This link has most likely ended at"), "not its state"
    assert {"Copy link", "Other ways to send it"}.isdisjoint(page.buttons())
    assert not page.all("svg.qr")
    refused = staff.page(f"/links/{link_id}/share")
    assert "Checking. Do not give it to anybody." in refused.text
    assert not refused.all("share-options")
    assert not staff.page(f"/links/{link_id}/qr").all("svg.qr")
    assert staff.get(f"/links/{link_id}/qr.png").status_code == 409


def test_a_link_that_has_expired_by_the_services_clock_alone_cannot_be_copied(
    staff: WebClient, link_id: str, clock: MovableClock
) -> None:
    clock.advance(hours=47, minutes=55)
    comes_back(staff, ASHA)
    page = f"/links/{link_id}"
    assert staff.page(page).one("#link-panel")["data-copyable"] == "true"
    with staff.application.extensions["store"].write() as connection:
        connection.execute(update(tables.link).values(service_clock_offset=600))
    assert staff.page(page).one("#link-panel")["data-copyable"] == "false"
    with staff.application.extensions["store"].write() as connection:
        connection.execute(update(tables.link).values(service_clock_offset=-600))
    clock.advance(minutes=10)
    assert staff.page(page).one("#link-panel")["data-copyable"] == "true", "it has five minutes yet"


def test_the_qr_code_as_a_file_needs_a_check_just_now(staff: WebClient, link_id: str, clock: MovableClock) -> None:
    clock.advance(seconds=61)
    page = Page(staff, staff.get(f"/links/{link_id}/qr.png"))
    assert page.status == 409
    assert "Check the link" in page.buttons()
    assert not page.all("svg.qr")
    page.submit("Check the link")
    assert staff.get(f"/links/{link_id}/qr.png").status_code == 200


def test_a_prepared_share_says_how_long_it_can_be_used(staff: WebClient, link_id: str, clock: MovableClock) -> None:
    clock.advance(seconds=20)
    for address in ("share", "qr"):
        page = staff.page(f"/links/{link_id}/{address}")
        ways = page.one("share-options")
        assert (ways["data-age"], ways["data-lasts"]) == ("20", "60")
        assert page.one("[data-lapsed]").has_attr("hidden")
