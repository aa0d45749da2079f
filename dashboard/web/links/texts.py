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
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy
from dashboard.web.shared.records import StateWords
from dashboard.web.shared.texts import NO_LONGER_KNOWN, RECOVERED, join_words, link_state

# The payment URL

URL_PROBLEMS = {
    UrlProblem.MALFORMED: "This address is not a well-formed web address.",
    UrlProblem.WITH_CREDENTIALS: "This address carries a user name, which a payment page never does.",
    UrlProblem.NOT_SECURE: "This address is not a secure (https) one.",
    UrlProblem.NOT_ON_PAYMENT_PAGE: "This address is not on the configured payment page.",
}
URL_LEFT_OUT = (
    "The service's latest answer has no payment URL; this one is from an earlier answer. Do not share it until the "
    "service sends it again."
)
NO_PAYMENT_URL = "The service sent no payment URL."
PAID_NOTHING_TO_SHARE = "This link is paid; there is nothing to share."
ENDED_NOTHING_TO_SHARE = "This link has ended; there is nothing to share."
#: The expiry has passed, and the service has not said yet what became of the link.
RUN_OUT = "This link has most likely ended at {at}. Checking."
UNKNOWN_NOT_SHARED = "The service no longer knows this link. Do not give it to anybody."
PAID_WITH_DUPLICATE = "Challans of this link were paid with another link. Do not share it."

# The panel

UNKNOWN = "The service no longer knows this link."
UNKNOWN_NEXT = (
    "This page shows the last known details. The link is checked again once a day, when this page is opened, and when "
    "the API key changes."
)

CHECKED_AGAIN = "{trouble} We check again automatically."
CHECKS_HELD_BACK = "This link was last checked at {at}. Checking is on hold for now and resumes automatically."
CHECKS_STOPPED = (
    "This link was last checked at {at}. The dashboard's background work is late or has stopped; checking resumes when "
    "it runs again."
)
COPY_NOT_CHECKED = (
    "Not copied: an earlier link for these challans could not be checked just now. Try again in a minute."
)
REPORTED_PAID_BEFORE = "The service reported this link as paid before. Its present state is shown."
MAY_BE_PAID_STATE = "may be paid already"
MAY_BE_PAID = (
    "The service gives a time of payment, but does not call this link paid. Do not share it. We check again "
    "automatically."
)
EXPIRY_LEFT_OUT = "The service's latest answer gives no expiry; the one shown is from an earlier answer."
CHALLANS_LEFT_OUT = "The service has not listed the challans on this link."
SHOULD_HAVE_EXPIRED = "This link should have expired. Checking."
HAS_DUPLICATES = "Challans of this link are on another link too. If both are paid, money was paid twice."
ADVICE = {
    EXPIRED: "Expired unpaid. A late payment may still arrive; check before you create another.",
    FAILED: "The payment failed. It may still arrive; check before you create another.",
    CANCELLED: "Cancelled. A late payment may still arrive; check before you create another.",
}
#: In place of the advice, once there is a replacement link.
CHECKED_UNTIL = "A late payment may still arrive, so this link is checked until {until}."
CHECKED_NO_MORE = "This link is no longer checked automatically. Press Check now to ask the service."

MODES = {"UPI": lazy("UPI"), "CREDIT_CARD": lazy("Credit card")}
UNNAMED_MODE = lazy("(not named)")
AMOUNTS = (
    ("base_amount", lazy("Fines")),
    ("legal_fee", lazy("Legal fee")),
    ("gst", lazy("GST")),
    ("convenience_fee", lazy("Convenience fee")),
)
LINK_AMOUNT = lazy("This link")
CHEAPEST = lazy("cheapest")
NO_NUMBER = "(no number)"
ORIGIN_OBSERVED = "Created outside this dashboard: a search showed it on this vehicle's challans."
ORIGIN_OPEN = "Not known yet who made it: the request of {asked} for its challans is still open."
ORIGIN_RECOVERED = f"{RECOVERED}."


def covers_fewer(covered: int, asked: int) -> str:
    """Say that a link covers only some of the challans of its request."""
    return f"The link has {covered} of the {asked} challans requested."


def covers_others(number: int) -> str:
    """Say that a link covers challans that its request did not name."""
    return f"The link has {number} {'challan that was' if number == 1 else 'challans that were'} not requested."


#: The reason shown when a failed call prevented the plan of a replacement.
REPLACEMENT_FAILED = "{title}. {text} No new link was requested."

# Duplicate links

