"""Define what the templates of home receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from dashboard.domain.money import NO_SUM, Sum


@dataclass(frozen=True, slots=True)
class AttentionItem:
    """Show an item that needs attention: its vehicle, words, and the address and words of a link to it.

    `to_do` is what to do, where its page says more. `since` is when it began, where that matters, and `total` what a
    link comes to; `sum` is that of the `challans` of a request. `link_id` and `driver_id` are set where one tap sends a
    link to its driver, and its button is named by `verb` ("send" or "remind"). `act` is another button, at an address
    of its own that is opened, or that a form is sent to where it `checks`; with `sends_to` the row asks whom the link
    is sent to. Where nothing is to be done for now, `done` says why: it `was_sent`, or is put off. `request_id` is that
    of a request that the row is about besides its link.
    """

    words: str
    address: str
    action: str
    to_do: str = ""
    since: datetime | None = None
    meaning: str = "waiting"  # as in StateWords
    plate: str = ""
    total: Decimal | None = None
    driver: str | None = None
    driver_id: int | None = None
    link_id: str = ""
    verb: str = ""
    act: str = ""
    act_address: str = ""
    checks: bool = False
    sends_to: bool = False
    done: str = ""
    was_sent: bool = False
    sum: Sum | None = None
    challans: int = 0
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class PaidCard:
    """Show a paid link that its creator has not opened since it was paid."""

    id: str
    plate: str | None
    total: Decimal | None
    paid_since: datetime  # when it was first observed PAID
    paid_at: datetime | None  # when the service says it was paid
    driver: str | None = None  # who was given it last


@dataclass(frozen=True, slots=True)
class PaidSince:
    """Show the links paid since a person left: the newest by themselves, those before on demand.

    `count` and `sum` include links that have no card; `sum` is None where there are too many to add up.
    """

    cards: tuple[PaidCard, ...] = ()
    earlier: tuple[PaidCard, ...] = ()
    count: int = 0
    sum: Sum | None = NO_SUM
    until: str = ""  # sent by "Mark as seen", so that links paid after this list was drawn stay unseen


@dataclass(frozen=True, slots=True)
class SentTo:
    """Name a link that nobody was given, for the menu of whom it is sent to."""

    link_id: str
    plate: str | None
    total: Decimal | None


@dataclass(frozen=True, slots=True)
class FigureLine:
    """Say in `words` how many links of a figure need something else than its button; `act` leads to them."""

    words: str
    act: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """Show a figure of the day: how many links, what they come to, and the address of their list.

    `none` is said where there are none of them, `hint` is what the sum leaves out, `note` is said beside their number,
    of which `note_link`, or all of it, leads to its address, `overlap` how many of them another figure has too, and
    `left_out` what it does not count. `plate` is that of a link alone of which it asks something. `act` is what is done
    with those that wait, at an address of its own that is opened, or that a form is sent to `act_by`: here or in a new
    tab. `to_send` is the link alone, of which the figure asks whom it is sent to. `lines` say which need something
    else, and `handled` what was done with the others, of which `back` says when Follow up has them again. `is_seen_to`:
    what is left to do waits for somebody else.
    """

    words: str
    count: int
    sum: Sum
    address: str
    none: str
    hint: str = ""
    note: str = ""
    note_link: str = ""
    note_address: str = ""
    overlap: str = ""
    left_out: str = ""
    plate: str = ""
    meaning: str = ""  # as in StateWords
    is_urgent: bool = False  # nothing is done with it here, and yet it is no quiet day
    act: str = ""
    act_address: str = ""
    act_by: str = ""  # "form" or "tab"; "" is a link
    to_send: SentTo | None = None
    handled: str = ""
    back: str = ""
    lines: tuple[FigureLine, ...] = ()
    is_seen_to: bool = False

    @property
    def asks(self) -> bool:
        """Return whether somebody is to do something about it."""
        return bool(self.act or self.to_send)


@dataclass(frozen=True, slots=True)
class HomePanel:
    """Show the live region of the first page: the figures of the day, items that need attention, and links paid since
    its reader left.
    """

    figures: tuple[Figure, ...]
    paid: PaidSince
    attention: tuple[AttentionItem, ...]
    is_grave: bool  # something of it is wrong, and comes first
    poll_seconds: int
    seen: str  # fingerprint and change token of what is shown, sent back by the next poll
    title: str
    links_mark: str  # fingerprint of the list of recent links


@dataclass(frozen=True, slots=True)
class PaidNotifications:
    """List the links paid since a tab's last poll, for browser notifications."""

    cards: tuple[PaidCard, ...]
    count: int  # all that the reader has not seen, for the page title
    after: str  # sent back by the next poll
    poll_seconds: int
