"""Learn at which hour of the day an allowance comes back, from refusals and the first call granted after them.

The document does not say when a day's allowance begins anew (section 8). It lies between the last refused call and the
first granted one; further days narrow it, and a return at another hour replaces what was learned. Until a return was
seen, midnight in India is assumed: the service is an Indian one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

INDIA = ZoneInfo("Asia/Kolkata")

_DAY = 24 * 60
#: Minutes are rounded outwards to this many, so that clocks that differ by seconds contradict nothing.
_STEP = 5
#: Within what was seen, the likely hours: midnight in India and midnight in UTC, in minutes of the Indian day.
_LIKELY = (0, 330)
#: A refusal that ends sooner is no sign of a new day.
_PASSING = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Reset:
    """Say between which minutes of the Indian day an allowance comes back; `by` may be past midnight. `days` is on how
    many days that was seen, and `seen_at` when last.
    """

    after: int
    by: int
    days: int
    seen_at: datetime

    @property
    def width(self) -> int:
        return (self.by - self.after) % _DAY

    @property
    def begins(self) -> int:
        """Return the minute from which calls count for the next day: a likely hour, or else the earliest possible."""
        return next((each for each in _LIKELY if (each - self.after) % _DAY <= self.width), self.after)


@dataclass(frozen=True, slots=True)
class Refusals:
    """Hold since when the service refuses an allowance, and when a call that it refused was made last."""

    since: datetime
    latest_at: datetime

    def and_again(self, asked_at: datetime) -> Refusals:
        """Add a refusal; after a day, or after a clock went back, they begin anew."""
        if timedelta(0) <= asked_at - self.latest_at < timedelta(days=1):
            return replace(self, latest_at=asked_at)
        return Refusals(asked_at, asked_at)


def learn(known: Reset | None, refusals: Refusals, granted_at: datetime) -> Reset | None:
    """Return what is known after a call was granted: narrowed, replaced when it was seen at another hour, or as before
    when the refusals were too short or too long ago to show anything.
    """
    seen = _seen(refusals, granted_at)
    if seen is None:
        return known
    if known is None or (narrowed := _overlap(known, seen)) is None:
        return seen
    is_new_day = granted_at.astimezone(INDIA).date() != known.seen_at.astimezone(INDIA).date()
    return replace(narrowed, days=known.days + is_new_day, seen_at=granted_at)


def is_contradicted(known: Reset, refusals: Refusals) -> bool:
    """Return whether the service still refused after the allowance should have come back."""
    refused_at = refusals.latest_at - timedelta(minutes=_STEP)
    came_back_by = _next(refused_at, known.by) - timedelta(days=1)
    return refusals.since < came_back_by - timedelta(minutes=known.width)


def day_of(now: datetime, reset: Reset | None) -> date:
    """Return the day for which a call counts: the Indian day that holds the greater part of the allowance's day."""
    begins = reset.begins if reset is not None else 0
    return (now.astimezone(INDIA) + timedelta(minutes=-begins if begins < _DAY // 2 else _DAY - begins)).date()


def next_day_begins(now: datetime, reset: Reset | None) -> datetime:
    """Return from when calls count for the next day."""
    return _next(now, reset.begins if reset is not None else 0)


def next_return(now: datetime, reset: Reset | None) -> tuple[datetime, datetime]:
    """Return the moments between which the allowance comes back next; the first may have passed."""
    if reset is None:
        midnight = _next(now, 0)
        return midnight, midnight
    by = _next(now, reset.by)
    begins = by - timedelta(minutes=reset.width)
    has_come = begins <= reset.seen_at <= now
    return (begins + timedelta(days=1), by + timedelta(days=1)) if has_come else (begins, by)


def may_not_be_back(now: datetime, reset: Reset | None) -> bool:
    """Return whether calls count for a new day already, while the allowance may come back a little later only."""
    if reset is None:
        return False
    began = next_day_begins(now, reset) - timedelta(days=1)
    return reset.seen_at < began and now < began + timedelta(minutes=(reset.by - reset.begins) % _DAY)


def next_try(now: datetime, reset: Reset | None) -> datetime:
    """Return when a call should try a refused allowance: amid the minutes in which it comes back, because the answer
    halves them for the next day, and at their end.
    """
    begins, by = next_return(now, reset)
    middle = begins + (by - begins) / 2
    return middle if now < middle and by - begins > timedelta(minutes=2 * _STEP) else by


def _seen(refusals: Refusals, granted_at: datetime) -> Reset | None:
    """Return what one return shows."""
    if granted_at - refusals.since < _PASSING or granted_at <= refusals.latest_at:
        return None
    if granted_at - refusals.latest_at > timedelta(days=1, minutes=-2 * _STEP):
        return None
    after, by = _minute(refusals.latest_at), _minute(granted_at)
    after, by = after - after % _STEP, by + _STEP - by % _STEP
    return Reset(after, by % _DAY, 1, granted_at)


def _overlap(known: Reset, seen: Reset) -> Reset | None:
    """Return the minutes in both; those known when both halves of a long night remain possible; None without any."""
    offset = (seen.after - known.after) % _DAY
    pieces = [
        (max(0, begins), min(known.width, begins + seen.width))
        for begins in (offset, offset - _DAY)
        if max(0, begins) < min(known.width, begins + seen.width)
    ]
    if not pieces:
        return None
    if len(pieces) > 1:
        return known
    begins, ends = pieces[0]
    return replace(known, after=(known.after + begins) % _DAY, by=(known.after + ends) % _DAY)


def _minute(moment: datetime) -> int:
    here = moment.astimezone(INDIA)
    return here.hour * 60 + here.minute


def _next(now: datetime, minute: int) -> datetime:
    """Return the next moment, after `now`, at a minute of the Indian day."""
    here = now.astimezone(INDIA)
    moment = here.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0)
    return moment if moment > here else moment + timedelta(days=1)
