"""Store search runs: the vehicles of each, whose turn it is, and what came of them.

A lane claims one vehicle at a time. What it claimed stays its own until it records an outcome or gives it back, so a
lane that is begun again after a crash finds the vehicle that it had.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Select,
    String,
    Table,
    UniqueConstraint,
    bindparam,
    case,
    func,
    insert,
    select,
    update,
)

from dashboard.domain.fleet import FOUND, SEARCHED, FleetVehicle, SearchOutcome
from dashboard.domain.registration import MAX_LENGTH
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

#: A workflow id of DBOS: the job's id, generation, lane and part.
MAX_LANE = 80

fleet_vehicle = Table(
    "fleet_vehicle",
    metadata,
    Column("run_id", String(36), ForeignKey("fleet_job.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("rc", String(MAX_LENGTH), nullable=False),
    Column("rc_type", String(60)),
    Column("city_id", String(60)),
    Column("tries", Integer, nullable=False),
    Column("not_before", Moment),
    Column("lane", String(MAX_LANE)),
    Column("claimed_at", Moment),
    Column("outcome", String(16)),
    Column("failure", String(40)),
    Column("ended_at", Moment),
    Column("found_rc", String(MAX_LENGTH)),
    Column("payable", Integer),
    Column("new_challans", Integer),
    UniqueConstraint("run_id", "rc"),
)
_is_left = fleet_vehicle.c.outcome.is_(None)
_is_claimed = fleet_vehicle.c.lane.is_not(None)
Index(
    "ix_fleet_vehicle_lane",
    fleet_vehicle.c.run_id,
    fleet_vehicle.c.lane,
    sqlite_where=_is_claimed,
    postgresql_where=_is_claimed,
)
Index(
    "ix_fleet_vehicle_left",
    fleet_vehicle.c.run_id,
    fleet_vehicle.c.position,
    sqlite_where=_is_left,
    postgresql_where=_is_left,
)
Index("ix_fleet_vehicle_ended_at", fleet_vehicle.c.run_id, fleet_vehicle.c.ended_at)


@dataclass(frozen=True, slots=True)
class RunVehicle:
    """A vehicle of a run. Without an `outcome` it waits for its turn, or is being searched since `claimed_at`.

    `found_rc` is the number under which the service knows it, `failure` the failure name of the last try, `payable` and
    `new_challans` count its challans that could be paid after the search, and those not seen in the search before.
    """

    run_id: str
    position: int
    rc: str
    rc_type: str | None
    city_id: str | None
    tries: int
    not_before: datetime | None
    claimed_at: datetime | None
    outcome: SearchOutcome | None
    failure: str | None
    ended_at: datetime | None
    found_rc: str | None
    payable: int | None
    new_challans: int | None


@dataclass(frozen=True, slots=True)
class RunCounts:
    """Count the vehicles of a run: all, those that are being searched, and the ended ones by outcome."""

    vehicles: int = 0
    searching: int = 0
    by_outcome: dict[SearchOutcome, int] = field(default_factory=dict)
    payable: int = 0
    new_challans: int = 0

    @property
    def ended(self) -> int:
        return sum(self.by_outcome.values())

    @property
    def searched(self) -> int:
        return sum(self.by_outcome.get(outcome, 0) for outcome in SEARCHED)

    @property
    def found(self) -> int:
        return sum(self.by_outcome.get(outcome, 0) for outcome in FOUND)


_VEHICLE = select(
    *(
        fleet_vehicle.c[name]
        for name in (
            "run_id",
            "position",
            "rc",
            "rc_type",
            "city_id",
            "tries",
            "not_before",
            "claimed_at",
            "outcome",
            "failure",
            "ended_at",
            "found_rc",
            "payable",
            "new_challans",
        )
    )
)


_OF_RUN = fleet_vehicle.c.run_id == bindparam("of_run")
_ONE = update(fleet_vehicle).where(_OF_RUN, fleet_vehicle.c.position == bindparam("of_position"))
_CLAIMED_BY = _VEHICLE.where(_OF_RUN, _is_left, fleet_vehicle.c.lane == bindparam("of_lane"))
_ONE_CLAIMED = _ONE.where(_is_left, fleet_vehicle.c.lane == bindparam("of_lane"))
_NEXT = _VEHICLE.where(
    _OF_RUN,
    _is_left,
    fleet_vehicle.c.lane.is_(None),
    fleet_vehicle.c.not_before.is_(None) | (fleet_vehicle.c.not_before <= bindparam("now")),
)
_NEXT = _NEXT.order_by(fleet_vehicle.c.position).limit(1).with_for_update(skip_locked=True)


def add(connection: Connection, run_id: str, vehicles: Sequence[FleetVehicle]) -> None:
    """Enter the vehicles of a run, in the order in which they are searched. Each number may come once."""
    rows = [
        {"run_id": run_id, "position": at, "rc": each.rc, "rc_type": each.rc_type, "city_id": each.city_id, "tries": 0}
        for at, each in enumerate(vehicles, start=1)
    ]
    connection.execute(insert(fleet_vehicle), rows)


def claimed_by(connection: Connection, run_id: str, lane: str) -> RunVehicle | None:
    """Return the vehicle that a lane claimed and has not ended."""
    row = connection.execute(_CLAIMED_BY, {"of_run": run_id, "of_lane": lane}).first()
    return _vehicle(row) if row else None


def claim_next(connection: Connection, run_id: str, lane: str, now: datetime) -> RunVehicle | None:
    """Claim the next vehicle whose turn it is; None when there is none at the moment."""
    row = connection.execute(_NEXT, {"of_run": run_id, "now": now}).first()
    if row is None:
        return None
    claimed = {"of_run": run_id, "of_position": row.position, "lane": lane, "claimed_at": now}
    connection.execute(_ONE, claimed)
    return _vehicle(row)


def give_back(
    connection: Connection,
    vehicle: RunVehicle,
    lane: str,
    *,
    failure: str | None,
    tries: int,
    not_before: datetime | None,
) -> None:
    """Give a claimed vehicle back, to be searched later; does nothing where the lane has not claimed it any more."""
    values = {"lane": None, "claimed_at": None, "failure": failure, "tries": tries, "not_before": not_before}
    connection.execute(_ONE_CLAIMED, {**_key(vehicle), "of_lane": lane, **values})


def end(connection: Connection, vehicle: RunVehicle, lane: str, outcome: SearchOutcome, **values: Any) -> bool:
    """Record what came of a claimed vehicle; False where the lane has not claimed it any more."""
    given = {**_key(vehicle), "of_lane": lane, "lane": None, "outcome": str(outcome), **values}
    return connection.execute(_ONE_CLAIMED, given).rowcount == 1


def reset(connection: Connection, run_id: str, outcomes: Collection[SearchOutcome]) -> int:
    """Let the vehicles with one of these outcomes be searched again; return how many."""
    again = update(fleet_vehicle).where(fleet_vehicle.c.run_id == run_id, fleet_vehicle.c.outcome.in_(outcomes))
    nothing = dict.fromkeys(("outcome", "failure", "ended_at", "not_before", "lane", "claimed_at"))
    return connection.execute(again.values(tries=0, **nothing)).rowcount


def complete(connection: Connection, run_id: str, positions: Collection[int], *, rc_type: str, city_id: str) -> int:
    """Let refused vehicles, at these positions, be searched again with RC type and city; return how many."""
    refused = (SearchOutcome.DETAILS_NEEDED, SearchOutcome.REFUSED)
    again = update(fleet_vehicle).where(fleet_vehicle.c.run_id == run_id, fleet_vehicle.c.outcome.in_(refused))
    again = again.where(fleet_vehicle.c.position.in_(positions))
    nothing = dict.fromkeys(("outcome", "failure", "ended_at", "not_before", "lane", "claimed_at"))
    return connection.execute(again.values(tries=0, rc_type=rc_type, city_id=city_id, **nothing)).rowcount


def counts(connection: Connection, run_ids: Iterable[str]) -> dict[str, RunCounts]:
    """Count the vehicles of runs, by run."""
    searching = func.sum(case((_is_left & fleet_vehicle.c.lane.is_not(None), 1), else_=0))
    query = select(
        fleet_vehicle.c.run_id,
        fleet_vehicle.c.outcome,
        func.count(),
        searching,
        func.coalesce(func.sum(fleet_vehicle.c.payable), 0),
        func.coalesce(func.sum(fleet_vehicle.c.new_challans), 0),
    )
    run_ids = list(run_ids)
    query = query.where(fleet_vehicle.c.run_id.in_(run_ids)).group_by(fleet_vehicle.c.run_id, fleet_vehicle.c.outcome)
    found = {run_id: RunCounts() for run_id in run_ids}
    for run_id, outcome, count, under_way, payable, new in connection.execute(query):
        before = found[run_id]
        by_outcome = dict(before.by_outcome)
        if outcome is not None:
            by_outcome[SearchOutcome(outcome)] = int(count)
        found[run_id] = RunCounts(
            before.vehicles + int(count),
            before.searching + int(under_way),
            by_outcome,
            before.payable + int(payable),
            before.new_challans + int(new),
        )
    return found


def latest(connection: Connection, run_id: str, limit: int) -> list[RunVehicle]:
    """Return the vehicles that ended last."""
    query = _VEHICLE.where(fleet_vehicle.c.run_id == run_id, fleet_vehicle.c.ended_at.is_not(None))
    query = query.order_by(fleet_vehicle.c.ended_at.desc(), fleet_vehicle.c.position.desc()).limit(limit)
    return [_vehicle(row) for row in connection.execute(query)]


def with_outcome(
    connection: Connection, run_id: str, outcomes: Collection[SearchOutcome] | None, *, after: int, limit: int
) -> list[RunVehicle]:
    """Return a page of the vehicles with one of these outcomes, by position; None: those without an outcome."""
    query = _VEHICLE.where(fleet_vehicle.c.run_id == run_id, fleet_vehicle.c.position > after)
    query = query.where(_is_left if outcomes is None else fleet_vehicle.c.outcome.in_(outcomes))
    return [_vehicle(row) for row in connection.execute(query.order_by(fleet_vehicle.c.position).limit(limit))]


def ended(connection: Connection, run_id: str) -> list[tuple[int, SearchOutcome, str | None]]:
    """Return the position, the outcome and the number that the service knows of each vehicle with an outcome."""
    columns = fleet_vehicle.c.position, fleet_vehicle.c.outcome, fleet_vehicle.c.found_rc
    query = select(*columns).where(fleet_vehicle.c.run_id == run_id, fleet_vehicle.c.outcome.is_not(None))
    rows = connection.execute(query.order_by(fleet_vehicle.c.position))
    return [(position, SearchOutcome(outcome), found_rc) for position, outcome, found_rc in rows]


def at(connection: Connection, run_id: str, positions: Sequence[int]) -> list[RunVehicle]:
    """Return the vehicles at these positions, in this order."""
    query = _VEHICLE.where(fleet_vehicle.c.run_id == run_id, fleet_vehicle.c.position.in_(positions))
    found = {each.position: each for each in map(_vehicle, connection.execute(query))}
    return [found[position] for position in positions if position in found]


def found_as(connection: Connection, run_id: str, rcs: Collection[str]) -> list[RunVehicle]:
    """Return the vehicles that the service knows under these numbers, by position."""
    query = _VEHICLE.where(fleet_vehicle.c.run_id == run_id, fleet_vehicle.c.found_rc.in_(list(rcs)))
    return [_vehicle(row) for row in connection.execute(query.order_by(fleet_vehicle.c.position))]


def found_with(connection: Connection, run_id: str, outcome: SearchOutcome) -> list[str | None]:
    """Return the numbers under which the service knows the vehicles with an outcome."""
    query = select(fleet_vehicle.c.found_rc).where(fleet_vehicle.c.run_id == run_id, fleet_vehicle.c.outcome == outcome)
    return list(connection.execute(query).scalars())


def numbers_of(run_id: str) -> Select[Any]:
    """Return the query of the numbers under which the service knows the vehicles of a run."""
    query = select(fleet_vehicle.c.found_rc).where(fleet_vehicle.c.run_id == run_id)
    return query.where(fleet_vehicle.c.found_rc.is_not(None))


def _key(vehicle: RunVehicle) -> dict[str, Any]:
    return {"of_run": vehicle.run_id, "of_position": vehicle.position}


def _vehicle(row: Sequence[Any]) -> RunVehicle:
    run_id, position, rc, rc_type, city_id, tries, not_before, claimed_at, outcome, *rest = row
    failure, ended_at, found_rc, payable, new = rest
    return RunVehicle(
        run_id,
        position,
        rc,
        rc_type,
        city_id,
        tries,
        not_before,
        claimed_at,
        SearchOutcome(outcome) if outcome else None,
        failure,
        ended_at,
        found_rc,
        payable,
        new,
    )
