"""Define what the templates of the list of links receive: frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from dashboard.domain.money import Sum
from dashboard.store.sharing.ended_links import Left
from dashboard.web.links.records import AskedDriver, Choice, LinkCard, PaymentAddress, UndoableShare
from dashboard.web.shared.records import LinkMention


@dataclass(frozen=True, slots=True)
class Column:
    """Show the head of a column, with the address that sorts by it."""

    id: str
    words: str
    address: str
    sorted: str  # "ascending", "descending" or "none"


@dataclass(frozen=True, slots=True)
class SavedViewLink:
    """Show a saved view, with the address of its list."""

    id: int
    name: str
    address: str
    current: bool


@dataclass(frozen=True, slots=True)
class LinkRow:
    """Show a link in the list of links, with its driver and what can be done at once.

    `driver` was given the link or usually drives its vehicle (`is_usual`); WhatsApp reaches one with a `driver_id`.
    """

    card: LinkCard
    driver: str | None
    is_usual: bool
    contact: str  # how and when it was given to somebody, or that it was not
    driver_id: int | None
    is_reached: bool  # one tap sends its message to that driver, who got no other kind before
    payment: PaymentAddress | None  # None where the link must not be shared
    why_not: str = ""  # in that case, where its state does not say it
    doubt: str = ""  # of an open one that nobody has: what its page says to check, in few words
    runs_out: datetime | None = None  # the expiry by our clock, for the countdown
    is_unsent: bool = False
    is_observed: bool = False  # it was created elsewhere, where others may have sent it
    snoozed_until: datetime | None = None
    is_doubtful: bool = False  # its page says what to check before it is sent
    ends_soon: bool = False  # so that it is followed up
    is_urgent: bool = False  # little time is left to pay it
    is_overdue: bool = False  # it should have ended by now
    is_open: bool = False  # it may still be paid, so that it can be followed up
    is_unknown: bool = False  # the service no longer knows it, so that it may not be collected
    has_failed_check: bool = False  # the newest one, which makes an open link urgent
    unchecked_since: datetime | None = None  # then: when it was last checked, or else found
    checked_at: datetime | None = None  # in that case, when the service answered last
    has_paid_duplicate: bool = False  # it can be paid, and challans of it were paid with another link
    paid_with: LinkMention | None = None  # that one
    noted_by: str = ""  # among the recent links: who noted what was done about that
    is_sent: bool = False
    rests: bool = False  # it was sent so lately that it is too early to remind of it
    is_due: bool = False  # among the recent links: it ends soon, and whoever has it may be reminded
    is_opened: bool = False  # somebody opened its message, and has not said whether it was sent
    asked_sent: UndoableShare | None = None  # that, where the signed-in person is asked
    undoable: UndoableShare | None = None  # of an open link that the signed-in person has just sent
    sent_brief: str = ""  # in that case, in a word
    given_at: datetime | None = None  # when somebody got it last
    given_words: str = ""  # that in few words
    given_by: str = ""  # who gave it to them, where that is known
    sent_links: int = 1  # how many links that message named; 0 where a row above takes it back
    sent_with: str = ""  # the plate of the other of two, which is in a row below
    given_to: str = ""  # who has it, or how it was given where nobody is named
    has_receipt: bool = False
    may_create_again: bool = False  # its page says whether the challans are free
    asks_driver: bool = False  # first, because a payment failed, and it is known whom
    asked: AskedDriver | None = None  # in that case, if they were
    is_failed_unsent: bool = False  # a payment failed, and nobody was sent it from here
    apart: str = ""  # a challan of it, where another link of the list has its vehicle, state and amount
    left: Left | None = None  # what can be created again, where other links have taken some challans
    replaced_by: LinkMention | None = None  # the newest of the links that hold all its challans, once it has ended

    @property
    def is_asked(self) -> bool:
        """Return whether the signed-in person is asked if its message was sent."""
        return self.asked_sent is not None

    @property
    def is_to_check(self) -> bool:
        """Return whether its page says what to check before anybody gets it."""
        return self.payment is not None and self.is_unsent and self.is_doubtful

    @property
    def is_withheld(self) -> bool:
        """Return whether it is open and must not be sent now: its page says what to check, or why it cannot be sent."""
        return self.is_open and (self.payment is None or self.is_to_check)

    @property
    def why_withheld(self) -> str:
        """Say in few words why it must not be sent now, where its state does not."""
        return self.doubt or self.why_not

    @property
    def needs_driver(self) -> bool:
        """Return whether nobody was sent it or may have been, and nobody usually drives its vehicle.

        A copied link is not sent.
        """
        waits = self.payment is not None and not (self.is_to_check or self.snoozed_until)
        return waits and self.driver is None and not (self.is_sent or self.is_opened)

    @property
    def traits(self) -> tuple[str, ...]:
        """Return what the bar of the chosen rows counts of this one; a message may name one that is `ready`."""
        traits = {
            "open": self.is_open,
            "unknown": self.is_open and self.is_unknown,
            "unsent": self.is_unsent,
            "driverless": self.needs_driver,
            "ready": self.payment is not None and self.is_reached and not self.is_to_check,
            "withheld": self.is_withheld,
        }
        return tuple(trait for trait, has in traits.items() if has)


@dataclass(frozen=True, slots=True)
class Tab:
    """Show the links of a state within the list, with how many there are and what they come to, where that is known.

    `id` is that of its element. `total` is None where there are too many links to add up.
    """

    id: str
    words: str
    address: str
    current: bool
    total: Total | None
    hint: str = ""  # what its word means


@dataclass(frozen=True, slots=True)
class Total:
    """Show how many links there are, at least so many where there are `more`, and their sum where it is known."""

    number: int
    more: bool
    sum: Sum | None


@dataclass(frozen=True, slots=True)
class ListSum:
    """Show what links of the list come to; `words` name them where others are in the list as well."""

    words: str
    number: int
    sum: Sum


@dataclass(frozen=True, slots=True)
class LinkRows:
    """Show the live region of the list, which holds one page of it. `narrows`: it is filtered; `has_filter`: by more
    than a tab; `can_clear`: so, or a field holds what cannot be read.

    `sums` are of the whole list. `address` is the region's own; `newer` and `older` are those of the adjacent pages,
    None where there is none.
    """

    number: int  # how many links the whole list has, as far as they are counted
    counted: str  # that in words
    none: str  # that there is none, where it has one tab
    shows: str  # as the button says it that closes the filters over the list
    all_address: str  # of what can be chosen of it
    sums: tuple[ListSum, ...]
    narrows: bool
    text: str  # that the filter searches for
    has_filter: bool
    can_clear: bool
    tabs: tuple[Tab, ...]
    rows: tuple[LinkRow, ...]
    columns: dict[str, Column]
    address: str
    poll_seconds: int
    seen: str
    page_size: int
    page_words: str  # which of the links are on this page
    newer: str | None
    older: str | None
    to_check: int = 0  # of a list of what was not sent: how many links besides are to be checked before
    check_address: str = ""  # their list
    not_applied: str = ""  # which parts of the filter cannot be read

    @property
    def driverless(self) -> int:
        """Return how many links of the page cannot be sent at once, because nobody usually drives their vehicles."""
        return sum(row.needs_driver for row in self.rows)

    @property
    def hint(self) -> str:
        """Say what the word of the current tab means, "" where it says so itself."""
        return next((tab.hint for tab in self.tabs if tab.current), "")


#: The fields of the filter that may hold what cannot be read.
PROBLEM_FIELDS = ("from", "to", "least", "most")


@dataclass(frozen=True, slots=True)
class LinksPage:
    """`typed` is what the filter's fields hold, as they were sent; `problems` says what is wrong, by field."""

    listed: LinkRows
    dates: str  # the days that the filter names, in words
    more: int  # how many fields of the filter are set that are folded away at first
    uses_rest: bool  # of these, one that is folded away once more
    typed: dict[str, str]
    problems: dict[str, str]
    only: tuple[Choice, ...]
    days_of: tuple[Choice, ...]
    paid_after: tuple[Choice, ...]
    challan_type: str
    custom_fields: tuple[tuple[str, str, str], ...]  # name, label, filter value
    drivers: tuple[Choice, ...]
    states: tuple[Choice, ...]
    creators: tuple[Choice, ...]
    query: tuple[tuple[str, str], ...]  # the filter, field by field
    max_view_name: int
    most_chosen: int
    views: tuple[SavedViewLink, ...]
    problem_fields: tuple[str, ...] = PROBLEM_FIELDS

    @property
    def narrowed_by(self) -> int:
        """Return how many filters are set, without what is always in view: the search text and the tabs."""
        return len({name for name, _ in self.query} - {"q", "sort", "dir", "state", "only"})
