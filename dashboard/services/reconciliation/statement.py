"""Make the statement of a period: links open, made, paid and ended, in all, by vehicle, by cost centre and by day.

A statement rests on what is known when it is made. A link that ended and was paid later counts as paid on the day of
the payment, and as open until then; so a statement made again after such a payment differs, and names its moment. A
link that this dashboard found after it was paid counts as made when it was paid, so that whatever is paid was open.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import TypeGuard

from dashboard.domain.discrepancies import Facts
from dashboard.domain.links import is_ended, is_paid
from dashboard.domain.money import Sum
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.reconciliation import discrepancies, statement
from dashboard.store.reconciliation.statement import StatementLink


@dataclass(slots=True)
class Tally:
    """Hold a number of links, the total of their known amounts, and how many amounts are unknown."""

    links: int = 0
    total: Decimal = Decimal(0)
    unknown: int = 0

    def add(self, amount: Decimal | None) -> None:
        self.links += 1
        if amount is None:
            self.unknown += 1
        else:
            self.total += amount

    def add_all(self, other: Tally, sign: int = 1) -> None:
        """Add the links of another tally, or take them away where `sign` is -1."""
        self.links += sign * other.links
        self.total += sign * other.total
        self.unknown += sign * other.unknown

    @property
    def sum(self) -> Sum:
        return Sum(self.total, self.unknown)


@dataclass(slots=True)
class Movement:
    """Hold the changes in the open links of a period, in links and in amounts.

    `opening + made - paid - paid_untimed - lapsed = closing`.
    """

    opening: Tally = field(default_factory=Tally)
    made: Tally = field(default_factory=Tally)
    paid: Tally = field(default_factory=Tally)
    paid_untimed: Tally = field(default_factory=Tally)  # PAID, and the service has sent no time of payment.
    lapsed: Tally = field(default_factory=Tally)
    closing: Tally = field(default_factory=Tally)
    found_paid: int = 0  # Links found or made in the period, but not both: they were paid before they were found.

    @property
    def is_empty(self) -> bool:
        """Return whether no link is counted, but as found."""
        return not any(getattr(self, name).links for name in ("opening", *_CAME, *_WENT))


#: What adds to the open links of a period, and what takes from them.
_CAME, _WENT = ("made",), ("paid", "paid_untimed", "lapsed")


@dataclass(frozen=True, slots=True)
class Statement:
    """Hold the statement of the period from `start` to before `end`, as known at `made_at`.

    `vehicles` is keyed by registration number, "" for links whose vehicle is not known; `cost_centres` by name, "" for
    links without one, and empty when there are no cost centres at all. `spans` is keyed by the start of each span that
    was asked for and in which something moved, earliest first. `no_longer_paid` are links that changed from PAID to
    another status within the period, and are not PAID now.
    """

    start: datetime
    end: datetime
    made_at: datetime
    whole: Movement
    vehicles: dict[str, Movement]
    cost_centres: dict[str, Movement]
    spans: dict[datetime, Movement]
    no_longer_paid: Tally


@dataclass(frozen=True)
class Statements:
    store: Store
    clock: Clock

    def make(self, start: datetime, end: datetime, spans: Sequence[datetime] = ()) -> Statement:
        """Make the statement from a moment to before another, both by our clock.

        `spans` are the moments at which the parts of the period begin that are counted apart, the first at `start`.
        """
        whole, no_longer_paid = Movement(), Tally()
        vehicles: dict[str, Movement] = defaultdict(Movement)
        centres: dict[str, Movement] = defaultdict(Movement)
        parts_of_period = _Spans(spans, end)
        spellings: dict[str, str] = {}  # Capitals make no other cost centre, as in the filters of the list.
        with self.store.read() as connection:
            has_centres = statement.has_cost_centres(connection)
            of_vehicles = statement.cost_centres_of_vehicles(connection) if has_centres else {}
            for link in statement.links_within(connection, start, end):
                parts = list(_parts(link, start, end))
                movements = [whole, vehicles[link.rc or ""]]
                if has_centres:
                    centre = link.cost_centre or of_vehicles.get(link.rc or "", "")
                    movements.append(centres[spellings.setdefault(centre.lower(), centre)])
                for movement in movements:
                    for part in parts:
                        tally: Tally = getattr(movement, part)
                        tally.add(link.total)
                    movement.found_paid += _is_found_paid(link, start, end)
                parts_of_period.add(link)
            for late in discrepancies.late_links_not_paid(connection):
                if _changed_within(late.facts, start, end):
                    no_longer_paid.add(late.total)
        balanced = parts_of_period.balanced(whole.opening)
        return Statement(start, end, self.clock(), whole, _moved(vehicles), _moved(centres), balanced, no_longer_paid)


def _moved(found: Mapping[str, Movement]) -> dict[str, Movement]:
    return {name: each for name, each in found.items() if not each.is_empty}


class _Spans:
    """Count the links of each span of a period."""

    def __init__(self, starts: Sequence[datetime], end: datetime) -> None:
        self._starts = starts
        self._ends = (*starts[1:], end)
        self._movements: dict[int, Movement] = defaultdict(Movement)

    def add(self, link: StatementLink) -> None:
        """Count a link where it was found, made and over; what it was open between follows from that."""
        moments = (link.first_seen_at, _over_at(link))
        for number in {bisect_right(self._starts, moment) - 1 for moment in moments if self._holds(moment)}:
            start, end = self._starts[number], self._ends[number]
            for part in _parts(link, start, end):
                if part in _CAME + _WENT:
                    tally: Tally = getattr(self._movements[number], part)
                    tally.add(link.total)
            self._movements[number].found_paid += _is_found_paid(link, start, end)

    def _holds(self, moment: datetime | None) -> TypeGuard[datetime]:
        return moment is not None and bool(self._starts) and self._starts[0] <= moment < self._ends[-1]

    def balanced(self, opening: Tally) -> dict[datetime, Movement]:
        """Return the spans in which something moved, each opening with what the one before it closed with."""
        still_open = replace(opening)
        found = {}
        for number, moved in sorted(self._movements.items()):
            if moved.is_empty:
                continue
            moved.opening = replace(still_open)
            for sign, names in ((1, _CAME), (-1, _WENT)):
                for name in names:
                    still_open.add_all(getattr(moved, name), sign)
            moved.closing = replace(still_open)
            found[self._starts[number]] = moved
        return found


def _parts(link: StatementLink, start: datetime, end: datetime) -> Iterator[str]:
    """Yield the fields of `Movement` that count a link."""
    made, over = _made_at(link), _over_at(link)
    if made < start and (over is None or over >= start):
        yield "opening"
    if start <= made < end:
        yield "made"
    if over is not None and start <= over < end:
        paid = "paid" if link.paid_at is not None else "paid_untimed"
        yield paid if is_paid(link.status) else "lapsed"
    if made < end and (over is None or over >= end):
        yield "closing"


def _made_at(link: StatementLink) -> datetime:
    """Return when a link was made: when it was found, unless it was over by then."""
    over = _over_at(link)
    return link.first_seen_at if over is None else min(link.first_seen_at, over)


def _is_found_paid(link: StatementLink, start: datetime, end: datetime) -> bool:
    """Return whether a link was found within a period or made within it, but not both."""
    return (start <= link.first_seen_at < end) != (start <= _made_at(link) < end)


def _over_at(link: StatementLink) -> datetime | None:
    """Return when a link was paid or ended, as far as is known; None while it is open."""
    if is_paid(link.status):
        return link.paid_at or link.status_since
    return link.status_since if is_ended(link.status) else None


def _changed_within(facts: Facts, start: datetime, end: datetime) -> bool:
    change = facts.get("unsaid")
    return change is not None and start <= datetime.fromisoformat(change["at"]) < end
