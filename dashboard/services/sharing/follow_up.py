"""Follow up unpaid links: snooze them, and note each action."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from dashboard.domain import follow_up
from dashboard.domain.follow_up import Snooze
from dashboard.domain.links import is_live
from dashboard.services.schedule import Clock
from dashboard.store.engine import NotStored, Store
from dashboard.store.links import links
from dashboard.store.sharing import follow_ups


@dataclass(frozen=True, slots=True)
class AskedFor:
    """Name the links that were put into the queue, and when. They may be taken back where none was snoozed before."""

    link_ids: tuple[str, ...]
    at: datetime
    may_be_taken_back: bool


@dataclass(frozen=True)
class FollowUps:
    store: Store
    clock: Clock

    def snooze(self, link_id: str, until: datetime, person_id: int) -> Snooze:
        """Put a link off until a moment, at most until shortly before it ends. Raises NotSnoozed and NotStored."""
        now = self.clock()
        with self.store.write() as connection:
            link = links.find(connection, link_id)
            if link is None:
                raise NotStored(link_id)
            snooze = follow_up.snooze(until, link.expires_at, now)
            follow_ups.snooze(connection, link_id, snooze.until, now, person_id)
        return snooze

    def resume(self, link_id: str, person_id: int) -> datetime:
        """End the snooze of a link, so that it waits in the queue again; return since when."""
        now = self.clock()
        since = now.replace(second=0, microsecond=0)  # The menu counts by the minute.
        with self.store.write() as connection:
            follow_ups.snooze(connection, link_id, since, now, person_id)
        return since

    def ask(self, link_ids: Iterable[str], person_id: int) -> AskedFor:
        """Put those links that can be paid into the queue until somebody is given them again, or snoozes them."""
        now = self.clock()
        with self.store.write() as connection:
            asked = [link.id for link in links.find_all(connection, link_ids).values() if is_live(link.status)]
            fresh = not follow_ups.put_off_or_asked(connection, asked)
            for link_id in asked:
                follow_ups.ask(connection, link_id, now, person_id)
        return AskedFor(tuple(asked), now, may_be_taken_back=fresh and bool(asked))

    def take_back(self, link_ids: Iterable[str], at: datetime, person_id: int) -> list[str]:
        """Take links out of the queue that this person put there at a moment, unless they were dealt with since."""
        with self.store.write() as connection:
            return follow_ups.take_back(connection, link_ids, at, person_id)

    def add_note(self, link_id: str, text: str, person_id: int) -> None:
        """Add a person's note to a link's history."""
        with self.store.write() as connection:
            follow_ups.add_note(connection, link_id, text, self.clock(), person_id)
