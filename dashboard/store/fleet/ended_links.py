"""Find the links that have ended by the challans of a search run's vehicles that were on them, in one statement."""

from __future__ import annotations

from sqlalchemy import Connection, select, union_all

from dashboard.domain.links import ENDED_STATUSES
from dashboard.store.fleet.payable import challans_of_run
from dashboard.store.links.records import LINK_COLUMNS, Link
from dashboard.store.links.tables import link, link_challan
from dashboard.store.vehicles.vehicles import challan

# Found by the challans: SQLite would go through all ended links by an index of states.
_has_ended = link.c.status.concat("").in_(sorted(ENDED_STATUSES))
_COVERING = (
    select(challan.c.challan_id, *LINK_COLUMNS)
    .select_from(
        challans_of_run.join(link_challan, link_challan.c.challan_id == challan.c.challan_id).join(
            link, link.c.id == link_challan.c.link_id
        )
    )
    .where(challan.c.listed, _has_ended)
)
# A link made elsewhere may be known from the search alone.
_SHOWN = (
    select(challan.c.challan_id, *LINK_COLUMNS)
    .select_from(challans_of_run.join(link, link.c.id == challan.c.payment_link_id))
    .where(challan.c.listed, challan.c.challan_id.is_not(None), _has_ended)
)
_ENDED = union_all(_COVERING, _SHOWN)


def of_run(connection: Connection, run_id: str) -> list[tuple[str, Link]]:
    """Return each ended link that covered a challan of a run, or that its search showed, beside the challan's id."""
    return [(row[0], Link(*row[1:])) for row in connection.execute(_ENDED, {"run_id": run_id})]
