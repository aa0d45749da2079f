"""What bounds the work of a page over a large ledger must not change what the page says; on both databases."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from sqlalchemy import insert

from dashboard.domain.money import Sum
from dashboard.store import finding, overview
from dashboard.store.link_tables import link, link_challan, ranks

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
RC = "MH12AB1001"


def entered(connection, number, *, challans=(), **values):
    """Enter a link made so many hours ago; `challans` are rows of what it covers. Returns its id."""
    at = NOW - timedelta(hours=number)
    link_id = str(uuid.UUID(int=number, version=4))
    row = {"id": link_id, "rc": RC, "status": "ACTIVE", "status_since": at, "first_seen_at": at, "modes": []}
    row |= {"total": Decimal(number), "detailed": True, "origin": "created", "version": 1} | values
    connection.execute(insert(link).values(**row, **ranks(row)))
    for position, challan in enumerate(challans):
        common = {"link_id": link_id, "challan_id": str(uuid.uuid4()), "position": position}
        connection.execute(insert(link_challan).values(**common, **challan))
    return link_id


def test_the_first_numbers_are_found_each_with_its_newest_link(ledger):
    with ledger.write() as connection:
        made = [entered(connection, age, challans=[{"challan_no": f"MH10{age:02}"}]) for age in range(1, 31)]
        newest = entered(connection, 0, challans=[{"challan_no": "MH1003"}])
        entered(connection, 40, challans=[{"challan_no": "MH1000"}], rc=None)
        found = finding.challans(connection, "MH10", 5)
    assert [(item.challan_no, item.link_id) for item in found] == [
        ("MH1001", made[0]),
        ("MH1002", made[1]),
        ("MH1003", newest),
        ("MH1004", made[3]),
        ("MH1005", made[4]),
    ]


def test_challans_of_live_links_are_added_up_by_type_with_unknown_amounts_counted(ledger):
    court = {"challan_type": "COURT", "total_amount": Decimal("500.10")}
    with ledger.write() as connection:
        entered(connection, 1, challans=[court, court, {"challan_type": "COURT"}, {"total_amount": Decimal(7)}])
        entered(connection, 2, challans=[court], status="PROCESSING")
        for number, status in enumerate(("PAID", "EXPIRED", "FAILED", "CANCELLED"), 3):
            entered(connection, number, challans=[court], status=status)
        assert overview.types_of_live(connection) == {
            "COURT": (4, Sum(Decimal("1500.30"), 1)),
            "": (1, Sum(Decimal(7), 0)),
        }
        assert {row.status for row in overview.live(connection)} == {"ACTIVE", "PROCESSING"}
