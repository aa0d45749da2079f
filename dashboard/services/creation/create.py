"""Create a payment link exactly once: prepare, connect, mark, send, record (link-creation.md, steps 0 to 5).

The order is the safety: the intent and its claims are durable before anything is called, the mark is durable before a
byte leaves, the send happens at most once, and `OutcomeResolver` alone decides what an unclear answer means.
"""

from __future__ import annotations

import logging
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError

from dashboard import log_context
from dashboard.domain.links import MAX_CHALLANS, MAX_HOURS, MIN_HOURS, PaymentLink
from dashboard.errors import NotFound, Operation, ServiceError
from dashboard.failpoints import Point, reach
from dashboard.services.creation.commands import CreateLink, CreationProblem, CreationRefused
from dashboard.services.creation.outcomes import OutcomeRecorder
from dashboard.services.creation.replacement import is_replaceable
from dashboard.services.creation.resolve import OutcomeResolver
from dashboard.services.links.polling import LinkPoller
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock, Schedule
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.search import VehicleSearch
from dashboard.store.creation import checks_under_way, claims, intents
from dashboard.store.engine import Store
from dashboard.store.links import ended_links
from dashboard.store.operations import restorations
from dashboard.store.vehicles import vehicles
from dashboard.upstream import ServiceClient

log = logging.getLogger(__name__)

#: How long a refused click waits for another one with the same key, and the time between two reads meanwhile.
_LONGEST_WAIT_SECONDS, _WAIT_SECONDS = 60, 0.05


class _TooLate(Exception):
    """Report that the intent may not be sent any more: its time is over, or its mark was committed too long ago."""


