"""Creating a payment link exactly once: prepare, mark, send, record (link-creation.md, steps 0 to 5).

The order is the safety: the request and its claims are durable before a byte leaves, the send happens at most once,
and what an unclear answer means is left to `Reconciling`.
"""

from __future__ import annotations

import logging
import time
import uuid
from contextlib import suppress
from datetime import timedelta

from sqlalchemy.exc import IntegrityError

from dashboard import log_context
from dashboard.domain.links import MAX_CHALLANS, MAX_HOURS, MIN_HOURS, PaymentLink
from dashboard.errors import (
    NotFound,
    Operation,
    ServiceError,
)
from dashboard.failpoints import Point, reach
from dashboard.services.creation.commands import CreationRefused, Refusal, Wish
from dashboard.services.creation.outcomes import Recording
from dashboard.services.creation.replacement import is_replaceable
from dashboard.services.creation.resolve import Reconciling
from dashboard.services.links.polling import Following
from dashboard.services.operations.call_policy import Gate
from dashboard.services.schedule import Clock, Pace
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.search import Searching
from dashboard.store.creation import claims, intents
from dashboard.store.engine import Store
from dashboard.store.links import links
from dashboard.store.vehicles import vehicles
from dashboard.upstream import ServiceClient

log = logging.getLogger(__name__)


class _TooLate(Exception):
    """The send did not begin soon enough after its record was committed."""


