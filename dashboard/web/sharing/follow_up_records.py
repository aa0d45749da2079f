"""Define what the templates of the follow-up queue and of the reminders receive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from dashboard.domain import follow_up
from dashboard.store.links.totals import Total
from dashboard.store.sharing.follow_ups import FollowUpTotals
from dashboard.web.links.list_page import PAGE_SIZE
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.records import StateWords
from dashboard.web.sharing import texts
from dashboard.web.sharing.records import SentNow


@dataclass(frozen=True, slots=True)
class Candidate:
    """Offer a driver to whom one tap sends a link."""

    driver_id: int
    name: str
    phone: str


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Show a link to follow up: whom to remind, the last contact, the newest note, and the end of its snooze.

    `driver` is who was given the link last, or else the only usual driver of its vehicle. `whatsapp`: one tap sends the
    message to that driver's number. `candidates` are whom to choose from where no driver is known.
    """

    link_id: str
    plate: str | None
    state: StateWords
    total: Decimal | None
    expires_at: datetime | None
    copied_at: datetime | None
    copied_by: str | None
    shared_at: datetime | None
    shared_with: str | None
    shared_by: str | None
    sent_by: str  # how it was shared last, in a sentence
    channel: str  # the name of that way
    times: int  # that it was shared
    challans: int | None
    made_at: datetime | None
    made_by: str | None
    driver: str | None
    driver_id: int | None
    phone: str | None
    whatsapp: bool
    note: str | None
    noted_by: str | None
    noted_at: datetime | None
    group: str  # of GROUPS
    is_urgent: bool  # it ends within the hours of that group, whatever list it is in
    candidates: tuple[Candidate, ...] = ()
    snoozes: tuple[tuple[str, str, datetime], ...] = ()  # what the button sends, its words, and until when
    snoozed_until: datetime | None = None
    snoozed_by: str | None = None
    ended_at: datetime | None = None  # of a link that ended unpaid
    undoable: SentNow | None = None  # what this person has just sent
    typed: str = ""  # the note that was just refused, for the reason in `problem`
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class FollowUpGroup:
    """Show the links that wait for the same reason; `total` is that of the whole group, over all pages."""

    name: str
    title: str
    total: Total
    rows: tuple[FollowUp, ...]


@dataclass(frozen=True, slots=True)
class Queue:
    """Show a page of a list of `count` links, with the addresses of its first page and of the next one, if any."""

    rows: tuple[FollowUp, ...]
    count: int
    first: str | None = None
    more: str | None = None


@dataclass(frozen=True, slots=True)
class FollowUpPage:
    """Show the links that wait, by group, the snoozed ones, those that rest, and those that ended unpaid lately.

    `places` are the arguments of an address that comes back here. `remind` leads to the queue of the links of this page
    whose drivers one tap reaches, which are `reachable`; it is empty where there are none. Where no link
    waits, `next_end` is when the next link ends. `sent` are the links that were sent or copied lately.
    """

    waiting: Queue
    later: Queue
    sent: Queue
    ended: tuple[FollowUp, ...]
    totals: FollowUpTotals
    places: Mapping[str, str]
    remind: str
    reachable: Total
    next_end: datetime | None = None
    page_size: int = PAGE_SIZE
    max_note: int = follow_up.MAX_NOTE
    rest_hours: int = int(follow_up.RESTS.total_seconds() // 3600)
    ended_days: int = follow_up.ENDED_LATELY.days

    @property
    def groups(self) -> tuple[FollowUpGroup, ...]:
        """Return every group, also those that are empty, because a row may come back into one."""
        of = self.totals
        totals = {texts.ENDS_SOON: of.ends_soon, texts.NOT_SENT: of.not_sent, texts.CHOSEN: of.chosen}
        return tuple(
            FollowUpGroup(name, title, totals[name], tuple(row for row in self.waiting.rows if row.group == name))
            for name, title in texts.FOLLOW_UP_GROUPS.items()
        )

    @property
    def sent_title(self) -> str:
        return _("Sent or copied, last %(count)s hours", count=self.rest_hours)

    @property
    def is_part(self) -> bool:
        """Return whether other pages have more of the links that wait."""
        return bool(self.waiting.first or self.waiting.more)

    @property
    def without_driver(self) -> int:
        """Count the links that wait and have no driver to remind; 0 where other pages have more links."""
        return 0 if self.is_part else sum(row.driver is None for row in self.waiting.rows)

    @property
    def title(self) -> str:
        count = self.waiting.count
        if not count:
            return _("Follow up · Challan Dashboard")
        return _("Follow up (%(count)s) · Challan Dashboard", count=f"{count:,}")


@dataclass(frozen=True, slots=True)
class ReminderBeside:
    """Show one of the reminders in their list, with the address of its step. `number` counts from 1.

    `is_sent`: a driver was sent it since the list was made; `can_be_sent`: one tap still reaches its driver.
    """

    item: FollowUp
    address: str
    number: int
    is_sent: bool
    can_be_sent: bool


@dataclass(frozen=True, slots=True)
class ReminderStep:
    """Show one link of the reminders that are sent one by one: the message, and the way on.

    `all` are the links that the button of the queue counted, with their `total`, whatever became of them since.
    `following` is the next one that is to be sent; None after the last one.
    """

    current: ReminderBeside
    text: str
    language: str
    language_name: str  # its own, such as "हिन्दी"
    here: Mapping[str, str]
    all: tuple[ReminderBeside, ...]
    total: Total
    following: ReminderBeside | None

    @property
    def item(self) -> FollowUp:
        return self.current.item

    @property
    def sent(self) -> int:
        return sum(each.is_sent for each in self.all)
