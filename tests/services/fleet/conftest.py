"""Provide vehicles at the replica, and a lane that takes one part after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from dashboard.domain.fleet import FleetVehicle, SearchOutcome
from dashboard.services.container import Services
from dashboard.store.fleet import runs
from tests.support.lanes import take_parts

PLATES = ("MH14AA1001", "MH14AA1002", "MH14AA1003")


@pytest.fixture
def vehicles(levers) -> list[FleetVehicle]:
    """Return three vehicles of the organization: with two payable challans, with one, and with none."""
    for plate, count in zip(PLATES, (2, 1, 0), strict=True):
        levers.add_vehicle(plate, [{"challanNo": f"{plate}-{n}", "challanAmount": 500} for n in range(count)])
    return [FleetVehicle(plate) for plate in PLATES]


@pytest.fixture
def run_lane(services: Services) -> Callable[..., int]:
    """Return a function that runs one lane of a job's present generation to its end; it returns the parts taken."""

    return partial(take_parts, services)


def outcomes(services: Services, run_id: str) -> list[SearchOutcome | None]:
    """Return what came of each vehicle of a run, in its order."""
    with services.store.read() as connection:
        ended = runs.with_outcome(connection, run_id, list(SearchOutcome), after=0, limit=1000)
        left = runs.with_outcome(connection, run_id, None, after=0, limit=1000)
    return [each.outcome for each in sorted([*ended, *left], key=lambda each: each.position)]
