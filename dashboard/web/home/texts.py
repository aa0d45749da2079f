"""Define the sentences of the first page."""

from __future__ import annotations

from dashboard.domain.intents import IntentState
from dashboard.domain.money import Sum
from dashboard.web.shared.current import format_sum
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, lazy_about, ngettext
from dashboard.web.shared.texts import unknown_amounts

TITLE = lazy("Search · Challan Dashboard")
PAID_TITLE = lazy("({count} paid) Challan Dashboard")

# The figures of the day
OPEN = lazy("Open")
ENDS_TODAY = lazy("Ends today")
ENDS_SOON = lazy("Ends within 24 h")
NOT_SENT = lazy("Not sent")
ENDED_UNPAID = lazy("Ended unpaid")
PAYMENT_FAILED = lazy("Payment failed")
COLLECTED_TODAY = lazy("Collected today")
COLLECTED_YESTERDAY = lazy("Collected yesterday")
#: Where it is not known of any payment when it was made.
PAID_UNTIMED = lazy("Paid, time not known")

#: Of links that are urgent for nothing else.
CHECK_FAILED = lazy("Check failed")

#: What is said in place of a figure that counts no links.
NONE_OPEN = lazy("No open link")
NONE_ENDS_SOON = lazy("Nothing ends within 24 h")
NOTHING_TO_SEND = lazy("Nothing to send")
NONE_ENDED = lazy("Nothing ended unpaid")
#: Links has each ended link with all of its challans.
LEFT_OVER = lazy("Without challans that are on another link")
NONE_COLLECTED = lazy("Nothing collected since yesterday")
NONE_COLLECTED_TODAY = lazy("Nothing collected today")


def ends_not_known(count: int) -> str:
    """Say of how many open links nobody knows whether they end within a day."""
    return ngettext("End of %(num)s link not known", "Ends of %(num)s links not known", count)


# What is done with the links that end, and with those that were not sent.


def remind(count: int) -> str:
    """Say how many links of those that end were given to somebody, who is to be reminded."""
    return _("Remind %(count)s", count=count)


def send(count: int) -> str:
    """Say how many links can be sent; with those that have no driver, these are all that wait."""
    return _("Send %(count)s", count=count)


def without_driver(count: int) -> str:
    """Say how many of the links nobody is there to send to."""
    return ngettext("%(num)s has no driver", "%(num)s have no driver", count)


def to_confirm(count: int) -> str:
    """Say of how many of the links whoever opened their messages is asked whether they were sent."""
    return ngettext("%(num)s to confirm", "%(num)s to confirm", count)


def cannot_be_sent(count: int, why: str = "") -> str:
    """Say how many of the links must not be shared as they are, and `why` where it is the same for all."""
    said = ngettext("%(num)s cannot be sent", "%(num)s cannot be sent", count)
    return f"{said}: {why}" if why else said


def paid_with_another(count: int) -> str:
    """Say of how many of the links that end challans were paid with another link."""
    return ngettext("%(num)s paid with another link", "%(num)s paid with other links", count)


def of_it_paid(count: int, total: Sum, *, of: int) -> str:
    """Say how much of what is open, of `count` links, was paid with another link, so that nobody is to pay it."""
    if count == of:
        return _("paid with another link")
    return _("%(sum)s of it paid with another link", sum=format_sum(total))


# What is said of those that somebody has seen to.


def sent(count: int) -> str:
    return ngettext("%(num)s sent", "%(num)s sent", count)


def snoozed(count: int, until: str) -> str:
    if not until:
        return ngettext("%(num)s snoozed", "%(num)s snoozed", count)
    return ngettext("%(num)s snoozed till %(time)s", "%(num)s snoozed, first till %(time)s", count, time=until)


def back_in_follow_up(at: str) -> str:
    return _("back in Follow up %(time)s", time=at)


#: Of those that come back in the night, while nobody is there, and that end later than the morning.
BACK_IN_THE_MORNING = lazy("back in Follow up tomorrow morning")
BACK_THIS_MORNING = lazy("back in Follow up this morning")


def ends_first(at: str) -> str:
    return _("first %(time)s", time=at)


def to_remind(count: int) -> str:
    """Say of how many of the links that end somebody is to be reminded."""
    return ngettext("%(num)s to remind", "%(num)s to remind", count)


def checks_failed(count: int) -> str:
    """Say how many of the urgent links could not be checked."""
    return ngettext("%(num)s check failed", "%(num)s checks failed", count)


def to_check(count: int) -> str:
    """Say how many of the links that end are to be checked with the service first."""
    return ngettext("%(num)s to check", "%(num)s to check", count)


def not_found(count: int) -> str:
    """Say how many of the urgent links the service does not find."""
    return ngettext("%(num)s not found", "%(num)s not found", count)


def nothing_to_send(to_check: int) -> str:
    """Say that none of the links that were not sent can be sent, as they are to be checked before."""
    return ngettext("Nothing to send, %(num)s to check first", "Nothing to send, %(num)s to check first", to_check)


def check_before(count: int) -> str:
    """Say how many links besides were not sent, as they are to be checked before."""
    return ngettext("+ %(num)s to check before sending", "+ %(num)s to check before sending", count)


