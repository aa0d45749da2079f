"""Let a person have one call of bulk work try an allowance that is spent, or reserved for others.

The block of the allowance stays, and all workers share it. One call alone passes it; those that come meanwhile wait for
its answer, which clears the block, or prolongs it, for all. Another try may be asked for a minute later, so pressing
again and again cannot hammer the service.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta

from dashboard.errors import CallGroup
from dashboard.services.operations.blocks import TRY
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.operations import asked_tries
from dashboard.store.operations.asked_tries import AskedTry, TryState

#: A try that no call has made for so long is forgotten: the job that it was asked for is gone.
_ASKED_FOR = timedelta(minutes=5)
#: The time between two checks whether a try is over, in seconds.
_CHECK_SECONDS = 0.1


@dataclass(frozen=True)
class AskedTries:
    store: Store
    clock: Clock

    def ask(self, group: CallGroup) -> bool:
        """Let the next call of bulk work try. False where one has tried less than a minute ago, and is over."""
        with self.store.write() as connection:
            latest = asked_tries.find_locked(connection, group)
            if latest is not None and self._holds(latest):
                return latest.state in (TryState.ASKED, TryState.UNDER_WAY)
            asked_tries.save(connection, group, TryState.ASKED, self.clock())
        return True

    def take(self, group: CallGroup) -> bool:
        """Make the try that was asked for: True for one caller, who calls `end`. False for all others."""
        if self.state(group) is not TryState.ASKED:
            return False
        with self.store.write() as connection:
            latest = asked_tries.find_locked(connection, group)
            if latest is None or latest.state is not TryState.ASKED:
                return False
            asked_tries.save(connection, group, TryState.UNDER_WAY, self.clock())
        return True

    def end(self, group: CallGroup, *, refused: bool) -> None:
        """Record that a try is over, after what its answer changes is recorded."""
        with self.store.write() as connection:
            asked_tries.save(connection, group, TryState.REFUSED if refused else TryState.OVER, self.clock())

    def state(self, group: CallGroup) -> TryState | None:
        """Return how far the latest try came; None where that was long ago."""
        with self.store.read() as connection:
            latest = asked_tries.find(connection, group)
        return latest.state if latest is not None and self._holds(latest) else None

    def await_end(self, group: CallGroup) -> TryState | None:
        """Wait while a call tries; return how far the try came then."""
        give_up = time.monotonic() + TRY.total_seconds()
        while (state := self.state(group)) is TryState.UNDER_WAY and time.monotonic() < give_up:
            time.sleep(_CHECK_SECONDS)
        return state

    def _holds(self, latest: AskedTry) -> bool:
        lasts = _ASKED_FOR if latest.state is TryState.ASKED else TRY
        return timedelta(0) <= self.clock() - latest.at < lasts
