"""Read the filter of the list of links from an address, and write it into one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, TypeVar

from werkzeug.datastructures import MultiDict

from dashboard.domain.custom_fields import CUSTOM_FIELDS
from dashboard.domain.link_filters import MAX_CHOSEN, DayOf, LinkFilter, Only, PaidAfter, SortBy
from dashboard.domain.registration import normalize_part
from dashboard.web.links import list_texts
from dashboard.web.shared import request_args
from dashboard.web.shared.service_words import challan_type_of
from dashboard.web.shared.texts import LAST_BEFORE_FIRST

Listed = TypeVar("Listed", bound=StrEnum)

_MOST_TEXT = 100
#: A list is read state by state.
_MOST_STATES = 20
#: The most digits of an amount, before its point and after it.
_MOST_PLACES = 15
_DEFAULT = LinkFilter()
#: What saved views and bookmarks of earlier versions call `only`.
_FORMER_ONLY = "needs"


def read(args: MultiDict[str, str]) -> tuple[LinkFilter, dict[str, str]]:
    """Return the filter of an address, and what is wrong with it by field; a wrong part is left out."""
    problems: dict[str, str] = {}

    def day(name: str) -> date | None:
        text = args.get(name, "").strip()
        found = request_args.day(text)
        if text and found is None:
            problems[name] = list_texts.NOT_A_DAY
        return found

    def amount(name: str) -> Decimal | None:
        text = args.get(name, "").replace(",", "").replace("₹", "").strip()
        try:
            found = Decimal(text) if text else None
        except InvalidOperation:
            found = Decimal("NaN")
        if found is not None and not _is_amount(found):
            problems[name] = list_texts.NOT_AN_AMOUNT
            return None
        return found

    asked = LinkFilter(
        states=tuple(dict.fromkeys(each[:_MOST_TEXT] for each in args.getlist("state") if each))[:_MOST_STATES],
        vehicle=normalize_part(args.get("vehicle", "")),
        creator=args.get("creator", "").strip()[:20],
        driver=args.get("driver", "").strip()[:20],
        challan_type=challan_type_of(args.get("type", "").strip()[:_MOST_TEXT]),
        day_of=_one_of(DayOf, args.get("of")) or _DEFAULT.day_of,
        first_day=day("from"),
        last_day=day("to"),
        least=amount("least"),
        most=amount("most"),
        paid_after=_one_of(PaidAfter, args.get("took")),
        only=_one_of(Only, args.get("only") or args.get(_FORMER_ONLY)),
        chosen=chosen(args),
        custom=_custom(args),
        text=args.get("q", "").strip()[:_MOST_TEXT],
    )
    asked = asked.in_usual_order()
    if (sort := _one_of(SortBy, args.get("sort"))) or "dir" in args:
        asked = replace(asked, sort=sort or asked.sort, descending=args.get("dir", "down") != "up")
    if asked.first_day and asked.last_day and asked.last_day < asked.first_day:
        problems["to"] = LAST_BEFORE_FIRST
    if asked.least is not None and asked.most is not None and asked.most < asked.least:
        problems["most"] = list_texts.MOST_BELOW_LEAST
    return asked, problems


def _custom(args: MultiDict[str, str]) -> tuple[tuple[str, str], ...]:
    typed = ((each.name, " ".join(args.get(each.name, "").split())[:_MOST_TEXT]) for each in CUSTOM_FIELDS)
    return tuple((name, text) for name, text in typed if text)


def chosen(args: MultiDict[str, str]) -> tuple[str, ...]:
    """Return the ids of the links that were chosen one by one."""
    ids = (request_args.link_id(text) for text in args.getlist("link")[:MAX_CHOSEN])
    return tuple(dict.fromkeys(each for each in ids if each))


def _is_amount(number: Decimal) -> bool:
    # A number with a large exponent would fill a page, as addresses write it out.
    exponent = number.as_tuple().exponent
    return isinstance(exponent, int) and abs(exponent) <= _MOST_PLACES and 0 <= number < 10**_MOST_PLACES


def write(asked: LinkFilter) -> dict[str, Any]:
    """Return the values of a filter's address, without those that are empty."""
    values: dict[str, Any] = {
        "q": asked.text,
        "state": list(asked.states),
        "vehicle": asked.vehicle,
        "creator": asked.creator,
        "driver": asked.driver,
        "type": asked.challan_type,
        "of": None if asked.day_of is _DEFAULT.day_of else str(asked.day_of),
        "from": asked.first_day and asked.first_day.isoformat(),
        "to": asked.last_day and asked.last_day.isoformat(),
        "took": asked.paid_after and str(asked.paid_after),
        "least": None if asked.least is None else format(asked.least, "f"),
        "most": None if asked.most is None else format(asked.most, "f"),
        **dict(asked.custom),
        "only": asked.only and str(asked.only),
        "link": list(asked.chosen),
    }
    if not asked.is_in_usual_order:
        values |= {"sort": str(asked.sort), "dir": "down" if asked.descending else "up"}
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def sorted_by(asked: LinkFilter, sort: SortBy) -> LinkFilter:
    """Sort by another column; the same column again reverses the order."""
    if asked.sort is sort:
        return replace(asked, descending=not asked.descending)
    return replace(asked, sort=sort, descending=sort in (SortBy.MADE, SortBy.AMOUNT))


def _one_of(of: type[Listed], text: str | None) -> Listed | None:
    return of(text) if text in list(of) else None
