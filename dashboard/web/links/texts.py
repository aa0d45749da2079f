"""Word what people read on the page of a payment link."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dashboard.domain.link_doubts import LinkDoubt
from dashboard.domain.links import CANCELLED, FAILED
from dashboard.domain.money import Sum
from dashboard.domain.payment_urls import UrlProblem
from dashboard.domain.sharing import Channel
from dashboard.web.links import timeline_texts
from dashboard.web.links.timeline_texts import NOT_SAVED, SHARED
from dashboard.web.shared.current import format_moment, format_near_day, format_sum
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext
from dashboard.web.shared.records import StateWords
from dashboard.web.shared.texts import RECOVERED_SENTENCE, join_words, name_first

#: How many challans a warning names.
_MOST_NAMED = 5

# The payment URL

URL_PROBLEMS = {
    UrlProblem.MALFORMED: lazy("This payment URL is not a well-formed web address."),
    UrlProblem.WITH_CREDENTIALS: lazy("This payment URL carries a user name, which a payment page never does."),
    UrlProblem.NOT_SECURE: lazy("This payment URL is not safe (not https)."),
    UrlProblem.NOT_ON_PAYMENT_PAGE: lazy("This payment URL is not on the configured payment page."),
}
URL_LEFT_OUT = lazy("The service’s latest answer has no payment URL. Do not share the earlier one.")
URL_LEFT_OUT_WHY = lazy("The service’s latest answer has no payment URL.")  # under `DO_NOT_SEND_LINK`
DO_NOT_SEND_LINK, NOBODY_CAN_PAY = lazy("Do not send this link"), lazy("Nobody can pay yet")
#: What to do about it.
URL_LEFT_OUT_NEXT = lazy("Each check asks for it again. If none comes, ask the service’s support.")
NO_PAYMENT_URL = lazy("The service sent no payment URL.")
ADDRESS_NEXT = lazy("It cannot be sent from here. Show it to an administrator.")
ADDRESS_NEXT_ADMIN = lazy("It cannot be sent from here. Report it to the service’s support.")
OTHER_PAGE_NEXT_ADMIN = lazy(
    "It cannot be sent from here. If payment pages have moved there, change DASHBOARD_PAYMENT_PAGE_BASE; if not, "
    "report it to the service’s support."
)
PAID_NOTHING_TO_SHARE = lazy("This link is paid; there is nothing to share.")
ENDED_NOTHING_TO_SHARE = lazy("This link has ended; there is nothing to share.")
#: The expiry has passed, and the service has not said yet what became of the link.
RUN_OUT = lazy("This link has most likely ended at {at}. Checking.")
UNKNOWN_NOT_SHARED = lazy("The service no longer knows this link. Do not give it to anybody.")
PAID_WITH_DUPLICATE = lazy("Challans of this link were paid with another link. Do not share it.")

# The panel

CHECKED_AGAIN = lazy("{trouble} We check again automatically.")
CHECKS_HELD_BACK = lazy("This link was last checked {at}. Checking is on hold for now and resumes automatically.")
CHECKS_STOPPED = lazy("Last checked {at}; checks are late.")
CHECKS_STOPPED_AT = lazy("Last checked {at}; checks are stopped.")
COPY_NOT_CHECKED = lazy(
    "Not copied: an earlier link for these challans could not be checked just now. Try again in a minute."
)
REPORTED_PAID_BEFORE = lazy("The service reported this link as paid before. Its present state is shown.")
MAY_BE_PAID_STATE = lazy("may be paid already")
#: Beside a state that says nothing of it.
WITHOUT_PAYMENT_URL, WITH_UNSAFE_URL = lazy("no payment URL"), lazy("unsafe URL")
#: The same of one whose challans or amounts are doubtful.
TO_CHECK_FIRST = lazy("check first")
REPLACED = lazy("replaced")
MAY_BE_PAID = lazy(
    "The service gives a time of payment, but does not call this link paid. Do not share it. We check again "
    "automatically."
)
EXPIRY_LEFT_OUT = lazy("The service’s latest answer gives no expiry; the one shown is from an earlier answer.")
CHALLANS_LEFT_OUT = lazy("The service has not listed the challans on this link.")
SHOULD_HAVE_EXPIRED = lazy("This link should have expired. Checking.")
HAS_DUPLICATES = lazy("Challans of this link are on another link too. If both are paid, money was paid twice.")
CHECKED_UNTIL = lazy("A late payment may still arrive, so this link is checked until {until}.")
#: A search shows that there is a link, and neither its state now nor until when it can be paid.
NEVER_CHECKED = lazy("Found by a search, and not checked yet. Check with the service before you send the link.")
DO_NOT_SEND = lazy("Do not send it yet.")
#: What is doubtful about a link, of which no challan or amount is to be named.
DOUBTS = {
    LinkDoubt.NEVER_CHECKED: NEVER_CHECKED,
    LinkDoubt.DUPLICATE: lazy("Another link has the same challans. Send only one of them, or money may be paid twice."),
    LinkDoubt.STATE: lazy("We do not know this state. Do not send the link until the service’s support explains it."),
}
#: Below the button that creates a link again.
LATE_PAYMENT_FIRST = lazy("We look for a late payment first; this can take a minute.")
LATE_PAYMENT_FIRST_AND_UNTIL = lazy("We look for a late payment first, and keep looking until {until}.")
CHECKED_NO_MORE = lazy("This link is no longer checked automatically. Press Check now to ask the service.")

MODES = {"UPI": lazy("UPI"), "CREDIT_CARD": lazy("Credit card")}
#: In which way a link comes to its amount.
BY_MODE = {"UPI": lazy("by UPI"), "CREDIT_CARD": lazy("by credit card")}
UNNAMED_MODE = lazy("(not named)")
AMOUNTS = (
    ("base_amount", lazy("Fines")),
    ("legal_fee", lazy("Legal fee")),
    ("gst", lazy("GST")),
    ("convenience_fee", lazy("Convenience fee")),
)
#: The same inside of a sentence.
PARTS = (lazy("fines"), lazy("legal fee"), lazy("GST"), lazy("convenience fee"))
TOTAL = lazy("total")
LINK_AMOUNT = lazy("This link")
NO_NUMBER = lazy("(no number)")
ORIGIN_OPEN = lazy("Not known yet who made it: the request of {asked} for its challans is still open.")
MADE_ELSEWHERE_IN_LIST, MAKER_NOT_SETTLED = lazy("created outside this dashboard"), lazy("maker not known yet")
A_COLLEAGUE = lazy("a colleague")
PAYMENT_LINK = lazy("Payment link")
WITHOUT_VEHICLE = lazy("a link without a vehicle")


def marked_as_checked(what: str, by: str, at: str, note: str) -> str:
    """Say that what Reconcile found on a link was marked as checked: "Paid after expiry: checked by Meera Iyer, …"."""
    said = _("%(what)s: checked by %(by)s, %(at)s", what=what, by=by, at=at)
    return f"{said}: “{note}”" if note else said


def key_refused(since: datetime) -> str:
    """Tell an administrator that the service refuses the key, and what that stops."""
    return _(
        "The service has refused the API key since %(since)s. Searching, new links and checks of links are stopped.",
        since=format_moment(since),
    )


def in_one_line(moment: str) -> str:
    """Keep a moment together where a line of a sentence ends."""
    return moment.replace(" ", "\N{NO-BREAK SPACE}")


def origin_recovered(asked_at: datetime) -> str:
    """Say that a link was found by resolving the outcome of its request."""
    return RECOVERED_SENTENCE.format(asked=format_moment(asked_at))


def last_known(state: StateWords, at: str) -> str:
    """Say what a link was when the service last knew it."""
    return _("Last known: %(state)s, %(at)s", state=state.shown, at=at)


def covers_fewer(covered: int, asked: int, missing: Sequence[str], *, is_held: bool, ends: bool) -> str:
    """Say that a link covers only some of the challans of its request, which are missing, and whether it holds them.

    `ends`: it is known when.
    """
    words = _("The link has %(covered)s of the %(asked)s challans requested.", covered=covered, asked=asked)
    names = _first(missing)
    held = (
        _("Missing: %(names)s, held until this link ends.", names=names)
        if ends
        else _(
            "Missing: %(names)s, held until this link ends, which is not known; ask the service’s support.",
            names=names,
        )
    )
    return f"{words} {held if is_held else _('Missing: %(names)s.', names=names)}"


def covers_others(others: Sequence[str]) -> str:
    """Say which challans a link covers that its request did not name."""
    return ngettext(
        "The link also pays for %(num)s challan that was not requested: %(names)s.",
        "The link also pays for %(num)s challans that were not requested: %(names)s.",
        len(others),
        names=_first(others),
    )


def of_vehicle(number: str, plate: str) -> str:
    """Name a challan of another vehicle: "ZZ1 of KA01 AA 0001"."""
    return _("%(number)s of %(plate)s", number=number, plate=in_one_line(plate))


def other_vehicle(names: Sequence[str]) -> str:
    """Say which challans of other vehicles are paid with a link, and what to do about it."""
    return _(
        "This link also pays for %(names)s. Do not send it yet; ask the service’s support why.", names=_first(names)
    )


def why_other_vehicle(names: Sequence[str]) -> str:
    """Say the same where it stands above that the link is not to be sent yet."""
    return _("This link also pays for %(names)s. Ask the service’s support why.", names=_first(names))


def in_reconcile(titles: Sequence[str]) -> str:
    """Say under which names Reconcile lists a link."""
    return _("Reconcile lists this link: %(found)s.", found=" · ".join(titles))


def ended_before(state: str) -> str:
    """Say that a paid link had ended before, as the service showed it."""
    return _("The service showed it as %(state)s first, and as Paid later.", state=state)


def still_pending(numbers: Sequence[str]) -> str:
    """Say which challans of a paid link the department still showed as payable when it was asked last."""
    return _("The department still shows %(names)s as pending.", names=_first(numbers))


def pending_at(at: datetime) -> str:
    """Say when that was."""
    return _("As of %(at)s.", at=in_one_line(format_moment(at)))


def ask_support(at: datetime, until: datetime, now: datetime, *, days: int) -> str:
    """Say when to ask support about what was pending `at` a moment: `until` is so many days after the payment."""
    if at >= until:
        return _("That is %(days)s days after the payment: ask the service’s support.", days=days)
    if now >= until:
        return _("Verify again in Reconcile. Still pending? Ask the service’s support.")
    return _(
        "The department can take days. Still pending after %(when)s? Verify again in Reconcile, and ask the service’s "
        "support.",
        when=in_one_line(format_near_day(until)),
    )


def _first(numbers: Sequence[str]) -> str:
    return name_first(numbers[:_MOST_NAMED], len(numbers))


#: The reason shown when a failed call prevented the plan of a replacement.
REPLACEMENT_FAILED = lazy("{title}. {text} No new link was requested.")


def by_mode(label: str) -> str:
    """Say in which way a link comes to its amount."""
    return _("by %(mode)s", mode=label)


def amount_by(amount: str, by: str) -> str:
    """Say what a link comes to in one way to pay: "₹2,795.00 by UPI"."""
    return _("%(amount)s %(by_mode)s", amount=amount, by_mode=by)


def if_paid(amount: str, by: str) -> str:
    """Say what a paid link came to in another way to pay: "₹2,850.90 if paid by credit card"."""
    return _("%(amount)s if paid %(by_mode)s", amount=amount, by_mode=by)


def added_if_paid(more: str, total: str, by: str) -> str:
    """Say what another way has added: "If paid by credit card: ₹160.49 was added, ₹8,184.94 in all"."""
    return _("If paid %(by_mode)s: %(more)s was added, %(total)s in all", by_mode=by, more=more, total=total)


def one_of_ways(ways: Sequence[str]) -> str:
    """Say that a link was paid in one of several ways, all for one amount: "by UPI, or by credit card"."""
    first, last = ", ".join(ways[:-1]), ways[-1]
    return _("%(first)s, or %(last)s", first=first, last=last) if first else last


def free_again(count: int, covered: int, total: Sum) -> str:
    """Say what of an ended link can go on another one; the button says the sum where it is another than the link's."""
    if count == covered:
        words = ngettext(
            "You can create a new link for its challan", "You can create a new link for all %(num)s challans", count
        )
    else:
        words = ngettext(
            "You can create a new link for %(count)s of its %(num)s challans",
            "You can create a new link for %(count)s of its %(num)s challans",
            covered,
            count=count,
        )
    return words if total.unknown in (0, count) else f"{words} · {format_sum(total)}"


