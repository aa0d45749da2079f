"""Define what the templates of links receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from dashboard.domain.links import MAX_CHALLANS
from dashboard.domain.sharing import Answer
from dashboard.web.links.amount_records import AmountTable, LinkChallanRow
from dashboard.web.links.duplicate_records import DuplicateAlarm, ToTell
from dashboard.web.links.timeline_records import Timeline
from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.shared.records import ChallanRow, Freshness, LinkMention, StateWords

_FEW_CHALLANS = 6


@dataclass(frozen=True, slots=True)
class When:
    """Say when a link ends, was paid or has ended: "ends tomorrow 9:30 am"; `at` is None when that is not known.

    `brief` says it beside the state: "ends tomorrow", or the moment alone for a link that is over.
    """

    words: str
    at: datetime | None
    brief: str


@dataclass(frozen=True, slots=True)
class LinkCard:
    """Show a payment link in a list."""

    id: str
    plate: str | None
    state: StateWords
    total: Decimal | None
    challans: int | None  # None: not known yet
    created_at: datetime  # or when it was found by a search, where that is not known
    is_found: bool
    created_by: str | None
    unnamed_maker: str  # said where `created_by` is None
    when: When


@dataclass(frozen=True, slots=True)
class PaymentAddress:
    """Show a payment URL. Only a `safe` one is a link; only a `copyable` one may be shared; `problem` is the reason."""

    url: str | None
    safe: bool
    copyable: bool
    problem: str | None = None
    check_first: bool = False  # another link on its challans has ended, and is checked before this one is copied
    is_over: bool = False  # it is paid or has ended, so that nobody shares it any more
    is_left_out: bool = False  # by the newest answer, so that it is not shown either
    title: str = ""  # what comes of the problem, where that is said first
    why: str = ""  # the problem as it is said below
    next: str = ""  # what to do about it
    link_id: str = ""  # the id of the link, if it is to be reported to the service
    support: str = ""  # what its support has to know then


@dataclass(frozen=True, slots=True)
class AskedDriver:
    """Say that the driver of a link whose payment failed was asked, when and by whom; `brief` leaves out the moment.

    Once the driver has answered, the words and `by` are of the answer.
    """

    link_id: str
    question_id: int
    at: datetime
    words: str
    brief: str
    by: str
    may_undo: bool = False  # the signed-in person asked just now
    answer: Answer | None = None
    is_opened: bool = False  # it is known that the question was opened, and not that it was sent

    @property
    def is_taken(self) -> bool:
        """Return whether money was taken, as the driver says."""
        return self.answer is Answer.TAKEN


@dataclass(frozen=True, slots=True)
class PaymentReference:
    """Show the reference of a payment that failed though money was taken, in a field that holds what is `typed`."""

    noted: str = ""
    typed: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class LinkPanel:
    """Show the live region of a link's page, which holds all that may change while the page is open."""

    id: str
    state: StateWords
    since: datetime | None
    expires_at: datetime | None
    paid_at: datetime | None
    freshness: Freshness
    warnings: tuple[str, ...]
    poll_seconds: int | None  # None: nothing can change any more
    seen: str  # sent back as ?seen= by the next poll
    title: str  # the document's title
    badge: StateWords  # the state as it is shown, with what it does not say by itself
    total: Decimal | None = None  # by the cheapest way to pay
    ways: str = ""  # what each way to pay comes to: "₹11,126.00 by UPI · ₹11,370.78 by credit card"
    says_state: bool = False  # the name of the state does not say enough
    is_urgent: bool = False  # little time is left to pay it
    sent: str = ""  # to whom it was sent last and when
    undoable: UndoableShare | None = None  # this person's own, on the link's page
    odd_challans: tuple[str, ...] = ()  # how its challans differ from those requested
    in_reconcile: bool = False  # which Reconcile lists
    asks_again: datetime | None = None  # when Follow up asks for it again, where that is not now
    is_unsent: bool = False  # it was not sent, and is not paid
    may_be_sent_elsewhere: bool = False  # it was not created here, so others may have sent it
    ask_first: str = ""  # what to know before a failed link is replaced
    asks_driver: bool = False  # of a failed one: it is known whom to ask, or who was given it knows
    to_ask: str = ""  # the driver to ask, where one is known
    asked: AskedDriver | None = None
    answers: tuple[tuple[Answer, str], ...] = ()  # what the driver may say, while nothing is noted
    if_taken: str = ""  # what follows where money was taken
    support: str = ""  # what the service's support has to know where money was taken
    reference: PaymentReference | None = None  # of that payment
    duplicates: tuple[str, ...] = ()  # warnings that the alarm says in full, where the page has it
    note: str = ""  # until when a late payment is looked for
    free: str = ""  # what of an ended link another one may have
    again_sum: Decimal | None = None  # the sum of that, where it is known and another than the link's
    copyable: bool = False  # the payment URL may be copied now
    is_doubtful: bool = False  # it is checked before anybody is sent it
    is_overdue: bool = False  # the service no longer knows it, and it was not checked again when it was due
    is_unchecked: bool = False  # a search found it with its payment URL, and no check has confirmed that yet
    to_call: ToTell | None = None  # the driver who says that money was taken, where one is known
    payer_not_known: str = ""  # in that case that none is, and whom to ask
    can_check: bool = True  # the service may still answer something else
    is_stopped: bool = False  # but is not asked now: it refuses the key
    for_admin: str = ""  # what somebody else tells an administrator then
    has_receipt: bool = False  # it is paid, as the service still says
    has_ended: bool = False  # unpaid
    marked: tuple[str, ...] = ()  # what Reconcile found on it, and who has marked that as checked
    unknown: str = ""  # what to do about a link that the service no longer knows
    unknown_warns: bool = False  # that is a warning, and no offer
    unknown_next: str = ""  # and why
    last_known: str = ""  # in that case, the state with the moment of the last answer
    copy_problem: str = ""  # why it may not
    timeline: str = ""  # the fingerprints of the page's timeline, payment URL and amounts, fetched when they change
    payment: str = ""
    amounts: str = ""
    card: str = ""  # of the payment URL and how it was sent last, because that driver gets it by one tap
    replaced_by: tuple[Replacement, ...] = ()  # newest first
    held_by: tuple[LinkMention, ...] = ()  # the links that have all challans of this ended one, if no request does
    taken_by: tuple[TakenBy, ...] = ()  # the links that have the challans of this ended one now
    hold_back: str = ""  # money was taken with this one: do not send those yet
    hold_back_why: str = ""
    can_replace: bool = False  # a replacement link may be requested
    next_check_at: datetime | None = None
    service_clock_offset: timedelta = timedelta(0)  # the lead of the service's clock over ours

    @property
    def runs_out(self) -> datetime | None:
        """Return the expiry by our clock, for the countdown."""
        return self.expires_at - self.service_clock_offset if self.expires_at else None


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Recipient:
    """Name a driver who can be sent a link on WhatsApp by one tap."""

    driver_id: int
    name: str
    was_sent_it: bool = False


