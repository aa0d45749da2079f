"""Looking at the vehicles of paid links, slowly, until their challans are seen settled.

The least of all background work: one search of a vehicle for all its links, through the gate and within the budget of
calls that all processes share, and only while half of a learned day's allowance is left for people.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from dashboard.domain.settlements import Look, Shown, look
from dashboard.errors import Operation, ServiceError, Unreachable
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.reconciliation import settlement_rules as recorded
from dashboard.services.schedule import Clock, Schedule
from dashboard.services.vehicles.search import RefreshBusy, VehicleSearch
from dashboard.store.engine import Store
from dashboard.store.operations import call_budget
from dashboard.store.reconciliation import settlements
from dashboard.store.reconciliation.settlements import Due

log = logging.getLogger(__name__)

#: How many links that have no row yet are entered at once.
_SWEPT = 250
_FAULT = "Fault"


class SettlementTracker:
    def __init__(
        self, store: Store, vehicle_search: VehicleSearch, call_policy: CallPolicy, clock: Clock, schedule: Schedule
    ) -> None:
        self._store = store
        self._vehicle_search = vehicle_search
        self._call_policy = call_policy
        self._clock = clock
        self._schedule = schedule
        self._taken: dict[str, Due] = {}

    def take_due(self, limit: int) -> list[str]:
        """Claim vehicles that are due, as far as the gate, the budget and the day's allowance have room.

        Returns a link of each; the caller must `look` for each, or `let_go` of them.
        """
        now = self._clock()
        with self._store.read() as connection:
            if not settlements.any_due(connection, now) or self._budget(connection, now) <= 0:
                return []
        room = self._call_policy.room(Operation.SEARCH_CHALLANS)
        limit = limit if room is None else min(limit, room)
        if limit <= 0 or not self._call_policy.allowances.is_spare(Operation.SEARCH_CHALLANS):
            return []
        with self._store.write() as connection:
            limit = min(limit, self._budget(connection, now, lock=True))
            if limit <= 0:
                return []
            until = now + self._schedule.refresh_deadline * 2
            taken = settlements.take_due(connection, now, until, limit)
            call_budget.use(connection, now, self._schedule.calls_per_second, len(taken))
        self._taken |= {due.link_id: due for due in taken}
        return [due.link_id for due in taken]

    def look(self, link_id: str) -> None:
        """Search the vehicle that was claimed by this link at the source. A refusal is recorded, not raised."""
        due = self._taken[link_id]
        try:
            self._look(due)
        finally:
            self._taken.pop(link_id, None)

    def _look(self, due: Due) -> None:
        try:
            self._vehicle_search.refresh_unattended(due.rc)
        except RefreshBusy:
            self._put_off(due, self._schedule.refresh_deadline)  # What a colleague is asking counts as a look.
        except ServiceError as error:
            log.info("a vehicle of a paid link could not be looked at: %s", error)
            asked = error.sent or isinstance(error, Unreachable)
            self._note_failure(due, error.failure_name, asked=asked, seconds=error.retry_after)
        except Exception:
            self._note_failure(due, _FAULT, asked=True)
            raise
        else:
            self._end(due)

    def let_go(self, link_ids: Iterable[str]) -> None:
        """Make vehicles due again that were claimed here and will not be looked at: others may at once."""
        now = self._clock()
        with self._store.write() as connection:
            for link_id in link_ids:
                if (due := self._taken.pop(link_id, None)) is not None:
                    settlements.put_off(connection, due, now)

    def sweep(self) -> None:
        """Enter paid links that have no row: those paid before rows were written, and any whose row could not be.

        What the newest listing shows settled needs no look.
        """
        with self._store.read() as connection:
            missing = settlements.not_entered(connection, _SWEPT)
        if not missing:
            return
        now = self._clock()
        with self._store.write() as connection:
            for row in missing:
                recorded.enter_later(connection, row, now, self._schedule)
            self._judge_by_listings(connection, missing)

    def _judge_by_listings(self, connection: Connection, rows: Iterable[Row[Any]]) -> None:
        """A vehicle that was searched since the payment may have shown its challans settled: then nothing is asked."""
        paid = {row.id: (row.rc, row.paid_at or row.status_since) for row in rows if row.rc is not None}
        newest = {rc: min(at for other, at in paid.values() if other == rc) for rc, _ in set(paid.values())}
        listings = settlements.listings_since(connection, newest)
        covered = settlements.covered(connection, paid)
        for link_id, (rc, at) in paid.items():
            searched_at, listing = listings.get(rc, (at, None))
            plan = settlements.find(connection, link_id)
            if listing is None or searched_at <= at or plan is None:
                continue
            seen = look(covered[link_id], listing)
            if seen.shown is Shown.SETTLED:
                recorded.conclude(connection, plan, seen, searched_at, self._schedule, at_source=False)

    def _budget(self, connection: Connection, now: datetime, *, lock: bool = False) -> int:
        return call_budget.left(connection, now, self._schedule.calls_per_second, lock=lock)

    def _put_off(self, due: Due, pause: timedelta) -> None:
        with self._store.write() as connection:
            settlements.put_off(connection, due, self._clock() + pause)

    def _note_failure(self, due: Due, failure: str, *, asked: bool, seconds: float | None = None) -> None:
        """Leave the vehicle alone, longer after each call that came to nothing; a call that was held back is none.

        `seconds` is how long the service itself asks to be left alone.
        """
        now, told = self._clock(), timedelta(seconds=seconds or 0)
        with self._store.write() as connection:
            for plan in settlements.still_claimed(connection, due):
                if asked and now - plan.entered_at >= self._schedule.settlement_patience:
                    recorded.give_up(connection, plan, now)
                    continue
                failures = plan.failures + asked
                pause = max(told, self._schedule.settlement_rest(failures))
                facts = {"failures": failures, "failed_at": now, "failure": failure, "due_at": now + pause}
                settlements.change(connection, plan.link_id, **facts)

    def _end(self, due: Due) -> None:
        """What the search did not answer, as it came under another number: that was a look, and shows nothing."""
        now = self._clock()
        with self._store.write() as connection:
            for plan in settlements.still_claimed(connection, due):
                recorded.conclude(connection, plan, Look(Shown.UNCLEAR, ()), now, self._schedule, at_source=True)
