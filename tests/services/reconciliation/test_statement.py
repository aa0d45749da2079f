"""Test that both databases return the same statements, and page the links that were open on a day."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import update

from dashboard.store.links import custom_fields
from dashboard.store.links.tables import link
from dashboard.store.reconciliation import statement
from tests.support.ledger_fixtures import RC

pytestmark = pytest.mark.databases

DAY = timedelta(days=1)


@pytest.fixture
def five_links(services, clerk):
    """Enter five links made a day apart, the last one today, with amounts of 10 to 14."""
    clerk.search(RC)
    made = [clerk.create(RC, [challan_id]).link_id for challan_id in clerk.payable(RC)]
    assert len(made) == 5
    for number, link_id in enumerate(made):
        at = services.clock() - DAY * (4 - number)
        change(services, link_id, first_seen_at=at, status_since=at, total=Decimal(10 + number))
    return made


def change(services, link_id, **values):
    with services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id).values(**values))


def test_a_statement_counts_what_was_open_made_paid_and_lapsed(services, clerk, five_links):
    now = services.clock()
    change(services, five_links[0], status="PAID", paid_at=now - 2 * DAY)
    change(services, five_links[1], status="EXPIRED", status_since=now - DAY)
    change(services, five_links[2], status="PAID", status_since=now, total=None)
    with services.store.write() as connection:
        custom_fields.write(
            connection, custom_fields.LINK, five_links[4], {"cost_centre": "West"}, now, clerk.person_id
        )
    made = services.statements.make(now - 2 * DAY, now + DAY)
    counted = {name: getattr(made.whole, name) for name in ("opening", "made", "paid", "paid_untimed", "lapsed")}
    assert {name: (tally.links, tally.total, tally.unknown) for name, tally in counted.items()} == {
        "opening": (2, Decimal(21), 0),
        "made": (3, Decimal(27), 1),
        "paid": (1, Decimal(10), 0),
        "paid_untimed": (1, Decimal(0), 1),
        "lapsed": (1, Decimal(11), 0),
    }
    assert (made.whole.closing.links, made.whole.closing.total) == (2, Decimal(27))
    assert made.vehicles.keys() == {RC}
    assert made.cost_centres["West"].closing.total == 14
    assert made.cost_centres[""].closing.total == 13
    assert services.statements.make(now - 9 * DAY, now - 8 * DAY).vehicles == {}, (
        "a vehicle without movement has no row"
    )


def test_the_cost_centre_of_a_vehicle_counts_where_its_link_has_none(services, clerk, five_links):
    now = services.clock()
    nothing = services.statements.make(now - 9 * DAY, now + DAY)
    assert nothing.cost_centres == {}, "none was ever written"
    with services.store.write() as connection:
        written = (
            (custom_fields.VEHICLE, RC, "East"),
            (custom_fields.LINK, five_links[0], "West"),
            (custom_fields.LINK, five_links[1], None),
        )
        for kind, ref, centre in written:
            fields = {"cost_centre": centre, "trip": "T1"}
            custom_fields.write(connection, kind, ref, fields, now, clerk.person_id)
    made = services.statements.make(now - 9 * DAY, now + DAY)
    assert {name: moved.made.links for name, moved in made.cost_centres.items()} == {"East": 4, "West": 1}
    assert made.whole.made.links == 5


def test_the_links_open_on_a_day_are_all_listed_a_page_at_a_time(services, five_links):
    now = services.clock()
    change(services, five_links[1], status="EXPIRED", status_since=now - 2 * DAY)
    change(services, five_links[2], status="PAID", paid_at=now + DAY / 2)
    shown, after = [], None
    with services.store.read() as connection:
        while rows := statement.open_at(connection, now + DAY / 4, 2, after, rc=RC):
            shown += [row.id for row in rows]
            after = rows[-1].first_seen_at, rows[-1].id
    assert shown == [five_links[0], five_links[2], five_links[3], five_links[4]]
