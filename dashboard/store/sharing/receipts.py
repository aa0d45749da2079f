"""Receipts that people sent: events of the paid link's history, and no shares, because nothing is left to pay.

Whoever takes one back adds another event, and `newest` leaves it out.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, select

from dashboard.domain.sharing import Channel
from dashboard.store.links import history
from dashboard.store.links.tables import RECEIPT_SENT, RECEIPT_UNDONE, link_event
from dashboard.store.sharing import drivers

#: The same receipt sent to the same driver again within this time is recorded once: a double tap.
_SAME_RECEIPT = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class SentReceipt:
    """A receipt that a person sent. The driver is "" where a number was typed, or WhatsApp asked whom to send it to."""

    channel: Channel
    driver: str
    person_id: int | None
    at: datetime
    id: int

    @property
    def is_sent(self) -> bool:
        """Return whether it went to a driver; else all that is known is that the message was opened."""
        return bool(self.driver)


def add(
    connection: Connection, link_id: str, channel: Channel, driver_id: int | None, *, at: datetime, person_id: int
) -> bool:
    """Record that a person sent the receipt of a link; return False where that was recorded just now."""
    sent = f"{channel} {driver_id}" if driver_id is not None else str(channel)
    since = history.since_taken_back(connection, link_id, RECEIPT_UNDONE, at - _SAME_RECEIPT)
    return history.record_once(connection, link_id, RECEIPT_SENT, at, not_since=since, person_id=person_id, new=sent)


def undo(connection: Connection, link_id: str, of: SentReceipt, person_id: int, at: datetime) -> None:
    """Take a receipt back; a second time changes nothing."""
    history.take_back(connection, link_id, RECEIPT_UNDONE, of.id, of.at, at, person_id=person_id)


def find(connection: Connection, link_id: str, receipt_id: int) -> SentReceipt | None:
    """Return a receipt of a link, also one that was taken back; None when the link has none of this id."""
    return _first(connection, _of_link(link_id).where(link_event.c.id == receipt_id))


def newest(connection: Connection, link_id: str) -> SentReceipt | None:
    """Return the receipt of a link that was sent last, and that nobody has taken back; None where none was."""
    standing = _of_link(link_id).where(history.stands(RECEIPT_UNDONE))
    return _first(connection, standing.order_by(link_event.c.id.desc()).limit(1))


def _of_link(link_id: str) -> Select[Any]:
    query = select(link_event.c.new, link_event.c.person_id, link_event.c.at, link_event.c.id)
    return query.where(link_event.c.link_id == link_id, link_event.c.kind == RECEIPT_SENT)


def _first(connection: Connection, query: Select[Any]) -> SentReceipt | None:
    row = connection.execute(query).one_or_none()
    return None if row is None else read(connection, *row)


def read(connection: Connection, sent: str, person_id: int | None, at: datetime, receipt_id: int) -> SentReceipt:
    """Read what the history stores of a receipt."""
    channel, _space, driver_id = sent.partition(" ")
    named = drivers.names(connection, [int(driver_id)]) if driver_id else {}
    return SentReceipt(Channel(channel), next(iter(named.values()), ""), person_id, at, receipt_id)
