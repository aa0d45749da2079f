"""Define what the templates of creation receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from dashboard.domain.money import Sum
from dashboard.web.links.records import PaymentAddress
from dashboard.web.shared.records import ChallanRow, HeldBy, LinkMention, StateWords


@dataclass(frozen=True, slots=True)
class ReplacedLink:
    """The ended link in whose place a review stands."""

    link: LinkMention
    tied: bool  # the link still is ended, and the review holds a challan of it
    covered: int
    left_out: tuple[ChallanRow, ...]
    added: int  # how many challans of the review it did not cover


@dataclass(frozen=True, slots=True)
class ReviewPage:
    rc: str
    plate: str
    rows: tuple[ChallanRow, ...]  # those of this link, at most 100
    sum: Sum
    base_sum: Sum
    plan: tuple[int, ...]  # sizes of all the links that the selection makes; this review is the first of them
    dropped: tuple[ChallanRow, ...]  # selected, but no longer payable
    hours: str  # as typed
    ends_at: datetime | None  # if created now, with these hours
    presets: tuple[int, ...]
    snapshot_at: datetime
    problem: str | None = None  # why the last try did not send, in words
    held: tuple[ChallanRow, ...] = ()  # after a conflict: what is held, by what
    let_go: tuple[HeldBy, ...] = ()  # requests of unknown outcome that had some of these challans and let them go
    replaces: ReplacedLink | None = None
    zone: str = "Asia/Kolkata"  # the zone that moments are shown in, for what the page computes itself


@dataclass(frozen=True, slots=True)
class RequestPanel:
    """The live region of a creation whose outcome is not yet known."""

    id: str
    state: str  # ours: PREPARED, SENDING, UNKNOWN, …; stands in `data-state`
    words: str  # the truth, in the words of link-creation.md
    next: str  # what happens next
    meaning: str
    sent_at: datetime | None
    poll_seconds: int | None
    seen: str
    can_check: bool  # "Look now" is offered
    can_retry: bool  # "Try again" is offered: the review, with the selection kept
    link_id: str | None = None
    link_state: StateWords | None = None
    payment: PaymentAddress | None = None
    held: tuple[ChallanRow, ...] = ()
    free: int = 0  # how many of the challans are payable and free, to create with the others
    title: str = ""
    rc: str = ""  # the vehicle, to go back to its review
    may_let_go: bool = False  # it waits for a manager's word, and nobody has given it
    aside: str = ""  # who set the request aside, when and why; it may have come to another state since
    replaces: str | None = None  # the ended link in whose place it was asked for
    next_look_at: datetime | None = None  # counted down to, before what happens next
    follows: tuple[str, ...] = ()  # the links that it tells of and that may still change


@dataclass(frozen=True, slots=True)
class ReleaseOffer:
    """The manager's override, beside the live region so that nothing typed is swapped away."""

    may: bool  # this person is a manager or an administrator
    consequence: str
    problem: str | None = None  # why the last try let nothing go


@dataclass(frozen=True, slots=True)
class RequestPage:
    panel: RequestPanel
    rc: str
    plate: str
    created_by: str
    created_at: datetime
    hours: int
    rows: tuple[ChallanRow, ...] = field(default_factory=tuple)
    let_go: ReleaseOffer | None = None
