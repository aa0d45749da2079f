"""Define the sentences of the pages for sharing: the share page, drivers, messages, follow-up."""

from __future__ import annotations

from dashboard.domain import drivers, follow_up, messages
from dashboard.domain.follow_up import Snooze, SnoozeProblem
from dashboard.domain.messages import TemplateProblem, TemplateRefused
from dashboard.domain.payment_urls import UrlProblem
from dashboard.domain.sharing import Channel
from dashboard.services.sharing.share import UNDO_FOR, NotShareable, ShareProblem
from dashboard.web.links import texts as link_texts
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import format_moment

NOBODY = "Choose a driver"

#: Channels as lists of past shares name them.
CHANNELS = {
    Channel.COPY: "Copied",
    Channel.WHATSAPP: "WhatsApp",
    Channel.SMS: "SMS",
    Channel.EMAIL: "e-mail",
    Channel.SHEET: "The phone's share sheet",
    Channel.QR: "QR code",
    Channel.PRINT: "Print",
}
#: What is said of a share by a channel, with the name of the driver after it.
_SENT = {
    Channel.COPY: ("Message copied", "for", ""),
    Channel.WHATSAPP: ("Sent", "to", "by WhatsApp"),
    Channel.SMS: ("Sent", "to", "by SMS"),
    Channel.EMAIL: ("Sent", "to", "by e-mail"),
    Channel.SHEET: ("Shared", "with", "from this phone"),
    Channel.QR: ("QR code shown", "to", ""),
    Channel.PRINT: ("Printed", "for", ""),
}
SHARE_TAKEN_BACK = "Undone: this link is not marked as sent."
TOO_LATE_TO_UNDO = f"Too late to undo: this was marked more than {UNDO_FOR.seconds // 60} minutes ago."
#: Channels that open with the message, as their buttons name them.
WAYS = {Channel.WHATSAPP: "WhatsApp", Channel.SMS: "SMS", Channel.EMAIL: "E-mail"}

#: Under a QR code, in ASCII.
PAY_BEFORE = "Pay before {deadline}"
NOT_CHECKED = "Check the link just before you share it."
CHECK_FIRST = "Check the link before you send it."
_NOT_TO_BE_GIVEN = "Do not give it to anybody."
_NO_PAYMENT_URL = "The service sent no payment URL with this link."

#: The fields of a driver, as people read them.
DRIVER_LABELS = {
    "name": "Name",
    "phone": "Phone",
    "email": "E-mail",
    "language": "Language",
    "vehicles": "Usual vehicles",
    "note": "Note",
}
#: The subject of saved forms of drivers.
NEW_DRIVER = "A new driver"
DRIVER_DETAILS = "Details of a driver"
DRIVER_ADDED = "{name} is added."
DRIVER_SAVED = "The details of {name} are saved."
DRIVER_LEFT = "{name} is marked as left."
DRIVER_BACK = "{name} is marked as active."
NO_NAME = "Enter the driver’s name."
PHONE_TOO_LONG = f"A phone number has at most {drivers.MAX_PHONE} characters, spaces included."
NOT_A_PHONE = "Enter ten digits, or a number with its country such as +91 98765 43210."
NOT_AN_EMAIL = "Enter an e-mail address such as ramesh@fleet.example."
DRIVER_NOTE_TOO_LONG = f"A note has at most {drivers.MAX_NOTE} letters."
SEVERAL_VEHICLES = "Separate several numbers by commas."

MESSAGE_LABELS = {"body": "Message"}
#: The subject of the saved form of a message.
WORDING = "The wording of a message"
MESSAGE_SAVED = "The message in {language} is saved."
MESSAGE_RESTORED = "The message in {language} is the original again."
MESSAGE_NOT_RESTORED = "Not undone: the message in {language} was changed again since."
#: The meaning of each placeholder of a message.
PLACEHOLDERS = {
    "driver": "driver’s name",
    "vehicle": "vehicle number",
    "challans": "number of challans",
    "amount": "amount, by the cheapest way to pay",
    "mode": "cheapest way to pay",
    "deadline": "when the link ends",
    "url": "payment URL",
}
PREVIEW_OF = "With the values of the newest link, {plate}."
PREVIEW_SAMPLE = "With sample values: no link can be paid now."
_TEMPLATE_PROBLEMS = {
    TemplateProblem.EMPTY: "Write the message.",
    TemplateProblem.TOO_LONG: f"A message has at most {messages.MAX_LENGTH} letters.",
    TemplateProblem.DOUBLE_BRACES: "Write a name in one pair of braces, as in {vehicle}.",
    TemplateProblem.LONE_BRACE: "A brace has no partner. Write names in braces, as in {vehicle}.",
    TemplateProblem.FORMATTED_PLACEHOLDER: "Write nothing but the name in the braces, as in {vehicle}.",
    TemplateProblem.NO_URL: "The message needs {url}, the address to pay at.",
}

