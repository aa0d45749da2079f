"""Following links: the service is asked once per link and interval, however many people look."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row

from dashboard.domain.links import PaymentLink
from dashboard.errors import NotFound, Operation, ServiceError
from dashboard.services import ledger
from dashboard.services.gate import Gate
from dashboard.services.pace import Clock, Pace
from dashboard.store import links
from dashboard.store.engine import Store
from dashboard.upstream import ServiceClient

log = logging.getLogger(__name__)

_GONE_FIRST, _GONE_LATER = timedelta(seconds=60), timedelta(hours=1)


class Following:
    def __init__(self, store: Store, client: ServiceClient, gate: Gate, clock: Clock, pace: Pace) -> None:
        self._store = store
        self._client = client
        self._gate = gate
        self._clock = clock
        self._pace = pace

    def look(self, link_id: str) -> None:
        """Somebody looks at the link: ask for it sooner. Written once per third of the time a look counts."""
        now = self._clock()
        with self._store.read() as connection:
            row = links.find(connection, link_id)
        if row is None or (row.looked_at is not None and now - row.looked_at < self._pace.watched_for / 3):
            return
        due = self._next_check(row, looked=True)
        with self._store.write() as connection:
            links.record_look(connection, link_id, now, due)

    def check(self, link_id: str) -> None:
        """Ask for a link now, unless somebody else is asking; raises ServiceError after recording it."""
        now = self._clock()
        with self._store.write() as connection:
            taken = links.take(connection, link_id, now, now + self._lease())
        if taken:
            self._check(link_id)

    def take_due(self, limit: int) -> list[str]:
        """Claim links that are due for a check; the caller must `check_taken` each."""
        now = self._clock()
        with self._store.read() as connection:
            if not links.any_due(connection, now):
                return []
        with self._store.write() as connection:
            return links.take_due(connection, now, now + self._lease(), limit)

    def check_taken(self, link_id: str) -> None:
        """Ask for a link claimed by `take_due`. What the service refuses is recorded, not raised."""
        try:
            self._check(link_id)
        except ServiceError as error:
            log.info("a link could not be checked: %s", error, extra={"link_id": link_id})

    def _lease(self) -> timedelta:
        return self._pace.status_deadline + self._pace.lease_margin

    def _check(self, link_id: str) -> PaymentLink:
        started = self._clock()
        try:
            answer = self._gate.call(Operation.GET_PAYMENT_LINK, lambda: self._client.get_payment_link(link_id))
        except ServiceError as error:
            self._record_failure(link_id, error)
            raise
        now = self._clock()
        with self._store.write() as connection:
            ours = ledger.is_our_organization(connection, answer, now)
            if ours:
                ledger.enter_link(connection, answer, self._pace, now, started_at=started)
        if not ours:
            stranger = self._gate.wrong_organization(Operation.GET_PAYMENT_LINK)
            self._record_failure(link_id, stranger)
            raise stranger
        return answer

    def _record_failure(self, link_id: str, error: ServiceError) -> None:
        now = self._clock()
        with self._store.write() as connection:
            row = links.find(connection, link_id)
            if row is None:
                return
            if isinstance(error, NotFound):
                due = self._next_after_gone(row, now)
            else:
                due = self._next_check(row, looked=False) or now + self._pace.ended_poll
            links.record_failure(connection, link_id, type(error).__name__, now, due)

    def _next_after_gone(self, row: Row[Any], now: datetime) -> datetime | None:
        """A link that the service no longer knows: once more after a minute, then hourly until it would be over."""
        if row.failure != NotFound.__name__:
            return now + _GONE_FIRST
        over = row.expires_at + self._pace.ended_for if row.expires_at else row.first_seen_at + self._pace.endless_for
        return now + _GONE_LATER if now < over else None

    def _next_check(self, row: Row[Any], *, looked: bool) -> datetime | None:
        """When the link is to be asked for; somebody who has just come to look waits one interval at the most."""
        now = self._clock()
        from_when = max(row.checked_at, now - self._pace.watched_poll) if looked and row.checked_at else now
        return self._pace.next_check(
            status=row.status,
            paid_at=row.paid_at,
            expires_at=row.expires_at,
            first_seen_at=row.first_seen_at,
            looked_at=from_when if looked else row.looked_at,
            now=from_when,
        )
