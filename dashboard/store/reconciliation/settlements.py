"""Store the settlement plans of paid links, one row for each: when its vehicle is searched at the source again.

A settlement check is one search of a vehicle, for all its links at once. A worker claims the vehicle by moving the
due time of its rows ahead, by compare-and-set; when that process dies, they fall due again by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, TypedDict, Unpack

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    and_,
    bindparam,
    exists,
    func,
    or_,
    select,
    update,
)

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.links import PAID
from dashboard.domain.registration import MAX_LENGTH
from dashboard.domain.settlements import CheckedChallan, Covered, Listed, Listing, SettlementState
from dashboard.store.links.tables import link, link_challan
from dashboard.store.reconciliation.discrepancies import discrepancy
from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent
from dashboard.store.vehicles.vehicles import challan, vehicle

settlement = Table(
    "settlement",
    metadata,
    Column("link_id", String(36), ForeignKey("link.id"), primary_key=True),
    Column("rc", String(MAX_LENGTH), index=True),
    Column("state", String(8), nullable=False),
    Column("since", Moment, nullable=False),
    Column("entered_at", Moment, nullable=False),
    Column("due_at", Moment),
    Column("checks", Integer, nullable=False),
    Column("checked_at", Moment),
    Column("challans", JSON),
    Column("ended_at", Moment),
    Column("failures", Integer, nullable=False),
    Column("failed_at", Moment),
    Column("failure", String(40)),
    Column("asked_at", Moment),  # A person asked for a check that is still to come.
)
_planned = settlement.c.due_at.is_not(None)
Index("ix_settlement_due_at", settlement.c.due_at, sqlite_where=_planned, postgresql_where=_planned)

# Recording an answer reads these alone: the stored challans are left out, as a row that cannot be read would lose it.
_PLAN = (
    settlement.c.link_id,
    settlement.c.rc,
    settlement.c.state,
    settlement.c.since,
    settlement.c.entered_at,
    settlement.c.due_at,
    settlement.c.checks,
    settlement.c.checked_at,
    settlement.c.failures,
)
_PLANS_OF_VEHICLE = select(*_PLAN).where(settlement.c.rc == bindparam("rc")).order_by(settlement.c.link_id)
_PLANS_OF_VEHICLE = _PLANS_OF_VEHICLE.with_for_update()


@dataclass(frozen=True, slots=True)
class SettlementPlan:
    """When the settlement of a paid link is checked.

    `rc` is None while the vehicle is not known, so that it cannot be searched. `since` is the payment, from which the
    checks are planned; `due_at` is the next one, or None. `checks` counts searches at the source that were answered,
    `failures` those in a row that were not. `checked_at` is the newest listing of the vehicle after the payment.
    """

    link_id: str
    rc: str | None
    state: SettlementState
    since: datetime
    entered_at: datetime
    due_at: datetime | None
    checks: int
    checked_at: datetime | None
    failures: int


@dataclass(frozen=True, slots=True)
class TrackedSettlement(SettlementPlan):
    """A settlement plan with what its checks returned.

    `challans` are those of the newest listing. `ended_at` is when they were settled, or when the checks were given up.
    `failed_at` and `failure` (the name of an error class) are of the last check, and None when it was answered.
    `asked_at` is when a person asked for a check that is still to come.
    """

    challans: tuple[CheckedChallan, ...]
    ended_at: datetime | None
    failed_at: datetime | None
    failure: str | None
    asked_at: datetime | None


class SettlementChange(TypedDict, total=False):
    """The fields of a plan that a check may change. `challans` are stored as JSON, see `as_json`."""

    rc: str | None
    state: SettlementState
    due_at: datetime | None
    checks: int
    checked_at: datetime
    challans: list[dict[str, Any]]
    ended_at: datetime | None
    failures: int
    failed_at: datetime | None
    failure: str | None
    asked_at: datetime | None


@dataclass(frozen=True, slots=True)
class ClaimedVehicle:
    """A vehicle that was claimed for a settlement check, by one of its links; `until` is the claim's end."""

    link_id: str
    rc: str
    until: datetime


