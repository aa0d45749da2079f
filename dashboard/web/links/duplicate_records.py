"""Define what the template of the alarm about duplicate links receives: plain, frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from dashboard.web.shared.records import LinkMention


@dataclass(frozen=True, slots=True)
class AlarmNote:
    """Show the acknowledgement of an alarm: the person and their note."""

    by: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class ToTell:
    """Name a driver who has a link that nobody should pay, with their number and the address that calls it."""

    driver_id: int
    name: str
    phone: str
    call: str


@dataclass(frozen=True, slots=True)
class DuplicateAlarm:
    """Show the alarm about duplicate links on the page of one of them."""

    unacknowledged: bool
    newest: int  # the id of the newest alarm event, which an acknowledgement names
    since: datetime
    advice: str  # the next step
    others: tuple[LinkMention, ...]
    who_has: Mapping[str, str]  # who has those of them that can be paid, by id
    to_tell: tuple[ToTell, ...]  # who has a link that nobody should pay
    notes: tuple[AlarmNote, ...]
    request_id: str | None = None  # a request of unknown outcome that holds the same challans
    may_acknowledge: bool = False  # the person is a manager or an administrator
    for_manager: str = ""  # what somebody else tells one of them
