"""Test with real processes that workers stopped or killed during a call lose nothing."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import Row

from dashboard.app import create_app, create_client
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from tests.commands.conftest import Running
from tests.conftest import ServedReplica
from tests.support.people import ASHA, add
from tests.support.staff_member import StaffMember

RC = "MH12AB1001"

Start = Callable[..., Running]


@pytest.fixture
def command_environ(command_environ: dict[str, str]) -> dict[str, str]:
    return {**command_environ, "DASHBOARD_REFRESH_SECONDS": "4"}


@pytest.fixture
def clerk(command_environ: dict[str, str], replica: ServedReplica) -> Iterator[StaffMember]:
    """Yield Asha, over the store that the commands open."""
    settings = Settings.from_environ(command_environ)
    store = Store(settings.database_url)
    migrate(store)
    with create_client(settings) as client:
        app = create_app(settings, store=store, client=client)
        replica.levers.add_vehicle(RC, [{"challanNo": f"MH100{n}"} for n in range(2)])
        clerk = StaffMember(app.extensions["services"], add(app, ASHA).id)
        clerk.search(RC)
        yield clerk
    store.close()


@pytest.fixture
def link(clerk: StaffMember) -> Callable[[], Row[Any]]:
    """Read a link that was just created."""
    link_id = clerk.create(RC, clerk.payable(RC)).link_id
    return lambda: clerk.link(link_id)


def wait_for(condition: Callable[[], object], running: Running, seconds: float = 45) -> None:
    pause = threading.Event()
    deadline = time.monotonic() + seconds
    while not condition():
        assert running.process.poll() is None, f"ended with {running.process.returncode}:\n{running.said}"
        assert time.monotonic() < deadline, f"never:\n{running.said}"
        pause.wait(0.02)


@pytest.mark.parametrize("command", ["worker", "serve"])
def test_a_stop_waits_for_the_call_in_flight(
    start: Start,
    replica: ServedReplica,
    link: Callable[[], Row[Any]],
    command_environ: dict[str, str],
    command: str,
) -> None:
    replica.levers.pay(link().id)
    replica.levers.fault("link_status", "delay", seconds=2)
    running = start(command, environ={**command_environ, "DASHBOARD_STATUS_SECONDS": "10"})
    wait_for(lambda: link().lease_until, running)
    assert running.stop(signal.SIGTERM) == 0
    assert (link().status, link().lease_until) == ("PAID", None)
    assert link().checked_at is not None
    assert "Traceback" not in running.said


def test_a_stop_during_a_resolve_poll_loses_no_evidence(
    start: Start, replica: ServedReplica, clerk: StaffMember
) -> None:
    replica.levers.fault("create_link", "cut", when="after")
    row = clerk.create(RC, clerk.payable(RC))
    replica.levers.fault("search", "delay", seconds=2)
    running = start("worker")
    wait_for(lambda: clerk.intent(row.id).resolving_until, running)
    assert running.stop(signal.SIGTERM) == 0
    assert clerk.intent(row.id).state == "RECOVERED"
    assert clerk.intent(row.id).resolving_until is None


def test_a_killed_worker_loses_no_poll(start: Start, replica: ServedReplica, link: Callable[[], Row[Any]]) -> None:
    replica.levers.pay(link().id)
    replica.levers.fault("link_status", "delay", seconds=3)
    killed = start("worker")
    wait_for(lambda: link().lease_until, killed)
    assert killed.stop(signal.SIGKILL) == -signal.SIGKILL
    left = link()
    assert left.lease_until is not None
    assert left.status == "ACTIVE"
    survivor = start("worker")
    wait_for(lambda: link().status == "PAID", survivor)
    assert link().lease_until is None
    assert survivor.stop(signal.SIGTERM) == 0


def test_a_killed_worker_loses_no_resolve_poll(start: Start, replica: ServedReplica, clerk: StaffMember) -> None:
    replica.levers.fault("create_link", "cut", when="after")
    row = clerk.create(RC, clerk.payable(RC))
    replica.levers.fault("search", "delay", seconds=3)
    killed = start("worker")
    wait_for(lambda: clerk.intent(row.id).resolving_until, killed)
    assert killed.stop(signal.SIGKILL) == -signal.SIGKILL
    assert clerk.intent(row.id).state == "UNKNOWN"
    survivor = start("worker")
    wait_for(lambda: clerk.intent(row.id).state == "RECOVERED", survivor)
    assert survivor.stop(signal.SIGTERM) == 0
    assert clerk.claimed(row.challan_ids) == set(row.challan_ids)


def test_two_workers_poll_a_link_once_per_interval(
    start: Start, replica: ServedReplica, command_environ: dict[str, str], link: Callable[[], Row[Any]]
) -> None:
    before = link().checked_at
    replica.levers.forget_calls()
    often = {**command_environ, "DASHBOARD_POLL_SECONDS": "1"}
    first, second = start("worker", environ=often), start("worker", environ=often)
    wait_for(lambda: link().checked_at != before, first)
    wait_for(lambda: replica.levers.count("link_status") >= 8, second)
    for running in (first, second):
        assert running.stop(signal.SIGTERM) == 0
    moments = [datetime.fromisoformat(call["realAt"]) for call in replica.levers.calls("link_status")]
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(moments[1:])]
    assert min(gaps) >= 0.7, "a second, less a fifth of jitter"
