"""Word the history of a link."""

from __future__ import annotations

from datetime import datetime

from dashboard.domain.links import PAID
from dashboard.domain.sharing import Answer, Channel
from dashboard.web.shared.current import format_moment
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext
from dashboard.web.shared.texts import RECOVERED, link_state

SHARED = {
    Channel.COPY: lazy("Message copied"),
    Channel.WHATSAPP: lazy("Sent on WhatsApp"),
    Channel.SMS: lazy("Sent by SMS"),
    Channel.EMAIL: lazy("Sent by email"),
    Channel.SHEET: lazy("Shared with the phone’s share sheet"),
    Channel.QR: lazy("Shown as a QR code"),
    Channel.PRINT: lazy("Printed"),
}
#: A message without a named recipient is known to be prepared, not to be sent.
PREPARED = {
    Channel.WHATSAPP: lazy("Prepared in WhatsApp"),
    Channel.SMS: lazy("Prepared as an SMS"),
    Channel.EMAIL: lazy("Prepared as an email"),
}
#: To whom it went once it is known to be sent: what was typed is not kept.
NOT_SAVED = {
    Channel.WHATSAPP: lazy("a number not saved here"),
    Channel.SMS: lazy("a number not saved here"),
    Channel.EMAIL: lazy("an address not saved here"),
}
#: A receipt that went to a driver, and one of which only that it was prepared is known.
_RECEIPTS = {
    Channel.WHATSAPP: (lazy("Receipt sent on WhatsApp"), lazy("Receipt prepared in WhatsApp")),
    Channel.SMS: (lazy("Receipt sent by SMS"), lazy("Receipt prepared as an SMS")),
    Channel.EMAIL: (lazy("Receipt sent by email"), lazy("Receipt prepared as an email")),
}
ASKED_UNCLEAR = lazy("Requested; the reply was lost, so we checked")
ASKED_IN_PLACE = lazy("Requested to replace a link that had ended")
OPEN_REQUEST = lazy("Open the request")
OPEN_OLD_LINK = lazy("Open it")
OPEN_NEW_LINK = lazy("Open the new link")
CREATED = lazy("Created")
COPIED_UNASKED = lazy("Copied on creation")
SHARE_UNDONE = lazy("Marked as not sent")
RECEIPT_UNDONE = lazy("Receipt marked as not sent")
QUESTION_PREPARED = lazy("Question prepared in WhatsApp")
ASKED_BY_PHONE = lazy("Asked by phone")
QUESTION_UNDONE = lazy("Marked as not asked")
ANSWERS = {
    Answer.NOT_TAKEN: lazy("Driver says: no money taken"),
    Answer.TAKEN: lazy("Driver says: money taken"),
    None: lazy("The driver’s answer was taken back"),
}
REFERENCE_TAKEN_BACK = lazy("The payment reference was taken back")
PAYMENT_TIME_GIVEN = lazy("Time of payment, as the service gave it")
BACK_IN_FOLLOW_UP = lazy("Back in Follow up")
ENDS = lazy("Ends")
ENDED_UNPAID = lazy("Ended, unpaid")
NO_LONGER_KNOWN = lazy("Not found at the service")
REPLACEMENT_ASKED = lazy("New link requested")
REPLACED = lazy("Replaced by another link")


def copied(times: int) -> str:
    """Say that a payment URL was copied, and how often in a row."""
    return ngettext("Payment URL copied", "Payment URL copied %(num)s times", times)


def released(reason: str | None) -> str:
    """Say that the claims of a link's request were released."""
    return _("The challans of its request were released: %(reason)s", reason=reason)


def release_of_unknown(reason: str | None) -> str:
    """Say that a manager released the challans of a link that the service no longer knew."""
    return _("Challans released: %(reason)s", reason=reason)


def recovered(asked_at: datetime) -> str:
    """Say that a link was found by resolving the outcome of its request."""
    return RECOVERED.format(asked=format_moment(asked_at))


def observed(status: str | None) -> str:
    """Say that a search was the first to show a link."""
    return _("Found by a search: %(state)s", state=link_state(status or "").shown)


