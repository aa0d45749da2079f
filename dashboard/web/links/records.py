"""Define what the templates of links receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.shared.records import ChallanRow, Freshness, LinkMention, StateWords


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
    service_clock_offset: timedelta = timedelta(0)  # of the service's clock, whose moment an expiry is

    @property
    def runs_out(self) -> datetime | None:
        """When it ends by our clock, to count down to."""
        return self.expires_at - self.service_clock_offset if self.expires_at else None


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
class CustomFieldRow:
    """A custom field of a link or a vehicle, with its part of the form; empty texts are ""."""

    name: str
    label: str
    max_length: int
    stored: str
    inherited: str  # its vehicle's, which holds where `stored` is empty
    typed: str  # what the form holds
    problem: str | None
    suggestions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CustomFieldsForm:
    rows: tuple[CustomFieldRow, ...]
    action: str
    editing: Editing

    @property
    def has_any(self) -> bool:
        """Whether a field is filled, here or by the vehicle."""
        return any(row.stored or row.inherited for row in self.rows)

    @property
    def is_filled(self) -> bool:
        """Whether the link or vehicle has a field of its own."""
        return any(row.stored for row in self.rows)

    @property
    def is_open(self) -> bool:
        """Whether the form is open at first: it could not be saved."""
        return self.editing.conflict is not None or any(row.problem for row in self.rows)


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """Something that happened to a link: when, what in words, who did it, and where to read on."""

    at: datetime
    words: str
    who: str | None = None
    meaning: str = "neutral"
    address: str | None = None
    action: str = ""  # the words of the address, e.g. "Open the new link"
    icon: str = ""  # of the sprite; without one the meaning's own


@dataclass(frozen=True, slots=True)
class Timeline:
    """The history of a link, oldest first; of a long one the newest part."""

    link_id: str
    entries: tuple[TimelineEntry, ...]
    from_the_start: bool  # False: earlier entries are left out
    mark: str  # changes when the history grows


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