def taken(count: int, covered: int, *, is_new: bool) -> str:
    """Say how many challans of an ended link another one has, which was made in its place if it `is_new`."""
    if not count:
        return _("A new link took its place") if is_new else _("Its challans are on another link")
    if count < covered:
        part = {"count": count, "num": covered}
        words = _("%(count)s of its %(num)s challans are on the new link", **part)
        return words if is_new else _("%(count)s of its %(num)s challans are on another link", **part)
    if is_new:
        return ngettext("Its challan is on the new link", "All %(num)s challans are on the new link", count)
    return ngettext("Its challan is on another link", "All %(num)s challans are on another link", count)


def ended_link(status: str, at: datetime | None) -> str:
    """Name an ended link by when it ended, inside of a sentence."""
    if at is None:
        return _("a link that has expired")
    when = format_near_day(at)
    if status == FAILED:
        return _("a link whose payment failed %(when)s", when=when)
    if status == CANCELLED:
        return _("a link that was cancelled %(when)s", when=when)
    return _("a link that expired %(when)s", when=when)


def more_to_pay(count: int, total: Sum) -> str:
    """Say what else of the vehicle of a paid link can be paid."""
    if total.unknown == count:
        return ngettext("%(num)s more challan can be paid", "%(num)s more challans can be paid", count)
    return ngettext(
        "%(num)s more challan can be paid · %(sum)s",
        "%(num)s more challans can be paid · %(sum)s",
        count,
        sum=format_sum(total),
    )


