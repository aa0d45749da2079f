"""Store creation plans: the links of each, whose turn it is, and the request that each led to.

A lane claims one link at a time, never two links of one vehicle, and none of a vehicle with an unclear request of the
same plan. What it claimed stays its own until it records an outcome or gives it back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    case,
    func,
    insert,
    select,
    update,
)

from dashboard.domain.fleet import LinkOutcome, PlannedLink
from dashboard.domain.intents import LINK_IS_OURS, OPEN, IntentState
from dashboard.domain.links import is_live
from dashboard.domain.money import Sum
from dashboard.domain.registration import MAX_LENGTH
from dashboard.store.creation.intents import intent
from dashboard.store.fleet.jobs import fleet_job
from dashboard.store.fleet.runs import MAX_LANE
from dashboard.store.links.tables import link as ledger
from dashboard.store.schema import metadata
from dashboard.store.sharing.shares import gives, share
from dashboard.store.types import Moment, Money

fleet_plan = Table(
    "fleet_plan",
    metadata,
    Column("id", String(36), ForeignKey("fleet_job.id"), primary_key=True),
    Column("run_id", String(36), ForeignKey("fleet_job.id"), index=True),
    Column("hours", Integer, nullable=False),
)

fleet_link = Table(
    "fleet_link",
    metadata,
    Column("plan_id", String(36), ForeignKey("fleet_plan.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("rc", String(MAX_LENGTH), nullable=False),
    Column("challan_ids", JSON, nullable=False),
    Column("total", Money, nullable=False),
    Column("unknown_amounts", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("not_before", Moment),
    Column("lane", String(MAX_LANE)),
    Column("claimed_at", Moment),
    Column("outcome", String(10)),
    Column("failure", String(40)),
    Column("intent_id", String(36), ForeignKey("intent.id"), index=True),
    Column("ended_at", Moment),
)
_is_left = fleet_link.c.outcome.is_(None)
_is_claimed = fleet_link.c.lane.is_not(None)
Index(
    "ix_fleet_link_lane",
    fleet_link.c.plan_id,
    fleet_link.c.lane,
    sqlite_where=_is_claimed,
    postgresql_where=_is_claimed,
)
Index(
    "ix_fleet_link_left",
    fleet_link.c.plan_id,
    fleet_link.c.position,
    sqlite_where=_is_left,
    postgresql_where=_is_left,
)
Index("ix_fleet_link_rc", fleet_link.c.plan_id, fleet_link.c.rc)


@dataclass(frozen=True, slots=True)
class Plan:
    """A creation plan: the lifetime of its links in hours, and the search run that it came from, if any."""

    id: str
    run_id: str | None
    hours: int


@dataclass(frozen=True, slots=True)
class LinkOfPlan:
    """A link of a plan, with the sum of its challans as people reviewed it.

    `failure` is a failure name of the service or a `CreationProblem`. `intent_state` and `link_id` are those of the
    request, read with it.
    """

    plan_id: str
    position: int
    rc: str
    challan_ids: tuple[str, ...]
    to_pay: Sum
    tries: int
    claimed_at: datetime | None
    outcome: LinkOutcome | None
    failure: str | None
    intent_id: str | None
    ended_at: datetime | None
    intent_state: IntentState | None
    link_id: str | None


@dataclass(frozen=True, slots=True)
class PlanCounts:
    """Count the links of a plan: all, those under way, the ended ones by outcome, and their requests by state."""

    links: int = 0
    under_way: int = 0
    by_outcome: dict[LinkOutcome, int] = field(default_factory=dict)
    by_state: dict[IntentState, int] = field(default_factory=dict)

    @property
    def ended(self) -> int:
        return sum(self.by_outcome.values())


_COLUMNS = (
    *(
        fleet_link.c[name]
        for name in (
            "plan_id",
            "position",
            "rc",
            "challan_ids",
            "total",
            "unknown_amounts",
            "tries",
            "claimed_at",
            "outcome",
            "failure",
            "intent_id",
            "ended_at",
        )
    ),
    intent.c.state,
    intent.c.link_id,
)
_LINK = select(*_COLUMNS).select_from(fleet_link.outerjoin(intent, intent.c.id == fleet_link.c.intent_id))


def add(connection: Connection, plan_id: str, links: Sequence[PlannedLink], *, hours: int, run_id: str | None) -> None:
    """Enter the links of a plan in their order."""
    connection.execute(insert(fleet_plan).values(id=plan_id, run_id=run_id, hours=hours))
    rows = [
        {
            "plan_id": plan_id,
            "position": position,
            "rc": link.rc,
            "challan_ids": sorted(link.challan_ids),
            "total": link.to_pay.total,
            "unknown_amounts": link.to_pay.unknown,
            "tries": 0,
        }
        for position, link in enumerate(links, start=1)
    ]
    connection.execute(insert(fleet_link), rows)


def find(connection: Connection, plan_id: str) -> Plan | None:
    """Return a plan, or None when there is none with this id."""
    query = select(fleet_plan.c.id, fleet_plan.c.run_id, fleet_plan.c.hours).where(fleet_plan.c.id == plan_id)
    row = connection.execute(query).one_or_none()
    return Plan(*row) if row else None


def of_run(connection: Connection, run_id: str) -> list[str]:
    """Return the ids of the plans that came from a search run, the newest first."""
    query = select(fleet_plan.c.id).join(fleet_job, fleet_job.c.id == fleet_plan.c.id)
    query = query.where(fleet_plan.c.run_id == run_id).order_by(fleet_job.c.created_at.desc())
    return list(connection.execute(query).scalars())


def claimed_by(connection: Connection, plan_id: str, lane: str) -> LinkOfPlan | None:
    """Return the link that a lane claimed and has not ended."""
    row = connection.execute(_LINK.where(fleet_link.c.plan_id == plan_id, _is_left, fleet_link.c.lane == lane)).first()
    return _link(row) if row else None


def claim_next(connection: Connection, plan_id: str, lane: str, now: datetime) -> LinkOfPlan | None:
    """Claim the next link whose turn it is; None when there is none at the moment.

    The caller holds the lock of the job's row, so that two lanes never claim two links of one vehicle.
    """
    other = fleet_link.alias()
    held = select(other.c.position).select_from(other.outerjoin(intent, intent.c.id == other.c.intent_id))
    held = held.where(
        other.c.plan_id == fleet_link.c.plan_id,
        other.c.rc == fleet_link.c.rc,
        other.c.lane.is_not(None) | intent.c.state.in_([str(state) for state in OPEN]),
    )
    free = (
        fleet_link.c.plan_id == plan_id,
        _is_left,
        fleet_link.c.lane.is_(None),
        fleet_link.c.not_before.is_(None) | (fleet_link.c.not_before <= now),
        ~held.exists(),
    )
    row = connection.execute(_LINK.where(*free).order_by(fleet_link.c.position).limit(1)).first()
    if row is None:
        return None
    one = update(fleet_link).where(fleet_link.c.plan_id == plan_id, fleet_link.c.position == row.position)
    connection.execute(one.values(lane=lane, claimed_at=now))
    return _link(row)


def give_back(
    connection: Connection, link: LinkOfPlan, lane: str, *, failure: str | None, tries: int, not_before: datetime | None
) -> None:
    """Give a claimed link back, for a later try; does nothing where the lane has not claimed it any more."""
    values = {"lane": None, "claimed_at": None, "failure": failure, "tries": tries, "not_before": not_before}
    connection.execute(_claimed(link, lane).values(**values))


def end(connection: Connection, link: LinkOfPlan, lane: str, outcome: LinkOutcome, **values: Any) -> bool:
    """Record what came of a claimed link; False where the lane has not claimed it any more."""
    ended = _claimed(link, lane).values(lane=None, outcome=outcome, **values)
    return connection.execute(ended.returning(fleet_link.c.position)).first() is not None


def try_again(connection: Connection, link: LinkOfPlan) -> None:
    """Let a link that ended without a link of the service be created by a new request."""
    one = (fleet_link.c.plan_id == link.plan_id, fleet_link.c.position == link.position, ~_is_left)
    nothing = dict.fromkeys(("outcome", "failure", "intent_id", "ended_at", "not_before", "lane", "claimed_at"))
    connection.execute(update(fleet_link).where(*one).values(tries=fleet_link.c.tries + 1, **nothing))


def counts(connection: Connection, plan_ids: Iterable[str]) -> dict[str, PlanCounts]:
    """Count the links of plans, by plan."""
    claimed = func.sum(case((_is_left & fleet_link.c.lane.is_not(None), 1), else_=0))
    query = select(fleet_link.c.plan_id, fleet_link.c.outcome, intent.c.state, func.count(), claimed)
    query = query.select_from(fleet_link.outerjoin(intent, intent.c.id == fleet_link.c.intent_id))
    plan_ids = list(plan_ids)
    query = query.where(fleet_link.c.plan_id.in_(plan_ids))
    query = query.group_by(fleet_link.c.plan_id, fleet_link.c.outcome, intent.c.state)
    found = {plan_id: PlanCounts() for plan_id in plan_ids}
    for plan_id, outcome, state, count, under_way in connection.execute(query):
        before = found[plan_id]
        by_outcome, by_state = dict(before.by_outcome), dict(before.by_state)
        if outcome is not None:
            by_outcome[LinkOutcome(outcome)] = by_outcome.get(LinkOutcome(outcome), 0) + int(count)
        if state is not None:
            by_state[IntentState(state)] = by_state.get(IntentState(state), 0) + int(count)
        found[plan_id] = PlanCounts(before.links + int(count), before.under_way + int(under_way), by_outcome, by_state)
    return found


def links_of(connection: Connection, plan_id: str, *, after: int = 0, limit: int | None = None) -> list[LinkOfPlan]:
    """Return a page of the links of a plan, in their order."""
    query = _LINK.where(fleet_link.c.plan_id == plan_id, fleet_link.c.position > after).order_by(fleet_link.c.position)
    return [_link(row) for row in connection.execute(query if limit is None else query.limit(limit))]


def to_send(connection: Connection, plan_id: str) -> dict[str, tuple[str, str]]:
    """Return RC number and payment URL of each link of a plan that can still be paid and nobody has, by its id."""
    is_ours = intent.c.state.in_([str(state) for state in LINK_IS_OURS])
    tables = fleet_link.join(intent, intent.c.id == fleet_link.c.intent_id)
    tables = tables.join(ledger, is_ours & (ledger.c.id == intent.c.link_id))
    is_sent = select(share.c.id).where(share.c.link_id == ledger.c.id, gives()).exists()
    query = select(ledger.c.id, fleet_link.c.rc, ledger.c.payment_url, ledger.c.status).select_from(tables)
    query = query.where(fleet_link.c.plan_id == plan_id, ~is_sent).order_by(fleet_link.c.position)
    return {link_id: (rc, url or "") for link_id, rc, url, status in connection.execute(query) if is_live(status)}


def places(connection: Connection, plan_id: str, rcs: Collection[str]) -> dict[int, tuple[int, int]]:
    """Return which of the links of its vehicle each link of these vehicles is, and of how many, by position."""
    query = select(fleet_link.c.rc, fleet_link.c.position).order_by(fleet_link.c.position)
    query = query.where(fleet_link.c.plan_id == plan_id, fleet_link.c.rc.in_(list(rcs)))
    of_vehicle: dict[str, list[int]] = {}
    for rc, position in connection.execute(query):
        of_vehicle.setdefault(rc, []).append(position)
    return {
        position: (number, len(listed))
        for listed in of_vehicle.values()
        for number, position in enumerate(listed, start=1)
    }


def links_in(
    connection: Connection,
    plan_id: str,
    outcomes: Collection[LinkOutcome] | None,
    states: Collection[IntentState] | None,
    *,
    after: int,
    limit: int,
) -> list[LinkOfPlan]:
    """Return a page of the links of a plan with one of these outcomes, and requests in one of these states, in their
    order; `outcomes` None: those without an outcome; `states` None: in any state.
    """
    query = _LINK.where(fleet_link.c.plan_id == plan_id, fleet_link.c.position > after)
    query = query.where(_is_left if outcomes is None else fleet_link.c.outcome.in_([str(each) for each in outcomes]))
    if states is not None:
        query = query.where(intent.c.state.in_([str(each) for each in states]))
    return [_link(row) for row in connection.execute(query.order_by(fleet_link.c.position).limit(limit))]


def created(connection: Connection, plan_id: str, *, after: int = 0, limit: int | None = None) -> list[LinkOfPlan]:
    """Return a page of the links of a plan that exist, in their order."""
    query = _LINK.where(fleet_link.c.plan_id == plan_id, fleet_link.c.position > after, intent.c.link_id.is_not(None))
    query = query.where(intent.c.state.in_([str(each) for each in LINK_IS_OURS])).order_by(fleet_link.c.position)
    return [_link(row) for row in connection.execute(query if limit is None else query.limit(limit))]


def _claimed(link: LinkOfPlan, lane: str) -> Any:
    mine = (fleet_link.c.plan_id == link.plan_id, fleet_link.c.position == link.position, fleet_link.c.lane == lane)
    # A lane that goes on twice, here and where it was frozen, may know of an earlier try.
    return update(fleet_link).where(*mine, _is_left, fleet_link.c.tries == link.tries)


def _link(row: Sequence[Any]) -> LinkOfPlan:
    plan_id, position, rc, ids, total, unknown, tries, claimed_at, outcome, failure, intent_id, ended_at, *rest = row
    state, link_id = rest
    return LinkOfPlan(
        plan_id,
        position,
        rc,
        tuple(ids),
        Sum(total, unknown),
        tries,
        claimed_at,
        LinkOutcome(outcome) if outcome else None,
        failure,
        intent_id,
        ended_at,
        IntentState(state) if state else None,
        link_id,
    )
