"""Test the line of the first page about challans that searches of the fleet have found since yesterday."""

from __future__ import annotations

from datetime import datetime

from dashboard.domain.fleet import FleetVehicle, SearchOutcome
from dashboard.services.container import Services
from dashboard.store.fleet import runs
from tests.support.clock import MovableClock
from tests.support.web_client import WebClient


def finds(services: Services, new: int, at: datetime) -> None:
    """Let a run find new challans of one vehicle."""
    run_id = services.fleet_searches.start("Nightly", [FleetVehicle("MH12AB1001")], None)
    with services.store.write() as connection:
        vehicle = runs.claim_next(connection, run_id, "lane", at)
        assert vehicle is not None
        values = {"ended_at": at, "found_rc": vehicle.rc, "payable": new, "new_challans": new}
        runs.end(connection, vehicle, "lane", SearchOutcome.PAYABLE, **values)


def test_managers_read_how_many_challans_are_new_since_yesterday(
    manager: WebClient, staff: WebClient, services: Services, clock: MovableClock
) -> None:
    assert "since yesterday" not in manager.page("/").one("#home-panel").text
    for new in (7, 5):
        finds(services, new, clock())
    line = manager.page("/").one("#home-panel .attention-item")
    assert "12 new challans since yesterday" in line.text
    assert str(line.find("a")["href"]).startswith("/fleet")
    assert "new challans" not in staff.page("/").text


def test_what_was_found_before_yesterday_is_no_news(
    manager: WebClient, services: Services, clock: MovableClock
) -> None:
    finds(services, 7, clock())
    clock.advance(days=2)
    manager.is_signed_in("meera@example.com")
    assert "new challans" not in manager.page("/").text
