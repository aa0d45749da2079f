"""Define the sentences of a link whose payment failed: whom to ask whether money was taken, and what was answered."""

from __future__ import annotations

from datetime import datetime

from dashboard.domain.payment_references import MAX_LENGTH, MIN_LENGTH
from dashboard.domain.sharing import Answer
from dashboard.store.sharing.questions import Question
from dashboard.web.shared.current import format_moment
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy

#: A failed attempt is all that the service says.
ASK_FIRST = lazy("Ask the driver first: money may have left the account.")
#: Once they were asked.
WAIT_FOR_ANSWER = lazy("Create again only once the driver says that no money was taken.")
#: What the driver says, as its button and every page name it.
ANSWERS = {Answer.NOT_TAKEN: lazy("No money taken"), Answer.TAKEN: lazy("Money taken")}
#: What a second payment would cost.
MONEY_WAS_TAKEN = lazy("Do not create it again yet, or it may be paid twice.")
#: The same of one whose challans are on another link already.
PAID_TWICE_WITH_NEW = lazy("If the new link is paid too, it was paid twice.")
#: What comes first then, of the link that its challans are on now, and why.
HOLD_NEW = lazy("Do not send the new link until support answers")
HOLD_OTHER = lazy("Do not send the other link until support answers")
TELL_NOT_TO_PAY = lazy("If the driver has it already, tell them not to pay it: it may be paid twice.")
NEW_IS_PAID = lazy("The new link is paid: ask support about the first payment")
OTHER_IS_PAID = lazy("The other link is paid: ask support about the first payment")
#: Before it is said until when the link is checked.
IF_MONEY_WAS_TAKEN = lazy("Ask the service’s support what became of the money.")
#: Nobody is known who could say.
CHOOSE_WHOM_TO_ASK = lazy("Ask whoever tried to pay: money may have left the account.")
#: Its challans are elsewhere, or it cannot be created again.
MONEY_NOT_KNOWN = lazy("Somebody tried to pay: money may have left the account.")
REFERENCE = lazy("Payment reference (UTR)")
REFERENCE_SAVED = lazy("Payment reference saved. It is in the details for support.")
REFERENCE_REMOVED = lazy("Payment reference removed.")


def not_a_reference() -> str:
    """Say what is typed where it is no payment reference."""
    return _(
        "Type the %(shortest)s to %(longest)s letters and digits of the reference; a UPI payment has 12 digits.",
        shortest=MIN_LENGTH,
        longest=MAX_LENGTH,
    )


def payer_not_known(sender: str) -> str:
    """Say that nobody is named who tried to pay. `sender`: who sent the link or prepared its message, if known."""
    if sender:
        return _("No driver with a number is named here: ask %(sender)s, who sent or prepared it.", sender=sender)
    return _("No driver with a number is named here.")


def asked(question: Question) -> str:
    """Say that a driver was asked whether money was taken; without one it is known to be opened, not to be sent."""
    if question.driver or question.by_phone:
        return f"{asked_brief(question)} {format_moment(question.at)}"
    return _("WhatsApp opened to ask, %(when)s", when=format_moment(question.at))


def asked_brief(question: Question) -> str:
    """Say the same without the moment."""
    return _("Asked") if question.driver or question.by_phone else _("Opened to ask")


def answered(answer: Answer, at: datetime) -> str:
    """Say what the driver answered, and when that was noted."""
    return _("Driver: %(answer)s, %(when)s", answer=ANSWERS[answer], when=format_moment(at))
