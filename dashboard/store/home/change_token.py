"""Read the change token of the first page, which differs after any change that the page may show."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select

from dashboard.store.creation.intents import intent_event
from dashboard.store.home.paid_notifications import paid_notification
from dashboard.store.links.tables import link_event
from dashboard.store.reconciliation.discrepancies import IS_OPEN_MISMATCH, discrepancy
from dashboard.store.sharing.queue_facts import follow_up
from dashboard.store.sharing.shares import share

_PAID_UNTIL = select(paid_notification.c.paid_until).where(paid_notification.c.person_id == bindparam("person_id"))
_ENDS = select(
    select(func.max(link_event.c.id)).scalar_subquery(),
    select(func.max(intent_event.c.id)).scalar_subquery(),
    select(func.max(share.c.id)).scalar_subquery(),
    select(func.count()).where(follow_up.c.snoozed_until > bindparam("now")).scalar_subquery(),
    select(func.max(discrepancy.c.found_at)).where(*IS_OPEN_MISMATCH).scalar_subquery(),
    _PAID_UNTIL.scalar_subquery(),
)


def change_token(connection: Connection, person_id: int, now: datetime) -> str:
    """Return the ends of the histories of links, intents and shares, snoozed links, when amounts ceased to match last,
    and what a person has seen.

    One query that reads the ends of six indexes, so it costs the same in a ledger of any size.
    """
    row = connection.execute(_ENDS, {"person_id": person_id, "now": now}).one()
    return "-".join(str(each.timestamp() if isinstance(each, datetime) else each or 0) for each in row)
