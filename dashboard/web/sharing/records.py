"""Define what the templates of sharing receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from dashboard.domain import messages
from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.languages import Language
from dashboard.domain.messages import Message
from dashboard.domain.money import add_up
from dashboard.services.sharing.share import PREPARED_FOR
from dashboard.store.links.totals import Total
from dashboard.web.links.duplicate_records import ToTell
from dashboard.web.links.records import Choice, LinkPanel, PaymentAddress, UnknownLink, UnsavedDriver
from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.shared.qr import QrCode

#: The letters of a name that a field on a phone shows together with the number.
_MOST_IN_FIELD = 24


@dataclass(frozen=True, slots=True)
class Way:
    """Offer a way to send the message: the channel to record, its words, and the address that opens it with the text.

    `number` is the phone number that the address names; "" where the sender chooses the recipient.
    """

    channel: str
    words: str
    address: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class PastShare:
    """Show a share of the link, or a copy of its payment URL; `driver` is None where no driver was named.

    `to` says of one that was sent all the same that nobody knows to whom.
    """

    at: datetime
    by: str
    channel: str
    driver: str | None
    driver_id: int | None
    to: str = ""
    is_sent: bool = False  # as a message
    language: str = ""  # the name of that of the message


@dataclass(frozen=True, slots=True)
class SentNow:
    """Say what was just recorded of a link, or why it could not be taken back; `share_id` can still be taken back."""

    link_id: str
    words: str
    share_id: int | None = None
    is_unconfirmed: bool = False  # opened without a named recipient, and not confirmed
    number: str = ""  # the one that it was opened for
    language: str = ""  # of the message, if one was sent


@dataclass(frozen=True, slots=True)
class UsualOffer:
    """Offer to make the driver who was sent a link the usual one of its vehicle, which has none."""

    link_id: str
    driver_id: int
    driver: str
    plate: str


@dataclass(frozen=True, slots=True)
class SharesOf:
    """Show the shares of a link: all that stand, the one that can still be taken back, and whom to save of it."""

    past: tuple[PastShare, ...]
    sent: SentNow | None = None  # what this person shared just now
    usual: UsualOffer | None = None
    unsaved: UnsavedDriver | None = None


@dataclass(frozen=True, slots=True)
class LanguageChoice:
    """Offer a language by its own name, and by that of the reader's language where it is another."""

    value: str
    words: str
    translated: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Addressee:
    """Say to whom a message goes, and in which language, with what can be chosen in their place.

    `drivers` are offered in the field that holds what is `typed`; `check` is what a number looks like there, and what
    is said of anything else, or of a name alone. `driver` may be new, with a `number` and no id. `place`: the arguments
    that name them in an address.
    """

    drivers: tuple[str, ...]
    languages: tuple[LanguageChoice, ...]
    typed: str
    found: str  # the driver who is meant by that
    driver_id: int | None
    driver: str | None
    has_phone: bool  # of a driver with an id
    language: str
    kept: str  # the language again, if it was chosen by hand
    number: str
    problem: str
    check: tuple[str, str, str]
    place: dict[str, Any]
    reads: LanguageChoice | None = None  # the saved language of the driver, where another is chosen
    usual: str = ""  # who usually drives the vehicle, where somebody else is chosen

    @property
    def phone_apart(self) -> str:
        """Return the number of a driver whose name is so long that the field hides it; "" for any other."""
        name, _comma, phone = self.typed.rpartition(", ")
        return phone if self.driver_id and self.has_phone and len(name) > _MOST_IN_FIELD else ""


@dataclass(frozen=True, slots=True)
class Addition:
    """Offer to add to a message what its driver does not learn from it; any words of `told_by` would say it."""

    told_by: tuple[str, ...]
    words: str

    @property
    def for_script(self) -> tuple[tuple[str, ...], str]:
        """Return both, for the script that follows what is typed."""
        return self.told_by, self.words


@dataclass(frozen=True, slots=True)
class PaidWith:
    """Name the link with which challans of another one were paid, and say whom to tell that they do not pay that one.

    `tell` is "" where nobody was sent it; `call` is the driver who was sent it, where a number is known.
    """

    link_id: str
    words: str
    tell: str
    call: ToTell | None


@dataclass(frozen=True, slots=True)
class SharePage:
    """Show the page for sharing a link. `message`, `ways` and `code` are set only while the link may be shared."""

    panel: LinkPanel
    plate: str | None
    payment: PaymentAddress
    to: Addressee
    message: Message | None
    ways: tuple[Way, ...]
    code: QrCode | None
    problem: str | None  # why the link must not be shared
    is_paid: bool  # which is that reason, and no alarm
    shares: SharesOf
    no_url: str = ""  # what is said of a message without it
    typed: str | None = None  # the message as a person has changed it, in place of its own text
    missed: tuple[str, ...] = ()  # what the driver does not learn from the standard text
    additions: tuple[Addition, ...] = ()  # what one tap adds to the message
    is_added: bool = False  # that was done just now
    text_problem: str = ""  # why that cannot be sent
    doubt: str = ""  # what to check before it is sent
    had_by: str = ""  # who has it already, where that is somebody else than is chosen
    could_not_check: bool = False  # just now
    paid_with: PaidWith | None = None
    follows: str = ""  # for its challans, once the service no longer knows it
    release: UnknownLink | None = None  # what is done about its challans, once the service no longer knows it
    age: int = 0  # seconds since the link was checked
    lasts: int = int(PREPARED_FOR.total_seconds())  # the longest age of the check for `message`, `ways` and `code`
    most: int = messages.MAX_TYPED

    @property
    def text(self) -> str:
        """Return the message as it is sent."""
        return self.typed if self.typed is not None else self.message.text if self.message else ""

    @property
    def was_sent(self) -> bool:
        """Return whether the newest message went to whoever is chosen."""
        newest = next((each for each in self.shares.past if each.is_sent), None)
        return newest is not None and newest.driver_id is not None and newest.driver_id == self.to.driver_id

    @property
    def worded(self) -> str:
        """Return a hash of the message as it was worded, by which a form tells whether a person has changed it."""
        return fingerprint((self.message.text,)) if self.message else ""


