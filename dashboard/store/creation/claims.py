"""Store claims: while one is open on a challan, no other intent may ask for that challan (I1).

Claims are released for the reasons of I4 alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Update, bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from dashboard.domain.intents import IntentState
from dashboard.domain.links import ENDED_STATUSES
from dashboard.store.creation.intents import claim, intent
from dashboard.store.links.tables import link

_open = claim.c.released_at.is_(None)
_OPEN_OF = select(
    claim.c.challan_id, claim.c.intent_id, claim.c.link_id, intent.c.state, intent.c.person_id, intent.c.prepared_at
)
_OPEN_OF = _OPEN_OF.join(intent, intent.c.id == claim.c.intent_id)
_OPEN_OF = _OPEN_OF.where(claim.c.challan_id.in_(bindparam("challan_ids", expanding=True)), _open)
_HELD = select(claim).where(claim.c.challan_id == bindparam("challan_id"), _open)
_OWN = update(claim).where(
    claim.c.intent_id == bindparam("of_intent"), claim.c.challan_id.in_(bindparam("challan_ids", expanding=True)), _open
)
_OWN = _OWN.values(link_id=bindparam("of_link")).returning(claim.c.challan_id)
_WITHOUT_LINK = (intent.c.state == IntentState.NOT_CREATED) | intent.c.released_at.is_not(None)
_WITHOUT_LINK |= link.c.released_at.is_not(None)
_SENT_WITHOUT_LINK = select(intent.c.id).join(claim, claim.c.intent_id == intent.c.id)
_SENT_WITHOUT_LINK = _SENT_WITHOUT_LINK.outerjoin(link, link.c.id == claim.c.link_id)
_SENT_WITHOUT_LINK = _SENT_WITHOUT_LINK.where(
    claim.c.challan_id.in_(bindparam("challan_ids", expanding=True)), _WITHOUT_LINK
).limit(1)
_REQUESTS = select(intent.c.rc, func.min(intent.c.id)).join(claim, claim.c.intent_id == intent.c.id)
_REQUESTS = _REQUESTS.where(intent.c.rc.in_(bindparam("rcs", expanding=True)), _open, claim.c.link_id.is_(None))
_REQUESTS = _REQUESTS.group_by(intent.c.rc)


@dataclass(frozen=True, slots=True)
class OpenClaim:
    """An open claim with its intent: in what state that is, who asked and when (aware UTC).

    `link_id` is the link that holds the challan, or None while the intent alone does.
    """

    challan_id: str
    intent_id: str
    link_id: str | None
    state: IntentState
    person_id: int
    prepared_at: datetime


def release(connection: Connection, intent_id: str, at: datetime, why: str, *, keep: Iterable[str] = ()) -> None:
    """Release the claims of an intent but those on the challans in `keep`. I4 says when this is allowed."""
    excepted = list(keep)
    mine = update(claim).where(claim.c.intent_id == intent_id, _open)
    if excepted:
        mine = mine.where(claim.c.challan_id.not_in(excepted))
    _release(connection, mine, at, why)


def release_link(connection: Connection, link_id: str, at: datetime, why: str) -> None:
    """Release the claims of a link that the service has shown as ended."""
    held = update(claim).where(claim.c.link_id == link_id, _open)
    _release(connection, held, at, why)


def release_some(connection: Connection, link_id: str, challan_ids: Iterable[str], at: datetime, why: str) -> None:
    """Release the claims of a link on some challans, on a manager's word."""
    held = update(claim).where(claim.c.link_id == link_id, claim.c.challan_id.in_(list(challan_ids)), _open)
    _release(connection, held, at, why)


def _release(connection: Connection, held: Update, at: datetime, why: str) -> None:
    """Release claims, and claim what comes free at once for a link that had to wait for it.

    Such a link had ended, released its claims, and then became live again or was paid late while these claims stood.
    """
    freed = connection.execute(held.values(released_at=at, why=why).returning(claim.c.challan_id)).scalars().all()
    if not freed:
        return
    before = select(claim).join(link, link.c.id == claim.c.link_id)
    before = before.where(claim.c.challan_id.in_(freed), ~_open, link.c.status.not_in(ENDED_STATUSES))
    before = before.where(link.c.released_at.is_(None))
    for row in connection.execute(before.order_by(claim.c.id)).all():
        hold(connection, row.intent_id, row.link_id, [row.challan_id], at)


def hold(connection: Connection, intent_id: str, link_id: str, challan_ids: Iterable[str], at: datetime) -> list[str]:
    """Claim challans for a link that holds them; return those that another claim holds.

    A link may appear after its claims were released: it had ended and was paid after all, or it was committed after its
    absence had been verified.
    """
    wanted = sorted(challan_ids)
    own = {"of_intent": intent_id, "of_link": link_id, "challan_ids": wanted}
    claimed = set(connection.execute(_OWN, own).scalars())
    others = []
    for challan_id in (each for each in wanted if each not in claimed):
        found = connection.execute(_HELD, {"challan_id": challan_id}).one_or_none()
        if found is None:
            values = {"challan_id": challan_id, "intent_id": intent_id, "link_id": link_id, "claimed_at": at}
            try:
                with connection.begin_nested():
                    connection.execute(insert(claim).values(**values))
            except IntegrityError:
                others.append(challan_id)
        elif found.link_id != link_id:
            others.append(challan_id)
    return others


def released_with(connection: Connection, link_id: str) -> dict[str, str]:
    """Return the challans whose claims ended with this link, each with the intent that claimed it last."""
    query = select(claim.c.challan_id, claim.c.intent_id).where(claim.c.link_id == link_id, ~_open)
    return {row.challan_id: row.intent_id for row in connection.execute(query.order_by(claim.c.id))}


def open_of(connection: Connection, challan_ids: Iterable[str]) -> dict[str, OpenClaim]:
    """Return the open claim of each challan that has one, by challan id."""
    found = connection.execute(_OPEN_OF, {"challan_ids": list(challan_ids)})
    return {row[0]: OpenClaim(row[0], row[1], row[2], IntentState(row[3]), row[4], row[5]) for row in found}


def sent_without_link(connection: Connection, challan_ids: Iterable[str]) -> bool:
    """Tell whether a sent intent released one of these challans without a link to show for it.

    Its link was verified as not created, or a manager released its claims or those of its link.
    """
    return connection.execute(_SENT_WITHOUT_LINK, {"challan_ids": list(challan_ids)}).first() is not None


def requests_of_vehicles(connection: Connection, rcs: Collection[str]) -> dict[str, str]:
    """Return by vehicle the id of an intent that holds challans of it and knows of no link yet."""
    return {row[0]: row[1] for row in connection.execute(_REQUESTS, {"rcs": list(rcs)})} if rcs else {}