@dataclass(frozen=True, slots=True)
class UndoableShare:
    """Name the last share of a link, which the signed-in person can still take back."""

    link_id: str
    share_id: int
    at: datetime
    is_unconfirmed: bool = False  # opened without a named recipient, and not confirmed
    number: str = ""  # the one that it was opened for
    in_whatsapp: bool = False


@dataclass(frozen=True, slots=True)
class UnsavedDriver:
    """Offer to save the number that a link was sent to as a driver of its vehicle; `known` is a driver who has it."""

    link_id: str
    share_id: int
    number: str
    plate: str
    known: str = ""
    name: str = ""  # as typed
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PaymentCard:
    """Show the payment URL of a link, with the ways to share it."""

    link_id: str
    payment: PaymentAddress
    recipient: Recipient | None  # who was sent it last, or else the only usual driver of the vehicle
    fingerprint: str
    drivers: tuple[str, ...] = ()  # where nobody is the recipient: whom it can be sent to, as they are typed
    lacks_driver: bool = False  # in that case, whether nobody usually drives its vehicle
    to: str = ""  # typed there: a name or a number
    to_problem: str = ""
    has_receipt: bool = False  # it is paid: its receipt takes the place of the ways to share it
    has_ended: bool = False
    doubt: str = ""  # what to do before it is sent
    doubt_why: str = ""
    holds_url_back: bool = False  # so that its payment URL stands with the other ways to send it anyway
    asks_support: bool = False  # of which only the service's support knows more
    is_mismatch: bool = False  # because its amounts do not match
    in_reconcile: bool = False  # and which Reconcile lists
    discrepancy_id: int = 0  # where on its page
    faults: tuple[str, ...] = ()  # what is wrong with it besides its payment URL
    support: str = ""  # what the service's support has to know of it
    is_unknown: bool = False
    is_unchecked: bool = False  # a search found it with its payment URL, and no check has confirmed that yet
    #: What a typed number looks like, and what is said of anything else, or of a name alone.
    number_check: tuple[str, str, str] = ("", "", "")
    message: str = ""  # what one tap sends, while the link can be sent
    spoken: str = ""  # its language
    sent: UndoableShare | None = None  # what this person sent just now
    sent_words: str = ""  # to whom it was sent last and when, as the one who sent it reads it
    unsaved: UnsavedDriver | None = None  # to whom, where that is no driver
    number: str = ""  # typed for the last message, and begins the next
    rests: bool = False  # it was sent so lately, or ends so late, that nobody need be reminded of it now
    payable: int = 0  # once it is paid: how many other challans of its vehicle can be paid
    more: str = ""
    rc: str | None = None
    receipt_said: str = ""  # how its receipt was sent or opened last, by whom and when
    receipt_undo: int = 0  # its id, while this person can take it back
    receipt_is_sent: bool = False  # to a driver, so that nobody need send it again
    receipt_waits: bool = False  # Reconcile lists the link, where this person goes first
    receipt_is_noted: bool = False  # a note says what became of the money
    plate: str | None = None  # with the amount and the end, below the QR code
    total: Decimal | None = None
    expires_at: datetime | None = None
    asked: AskedDriver | None = None  # of a failed link, as the signed-in person reads it
    only_sender: str = ""  # it went to a number that this person does not see: what to do then


