"""Resolve intents whose outcome is unclear (link-creation.md, steps 2, 6 and 7).

Only a search may explain an unclear outcome. Every attempt searches the vehicle at the source, enters every returned
link in the ledger, reads each of them by its status, and then compares; a failed attempt changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from dashboard.domain.intents import RESOLVABLE, UNCLEAR, IntentState
from dashboard.domain.outcomes import Outcome
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
from dashboard.services.creation import recognition
from dashboard.services.creation.evidence import Evidence, EvidenceGatherer
from dashboard.services.links import ledger
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock, Schedule
from dashboard.services.steady_clock import certainly_passed
from dashboard.store.creation import claims, intents, releases
from dashboard.store.creation.intents import Intent
from dashboard.store.engine import Store
from dashboard.store.links import links
from dashboard.store.operations import call_budget

log = logging.getLogger(__name__)

#: Refusals that the call policy remembers: it lets no call through before there is a reason to try again.
_BLOCKING = (SecretRejected, OtherOrganization, ServiceNotEnabled, AllowanceSpent)
#: A row of another host is not this far ahead of our clock, unless a clock was wrong.
FAR_AHEAD = timedelta(minutes=10)
#: An unclear outcome is resolved more often than this; any other intent more often than that.
LONGEST_UNCLEAR_WAIT, LONGEST_WAIT = timedelta(hours=1), timedelta(days=2)
#: An intent needs attention after so many attempts without an outcome, or after this time in any case.
_ATTENTION_ATTEMPTS = 6
_ATTENTION_AFTER = timedelta(hours=24)


@dataclass(frozen=True)
class OutcomeResolver:
    """Resolve unclear outcomes, guard second attempts, and advance intents that a stopped process left."""

    store: Store
    evidence_gatherer: EvidenceGatherer
    call_policy: CallPolicy
    clock: Clock
    schedule: Schedule

    def resolve(self, intent_id: str) -> None:
        """Make one attempt to resolve an intent, unless another is under way.

        The service's refusal is recorded on the intent, not raised.
        """
        with suppress(ServiceError):
            self.attempt(intent_id)

    def resolve_on_request(self, intent_id: str) -> None:
        """Resolve at a person's request, but not right after an attempt: each spends a search of the allowance."""
        with self.store.read() as connection:
            intent = intents.find(connection, intent_id)
        last = intent.last_attempt_at if intent is not None else None
        if last is None or self.clock() - last >= self.schedule.resolve_pause:
            self.resolve(intent_id)

    def attempt(self, intent_id: str) -> bool:
        """Attempt like `resolve`, for a caller that acts on the result; False while another attempt is under way.

        Raises ServiceError, recorded on the intent, when the source or a link on its challans could not be read.
        """
        self.sweep()
        now = self.clock()
        with self.store.write() as connection:
            if not intents.begin_attempt(connection, intent_id, now, now + self.schedule.refresh_deadline * 2):
                return False
            intent = intents.find(connection, intent_id)
        assert intent is not None
        reach(Point.RESOLVE_CLAIMED)
        try:
            self._attempt(intent)
        except ServiceError:
            raise
        except Exception:
            self._postpone(intent)
            raise
        finally:
            with self.store.write() as connection:
                intents.end_attempt(connection, intent_id)
        return True

    def _attempt(self, intent: Intent) -> None:
        try:
            evidence = self.evidence_gatherer.gather(intent.rc, intent.challan_ids, self._observed_since_send(intent))
        except ServiceError as error:
            if isinstance(error, Conflict) and self._reject_for_vehicle(intent):
                return
            log.info("an attempt to resolve failed: %s", error, extra={"intent_id": intent.id})
            self._record_failure(intent, error)
            raise
        reach(Point.RESOLVE_SEARCHED)
        self._apply(intent, evidence)
        reach(Point.RESOLVE_DONE)
        if (unread := evidence.why_unread(intent.challan_ids)) is not None:
            raise unread

    def _observed_since_send(self, intent: Intent) -> list[str]:
        """Return links that this intent may have created and that may have ended since.

        A search shows each challan on its present link alone.
        """
        assert intent.send_started is not None
        with self.store.read() as connection:
            return links.observed_since(connection, intent.rc, intent.send_started, intent.challan_ids)

    def _postpone(self, intent: Intent) -> None:
        """Plan another attempt after a fault of our own, so that this intent holds up no other."""
        now = self.clock()
        due = self._until_last(intent, self.schedule.next_attempt(intent.send_ended or now, now), now)
        with self.store.write() as connection:
            facts = {"attempt_failed_at": now, "attempt_failure": "Fault", "next_check_at": due}
            recorded = intents.record_attempt(connection, intent.id, intent.attempts, **facts)
            if recorded and intent.send_ended is not None and self._needs_attention(intent, now):
                self._call_attention(connection, intent, now)

    def guard(self, intent_id: str) -> bool:
        """Search before a second attempt on the same challans (step 2). True when no link exists: it may be sent."""
        with self.store.read() as connection:
            intent = intents.find(connection, intent_id)
        assert intent is not None
        try:
            evidence = self.evidence_gatherer.gather(intent.rc, intent.challan_ids)
        except ServiceError as error:
            return self._give_up(intent, error.outcome_name)
        reach(Point.GUARD_SEARCHED)
        conclusion = self.evidence_gatherer.conclude(intent, evidence)
        held = dict(conclusion.held) or evidence.on_links(intent.challan_ids)
        now = self.clock()
        with self.store.write() as connection:
            self._enter(connection, intent, evidence, now)
            if held:
                self._attach(connection, intent, held, (IntentState.PREPARED,), now)
            self._recognize_others(connection, intent, evidence, now)
            if held:
                return False
        return conclusion.outcome is Outcome.NEGATIVE or self._give_up(intent, "NotSettled")

    def sweep(self) -> None:
        """Move what a stopped process left: SENDING past its lease to UNKNOWN, PREPARED and never sent to ABANDONED."""
        now = self.clock()
        with self.store.read() as connection:
            left = intents.in_states(connection, (IntentState.SENDING, IntentState.PREPARED))
        for intent in left:
            try:
                self._sweep(intent, now)
            except Exception:  # One that fails stops no other.
                log.exception("an intent that a process left could not be moved on", extra={"intent_id": intent.id})

    def _sweep(self, intent: Intent, now: datetime) -> None:
        if intent.state is IntentState.SENDING:
            assert intent.lease_until is not None
            longest = now + self.schedule.create_deadline + self.schedule.lease_margin
            if intent.lease_until > longest + FAR_AHEAD:
                with self.store.write() as connection:
                    intents.shorten_lease(connection, intent.id, longest)
                return
            if intent.lease_until > now:
                return
            with self.store.write() as connection:
                facts: dict[str, Any] = {"send_ended": intent.lease_until, "outcome": "Stopped", "next_check_at": now}
                intents.move(connection, intent.id, (IntentState.SENDING,), IntentState.UNKNOWN, now, **facts)
                reach(Point.SWEEP_INSIDE)
        elif not now < (intent.lease_until or intent.prepared_at + self.schedule.abandon_after) <= now + FAR_AHEAD:
            with self.store.write() as connection:
                if intents.move(connection, intent.id, (IntentState.PREPARED,), IntentState.ABANDONED, now):
                    claims.release(connection, intent.id, now, "nothing was sent")
                reach(Point.SWEEP_INSIDE)

    def claim_due(self, limit: int) -> list[str]:
        """Claim the intents that are due, as far as the call policy allows; the caller resolves or returns each.

        Resolving is not limited by the budget of calls, as people wait for it with their challans reserved, but counts
        against it.
        """
        now = self.clock()
        with self.store.read() as connection:
            if not intents.any_due(connection, now):
                return []
        room = self.call_policy.room(Operation.SEARCH_CHALLANS, resolving=True)
        if room == 0:
            return []
        with self.store.write() as connection:
            again_at = now + self.schedule.refresh_deadline * 2
            taken = intents.claim_due(connection, now, again_at, limit if room is None else min(limit, room))
            call_budget.use(connection, now, self.schedule.calls_per_second, len(taken))
            return taken

    def clamp_plans(self) -> None:
        """Make intents due that are planned farther ahead than any plan is: a clock was wrong at the time."""
        with self.store.write() as connection:
            now = self.clock()  # Not before, as for links.
            intents.clamp_plans(connection, now, now + LONGEST_UNCLEAR_WAIT, now + LONGEST_WAIT)

    def release_leases(self, intent_ids: Iterable[str]) -> None:
        """Make claimed intents due again whose attempt did not end here: other processes may begin at once."""
        now = self.clock()
        with self.store.write() as connection:
            for intent_id in intent_ids:
                intent = intents.find(connection, intent_id)
                if intent is not None and intent.state in RESOLVABLE:
                    intents.end_attempt(connection, intent_id)
                    intents.plan_attempt(connection, intent_id, now)

    def _apply(self, intent: Intent, evidence: Evidence) -> None:
        """Record the evidence and its outcome in one transaction."""
        conclusion = self.evidence_gatherer.conclude(intent, evidence)
        now = self.clock()
        with self.store.write() as connection:
            self._enter(connection, intent, evidence, now)
            if conclusion.outcome is Outcome.RECOVERED and releases.under_way(
                connection, intent.challan_ids, intent.id
            ):
                # The other intent may have created it: its own attempt goes first, and compares set and time as well.
                intents.plan_attempt(connection, intent.id, now + self.schedule.resolve_again)
            elif conclusion.outcome is Outcome.RECOVERED:
                assert conclusion.link_id is not None
                asked, answer = evidence.answers[conclusion.link_id]
                recognition.recover(connection, intent, answer, asked, self.schedule, now)
            elif intent.state is IntentState.NOT_CREATED:
                self._plan_late_check(connection, intent, now)
            elif conclusion.outcome is Outcome.ATTACHED:
                self._attach(connection, intent, conclusion.held, UNCLEAR, now)
            elif conclusion.outcome is Outcome.REJECTED:
                self._close(connection, intent, IntentState.REJECTED, "a challan is no longer payable", now)
            elif conclusion.outcome is Outcome.NEGATIVE:
                self._count_negative(connection, intent, evidence.started, now)
            else:
                self._count_attempt(connection, intent, now)
            self._recognize_others(connection, intent, evidence, now)
            reach(Point.RESOLVE_INSIDE)

    def _enter(self, connection: Connection, intent: Intent, evidence: Evidence, now: datetime) -> None:
        # No person made this search, so the latest search by a person stays on record.
        ledger.enter_search(connection, intent.rc, evidence.result, None, now, self.schedule, at_source=True)
        for asked, answer in evidence.answers.values():
            ledger.enter_link(connection, answer, self.schedule, now, asked=asked, rc=intent.rc)

    def _recognize_others(self, connection: Connection, intent: Intent, evidence: Evidence, now: datetime) -> None:
        """Let the evidence about one intent resolve the others of the vehicle that it concerns."""
        for asked, answer in evidence.answers.values():
            recognition.recognize(connection, answer, asked, self.schedule, self.clock, but=intent.id)

    def _attach(
        self,
        connection: Connection,
        intent: Intent,
        held: Mapping[str, str],
        old: Iterable[IntentState],
        now: datetime,
    ) -> None:
        """Record that other links hold some of the challans, by challan in `held`, and release the rest."""
        facts: dict[str, Any] = {"link_id": next(iter(held.values())), "next_check_at": None}
        if not intents.move(connection, intent.id, old, IntentState.ATTACHED, now, **facts):
            return
        claims.release(connection, intent.id, now, "another link holds some of the challans", keep=held)
        for link_id in set(held.values()):
            claims.hold(connection, intent.id, link_id, [key for key, holder in held.items() if holder == link_id], now)

    def _close(self, connection: Connection, intent: Intent, state: IntentState, why: str, now: datetime) -> None:
        if intents.move(connection, intent.id, UNCLEAR, state, now, why, next_check_at=None):
            claims.release(connection, intent.id, now, why)

    def _count_negative(self, connection: Connection, intent: Intent, started: datetime, now: datetime) -> None:
        """Verify absence by two negatives a gap apart, the last of them after the commit window."""
        assert intent.send_ended is not None
        facts = self._counted(intent, now, needs_attention=intent.state is IntentState.NEEDS_ATTENTION)
        # A step of a clock is no time that has passed, and would prove nothing.
        since_send = certainly_passed(self.clock, intent.send_ended, started)
        late_enough = since_send >= self.schedule.commit_window
        counted = intent.last_negative_at
        if counted is None or certainly_passed(self.clock, counted, started) >= self.schedule.resolve_gap:
            counted = started
            facts |= {"negatives": intent.negatives + 1, "last_negative_at": counted}
        # Plan the attempt that may conclude as early as it can, whenever this one came.
        conclusive = max(counted + self.schedule.resolve_gap, intent.send_ended + self.schedule.commit_window)
        if facts["next_check_at"] is not None and conclusive > now:
            facts["next_check_at"] = min(facts["next_check_at"], conclusive)
        recorded = intents.record_attempt(connection, intent.id, intent.attempts, **facts)
        if recorded and late_enough and facts.get("negatives", 0) > 1:
            self._close(connection, intent, IntentState.NOT_CREATED, "verified as not created", now)
            self._plan_late_check(connection, intent, now)

    def _count_attempt(self, connection: Connection, intent: Intent, now: datetime) -> None:
        """Record an attempt without an outcome."""
        needs_attention = self._needs_attention(intent, now, intent.attempts + 1)
        facts = self._counted(intent, now, needs_attention=needs_attention)
        if intents.record_attempt(connection, intent.id, intent.attempts, **facts) and needs_attention:
            self._call_attention(connection, intent, now)

    def _needs_attention(self, intent: Intent, now: datetime, attempts: int = 0) -> bool:
        """Return whether a person has to settle an intent: after too many attempts without an outcome, or a day."""
        assert intent.send_ended is not None
        since = now - intent.send_ended
        too_many = attempts >= _ATTENTION_ATTEMPTS and since > self.schedule.resolve_after[-1]
        return intent.state is IntentState.NEEDS_ATTENTION or too_many or since >= _ATTENTION_AFTER

    def _call_attention(self, connection: Connection, intent: Intent, now: datetime) -> None:
        intents.move(connection, intent.id, (IntentState.UNKNOWN,), IntentState.NEEDS_ATTENTION, now)

    def _counted(self, intent: Intent, now: datetime, *, needs_attention: bool) -> dict[str, Any]:
        """Return the facts of an answered attempt, with the next one: daily once a person has to settle it."""
        assert intent.send_ended is not None
        due = self.schedule.next_attempt(intent.send_ended, now)
        if needs_attention:
            due = self.schedule.next_attempt_with_attention(now)
        due_at = self._until_last(intent, due, now)
        return {
            "attempts": intent.attempts + 1,
            "last_attempt_at": now,
            "attempt_failure": None,
            "next_check_at": due_at,
        }

    def _until_last(self, intent: Intent, due: datetime, now: datetime) -> datetime | None:
        """Limit the attempts after a release, because no request waits for the challans of that intent."""
        if intent.released_at is None:
            return due
        assert intent.send_ended is not None
        last = self.schedule.last_attempt(intent.send_ended)
        return min(due, last) if now < last else None

    def _plan_late_check(self, connection: Connection, intent: Intent, now: datetime) -> None:
        """Plan the next of the late checks, which find a link that was committed after NOT_CREATED."""
        assert intent.send_ended is not None
        later = [intent.send_ended + after for after in self.schedule.late_checks if intent.send_ended + after > now]
        intents.plan_attempt(connection, intent.id, later[0] if later else None)

    def _record_failure(self, intent: Intent, error: ServiceError) -> None:
        assert intent.send_ended is not None
        now = self.clock()
        # The call policy knows when a refused key or a spent allowance may be tried again: no second wait is due here.
        soon = isinstance(error, _BLOCKING) or now - intent.send_ended < self.schedule.resolve_again
        wait = self.schedule.resolve_gap if soon else self.schedule.next_attempt(intent.send_ended, now) - now
        again = self._until_last(intent, now + max(timedelta(seconds=error.retry_after or 0), wait), now)
        with self.store.write() as connection:
            facts = {"attempt_failed_at": now, "attempt_failure": error.failure_name, "next_check_at": again}
            recorded = intents.record_attempt(connection, intent.id, intent.attempts, **facts)
            if recorded and self._needs_attention(intent, now):
                self._call_attention(connection, intent, now)

    def _reject_for_vehicle(self, intent: Intent) -> bool:
        """Let a search that answers 409 explain a 409: the vehicle belongs elsewhere or was deleted (section 7).

        Return False without an explanation, as after a release: the vehicle may have been deleted since the send.
        """
        if intent.http_status != 409 or intent.released_at is not None:
            return False
        with self.store.write() as connection:
            why = "the vehicle belongs elsewhere or was deleted"
            self._close(connection, intent, IntentState.REJECTED, why, self.clock())
        return True

    def _give_up(self, intent: Intent, why: str) -> bool:
        now = self.clock()
        with self.store.write() as connection:
            if intents.move(connection, intent.id, (IntentState.PREPARED,), IntentState.NOT_SENT, now, outcome=why):
                claims.release(connection, intent.id, now, "nothing was sent")
        return False
