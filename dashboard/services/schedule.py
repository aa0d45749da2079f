"""Plan polls, retries and deadlines. The values are settings in production, and shorter in tests."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from dashboard.domain.links import UNKNOWN_AFTER, is_live, is_paid

Clock = Callable[[], datetime]

#: The polling interval of a link that is no longer young is its age divided by this.
_SHARE = 60


@dataclass(frozen=True, slots=True)
class Schedule:
    """Hold durations, under the names of settings where they are settings, and compute due times from them."""

    #: The total deadlines of calls to the service, retries included: creation, status, and search at the source.
    create_deadline: timedelta = timedelta(seconds=30)
    status_deadline: timedelta = timedelta(seconds=10)
    refresh_deadline: timedelta = timedelta(seconds=45)
    #: A creation may commit at the service this long after its send (A4); and the least time between two searches
    #: that together prove that it did not.
    commit_window: timedelta = timedelta(seconds=120)
    resolve_gap: timedelta = timedelta(seconds=30)
    #: The longest age of a search from which a link may be created.
    snapshot_age: timedelta = timedelta(minutes=15)
    #: The polling interval of a watched link, and how long it counts as watched after its page was opened or polled.
    watched_poll: timedelta = timedelta(seconds=3)
    watched_for: timedelta = timedelta(seconds=30)
    #: The polling interval of a young link, and for how long it is young.
    poll: timedelta = timedelta(seconds=15)
    young_for: timedelta = timedelta(minutes=30)
    #: Later the interval is a sixtieth of the link's age, from `steady_poll` up to `old_poll`.
    steady_poll: timedelta = timedelta(minutes=1)
    old_poll: timedelta = timedelta(minutes=5)
    #: An ended link may still change. It is checked so long after it was observed ended, then daily, and for the last
    #: time `ended_for` after its expiry.
    ended_checks: tuple[timedelta, ...] = (
        timedelta(minutes=1),
        timedelta(minutes=5),
        timedelta(minutes=15),
        timedelta(hours=1),
        timedelta(hours=6),
        timedelta(hours=24),
    )
    ended_for: timedelta = timedelta(hours=24)
    #: A link without an expiry is polled for this long after it was first seen.
    endless_for: timedelta = timedelta(days=8)
    #: The polling interval of a link that is still ACTIVE long past its expiry.
    overdue_poll: timedelta = timedelta(hours=1)
    #: The polling interval of a link that the service no longer knows. It is also polled when somebody opens it, but
    #: not sooner than `unknown_watched` after the last poll.
    unknown_poll: timedelta = timedelta(days=1)
    unknown_watched: timedelta = timedelta(minutes=1)
    #: The backoff after a failed poll: doubled with each failure in a row, up to the longest. That of a watched link
    #: begins with its polling interval.
    first_backoff: timedelta = timedelta(seconds=15)
    longest_backoff: timedelta = timedelta(hours=1)
    longest_watched_backoff: timedelta = timedelta(seconds=30)
    #: The share of an interval by which it varies, so that links are not all polled at once.
    jitter: float = 0.2
    #: A poll holds its lease this much longer than its deadline.
    check_margin: timedelta = timedelta(seconds=3)
    #: The calls of the background work of all processes together: begun in a second, and in flight at once.
    calls_per_second: float = 20.0
    calls_in_flight: int = 16
    #: The searches of bulk work begun in a second, and the searches and creations in flight at once, of all processes.
    fleet_calls_per_second: float = 50.0
    fleet_searches_in_flight: int = 10
    fleet_creations_in_flight: int = 4
    #: The most searches of a person in an hour.
    person_searches: int = 600
    #: For how long personal data is stored: of drivers after they left, of sessions and invitations after their last
    #: use, and of the audit log.
    keep_left_drivers: timedelta = timedelta(days=365)
    keep_sessions: timedelta = timedelta(days=90)
    keep_audit: timedelta = timedelta(days=2920)
    #: The least time between two refreshes of a vehicle from the source by one person.
    refresh_pause: timedelta = timedelta(minutes=1)
    #: Reference data of this age is fetched again.
    lookup_age: timedelta = timedelta(days=1)
    #: A send that has not begun this long after its intent was committed is given up.
    send_within: timedelta = timedelta(seconds=2)
    #: A send may hold its lease this much longer than its deadline.
    lease_margin: timedelta = timedelta(seconds=12)
    #: The waits before each retry of recording a created link that the database refused.
    record_retries: tuple[timedelta, ...] = tuple(timedelta(seconds=seconds) for seconds in (0.2, 0.5, 1, 2, 4))
    #: A prepared request that was not sent by then is abandoned.
    abandon_after: timedelta = timedelta(seconds=30)
    #: When an unclear outcome is resolved after the send ended; then every `resolve_again`, up to six times as long.
    resolve_after: tuple[timedelta, ...] = (timedelta(seconds=3), timedelta(seconds=30), timedelta(seconds=130))
    resolve_again: timedelta = timedelta(minutes=5)
    #: When an outcome is resolved again that a person has to settle, as attempts did not.
    attention_poll: timedelta = timedelta(days=1)
    #: A person can start another attempt to resolve so long after the last one at the earliest.
    resolve_pause: timedelta = timedelta(seconds=10)
    #: After NOT_CREATED, by the time since the send ended: a link committed late is still found.
    late_checks: tuple[timedelta, ...] = (timedelta(minutes=15), timedelta(hours=24))
    #: Whether settlement checks are made by themselves; otherwise only those that a person asked for.
    unattended_settlement_checks: bool = False
    #: When the settlement of a paid link is checked, after the payment, until its challans are settled; then given up.
    settlement_checks: tuple[timedelta, ...] = (
        timedelta(hours=1),
        timedelta(hours=6),
        timedelta(days=1),
        timedelta(days=2),
        timedelta(days=4),
        timedelta(days=7),
    )
    #: The first checks of links paid long ago are spread over this time, so that they do not come all at once.
    settlement_spread: timedelta = timedelta(days=2)
    #: The delay after a failed settlement check, doubled each time up to the longest; given up as well after so long.
    settlement_delay: timedelta = timedelta(minutes=30)
    longest_settlement_delay: timedelta = timedelta(days=1)
    settlement_patience: timedelta = timedelta(days=14)

    def next_check(
        self,
        *,
        status: str,
        status_since: datetime,
        paid_at: datetime | None,
        expires_at: datetime | None,
        first_seen_at: datetime,
        watched_at: datetime | None,
        now: datetime,
        service_clock_offset: timedelta = timedelta(0),
        beside_payable: bool = False,
    ) -> datetime | None:
        """Return when a link is polled next; None when its state cannot change any more, or was polled for long enough.

        `beside_payable`: another link on one of its challans can be paid. An ended link is polled like a young one
        then, however old it is: if it is paid late, people must know before the other one is paid as well.
        `watched_at` is when a person last watched it. `expires_at` is a moment of the service's clock, which is
        `service_clock_offset` ahead of ours.
        """
        if is_paid(status) and paid_at is not None:
            return None
        expires_at = expires_at - service_clock_offset if expires_at else None
        watched = watched_at is not None and now - watched_at <= self.watched_for
        if is_live(status):
            return self._next_of_live(expires_at, first_seen_at, watched, now)
        if is_paid(status):  # The service has not said yet when it was paid.
            interval = self.poll if watched else max(self.steady_poll, (now - status_since) / _SHARE)
            return now + self._with_jitter(interval)
        if beside_payable:
            return now + self._with_jitter(self.poll)
        last = self.last_check(expires_at, first_seen_at)
        if now >= last:
            return None
        if watched:
            return now + self.poll
        return min(last, self._next_of_ended(status_since, now))

    def last_check(self, expires_at: datetime | None, first_seen_at: datetime) -> datetime:
        """Return when an ended link is checked for the last time."""
        return expires_at + self.ended_for if expires_at else first_seen_at + self.endless_for

    def _next_of_live(
        self, expires_at: datetime | None, first_seen_at: datetime, watched: bool, now: datetime
    ) -> datetime | None:
        expired_for = now - expires_at if expires_at else None
        if watched:
            due = now + self.watched_poll
        elif expired_for is None and now - first_seen_at >= self.endless_for:
            return None
        else:
            due = now + self._with_jitter(self._interval(expired_for, now - first_seen_at))
        # The status most likely changes at the expiry, so there is a poll just then.
        return expires_at if expires_at and now < expires_at < due else due

    def _interval(self, expired_for: timedelta | None, age: timedelta) -> timedelta:
        """Return the polling interval of an unpaid, not ended link. Past its expiry it counts as young again."""
        expired = expired_for is not None and expired_for >= timedelta(0)
        passed = expired_for if expired and expired_for is not None else age
        if passed < self.young_for:
            return self.poll
        most = self.overdue_poll if expired and passed >= self.ended_for else self.old_poll
        return min(max(self.steady_poll, passed / _SHARE), most)

    def _next_of_ended(self, since: datetime, now: datetime) -> datetime:
        passed = now - since
        for after in self.ended_checks:
            # A check is skipped when the one before it came late by as much as jitter allows.
            if after * (1 - self.jitter) > passed:
                return since + self._with_jitter(after)
        return now + self._with_jitter(self.ended_checks[-1])

    def backoff(self, failures: int, *, watched: bool) -> timedelta:
        """Return how long to wait after so many failed polls in a row; a `watched` link waits less."""
        first = min(self.watched_poll, self.first_backoff) if watched else self.first_backoff
        longest = self.longest_watched_backoff if watched else self.longest_backoff
        return min(self._with_jitter(first * 2 ** min(max(failures, 1) - 1, 20)), longest)

    def next_of_unknown(
        self, not_found: int, *, status: str, expires_at: datetime | None, first_seen_at: datetime, now: datetime
    ) -> datetime | None:
        """Return when a link is polled next that was answered 404 so many times: after a minute, then daily.

        A live one is polled for ever: it may be another organization's key that does not know it. None when an ended
        one was polled for long enough.
        """
        if not_found < UNKNOWN_AFTER:
            return now + self.unknown_watched
        due = now + self._with_jitter(self.unknown_poll)
        return due if is_live(status) or now < self.last_check(expires_at, first_seen_at) else None

    def _with_jitter(self, span: timedelta) -> timedelta:
        return span * random.uniform(1 - self.jitter, 1 + self.jitter)  # noqa: S311 - spreading, not secrecy.

    def last_attempt(self, send_ended: datetime) -> datetime:
        """Return when the last attempt to resolve is due once a manager has released the claims.

        A link lives for 168 hours at most and is polled for a day more, since it may still be paid. A link without an
        expiry, which the intent may have created, is polled for as long.
        """
        return send_ended + self.endless_for

    def next_settlement_check(self, since: datetime, now: datetime) -> datetime | None:
        """Return when the settlement of a link paid at `since` is checked next; None after the last check.

        A check that would come soon after one at `now` is left out, but never the last.
        """
        for after in self.settlement_checks[:-1]:
            if after * (1 - self.jitter) > now - since:
                return since + self._with_jitter(after)
        last = self.last_settlement_check(since)
        return last if now < last else None

    def last_settlement_check(self, since: datetime) -> datetime:
        """Return when the settlement of a link paid at `since` is checked last, as planned."""
        return since + self.settlement_checks[-1]

    def first_settlement_check(self, since: datetime, now: datetime) -> datetime:
        """Return when the settlement of a link that is planned now is checked first, however long ago it was paid."""
        spread = now + self.settlement_spread * random.random()  # noqa: S311 - spreading, not secrecy.
        return self.next_settlement_check(since, now) or spread

    def settlement_backoff(self, failures: int) -> timedelta:
        """Return the delay before the next settlement check after so many failures in a row."""
        delay = self.settlement_delay * 2 ** min(max(failures, 1) - 1, 20)
        return min(self._with_jitter(delay), self.longest_settlement_delay)

    def next_attempt_with_attention(self, now: datetime) -> datetime:
        """Return when the next attempt is due on an intent that needs attention: daily, never a day late."""
        return now + self.attention_poll * random.uniform(1 - self.jitter, 1)  # noqa: S311 - spreading, not secrecy.

    def next_attempt(self, send_ended: datetime, now: datetime) -> datetime:
        """Return when the next attempt to resolve is due: by the time that has passed, not by attempts made.

        After the first few it comes every five to thirty minutes, with jitter.
        """
        for after in self.resolve_after:
            if send_ended + after > now:
                return send_ended + after
        return now + self.resolve_again * random.uniform(1, 6)  # noqa: S311 - spreading, not secrecy.
