"""Test the output for machines: log lines that share an id, and the metrics of all processes."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests
from bs4 import BeautifulSoup

from tests.commands.conftest import Running
from tests.conftest import CANARY, SECRET_KEY, ServedReplica
from tests.support.metrics_page import MetricsPage
from tests.support.people import ASHA, PASSWORD, add_to_store
from tests.support.waiting import until

TOKEN = "canary-5e1f0c77-metrics-token"
RC = "MH12AB1001"
FORGED = 'x\n{"at":"2026-01-01T00:00:00.000Z","level":"info","logger":"forged","request":"-","message":"forged"}\u2028'

Start = Callable[..., Running]


@pytest.fixture
def command_environ(command_environ: dict[str, str]) -> dict[str, str]:
    more = {"METRICS_TOKEN": TOKEN, "LOG_LEVEL": "DEBUG", "POLL_SECONDS": "1"}
    return {**command_environ, **{f"DASHBOARD_{name}": value for name, value in more.items()}}


@pytest.fixture
def address(command_environ: dict[str, str]) -> str:
    return f"http://{command_environ['DASHBOARD_LISTEN']}"


class Asha:
    """Simulate Asha's browser. It opens a connection for each request, so any of the processes may answer it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.session = requests.Session()
        self.session.headers["Connection"] = "close"

    def get(self, path: str) -> requests.Response:
        return self.session.get(self.address + path, timeout=30)

    def submits(self, page: str, action: str, **fields: str) -> requests.Response:
        soup = BeautifulSoup(self.get(page).text, "lxml")
        (token,) = {str(tag["value"]) for tag in soup.select("input[name=csrf_token]")}
        data = {**fields, "csrf_token": token}
        return self.session.post(self.address + action, data=data, allow_redirects=False, timeout=30)

    def signs_in(self) -> None:
        assert self.submits("/sign-in", "/sign-in", email=ASHA.email, password=PASSWORD).status_code == 303


@pytest.fixture
def asha(command_environ: dict[str, str], address: str) -> Asha:
    add_to_store(command_environ, ASHA)
    return Asha(address)


def figures(address: str) -> MetricsPage:
    headers = {"Authorization": f"Bearer {TOKEN}", "Connection": "close"}
    answer = requests.get(f"{address}/metrics", headers=headers, timeout=30)
    assert answer.status_code == 200, answer.text
    return MetricsPage(answer.text)


def processes(address: str) -> set[str]:
    return {each.labels["process"] for each in figures(address).found("process_start_time_seconds")}


def entries(running: Running) -> list[dict[str, Any]]:
    """Return the log entries. A server's first lines, on standard output, are for people."""
    said = running.said
    for secret in (CANARY, SECRET_KEY, TOKEN, PASSWORD):
        assert secret not in said
    own = ("Challan Dashboard on ", "Data: ", "The worker runs. ")
    return [json.loads(line) for line in said.splitlines() if not line.startswith(own)]


# Log lines


def test_a_click_on_search_is_one_id_from_the_request_to_the_call(
    start: Start, asha: Asha, address: str, replica: ServedReplica
) -> None:
    replica.levers.add_vehicle(RC, [{"challanNo": "MH1", "challanAmount": 500}])
    running = start("web", "-w", "2")
    running.answers(f"{address}/readyz")
    asha.signs_in()
    answer = asha.submits("/", "/search", rc_number=RC)
    assert answer.status_code == 303
    request_id = answer.headers["X-Request-Id"]
    assert running.stop(signal.SIGTERM) == 0
    mine = [entry for entry in entries(running) if entry["request"] == request_id]
    call, request = mine
    assert (call["logger"], call["operation"], call["class"]) == ("dashboard.upstream", "search_challans", "ok")
    assert (request["endpoint"], request["method"], request["status"]) == ("vehicles.search", "POST", 303)
    assert request["person_id"] == 1
    for entry in mine:
        assert list(entry)[:5] == ["at", "level", "logger", "request", "message"]


def test_no_text_of_people_or_the_service_forges_an_entry(
    start: Start, asha: Asha, address: str, replica: ServedReplica
) -> None:
    hostile = {"challanNo": FORGED, "offenseDetails": FORGED, "challanPlace": FORGED, "challanAmount": 500}
    replica.levers.add_vehicle(RC, [hostile])
    running = start("serve")
    running.answers(f"{address}/readyz")
    asha.signs_in()
    assert asha.submits("/", "/search", rc_number=RC).status_code == 303
    assert "forged" in asha.get(f"/vehicles/{RC}").text, "it is shown, and harmless there"
    asha.submits("/", "/search", rc_number=f"MH12 {FORGED}")
    asha.session.get(f"{address}/vehicles/{requests.utils.quote(FORGED)}", timeout=30)
    asha.session.get(f"{address}/", headers={"X-Request-Id": "forged", "User-Agent": "forged"}, timeout=30)
    asha.session.post(f"{address}/sign-in", data={"email": FORGED, "password": FORGED}, timeout=30)
    assert running.stop(signal.SIGTERM) == 0
    found = entries(running)
    assert len(found) > 8
    assert "forged" not in {entry["logger"] for entry in found} | {entry["request"] for entry in found}


def test_the_line_of_a_worker_names_the_link_that_it_polls(
    start: Start, asha: Asha, address: str, replica: ServedReplica
) -> None:
    link_id = created_link(start, asha, address, replica)
    worker = start("worker")
    until(lambda: link_id in worker.said, "the worker polls the link")
    assert worker.stop(signal.SIGTERM) == 0
    (call, *_) = [entry for entry in entries(worker) if entry.get("operation") == "get_payment_link"]
    assert call["link_id"] == link_id
    assert call["request"].startswith("watch-")


