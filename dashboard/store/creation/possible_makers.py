"""Find the intents of open outcome that may have created an observed link (I6).

While there is one, nothing may say that the link was made elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, Connection, Select, select, union

from dashboard.domain.intents import UNCLEAR, IntentState
from dashboard.store.creation.intents import claim, intent
from dashboard.store.links.tables import OBSERVED, link, link_challan
from dashboard.store.vehicles.vehicles import challan

_OPEN = [str(state) for state in (IntentState.SENDING, *sorted(UNCLEAR))]


@dataclass(frozen=True, slots=True)
class PossibleMaker:
    """An intent of open outcome, and when it was prepared (aware UTC)."""

    intent_id: str
    prepared_at: datetime


def is_possibly_ours(link_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that an intent of open outcome may have created a link, by the column of its id.

    The intents come first in each part, because they are few.
    """
    return link_id.in_(select(_pairs().subquery().c.link_id))


def of_links(connection: Connection, link_ids: Iterable[str]) -> dict[str, PossibleMaker]:
    """Return the earliest intent that may have created each of these links, for those that have one."""
    wanted = set(link_ids)
    found: dict[str, PossibleMaker] = {}
    for row in connection.execute(_makers()):
        if row.link_id in wanted:
            found[row.link_id] = PossibleMaker(row.id, row.prepared_at)
    return found


@cache  # It takes longer to build than to execute.
def _makers() -> Select[Any]:
    pairs = _pairs().subquery()
    query = select(pairs.c.link_id, intent.c.id, intent.c.prepared_at).join(intent, intent.c.id == pairs.c.intent_id)
    return query.order_by(intent.c.prepared_at.desc())


def _pairs() -> CompoundSelect[Any]:
    """Select each observed link with each intent that may have created it.

    The link is on a challan of the intent, by its own status or by the latest search; or its challans are not known yet
    and it is on the intent's vehicle.
    """
    observed = link.c.origin == OBSERVED
    covering = _open_claims(link_challan.c.link_id).join(link_challan, link_challan.c.challan_id == claim.c.challan_id)
    covering = covering.join(link, (link.c.id == link_challan.c.link_id) & observed)
    listed = _open_claims(challan.c.payment_link_id).join(challan, challan.c.challan_id == claim.c.challan_id)
    listed = listed.join(link, (link.c.id == challan.c.payment_link_id) & observed)
    unread = select(link.c.id.label("link_id"), intent.c.id.label("intent_id")).select_from(intent)
    unread = unread.join(link, (link.c.rc == intent.c.rc) & observed & ~link.c.detailed).where(*_is_open())
    return union(covering, listed, unread)


def _open_claims(link_id: ColumnElement[Any]) -> Select[Any]:
    columns = link_id.label("link_id"), intent.c.id.label("intent_id")
    return select(*columns).select_from(intent).join(claim, claim.c.intent_id == intent.c.id).where(*_is_open())


def _is_open() -> tuple[ColumnElement[bool], ...]:
    return intent.c.state.in_(_OPEN), intent.c.sends > 0
