"""Say on the page of a link what Reconcile found on it and somebody has marked as checked."""

from __future__ import annotations

from sqlalchemy import Connection

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.store.reconciliation import discrepancies
from dashboard.web.links import texts
from dashboard.web.reconciliation.texts import KINDS
from dashboard.web.shared.current import format_moment, names


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
