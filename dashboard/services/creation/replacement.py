"""Plan a replacement for an ended link: which of its challans can be on a new one.

Nothing is created here. The link is polled and its vehicle searched at the source; a review like any other follows,
and the intent records which link it replaces.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection

from dashboard.domain.links import is_ended, may_have_taken_money
from dashboard.errors import NotFound
from dashboard.services.links.polling import LinkPoller
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.earlier_links import failed_links
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.services.vehicles.search import VehicleSearch
from dashboard.store.creation import intents
from dashboard.store.engine import NotStored, Store
from dashboard.store.links import links
from dashboard.store.links.records import Link


class ReplacementProblem(StrEnum):
    """List the reasons why a link cannot be replaced. `web/creation/texts.py` has the sentences."""

    NOT_ENDED = "not_ended"
    NO_VEHICLE = "no_vehicle"


class ReplacementRefused(Exception):
    """Report that a link cannot be replaced. `status` is its latest status, in the service's spelling."""

    def __init__(self, problem: ReplacementProblem, status: str) -> None:
        self.problem = problem
        self.status = status
        super().__init__(problem.value)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Hold a challan of the old link that is not on the new one; `listed` is None if its vehicle does not list it.

    It could be on one but for the payment of another link that `failed`: somebody has to find out first whether money
    was taken there.
    """

    challan_id: str
    challan_no: str | None
    listed: ListedChallan | None
    failed: Link | None = None


@dataclass(frozen=True, slots=True)
class ReplacementPlan:
    """Divide the challans of an ended link into those that can be on its replacement for `rc`, and the others."""

    link: Link
    rc: str
    payable: tuple[str, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def covered(self) -> int:
        return len(self.payable) + len(self.left_out)


@dataclass(frozen=True)
class ReplacementPlanner:
    """Plan replacements without creating a link."""

    store: Store
    vehicle_search: VehicleSearch
    link_poller: LinkPoller

    def plan(self, link_id: str, person_id: int) -> ReplacementPlan:
        """Poll a link of the ledger, search its vehicle at the source, and plan its replacement.

        Raises ReplacementRefused, RefreshBusy while another refresh is running, ServiceError, and NotStored for a
        link that the ledger does not know.
        """
        with suppress(NotFound):
            self.link_poller.require_fresh(link_id)
        row = self._find(link_id)
        if not is_ended(row.status):
            raise ReplacementRefused(ReplacementProblem.NOT_ENDED, row.status)
        if row.rc is None:
            raise ReplacementRefused(ReplacementProblem.NO_VEHICLE, row.status)
        rc = self.vehicle_search.refresh(row.rc, person_id)
        with self.store.read() as connection:
            return plan_replacement(connection, row, rc)

    def _find(self, link_id: str) -> Link:
        with self.store.read() as connection:
            row = links.find(connection, link_id)
        if row is None:
            raise NotStored(link_id)
        return row


def plan_replacement(connection: Connection, row: Link, rc: str) -> ReplacementPlan:
    """Compare the challans of an ended link with the stored state of its vehicle, in the vehicle's order.

    Whoever replaces a failed link has asked whether money was taken; of any other link, what was also on a failed one
    is left out.
    """
    covered = challans_of(connection, row)
    listed = {item.challan.id: item for item in eligibility.of_vehicle(connection, rc) if item.challan.id in covered}
    failed = {} if may_have_taken_money(row.status) else failed_links(connection, listed.values())
    payable = tuple(key for key, item in listed.items() if key and item.selectable and key not in failed)
    # Those that are still listed come first, in the same order.
    left = [*(key for key in listed if key and key not in payable), *(key for key in covered if key not in listed)]
    left_out = tuple(LeftOut(key, covered[key], listed.get(key), failed.get(key)) for key in left)
    return ReplacementPlan(row, rc, payable, left_out)


def challans_of(connection: Connection, row: Link) -> dict[str, str | None]:
    """Return the challans of a link, numbers by id: those it covers if they are known, else those requested."""
    known = links.challans_of(connection, row.id)
    covered: dict[str, str | None] = {item.challan_id: item.challan_no for item in known}
    if not covered and row.intent_id is not None and (intent := intents.find(connection, row.intent_id)) is not None:
        return dict.fromkeys(intent.challan_ids)
    return covered


def is_replaceable(connection: Connection, link_id: str, challan_ids: tuple[str, ...]) -> bool:
    """Return whether a link for these challans may replace a link: that one has ended, and covered one of them."""
    row = links.find(connection, link_id)
    return row is not None and is_ended(row.status) and not challans_of(connection, row).keys().isdisjoint(challan_ids)
