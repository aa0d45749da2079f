"""Define what several nouns' templates receive: plain, frozen records that a template only lays out.

Moments are aware UTC (the filters show them in the configured zone). Amounts are Decimal in major units, or None when
unknown. Text from the service is hostile and escaped by Jinja alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from dashboard.web.shared.languages import gettext as _


@dataclass(frozen=True, slots=True)
class StateWords:
    """Show a state by its name, in our words, and by its meaning, which decides colour and icon.

    An undocumented state has no name, and is shown as the service spells it.
    """

    raw: str  # as the service spells it
    words: str
    meaning: str  # "good", "active", "waiting", "ended", "wrong" or "neutral"
    note: str = ""  # what stands beside the state wherever it is shown
    name: str = ""
    clause: str = ""  # for a sentence about a link that has this name: "has expired"
    known_now: str = ""  # where the name is only the last state that was known: what is known instead

    @property
    def shown(self) -> str:
        """Return the name in the language of this answer, as plain text that can be joined with other words."""
        return str(self.name) or self.raw

    @property
    def last_known(self) -> str:
        """Return the name as the last state that was known."""
        return _("last known: %(state)s", state=self.shown)

    @property
    def marked(self) -> str:
        """Return the name with the note beside it."""
        return f"{self.shown}, {self.note}" if self.note else self.shown

    @property
    def said(self) -> str:
        """Return name and words as one line: "Active: can still be paid"."""
        return f"{self.marked}: {self.words}" if self.words else self.marked

    @property
    def predicate(self) -> str:
        """Return the end of a sentence about a link: "is active"."""
        said = self.clause or _("is %(state)s", state=self.shown)
        return f"{said}, {self.note}" if self.note else said


@dataclass(frozen=True, slots=True)
class Freshness:
    """Show the age of the data on a page, and why it is not newer.

    `trouble` begins with "The service did not answer" or "The service answered with an error", and says what happens
    next; None when the last call succeeded.
    """

    checked_at: datetime | None
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class HeldBy:
    """Name the payment link that holds a challan, or the request whose outcome is unclear.

    A link that `is_failed` holds it no more; whether money was taken there is to be found out first.
    """

    address: str  # "" where the page leads to it already
    words: str  # names the link or the request; the template adds state and expires_at
    state: StateWords | None = None
    expires_at: datetime | None = None
    is_failed: bool = False


@dataclass(frozen=True, slots=True)
class EarlierLink:
    """Name the ended link that a payable challan was on, and whose payment may still turn up."""

    address: str
    words: str
    may_have_taken_money: bool
    also: str = ""  # on what else it was


@dataclass(frozen=True, slots=True)
class ChallanRow:
    """Show a challan in a table; `id` is None when the service sent none that can be read."""

    id: str | None
    challan_no: str  # "(no number)" when the service sent none
    status: str
    date: datetime | None
    age_days: int | None
    offence: str | None
    place: str | None
    state: str | None
    type: str | None
    amount: Decimal | None
    total: Decimal | None
    reason: str | None = None  # why it cannot be selected, in words; the raw status among them
    held_by: HeldBy | None = None
    mark: str | None = None  # "new" or "changed" since the search before
    changes: tuple[str, ...] = ()  # "Status was PENDING", one a changed field
    ticked: bool = False
    earlier: EarlierLink | None = None
    is_paid: bool = False  # with a link, after which nobody asks how old it is
    is_done: bool = False  # its status says that nothing is left to pay; what a link took for it is shown all the same
    is_not_payable: bool = False  # its status keeps it off a link, so that nothing is to pay for it here
    is_gone: bool = False  # the source lists it no longer, so that nobody knows whether it is still to pay


@dataclass(frozen=True, slots=True)
class LinkMention:
    """Mention a payment link on the page of another link or of a review."""

    id: str
    made_at: datetime
    state: StateWords
    is_found: bool = False  # a search found it at that time; when it was created is not known
    total: Decimal | None = None  # where it tells links of the same moment apart
