"""Test that the storm's processes are replaced whenever they die, also before they are ready."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from dashboard.replica.settings import ReplicaSettings
from tests.conftest import SECRET_KEY
from tests.faults.clerks import Tally
from tests.faults.house import House
from tests.support.killable_processes import CONTEXT, AppFactory, SharedClock
from tests.support.levers import Levers
from tests.support.long_running_processes import LongRunningProcess, Report, run_replica


def _shared_count() -> Any:
    return CONTEXT.Value("i", 0)


@dataclass(frozen=True)
class DyingAppFactory(AppFactory):
    """Kill the next `deaths` processes before they are ready."""

    deaths: Any = field(default_factory=_shared_count)

    def build(self) -> Flask:
        with self.deaths.get_lock():
            dies = self.deaths.value > 0
            self.deaths.value -= dies
        if dies:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().build()


@pytest.fixture
def app_factory(tmp_path: Path) -> DyingAppFactory:
    environ = {
        "DASHBOARD_SERVICE_URL": "http://127.0.0.1:9",
        "DASHBOARD_API_SECRET": "any",
        "DASHBOARD_SECRET_KEY": SECRET_KEY,
        "DASHBOARD_DATA_DIR": str(tmp_path),
        "DASHBOARD_INSECURE_COOKIES": "1",
    }
    return DyingAppFactory(environ, SharedClock())


@pytest.fixture
def house(app_factory: DyingAppFactory, tmp_path: Path) -> Iterator[House]:
    oldest = CONTEXT.Value("d", 0.0, lock=False)
    settings = ReplicaSettings(database=tmp_path / "replica.db", seed="empty", api_secret="any", levers=True)
    service = LongRunningProcess(run_replica, settings, app_factory.clock, oldest)
    levers = Levers(service.wait_ready())
    house = House(app_factory, levers, oldest, Tally(), random.Random(1), webs=1, workers=1, failpoint_rate=0)
    try:
        yield house
    finally:
        house.close()
        service.close()


def test_a_process_that_dies_before_it_is_ready_is_replaced(house: House, app_factory: DyingAppFactory) -> None:
    app_factory.deaths.value = 2
    house.open()
    (port,) = house.ports()
    assert port
    house.kill()
    house.kill()
    app_factory.deaths.value = 3
    house.heal()
    assert app_factory.deaths.value == 0
    assert house.ports() == [port]


def _ready_and_gone(report: Report) -> None:
    report("ready", 5)
    os._exit(0)


def test_what_a_process_reported_before_its_end_is_read() -> None:
    process = LongRunningProcess(_ready_and_gone)
    while process.alive:
        threading.Event().wait(0.01)
    assert process.wait_ready() == 5
    process.close()
