"""What changes whenever anything happens: a page that has seen this much has seen everything."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from dashboard.store.creation.intents import intent_event
from dashboard.store.home.paid_notifications import person_seen
from dashboard.store.links.tables import link_event


def pulse(connection: Connection, person_id: int) -> str:
    """The ends of the histories of links and requests, and until when a person has seen what was paid.

    One query that looks at the ends of three indexes, however much there is.
    """
    ends = (
        select(func.max(link_event.c.id)).scalar_subquery(),
        select(func.max(intent_event.c.id)).scalar_subquery(),
        select(person_seen.c.paid_until).where(person_seen.c.person_id == person_id).scalar_subquery(),
    )
    links, requests, seen = connection.execute(select(*ends)).one()
    return f"{links or 0}-{requests or 0}-{seen.timestamp() if seen else 0}"