def alarmed(challans: str | None, *, is_by_request: bool) -> str:
    """Say that a link has duplicates; `challans` is how many, as its history stores it: "2 challans".

    `is_by_request`: a request of unknown outcome has them, and no link that is known.
    """
    number = (challans or "").partition(" ")[0]
    if is_by_request:
        return ngettext(
            "Alarm: a request has %(num)s of these challans too; money may be paid twice",
            "Alarm: a request has %(num)s of these challans too; money may be paid twice",
            int(number) if number.isdecimal() else 1,
        )
    return ngettext(
        "Alarm: %(num)s challan is on another link too; money may be paid twice",
        "Alarm: %(num)s challans are on another link too; money may be paid twice",
        int(number) if number.isdecimal() else 1,
    )


def alarm_acknowledged(note: str | None) -> str:
    """Return the words of an acknowledged alarm."""
    return _("Alarm noted: %(note)s", note=note)


#: What the history stores of a check that saw no challan.
_NO_CHALLANS = {
    "nothing was shown of its challans": lazy("nothing was shown of its challans"),
    "no look could be made": lazy("it could not be checked"),
}
#: How the history ends the words on a challan without a status of the source's.
_WITHOUT_STATUS = {" not listed": lazy("not listed"), " without a status": lazy("without a status")}


def _challans(stored: str | None) -> str:
    """Word what the history stores of a settlement check: "MH1 PAID, MH2 not listed"."""
    if stored in _NO_CHALLANS:
        return str(_NO_CHALLANS[stored])
    return ", ".join(map(_challan, (stored or "").split(", ")))


def _challan(stored: str) -> str:
    for end, words in _WITHOUT_STATUS.items():
        if stored.endswith(end):
            return f"{stored.removesuffix(end)} {words}"
    return stored


def settled(challans: str | None) -> str:
    """Say that the source shows challans of a paid link as settled."""
    return _("Department shows it settled: %(challans)s", challans=_challans(challans))


def not_settled(challans: str | None) -> str:
    """Say that the source still shows challans of a paid link as open."""
    return _("Paid, but still open with the department: %(challans)s", challans=_challans(challans))


def discrepancy_checked(note: str | None) -> str:
    """Return the words of a discrepancy that was acknowledged with a note, or whose acknowledgement was taken back."""
    if note is None:
        return _("No longer marked as checked in Reconcile")
    return _("Reconcile note: %(note)s", note=note)


def receipt_sent(channel: Channel, driver: str) -> str:
    """Say how a receipt was sent, and to which driver; without one it is known to be prepared, not to be sent."""
    sent, prepared = _RECEIPTS[channel]
    return _("%(how)s to %(name)s", how=sent, name=driver) if driver else str(prepared)


def asked(driver: str) -> str:
    """Say that a driver was asked whether money was taken; without one it is known to be prepared, not to be sent."""
    return _("Asked %(driver)s on WhatsApp", driver=driver) if driver else str(QUESTION_PREPARED)


def phoned(driver: str) -> str:
    """Say that a driver was asked by phone whether money was taken."""
    return _("Asked %(driver)s by phone", driver=driver) if driver else str(ASKED_BY_PHONE)


def payment_reference(reference: str | None) -> str:
    """Say which payment reference the driver gave, or that it was taken back."""
    return _("Payment reference: %(reference)s", reference=reference) if reference else str(REFERENCE_TAKEN_BACK)


def other_event(kind: str, new: str | None) -> str:
    """Word an event of a kind that has no words of its own."""
    name = kind.replace("_", " ").capitalize()
    return f"{name}: {new}" if new else name


def status_changed(old: str | None, new: str | None) -> str:
    """Say what a link's status became."""
    name = link_state(new or "").shown
    return _("%(state)s, though it was paid before", state=name) if old == PAID else name


def not_confirmed(channel: Channel, number: str = "") -> str:
    """Say that a message was prepared, and for which number, if its sender asks; nobody has said that it was sent."""
    if number:
        return _("%(how)s for %(number)s, not confirmed", how=PREPARED[channel], number=number)
    return _("%(how)s, not confirmed", how=PREPARED[channel])


def shared(channel: Channel, driver: str | None, *, is_unconfirmed: bool, number: str = "") -> str:
    """Say how a link was shared, and with whom: a driver, or a number that only its sender knows."""
    if is_unconfirmed:
        return not_confirmed(channel, number)
    if channel in NOT_SAVED:
        return _("%(how)s to %(name)s", how=SHARED[channel], name=driver or number or NOT_SAVED[channel])
    return _("%(how)s, for %(driver)s", how=SHARED[channel], driver=driver) if driver else str(SHARED[channel])
