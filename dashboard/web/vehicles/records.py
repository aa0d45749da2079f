"""Define what the templates of vehicles receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from dashboard.domain.links import MAX_CHALLANS
from dashboard.domain.money import Sum
from dashboard.web.shared.records import ChallanRow, Freshness, StateWords


@dataclass(frozen=True, slots=True)
class VehicleCard:
    """A known vehicle, in a list."""

    rc: str
    plate: str  # spaced, as on the vehicle
    searched_at: datetime
    payable: int
    payable_sum: Sum
    on_link: int


@dataclass(frozen=True, slots=True)
class ChallanGroup:
    key: str  # "payable", "on_link" or "not_payable"
    title: str
    rows: tuple[ChallanRow, ...]


@dataclass(frozen=True, slots=True)
class VehicleLink:
    """A payment link that covers challans of a vehicle, in the live region of its page."""

    id: str
    state: StateWords
    challans: int | None  # None: the service has not told yet
    expires_at: datetime | None
    since: datetime


@dataclass(frozen=True, slots=True)
class VehiclePanel:
    """The live region of a vehicle's page: its links, and whether the list of challans has become old."""

    rc: str
    listed: bool = True  # the page lists challans, so there is a selection to keep
    links: tuple[VehicleLink, ...] = ()
    news: tuple[str, ...] = field(default_factory=tuple)  # why the challans should be listed anew, in sentences
    poll_seconds: int = 15
    seen: str = ""
    drawn: str = ""  # what the list of challans was drawn from


@dataclass(frozen=True, slots=True)
class VehiclePage:
    rc: str
    plate: str
    searched_at: datetime
    searched_by: str | None
    new_count: int | None  # newChallansCount of the last search
    compared_with: datetime | None  # the search before, which `mark` and `gone` compare with
    groups: tuple[ChallanGroup, ...]  # always all three, in order
    gone: tuple[ChallanRow, ...]  # listed by the search before, no longer
    payable_sum: Sum
    unreadable: int
    freshness: Freshness
    refreshing_by: str | None = None  # somebody is refreshing from the source just now
    next_lot: int = 0  # how many challans of a larger selection still wait for their review
    replaces: str | None = None  # the ended link in whose place the selection is to go
    states: tuple[str, ...] = ()  # distinct values for the filters
    types: tuple[str, ...] = ()
    panel: VehiclePanel | None = None
    most_per_link: int = MAX_CHALLANS
