"""Run web processes and workers as several machines do, over one PostgreSQL: some are killed, all are replaced."""

from __future__ import annotations

import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select

from dashboard.store.creation.intents import intent
from dashboard.store.engine import Store
from dashboard.store.links.tables import link
from dashboard.store.migrate import newest_revision
from tests.bench.clerk import Clerk
from tests.commands.conftest import Running
from tests.conftest import ServedReplica
from tests.deploy.proxies import HOST, ByName, certificate, running
from tests.support.documents import ROOT
from tests.support.people import ASHA, MEERA, add_to_store
from tests.support.ports import free_port

__all__ = ["certificate"]

pytestmark = pytest.mark.databases

Start = Callable[..., Running]
TOKEN = "a-token-for-the-metrics-of-tests"
RCS = [f"MH12AB{number}" for number in range(1001, 1009)]


@dataclass(frozen=True)
class Machine:
    """The environment of the processes of one machine: a data folder and a port of its own, the database of all."""

    environ: dict[str, str]
    has_other_code: bool = False

    @property
    def url(self) -> str:
        return f"http://{self.environ['DASHBOARD_LISTEN']}"

    @property
    def data(self) -> Path:
        return Path(self.environ["DASHBOARD_DATA_DIR"])


@pytest.fixture
def command_environ(command_environ: dict[str, str], postgres_url: str) -> dict[str, str]:
    often = {"DASHBOARD_POLL_SECONDS": "1", "DASHBOARD_METRICS_TOKEN": TOKEN}
    return {**command_environ, **often, "DASHBOARD_DATABASE_URL": postgres_url}


@pytest.fixture
def machines(command_environ: dict[str, str], tmp_path: Path, replica: ServedReplica) -> list[Machine]:
    for rc in RCS:
        replica.levers.add_vehicle(rc, [{"challanNo": f"{rc}-{number}"} for number in range(2)])
    return [
        Machine(
            {
                **command_environ,
                "DASHBOARD_DATA_DIR": str(tmp_path / f"data-{number}"),
                "DASHBOARD_LISTEN": f"127.0.0.1:{free_port()}",
            }
        )
        for number in (1, 2)
    ]


@pytest.fixture
def ledger(postgres_url: str) -> Iterator[Store]:
    """Yield the database of all machines."""
    store = Store(postgres_url)
    yield store
    store.close()


@pytest.fixture
def staff(command_environ: dict[str, str]) -> None:
    add_to_store(command_environ, ASHA, MEERA)


def until(condition: Callable[[], object], *under_way: Running, seconds: float = 90) -> None:
    pause, deadline = threading.Event(), time.monotonic() + seconds
    while not condition():
        for each in under_way:
            assert each.process.poll() is None, each.said
        assert time.monotonic() < deadline, [each.said[-2000:] for each in under_way]
        pause.wait(0.05)


def starts(start: Start, machine: Machine, *command: str) -> Running:
    started = start(*command, environ=machine.environ, anew=machine.has_other_code)
    if command[0] == "web":
        started.answers(f"{machine.url}/readyz")
    else:
        started.says("The worker runs.")
    return started


def dies(started: Running) -> None:
    """Kill a process and its children."""
    os.killpg(started.process.pid, signal.SIGKILL)
    started.process.wait(30)


def states(ledger: Store) -> dict[str, str]:
    with ledger.read() as connection:
        return {row.id: row.status for row in connection.execute(select(link.c.id, link.c.status))}


def is_well(machine: Machine, *arguments: str) -> bool:
    """Run the health check of the container."""
    command = [sys.executable, str(ROOT / "deploy" / "healthcheck.py"), *arguments]
    return subprocess.run(command, check=False, env=machine.environ, capture_output=True).returncode == 0


