"""Drill a backup while the dashboard runs, the loss of the database, and its restoration."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import tarfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dashboard import failpoints
from dashboard.app import create_app, create_client
from dashboard.failpoints import Point
from dashboard.services.creation.commands import CreationRefused
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from tests.commands.conftest import Run
from tests.conftest import ServedReplica
from tests.support.people import ASHA, add
from tests.support.postgres import programs
from tests.support.staff_member import StaffMember

RC = "MH12AB1001"
#: So many people work at once, and so many links each may make; `make faults` has the whole office.
_FEW, _OFFICE, _LINKS = 12, 50, 20


class Dashboard:
    """Open the database that the commands open, as a running process does."""

    def __init__(self, environ: dict[str, str]) -> None:
        self.settings = Settings.from_environ(environ)
        self.store = Store(self.settings.database_url)
        migrate(self.store)
        self.client = create_client(self.settings)
        self.app = create_app(self.settings, store=self.store, client=self.client)
        self.services = self.app.extensions["services"]

    def asha(self) -> StaffMember:
        with self.store.read() as connection:
            found = connection.exec_driver_sql("SELECT id FROM person").scalar()
        return StaffMember(self.services, found or add(self.app, ASHA).id)

    def close(self) -> None:
        self.client.close()
        self.store.close()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.databases)])
def database(request: pytest.FixtureRequest, command_environ: dict[str, str]) -> str:
    """Return the address of the database of all processes, and put the programs of PostgreSQL on their path."""
    if request.param == "sqlite":
        return f"sqlite:///{command_environ['DASHBOARD_DATA_DIR']}/dashboard.db"
    url = str(request.getfixturevalue("postgres_url"))
    folder = programs()
    assert folder is not None
    if not (folder / "pg_dump").exists():
        pytest.skip("pg_dump is not installed on this machine")
    command_environ["PATH"] = f"{folder}{os.pathsep}{command_environ['PATH']}"
    return url


@pytest.fixture
def before(command_environ: dict[str, str], database: str, replica: ServedReplica) -> Iterator[Dashboard]:
    command_environ["DASHBOARD_DATABASE_URL"] = database
    replica.levers.add_vehicle(RC, [{"challanNo": f"MH100{n}"} for n in range(6)])
    running = Dashboard(command_environ)
    yield running
    failpoints.disarm()
    running.close()


def loses_and_restores(before: Dashboard, file: Path, environ: dict[str, str]) -> None:
    """Delete the database, and restore it as docs/operating.md tells."""
    folder, store = before.settings.data_dir, before.store
    if store.is_sqlite:
        for part in ("dashboard.db", "dashboard.db-wal", "dashboard.db-shm"):
            (folder / part).unlink(missing_ok=True)
    with tarfile.open(file) as tar:
        assert set(tar.getnames()) >= {"dashboard.db" if store.is_sqlite else "dashboard.dump", "spool"}
    folder.mkdir(exist_ok=True)
    subprocess.run(["tar", "-xf", str(file), "-C", str(folder)], check=True)
    if not store.is_sqlite:
        url = store.url.set(drivername="postgresql").render_as_string(hide_password=False)
        command = ["pg_restore", "--clean", "--if-exists", "--exit-on-error", f"--dbname={url}", "dashboard.dump"]
        done = subprocess.run(command, cwd=folder, env=environ, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_a_restored_database_denies_no_link_and_makes_no_second_one(
    before: Dashboard, run: Run, replica: ServedReplica, command_environ: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "backup.tar"
    asha = before.asha()
    asha.search(RC)
    payable = asha.payable(RC)
    first = asha.create(RC, payable[:2])
    (before.settings.data_dir / "spool").mkdir(parents=True)
    spooled = before.settings.data_dir / "spool" / f"{first.id}.json"
    spooled.write_text(
        json.dumps({"intent_id": first.id, "link_id": first.link_id, "answered_at": "2026-01-01T00:00:00Z"})
    )

    def take_backup() -> None:
        done = run("backup", str(file))
        assert done.returncode == 0, done.stdout + done.stderr

    # The backup sees a request that is prepared; it is sent right after, and another one follows.
    failpoints.arm(Point.PREPARE_DONE, take_backup)
    prepared = asha.create(RC, payable[2:4])
    failpoints.disarm()
    lost = asha.create(RC, payable[4:])
    assert {prepared.state, lost.state} == {"CREATED"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert run("backup", str(file)).returncode == 1, "no file is overwritten"

    before.close()
    spooled.unlink()
    loses_and_restores(before, file, command_environ)
    assert spooled.exists()
    done = run("restored")
    assert "Requests whose outcome is unclear now: 1. Links to be asked for: 1." in done.stdout

    after = Dashboard(command_environ)
    try:
        asha = after.asha()
        assert asha.intent(prepared.id).state == "UNKNOWN", "it may have been sent"
        assert after.services.link_poller.claim_due(5) == [first.link_id]
        replica.levers.forget_calls()
        with pytest.raises(CreationRefused):
            asha.create(RC, payable[4:])
        assert replica.levers.count("create_link") == 0, "the search at the source has shown the link of before"
        assert asha.resolve(prepared.id).state == "RECOVERED"
        assert asha.link(str(lost.link_id)).status == "ACTIVE"
        assert set(asha.payable(RC)) == set()
    finally:
        after.close()


def test_the_record_of_jobs_comes_back_with_its_store_or_not_at_all(
    before: Dashboard, run: Run, command_environ: dict[str, str], tmp_path: Path
) -> None:
    """A record newer than the store would call ended what is still to be done."""
    record, file = before.settings.data_dir / "jobs.db", tmp_path / "backup.tar"
    is_sqlite = before.store.is_sqlite
    if is_sqlite:
        record.write_bytes(b"of today")
        record.with_name("jobs.db-wal").write_bytes(b"of today")
    else:
        with before.store.write() as connection:
            connection.exec_driver_sql("CREATE SCHEMA dbos")
            connection.exec_driver_sql("CREATE TABLE dbos.lane AS SELECT 'of the backup' AS word")
    assert run("backup", str(file), anew=True).returncode == 0
    if not is_sqlite:
        with before.store.write() as connection:
            connection.exec_driver_sql("UPDATE dbos.lane SET word = 'of today'")
    before.close()
    loses_and_restores(before, file, command_environ)
    with tarfile.open(file) as tar:
        assert not [name for name in tar.getnames() if name.startswith("jobs")]
    done = run("restored", anew=True)
    assert ("The record of jobs is newer than the backup and was removed" in done.stdout) is is_sqlite
    assert not list(before.settings.data_dir.glob("jobs.db*"))
    if not is_sqlite:
        with before.store.read() as connection:
            assert connection.exec_driver_sql("SELECT word FROM dbos.lane").scalar() == "of the backup"
        before.store.close()


@pytest.mark.parametrize("people", [_FEW, pytest.param(_OFFICE, marks=pytest.mark.faults)])
def test_a_backup_while_people_work_loses_nothing_that_was_committed_before_it(
    before: Dashboard, run: Run, replica: ServedReplica, command_environ: dict[str, str], tmp_path: Path, people: int
) -> None:
    asha, rcs = before.asha(), [f"MH12BK{number:04}" for number in range(people)]
    for rc in rcs:
        replica.levers.add_vehicle(rc, [{"challanNo": f"{rc}-{number}"} for number in range(_LINKS)])
        asha.search(rc)
    made: list[str] = []
    some_are_made, over = threading.Event(), threading.Event()

    def work(rc: str) -> None:
        for challan in asha.payable(rc):
            if over.is_set():
                return
            link_id = asha.create(rc, [challan]).link_id
            if link_id is None:
                continue  # On a busy machine the service may not take the connection in time: no link is made.
            made.append(link_id)
            if len(made) >= people:
                some_are_made.set()

    with ThreadPoolExecutor(people) as office:
        working = [office.submit(work, rc) for rc in rcs]
        assert some_are_made.wait(120)
        committed, began = set(made), time.monotonic()
        file = tmp_path / "backup.tar"
        done = run("backup", str(file))
        seconds = time.monotonic() - began
        over.set()
        for each in working:
            each.result()
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(made) > len(committed), "people worked on meanwhile"
    before.close()
    loses_and_restores(before, file, command_environ)
    assert run("restored").returncode == 0
    after = Dashboard(command_environ)
    try:
        with after.store.read() as connection:
            known = set(connection.exec_driver_sql("SELECT id FROM link").scalars())
            held = connection.exec_driver_sql("SELECT count(*) FROM claim WHERE released_at IS NULL").scalar()
        print(
            f"{people} people: {len(committed)} links were committed before the backup of {seconds:.1f} s, "
            f"{len(made)} until its end; {len(known)} are in it, {len(committed - known)} are missing"
        )
        assert committed <= known
        assert held is not None
        assert held >= len(committed)
    finally:
        after.close()
