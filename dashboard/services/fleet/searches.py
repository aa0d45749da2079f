"""Search many vehicles in a run that goes on over restarts: a lane takes one vehicle after the other.

The store holds the truth: which vehicle a lane has claimed, and what came of it, recorded together with the search. A
lane that is begun again after a crash searches the vehicle that it had.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from dashboard.domain.fleet import (
    LATER,
    MAX_VEHICLES,
    RETRYABLE,
    FleetVehicle,
    JobKind,
    JobState,
    SearchOutcome,
)
from dashboard.errors import Conflict, RequestRefused, ServiceError, ServiceFailed, Unreachable
from dashboard.services.fleet.waiting import MOST_TRIES, STOPPING, reason_of, tried_again_at, waits_until
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock, Schedule
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.search import VehicleSearch
from dashboard.store.engine import Store
from dashboard.store.fleet import jobs, parts, runs
from dashboard.store.fleet.runs import RunVehicle
from dashboard.store.operations import call_budget
from dashboard.store.vehicles import vehicles

log = logging.getLogger(__name__)

_BUDGET = "fleet"
#: Seconds of waiting for the budget after which a lane asks again whether its run still runs.
_LONG_WAIT = 1.0
#: Failures after which another try may help.
_PASSING = (ServiceFailed, Unreachable)


@dataclass(frozen=True, slots=True)
class _Turn:
    """Hold the vehicle of a lane, and in how many seconds its search may begin (see `call_budget`)."""

    vehicle: RunVehicle
    at_source: bool
    delay: float = 0


class TooManyVehicles(ValueError):
    """Report that a run would have more than MAX_VEHICLES vehicles."""


@dataclass(frozen=True)
class FleetSearches:
    store: Store
    vehicle_search: VehicleSearch
    call_policy: CallPolicy
    clock: Clock
    schedule: Schedule

    def start(
        self,
        title: str,
        listed: Sequence[FleetVehicle],
        person_id: int | None,
        *,
        run_id: str | None = None,
        at_source: bool = False,
    ) -> str:
        """Begin to search vehicles, each number once; return the id of the run. `person_id` is None for a schedule.
        `at_source`: ask the source anew, also where the service has a result in its cache.

        Of several calls with the same `run_id` the first alone begins a run.
        Raises ValueError without any vehicle, and TooManyVehicles.
        """
        unique = list({each.rc: each for each in listed}.values())
        if not unique:
            raise ValueError("a run needs a vehicle")
        if len(unique) > MAX_VEHICLES:
            raise TooManyVehicles(len(unique))
        run_id = run_id or str(uuid.uuid4())
        with self.store.write() as connection:
            now = self.clock()
            if jobs.add_once(connection, run_id, JobKind.SEARCH, title, person_id, now, at_source=at_source):
                runs.add(connection, run_id, unique)
        return run_id

    def retry_failed(self, run_id: str) -> int:
        """Search again the vehicles whose search failed; return how many there are."""
        with self.store.write() as connection:
            job = jobs.find_locked(connection, run_id)
            if job is None or job.state is JobState.CANCELLED:
                return 0
            count = runs.reset(connection, run_id, RETRYABLE)
            if count and not job.is_open:
                jobs.go_on(connection, run_id, self.clock(), before={JobState.DONE})
            return count

    def complete(self, run_id: str, positions: Sequence[int], rc_type: str, city_id: str) -> int:
        """Search vehicles again, which the service has refused, with this RC type and city; return how many."""
        with self.store.write() as connection:
            job = jobs.find_locked(connection, run_id)
            if job is None or job.state is JobState.CANCELLED:
                return 0
            count = runs.complete(connection, run_id, positions, rc_type=rc_type, city_id=city_id)
            if count and not job.is_open:
                jobs.go_on(connection, run_id, self.clock(), before={JobState.DONE})
            return count

    def search_next(
        self, run_id: str, generation: int, lane: str, *, wait: Callable[[float], None] = time.sleep
    ) -> bool:
        """Search the vehicle that a lane has claimed, or else the next; False where there is nothing for the lane.

        `wait` paces the lane: it waits for so many seconds. Where it raises, because the worker stops, nothing is sent,
        and the vehicle stays claimed for the lane's next call.
        Raises SQLAlchemyError when the store cannot be used; then the lane calls again.
        """
        while True:
            turn = self._claim(run_id, generation, lane)
            if turn is None:
                self._rest(run_id, generation)
                return False
            vehicle = turn.vehicle
            if turn.delay:
                wait(turn.delay)
            if turn.delay < _LONG_WAIT:
                break
            # Meanwhile somebody may have paused the run, so the claim is read again.
        try:
            if turn.at_source or not self._is_searched(vehicle):
                self._search(turn, generation, lane)
            else:
                with self.store.write(durable=False) as connection:
                    self._record_found(connection, vehicle, lane, vehicle.rc)
        except SQLAlchemyError:
            raise
        except Exception:
            log.exception("the search of a vehicle ended in a fault of our own", extra={"rc": vehicle.rc})
            self._end(vehicle, lane, SearchOutcome.FAILED, "Fault")
        return True

    def _claim(self, run_id: str, generation: int, lane: str) -> _Turn | None:
        """Return the vehicle that a lane works on, if there is one."""
        now = self.clock()
        with self.store.write(durable=False) as connection:
            job = jobs.find(connection, run_id)
            mine = runs.claimed_by(connection, run_id, lane)
            if job is None or job.state is not JobState.RUNNING:
                if mine is not None:
                    _give_back(connection, mine, lane)
                return None
            if mine is not None:
                return _Turn(mine, job.at_source)
            if job.generation != generation:
                return None
            vehicle = runs.claim_next(connection, run_id, lane, now)
            if vehicle is None:
                return None
            delay = call_budget.reserve(connection, _BUDGET, now, self.schedule.fleet_calls_per_second)
            return _Turn(vehicle, job.at_source, delay)

    def _rest(self, run_id: str, generation: int) -> None:
        """End the run when every vehicle has an outcome; let it wait when the others have to."""
        now = self.clock()
        with self.store.write(durable=False) as connection:
            if jobs.find_locked(connection, run_id) is None:
                return
            left = parts.left(connection, JobKind.SEARCH, run_id)
            if not left.parts:
                jobs.set_state(connection, run_id, JobState.DONE, before={JobState.RUNNING}, ended_at=now)
            elif not left.claimed:
                # Without a moment: it was to be searched again after this lane had found nothing more.
                resume_at = now if left.soonest is None or left.later < left.parts else max(left.soonest, now)
                jobs.set_waiting(connection, run_id, generation, LATER, resume_at)

    def _is_searched(self, vehicle: RunVehicle) -> bool:
        """Return whether somebody else searched the vehicle since it was claimed."""
        if vehicle.claimed_at is None:
            return False
        with self.store.read() as connection:
            known = vehicles.find(connection, vehicle.rc)
        return known is not None and known.searched_at >= vehicle.claimed_at

    def _search(self, turn: _Turn, generation: int, lane: str) -> None:
        vehicle = turn.vehicle
        try:
            self.vehicle_search.search_in_bulk(
                vehicle.rc,
                rc_type=vehicle.rc_type,
                city_id=vehicle.city_id,
                at_source=turn.at_source,
                and_record=lambda connection, found_rc: self._record_found(connection, vehicle, lane, found_rc),
            )
        except STOPPING as error:
            now = self.clock()
            until = waits_until(self.call_policy, error, now)
            reason = reason_of(self.call_policy, error.operation, error.failure_name)
            with self.store.write() as connection:
                _give_back(connection, vehicle, lane)
                jobs.set_waiting(connection, vehicle.run_id, generation, reason, until)
        except ServiceError as error:
            self._record_failure(vehicle, lane, error)

    def _record_failure(self, vehicle: RunVehicle, lane: str, error: ServiceError) -> None:
        tries, now = vehicle.tries + 1, self.clock()
        if isinstance(error, _PASSING) and tries < MOST_TRIES:
            with self.store.write(durable=False) as connection:
                again_at = tried_again_at(tries, now)
                runs.give_back(connection, vehicle, lane, failure=error.failure_name, tries=tries, not_before=again_at)
            return
        self._end(vehicle, lane, _outcome_of(vehicle, error), error.failure_name)

    def _record_found(self, connection: Connection, vehicle: RunVehicle, lane: str, found_rc: str) -> None:
        listed = eligibility.of_vehicle(connection, found_rc)
        payable = sum(item.selectable for item in listed)
        new = sum(item.listed and item.stored.mark == "new" for item in listed)
        outcome = SearchOutcome.PAYABLE if payable else SearchOutcome.NOTHING_PAYABLE
        counted = {"found_rc": found_rc, "payable": payable, "new_challans": new}
        runs.end(connection, vehicle, lane, outcome, failure=None, ended_at=self.clock(), **counted)

    def _end(self, vehicle: RunVehicle, lane: str, outcome: SearchOutcome, failure: str) -> None:
        with self.store.write(durable=False) as connection:
            runs.end(connection, vehicle, lane, outcome, failure=failure, ended_at=self.clock())


def _give_back(connection: Connection, vehicle: RunVehicle, lane: str) -> None:
    """Give a vehicle back that has not failed: it is the next of its run again."""
    runs.give_back(connection, vehicle, lane, failure=vehicle.failure, tries=vehicle.tries, not_before=None)


def _outcome_of(vehicle: RunVehicle, error: ServiceError) -> SearchOutcome:
    if isinstance(error, RequestRefused):
        is_complete = vehicle.rc_type is not None and vehicle.city_id is not None
        return SearchOutcome.REFUSED if is_complete else SearchOutcome.DETAILS_NEEDED
    if isinstance(error, Conflict):
        return SearchOutcome.NOT_OURS
    return SearchOutcome.NO_ANSWER if isinstance(error, _PASSING) else SearchOutcome.FAILED
