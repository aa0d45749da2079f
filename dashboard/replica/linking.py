"""Create payment links and change their status (sections 4.4 and 3.1 of the document)."""

from __future__ import annotations

import json
import secrets
import sqlite3
from datetime import datetime, timedelta
from typing import Any

from dashboard.replica import allowances, challans, clock, money, switches, vehicles
from dashboard.replica.auth import Organization
from dashboard.replica.bodies import LinkBody, new_id
from dashboard.replica.refusals import Refused
from dashboard.replica.settings import ReplicaSettings

ENDED = frozenset({"EXPIRED", "FAILED", "CANCELLED"})


def create(
    connection: sqlite3.Connection,
    settings: ReplicaSettings,
    organization: Organization,
    body: LinkBody,
    now: datetime,
) -> str:
    """Check and attach the challans in the caller's one IMMEDIATE transaction, and return the link's id."""
    allowance = organization.link_allowance
    allowances.require(
        connection, organization.id, "link", settings.link_allowance if allowance is None else allowance, now
    )
    vehicle = vehicles.by_rc(connection, body.rc)
    if vehicle is None:
        raise Refused(404, "the vehicle is not known to the organization")
    if vehicles.elsewhere(vehicle, organization.id):
        raise Refused(409, "the vehicle belongs to another organization or is deleted")
    if vehicle.organization is None:
        raise Refused(404, "the vehicle was never searched by the organization")
    chosen = _chosen(connection, vehicle.id, body)
    # The source decides, not the cache: a stale list must not let a disposed challan through.
    if any(challans.current(challan, now)["status"] not in challans.PAYABLE for challan in chosen):
        raise Refused(409, "a challan is in a state that cannot be paid")
    flags = switches.read(connection)
    if not flags.allow_second_link and any(_attached(connection, challan.id) for challan in chosen):
        raise Refused(409, "a challan already has an active payment link")

    allowances.count(connection, organization.id, "link", now)
    link_id = new_id()
    connection.execute(
        "INSERT INTO link (id, number, organization, vehicle, token, status, created_at, expires_at, hidden_until) "
        "VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM link), ?, ?, ?, 'ACTIVE', ?, ?, ?)",
        (
            link_id,
            organization.id,
            vehicle.id,
            secrets.token_urlsafe(24),
            clock.stamp(now),
            clock.stamp(now + timedelta(hours=body.hours)),
            clock.stamp(now + timedelta(seconds=flags.hide_links_seconds)) if flags.hide_links_seconds else None,
        ),
    )
    for challan in chosen:
        amount = challans.current(challan, now)["challanAmount"]
        charge = money.charge_for(money.ASSESSED if amount is None else amount)
        connection.execute(
            "INSERT INTO attachment (link, challan, amount, legal_fee, gst, exclusive) VALUES (?, ?, ?, ?, ?, ?)",
            (
                link_id,
                challan.id,
                charge.amount,
                charge.legal_fee,
                charge.gst,
                not (flags.allow_second_link and _attached(connection, challan.id)),
            ),
        )
    return link_id


def _chosen(connection: sqlite3.Connection, vehicle_id: str, body: LinkBody) -> list[challans.Challan]:
    # Only challans that a search has shown are available; one that is only at the source is "not found".
    available = [challan for challan in challans.of_vehicle(connection, vehicle_id) if challan.shown is not None]
    wanted: tuple[str, ...]
    if body.challan_ids is not None:
        wanted, known = body.challan_ids, {challan.id: challan for challan in available}
    else:
        wanted = body.challan_numbers or ()
        known = {(challan.shown or {})["challanNo"]: challan for challan in reversed(available)}
    if any(name not in known for name in wanted):
        raise Refused(404, "a challan is not found on the vehicle")
    return [known[name] for name in wanted]


def _attached(connection: sqlite3.Connection, challan_id: str) -> bool:
    row = connection.execute(
        "SELECT 1 FROM attachment WHERE challan = ? AND released_at IS NULL", (challan_id,)
    ).fetchone()
    return row is not None


def end_overdue(connection: sqlite3.Connection, now: datetime) -> None:
    for row in connection.execute(
        "SELECT id FROM link WHERE status = 'ACTIVE' AND expires_at <= ?", (clock.stamp(now),)
    ).fetchall():
        set_status(connection, row["id"], "EXPIRED", now)


