"""Say in one place what else is wrong with a link whose payment URL cannot be shared."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.store.links.records import Link
from dashboard.web.links import in_reconcile, panel_warnings
from dashboard.web.links.records import PaymentAddress


@dataclass(frozen=True, slots=True)
class Faults:
    """Hold what is wrong with a link besides its payment URL."""

    words: tuple[str, ...] = ()  # the worst first
    support: str = ""  # what the service's support has to know of them
    in_reconcile: bool = False
    discrepancy_id: int = 0  # of the first that Reconcile lists, where that is not of the challans


def beside_url(connection: Connection, row: Link, payment: PaymentAddress) -> Faults:
    """Return what stands below what is wrong with the payment URL; nothing where that is in order."""
    if not payment.next:
        return Faults()
    odd = tuple(panel_warnings.of_challans(connection, row, ()))
    listed = in_reconcile.of_link(connection, row, besides=[DiscrepancyKind.CHALLANS] if odd else [])
    if listed is None:
        return Faults(odd, in_reconcile=bool(odd) and in_reconcile.lists_challans(connection, row))
    return Faults((*listed.words, *odd), listed.support, True, listed.discrepancy_id)
