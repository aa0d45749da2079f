"""Fill in what challans cost by the links that hold or paid them: a search does not state every amount."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from sqlalchemy import Connection

from dashboard.domain.challans import EligibilityReason
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.links import links
from dashboard.store.links.records import CoveredChallan

#: Why a challan can go on no other link: its own one says what it costs there.
_ON_LINK = (EligibilityReason.LIVE_LINK, EligibilityReason.PAID_LINK)


def with_link_amounts(connection: Connection, listed: Sequence[ListedChallan]) -> list[ListedChallan]:
    """Return the challans; those on a link have its amounts where the search left them out."""
    holding = {item.link.id for item in listed if item.link is not None and _lacks(item)}
    known = {(row.link_id, row.challan_id): row for row in links.challans_of(connection, *holding)} if holding else {}
    return [_filled(item, known) for item in listed]


def by_vehicle(connection: Connection, listed: Mapping[str, Sequence[ListedChallan]]) -> dict[str, list[ListedChallan]]:
    """Return the challans of several vehicles in the same way, by vehicle."""
    filled = iter(with_link_amounts(connection, list(chain.from_iterable(listed.values()))))
    return {rc: list(islice(filled, len(of_one))) for rc, of_one in listed.items()}


def _lacks(item: ListedChallan) -> bool:
    challan = item.challan
    is_on_link = item.eligibility.reason in _ON_LINK
    return is_on_link and (challan.challan_amount is None or challan.total_amount is None)


def _filled(item: ListedChallan, known: dict[tuple[str, str], CoveredChallan]) -> ListedChallan:
    challan = item.challan
    covered = known.get((item.link.id, challan.id or "")) if item.link is not None else None
    if covered is None or not _lacks(item):
        return item
    filled = replace(
        challan,
        challan_amount=covered.challan_amount if challan.challan_amount is None else challan.challan_amount,
        total_amount=covered.total_amount if challan.total_amount is None else challan.total_amount,
    )
    return replace(item, stored=replace(item.stored, challan=filled))
