"""Record what administrators see when they check an assumption of docs/link-creation.md at staging."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.domain.assumptions import AssumptionOutcome
from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.operations import assumption_checks


@dataclass(frozen=True)
class AssumptionChecks:
    store: Store
    clock: Clock

    def record(self, code: str, outcome: AssumptionOutcome, note: str, *, by: int, origin: Origin) -> None:
        """Record a check beside the earlier ones, which stay as they are."""
        now = self.clock()
        with self.store.write() as connection:
            assumption_checks.add(connection, code, now, by, outcome, note)
            audit.record(
                connection, "assumption checked", now, origin, person_id=by, subject=code, outcome=str(outcome)
            )
