"""Release the claims of an intent of unclear outcome, on a manager's word (link-creation.md, "Released by a manager").

For NEEDS_ATTENTION alone, with a typed reason, after one more attempt to resolve it. Every other release rests on what
the service showed (I4); this one does not. So the state stays, no page says that there is no link, the attempts go on,
and the next intent for these challans is guarded by a search.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from dashboard.domain.intents import IntentState
from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.creation.resolve import OutcomeResolver
from dashboard.services.schedule import Clock, Schedule
from dashboard.store.creation import claims, intents, releases
from dashboard.store.creation.intents import Intent
from dashboard.store.engine import Store

#: Limits of a reason: the least number of visible characters, and the most characters in all.
MIN_REASON, MAX_REASON = 10, 500

#: Bidirectional controls, which would turn the text around them on every page that shows it.
_DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


class ReleaseProblem(StrEnum):
    """List the reasons why no claim was released. `web/creation/texts.py` has the sentences."""

    REASON_SHORT = "reason_short"
    REASON_LONG = "reason_long"
    NOT_NEEDED = "not_needed"  #: The intent does not need attention, or does not exist.
    ALREADY_RELEASED = "already_released"
    BEING_RESOLVED = "being_resolved"  #: Another attempt is under way.
    NOT_ENDED = "not_ended"  #: The expiry of the link has not passed yet.
    NOT_FREE = "not_free"  #: The source shows none of the link's challans payable and free.


class ReleaseRefused(Exception):
    """Report that a release was refused and nothing was changed."""

    def __init__(self, problem: ReleaseProblem) -> None:
        self.problem = problem
        super().__init__(problem.value)


def clean_reason(typed: str) -> str:
    """Return a typed reason as one line of text. Raises ReleaseRefused when it is too short or too long."""
    if len(typed) > 10 * MAX_REASON:  # Not worth cleaning: blanks and marks alone would have to be taken out of it.
        raise ReleaseRefused(ReleaseProblem.REASON_LONG)
    printable = (item for item in " ".join(typed.split()) if unicodedata.category(item) not in ("Cc", "Cs"))
    line = "".join(item for item in printable if unicodedata.bidirectional(item) not in _DIRECTIONS)
    # Invisible characters that join letters of Indian scripts stay in the text, but are not counted.
    if sum(unicodedata.category(item)[0] not in "ZC" for item in line) < MIN_REASON:
        raise ReleaseRefused(ReleaseProblem.REASON_SHORT)
    if len(line) > MAX_REASON:
        raise ReleaseRefused(ReleaseProblem.REASON_LONG)
    return line


@dataclass(frozen=True)
class ClaimReleaser:
    """Release the claims of an intent that needs attention."""

    store: Store
    outcome_resolver: OutcomeResolver
    clock: Clock
    schedule: Schedule

    def release(self, intent_id: str, person_id: int, typed: str, origin: Origin) -> bool:
        """Release an intent's claims for a typed reason; False when the attempt before it found the outcome.

        Raises ReleaseRefused, and ServiceError when the source or a link on these challans could not be read; then
        nothing was released.
        """
        reason = clean_reason(typed)
        self._check(self._find(intent_id))
        attempted = self.outcome_resolver.attempt(intent_id)
        intent = self._find(intent_id)
        if intent is None or intent.state is not IntentState.NEEDS_ATTENTION:
            return False
        if not attempted:
            raise ReleaseRefused(ReleaseProblem.BEING_RESOLVED)
        return self._record(intent, person_id, reason, origin)

    def _record(self, intent: Intent, person_id: int, reason: str, origin: Origin) -> bool:
        assert intent.send_ended is not None
        now = self.clock()
        last = self.schedule.last_attempt(intent.send_ended)
        due = min(intent.next_check_at or now, last) if now < last else None
        with self.store.write() as connection:
            if not releases.record(connection, intent.id, now, person_id, reason, due):
                found = intents.find(connection, intent.id)
                if found is not None and found.released_at is not None:
                    raise ReleaseRefused(ReleaseProblem.ALREADY_RELEASED)
                return False
            claims.release(connection, intent.id, now, f"released by a manager: {reason}")
            audit.record(
                connection,
                "override",
                now,
                origin,
                person_id=person_id,
                subject=intent.rc,
                request=intent.id,
                challans=len(intent.challan_ids),
                reason=reason,
            )
        return True

    def _find(self, intent_id: str) -> Intent | None:
        with self.store.read() as connection:
            return intents.find(connection, intent_id)

    @staticmethod
    def _check(intent: Intent | None) -> None:
        if intent is None or intent.state is not IntentState.NEEDS_ATTENTION:
            raise ReleaseRefused(ReleaseProblem.NOT_NEEDED)
        if intent.released_at is not None:
            raise ReleaseRefused(ReleaseProblem.ALREADY_RELEASED)