@dataclass(frozen=True, slots=True)
class OpenedMessage:
    """Show a message that a way to send it opens with: about one link, or about several to one driver."""

    links: tuple[tuple[str | None, Decimal | None], ...]  # the plate and the amount of each
    to: str  # the driver or the number; "" where WhatsApp asks
    text: str
    language: Language
    address: str
    way: str = "WhatsApp"  # the name of what opens with it
    is_of_driver: bool = True  # of nobody else it is asked later whether it was sent
    phone: str = ""  # the number of the driver
    ends: tuple[datetime | None, ...] = ()  # when each of the links can no longer be paid

    @property
    def total(self) -> Total:
        return Total(len(self.links), add_up(amount for _plate, amount in self.links))


@dataclass(frozen=True, slots=True)
class Preview:
    """Show a message as `driver` gets it, with the values of one of `links`; `about` says what of them is a sample.

    `parts` are its words in turn, each with whether it is a placeholder that does not exist.
    """

    driver: str
    parts: tuple[tuple[str, bool], ...]
    about: str
    links: tuple[Choice, ...]
    problem: str | None = None  # why the message cannot be saved as it is
    correction: tuple[str, str] | None = None  # a misspelt placeholder, and the one that was probably meant
    missed: tuple[tuple[str, str, str], ...] = ()  # what the driver does not learn: in words, and its placeholder


@dataclass(frozen=True, slots=True)
class Wording:
    """Show the message of a language as it reads, and the error of the text that was just typed.

    `name` is the language's own name, `translated` its name in the language of the page; `body` is what the form shows,
    `stored` what is in use.
    """

    code: str
    name: str
    translated: str
    body: str
    stored: str
    preview: Preview
    written_by: str | None
    written_at: datetime | None
    editing: Editing
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class LanguageTab:
    code: str
    name: str
    translated: str
    address: str
    is_reworded: bool


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Offer a placeholder: its name, how it stands in the text, and what it becomes."""

    name: str
    written: str
    meaning: str


@dataclass(frozen=True, slots=True)
class MessagesPage:
    """Show the wording of one language, the languages with their addresses, and the placeholders."""

    wording: Wording
    languages: tuple[LanguageTab, ...]
    placeholders: tuple[Placeholder, ...]
    max_length: int = messages.MAX_LENGTH


@dataclass(frozen=True, slots=True)
class DriverLine:
    """Show a line of a file of drivers: why it is left out, or the driver whom it is merged with.

    `vehicles` and `language` are what is saved; `doubt` says which of the vehicles has no known shape, and those in
    `shared` have other drivers as well, who are named. `changes` are the fields that change, each with the value before
    and after; those that have a column of their own are in `was`, with the value before. `wrong` are the cells that can
    be corrected, by field.
    """

    number: int
    name: str
    phone: str
    problem: str = ""
    driver_id: int | None = None
    driver: str = ""
    unchanged: bool = False  # all of it is saved already
    changes: tuple[tuple[str, str, str], ...] = ()
    was: Mapping[str, str] = field(default_factory=dict)
    vehicles: tuple[str, ...] = ()
    shared: tuple[tuple[str, str], ...] = ()
    doubt: str = ""
    language: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)
    is_omitted: bool = False  # by whoever imports the file
    is_asked: bool = False  # whether the number is somebody else's now: it is left out until that is said
    passes_on: str = ""  # in that case, what becomes of the links of the driver who has it so far

    @property
    def renames(self) -> bool:
        """Return whether the driver whom it is merged with has another name so far."""
        return self.driver_id is not None and self.name != self.driver


@dataclass(frozen=True, slots=True)
class DriverFile:
    """Show the rows of drivers that were given before they are saved, or why they cannot be read.

    `text` is all of them; `rows` is what was pasted and could not be read, with its `problem`. `accepted` are the
    numbers of the lines of which somebody said that they name another driver.
    """

    text: str = ""
    rows: str = ""
    problem: str = ""
    file_problem: str = ""
    lines: tuple[DriverLine, ...] = ()
    ignored: tuple[str, ...] = ()
    accepted: tuple[int, ...] = ()

    @property
    def refused(self) -> tuple[DriverLine, ...]:
        return tuple(line for line in self.lines if line.problem and not line.is_omitted)

    @property
    def omitted(self) -> tuple[DriverLine, ...]:
        return tuple(line for line in self.lines if line.is_omitted)

    @property
    def read(self) -> tuple[DriverLine, ...]:
        return tuple(line for line in self.lines if not (line.problem or line.is_omitted or line.is_asked))

    @property
    def asked(self) -> tuple[DriverLine, ...]:
        return tuple(line for line in self.lines if line.is_asked)

    @property
    def new(self) -> tuple[DriverLine, ...]:
        return tuple(line for line in self.read if line.driver_id is None)

    @property
    def changed(self) -> tuple[DriverLine, ...]:
        return tuple(line for line in self.read if line.driver_id is not None and not line.unchanged)

    @property
    def unchanged(self) -> tuple[DriverLine, ...]:
        return tuple(line for line in self.read if line.unchanged)

    @property
    def corrected(self) -> int:
        """Return how many lines have a cell that can be corrected."""
        return sum(bool(line.wrong) and not line.is_omitted for line in self.lines)
