"""Define what the templates of creation receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from dashboard.domain.intents import NOTHING_CREATED, IntentState
from dashboard.domain.links import MAX_HOURS, MIN_HOURS
from dashboard.domain.money import NO_SUM, Sum
from dashboard.web.creation import texts, wait_texts
from dashboard.web.links.records import PaymentAddress
from dashboard.web.shared.records import ChallanRow, LinkMention, StateWords
from dashboard.web.vehicles.records import UsualDriver

#: In these, what is not held is free.
_LEAVES_FREE = NOTHING_CREATED | {IntentState.ATTACHED}


@dataclass(frozen=True, slots=True)
class ReplacedLink:
    """Name the ended link that a replacement link is created for."""

    link: LinkMention
    tied: bool  # it is still ended, and the review holds a challan of it
    left_out: tuple[ChallanRow, ...]
    added: int  # number of challans of the review that it did not cover
    next: str = ""  # what may still happen to it, where nothing else on the page says so


@dataclass(frozen=True, slots=True)
class EarlierPayment:
    """Say of which ended link the challans of a review may be paid besides."""

    words: str
    next: str
    address: str  # the newest such link
    may_have_taken_money: bool
    is_settled: bool = False  # it failed, and its driver says that no money was taken


@dataclass(frozen=True, slots=True)
class ReleasedRequest:
    """Say how many challans of a review were released from a request whose link may exist."""

    words: str
    address: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Say why nothing was sent. It is "neutral" where links hold what was asked for: nothing is wrong then."""

    words: str
    meaning: str = "wrong"


@dataclass(frozen=True, slots=True)
class HoldingLink:
    """Show a link that holds selected challans: its sum, how many challans it has, its state, and which it holds."""

    address: str
    words: str  # who made it and when; of the only one a sentence about the selected challans that it holds
    state: StateWords
    sum: Sum
    challans: int | None  # all of the link; None: no status answer has listed them yet
    expires_at: datetime | None  # of a link that can still be paid
    numbers: tuple[str, ...]  # of the selected challans
    made: str = ""  # of the only one: who made it and when
    sent: str = ""  # to whom each was sent last, or that it was copied; "" of one that nobody was given
    is_observed: bool = False  # it was created elsewhere, where others may have sent it
    send: str = ""  # the address that sends it, where nobody was sent it and nothing is doubtful about it


@dataclass(frozen=True, slots=True)
class CreationWords:
    """Hold what the page says while a link is created, and once it is."""

    created: str = texts.CREATED
    copied: str = texts.CREATED_AND_COPIED
    sending: str = texts.SENDING
    slow: str = texts.SLOW
    unanswered: str = texts.UNANSWERED


@dataclass(frozen=True, slots=True)
class ReviewPage:
    rc: str
    plate: str
    rows: tuple[ChallanRow, ...]  # the challans of this link
    next_rows: tuple[tuple[ChallanRow, ...], ...]  # of each further link, where all may be created as one plan
    sum: Sum
    base_sum: Sum  # the fines of this link, or of all where they are planned together
    fee_sum: Sum  # the legal fee and GST of the same: what is to pay beyond the fines
    plan: tuple[int, ...]  # sizes of all the links that the selection makes; this review is the first of them
    dropped: tuple[ChallanRow, ...]  # selected, but no longer payable
    hours: str  # as typed
    ends_at: datetime | None  # if created now, with these hours
    presets: tuple[int, ...]
    snapshot_at: datetime
    list_address: str  # where the selection can be changed
    problem: Problem | None = None
    links: tuple[HoldingLink, ...] = ()  # that hold selected challans
    held_words: str = ""  # says so in a sentence
    held: tuple[ChallanRow, ...] = ()  # selected, but held by a request
    released: tuple[ReleasedRequest, ...] = ()  # that had some of these challans
    released_ids: Set[str] = frozenset()  # of the challans that they had
    way_back: str = texts.CHANGE_SELECTION  # names the way to the list
    replaces: ReplacedLink | None = None
    zone: str = "Asia/Kolkata"  # the zone that moments are shown in, for the end that the page computes itself
    min_hours: int = MIN_HOURS
    max_hours: int = MAX_HOURS
    words: CreationWords = CreationWords()
    lot_sums: tuple[Sum, ...] = ()  # of each of these links
    drivers: tuple[UsualDriver, ...] = ()  # who usually drive the vehicle
    plan_id: str = ""  # leads a second sending of "Create 2 links" to the same plan
    earlier: tuple[EarlierPayment, ...] = ()  # of a failed link, then of others; of none in most reviews
    planned: str = ""  # the fingerprint of all challans, where they may be created as one plan
    before: Mapping[str, Decimal] = field(default_factory=dict)  # of unknown amounts, by challan: on the replaced link
    total_before: Decimal | None = None  # where it has the same challans, and is known only as a whole

    @property
    def title(self) -> str:
        return texts.review_title(self.plate)

    @property
    def is_all_on_links(self) -> bool:
        """Return whether links hold all that was selected, so that none is created."""
        return bool(self.links) and not (self.rows or self.held or self.dropped)

    @property
    def is_all_on_one_link(self) -> bool:
        """Return whether one link holds all that was selected, so that its challans need not be named."""
        return len(self.links) == 1 and self.is_all_on_links

    @property
    def rows_of_links(self) -> tuple[tuple[ChallanRow, ...], ...]:
        return (self.rows, *self.next_rows)

    @property
    def plan_sum(self) -> Sum:
        return sum(self.lot_sums, NO_SUM)


