"""Test what the ended links come to while other links take their challans, on both databases."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import insert

from dashboard.domain.money import Sum
from dashboard.store.links.tables import link, link_challan, ranks
from dashboard.store.sharing import ended_links

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)

pytestmark = pytest.mark.databases


def entered(connection, number, status, challans, **values):
    """Enter a link with challans and their amounts; returns its id."""
    link_id, at = str(uuid.UUID(int=number, version=4)), NOW - timedelta(hours=number)
    total = None if None in challans.values() else sum(challans.values(), Decimal(0))
    row = {"id": link_id, "rc": "MH12AB1001", "status": status, "status_since": at, "first_seen_at": at, "modes": []}
    row |= {"total": total, "detailed": True, "origin": "created", "version": 1, "expires_at": None} | values
    connection.execute(insert(link).values(**row, **ranks(row)))
    for position, (challan_id, amount) in enumerate(challans.items()):
        covered = {"link_id": link_id, "challan_id": challan_id, "position": position, "total_amount": amount}
        connection.execute(insert(link_challan).values(**covered))
    return link_id


def test_what_other_links_took_is_left_out_and_what_is_not_known_is_counted(ledger):
    amounts = {name: Decimal(f"{each}.10") for each, name in enumerate("abcdefghi", 100)}

    def of(names):
        return {each: amounts[each] for each in names}

    with ledger.write() as connection:
        whole = entered(connection, 1, "EXPIRED", of("a"))
        partly = entered(connection, 2, "FAILED", of("bcd"))
        entered(connection, 3, "CANCELLED", of("ef"))
        unknown = entered(connection, 4, "EXPIRED", {"g": Decimal(5), "x": None})
        bare = entered(connection, 5, "EXPIRED", {}, total=Decimal(7))
        entered(connection, 24 * 8, "EXPIRED", of("h"))
        entered(connection, 6, "ACTIVE", of("be"))
        entered(connection, 7, "PAID", of("fg"))
        entered(connection, 0, "EXPIRED", of("c"), not_found=99)
        newer = entered(connection, 8, "EXPIRED", of("i"))
        entered(connection, 9, "EXPIRED", of("i"))
        found = ended_links.newest(connection, NOW, 50)
        of_all = ended_links.totals(connection, NOW)
    assert [(each.id, each.total, each.free) for each in found] == [
        (whole, Decimal("100.10"), None),
        (partly, Decimal("205.20"), 2),
        (unknown, None, 1),
        (bare, Decimal(7), None),
        (newer, Decimal("108.10"), None),
    ]
    assert (of_all.rest.number, of_all.rest.sum) == (4, Sum(Decimal("215.20"), 1))
    assert of_all.only_to_create is None, "there are several"
    assert (of_all.failed.number, of_all.failed.sum) == (1, Sum(Decimal("205.20"), 0)), "whoever was given it"
    assert of_all.only_failed == partly


def test_a_challan_of_a_failed_payment_is_asked_for_there_alone(ledger):
    """The money may have left, so that nobody is asked to pay the same again by another link that ended."""

    def of(names):
        return {each: Decimal(5) for each in names}

    with ledger.write() as connection:
        entered(connection, 1, "EXPIRED", of("abc"))
        failed = entered(connection, 2, "FAILED", of("ab"))
        entered(connection, 3, "CANCELLED", of("a"))
        entered(connection, 24 * 8, "FAILED", of("c"))
        of_all = ended_links.totals(connection, NOW)
    assert (of_all.failed.number, of_all.failed.sum, of_all.only_failed) == (1, Sum(Decimal(10), 0), failed)
    assert (of_all.rest.number, of_all.rest.sum) == (1, Sum(Decimal(5), 0)), "of the older one nobody asks any more"


@pytest.mark.parametrize(
    ("status", "rc", "is_created"),
    [
        ("EXPIRED", "MH12AB1001", True),
        ("CANCELLED", "MH12AB1001", True),
        ("FAILED", "MH12AB1001", False),
        ("EXPIRED", None, False),
    ],
)
def test_a_link_alone_is_created_again_unless_money_may_have_moved_or_its_vehicle_is_unknown(
    ledger, status, rc, is_created
):
    with ledger.write() as connection:
        only = entered(connection, 1, status, {"a": Decimal(5)}, rc=rc)
        of_all = ended_links.totals(connection, NOW)
    assert (of_all.failed.number, of_all.rest.number) == ((1, 0) if status == "FAILED" else (0, 1))
    assert of_all.only_to_create == (only if is_created else None)
