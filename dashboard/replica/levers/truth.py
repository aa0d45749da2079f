"""Serve the levers that only read: the journal of calls, and the whole truth for an oracle."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from flask import Response, current_app, request

from dashboard.replica import allowances, challans, clock, faults, journal, linking, money, switches
from dashboard.replica.levers.blueprint import Misordered, answer, levers
from dashboard.replica.runtime import current


@levers.get("/")
def table() -> Response:
    found = sorted(
        f"{method} {rule.rule}"
        for rule in current_app.url_map.iter_rules()
        if rule.endpoint.startswith("levers.")
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    )
    return answer({"levers": found})


@levers.get("/calls")
def calls() -> Response:
    after = request.args.get("after", "0")
    if not after.isdigit():
        raise Misordered("after is the number of a call")
    with current().state.reading() as connection:
        return answer(
            {
                "calls": journal.listing(connection, request.args.get("operation"), int(after)),
                "counts": journal.counts(connection),
            }
        )


@levers.delete("/calls")
def forget_calls() -> Response:
    with current().state.writing() as connection:
        connection.execute("DELETE FROM call")
    return answer({})


@levers.get("/truth")
def truth() -> Response:
    replica = current()
    base = replica.page_base()
    with replica.state.reading() as connection:
        links = connection.execute("SELECT id FROM link ORDER BY number").fetchall()
        doubles = connection.execute(
            "SELECT c.id, c.source, group_concat(a.link) AS links FROM attachment a JOIN challan c ON c.id = a.challan "
            "WHERE a.released_at IS NULL GROUP BY c.id HAVING count(*) > 1"
        ).fetchall()
        late = connection.execute("SELECT count(*) AS n FROM late_request").fetchone()["n"]
        return answer(
            {
                "now": clock.stamp(clock.now(connection)),
                "clockOffset": clock.offset(connection),
                "organizations": organizations_truth(connection),
                "links": [link_truth(connection, row["id"], base) for row in links],
                "doublyHeld": [
                    {
                        "id": row["id"],
                        "challanNo": json.loads(row["source"])["challanNo"],
                        "links": row["links"].split(","),
                    }
                    for row in doubles
                ],
                "lateRequests": late,
                "faults": faults.pending(connection),
                "switches": switches.read(connection).__dict__,
                "calls": journal.counts(connection),
            }
        )


def organizations_truth(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    now = clock.now(connection)
    rows = connection.execute("SELECT * FROM organization ORDER BY rowid").fetchall()
    return [
        {
            "id": row["id"],
            "handle": row["handle"],
            "name": row["name"],
            "mayUseApi": bool(row["may_use_api"]),
            "searchEnabled": bool(row["search_enabled"]),
            "linksEnabled": bool(row["links_enabled"]),
            "linkAllowance": row["link_allowance"],
            "searchAllowance": row["search_allowance"],
            "linksToday": allowances.used(connection, row["id"], "link", now),
            "searchesToday": allowances.used(connection, row["id"], "search", now),
        }
        for row in rows
    ]


def link_truth(connection: sqlite3.Connection, link_id: str, page_base: str) -> dict[str, Any]:
    link = connection.execute(
        "SELECT l.*, o.handle, v.rc FROM link l JOIN organization o ON o.id = l.organization "
        "JOIN vehicle v ON v.id = l.vehicle WHERE l.id = ?",
        (link_id,),
    ).fetchone()
    rows = connection.execute(
        "SELECT c.id, c.source, a.released_at FROM attachment a JOIN challan c ON c.id = a.challan "
        "WHERE a.link = ? ORDER BY a.id",
        (link_id,),
    )
    total = sum(charge.total for charge in linking.charges(connection, link_id))
    held = []
    for row in rows:
        source = json.loads(row["source"])
        held.append(
            {
                "id": row["id"],
                "challanNo": source["challanNo"],
                "status": source["status"],
                "held": row["released_at"] is None,
            }
        )
    return {
        "id": link["id"],
        "number": link["number"],
        "organization": link["handle"],
        "rcNumber": link["rc"],
        "status": link["status"],
        "live": link["status"] not in linking.ENDED,
        "createdAt": link["created_at"],
        "expiresAt": link["expires_at"],
        "paidAt": link["paid_at"],
        "paidMode": link["paid_mode"],
        "hiddenUntil": link["hidden_until"],
        "paymentUrl": f"{page_base}/prepaid-payment/{link['token']}",
        "totalAmount": money.number(total),
        "challans": held,
    }


def challan_truth(challan: challans.Challan) -> dict[str, Any]:
    def wire(record: dict[str, Any] | None) -> dict[str, Any] | None:
        return record and {**record, "challanAmount": money.number(record["challanAmount"])}

    return {
        "id": challan.id,
        "source": wire(challan.source),
        "shown": wire(challan.shown),
        "gone": challan.gone,
        "raw": challan.raw,
    }