def set_status(connection: sqlite3.Connection, link_id: str, status: str, now: datetime) -> None:
    """Set a link to any status; an ended link releases its challans, all others hold them."""
    connection.execute("UPDATE link SET status = ? WHERE id = ?", (status, link_id))
    if status in ENDED:
        connection.execute(
            "UPDATE attachment SET released_at = ?, exclusive = 1 WHERE link = ? AND released_at IS NULL",
            (clock.stamp(now), link_id),
        )
        return
    released = connection.execute(
        "SELECT id, challan FROM attachment WHERE link = ? AND released_at IS NOT NULL", (link_id,)
    ).fetchall()
    for row in released:
        # A link that becomes live again may share a challan with another; then both hold it, as in the fault to show.
        connection.execute(
            "UPDATE attachment SET released_at = NULL, exclusive = ? WHERE id = ?",
            (not _attached(connection, row["challan"]), row["id"]),
        )


def pay(connection: sqlite3.Connection, link_id: str, mode: str, now: datetime, lag_seconds: float) -> None:
    """Set a link to PAID. The source learns of it after the lag; a search with `bypassCache` shows it from then on."""
    set_status(connection, link_id, "PAID", now)
    connection.execute(
        "UPDATE link SET paid_at = coalesce(paid_at, ?), paid_mode = coalesce(paid_mode, ?) WHERE id = ?",
        (clock.stamp(now), mode, link_id),
    )
    for row in connection.execute("SELECT challan FROM attachment WHERE link = ?", (link_id,)).fetchall():
        challans.change_later(connection, row["challan"], {"status": "PAID"}, now + timedelta(seconds=lag_seconds))


def charges(connection: sqlite3.Connection, link_id: str) -> list[money.Charge]:
    rows = connection.execute("SELECT amount, legal_fee, gst FROM attachment WHERE link = ? ORDER BY id", (link_id,))
    return [money.Charge(row["amount"], row["legal_fee"], row["gst"]) for row in rows]


def _amounts(parts: money.Breakdown) -> dict[str, Any]:
    return {
        "baseAmount": money.number(parts.base),
        "legalFee": money.number(parts.legal_fee),
        "gst": money.number(parts.gst),
        "convenienceFee": money.number(parts.convenience_fee),
        "totalAmount": money.number(parts.total),
    }


def link_record(connection: sqlite3.Connection, link_id: str, page_base: str) -> dict[str, Any]:
    """Return the record of section 2.4 of the document."""
    link = connection.execute(
        "SELECT l.*, o.name, v.rc FROM link l JOIN organization o ON o.id = l.organization "
        "JOIN vehicle v ON v.id = l.vehicle WHERE l.id = ?",
        (link_id,),
    ).fetchone()
    parts = charges(connection, link_id)
    options = [money.breakdown(parts, mode) for mode in money.CONVENIENCE_PERCENT]
    record = {
        "id": link["id"],
        "status": link["status"],
        "organization": {"id": link["organization"], "name": link["name"]},
        "paymentUrl": f"{page_base}/prepaid-payment/{link['token']}",
        "expiresAt": link["expires_at"],
        "paidAt": link["paid_at"],
        "amount": _amounts(options[0]),
        "paymentModeOptions": [{**_amounts(option), "paymentMode": option.mode} for option in options],
        "challans": _challan_records(connection, link_id, link["rc"]),
    }
    return challans.overlay(record, json.loads(link["raw"]) if link["raw"] else {})


def _challan_records(connection: sqlite3.Connection, link_id: str, rc: str) -> list[dict[str, Any]]:
    rows = connection.execute(
        "SELECT c.id, coalesce(c.shown, c.source) AS record, a.amount, a.legal_fee, a.gst "
        "FROM attachment a JOIN challan c ON c.id = a.challan WHERE a.link = ? ORDER BY a.id",
        (link_id,),
    )
    records = []
    for row in rows:
        known = json.loads(row["record"])
        charge = money.Charge(row["amount"], row["legal_fee"], row["gst"])
        records.append(
            {
                "id": row["id"],
                "challanNo": known["challanNo"],
                "rcNumber": rc,
                "status": known["status"],
                # The document allows no null here, although a search may show one.
                "challanType": known["challanType"] or "ONLINE",
                "state": known["state"] or "",
                "challanAmount": money.number(charge.amount),
                "legalFee": money.number(charge.legal_fee),
                "totalAmount": money.number(charge.total),
            }
        )
    return records