class Creation:
    def __init__(
        self,
        store: Store,
        client: ServiceClient,
        gate: Gate,
        searching: Searching,
        following: Following,
        reconciling: Reconciling,
        recording: Recording,
        clock: Clock,
        pace: Pace,
    ) -> None:
        self._store = store
        self._client = client
        self._gate = gate
        self._searching = searching
        self._following = following
        self._reconciling = reconciling
        self._recording = recording
        self._clock = clock
        self._pace = pace

    def create(self, wish: Wish) -> str:
        """Carry a wish through to its recorded outcome; returns the intent's id.

        The same person's same key always leads to the same intent: a double click or a resend sends nothing more.
        Raises CreationRefused, and ServiceError when the service could not even be asked; nothing was sent then.
        Raises NotRecorded when something was sent and the database did not take what became of it.
        """
        if (earlier := self._earlier(wish)) is not None:
            return earlier
        self._check_wish(wish)
        try:
            self._check_first(wish)
        except (CreationRefused, ServiceError):
            # The same click may have come twice at once. Its twin's claims may be what stands in the way; and whatever
            # it is, "nothing was sent" would be false by now.
            if (earlier := self._earlier(wish)) is not None:
                return earlier
            raise
        intent_id, fresh = self._prepare(wish)
        with log_context.about(intent_id=intent_id):
            if fresh and self._guard(intent_id, wish):
                self._mark_and_send(intent_id, wish)
        return intent_id

    def _earlier(self, wish: Wish) -> str | None:
        with self._store.read() as connection:
            row = intents.find_by_key(connection, wish.person_id, wish.request_key)
        if row is None:
            return None
        same = (row.rc, row.hours, row.challan_ids) == (wish.rc, wish.hours, sorted(wish.challan_ids))
        if not same:
            raise CreationRefused(Refusal.OTHER_PAYLOAD)
        return str(row.id)

    def _check_wish(self, wish: Wish) -> None:
        if not wish.challan_ids:
            raise CreationRefused(Refusal.NOTHING_SELECTED)
        if len(wish.challan_ids) > MAX_CHALLANS:
            raise CreationRefused(Refusal.TOO_MANY)
        if not MIN_HOURS <= wish.hours <= MAX_HOURS:
            raise CreationRefused(Refusal.HOURS)

    def _check_first(self, wish: Wish) -> None:
        """All that must be true before anything is written. Raises CreationRefused and ServiceError."""
        self._gate.check(Operation.CREATE_PAYMENT_LINK)
        self._refresh_snapshot(wish)
        self._look_at_ended_links(wish)
        self._check_replaced(wish)
        self._check_selection(wish)

    def _refresh_snapshot(self, wish: Wish) -> None:
        with self._store.read() as connection:
            known = vehicles.find(connection, wish.rc)
        if known is None:
            raise CreationRefused(Refusal.NEVER_SEARCHED)
        if self._clock() - known.searched_at > self._pace.snapshot_age:
            found = self._searching.search(wish.rc, wish.person_id)
            if found != wish.rc:  # The service now knows the vehicle by another number; our list of it is an old one.
                raise CreationRefused(Refusal.NEVER_SEARCHED)

    def _look_at_ended_links(self, wish: Wish) -> None:
        """Only PAID is an end for good: a link that had ended is looked at before its challans go on another one."""
        now = self._clock()
        with self._store.read() as connection:
            ended = links.ended_with(connection, wish.challan_ids, now - self._pace.watched_poll)
        for link_id in ended:
            with suppress(NotFound):
                self._following.see(link_id)

    def _check_replaced(self, wish: Wish) -> None:
        """What a request stands in the place of must have ended, as it was just seen, and be of the same challans."""
        if wish.replaces is None:
            return
        with self._store.read() as connection:
            if not is_replaceable(connection, wish.replaces, wish.challan_ids):
                raise CreationRefused(Refusal.NOT_REPLACEABLE)

    def _check_selection(self, wish: Wish) -> None:
        """Hold the selection against our own snapshot: the browser's word for what is payable counts for nothing."""
        with self._store.read() as connection:
            placed = eligibility.of_vehicle(connection, wish.rc)
        selectable = {item.challan.id for item in placed if item.selectable}
        stray = [item for item in wish.challan_ids if item not in selectable]
        if stray:
            raise CreationRefused(Refusal.NOT_PAYABLE, stray)

    def _prepare(self, wish: Wish) -> tuple[str, bool]:
        intent_id = str(uuid.uuid4())
        try:
            with self._store.write() as connection:
                intents.add(
                    connection,
                    intent_id=intent_id,
                    request_key=wish.request_key,
                    person_id=wish.person_id,
                    rc=wish.rc,
                    challan_ids=wish.challan_ids,
                    hours=wish.hours,
                    replaces=wish.replaces,
                    at=self._clock(),
                )
                reach(Point.PREPARE_INSIDE)
        except IntegrityError:
            # Either the same click came twice at the same moment, or another request claims one of the challans.
            if (earlier := self._earlier(wish)) is not None:
                return earlier, False
            with self._store.read() as connection:
                held = claims.open_of(connection, wish.challan_ids)
            raise CreationRefused(Refusal.HELD, list(held)) from None
        reach(Point.PREPARE_DONE)
        return intent_id, True

    def _guard(self, intent_id: str, wish: Wish) -> bool:
        """Look once more before a second attempt on challans whose first was verified as not created (step 2)."""
        with self._store.read() as connection:
            if not claims.sent_without_link(connection, wish.challan_ids):
                return True
        with self._store.write() as connection:
            within = self._pace.refresh_deadline + self._pace.status_deadline
            intents.extend(connection, intent_id, self._clock() + within)
        return self._reconciling.guard(intent_id)

    def _mark_and_send(self, intent_id: str, wish: Wish) -> None:
        with self._store.write() as connection:
            now = self._clock()
            lease_until = now + self._pace.create_deadline + self._pace.lease_margin
            if not intents.mark_sending(connection, intent_id, now, lease_until):
                return
            reach(Point.MARK_INSIDE)
            # Read before the commit: a process stopped right after it must find, when it goes on, that time has passed.
            marked = time.monotonic()
        reach(Point.MARK_DONE)

        def still_in_time() -> None:
            late = timedelta(seconds=time.monotonic() - marked) > self._pace.send_within
            if late or self._clock() - now > self._pace.send_within:
                raise _TooLate

        def ask() -> PaymentLink:
            ids = sorted(wish.challan_ids)
            return self._client.create_payment_link(wish.rc, ids, expiry_hours=wish.hours, before_send=still_in_time)

        try:
            answer = self._gate.call(Operation.CREATE_PAYMENT_LINK, ask)
            reach(Point.ANSWER_READ)
        except _TooLate:
            self._recording.not_sent(intent_id, "TooLate")
        except ServiceError as error:
            self._recording.failed(intent_id, error)
        except Exception:
            # A fault of our own after the mark: nobody knows what left, so the truth is "unknown".
            log.exception("a creation ended in a fault of our own", extra={"intent_id": intent_id})
            self._recording.unclear(intent_id, "Fault")
        else:
            self._recording.created(intent_id, wish, answer, now)
