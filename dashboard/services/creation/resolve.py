"""Finding out what became of a request whose answer was lost or unclear (link-creation.md, steps 2, 6 and 7).

Only a search may explain. Every look searches the vehicle at the source, enters every link it meets in the ledger,
reads each of them by its status, and then compares; a look that fails changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from dashboard.domain.intents import LOOKED_AT, IntentState
from dashboard.domain.outcomes import Finding, Verdict
from dashboard.errors import (
    AllowanceSpent,
    Conflict,
    Operation,
    OtherOrganization,
    SecretRejected,
    ServiceError,
    ServiceNotEnabled,
)
from dashboard.failpoints import Point, reach
from dashboard.services.creation import attempts
from dashboard.services.creation.evidence import EvidenceGatherer, Seen
from dashboard.services.links import ledger
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock, Schedule
from dashboard.store.creation import claims, intents, releases
from dashboard.store.engine import Store
from dashboard.store.links import links
from dashboard.store.operations import call_budget
from dashboard.upstream import ServiceClient

log = logging.getLogger(__name__)

#: Refusals that the gate remembers: nobody is let through to the service before there is a reason to try again.
_HELD_BACK = (SecretRejected, OtherOrganization, ServiceNotEnabled, AllowanceSpent)
_ATTENTION_LOOKS = 6
_ATTENTION_AFTER = timedelta(hours=24)


class OutcomeResolver:
    def __init__(
        self, store: Store, client: ServiceClient, call_policy: CallPolicy, clock: Clock, schedule: Schedule
    ) -> None:
        self._store = store
        self._call_policy = call_policy
        self._seeing = EvidenceGatherer(client, call_policy, clock)
        self._clock = clock
        self._schedule = schedule

    def look(self, intent_id: str) -> None:
        """Look once for what became of an intent, unless somebody is looking just now.

        What the service refuses is recorded on the intent, not raised.
        """
        with suppress(ServiceError):
            self.look_first(intent_id)

    def look_again(self, intent_id: str) -> None:
        """Look as a person asks for it, but not right after a look: each is a search of everybody's allowance."""
        with self._store.read() as connection:
            row = intents.find(connection, intent_id)
        last = row.last_look_at if row is not None else None
        if last is None or self._clock() - last >= self._schedule.look_pause:
            self.look(intent_id)

    def look_first(self, intent_id: str) -> bool:
        """Look like `look`, for whoever acts on what it leaves; False when somebody else is looking just now.

        Raises ServiceError, recorded on the intent, when the source or a link on its challans could not be read.
        """
        self.sweep()
        now = self._clock()
        with self._store.write() as connection:
            if not intents.take_look(connection, intent_id, now, now + self._schedule.refresh_deadline * 2):
                return False
            row = intents.find(connection, intent_id)
        assert row is not None
        reach(Point.LOOK_TAKEN)
        try:
            self._look(row)
        except ServiceError:
            raise
        except Exception:
            self._set_back(row)
            raise
        finally:
            with self._store.write() as connection:
                intents.end_look(connection, intent_id)
        return True

    def _look(self, row: Row[Any]) -> None:
        try:
            seen = self._seeing.ask(row.rc, self._met_since_the_send(row))
        except ServiceError as error:
            if isinstance(error, Conflict) and self._end_of_vehicle(row):
                return
            log.info("a look failed: %s", error, extra={"intent_id": row.id})
            self._note_failure(row, error)
            raise
        reach(Point.LOOK_ASKED)
        self._conclude(row, seen)
        reach(Point.LOOK_DONE)
        if (unread := seen.why_unread(row.challan_ids)) is not None:
            raise unread

    def _met_since_the_send(self, row: Row[Any]) -> list[str]:
        """Links that may be this request's own and have ended since: a search shows what its challans are on now."""
        with self._store.read() as connection:
            return links.met_since(connection, row.rc, row.send_started, row.challan_ids)

    def _set_back(self, row: Row[Any]) -> None:
        """Our own handling has failed: this request is looked at again later, and stands in no other's way."""
        now = self._clock()
        due = self._until_last(row, self._schedule.next_look(row.send_ended or now, now), now)
        with self._store.write() as connection:
            facts = {"look_failed_at": now, "look_failure": "Fault", "next_check_at": due}
            if intents.note(connection, row.id, row.looks, **facts) and row.send_ended is not None:
                self._tell_people(connection, row, now)

    def guard(self, intent_id: str) -> bool:
        """Whether a prepared second attempt may be sent: one more look found no link (step 2)."""
        with self._store.read() as connection:
            row = intents.find(connection, intent_id)
        assert row is not None
        try:
            seen = self._seeing.ask(row.rc)
        except ServiceError as error:
            return self._give_up(row, error.failure_name)
        reach(Point.GUARD_ASKED)
        verdict = attempts.verdict(self._store, self._schedule, row, seen)
        held = dict(verdict.held) or seen.on_links(row.challan_ids)
        now = self._clock()
        with self._store.write() as connection:
            self._enter(connection, row, seen, now)
            if held:
                self._attach(connection, row, held, (IntentState.PREPARED,), now)
                return False
        return verdict.finding is Finding.NEGATIVE or self._give_up(row, "NotSettled")

    def sweep(self) -> None:
        """Settle what a stopped process left: a send past its lease is UNKNOWN, a request never sent is ABANDONED."""
        now = self._clock()
        with self._store.read() as connection:
            left = intents.in_states(connection, (IntentState.SENDING, IntentState.PREPARED))
        for row in left:
            try:
                self._settle(row, now)
            except Exception:  # One that cannot be settled stops no other.
                log.exception("a request that was left could not be settled", extra={"intent_id": row.id})

    def _settle(self, row: Row[Any], now: datetime) -> None:
        if row.state == IntentState.SENDING and row.lease_until <= now:
            with self._store.write() as connection:
                facts = {"send_ended": row.lease_until, "outcome": "Stopped", "next_check_at": now}
                intents.move(connection, row.id, (IntentState.SENDING,), IntentState.UNKNOWN, now, **facts)
                reach(Point.SWEEP_INSIDE)
        elif row.state == IntentState.PREPARED and self._is_left(row, now):
            with self._store.write() as connection:
                if intents.move(connection, row.id, (IntentState.PREPARED,), IntentState.ABANDONED, now):
                    claims.release(connection, row.id, now, "nothing was sent")
                reach(Point.SWEEP_INSIDE)

    def _is_left(self, row: Row[Any], now: datetime) -> bool:
        return bool((row.lease_until or row.prepared_at + self._schedule.abandon_after) <= now)

    def take_due(self, limit: int) -> list[str]:
        """Claim the intents due for a look, as far as the gate allows; the caller must `look` at each, or `let_go`.

        Looks go before the budget of calls, as people wait for them with their challans reserved, and use it up.
        """
        now = self._clock()
        with self._store.read() as connection:
            if not intents.any_due(connection, now):
                return []
        room = self._call_policy.room(Operation.SEARCH_CHALLANS, resolving=True)
        if room == 0:
            return []
        with self._store.write() as connection:
            again_at = now + self._schedule.refresh_deadline * 2
            taken = intents.take_due(connection, now, again_at, limit if room is None else min(limit, room))
            call_budget.use(connection, now, self._schedule.calls_per_second, len(taken))
            return taken

    def let_go(self, intent_ids: Iterable[str]) -> None:
        """Make intents due again that were claimed here and whose look was not ended: others may look at once."""
        now = self._clock()
        with self._store.write() as connection:
            for intent_id in intent_ids:
                row = intents.find(connection, intent_id)
                if row is not None and row.state in LOOKED_AT:
                    intents.end_look(connection, intent_id)
                    intents.plan_look(connection, intent_id, now)

    def _conclude(self, row: Row[Any], seen: Seen) -> None:
        verdict = attempts.verdict(self._store, self._schedule, row, seen)
        now = self._clock()
        with self._store.write() as connection:
            self._enter(connection, row, seen, now)
            if verdict.finding is Finding.RECOVERED and releases.under_way(connection, row.challan_ids, row.id):
                # That one may have made it: its own look is to tell first, which holds it to its set and time as well.
                intents.plan_look(connection, row.id, now + self._schedule.look_again)
            elif verdict.finding is Finding.RECOVERED:
                self._recover(connection, row, verdict, seen, now)
            elif row.state == IntentState.NOT_CREATED:
                self._plan_audit(connection, row, now)
            elif verdict.finding is Finding.ATTACHED:
                self._attach(connection, row, verdict.held, attempts.UNCLEAR, now)
            elif verdict.finding is Finding.REJECTED:
                self._close(connection, row, IntentState.REJECTED, "a challan is no longer payable", now)
            elif verdict.finding is Finding.NEGATIVE:
                self._count_negative(connection, row, seen.started, now)
            else:
                self._count_look(connection, row, now)
            reach(Point.LOOK_INSIDE)

    def _enter(self, connection: Connection, row: Row[Any], seen: Seen, now: datetime) -> None:
        # Nobody has asked for this search: what people are told of the newest one stays theirs.
        ledger.enter_search(connection, row.rc, seen.result, None, now, self._schedule, at_source=True)
        for asked, answer in seen.answers.values():
            ledger.enter_link(connection, answer, self._schedule, now, started_at=asked, rc=row.rc)

    def _recover(self, connection: Connection, row: Row[Any], verdict: Verdict, seen: Seen, now: datetime) -> None:
        """The link is ours. It may come to light after we had said that there is none: then its page says so."""
        assert verdict.link_id is not None
        asked, answer = seen.answers[verdict.link_id]
        facts: dict[str, Any] = {"link_id": verdict.link_id, "attribution": "inferred", "next_check_at": None}
        if not intents.move(connection, row.id, LOOKED_AT, IntentState.RECOVERED, now, **facts):
            return
        ledger.attribute(
            connection,
            verdict.link_id,
            origin=links.RECOVERED,
            intent_id=row.id,
            person_id=row.person_id,
            rc=row.rc,
            hours=row.hours,
            created_at=row.send_started,  # By our own clock, as everything beside it.
            at=now,
        )
        ledger.hold(connection, row.id, verdict.link_id, row.challan_ids, now)
        # A link that was found ended holds nothing any more.
        ledger.enter_link(connection, answer, self._schedule, now, started_at=asked, rc=row.rc)

    def _attach(
        self,
        connection: Connection,
        row: Row[Any],
        held: Mapping[str, str],
        old: tuple[IntentState, ...],
        now: datetime,
    ) -> None:
        """Other links, by challan in `held`, hold some of what was asked for; the rest is free."""
        facts: dict[str, Any] = {"link_id": next(iter(held.values())), "next_check_at": None}
        if not intents.move(connection, row.id, old, IntentState.ATTACHED, now, **facts):
            return
        claims.release(connection, row.id, now, "another link holds some of the challans", keep=held)
        for link_id in set(held.values()):
            claims.hold(connection, row.id, link_id, [key for key, holder in held.items() if holder == link_id], now)

    def _close(self, connection: Connection, row: Row[Any], state: IntentState, why: str, now: datetime) -> None:
        if intents.move(connection, row.id, attempts.UNCLEAR, state, now, why, next_check_at=None):
            claims.release(connection, row.id, now, why)

    def _count_negative(self, connection: Connection, row: Row[Any], started: datetime, now: datetime) -> None:
        """Absence is verified by two looks apart, the last of them late enough for a slow commit to have shown."""
        facts = self._looked(row, now)
        settled = started - row.send_ended >= self._schedule.commit_window
        counted = row.last_negative_at
        if counted is None or started - counted >= self._schedule.resolve_gap:
            counted = started
            facts |= {"negatives": row.negatives + 1, "last_negative_at": counted}
        # Whenever a look came, nobody waits longer than they must for the one that may conclude.
        conclusive = max(counted + self._schedule.resolve_gap, row.send_ended + self._schedule.commit_window)
        if facts["next_check_at"] is not None and conclusive > now:
            facts["next_check_at"] = min(facts["next_check_at"], conclusive)
        noted = intents.note(connection, row.id, row.looks, **facts)
        if noted and settled and facts.get("negatives", 0) > 1:
            self._close(connection, row, IntentState.NOT_CREATED, "verified as not created", now)
            self._plan_audit(connection, row, now)

    def _count_look(self, connection: Connection, row: Row[Any], now: datetime) -> None:
        """Nothing could be concluded; when that goes on, people are told."""
        if intents.note(connection, row.id, row.looks, **self._looked(row, now)):
            self._tell_people(connection, row, now, looks=row.looks + 1)

    def _tell_people(self, connection: Connection, row: Row[Any], now: datetime, *, looks: int = 0) -> None:
        """What could not be found out by so many looks, or for a day whatever the reason, needs a person."""
        since = now - row.send_ended
        often = looks >= _ATTENTION_LOOKS and since > self._schedule.looks[-1]
        if often or since >= _ATTENTION_AFTER:
            intents.move(connection, row.id, (IntentState.UNKNOWN,), IntentState.NEEDS_ATTENTION, now)

    def _looked(self, row: Row[Any], now: datetime) -> dict[str, Any]:
        due = self._until_last(row, self._schedule.next_look(row.send_ended, now), now)
        return {"looks": row.looks + 1, "last_look_at": now, "look_failure": None, "next_check_at": due}

    def _until_last(self, row: Row[Any], due: datetime, now: datetime) -> datetime | None:
        """A request that was set aside is not looked at for ever: nobody waits for its challans any more."""
        if row.set_aside_at is None:
            return due
        last = self._schedule.last_look(row.send_ended)
        return min(due, last) if now < last else None

    def _plan_audit(self, connection: Connection, row: Row[Any], now: datetime) -> None:
        """After the verdict of absence there are two more looks; a link committed late is found by them."""
        later = [row.send_ended + after for after in self._schedule.audit_looks if row.send_ended + after > now]
        intents.plan_look(connection, row.id, later[0] if later else None)

    def _note_failure(self, row: Row[Any], error: ServiceError) -> None:
        now = self._clock()
        # The gate knows when a refused key or a spent allowance may be tried again: nobody waits a second time here.
        soon = isinstance(error, _HELD_BACK) or now - row.send_ended < self._schedule.look_again
        patience = self._schedule.resolve_gap if soon else self._schedule.next_look(row.send_ended, now) - now
        again = self._until_last(row, now + max(timedelta(seconds=error.retry_after or 0), patience), now)
        with self._store.write() as connection:
            facts = {"look_failed_at": now, "look_failure": error.failure_name, "next_check_at": again}
            if intents.note(connection, row.id, row.looks, **facts):
                self._tell_people(connection, row, now)

    def _end_of_vehicle(self, row: Row[Any]) -> bool:
        """The search explains a 409: the vehicle belongs to another organization or was deleted (section 7).

        False when it explains nothing, as long after a request was set aside: the vehicle may have gone meanwhile.
        """
        if row.http_status != 409 or row.set_aside_at is not None:
            return False
        with self._store.write() as connection:
            why = "the vehicle belongs elsewhere or was deleted"
            self._close(connection, row, IntentState.REJECTED, why, self._clock())
        return True

    def _give_up(self, row: Row[Any], why: str) -> bool:
        now = self._clock()
        with self._store.write() as connection:
            if intents.move(connection, row.id, (IntentState.PREPARED,), IntentState.NOT_SENT, now, outcome=why):
                claims.release(connection, row.id, now, "nothing was sent")
        return False
