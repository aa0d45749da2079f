"""Give routes and pages the services, the signed-in person, and moments as people read them."""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal
from typing import Any, cast

from flask import current_app, g
from flask_login import current_user

from dashboard.domain.money import Sum
from dashboard.services.container import Services
from dashboard.settings import Settings
from dashboard.store.accounts import people
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy
from dashboard.web.shared.request_id import request_origin
from dashboard.web.shared.texts import unknown_amounts

#: Shown for a person who is not stored any more.
FORMER_COLLEAGUE = lazy("a former colleague")


def current_services() -> Services:
    return cast(Services, current_app.extensions["services"])


def person_id() -> int:
    """Return the id of the signed-in person."""
    return int(current_user.id)


def known_person_id() -> int | None:
    """Return the id of the signed-in person if this request has read its session, without reading it.

    A response becomes dependent on the cookie when the session is read, which static files must not be.
    """
    found: int | None = getattr(g.get("_login_user"), "id", None)
    return found


def audit(action: str, subject: str, **detail: Any) -> None:
    """Record in the audit log what the signed-in person did, and to what."""
    current_services().audit.record(action, request_origin(), person_id=person_id(), subject=subject, **detail)


def names() -> dict[int | None, str]:
    """Return every person's name by id, read once for a request. An unknown person (None) has no name."""
    if "names" not in g:
        with current_services().store.read() as connection:
            g.names = {person.id: person.name for person in people.everybody(connection)}
    known: dict[int | None, str] = g.names
    return known


def name_of(person_id: int | None) -> str:
    """Return a person's name, or words for a person who is not stored any more."""
    return names().get(person_id, FORMER_COLLEAGUE)


def settings() -> Settings:
    return cast(Settings, current_app.extensions["settings"])


def zone() -> tzinfo:
    """Return the time zone in which people read moments."""
    return settings().timezone


def today() -> date:
    """Return the present day in the time zone of the people."""
    return current_services().clock().astimezone(zone()).date()


def format_amount(amount: Decimal) -> str:
    """Write an amount, e.g. "₹12,34,567.50"."""
    return cast(str, current_app.jinja_env.filters["amount"](amount))


def format_sum(total: Sum) -> str:
    """Write a sum, and how many amounts it lacks, e.g. "₹559.00 + 6 unknown"."""
    written = format_amount(total.total)
    return f"{written} {unknown_amounts(total.unknown)}" if total.unknown else written


def format_moment(moment: datetime) -> str:
    """Write a moment, e.g. "2:03 pm"."""
    return cast(str, current_app.jinja_env.filters["moment"](moment))


def format_near(moment: datetime) -> str:
    """Write a moment with its day in a word where it is near, e.g. "tomorrow 9:30 am"."""
    return cast(str, current_app.jinja_env.filters["near"](moment))


def last_minute(end: datetime) -> datetime:
    """Return the last minute before a midnight, of which nobody knows at which end of its day it is; any other moment
    as it is.
    """
    here = end.astimezone(zone())
    return end - timedelta(minutes=1) if (here.hour, here.minute) == (0, 0) else end


def format_near_day(moment: datetime) -> str:
    """Write the day of a moment, or its time where it is today, e.g. "tomorrow"."""
    return cast(str, current_app.jinja_env.filters["near_day"](moment))


def format_days(first: date, last: date) -> str:
    """Write the days of a period, e.g. "3 to 7 Jun 2026", without repeating the month and the year that both have."""
    short, long = (current_app.jinja_env.filters[name] for name in ("short_date", "long_date"))
    if first == last:
        return cast(str, long(first))
    in_one_month = (first.year, first.month) == (last.year, last.month)
    begins = str(first.day) if in_one_month else short(first) if first.year == last.year else long(first)
    return _("%(first)s to %(last)s", first=begins, last=long(last))


def format_day(day: date) -> str:
    """Write a day, e.g. "21 Nov"."""
    return cast(str, current_app.jinja_env.filters["short_day"](day))
