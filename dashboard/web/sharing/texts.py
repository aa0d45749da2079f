"""Define the sentences of the pages for sharing: the share page, drivers, messages, follow-up."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

from dashboard.domain import drivers, follow_up, messages
from dashboard.domain.follow_up import Snooze, SnoozeProblem
from dashboard.domain.links import is_paid
from dashboard.domain.messages import TemplateProblem, TemplateRefused
from dashboard.domain.payment_urls import UrlProblem
from dashboard.domain.sharing import SENDS, Channel
from dashboard.services.sharing.share import UNDO_FOR, NotShareable, ShareProblem
from dashboard.web.links import texts as link_texts
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import format_amount, format_moment
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import in_all_languages, lazy, ngettext


def _hours(time: timedelta) -> int:
    return int(time.total_seconds() // 3600)


#: Channels as lists of past shares name them.
CHANNELS = {
    Channel.COPY: lazy("Copied"),
    Channel.WHATSAPP: lazy("WhatsApp"),
    Channel.SMS: "SMS",
    Channel.EMAIL: lazy("email"),
    Channel.SHEET: lazy("The phone’s share sheet"),
    Channel.QR: lazy("QR code"),
    Channel.PRINT: lazy("Print"),
}
FOLLOW_UP = lazy("Follow up")
LINKS = lazy("Payment links")
MESSAGE_COPIED = lazy("Message copied")
LINK_COPIED = lazy("Link copied")
#: What is said of a share by a channel: with the name of the driver, and without one.
_SENT = {
    Channel.COPY: (lazy("Message copied for {driver}"), lazy("Message copied")),
    Channel.WHATSAPP: (lazy("Sent on WhatsApp to {driver}"), lazy("Sent on WhatsApp")),
    Channel.SMS: (lazy("Sent by SMS to {driver}"), lazy("Sent by SMS")),
    Channel.EMAIL: (lazy("Sent by email to {driver}"), lazy("Sent by email")),
    Channel.SHEET: (lazy("Shared with {driver} from this phone"), lazy("Shared from this phone")),
    Channel.QR: (lazy("QR code shown to {driver}"), lazy("QR code shown")),
    Channel.PRINT: (lazy("Printed for {driver}"), lazy("Printed")),
}
#: Who got a message that went to no driver.
NOT_DRIVERS = {
    Channel.WHATSAPP: lazy("Other number"),
    Channel.SMS: lazy("Other number"),
    Channel.EMAIL: lazy("Other address"),
}
TOO_LATE_TO_UNDO = lazy(
    "Too late to undo: this was marked more than %(minutes)s minutes ago.", minutes=UNDO_FOR.seconds // 60
)
RECEIPT_TAKEN_BACK = lazy("Undone: the receipt is not marked as sent.")
QUESTION_TAKEN_BACK = lazy("Undone: the driver is not marked as asked.")
#: Channels that open with the message, as their buttons name them.
WAYS = {Channel.WHATSAPP: lazy("WhatsApp"), Channel.SMS: "SMS", Channel.EMAIL: lazy("E-mail")}

CHECK_FIRST = lazy("Check the link before you send it.")
_NOT_TO_BE_GIVEN = lazy("Do not give it to anybody.")
#: Of a link that the service no longer knows.
MANAGER_FIRST = lazy("It may still be payable. Do not create another until a manager has looked.")
ASK_SUPPORT_FIRST = lazy("It may still be payable. Ask the service’s support before you release its challans.")
RELEASED_NOT_PAID = lazy("Its challans were released. Nobody should pay with it any more.")
_PAID = lazy("This link is paid. There is nothing to send.")
_NO_PAYMENT_URL = lazy("The service sent no payment URL with this link.")

#: The fields of a driver, as people read them.
DRIVER_LABELS = {
    "name": lazy("Name"),
    "phone": lazy("Phone"),
    "email": lazy("Email"),
    "language": lazy("Language"),
    "vehicles": lazy("Usual vehicles"),
    "note": lazy("Note"),
}
#: The subject of saved forms of drivers.
NEW_DRIVER = lazy("A new driver")
NOBODY_CHOSEN = lazy("Choose a driver for at least one vehicle.")
SEVERAL_OF_THE_NAME = lazy("Several drivers have this name. Choose one with the phone number.")
NOT_A_DRIVER = lazy("Choose a driver from the list, or type a phone number of ten digits.")
#: Of a name alone, where there are drivers to choose and where there are none.
NAME_NOT_LISTED = lazy("Choose a driver from the list, or type the number after the name: {name}, 98…")
NAME_ALONE = lazy("Type the number after the name: {name}, 98…")
DRIVER_DETAILS = lazy("Details of a driver")
ALL_DRIVERS = lazy("All")
PARTS_OF_DRIVERS = {"owes": lazy("Owe money"), "unsent": lazy("Not sent")}
DRIVER_SAVED = lazy("The details of {name} are saved.")
DRIVER_LEFT = lazy("{name} is marked as left.")
DRIVER_BACK = lazy("{name} is marked as active.")
NO_NAME = lazy("Enter the driver’s name.")
NO_PHONE = lazy("Enter the phone number.")
PHONE_TOO_LONG = lazy(
    "A phone number has at most %(max_phone)s characters, spaces included.", max_phone=drivers.MAX_PHONE
)
NOT_A_PHONE = lazy("Enter ten digits, or a number with its country such as +91 98765 43210.")
NOT_AN_EMAIL = lazy("Enter an email address such as ramesh@fleet.example.")
DRIVER_NOTE_TOO_LONG = lazy("A note has at most %(max_note)s letters.", max_note=drivers.MAX_NOTE)
SEVERAL_VEHICLES = lazy("Separate several numbers by commas.")

MESSAGE_LABELS = {"body": lazy("Message")}
#: The subject of the saved form of a message.
WORDING = lazy("Message to drivers")
MESSAGE_SAVED = lazy("The message in {language} is saved.")
MESSAGE_RESTORED = lazy("The message in {language} is the original again.")
MESSAGE_NOT_RESTORED = lazy("Not undone: the message in {language} was changed again since.")
#: The meaning of each placeholder of a message.
PLACEHOLDERS = {
    "driver": lazy("driver’s name"),
    "vehicle": lazy("vehicle number"),
    "challans": lazy("number of challans"),
    "amount": lazy("amount, by the cheapest way to pay"),
    "mode": lazy("cheapest way to pay"),
    "deadline": lazy("when the link ends"),
    "url": lazy("payment URL"),
}
#: Placeholders as the buttons that insert them name them.
PLACEHOLDER_NAMES = {
    "driver": lazy("Driver name"),
    "vehicle": lazy("Vehicle"),
    "challans": lazy("Challans"),
    "amount": lazy("Amount"),
    "mode": lazy("Way to pay"),
    "deadline": lazy("Deadline"),
    "url": lazy("Payment URL"),
}
#: What a message can do without, but its driver hardly.
MISSED = {
    "amount": lazy("The driver does not see how much to pay."),
    "deadline": lazy("The driver does not see when the link ends."),
}
#: The button that adds one of them to a message.
ADD = {"amount": lazy("Add the amount"), "deadline": lazy("Add the end")}
#: Said where it was added.
ADDED = lazy("Added to the message")
PREVIEW_SAMPLE_NAME = lazy("The name is a sample: this vehicle has no single usual driver.")
PREVIEW_SAMPLE = lazy("With sample values.")
#: Of the message to one driver, as a person has changed it.
NO_URL_IN_MESSAGE = lazy("The payment URL is missing: nobody could pay. Put it back, with a space after it.")
_MESSAGE_TOO_LONG = lazy("A message has at most %(max_length)s letters.", max_length=messages.MAX_TYPED)
_TEMPLATE_PROBLEMS = {
    TemplateProblem.EMPTY: lazy("Write the message."),
    TemplateProblem.TOO_LONG: lazy("A message has at most %(max_length)s letters.", max_length=messages.MAX_LENGTH),
    TemplateProblem.DOUBLE_BRACES: lazy(
        "Write a name in one pair of braces, as in {%(vehicle)s}.", vehicle=PLACEHOLDER_NAMES["vehicle"]
    ),
    TemplateProblem.LONE_BRACE: lazy(
        "A brace has no partner. Write names in braces, as in {%(vehicle)s}.", vehicle=PLACEHOLDER_NAMES["vehicle"]
    ),
    TemplateProblem.FORMATTED_PLACEHOLDER: lazy(
        "Write nothing but the name in the braces, as in {%(vehicle)s}.", vehicle=PLACEHOLDER_NAMES["vehicle"]
    ),
    TemplateProblem.NO_URL: lazy("The message needs {%(url)s}, the address to pay at.", url=PLACEHOLDER_NAMES["url"]),
}

#: The groups of the follow-up queue, by name, in their order.
ASKED, ENDS_SOON, NOT_SENT, CHOSEN = "asked", "ends-soon", "not-sent", "chosen"
FOLLOW_UP_GROUPS = {
    ASKED: lazy("Was it sent?"),
    ENDS_SOON: lazy("Ends within %(hours)s hours", hours=_hours(follow_up.ENDS_SOON)),
    NOT_SENT: lazy("Not sent yet"),
    CHOSEN: lazy("Chosen in Links"),
}
#: Where some that end soon are not sent yet either.
OTHERS_NOT_SENT = lazy("Other links not sent yet")

NOTE_LABELS = {"note": lazy("Note")}
#: The subject of a saved note.
LINK_NOTE = lazy("A note on a link")
NOTE_ADDED = lazy("Note added")
#: What a driver usually says, or does not: a note of one tap. Who will pay today is not asked before the evening.
WILL_PAY_TODAY = lazy("Will pay today")
WRONG_NUMBER = lazy("Wrong number")
OUTCOMES = (WILL_PAY_TODAY, lazy("No answer"), WRONG_NUMBER)
NO_NOTE = lazy("Write the note.")
NOTE_TOO_LONG = lazy("A note has at most %(max_note)s letters.", max_note=follow_up.MAX_NOTE)
#: The choices of a snooze, by what their buttons send.
EVENING = "evening"
SNOOZES = {
    "hours": lazy("%(hours)s hours", hours=_hours(follow_up.SNOOZE)),
    EVENING: WILL_PAY_TODAY,
    "morning": lazy("Tomorrow"),
    "end": lazy("1 hour before it ends"),
}
_LINK_WITHOUT_VEHICLE = lazy("The link without a vehicle")
_NOT_SNOOZED = {
    SnoozeProblem.HAS_ENDED: lazy("{plate} was not snoozed: it should have ended by now."),
    SnoozeProblem.ENDS_WITHIN_THE_HOUR: lazy("{plate} was not snoozed: it ends within the hour."),
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
    if is_paid(refused.link.status):
        return str(_PAID)
    state = shared_texts.link_state(refused.link.status)
    return _("This link %(predicate)s, so nobody can pay with it.", predicate=state.predicate)


def message_problem(text: str, url: str) -> str:
    """Say why a message that a person has changed cannot be sent; "" where it can be."""
    if len(text) > messages.MAX_TYPED:
        return str(_MESSAGE_TOO_LONG)
    return "" if messages.names_address(text, url) else str(NO_URL_IN_MESSAGE)


def not_checked(what: str) -> str:
    """Say that a link cannot be shared, because of what went wrong with its check."""
    return _("%(what)s. Nothing was sent now.", what=what)


def has_had_it(driver: str, at: datetime) -> str:
    """Say that somebody else than the chosen driver has a link already."""
    return _("%(driver)s has had this link since %(at)s", driver=driver, at=format_moment(at))


def paid_with(made_at: datetime, total: Decimal | None) -> str:
    """Name the link with which challans of another one were paid."""
    at = format_moment(made_at)
    if total is None:
        return _("Paid with the link of %(at)s, amount unknown.", at=at)
    return _("Paid with the link of %(at)s, %(amount)s.", at=at, amount=format_amount(total))


def tell_not_to_pay(driver: str) -> str:
    """Say that whoever was sent a link is not to pay it; "" for somebody who is no saved driver."""
    return (
        _("Tell %(driver)s not to pay it.", driver=driver) if driver else _("Tell whoever has it not to pay this one.")
    )


def sent_by(channel: Channel) -> str:
    """Say how a link was shared."""
    return str(_SENT[channel][1])


def channel_beside(channel: Channel) -> str:
    """Name the way of a message beside its `sent_brief`; "" where that says it."""
    return str(CHANNELS[channel]) if channel in SENDS else ""


def is_wrong_number(note: str) -> bool:
    """Return whether a note is the one of one tap which says so, in whichever language that was."""
    return note in in_all_languages(WRONG_NUMBER)


def sent_brief(channel: Channel) -> str:
    """Say in a word that a message was marked as sent; of other ways to share, how a link was shared."""
    return _("Sent") if channel in SENDS else sent_by(channel)


def sent(channel: Channel, driver: str | None) -> str:
    """Say that a link was shared just now."""
    to_driver, alone = _SENT[channel]
    return to_driver.format(driver=driver) if driver else str(alone)


def sent_in(said: str, language: str) -> str:
    """Say in which language a message was sent: "Sent on WhatsApp to Ramesh, in Hindi"."""
    return _("%(said)s, in %(language)s", said=said, language=language)


def share_taken_back(links: int) -> str:
    """Say that a message was not sent after all; it named so many links, besides those that were paid meanwhile."""
    if not links:
        return _("Not undone: this link was paid meanwhile.")
    if links > 1:
        return _("Undone: these %(count)s links are not marked as sent.", count=links)
    return _("Undone: this link is not marked as sent.")


def is_usual_driver(driver: str, plate: str) -> str:
    return _("%(driver)s is now the usual driver of %(plate)s.", driver=driver, plate=plate)


def drivers_chosen(vehicles: int, left: int) -> str:
    """Say for how many vehicles a driver was chosen, and how many have none yet."""
    said = ngettext(
        "Driver chosen for %(count)s vehicle.",
        "Drivers chosen for %(count)s vehicles.",
        vehicles,
        count=f"{vehicles:,}",
    )
    lack = ngettext("%(count)s has none.", "%(count)s have none.", left, count=f"{left:,}") if left else ""
    return f"{said} {lack}".rstrip()


def same_number(name: str, plate: str) -> str:
    return _("Same number as %(name)s (%(plate)s) above.", name=name, plate=plate)


#: Somebody is named like a driver, and not quite.
WHO_IS_MEANT = lazy("Not saved yet: answer “Did you mean\N{NO-BREAK SPACE}…?” below.")


def are_new(count: int) -> str:
    """Ask for the phone numbers of those who were typed and are not among the drivers."""
    return ngettext(
        "%(num)s driver is new: enter the phone number.", "%(num)s drivers are new: enter their phone numbers.", count
    )


def has_no_phone(name: str) -> str:
    return _("%(name)s has no phone number yet.", name=name)


def last_sent_to(name: str) -> str:
    return _("Last sent to %(driver)s", driver=name)


def is_added(driver: str) -> str:
    return _("%(name)s is added.", name=driver)


def worded(language: str, driver: str | None) -> str:
    """Say which message stands on the page now."""
    if driver:
        return _("Message in %(language)s for %(driver)s", language=language, driver=driver)
    return _("Message in %(language)s", language=language)


def template_refused(refused: TemplateRefused) -> str:
    """Say why the wording of a message cannot be used."""
    if refused.problem is TemplateProblem.UNKNOWN_PLACEHOLDER:
        if refused.meant:
            return _(
                "There is no {%(placeholder)s}. Did you mean {%(meant)s}?",
                placeholder=refused.placeholder,
                meant=PLACEHOLDER_NAMES[refused.meant],
            )
        return _("There is no {%(placeholder)s}. The placeholders are listed above.", placeholder=refused.placeholder)
    return str(_TEMPLATE_PROBLEMS[refused.problem])


def snoozed(plate: str | None, snooze: Snooze) -> str:
    """Say until when a link is snoozed."""
    plate, until = plate or str(_LINK_WITHOUT_VEHICLE), format_moment(snooze.until)
    if snooze.is_shortened:
        return _("%(plate)s is snoozed till %(moment)s, an hour before it ends.", plate=plate, moment=until)
    return _("%(plate)s is snoozed till %(moment)s.", plate=plate, moment=until)


def not_snoozed(plate: str | None, problem: SnoozeProblem) -> str:
    """Say why a link was not snoozed."""
    return _NOT_SNOOZED[problem].format(plate=plate or str(_LINK_WITHOUT_VEHICLE))


def resumed(plate: str | None) -> str:
    """Say that a link waits in the queue again."""
    return _("%(plate)s is back in Follow up.", plate=plate or str(_LINK_WITHOUT_VEHICLE))


def drivers_found(count: int) -> str:
    return ngettext("%(num)s driver", "%(num)s drivers", count)


def phone_taken(phone: str, name: str) -> str:
    return _("%(phone)s is %(name)s already.", phone=phone, name=name)
