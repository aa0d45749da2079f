"""Every sentence of the overview, and how its figures are written."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import cast

from flask import current_app

from dashboard.domain.money import Sum

# Facts

OPEN = "Open"
TIME_TO_PAYMENT = "Time to payment"
SAVED = "Saved by the cheaper way to pay (maximum)"
UNKNOWN = "unknown"


def paid_in(weeks: int) -> str:
    return f"Paid in {weeks} weeks"


def payments_came_sooner(payments: int) -> str:
    """Say how many payments the median is of."""
    if payments > 1:
        return f"median of {payments:,} payments"
    return "the only payment so far" if payments else "no payment yet"


def saved_at_most(on_open_links: Decimal) -> str:
    return f"{amount(on_open_links)} more can be saved on open links"


def more_paid(count: int, total: Sum) -> str:
    """Say how many links more were paid without a time; "" for none."""
    return f"; {count:,} more paid, payment time not known, {sum_of(total, count)}" if count else ""


# Charts

BY_AGE, AMOUNT = "Open, by age", "Amount"
MADE_TODAY, YESTERDAY = "Made today", "Yesterday"
TWO_TO_SIX_DAYS, SEVEN_DAYS = "2 to 6 days ago", "7 days ago and more"
BY_STATE, LINKS = "Links, by state", "Links"
BY_VEHICLE, NO_VEHICLE = "Open, by vehicle", "No vehicle"
BY_TYPE, NO_TYPE = "Challans on open links, by type", "Not stated"
BY_WEEK, MADE, PAID, LAPSED = "Links made, paid and lapsed, by week", "Made", "Paid", "Lapsed"
SAVED_BY_WEEK, SAVED_AT_MOST = "Saved by the cheaper way to pay (maximum), by week", "Saved (maximum)"
CALLS_BY_DAY = "Calls to the service, by day"
CALLS_SUMMARY = "The service limits searches and new links per day; it does not say how many."
SEARCHES, CREATIONS, STATUS_CALLS = "Searches and lookups", "Links asked for", "State checks"


def left_out_vehicles(shown: int, more: int) -> str:
    return f"The {shown} vehicles with the most to pay; {more} more have open links." if more > 0 else ""


def paid_in_no_week(count: int) -> str:
    return f"{links(count)} paid, payment time not known, so not in any week." if count else ""


def time_to_payment(weeks: int) -> str:
    return f"From making to payment, last {weeks} weeks"


def saved_summary(unknown: int) -> str:
    """Explain the savings by week; `unknown` is of how many links they are not known."""
    summary = "Difference between the dearest and the cheapest way to pay, on links paid in each week."
    return f"{summary} Unknown of {links(unknown)}." if unknown else summary


# Figures


def amount(value: Decimal) -> str:
    return cast(str, current_app.jinja_env.filters["amount"](value))


def sum_of(total: Sum, count: int) -> str:
    """Write the sum of `count` amounts; where all are unknown there is no sum to write."""
    if count and total.unknown == count:
        return f"{count:,} unknown"
    written = amount(total.total)
    return f"{written} + {total.unknown} unknown" if total.unknown else written


def known_sum_of(total: Sum, count: int) -> str:
    """Write the sum of the known ones of `count` amounts; the text beside it says how many are unknown."""
    return UNKNOWN if count and total.unknown == count else amount(total.total)


def links(count: int, total: Sum | None = None) -> str:
    """Write a number of links, and how many of their amounts are unknown."""
    unknown = f", {total.unknown} with amount not known yet" if total is not None and total.unknown else ""
    return f"{count:,} link{'s' if count != 1 else ''}{unknown}"


def links_with_sum(count: int, total: Sum) -> str:
    return f"{sum_of(total, count)} · {links(count)}"


def challans_with_sum(count: int, total: Sum) -> str:
    return f"{sum_of(total, count)} · {count:,} challan{'s' if count != 1 else ''}"


def duration(hours: float) -> str:
    """Write a duration in minutes, hours or days."""
    return f"{round(hours * 60)} min" if hours < 1 else f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} days"


def short_day(day: date) -> str:
    return f"{day.day} {day:%b}"
