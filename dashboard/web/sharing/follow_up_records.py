"""Define what the templates of the follow-up queue receive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from dashboard.domain import follow_up
from dashboard.domain.links import may_have_taken_money
from dashboard.domain.money import add_up
from dashboard.domain.sharing import Answer
from dashboard.store.links.totals import Total, add, less
from dashboard.store.sharing.follow_ups import FollowUpTotals
from dashboard.web.links.list_page import PAGE_SIZE
from dashboard.web.links.records import AskedDriver, UndoableShare
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.records import StateWords
from dashboard.web.sharing import texts
from dashboard.web.sharing.messages_sent import MOST_OF_A_MESSAGE
from dashboard.web.sharing.records import SentNow


@dataclass(frozen=True, slots=True)
class Opened:
    """Say how and by whom a message was opened of which it is unknown whether it was sent."""

    words: str
    at: datetime
    by: str


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Show a link to follow up: whom to remind, the last contact, the newest note, and the end of its snooze.

    `driver` is who was given the link last, or else the only usual driver of its vehicle. `whatsapp`: one tap sends the
    message to that driver's number.
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
    sent_brief: str  # the same in a word, where that is true
    channel: str  # the name of that way, where the word does not say it
    times: int  # that it was shared
    challans: int | None
    created_at: datetime | None
    found_at: datetime | None  # of a link that was created elsewhere
    made_by: str | None
    driver: str | None
    driver_id: int | None
    phone: str | None
    whatsapp: bool
    note: str | None
    noted_by: str | None
    noted_at: datetime | None
    group: str  # of GROUPS
    is_urgent: bool  # little time is left to pay it
    call: str = ""  # the address that calls the driver's number
    language: tuple[str, str] = ("", "")  # of the driver's messages: its code, and its own name
    recipient: str = ""  # who got it last, where that is no driver
    rests: bool = False  # a driver was sent it lately, and it waits for nobody
    snoozes: tuple[tuple[str, str, datetime], ...] = ()  # what the button sends, its words, and until when
    snoozed_until: datetime | None = None
    snoozed_by: str | None = None
    ended_at: datetime | None = None  # of a link that ended unpaid
    free: int | None = None  # how many of its challans no other link has taken, where some are
    apart: str = ""  # a challan of it, where another link has its vehicle, state and amount
    whole: Decimal | None = None  # in that case, what the whole link came to, where that is known
    is_to_check: bool = False  # its page says what to check before anybody gets it
    undoable: SentNow | None = None  # what this person has just sent
    opened: Opened | None = None  # since it was shared last
    withheld: str = ""  # why it must not be sent now
    asked: UndoableShare | None = None  # in that case, what this person is asked about
    question: AskedDriver | None = None  # to its driver, of a link whose payment failed
    typed: str = ""  # the note that was just refused, for the reason in `problem`
    problem: str | None = None

    @property
    def has_somebody(self) -> bool:
        """Return whether somebody drives the vehicle or was given the link."""
        return bool(self.driver or self.shared_at or self.copied_at)

    @property
    def is_withheld(self) -> bool:
        """Return whether it must not be sent now: its page says what to check, or why it cannot be sent."""
        return bool(self.withheld) or self.is_to_check

    @property
    def lacks_driver(self) -> bool:
        """Return whether nobody drives the vehicle or was given the link, which waits for that alone."""
        waits = bool(self.plate) and not (self.is_withheld or self.snoozed_until)
        return waits and not (self.has_somebody or self.recipient or self.opened)

    @property
    def asks_driver(self) -> bool:
        """Return whether the driver is asked first, because a payment failed, and it is known whom to ask."""
        is_known = bool(self.shared_at or self.copied_at or self.opened or self.call)
        return may_have_taken_money(self.state.raw) and is_known

    @property
    def is_to_ask(self) -> bool:
        """Return whether the driver is still to be asked."""
        return self.asks_driver and not self.question

    @property
    def has_failed(self) -> bool:
        """Return whether a payment failed, and the driver has not said that no money was taken."""
        is_settled = self.question is not None and self.question.answer is Answer.NOT_TAKEN
        return may_have_taken_money(self.state.raw) and not is_settled

    @property
    def is_wrong_number(self) -> bool:
        """Return whether the newest note says that the driver's number is wrong, and nothing was sent since."""
        if not self.driver or not self.note or not self.noted_at or not texts.is_wrong_number(self.note):
            return False
        return self.shared_at is None or self.shared_at < self.noted_at

    @property
    def outcomes(self) -> list[str]:
        """Return the notes of one tap, without that which snoozes the link as well, where it can be snoozed so.

        Where nobody was asked to pay, nobody has answered.
        """
        if not self.has_somebody:
            return []
        snoozes = not self.snoozed_until and any(choice == texts.EVENING for choice, _words, _until in self.snoozes)
        return [words for words in texts.OUTCOMES if not (snoozes and words is texts.WILL_PAY_TODAY)]


