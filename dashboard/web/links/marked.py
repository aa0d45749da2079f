"""Say on the page of a link what Reconcile found on it and somebody has marked as checked."""

from __future__ import annotations

from sqlalchemy import Connection

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.store.reconciliation import discrepancies
from dashboard.web.links import texts
from dashboard.web.reconciliation.texts import KINDS
from dashboard.web.shared.current import format_moment, names

#: Discrepancies of which a note may say that the money is returned.
_OF_PAYMENT = (DiscrepancyKind.LATE, DiscrepancyKind.DUPLICATE)


def has_note_on_payment(connection: Connection, link_id: str) -> bool:
    """Tell whether a note says what became of money that was paid late or twice: whoever sends a receipt reads it."""
    found = discrepancies.of_link(connection, link_id)
    return any(kind in found and found[kind].acknowledged_at is not None for kind in _OF_PAYMENT)


def of_link(connection: Connection, link_id: str) -> tuple[str, ...]:
    """Say which discrepancies of a link are marked as checked and still apply, by whom and when.

    Of other links with the same challans the page says so itself.
    """
    return tuple(
        texts.marked_as_checked(
            str(KINDS[kind].title),
            names().get(found.acknowledged_by, texts.A_COLLEAGUE),
            format_moment(at),
            found.note or "",
        )
        for kind, found in discrepancies.of_link(connection, link_id).items()
        if kind is not DiscrepancyKind.DUPLICATE and found.withdrawn_at is None and (at := found.acknowledged_at)
    )
