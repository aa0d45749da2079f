"""Asking for a new link in the place of one that ended: what has to be known first, and which of its challans go on.

Nothing is created here. The link is looked at, its vehicle is searched at the source, and the rest is a review like
any other, whose request remembers in whose place it stands.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection

from dashboard.domain.links import is_ended
from dashboard.errors import NotFound
from dashboard.services.links.polling import LinkPoller
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.services.vehicles.search import VehicleSearch
from dashboard.store.creation import intents
from dashboard.store.engine import Store
from dashboard.store.links import links
from dashboard.store.links.records import Link


class ReplacementProblem(StrEnum):
    """Why no new link may be asked for in a link's place; the words are the web part's."""

    NOT_ENDED = "not_ended"
    NO_VEHICLE = "no_vehicle"


class ReplacementRefused(Exception):
    """Nothing was done. `status` is what the link is now, as the service spells it."""

    def __init__(self, refusal: ReplacementProblem, status: str) -> None:
        self.refusal = refusal
        self.status = status
        super().__init__(refusal.value)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A challan of the old link that cannot go on a new one; `placed` is None when its vehicle does not list it."""

    challan_id: str
    challan_no: str | None
    placed: ListedChallan | None


@dataclass(frozen=True, slots=True)
class ReplacementPlan:
    """What of an ended link could go on a new one for the vehicle `rc`. `link` is its row of the ledger."""

    link: Link
    rc: str
    payable: tuple[str, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def covered(self) -> int:
        return len(self.payable) + len(self.left_out)


@dataclass(frozen=True)
class ReplacementPlanner:
    store: Store
    vehicle_search: VehicleSearch
    link_poller: LinkPoller

    def begin(self, link_id: str, person_id: int) -> ReplacementPlan:
        """Look at a link of the ledger and search its vehicle at the source; say which of its challans can go on.

        Raises ReplacementRefused, RefreshBusy while somebody else asks the source, and ServiceError.
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
            return plan(connection, row, rc)

    def _find(self, link_id: str) -> Link:
        with self.store.read() as connection:
            row = links.find(connection, link_id)
        if row is None:
            raise LookupError(link_id)
        return row


def plan(connection: Connection, row: Link, rc: str) -> ReplacementPlan:
    """Hold the challans of an ended link against what is known of its vehicle, in the vehicle's order."""
    covered = challans_of(connection, row)
    placed = {item.challan.id: item for item in eligibility.of_vehicle(connection, rc) if item.challan.id in covered}
    payable = tuple(challan_id for challan_id, item in placed.items() if challan_id and item.selectable)
    # Those that are still listed come first, in the same order.
    left = [*(key for key in placed if key and key not in payable), *(key for key in covered if key not in placed)]
    return ReplacementPlan(row, rc, payable, tuple(LeftOut(key, covered[key], placed.get(key)) for key in left))


def challans_of(connection: Connection, row: Link) -> dict[str, str | None]:
    """The numbers of a link's challans by their ids: those it was told to cover, else those that were asked for."""
    told = links.challans_of(connection, row.id)
    covered: dict[str, str | None] = {item.challan_id: item.challan_no for item in told}
    if not covered and row.intent_id is not None and (asked := intents.find(connection, row.intent_id)) is not None:
        return dict.fromkeys(asked.challan_ids)
    return covered


def is_replaceable(connection: Connection, link_id: str, challan_ids: tuple[str, ...]) -> bool:
    """Whether a link for these challans may stand in a link's place: it was seen ended, and covered one of them."""
    row = links.find(connection, link_id)
    return row is not None and is_ended(row.status) and not challans_of(connection, row).keys().isdisjoint(challan_ids)
