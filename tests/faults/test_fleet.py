"""Test the whole fleet in a run and a plan while workers and web processes are killed, frozen and cut off."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from dashboard.domain.fleet import JobState
from dashboard.domain.intents import IntentState
from dashboard.services.container import Services
from dashboard.store.fleet import plans
from tests.faults.scene import Scene
from tests.support.fleet import (
    ShownProgress,
    asha,
    ended,
    fleet,
    links_ended,
    planned,
    repeats,
    searched,
    state_of,
    wait_for,
    web,
    worker,
)
from tests.support.postgres import restart

pytestmark = pytest.mark.faults

_VEHICLES, _KILLS, _RESTARTS = 5000, 20, 4
_CUT = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()"""


@pytest.fixture
def services(scene: Scene) -> Services:
    services: Services = scene.app.extensions["services"]
    return services


@contextmanager
def monotone(progress: Callable[[], int | None], every: float = 0.1) -> Iterator[list[int]]:
    """Read the progress all the time; it must never go back. None: nobody could say it at that moment."""
    seen: list[int] = []
    stopped = threading.Event()

    def read() -> None:
        while not stopped.wait(every):
            if (now := progress()) is not None:
                seen.append(now)

    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read)
        try:
            yield seen
        finally:
            stopped.set()
        reading.result()
    assert seen == sorted(seen), "progress went back"


