"""Define the sentences of the statement and of its exports."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, tzinfo
from typing import cast

from flask import current_app

from dashboard.domain.money import Sum
from dashboard.web.reconciliation.texts import links_of
from dashboard.web.shared.current import format_days, format_moment
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext

TODAY, YESTERDAY = lazy("Today"), lazy("Yesterday")
LAST_WEEK = lazy("Last week")
TITLE = lazy("Statement")


def title_of_statement(first: date, last: date) -> str:
    return _("Statement, %(days)s", days=format_days(first, last))


def short_day(day: date) -> str:
    """Name a day of a statement, whose period says the year."""
    written = cast("Callable[[date], str]", current_app.jinja_env.filters["short_date"])
    return written(day)


def open_at_the_start(day: date) -> str:
    return _("Open at the start of %(day)s", day=_long(day))


def open_at_the_end(day: date) -> str:
    return _("Open at the end of %(day)s", day=_long(day))


def open_now(at: datetime) -> str:
    """Name the links that are open on a day that is not over, as known at a moment."""
    return _("Open now, as known at %(moment)s", moment=format_moment(at))


def closing(*, is_running: bool) -> str:
    """Name what is open at the end of days, or now while these are not over."""
    return str(OPEN_NOW if is_running else CLOSING)


def _long(day: date) -> str:
    written = cast("Callable[[date], str]", current_app.jinja_env.filters["long_date"])
    return written(day)


OPENING, CLOSING, OPEN_NOW = lazy("Open at start"), lazy("Open at end"), lazy("Open now")
MADE, PAID, LAPSED = lazy("Created"), lazy("Paid"), lazy("Ended unpaid")
PAID_UNTIMED = lazy("Paid, time not known")
MADE_WHEN_PAID = lazy("A link that was found after it was paid counts as created on the day of the payment.")
LAPSED_WHEN_SEEN = lazy("A link counts as ended on the day when a check first showed it.")
PAID_AFTER_END = lazy("A link that expired and was paid later counts as paid on that day and as open until then.")


def paid_untimed(links: int, total: Sum) -> str:
    """Say how a payment is counted whose time the service has not sent."""
    return _(
        "%(links)s (%(sum)s) of unknown time; counted on the day the payment was first shown.",
        links=links_of(links),
        sum=cast(str, current_app.jinja_env.filters["amount"](total.total)),
    )


BY_VEHICLE, VEHICLE, UNKNOWN_VEHICLE = lazy("By vehicle"), lazy("Vehicle"), lazy("Not known")
ALL_VEHICLES, ALL_COST_CENTRES = lazy("All vehicles"), lazy("All cost centres")
BY_DAY, DAY, ALL_DAYS = lazy("By day"), lazy("Day"), lazy("All days")
NOTHING_MOVED = lazy("No link was created, paid or ended in these days.")


def without_movement(spans: int, *, are_months: bool) -> str:
    """Say how many days or months have no row; "" for none."""
    if not spans:
        return ""
    if are_months:
        return ngettext("%(num)s month without movement", "%(num)s months without movement", spans)
    return ngettext("%(num)s day without movement", "%(num)s days without movement", spans)


BY_MONTH, MONTH, ALL_MONTHS = lazy("By month"), lazy("Month"), lazy("All months")
BY_COST_CENTRE, COST_CENTRE, NO_COST_CENTRE = lazy("By cost centre"), lazy("Cost centre"), lazy("None")

# Exports of statements

EXPORT_SHEET = lazy("Statement")
EXPORT_DAYS, EXPORT_OF, EXPORT_NAME = lazy("Days"), lazy("Of"), lazy("Vehicle or cost centre")
EXPORT_ALL, EXPORT_VEHICLE, EXPORT_COST_CENTRE = lazy("all links"), lazy("vehicle"), lazy("cost centre")
EXPORT_NO_VEHICLE, EXPORT_NO_COST_CENTRE = lazy("(not known)"), lazy("(none)")
#: The fields of a statement's movement, in the order of the columns.
EXPORT_PARTS = {
    "opening": OPENING,
    "made": lazy("Made"),
    "paid": PAID,
    "paid_untimed": PAID_UNTIMED,
    "lapsed": lazy("Lapsed"),
    "closing": CLOSING,
}


def export_days(first: date, last: date, zone: tzinfo) -> str:
    return _("%(first)s to %(last)s (%(zone)s)", first=first, last=last, zone=zone)


def export_made_at(zone: tzinfo) -> str:
    return _("By what was known at (%(zone)s)", zone=zone)


def export_part(part: str, currency: str) -> list[str]:
    """Return the heads of the three columns of a part."""
    return [_("%(part)s: links", part=part), f"{part} ({currency})", _("%(part)s: amount not known yet", part=part)]