@dataclass(frozen=True, slots=True)
class FollowUpEntry:
    """Show a row of the queue: one link, or several of one driver, which one message names together."""

    links: tuple[FollowUp, ...]

    @property
    def first(self) -> FollowUp:
        return self.links[0]

    @property
    def link_id(self) -> str:
        """Return the id of the row, which is that of its first link."""
        return self.first.link_id

    @property
    def link_ids(self) -> list[str]:
        return [each.link_id for each in self.links]

    @property
    def also(self) -> list[str]:
        """Return the other links of the message."""
        return self.link_ids[1:]

    @property
    def total(self) -> Total:
        return Total(len(self.links), add_up(each.total for each in self.links))

    @property
    def ends_first(self) -> FollowUp:
        """Return the link that ends before the others, as far as that is known."""
        ends = [(each.expires_at, at) for at, each in enumerate(self.links) if each.expires_at]
        return self.links[min(ends)[1]] if ends else self.first

    @property
    def plates(self) -> str:
        """Name the vehicles of the links, each once."""
        return ", ".join(dict.fromkeys(each.plate for each in self.links if each.plate))

    @property
    def group(self) -> str:
        """Return the first group that any of the links waits in."""
        waits = {each.group for each in self.links}
        return next(name for name in texts.FOLLOW_UP_GROUPS if name in waits)

    def goes_along(self, link: FollowUp) -> bool:
        """Return whether one of the links waits for another reason than the rest of its group."""
        return link.group != self.group and not (link.opened or link.rests or link.undoable)

    @property
    def seen(self) -> str:
        """Return what changes whenever a driver is sent one of the links, or asked about it."""
        asked = [f"{each.question.question_id}{each.question.answer or ''}" for each in self.links if each.question]
        return "-".join(map(str, (sum(each.times for each in self.links), *asked)))

    @property
    def undoable(self) -> FollowUp | None:
        """Return the first link that this person has just sent, if any."""
        return next((each for each in self.links if each.undoable), None)

    @property
    def is_sent(self) -> bool:
        """Return whether a driver was given all of the links before."""
        return all(each.shared_at for each in self.links)


def sent_together(rows: Iterable[FollowUp]) -> tuple[FollowUpEntry, ...]:
    """Put those links into one row that one message to their driver names; where it was sent, that message.

    Those of a vehicle without a driver are together as well, because they are given one together. A row stands where
    the first of its links does.
    """
    found: dict[object, list[FollowUp]] = {}
    for row in rows:
        same: object = row.link_id
        if row.whatsapp:
            same = (row.driver_id, row.shared_at if row.rests else None)
        elif row.lacks_driver:
            same = row.plate
        found.setdefault(same, []).append(row)
    return tuple(
        FollowUpEntry(tuple(links[at : at + MOST_OF_A_MESSAGE]))
        for links in found.values()
        for at in range(0, len(links), MOST_OF_A_MESSAGE)
    )


def alone(rows: Iterable[FollowUp]) -> tuple[FollowUpEntry, ...]:
    """Put each link into a row of its own."""
    return tuple(FollowUpEntry((row,)) for row in rows)


@dataclass(frozen=True, slots=True)
class FollowUpGroup:
    """Show the links that wait for the same reason, and what goes with them; `total` is over all pages.

    So many of them go `along`: they wait for another reason, and a message about one of the group names them too.
    """

    name: str
    title: str
    total: Total
    entries: tuple[FollowUpEntry, ...]
    along: int = 0


@dataclass(frozen=True, slots=True)
class Queue:
    """Show a page of a list of links, with the addresses of its first page and of the next one, if any."""

    entries: tuple[FollowUpEntry, ...]
    first: str | None = None
    more: str | None = None

    @property
    def rows(self) -> list[FollowUp]:
        return [each for entry in self.entries for each in entry.links]


@dataclass(frozen=True, slots=True)
class Returns:
    """Show which links come back to the queue, and when the first of them does."""

    links: Total
    at: datetime


