"""Lead from the figures of the overview to the lists of the links that they count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Protocol

from flask import url_for

from dashboard.domain.link_filters import DayOf, LinkFilter
from dashboard.domain.links import ENDED_STATUSES, PAID
from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.web.links import filters
from dashboard.web.overview import texts
from dashboard.web.overview.charts import Figure
from dashboard.web.overview.periods import Period


class WithTotal(Protocol):
    @property
    def total(self) -> Decimal | None: ...


def money_figure(label: str, links: Sequence[WithTotal], address: str | None) -> Figure:
    total = add_up(link.total for link in links)
    return Figure(label, float(total.total), texts.links_with_sum(len(links), total), address)


def vehicle_figure(rc: str, links: Sequence[WithTotal], asked: LinkFilter) -> Figure:
    if not rc:
        return money_figure(texts.NO_VEHICLE, links, None)
    return replace(money_figure(spaced(rc), links, list_address(asked)), is_plate=True)


def paid_in(period: Period) -> LinkFilter:
    return LinkFilter(states=(PAID,), day_of=DayOf.PAID, first_day=period.first, last_day=period.last_day)


def ended_in(period: Period) -> LinkFilter:
    ended = tuple(sorted(ENDED_STATUSES))
    return LinkFilter(states=ended, day_of=DayOf.ENDED, first_day=period.first, last_day=period.last_day)


def made_in(period: Period) -> LinkFilter:
    return LinkFilter(first_day=period.first, last_day=period.last_day)


def list_address(asked: LinkFilter) -> str:
    values: dict[str, Any] = filters.write(asked)
    return url_for("links.index", **values)