def test_two_machines_share_the_work_and_a_killed_worker_drops_none(
    machines: list[Machine], ledger: Store, staff: None, start: Start, replica: ServedReplica
) -> None:
    first, second = machines
    webs = [starts(start, machine, "web", "--workers", "1") for machine in machines]
    workers = [starts(start, machine, "worker") for machine in machines]
    asha, meera = Clerk(first.url), Clerk(second.url, MEERA.email)

    asha.searches(RCS[0])
    assert f"{RCS[0]}-1" in meera.opens(f"/vehicles/{RCS[0]}"), "what one searched, the other sees"
    made = [asha.creates_a_link(RCS[0])]
    assert "Copy link" in meera.opens(f"/links/{made[0]}")
    replica.levers.pay(made[0])
    until(lambda: states(ledger)[made[0]] == "PAID", *webs, *workers)
    for clerk in (asha, meera):
        assert "Copy link" not in clerk.opens(f"/links/{made[0]}"), "both see that it is paid"

    made += [(asha, meera)[at % 2].creates_a_link(rc) for at, rc in enumerate(RCS[1:])]
    until(lambda: all(is_well(machine, "worker") for machine in machines))
    for link_id in made[1:4]:
        replica.levers.pay(link_id)
    workers[0].stop(signal.SIGKILL)
    replica.levers.forget_calls()
    for link_id in made[4:]:
        replica.levers.pay(link_id)
    until(lambda: set(states(ledger).values()) == {"PAID"}, *webs, workers[1])
    assert states(ledger).keys() == set(made)
    assert replica.levers.count("link_status") > 0
    with ledger.read() as connection:
        assert connection.execute(select(intent.c.state)).scalars().all() == ["CREATED"] * len(made)

    silent = first.data / "metrics" / "worker-1.json"
    os.utime(silent, (time.time() - 60, time.time() - 60))
    assert [is_well(machine, "worker") for machine in machines] == [False, True]
    assert [is_well(machine) for machine in machines] == [True, True]

    # A web process dies as well: the other knows the session of who worked there.
    dies(webs[0])
    assert not is_well(first)
    connection = HTTPConnection(urlsplit(second.url).netloc, timeout=60)
    connection.request("GET", f"/links/{made[0]}", headers={"Cookie": asha.cookie})
    assert connection.getresponse().status == 200
    connection.close()


# An upgrade


REVISION = """
import sqlalchemy as sa
from alembic import op

revision = "{new}"
down_revision = "{old}"
branch_labels = None
depends_on = None


def upgrade():
    op.add_column("driver", sa.Column("badge", sa.String(20)))
    op.add_column("link", sa.Column("of_later", sa.Integer(), server_default="0", nullable=False))
    op.create_table("of_later", sa.Column("id", sa.Integer(), primary_key=True))
"""


