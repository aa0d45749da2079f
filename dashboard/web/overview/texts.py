"""Every sentence of the overview, and how its figures are written."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import cast

from babel.numbers import format_currency, get_currency_symbol
from flask import current_app

from dashboard.domain.money import Sum
from dashboard.web.shared.current import settings

# The period


def last_days(length: int) -> str:
    return f"{length} days"


def days(first: date, last: date) -> str:
    return f"{short_day(first)} to {short_day(last)}"


def compared_with(days_before: str) -> str:
    return f"compared with {days_before}"


def cannot_compare(first_link: date) -> str:
    return f"the first link is of {short_day(first_link)}, so there is nothing to compare with yet"


def change(now: Decimal | int, then: Decimal | int, length: int) -> str:
    """Say how a number compares with the same number in the days before."""
    days_before = f"the {length} days before"
    if now == then:
        return f"Same as in {days_before}"
    if not then:
        return f"None in {days_before}"
    share = abs(Decimal(now) - then) * 100 / then
    written = f"{share:.0f} %" if share >= 1 else "Less than 1 %"
    return f"{'▲' if now > then else '▼'} {written} {'more' if now > then else 'less'} than in {days_before}"


def before_it_was(written: str) -> str:
    return f"Before: {written}"


def begins_on(first_link: date) -> str:
    return f"From the first link on, {short_day(first_link)}."


# Facts

COLLECTED = "Collected"
OPEN_NOW = "Open now"
MADE = "Links created"
ENDED_UNPAID = "Ended unpaid"
TIME_TO_PAYMENT = "Time to payment"
SAVED = "Saved by the cheaper way to pay (maximum)"
UNKNOWN = "unknown"


def median_of(payments: int) -> str:
    """Say how many payments the median is of."""
    if payments > 1:
        return f"median of {payments:,} payments"
    return "the only payment" if payments else "no payment"


def saved_at_most(unknown: int, on_open_links: Decimal) -> str:
    """Say of how many links it is not known, and what can be saved besides; "" for neither."""
    parts = [f"not known of {links(unknown)}"] if unknown else []
    parts += [f"{amount(on_open_links)} more can be saved on open links"] if on_open_links else []
    return "; ".join(parts)


def more_paid(count: int, total: Sum) -> str:
    """Say how many links more were paid without a time; "" for none."""
    return f"; {count:,} more paid, payment time not known, {sum_of(total, count)}" if count else ""


# Charts

AMOUNT, LINKS = "Amount", "Links"
BY_DAY = "Collected by day"
BY_VEHICLE, NO_VEHICLE = "Collected by vehicle", "No vehicle"
BY_DRIVER = "Collected by driver"
BY_PERSON = "Collected by person who created the link"
ELSEWHERE, UNCLEAR = "Created outside this dashboard", "Not known yet who created it"
FROM_CREATION_TO_PAYMENT = "From creation to payment"
OPEN_BY_AGE = "Open by age"
MADE_TODAY, YESTERDAY = "Made today", "Yesterday"
TWO_TO_SIX_DAYS, SEVEN_DAYS = "2 to 6 days ago", "7 days ago and more"
OPEN_BY_VEHICLE = "Open by vehicle"
BY_TYPE, NO_TYPE = "Challans on open links, by type", "Not stated"
VEHICLES, DRIVERS, PEOPLE = ("vehicle", "vehicles"), ("driver", "drivers"), ("person", "people")


def left_out(more: int, named: tuple[str, str]) -> str:
    """Say how many are left out, because they have less; "" for none."""
    return f"{more:,} more {named[0] if more == 1 else named[1]} with less." if more > 0 else ""


def drivers_summary(*, given_to_several: bool, to_nobody: str, left_out: str) -> str:
    sentences = [left_out] if left_out else []
    if given_to_several:
        sentences.append("A link that was sent to two drivers counts for both.")
    if to_nobody:
        sentences.append(f"Sent to no driver from here: {to_nobody}.")
    return " ".join(sentences)


# Figures


def amount(value: Decimal) -> str:
    return cast(str, current_app.jinja_env.filters["amount"](value))


def short_amount(value: float) -> str:
    """Write a round amount for an axis: "₹50,000", "₹2 lakh", "₹1.5 crore"."""
    currency = settings().currency
    for size, name in ((10_000_000, "crore"), (100_000, "lakh")):
        if value >= size and currency == "INR":
            return f"{get_currency_symbol(currency, locale='en_IN')}{value / size:g} {name}"
    return format_currency(value, currency, "¤#,##,##0", locale="en_IN", currency_digits=False)


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