ALARM_CHANGED = "This alarm changed after you opened the page. Read it again, then send your note."
ALARM_NOTE = "What was done about it"
ALARM_NOTE_HINT = f"At least {MIN_ALARM_NOTE} characters. It is shown here with your name, and the banner closes."
ALARM_NOTE_LENGTH = (
    f"Write at least {MIN_ALARM_NOTE} and at most {MAX_ALARM_NOTE} characters: whom you informed, what was done."
)
OPEN_THE_PAGE_AGAIN = "Open the page again."
A_COLLEAGUE = "a colleague"
THIS_LINK = "this link"


def link_of(made_at: datetime) -> str:
    """Name a link by when it was made."""
    return f"the link of {format_moment(made_at)}"


def duplicate_request(asked_at: datetime, unshared: str) -> str:
    """Say that a request without a known outcome holds the challans too; `unshared` is what not to share."""
    asked = f"A request of {format_moment(asked_at)}, with no known outcome yet, holds the same challans."
    return f"{asked} {unshared or 'Do not share its link.'}"


def paid_twice(names: Sequence[str], unshared: str) -> str:
    """Say that several duplicate links are paid."""
    both = "both" if len(names) == 2 else "all"
    twice = f"{_capital(join_words(names))} are {both} paid: the same challans were paid twice."
    back = "You cannot refund from here: ask the service's support, with the ids of the links."
    return f"{twice} {back} {unshared}".strip()


def paid_once(name: str, unshared: str) -> str:
    """Say that one of the duplicate links is paid."""
    rest = f". {unshared}" if unshared else ", and no other link can be paid at present."
    return f"{_capital(name)} is paid{rest}"


def payable_duplicates(links: Sequence[tuple[str, datetime | None]]) -> str:
    """Say that several duplicate links can be paid; each with its expiry."""
    both = "both" if len(links) == 2 else "all"
    can = f"{_capital(join_words([name for name, _ in links]))} can {both} be paid."
    ends = join_words([f"{name} {_ends(expires_at)}" for name, expires_at in links])
    other = "tell the driver who has another not to pay it"
    return f"{can} Share only one, and {other}. You cannot cancel them: {ends}."


def only_payable(name: str) -> str:
    """Say that one of the duplicate links can be paid."""
    return f"Only {name} can be paid at present."


NONE_PAYABLE = "None of them can be paid at present."


def do_not_share(name: str, expires_at: datetime | None) -> str:
    """Say that a link must not be shared, and when it ends."""
    told = "tell the driver who has it not to pay it"
    return f"Do not share {name}, and {told}. You cannot cancel it; it {_ends(expires_at)}."


def _ends(at: datetime | None) -> str:
    if at is None:
        return "has no known end"
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
ASKED_UNCLEAR = "Requested; the reply was lost, so we checked"
ASKED_IN_PLACE = "Requested to replace a link that had ended"
OPEN_REQUEST = "Open the request"
OPEN_OLD_LINK = "Open it"
OPEN_NEW_LINK = "Open the new link"
CREATED = "Created"
COPIED = "Payment URL copied"
SHARE_UNDONE = "Marked as not sent"
PAID_AT = "Paid"
PAYMENT_TIME_GIVEN = "Time of payment, as the service gave it"
REPLACEMENT_ASKED = "New link requested"
REPLACED = "Replaced by another link"


def released(reason: str | None) -> str:
    """Say that the claims of a link's request were released."""
    return f"The challans of its request were released: {reason}"


RELEASE_NOT_ENDED = "Nothing was released: the link has not ended yet."
RELEASE_NOT_FREE = (
    "Nothing was released: the source shows none of its challans as payable and free. They may be paid, or still be on "
    "the link."
)
RELEASE_KNOWN_AGAIN = "Nothing was released: the service knows this link again. Its state is shown here."
RELEASE_REFUSALS = {
    ReleaseProblem.NOT_ENDED: RELEASE_NOT_ENDED,
    ReleaseProblem.NOT_FREE: RELEASE_NOT_FREE,
    ReleaseProblem.NOT_NEEDED: "Nothing was released: this link does not need it.",
    ReleaseProblem.ALREADY_RELEASED: "Nothing was released: this link holds no challans any more.",
}
RELEASE_DONE = "The challans that the source shows as free are released. You can put them on a new link."


def released_by(manager: str, at: str, reason: str) -> str:
    """Say who released the challans of a link that the service no longer knows, when and why."""
    return f"{manager} released its challans at {at}: {reason}"