@pytest.fixture
def later_version(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a later version, which adds columns and a table."""
    folder = tmp_path / "later"
    shutil.copytree(ROOT / "dashboard", folder / "dashboard", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("templates", "static"):
        (folder / name).symlink_to(ROOT / name)
    old = newest_revision()
    new = f"r{int(old[1:]) + 1}"
    revisions = folder / "dashboard" / "store" / "migrations" / "versions"
    (revisions / f"{new}_of_later.py").write_text(REVISION.format(old=old, new=new))
    return {"PYTHONPATH": str(folder)}


def test_an_upgrade_stops_nobody(
    machines: list[Machine],
    ledger: Store,
    staff: None,
    start: Start,
    replica: ServedReplica,
    later_version: dict[str, str],
) -> None:
    """Migrate, then replace the web processes, then the workers; old and new work side by side in between."""
    first, second = machines
    second = Machine({**second.environ, **later_version}, has_other_code=True)
    old = [starts(start, first, "web", "--workers", "1"), starts(start, first, "worker")]
    asha = Clerk(first.url)
    made = [asha.creates_a_link(RCS[0])]

    migrating = start("migrate", environ=second.environ, anew=True)
    assert migrating.process.wait(60) == 0, migrating.said
    with ledger.read() as connection:
        connection.exec_driver_sql("SELECT badge FROM driver")
    with urllib.request.urlopen(f"{first.url}/readyz", timeout=10) as answer:
        assert answer.status == 200, "the old version stays ready"
    made.append(asha.creates_a_link(RCS[1]))

    new_web = starts(start, second, "web", "--workers", "1")
    meera = Clerk(second.url, MEERA.email)
    made.append(meera.creates_a_link(RCS[2]))
    made.append(asha.creates_a_link(RCS[3]))
    assert "Copy link" in asha.opens(f"/links/{made[2]}")
    assert "Copy link" in meera.opens(f"/links/{made[3]}")
    replica.levers.pay(made[2])
    until(lambda: states(ledger)[made[2]] == "PAID", new_web, *old)

    assert old[0].stop(signal.SIGTERM) == 0
    new_worker = starts(start, second, "worker")
    replica.levers.pay(made[0])
    until(lambda: states(ledger)[made[0]] == "PAID", new_web, new_worker, old[1])
    assert old[1].stop(signal.SIGTERM) == 0
    for link_id in (made[1], made[3]):
        replica.levers.pay(link_id)
    until(lambda: set(states(ledger).values()) == {"PAID"}, new_web, new_worker)
    assert states(ledger).keys() == set(made)
    for each in (*old, new_web, new_worker):
        assert "Traceback" not in each.said

    again = start("worker", environ=first.environ)
    assert again.process.wait(60) == 1
    assert "which this version does not know" in again.said


# Behind the proxy of deploy/compose.yaml


def caddy(folder: Path, port: int, behind: list[str], certificate: tuple[Path, Path]) -> list[str]:
    """Write the sample with ports and a certificate of this test; return the command that runs it."""
    sample = (ROOT / "deploy" / "compose" / "Caddyfile").read_text(encoding="utf-8")
    made, key = certificate
    own = f"admin off\n\thttp_port {free_port()}\n\tstorage file_system {folder}\n\tservers {{"
    changed = {
        "\tservers {": f"\t{own}",
        "{$DASHBOARD_HOST} {": f"https://{HOST}:{port} {{\n\ttls {made} {key}",
        "Host {$DASHBOARD_HOST}": f"Host {HOST}",
        "web-1:8000 web-2:8000": " ".join(behind),
    }
    for before, after in changed.items():
        assert before in sample, before
        sample = sample.replace(before, after, 1)
    (folder / "Caddyfile").write_text(sample, encoding="utf-8")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def test_each_web_process_is_restarted_behind_the_proxy_while_a_clerk_works(
    machines: list[Machine],
    ledger: Store,
    staff: None,
    start: Start,
    tmp_path: Path,
    certificate: tuple[Path, Path],
) -> None:
    if not shutil.which("caddy"):
        pytest.skip("caddy is not installed on this machine")
    secure = []
    for machine in machines:
        environ = {**machine.environ, "DASHBOARD_TRUSTED_HOSTS": f"{HOST},127.0.0.1", "DASHBOARD_PROXY_COUNT": "1"}
        del environ["DASHBOARD_INSECURE_COOKIES"]
        secure.append(Machine(environ))
    webs = [starts(start, machine, "web", "--workers", "1") for machine in secure]
    folder, port = tmp_path / "caddy", free_port()
    folder.mkdir()
    command = caddy(folder, port, [machine.environ["DASHBOARD_LISTEN"] for machine in secure], certificate)
    trust = ssl.create_default_context(cafile=str(certificate[0]))
    headers = {"Host": HOST, "Origin": f"https://{HOST}", "Referer": f"https://{HOST}/"}
    made: list[str] = []
    refused: list[str] = []
    over = threading.Event()

    def work() -> None:
        clerk = Clerk(f"https://{HOST}", connection=ByName(port, trust), headers=headers)
        while not over.is_set():
            for rc in RCS[len(made) : len(made) + 1]:
                made.append(clerk.creates_a_link(rc))
            try:
                clerk.opens("/")
                clerk.opens(f"/links/{made[-1]}")
            except AssertionError as error:
                refused.append(str(error))

    with running(command, folder, port):
        working = threading.Thread(target=work)
        working.start()
        try:
            until(lambda: made or not working.is_alive())
            for at, machine in enumerate(secure):
                assert webs[at].stop(signal.SIGTERM) == 0
                before = len(made)
                webs[at] = starts(start, machine, "web", "--workers", "1")
                until(lambda before=before: len(made) > min(before, len(RCS) - 1) or not working.is_alive())  # type: ignore[misc]
            dies(webs[0])
            until(lambda: len(made) == len(RCS) or not working.is_alive())
        finally:
            over.set()
            working.join(60)
    assert not refused
    assert len(made) == len(set(made)) == len(RCS)
    assert states(ledger).keys() == set(made)


def test_prometheus_scrapes_both_with_the_token(
    machines: list[Machine], staff: None, start: Start, tmp_path: Path
) -> None:
    if not shutil.which("prometheus"):
        pytest.skip("prometheus is not installed on this machine")
    for machine in machines:
        starts(start, machine, "web", "--workers", "1")
        starts(start, machine, "worker")
    folder = tmp_path / "prometheus"
    shutil.copytree(ROOT / "deploy" / "prometheus", folder)
    (folder / "token").write_text(f"{TOKEN}\n")
    sample = (folder / "prometheus.yml").read_text(encoding="utf-8")
    for before, after in {
        "/run/secrets/metrics_token": str(folder / "token"),
        "web-1:8000": machines[0].environ["DASHBOARD_LISTEN"],
        "web-2:8000": machines[1].environ["DASHBOARD_LISTEN"],
        "15s": "1s",
    }.items():
        assert before in sample, before
        sample = sample.replace(before, after)
    (folder / "prometheus.yml").write_text(sample, encoding="utf-8")
    port = free_port()
    command = ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data"]

    def asks(query: str) -> list[dict[str, str]]:
        address = f"http://127.0.0.1:{port}/api/v1/query?{urllib.parse.urlencode({'query': query})}"
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:
                return [each["metric"] for each in json.load(answer)["data"]["result"]]
        except urllib.error.HTTPError:  # It is about to start.
            return []

    with running([*command, f"--web.listen-address=127.0.0.1:{port}"], folder, port):
        until(lambda: len(asks('up{job="challan-dashboard"} == 1')) == 2)
        query = 'count by (instance, process) (process_cpu_seconds_total{job="challan-dashboard"})'
        until(lambda: len(asks(query)) == 4)
        found = {(each["instance"], each["process"]) for each in asks(query)}
    assert found == {
        (machine.environ["DASHBOARD_LISTEN"], name) for machine in machines for name in ("web-1", "worker-1")
    }, "each web process answers for the worker beside it"
