"""Provide vehicles, sent forms and lanes of jobs to the tests of the fleet's pages."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import event
from werkzeug.test import TestResponse

from dashboard.domain.fleet import FleetVehicle
from dashboard.services.container import Services
from dashboard.store.engine import Store
from tests.support.lanes import take_parts
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.web_client import WebClient


@pytest.fixture
def lookups(app: Flask) -> None:
    """The stored lists of cities and RC types."""
    services: Services = app.extensions["services"]
    services.reference_data.fresh()


Sends = Callable[..., TestResponse]


@pytest.fixture
def send(manager: WebClient) -> Sends:
    """Return a function that sends the form for numbers, with a file if one is given."""

    def sent(numbers: str = "", content: bytes | str | None = None, name: str = "trucks.csv") -> TestResponse:
        body = content.encode() if isinstance(content, str) else content
        fields = {"csrf_token": manager.csrf_token(), "numbers": numbers}
        file = {} if body is None else {"file": (io.BytesIO(body), name)}
        return manager.post("/fleet", data={**fields, **file}, content_type="multipart/form-data")

    return sent


@pytest.fixture
def checked(manager: WebClient, send: Sends) -> Callable[..., Page]:
    """Return a function that sends the same, and returns the page that shows what would be searched."""

    def shown(*args: str | bytes | None, **more: str) -> Page:
        answer = send(*args, **more)
        assert answer.status_code == 303, answer.text
        return manager.page(answer.headers["Location"])

    return shown


PLATES = ("MH14AA1001", "MH14AA1002", "MH14AA1003")


@pytest.fixture
def fleet(levers: Levers) -> list[FleetVehicle]:
    """Return three vehicles of the organization: with two payable challans, with one, and with none."""
    for plate, count in zip(PLATES, (2, 1, 0), strict=True):
        levers.add_vehicle(plate, [{"challanNo": f"{plate}-{n}", "challanAmount": 500} for n in range(count)])
    return [FleetVehicle(plate) for plate in PLATES]


@pytest.fixture
def run_lane(services: Services) -> Callable[..., int]:
    """Return a function that runs one lane of a job to its end, or some parts of it; it returns the parts taken."""

    return lambda job_id, most=1000: take_parts(services, job_id, most=most)


@pytest.fixture
def run_id(services: Services, fleet: list[FleetVehicle]) -> str:
    """Return a run of the three vehicles that has begun nothing yet."""
    return services.fleet_searches.start("Pune trucks", fleet, None)


@pytest.fixture
def searched_run(run_id: str, run_lane: Callable[..., int]) -> str:
    """Return the run after it has searched all of its vehicles."""
    run_lane(run_id)
    return run_id


@pytest.fixture
def search_again(services: Services, fleet: list[FleetVehicle], run_lane: Callable[..., int]) -> Callable[[], str]:
    """Return a function that searches the three vehicles once more; it returns the new run."""

    def again() -> str:
        run_lane(run_id := services.fleet_searches.start("Once more", fleet, None))
        return run_id

    return again


@pytest.fixture
def statements(store: Store) -> list[str]:
    """Return the statements that the store executes, but those that begin and end its transactions."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if not statement.startswith(("BEGIN", "PRAGMA", "SAVEPOINT", "RELEASE")):
            found.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    return found
