"""Claims of requests on challans: while one is open, no other request may ask for that challan (I1).

Their table stands beside the requests'. They are released for the reasons of I4 alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Update, insert, select, update
from sqlalchemy.exc import IntegrityError

from dashboard.domain.intents import IntentState
from dashboard.domain.links import ENDED_STATUSES
from dashboard.store.creation.intents import claim, intent
from dashboard.store.links.tables import link

_open = claim.c.released_at.is_(None)


def release(connection: Connection, intent_id: str, at: datetime, why: str, *, keep: Iterable[str] = ()) -> None:
    """Release the claims of an intent but those on the challans in `keep`. See I4 for when this may be done."""
    kept = list(keep)
    mine = update(claim).where(claim.c.intent_id == intent_id, _open)
    if kept:
        mine = mine.where(claim.c.challan_id.not_in(kept))
    _release(connection, mine, at, why)


def release_link(connection: Connection, link_id: str, at: datetime, why: str) -> None:
    """Release the claims of a link that was seen ended at the service."""
    held = update(claim).where(claim.c.link_id == link_id, _open)
    _release(connection, held, at, why)


def _release(connection: Connection, held: Update, at: datetime, why: str) -> None:
    """What comes free is claimed at once for a link that came to hold it while this claim stood in its way: one that
    had ended, and lived again or was paid late.
    """
    freed = connection.execute(held.values(released_at=at, why=why).returning(claim.c.challan_id)).scalars().all()
    if not freed:
        return
    before = select(claim).join(link, link.c.id == claim.c.link_id)
    before = before.where(claim.c.challan_id.in_(freed), ~_open, link.c.status.not_in(ENDED_STATUSES))
    for row in connection.execute(before.order_by(claim.c.id)).all():
        hold(connection, row.intent_id, row.link_id, [row.challan_id], at)


def hold(connection: Connection, intent_id: str, link_id: str, challan_ids: Iterable[str], at: datetime) -> list[str]:
    """Claim challans for a link that is known to hold them, late or again; returns those that another claim holds.

    A link may come to light after its claims were released: it was seen ended and then paid after all, or it was
    committed after its absence had been verified.
    """
    others = []
    for challan_id in sorted(challan_ids):
        found = connection.execute(select(claim).where(claim.c.challan_id == challan_id, _open)).one_or_none()
        if found is None:
            values = {"challan_id": challan_id, "intent_id": intent_id, "link_id": link_id, "claimed_at": at}
            try:
                with connection.begin_nested():
                    connection.execute(insert(claim).values(**values))
            except IntegrityError:
                others.append(challan_id)
        elif found.intent_id == intent_id:
            connection.execute(update(claim).where(claim.c.id == found.id).values(link_id=link_id))
        elif found.link_id != link_id:
            others.append(challan_id)
    return others


def released_with(connection: Connection, link_id: str) -> dict[str, str]:
    """The challans whose claims were released because this link had ended, with the intent that claimed each last."""
    query = select(claim.c.challan_id, claim.c.intent_id).where(claim.c.link_id == link_id, ~_open)
    return {row.challan_id: row.intent_id for row in connection.execute(query.order_by(claim.c.id))}


def open_of(connection: Connection, challan_ids: Iterable[str]) -> dict[str, Row[Any]]:
    """The open claim of each challan, by challan id, with the request that made it."""
    query = select(claim, intent.c.state, intent.c.person_id, intent.c.prepared_at.label("asked_at"))
    query = query.join(intent, intent.c.id == claim.c.intent_id)
    query = query.where(claim.c.challan_id.in_(list(challan_ids)), _open)
    return {row.challan_id: row for row in connection.execute(query)}


def sent_without_link(connection: Connection, challan_ids: Iterable[str]) -> bool:
    """Whether one of these challans was in a request that was sent and let it go without a link to show for it:
    verified as not created, or set aside by a manager.
    """
    let_go = (intent.c.state == IntentState.NOT_CREATED) | intent.c.set_aside_at.is_not(None)
    query = select(intent.c.id).join(claim, claim.c.intent_id == intent.c.id)
    query = query.where(claim.c.challan_id.in_(list(challan_ids)), let_go)
    return connection.execute(query.limit(1)).first() is not None
