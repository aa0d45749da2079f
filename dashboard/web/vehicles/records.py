"""Define what the templates of vehicles receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from dashboard.domain.links import MAX_CHALLANS
from dashboard.domain.money import NO_SUM, Sum, add_up
from dashboard.domain.offences import OFFENCE_WORDS
from dashboard.store.links.records import Link
from dashboard.web.links.list_records import LinkRow
from dashboard.web.shared.records import ChallanRow, EarlierLink, HeldBy, StateWords
from dashboard.web.vehicles import sum_texts, texts

#: A list of fewer challans is read faster than it is filtered.
_MANY = 15
_CRORE = 10_000_000
#: Challans older than this, and so many of the oldest, are selected by one click.
OLD_DAYS, OLDEST = 90, 5


@dataclass(frozen=True, slots=True)
class UsualDriver:
    """Name a driver who usually drives a vehicle."""

    id: int
    name: str
    phone: str | None


@dataclass(frozen=True, slots=True)
class LastLink:
    """Show the newest link of a vehicle."""

    id: str
    state: StateWords
    when: str
    is_unsent: bool = False  # it can be paid, and nobody was given it
    is_observed: bool = False  # it was created elsewhere, where others may have sent it
    is_doubtful: bool = False  # its page says what to check before it is sent


@dataclass(frozen=True, slots=True)
class ToCheck:
    """Count the challans to pay that a failed link may have paid, and what they come to."""

    count: int = 0
    sum: Sum = NO_SUM


@dataclass(frozen=True, slots=True)
class VehicleCard:
    """Show a known vehicle in a list."""

    rc: str
    plate: str  # spaced, as on the vehicle
    searched_at: datetime
    payable: int
    payable_sum: Sum
    on_link: int
    to_check: ToCheck  # of what can be paid
    on_link_sum: Sum = NO_SUM
    none_payable: str = ""  # why, where none can be paid and none is on an active link
    is_being_checked: bool = False  # a request may have created a link
    request: str = ""  # the address of that
    drivers: tuple[UsualDriver, ...] = ()
    link: LastLink | None = None
    failed_link: str = ""  # the id of the newest one that what can be paid was on, which may have taken money
    failed: Link | None = field(default=None, compare=False)  # that link
    created_again: str = ""  # the id of the ended one that all of what can be paid was on
    payable_ids: tuple[str, ...] = field(default=(), compare=False)

    @property
    def open_words(self) -> str:
        """Say how many of its challans can be paid, and how many are on open links."""
        return texts.open_challans(self.payable, self.on_link) if self.payable or self.on_link else ""

    @property
    def is_all_to_check(self) -> bool:
        """Return whether all that can be paid may have been paid already."""
        return 0 < self.payable == self.to_check.count

    @property
    def check_words(self) -> str:
        """Say how much of what can be paid is checked before; "" where nothing is."""
        return sum_texts.check_briefly(self.to_check.count, self.to_check.sum, of=self.payable)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Show a filter of the known vehicles, with the address that turns it on, or off where `is_on`.

    `count` is how many vehicles the list has with it.
    """

    value: str
    words: str
    address: str
    is_on: bool
    count: int


@dataclass(frozen=True, slots=True)
class KnownVehicles:
    """Show a page of the known vehicles in one of their orders, and where the other orders and pages are."""

    vehicles: tuple[VehicleCard, ...]
    counted: tuple[VehicleCard, ...]  # those that the sum is of: all of them, unless they are too many to be added up
    count: int  # on all pages
    first: int  # which of them is the first here, from 1
    order: str
    orders: Mapping[str, str]  # what each is called
    addresses: dict[str, str]
    among: int  # how many vehicles were compared, where another may have more; 0 where none can
    previous: str  # the addresses of the pages beside this one; empty where there is none
    next: str
    page_size: int
    filters: tuple[Narrowing, ...]

    @property
    def is_filtered(self) -> bool:
        return any(each.is_on for each in self.filters)

    @property
    def last(self) -> int:
        return self.first + len(self.vehicles) - 1

    @property
    def payable(self) -> int:
        """Return how many challans of the vehicles that the sum is of can be paid."""
        return sum(each.payable for each in self.counted)

    @property
    def payable_sum(self) -> Sum:
        return sum((each.payable_sum for each in self.counted), NO_SUM)

    @property
    def on_link(self) -> int:
        """Return how many challans of the same vehicles are on open links."""
        return sum(each.on_link for each in self.counted)

    @property
    def on_link_sum(self) -> Sum:
        return sum((each.on_link_sum for each in self.counted), NO_SUM)


