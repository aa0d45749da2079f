"""What would have been found of links is found when a database in use gets the table for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from dashboard.store.reconciliation import discrepancies
from dashboard.store.reconciliation.discrepancies import finding
from tests.support.clock import MovableClock

AMOUNT = {"base_amount": "100", "legal_fee": "10", "gst": "2", "convenience_fee": "0", "total_amount": "112"}


@pytest.fixture(params=["sqlite", "postgresql"])
def before(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A database as it was before there were findings."""
    url = f"sqlite:///{tmp_path / 'old.db'}" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    store = Store(url)
    migrate(store, "0009")
    yield store
    store.close()


def enter(store: Store, clock: MovableClock, link_id: str, amount: dict[str, Any] | None = AMOUNT, **more: Any) -> None:
    now: Any = clock().replace(tzinfo=None) if store.is_sqlite else clock()
    row = {"id": link_id, "status": "ACTIVE", "status_since": now, "modes": "[]", "detailed": True}
    row |= {"origin": "observed", "first_seen_at": now, "version": 1, "amount": json.dumps(amount), **more}
    challan = {"link_id": link_id, "challan_id": f"c{link_id}", "position": 0, "challan_no": f"MH{link_id}"}
    challan |= {"challan_amount": "100", "total_amount": "112"}
    with store.write() as connection:
        for table, values in (("link", row), ("link_challan", challan)):
            names = ", ".join(values)
            places = ", ".join(f":{name}" for name in values)
            connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({places})"), values)


def event(store: Store, clock: MovableClock, link_id: str, kind: str, old: str | None, new: str) -> None:
    at: Any = clock().replace(tzinfo=None) if store.is_sqlite else clock()
    values = {"link_id": link_id, "at": at, "kind": kind, "old": old, "new": new}
    with store.write() as connection:
        connection.execute(
            text("INSERT INTO link_event (link_id, at, kind, old, new) VALUES (:link_id, :at, :kind, :old, :new)"),
            values,
        )


def test_links_known_before_are_judged(before: Store, clock: MovableClock) -> None:
    enter(before, clock, "sound", origin="created")
    enter(before, clock, "sums", {**AMOUNT, "total_amount": "115"}, origin="created")
    enter(before, clock, "unknown", {**AMOUNT, "gst": None}, origin="created")
    enter(before, clock, "elsewhere")
    enter(before, clock, "late", origin="created", status="PAID")
    event(before, clock, "late", "status", "EXPIRED", "PAID")
    enter(before, clock, "double", origin="created")
    event(before, clock, "double", "double", None, "3 challans")
    enter(before, clock, "noted", origin="created")
    event(before, clock, "noted", "double", None, "1 challans")
    event(before, clock, "noted", "double_seen", None, "refunded")
    migrate(before)
    with before.read() as connection:
        rows = {(row.link_id, row.kind): row for row in connection.execute(finding.select())}
        assert discrepancies.standing_counts(connection)["double"] == 1
        assert [row.link_id for row in discrepancies.standing(connection, DiscrepancyKind.ELSEWHERE, 5)] == [
            "elsewhere"
        ]
    assert rows.keys() == {
        ("sums", "sums"),
        ("unknown", "unchecked"),
        ("elsewhere", "elsewhere"),
        ("late", "late"),
        ("double", "double"),
        ("noted", "double"),
    }
    assert rows["double", "double"].facts == {"challans": 3, "at": clock().isoformat()}
    assert (rows["noted", "double"].note, rows["noted", "double"].seen_at) == ("refunded", clock())
    assert rows["late", "late"].facts["was_ended"]["state"] == "EXPIRED"


def test_more_links_than_are_read_at_once_are_all_judged(before: Store, clock: MovableClock) -> None:
    for number in range(520):
        enter(before, clock, f"{number:04}")
    migrate(before)
    with before.read() as connection:
        assert discrepancies.standing_counts(connection) == {"elsewhere": 520}