def also_end_soon(count: int) -> str:
    """Say how many of the links that were not sent end within a day."""
    return ngettext("%(num)s also ends within 24 h", "%(num)s also end within 24 h", count)


def also_end_today(count: int) -> str:
    """Say how many of the links that were not sent end today."""
    return ngettext("%(num)s also ends today", "%(num)s also end today", count)


def also_not_sent(count: int, of: int) -> str:
    """Say how many of the links that end were not sent, which another figure counts and sends."""
    if count < of:
        return ngettext("%(num)s not sent", "%(num)s not sent", count)
    return _("none of them sent") if of > 1 else _("not sent")


def untimed(total: Sum, count: int) -> str:
    """Say what was paid besides, of which the service has not sent when."""
    if total.unknown == count:
        return _("%(unknown)s, time not known", unknown=unknown_amounts(count))
    return _("%(sum)s more, time not known", sum=format_sum(total))


#: As the statement counts them.
UNTIMED = lazy("Counted on the day the payment was first shown")


def check_first(count: int) -> str:
    """Lead to several links that are to be checked before anything is done with them."""
    return ngettext("Check %(num)s link", "Check %(num)s links", count)


def check_payments(count: int) -> str:
    """Lead to several links whose payment failed, of which nobody is known who could be asked."""
    return ngettext("Check %(num)s", "Check %(num)s", count)


def create_again(count: int) -> str:
    """Lead to the links that ended unpaid, each of which is created again by itself."""
    return ngettext("Create %(num)s again", "Create %(num)s again", count)


def ask_about(count: int) -> str:
    """Lead to the links whose payment failed, whose drivers are asked one by one."""
    return ngettext("Ask about %(num)s", "Ask about %(num)s", count)


def note_answers(count: int) -> str:
    """Lead to the links whose payment failed, and whose drivers were all asked."""
    return ngettext("Note %(num)s answer", "Note %(num)s answers", count)


#: Of a card of one link, which names its vehicle.
MONEY_TAKEN = lazy("Driver says money was taken")


def money_taken_of(plate: str) -> str:
    """Say of which vehicle alone among them the driver says so."""
    return _("Driver of %(plate)s says money was taken", plate=plate)


def money_taken(count: int) -> str:
    """Say of how many of them money was taken, as the drivers say."""
    return ngettext("%(num)s driver says money was taken", "%(num)s drivers say money was taken", count)


#: Several of which each needs something else, or of which some cannot be created again without a doubt.
SEE_ALL = lazy("See all")

OPEN_LIST = lazy("Open the list")
OPEN_LINK = lazy("Open the link")
OPEN_REQUEST = lazy("Open the request")
OPEN_SEARCH = lazy("Open the search")
CREATE_AGAIN = lazy("Create again")
ASK_DRIVER = lazy("Ask driver")
NOTE_ANSWER = lazy("Note answer")
OPEN_FAILED = lazy_about("the link", "Open")

#: The buttons of a row whose link cannot be sent at one tap.
CHECK_FIRST_BUTTON = lazy("Check first")
CHECK_NOW = lazy("Check now")
#: Of a part of a card, whose words say how many they are and what they lack.
CHECK, CHOOSE = lazy("Check"), lazy("Choose")
CHECK_PAYMENT = lazy("Check payment")
CHOOSE_DRIVERS = lazy("Choose drivers")
#: Each of these has its own next step there: a phone number, or whether its message was sent.
FOLLOW_UP = lazy("Follow up")
SHARE = lazy("Share")

#: What is said of a request whose outcome is unclear, by its state.
OUTCOME_UNCLEAR = {
    IntentState.SENDING: lazy("Request sent, waiting for the reply"),
    IntentState.UNKNOWN: lazy("Link may exist, we are checking"),
    IntentState.NEEDS_ATTENTION: lazy("Link may exist, our checks could not tell"),
}
NO_OTHER_LINK = lazy("Do not create another link.")
MORE_END_SOON = lazy("More unpaid links end within 6 hours.")
CLAIMS_RELEASED = lazy("Challans released by {manager}; we still look for the link")


def check_because(why: str) -> str:
    """Say in few words why a link is checked before anybody sends it."""
    return _("Check before you send it: %(why)s", why=why)


def more_to_check(count: int) -> str:
    """Say how many links besides are to be checked before they are sent."""
    return ngettext("%(num)s more to check before sending", "%(num)s more to check before sending", count)


def more_cannot_be_sent(count: int) -> str:
    """Say how many links besides cannot be sent."""
    return ngettext("%(num)s more cannot be sent", "%(num)s more cannot be sent", count)


# What is said of an unpaid link that ends soon.


def ends(at: str) -> str:
    return _("Ends %(time)s", time=at)


def not_sent_ends(at: str) -> str:
    return _("Not sent, ends %(time)s", time=at)


def snoozed_till(at: str) -> str:
    return _("Snoozed till %(time)s", time=at)


def new_challans(count: int) -> str:
    """Say how many challans searches of the fleet have found for the first time."""
    return ngettext("%(num)s new challan since yesterday", "%(num)s new challans since yesterday", count)
