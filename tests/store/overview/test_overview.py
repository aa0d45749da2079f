"""Test that both databases add up the figures of the overview alike."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from sqlalchemy import insert

from dashboard.domain.money import Sum
from dashboard.domain.sharing import Channel
from dashboard.store.accounts import people
from dashboard.store.overview import overview
from dashboard.store.overview.overview import Made, Payments, Total
from dashboard.store.sharing import shares
from dashboard.store.sharing.drivers import driver
from tests.store.links.test_large_ledger import NOW, entered


def test_challans_on_open_links_are_added_up_by_type_and_unknown_amounts_counted(ledger):
    court = {"challan_type": "COURT", "total_amount": Decimal("500.10")}
    with ledger.write() as connection:
        entered(connection, 1, challans=[court, court, {"challan_type": "COURT"}, {"total_amount": Decimal(7)}])
        entered(connection, 2, challans=[court], status="PROCESSING")
        for number, status in enumerate(("PAID", "EXPIRED", "FAILED", "CANCELLED"), 3):
            entered(connection, number, challans=[court], status=status)
        assert overview.open_challans_by_type(connection) == {
            "COURT": Total(4, Sum(Decimal("1500.30"), 1)),
            "": Total(1, Sum(Decimal(7), 0)),
        }
        assert {each.status for each in overview.open_links(connection)} == {"ACTIVE", "PROCESSING"}


def test_payments_are_added_up_with_the_hours_that_each_took(ledger):
    paid, nothing = {"status": "PAID", "saving": Decimal("1.5")}, Sum(Decimal(0), 0)
    with ledger.write() as connection:
        entered(connection, 30, paid_at=NOW - timedelta(hours=6), **paid)
        entered(connection, 10, paid_at=NOW - timedelta(hours=9), total=None, **paid)
        # This link was created before it was first recorded; the next one was paid before that, which tells no hours.
        entered(connection, 5, paid_at=NOW, created_at=NOW - timedelta(hours=7, minutes=30), **paid)
        entered(connection, 4, paid_at=NOW - timedelta(hours=5), **paid | {"saving": None})
        entered(connection, 99, paid_at=NOW - timedelta(hours=98), **paid)
        entered(connection, 3)
        found = overview.payments(connection, NOW - timedelta(hours=24))
        assert (found.count, found.hours) == (4, (1.0, 7.5, 24.0))
        assert (found.received, found.saved) == (Sum(Decimal(39), 1), Sum(Decimal("4.5"), 1))
        assert overview.payments(connection, NOW + timedelta(hours=1)) == Payments(0, nothing, nothing, ())
        earlier = overview.payments(connection, NOW - timedelta(hours=24), NOW - timedelta(hours=6))
        later = overview.payments(connection, NOW - timedelta(hours=6))
        assert (earlier.count, later.count) == (1, 3)
        [received] = overview.received(connection, NOW - timedelta(hours=24), NOW - timedelta(hours=6))
        assert (received.paid_on, received.total) == (NOW - timedelta(hours=9), None)
        # Without a time of payment it counts from when it was first shown as paid, and has no hours.
        untimed = entered(connection, 2, status_since=NOW - timedelta(hours=1), **paid)
        entered(connection, 60, status_since=NOW - timedelta(hours=50), **paid)
        found = overview.payments(connection, NOW - timedelta(hours=24))
        assert (found.count, found.hours) == (5, (1.0, 7.5, 24.0))
        assert found.received.unknown == 1
        listed = overview.list_payments(connection, NOW - timedelta(hours=24))
        [only] = [one for one in listed if one.hours is None]
        assert (only.link_id, only.paid_on) == (untimed, NOW - timedelta(hours=1))
        columns = ([one.hours for one in listed], [one.total for one in listed], [one.saving for one in listed])
        assert overview.add_up_payments(*columns) == found


def test_links_made_and_ended_are_counted_in_a_span_and_the_one_before(ledger):
    with ledger.write() as connection:
        for number, hours in ((1, 1), (2, 30), (3, 31), (4, 200)):
            entered(connection, hours, total=Decimal(number), status="EXPIRED" if number > 1 else "ACTIVE")
        entered(connection, 2, total=Decimal(5), status="PAID")
        hours = [NOW - timedelta(hours=number) for number in (48, 24)]
        made = overview.count_made(connection, *hours)
        assert made == (Made(2, 0, 0), Made(2, 1, 1))
        assert overview.first_day(connection) == NOW - timedelta(hours=200)
        assert overview.ended_unpaid(connection, NOW + timedelta(days=1)) == Total(0, Sum(Decimal(0), 0))
        assert overview.ended_unpaid(connection, NOW - timedelta(days=9)) == Total(3, Sum(Decimal(9), 0))


def test_a_driver_is_named_once_for_each_link_that_he_was_given_and_that_was_paid(ledger):
    with ledger.write() as connection:
        person = insert(people.person).values(
            email="a@example.com", email_key="a@example.com", name="A", role="staff", password_hash="x", created_at=NOW
        )
        by = connection.execute(person.returning(people.person.c.id)).scalar_one()
        new = insert(driver).values(name="Ramesh", language="en", added_at=NOW, added_by=by)
        ramesh = connection.execute(new.returning(driver.c.id)).scalar_one()
        paid = entered(connection, 5, status="PAID", paid_at=NOW - timedelta(hours=1))
        unpaid = entered(connection, 6)
        for link_id, driver_id in ((paid, ramesh), (paid, ramesh), (paid, None), (unpaid, ramesh)):
            given = {"link_id": link_id, "driver_id": driver_id, "channel": Channel.COPY, "language": "en"}
            shares.add(connection, **given, person_id=by, at=NOW)
        assert overview.drivers_of_payments(connection, NOW - timedelta(days=1)) == [(paid, ramesh, "Ramesh")]
        assert overview.drivers_of_payments(connection, NOW) == []
