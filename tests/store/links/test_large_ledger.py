"""Test that limits and shortcuts of queries over a large ledger do not change their results, on both databases."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import insert, text, update

from dashboard.domain.challans import AttachedLink
from dashboard.domain.link_filters import LinkFilter, PaidAfter, SortBy
from dashboard.domain.money import Sum
from dashboard.store.accounts import people
from dashboard.store.home import paid_notifications
from dashboard.store.links import links, totals
from dashboard.store.links import listing as link_listing
from dashboard.store.links.tables import link, link_challan, ranks
from dashboard.store.vehicles import quick_find, vehicles
from tests.support.query_plans import plan, statements

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
RC = "MH12AB1001"


def entered(connection, number, *, challans=(), **values):
    """Enter a link; `challans` are rows of the challans that it covers. Returns its id."""
    at = NOW - timedelta(hours=number)
    link_id = str(uuid.UUID(int=number, version=4))
    row = {"id": link_id, "rc": RC, "status": "ACTIVE", "status_since": at, "first_seen_at": at, "modes": []}
    row |= {"total": Decimal(number), "detailed": True, "origin": "created", "version": 1} | values
    connection.execute(insert(link).values(**row, **ranks({"expires_at": None} | row)))
    for position, challan in enumerate(challans):
        common = {"link_id": link_id, "challan_id": str(uuid.uuid4()), "position": position}
        connection.execute(insert(link_challan).values(**common, **challan))
    return link_id


def test_the_first_numbers_are_found_each_with_its_newest_link(ledger):
    with ledger.write() as connection:
        made = [entered(connection, age, challans=[{"challan_no": f"MH10{age:02}"}]) for age in range(1, 31)]
        newest = entered(connection, 0, challans=[{"challan_no": "MH1003"}])
        entered(connection, 40, challans=[{"challan_no": "MH1000"}], rc=None)
        found = quick_find.challans(connection, "MH10", 5)
    assert [(item.challan_no, item.link and item.link.id) for item in found] == [
        ("MH1001", made[0]),
        ("MH1002", made[1]),
        ("MH1003", newest),
        ("MH1004", made[3]),
        ("MH1005", made[4]),
    ]


@pytest.mark.parametrize("few", [0, 2000], ids=["frequent", "rare"])
def test_a_challan_number_is_found_as_typed_and_in_capitals(ledger, monkeypatch, few):
    monkeypatch.setattr(link_listing, "_FEW", few)
    numbers = ("mh9abc77", "MH9ABC78", "mh9abcz", "mh9abd1", "mh9az9")
    with ledger.write() as connection:
        ids = {each: entered(connection, age, challans=[{"challan_no": each}]) for age, each in enumerate(numbers)}
        for typed, meant in (
            ("mh9abc77", {"mh9abc77"}),
            ("mh9abc", {"mh9abc77", "MH9ABC78", "mh9abcz"}),
            ("MH9ABC78", {"MH9ABC78"}),
            ("mh9abc78", {"MH9ABC78"}),
            (" mh9az ", {"mh9az9"}),
            ("mh9az9", {"mh9az9"}),
            ("mh9abcz", {"mh9abcz"}),
        ):
            found = quick_find.challans(connection, typed, 5)
            links = {item.challan_no: item.link and item.link.id for item in found}
            assert links == {each: ids[each] for each in meant}, typed
            rows = link_listing.page(connection, LinkFilter(text=typed), UTC, NOW, place=None, limit=9)
            assert {row.id for row in rows} == {ids[each] for each in meant}, typed


def test_every_payment_is_within_one_span_which_begins_with_its_first_hour(ledger):
    hour = timedelta(hours=1)
    spans = {
        PaidAfter.FIRST_HOUR: (-hour, hour * 0, hour - timedelta(seconds=1)),
        PaidAfter.HOURS: (hour, hour * 6 - timedelta(seconds=1)),
        PaidAfter.DAY: (hour * 6, hour * 24 - timedelta(seconds=1)),
        PaidAfter.NEXT_DAY: (hour * 24, hour * 48 - timedelta(seconds=1)),
        PaidAfter.LATER: (hour * 48, hour * 160),
    }
    number = iter(range(100, 200))
    with ledger.write() as connection:
        made = {span: [_paid_after(connection, next(number), each) for each in spans[span]] for span in spans}
        # The service withdrew this payment, and left its time in the answer.
        _paid_after(connection, next(number), hour, status="FAILED")
        for span, ids in made.items():
            asked = LinkFilter(paid_after=span)
            rows = link_listing.page(connection, asked, UTC, NOW, place=None, limit=9)
            assert {row.id for row in rows} == set(ids), span
            assert totals.total(connection, asked, UTC, NOW).number == len(ids)


def _paid_after(connection, number, span, status="PAID"):
    return entered(connection, number, status=status, paid_at=NOW - timedelta(hours=number) + span)


FILTERS = {
    "of two states": (LinkFilter(states=("PAID", "EXPIRED")), lambda n: n % 4 in (1, 2)),
    "of no state that there is": (LinkFilter(states=("NOPE", "NEITHER")), lambda n: False),
    "of a type": (LinkFilter(challan_type="COURT"), lambda n: n % 3 == 0),
    "of a type and two states": (
        LinkFilter(challan_type="COURT", states=("PAID", "ACTIVE")),
        lambda n: n % 3 == 0 and n % 4 in (0, 1),
    ),
    "of the beginning of a number": (LinkFilter(text="MH101"), lambda n: 10 <= n < 20),
    "of part of a plate": (LinkFilter(text="1003"), lambda n: n % 5 == 3),
    "from an amount": (LinkFilter(least=Decimal("20.5")), lambda n: n > 20),
    "between amounts": (LinkFilter(least=Decimal(5), most=Decimal(9)), lambda n: 5 <= n <= 9),
    "paid within a span": (LinkFilter(paid_after=PaidAfter.HOURS), lambda n: n % 4 == 1 and 2 <= n < 12),
    "paid at once": (LinkFilter(paid_after=PaidAfter.FIRST_HOUR), lambda n: n == 1),
    "paid late, of a type": (
        LinkFilter(paid_after=PaidAfter.DAY, challan_type="COURT"),
        lambda n: n % 4 == 1 and n >= 12 and n % 3 == 0,
    ),
    "of unknown amounts no more than": (LinkFilter(most=Decimal(9)), lambda n: 0 < n <= 9),
}


@pytest.fixture
def forty(ledger):
    """Enter forty links, from 0 hours old, paid after half their age; the newest has no amount."""
    states = ("ACTIVE", "PAID", "EXPIRED", "CANCELLED")
    with ledger.write() as connection:
        for car in range(5):
            values = {"rc": f"MH12AB100{car}", "first_searched_at": NOW, "searched_at": NOW, "unreadable": 0}
            connection.execute(insert(vehicles.vehicle).values(**values))
        for number in range(40):
            challan = {"challan_no": f"MH10{number:02}", "challan_type": "ONLINE" if number % 3 else "COURT"}
            total = Decimal(number) if number else None
            rc = f"MH12AB100{number % 5}"
            status = states[number % 4]
            paid_at = NOW - timedelta(hours=number / 2) if status == "PAID" else None
            entered(connection, number, challans=[challan], rc=rc, status=status, total=total, paid_at=paid_at)
    return ledger


def pages(connection, asked, size=4):
    """Read the whole list page by page, and read each page again backwards."""
    place, found = None, []
    while rows := link_listing.page(connection, asked, UTC, NOW, place=place, limit=size):
        if found:
            before = link_listing.place_of(rows[0], asked.sort, backwards=True)
            back = link_listing.page(connection, asked, UTC, NOW, place=before, limit=size)
            assert [row.id for row in back] == [row.id for row in found[-size:]]
        found += rows
        place = link_listing.place_of(rows[-1], asked.sort)
    return found


@pytest.mark.parametrize("few", [0, 2000], ids=["frequent", "rare"])
@pytest.mark.parametrize("name", FILTERS)
def test_a_list_is_the_same_by_either_way_of_querying_it(forty, monkeypatch, name, few):
    monkeypatch.setattr(link_listing, "_FEW", few)
    asked, is_meant = FILTERS[name]
    wanted = {str(uuid.UUID(int=number, version=4)) for number in range(40) if is_meant(number)}
    with forty.read() as connection:
        for sort in SortBy:
            for descending in (True, False):
                ordered = LinkFilter(**{**_fields(asked), "sort": sort, "descending": descending})
                rows = pages(connection, ordered)
                assert {row.id for row in rows} == wanted
                assert len(rows) == len(wanted)
                shown = [link_listing.place_of(row, sort) for row in rows]
                parts = [shown]
                if sort is SortBy.ENDS and not asked.states:
                    # What can be paid comes first, whichever way the list is sorted.
                    parts = [[each for each in shown if each.is_over is is_over] for is_over in (False, True)]
                    assert shown == [*parts[0], *parts[1]]
                for part in parts:
                    ranks_of_part = [each.rank for each in part]
                    assert ranks_of_part == sorted(ranks_of_part, reverse=descending)
                assert totals.total(connection, ordered, UTC, NOW).number == len(wanted)


def test_links_without_an_expiry_are_on_one_page_each(ledger):
    with ledger.write() as connection:
        for number in range(10):
            shown = AttachedLink(str(uuid.UUID(int=number, version=4)), "ACTIVE", None, None)
            assert links.record_sighting(connection, shown, RC, NOW)
        for descending in (True, False):
            ordered = LinkFilter(sort=SortBy.ENDS, descending=descending)
            found: list[str] = []
            place = None
            while rows := link_listing.page(connection, ordered, UTC, NOW, place=place, limit=3):
                found += [row.id for row in rows]
                assert len(found) <= 10, "a link is on two pages"
                place = link_listing.place_of(rows[-1], ordered.sort)
            assert len(found) == 10


def _fields(asked):
    return {name: getattr(asked, name) for name in LinkFilter.__slots__}


def test_a_filtered_list_is_added_up_to_a_limit_and_the_whole_one_counted_to_the_last(forty, monkeypatch):
    monkeypatch.setattr(totals, "COUNTED", 10)
    monkeypatch.setattr(totals, "COUNTED_BY_CHALLAN", 3)
    with forty.read() as connection:

        def total(**asked):
            found = totals.total(connection, LinkFilter(**asked), UTC, NOW)
            return found.number, found.more, found.sum and found.sum.total

        assert total(states=("PAID",)) == (10, False, sum(range(1, 40, 4)))
        assert total(states=("PAID", "ACTIVE")) == (10, True, None)
        assert total(challan_type="COURT") == (3, True, None)
        assert total(challan_type="COURT", text="MH1000") == (1, False, 0)
        monkeypatch.setattr(totals, "COUNTED", 9)
        of_statuses = totals.by_status(connection, LinkFilter(), UTC, NOW)
        assert {each.number for each in of_statuses.values()} == {9}
        assert totals.every(connection, of_statuses) == totals.Total(40, None)
        assert totals.by_status(connection, LinkFilter(challan_type="COURT"), UTC, NOW) is None


def test_amounts_are_added_up_to_the_last_digit_by_status_and_unknown_ones_counted(ledger):
    with ledger.write() as connection:
        for number in range(1, 11):
            entered(connection, number, total=Decimal("0.10"))
        entered(connection, 11, total=Decimal("12345678.0001"), status="PAID")
        entered(connection, 12, total=None, status="PAID")
        found = totals.by_status(connection, LinkFilter(), UTC, NOW)
        assert found == {
            "ACTIVE": totals.Total(10, Sum(Decimal("1.0000"), 0)),
            "PAID": totals.Total(2, Sum(Decimal("12345678.0001"), 1)),
        }
        assert totals.every(connection, found) == totals.Total(12, Sum(Decimal("12345679.0001"), 1))


def test_what_was_paid_is_counted_beyond_the_limit_without_what_was_seen(ledger):
    with ledger.write() as connection:
        values = {"role": "staff", "password_hash": "-", "created_at": NOW}
        asha, meera = (people.add(connection, email=f"{name}@e.x", name=name, **values).id for name in ("a", "m"))
        mine = [entered(connection, n, status="PAID", person_id=asha) for n in range(1, 9)]
        entered(connection, 9, person_id=asha)
        entered(connection, 10, status="PAID", person_id=meera)
        for link_id in mine[:3]:
            paid_notifications.mark_seen(connection, asha, link_id, NOW)
        paid_notifications.mark_seen(connection, meera, mine[4], NOW)
        # This payment was withdrawn and made again after it was marked as seen.
        again = NOW + timedelta(hours=1)
        connection.execute(update(link).where(link.c.id == mine[0]).values(status_since=again))

        def unseen(**after):
            found = paid_notifications.unseen(connection, asha, 2, **after)
            return [row.id for row in found.links], found.count, found.sum and found.sum.total

        assert unseen() == ([mine[0], mine[3]], 6, 31)
        assert unseen(after=NOW - timedelta(hours=5)) == ([mine[0], mine[3]], 2, 5)
        paid_notifications.mark_all_seen(connection, asha, NOW - timedelta(hours=7))
        assert unseen() == ([mine[0], mine[3]], 4, 16)


def test_the_paid_links_of_a_few_challans_are_found_by_the_challans(ledger):
    covered = str(uuid.uuid4())
    with ledger.write() as connection:
        paid = {"status": "PAID", "paid_at": NOW}
        for number in range(1, 401):
            entered(connection, number, challans=[{"challan_no": f"MH{number}"}], **paid)
        wanted = entered(connection, 0, **paid)
        connection.execute(
            insert(link_challan).values(link_id=wanted, challan_id=covered, position=0, challan_no="MH0")
        )
    if not ledger.is_sqlite:
        with ledger.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("ANALYZE"))
    with statements(ledger) as sent, ledger.read() as connection:
        assert links.paid_on(connection, [covered])[covered].id == wanted
    [(words, values)] = [(words, values) for words, values in sent if "link_challan" in words]
    steps = plan(ledger, words, values)
    assert "ix_link_status" not in steps
    assert "SCAN link" not in steps
    assert "Seq Scan" not in steps
