"""Word what people read in lists of payment links: counts, tabs, and what stands in a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from dashboard.domain.link_doubts import LinkDoubt
from dashboard.domain.link_filters import DayOf, Only, PaidAfter, SortBy
from dashboard.domain.links import ACTIVE, CANCELLED, EXPIRED, FAILED, PAID
from dashboard.domain.sharing import SENDS, Channel
from dashboard.web.links import texts
from dashboard.web.links.records import PaymentAddress
from dashboard.web.shared.current import format_moment, format_near, format_near_day
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext
from dashboard.web.sharing.texts import CHANNELS, NOT_DRIVERS, sent_by

#: What links may wait for, whatever their state is.
ONLY = {
    Only.OPEN: lazy("Open"),
    Only.NOT_SENT: lazy("Not sent"),
    Only.SENT: lazy("Sent"),
    Only.COPIED: lazy("Copied"),
    Only.CHECK_FIRST: lazy("Check before sending"),
    Only.NO_LONGER_KNOWN: lazy("Not found at the service"),
    Only.PAID_ELSEWHERE: lazy("Paid with another link"),
    Only.ENDS_TODAY: lazy("Ends today"),
    Only.ENDS_SOON: lazy("Ends within 24 h"),
    Only.NEEDS_ACTION: lazy("Urgent"),
}
#: How a link was given, where the name of the channel says more than a row has room for.
_GIVEN_BY = {Channel.SHEET: lazy("Shared"), Channel.PRINT: lazy("Printed")}
WHAT_IS_URGENT = lazy("Ends within 24 h or overdue, check failed, or driver says money was taken")
ALL = lazy("All")
#: Before the sums of a list that has links of several kinds.
TO_COLLECT, PAID_SUM = lazy("To collect"), lazy("Paid")
#: Before the sum of links that ended unpaid: a new link may have their challans by now.
ENDED_SUM = lazy("Incl. replaced links")
ANY_DRIVER = lazy("Any driver")
ANY_MAKER = lazy("Created by anyone")
DATES = lazy("Dates")
VIEW_SAVED = lazy("View “{name}” saved")
VIEW_DELETED = lazy("View “{name}” deleted")
COLUMNS = {
    SortBy.VEHICLE: lazy("Payment link"),
    SortBy.STATE: lazy("State"),
    SortBy.AMOUNT: lazy("Amount"),
    SortBy.ENDS: lazy("When"),
    SortBy.MADE: lazy("Created"),
}
DAYS_OF = {DayOf.MADE: lazy("Created"), DayOf.PAID: lazy("Paid"), DayOf.ENDED: lazy("Ended")}
PAID_AFTER = {
    PaidAfter.FIRST_HOUR: lazy("Within 1 h"),
    PaidAfter.HOURS: lazy("1 to 6 h"),
    PaidAfter.DAY: lazy("6 to 24 h"),
    PaidAfter.NEXT_DAY: lazy("24 to 48 h"),
    PaidAfter.LATER: lazy("Later"),
}
#: The states that the filter offers, before any that the ledger holds besides.
FIRST_STATES = (ACTIVE, PAID, EXPIRED, FAILED, CANCELLED)
_NONE_IN = {
    ACTIVE: lazy("No active links"),
    PAID: lazy("No paid links"),
    EXPIRED: lazy("No expired links"),
    FAILED: lazy("No failed links"),
    CANCELLED: lazy("No cancelled links"),
}
ANY = lazy("Any")
MADE_ELSEWHERE = lazy("Created outside this dashboard")
#: Said in rows, which have little room.
CREATED_ELSEWHERE = lazy("created elsewhere")
NOT_A_DAY = lazy("Choose the day again.")
NOT_AN_AMOUNT = lazy("Enter an amount such as 2500 or 2,500.50.")
MOST_BELOW_LEAST = lazy("Max amount is below min amount.")
VIEW_NAME = lazy("Give the view a name of at most {most} letters.")
TOO_MANY_VIEWS = lazy("You have {most} views already. Delete one first.")
NAME_OF_VIEW = lazy("Name")
SAVED_VIEW = lazy("A view of the list of links")


def counted(count: int, *, more: bool, narrows: bool) -> str:
    """Say how many links the list has."""
    if more:
        return _("More than %(count)s links match this filter", count=f"{count:,}")
    if narrows:
        return ngettext("%(num)s link matches this filter", "%(num)s links match this filter", count)
    return ngettext("%(num)s link", "%(num)s links", count)


#: What a field of the filter holds that cannot be read: its kind, as a sentence names it.
_HELD = {"from": "date", "to": "date", "least": "amount", "most": "amount"}
_NOT_APPLIED = {
    ("date",): lazy("Date not applied"),
    ("amount",): lazy("Amount not applied"),
    ("date", "amount"): lazy("Date and amount not applied"),
}


def not_applied(fields: Iterable[str]) -> str:
    """Say which parts of the filter cannot be read, so that the list is not narrowed by them; "" where all can."""
    kinds = {_HELD[field] for field in fields}
    return str(_NOT_APPLIED[tuple(kind for kind in ("date", "amount") if kind in kinds)]) if kinds else ""


def counted_without(not_applied: str, count: int, *, more: bool) -> str:
    """Say how many links the list has without the parts of the filter that were not applied."""
    links = ngettext("%(num)s link", "%(num)s links", count)
    if more:
        links = _("More than %(count)s links", count=f"{count:,}")
    return f"{not_applied}: {links}"


def none_in(states: Sequence[str]) -> str:
    """Say that no link is in a state, by its name where that is known."""
    found = _NONE_IN.get(states[0]) if len(states) == 1 else None
    return str(found) if found else _("No link in this state.")


def shows(count: int, *, more: bool) -> str:
    """Say how many links are shown once the filters are closed."""
    if more:
        return _("Show over %(count)s links", count=f"{count:,}")
    return ngettext("Show %(num)s link", "Show %(num)s links", count)


def page_of(first: int, last: int, total: int, *, more: bool) -> str:
    """Say which of the links of the list are on this page of it."""
    words = {"first": f"{first:,}", "last": f"{last:,}", "total": f"{total:,}"}
    return (
        _("%(first)s to %(last)s of over %(total)s", **words)
        if more
        else _("%(first)s to %(last)s of %(total)s", **words)
    )


NOTHING_CHOSEN = lazy("Tick at least one link first.")


def follow_up(asked: int, left_out: int) -> str:
    """Say how many links were put into the follow-up queue."""
    said = ngettext("%(num)s link is in Follow up.", "%(num)s links are in Follow up.", asked)
    if not left_out:
        return said
    without = ngettext(
        "%(num)s was left out: it can no longer be paid.",
        "%(num)s were left out: they can no longer be paid.",
        left_out,
    )
    return f"{said} {without}"


def not_followed_up(taken_back: int) -> str:
    """Say how many links were taken out of the follow-up queue again."""
    return ngettext(
        "Undone: %(num)s link is not in Follow up for this any more.",
        "Undone: %(num)s links are not in Follow up for this any more.",
        taken_back,
    )


NONE_CAN_BE_SENT = lazy("None of the chosen links can still be paid, so none is sent.")
NONE_CAN_BE_SENT_NOW = lazy("None of the chosen links can be sent now. Open each to see why.")
NO_DRIVER_CHOSEN = lazy("The vehicles of the chosen links have no driver with a phone number. Choose drivers first.")


def too_many_for_messages(count: int) -> str:
    """Say how many chosen links are not on the page of the messages, because it names no more."""
    return ngettext(
        "%(num)s chosen link is one too many at once. Send it afterwards.",
        "%(num)s chosen links are too many at once. Send them afterwards.",
        count,
    )


# When a link ends or has ended

END_UNKNOWN, PAID_AT_UNKNOWN = lazy("end not known"), lazy("paid, time not known")
#: Beside the state.
TIME_UNKNOWN = lazy("time not known")


def ends(when: str, *, should_have: bool) -> str:
    """Say when a link ends, or when it should have ended."""
    return _("should have ended %(when)s", when=when) if should_have else _("ends %(when)s", when=when)


def was_paid(when: str) -> str:
    """Say when a link was paid."""
    return _("paid %(when)s", when=when)


def has_ended(status: str, when: str) -> str:
    """Say when a link ended without payment."""
    if status == EXPIRED:
        return _("expired %(when)s", when=when)
    return _("failed %(when)s", when=when) if status == FAILED else _("cancelled %(when)s", when=when)


def told_by(challan_no: str, others: int) -> str:
    """Name a link by one of its challans, beside another of the same vehicle and amount."""
    number = f"{challan_no} + {others}" if others else challan_no
    return _("Challan %(number)s", number=number)


# To whom it was given


def not_sent(*, is_observed: bool) -> str:
    """Say that nobody was sent a link. `is_observed`: it was created elsewhere, where others may have sent it."""
    return _("Not sent from here") if is_observed else _("Not sent yet")


#: Of a link that is over, whose driver is named who was not given it.
NEVER_SENT = lazy("Not sent")
#: Of a failed link that nobody was sent.
WAS_MONEY_TAKEN = lazy("Was money taken?")
#: In place of "Not sent yet".
CANNOT_BE_SENT = lazy("Cannot be sent")
#: Below that nobody was sent a link: what is to be checked before.
_CHECK_BECAUSE = {
    LinkDoubt.NEVER_CHECKED: lazy("not checked yet"),
    LinkDoubt.STATE: lazy("we do not know this state"),
    LinkDoubt.MONEY_TAKEN: lazy("money was taken before"),
    LinkDoubt.DUPLICATE: lazy("another link has the same challans"),
    LinkDoubt.OTHER_VEHICLE: lazy("challan of another vehicle"),
    LinkDoubt.AMOUNTS: lazy("amounts do not match"),
}
_WHY_NOT = {
    texts.NO_PAYMENT_URL: lazy("no payment URL yet"),
    texts.NEVER_CHECKED: lazy("not checked yet"),
    texts.URL_LEFT_OUT: lazy("no payment URL any more"),
    texts.MAY_BE_PAID: texts.MAY_BE_PAID_STATE,
    texts.PAID_WITH_DUPLICATE: lazy("paid with another link"),
    **dict.fromkeys(texts.URL_PROBLEMS.values(), lazy("payment URL not safe")),
}


def why_not(payment: PaymentAddress) -> str:
    """Say in few words why a link cannot be sent; "" where its state or its expiry says it."""
    return str(_WHY_NOT.get(payment.problem or "", ""))


def withheld(payment: PaymentAddress) -> str:
    """Say that a link cannot be sent, and why."""
    return withheld_because(why_not(payment))


def withheld_because(why: str) -> str:
    """Say that a link cannot be sent, and why; `why` is empty where that stands beside it."""
    return _("Cannot be sent: %(why)s", why=why) if why else str(CANNOT_BE_SENT)


def check_because(doubt: LinkDoubt) -> str:
    """Say in few words what is doubtful about a link."""
    return str(_CHECK_BECAUSE[doubt])


def check_first(doubt: LinkDoubt) -> str:
    """Say why a link is checked before anybody is sent it."""
    return _("Check before sending: %(why)s", why=check_because(doubt))


def says_taken(at: datetime) -> str:
    """Say that the driver of a failed link says that money was taken, and when that was noted."""
    return _("Driver says money was taken, %(when)s", when=texts.in_one_line(format_moment(at)))


def given_to(channel: Channel) -> str:
    """Say who was given a link that went to no driver, or else how it was given."""
    return str(NOT_DRIVERS.get(channel) or _GIVEN_BY.get(channel, CHANNELS[channel]))


def given_briefly(channel: Channel, at: datetime) -> str:
    """Say when a link was given; that it was sent, where `given_to` does not say how."""
    when = format_near_day(at)
    return _("Sent %(when)s", when=when) if channel in SENDS else when


def copied(at: datetime) -> str:
    """Say when a payment URL was copied."""
    return _("Copied %(when)s", when=format_near(at))


def prepared(at: datetime) -> str:
    """Say when a message was prepared of which nobody has said yet whether it was sent."""
    return _("Message prepared %(when)s", when=format_near(at))


def given(channel: Channel, at: datetime) -> str:
    """Say how and when a link was given to somebody."""
    return f"{how_given(channel)} {format_near(at)}"


def how_given(channel: Channel) -> str:
    """Say how a link was given to somebody; of WhatsApp, by which most are, no more than that it was sent."""
    return _("Sent") if channel is Channel.WHATSAPP else str(_GIVEN_BY.get(channel) or sent_by(channel))


def days(day_of: DayOf, first: str | None, last: str | None) -> str:
    """Name the days of a filter: "Paid: 21 Nov to 22 Nov"."""
    event = DAYS_OF[day_of]
    if first and last:
        return _("%(event)s: %(first)s to %(last)s", event=event, first=first, last=last)
    if first:
        return _("%(event)s: from %(first)s", event=event, first=first)
    return _("%(event)s: until %(last)s", event=event, last=last)
