"""Test stopping and replacing processes while creations and resolve polls are in flight: each click counts once."""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from sqlalchemy import Row, select

from dashboard.services.steady_clock import utcnow
from dashboard.store.creation.intents import intent
from dashboard.store.engine import Store
from tests.commands.conftest import Running
from tests.conftest import ServedReplica
from tests.support.browser import Browser, Form, ShownPage
from tests.support.ledger_fixtures import RC
from tests.support.levers import Levers
from tests.support.people import ASHA, add_to_store
from tests.support.ports import free_port

Start = Callable[..., Running]

#: Seconds that the service takes to answer: long enough to stop a process.
_SLOW = 3.0


class Asha:
    """Simulate Asha's browser at an address of the dashboard, and read the store behind it."""

    def __init__(self, environ: dict[str, str], data: Path) -> None:
        self.store = Store(f"sqlite:///{data / 'dashboard.db'}")
        self.environ = environ
        self._port = int(environ["DASHBOARD_LISTEN"].rpartition(":")[2])
        self._browser = Browser(ASHA.email, lambda: [self._port], utcnow, random.Random(1))

    def goes_to(self, environ: dict[str, str]) -> None:
        """Use another process's address from now on, signed in as before."""
        self._port = int(environ["DASHBOARD_LISTEN"].rpartition(":")[2])

    def opens_the_review(self) -> Form:
        page = self._browser.open(f"/vehicles/{RC}")
        page = self._browser.send(page.form("Search").with_(rc_number=[RC]))
        ticked = page.form("Review and create").with_(challan=page.ticks())
        return self._browser.send(ticked).form("Create payment link")

    def sends(self, form: Form) -> ShownPage:
        return self._browser.send(form, follow=False)

    def request(self) -> Row[Any]:
        with self.store.read() as connection:
            return connection.execute(select(intent)).one()

    def awaits(self, state: str, seconds: float = 60) -> Row[Any]:
        until = monotonic() + seconds
        while (row := self.request()).state != state:
            assert monotonic() < until, f"the request stays {row.state}, and does not become {state}"
            threading.Event().wait(0.05)
        return row


def address_of(running: Running, environ: dict[str, str]) -> str:
    address = f"http://{environ['DASHBOARD_LISTEN']}"
    running.answers(f"{address}/readyz")
    return address


def received(levers: Levers, operation: str, calls: int = 1) -> None:
    """Wait until the service has received so many calls."""
    until = monotonic() + 60
    while levers.count(operation) < calls:
        assert monotonic() < until, f"no {operation} has come"
        threading.Event().wait(0.02)


@pytest.fixture
def environ(command_environ: dict[str, str]) -> dict[str, str]:
    return {**command_environ, "DASHBOARD_RESOLVE_GAP_SECONDS": "1", "DASHBOARD_REFRESH_SECONDS": "3"}


@pytest.fixture
def levers(replica: ServedReplica) -> Levers:
    replica.levers.add_vehicle(RC, [{"challanAmount": 500 + n} for n in range(3)])
    return replica.levers


@pytest.fixture
def asha(environ: dict[str, str], tmp_path: Path) -> Iterator[Asha]:
    add_to_store(environ, ASHA)
    asha = Asha(environ, tmp_path / "data")
    yield asha
    asha.store.close()


@pytest.fixture
def hand() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.mark.parametrize("command", [("serve",), ("web", "--workers", "2")])
def test_a_click_in_flight_gets_its_link_although_the_server_is_stopped(
    start: Start,
    environ: dict[str, str],
    asha: Asha,
    levers: Levers,
    hand: ThreadPoolExecutor,
    command: tuple[str, ...],
) -> None:
    running = start(*command, environ=environ)
    address_of(running, environ)
    form = asha.opens_the_review()
    levers.fault("create_link", "delay", seconds=_SLOW, when="after")
    click: Future[ShownPage] = hand.submit(asha.sends, form)
    received(levers, "create_link")
    assert running.stop(signal.SIGTERM) == 0
    row = asha.request()
    assert (row.state, row.sends) == ("CREATED", 1)
    answer = click.result(30)
    assert (answer.status, answer.address) == (303, f"/links/{row.link_id}")
    assert "Traceback" not in running.said


def test_a_form_sent_again_to_the_next_server_leads_to_the_request_in_flight_at_the_last(
    start: Start, environ: dict[str, str], asha: Asha, levers: Levers, hand: ThreadPoolExecutor
) -> None:
    old = start("serve", environ=environ)
    address_of(old, environ)
    form = asha.opens_the_review()
    next_environ = {**environ, "DASHBOARD_LISTEN": f"127.0.0.1:{free_port()}"}
    new = start("serve", environ=next_environ)
    address_of(new, next_environ)
    levers.fault("create_link", "delay", seconds=2 * _SLOW, when="before")
    click: Future[ShownPage] = hand.submit(asha.sends, form)
    received(levers, "create_link")
    old.process.send_signal(signal.SIGTERM)
    asha.goes_to(next_environ)
    again = asha.sends(form)
    row = asha.request()
    assert (again.status, again.address) == (303, f"/requests/{row.id}")
    assert old.process.poll() is None, "the server that is stopped waits for the click"
    assert old.stop(signal.SIGTERM) == 0
    row = asha.request()
    assert row.state == "CREATED"
    assert click.result(30).address == f"/links/{row.link_id}"
    assert asha.sends(form).address == f"/links/{row.link_id}"
    assert levers.count("create_link") == 1
    assert new.stop(signal.SIGTERM) == 0


@pytest.fixture
def unclear(start: Start, environ: dict[str, str], asha: Asha, levers: Levers) -> None:
    """Leave a request UNKNOWN: its link is created, the answer is lost, and no process runs to resolve it."""
    web = start("web", "--workers", "1", environ=environ)
    address_of(web, environ)
    form = asha.opens_the_review()
    levers.fault("create_link", "cut", when="after")
    asha.sends(form)
    assert asha.request().state == "UNKNOWN"
    assert web.stop(signal.SIGTERM) == 0


@pytest.mark.usefixtures("unclear")
def test_a_worker_that_is_stopped_ends_its_resolve_poll_and_records_the_outcome(
    start: Start, environ: dict[str, str], asha: Asha, levers: Levers
) -> None:
    searches = levers.count("search")
    levers.fault("search", "delay", seconds=1.5, when="after")
    worker = start("worker", environ=environ)
    received(levers, "search", searches + 1)
    began = monotonic()
    assert worker.stop(signal.SIGTERM) == 0
    assert monotonic() - began < 30
    row = asha.request()
    assert (row.state, row.resolving_until) == ("RECOVERED", None)
    assert "Traceback" not in worker.said


@pytest.mark.usefixtures("unclear")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_resolve_poll_that_a_stopped_worker_could_not_end_is_made_by_the_next(
    start: Start, environ: dict[str, str], asha: Asha, levers: Levers, number: signal.Signals
) -> None:
    searches = levers.count("search")
    levers.fault("search", "delay", seconds=4, when="before")  # Longer than the deadline of a resolve poll.
    worker = start("worker", environ=environ)
    received(levers, "search", searches + 1)
    assert worker.stop(number) == (0 if number is signal.SIGTERM else -signal.SIGKILL)
    assert asha.request().state == "UNKNOWN"
    following = start("worker", environ=environ)
    row = asha.awaits("RECOVERED")
    assert [item["id"] for item in levers.truth()["links"]] == [row.link_id]
    assert following.stop(signal.SIGTERM) == 0
