"""Read the days that an address names, and offer others: the same on every page that is of a period."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Self
from urllib.parse import parse_qsl, urlsplit

from flask import request

from dashboard.store.links.listing import start_of
from dashboard.web.shared import request_args, texts
from dashboard.web.shared.current import format_days, today, zone

#: The fields of an address that name a period.
FIELDS = ("from", "to")


@dataclass(frozen=True, slots=True)
class Period:
    """Hold the first and the last day of a period: whole days in the time zone of its readers."""

    first: date
    last: date

    @property
    def start(self) -> datetime:
        return start_of(self.first, zone())

    @property
    def end(self) -> datetime:
        """Return the moment after the last day."""
        return start_of(self.after, zone())

    @property
    def after(self) -> date:
        """Return the day after the last."""
        return self.last + timedelta(days=1)

    @property
    def in_address(self) -> dict[str, str]:
        """Return the period as the values of an address."""
        return dict(zip(FIELDS, (self.first.isoformat(), self.last.isoformat()), strict=True))

    @property
    def in_words(self) -> str:
        return format_days(self.first, self.last)

    @classmethod
    def this_month(cls) -> Self:
        return cls(today().replace(day=1), today())

    @classmethod
    def last_month(cls) -> Self:
        last = today().replace(day=1) - timedelta(days=1)
        return cls(last.replace(day=1), last)


@dataclass(frozen=True, slots=True)
class PeriodProblem:
    """Say what is wrong with the days of an address, and in which fields."""

    text: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PeriodChoice:
    """Offer a period that is one click away."""

    label: str
    address: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class PeriodForm:
    """Offer periods: `choices` one click away, `more` beside the days that can be typed, which are sent to `action`.

    `days` names the period that is shown: where there is a `problem` with what was `typed`, that of the page before.
    `kept` are further fields of the address.
    """

    action: str
    days: str
    typed: Mapping[str, str]
    problem: PeriodProblem | None
    choices: tuple[PeriodChoice, ...]
    more: tuple[PeriodChoice, ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_own(self) -> bool:
        """Return whether the period is none of those that are one click away."""
        return not any(each.is_chosen for each in self.choices)

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Return the fields in which something stands that is no day."""
        return unreadable_days(self.typed)


def values_before() -> Mapping[str, str]:
    """Return the values of the address from which somebody came, if it is of the same page."""
    before = urlsplit(request.referrer or "")
    return dict(parse_qsl(before.query)) if before.path == request.path else {}


def unreadable_days(values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the fields of an address in which something stands that is no day."""
    typed = {name: values.get(name, "").strip() for name in FIELDS}
    return tuple(name for name, text in typed.items() if text and request_args.day(text) is None)


def read_days(values: Mapping[str, str]) -> tuple[date, date] | PeriodProblem | None:
    """Read the first and the last day that an address names, None if neither, or what is wrong with them."""
    typed = [values.get(name, "").strip() for name in FIELDS]
    if not any(typed):
        return None
    first, last = (request_args.day(text) for text in typed)
    if unreadable := unreadable_days(values):
        return PeriodProblem(texts.NO_SUCH_DAY, unreadable)
    if first is None:
        return PeriodProblem(texts.ENTER_FIRST_DAY, FIELDS[:1])
    if last is None:
        return PeriodProblem(texts.ENTER_LAST_DAY, FIELDS[1:])
    if last < first:
        return PeriodProblem(texts.LAST_BEFORE_FIRST, FIELDS[1:])
    return first, last
