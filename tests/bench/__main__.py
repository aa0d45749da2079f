"""`make bench`: server time of the vehicle's page, bytes of a first load, and calls to the service per watched link.

Everything is real but the network to the service: the replica answers in this process' company, over a socket. The
figures are medians; a bare Flask answer in the same run stands beside them.
"""

from __future__ import annotations

import os
import platform
import re
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import requests
from flask import Flask

from dashboard.app import create_app, create_client
from dashboard.background import watcher
from dashboard.replica.server import running
from dashboard.replica.settings import DEMO_SECRET, ReplicaSettings
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from tests.support.levers import Levers
from tests.support.people import ASHA, PASSWORD, add, cheap_passwords
from tests.support.servers import serving

_ROUNDS = 60
_WATCHED_SECONDS = 30
_VIEWERS = (1, 20)


def median_ms(work: Callable[[], object]) -> float:
    spans = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        work()
        spans.append((time.perf_counter() - start) * 1000)
    return statistics.median(spans)


def sign_in(session: requests.Session, url: str) -> None:
    page = session.get(f"{url}/sign-in", timeout=10).text
    found = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert found
    fields = {"csrf_token": found[1], "email": ASHA.email, "password": PASSWORD}
    assert session.post(f"{url}/sign-in", data=fields, timeout=10).url == f"{url}/"


def server_times(app: Flask, levers: Levers, person_id: int) -> list[tuple[str, str]]:
    """The vehicle's page for 12, 100 and 230 challans, without sockets: the server's own time."""
    client = app.test_client()
    page = client.get("/sign-in").text
    found = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert found
    client.post("/sign-in", data={"csrf_token": found[1], "email": ASHA.email, "password": PASSWORD})
    rows = []
    for count in (12, 100, 230):
        rc = f"MH12BN{count:04}"
        challans = [{"challanNo": f"MH{count}{n:04}", "challanAmount": 500 + n} for n in range(count)]
        levers.add_vehicle(rc, challans)
        app.extensions["desk"].searching.search(rc, person_id)
        answer = client.get(f"/vehicles/{rc}")
        assert answer.status_code == 200
        spent = median_ms(lambda rc=rc: client.get(f"/vehicles/{rc}"))
        rows.append((f"page of {count} challans: server time", f"{spent:.1f} ms"))
        rows.append((f"page of {count} challans: bytes", f"{len(answer.data) / 1024:.0f} KB"))
    bare = Flask("bare")
    bare.add_url_rule("/", view_func=lambda: "bare")
    bare_client = bare.test_client()
    rows.append(("a bare Flask answer", f"{median_ms(lambda: bare_client.get('/')):.2f} ms"))
    return rows


def first_load(url: str) -> list[tuple[str, str]]:
    """What a browser with an empty cache fetches for the first page after signing in."""
    session = requests.Session()
    session.headers["Accept-Encoding"] = "gzip"
    sign_in(session, url)
    sizes = []

    def fetch(address: str) -> str:
        with session.get(address, stream=True, timeout=10) as answer:
            assert answer.status_code == 200, address
            raw = answer.raw.read()
            sizes.append(len(raw) + sum(len(name) + len(value) + 4 for name, value in answer.headers.items()))
        return address

    fetch(f"{url}/")
    page = session.get(f"{url}/", timeout=10).text
    named = re.findall(r'(?:src|href)="(/static/[^"#]+)', page)
    for address in dict.fromkeys(named):
        fetch(url + address.replace("&amp;", "&"))
    return [("first load: requests", str(len(sizes))), ("first load: on the wire", f"{sum(sizes) / 1024:.1f} KB")]


def calls_per_minute(app: Flask, url: str, levers: Levers, person_id: int) -> list[tuple[str, str]]:
    """How often the service is asked for one link while so many people watch it."""
    from tests.support.counter import Counter  # noqa: PLC0415 - only this figure needs it.

    counter = Counter(app.extensions["desk"], person_id)
    levers.add_vehicle("MH12BN0001", [{"challanNo": "MH1"}])
    counter.search("MH12BN0001")
    link_id = counter.create("MH12BN0001", counter.payable("MH12BN0001")).link_id
    session = requests.Session()
    sign_in(session, url)
    rows = []
    running_watcher = watcher.start(app.extensions["desk"])
    try:
        for viewers in _VIEWERS:
            levers.forget_calls()
            end = time.monotonic() + _WATCHED_SECONDS
            spans = []
            while time.monotonic() < end:
                for _ in range(viewers):
                    start = time.perf_counter()
                    session.get(f"{url}/links/{link_id}/panel", headers={"HX-Request": "true"}, timeout=10)
                    spans.append((time.perf_counter() - start) * 1000)
                time.sleep(3)
            calls = levers.count("link_status") * 60 / _WATCHED_SECONDS
            rows.append((f"calls to the service a minute, {viewers} watching", f"{calls:.0f}"))
            rows.append((f"a panel, {viewers} watching", f"{statistics.median(spans):.1f} ms"))
    finally:
        running_watcher.stop()
    return rows


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        replica = ReplicaSettings(database=Path(folder) / "replica.sqlite3", seed="empty", levers=True)
        with running(replica) as server:
            settings = Settings.from_environ(
                {
                    "DASHBOARD_SERVICE_URL": server.url,
                    "DASHBOARD_API_SECRET": DEMO_SECRET,
                    "DASHBOARD_SECRET_KEY": "a key for measuring alone",
                    "DASHBOARD_DATA_DIR": folder,
                    "DASHBOARD_INSECURE_COOKIES": "1",
                }
            )
            store = Store(settings.database_url)
            migrate(store)
            with create_client(settings) as client:
                app = create_app(settings, store=store, client=client, passwords=cheap_passwords())
                person_id = add(app, ASHA).id
                levers = Levers(server.url)
                rows = server_times(app, levers, person_id)
                with serving(app) as url:
                    rows += first_load(url)
                    rows += calls_per_minute(app, url, levers, person_id)
            store.close()
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores\n")
    print("| figure | measured |\n| --- | --- |")
    for name, value in rows:
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
