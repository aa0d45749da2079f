"""Count and add up the links of a plan by what came of them: whether they exist, were sent, are paid or may be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection, select

from dashboard.domain.fleet import LinkOutcome
from dashboard.domain.intents import LINK_IS_OURS, IntentState
from dashboard.domain.links import is_live, is_paid
from dashboard.domain.money import NO_SUM, Sum, add_up
from dashboard.store.creation.intents import intent
from dashboard.store.fleet.plans import fleet_link
from dashboard.store.links.tables import link as ledger
from dashboard.store.sharing.shares import gives, share


@dataclass(frozen=True, slots=True)
class Share:
    """Hold the links of a plan that came to the same: by the outcome and the state of the request.

    `to_pay` adds up the amounts of the links where they exist, and what was reviewed where they do not. Of those that
    exist, `sent` were given to somebody, `paid` are paid (`paid_sum`), and `live` may still be paid (`live_sum`; the
    first and the last of them end at `ends`, and all were checked since `checked_at`), `to_send` of which nobody has;
    `reviewed` is what was to pay before.
    """

    outcome: LinkOutcome | None
    state: IntentState | None
    links: int = 0
    to_pay: Sum = NO_SUM
    sent: int = 0
    paid: int = 0
    live: int = 0
    to_send: int = 0
    reviewed: Sum = NO_SUM
    paid_sum: Sum = NO_SUM
    live_sum: Sum = NO_SUM
    ends: tuple[datetime, ...] = ()
    checked_at: datetime | None = None


def shares(connection: Connection, plan_id: str) -> list[Share]:
    """Count and add up the links of a plan, by what came of them."""
    is_ours = intent.c.state.in_([str(state) for state in LINK_IS_OURS])
    tables = fleet_link.outerjoin(intent, intent.c.id == fleet_link.c.intent_id)
    tables = tables.outerjoin(ledger, is_ours & (ledger.c.id == intent.c.link_id))
    is_sent = select(share.c.id).where(share.c.link_id == ledger.c.id, gives()).exists()
    planned = (fleet_link.c.outcome, intent.c.state, fleet_link.c.total, fleet_link.c.unknown_amounts)
    known = (ledger.c.id, ledger.c.total, ledger.c.status, ledger.c.expires_at, ledger.c.checked_at)
    query = select(*planned, *known, is_sent)
    found: dict[tuple[str | None, str | None], Share] = {}
    for row in connection.execute(query.select_from(tables).where(fleet_link.c.plan_id == plan_id)):
        outcome, state, total, unknown, link_id, amount, status, expires_at, checked_at, sent = row
        before = found.get((outcome, state)) or Share(
            LinkOutcome(outcome) if outcome else None, IntentState(state) if state else None
        )
        exists, has_paid = link_id is not None, link_id is not None and is_paid(status)
        live = exists and is_live(status)
        ends = (*before.ends, expires_at) if live and expires_at else before.ends
        checks = [at for at in (before.checked_at, checked_at if live else None) if at]
        found[outcome, state] = replace(
            before,
            links=before.links + 1,
            to_pay=before.to_pay + (add_up([amount]) if exists else Sum(total, unknown)),
            sent=before.sent + bool(sent),
            paid=before.paid + has_paid,
            live=before.live + live,
            to_send=before.to_send + (live and not sent),
            reviewed=before.reviewed + (Sum(total, unknown) if exists else NO_SUM),
            paid_sum=before.paid_sum + (add_up([amount]) if has_paid else NO_SUM),
            live_sum=before.live_sum + (add_up([amount]) if live else NO_SUM),
            ends=(min(ends), max(ends)) if ends else (),
            checked_at=min(checks, default=None),
        )
    return list(found.values())
