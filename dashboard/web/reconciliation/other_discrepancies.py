"""Lead from a link to what Reconcile lists of it, so that nobody works on it twice."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.store.reconciliation import discrepancies
from dashboard.web.reconciliation import texts

#: Nobody works on what settles itself as soon as the service sends the amounts, so nothing leads to it.
KINDS = tuple(kind for kind in texts.KINDS if kind is not DiscrepancyKind.UNCHECKED)


def of_links(
    connection: Connection, link_ids: Iterable[str], *, kinds: Collection[DiscrepancyKind] = KINDS
) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the names of the discrepancies of these kinds that nobody has marked as checked, in the order of the page,
    each with its address; by the ids of the links.
    """
    order = list(texts.KINDS)
    return {
        link_id: tuple(
            (
                str(texts.KINDS[each.kind].title),
                url_for("reconciliation.kind", kind=each.kind.value, _anchor=f"discrepancy-{each.id}"),
            )
            for each in sorted(found, key=lambda each: order.index(each.kind))
            if each.kind in kinds
        )
        for link_id, found in discrepancies.open_of_links(connection, link_ids).items()
    }
