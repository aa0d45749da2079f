"""Compute when a repeated search of the fleet is due. Its days and times are those of India."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

INDIA = ZoneInfo("Asia/Kolkata")
#: Days of the week as `date.weekday()` counts them: Monday is 0.
EVERY_DAY = frozenset(range(7))
#: Vehicles that were not searched for so many days, at least and at most.
LEAST_DAYS, MOST_DAYS = 1, 365


class Scope(StrEnum):
    """Name what is searched."""

    LIST = "list"
    ALL = "all"
    OLD = "old"


@dataclass(frozen=True, slots=True)
class Repeat:
    """Say what is searched, and when: on these weekdays at this time. `list_id` and `days` belong to their scopes.
    `at_source`: the source is asked anew, because what is new since the last time is not in the service's cache.
    """

    scope: Scope
    weekdays: frozenset[int]
    at: time
    list_id: int | None = None
    days: int | None = None
    at_source: bool = True


_ALL = "All known vehicles"
_OLD = re.compile(r"Not searched for (\d{1,3}) days?")


def title_of(repeat: Repeat, list_name: str | None) -> str:
    """Name the runs of a repeated search. The name is stored, and so in one language; `read_title` reads it again."""
    match repeat.scope:
        case Scope.LIST:
            return list_name or "List"
        case Scope.OLD:
            return f"Not searched for {repeat.days} days"
        case Scope.ALL:
            return _ALL


def read_title(title: str) -> tuple[Scope, int | None] | None:
    """Return what a run with this name has searched, and for Scope.OLD the days; None for a name that people chose."""
    if title == _ALL:
        return Scope.ALL, None
    found = _OLD.fullmatch(title)
    return (Scope.OLD, int(found[1])) if found else None


def next_time(weekdays: Collection[int], at: time, after: datetime) -> datetime:
    """Return the first moment after `after` that is on one of the weekdays at this time in India.

    However many times have passed, the next is one: what a worker missed while it was off is made up for once.
    """
    day = after.astimezone(INDIA).date()
    for ahead in range(8):
        found = datetime.combine(day + timedelta(days=ahead), at, INDIA)
        if found > after and found.weekday() in weekdays:
            return found.astimezone(UTC)
    raise ValueError("a repeated search needs a weekday")
