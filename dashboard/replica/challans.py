"""Store challans as the source and as a cached search have them, and build the record that is sent."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dashboard.replica import clock, money
from dashboard.replica.bodies import new_id

PAYABLE = frozenset({"PENDING", "TO_BE_ASSIGNED"})
FIELDS = (
    "challanNo",
    "status",
    "challanAmount",  # in paise inside the replica, null when the source does not state one
    "challanDate",
    "state",
    "challanType",
    "challanPlace",
    "offenseDetails",
)


@dataclass(frozen=True)
class Challan:
    id: str
    vehicle: str
    source: dict[str, Any]
    shown: dict[str, Any] | None
    gone: bool
    due_at: str | None
    due_patch: dict[str, Any] | None
    raw: dict[str, Any]


def _challan(row: sqlite3.Row) -> Challan:
    return Challan(
        id=row["id"],
        vehicle=row["vehicle"],
        source=json.loads(row["source"]),
        shown=json.loads(row["shown"]) if row["shown"] else None,
        gone=bool(row["gone"]),
        due_at=row["due_at"],
        due_patch=json.loads(row["due_patch"]) if row["due_patch"] else None,
        raw=json.loads(row["raw"]) if row["raw"] else {},
    )


def of_vehicle(connection: sqlite3.Connection, vehicle_id: str) -> list[Challan]:
    rows = connection.execute("SELECT * FROM challan WHERE vehicle = ? ORDER BY position", (vehicle_id,))
    return [_challan(row) for row in rows]


def by_id(connection: sqlite3.Connection, challan_id: str) -> Challan | None:
    row = connection.execute("SELECT * FROM challan WHERE id = ?", (challan_id,)).fetchone()
    return _challan(row) if row else None


def issue(
    connection: sqlite3.Connection,
    vehicle_id: str,
    fields: Mapping[str, Any],
    *,
    shown: bool,
    challan_id: str | None = None,
    raw: Mapping[str, Any] | None = None,
) -> str:
    """Issue a challan at the source; a search shows it only after it was brought in."""
    challan_id = challan_id or new_id()
    record = {name: fields.get(name) for name in FIELDS}
    text = json.dumps(record)
    connection.execute(
        "INSERT INTO challan (id, vehicle, source, shown, raw) VALUES (?, ?, ?, ?, ?)",
        (challan_id, vehicle_id, text, text if shown else None, json.dumps(dict(raw)) if raw else None),
    )
    return challan_id


def current(challan: Challan, now: datetime) -> dict[str, Any]:
    """Return the source's record at this moment, with changes that have come due."""
    if challan.due_at and challan.due_patch and challan.due_at <= clock.stamp(now):
        return {**challan.source, **challan.due_patch}
    return challan.source


def bring_in(connection: sqlite3.Connection, vehicle_id: str, now: datetime) -> int:
    """Copy the source's records into the cache, and return the number of new challans."""
    new = 0
    for challan in of_vehicle(connection, vehicle_id):
        if challan.gone:
            if challan.shown is not None:
                connection.execute("UPDATE challan SET shown = NULL WHERE id = ?", (challan.id,))
            continue
        source = current(challan, now)
        new += challan.shown is None
        if source is not challan.source:
            connection.execute(
                "UPDATE challan SET source = ?, shown = ?, due_at = NULL, due_patch = NULL WHERE id = ?",
                (json.dumps(source), json.dumps(source), challan.id),
            )
        elif challan.shown != source:
            connection.execute("UPDATE challan SET shown = ? WHERE id = ?", (json.dumps(source), challan.id))
    return new


def change_later(connection: sqlite3.Connection, challan_id: str, patch: Mapping[str, Any], at: datetime) -> None:
    connection.execute(
        "UPDATE challan SET due_at = ?, due_patch = ? WHERE id = ?",
        (clock.stamp(at), json.dumps(dict(patch)), challan_id),
    )


@dataclass(frozen=True)
class Holder:
    """Hold the link to which a challan is or was last attached."""

    link_id: str
    status: str
    payment_url: str | None
    total: int
    live: bool
    raw: dict[str, Any]


def holders(
    connection: sqlite3.Connection, vehicle_id: str, now: datetime, page_base: str, *, ended_visible: bool
) -> dict[str, Holder]:
    rows = connection.execute(
        "SELECT a.challan, a.released_at, l.id, l.status, l.token, l.raw, "
        " (SELECT sum(amount + legal_fee + gst) FROM attachment WHERE link = l.id) AS total "
        "FROM attachment a JOIN link l ON l.id = a.link "
        "WHERE l.vehicle = ? AND (l.hidden_until IS NULL OR l.hidden_until <= ?) ORDER BY a.id",
        (vehicle_id, clock.stamp(now)),
    )
    found: dict[str, Holder] = {}
    for row in rows:
        live = row["released_at"] is None
        earlier = found.get(row["challan"])
        # A live link outranks an ended one, and a later link an earlier one.
        if (not live and not ended_visible) or (earlier and earlier.live and not live):
            continue
        raw = json.loads(row["raw"]) if row["raw"] else {}
        url = raw.get("paymentUrl", f"{page_base}/prepaid-payment/{row['token']}")
        found[row["challan"]] = Holder(row["id"], row["status"], url, row["total"], live, raw)
    return found


def search_record(challan: Challan, holder: Holder | None) -> dict[str, Any]:
    """Return the search record of section 2.3 of the document."""
    shown = challan.shown or {}
    amount = shown["challanAmount"]
    record = {
        "id": challan.id,
        "challanNo": shown["challanNo"],
        "status": shown["status"],
        "challanAmount": money.number(amount),
        "totalAmount": None if amount is None else money.number(money.charge_for(amount).total),
        "challanDate": shown["challanDate"],
        "state": shown["state"],
        "challanType": shown["challanType"],
        "challanPlace": shown["challanPlace"],
        "offenseDetails": shown["offenseDetails"],
        "paymentLinkId": holder.link_id if holder else None,
        "paymentLink": {
            "id": holder.link_id,
            "status": holder.status,
            "externalPaymentUrl": holder.payment_url,
            "totalAmount": money.number(holder.total),
        }
        if holder
        else None,
        "prepaid": bool(holder and holder.live),
    }
    return overlay(record, challan.raw)


def overlay(record: dict[str, Any], raw: Mapping[str, Any]) -> dict[str, Any]:
    """Apply the fields that levers set on a record, unchecked; a list under "-" names fields to leave out."""
    merged = {**record, **{name: value for name, value in raw.items() if name != "-"}}
    for name in raw.get("-", ()):
        merged.pop(name, None)
    return merged
