"""Word what people read about payment links."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dashboard.domain.link_filters import DayOf, PaidAfter, SortBy
from dashboard.domain.links import ACTIVE, CANCELLED, EXPIRED, FAILED, MAX_ALARM_NOTE, MIN_ALARM_NOTE, PAID
from dashboard.domain.payment_urls import UrlProblem
from dashboard.domain.sharing import Channel
from dashboard.services.creation.release import ReleaseProblem
from dashboard.store.links import links
from dashboard.web.shared.current import format_moment
from dashboard.web.shared.records import StateWords
from dashboard.web.shared.texts import NO_LONGER_KNOWN, join_words, link_state

# The payment URL

URL_PROBLEMS = {
    UrlProblem.MALFORMED: "This address is not a well-formed web address.",
    UrlProblem.WITH_CREDENTIALS: "This address carries a user name, which a payment page never does.",
    UrlProblem.NOT_SECURE: "This address is not a secure (https) one.",
    UrlProblem.NOT_ON_PAYMENT_PAGE: "This address is not on the configured payment page.",
}
URL_LEFT_OUT = (
    "The service's latest answer has no payment URL; this one is from an earlier answer. Do not share it before an "
    "answer has it again."
)
NO_PAYMENT_URL = "The service sent no payment URL."
PAID_NOTHING_TO_SHARE = "This link is paid; there is nothing to share."
ENDED_NOTHING_TO_SHARE = "This link has ended; there is nothing to share."
#: The expiry has passed, and the service has not said yet what became of the link.
RUN_OUT = "This link has most likely ended at {at}; it is being checked."
UNKNOWN_NOT_SHARED = "The service no longer knows this link. It must not be given to anybody."
PAID_WITH_DUPLICATE = "Challans of this link were paid with another link. Do not share it."

# The panel

UNKNOWN = "The service no longer knows this link."
UNKNOWN_NEXT = (
    "What stands here is the last that was known. The service is asked again once a day, whenever this page is opened, "
    "and when the API key changes."
)

CHECKED_AGAIN = "{trouble} It is asked again by itself."
CHECKS_HELD_BACK = (
    "The service has not been asked for this link since {at}: checking is held back for now. It goes on by itself."
)
CHECKS_STOPPED = (
    "The service has not been asked for this link since {at}: the dashboard's background work is behind or has "
    "stopped. It goes on once that runs again."
)
COPY_NOT_CHECKED = (
    "Copying is held back: an earlier link for these challans could not be checked just now. Try again in a minute."
)
REPORTED_PAID_BEFORE = "The service reported this link as PAID before. What it says now is shown."
MAY_BE_PAID_STATE = "may be paid already"
MAY_BE_PAID = (
    "The service gives a time of payment, but does not call this link paid. Do not share it; it is asked again by "
    "itself."
)
EXPIRY_LEFT_OUT = "The service's latest answer names no end; the one that is shown is from an earlier answer."
CHALLANS_LEFT_OUT = "The service has not said which challans this link covers."
SHOULD_HAVE_EXPIRED = "This link should have expired; checking."
HAS_DUPLICATES = "Challans of this link are on another link too. If both are paid, money was paid twice."
ADVICE = {
    EXPIRED: "This may still change. Create a new link if payment is still needed.",
    FAILED: "This may still change. A new link may be created if payment is still needed.",
    CANCELLED: "This may still change. Create a new link if payment is still needed.",
}
#: In place of the advice, once there is a replacement link.
CHECKED_UNTIL = "This may still change, so it is looked at until {until}."
CHECKED_NO_MORE = "This is not looked at by itself any more; Check now asks the service."

MODES = {"UPI": "UPI", "CREDIT_CARD": "Credit card"}
UNNAMED_MODE = "(not named)"
AMOUNTS = (
    ("base_amount", "Fines"),
    ("legal_fee", "Legal fee"),
    ("gst", "GST"),
    ("convenience_fee", "Convenience fee"),
)
NO_NUMBER = "(no number)"
ORIGIN_OBSERVED = "Not created here: a search showed it on this vehicle's challans."
ORIGIN_OPEN = "Who made it is not settled yet: the request of {asked} for its challans is still open."
ORIGIN_RECOVERED = "Found by checking; most likely made by the request of {asked}."


def covers_fewer(covered: int, asked: int) -> str:
    """Say that a link covers only some of the challans of its request."""
    return f"The link covers {covered} of the {asked} challans asked for."


def covers_others(number: int) -> str:
    """Say that a link covers challans that its request did not name."""
    return f"The link covers {number} {'challan that was' if number == 1 else 'challans that were'} not asked for."


#: The reason shown when a failed call prevented the plan of a replacement.
REPLACEMENT_FAILED = "{title}. {text} No new link was asked for."

# Duplicate links

ALARM_CHANGED = "Something has changed since this page was opened. Read what it says now, then send your note again."
ALARM_NOTE = "What was done about it"
ALARM_NOTE_HINT = f"At least {MIN_ALARM_NOTE} characters. It stays on this page, with your name, and the banner goes."
ALARM_NOTE_LENGTH = (
    f"Write at least {MIN_ALARM_NOTE} and at most {MAX_ALARM_NOTE} characters: who was told, what was done."
)
OPEN_THE_PAGE_AGAIN = "Open the page again."
A_COLLEAGUE = "a colleague"
THIS_LINK = "this link"


def link_of(made_at: datetime) -> str:
    """Name a link by when it was made."""
    return f"the link of {format_moment(made_at)}"


def duplicate_request(asked_at: datetime, unshared: str) -> str:
    """Say that a request without a known outcome holds the challans too; `unshared` is what not to share."""
    asked = f"A request of {format_moment(asked_at)}, whose outcome is not known yet, holds the same challans."
    return f"{asked} {unshared or 'Share nothing that comes of it.'}"


def paid_twice(names: Sequence[str], unshared: str) -> str:
    """Say that several duplicate links are paid."""
    both = "both" if len(names) == 2 else "all"
    twice = f"{_capital(join_words(names))} are {both} PAID: the same challans were paid twice."
    back = "Nothing can be refunded from here: ask the service's support, naming the links."
    return f"{twice} {back} {unshared}".strip()


def paid_once(name: str, unshared: str) -> str:
    """Say that one of the duplicate links is paid."""
    rest = f". {unshared}" if unshared else ", and no other can be paid as things stand."
    return f"{_capital(name)} is PAID{rest}"


def payable_duplicates(links: Sequence[tuple[str, datetime | None]]) -> str:
    """Say that several duplicate links can be paid; each with its expiry."""
    both = "both" if len(links) == 2 else "all"
    can = f"{_capital(join_words([name for name, _ in links]))} can {both} be paid."
    ends = join_words([f"{name} {_ends(expires_at)}" for name, expires_at in links])
    return f"{can} Share only one, and tell whoever has another not to pay it. None can be withdrawn: {ends}."


def only_payable(name: str) -> str:
    """Say that one of the duplicate links can be paid."""
    return f"Only {name} can be paid as things stand."


NONE_PAYABLE = "None of them can be paid as things stand."


def do_not_share(name: str, expires_at: datetime | None) -> str:
    """Say that a link must not be shared, and when it ends."""
    return (
        f"Do not share {name}, and tell whoever has it not to pay it. It cannot be withdrawn; it {_ends(expires_at)}."
    )


def _ends(at: datetime | None) -> str:
    if at is None:
        return "has no end that is known"
    moment = format_moment(at)  # A moment of today has no date.
    return f"ends {'on' if ',' in moment else 'at'} {moment}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# The timeline

SHARED = {
    Channel.COPY: "Message copied",
    Channel.WHATSAPP: "Shared on WhatsApp",
    Channel.SMS: "Shared by SMS",
    Channel.EMAIL: "Shared by e-mail",
    Channel.SHEET: "Shared with the phone's share sheet",
    Channel.QR: "Shown as a QR code",
    Channel.PRINT: "Printed",
}
ASKED_UNCLEAR = "Asked for; the answer was not clear, so it was looked for"
ASKED_IN_PLACE = "Asked for in the place of a link that had ended"
OPEN_REQUEST = "Open the request"
OPEN_OLD_LINK = "Open it"
OPEN_NEW_LINK = "Open the new link"
CREATED = "Created"
COPIED = "Payment URL copied"
SHARE_UNDONE = "Marked as not shared after all"
PAID_AT = "Paid, as the service says"
REPLACEMENT_ASKED = "Another link was asked for"
REPLACED = "Replaced by another link"


def released(reason: str | None) -> str:
    """Say that the claims of a link's request were released."""
    return f"Its request was set aside: {reason}"