@dataclass(frozen=True, slots=True)
class ChallanGroup:
    """Show one group of a vehicle's challans.

    Beside the three of the rule, `held` has those not known to be on an active link, `paid` those that a link paid.
    """

    key: str  # "payable", "on_link", "requested", "held", "not_payable" or "paid"
    title: str
    rows: tuple[ChallanRow, ...]

    @property
    def holder(self) -> HeldBy | None:
        """Return the link or the request that holds all of its challans, which its head then names once."""
        held = {row.held_by.address if row.held_by else "": row.held_by for row in self.rows}
        return next(iter(held.values())) if len(held) == 1 else None

    @property
    def sum(self) -> Sum:
        return add_up(row.total for row in self.rows)

    @property
    def earlier(self) -> EarlierLink | None:
        """Return the ended link that all of its challans were on, which its head then names once."""
        found = {row.earlier for row in self.rows}
        return found.pop() if len(self.rows) > 1 and len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class UsualWhere:
    """Say of which state and type most challans of a vehicle are, or all of them."""

    state: str | None
    type: str | None
    of_all: bool


@dataclass(frozen=True, slots=True)
class VehicleLink:
    """Show a payment link of a vehicle in the live region of its page, or all that have come to the same end."""

    address: str
    addresses: tuple[str, ...]  # of each link
    state: StateWords
    sum: Sum
    is_live: bool
    challans: int | None  # of a single link; None: no status answer has listed them yet
    expires_at: datetime | None
    ended: datetime | None  # when it was paid or ended, and the newest of several; None where that is not known
    is_unread: bool  # only a search has shown it; its first check is due
    given: str = ""  # who has a single link that can be paid, or that nobody was sent it
    is_unsent: bool = False
    apart: str = ""  # a challan of it, where another that can be paid has its state and amount
    # Of one that nobody was sent, or whose payment failed, as the list of links has it. Its times pass; `seen` has what
    # a poll is to show of it.
    row: LinkRow | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class LastSearch:
    """Say when a vehicle was searched last, by whom, and what was new then."""

    at: datetime
    by: str | None
    new_count: int | None  # None where the service did not say, or a later search failed
    compared_with: datetime | None  # the search before, which `mark` and `gone` compare with


@dataclass(frozen=True, slots=True)
class VehiclePanel:
    """Show the live region of a vehicle's page: its links, and whether the list of challans is out of date."""

    rc: str
    links: tuple[VehicleLink, ...]
    outdated: tuple[str, ...]  # why the list of challans is out of date, in sentences; empty while it is not
    news: str  # the first of them in short, in the place of the last search
    last_search: LastSearch
    poll_seconds: int
    seen: str  # fingerprint of this region
    drawn: str  # fingerprints of the data from which the list of challans was drawn
    listed: bool = True  # the page lists challans, so there is a selection to save
    trouble: str = ""  # why a later search failed, in a sentence
    has_open_link: bool = False

    @property
    def past(self) -> int:
        """Count the links that have ended, but those of the first line; 0 for one line, which needs no other."""
        lines = [each for each in self.links[1:] if not each.is_live]
        return sum(len(each.addresses) for each in lines) if len(lines) > 1 else 0


@dataclass(frozen=True, slots=True)
class SelectionSum:
    """Show what a selection comes to: what is counted here is what links will be created for."""

    rc: str
    count: int  # selected challans that can be paid
    payable: int  # all challans of the vehicle that can be paid
    words: str
    sum: str  # of the known amounts; "" where nothing is selected
    without: str  # how many amounts it lacks; "" for none
    plan: str  # the links that it makes; "" for a single one
    brief: str  # of how many, and the links, in a line of a narrow screen
    refused: tuple[str, ...] = ()  # ids of selected challans that can no longer be paid
    problem: str = ""


