"""Run the jobs of the fleet in workers of their own, and watch how far they come, in the store and on the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from dashboard.domain.fleet import FleetVehicle, JobState, PlannedLink
from dashboard.domain.money import add_up
from dashboard.services.container import Services
from dashboard.services.vehicles import eligibility
from dashboard.store.fleet import plans, runs
from tests.faults.scene import Scene
from tests.support.lanes import job_of
from tests.support.long_running_processes import LongRunningProcess, run_web_process, run_worker_with_jobs
from tests.support.people import ASHA, MEERA
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


@contextmanager
def web(scene: Scene, shown: ShownProgress) -> Iterator[LongRunningProcess]:
    """Run a web process, from which `shown` is read as long as it lives."""
    process = LongRunningProcess(run_web_process, scene.app_factory, 0, None)
    try:
        shown.url = f"http://127.0.0.1:{process.wait_ready()}"
        yield process
    finally:
        process.close()


class ShownProgress:
    """Read the progress that the page of a job shows to a manager, from the web process at `url`."""

    def __init__(self, scene: Scene, path: str) -> None:
        visitor = scene.people[MEERA]
        name = visitor.application.config["SESSION_COOKIE_NAME"]
        cookie = visitor.get_cookie(name)
        assert cookie is not None
        self._cookies = {name: cookie.value}
        self._path = path
        self.url = ""
        #: How often each web process answered, by its URL.
        self.answers: Counter[str] = Counter()

    def __call__(self) -> int | None:
        """Return how many parts the page shows as done; None where no process answers whole."""
        if not (url := self.url):
            return None
        try:
            page = requests.get(url + self._path, cookies=self._cookies, timeout=30, allow_redirects=False)
        except requests.RequestException:
            return None  # It was killed, and the next is not there yet.
        assert page.status_code == 200, f"{page.status_code}: {page.text[:300]}"
        [done] = re.findall(r'role="progressbar" [^>]*aria-valuenow="(\d+)"', page.text)
        self.answers[url] += 1
        return int(done)


def searched(scene: Scene) -> Counter[str]:
    """Count the searches of each vehicle that the service received."""
    return Counter(call["body"].split('"rcNumber":')[1].split('"')[1] for call in scene.levers.calls("search"))


def repeats(scene: Scene) -> int:
    """Count the searches that the service received beyond the first of each vehicle."""
    asked = searched(scene)
    return sum(asked.values()) - len(asked)


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