@dataclass(frozen=True, slots=True)
class FollowUpPage:
    """Show the links that wait, by group, the snoozed ones, those that rest, and those that ended unpaid lately.

    `places` are the arguments of an address that comes back here. `remind` leads to the queue of the links of this page
    whose drivers one tap reaches, which are `reachable`, in so many `messages`; it is empty where there are none.
    `just_sent` is the message that this person sent last, and `sent` are the other links that were sent or copied
    lately. Where no link waits, `back` and `snoozed_back` say what comes back. `several_driverless`: links
    of more than one vehicle wait for a usual driver of it.
    """

    waiting: Queue
    later: Queue
    sent: Queue
    ended: tuple[FollowUpEntry, ...]
    totals: FollowUpTotals
    places: Mapping[str, str]
    remind: str
    reachable: Total
    messages: int
    just_sent: tuple[FollowUpEntry, ...] = ()
    several_driverless: bool = False
    back: Returns | None = None
    snoozed_back: Returns | None = None
    page_size: int = PAGE_SIZE
    max_note: int = follow_up.MAX_NOTE
    evening: str = texts.EVENING
    rest_hours: int = int(follow_up.RESTS.total_seconds() // 3600)
    ended_days: int = follow_up.ENDED_LATELY.days

    @property
    def groups(self) -> tuple[FollowUpGroup, ...]:
        """Return every group, also those that are empty, because a row may come back into one."""
        of = self.totals
        totals = {texts.ENDS_SOON: of.ends_soon, texts.NOT_SENT: of.not_sent, texts.CHOSEN: of.chosen}
        titles = dict(texts.FOLLOW_UP_GROUPS)
        if any(each.group == texts.ENDS_SOON and not each.is_sent for each in self.waiting.entries):
            titles[texts.NOT_SENT] = texts.OTHERS_NOT_SENT
        return tuple(self._group(name, title, totals.get(name, Total(0))) for name, title in titles.items())

    def _group(self, name: str, title: str, total: Total) -> FollowUpGroup:
        """Build a group, which counts its rows, so that the groups add up; those of a part, over all pages."""
        entries = tuple(each for each in self.waiting.entries if self._group_of(each) == name)
        listed = [link for each in entries for link in each.links]
        shown = Total(len(listed), add_up(link.total for link in listed))
        if self.is_part:
            return FollowUpGroup(name, title, total, entries)
        along = sum(each.goes_along(link) for each in entries for link in each.links)
        return FollowUpGroup(name, title, shown, entries, along)

    def _group_of(self, entry: FollowUpEntry) -> str:
        """Return the group of a row: first what this person is asked about, where no other page has more of it."""
        return texts.ASKED if entry.first.asked and not self.is_part else entry.group

    @property
    def reachable_ids(self) -> set[str]:
        """Return the links that the button above the queue sends."""
        return {link_id for each in self.waiting.entries if each.first.whatsapp for link_id in each.link_ids}

    @property
    def to_remind(self) -> int:
        """Count those of these links that somebody was given before: the first page counts the others as not sent."""
        rows = (row for entry in self.waiting.entries if entry.first.whatsapp for row in entry.links)
        return sum(bool(row.shared_at or row.copied_at) for row in rows)

    @property
    def sent_title(self) -> str:
        if self.just_sent:
            return _("Sent or copied before, last %(count)s hours", count=self.rest_hours)
        return _("Sent or copied, last %(count)s hours", count=self.rest_hours)

    @property
    def just_sent_total(self) -> Total:
        return add(entry.total for entry in self.just_sent)

    @property
    def sent_before(self) -> Total:
        """Return what was sent or copied lately, without what was just sent: each link is counted once."""
        return less(self.totals.sent, self.just_sent_total)

    @property
    def all_sent(self) -> bool:
        """Return whether nobody waits because all links were sent or copied."""
        given = all(row.shared_at or row.copied_at for row in self.later.rows)
        return bool(self.totals.sent.number) and given and not self.later.more

    @property
    def is_part(self) -> bool:
        """Return whether other pages have more of the links that wait."""
        return bool(self.waiting.first or self.waiting.more)

    @property
    def failed(self) -> tuple[FollowUpEntry, ...]:
        """Return the links whose payment failed, and whose drivers have not said that no money was taken."""
        return tuple(entry for entry in self.ended if entry.first.has_failed)

    @property
    def ended_rest(self) -> tuple[FollowUpEntry, ...]:
        return tuple(entry for entry in self.ended if not entry.first.has_failed)

    @property
    def without_driver(self) -> tuple[FollowUpEntry, ...]:
        """Return the rows that wait and have no driver to remind; none where other pages have more links."""
        if self.is_part:
            return ()
        return tuple(
            entry
            for entry in self.waiting.entries
            if not (entry.first.driver or entry.first.recipient or entry.first.opened or entry.first.is_withheld)
        )

    @property
    def withheld(self) -> int:
        """Count the links that wait and cannot be sent as they are; 0 where other pages have more links."""
        return 0 if self.is_part else sum(row.is_withheld for row in self.waiting.rows)

    @property
    def to_confirm(self) -> int:
        """Count the links of which this person is asked whether they were sent; 0 where other pages have more links."""
        return 0 if self.is_part else sum(row.asked is not None for row in self.waiting.rows)

    @property
    def without_phone(self) -> int:
        """Count the links that wait and whose driver has no phone number; 0 where other pages have more links."""
        rows = (row for row in self.waiting.rows if row.driver and not row.is_withheld)
        return 0 if self.is_part else sum(not row.call for row in rows)

    @property
    def title(self) -> str:
        count = self.totals.waiting.number
        if not count:
            return _("Follow up · Challan Dashboard")
        return _("Follow up (%(count)s) · Challan Dashboard", count=f"{count:,}")