@dataclass(frozen=True, slots=True)
class UnplannedLink:
    """A paid link without a settlement plan. `paid_at` is None when the service has not sent it."""

    id: str
    rc: str | None
    paid_at: datetime | None
    status_since: datetime


def add_plan(
    connection: Connection,
    link_id: str,
    *,
    rc: str | None,
    state: SettlementState,
    since: datetime,
    due_at: datetime | None,
    at: datetime,
) -> bool:
    """Add a plan for a paid link; False when there is one already."""
    values = {"link_id": link_id, "rc": rc, "state": state, "since": since, "due_at": due_at, "entered_at": at}
    ended_at = at if due_at is None else None
    return insert_if_absent(connection, settlement, **values, ended_at=ended_at, checks=0, failures=0)


def find_plan(connection: Connection, link_id: str) -> SettlementPlan | None:
    row = connection.execute(select(*_PLAN).where(settlement.c.link_id == link_id)).one_or_none()
    return _plan(row) if row is not None else None


def of_links(connection: Connection, link_ids: Iterable[str]) -> dict[str, TrackedSettlement]:
    """Return the tracked settlements of links, by link id."""
    more = (settlement.c.challans, settlement.c.ended_at, settlement.c.failed_at, settlement.c.failure)
    columns = (*_PLAN, *more, settlement.c.asked_at)
    query = select(*columns).where(settlement.c.link_id.in_(list(link_ids)))
    return {row.link_id: _tracked(row) for row in connection.execute(query)}


def of_vehicle(connection: Connection, rc: str) -> list[SettlementPlan]:
    """Return the plans of a vehicle's paid links, locked until this transaction ends."""
    return [_plan(row) for row in connection.execute(_PLANS_OF_VEHICLE, {"rc": rc})]


def _plan(row: Sequence[Any]) -> SettlementPlan:
    link_id, rc, state, *rest = row
    return SettlementPlan(link_id, rc, SettlementState(state), *rest)


def _tracked(row: Sequence[Any]) -> TrackedSettlement:
    plan = _plan(row[: len(_PLAN)])
    challans, ended_at, failed_at, failure, asked_at = row[len(_PLAN) :]
    return TrackedSettlement(
        link_id=plan.link_id,
        rc=plan.rc,
        state=plan.state,
        since=plan.since,
        entered_at=plan.entered_at,
        due_at=plan.due_at,
        checks=plan.checks,
        checked_at=plan.checked_at,
        failures=plan.failures,
        challans=tuple(CheckedChallan(**each) for each in challans or ()),
        ended_at=ended_at,
        failed_at=failed_at,
        failure=failure,
        asked_at=asked_at,
    )


def covered(connection: Connection, link_ids: Iterable[str]) -> dict[str, list[Covered]]:
    """Return the challans that links cover, by link id; a link without any has an empty list."""
    columns = (link_challan.c.link_id, link_challan.c.challan_id, link_challan.c.challan_no)
    challans: dict[str, list[Covered]] = {link_id: [] for link_id in link_ids}
    query = select(*columns).where(link_challan.c.link_id.in_(list(challans)))
    for row in connection.execute(query.order_by(link_challan.c.link_id, link_challan.c.position)):
        challans[row.link_id].append(Covered(row.challan_id, row.challan_no))
    return challans


def change_plan(connection: Connection, link_id: str, **values: Unpack[SettlementChange]) -> None:
    connection.execute(update(settlement).where(settlement.c.link_id == link_id).values(**values))


def as_json(challans: Iterable[CheckedChallan]) -> list[dict[str, Any]]:
    """Return checked challans as they are stored."""
    return [asdict(each) for each in challans]


# Claims


def any_due(connection: Connection, now: datetime, *, only_asked: bool) -> bool:
    """Return True if a settlement check is due. A cheap read, made before anybody takes the write lock."""
    query = select(settlement.c.link_id).where(*_is_due(now, only_asked=only_asked)).limit(1)
    return connection.execute(query).first() is not None


