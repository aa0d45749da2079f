"""Build a ledger of two years, with ten challans on each link; it depends only on the present moment."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Table, insert

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.settlements import SettlementState
from dashboard.store.engine import Store
from dashboard.store.links.custom_fields import custom_field
from dashboard.store.links.tables import link, link_challan, link_event, ranks
from dashboard.store.reconciliation.discrepancies import discrepancy
from dashboard.store.reconciliation.settlements import settlement
from dashboard.store.sharing.drivers import driver
from dashboard.store.sharing.shares import share
from dashboard.store.vehicles.vehicles import challan, vehicle

CHALLANS = 10
_LINKS_PER_VEHICLE = 20
_STATES = ("MH", "DL", "KA", "TN", "GJ", "UP", "RJ", "WB", "TS", "HR")
_TYPES = ("ONLINE", "ONLINE", "ONLINE", "COURT", "VIRTUAL_COURT")
_BATCH = 5000
#: Links of one transaction: a million in one would fill the memory and the disk twice.
_BLOCK = 50_000
_Links = list[tuple[int, dict[str, Any]]]


def plate(number: int) -> str:
    return f"{_STATES[number % 10]}{number // 10000 % 90 + 10}LG{number % 10000:04}"


def challan_no(number: int) -> str:
    return f"{_STATES[number % 10]}{number:010}"


def build(store: Store, count: int, people: list[int]) -> list[str]:
    """Insert links and return their ids, oldest first. Of a hundred, two are live and eighty-five are paid."""
    roll = random.Random(7)
    now = datetime.now(UTC)
    cars = max(1, count // _LINKS_PER_VEHICLE)
    drivers = max(1, cars // 5)
    with store.write() as connection:
        _insert(connection, vehicle, _vehicles(cars, now))
        _insert(connection, driver, _drivers(drivers, now, people[0]))
        _insert_plain(connection, challan, _listed(cars))
    ids: list[str] = []
    for start in range(0, count, _BLOCK):
        numbers = range(start, min(start + _BLOCK, count))
        rows = [(number, _link(roll, number, count, cars, now, people)) for number in numbers]
        ids += (row["id"] for _, row in rows)
        with store.write() as connection:
            _insert(connection, link, (row for _, row in rows))
            _insert_plain(connection, link_challan, _covered(roll, rows))
            _insert(connection, link_event, _events(rows))
            _insert(connection, share, _shares(roll, rows, drivers, people))
            _insert(connection, custom_field, _own(rows, now, people[0]))
            _insert(connection, settlement, _settlements(rows, now))
            _insert(connection, discrepancy, _discrepancies(rows, now, people[0]))
    return ids


def _insert(connection: Any, table: Table, rows: Iterator[dict[str, Any]]) -> None:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _BATCH:
            connection.execute(insert(table), batch)
            batch = []
    if batch:
        connection.execute(insert(table), batch)


def _insert_plain(connection: Any, table: Table, rows: Iterator[tuple[str, tuple[Any, ...]]]) -> None:
    """Insert rows without the types of SQLAlchemy, which would be slow for a million; one statement for each set of
    columns.
    """
    batch: list[tuple[Any, ...]] = []
    columns = ""
    for columns, values in rows:
        batch.append(values)
        if len(batch) == _BATCH:
            _send_plain(connection, table, columns, batch)
            batch = []
    if batch:
        _send_plain(connection, table, columns, batch)


def _send_plain(connection: Any, table: Table, columns: str, batch: list[tuple[Any, ...]]) -> None:
    places = ", ".join("?" * len(batch[0]))
    connection.exec_driver_sql(f"INSERT INTO {table.name} ({columns}) VALUES ({places})", batch)


def _vehicles(cars: int, now: datetime) -> Iterator[dict[str, Any]]:
    for number in range(cars):
        at = now - timedelta(minutes=number)
        yield {"rc": plate(number), "first_searched_at": at, "searched_at": at, "unreadable": 0}


def _drivers(count: int, now: datetime, by: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        yield {"name": f"Driver {number}", "language": "en", "added_at": now, "added_by": by}


def _link(roll: random.Random, number: int, count: int, cars: int, now: datetime, people: list[int]) -> dict[str, Any]:
    live = number >= count - count // 50
    age = timedelta(hours=roll.uniform(0.1, 90)) if live else timedelta(days=4 + 726 * (1 - number / count))
    made = now - age
    ends = made + timedelta(hours=96)
    status = "ACTIVE" if live else roll.choices(("PAID", "EXPIRED", "FAILED", "CANCELLED"), (87, 10, 2, 1))[0]
    since = made if live else made + (ends - made) * (roll.random() if status == "PAID" else 1)
    total = Decimal(roll.randint(50_000, 3_000_000)) / 100
    amounts = {"base_amount": str(total), "legal_fee": "0", "gst": "0", "convenience_fee": "0"}
    amounts |= {"total_amount": str(total), "payment_mode": None}
    row = {
        "id": str(uuid.UUID(int=roll.getrandbits(128), version=4)),
        "rc": plate(roll.randrange(cars)),
        "status": status,
        "status_since": since,
        "payment_url": f"https://pay.example/prepaid-payment/{number}",
        "expires_at": ends,
        "paid_at": since if status == "PAID" else None,
        "amount": amounts,
        "modes": [],
        "total": total,
        "saving": total / 40,
        "detailed": True,
        "origin": "created",
        "person_id": people[number % len(people)] if number % 20 else None,
        "created_at": made,
        "hours": 96,
        "first_seen_at": made,
        "checked_at": now,
        "next_check_at": now + timedelta(hours=1) if live else None,
        "version": 1,
    }
    return row | ranks(row)


def _covered(roll: random.Random, rows: _Links) -> Iterator[tuple[str, tuple[Any, ...]]]:
    columns = "link_id, challan_id, position, challan_no, rc_number, status, challan_type, state"
    columns += ", challan_amount, legal_fee, total_amount"
    for number, row in rows:
        amount = f"{row['total'] / CHALLANS:.2f}"
        for position in range(CHALLANS):
            digits = f"{roll.getrandbits(128):032x}"
            challan_id = f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
            no = challan_no(number * CHALLANS + position)
            kind = _TYPES[(number + position) % len(_TYPES)]
            yield columns, (
                row["id"], challan_id, position, no, row["rc"], "PENDING", kind, no[:2], amount, "0", amount,
            )  # fmt: skip


def _listed(cars: int) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the snapshot of each vehicle: twenty challans that are on no link."""
    columns = "rc, position, listed, challan_no, status, challan_amount, total_amount, prepaid, changes, gaps"
    nothing = json.dumps([])
    for car in range(cars):
        for position in range(20):
            no = f"ZZ{car:06}{position:02}"
            yield columns, (plate(car), position, True, no, "PENDING", "500", "500", False, nothing, nothing)


