"""Poll links: one call per link and polling interval, for any number of watchers."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from dashboard.domain.links import UNKNOWN_AFTER, is_ended
from dashboard.errors import NotFound, Operation, ServiceError, Unreachable
from dashboard.services.creation import recognition
from dashboard.services.links import ledger
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock, Schedule
from dashboard.store.engine import Store
from dashboard.store.links import due_links, duplicates, links, tables
from dashboard.store.links.records import Asked, Link
from dashboard.store.operations import call_budget
from dashboard.upstream import ServiceClient

log = logging.getLogger(__name__)

#: Seconds between reads of a link while another poll of it runs.
_WAIT_SECONDS = 0.05


@dataclass(frozen=True)
class LinkPoller:
    store: Store
    client: ServiceClient
    call_policy: CallPolicy
    clock: Clock
    schedule: Schedule

    def mark_watched(self, link_id: str) -> None:
        """Record that a person watches a link, which makes it due sooner; at most once per third of `watched_for`."""
        now = self.clock()
        row = self.store.cached_read(("link", link_id), lambda connection: links.find(connection, link_id))
        if row is None or (row.watched_at is not None and now - row.watched_at < self.schedule.watched_for / 3):
            return
        if row.not_found:
            # Polled when somebody opens it; polling it more often while it stays open brings nothing back.
            is_opened = row.watched_at is None or now - row.watched_at > self.schedule.watched_for
            soon = max(now, (row.failed_at or now) + self.schedule.unknown_watched)
            due = soon if is_opened else row.next_check_at
        else:
            due = self._next_check(row, starts_watching=True)
        if due is not None and not row.not_found and row.failed_at is not None and row.failures:
            backoff = self.schedule.backoff(row.failures, watched=row.failure != due_links.FAULT)
            due = max(due, row.failed_at + backoff)
        with self.store.write(durable=False) as connection:
            due_links.record_watched(connection, link_id, now, due)

    def refresh(self, link_id: str, *, after: int | None = None) -> bool:
        """Poll a link now. Raises ServiceError after recording it.

        Return False without a call when another poll of it runs, or, with `after`, when a poll with a higher number
        runs or was answered.
        """
        now = self.clock()
        with self.store.write() as connection:
            asked = due_links.claim(connection, link_id, now, now + self._lease(), after=after)
        if asked is not None:
            self._poll(link_id, asked)
        return asked is not None

    def require_fresh(self, link_id: str) -> None:
        """Return once the store has an answer to a poll that began after this call.

        Polls the link even while an older poll runs: its answer may be from before a payment. Waits for a poll that
        began later; where that one fails, polls it again. Raises ServiceError when there is no answer. A link that the
        store does not know is no error.
        """
        with self.store.read() as connection:
            last = due_links.last_poll(connection, link_id)
        give_up = time.monotonic() + self._lease().total_seconds()
        while not self.refresh(link_id, after=last):
            with self.store.read() as connection:
                row = links.find(connection, link_id)
            if row is None or row.answered_poll > last:
                return
            if time.monotonic() > give_up:
                raise Unreachable(Operation.GET_PAYMENT_LINK, detail="others polled the link and got no answer")
            time.sleep(_WAIT_SECONDS)

    def claim_due(self, limit: int) -> list[str]:
        """Lease links that are due, as far as the call policy and the call budget of all processes allow.

        The caller must `poll_claimed` each, or `release_leases`. Watched links get at most three of four places, the
        others the rest by how long they have been due, so that neither starves.
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
            claimed = due_links.claim_due(connection, due, now, now + self._lease())
            call_budget.use(connection, now, self.schedule.calls_per_second, len(claimed))
            return claimed

    def _budget(self, connection: Connection, now: datetime, *, lock: bool = False) -> int:
        """Return how many polls may begin now. Every poll in flight holds a lease, so the leases count them."""
        left = call_budget.left(connection, now, self.schedule.calls_per_second, lock=lock)
        return min(left, self.schedule.calls_in_flight - due_links.leased(connection, now))

    def poll_claimed(self, link_id: str) -> None:
        """Poll a link that `claim_due` returned. A ServiceError is recorded, not raised."""
        with self.store.read() as connection:
            asked = Asked(due_links.last_poll(connection, link_id), self.clock())
        try:
            self._poll(link_id, asked)
        except ServiceError as error:
            log.info("a link could not be checked: %s", error, extra={"link_id": link_id})

    def check_due(self, limit: int, within: timedelta) -> int:
        """Poll links that are due, one after the other, as somebody asked for: as many as the call policy and the call
        budget allow, `limit` at most, none begun after `within`. Return how many were polled.
        """
        give_up = time.monotonic() + within.total_seconds()
        for polled in range(limit):
            claimed = self.claim_due(1) if time.monotonic() < give_up else []
            if not claimed:
                return polled
            self.poll_claimed(claimed[0])
        return limit

    def follow_key(self) -> None:
        """Make the links that the service answered 404 for due, once the secret has changed: it may know them now."""
        if not self.call_policy.has_new_key():
            return
        with self.store.write() as connection:
            due_links.make_unknown_due(connection, self.clock())
        self.call_policy.remember_key()

    def clamp_plans(self) -> None:
        """Make links due that are planned farther ahead than any plan is: a clock was wrong at the time."""
        schedule = self.schedule
        longest = 1 + schedule.jitter
        steadily = max(schedule.poll, schedule.old_poll)
        live = steadily * longest + schedule.steady_poll
        failing = max(steadily, schedule.overdue_poll, schedule.longest_backoff) * longest + schedule.steady_poll
        with self.store.write() as connection:
            now = (
                self.clock()
            )  # Not before: what others planned during the wait for this transaction is no plan from ahead.
            due_links.clamp_plans(connection, now, now + live, now + failing)

    def release_leases(self, link_ids: Iterable[str]) -> None:
        """Release links that were claimed and will not be polled here, so that another process can at once."""
        with self.store.write() as connection:
            due_links.release(connection, link_ids)

    def _lease(self) -> timedelta:
        return self.schedule.status_deadline + self.schedule.check_margin

    def _poll(self, link_id: str, asked: Asked) -> None:
        try:
            self._ask(link_id, asked)
        except ServiceError:
            raise
        except Exception:
            # A row that breaks our own code must not be polled in a loop, nor hold up the others.
            self._record_fault(link_id)
            raise

    def _ask(self, link_id: str, asked: Asked) -> None:
        try:
            answer = self.call_policy.call(Operation.GET_PAYMENT_LINK, lambda: self.client.get_payment_link(link_id))
        except ServiceError as error:
            self._record_failure(link_id, error)
            raise
        now = self.clock()
        with self.store.write() as connection:
            is_ours = ledger.is_our_organization(connection, answer, now)
            if is_ours:
                ledger.enter_link(connection, answer, self.schedule, now, asked=asked)
                recognition.recognize(connection, answer, asked, self.schedule, self.clock)
        if not is_ours:
            foreign = self.call_policy.block_other_organization(Operation.GET_PAYMENT_LINK)
            self._record_failure(link_id, foreign)
            raise foreign

    def _record_failure(self, link_id: str, error: ServiceError) -> None:
        now = self.clock()
        with self.store.write() as connection:
            row = links.find(connection, link_id)
            if row is None:
                return
            was_asked = error.sent or isinstance(error, Unreachable)
            failures = (row.failures or 0) + was_asked
            not_found = (row.not_found or 0) + isinstance(error, NotFound)
            if isinstance(error, NotFound):
                due = self.schedule.next_of_unknown(
                    not_found,
                    status=row.status,
                    expires_at=row.expires_at,
                    first_seen_at=row.first_seen_at,
                    now=now,
                )
            elif was_asked:
                beside = is_ended(row.status) and duplicates.is_beside_payable(connection, link_id)
                backoff = self._backoff(row, failures, is_urgent=beside)
                due = max(self._next_check(row, beside_payable=beside) or now, now + backoff)
                due = max(due, now + timedelta(seconds=error.retry_after or 0))
            else:  # The call policy stopped the call, which says nothing about the link.
                due = row.next_check_at
            due_links.record_failure(connection, link_id, error.failure_name, now, due, failures, not_found)
            if not row.is_unknown and not_found >= UNKNOWN_AFTER:
                links.record_event(connection, link_id, tables.BECAME_UNKNOWN, now)

    def _record_fault(self, link_id: str) -> None:
        """Record that our own code failed. The row may be the cause, so it is not read."""
        now = self.clock()
        with self.store.write() as connection:
            failures = due_links.record_fault(connection, link_id, now)
            due_links.plan(connection, link_id, now + self.schedule.backoff(failures, watched=False))

    def _backoff(self, row: Link, failures: int, *, is_urgent: bool) -> timedelta:
        """Return the backoff of a link; one that is watched, or `is_urgent`, waits less."""
        is_watched = row.watched_at is not None and self.clock() - row.watched_at <= self.schedule.watched_for
        soon = is_watched or is_urgent
        return self.schedule.backoff(failures, watched=soon and row.failure != due_links.FAULT)

    def _next_check(self, row: Link, *, starts_watching: bool = False, beside_payable: bool = False) -> datetime | None:
        """Return when a link is due. A person who `starts_watching` waits for one watched interval at most."""
        now = self.clock()
        since = max(row.checked_at, now - self.schedule.watched_poll) if starts_watching and row.checked_at else now
        return self.schedule.next_check(
            status=row.status,
            status_since=row.status_since,
            paid_at=row.paid_at,
            expires_at=row.expires_at,
            first_seen_at=row.first_seen_at,
            watched_at=since if starts_watching else row.watched_at,
            now=since,
            service_clock_offset=timedelta(seconds=row.service_clock_offset or 0),
            beside_payable=beside_payable,
        )