def test_a_server_may_log_text_for_people(start: Start, address: str, command_environ: dict[str, str]) -> None:
    running = start("serve", environ={**command_environ, "DASHBOARD_LOG_FORMAT": "text"})
    running.answers(f"{address}/readyz")
    running.says("GET operations.readyz: 200")
    assert '{"at"' not in running.said


def created_link(start: Start, asha: Asha, address: str, replica: ServedReplica) -> str:
    """Start two web processes and have Asha create a link there."""
    vehicle = replica.levers.add_vehicle(RC, [{"challanNo": "MH1", "challanAmount": 500}])
    running = start("web", "-w", "2")
    running.answers(f"{address}/readyz")
    asha.signs_in()
    asha.submits("/", "/search", rc_number=RC)
    challan_id = vehicle["challans"][0]["id"]
    soup = BeautifulSoup(asha.get(f"/vehicles/{RC}").text, "lxml")
    action = next(form["action"] for form in soup.select("form") if form.select(f'[value="{challan_id}"]'))
    asha.submits(f"/vehicles/{RC}", str(action), challan=challan_id)
    soup = BeautifulSoup(asha.get(f"/vehicles/{RC}/review").text, "lxml")
    (form,) = [form for form in soup.select("main form") if "Create payment link" in form.get_text(" ")]
    fields = {str(tag["name"]): str(tag.get("value", "")) for tag in form.select("input[name]")}
    answer = asha.session.post(address + str(form["action"]), data=fields, allow_redirects=False, timeout=30)
    _, found, link_id = answer.headers["Location"].partition("/links/")
    assert found, answer.headers["Location"]
    return link_id


# Metrics


def test_each_web_process_exposes_the_metrics_of_all_processes(
    start: Start, asha: Asha, address: str, replica: ServedReplica
) -> None:
    created_link(start, asha, address, replica)
    start("worker")
    until(lambda: processes(address) == {"web-1", "web-2", "worker-1"}, "all three are exposed")

    # The worker's calls are exposed although it has no address.
    polls = {"operation": "get_payment_link", "outcome": "ok", "process": "worker-1"}
    until(lambda: figures(address).value("dashboard_service_calls_total", **polls) >= 1, "the worker's call is exposed")
    assert figures(address).value("dashboard_service_calls_total", operation="create_payment_link", outcome="ok") == 1

    # The sum is right whichever process is scraped, and no series ever falls.
    answered, asked = {"endpoint": "none", "status": "4xx"}, 0
    while len(figures(address).found("dashboard_requests_total", **answered)) < 2:
        # On a busy machine one process may answer them all for a while.
        assert asked < 2000, "one process answers them all"
        for _ in range(40):
            assert asha.get("/nowhere").status_code == 404
        asked += 40
    until(lambda: figures(address).value("dashboard_requests_total", **answered) == asked, "all are counted")
    highest: dict[tuple[Any, ...], float] = {}
    for _ in range(30):
        for sample in figures(address).found("dashboard_requests_total"):
            key = tuple(sorted(sample.labels.items()))
            assert sample.value >= highest.get(key, 0)
            highest[key] = sample.value
    assert figures(address).value("dashboard_requests_total", **answered) == asked


def test_calls_that_fail_are_counted_by_class_whichever_process_made_them(
    start: Start, asha: Asha, address: str, replica: ServedReplica, command_environ: dict[str, str]
) -> None:
    replica.levers.add_vehicle(RC, [{"challanNo": "MH1", "challanAmount": 500}])
    start("web", "-w", "2", environ={**command_environ, "DASHBOARD_SEARCH_SECONDS": "4"}).answers(f"{address}/readyz")
    asha.signs_in()
    replica.levers.fault("search", "status", status=502, count=1)
    assert asha.submits("/", "/search", rc_number=RC).status_code == 303
    replica.levers.fault("search", "delay", seconds=6, count=5)
    assert asha.submits("/", "/search", rc_number=RC).status_code >= 500
    replica.levers.clear_faults()
    searches = {"group": "Challan Search", "operation": "search_challans"}

    def counted() -> bool:
        exposed = figures(address)
        return [
            exposed.value("dashboard_service_calls_total", **searches, outcome=outcome)
            for outcome in ("ok", "ServiceFailed", "Unreachable")
        ] == [1, 1, 1]

    until(counted, "one good answer, one 502 and one timeout")


def test_the_next_process_takes_the_name_of_a_killed_one(
    start: Start, address: str, command_environ: dict[str, str]
) -> None:
    running = start("web", "-w", "2")
    running.answers(f"{address}/readyz")
    until(lambda: processes(address) == {"web-1", "web-2"}, "both are exposed")
    began = {each.labels["process"]: each.value for each in figures(address).found("process_start_time_seconds")}
    children = Path(f"/proc/{running.process.pid}/task/{running.process.pid}/children").read_text().split()
    os.kill(int(children[0]), signal.SIGKILL)

    def replaced() -> bool:
        exposed = figures(address).found("process_start_time_seconds")
        now = {each.labels["process"]: each.value for each in exposed}
        return now.keys() == began.keys() and now != began

    until(replaced, "a new process has the name of the killed one")
    assert running.stop(signal.SIGTERM) == 0
    left = sorted(file.name for file in (Path(command_environ["DASHBOARD_DATA_DIR"]) / "metrics").iterdir())
    assert left == ["web-1.lock", "web-2.lock"], "a process that stops removes its file"


def test_the_running_server_refuses_metrics_without_their_token(start: Start, asha: Asha, address: str) -> None:
    start("serve").answers(f"{address}/readyz")
    assert requests.get(f"{address}/metrics", timeout=30).status_code == 401
    asha.signs_in()
    assert asha.get("/metrics").status_code == 403
    assert figures(address).value("dashboard_store_up") == 1