@dataclass(frozen=True, slots=True)
class RequestPanel:
    """Show the live region of a request's page."""

    id: str
    state: str  # ours: PREPARED, SENDING, UNKNOWN, …; written to `data-state`
    words: str  # the known facts
    headline: str  # the first of them, or the state in a word or two
    unclear: tuple[str, str, str] | None  # the same words of an unclear outcome, of which the second is the answer
    next: str  # the next step
    meaning: str
    sent_at: datetime | None
    poll_seconds: int | None
    seen: str
    can_check: bool  # "Check now" is offered
    can_retry: bool  # "Try again" is offered: the review of its free challans
    link_id: str | None = None
    link_state: StateWords | None = None
    link_total: Decimal | None = None
    link_ends_at: datetime | None = None  # of a link that can still be paid
    payment: PaymentAddress | None = None
    held: tuple[ChallanRow, ...] = ()
    fine_sum: Sum = NO_SUM  # of those, where the shown link holds all that was requested
    fee_sum: Sum = NO_SUM
    free: int = 0  # number of challans that are payable and free
    left: int = 0  # how many of its challans another try has, where that is not all
    left_number: str = ""  # which, if it is one
    left_sum: Sum = NO_SUM  # what these come to
    made: str = ""  # who made the link that holds its challans
    sent: str = ""  # to whom its link was sent last, or that it was copied
    is_observed: bool = False  # its link was created elsewhere, where others may have sent it
    send: str = ""  # where its link is sent, while it was not and may be
    refresh_first: bool = False  # the source should be asked again before another try, as `next` says
    may_refresh: bool = False  # the source may be asked again about the challans that another try leaves out
    title: str = ""
    rc: str = ""  # the vehicle, to go back to its review
    may_release: bool = False  # it needs attention, and no manager has released its claims
    released: str = ""  # who released its claims, when and why; its state may have changed since
    is_double: bool = False  # its link was found after a release, and others hold some of its challans by now
    is_released: bool = False  # a manager has released its claims, and its outcome is still unclear
    then: str = ""  # which of its challans can go on another link after that has been checked
    replaces: str | None = None  # the ended link to replace
    next_attempt_at: datetime | None = None  # counted down to, before what happens next
    wait: tuple[str, ...] = ()  # since when its outcome is unclear, and how long that may last
    leave: str = ""  # that nobody must wait for it
    support: str = ""  # what the service's support needs to look it up
    for_manager: str = ""  # what somebody who may not release its claims tells a manager
    follows: tuple[str, ...] = ()  # the shown links that may still change
    warning: str = ""  # what nobody must do while the outcome is unclear
    said: str = ""  # the facts that the headline leaves
    says_limit: bool = False  # among them that the day's limit for new links is reached, and until when
    till: str = ""  # in that case until when
    unlinked: Sum = NO_SUM  # what all its challans come to, which are on no link for that reason
    unlinked_count: int = 0
    steps: tuple[str, ...] = ()  # on the way to a result, while there is none
    step: int = 0  # the present one

    @property
    def are_on_this_link(self) -> bool:
        """Return whether the link that is shown holds all the challans that are not free."""
        return all(row.reason == str(wait_texts.ON_THIS_LINK) for row in self.held)

    @property
    def are_on_links(self) -> bool:
        """Return whether payment links hold all the challans that are not free."""
        on_it = str(wait_texts.ON_THIS_LINK)
        return all(row.reason == on_it or (row.held_by and row.held_by.state) for row in self.held)

    @property
    def others_are_free(self) -> bool:
        """Return whether the challans that are not held are free, so that another link can have them."""
        return bool(self.held) and self.state in _LEAVES_FREE


@dataclass(frozen=True, slots=True)
class ReleaseOffer:
    """Show the release form, outside the live region so that a swap does not remove what was typed."""

    only_then: str
    consequence: str
    after: str
    problem: str | None  # why nothing was released, in a sentence
    hint: str
    min_reason: int  # characters


@dataclass(frozen=True, slots=True)
class RequestPage:
    panel: RequestPanel
    rc: str
    plate: str
    created_by: str
    created_at: datetime
    hours: int
    rows: tuple[ChallanRow, ...] = field(default_factory=tuple)  # those that the panel does not show as held
    sum: Sum | None = NO_SUM  # of what was requested and is still listed; None where none of it is
    gone_sum: Sum = NO_SUM  # of what is listed no longer, and may be paid already
    gone: int = 0
    fine_sum: Sum = NO_SUM
    fee_sum: Sum = NO_SUM  # their legal fee and GST: what is to pay beyond the fines
    release: ReleaseOffer | None = None

    @property
    def are_on_this_link(self) -> bool:
        """Return whether the link that the panel shows holds all that stands beside it."""
        return all(row.reason == str(wait_texts.ON_THIS_LINK) for row in self.rows)


@dataclass(frozen=True, slots=True)
class FreeAgain:
    """List the challans of a request that are payable and free for another attempt, in its order."""

    rc: str
    challan_ids: tuple[str, ...]
    hours: str
    full: bool  # the request had as many challans as a link may have, so the selection may hold more
    replaces: str | None
