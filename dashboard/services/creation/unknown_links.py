"""Release the challans of a link that the service no longer knows, on a manager's word (link-creation.md, step 8).

Only after the link's expiry, and only those challans that a search at the source shows payable and free. The link stays
in the ledger and is polled daily; when it lives again beside another link, that is a duplicate alarm. The next intent
for these challans is guarded by a search.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from dashboard.domain.challans import eligibility_of
from dashboard.domain.links import has_run_out, is_live
from dashboard.errors import NotFound
from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.creation.release import ReleaseProblem, ReleaseRefused, clean_reason
from dashboard.services.links.polling import LinkPoller
from dashboard.services.schedule import Clock, Schedule
from dashboard.services.vehicles.search import VehicleSearch
from dashboard.store.creation import claims
from dashboard.store.engine import Store
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.vehicles import vehicles


@dataclass(frozen=True)
class UnknownLinkReleaser:
    """Release the claims of links that the service no longer knows."""

    store: Store
    link_poller: LinkPoller
    vehicle_search: VehicleSearch
    clock: Clock
    schedule: Schedule

    def is_releasable(self, connection: Connection, row: Link) -> bool:
        """Return whether a manager may try: the link is unknown, past its expiry, and holds challans."""
        return row.is_unknown and self._has_run_out(row) and bool(_held(connection, row))

    def release(self, link_id: str, person_id: int, typed: str, origin: Origin) -> bool:
        """Release what the source shows free, for a typed reason; False when the service knows the link again.

        Raises ReleaseRefused, RefreshBusy, and ServiceError when the link or the source could not be asked; then
        nothing was released.
        """
        reason = clean_reason(typed)
        rc = self._check(link_id)
        try:
            self.link_poller.require_fresh(link_id)
        except NotFound:
            pass
        else:
            return False
        rc = self.vehicle_search.refresh(rc, person_id)
        now = self.clock()
        with self.store.write() as connection:
            row = links.find(connection, link_id)
            assert row is not None
            if not row.is_unknown:  # Another process has just read it.
                return False
            shown_free = {
                item.challan.id
                for item in vehicles.challans_of(connection, rc)
                if item.listed and eligibility_of(item.challan).selectable
            }
            free = sorted(_held(connection, row) & shown_free)
            if not free:
                raise ReleaseRefused(ReleaseProblem.NOT_FREE)
            links.record_release(connection, link_id, now, person_id, reason)
            claims.release_some(connection, link_id, free, now, f"released by a manager: {reason}")
            detail = {"link": link_id, "challans": len(free), "reason": reason}
            audit.record(connection, "release-link", now, origin, person_id=person_id, subject=rc, **detail)
        return True

    def _check(self, link_id: str) -> str:
        """Return the vehicle of a link that may be released. Raises ReleaseRefused."""
        with self.store.read() as connection:
            row = links.find(connection, link_id)
            if row is None or row.rc is None or not row.is_unknown or not is_live(row.status):
                raise ReleaseRefused(ReleaseProblem.NOT_NEEDED)
            if not _held(connection, row):
                raise ReleaseRefused(ReleaseProblem.ALREADY_RELEASED)
        if not self._has_run_out(row):
            raise ReleaseRefused(ReleaseProblem.NOT_ENDED)
        return row.rc

    def _has_run_out(self, row: Link) -> bool:
        now = self.clock()
        if row.expires_at is None:
            return now >= row.first_seen_at + self.schedule.endless_for
        return has_run_out(row.expires_at, row.service_clock_offset, now)


def _held(connection: Connection, row: Link) -> set[str]:
    """Return the challans of a link that its own claims hold."""
    covered = [item.challan_id for item in links.challans_of(connection, row.id)]
    return {key for key, held in claims.open_of(connection, covered).items() if held.link_id == row.id}
