"""Define what the templates of the review of a search run and of its plan receive (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from dashboard.domain.money import Sum
from dashboard.web.creation.records import EarlierPayment
from dashboard.web.fleet.run_records import OnLinks
from dashboard.web.links.records import Choice
from dashboard.web.shared.records import EarlierLink


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """Show a vehicle with its payable challans. `oldest` is None when no date is known."""

    position: int
    plate: str
    address: str
    challans: int
    of: int  # so many, where some are left out
    to_pay: Sum
    links: int
    oldest: datetime | None
    driver: str
    ticked: bool
    is_of_failed: bool = False  # all of it was on a failed link, so that only its own checkbox ticks it
    earlier: tuple[EarlierPayment, ...] = ()  # of its ticked challans: of failed links, then of others

    @property
    def is_to_check(self) -> bool:
        return self.is_of_failed and not self.ticked


@dataclass(frozen=True, slots=True)
class ReviewChallan:
    """Show a challan of a vehicle that is to be paid; None is what the service did not state."""

    id: str
    number: str | None
    offence: str | None
    place: str | None
    date: datetime | None
    state: str | None
    type: str | None
    total: Decimal | None
    ticked: bool
    one_by_one: bool = False  # it was on a failed link, so that only its own checkbox ticks it
    earlier: EarlierLink | None = None


@dataclass(frozen=True, slots=True)
class ShownPart:
    """Offer to show some of a vehicle's challans, or all; `show` is its value in the address."""

    show: str
    words: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class ReviewVehicle:
    """Show the challans of one vehicle of the review, a page of those that are `listed`, with what is ticked of all:
    `links` are the challans of each link that it makes. `to_pay` is None where nothing is ticked.
    """

    rc: str
    plate: str
    driver: str
    title: str
    action: str
    rows: tuple[ReviewChallan, ...]
    parts: tuple[ShownPart, ...]
    listed: int
    page: int
    shown: str  # which of them the page shows
    pages: int
    challans: int
    tickable: int  # so many of those that are listed are ticked once all are
    ticked: int
    to_pay: Sum | None
    links: tuple[int, ...]
    problem: str
    unticked: str = ""  # why some are not ticked
    failed_link: str = ""  # the address of the one link that they were on

    @property
    def is_narrowed(self) -> bool:
        return self.listed < self.challans

    @property
    def tickable_shown(self) -> int:
        """Count the challans of this page that the checkbox in the head of the table ticks."""
        return sum(not each.one_by_one for each in self.rows)


@dataclass(frozen=True, slots=True)
class FilterChange:
    """Offer to set or to remove a filter in one click; `change` is its field with the new value."""

    words: str
    change: str


@dataclass(frozen=True, slots=True)
class ReviewFields:
    """Show the filters as they were typed, with their problems by field."""

    typed: dict[str, str]
    problems: dict[str, str]
    states: tuple[Choice, ...]
    types: tuple[Choice, ...]
    drivers: tuple[Choice, ...]
    is_narrowed: bool
    chips: tuple[FilterChange, ...]
    quick: tuple[FilterChange, ...]


@dataclass(frozen=True, slots=True)
class PlannedElsewhere:
    """Say that challans of a run stand in another plan that is not finished."""

    address: str
    title: str
    made_at: datetime
    words: str


@dataclass(frozen=True, slots=True)
class FleetReview:
    """Show the payable challans of a run by vehicle, a page at a time, with what is ticked on all pages."""

    run_id: str
    title: str
    order: str
    fields: ReviewFields
    rows: tuple[ReviewRow, ...]
    page: int
    pages: int
    vehicles: int
    challans: int
    to_pay: Sum
    ticked_vehicles: int
    ticked_challans: int
    ticked_links: int
    ticked_sum: Sum
    hidden: str  # what the filter leaves out
    left_out: str  # the unticked vehicles, shown or not, and the unticked challans of the others
    tickable: int  # so many vehicles are ticked once all are
    action: str
    elsewhere: tuple[PlannedElsewhere, ...]
    on_links: OnLinks | None = None  # where nothing is left of what the run found
    is_unpaid: bool = False

    @property
    def tickable_shown(self) -> int:
        """Count the vehicles of this page that the checkbox in the head of the table ticks."""
        return sum(not row.is_of_failed for row in self.rows)


@dataclass(frozen=True, slots=True)
class PlanLine:
    """Show a link that is to be created. `part` says which of the links of its vehicle it is, if there are several."""

    plate: str
    part: str
    challans: int
    to_pay: Sum
    driver: str


@dataclass(frozen=True, slots=True)
class EarlierOfVehicle:
    """Name a vehicle of a plan with what its challans were on; `address` is where they can be left out."""

    plate: str
    address: str
    payment: EarlierPayment


@dataclass(frozen=True, slots=True)
class PlannedEarlier:
    """Say what may become of money once challans are on a second link: of the first `vehicles` by name, and how many
    `more` there are of which the same is true.
    """

    words: str
    may_have_taken_money: bool
    vehicles: tuple[EarlierOfVehicle, ...]
    more: int


@dataclass(frozen=True, slots=True)
class PlanReview:
    """Show a plan before anything is sent. `allowance` says what it takes of today's limit; `waiting` links wait.

    `undriven` counts the vehicles without a usual driver, and `choose_driver` leads to the choice for the first one.
    """

    run_id: str
    title: str
    back: str
    action: str
    plan_id: str
    seen: str
    links: int
    challans: int
    vehicles: int
    undriven: int
    choose_driver: str
    to_pay: Sum
    allowance: tuple[str, ...]
    waiting: int
    waiting_words: str
    first: tuple[PlanLine, ...]
    more: int
    first_waiting: tuple[PlanLine, ...]
    more_waiting: int
    hours: str
    hours_problem: str
    hours_words: str  # which hours there may be
    ends_at: datetime | None  # of a link that is created now, with these hours
    problem: str
    presets: tuple[int, ...]
    zone: str
    elsewhere: tuple[PlannedElsewhere, ...]
    earlier: tuple[PlannedEarlier, ...] = ()
