"""Measure a vehicle's pages and creating a link: the server's time over a socket, bytes, and the time of a start."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from http.client import HTTPConnection
from urllib.parse import urlsplit

from dashboard.replica.settings import DEMO_SECRET
from tests.bench.bare import bare_server
from tests.bench.clerk import Clerk
from tests.bench.office import Office, cpu_seconds, memory_mb, running
from tests.bench.pollers import watching
from tests.bench.tables import Table, ms, timed

_SIZES = (12, 100, 230)
_AIMS = {12: "6 ms", 100: "10 ms", 230: "16 ms"}


def add_vehicle(office: Office, rc: str, count: int) -> None:
    """Add a vehicle with this number of payable challans at the replica, with realistic texts."""
    office.levers.add_vehicle(
        rc,
        [
            {
                "challanNo": f"{rc[:2]}{rc[-4:]}{n:06}",
                "challanAmount": 500 + n,
                "offenseDetails": "Exceeding the speed limit (LMV)",
                "challanPlace": f"NH-48, km {n}",
            }
            for n in range(count)
        ],
    )


def measure(office: Office, creations: int = 15) -> list[Table]:
    office.furnish()
    table = Table(
        "Pages and creating",
        "`dashboard serve` over one persistent connection, one request at a time: medians, to the last byte.",
    )
    with office.replica(), office.dashboard("serve"):
        clerk = Clerk(office.url)
        for count in _SIZES:
            rc = f"MH12BN{count:04}"
            add_vehicle(office, rc, count)
            clerk.searches(rc)
            spent = timed(lambda rc=rc: clerk.fetches(f"/vehicles/{rc}"))
            table.add(f"page of {count} challans", ms(spent), _AIMS.get(count, ""))
            table.add(f"page of {count} challans: bytes", f"{len(clerk.fetches(f'/vehicles/{rc}')) / 1024:.0f} KB")
        table.add("first page", ms(timed(lambda: clerk.fetches("/"))))
        whole, service = _creating(office, clerk, creations)
        table.add("creating a link of 10 challans, the service's own time included", ms(whole))
        table.add("the service's own time for the same", ms(service))
        table.add("creating, over the service's own time", ms(max(0.0, whole - service)), "40 ms")
    with bare_server(office):
        connection = HTTPConnection(urlsplit(office.url).netloc)
        table.add("a bare Flask answer, by the same way", ms(timed(lambda: _fetch(connection, "/form"))))
    return [table]


def _fetch(connection: HTTPConnection, address: str) -> None:
    connection.request("GET", address)
    connection.getresponse().read()


def _creating(office: Office, clerk: Clerk, count: int) -> tuple[float, float]:
    """Return the medians of pressing Create payment link, and of the same call made directly, in turn."""
    ours, direct = [], []
    for number in range(count):
        rc, other = f"MH14CR{number:04}", f"MH15CR{number:04}"
        add_vehicle(office, rc, 10)
        form = clerk.comes_to_the_review(rc)
        start = time.perf_counter()
        clerk.creates(rc, form)
        ours.append(time.perf_counter() - start)
        add_vehicle(office, other, 10)
        direct.append(create_directly(office, other))
    return statistics.median(ours), statistics.median(direct)


def create_directly(office: Office, rc: str) -> float:
    """Create a link for all challans of a vehicle by calling the service itself, and return the seconds it took."""
    ids = [item["id"] for item in office.levers.vehicle(rc)["challans"]]
    start = time.perf_counter()
    _call(office, "/payment-links", {"vehicle_number": rc, "challan_ids": ids, "expiry_time": 48})
    return time.perf_counter() - start


def _call(office: Office, path: str, body: object) -> None:
    address = f"{office.replica_url}/api/v1/staging{path}"
    headers = {"Authorization": f"Bearer {DEMO_SECRET}", "Content-Type": "application/json"}
    with urllib.request.urlopen(
        urllib.request.Request(address, json.dumps(body).encode(), headers), timeout=30
    ) as answer:
        answer.read()


def measure_processes(office: Office, seconds: float = 30, starts: int = 3) -> list[Table]:
    """Measure the resources of the dashboard's processes, and their time to the first answer."""
    office.furnish()
    table = Table("Processes", "Memory of all processes of a kind; shared memory counts once.")
    start = _start(office, starts, "/sign-in", "dashboard", "serve", "--quiet")
    table.add("start of `dashboard serve` to its first answer, median", f"{start:.2f} s", "1.5 s")
    start = _start(office, starts, "/readyz", "tests.bench.bare")
    table.add("start of a bare Flask application on the same server", f"{start:.2f} s")
    with office.replica(), office.dashboard("serve") as pid:
        clerk = Clerk(office.url)
        add_vehicle(office, "MH12BN0001", 1)
        panel = clerk.panel_of(clerk.creates_a_link("MH12BN0001"))
        spent = _cpu_for_viewers(office, pid, panel, seconds, cookie=clerk.cookie)
        table.add(f"CPU for 50 viewers of a link in {seconds:.0f} s, following it included", f"{spent:.2f} s", "1 s")
        table.add("memory of `dashboard serve` after that", f"{memory_mb(pid):.0f} MB", "160 MB")
    with bare_server(office) as pid:
        spent = _cpu_for_viewers(office, pid, "/", seconds, pace=3.0)
        table.add(f"CPU for as many bare Flask answers in {seconds:.0f} s", f"{spent:.2f} s")
        table.add("memory of a bare Flask application on the same server", f"{memory_mb(pid):.0f} MB")
    with office.replica(), office.dashboard("web", "-w", "2") as web, office.worker() as worker:
        both = memory_mb(web) + memory_mb(worker)
    table.add("memory of `dashboard web -w 2` and `dashboard worker`", f"{both:.0f} MB")
    return [table]


def _start(office: Office, times: int, address: str, *module: str) -> float:
    """Return the median time of several starts to the first answer, in seconds."""
    waits = []
    for _ in range(times):
        began = time.monotonic()
        with running(["-m", *module], office.environ) as child:
            _first_answer(f"{office.url}{address}", child)
            waits.append(time.monotonic() - began)
    return statistics.median(waits)


def _cpu_for_viewers(
    office: Office, pid: int, address: str, seconds: float, *, cookie: str = "", pace: float | None = None
) -> float:
    """Return the CPU seconds of a server for 50 tabs."""
    with watching(office.url, [address], cookie, tabs=50, seconds=seconds, pace=pace) as wait_for_results:
        time.sleep(3)
        before = cpu_seconds(pid)
        wait_for_results()
    return cpu_seconds(pid) - before


def _first_answer(address: str, child: subprocess.Popen[bytes]) -> None:
    while child.poll() is None:
        with suppress(OSError), urllib.request.urlopen(address, timeout=5):
            return
        time.sleep(0.005)
    sys.exit("the dashboard has ended by itself")
