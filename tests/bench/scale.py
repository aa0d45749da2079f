"""Calculate what a fleet of any size asks of the service, the workers and the disk, and say what breaks first.

The polls are not estimated: the real `Schedule` plans those of a link from its creation to its last check.
"""

from __future__ import annotations

import random
import statistics
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dashboard.domain.links import ACTIVE
from dashboard.services.schedule import Schedule
from tests.bench import ledger
from tests.bench.tables import Table

#: Measured: CPU of a worker for one search of a run, for one poll, and bytes of a link with ten challans on the disk
#: (docs/bench.md). The service's time for a search is assumed, because the document does not state it.
_SEARCH_CPU, _POLL_CPU, _LINK_BYTES, _SEARCH_SECONDS = 0.012, 0.006, 9_000, 0.3
_DAY = 86_400


@dataclass(frozen=True)
class _Fleet:
    vehicles: int
    links: int  #: In two years.

    @property
    def links_a_day(self) -> float:
        return self.links / 730


def measure(folder: Path, links: int) -> list[Table]:
    """Calculate for growing fleets, and measure the pages on a ledger of so many links."""
    fleets = [_Fleet(500, 5_000), _Fleet(5_000, 50_000), _Fleet(100_000, 1_000_000)]
    return [_calculated(fleets), *ledger.measure(folder, links)]


def polls_of_a_link(schedule: Schedule, lives_for: timedelta) -> int:
    """Return how often a link is polled that nobody watches: live for so long, then expired until its last check."""
    random.seed(1)
    made = datetime(2026, 1, 1, tzinfo=UTC)
    ended, now, polls = made + lives_for, made, 0
    while True:
        is_live = now < ended
        due = schedule.next_check(
            status=ACTIVE if is_live else "EXPIRED",
            status_since=made if is_live else ended,
            paid_at=None,
            expires_at=ended,
            first_seen_at=made,
            watched_at=None,
            now=now,
        )
        if due is None:
            return polls
        now, polls = max(due, now + timedelta(seconds=1)), polls + 1


def _calculated(fleets: list[_Fleet]) -> Table:
    schedule = Schedule()
    polls = statistics.mean(polls_of_a_link(schedule, timedelta(hours=hours)) for hours in (24, 48, 168))
    table = Table(
        "What a fleet asks for, calculated",
        f"Links of two years; each is polled {polls:.0f} times in its life, as the schedule plans it for lifetimes of "
        "24, 48 and 168 hours that nobody watches and nobody pays. A search takes "
        f"{_SEARCH_SECONDS} s (assumed), and {schedule.fleet_searches_in_flight} are in flight.",
        ("figure", *(f"{fleet.vehicles:,} vehicles, {fleet.links:,} links" for fleet in fleets)),
    )
    rows = {
        "links a day": [f"{fleet.links_a_day:,.0f}" for fleet in fleets],
        "polls a second, on average": [f"{fleet.links_a_day * polls / _DAY:.1f}" for fleet in fleets],
        "of the polls that may begin": [
            f"{fleet.links_a_day * polls / _DAY / schedule.calls_per_second:.0%}" for fleet in fleets
        ],
        "CPU of workers for polls": [f"{fleet.links_a_day * polls / _DAY * _POLL_CPU:.2f} cores" for fleet in fleets],
        "a search of all vehicles": [
            _hours(fleet.vehicles * _SEARCH_SECONDS / schedule.fleet_searches_in_flight) for fleet in fleets
        ],
        "CPU of that search": [_hours(fleet.vehicles * _SEARCH_CPU) for fleet in fleets],
        "searches a day, if each vehicle is searched nightly": [f"{fleet.vehicles:,}" for fleet in fleets],
        "runs for that": [f"{-(-fleet.vehicles // 10_000)}" for fleet in fleets],
        "database after two years": [f"{fleet.links * _LINK_BYTES / 1e9:.1f} GB" for fleet in fleets],
    }
    for name, cells in rows.items():
        table.add(name, *cells)
    return table


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.1f} min"