#: The groups of the follow-up queue, by name, in their order.
NOT_SENT, ENDS_TODAY = "not-sent", "ends-today"
FOLLOW_UP_GROUPS = {NOT_SENT: "Not sent yet", ENDS_TODAY: "Ends within 24 hours"}

NOTE_LABELS = {"note": "Note"}
#: The subject of a saved note.
LINK_NOTE = "A note on a link"
NOTE_ADDED = "Note added"
NO_NOTE = "Write the note."
NOTE_TOO_LONG = f"A note has at most {follow_up.MAX_NOTE} letters."
_LINK_WITHOUT_VEHICLE = "The link without a vehicle"
_NOT_SNOOZED = {
    SnoozeProblem.HAS_ENDED: "was not snoozed: it should have ended by now.",
    SnoozeProblem.ENDS_WITHIN_THE_HOUR: "was not snoozed: it ends within the hour.",
}


def not_shareable(refused: NotShareable) -> str:
    """Say why a link must not be given to anybody."""
    match refused.problem:
        case ShareProblem.UNKNOWN:
            return link_texts.UNKNOWN_NOT_SHARED
        case ShareProblem.NO_PAYMENT_URL:
            return _NO_PAYMENT_URL
        case UrlProblem():
            return link_texts.URL_PROBLEMS[refused.problem]
        case ShareProblem.MAY_BE_PAID:
            return link_texts.MAY_BE_PAID
        case ShareProblem.URL_LEFT_OUT:
            return link_texts.URL_LEFT_OUT
        case ShareProblem.PAID_BY_DUPLICATE:
            return link_texts.PAID_WITH_DUPLICATE
        case ShareProblem.RUN_OUT if refused.link.expires_at is not None:
            return f"{link_texts.RUN_OUT.format(at=format_moment(refused.link.expires_at))} {_NOT_TO_BE_GIVEN}"
    state = shared_texts.link_state(refused.link.status)
    return f"This link {state.predicate}. {_NOT_TO_BE_GIVEN}"


def sent(channel: Channel, driver: str | None) -> str:
    """Say that a link was shared just now."""
    done, to, how = _SENT[channel]
    return " ".join(part for part in (done, f"{to} {driver}" if driver else "", how) if part)


def worded(language: str, driver: str | None) -> str:
    """Say which message stands on the page now."""
    return f"Message in {language}{f' for {driver}' if driver else ''}"


def template_refused(refused: TemplateRefused) -> str:
    """Say why the wording of a message cannot be used."""
    if refused.problem is TemplateProblem.UNKNOWN_PLACEHOLDER:
        return f"{{{refused.placeholder}}} is not a name that a message can use."
    return _TEMPLATE_PROBLEMS[refused.problem]


def snoozed(plate: str | None, snooze: Snooze) -> str:
    """Say until when a link is snoozed."""
    before_end = ", an hour before it ends" if snooze.is_shortened else ""
    return f"{plate or _LINK_WITHOUT_VEHICLE} is snoozed till {format_moment(snooze.until)}{before_end}."


def not_snoozed(plate: str | None, problem: SnoozeProblem) -> str:
    """Say why a link was not snoozed."""
    return f"{plate or _LINK_WITHOUT_VEHICLE} {_NOT_SNOOZED[problem]}"


def resumed(plate: str | None) -> str:
    """Say that a link waits in the queue again."""
    return f"{plate or _LINK_WITHOUT_VEHICLE} is back in Follow up."
