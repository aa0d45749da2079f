"""The manager's override: letting go the challans of a request though nobody knows what became of it.

For NEEDS_ATTENTION alone, with a typed reason, after one more look. No other release rests on the word of a person and
not on what the service showed (link-creation.md, I4). So the state stays, nobody is told that there is no link, the
looks go on, and whoever puts these challans on another link has them looked at once more first.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Row

from dashboard.domain.intents import IntentState
from dashboard.services.accounts.audit import Origin
from dashboard.services.creation.resolve import OutcomeResolver
from dashboard.services.schedule import Clock, Schedule
from dashboard.store.accounts import audit
from dashboard.store.creation import claims, intents, releases
from dashboard.store.engine import Store

#: How long a reason is: at least so many visible characters, at most so many in all.
MIN_REASON, MAX_REASON = 10, 500

#: They turn the text around them, on every page that shows it.
_DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


class NotReleased(StrEnum):
    """Why a request was not set aside; the words are the web part's."""

    REASON_SHORT = "reason_short"
    REASON_LONG = "reason_long"
    NOT_IN_QUESTION = "not_in_question"  # it does not need attention, or is not there
    ALREADY = "already"
    BEING_LOOKED_AT = "being_looked_at"


class ReleaseRefused(Exception):
    """Nothing was changed."""

    def __init__(self, why: NotReleased) -> None:
        self.why = why
        super().__init__(why.value)


def readable(reason: str) -> str:
    """A typed reason as one line of text; raises ReleaseRefused when it is too short or too long."""
    kept = (item for item in " ".join(reason.split()) if unicodedata.category(item) not in ("Cc", "Cs"))
    line = "".join(item for item in kept if unicodedata.bidirectional(item) not in _DIRECTIONS)
    # Letters of Indian scripts are joined by characters without a shape of their own: kept, but not counted.
    if sum(unicodedata.category(item)[0] not in "ZC" for item in line) < MIN_REASON:
        raise ReleaseRefused(NotReleased.REASON_SHORT)
    if len(line) > MAX_REASON:
        raise ReleaseRefused(NotReleased.REASON_LONG)
    return line


@dataclass(frozen=True)
class ClaimReleaser:
    store: Store
    outcome_resolver: OutcomeResolver
    clock: Clock
    schedule: Schedule

    def set_aside(self, intent_id: str, person_id: int, why: str, origin: Origin) -> bool:
        """Let a request's challans go, for a reason that is kept; False when the look before it settled the request.

        Raises ReleaseRefused, and ServiceError when the source or a link on these challans could not be read; then
        nothing was let go.
        """
        reason = readable(why)
        self._check(self._find(intent_id))
        looked = self.outcome_resolver.look_first(intent_id)
        row = self._find(intent_id)
        if row is None or row.state != IntentState.NEEDS_ATTENTION:
            return False
        if not looked:
            raise ReleaseRefused(NotReleased.BEING_LOOKED_AT)
        return self._record(row, person_id, reason, origin)

    def _record(self, row: Row[Any], person_id: int, reason: str, origin: Origin) -> bool:
        now = self.clock()
        last = self.schedule.last_look(row.send_ended)
        due = min(row.next_check_at or now, last) if now < last else None
        with self.store.write() as connection:
            if not releases.record(connection, row.id, now, person_id, reason, due):
                found = intents.find(connection, row.id)
                if found is not None and found.set_aside_at is not None:
                    raise ReleaseRefused(NotReleased.ALREADY)
                return False
            claims.release(connection, row.id, now, f"let go by a manager's override: {reason}")
            audit.record(
                connection,
                "override",
                now,
                person_id=person_id,
                subject=row.rc,
                address=origin.address,
                request_id=origin.request_id,
                detail={"request": row.id, "challans": len(row.challan_ids), "reason": reason},
            )
        return True

    def _find(self, intent_id: str) -> Row[Any] | None:
        with self.store.read() as connection:
            return intents.find(connection, intent_id)

    @staticmethod
    def _check(row: Row[Any] | None) -> None:
        if row is None or row.state != IntentState.NEEDS_ATTENTION:
            raise ReleaseRefused(NotReleased.NOT_IN_QUESTION)
        if row.set_aside_at is not None:
            raise ReleaseRefused(NotReleased.ALREADY)
