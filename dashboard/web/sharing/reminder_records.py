"""Define what the templates of the reminders receive, which are sent one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dashboard.store.links.totals import Total, add
from dashboard.web.shared.languages import gettext as _
from dashboard.web.sharing.follow_up_records import FollowUp, FollowUpEntry


@dataclass(frozen=True, slots=True)
class ReminderBeside:
    """Show one of the reminders in their list, with the address of its step and its `fields`. `number` counts from 1.

    `is_sent`: the driver was sent all that can still be sent, since the list was made; `to_send` are the links that one
    tap still sends.
    """

    entry: FollowUpEntry
    address: str
    number: int
    is_sent: bool
    to_send: FollowUpEntry | None
    fields: Mapping[str, str]

    @property
    def is_all_to_send(self) -> bool:
        return self.to_send is not None and self.to_send.links == self.entry.links


@dataclass(frozen=True, slots=True)
class ReminderStep:
    """Show one message of the reminders that are sent one by one, and the way on.

    `all` are the messages about the links that the button of the queue counted, whatever became of them since.
    `following` is the next one that is to be sent; None after the last one. `last` is the one that this person sent
    just before. `back_address` is that of the page where they were opened, a driver's, the list of links or the queue,
    and `finish_address` that of the same page with what became of the messages. `place` is its place in the menu.
    `left_out` are the links that were chosen as well, and that no message can name now.
    """

    current: ReminderBeside
    text: str
    language: str
    language_name: str  # its own, such as "हिन्दी"
    here: Mapping[str, str]
    all: tuple[ReminderBeside, ...]
    following: ReminderBeside | None
    last: ReminderBeside | None
    back_address: str
    back_words: str
    finish_address: str
    place: str
    left_out: tuple[FollowUp, ...]

    @property
    def entry(self) -> FollowUpEntry:
        return self.current.entry

    @property
    def title(self) -> str:
        number, count = self.current.number, len(self.all)
        return _("Reminder %(number)s of %(count)s · Challan Dashboard", number=number, count=count)

    @property
    def sent(self) -> int:
        return sum(each.is_sent for each in self.all)

    @property
    def skipped(self) -> tuple[ReminderBeside, ...]:
        """Return what can still be sent, once the last message is reached."""
        return () if self.following else tuple(each for each in self.all if each.to_send and each != self.current)

    @property
    def done(self) -> Total:
        """Return what the messages that were sent come to."""
        return add(each.entry.total for each in self.all if each.is_sent)

    @property
    def left(self) -> Total:
        """Return what the messages that are still to be sent come to."""
        return add(each.to_send.total for each in self.all if each.to_send)


@dataclass(frozen=True, slots=True)
class RemindersDone:
    """Say what became of `count` reminders: how many were sent, what they come to, and who was not sent theirs.

    `address` is that of the first reminder that is still to be sent.
    """

    sent: int
    count: int
    total: Total
    not_sent: tuple[str, ...]
    left: Total  # what was not sent comes to
    left_ids: set[str]
    address: str
