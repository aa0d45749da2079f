"""Serve the levers on payment links."""

from __future__ import annotations

import json
import sqlite3

from flask import Response

from dashboard.replica import clock, linking, money
from dashboard.replica.levers.blueprint import Misordered, answer, levers, ordered, seconds_of, take_only
from dashboard.replica.levers.truth import link_truth
from dashboard.replica.runtime import current

OUTCOMES = {"pay": "PAID", "fail": "FAILED", "cancel": "CANCELLED", "expire": "EXPIRED"}


def _require(connection: sqlite3.Connection, link_id: str) -> None:
    if connection.execute("SELECT 1 FROM link WHERE id = ?", (link_id,)).fetchone() is None:
        raise Misordered("no such link", 404)


@levers.get("/links/<link_id>")
def link(link_id: str) -> Response:
    with current().state.reading() as connection:
        _require(connection, link_id)
        return answer(link_truth(connection, link_id, current().page_base()))


@levers.post("/links/<link_id>/<any(pay, fail, cancel, expire):outcome>")
def end_link(link_id: str, outcome: str) -> Response:
    """End a link in any state: tests try the late payment of an ended link too."""
    replica, order = current(), ordered()
    take_only(order, "mode")
    mode = order.get("mode", "UPI")
    if mode not in money.CONVENIENCE_PERCENT:
        raise Misordered(f"mode is one of {', '.join(money.CONVENIENCE_PERCENT)}")
    lag = replica.paid_lag()
    with replica.state.writing() as connection:
        _require(connection, link_id)
        now = clock.now(connection)
        if outcome == "pay":
            linking.pay(connection, link_id, mode, now, lag)
        else:
            linking.set_status(connection, link_id, OUTCOMES[outcome], now)
        return answer(link_truth(connection, link_id, replica.page_base()))


@levers.patch("/links/<link_id>")
def change_link(link_id: str) -> Response:
    replica, order = current(), ordered()
    take_only(order, "status", "expiresAt", "paidAt", "hiddenSeconds", "raw")
    with replica.state.writing() as connection:
        _require(connection, link_id)
        now = clock.now(connection)
        if "status" in order:
            if not isinstance(order["status"], str):
                raise Misordered("status is text; use raw for anything else")
            linking.set_status(connection, link_id, order["status"], now)
        for name, column in (("expiresAt", "expires_at"), ("paidAt", "paid_at")):
            if name in order:
                value = order[name]
                if value is None and name == "expiresAt":
                    raise Misordered("use raw for an expiresAt of null")
                moment = None if value is None else clock.stamp(clock.parse(value))
                connection.execute(f"UPDATE link SET {column} = ? WHERE id = ?", (moment, link_id))  # noqa: S608 - columns of ours.
        if "hiddenSeconds" in order:
            seconds = seconds_of(order, "hiddenSeconds")
            until = clock.stamp(clock.shifted(now, seconds)) if seconds > 0 else None
            connection.execute("UPDATE link SET hidden_until = ? WHERE id = ?", (until, link_id))
        if "raw" in order:
            raw = order["raw"]
            if raw is not None and not isinstance(raw, dict):
                raise Misordered("raw is an object, or null to take it away")
            connection.execute("UPDATE link SET raw = ? WHERE id = ?", (json.dumps(raw) if raw else None, link_id))
        linking.end_overdue(connection, now)
        return answer(link_truth(connection, link_id, replica.page_base()))
