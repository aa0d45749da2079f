"""The requests that asked for a link in the place of one that had ended, and the links they led to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from dashboard.domain.intents import OPEN, IntentState
from dashboard.store.creation.intents import intent
from dashboard.store.links.tables import link

#: What a request came to when it made the link that its row names; an ATTACHED one names somebody else's.
_MADE = (IntentState.CREATED, IntentState.RECOVERED)


def of_link(connection: Connection, link_id: str) -> Sequence[Row[*tuple[Any, ...]]]:
    """The requests in a link's place that made another or still may, newest first, with what is known of that one."""
    made = link.c.id.label("new_id"), link.c.status, link.c.created_at, link.c.first_seen_at
    query = select(intent.c.id, intent.c.state, intent.c.person_id, intent.c.prepared_at, *made)
    query = query.outerjoin(link, (link.c.id == intent.c.link_id) & intent.c.state.in_([str(state) for state in _MADE]))
    query = query.where(intent.c.replaces == link_id, intent.c.state.in_([str(state) for state in (*_MADE, *OPEN)]))
    return connection.execute(query.order_by(intent.c.prepared_at.desc(), intent.c.id)).all()