RELEASE_NOT_ENDED = "Nothing was let go: the link's time is not over yet."
RELEASE_NOT_FREE = (
    "Nothing was let go: the source shows none of its challans payable and free. They may have been paid, or the link "
    "still holds them there."
)
RELEASE_KNOWN_AGAIN = "Nothing was let go: the service knows this link again. What it says stands here."
RELEASE_REFUSALS = {
    ReleaseProblem.NOT_ENDED: RELEASE_NOT_ENDED,
    ReleaseProblem.NOT_FREE: RELEASE_NOT_FREE,
    ReleaseProblem.NOT_NEEDED: "Nothing was let go: this link does not need it.",
    ReleaseProblem.ALREADY_RELEASED: "Nothing was let go: it holds no challans any more.",
}
RELEASE_DONE = "The challans that the source shows free were let go. They can go on a new link."


def released_by(manager: str, at: str, reason: str) -> str:
    """Say who released the challans of a link that the service no longer knows, when and why."""
    return f"{manager} let its challans go on {at}: {reason}"


def release_of_unknown(reason: str | None) -> str:
    """Say that a manager released the challans of a link that the service no longer knew."""
    return f"The service no longer knew it, and its challans were let go: {reason}"


def recovered(asked_at: datetime) -> str:
    """Say that a link was found by resolving the outcome of its request."""
    return f"Found by checking; most likely made by the request of {format_moment(asked_at)}"


