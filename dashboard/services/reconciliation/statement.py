"""A statement of a period: what was open, made, paid and ended, in all, by vehicle and by cost centre.

It is made by what is known now. A link that ended and was paid later counts as paid on the day it was paid, and as open
until then; so a statement made again after such a payment differs, and says when it was made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import Any

from sqlalchemy import Row

from dashboard.domain.discrepancies import Facts
from dashboard.domain.links import is_ended, is_paid
from dashboard.domain.money import Sum
from dashboard.domain.spreadsheets import Cell, defused
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.reconciliation import discrepancies, statement


@dataclass(slots=True)
class Tally:
    """Links, and what they come to; amounts that are unknown are counted, never treated as zero."""

    links: int = 0
    total: Decimal = Decimal(0)
    unknown: int = 0

    def add(self, amount: Decimal | None) -> None:
        self.links += 1
        if amount is None:
            self.unknown += 1
        else:
            self.total += amount

    @property
    def sum(self) -> Sum:
        return Sum(self.total, self.unknown)


@dataclass(slots=True)
class Movement:
    """How the open links of a period came and went. `opening + made + met_later - paid - paid_untimed - lapsed -
    paid_before = closing`, in links and in amounts.
    """

    opening: Tally = field(default_factory=Tally)
    made: Tally = field(default_factory=Tally)
    paid: Tally = field(default_factory=Tally)
    paid_untimed: Tally = field(default_factory=Tally)  # PAID, and the service has not told when.
    lapsed: Tally = field(default_factory=Tally)
    met_later: Tally = field(default_factory=Tally)  # Paid in the period, before they were met here.
    paid_before: Tally = field(default_factory=Tally)  # Met in the period, and paid before that.
    closing: Tally = field(default_factory=Tally)


@dataclass(frozen=True, slots=True)
class Statement:
    """`unsaid` are links that were PAID, and were said to be something else within the period."""

    start: datetime
    end: datetime
    made_at: datetime
    whole: Movement
    vehicles: dict[str, Movement]  # By number; "" for links whose vehicle is not known.
    cost_centres: dict[str, Movement]  # "" for links without one; empty when none was ever written.
    unsaid: Tally


@dataclass(frozen=True)
class Statements:
    store: Store
    clock: Clock

    def of(self, start: datetime, end: datetime) -> Statement:
        """The statement from a moment to before another; both by our clock."""
        whole, unsaid = Movement(), Tally()
        vehicles: dict[str, Movement] = defaultdict(Movement)
        centres: dict[str, Movement] = defaultdict(Movement)
        spelled: dict[str, str] = {}  # Capitals or not, it is one cost centre, as it is in the filters.
        with self.store.read() as connection:
            has_centres = statement.has_cost_centres(connection)
            of_vehicles = statement.cost_centres_of_vehicles(connection) if has_centres else {}
            for row in statement.moved(connection, start, end):
                names = list(_moves(row, start, end))
                if not names:
                    continue
                moved = [whole, vehicles[row.rc or ""]]
                if has_centres:
                    centre = row.cost_centre or of_vehicles.get(row.rc) or ""
                    moved.append(centres[spelled.setdefault(centre.lower(), centre)])
                for each in moved:
                    for name in names:
                        getattr(each, name).add(row.total)
            for row in discrepancies.unsaid(connection):
                if _unsaid_within(row.facts, start, end):
                    unsaid.add(row.total)
        return Statement(start, end, self.clock(), whole, dict(vehicles), dict(centres), unsaid)


def _moves(row: Row[Any], start: datetime, end: datetime) -> Iterator[str]:
    """By what names a link takes part in a period."""
    met, over = row.first_seen_at, _over(row)
    if met < start and (over is None or over >= start):
        yield "opening"
    if start <= met < end:
        yield "made"
    if over is not None and start <= over < end:
        timed = "paid" if row.paid_at is not None else "paid_untimed"
        yield timed if is_paid(row.status) else "lapsed"
        if over < met:
            yield "met_later"
    if start <= met < end and over is not None and over < met:
        yield "paid_before"
    if met < end and (over is None or over >= end):
        yield "closing"


def _over(row: Row[Any]) -> datetime | None:
    """When a link was paid or ended, by what is known now; None while it is open."""
    if is_paid(row.status):
        paid: datetime = row.paid_at or row.status_since
        return paid
    ended: datetime | None = row.status_since if is_ended(row.status) else None
    return ended


def _unsaid_within(facts: Facts, start: datetime, end: datetime) -> bool:
    found = facts.get("unsaid")
    return found is not None and start <= datetime.fromisoformat(found["at"]) < end


# As a table

#: What each part of a movement is called in an export.
_PARTS = {
    "opening": "Open at the start",
    "made": "Made",
    "paid": "Paid",
    "paid_untimed": "PAID without a time",
    "lapsed": "Lapsed",
    "met_later": "Met only after they were paid",
    "paid_before": "Paid before they were met",
    "closing": "Open at the end",
}


def head(currency: str, zone: tzinfo) -> list[str]:
    """The head of an exported statement; `zone` is the one that people see."""
    columns = [f"By what was known at ({zone})", "Of", "Vehicle or cost centre"]
    for name in _PARTS.values():
        columns += [f"{name}: links", f"{name} ({currency})", f"{name}: without an amount"]
    return columns


def rows(made: Statement) -> Iterator[list[Cell]]:
    """The whole, then a row for each vehicle and for each cost centre."""
    yield [made.made_at, *_cells("all links", "", made.whole)]
    for rc, movement in sorted(made.vehicles.items()):
        yield [made.made_at, *_cells("vehicle", rc or "(not known)", movement)]
    for name, movement in sorted(made.cost_centres.items()):
        yield [made.made_at, *_cells("cost centre", name or "(none)", movement)]


def _cells(of: str, name: str, movement: Movement) -> list[Cell]:
    cells: list[Cell] = [of, defused(name)]
    for part in fields(movement):
        tally: Tally = getattr(movement, part.name)
        cells += [tally.links, tally.total, tally.unknown]
    return cells
