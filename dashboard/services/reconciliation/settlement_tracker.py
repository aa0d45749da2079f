"""Search the vehicles of paid links at the source, on a slow schedule, until their challans are settled.

They are made by themselves only where the setting says so (section 4.3 wants `bypassCache` only when a refresh is
explicitly wanted); otherwise a person asks for them. This is the least urgent background work: one search of a vehicle
for all its links, under the call policy, within the budget of calls that all processes share, and, unless a person
asked, only while half of a learned day's allowance is left for people.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection

from dashboard.domain.settlements import Settlement, SettlementCheck, check_settlement
from dashboard.errors import Operation, ServiceError, Unreachable
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.reconciliation import settlement_rules
from dashboard.services.schedule import Clock, Schedule
from dashboard.services.vehicles.search import RefreshBusy, VehicleSearch
from dashboard.store.engine import Store
from dashboard.store.operations import call_budget
from dashboard.store.reconciliation import settlements
from dashboard.store.reconciliation.settlements import ClaimedVehicle, SettlementChange, UnplannedLink

log = logging.getLogger(__name__)

#: The most links without a plan in one sweep.
_SWEEP_SIZE = 250
#: The most vehicles that one click has searched at the source.
MOST_ASKED = 50
#: The stored failure name when a check raised an error that is not the service's.
_FAULT = "Fault"


@dataclass(frozen=True)
class SettlementTracker:
    store: Store
    vehicle_search: VehicleSearch
    call_policy: CallPolicy
    clock: Clock
    schedule: Schedule
    #: The vehicles that this process has claimed, by the link that names each claim.
    _claims: dict[str, ClaimedVehicle] = field(default_factory=dict, init=False, repr=False)

    def claim_due(self, limit: int) -> list[str]:
        """Claim vehicles whose check is due, as far as call policy, budget and the day's allowance have room.

        Returns one link of each. The caller must `check` each of them, or `release` it.
        """
        now, only_asked = self.clock(), not self.schedule.unattended_settlement_checks
        with self.store.read() as connection:
            if not settlements.any_due(connection, now, only_asked=only_asked) or self._budget(connection, now) <= 0:
                return []
        room = self.call_policy.room(Operation.SEARCH_CHALLANS)
        limit = limit if room is None else min(limit, room)
        if limit <= 0:
            return []
        only_asked = only_asked or not self.call_policy.allowances.is_spare(Operation.SEARCH_CHALLANS)
        with self.store.write() as connection:
            limit = min(limit, self._budget(connection, now, lock=True))
            if limit <= 0:
                return []
            until = now + self.schedule.refresh_deadline * 2
            claims = settlements.claim_due(connection, now, until, limit, only_asked=only_asked)
            call_budget.use(connection, now, self.schedule.calls_per_second, len(claims))
        self._claims.update({claim.link_id: claim for claim in claims})
        return [claim.link_id for claim in claims]

    def ask_for_all(self, *, pending: bool = False) -> int:
        """Have the paid links verified that nobody verified, or those that the source listed as payable, as many as
        one click may; returns how many links.
        """
        with self.store.write() as connection:
            return settlements.ask_for_all(connection, self.clock(), MOST_ASKED, pending=pending)

    def check(self, link_id: str) -> None:
        """Search at the source the vehicle that was claimed by this link. A refusal is recorded, not raised."""
        claim = self._claims[link_id]
        try:
            self._check(claim)
        finally:
            self._claims.pop(link_id, None)

    def _check(self, claim: ClaimedVehicle) -> None:
        try:
            self.vehicle_search.refresh_unattended(claim.rc)
        except RefreshBusy:
            self._postpone(claim, self.schedule.refresh_deadline)  # The colleague's search is a check as well.
        except ServiceError as error:
            log.info("the settlement check of a vehicle failed: %s", error)
            called = error.sent or isinstance(error, Unreachable)
            self._record_failure(claim, error.failure_name, called=called, retry_after=error.retry_after)
        except Exception:
            self._record_failure(claim, _FAULT, called=True)
            raise
        else:
            self._record_no_listing(claim)

    def release(self, link_ids: Iterable[str]) -> None:
        """Release claims that this process will not check, so that others may at once."""
        now = self.clock()
        with self.store.write() as connection:
            for link_id in link_ids:
                if (claim := self._claims.pop(link_id, None)) is not None:
                    settlements.release(connection, claim, now)

    def clamp_plans(self) -> None:
        """Make checks due that are planned farther ahead than any is: a clock was wrong at the time."""
        longest = max(self.schedule.settlement_checks) + self.schedule.longest_settlement_delay
        with self.store.write() as connection:
            now = self.clock()  # Not before, as for links.
            settlements.clamp_plans(connection, now, now + longest)

    def plan_missing(self) -> None:
        """Plan the checks of paid links without a plan; none is made for what the stored listing shows settled."""
        with self.store.read() as connection:
            unplanned = settlements.list_unplanned(connection, _SWEEP_SIZE)
        if not unplanned:
            return
        now = self.clock()
        with self.store.write() as connection:
            for link in unplanned:
                settlement_rules.plan_checks_late(connection, link, now, self.schedule)
            self._check_stored_listings(connection, unplanned)

    def _check_stored_listings(self, connection: Connection, links: Iterable[UnplannedLink]) -> None:
        """Check links against the stored listing of a search since their payment, which needs no call."""
        paid = {link.id: (link.rc, link.paid_at or link.status_since) for link in links if link.rc is not None}
        first = {rc: min(at for other, at in paid.values() if other == rc) for rc, _ in set(paid.values())}
        listings = settlements.listings_since(connection, first)
        covered = settlements.covered(connection, paid)
        for link_id, (rc, paid_at) in paid.items():
            searched_at, listing = listings.get(rc, (paid_at, None))
            plan = settlements.find_plan(connection, link_id)
            if listing is None or searched_at <= paid_at or plan is None:
                continue
            check = check_settlement(covered[link_id], listing)
            if check.result is Settlement.SETTLED:
                settlement_rules.record_check(connection, plan, check, searched_at, self.schedule, at_source=False)

    def _budget(self, connection: Connection, now: datetime, *, lock: bool = False) -> int:
        return call_budget.left(connection, now, self.schedule.calls_per_second, lock=lock)

    def _postpone(self, claim: ClaimedVehicle, delay: timedelta) -> None:
        with self.store.write() as connection:
            settlements.release(connection, claim, self.clock() + delay)

    def _record_failure(
        self, claim: ClaimedVehicle, failure: str, *, called: bool, retry_after: float | None = None
    ) -> None:
        """Plan the next check after a failed one, later with each failure in a row.

        `called` is False for a call that the call policy held back, which counts as no failure; `retry_after` is how
        many seconds the service asks to wait at least.
        """
        now, least = self.clock(), timedelta(seconds=retry_after or 0)
        with self.store.write() as connection:
            for plan in settlements.still_claimed(connection, claim):
                if called and now - plan.entered_at >= self.schedule.settlement_patience:
                    settlement_rules.give_up(connection, plan, now)
                    continue
                failures = plan.failures + called
                due_at = now + max(least, self.schedule.settlement_backoff(failures))
                change: SettlementChange = {
                    "failures": failures,
                    "failed_at": now,
                    "failure": failure,
                    "due_at": due_at,
                }
                settlements.change_plan(connection, plan.link_id, **change)

    def _record_no_listing(self, claim: ClaimedVehicle) -> None:
        """Record an unclear check for plans that the search did not reach, because it returned another vehicle."""
        now, unclear = self.clock(), SettlementCheck(Settlement.UNCLEAR, ())
        with self.store.write() as connection:
            for plan in settlements.still_claimed(connection, claim):
                settlement_rules.record_check(connection, plan, unclear, now, self.schedule, at_source=True)
