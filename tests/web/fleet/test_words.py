"""Test that what is shown and announced of runs and plans is in the language of who looks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time

import pytest

from dashboard.domain.fleet import FleetVehicle
from dashboard.domain.fleet_schedules import EVERY_DAY, Repeat, Scope, title_of
from dashboard.services.container import Services
from dashboard.store.accounts import people
from tests.support.fleet import planned
from tests.support.page import Page, words
from tests.support.people import MEERA
from tests.support.web_client import WebClient
from tests.web.fleet import test_review as review


@pytest.fixture
def hindi(manager: WebClient) -> WebClient:
    """Return a manager who has chosen Hindi."""
    manager.post("/language", data={"language": "hi", "csrf_token": manager.csrf_token()})
    return manager


@pytest.fixture
def start_plan(services: Services, fleet: list[FleetVehicle], searched_run: str) -> Callable[[str], str]:
    """Return a function that starts a plan of a run under a name, and returns its id."""
    with services.store.read() as connection:
        meera = people.find_by_email(connection, MEERA.email)
    assert meera is not None
    links = [each for each in planned(services, fleet) if each.challan_ids]

    def start(title: str) -> str:
        return services.fleet_plans.start(title, links, hours=48, person_id=meera.id, run_id=searched_run)

    return start


def test_panels_announce_their_state_in_hindi(
    hindi: WebClient, services: Services, searched_run: str, start_plan: Callable[[str], str]
) -> None:
    assert hindi.page(f"/fleet/runs/{searched_run}").one("#run-panel")["data-words"] == "पूरी हुई"
    services.fleet_jobs.pause(plan_id := start_plan("Pune trucks"))
    assert str(hindi.page(f"/fleet/plans/{plan_id}").one("#plan-panel")["data-words"]).startswith("रुका है ")


@pytest.mark.parametrize("stored", ["Pune trucks", "Links of Pune trucks"])
def test_a_plan_is_named_in_the_language_of_who_looks(
    hindi: WebClient, admin: WebClient, searched_run: str, start_plan: Callable[[str], str], stored: str
) -> None:
    """Plans were once stored with the name that is shown in English."""
    address = f"/fleet/plans/{start_plan(stored)}"
    assert hindi.page(address).heading == "Pune trucks के लिंक"
    assert hindi.page(f"/fleet/runs/{searched_run}").link("Pune trucks के लिंक") == address
    assert admin.page(address).heading == "Links of Pune trucks"


@pytest.mark.parametrize(
    ("scope", "days", "shown"),
    [(Scope.ALL, None, "सभी पहले खोजे गए वाहन"), (Scope.OLD, 7, "7 दिनों से नहीं खोजे गए")],
)
def test_a_run_of_a_schedule_is_named_in_the_language_of_who_looks(
    hindi: WebClient, services: Services, fleet: list[FleetVehicle], scope: Scope, days: int | None, shown: str
) -> None:
    title = title_of(Repeat(scope, EVERY_DAY, time(2, 0), days=days), None)
    run_id = services.fleet_searches.start(title, fleet, None)
    assert hindi.page(f"/fleet/runs/{run_id}").heading == shown
    assert shown in hindi.page("/fleet").text


def test_a_run_that_nobody_named_is_named_in_the_language_of_who_looks(
    hindi: WebClient, checked: Callable[..., Page]
) -> None:
    page = checked("MH12 AB 1001, MH12 AB 1002")
    run = str(page.submit(words(page.one(".fleet-bar .button-primary").get_text())).headers["Location"])
    assert hindi.page(run).heading == "2 वाहन"
    hindi.post("/language", data={"language": "en", "csrf_token": hindi.csrf_token()})
    assert hindi.page(run).heading == "2 vehicles"


def test_the_links_of_a_search_that_nobody_named_are_counted_by_their_own_vehicles(
    manager: WebClient, services: Services, fleet: list[FleetVehicle], run_lane: Callable[..., int]
) -> None:
    run_lane(run_id := services.fleet_searches.start("3 vehicles", fleet, None))
    plan_id = review.plan_id_of(review.creates(review.planned(manager, run_id)))
    assert manager.page(f"/fleet/plans/{plan_id}").heading == "Links of 2 vehicles"
