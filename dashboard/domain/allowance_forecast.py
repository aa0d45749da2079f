"""Forecast how much of a day's allowance bulk work may still use.

The service states no size (section 8), so it is learned from a 429; until then everything fits, as far as is known. Of
a learned allowance, bulk work leaves alone what is reserved for resolving unclear outcomes and what people usually need
until it comes back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from dashboard.domain.allowance_resets import Reset

_RESERVE_SHARE, _RESERVE_LEAST = 0.05, 20
_PEOPLE_SHARE, _PEOPLE_LEAST = 0.05, 5
#: From how many past days it is learned what people usually need.
_USUAL_DAYS = 7


class Certainty(StrEnum):
    """Say how the hour is known at which an allowance comes back."""

    ASSUMED = "assumed"  # Midnight in India; no return was seen.
    SEEN = "seen"  # Seen on one day.
    CONFIRMED = "confirmed"  # Seen on several days.


@dataclass(frozen=True, slots=True)
class Forecast:
    """Say how many calls of a bulk run fit into what an allowance has left. None: the service has not refused yet, so
    the size is not known.
    """

    used: int
    learned: int | None
    reserved: int  # For unclear requests and for people.
    queued: int  # Links that plans still have to create.
    left: int | None  # For bulk work, beside what is queued.
    fits: int
    back_from: datetime  # The allowance comes back between these two moments.
    back_at: datetime
    certainty: Certainty
    seen_at: datetime | None  # When it was last seen to come back.


def certainty_of(reset: Reset | None) -> Certainty:
    if reset is None:
        return Certainty.ASSUMED
    return Certainty.SEEN if reset.days == 1 else Certainty.CONFIRMED


def reserve(learned: int) -> int:
    """Return how many of a day's searches are reserved for resolving. An allowance no larger than the least reserve has
    none: other systems may have spent the organization's day.
    """
    return 0 if learned <= _RESERVE_LEAST else max(_RESERVE_LEAST, math.ceil(learned * _RESERVE_SHARE))


def people_share(learned: int, usual: Sequence[int]) -> int:
    """Return how many calls bulk work leaves to people until the allowance comes back.

    `usual` is what they made in the same hours of the past days. The second busiest of those days decides: one odd day
    must not hold back a week of bulk work. 5 % stay for them in any case, at least 5 calls.
    """
    busiest = sorted(usual, reverse=True)
    needed = busiest[min(1, len(busiest) - 1)] if busiest else 0
    return max(_PEOPLE_LEAST, math.ceil(learned * _PEOPLE_SHARE), needed)


def usual_use(by_hour: Mapping[datetime, int], now: datetime, until: datetime) -> list[int]:
    """Return how many calls people made on each of the past seven days between these times of day."""
    days = [timedelta(days=back) for back in range(1, _USUAL_DAYS + 1)]
    return [sum(calls for hour, calls in by_hour.items() if now - day <= hour < until - day) for day in days]


def left_for_bulk(used: int, learned: int, reserved: int) -> int:
    return max(0, learned - used - reserved)
