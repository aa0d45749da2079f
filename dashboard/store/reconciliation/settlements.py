"""Paid links whose challans are looked for at the source until they are seen settled: one row for each.

A look is one search of a vehicle, for all its links at once. Whoever looks claims the vehicle by moving its rows' time
ahead, by compare-and-set: when that process is gone, they are due again by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Row,
    String,
    Table,
    and_,
    exists,
    func,
    select,
    update,
)

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.links import PAID
from dashboard.domain.registration import MAX_LENGTH
from dashboard.domain.settlements import Covered, Listed, Listing, SeenChallan, SettlementState
from dashboard.store.links.tables import link, link_challan
from dashboard.store.reconciliation.discrepancies import finding
from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent
from dashboard.store.vehicles.vehicles import challan, vehicle

settlement = Table(
    "settlement",
    metadata,
    Column("link_id", String(36), ForeignKey("link.id"), primary_key=True),
    Column("rc", String(MAX_LENGTH), index=True),  # None: its vehicle is not known, so that nothing can be asked.
    Column("state", String(8), nullable=False),
    Column("since", Moment, nullable=False),  # The payment, from which the looks are planned.
    Column("entered_at", Moment, nullable=False),
    Column("due_at", Moment),  # None while no look is planned.
    Column("tries", Integer, nullable=False),  # Looks at the source that came to an answer.
    Column("seen_at", Moment),  # The newest listing of the vehicle after the payment.
    Column("raw", JSON),  # Its challans as that listing shows them.
    Column("ended_at", Moment),  # When they were seen settled, or the looks were given up.
    Column("failures", Integer, nullable=False),  # How many looks have failed in a row.
    Column("failed_at", Moment),
    Column("failure", String(40)),
)
_planned = settlement.c.due_at.is_not(None)
Index("ix_settlement_due_at", settlement.c.due_at, sqlite_where=_planned, postgresql_where=_planned)

#: What is read of a row on the way of an answer: nothing that could be unreadable.
_PLAN = (
    settlement.c.link_id,
    settlement.c.rc,
    settlement.c.state,
    settlement.c.since,
    settlement.c.due_at,
    settlement.c.entered_at,
    settlement.c.tries,
    settlement.c.failures,
)


@dataclass(frozen=True, slots=True)
class Due:
    """A vehicle that was claimed for a look, by one of its links; `until` is the claim's end."""

    link_id: str
    rc: str
    until: datetime


def enter(
    connection: Connection,
    link_id: str,
    *,
    rc: str | None,
    state: SettlementState,
    since: datetime,
    due_at: datetime | None,
    at: datetime,
) -> bool:
    """Enter a paid link; False when it is entered already."""
    values = {"link_id": link_id, "rc": rc, "state": state, "since": since, "due_at": due_at, "entered_at": at}
    ended_at = at if due_at is None else None
    return insert_if_absent(connection, settlement, **values, ended_at=ended_at, tries=0, failures=0)


def find(connection: Connection, link_id: str) -> Row[Any] | None:
    return connection.execute(select(settlement).where(settlement.c.link_id == link_id)).one_or_none()


def find_all(connection: Connection, link_ids: Iterable[str]) -> dict[str, Row[Any]]:
    query = select(settlement).where(settlement.c.link_id.in_(list(link_ids)))
    return {row.link_id: row for row in connection.execute(query)}


def of_vehicle(connection: Connection, rc: str) -> Sequence[Row[*tuple[Any, ...]]]:
    """The plans of a vehicle's paid links, nobody else's to change until this transaction ends."""
    query = select(*_PLAN).where(settlement.c.rc == rc).order_by(settlement.c.link_id)
    return connection.execute(query.with_for_update()).all()


def covered(connection: Connection, link_ids: Iterable[str]) -> dict[str, list[Covered]]:
    """The challans of links by their ids and numbers alone."""
    columns = (link_challan.c.link_id, link_challan.c.challan_id, link_challan.c.challan_no)
    found: dict[str, list[Covered]] = {link_id: [] for link_id in link_ids}
    query = select(*columns).where(link_challan.c.link_id.in_(list(found)))
    for row in connection.execute(query.order_by(link_challan.c.link_id, link_challan.c.position)):
        found[row.link_id].append(Covered(row.challan_id, row.challan_no))
    return found


def change(connection: Connection, link_id: str, **values: Any) -> None:
    connection.execute(update(settlement).where(settlement.c.link_id == link_id).values(**values))


def kept(challans: Iterable[SeenChallan]) -> list[dict[str, Any]]:
    """What a look shows, as it is kept in `raw`."""
    return [asdict(each) for each in challans]


