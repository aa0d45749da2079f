"""Measure thousands of active links, few of them watched: the rate of calls, and the ages of the last checks."""

from __future__ import annotations

import random
import sqlite3
import time
import uuid
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from sqlalchemy import insert, select

from dashboard.replica import challans, clock, vehicles
from dashboard.replica.organizations import DEMO, stable_id
from dashboard.store.engine import Store
from dashboard.store.links.tables import link, link_challan, ranks
from tests.bench.clerk import Clerk
from tests.bench.office import Office, cpu_seconds
from tests.bench.pollers import watching
from tests.bench.tables import Table, share

_LINKS, _WATCHED = 5000, 50
_FINE = {"challanNo": "", "status": "PENDING", "challanAmount": 50_000, "state": "Maharashtra", "challanType": "ONLINE"}


def measure(office: Office, seconds: float, links: int = _LINKS) -> list[Table]:
    """Run `dashboard web` and `dashboard worker` as two processes, with default settings."""
    office.furnish()
    with office.replica():
        pass  # The first start creates its file and the organization.
    now = datetime.now(UTC)
    known = _create_links(office.replica_file, now, links)
    store = Store(office.settings.database_url)
    try:
        _insert_links(store, known, now)
        with office.replica() as levers, office.dashboard("web", "-w", "1") as web, office.worker() as worker:
            clerk = Clerk(office.url)
            watched = known[:: max(1, links // _WATCHED)][:_WATCHED]
            addresses = [f"/links/{link_id}/panel" for link_id in watched]
            with watching(
                office.url, addresses, clerk.cookie, tabs=len(watched), seconds=seconds, warm=5
            ) as wait_for_results:
                time.sleep(5)
                levers.forget_calls()
                began, before = time.monotonic(), [cpu_seconds(pid) for pid in (web, worker)]
                # Read before the end, because the pollers stop then.
                time.sleep(seconds - 2)
                calls, took = levers.count("link_status"), time.monotonic() - began
                spent = [cpu_seconds(pid) - used for pid, used in zip((web, worker), before, strict=True)]
                ages = _ages(store, datetime.now(UTC))
                wait_for_results()
    finally:
        store.close()
    table = Table(
        f"{links:,} active links, {len(watched)} of them watched",
        f"`dashboard web` and `dashboard worker` for {took:.0f} s, default settings: at most "
        f"{office.settings.calls_per_second:g} checks a second for all links together. The links are between an hour "
        "and a day old and were checked within the five minutes before. Ages are of the last check, at the end.",
        ("figure", "measured"),
    )
    sides = [[age for link_id, age in ages.items() if (link_id in set(watched)) is side] for side in (True, False)]
    table.add("calls to the service a second", f"{calls / took:.1f}")
    for name, values in zip(("watched", "others"), sides, strict=True):
        table.add(f"age of the {name}: median, 95 %", f"{share(values, 0.5):.1f} s, {share(values, 0.95):.1f} s")
    table.add("CPU: web, worker", ", ".join(f"{used / took:.0%}" for used in spent) + " of a core")
    return [table]


def _create_links(file: Path, now: datetime, count: int) -> list[str]:
    """Create links at the replica, each on a vehicle of its own with one challan."""
    roll = random.Random(5)
    organization = stable_id("organization", DEMO)
    ids = [str(uuid.UUID(int=roll.getrandbits(128), version=4)) for _ in range(count)]
    made, ends = clock.stamp(now - timedelta(hours=1)), clock.stamp(now + timedelta(hours=100))
    with closing(sqlite3.connect(file)) as connection, connection:
        for number, link_id in enumerate(ids):
            vehicle = vehicles.register(connection, _plate(number), organization=organization, searched_at=made)
            fine = challans.issue(connection, vehicle, {**_FINE, "challanNo": f"MH{number:08}"}, shown=True)
            connection.execute(
                "INSERT INTO link (id, number, organization, vehicle, token, status, created_at, expires_at) "
                "VALUES (?, ?, ?, ?, ?, 'ACTIVE', ?, ?)",
                (link_id, number + 1, organization, vehicle, f"token-{number}", made, ends),
            )
            connection.execute(
                "INSERT INTO attachment (link, challan, amount, legal_fee, gst) VALUES (?, ?, 50000, 10000, 1800)",
                (link_id, fine),
            )
    return ids


def _insert_links(store: Store, ids: list[str], now: datetime) -> None:
    """Insert the same links into the ledger, as if polled for hours."""
    roll = random.Random(6)
    rows, fines = [], []
    for number, link_id in enumerate(ids):
        made, checked = now - timedelta(hours=roll.uniform(1, 24)), now - timedelta(seconds=roll.uniform(0, 300))
        row = {"rc": _plate(number), "total": Decimal("618.00"), "expires_at": now + timedelta(hours=100)}
        row |= {"id": link_id, "status": "ACTIVE", "status_since": made, "first_seen_at": made, "created_at": made}
        row |= {"modes": [], "detailed": True, "origin": "created", "version": 1, "hours": 168}
        row |= {"checked_at": checked, "next_check_at": checked + timedelta(seconds=300), **ranks(row)}
        rows.append(row)
        fines.append(
            {"link_id": link_id, "challan_id": str(uuid.UUID(int=number)), "position": 0, "challan_no": f"N{number}"}
        )
    with store.write() as connection:
        connection.execute(insert(link), rows)
        connection.execute(insert(link_challan), fines)


def _ages(store: Store, now: datetime) -> dict[str, float]:
    with store.read() as connection:
        found = connection.execute(select(link.c.id, link.c.checked_at)).all()
    return {row.id: (now - row.checked_at).total_seconds() for row in found}


def _plate(number: int) -> str:
    return f"MH{number // 10000 + 10:02}BN{number % 10000:04}"