@dataclass(frozen=True)
class LinkCreator:
    """Create a link from a command: checks, prepares, guards, connects, marks, sends and records, in this order."""

    store: Store
    client: ServiceClient
    call_policy: CallPolicy
    vehicle_search: VehicleSearch
    link_poller: LinkPoller
    outcome_resolver: OutcomeResolver
    outcome_recorder: OutcomeRecorder
    clock: Clock
    schedule: Schedule

    def create(self, command: CreateLink) -> str:
        """Carry a command through to its recorded outcome; return the intent's id.

        The same person's same key always leads to the same intent: a double click or a resend sends nothing more.
        Raises CreationRefused, and ServiceError when a call before the send failed; nothing was sent.
        Raises NotRecorded when something was sent and the database refused to record the outcome.
        """
        if (earlier := self._earlier(command)) is not None:
            return earlier
        self._check_limits(command)
        try:
            intent_id, fresh = self._check_and_prepare(command)
        except (CreationRefused, ServiceError):
            # The same click may have come twice at once. The claims of the other one may be the problem, or it is still
            # being checked; then "nothing was sent" would be false.
            if (earlier := self._await_twin(command)) is not None:
                return earlier
            raise
        with log_context.bound(intent_id=intent_id):
            if fresh and self._guard(intent_id, command):
                self._send(intent_id, command)
        return intent_id

    def _check_and_prepare(self, command: CreateLink) -> tuple[str, bool]:
        check_id = str(uuid.uuid4())
        with self.store.write(durable=False) as connection:
            checks_under_way.begin(connection, check_id, command.person_id, command.request_key, self.clock())
        try:
            self._check_first(command)
            return self._prepare(command)
        finally:
            with self.store.write(durable=False) as connection:
                checks_under_way.end(connection, check_id)

    def _await_twin(self, command: CreateLink) -> str | None:
        """Wait for other clicks with the same key that are being checked; return the intent that one led to, if any."""
        give_up = time.monotonic() + _LONGEST_WAIT_SECONDS
        while True:
            with self.store.read() as connection:
                under_way = checks_under_way.any_under_way(
                    connection, command.person_id, command.request_key, self.clock()
                )
            # Read after the check: a click that has ended by then has prepared its intent, or prepares none.
            if (earlier := self._earlier(command)) is not None or not under_way or time.monotonic() > give_up:
                return earlier
            time.sleep(_WAIT_SECONDS)

    def _earlier(self, command: CreateLink) -> str | None:
        with self.store.read() as connection:
            intent = intents.find_by_key(connection, command.person_id, command.request_key)
        if intent is None:
            return None
        asked = (intent.rc, intent.hours, intent.challan_ids)
        same = asked == (command.rc, command.hours, sorted(command.challan_ids))
        if not same:
            raise CreationRefused(CreationProblem.OTHER_PAYLOAD)
        return intent.id

    def _check_limits(self, command: CreateLink) -> None:
        if not command.challan_ids:
            raise CreationRefused(CreationProblem.NOTHING_SELECTED)
        if len(command.challan_ids) > MAX_CHALLANS:
            raise CreationRefused(CreationProblem.TOO_MANY)
        if not MIN_HOURS <= command.hours <= MAX_HOURS:
            raise CreationRefused(CreationProblem.HOURS)

    def _check_first(self, command: CreateLink) -> None:
        """Check everything that must hold before anything is written. Raises CreationRefused and ServiceError."""
        self.call_policy.check(Operation.CREATE_PAYMENT_LINK, bulk=command.bulk)
        self._refresh_snapshot(command)
        self._check_ended_links(command)
        self._check_replaced(command)
        self._check_selection(command)

    def _refresh_snapshot(self, command: CreateLink) -> None:
        with self.store.read() as connection:
            known = vehicles.find(connection, command.rc)
            restored_at = restorations.latest(connection)
        if known is None:
            raise CreationRefused(CreationProblem.NEVER_SEARCHED)
        # A restored database may not know of the latest links; the service's cache may not show them.
        is_restored = restored_at is not None and known.searched_at <= restored_at
        if is_restored or self.clock() - known.searched_at > self.schedule.snapshot_age:
            search = self.vehicle_search.search_at_source if is_restored else self.vehicle_search.search
            found = search(command.rc, command.person_id)
            # The service may know the vehicle by another number now; then our list of its challans is an old one.
            if found != command.rc:
                raise CreationRefused(CreationProblem.NEVER_SEARCHED)

    def _check_ended_links(self, command: CreateLink) -> None:
        """Poll the ended links of the challans first: of the ends only PAID is final, the others may have changed."""
        with self.store.read() as connection:
            ended = ended_links.ended_with(connection, command.challan_ids)
        for link_id in ended:
            with suppress(NotFound):
                self.link_poller.require_fresh(link_id)

    def _check_replaced(self, command: CreateLink) -> None:
        """Require that the link to replace has ended, by the latest poll, and covers some of the challans."""
        if command.replaces is None:
            return
        with self.store.read() as connection:
            if not is_replaceable(connection, command.replaces, command.challan_ids):
                raise CreationRefused(CreationProblem.NOT_REPLACEABLE)

    def _check_selection(self, command: CreateLink) -> None:
        """Check the selection against our own snapshot: what the browser sent proves nothing."""
        with self.store.read() as connection:
            listed = eligibility.of_vehicle(connection, command.rc)
        selectable = {item.challan.id for item in listed if item.selectable}
        stray = [item for item in command.challan_ids if item not in selectable]
        if stray:
            raise CreationRefused(CreationProblem.NOT_PAYABLE, stray)

    def _prepare(self, command: CreateLink) -> tuple[str, bool]:
        intent_id = str(uuid.uuid4())
        try:
            with self.store.write() as connection:
                intents.add(
                    connection,
                    intent_id=intent_id,
                    request_key=command.request_key,
                    person_id=command.person_id,
                    rc=command.rc,
                    challan_ids=command.challan_ids,
                    hours=command.hours,
                    replaces=command.replaces,
                    at=self.clock(),
                )
                reach(Point.PREPARE_INSIDE)
        except IntegrityError:
            # Either the same click came twice at the same moment, or another intent claims one of the challans.
            if (earlier := self._earlier(command)) is not None:
                return earlier, False
            with self.store.read() as connection:
                held = claims.open_of(connection, command.challan_ids)
            raise CreationRefused(CreationProblem.HELD, list(held)) from None
        reach(Point.PREPARE_DONE)
        return intent_id, True

    def _guard(self, intent_id: str, command: CreateLink) -> bool:
        """Search before a second attempt on challans that an earlier intent released without a link (step 2)."""
        with self.store.read() as connection:
            if not claims.sent_without_link(connection, command.challan_ids):
                return True
        with self.store.write() as connection:
            within = self.schedule.refresh_deadline + self.schedule.status_deadline
            intents.extend_lease(connection, intent_id, self.clock() + within)
        return self.outcome_resolver.guard(intent_id)

    def _send(self, intent_id: str, command: CreateLink) -> None:
        """Connect, mark once connected, send, and record the outcome.

        A send that does not connect leaves the intent PREPARED until it is recorded as NOT_SENT, so that a crash until
        then leaves nothing unclear.
        """
        marked_at: datetime | None = None

        def mark() -> None:
            nonlocal marked_at
            marked_at = self._mark(intent_id)

        def ask() -> PaymentLink:
            ids = sorted(command.challan_ids)
            return self.client.create_payment_link(command.rc, ids, expiry_hours=command.hours, before_send=mark)

        try:
            answer = self.call_policy.call(Operation.CREATE_PAYMENT_LINK, ask, bulk=command.bulk)
            reach(Point.ANSWER_READ)
        except _TooLate:
            self.outcome_recorder.record_not_sent(intent_id, "TooLate")
        except ServiceError as error:
            self.outcome_recorder.record_error(intent_id, error)
        except Exception:
            if marked_at is None:  # Nothing has left: the mark comes first.
                raise
            # A fault of our own after the mark: the request may have been sent, so the outcome is unclear.
            log.exception("a creation ended in a fault of our own", extra={"intent_id": intent_id})
            self.outcome_recorder.record_unclear(intent_id, "Fault")
        else:
            assert marked_at is not None
            self.outcome_recorder.record_created(intent_id, command, answer, marked_at)

    def _mark(self, intent_id: str) -> datetime:
        """Mark the intent as SENDING, durably; return the moment (step 3). Called once connected, before any byte.

        Raises _TooLate when nothing may be sent.
        """
        with self.store.write() as connection:
            now = self.clock()
            lease_until = now + self.schedule.create_deadline + self.schedule.lease_margin
            if not intents.mark_sending(connection, intent_id, now, lease_until, now - self.schedule.abandon_after):
                raise _TooLate
            reach(Point.MARK_INSIDE)
            # Read before the commit: a process that is stopped right after it must notice later that time has passed.
            marked = time.monotonic()
        reach(Point.MARK_DONE)
        late = timedelta(seconds=time.monotonic() - marked) > self.schedule.send_within
        if late or self.clock() - now > self.schedule.send_within:
            raise _TooLate
        return now
