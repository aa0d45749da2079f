"""Write amounts, times and plates for people, and give templates the plain values that all of them may use."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any

from babel import Locale
from babel.dates import format_datetime, get_timezone_gmt
from babel.numbers import format_currency
from flask import Flask
from flask_login import current_user
from jinja2 import pass_context
from markupsafe import Markup

from dashboard.domain.registration import spaced
from dashboard.services.schedule import Clock
from dashboard.settings import Settings
from dashboard.web.shared import qr, support_mail
from dashboard.web.shared.banner import Banners, banners
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import language, lazy, ngettext
from dashboard.web.shared.service_words import challan_status, challan_type, offence_and_law, state_of_india
from dashboard.web.shared.texts import role_name, unknown_amounts

#: Times of English are in plain English, because the Indian locale writes "Sept".
_MOMENTS = {"en": Locale.parse("en")}
_UNKNOWN = lazy("unknown")
#: A span of this many seconds is written in days; `static/js/time-ago.js` counts down by the same rule.
_IN_DAYS_FROM = 3 * 86400
#: A longer name would be cut off in the buttons of a phone.
_LONGEST_IN_BUTTON = 20
#: A day within half a year needs no year: nobody takes "30 Dec" for another one in January.
_NEAR = timedelta(days=180)
#: Flask gives these to every template, and we take them away.
_REMOVED = ("config", "request", "session", "g")


#: The methods of `Formats`, each the template filter of its name.
FORMATS = (
    *("amount", "moment", "deadline", "near", "exact", "to_minute", "zone", "day", "short_day"),
    *("long_date", "short_date", "month", "hour", "time_of_day", "time_to_second", "near_day"),
    *("iso", "ago", "left", "hours", "plate", "short_name"),
)


class Formats:
    """Define the template filters for one time zone and currency."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._zone = settings.timezone
        self._currency = settings.currency
        self._clock = clock

    def amount(self, value: Decimal | None) -> str:
        """Write an amount in Indian grouping: "₹12,34,567.50"."""
        return str(_UNKNOWN) if value is None else _written_amount(value, self._currency, language())

    def short_name(self, name: str) -> str:
        """Write the name of a driver as it fits a button: of a long one the first word."""
        return name if len(name) <= _LONGEST_IN_BUTTON else name.split(maxsplit=1)[0]

    def moment(self, at: datetime | None, *, seconds: bool = False) -> str:
        """Write a time as "2:03 pm" when it is today in the zone, which every page names once; else as `deadline`.

        With `seconds` it is "2:03:27 pm", to tell apart what is of one minute.
        """
        if at is None:
            return str(_UNKNOWN)
        local = at.astimezone(self._zone)
        same_day = local.date() == self._clock().astimezone(self._zone).date()
        time = _written_time(local, "h:mm:ss a" if seconds else "h:mm a")
        return time if same_day else f"{self.short_day(local.date())}, {time}"

    def deadline(self, at: datetime | None) -> str:
        """Write a time as "24 Nov, 9:18 am", with its year as `short_day`."""
        if at is None:
            return str(_UNKNOWN)
        local = at.astimezone(self._zone)
        return f"{self.short_day(local.date())}, {_written_time(local, 'h:mm a')}"

    def near(self, at: datetime | None) -> str:
        """Write a time as "today 9:36 am", "tomorrow 9:30 am" or "yesterday 4:10 pm"; else as `deadline`."""
        if at is None:
            return _UNKNOWN
        local = at.astimezone(self._zone)
        days = (local.date() - self._clock().astimezone(self._zone).date()).days
        time = _written_time(local, "h:mm a")
        match days:
            case -1:
                return _("yesterday %(time)s", time=time)
            case 0:
                return _("today %(time)s", time=time)
            case 1:
                return _("tomorrow %(time)s", time=time)
            case _far:
                return self.deadline(at)

    def near_day(self, at: datetime) -> str:
        """Write a time as "9:36 am" when it is today; else its day alone, as "tomorrow", "yesterday" or "24 Nov"."""
        local = at.astimezone(self._zone)
        match (local.date() - self._clock().astimezone(self._zone).date()).days:
            case -1:
                return _("yesterday")
            case 0:
                return _written_time(local, "h:mm a")
            case 1:
                return _("tomorrow")
            case _far:
                return self.short_day(local.date())

    def exact(self, at: datetime | None) -> str:
        """Write a time as "12 Sep 2026, 2:03:27 pm IST"."""
        if at is None:
            return str(_UNKNOWN)
        local = at.astimezone(self._zone)
        return f"{_written(local, 'd MMM y')}, {_written_time(local, 'h:mm:ss a')} {self.zone(at)}"

    def to_minute(self, at: datetime) -> str:
        """Write a time as "12 Sep 2026, 2:03 pm IST"."""
        return f"{_written(at.astimezone(self._zone), 'd MMM y')}, {self.time_of_day(at)} {self.zone(at)}"

    def zone(self, at: datetime) -> str:
        """Name the time zone at a moment: "IST"."""
        local = at.astimezone(self._zone)
        short = local.tzname() or ""
        # A zone without an abbreviation has a name like "+0545": write the offset instead.
        return short if short.isalpha() else get_timezone_gmt(local, width="long", locale=_locale("en"))

    def day(self, at: datetime | None) -> str:
        """Write a date as "12 Sep 26"."""
        return str(_UNKNOWN) if at is None else _written(at.astimezone(self._zone), "dd MMM yy")

    def long_date(self, on: date) -> str:
        """Write a day of the calendar as "12 Sep 2026"."""
        return _written(datetime(on.year, on.month, on.day, tzinfo=UTC), "d MMM y")

    def short_date(self, on: date) -> str:
        """Write a day of the calendar as "12 Sep"."""
        return _written(datetime(on.year, on.month, on.day, tzinfo=UTC), "d MMM")

    def month(self, on: date) -> str:
        """Write the month of a day as "Sep 2026"."""
        return _written(datetime(on.year, on.month, on.day, tzinfo=UTC), "MMM y")

    def hour(self, begins: datetime) -> str:
        """Write a time as "3 pm", in the zone that it has."""
        return _written_time(begins, "h a")

    def time_of_day(self, at: datetime) -> str:
        """Write a time as "9:18 am"."""
        return _written_time(at.astimezone(self._zone), "h:mm a")

    def time_to_second(self, at: datetime) -> str:
        """Write a time as "9:18:04 am"."""
        return _written_time(at.astimezone(self._zone), "h:mm:ss a")

    def short_day(self, day: date) -> str:
        """Write a day as "21 Nov", with its year when that is another one and the day is not near."""
        today = self._clock().astimezone(self._zone).date()
        plain = day.year == today.year or abs(day - today) <= _NEAR
        return self.short_date(day) if plain else self.long_date(day)

    def iso(self, at: datetime | None) -> str:
        """Write a time for machines, as "2026-09-12T08:33:27Z"."""
        return "" if at is None else at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

    def ago(self, at: datetime | None) -> str:
        """Write an age as "just now", "4 s ago", "12 min ago" or "3 h ago", and past a day as the time itself."""
        if at is None:
            return str(_UNKNOWN)
        seconds = int((self._clock() - at).total_seconds())
        if seconds < 1:
            return _("just now")
        if seconds < 60:
            return _("%(count)s s ago", count=seconds)
        if seconds < 3600:
            return _("%(count)s min ago", count=seconds // 60)
        return ngettext("%(num)s h ago", "%(num)s h ago", seconds // 3600) if seconds < 86400 else self.moment(at)

    def left(self, at: datetime | None) -> str:
        """Write the time that is left as "6 days", "48 h", "35 min" or "40 s"; "a moment" at the end.

        From two hours on half an hour is added before it is cut, so that a link for 48 h does not begin with 47 h.
        """
        if at is None:
            return str(_UNKNOWN)
        rest = max(timedelta(0), at - self._clock())
        seconds = int(rest.total_seconds())
        rounded = seconds + 1800
        if rounded >= _IN_DAYS_FROM:
            return _("%(count)s days", count=rounded // 86400)
        if seconds >= 3600:
            return ngettext("%(num)s h", "%(num)s h", rounded // 3600 if seconds >= 7200 else 1)
        if seconds >= 60:
            return _("%(count)s min", count=seconds // 60)
        return _("%(count)s s", count=seconds) if seconds else _("a moment")

    def hours(self, number: int) -> str:
        """Write for how long a link is valid: "48 h", or from three days on "7 days" where they are whole."""
        if number >= 72 and number % 24 == 0:
            return _("%(count)s days", count=number // 24)
        return ngettext("%(num)s h", "%(num)s h", number)

    def plate(self, rc: str) -> str:
        """Write a registration number as on a plate: "MH12 AB 1001"."""
        return spaced(rc)


def _written(local: datetime, pattern: str) -> str:
    return _written_moment(local.replace(tzinfo=None), pattern, language())


def _written_time(local: datetime, pattern: str) -> str:
    """Write a time of day with "am" and "pm" in small letters, as people do in India, and in the line of its digits."""
    return _written(local, pattern).lower().replace(" ", "\xa0")


# A page of 230 challans writes over a thousand amounts and dates, mostly the same ones again, and Babel is slow.
@lru_cache(maxsize=16_384)
def _written_amount(value: Decimal, currency: str, code: str) -> str:
    return format_currency(value, currency, locale=_locale(code))


@lru_cache(maxsize=16_384)
def _written_moment(local: datetime, pattern: str, code: str) -> str:
    # Babel writes some spaces as U+202F, which people cannot type into a search.
    return (
        format_datetime(local, pattern, locale=_MOMENTS.get(code) or _locale(code))
        .replace("\u202f", " ")
        .replace("\xa0", " ")
    )


@cache
def _locale(code: str) -> Locale:
    """Return a language as it is written in India: with lakhs and crores."""
    return Locale.parse(f"{code}_IN")


def breakable(words: str) -> Markup | str:
    """Let a spelling of the service's end its line between its words: UNDER_ and VERIFICATION."""
    return Markup("_<wbr>").join(words.split("_")) if "_" in words else words


def init_filters(app: Flask, settings: Settings, clock: Clock) -> None:
    formats = Formats(settings, clock)
    app.jinja_env.filters.update({name: getattr(formats, name) for name in FORMATS})
    app.jinja_env.filters.update(qr=qr.draw, challan_status=challan_status, role_name=role_name)
    app.jinja_env.filters.update(challan_type=challan_type, state_of_india=state_of_india)
    app.jinja_env.filters.update(offence_and_law=offence_and_law, breakable=breakable)
    # With the context, because what is constant is written once for all languages.
    app.jinja_env.filters["unknown_amounts"] = pass_context(lambda _context, count: unknown_amounts(count))
    app.jinja_env.filters["support_mail"] = lambda text: _mail_to_support(settings.support_email, text)
    app.jinja_env.globals["staging"] = settings.staging

    @app.context_processor
    def present_values() -> dict[str, Any]:
        def present_banners() -> Banners:
            # A function, because only the layout needs it, and not each region.
            reader = current_user.role if current_user.is_authenticated else None
            return banners(app.extensions["services"], formats.moment, reader=reader)

        return {"now": clock(), "banners": present_banners}


def _mail_to_support(support_email: str | None, details: str) -> str:
    """Return the address of an e-mail with these details; "" where no address of support is configured."""
    return support_mail.mailto(support_email, details) if support_email else ""


def remove_framework_values(app: Flask) -> None:
    """Remove what Flask gives to templates. Call it last, because registering a blueprint adds it again."""
    for name in _REMOVED:
        app.jinja_env.globals.pop(name, None)
    for processors in app.template_context_processors.values():
        processors[:] = [each for each in processors if each.__module__ != "flask.templating"]
