"""Finding out what became of a request whose answer was lost or unclear (link-creation.md, steps 2, 6 and 7).

Only a search may explain. Every look searches the vehicle at the source, enters every link it meets in the ledger,
reads each of them by its status, and then compares; a look that fails changes nothing.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row

from dashboard.domain.challans import SearchResult
from dashboard.domain.intents import IntentState
from dashboard.domain.links import PaymentLink
from dashboard.domain.verdicts import Finding, Question, Verdict, judge, made_at
from dashboard.errors import Conflict, Operation, ServiceError
from dashboard.services import ledger
from dashboard.services.gate import Gate
from dashboard.services.pace import Clock, Pace
from dashboard.store import intents, links
from dashboard.store.engine import Store
from dashboard.upstream import ServiceClient

log = logging.getLogger(__name__)

_UNCLEAR = (IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION)
_ATTENTION_LOOKS = 6
_ATTENTION_AFTER = timedelta(hours=24)


class Reconciling:
    def __init__(self, store: Store, client: ServiceClient, gate: Gate, clock: Clock, pace: Pace) -> None:
        self._store = store
        self._client = client
        self._gate = gate
        self._clock = clock
        self._pace = pace

    def look(self, intent_id: str) -> None:
        """Look once for what became of an intent. What the service refuses is recorded on the intent, not raised."""
        self.sweep()
        with self._store.read() as connection:
            row = intents.find(connection, intent_id)
        if row is None or row.state not in _UNCLEAR:
            return
        started = self._clock()
        try:
            result, answers = self._ask(row.rc)
        except Conflict:
            self._end_of_vehicle(row, started)
        except ServiceError as error:
            log.info("a look failed: %s", error, extra={"intent_id": intent_id})
            self._note_failure(row, error)
        else:
            self._conclude(row, result, answers, started)

    def guard(self, intent_id: str) -> bool:
        """Whether a prepared second attempt may be sent: one more look found no link (step 2)."""
        with self._store.read() as connection:
            row = intents.find(connection, intent_id)
        assert row is not None
        try:
            result, answers = self._ask(row.rc)
        except ServiceError as error:
            return self._give_up(row, type(error).__name__)
        now = self._clock()
        verdict = judge(self._question(row, now), result.challans, answers)
        with self._store.write() as connection:
            self._enter(connection, row, result, answers, now)
            if verdict.held:
                self._attach(connection, row, verdict, (IntentState.PREPARED,), now)
                return False
        return verdict.finding is Finding.NEGATIVE or self._give_up(row, "guard")

    def sweep(self) -> None:
        """Settle what a stopped process left: a send past its lease is UNKNOWN, a request never sent is ABANDONED."""
        now = self._clock()
        with self._store.read() as connection:
            left = intents.in_states(connection, (IntentState.SENDING, IntentState.PREPARED))
        for row in left:
            if row.state == IntentState.SENDING and row.lease_until <= now:
                with self._store.write() as connection:
                    facts = {"send_ended": row.lease_until, "outcome": "Stopped", "next_check_at": now}
                    intents.move(connection, row.id, (IntentState.SENDING,), IntentState.UNKNOWN, now, **facts)
            elif row.state == IntentState.PREPARED and row.prepared_at + self._pace.abandon_after <= now:
                with self._store.write() as connection:
                    if intents.move(connection, row.id, (IntentState.PREPARED,), IntentState.ABANDONED, now):
                        intents.release(connection, row.id, now, "nothing was sent")

    def take_due(self, limit: int) -> list[str]:
        """Claim the intents due for a look; the caller must `look` at each."""
        now = self._clock()
        with self._store.read() as connection:
            if not intents.any_due(connection, now):
                return []
        with self._store.write() as connection:
            return intents.take_due(connection, now, now + self._pace.refresh_deadline * 2, limit)

    def _ask(self, rc: str) -> tuple[SearchResult, dict[str, PaymentLink]]:
        """Search at the source and read every link on the vehicle; a link that cannot be read is left out."""
        result = self._gate.call(Operation.SEARCH_CHALLANS, lambda: self._client.search_challans(rc, bypass_cache=True))
        answers: dict[str, PaymentLink] = {}
        for link_id in dict.fromkeys(item.link_id for item in result.challans if item.link_id):
            try:
                ask = partial(self._client.get_payment_link, link_id)
                answers[link_id] = self._gate.call(Operation.GET_PAYMENT_LINK, ask)
            except ServiceError as error:
                log.info("a link found by a look could not be read: %s", error, extra={"link_id": link_id})
        return result, answers

    def _question(self, row: Row[Any], now: datetime) -> Question:
        started = row.send_started or now
        with self._store.read() as connection:
            known = links.known_before(connection, row.rc, started, row.id)
        return Question(
            challan_ids=frozenset(row.challan_ids),
            hours=row.hours,
            send_started=started,
            conflict=row.http_status == 409,
            known_links=known,
        )

    def _conclude(
        self, row: Row[Any], result: SearchResult, answers: dict[str, PaymentLink], started: datetime
    ) -> None:
        verdict = judge(self._question(row, started), result.challans, answers)
        now = self._clock()
        with self._store.write() as connection:
            self._enter(connection, row, result, answers, now)
            match verdict.finding:
                case Finding.RECOVERED:
                    self._recover(connection, row, verdict, answers, now)
                case Finding.ATTACHED:
                    self._attach(connection, row, verdict, _UNCLEAR, now)
                case Finding.REJECTED:
                    self._close(connection, row, IntentState.REJECTED, "a challan is no longer payable", now)
                case Finding.NEGATIVE:
                    self._count_negative(connection, row, started, now)
                case Finding.NOTHING_YET:
                    self._count_look(connection, row, now)

    def _enter(
        self,
        connection: Connection,
        row: Row[Any],
        result: SearchResult,
        answers: dict[str, PaymentLink],
        now: datetime,
    ) -> None:
        ledger.enter_search(connection, row.rc, result, row.person_id, now)
        for answer in answers.values():
            ledger.enter_link(connection, answer, self._pace, now, rc=row.rc)

    def _recover(
        self,
        connection: Connection,
        row: Row[Any],
        verdict: Verdict,
        answers: dict[str, PaymentLink],
        now: datetime,
    ) -> None:
        assert verdict.link_id is not None
        facts: dict[str, Any] = {"link_id": verdict.link_id, "attribution": "inferred", "next_check_at": None}
        if not intents.move(connection, row.id, _UNCLEAR, IntentState.RECOVERED, now, **facts):
            return
        intents.bind(connection, row.id, verdict.link_id)
        links.attribute(
            connection,
            verdict.link_id,
            origin=links.RECOVERED,
            intent_id=row.id,
            person_id=row.person_id,
            rc=row.rc,
            hours=row.hours,
            created_at=made_at(answers[verdict.link_id], row.hours) or row.send_started,
            at=now,
        )
        # A link that was found ended holds nothing any more.
        ledger.enter_link(connection, answers[verdict.link_id], self._pace, now, rc=row.rc)

    def _attach(
        self, connection: Connection, row: Row[Any], verdict: Verdict, old: tuple[IntentState, ...], now: datetime
    ) -> None:
        facts: dict[str, Any] = {"link_id": verdict.link_id, "next_check_at": None}
        if not intents.move(connection, row.id, old, IntentState.ATTACHED, now, **facts):
            return
        intents.release(connection, row.id, now, "another link holds some of the challans", keep=verdict.held)
        for link_id in set(verdict.held.values()):
            mine = [challan_id for challan_id, holder in verdict.held.items() if holder == link_id]
            intents.bind(connection, row.id, link_id, mine)

    def _close(self, connection: Connection, row: Row[Any], state: IntentState, why: str, now: datetime) -> None:
        if intents.move(connection, row.id, _UNCLEAR, state, now, why, next_check_at=None):
            intents.release(connection, row.id, now, why)

    def _count_negative(self, connection: Connection, row: Row[Any], started: datetime, now: datetime) -> None:
        """Absence is verified by two looks apart, the last of them late enough for a slow commit to have shown."""
        facts: dict[str, Any] = {"looks": row.looks + 1, "last_look_at": now, "look_failure": None}
        facts["next_check_at"] = self._next_look(row, now)
        if row.last_negative_at is None:
            facts |= {"negatives": 1, "last_negative_at": started}
        elif started - row.last_negative_at >= self._pace.gap:
            facts |= {"negatives": row.negatives + 1, "last_negative_at": started}
            if started - row.send_ended >= self._pace.settle:
                intents.note(connection, row.id, **facts)
                self._close(connection, row, IntentState.NOT_CREATED, "verified as not created", now)
                return
        intents.note(connection, row.id, **facts)

    def _count_look(self, connection: Connection, row: Row[Any], now: datetime) -> None:
        looks = row.looks + 1
        facts = {"looks": looks, "last_look_at": now, "look_failure": None, "next_check_at": self._next_look(row, now)}
        intents.note(connection, row.id, **facts)
        if looks >= _ATTENTION_LOOKS or now - row.send_ended >= _ATTENTION_AFTER:
            intents.move(connection, row.id, (IntentState.UNKNOWN,), IntentState.NEEDS_ATTENTION, now)

    def _next_look(self, row: Row[Any], now: datetime) -> datetime:
        return max(self._pace.next_look(row.send_ended, row.looks + 1), now + self._pace.looks[0])

    def _note_failure(self, row: Row[Any], error: ServiceError) -> None:
        now = self._clock()
        again = now + max(timedelta(seconds=error.retry_after or 0), self._pace.gap)
        with self._store.write() as connection:
            facts = {"look_failed_at": now, "look_failure": type(error).__name__, "next_check_at": again}
            intents.note(connection, row.id, **facts)

    def _end_of_vehicle(self, row: Row[Any], now: datetime) -> None:
        """The search explains a 409: the vehicle belongs to another organization or was deleted (section 7)."""
        if row.http_status != 409:
            self._note_failure(row, Conflict(Operation.SEARCH_CHALLANS, status=409))
            return
        with self._store.write() as connection:
            self._close(connection, row, IntentState.REJECTED, "the vehicle belongs elsewhere or was deleted", now)

    def _give_up(self, row: Row[Any], why: str) -> bool:
        now = self._clock()
        with self._store.write() as connection:
            if intents.move(connection, row.id, (IntentState.PREPARED,), IntentState.NOT_SENT, now, outcome=why):
                intents.release(connection, row.id, now, "nothing was sent")
        return False