def observed(status: str | None) -> str:
    """Say that a search was the first to show a link."""
    return f"First seen by a search, {status or 'without a state'}"


def alarmed(challans: str | None) -> str:
    """Say that a link has duplicates; `challans` is how many, in words."""
    return f"Alarm: {challans} of it are on another link too; money may be paid twice"


def alarm_acknowledged(note: str | None) -> str:
    """Return the words of an acknowledged alarm."""
    return f"Alarm noted: {note}"


def settled(challans: str | None) -> str:
    """Say that the source shows challans of a paid link as settled."""
    return f"Its challans were seen settled: {challans}"


def not_settled(challans: str | None) -> str:
    """Say that the source still shows challans of a paid link as open."""
    return f"Paid, and not seen settled: {challans}"


def discrepancy_acknowledged(note: str | None) -> str:
    """Return the words of an acknowledged discrepancy."""
    return f"Noted at the reconciling: {note}"


def other_event(kind: str, new: str | None) -> str:
    """Word an event of a kind that has no words of its own."""
    name = kind.replace("_", " ").capitalize()
    return f"{name}: {new}" if new else name


def status_changed(old: str | None, new: str | None, *, paid_before: bool) -> str:
    """Say what a link's status became, and what it was."""
    raw = link_state(new or "").raw
    if new == PAID and not paid_before:
        said = "First seen PAID"
    elif old == PAID:
        said = f"Seen {raw}, though it had been seen PAID"
    else:
        said = f"Seen {raw}"
    return f"{said}; it was {old}" if old and old != PAID else said


