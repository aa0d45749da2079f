"""Measure a search of the whole fleet: durable runs on SQLite and PostgreSQL, beside a plain pool of threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from dashboard.app import create_app, create_client
from dashboard.domain.fleet import FleetVehicle, JobState
from dashboard.services.container import Services
from dashboard.store.fleet import jobs, runs
from tests.bench.office import Office, cpu_seconds, forget_peak, peak_mb
from tests.bench.tables import Table, ms
from tests.support.people import cheap_passwords
from tests.support.postgres import NotInstalled, empty_database, running_server

#: The service answers after so many seconds, and each worker has so many searches in flight.
_LATENCY, _IN_FLIGHT = 0.3, 10


@dataclass(frozen=True)
class _Run:
    """A run of so many workers that took so many seconds, and what the workers used."""

    took: float
    ideal: float
    cpu: float
    memory: float
    asked: int

    def cells(self, vehicles: int) -> tuple[str, ...]:
        over = max(0.0, self.took - self.ideal) / vehicles
        return (
            f"{self.took:.1f} s",
            f"{self.took / self.ideal:.3f} ×",
            ms(over),
            ms(self.cpu / vehicles),
            f"{self.memory:.0f} MB",
            f"{self.asked:,}",
        )


def measure(folder: Path, vehicles: int) -> list[Table]:
    """Search so many vehicles in each way, one way after the other."""
    table = Table(
        f"A search of {vehicles:,} vehicles",
        f"The service answers after {ms(_LATENCY)}; each worker has {_IN_FLIGHT} searches in flight. Ideal is the "
        "number of calls × that time ÷ the searches in flight. The replica, the database and the workers share the "
        "cores. The plain pool calls the service and keeps nothing.",
        (
            "way",
            "time",
            "of the ideal",
            "over the ideal, a vehicle",
            "CPU of the workers, a vehicle",
            "peak memory",
            "calls",
        ),
    )
    table.add("threads without durability", *_plain(folder / "plain", vehicles).cells(vehicles))
    table.add("one worker, SQLite", *_durable(folder / "sqlite", vehicles, 1).cells(vehicles))
    try:
        with running_server() as server:
            for workers in (1, 2, 4):
                with empty_database(server) as address:
                    run = _durable(folder / f"postgresql-{workers}", vehicles, workers, address)
                table.add(f"{workers} worker{'s' * (workers > 1)}, PostgreSQL", *run.cells(vehicles))
    except NotInstalled as missing:
        table.add("PostgreSQL", str(missing))
    return [table]


def _plain(folder: Path, vehicles: int) -> _Run:
    with _office(folder, vehicles, 1) as (office, listed):
        client = create_client(office.settings)
        before = time.process_time()
        began = time.monotonic()
        with ThreadPoolExecutor(_IN_FLIGHT) as pool:
            list(pool.map(lambda vehicle: client.search_challans(vehicle.rc), listed))
        took = time.monotonic() - began
        client.close()
        ideal = vehicles * _LATENCY / _IN_FLIGHT
        return _Run(took, ideal, time.process_time() - before, 0.0, office.levers.count("search"))


def _durable(folder: Path, vehicles: int, workers: int, address: str | None = None) -> _Run:
    with _office(folder, vehicles, workers, address) as (office, listed), ExitStack() as started:
        pids = [started.enter_context(office.worker()) for _ in range(workers)]
        app = create_app(office.settings, passwords=cheap_passwords())
        services: Services = app.extensions["services"]
        for pid in pids:
            forget_peak(pid)
        # A first run of one vehicle has each worker launch what runs jobs.
        _wait(services, services.fleet_searches.start("Warm up", listed[:1], None))
        time.sleep(2)
        asked, cpu = office.levers.count("search"), sum(map(cpu_seconds, pids))
        run_id = services.fleet_searches.start("All", listed, None)
        took = _wait(services, run_id)
        used = sum(map(cpu_seconds, pids)) - cpu
        with services.store.read() as connection:
            assert runs.counts(connection, [run_id])[run_id].found == vehicles
        memory = max(map(peak_mb, pids))
        services.store.close()
        ideal = vehicles * _LATENCY / (_IN_FLIGHT * workers)
        return _Run(took, ideal, used, memory, office.levers.count("search") - asked)


def _wait(services: Services, run_id: str) -> float:
    """Wait for the end of a run; return how many seconds after its beginning that was."""
    pause = threading.Event()
    while True:
        with services.store.read() as connection:
            job = jobs.find(connection, run_id)
        assert job is not None
        if job.state is JobState.DONE:
            assert job.ended_at is not None
            return (job.ended_at - job.created_at).total_seconds()
        assert datetime.now(UTC).timestamp() - job.created_at.timestamp() < 3600, job
        pause.wait(0.25)


@contextmanager
def _office(
    folder: Path, vehicles: int, workers: int, address: str | None = None
) -> Iterator[tuple[Office, list[FleetVehicle]]]:
    """Yield an office with a running replica that has the vehicles, each with two challans."""
    folder.mkdir()
    more = {"DASHBOARD_DATABASE_URL": address} if address else {}
    office = Office(
        folder,
        **more,
        DASHBOARD_FLEET_SEARCHES_IN_FLIGHT=str(_IN_FLIGHT * workers),
        DASHBOARD_FLEET_CALLS_PER_SECOND="1000",
    )
    office.furnish()
    with office.replica() as levers:
        listed = [FleetVehicle(f"MH14{chr(65 + n // 9999)}{n % 9999 + 1:04}") for n in range(vehicles)]
        for vehicle in listed:
            levers.add_vehicle(vehicle.rc, [{"challanNo": f"{vehicle.rc}-{n}"} for n in range(2)], searched=True)
        levers.switch(latency_seconds=_LATENCY)
        yield office, listed
