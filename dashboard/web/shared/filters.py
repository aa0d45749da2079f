"""Write amounts, times and plates for people, and give templates the plain values that all of them may use."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from babel import Locale
from babel.dates import format_datetime, get_timezone_gmt
from babel.numbers import format_currency
from flask import Flask
from flask_login import current_user

from dashboard.domain.registration import spaced
from dashboard.services.schedule import Clock
from dashboard.settings import Settings
from dashboard.web.shared import qr
from dashboard.web.shared.banner import Banners, banners

_LOCALE = Locale.parse("en_IN")
_MOMENTS = Locale.parse("en")
_UNKNOWN = "unknown"
#: Flask gives these to every template, and we take them away.
_REMOVED = ("config", "request", "session", "g")


class Formats:
    """Define the template filters for one time zone and currency."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._zone = settings.timezone
        self._currency = settings.currency
        self._clock = clock

    def amount(self, value: Decimal | None) -> str:
        """Write an amount in Indian grouping: "₹12,34,567.50"."""
        return _UNKNOWN if value is None else _written_amount(value, self._currency)

    def moment(self, at: datetime | None) -> str:
        """Write a time as "14:03 IST" when it is today in that zone, else as "12 Sep 2026, 14:03 IST"."""
        if at is None:
            return _UNKNOWN
        local = at.astimezone(self._zone)
        same_day = local.date() == self._clock().astimezone(self._zone).date()
        return self._format(local, "HH:mm" if same_day else "d MMM y, HH:mm", zone=True)

    def deadline(self, at: datetime | None) -> str:
        """Write a time to come as "24 Nov, 9:18 am", with its year when that is not the present one."""
        if at is None:
            return _UNKNOWN
        local = at.astimezone(self._zone)
        same_year = local.year == self._clock().astimezone(self._zone).year
        day, _, time = self._format(local, "d MMM, h:mm a" if same_year else "d MMM y, h:mm a").rpartition(", ")
        return f"{day}, {time.lower()}"

    def exact(self, at: datetime | None) -> str:
        """Write a time as "12 Sep 2026, 14:03:27 IST"."""
        if at is None:
            return _UNKNOWN
        return self._format(at.astimezone(self._zone), "d MMM y, HH:mm:ss", zone=True)

    def day(self, at: datetime | None) -> str:
        """Write a date as "12 Sep 26"."""
        return _UNKNOWN if at is None else self._format(at.astimezone(self._zone), "dd MMM yy")

    def iso(self, at: datetime | None) -> str:
        """Write a time for machines, as "2026-09-12T08:33:27Z"."""
        return "" if at is None else at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

    def ago(self, at: datetime | None) -> str:
        """Write an age as "4 s ago", "12 min ago" or "3 h ago", and past a day as the time itself."""
        if at is None:
            return _UNKNOWN
        seconds = max(0, int((self._clock() - at).total_seconds()))
        if seconds < 60:
            return f"{seconds} s ago"
        if seconds < 3600:
            return f"{seconds // 60} min ago"
        return f"{seconds // 3600} h ago" if seconds < 86400 else self.moment(at)

    def left(self, at: datetime | None) -> str:
        """Write the time that is left as "47 h", "35 min" or "40 s"; "0 s" once it has passed."""
        if at is None:
            return _UNKNOWN
        rest = max(timedelta(0), at - self._clock())
        seconds = int(rest.total_seconds())
        if seconds >= 3600:
            return f"{seconds // 3600} h"
        return f"{seconds // 60} min" if seconds >= 60 else f"{seconds} s"

    def plate(self, rc: str) -> str:
        """Write a registration number as on a plate: "MH12 AB 1001"."""
        return spaced(rc)

    def _format(self, local: datetime, pattern: str, *, zone: bool = False) -> str:
        text = _written_moment(local.replace(tzinfo=None), pattern)
        return f"{text} {self._zone_name(local)}" if zone else text

    def _zone_name(self, local: datetime) -> str:
        short = local.tzname() or ""
        # A zone without an abbreviation has a name like "+0545": write the offset instead.
        return short if short.isalpha() else get_timezone_gmt(local, width="long", locale=_LOCALE)


# A page of 230 challans writes over a thousand amounts and dates, mostly the same ones again, and Babel is slow.
@lru_cache(maxsize=16_384)
def _written_amount(value: Decimal, currency: str) -> str:
    return format_currency(value, currency, locale=_LOCALE)


@lru_cache(maxsize=16_384)
def _written_moment(local: datetime, pattern: str) -> str:
    # In plain English, because the Indian locale writes "Sept". Babel writes some spaces as U+202F, which people cannot
    # type into a search.
    return format_datetime(local, pattern, locale=_MOMENTS).replace("\u202f", " ").replace("\xa0", " ")


def init_filters(app: Flask, settings: Settings, clock: Clock) -> None:
    formats = Formats(settings, clock)
    names = ("amount", "moment", "deadline", "exact", "day", "iso", "ago", "left", "plate")
    app.jinja_env.filters.update({name: getattr(formats, name) for name in names} | {"qr": qr.draw})
    app.jinja_env.globals["staging"] = settings.staging

    @app.context_processor
    def present_values() -> dict[str, Any]:
        def present_banners() -> Banners:
            # A function, because only the layout needs it, and not each region.
            return banners(app.extensions["services"], formats.moment, signed_in=current_user.is_authenticated)

        return {"now": clock(), "banners": present_banners}


def remove_framework_values(app: Flask) -> None:
    """Remove what Flask gives to templates. Call it last, because registering a blueprint adds it again."""
    for name in _REMOVED:
        app.jinja_env.globals.pop(name, None)
    for processors in app.template_context_processors.values():
        processors[:] = [each for each in processors if each.__module__ != "flask.templating"]
