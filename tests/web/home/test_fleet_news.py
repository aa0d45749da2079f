"""Test the line of the first page about challans that searches of the fleet have found since yesterday."""

from __future__ import annotations

from datetime import datetime, time

from dashboard.domain.fleet import FleetVehicle, SearchOutcome
from dashboard.domain.fleet_schedules import EVERY_DAY, Repeat, Scope
from dashboard.services.container import Services
from dashboard.store.fleet import runs
from tests.support.clock import MovableClock
from tests.support.lanes import take_parts
from tests.support.levers import Levers
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


def searches_everything_tonight(services: Services, clock: MovableClock, *, at_source: bool) -> None:
    """Let a nightly search of all known vehicles be due, and run."""
    repeat = Repeat(Scope.ALL, EVERY_DAY, time(2, 0), at_source=at_source)
    manager_id = services.fleet_schedules.add(repeat, 1)
    clock.advance(days=1)
    [run_id] = services.fleet_schedules.start_due()
    take_parts(services, run_id)
    services.fleet_schedules.remove(manager_id)


def test_a_nightly_search_finds_what_was_issued_at_the_source_since(
    manager: WebClient, services: Services, levers: Levers, clock: MovableClock
) -> None:
    levers.add_vehicle("MH14AA1001", [{"challanNo": "MH-1", "challanAmount": 500}])
    services.vehicle_search.search_in_bulk("MH14AA1001")
    for number in (2, 3):
        levers.issue_challan("MH14AA1001", challanNo=f"MH-{number}", challanAmount=700)
    searches_everything_tonight(services, clock, at_source=False)
    manager.is_signed_in("meera@example.com")
    assert "new challan" not in manager.page("/").text, "the service’s cache does not know of them"
    searches_everything_tonight(services, clock, at_source=True)
    manager.is_signed_in("meera@example.com")
    line = manager.page("/").one("#home-panel .attention-item")
    assert "2 new challans since yesterday" in line.text
    run = manager.page(str(line.find("a")["href"]))
    assert "fresh from the source" in run.text