def release_of_unknown(reason: str | None) -> str:
    """Say that a manager released the challans of a link that the service no longer knew."""
    return f"No longer known to the service; its challans were released: {reason}"


def recovered(asked_at: datetime) -> str:
    """Say that a link was found by resolving the outcome of its request."""
    return RECOVERED.format(asked=format_moment(asked_at))


def observed(status: str | None) -> str:
    """Say that a search was the first to show a link."""
    return f"Found by a search: {link_state(status or '').shown}"


def alarmed(challans: str | None) -> str:
    """Say that a link has duplicates; `challans` is how many, in words."""
    return f"Alarm: {challans} are on another link too; money may be paid twice"


def alarm_acknowledged(note: str | None) -> str:
    """Return the words of an acknowledged alarm."""
    return f"Alarm noted: {note}"


def settled(challans: str | None) -> str:
    """Say that the source shows challans of a paid link as settled."""
    return f"Department shows it settled: {challans}"


def not_settled(challans: str | None) -> str:
    """Say that the source still shows challans of a paid link as open."""
    return f"Paid, but still open with the department: {challans}"


def discrepancy_acknowledged(note: str | None) -> str:
    """Return the words of an acknowledged discrepancy."""
    return f"Reconcile note: {note}"


def other_event(kind: str, new: str | None) -> str:
    """Word an event of a kind that has no words of its own."""
    name = kind.replace("_", " ").capitalize()
    return f"{name}: {new}" if new else name


def status_changed(old: str | None, new: str | None) -> str:
    """Say what a link's status became."""
    name = link_state(new or "").shown
    return f"{name}, though it was paid before" if old == PAID else name


def by_mode(label: str) -> str:
    """Say in which way a link comes to its amount."""
    return _("by %(mode)s", mode=label)


def costs_more(amount: str) -> str:
    """Say how much more a way to pay costs than the cheapest."""
    return _("%(amount)s more", amount=amount)


NOT_SENT = lazy("Not sent yet")


def sent(channel: Channel, driver: str | None, at: datetime) -> str:
    """Say how, to whom and when a link was sent last."""
    return " · ".join(filter(None, (str(SHARED[channel]), driver, format_moment(at))))


def shared(channel: Channel, driver: str | None) -> str:
    """Say how a link was shared, and for whom."""
    return _("%(how)s, for %(driver)s", how=SHARED[channel], driver=driver) if driver else SHARED[channel]


# The list


FIELDS_SAVED = "Saved"
ALARM_NOTED = "Your note on this alarm is saved"


def checked(state: StateWords) -> str:
    """Say what a check on request found."""
    return f"Checked just now. {state.said}"


VIEW_SAVED = "View “{name}” saved"
VIEW_DELETED = "View “{name}” deleted"
COLUMNS = {
    SortBy.VEHICLE: "Payment link",
    SortBy.STATE: "State",
    SortBy.AMOUNT: "To pay",
    SortBy.ENDS: "When",
    SortBy.MADE: "Made",
}
DAYS_OF = {DayOf.MADE: "Made", DayOf.PAID: "Paid", DayOf.ENDED: "Ended"}
PAID_AFTER = {
    PaidAfter.FIRST_HOUR: "Within 1 h",
    PaidAfter.HOURS: "1 to 6 h",
    PaidAfter.DAY: "6 to 24 h",
    PaidAfter.NEXT_DAY: "24 to 48 h",
    PaidAfter.LATER: "Later",
}
#: The states that the filter offers, before any that the ledger holds besides.
FIRST_STATES = (ACTIVE, PAID, EXPIRED, FAILED, CANCELLED)
ANY = "Any"
ANYBODY = "Anybody"
MADE_ELSEWHERE = "Created outside this dashboard"
MADE_ELSEWHERE_IN_LIST, MAKER_NOT_SETTLED = "created outside this dashboard", "maker not known yet"
NOT_A_DAY = "Enter a date such as 2026-11-21."
NOT_AN_AMOUNT = "Enter an amount such as 2500 or 2,500.50."
LAST_DAY_FIRST = "To day is before from day."
MOST_BELOW_LEAST = "Max amount is below min amount."
VIEW_NAME = "Give the view a name of at most {most} letters."
TOO_MANY_VIEWS = "You have {most} views already. Delete one first."

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
SAVED_CUSTOM_FIELDS = "Cost centre, trip or note of a link"
SAVED_VIEW = "A view of the list of links"
WITHOUT_VEHICLE = "a link without a vehicle"
