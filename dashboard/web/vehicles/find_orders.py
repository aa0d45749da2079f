"""Order the challans that the find box found, and leave out those that no link can take, in a list of challans."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from decimal import Decimal

from flask import url_for

from dashboard.domain.challans import EligibilityGroup
from dashboard.web.vehicles import texts
from dashboard.web.vehicles.find_records import Found, FoundGroup
from dashboard.web.vehicles.records import Narrowing

_CHALLANS = "challans"
_NEWEST, _SUM, _NUMBER = "date", "sum", "number"
#: What `only` is in the address, where challans that cannot be paid are left out.
_PAYABLE = "payable"


def in_order(group: FoundGroup, typed: str, order: str, filters: Container[str]) -> FoundGroup:
    """Show challans in an order of `texts.FOUND_ORDERS`, with the addresses of the others; another kind as it is."""
    if group.kind != _CHALLANS:
        return group
    order = order if order in texts.FOUND_ORDERS else _NEWEST
    is_on = _PAYABLE in filters
    payable = tuple(item for item in group.items if item.is_payable)

    def address(order: str, *, is_on: bool) -> str:
        sort, only = None if order == _NEWEST else order, _PAYABLE if is_on else None
        return url_for("vehicles.find", q=typed, of=_CHALLANS, only=only, sort=sort)

    shown = sorted(payable if is_on else group.items, key=_KEYS[order])
    words = str(texts.GROUP_TITLES[EligibilityGroup.PAYABLE])
    return replace(
        group,
        items=tuple(shown),
        total=len(shown),
        is_more=group.is_more and not is_on,
        among=len(group.items) if group.is_cut else 0,
        order=order,
        orders=texts.FOUND_ORDERS,
        addresses={each: address(each, is_on=is_on) for each in texts.FOUND_ORDERS},
        filters=(Narrowing(_PAYABLE, words, address(order, is_on=not is_on), is_on, len(payable)),),
    )


def _by_date(item: Found) -> tuple[bool, float]:
    return item.dated is None, -item.dated.timestamp() if item.dated else 0


def _by_sum(item: Found) -> tuple[bool, Decimal]:
    """Put the highest sum first, and what has none or an unknown one last."""
    return item.sum is None, -item.sum.total if item.sum else Decimal(0)


#: What the place of a challan in an order depends on.
_KEYS: dict[str, Callable[[Found], tuple[bool, Decimal] | tuple[bool, float] | str]] = {
    _NEWEST: _by_date,
    _SUM: _by_sum,
    _NUMBER: lambda item: item.words,
}
