"""How long things may take and how often they are looked at. Settings in production, shortened in tests."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from dashboard.domain.links import is_live, is_paid

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Pace:
    create_deadline: timedelta = timedelta(seconds=30)
    status_deadline: timedelta = timedelta(seconds=10)
    refresh_deadline: timedelta = timedelta(seconds=45)
    settle: timedelta = timedelta(seconds=120)
    gap: timedelta = timedelta(seconds=30)
    snapshot_age: timedelta = timedelta(minutes=15)
    watched_poll: timedelta = timedelta(seconds=3)
    watched_for: timedelta = timedelta(seconds=30)
    poll: timedelta = timedelta(seconds=15)
    #: An ended link may still change: it is looked at this often, this long after its expiry.
    ended_poll: timedelta = timedelta(minutes=15)
    ended_for: timedelta = timedelta(hours=24)
    #: A link without an expiry is followed this long after it was first seen.
    endless_for: timedelta = timedelta(days=8)
    lookup_age: timedelta = timedelta(days=1)
    #: A send that has not begun this long after its record was committed is given up: its moment has passed.
    send_within: timedelta = timedelta(seconds=2)
    #: How much longer than its deadline a send may hold its lease.
    lease_margin: timedelta = timedelta(seconds=12)
    #: How long to wait, each time, before a database that refused the record of a created link is asked again.
    record_again: tuple[timedelta, ...] = tuple(timedelta(seconds=seconds) for seconds in (0.2, 0.5, 1, 2, 4))
    #: A prepared request that nobody sent is abandoned.
    abandon_after: timedelta = timedelta(seconds=30)
    #: The looks at an unclear request after its send ended; then every `look_again`.
    looks: tuple[timedelta, ...] = (timedelta(seconds=3), timedelta(seconds=30), timedelta(seconds=130))
    look_again: timedelta = timedelta(minutes=5)
    #: After the verdict of absence: a link committed late is still found.
    audit_looks: tuple[timedelta, ...] = (timedelta(minutes=15), timedelta(hours=24))

    def next_check(
        self,
        *,
        status: str,
        paid_at: datetime | None,
        expires_at: datetime | None,
        first_seen_at: datetime,
        looked_at: datetime | None,
        now: datetime,
    ) -> datetime | None:
        """When a link is asked for again, or None when there is nothing more to learn."""
        if is_paid(status) and paid_at is not None:
            return None
        watched = looked_at is not None and now - looked_at <= self.watched_for
        if is_live(status):
            return now + (self.watched_poll if watched else self.poll)
        # Ended, or paid without saying when: it may still change, for a while.
        last = expires_at + self.ended_for if expires_at else first_seen_at + self.endless_for
        often = self.poll if watched or is_paid(status) else self.ended_poll
        return now + often if now < last else None

    def last_look(self, send_ended: datetime) -> datetime:
        """When a request that was set aside is looked at for the last time.

        A link lives for 168 hours at most and is looked at for a day more, since it may still be paid; and so long is a
        link without an expiry followed, which this request may have made.
        """
        return send_ended + self.endless_for

    def next_look(self, send_ended: datetime, now: datetime) -> datetime:
        """When an unclear request is looked at for the next time: by the time that has passed, not by looks made.

        After the first few it comes every five to thirty minutes, spread so that requests do not march in step.
        """
        for after in self.looks:
            if send_ended + after > now:
                return send_ended + after
        return now + self.look_again * random.uniform(1, 6)  # noqa: S311 - spreading, not secrecy.