def shared(channel: Channel, driver: str | None) -> str:
    """Say how a link was shared, and for whom."""
    return f"{SHARED[channel]}, for {driver}" if driver else SHARED[channel]


# The list


def counted(count: int, *, more: bool, narrows: bool) -> str:
    """Say how many links the list has."""
    number = f"{'More than ' if more else ''}{count:,} link{'' if count == 1 else 's'}"
    return f"{number} match{'es' if count == 1 else ''} this filter" if narrows else number


FIELDS_SAVED = "Saved"
ALARM_NOTED = "Your note on this alarm is saved"


def checked(state: StateWords) -> str:
    """Say what a check on request found."""
    return f"Checked just now. {state.raw}{f': {state.words}' if state.words else ''}"


VIEW_SAVED = "View “{name}” saved"
VIEW_DELETED = "View “{name}” deleted"
COLUMNS = {
    SortBy.VEHICLE: "Payment link",
    SortBy.STATE: "State",
    SortBy.AMOUNT: "To pay",
    SortBy.ENDS: "Ends",
    SortBy.MADE: "Made",
}
DAYS_OF = {DayOf.MADE: "Days on which made", DayOf.PAID: "Days on which paid", DayOf.ENDED: "Days on which ended"}
PAID_AFTER = {
    PaidAfter.FIRST_HOUR: "Within 1 h",
    PaidAfter.HOURS: "1 to 6 h",
    PaidAfter.DAY: "6 to 24 h",
    PaidAfter.NEXT_DAY: "24 to 48 h",
    PaidAfter.LATER: "Later",
}
#: The states that the filter offers, before any that the ledger holds besides.
FIRST_STATES = (ACTIVE, PAID, EXPIRED, FAILED, CANCELLED)
NOT_TOLD = "(not told)"
ANY = "Any"
ANYBODY = "Anybody"
MADE_ELSEWHERE = "Made elsewhere"
MADE_ELSEWHERE_IN_LIST, MAKER_NOT_SETTLED = "made elsewhere", "maker not settled yet"
NOT_A_DAY = "Enter a date such as 2026-11-21."
NOT_AN_AMOUNT = "Enter an amount such as 2500 or 2,500.50."
LAST_DAY_FIRST = "The last day is before the first."
MOST_BELOW_LEAST = "The highest amount is below the lowest."
VIEW_NAME = "Give the view a name of at most {most} letters."
TOO_MANY_VIEWS = "You keep {most} views already. Forget one first."

# Exports

EXPORT_OF_LINK = [
    "Link id",
    "Vehicle",
    "State",
    "State since ({zone})",
    "Made ({zone})",
    "Made by",
    "Origin",
    "Hours",
    "Ends ({zone})",
    "Paid ({zone})",
    "Challans",
    "Fines ({currency})",
    "Legal fee ({currency})",
    "GST ({currency})",
    "Convenience fee ({currency})",
    "Total ({currency})",
    "Payment URL",
]
EXPORT_OF_CHALLAN = [
    "Challan number",
    "Challan vehicle",
    "Challan state",
    "Challan type",
    "Challan status",
    "Challan fine ({currency})",
    "Challan legal fee ({currency})",
    "Challan total ({currency})",
]
EXPORT_ORIGINS = {links.CREATED: "made here", links.RECOVERED: "found by checking", links.OBSERVED: "made elsewhere"}


def exported_state(status: str, *, unknown: bool) -> str:
    """Write a link's status; `unknown` when the service no longer knows the link."""
    return f"{status}, {NO_LONGER_KNOWN}" if unknown else status


EXPORT_SHEET = "Payment links"

# Custom fields and saved forms

CUSTOM_FIELD_TOO_LONG = "This has {length:,} letters, and at most {most} are kept. Nothing was saved."
#: Titles of saved forms.
SAVED_CUSTOM_FIELDS = "Our own fields on a link"
SAVED_VIEW = "A view of the list of links"
WITHOUT_VEHICLE = "a link without a vehicle"
