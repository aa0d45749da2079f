"""What the templates receive: plain, frozen records, already decided; a template only lays them out.

Moments are aware UTC (the filters show them in the configured zone), amounts are Decimal in major units or None when
unknown. Text from the service is hostile and escaped by Jinja alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from dashboard.domain.money import Sum
from dashboard.web.shared.related_records import DuplicateAlarm, LinkMention, ReplacedLink, Replacement

if TYPE_CHECKING:
    from dashboard.web.shared.live_records import Timeline, VehiclePanel


@dataclass(frozen=True, slots=True)
class StateWords:
    """A state as the service spells it, our plain words for it, and its meaning (and so its colour and icon)."""

    raw: str
    words: str
    meaning: str  # "good", "waiting", "ended", "wrong" or "neutral"


@dataclass(frozen=True, slots=True)
class Freshness:
    """How old what is shown is, and why it could not be newer.

    `trouble` begins with the fixed words "The service did not answer" or "The service answered with an error", and
    says what is kept and what happens next; None when all is well.
    """

    checked_at: datetime | None
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class VehicleCard:
    """A known vehicle, in a list."""

    rc: str
    plate: str  # spaced, as on the vehicle
    searched_at: datetime
    payable: int
    payable_sum: Sum
    on_link: int


@dataclass(frozen=True, slots=True)
class LinkCard:
    """A payment link, in a list."""

    id: str
    rc: str | None
    plate: str | None
    state: StateWords
    total: Decimal | None
    challans: int | None  # None: the service has not told yet
    created_at: datetime | None
    created_by: str | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class AttentionItem:
    """Something that waits for a person: a sentence and where to go."""

    words: str
    address: str
    action: str  # the link's words, e.g. "Look at the request"
    since: datetime
    meaning: str = "waiting"


@dataclass(frozen=True, slots=True)
class HeldBy:
    """What holds a challan: a payment link, or a request whose outcome is not known yet."""

    address: str
    words: str  # e.g. "ACTIVE, ends in 31 h" is composed by the template from state and expires_at; this names it
    state: StateWords | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ChallanRow:
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


@dataclass(frozen=True, slots=True)
class ChallanGroup:
    key: str  # "payable", "on_link" or "not_payable"
    title: str
    rows: tuple[ChallanRow, ...]


@dataclass(frozen=True, slots=True)
class VehiclePage:
    rc: str
    plate: str
    searched_at: datetime
    searched_by: str | None
    new_count: int | None  # newChallansCount of the last search
    compared_with: datetime | None  # the search before, which `mark` and `gone` compare with
    groups: tuple[ChallanGroup, ...]  # always all three, in order
    gone: tuple[ChallanRow, ...]  # listed by the search before, no longer
    payable_sum: Sum
    unreadable: int
    freshness: Freshness
    refreshing_by: str | None = None  # somebody is refreshing from the source just now
    next_lot: int = 0  # how many challans of a larger selection still wait for their review
    replaces: str | None = None  # the ended link in whose place the selection is to go
    states: tuple[str, ...] = ()  # distinct values for the filters
    types: tuple[str, ...] = ()
    panel: VehiclePanel | None = None


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
class AmountRow:
    label: str
    amount: Decimal | None


@dataclass(frozen=True, slots=True)
class ModeTotal:
    mode: str  # raw, e.g. "UPI"
    label: str
    total: Decimal | None
    extra: Decimal | None  # over the cheapest mode; zero for the cheapest, None when unknown
    parts: tuple[AmountRow, ...] = ()


@dataclass(frozen=True, slots=True)
class PaymentAddress:
    """The payment URL, judged. Only a `safe` one is a link and can be copied; `problem` says why not."""

    url: str | None
    safe: bool
    copyable: bool  # safe, and the link is not dead
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class LinkPanel:
    """The live region of a link's page: only what may change while someone looks."""

    id: str
    state: StateWords
    since: datetime | None
    expires_at: datetime | None
    paid_at: datetime | None
    freshness: Freshness
    warnings: tuple[str, ...]
    poll_seconds: int | None  # None: there is nothing to wait for
    seen: str  # sent back as ?seen= by the next poll
    title: str  # the document's title
    copyable: bool = False  # the payment URL may be copied as things stand
    off: str = ""  # why it may not, where the state of the link does not tell
    timeline: str = ""  # these two change when the page's history, or its payment URL, is to be fetched anew
    payment: str = ""
    replaced_by: tuple[Replacement, ...] = ()  # newest first
    can_reissue: bool = False
    next_check_at: datetime | None = None  # when the service is asked next
    clock_ahead: timedelta = timedelta(0)  # of the service's clock, whose moment an expiry is

    @property
    def runs_out(self) -> datetime | None:
        """When it ends by our clock, to count down to."""
        return self.expires_at - self.clock_ahead if self.expires_at else None


@dataclass(frozen=True, slots=True)
class PaymentCard:
    """The payment URL of a link, as its page offers it."""

    link_id: str
    payment: PaymentAddress
    mark: str  # changes with it


@dataclass(frozen=True, slots=True)
class LinkChallanRow:
    challan_no: str
    rc: str | None
    status: str | None
    type: str | None
    state: str | None
    amount: Decimal | None
    legal_fee: Decimal | None
    total: Decimal | None


@dataclass(frozen=True, slots=True)
class LinkPage:
    panel: LinkPanel
    rc: str | None
    plate: str | None
    payment: PaymentAddress
    breakdown: tuple[AmountRow, ...]
    total: Decimal | None
    modes: tuple[ModeTotal, ...]
    saving: str | None  # "UPI saves" is composed by the template: the cheapest mode's label
    saving_amount: Decimal | None
    challans: tuple[LinkChallanRow, ...]
    created_at: datetime | None
    created_by: str | None  # None: made elsewhere
    origin: str  # a sentence for links that were not simply created here, or ""
    hours: int | None
    next_lot: int = 0
    in_place_of: LinkMention | None = None
    alarm: DuplicateAlarm | None = None
    problem: str | None = None  # why no new link was asked for in its place
    left_out: tuple[ChallanRow, ...] = ()  # with that: its challans, none of which can go on a new one
    timeline: Timeline | None = None

    @property
    def card(self) -> PaymentCard:
        return PaymentCard(self.panel.id, self.payment, self.panel.payment)


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
