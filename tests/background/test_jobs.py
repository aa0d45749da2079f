"""Test that the jobs of the fleet are carried through by real workers on DBOS, whatever happens to the workers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from dashboard.background import watcher
from dashboard.domain.fleet import JobState
from dashboard.domain.intents import IntentState
from dashboard.services.container import Services
from dashboard.store.fleet import plans
from dashboard.store.operations import call_budget
from tests.faults.scene import Scene
from tests.support.fleet import (
    asha,
    ended,
    fleet,
    links_ended,
    planned,
    searched,
    searching,
    state_of,
    wait_for,
    worker,
)


@pytest.fixture
def services(scene: Scene) -> Services:
    services: Services = scene.app.extensions["services"]
    return services


@pytest.mark.databases
def test_a_run_and_a_plan_are_carried_through(scene: Scene, services: Services, tmp_path: Path) -> None:
    listed = fleet(scene, 12, challans=2)
    running = watcher.start(services, jobs_in=tmp_path / "jobs")
    try:
        run_id = services.fleet_searches.start("Twelve", listed, None)
        wait_for(lambda: state_of(services, run_id) is JobState.DONE)
        assert searched(scene) == Counter({each.rc: 1 for each in listed})
        plan_id = services.fleet_plans.start("Twelve", planned(services, listed), hours=48, person_id=asha(scene))
        wait_for(lambda: state_of(services, plan_id) is JobState.DONE)
    finally:
        assert running.stop()
    with services.store.read() as connection:
        assert plans.counts(connection, [plan_id])[plan_id].by_state == {IntentState.CREATED: 12}
    assert scene.levers.count("create_link") == 12
    scene.oracle.verify()


@pytest.mark.databases
def test_a_worker_that_stops_leaves_the_rest_for_its_next_start(
    scene: Scene, services: Services, tmp_path: Path
) -> None:
    listed = fleet(scene, 40)
    scene.levers.switch(latency_seconds=0.2)
    run_id = services.fleet_searches.start("Forty", listed, None)
    first = watcher.start(services, jobs_in=tmp_path / "jobs")
    try:
        wait_for(lambda: ended(services, run_id) >= 5)
    finally:
        assert first.stop(), "a part under way was cut off"
    before = ended(services, run_id)
    assert before < 40, "the stop waited for the whole run"
    second = watcher.start(services, jobs_in=tmp_path / "jobs")
    try:
        wait_for(lambda: state_of(services, run_id) is JobState.DONE)
    finally:
        second.stop()
    assert searched(scene) == Counter({each.rc: 1 for each in listed}), "a stop in order repeats nothing"


@pytest.mark.databases
def test_a_worker_that_stops_does_not_wait_for_the_pace_of_its_lanes(
    scene: Scene, services: Services, tmp_path: Path
) -> None:
    listed = fleet(scene, 3)
    slow = replace(services.schedule, fleet_calls_per_second=0.1)
    services.fleet_searches = replace(services.fleet_searches, schedule=slow)
    with services.store.write() as connection:
        for _ in range(50):  # Far longer than a start and a stop take.
            call_budget.reserve(connection, "fleet", services.clock(), slow.fleet_calls_per_second)
    run_id = services.fleet_searches.start("Three", listed, None)
    running = watcher.start(services, jobs_in=tmp_path / "jobs")
    wait_for(lambda: searching(services, run_id) == 3)
    assert running.stop(), "the stop waited for the pace"
    assert searched(scene) == Counter()


def test_a_killed_worker_goes_on_where_it_was(scene: Scene, services: Services, tmp_path: Path) -> None:
    listed = fleet(scene, 40)
    scene.levers.switch(latency_seconds=0.1)
    run_id = services.fleet_searches.start("Forty", listed, None)
    kills = 0
    while state_of(services, run_id) is not JobState.DONE:
        before = ended(services, run_id)
        with worker(scene, tmp_path / "jobs") as process:
            wait_for(
                lambda before=before: (
                    ended(services, run_id) >= before + 12 or state_of(services, run_id) is JobState.DONE
                )
            )
            process.kill()
        kills += 1
    assert kills >= 3
    assert ended(services, run_id) == 40
    repeated = {rc: count for rc, count in searched(scene).items() if count > 1}
    assert max(repeated.values(), default=1) <= 1 + kills
    assert sum(repeated.values()) - len(repeated) <= kills * services.schedule.fleet_searches_in_flight


@pytest.mark.parametrize("ledger", ["postgresql"], indirect=True)
@pytest.mark.databases
def test_the_lanes_of_a_killed_worker_go_on_at_another(scene: Scene, services: Services, tmp_path: Path) -> None:
    listed = fleet(scene, 60)
    scene.levers.switch(latency_seconds=0.1)
    run_id = services.fleet_searches.start("Sixty", listed, None)
    with worker(scene, tmp_path / "host-1") as first, worker(scene, tmp_path / "host-2"):
        wait_for(lambda: ended(services, run_id) >= 10)
        first.kill()
        wait_for(lambda: state_of(services, run_id) is JobState.DONE)
    assert ended(services, run_id) == 60
    assert set(searched(scene)) == {each.rc for each in listed}


@pytest.mark.parametrize("ledger", ["postgresql"], indirect=True)
@pytest.mark.databases
def test_of_a_frozen_worker_and_its_successor_one_outcome_counts(
    scene: Scene, services: Services, tmp_path: Path
) -> None:
    listed = fleet(scene, 60)
    scene.levers.switch(latency_seconds=0.1)
    run_id = services.fleet_searches.start("Sixty", listed, None)
    with worker(scene, tmp_path / "host-1") as first, worker(scene, tmp_path / "host-2"):
        wait_for(lambda: ended(services, run_id) >= 10)
        first.stop()
        wait_for(lambda: state_of(services, run_id) is JobState.DONE)
        outcomes = ended(services, run_id)
        first.resume()
        plan_id = services.fleet_plans.start("Sixty", planned(services, listed), hours=48, person_id=asha(scene))
        wait_for(lambda: state_of(services, plan_id) is JobState.DONE)
    assert outcomes == ended(services, run_id) == 60
    assert scene.levers.count("create_link") == 60
    scene.oracle.verify()


def test_a_plan_whose_worker_is_killed_neither_doubles_nor_loses_a_link(
    scene: Scene, services: Services, tmp_path: Path
) -> None:
    listed = fleet(scene, 24, challans=2)
    for each in listed:
        services.vehicle_search.search_in_bulk(each.rc)
    scene.levers.switch(latency_seconds=0.1)
    plan_id = services.fleet_plans.start("Killed", planned(services, listed), hours=48, person_id=asha(scene))
    for _ in range(3):
        before = links_ended(services, plan_id)
        with worker(scene, tmp_path / "jobs") as process:
            wait_for(lambda before=before: links_ended(services, plan_id) >= min(24, before + 4))
            process.kill()
    scene.awaits_the_service()
    scene.settles()  # What the kills left unclear.
    with worker(scene, tmp_path / "jobs"):
        wait_for(lambda: state_of(services, plan_id) is JobState.DONE)
    assert scene.levers.truth()["doublyHeld"] == []
    scene.all_is_well()
    with services.store.read() as connection:
        states = plans.counts(connection, [plan_id])[plan_id].by_state
    assert set(states) <= {IntentState.CREATED, IntentState.RECOVERED, IntentState.NOT_CREATED, IntentState.ATTACHED}
    assert states[IntentState.CREATED] + states.get(IntentState.RECOVERED, 0) >= 12
