"""Find the links that have ended by the challans of a search run's vehicles that were on them, in one statement."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, Connection, select, union_all

from dashboard.domain.links import ENDED_STATUSES, FAILED
from dashboard.store.fleet.payable import challans_of_run
from dashboard.store.links.records import LINK_COLUMNS, Link
from dashboard.store.links.tables import link, link_challan
from dashboard.store.vehicles.vehicles import challan


def _on(columns: Sequence[ColumnElement[Any]], statuses: Collection[str]) -> CompoundSelect[Any]:
    """Select the challans of a run with these columns of the links of these states that they were on."""
    # Found by the challans: SQLite would go through all ended links by an index of states.
    is_of_them = link.c.status.concat("").in_(sorted(statuses))
    covering = challans_of_run.join(link_challan, link_challan.c.challan_id == challan.c.challan_id).join(
        link, link.c.id == link_challan.c.link_id
    )
    # A link made elsewhere may be known from the search alone.
    shown = challans_of_run.join(link, link.c.id == challan.c.payment_link_id)
    found = select(challan.c.challan_id, *columns).where(challan.c.listed, is_of_them)
    return union_all(found.select_from(covering), found.select_from(shown).where(challan.c.challan_id.is_not(None)))


_ENDED, _FAILED = _on(LINK_COLUMNS, ENDED_STATUSES), _on([link.c.id], [FAILED])


def of_run(connection: Connection, run_id: str) -> list[tuple[str, Link]]:
    """Return each ended link that covered a challan of a run, or that its search showed, beside the challan's id."""
    return [(row[0], Link(*row[1:])) for row in connection.execute(_ENDED, {"run_id": run_id})]


def failed_of_run(connection: Connection, run_id: str) -> list[tuple[str, str]]:
    """Return the ids of a challan of a run and of a link that covered it and whose payment failed."""
    return [(challan_id, link_id) for challan_id, link_id in connection.execute(_FAILED, {"run_id": run_id})]
