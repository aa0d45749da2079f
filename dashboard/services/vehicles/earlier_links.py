"""Find the ended links that payable challans were on, where a second link may make somebody pay twice."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection

from dashboard.domain.links import is_ended, may_have_taken_money
from dashboard.services.schedule import Schedule
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.links import ended_links
from dashboard.store.links.records import Link


def earlier_links(
    connection: Connection, items: Iterable[ListedChallan], schedule: Schedule, now: datetime
) -> dict[str, Link]:
    """Return the ended link whose payment may still turn up, by the id of each payable challan that was on one.

    Of a failed link nobody knows whether money has left an account, however long ago that was. Any other may be paid
    late as long as it is checked. A failed one comes before the others, and the newest before those of before.
    """
    payable = [item for item in items if item.selectable]
    # A link made elsewhere may be known from the search alone.
    shown = [(item.challan.id, item.link) for item in payable if item.link is not None and is_ended(item.link.status)]
    covering = (
        ended_links.ended_on(connection, [item.challan.id for item in payable if item.challan.id]) if payable else []
    )
    found: dict[str, Link] = {}
    for challan_id, link in sorted([*shown, *covering], key=lambda pair: _weight(pair[1])):
        is_checked = now < schedule.last_check(link.expires_at, link.first_seen_at)
        if challan_id and (may_have_taken_money(link.status) or is_checked):
            found[challan_id] = link
    return found


def _weight(link: Link) -> tuple[bool, datetime]:
    return may_have_taken_money(link.status), link.first_seen_at
