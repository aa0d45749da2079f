"""Find out what is doubtful about links that may still be paid.

`doubtful.IS_DOUBTFUL` finds the same, but for links without a payment URL: nobody can be sent them.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from dashboard.domain.link_doubts import LinkDoubt, doubt_of
from dashboard.domain.links import is_live
from dashboard.store.links.duplicates import with_alarm
from dashboard.store.links.other_vehicles import with_other_vehicles
from dashboard.store.links.records import Link
from dashboard.store.reconciliation.discrepancies import with_open_mismatch
from dashboard.store.sharing.taken_payments import with_taken_payment


def before_sending(connection: Connection, found: Sequence[Link]) -> dict[str, LinkDoubt]:
    """Return what is doubtful about each of these links, by id, in one statement for each fact.

    Nothing is of one that a search found with its payment URL: it is checked as it is sent.
    """
    live = [row for row in found if is_live(row.status) and not row.is_unknown]
    ids = [row.id for row in live]
    with_mismatch, alarmed = with_open_mismatch(connection, ids), with_alarm(connection, ids)
    with_others, with_taken = with_other_vehicles(connection, live), with_taken_payment(connection, ids)
    doubts = {
        row.id: doubt_of(
            row.status,
            is_unknown=row.is_unknown,
            was_checked=row.checked_at is not None or bool(row.payment_url),
            has_taken_payment=row.id in with_taken,
            has_alarm=row.id in alarmed,
            has_other_vehicle=row.id in with_others,
            has_mismatch=row.id in with_mismatch,
        )
        for row in live
    }
    return {link_id: doubt for link_id, doubt in doubts.items() if doubt}


def of_link(connection: Connection, row: Link) -> LinkDoubt | None:
    """Return what is doubtful about a link."""
    return before_sending(connection, [row]).get(row.id)