@dataclass(frozen=True, slots=True)
class VehiclePlan:
    """Say that a plan is to create links of a vehicle; `address` is empty for somebody who may not open it."""

    address: str
    words: str


@dataclass(frozen=True, slots=True)
class VehiclePage:
    """Show a searched vehicle with its challans."""

    rc: str
    plate: str
    groups: tuple[ChallanGroup, ...]  # always three, in order; "requested", "held" and "paid" where they have rows
    gone: tuple[ChallanRow, ...]  # listed by the search before, no longer
    listed_until: datetime | None  # that search; None where an open request keeps one of an earlier search
    payable_sum: Sum
    to_check: ToCheck  # of the same challans
    fine_sum: Sum  # of the same challans
    fee_sum: Sum  # their legal fee and GST: what is to pay beyond the fines
    drivers: tuple[UsualDriver, ...]
    unreadable: int  # records of the answer of which nothing could be shown
    panel: VehiclePanel
    selection: SelectionSum
    announcement: str  # what is said to a screen reader when the page appears
    refresh_seconds: int  # the longest duration of a refresh from the source
    refreshing_by: str | None = None  # the person whose refresh from the source is running
    replaces: str | None = None  # id of the ended link whose replacement the selection is for
    states: tuple[str, ...] = ()  # distinct values for the filters
    types: tuple[str, ...] = ()
    usual: UsualWhere | None = None
    plans: tuple[VehiclePlan, ...] = ()
    earlier: str = ""  # says how many challans were ticked on an earlier visit
    nothing: str = ""  # says that nothing is to pay, for challans of which none is open
    most_per_link: int = MAX_CHALLANS
    summary: str = texts.SELECTED  # the sentences that the script of the table fills in
    plan: str = texts.PLAN
    brief: str = texts.BRIEF
    links: str = texts.LINKS
    old_days: int = OLD_DAYS

    @property
    def is_long(self) -> bool:
        """Return whether there are enough challans to filter them."""
        return sum(len(group.rows) for group in self.groups) >= _MANY

    @property
    def has_crores(self) -> bool:
        """Return whether an amount needs more room than amounts do as a rule."""
        amounts = (amount for group in self.groups for row in group.rows for amount in (row.amount, row.total))
        return any(amount is not None and abs(amount) >= _CRORE for amount in amounts)

    @property
    def is_newest_first(self) -> bool:
        """Return whether each group is listed from the newest challan to the oldest, as the service does as a rule."""
        for group in self.groups:
            dates = [row.date.timestamp() if row.date else float("-inf") for row in group.rows]
            if dates != sorted(dates, reverse=True):
                return False
        return True

    @property
    def check_words(self) -> str:
        """Say how much of what is to pay is checked before; "" where nothing is."""
        return sum_texts.check_first(self.to_check.count, self.to_check.sum, of=len(self.groups[0].rows))

    @property
    def is_split(self) -> bool:
        """Return whether what is to pay is more than the fines, and of which parts it is made is known."""
        return bool(self.fee_sum.total) and self.payable_sum.unknown == self.fine_sum.unknown == self.fee_sum.unknown

    @property
    def on_link_sum(self) -> Sum:
        """Return what the challans on links that can be paid come to."""
        return add_up(row.total for group in self.groups if group.key == "on_link" for row in group.rows)

    @property
    def oldest(self) -> int:
        """Return how many of the oldest challans are selected by one click: a whole link, where there are more."""
        return self.most_per_link if len(self.groups[0].rows) > self.most_per_link else OLDEST

    @property
    def old(self) -> int:
        """Return how many payable challans are older than `OLD_DAYS`."""
        return sum(row.age_days is not None and row.age_days > OLD_DAYS for row in self.groups[0].rows)

    @property
    def offence_words(self) -> tuple[tuple[str, ...], ...]:
        """Return the words by which the filter finds an offence in either script."""
        return OFFENCE_WORDS

    def count(self, key: str) -> int:
        """Return how many challans a group has."""
        return sum(len(group.rows) for group in self.groups if group.key == key)
