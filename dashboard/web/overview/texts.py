"""Every sentence of the overview, and how its figures are written."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import cast

from babel.numbers import format_currency, get_currency_symbol
from flask import current_app

from dashboard.domain.money import Sum
from dashboard.web.shared.current import format_sum, settings
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext

# The period


def last_days(length: int) -> str:
    return _("%(count)s days", count=length)


def days(first: date, last: date) -> str:
    return _("%(first)s to %(last)s", first=short_day(first), last=short_day(last))


STILL_TO_COME = lazy("These days are still to come. Choose days up to today.")


def compared_with(before: str) -> str:
    return _("Compared with %(before)s", before=before)


def not_compared_yet(comparable: date) -> str:
    """Say from which day on there are figures of as many days before."""
    return _("Comparison with the days before starts %(comparable)s", comparable=short_day(comparable))


def begins(first: date) -> str:
    return _("No figures before %(first)s", first=short_day(first))


# How a number changed


SAME, NONE_BEFORE = lazy("Same as before"), lazy("None before")


def more(difference: str) -> str:
    return _("%(difference)s more", difference=difference)


def less(difference: str) -> str:
    return _("%(difference)s less", difference=difference)


def higher(points: int) -> str:
    return ngettext("%(num)s point higher", "%(num)s points higher", points)


def lower(points: int) -> str:
    return ngettext("%(num)s point lower", "%(num)s points lower", points)


def slower(difference: str) -> str:
    return _("%(difference)s slower", difference=difference)


def faster(difference: str) -> str:
    return _("%(difference)s faster", difference=difference)


def with_percent(difference: str, now: Decimal, then: Decimal) -> str:
    share = abs(now - then) * 100 / then
    written = f"{share:.0f}%" if share >= 1 else _("less than 1%")
    return f"{difference} ({written})"


def before_it_was(written: str) -> str:
    return _("Before: %(written)s", written=written)


BEFORE = lazy("Before")


def before_on(days: str) -> str:
    """Name the days that others are compared with."""
    return _("Before, %(days)s", days=days)


# Facts

COLLECTED = lazy("Collected")
OPEN_NOW = lazy("Open now")
MADE = lazy("Links created")
ENDED_UNPAID = lazy("Ended unpaid")
TIME_TO_PAYMENT = lazy("Time to payment")
#: The service does not report who paid by UPI and who by card.
SAVED = lazy("UPI saving, at most")
UNKNOWN = lazy("unknown")


def in_percent(part: int, whole: int) -> int:
    """Return a share in whole percent; only all of them are 100%, and only none of them 0%."""
    rounded = (200 * part + whole) // (2 * whole) if whole else 0
    return min(99, max(1, rounded)) if 0 < part < whole else part * 100 // whole


def paid_of(over: int) -> str:
    """Name the share of the created links that were paid by what it is of: those that are over."""
    return _("Paid, of %(count)s ended", count=number(over))


def percent(share: int) -> str:
    return f"{share}%"


def paid_number(paid: int) -> str:
    """Say how many of the links that are over were paid; how many were not is their own figure."""
    return _("%(count)s paid", count=number(paid))


def payments_failed(count: int) -> str:
    """Say of how many links that ended unpaid the payment failed, which Follow up lists apart."""
    return ngettext("of these, %(num)s payment failed", "of these, %(num)s payments failed", count)


def not_over(still_open: int) -> str:
    """Say how many of the links that were created are not over; "" for none."""
    return _("%(count)s still open", count=number(still_open)) if still_open else ""


def nothing_paid(*, is_new: bool) -> str:
    """Say that nothing was paid in the period; if it holds all links that there are, no other period has more."""
    return _("Nothing was paid yet.") if is_new else _("Nothing was paid in these days. Choose more days.")


def median_of(payments: int, paid: int) -> str:
    """Say how many payments the median is of; of the others of `paid` it is not known how long they took."""
    if payments < paid:
        return _("time known for %(count)s of %(paid)s", count=f"{payments:,}", paid=f"{paid:,}")
    if payments > 1:
        return _("median of %(count)s payments", count=f"{payments:,}")
    return _("the only payment") if payments else ""


def saved_besides(unknown: int, on_open_links: Decimal) -> str:
    """Say of how many links it is not known, and what can be saved besides; "" for neither."""
    parts = [ngettext("fee of %(num)s link unknown", "fee of %(num)s links unknown", unknown)] if unknown else []
    parts += [_("%(on_open_links)s more on open links", on_open_links=amount(on_open_links))] if on_open_links else []
    return " · ".join(parts)


def untimed(count: int, total: Sum) -> str:
    """Say of which collected links the time of payment is not known, and where they are counted; "" for none."""
    if not count:
        return ""
    return _(
        "Of this, %(sum)s (%(links)s): payment time not given, so counted on the day it was first shown as paid.",
        sum=sum_of(total, count),
        links=links(count),
    )


# Charts

AMOUNT, LINKS = lazy("Amount"), lazy("Links")
BY_DAY, BY_WEEK, BY_MONTH = lazy("Collected by day"), lazy("Collected by week"), lazy("Collected by month")
BY_VEHICLE, NO_VEHICLE = lazy("Collected by vehicle"), lazy("No vehicle")
BY_DRIVER, NO_DRIVER = lazy("Collected by driver"), lazy("No driver")
BY_PERSON = lazy("Collected by staff member")
ELSEWHERE, UNCLEAR = lazy("Created outside this dashboard"), lazy("Not known yet who created it")
FROM_CREATION_TO_PAYMENT = lazy("From creation to payment")
MADE_TODAY, SEEN_TODAY, YESTERDAY = lazy("Created today"), lazy("Known since today"), lazy("Yesterday")
TWO_TO_SIX_DAYS, SEVEN_DAYS = lazy("2 to 6 days ago"), lazy("7 days ago and more")
OPEN_BY_VEHICLE = lazy("Open by vehicle")
BY_TYPE, NO_TYPE = lazy("Challans on open links, by type"), lazy("Not stated")


def more_vehicles(more: int) -> str:
    return ngettext("%(num)s more vehicle with less.", "%(num)s more vehicles with less.", more) if more > 0 else ""


def more_drivers(more: int) -> str:
    return ngettext("%(num)s more driver with less.", "%(num)s more drivers with less.", more) if more > 0 else ""


def more_people(more: int) -> str:
    return ngettext("%(num)s more person with less.", "%(num)s more people with less.", more) if more > 0 else ""


def drivers_summary(*, given_to_several: bool, left_out: str) -> str:
    sentences = [left_out] if left_out else []
    if given_to_several:
        sentences.append(_("A link that was sent to two drivers counts for both."))
    return " ".join(sentences)


# Figures


def amount(value: Decimal) -> str:
    return cast(str, current_app.jinja_env.filters["amount"](value))


def number(count: int) -> str:
    return f"{count:,}"


def short_amount(value: float) -> str:
    """Write a round amount for an axis: "₹50,000", "₹2 lakh", "₹1.5 crore"."""
    currency = settings().currency
    for size, name in ((10_000_000, _("crore")), (100_000, _("lakh"))):
        if value >= size and currency == "INR":
            return f"{get_currency_symbol(currency, locale='en_IN')}{value / size:g} {name}"
    return format_currency(value, currency, "¤#,##,##0", locale="en_IN", currency_digits=False)


def sum_of(total: Sum, count: int) -> str:
    """Write the sum of `count` amounts; where all are unknown there is no sum to write."""
    if count and total.unknown == count:
        return _("%(count)s unknown", count=f"{count:,}")
    return format_sum(total)


def known_sum_of(total: Sum, count: int) -> str:
    """Write the sum of the known ones of `count` amounts; the text beside it says how many are unknown."""
    return UNKNOWN if count and total.unknown == count else amount(total.total)


def links(count: int, total: Sum | None = None) -> str:
    """Write a number of links, and how many of their amounts are unknown."""
    written = ngettext("%(count)s link", "%(count)s links", count, count=f"{count:,}")
    if total is None or not total.unknown:
        return written
    return _("%(links)s, amount of %(count)s unknown", links=written, count=total.unknown)


def links_with_sum(count: int, total: Sum) -> str:
    return f"{_sum_beside(total, count)} · {links(count)}"


def challans_with_sum(count: int, total: Sum) -> str:
    written = ngettext("%(count)s challan", "%(count)s challans", count, count=f"{count:,}")
    return f"{_sum_beside(total, count)} · {written}"


def _sum_beside(total: Sum, count: int) -> str:
    """Write the sum of so many things, whose number stands beside it."""
    return _("Amount unknown") if count and total.unknown == count else format_sum(total)


def duration(hours: float) -> str:
    """Write a duration in minutes, hours or days."""
    if hours * 60 < 1:
        return _("Under 1 min")
    if hours < 1:
        return _("%(count)s min", count=round(hours * 60))
    return _("%(count)s h", count=f"{hours:.1f}") if hours < 48 else _("%(count)s days", count=f"{hours / 24:.1f}")


def short_day(day: date) -> str:
    return cast(str, current_app.jinja_env.filters["short_date"](day))


def month(day: date) -> str:
    return cast(str, current_app.jinja_env.filters["month"](day))
