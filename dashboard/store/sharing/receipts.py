"""Receipts that people sent: events of the paid link's history, and no shares, because nothing is left to pay."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from dashboard.domain.sharing import Channel
from dashboard.store.links import history
from dashboard.store.links.tables import RECEIPT_SENT, link_event
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

    @property
    def is_sent(self) -> bool:
        """Return whether it went to a driver; else all that is known is that the message was opened."""
        return bool(self.driver)


def add(
    connection: Connection, link_id: str, channel: Channel, driver_id: int | None, *, at: datetime, person_id: int
) -> bool:
    """Record that a person sent the receipt of a link; return False where that was recorded just now."""
    sent = f"{channel} {driver_id}" if driver_id is not None else str(channel)
    since = at - _SAME_RECEIPT
    return history.record_once(connection, link_id, RECEIPT_SENT, at, not_since=since, person_id=person_id, new=sent)


def newest(connection: Connection, link_id: str) -> SentReceipt | None:
    """Return the receipt of a link that was sent last; None where none was."""
    query = select(link_event.c.new, link_event.c.person_id, link_event.c.at)
    query = query.where(link_event.c.link_id == link_id, link_event.c.kind == RECEIPT_SENT)
    row = connection.execute(query.order_by(link_event.c.id.desc()).limit(1)).one_or_none()
    return None if row is None else read(connection, *row)


def read(connection: Connection, sent: str, person_id: int | None, at: datetime) -> SentReceipt:
    """Read what the history stores of a receipt."""
    channel, _space, driver_id = sent.partition(" ")
    named = drivers.names(connection, [int(driver_id)]) if driver_id else {}
    return SentReceipt(Channel(channel), next(iter(named.values()), ""), person_id, at)
