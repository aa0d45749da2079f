"""Fill in what paid challans cost by the links that paid them: a search no longer states every amount."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from dashboard.domain.challans import EligibilityReason
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.links import links
from dashboard.store.links.records import CoveredChallan


def with_paid_amounts(connection: Connection, listed: Sequence[ListedChallan]) -> list[ListedChallan]:
    """Return the challans, those that a link paid with the amounts of that link where the search left them out."""
    paying = {item.link.id for item in listed if item.link is not None and _lacks(item)}
    known = {(row.link_id, row.challan_id): row for row in links.challans_of(connection, *paying)} if paying else {}
    return [_filled(item, known) for item in listed]


def _lacks(item: ListedChallan) -> bool:
    challan = item.challan
    is_paid = item.eligibility.reason is EligibilityReason.PAID_LINK
    return is_paid and (challan.challan_amount is None or challan.total_amount is None)


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
