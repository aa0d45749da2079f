"""Following links: the service is asked once per link and interval, however many people look."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from dashboard.domain.links import PaymentLink
from dashboard.errors import NotFound, Operation, ServiceError, Unreachable
from dashboard.services.links import ledger
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock, Schedule
from dashboard.store.engine import Store
from dashboard.store.links import due_links, links
from dashboard.store.links.records import Link
from dashboard.store.operations import call_budget
from dashboard.upstream import ServiceClient

log = logging.getLogger(__name__)

#: Seconds between glances at what somebody else is asking for.
_OTHERS_PAUSE = 0.05
_GONE_FIRST, _GONE_LATER = timedelta(seconds=60), timedelta(hours=1)


@dataclass(frozen=True)
class LinkPoller:
    store: Store
    client: ServiceClient
    call_policy: CallPolicy
    clock: Clock
    schedule: Schedule

    def mark_watched(self, link_id: str) -> None:
        """Somebody looks at the link: ask for it sooner. Written once per third of the time a look counts."""
        now = self.clock()
        row = self.store.cached_read(("link", link_id), lambda connection: links.find(connection, link_id))
        if row is None or (row.looked_at is not None and now - row.looked_at < self.schedule.watched_for / 3):
            return
        # A link that the service does not know keeps its plan: asking more often brings nothing back.
        is_gone = row.failure == NotFound.__name__
        due = row.next_check_at if is_gone else self._next_check(row, looked=True)
        if due is not None and not is_gone and row.failed_at is not None and row.failures:
            due = max(due, row.failed_at + self.schedule.pause(row.failures, watched=row.failure != due_links.FAULT))
        with self.store.write() as connection:
            due_links.record_look(connection, link_id, now, due)

    def refresh(self, link_id: str, *, unless_checked_since: datetime | None = None) -> bool:
        """Ask for a link now; raises ServiceError after recording it.

        False, and nothing is asked, when somebody else is asking just now, or was told since the moment given.
        """
        now = self.clock()
        with self.store.write() as connection:
            taken = due_links.take(connection, link_id, now, now + self._lease(), unless_checked_since)
        if taken:
            self._poll(link_id)
        return taken

    def require_fresh(self, link_id: str) -> None:
        """Ask for a link now, or wait for what somebody else is told who is asking.

        Where the other's call comes to nothing, it is asked again. Raises ServiceError when there is no answer: who
        returns from here has seen the link as it is now, unless the store does not know it.
        """
        began = self.clock()
        give_up = time.monotonic() + self._lease().total_seconds()
        asked = self.refresh(link_id)
        while not asked:
            if time.monotonic() > give_up:
                raise Unreachable(Operation.GET_PAYMENT_LINK, detail="others asked for the link and were told nothing")
            time.sleep(_OTHERS_PAUSE)
            with self.store.read() as connection:
                row = links.find(connection, link_id)
            if row is None or (row.checked_at is not None and row.checked_at >= began):
                return
            asked = self.refresh(link_id, unless_checked_since=began)

    def claim_due(self, limit: int) -> list[str]:
        """Claim links that are due for a check, as far as the gate and the budget of all processes allow; the caller
        must `poll_claimed` each, or `release_leases`.

        Three of four places go to links that somebody watches; the others get theirs by the time they have waited, so
        that neither starves.
        """
        now = self.clock()
        with self.store.read() as connection:
            if not due_links.any_due(connection, now) or self._budget(connection, now) <= 0:
                return []
        room = self.call_policy.room(Operation.GET_PAYMENT_LINK)
        limit = limit if room is None else min(limit, room)
        if limit <= 0:
            return []
        with self.store.write() as connection:
            limit = min(limit, self._budget(connection, now, lock=True))
            if limit <= 0:
                return []
            due = due_links.due(connection, now, now - self.schedule.watched_for, limit)
            taken = due_links.take_all(connection, due, now, now + self._lease())
            call_budget.use(connection, now, self.schedule.calls_per_second, len(taken))
            return taken

    def _budget(self, connection: Connection, now: datetime, *, lock: bool = False) -> int:
        """How many checks may begin now. Whoever is asking holds a lease, so the leases tell how many are under way."""
        left = call_budget.left(connection, now, self.schedule.calls_per_second, lock=lock)
        return min(left, self.schedule.calls_in_flight - due_links.under_way(connection, now))

    def poll_claimed(self, link_id: str) -> None:
        """Ask for a link claimed by `take_due`. What the service refuses is recorded, not raised."""
        try:
            self._poll(link_id)
        except ServiceError as error:
            log.info("a link could not be checked: %s", error, extra={"link_id": link_id})

    def release_leases(self, link_ids: Iterable[str]) -> None:
        """Free links that were claimed and will not be checked here: another process may take them at once."""
        with self.store.write() as connection:
            due_links.free(connection, link_ids)

    def _lease(self) -> timedelta:
        return self.schedule.status_deadline + self.schedule.check_margin

    def _poll(self, link_id: str) -> PaymentLink:
        try:
            return self._ask(link_id)
        except ServiceError:
            raise
        except Exception:
            # A row that cannot be worked on is left alone, longer each time, and stands in no other's way.
            self._set_back(link_id)
            raise

    def _ask(self, link_id: str) -> PaymentLink:
        started = self.clock()
        try:
            answer = self.call_policy.call(Operation.GET_PAYMENT_LINK, lambda: self.client.get_payment_link(link_id))
        except ServiceError as error:
            self._record_failure(link_id, error)
            raise
        now = self.clock()
        with self.store.write() as connection:
            ours = ledger.is_our_organization(connection, answer, now)
            if ours:
                ledger.enter_link(connection, answer, self.schedule, now, started_at=started)
        if not ours:
            stranger = self.call_policy.block_other_organization(Operation.GET_PAYMENT_LINK)
            self._record_failure(link_id, stranger)
            raise stranger
        return answer

    def _record_failure(self, link_id: str, error: ServiceError) -> None:
        now = self.clock()
        with self.store.write() as connection:
            row = links.find(connection, link_id)
            if row is None:
                return
            asked = error.sent or isinstance(error, Unreachable)
            if isinstance(error, NotFound):
                due = self._next_after_gone(row, now)
            elif asked:
                due = max(self._next_check(row, looked=False) or now, now + self._pause(row, (row.failures or 0) + 1))
                due = max(due, now + timedelta(seconds=error.retry_after or 0))
            else:  # Nothing was asked: this tells nothing of the link, and its next check is as due as it was.
                due = row.next_check_at
            failures = (row.failures or 0) + asked
            due_links.record_failure(connection, link_id, error.failure_name, now, due, failures)

    def _set_back(self, link_id: str) -> None:
        """Our own handling has failed; what it was that failed may be the row itself, so it is not read."""
        now = self.clock()
        with self.store.write() as connection:
            failures = due_links.record_fault(connection, link_id, now)
            due_links.plan(connection, link_id, now + self.schedule.pause(failures, watched=False))

    def _pause(self, row: Link, failures: int) -> timedelta:
        """How long to leave a link alone after so many failures in a row: one that people watch, not for long."""
        watched = row.looked_at is not None and self.clock() - row.looked_at <= self.schedule.watched_for
        return self.schedule.pause(failures, watched=watched and row.failure != due_links.FAULT)

    def _next_after_gone(self, row: Link, now: datetime) -> datetime | None:
        """A link that the service no longer knows: once more after a minute, then hourly until it would be over."""
        if row.failure != NotFound.__name__:
            return now + _GONE_FIRST
        over = (
            row.expires_at + self.schedule.ended_for
            if row.expires_at
            else row.first_seen_at + self.schedule.endless_for
        )
        return now + _GONE_LATER if now < over else None

    def _next_check(self, row: Link, *, looked: bool) -> datetime | None:
        """When the link is to be asked for; somebody who has just come to look waits one interval at the most."""
        now = self.clock()
        from_when = max(row.checked_at, now - self.schedule.watched_poll) if looked and row.checked_at else now
        return self.schedule.next_check(
            status=row.status,
            status_since=row.status_since,
            paid_at=row.paid_at,
            expires_at=row.expires_at,
            first_seen_at=row.first_seen_at,
            looked_at=from_when if looked else row.looked_at,
            now=from_when,
            clock_ahead=timedelta(seconds=row.clock_ahead or 0),
        )
