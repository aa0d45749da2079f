"""Compute a change token: while it stays the same, nothing that the first page shows has changed."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from dashboard.store.creation.intents import intent_event
from dashboard.store.home.paid_notifications import person_seen
from dashboard.store.links.tables import link_event


def change_token(connection: Connection, person_id: int) -> str:
    """Join the last ids of both histories (links, intents) and the moment until which the person has seen payments.

    One query reads the ends of three indexes, so its cost does not grow with the tables.
    """
    ends = (
        select(func.max(link_event.c.id)).scalar_subquery(),
        select(func.max(intent_event.c.id)).scalar_subquery(),
        select(person_seen.c.paid_until).where(person_seen.c.person_id == person_id).scalar_subquery(),
    )
    links, requests, seen = connection.execute(select(*ends)).one()
    return f"{links or 0}-{requests or 0}-{seen.timestamp() if seen else 0}"