def no_more_to_pay(searched_at: datetime) -> str:
    """Say that nothing else of the vehicle of a paid link can be paid, and since when that is known."""
    return _("No other challan can be paid, as of the search %(at)s", at=in_one_line(format_moment(searched_at)))


HOW_NOT_SAID = lazy("The service does not say how it was paid.")


def beyond_challans(difference: str, *, is_more: bool) -> str:
    """Say by how much a link asks more or less than its challans come to."""
    if is_more:
        return _("The service asks %(more)s more", more=difference)
    return _("The service asks %(less)s less", less=difference)


def of_the_link(numbers: Sequence[str]) -> str:
    """Say where the amount of a link comes from whose vehicle's search does not give those of these challans."""
    return _("The search gives no amount of %(names)s; the total is the link’s.", names=_first(sorted(numbers)))


def parts_not_known(parts: Sequence[str]) -> str:
    """Say which amounts of a link the service does not give: "Not known: GST, convenience fee and total."."""
    return _("Not known: %(parts)s.", parts=join_words(parts))


def unknown_on_the_link(numbers: Sequence[str], *, of_others: int) -> str:
    """Say of which challans the link gives no amount, and whether its total is that of the others, `of_others` many."""
    if of_others:
        return ngettext(
            "The amount of %(names)s is not known; the total is that of the other challan.",
            "The amount of %(names)s is not known; the total is that of the other %(num)s challans.",
            of_others,
            names=_first(sorted(numbers)),
        )
    return _("The amount of %(names)s is not known; the total is the link’s.", names=_first(sorted(numbers)))