def _events(rows: _Links) -> Iterator[dict[str, Any]]:
    for _, row in rows:
        common = {"link_id": row["id"], "person_id": row["person_id"]}
        yield common | {"kind": "created", "at": row["first_seen_at"], "old": None, "new": None}
        if row["status"] != "ACTIVE":
            yield common | {"kind": "status", "at": row["status_since"], "old": "ACTIVE", "new": row["status"]}


def _shares(roll: random.Random, rows: _Links, drivers: int, people: list[int]) -> Iterator[dict[str, Any]]:
    for _, row in rows:
        if roll.random() < 0.7:
            given = {"driver_id": roll.randint(1, drivers), "channel": "whatsapp", "language": "en"}
            yield {"link_id": row["id"], "person_id": people[0], "at": row["first_seen_at"], **given}


def _own(rows: _Links, now: datetime, by: int) -> Iterator[dict[str, Any]]:
    for number, row in rows:
        if number % 10 == 0:
            said = {"cost_centre": f"CC{number % 50}", "trip": f"T{number}", "customer": f"Customer {number % 300}"}
            said["note"] = "The driver waits at the depot." if number % 40 == 0 else "Recharge with the next bill."
            yield {"kind": "link", "ref": row["id"], "written_at": now, "written_by": by, **said}


def _settlements(rows: _Links, now: datetime) -> Iterator[dict[str, Any]]:
    """Yield settlement plans: one of a hundred was given up, and those of the last week go on."""
    for number, row in rows:
        if row["status"] != "PAID":
            continue
        since = row["paid_at"]
        goes_on = now - since < timedelta(days=7)
        state = (
            SettlementState.WAITING
            if goes_on
            else SettlementState.OPEN
            if number % 100 == 0
            else SettlementState.SETTLED
        )
        checks = {"due_at": now + timedelta(days=1) if goes_on else None, "ended_at": None if goes_on else now}
        checks |= {"checks": 2, "checked_at": since + timedelta(hours=6), "challans": [], "failures": 0}
        yield {"link_id": row["id"], "rc": row["rc"], "state": state, "since": since, "entered_at": since, **checks}


def _discrepancies(rows: _Links, now: datetime, by: int) -> Iterator[dict[str, Any]]:
    """Yield discrepancies: one of a hundred payments is still listed, one of fifty was late; 30 days are open."""
    for number, row in rows:
        if row["status"] != "PAID" or number % 50:
            continue
        kinds = {DiscrepancyKind.LATE: {"was_ended": {"state": "EXPIRED", "at": row["paid_at"].isoformat()}}}
        if number % 100 == 0:
            kinds[DiscrepancyKind.UNSETTLED] = {"given_up": True}
        noted: dict[str, Any] = {"acknowledged_at": None, "acknowledged_by": None, "note": None}
        if now - row["paid_at"] > timedelta(days=30):
            at = row["paid_at"] + timedelta(days=9)
            noted = {"acknowledged_at": at, "acknowledged_by": by, "note": "Asked, and settled since."}
        for kind, facts in kinds.items():
            common = {"link_id": row["id"], "kind": kind, "facts": facts, "version": 1, "withdrawn_at": None}
            yield common | {"found_at": row["paid_at"] + timedelta(days=7), **noted}
