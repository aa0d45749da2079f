"""Run the jobs of the fleet in workers of their own, and watch how far they come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dashboard.domain.fleet import FleetVehicle, JobState, PlannedLink
from dashboard.domain.money import add_up
from dashboard.services.container import Services
from dashboard.services.vehicles import eligibility
from dashboard.store.fleet import plans, runs
from tests.faults.scene import Scene
from tests.support.lanes import job_of
from tests.support.long_running_processes import LongRunningProcess, run_worker_with_jobs
from tests.support.people import ASHA
from tests.support.waiting import until

#: Seconds; long enough on a busy machine.
_PATIENCE = 300


def wait_for(happens: Callable[[], object]) -> None:
    until(happens, seconds=_PATIENCE)


def state_of(services: Services, job_id: str) -> JobState:
    return job_of(services, job_id).state


def ended(services: Services, run_id: str) -> int:
    with services.store.read() as connection:
        return runs.counts(connection, [run_id])[run_id].ended


def searching(services: Services, run_id: str) -> int:
    """Count the vehicles that lanes have claimed."""
    with services.store.read() as connection:
        return runs.counts(connection, [run_id])[run_id].searching


def fleet(scene: Scene, count: int, challans: int = 1) -> list[FleetVehicle]:
    plates = [f"MH14BB{number:04}" for number in range(1, count + 1)]
    for plate in plates:
        scene.levers.add_vehicle(plate, [{"challanNo": f"{plate}-{n}", "challanAmount": 500} for n in range(challans)])
    return [FleetVehicle(plate) for plate in plates]


@contextmanager
def worker(scene: Scene, folder: Path) -> Iterator[LongRunningProcess]:
    process = LongRunningProcess(run_worker_with_jobs, scene.app_factory, folder, None)
    try:
        process.wait_ready()
        yield process
    finally:
        process.close()


def searched(scene: Scene) -> Counter[str]:
    """Count the searches of each vehicle that the service received."""
    return Counter(call["body"].split('"rcNumber":')[1].split('"')[1] for call in scene.levers.calls("search"))


def asha(scene: Scene) -> int:
    return int(scene.app.extensions["people"].find(ASHA.email).id)


def planned(services: Services, listed: list[FleetVehicle]) -> list[PlannedLink]:
    """Return a link with every payable challan of each vehicle."""
    with services.store.read() as connection:
        of = eligibility.of_vehicles(connection, [each.rc for each in listed])
    return [
        PlannedLink(
            rc,
            tuple(item.challan.id or "" for item in items if item.selectable),
            add_up(item.challan.total_amount for item in items if item.selectable),
        )
        for rc, items in of.items()
    ]


def links_ended(services: Services, plan_id: str) -> int:
    with services.store.read() as connection:
        return plans.counts(connection, [plan_id])[plan_id].ended