def copied_only(at: datetime) -> str:
    """Say when a payment URL was copied of a link that was not sent."""
    return _("Copied only, %(when)s", when=format_moment(at))


def sent(channel: Channel, driver: str | None, at: datetime, *, times: int, is_unconfirmed: bool = False) -> str:
    """Say how, to whom and when a link was sent last, and how often it was."""
    if is_unconfirmed:
        return f"{timeline_texts.not_confirmed(channel, driver or '')} · {in_one_line(format_moment(at))}"
    if channel in NOT_SAVED:
        moment = in_one_line(format_moment(at))
        said = f"{timeline_texts.shared(channel, driver, is_unconfirmed=False)}, {moment}"
    else:
        said = " · ".join(filter(None, (str(SHARED[channel]), driver, format_moment(at))))
    if times == 1:
        return said
    return _("%(said)s · sent %(times)s times in all", said=said, times=times)


def receipt_sent(channel: Channel, driver: str, at: datetime, by: str) -> str:
    """Say how a receipt was sent last and when, and `by` which colleague, so that nobody sends it again unknowing."""
    said = f"{timeline_texts.receipt_sent(channel, driver)}, {in_one_line(format_moment(at))}"
    return " · ".join(filter(None, (said, by)))


def number_not_shown(sender: str | None) -> str:
    """Say what to do about a link that went to a number which was not saved: `sender` has it, or nobody any more."""
    if sender:
        return _("Only %(name)s has this number. Ask %(name)s, or choose a driver.", name=sender)
    return _("This number was not saved. Type it again, or choose a driver.")


FIELDS_SAVED = lazy("Saved")


def checked(state: StateWords) -> str:
    """Say what a check on request found."""
    return _("Checked just now. %(state)s", state=state.said)
