"""Record the outcome of a creation that was sent (link-creation.md, step 5).

A created link is recorded in every state of its intent, because it exists. The ids of a link that the database
refuses to record stay on disk.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from dashboard.domain.challans import AttachedLink
from dashboard.domain.intents import IntentState
from dashboard.domain.links import PaymentLink, is_ended
from dashboard.errors import (
    AllowanceSpent,
    Conflict,
    NotFound,
    Operation,
    RequestRefused,
    SecretRejected,
    ServiceError,
    ServiceNotEnabled,
)
from dashboard.failpoints import Point, reach
from dashboard.services.creation.commands import CreateLink, NotRecorded
from dashboard.services.creation.resolve import OutcomeResolver
from dashboard.services.creation.unrecorded_links import UnrecordedLink, UnrecordedLinks
from dashboard.services.links import ledger
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock, Schedule
from dashboard.store.creation import claims, intents
from dashboard.store.engine import Store
from dashboard.store.links import links
from dashboard.store.links.links import Attribution
from dashboard.store.links.records import Asked, Link

log = logging.getLogger(__name__)

#: Assumption A1: these mean that the send created nothing.
_DEFINITE = (RequestRefused, SecretRejected, ServiceNotEnabled, NotFound, AllowanceSpent)


@dataclass(frozen=True)
class OutcomeRecorder:
    """Record outcomes. Every `record_…` but the last raises NotRecorded when the database refuses."""

    store: Store
    call_policy: CallPolicy
    outcome_resolver: OutcomeResolver
    unrecorded_links: UnrecordedLinks
    clock: Clock
    schedule: Schedule

    def record_not_sent(self, intent_id: str, outcome: str) -> None:
        """Record that nothing left this machine."""
        self._insist(intent_id, self._record_end, IntentState.NOT_SENT, None, outcome, "nothing was sent")

    def record_error(self, intent_id: str, error: ServiceError) -> None:
        """Record an error of the send; after a conflict a search explains it at once."""
        self._insist(intent_id, self._record_error, error)

    def record_unclear(self, intent_id: str, outcome: str) -> None:
        """Record an unclear outcome: the request may have left this machine."""
        self._insist(intent_id, self._record_unknown, None, outcome)

    def _insist(self, intent_id: str, record: Callable[..., None], *what: object) -> None:
        """Record an outcome that is not a link. When the database refuses, the row stays SENDING and is resolved."""
        try:
            record(intent_id, *what)
        except SQLAlchemyError as error:
            log.exception("the outcome of request %s could not be recorded", intent_id)
            raise NotRecorded(intent_id) from error

    def record_created(self, intent_id: str, command: CreateLink, answer: PaymentLink, started: datetime) -> None:
        """Record a created link in every state of its intent, because it exists.

        When the database refuses, the ids go to disk at once. This thread tries again for a while, and the watcher for
        as long as it takes.
        """
        spooled = None
        for wait in (*self.schedule.record_retries, None):
            try:
                ours = self._record_created(intent_id, command, answer, started)
                break
            except SQLAlchemyError as error:
                log.exception("link %s of request %s could not be recorded", answer.id, intent_id)
                spooled = spooled or self._to_disk(UnrecordedLink(intent_id, answer.id, self.clock()))
                if wait is None:
                    raise NotRecorded(intent_id, answer.id) from error
                time.sleep(wait.total_seconds())
        if spooled is not None:
            self.unrecorded_links.remove(spooled)
        reach(Point.RECORD_DONE)
        if not ours:
            try:
                self.call_policy.block_other_organization(Operation.CREATE_PAYMENT_LINK)
            except SQLAlchemyError:  # The link is recorded, and no error may deny it. The next answer blocks as well.
                log.exception("calls for another organization could not be stopped")

    def record_spooled(self) -> None:
        """Record the links on this machine's disk.

        Raises SQLAlchemyError when the database still refuses one, after it was offered them all.
        """
        failed: SQLAlchemyError | None = None
        for entry in self.unrecorded_links.entries():
            try:
                self._record_spooled(entry)
            except SQLAlchemyError as error:  # One that is refused stops no other, and is tried again.
                log.error("link %s of request %s is still refused", entry.link_id, entry.intent_id)
                failed = error
                continue
            self.unrecorded_links.remove(entry)
            log.warning("link %s of request %s is recorded now", entry.link_id, entry.intent_id)
        if failed is not None:
            raise failed

    def count_spooled(self) -> int:
        """Count the created links that wait on this machine's disk to be recorded."""
        return self.unrecorded_links.count()

    def _to_disk(self, entry: UnrecordedLink) -> UnrecordedLink | None:
        """Spool a link. None when the disk refuses as well: the row stays SENDING, and an attempt finds the link."""
        try:
            self.unrecorded_links.put(entry)
        except OSError:
            log.exception("link %s of request %s could not be written to disk", entry.link_id, entry.intent_id)
            return None
        reach(Point.SPOOLED)
        return entry

    def _record_created(self, intent_id: str, command: CreateLink, answer: PaymentLink, started: datetime) -> bool:
        now = self.clock()
        with self.store.write() as connection:
            ours = ledger.is_our_organization(connection, answer, now)
            made = Attribution(links.CREATED, intent_id, command.person_id, command.rc, command.hours, started)
            # Others may have found the link, and recorded a later status, while this process held its answer.
            asked = Asked(0, started)
            link = ledger.enter_link(connection, answer, self.schedule, now, asked=asked, attribution=made)
            intents.move(
                connection,
                intent_id,
                IntentState,
                IntentState.CREATED,
                now,
                send_ended=now,
                http_status=200,
                link_id=answer.id,
                attribution="certain",
                next_check_at=None,
            )
            _hold(connection, intent_id, link, command.challan_ids, now)
            reach(Point.RECORD_INSIDE)
        return ours

    def _record_spooled(self, entry: UnrecordedLink) -> None:
        """Record a created link by its ids alone; the next status answer brings the rest."""
        now = self.clock()
        with self.store.write() as connection:
            intent = intents.find(connection, entry.intent_id)
            rc = intent.rc if intent else None
            links.record_sighting(connection, AttachedLink(entry.link_id, "", None, None), rc, now)
            if intent is None:  # A database restored to a moment before the intent: the link is polled like any other.
                return
            known = links.find(connection, entry.link_id)
            assert known is not None
            if known.origin != links.CREATED:
                sent_at = intent.send_started or entry.answered_at
                attribution = Attribution(
                    links.CREATED, intent.id, intent.person_id, intent.rc, intent.hours, created_at=sent_at
                )
                ledger.attribute(connection, entry.link_id, attribution, now)
            intents.move(
                connection,
                intent.id,
                set(IntentState) - {IntentState.CREATED},
                IntentState.CREATED,
                now,
                "recorded late",
                send_ended=entry.answered_at,
                http_status=200,
                link_id=entry.link_id,
                attribution="certain",
                next_check_at=None,
            )
            _hold(connection, intent.id, known, intent.challan_ids, now)

    def _record_error(self, intent_id: str, error: ServiceError) -> None:
        name = error.outcome_name
        if not error.sent:
            self._record_end(intent_id, IntentState.NOT_SENT, error.status, name, "nothing was sent")
        elif isinstance(error, _DEFINITE):
            self._record_end(intent_id, IntentState.REJECTED, error.status, name, f"answered {error.status}")
        else:
            self._record_unknown(intent_id, error.status, name)
            if isinstance(error, Conflict):
                self.outcome_resolver.resolve(intent_id)

    def _record_end(self, intent_id: str, state: IntentState, status: int | None, name: str, why: str) -> None:
        now = self.clock()
        with self.store.write() as connection:
            # Without a connection the intent was never marked.
            old = {IntentState.SENDING} | ({IntentState.PREPARED} if state is IntentState.NOT_SENT else set())
            facts = {"send_ended": now, "http_status": status, "outcome": name}
            if intents.move(connection, intent_id, old, state, now, name, **facts):
                claims.release(connection, intent_id, now, why)
            reach(Point.END_INSIDE)
        reach(Point.END_DONE)

    def _record_unknown(self, intent_id: str, status: int | None, name: str) -> None:
        now = self.clock()
        with self.store.write() as connection:
            facts = {"send_ended": now, "http_status": status, "outcome": name}
            facts["next_check_at"] = self.schedule.next_attempt(now, now)
            intents.move(connection, intent_id, (IntentState.SENDING,), IntentState.UNKNOWN, now, name, **facts)
            reach(Point.END_INSIDE)
        reach(Point.END_DONE)


def _hold(connection: Connection, intent_id: str, link: Link, challan_ids: Sequence[str], now: datetime) -> None:
    """Give the claims of an intent to its created link, or release them when the link has ended by now."""
    if not is_ended(link.status):
        ledger.hold(connection, intent_id, link.id, challan_ids, now)
        return
    held = claims.open_of(connection, challan_ids)
    on_others = [key for key, row in held.items() if row.link_id not in (None, link.id)]
    claims.release(connection, intent_id, now, f"the link was seen {link.status}", keep=on_others)