def test_five_thousand_vehicles_are_searched_under_twenty_kills(
    scene: Scene, services: Services, tmp_path: Path, figures: Callable[..., None]
) -> None:
    listed = fleet(scene, _VEHICLES)
    scene.levers.set_organization(searchAllowance=10 * _VEHICLES)
    run_id = services.fleet_searches.start("All", listed, None)
    shown = ShownProgress(scene, f"/fleet/runs/{run_id}")
    dice = random.Random(20)
    repeated: list[int] = []
    with monotone(lambda: ended(services, run_id)), monotone(shown, every=0.3) as on_the_page:
        for kill in range(_KILLS):
            before = ended(services, run_id)
            with web(scene, shown) as site, worker(scene, tmp_path / "jobs") as process:
                most = before + dice.randint(1, 2 * (_VEHICLES - before) // (_KILLS - kill + 1) + 1)
                wait_for(lambda most=most: comes_to(scene, services, run_id, min(most, _VEHICLES - 1)))
                wait_for(lambda: shown.answers[shown.url])
                for each in dice.sample((site, process), 2):
                    each.kill()
            # What the kill before has led to; of this one nothing is searched again yet.
            repeated.append(repeats(scene) - sum(repeated))
            if kill == _KILLS // 2:
                scene.levers.fault("search", "status", status=429)
        with web(scene, shown), worker(scene, tmp_path / "jobs"):
            wait_for(lambda: goes_on(scene, services, run_id) is JobState.DONE)
            wait_for(lambda: on_the_page[-1] == _VEHICLES)
    assert ended(services, run_id) == _VEHICLES
    asked = searched(scene)
    assert set(asked) == {each.rc for each in listed}
    after_kills = [*repeated[1:], repeats(scene) - sum(repeated)]
    print("searches repeated after each kill:", *after_kills)
    assert repeated[0] == 0
    in_flight, refused = services.schedule.fleet_searches_in_flight, 1
    assert max(after_kills) <= in_flight + refused, "no more than were in flight in the process that was killed"
    assert sum(after_kills) <= _KILLS * in_flight + refused
    figures(
        "fleet",
        kills=_KILLS,
        vehicles=_VEHICLES,
        repeated_searches=sum(after_kills),
        most_repeated=max(after_kills),
    )


def comes_to(scene: Scene, services: Services, run_id: str, count: int) -> bool:
    """Resume the run where it waits; return whether so many vehicles have an outcome."""
    goes_on(scene, services, run_id)
    return ended(services, run_id) >= count


def goes_on(scene: Scene, services: Services, job_id: str) -> JobState:
    """Let a job go on that waits for the allowance, as a person may; return its state."""
    state = state_of(services, job_id)
    if state is JobState.WAITING:
        scene.passes(60)
        services.fleet_jobs.resume(job_id)
    return state


def test_a_plan_under_kills_neither_doubles_nor_loses_a_link(
    scene: Scene, services: Services, tmp_path: Path, figures: Callable[..., None]
) -> None:
    listed = fleet(scene, 300, challans=2)
    for each in listed:
        services.vehicle_search.search_in_bulk(each.rc)
    plan_id = services.fleet_plans.start("All", planned(services, listed), hours=48, person_id=asha(scene))
    with monotone(lambda: links_ended(services, plan_id)):
        for _ in range(_KILLS):
            before = links_ended(services, plan_id)
            with worker(scene, tmp_path / "jobs") as process:
                wait_for(lambda before=before: links_ended(services, plan_id) >= min(300, before + 12))
                process.kill()
        scene.awaits_the_service()
        scene.settles()
        with worker(scene, tmp_path / "jobs"):
            wait_for(lambda: goes_on(scene, services, plan_id) is JobState.DONE)
    scene.all_is_well()
    assert scene.levers.truth()["doublyHeld"] == []
    with services.store.read() as connection:
        states = plans.counts(connection, [plan_id])[plan_id].by_state
    assert sum(states.values()) == 300
    assert set(states) <= {IntentState.CREATED, IntentState.RECOVERED, IntentState.NOT_CREATED, IntentState.ATTACHED}
    figures("fleet", kills=_KILLS, links=300, recovered=states.get(IntentState.RECOVERED, 0))


@pytest.mark.parametrize("ledger", ["postgresql"], indirect=True)
def test_hosts_that_freeze_and_a_database_that_drops_its_connections_lose_nothing(
    scene: Scene, services: Services, tmp_path: Path, figures: Callable[..., None]
) -> None:
    listed = fleet(scene, 1000)
    scene.levers.switch(latency_seconds=0.02)
    run_id = services.fleet_searches.start("All", listed, None)
    dice, cuts, freezes = random.Random(7), 0, 0
    with ExitStack() as started:
        hosts = [started.enter_context(worker(scene, tmp_path / f"host-{number}")) for number in range(3)]
        while state_of(services, run_id) is not JobState.DONE:
            before = ended(services, run_id)
            frozen = dice.choice(hosts)
            frozen.stop()
            wait_for(lambda before=before: ended(services, run_id) >= min(1000, before + 100))
            frozen.resume()
            freezes += 1
            _cut_connections(scene)
            cuts += 1
            goes_on(scene, services, run_id)
    assert ended(services, run_id) == 1000
    assert set(searched(scene)) == {each.rc for each in listed}
    figures("fleet", freezes=freezes, cuts=cuts, vehicles=1000)


@pytest.mark.parametrize("ledger", ["postgresql"], indirect=True)
def test_a_database_that_is_restarted_in_the_middle_of_a_run_loses_nothing(
    scene: Scene, services: Services, tmp_path: Path, figures: Callable[..., None]
) -> None:
    """Restart the server itself: for a moment it takes no connections. The same worker goes on."""
    listed = fleet(scene, 1000)
    scene.levers.switch(latency_seconds=0.02)
    run_id = services.fleet_searches.start("All", listed, None)
    address = scene.store.url.render_as_string(hide_password=False)

    def done() -> int | None:
        try:
            return ended(services, run_id)
        except SQLAlchemyError:
            return None  # It is being restarted.

    repeated: list[int] = []
    with monotone(done), worker(scene, tmp_path / "jobs"):
        for number in range(1, _RESTARTS + 1):
            wait_for(lambda least=number * 150: (done() or 0) >= least)
            restart(address)
            wait_for(lambda least=number * 150 + 100: (done() or 0) >= least)
            repeated.append(repeats(scene) - sum(repeated))
        wait_for(lambda: done() == 1000 and state_of(services, run_id) is JobState.DONE)
    assert set(searched(scene)) == {each.rc for each in listed}
    assert sum(repeated) == repeats(scene)
    print("searches repeated after each restart:", *repeated)
    in_flight = services.schedule.fleet_searches_in_flight
    assert max(repeated) <= in_flight, "no more than were in flight"
    figures("fleet", restarts=_RESTARTS, vehicles=1000, repeated_searches=sum(repeated), most_repeated=max(repeated))


def _cut_connections(scene: Scene) -> None:
    engine = create_engine(scene.store.url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(_CUT))
    engine.dispose()
