"""Create the links of a plan that a person reviewed as a whole, each by the protocol of link-creation.md.

Each link has a request key that the plan determines, so a lane that is begun again after a crash comes to the same
request, and sends nothing more. A creation is never retried: only where it is certain that nothing was created does a
link get a new request. An unclear request holds the other links of its vehicle, and no others.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from dashboard.domain.fleet import LATER, UNCLEAR_REQUESTS, JobKind, JobState, LinkOutcome, PlannedLink
from dashboard.domain.intents import LINK_IS_OURS, NOTHING_CREATED, IntentState
from dashboard.domain.links import MAX_CHALLANS, MAX_HOURS, MIN_HOURS
from dashboard.errors import AllowanceSpent, BreakerOpen, CallGroup, Operation, ServiceError
from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.creation.commands import CreateLink, CreationRefused, NotRecorded
from dashboard.services.creation.create import LinkCreator
from dashboard.services.fleet.waiting import (
    MOST_TRIES,
    SOON,
    STOPPING,
    UNSTATED,
    reason_of,
    tried_again_at,
    waits_until,
)
from dashboard.services.operations.blocks import ActiveBlock
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock, Schedule
from dashboard.services.vehicles.search import VehicleSearch
from dashboard.services.vehicles.selections import Selections
from dashboard.store.creation import intents
from dashboard.store.creation.intents import Intent
from dashboard.store.engine import Store
from dashboard.store.fleet import jobs, parts, plans
from dashboard.store.fleet.jobs import Job
from dashboard.store.fleet.plans import LinkOfPlan
from dashboard.store.vehicles import vehicles

log = logging.getLogger(__name__)

#: How long a plan waits before it looks again whether an unclear request has been resolved.
_UNCLEAR_WAIT = timedelta(seconds=15)
#: A search of this age is made anew before a link is created from it, so that the creation need not.
_SEARCH_MARGIN = timedelta(minutes=1)
_BREAKER = BreakerOpen.__name__
#: Refusals that concern every creation that follows, as intents store them. A request that met one was no try.
_STOPPING_NAMES = frozenset(
    {
        "AllowanceSpent",
        "AllowanceReserved",
        _BREAKER,
        "KeyThrottled",
        "OtherOrganization",
        "SecretRejected",
        "ServiceNotEnabled",
    }
)


@dataclass(frozen=True)
class FleetPlans:
    store: Store
    link_creator: LinkCreator
    vehicle_search: VehicleSearch
    call_policy: CallPolicy
    selections: Selections
    clock: Clock
    schedule: Schedule

    def start(
        self,
        title: str,
        links: Sequence[PlannedLink],
        *,
        hours: int,
        person_id: int,
        plan_id: str | None = None,
        run_id: str | None = None,
    ) -> str:
        """Begin to create links in their order; return the id of the plan.

        `plan_id` is drawn with the form that a person confirms: the same one leads to the same plan, however often it
        is sent. Raises ValueError for links that no request could be made for.
        """
        plan_id = plan_id or str(uuid.uuid4())
        if not links or not MIN_HOURS <= hours <= MAX_HOURS:
            raise ValueError("a plan needs a link and a lifetime")
        if any(not 1 <= len(link.challan_ids) <= MAX_CHALLANS for link in links):
            raise ValueError(f"a link has 1 to {MAX_CHALLANS} challans")
        with self.store.write() as connection:
            if jobs.add_once(connection, plan_id, JobKind.CREATION, title, person_id, self.clock()):
                plans.add(connection, plan_id, links, hours=hours, run_id=run_id)
        return plan_id

    def retry(self, plan_id: str) -> int:
        """Let every link that ended without one of the service be requested anew; return how many there are."""
        with self.store.write() as connection:
            job = jobs.find_locked(connection, plan_id)
            if job is None or job.state is JobState.CANCELLED:
                return 0
            again = [link for link in plans.links_of(connection, plan_id) if _ended_without_link(link)]
            for link in again:
                plans.try_again(connection, link)
            if again and not job.is_open:
                jobs.go_on(connection, plan_id, self.clock(), before={JobState.DONE})
            return len(again)

    def create_next(self, plan_id: str, generation: int, lane: str) -> bool:
        """Create the link that a lane has claimed, or else the next; False where there is nothing for the lane.

        Raises SQLAlchemyError and NotRecorded when the store cannot be used; then the lane calls again, and finds the
        request that it made.
        """
        claimed = self._claim(plan_id, generation, lane)
        if claimed is None:
            self._rest(plan_id, generation)
            return False
        job, plan, link = claimed
        try:
            self._create(job, plan.hours, link, lane)
        except (SQLAlchemyError, NotRecorded):
            raise
        except CreationRefused as refused:
            self._end(link, lane, LinkOutcome.REFUSED, refused.problem.value)
        except STOPPING as error:
            self._wait(job, link, lane, error)
        except ServiceError as error:
            self._try_later(job, link, lane, error.failure_name)
        except Exception:
            # Whether a request was made is not known here: the lane's next call with the same key finds out.
            log.exception("the creation of a link ended in a fault of our own", extra={"plan_id": plan_id})
            self._record_fault(job, link, lane)
        return True

    def _claim(self, plan_id: str, generation: int, lane: str) -> tuple[Job, plans.Plan, LinkOfPlan] | None:
        with self.store.write() as connection:
            job, plan = jobs.find_locked(connection, plan_id), plans.find(connection, plan_id)
            mine = plans.claimed_by(connection, plan_id, lane)
            if job is None or plan is None:
                return None
            if mine is None and job.state is JobState.RUNNING and job.generation == generation:
                mine = plans.claim_next(connection, plan_id, lane, self.clock())
            elif (
                mine is not None
                and job.state is not JobState.RUNNING
                and self._request_of(connection, job, mine) is None
            ):
                # Nothing was prepared for it, and nothing is begun while the job does not run.
                plans.give_back(connection, mine, lane, failure=mine.failure, tries=mine.tries, not_before=None)
                return None
            return (job, plan, mine) if mine is not None else None

    def _rest(self, plan_id: str, generation: int) -> None:
        """End the plan when every link has an outcome; let it wait when the others have to."""
        now = self.clock()
        with self.store.write() as connection:
            if jobs.find_locked(connection, plan_id) is None:
                return
            left = parts.left(connection, JobKind.CREATION, plan_id)
            if not left.parts:
                jobs.set_state(connection, plan_id, JobState.DONE, before={JobState.RUNNING}, ended_at=now)
            elif not left.claimed and left.soonest is not None and left.soonest > now:
                jobs.set_waiting(connection, plan_id, generation, LATER, left.soonest)
            elif not left.claimed:
                jobs.set_waiting(connection, plan_id, generation, UNCLEAR_REQUESTS, now + _UNCLEAR_WAIT)

    def _create(self, job: Job, hours: int, link: LinkOfPlan, lane: str) -> None:
        assert job.person_id is not None
        key = _request_key(link, link.tries)
        with self.store.read() as connection:
            earlier = self._request_of(connection, job, link)
        if earlier is None:
            self._search_again(link.rc)
            if not self._is_to_create(link, lane):
                return
        command = CreateLink(job.person_id, key, link.rc, link.challan_ids, hours, bulk=True)
        intent_id = self.link_creator.create(command)
        with self.store.read() as connection:
            intent = intents.find(connection, intent_id)
        assert intent is not None
        self._record(job, link, lane, intent)

    def _search_again(self, rc: str) -> None:
        """Search a vehicle whose last search is too old to create a link from, as bulk work."""
        with self.store.read() as connection:
            known = vehicles.find(connection, rc)
        if known is not None and self.clock() - known.searched_at > self.schedule.snapshot_age - _SEARCH_MARGIN:
            self.vehicle_search.search_in_bulk(rc)

    def _is_to_create(self, link: LinkOfPlan, lane: str) -> bool:
        """Return whether the plan still runs and the link is still the lane's; else the link is given back.

        The search takes long, and a process may sleep: a plan that was cancelled meanwhile begins nothing more.
        """
        with self.store.read() as connection:
            job, mine = jobs.find(connection, link.plan_id), plans.claimed_by(connection, link.plan_id, lane)
        is_mine = mine is not None and (mine.position, mine.tries) == (link.position, link.tries)
        if is_mine and job is not None and job.state is JobState.RUNNING:
            return True
        with self.store.write() as connection:
            plans.give_back(connection, link, lane, failure=link.failure, tries=link.tries, not_before=None)
        return False

    def _record(self, job: Job, link: LinkOfPlan, lane: str, intent: Intent) -> None:
        """Record the request of a link, or plan the next where this one certainly created nothing."""
        now = self.clock()
        if intent.state is IntentState.PREPARED:
            # A lane that died prepared it, and it is abandoned soon: nothing is ever sent minutes later.
            abandoned_at = now + self.schedule.abandon_after
            with self.store.write() as connection:
                plans.give_back(connection, link, lane, failure=link.failure, tries=link.tries, not_before=abandoned_at)
        elif intent.state in NOTHING_CREATED and intent.outcome in _STOPPING_NAMES:
            why, until = self._block_of(intent.outcome, now)
            reason = reason_of(self.call_policy, Operation.CREATE_PAYMENT_LINK, why)
            with self.store.write() as connection:
                plans.give_back(connection, link, lane, failure=why, tries=link.tries + 1, not_before=None)
                jobs.set_waiting(connection, job.id, job.generation, reason, until)
        elif (
            intent.state in (IntentState.NOT_SENT, IntentState.ABANDONED)
            and self._tries_in_vain(job, link) < MOST_TRIES
        ):
            self._try_later(job, link, lane, intent.outcome)
        else:
            with self.store.write() as connection:
                ended = plans.end(
                    connection, link, lane, LinkOutcome.REQUESTED, failure=None, intent_id=intent.id, ended_at=now
                )
                if ended:
                    facts = {"request": intent.id, "challans": len(link.challan_ids), "plan": link.plan_id}
                    audit.record(connection, "create", now, _ORIGIN, person_id=job.person_id, subject=link.rc, **facts)
            if intent.state in LINK_IS_OURS and job.person_id is not None:
                self.selections.remove(job.person_id, link.rc, link.challan_ids)

    def _record_fault(self, job: Job, link: LinkOfPlan, lane: str) -> None:
        with self.store.read() as connection:
            intent = self._request_of(connection, job, link)
        if intent is not None:
            self._record(job, link, lane, intent)
        else:
            self._end(link, lane, LinkOutcome.FAILED, "Fault")

    def _request_of(self, connection: Connection, job: Job, link: LinkOfPlan) -> Intent | None:
        return intents.find_by_key(connection, job.person_id or 0, _request_key(link, link.tries))

    def _block_of(self, name: str, now: datetime) -> tuple[str, datetime]:
        """Return why a creation that met a block of this name has to wait, and until when."""
        block = self._open_breaker() if name == _BREAKER else self.call_policy.refusal(Operation.CREATE_PAYMENT_LINK)
        if block is None:  # It has ended by now; a refusal that was not recorded says nothing of its end.
            return name, now + (SOON if name == _BREAKER else UNSTATED)
        why = (block.cause if name == _BREAKER else None) or name
        return why, max(block.until, now + SOON)

    def _open_breaker(self) -> ActiveBlock | None:
        """Return the circuit breaker that is open the longest: before it is sent, a creation searches and polls too."""
        breakers = [block for block in self.call_policy.active_blocks() if block.scope in tuple(CallGroup)]
        return max(breakers, key=lambda block: block.until, default=None)

    def _tries_in_vain(self, job: Job, link: LinkOfPlan) -> int:
        """Count the tries of a link, with the present one: of its requests, those that met no block."""
        keys = [_request_key(link, number) for number in range(link.tries)]
        with self.store.read() as connection:
            blocked = intents.count_with_outcome(connection, job.person_id or 0, keys, _STOPPING_NAMES)
        return link.tries + 1 - blocked

    def _wait(self, job: Job, link: LinkOfPlan, lane: str, error: ServiceError) -> None:
        until = waits_until(self.call_policy, error, self.clock())
        reason = reason_of(self.call_policy, error.operation, error.failure_name)
        # A link waits for the limit of new links; that searches have reached theirs is said of the plan.
        of_search = isinstance(error, AllowanceSpent) and error.operation is not Operation.CREATE_PAYMENT_LINK
        failure = None if of_search else error.failure_name
        with self.store.write() as connection:
            plans.give_back(connection, link, lane, failure=failure, tries=link.tries, not_before=None)
            jobs.set_waiting(connection, job.id, job.generation, reason, until)

    def _try_later(self, job: Job, link: LinkOfPlan, lane: str, failure: str | None) -> None:
        """Plan a new request for a link of which certainly nothing was created, or end it after the last try."""
        tries = self._tries_in_vain(job, link)
        if tries >= MOST_TRIES:
            self._end(link, lane, LinkOutcome.FAILED, failure or "")
            return
        again_at = tried_again_at(tries, self.clock())
        with self.store.write() as connection:
            plans.give_back(connection, link, lane, failure=failure, tries=link.tries + 1, not_before=again_at)

    def _end(self, link: LinkOfPlan, lane: str, outcome: LinkOutcome, failure: str) -> None:
        with self.store.write() as connection:
            plans.end(connection, link, lane, outcome, failure=failure, ended_at=self.clock())


#: The origin of what a plan does, in the audit log.
_ORIGIN = Origin(address="fleet plan")


def _request_key(link: LinkOfPlan, number: int) -> str:
    """Return the key of a request of a link by its number: the present one has that of the tries before it."""
    return f"{link.plan_id}:{link.position}:{number}"


def _ended_without_link(link: LinkOfPlan) -> bool:
    if link.outcome is LinkOutcome.REQUESTED:
        return link.intent_state in NOTHING_CREATED
    return link.outcome is LinkOutcome.FAILED
