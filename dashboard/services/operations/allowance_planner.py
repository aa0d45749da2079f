"""Plan bulk work within the daily allowances: how many calls fit now, and when the allowance comes back."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.domain.allowance_forecast import Forecast, certainty_of
from dashboard.domain.allowance_resets import next_return
from dashboard.errors import CallGroup, Operation
from dashboard.services.operations.allowances import AllowanceUse
from dashboard.services.operations.blocks import LINK_ALLOWANCE, SEARCH_ALLOWANCE
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock
from dashboard.store.fleet import open_plans

_OPERATIONS = {CallGroup.SEARCH: Operation.SEARCH_CHALLANS, CallGroup.CREATE: Operation.CREATE_PAYMENT_LINK}


@dataclass(frozen=True)
class AllowancePlanner:
    clock: Clock
    call_policy: CallPolicy

    def forecast(self, call_group: CallGroup, calls: int) -> Forecast:
        """Return how many of so many bulk searches or creations fit into what the allowance has left now.

        None fits while the service refuses the allowance; the other blocks of calls are not considered.
        """
        used = self.call_policy.allowances.used()
        queued = 0
        if call_group is CallGroup.CREATE:
            with self.call_policy.store.read() as connection:
                queued = open_plans.links_left(connection)
        return self.forecast_of(next(each for each in used if each.call_group is call_group), calls, queued)

    def forecast_of(self, use: AllowanceUse, calls: int, queued: int = 0) -> Forecast:
        """Return the same for an allowance whose use is known already, and the links that plans still have to create
        of it.
        """
        left = use.left_for_bulk
        if left is not None:
            left = max(0, left - queued)
        refusal = self.call_policy.refusal(_OPERATIONS[use.call_group])
        if refusal is not None and refusal.scope in (LINK_ALLOWANCE, SEARCH_ALLOWANCE):
            left = 0
        back_from, back_at = next_return(self.clock(), use.reset)
        return Forecast(
            used=use.calls,
            learned=use.learned,
            reserved=use.for_resolving + use.for_people,
            queued=queued,
            left=left,
            fits=calls if left is None else min(calls, left),
            back_from=back_from,
            back_at=back_at,
            certainty=certainty_of(use.reset),
            seen_at=use.reset.seen_at if use.reset is not None else None,
        )
