"""Show the challans of a link, and those that were requested and are not on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from dashboard.domain.challans import PAYABLE_STATUSES, Challan, newest_first
from dashboard.store.links.records import CoveredChallan, Link
from dashboard.store.vehicles import vehicles
from dashboard.web.links import panel_warnings, texts
from dashboard.web.links.amount_records import LinkChallanRow
from dashboard.web.shared.current import zone


def challan_rows(
    link: Link, covered: Sequence[CoveredChallan], searched: Mapping[str, Challan], pending: Mapping[str, str | None]
) -> tuple[LinkChallanRow, ...]:
    """Show the challans of a link, those of other vehicles first, then the newest; `pending` are not settled."""
    rows = [_challan(each, searched.get(each.challan_id), pending.get(each.challan_id)) for each in covered]
    rows.sort(key=lambda row: newest_first(row.date, row.challan_no, zone()))
    return tuple(sorted(rows, key=lambda row: link.rc is None or row.rc in (None, link.rc)))


def missing_rows(connection: Connection, row: Link) -> tuple[LinkChallanRow, ...]:
    """Show the challans that were requested with a link and are not on it, as the search of their vehicle had them."""
    missing = panel_warnings.missing(connection, row)
    searched = vehicles.challans_by_id(connection, missing)
    rows = [_missing(challan_id, searched.get(challan_id)) for challan_id in missing]
    return tuple(sorted(rows, key=lambda each: newest_first(each.date, each.challan_no, zone())))


def _challan(challan: CoveredChallan, searched: Challan | None, pending: str | None) -> LinkChallanRow:
    """Show a challan as the link's newest answer has it; what no such answer has is from the search of its vehicle."""
    return LinkChallanRow(
        challan_no=challan.challan_no or texts.NO_NUMBER,
        rc=challan.rc_number,
        # That it waits for payment is true of every challan on a link.
        status=None if challan.status in PAYABLE_STATUSES else challan.status,
        type=challan.challan_type,
        state=challan.state,
        date=searched.challan_date if searched else None,
        offence=searched.offense_details if searched else None,
        place=searched.challan_place if searched else None,
        amount=challan.challan_amount,
        total=challan.total_amount,
        pending=pending,
    )


def _missing(challan_id: str, searched: Challan | None) -> LinkChallanRow:
    return LinkChallanRow(
        challan_no=(searched.challan_no if searched else None) or challan_id,
        rc=None,
        status=None,
        type=None,
        state=searched.state if searched else None,
        date=searched.challan_date if searched else None,
        offence=searched.offense_details if searched else None,
        place=searched.challan_place if searched else None,
        amount=None,
        total=None,
        is_missing=True,
    )
