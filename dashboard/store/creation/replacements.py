"""Read the intents that asked for a replacement of an ended link, and the links that they created."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, select

from dashboard.domain.intents import LINK_IS_OURS, OPEN, IntentState
from dashboard.store.creation.intents import intent
from dashboard.store.links.tables import NO_LONGER_KNOWN, link
from dashboard.store.once import once


@dataclass(frozen=True, slots=True)
class ReplacementLink:
    """A replacement link: its id, status as the service spells it, and when it was made or first observed (UTC)."""

    id: str
    status: str
    is_unknown: bool
    made_at: datetime


@dataclass(frozen=True, slots=True)
class ReplacementRequest:
    """An intent that asked for a replacement link. `link` is None while it is unknown. Moments are aware UTC."""

    id: str
    state: IntentState
    person_id: int
    prepared_at: datetime
    link: ReplacementLink | None


@once
def of_link(connection: Connection, link_id: str) -> list[ReplacementRequest]:
    """Return the intents that created a replacement of a link or still may, newest first."""
    rows = connection.execute(_requests(), {"replaced_id": link_id})
    return [
        ReplacementRequest(
            row.id,
            IntentState(row.state),
            row.person_id,
            row.prepared_at,
            ReplacementLink(row.link_id, row.status, row.is_unknown, row.made_at) if row.link_id is not None else None,
        )
        for row in rows
    ]


@cache
def _requests() -> Select[Any]:
    ours = [str(state) for state in LINK_IS_OURS]
    query = select(
        intent.c.id,
        intent.c.state,
        intent.c.person_id,
        intent.c.prepared_at,
        link.c.id.label("link_id"),
        link.c.status,
        NO_LONGER_KNOWN.label("is_unknown"),
        func.coalesce(link.c.created_at, link.c.first_seen_at).label("made_at"),
    )
    # An ATTACHED intent names a link that it did not create.
    query = query.outerjoin(link, (link.c.id == intent.c.link_id) & intent.c.state.in_(ours))
    query = query.where(
        intent.c.replaces == bindparam("replaced_id"), intent.c.state.in_([*ours, *(str(state) for state in OPEN)])
    )
    return query.order_by(intent.c.prepared_at.desc(), intent.c.id)
