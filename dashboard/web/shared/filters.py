"""How amounts, moments and plates are written, and the plain values that every template may use."""

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
#: Flask puts these into every template.
_KEPT_OUT = ("config", "request", "session", "g")


class Wording:
    """The filters, for one time zone and currency."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._zone = settings.timezone
        self._currency = settings.currency
        self._clock = clock

    def amount(self, value: Decimal | None) -> str:
        """In Indian grouping: "₹12,34,567.50"."""
        return _UNKNOWN if value is None else _written_amount(value, self._currency)

    def moment(self, at: datetime | None) -> str:
        """ "14:03 IST" when it is today there, else "12 Sep 2026, 14:03 IST"."""
        if at is None:
            return _UNKNOWN
        local = at.astimezone(self._zone)
        same_day = local.date() == self._clock().astimezone(self._zone).date()
        return self._format(local, "HH:mm" if same_day else "d MMM y, HH:mm", zone=True)

    def exact(self, at: datetime | None) -> str:
        if at is None:
            return _UNKNOWN
        return self._format(at.astimezone(self._zone), "d MMM y, HH:mm:ss", zone=True)

    def day(self, at: datetime | None) -> str:
        """ "12 Sep 26"."""
        return _UNKNOWN if at is None else self._format(at.astimezone(self._zone), "dd MMM yy")

    def iso(self, at: datetime | None) -> str:
        return "" if at is None else at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

    def ago(self, at: datetime | None) -> str:
        """ "4 s ago", "12 min ago", "3 h ago", then the moment itself."""
        if at is None:
            return _UNKNOWN
        seconds = max(0, int((self._clock() - at).total_seconds()))
        if seconds < 60:
            return f"{seconds} s ago"
        if seconds < 3600:
            return f"{seconds // 60} min ago"
        return f"{seconds // 3600} h ago" if seconds < 86400 else self.moment(at)

    def left(self, at: datetime | None) -> str:
        """ "47 h", "35 min", "40 s"; nothing is left of a moment that has passed."""
        if at is None:
            return _UNKNOWN
        rest = max(timedelta(0), at - self._clock())
        seconds = int(rest.total_seconds())
        if seconds >= 3600:
            return f"{seconds // 3600} h"
        return f"{seconds // 60} min" if seconds >= 60 else f"{seconds} s"

    def plate(self, rc: str) -> str:
        return spaced(rc)

    def _format(self, local: datetime, pattern: str, *, zone: bool = False) -> str:
        text = _written_moment(local.replace(tzinfo=None), pattern)
        return f"{text} {self._zone_name(local)}" if zone else text

    def _zone_name(self, local: datetime) -> str:
        short = local.tzname() or ""
        # Zones without an abbreviation call themselves "+0545": then the offset is named.
        return short if short.isalpha() else get_timezone_gmt(local, width="long", locale=_LOCALE)


# A page of 230 challans writes over a thousand amounts and dates, and Babel takes its time with each; the same ones
# are written again on every page.
@lru_cache(maxsize=16_384)
def _written_amount(value: Decimal, currency: str) -> str:
    return format_currency(value, currency, locale=_LOCALE)


@lru_cache(maxsize=16_384)
def _written_moment(local: datetime, pattern: str) -> str:
    # In plain English: the Indian locale writes "Sept". Babel writes some spaces as U+202F; plain ones can be found,
    # copied and compared.
    return format_datetime(local, pattern, locale=_MOMENTS).replace("\u202f", " ").replace("\xa0", " ")


def init_filters(app: Flask, settings: Settings, clock: Clock) -> None:
    wording = Wording(settings, clock)
    names = ("amount", "moment", "exact", "day", "iso", "ago", "left", "plate")
    app.jinja_env.filters.update({name: getattr(wording, name) for name in names} | {"qr": qr.draw})
    app.jinja_env.globals["staging"] = settings.staging

    @app.context_processor
    def at_present() -> dict[str, Any]:
        def present_banners() -> Banners:
            # Asked by the layout alone, and not for each region that is drawn.
            return banners(app.extensions["services"], wording.moment, signed_in=current_user.is_authenticated)

        return {"now": clock(), "banners": present_banners}


def keep_out(app: Flask) -> None:
    """Templates receive forms, records and plain values only. Called last: each blueprint brings these back."""
    for name in _KEPT_OUT:
        app.jinja_env.globals.pop(name, None)
    for processors in app.template_context_processors.values():
        processors[:] = [each for each in processors if each.__module__ != "flask.templating"]