def _is_due(now: datetime, *, only_asked: bool) -> list[ColumnElement[bool]]:
    asked = [settlement.c.asked_at.is_not(None)] if only_asked else []
    return [settlement.c.due_at <= now, *asked]


def ask_for_all(connection: Connection, at: datetime, limit: int, *, pending: bool = False) -> int:
    """Make the checks of so many vehicles due that nobody verified, longest paid first; returns how many links.

    `pending`: of those instead whose challans the source listed as payable.
    """
    asked = _unverified(pending=pending)
    first = func.min(settlement.c.since)
    oldest = select(settlement.c.rc).where(*asked).group_by(settlement.c.rc).order_by(first).limit(limit)
    rcs = connection.execute(oldest).scalars().all()
    ask = update(settlement).where(*asked, settlement.c.rc.in_(rcs)).values(asked_at=at, due_at=at)
    return len(connection.execute(ask.returning(settlement.c.link_id)).all())


def claim_due(
    connection: Connection, now: datetime, until: datetime, limit: int, *, only_asked: bool
) -> list[ClaimedVehicle]:
    """Claim vehicles whose check is due, the longest overdue first, each for one search for all its links.

    `only_asked`: only those that a person asked for.
    """
    first = func.min(settlement.c.due_at)
    query = select(settlement.c.rc).where(*_is_due(now, only_asked=only_asked), settlement.c.rc.is_not(None))
    taken = []
    for rc in connection.execute(query.group_by(settlement.c.rc).order_by(first).limit(limit)).scalars().all():
        claim = update(settlement).where(settlement.c.rc == rc, settlement.c.due_at <= now).values(due_at=until)
        link_ids = connection.execute(claim.returning(settlement.c.link_id)).scalars().all()
        if link_ids:  # Otherwise another worker was first.
            taken.append(ClaimedVehicle(min(link_ids), rc, until))
    return taken


def still_claimed(connection: Connection, claim: ClaimedVehicle) -> list[SettlementPlan]:
    """Return the plans of a claim that no search has moved on."""
    query = select(*_PLAN).where(settlement.c.rc == claim.rc, settlement.c.due_at == claim.until)
    return [_plan(row) for row in connection.execute(query.order_by(settlement.c.link_id))]


def release(connection: Connection, claim: ClaimedVehicle, due_at: datetime) -> None:
    """End a claim without a result: the vehicle is due again at `due_at`. Reads no row, as one may be unreadable."""
    mine = (settlement.c.rc == claim.rc, settlement.c.due_at == claim.until)
    connection.execute(update(settlement).where(*mine).values(due_at=due_at))


def clamp_plans(connection: Connection, now: datetime, until: datetime) -> None:
    """Make checks due that are planned for later than `until`."""
    connection.execute(update(settlement).where(settlement.c.due_at > until).values(due_at=now))


# Paid links without a plan


def list_unplanned(connection: Connection, limit: int) -> list[UnplannedLink]:
    """List paid links without a plan: those paid before there were plans, and any whose plan could not be written."""
    columns = (link.c.id, link.c.rc, link.c.paid_at, link.c.status_since)
    missing = ~exists().where(settlement.c.link_id == link.c.id)
    query = select(*columns).where(link.c.status == PAID, missing).limit(limit)
    return [UnplannedLink(*row) for row in connection.execute(query)]


def listings_since(connection: Connection, moments: dict[str, datetime]) -> dict[str, tuple[datetime, Listing]]:
    """Return the stored listings, each with its moment, of the vehicles that were searched after `moments[rc]`."""
    query = select(vehicle.c.rc, vehicle.c.searched_at, vehicle.c.unreadable).where(vehicle.c.rc.in_(list(moments)))
    searched = {row.rc: row for row in connection.execute(query) if row.searched_at > moments[row.rc]}
    listed: dict[str, list[Listed]] = {rc: [] for rc in searched}
    columns = (challan.c.rc, challan.c.challan_id, challan.c.challan_no, challan.c.status, challan.c.link_status)
    for row in connection.execute(select(*columns).where(and_(challan.c.rc.in_(list(listed)), challan.c.listed))):
        listed[row.rc].append(Listed(row.challan_id, row.challan_no, row.status, row.link_status))
    return {rc: (row.searched_at, Listing(tuple(listed[rc]), row.unreadable)) for rc, row in searched.items()}


