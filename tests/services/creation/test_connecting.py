"""Test that an intent is marked as sent only once the connection is made, and before a byte leaves."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from dashboard import failpoints
from dashboard.failpoints import Point
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule
from dashboard.store.engine import Store
from dashboard.upstream import SecretSource, ServiceClient, ServiceConfig
from tests.conftest import CANARY
from tests.support.clock import MovableClock
from tests.support.ledger_fixtures import RC, add_staff_member
from tests.support.levers import Levers
from tests.support.staff_member import StaffMember


@pytest.fixture
def by_name(levers: Levers, ledger: Store, clock: MovableClock, tmp_path: Path) -> Iterator[Callable[..., StaffMember]]:
    """Yield a function that returns a clerk whose services call the replica by a host's name."""
    clients = []

    def build(host: str = "localhost") -> StaffMember:
        url = f"http://{host}:{urlsplit(levers.base_url).port}"
        client = ServiceClient(ServiceConfig(url, SecretSource.literal(CANARY), retry_base=0.01, connect_timeout=3.0))
        clients.append(client)
        services = Services(ledger, client, clock, Schedule(), UnrecordedLinks(tmp_path / "spool"))
        return add_staff_member(services, f"Asha of {host}")

    yield build
    failpoints.disarm()
    for client in clients:
        client.close()


def test_a_connection_may_take_longer_than_a_marked_request_may_wait(
    by_name: Callable[..., StaffMember], levers: Levers, monkeypatch: pytest.MonkeyPatch
) -> None:
    clerk = by_name()
    clerk.search(RC)
    resolve = socket.getaddrinfo

    def slow(host: str, port: int, *rest: object, **more: object) -> object:
        threading.Event().wait(Schedule().send_within.total_seconds() + 0.1)
        return resolve("127.0.0.1", port, *rest, **more)  # type: ignore[arg-type]  # As the function it replaces.

    monkeypatch.setattr("dashboard.upstream.connection.socket.getaddrinfo", slow)
    assert clerk.create(RC, clerk.payable(RC)).state == "CREATED"
    assert levers.count("create_link") == 1


def test_without_a_connection_the_intent_was_never_marked(by_name: Callable[..., StaffMember], levers: Levers) -> None:
    clerk = by_name()
    clerk.search(RC)
    chosen = clerk.payable(RC)
    row = by_name("nobody.invalid").create(RC, chosen)
    assert (row.state, row.sends, row.send_started) == ("NOT_SENT", 0, None)
    assert row.outcome == "Unreachable"
    assert not clerk.claimed(chosen)
    assert levers.count("create_link") == 0


def test_when_the_database_refuses_the_mark_nothing_leaves(
    by_name: Callable[..., StaffMember], levers: Levers, ledger: Store, clock: MovableClock
) -> None:
    clerk = by_name()
    clerk.search(RC)
    chosen = clerk.payable(RC)

    def refuse() -> None:
        with ledger.write() as connection:
            connection.execute(text("ALTER TABLE intent_event RENAME TO intent_event_away"))

    failpoints.arm(Point.CONNECT_DONE, refuse)
    with pytest.raises(SQLAlchemyError):
        clerk.create(RC, chosen)
    assert levers.count("create_link") == 0
    with ledger.write() as connection:
        connection.execute(text("ALTER TABLE intent_event_away RENAME TO intent_event"))
    assert clerk.claimed(chosen) == set(chosen)
    clock.advance(seconds=31)
    clerk.services.outcome_resolver.sweep()
    assert not clerk.claimed(chosen)
    assert clerk.payable(RC) == chosen
