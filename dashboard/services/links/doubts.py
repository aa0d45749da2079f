"""Find out what is doubtful about links that may still be paid."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from dashboard.domain.link_doubts import LinkDoubt, doubt_of
from dashboard.domain.links import is_live
from dashboard.store.links.other_vehicles import with_other_vehicles
from dashboard.store.links.records import Link


def of_links(connection: Connection, found: Sequence[Link]) -> dict[str, LinkDoubt]:
    """Return what lists have to know of these links, by id: what their pages say besides holds none of them back."""
    live = [row for row in found if is_live(row.status) and not row.is_unknown]
    other = with_other_vehicles(connection, live)
    doubts = {
        row.id: doubt_of(
            row.status, is_unknown=False, was_checked=True, has_other_vehicle=row.id in other, has_mismatch=False
        )
        for row in live
    }
    return {link_id: doubt for link_id, doubt in doubts.items() if doubt}


def of_link(connection: Connection, row: Link, *, has_mismatch: bool) -> LinkDoubt | None:
    """Return what the page of a link says before it is sent."""
    return doubt_of(
        row.status,
        is_unknown=row.is_unknown,
        was_checked=row.checked_at is not None,
        has_other_vehicle=bool(with_other_vehicles(connection, [row])),
        has_mismatch=has_mismatch,
    )
