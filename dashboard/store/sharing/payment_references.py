"""Payment references that drivers gave, of links whose payment failed though money was taken.

They are events of the link's history, of which the newest counts; one without a reference takes the earlier one back.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, select

from dashboard.store.links import history
from dashboard.store.links.tables import PAYMENT_REFERENCE, link_event

_NEWEST = (
    select(link_event.c.new, link_event.c.at)
    .where(link_event.c.kind == PAYMENT_REFERENCE, link_event.c.link_id == bindparam("link_id"))
    .order_by(link_event.c.id.desc())
    .limit(1)
)


def of_link(connection: Connection, link_id: str) -> str:
    """Return the reference that was noted last of a link, or ""."""
    found = connection.execute(_NEWEST, {"link_id": link_id}).first()
    return (found.new or "") if found else ""


def note(connection: Connection, link_id: str, reference: str, *, at: datetime, person_id: int) -> bool:
    """Note a reference, or by "" that there is none; return False where that stands already.

    Raises NotStored when the ledger does not know the link.
    """
    newest = connection.execute(_NEWEST, {"link_id": link_id}).first()
    if ((newest.new or "") if newest else "") == reference:
        return False
    since = newest.at if newest else datetime.min.replace(tzinfo=at.tzinfo)
    return history.record_once(
        connection, link_id, PAYMENT_REFERENCE, at, not_since=since, person_id=person_id, new=reference or None
    )