def seen_challans(raw: Any) -> tuple[SeenChallan, ...]:
    """What a look has shown, from `raw`."""
    return tuple(SeenChallan(**each) for each in raw or ())


# Whose turn it is


def any_due(connection: Connection, now: datetime) -> bool:
    """Whether a vehicle waits for a look: cheap, before anybody takes the write lock."""
    return (
        connection.execute(select(settlement.c.link_id).where(settlement.c.due_at <= now).limit(1)).first() is not None
    )


def take_due(connection: Connection, now: datetime, until: datetime, limit: int) -> list[Due]:
    """Claim vehicles that are due, those first that have waited the longest, each for one look for all its links."""
    first = func.min(settlement.c.due_at)
    query = select(settlement.c.rc).where(settlement.c.due_at <= now, settlement.c.rc.is_not(None))
    taken = []
    for rc in connection.execute(query.group_by(settlement.c.rc).order_by(first).limit(limit)).scalars().all():
        claim = update(settlement).where(settlement.c.rc == rc, settlement.c.due_at <= now).values(due_at=until)
        claimed = connection.execute(claim.returning(settlement.c.link_id)).scalars().all()
        if claimed:  # Else somebody was first.
            taken.append(Due(min(claimed), rc, until))
    return taken


def still_claimed(connection: Connection, due: Due) -> Sequence[Row[*tuple[Any, ...]]]:
    """The rows of a claim that no search has answered."""
    query = select(*_PLAN).where(settlement.c.rc == due.rc, settlement.c.due_at == due.until)
    return connection.execute(query.order_by(settlement.c.link_id)).all()


def put_off(connection: Connection, due: Due, due_at: datetime) -> None:
    """End a claim without an answer: the vehicle is due again then. Reads no row, as it may be one that fails."""
    mine = (settlement.c.rc == due.rc, settlement.c.due_at == due.until)
    connection.execute(update(settlement).where(*mine).values(due_at=due_at))


# Paid links that have no row yet


def not_entered(connection: Connection, limit: int) -> Sequence[Row[*tuple[Any, ...]]]:
    """Paid links without a row: those paid before there was such a table, and any whose row could not be written."""
    columns = (link.c.id, link.c.rc, link.c.paid_at, link.c.status_since)
    missing = ~exists().where(settlement.c.link_id == link.c.id)
    return connection.execute(select(*columns).where(link.c.status == PAID, missing).limit(limit)).all()


def listings_since(connection: Connection, moments: dict[str, datetime]) -> dict[str, tuple[datetime, Listing]]:
    """The stored listings of those vehicles that were searched after a moment of theirs, and when that was."""
    query = select(vehicle.c.rc, vehicle.c.searched_at, vehicle.c.unreadable).where(vehicle.c.rc.in_(list(moments)))
    searched = {row.rc: row for row in connection.execute(query) if row.searched_at > moments[row.rc]}
    listed: dict[str, list[Listed]] = {rc: [] for rc in searched}
    columns = (challan.c.rc, challan.c.challan_id, challan.c.challan_no, challan.c.status, challan.c.link_status)
    for row in connection.execute(select(*columns).where(and_(challan.c.rc.in_(list(listed)), challan.c.listed))):
        listed[row.rc].append(Listed(row.challan_id, row.challan_no, row.status, row.link_status))
    return {rc: (row.searched_at, Listing(tuple(listed[rc]), row.unreadable)) for rc, row in searched.items()}


def counts(connection: Connection) -> dict[str, int]:
    """How many paid links are in each state of settlement."""
    query = select(settlement.c.state, func.count()).group_by(settlement.c.state)
    return {row.state: row[1] for row in connection.execute(query)}


def unclear(connection: Connection) -> int:
    """How many paid links wait for another look, as the last showed their challans neither settled nor payable."""
    payable = (finding.c.link_id == settlement.c.link_id, finding.c.kind == DiscrepancyKind.UNSETTLED)
    said = exists().where(*payable, finding.c.gone_at.is_(None))
    waiting = (settlement.c.due_at.is_not(None), settlement.c.seen_at.is_not(None), ~said)
    return int(connection.execute(select(func.count()).select_from(settlement).where(*waiting)).scalar_one())


def not_looked_at(connection: Connection) -> int:
    """How many paid links wait for the first listing of their vehicle after the payment."""
    waiting = (settlement.c.due_at.is_not(None), settlement.c.seen_at.is_(None))
    return int(connection.execute(select(func.count()).select_from(settlement).where(*waiting)).scalar_one())