# Counts

_UNVERIFIED = (
    settlement.c.state == SettlementState.WAITING,
    settlement.c.rc.is_not(None),
    settlement.c.asked_at.is_(None),
)
_PENDING = exists().where(
    discrepancy.c.link_id == settlement.c.link_id,
    discrepancy.c.kind == DiscrepancyKind.UNSETTLED,
    discrepancy.c.withdrawn_at.is_(None),
)


def _unverified(*, pending: bool) -> tuple[ColumnElement[bool], ...]:
    """Choose the paid links that nobody saw settled: those listed as pending, or the others."""
    is_listed = _PENDING.where(discrepancy.c.acknowledged_at.is_(None))
    return (*_UNVERIFIED, is_listed if pending else ~is_listed)


def list_unverified(connection: Connection, limit: int) -> list[tuple[str, str]]:
    """List paid links that nobody verified, longest paid first: each id with its vehicle."""
    query = select(settlement.c.link_id, settlement.c.rc).where(*_unverified(pending=False))
    return [(row.link_id, row.rc) for row in connection.execute(query.order_by(settlement.c.since).limit(limit))]


def count_unverified_vehicles(connection: Connection, *, pending: bool = False) -> int:
    """Count the vehicles of the paid links that nobody verified, or of the pending ones: each is one search."""
    query = select(func.count(settlement.c.rc.distinct())).where(*_unverified(pending=pending))
    return int(connection.execute(query).scalar_one())


def count_unverified(connection: Connection) -> tuple[int, int]:
    """Count the paid links that nobody verified, and those that a person asked to be verified and that still wait."""
    waits = select(func.count()).select_from(settlement).where(settlement.c.state == SettlementState.WAITING)
    asked = int(connection.execute(waits.where(settlement.c.asked_at.is_not(None))).scalar_one())
    return int(connection.execute(waits.where(*_unverified(pending=False))).scalar_one()), asked


@dataclass(frozen=True, slots=True)
class Verified:
    """Count the paid links that checks of some time found settled or not, and those whose last check failed."""

    settled: int
    pending: int
    failed: int


def asked_since(connection: Connection) -> datetime | None:
    """Return when the first check was asked for that is still to come."""
    waits = (settlement.c.state == SettlementState.WAITING, settlement.c.asked_at.is_not(None))
    found: datetime | None = connection.execute(select(func.min(settlement.c.asked_at)).where(*waits)).scalar_one()
    return found


def verified_since(connection: Connection, since: datetime) -> Verified:
    """Count what the checks since a moment have found."""

    def count(*conditions: ColumnElement[bool]) -> int:
        return int(connection.execute(select(func.count()).select_from(settlement).where(*conditions)).scalar_one())

    is_settled, failed = settlement.c.state == SettlementState.SETTLED, settlement.c.failed_at >= since
    return Verified(
        count(is_settled, settlement.c.ended_at >= since),
        count(~is_settled, settlement.c.checked_at >= since, or_(~failed, settlement.c.failed_at.is_(None))),
        count(~is_settled, failed),
    )


def count_unchecked(connection: Connection) -> int:
    """Count the paid links that wait for the first listing of their vehicle after the payment."""
    return _count(connection, settlement.c.checked_at.is_(None))


def count_unclear(connection: Connection) -> int:
    """Count the paid links that wait for another check, because the last one was unclear."""
    return _count(connection, settlement.c.checked_at.is_not(None), ~_PENDING)


def _count(connection: Connection, *conditions: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(settlement).where(_planned, *conditions)
    return int(connection.execute(query).scalar_one())
