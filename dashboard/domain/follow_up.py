"""Decide which unpaid links end soon, and how long one may be snoozed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

#: An unpaid link is followed up this long before it ends, even if a driver was given it.
ENDS_SOON = timedelta(hours=24)
#: Whatever ends within these hours comes first, and is marked wherever it is shown.
LAST_HOURS = timedelta(hours=6)
#: A link that a driver was sent rests this long, and in its last hours only so long.
RESTS = timedelta(hours=12)
RESTS_AT_LAST = timedelta(hours=3)
#: A link that ended unpaid is shown for this long, so that somebody creates another one.
ENDED_LATELY = timedelta(days=7)
#: How long a snooze lasts when no day is chosen.
SNOOZE = timedelta(hours=4)
#: A link comes back to the queue this long before its end, so that a person can still act.
RETURNS_BEFORE_END = timedelta(hours=1)
#: The greatest length of a note on a link, in characters.
MAX_NOTE = 500


class SnoozeProblem(Enum):
    """List the reasons why a link cannot be snoozed."""

    HAS_ENDED = auto()
    ENDS_WITHIN_THE_HOUR = auto()


class NotSnoozed(Exception):
    """Report that a link was not snoozed."""

    def __init__(self, problem: SnoozeProblem) -> None:
        super().__init__(problem.name)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Snooze:
    """Hold the end of a snooze; `is_shortened` when it is earlier than requested, because the link ends."""

    until: datetime
    is_shortened: bool = False


def ends_soon(expires_at: datetime | None, now: datetime) -> bool:
    """Tell whether a link ends so soon that it is followed up."""
    return expires_at is not None and expires_at <= now + ENDS_SOON


def is_urgent(expires_at: datetime | None, now: datetime) -> bool:
    """Tell whether little time is left to pay a link: a day would mark most links, and so none."""
    return expires_at is not None and expires_at <= now + LAST_HOURS


def rests(sent_at: datetime, expires_at: datetime | None, now: datetime) -> bool:
    """Tell whether it is too early to remind of a link that a driver was sent at `sent_at`."""
    is_at_last = expires_at is not None and expires_at - now <= LAST_HOURS
    return now - sent_at < (RESTS_AT_LAST if is_at_last else RESTS)


def rests_until(sent_at: datetime, expires_at: datetime | None) -> datetime:
    """Return when it is no longer too early to remind of a link that a driver was sent at `sent_at`."""
    if expires_at is None:
        return sent_at + RESTS
    return min(sent_at + RESTS, max(sent_at + RESTS_AT_LAST, expires_at - LAST_HOURS))


def asks_again(
    sent_at: datetime | None, snoozed_until: datetime | None, expires_at: datetime | None, now: datetime
) -> datetime | None:
    """Return when the queue asks again for a link that somebody has; None where it asks now, or not before its end.

    `sent_at` is None where its payment URL was copied alone, which gives it no rest.
    """
    if expires_at is None:
        return None
    moments = [expires_at - ENDS_SOON]
    if sent_at is not None:
        moments.append(rests_until(sent_at, expires_at))
    if snoozed_until is not None:
        moments.append(snoozed_until)
    return at if now < (at := max(moments)) < expires_at else None


def snooze(until: datetime, expires_at: datetime | None, now: datetime) -> Snooze:
    """Return until when a link can be snoozed. Raises NotSnoozed when it ends too soon."""
    if expires_at is None or until <= (latest := expires_at - RETURNS_BEFORE_END):
        return Snooze(until)
    if expires_at <= now:
        raise NotSnoozed(SnoozeProblem.HAS_ENDED)
    if latest <= now:
        raise NotSnoozed(SnoozeProblem.ENDS_WITHIN_THE_HOUR)
    return Snooze(latest, is_shortened=True)