@dataclass(frozen=True, slots=True)
class Replacement:
    """Show a request for a replacement link; `link` is None while its outcome is unclear."""

    request_id: str
    by: str
    at: datetime
    link: LinkMention | None


@dataclass(frozen=True, slots=True)
class EndedLink:
    """Name a link by what became of it and when: when a search found it says nothing of that."""

    id: str
    words: str  # "a link that expired 26 Nov"


@dataclass(frozen=True, slots=True)
class TakenBy:
    """Show the link that has challans of an ended one; `words` say how many, `when` until when it can be paid."""

    link: LinkMention
    words: str
    total: Decimal | None
    when: str


@dataclass(frozen=True, slots=True)
class CustomFieldRow:
    """Show a custom field of a link or a vehicle, with its part of the form; empty texts are ""."""

    name: str
    label: str
    max_length: int
    stored: str
    inherited: str  # its vehicle's, which holds where `stored` is empty
    typed: str  # the form's value
    problem: str | None
    suggestions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CustomFieldsForm:
    rows: tuple[CustomFieldRow, ...]
    action: str
    editing: Editing

    @property
    def has_any(self) -> bool:
        """Return whether a field is filled, for the link or for its vehicle."""
        return any(row.stored or row.inherited for row in self.rows)

    @property
    def is_filled(self) -> bool:
        """Return whether the link or vehicle itself has a filled field."""
        return any(row.stored for row in self.rows)

    @property
    def is_open(self) -> bool:
        """Return whether the form starts open, because it could not be saved."""
        return self.editing.conflict is not None or any(row.problem for row in self.rows)


@dataclass(frozen=True, slots=True)
class UnknownLink:
    """Show what became of the challans of a link that the service no longer knows, or knows again."""

    released: str  # who released its challans, when and why, or ""
    releasable: bool  # a manager may release its challans
    may_release: bool  # the person is one
    is_free: bool = False  # some of the released challans can go on a new link now
    for_manager: str = ""  # what somebody who may not release them tells a manager
    support: str = ""  # what a manager asks the service's support before a release


@dataclass(frozen=True, slots=True)
class InReconcile:
    """Say what Reconcile lists of a link, with the first of its rows there."""

    words: tuple[str, ...]
    meaning: str
    discrepancy_id: int
    comes_first: bool  # before whatever else can be done about the link
    support: str  # what the service's support has to know of it
    at: str = ""  # when the department showed challans as pending
    next: str = ""  # and when to ask support about it
    asks_support: bool = False  # which is now


@dataclass(frozen=True, slots=True)
class LinkPage:
    panel: LinkPanel
    rc: str | None
    plate: str | None
    payment: PaymentAddress
    card: PaymentCard
    amounts: AmountTable
    challans: tuple[LinkChallanRow, ...]
    missing: tuple[LinkChallanRow, ...]  # requested with it, and not on it
    created_at: datetime | None
    created_by: str | None
    unnamed_maker: str  # said where `created_by` is None
    origin: str  # a sentence for links that may have been created here, or ""
    hours: int | None
    found_at: datetime | None = None  # by a search, of a link created elsewhere
    is_detailed: bool = True  # more than a search has shown it
    organization: str | None = None  # the service's name of ours
    left_to_review: int = 0  # challans of the person's selection that wait for a link
    replaces: LinkMention | None = None
    had_before: EndedLink | None = None  # if it replaces none: the newest link that ended with challans of it
    in_reconcile: InReconcile | None = None  # apart from what the page says itself
    alarm: DuplicateAlarm | None = None
    problem: str | None = None  # the reason why no replacement link was requested
    left_out: tuple[ChallanRow, ...] = ()  # in that case: its challans, none of which can go on a new link
    timeline: Timeline | None = None
    release: UnknownLink | None = None

    @property
    def is_short(self) -> bool:
        """Return whether all challans are seen at once: a narrow screen folds none, a wide one has room below them."""
        return len(self.challans) <= _FEW_CHALLANS

    @property
    def next_review(self) -> int:
        """Return the number of these challans that fit on the next link."""
        return min(self.left_to_review, MAX_CHALLANS)
