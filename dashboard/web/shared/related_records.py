"""What the pages show of how links stand to each other: made in another's place, or on the same challans."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dashboard.web.shared.records import ChallanRow, StateWords


@dataclass(frozen=True, slots=True)
class LinkMention:
    """A payment link, named on the page of another or of a review."""

    id: str
    made_at: datetime
    state: StateWords


@dataclass(frozen=True, slots=True)
class Replacement:
    """A request in the place of an ended link; `link` is None while its outcome is not known."""

    request_id: str
    by: str
    at: datetime
    link: LinkMention | None


@dataclass(frozen=True, slots=True)
class AlarmNote:
    """Who took note of an alarm, and what they wrote."""

    by: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class DuplicateAlarm:
    """Links that hold the same challans, as one of them tells it."""

    standing: bool  # nobody has taken note of the newest alarm
    newest: int  # the number of that alarm, which taking note of it names
    since: datetime
    advice: str  # what to do as things stand
    others: tuple[LinkMention, ...]
    notes: tuple[AlarmNote, ...]
    request_id: str | None = None  # a request of unknown outcome that holds the same challans
    may_note: bool = False  # the person is a manager or an administrator


@dataclass(frozen=True, slots=True)
class ReplacedLink:
    """The ended link in whose place a review stands."""

    link: LinkMention
    tied: bool  # the link still is ended, and the review holds a challan of it
    covered: int
    left_out: tuple[ChallanRow, ...]
    added: int  # how many challans of the review it did not cover
