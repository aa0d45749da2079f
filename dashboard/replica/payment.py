"""Serve the public payment page that a driver opens."""

from __future__ import annotations

import json
import re
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for

from dashboard.replica import clock, linking, money
from dashboard.replica.runtime import current
from dashboard.replica.settling import settle

payment = Blueprint("payment", __name__)
# The words in a sentence, and alone.
MODE_WORDS = {"UPI": "UPI", "CREDIT_CARD": "credit card"}
MODE_TITLES = {"UPI": "UPI", "CREDIT_CARD": "Credit card"}
TOKEN = re.compile(r"[A-Za-z0-9_-]{16,64}")


@dataclass(frozen=True)
class PaymentItem:
    number: str
    offence: str | None
    place: str | None
    date: str | None
    total: int


@dataclass(frozen=True)
class PaymentPage:
    link_id: str
    status: str
    organization: str
    rc: str
    expires: str
    paid: str | None
    paid_mode: str | None
    options: list[money.Breakdown]
    items: list[PaymentItem]

    @property
    def paid_option(self) -> money.Breakdown:
        return next((option for option in self.options if option.mode == self.paid_mode), self.options[0])

    @property
    def reference(self) -> str:
        """Return the beginning of the link's id, by which its organization finds the payment."""
        return self.link_id.partition("-")[0]


@payment.get("/prepaid-payment/<token>")
def show(token: str) -> tuple[str, int]:
    replica = current()
    settle(replica)
    with replica.state.reading() as connection:
        page = _page(connection, token)
    return _render(page, 200)


@payment.post("/prepaid-payment/<token>")
def pay(token: str) -> Response | tuple[str, int]:
    """Pay a link, once and only while it is live: one write transaction checks both."""
    replica = current()
    settle(replica)
    lag = replica.paid_lag()
    choice = request.form.get("choice", "")
    with replica.state.writing() as connection:
        now = clock.now(connection)
        linking.end_overdue(connection, now)
        page = _page(connection, token)
        if page is None:
            return _render(None, 404)
        if page.status == "ACTIVE" and choice in money.CONVENIENCE_PERCENT:
            linking.pay(connection, page.link_id, choice, now, lag)
        elif page.status == "ACTIVE" and choice == "FAIL":
            linking.set_status(connection, page.link_id, "FAILED", now)
        elif page.status == "ACTIVE":
            return _render(page, 400)
        elif page.status != "PAID":
            return _render(page, 409)
    answer = redirect(url_for("payment.show", token=token), 303)
    assert isinstance(answer, Response)
    return answer


def _render(page: PaymentPage | None, status: int) -> tuple[str, int]:
    if page is None:
        return render_template("payment/unknown.html"), 404
    template = {"ACTIVE": "payment/active.html", "PAID": "payment/paid.html"}.get(page.status, "payment/ended.html")
    return render_template(template, page=page, mode_words=MODE_WORDS, mode_titles=MODE_TITLES), status


def _page(connection: sqlite3.Connection, token: str) -> PaymentPage | None:
    if not TOKEN.fullmatch(token):
        return None
    link = connection.execute(
        "SELECT l.*, o.name, v.rc FROM link l JOIN organization o ON o.id = l.organization "
        "JOIN vehicle v ON v.id = l.vehicle WHERE l.token = ?",
        (token,),
    ).fetchone()
    if link is None:
        return None
    rows = connection.execute(
        "SELECT coalesce(c.shown, c.source) AS record, a.amount + a.legal_fee + a.gst AS total "
        "FROM attachment a JOIN challan c ON c.id = a.challan WHERE a.link = ? ORDER BY a.id",
        (link["id"],),
    )
    parts = linking.charges(connection, link["id"])
    return PaymentPage(
        link_id=link["id"],
        status=link["status"],
        organization=_text(link["name"]) or "",
        rc=link["rc"],
        expires=moment(link["expires_at"]),
        paid=moment(link["paid_at"]) if link["paid_at"] else None,
        paid_mode=link["paid_mode"],
        options=[money.breakdown(parts, mode) for mode in money.CONVENIENCE_PERCENT],
        items=[_item(json.loads(row["record"]), row["total"]) for row in rows],
    )


def _item(record: dict[str, Any], total: int) -> PaymentItem:
    try:
        date = day(clock.parse(record["challanDate"])) if record["challanDate"] else None
    except (TypeError, ValueError):
        date = None  # a lever may have set another type
    return PaymentItem(
        number=_text(record["challanNo"]) or "",
        offence=_text(record["offenseDetails"]),
        place=_text(record["challanPlace"]),
        date=date,
        total=total,
    )


def _text(value: object) -> str | None:
    """Replace lone surrogates, which hostile text may contain and UTF-8 cannot encode."""
    return None if value is None else str(value).encode("utf-8", "replace").decode("utf-8")


def day(at: datetime) -> str:
    local = at.astimezone(clock.INDIA)
    return f"{local.day} {local:%b %Y}"


def moment(text: str) -> str:
    at = clock.parse(text)
    return f"{day(at)}, {at.astimezone(clock.INDIA):%H:%M} IST"
