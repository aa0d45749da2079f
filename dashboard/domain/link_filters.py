"""Define the filter of payment links, which lists, exports, saved views and the charts of the overview share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum


class SortBy(StrEnum):
    MADE = "made"
    ENDS = "ends"
    AMOUNT = "amount"
    VEHICLE = "vehicle"
    STATE = "state"


class DayOf(StrEnum):
    """Name the event of a link to which the days of a filter apply."""

    MADE = "made"
    PAID = "paid"
    ENDED = "ended"


class PaidAfter(StrEnum):
    """Define a range of hours between creation and payment: from the first, and less than the second."""

    FIRST_HOUR = "0-1"
    HOURS = "1-6"
    DAY = "6-24"
    NEXT_DAY = "24-48"
    LATER = "48-"

    @property
    def hours(self) -> tuple[int, int | None]:
        least, _, below = self.partition("-")
        return int(least), int(below) if below else None


class Only(StrEnum):
    """Narrow the list to unpaid links by what became of them or is to be done, whatever their state is called."""

    OPEN = "open"
    ENDS_TODAY = "today"
    ENDS_SOON = "soon"
    NOT_SENT = "not-sent"
    SENT = "sent"
    COPIED = "copied"
    CHECK_FIRST = "check"
    NO_LONGER_KNOWN = "unknown"
    PAID_ELSEWHERE = "paid-elsewhere"
    NEEDS_ACTION = "action"


#: The length of a saved view's name, and how many views a person may save.
MAX_VIEW_NAME, MAX_VIEWS = 60, 30
#: How many links may be chosen one by one.
MAX_CHOSEN = 200
#: Filters for links that were created elsewhere.
ELSEWHERE = "elsewhere"


@dataclass(frozen=True, slots=True)
class LinkFilter:
    """Filter the list of links by every part that is not empty. Days are whole days in the zone of the pages.

    `text` is a plate or part of it, a challan number, a driver's name, or a link's id. `driver` is the id of one who
    was given a link or, while no driver has it, usually drives its vehicle. `creator` is a person's id or ELSEWHERE.
    `chosen` are ids of links that were chosen one by one. `custom` holds pairs of a custom field's name and its filter
    text, in the order of CUSTOM_FIELDS.
    """

    states: tuple[str, ...] = ()
    vehicle: str = ""
    creator: str = ""
    driver: str = ""
    challan_type: str = ""
    day_of: DayOf = DayOf.MADE
    first_day: date | None = None
    last_day: date | None = None
    least: Decimal | None = None
    most: Decimal | None = None
    paid_after: PaidAfter | None = None
    only: Only | None = None
    chosen: tuple[str, ...] = ()
    custom: tuple[tuple[str, str], ...] = ()
    text: str = ""
    sort: SortBy = SortBy.MADE
    descending: bool = True

    def of_state(self, *states: str, only: Only | None = None) -> LinkFilter:
        """Return the filter for these states; an order that nobody chose becomes the usual one of their list."""
        of_these = replace(self, states=states, only=only)
        return of_these.in_usual_order() if self.is_in_usual_order else of_these

    def in_usual_order(self) -> LinkFilter:
        """Return the filter in the order that its list has until another is chosen: newest first, and what is urgent
        by its end.
        """
        is_urgent = self.only is Only.NEEDS_ACTION
        return replace(self, sort=SortBy.ENDS if is_urgent else SortBy.MADE, descending=not is_urgent)

    @property
    def is_in_usual_order(self) -> bool:
        """Return whether nobody chose another order."""
        return self == self.in_usual_order()

    @property
    def is_of_state(self) -> bool:
        """Return whether the filter names a state, or what links wait for."""
        return bool(self.states or self.only)

    def of_any_state(self) -> LinkFilter:
        """Return the filter without its states, for the figures of each state."""
        return self.of_state()

    @property
    def is_one_tab(self) -> bool:
        """Return whether the filter is one state alone, the urgent links, or those that the service does not find: the
        list has a tab for each.
        """
        is_tab = (not self.states and self.only in (Only.NEEDS_ACTION, Only.NO_LONGER_KNOWN)) or (
            len(self.states) == 1 and self.only in (None, Only.OPEN)
        )
        return is_tab and not self.of_any_state().narrows

    @property
    def narrows(self) -> bool:
        """Return whether the filter says more than an order."""
        return self != LinkFilter(sort=self.sort, descending=self.descending)


#: What needs somebody first, as the list of links shows it.
URGENT = LinkFilter(only=Only.NEEDS_ACTION).in_usual_order()
