"""Test that discrepancies are recorded with the answer that shows them, and acknowledged once, in the version read."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text, update

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.services.reconciliation import checks
from dashboard.services.reconciliation.discrepancies import DiscrepancyChanged, NoteRefused
from dashboard.store.links import duplicates, links
from dashboard.store.links.tables import link_event
from dashboard.store.reconciliation import discrepancies
from dashboard.store.reconciliation.discrepancies import discrepancy
from tests.support.ledger_fixtures import RC

NOTE = "Asked the service's support."


@pytest.fixture
def made(clerk):
    clerk.search(RC)
    return clerk.create(RC, clerk.payable(RC)[:2]).link_id


def found(services, link_id):
    with services.store.read() as connection:
        return discrepancies.of_link(connection, link_id)


def checked(services, link_id):
    services.clock.advance(seconds=1)
    services.link_poller.refresh(link_id)
    return found(services, link_id)


def raw_amount(**changes):
    usual = {"baseAmount": 1001, "legalFee": 100.1, "gst": 18.02, "convenienceFee": 0, "totalAmount": 1119.12}
    return {"amount": usual | changes}


def test_a_link_made_here_with_nothing_wrong_has_no_discrepancy(services, made):
    assert found(services, made) == {}
    assert checked(services, made) == {}


def test_sums_that_stop_adding_up_are_recorded_and_deleted_when_they_add_up_again(services, levers, made):
    levers.set_link(made, raw=raw_amount(totalAmount=1))
    row = checked(services, made)["sums"]
    assert row.facts["parts"][0]["total"] == "1"
    levers.set_link(made, raw=None)
    assert checked(services, made) == {}


def test_missing_amounts_are_counted(services, levers, made):
    levers.set_link(made, raw={"paymentModeOptions": [{"paymentMode": "UPI", "totalAmount": 5}]})
    rows = checked(services, made)
    assert rows["unchecked"].facts == {"sums": 1}
    assert "sums" not in rows, "an unknown amount is no zero"


def test_a_link_that_comes_to_cover_other_challans_is_found_by_their_numbers(services, levers, clerk, made):
    with services.store.read() as connection:
        covered, dropped = links.challans_of(connection, made)
    other = next(item.challan for item in clerk.listed(RC) if item.selectable)
    record = {"id": other.id, "challanNo": other.challan_no, "rcNumber": RC, "status": "PENDING"}
    record |= {"challanType": "ONLINE", "state": "", "challanAmount": 1, "legalFee": 1, "totalAmount": 2}
    mine = {**record, "id": covered.challan_id, "challanNo": covered.challan_no}
    levers.set_link(made, raw={"challans": [mine, record]})
    facts = checked(services, made)["challans"].facts
    assert (facts["asked"], facts["covered"]) == (2, 1)
    assert (facts["missing"], facts["strays"]) == ([dropped.challan_no], [other.challan_no])


def test_a_payment_after_the_end_is_found(services, levers, made):
    levers.expire(made)
    checked(services, made)
    levers.pay(made)
    facts = checked(services, made)["late"].facts
    assert facts["was_ended"]["state"] == "EXPIRED"


def test_a_payment_that_the_service_takes_back_is_found(services, levers, made):
    levers.pay(made)
    assert "late" not in checked(services, made)
    levers.set_link(made, status="CANCELLED")
    assert checked(services, made)["late"].facts["unsaid"]["state"] == "CANCELLED"


def test_a_link_made_elsewhere_is_found_by_the_search_that_shows_it(services, clerk, levers, elsewhere):
    clerk.search(RC)
    link_id = elsewhere.create_payment_link(RC, clerk.payable(RC)[:1], expiry_hours=48, before_send=lambda: None).id
    clerk.search(RC)
    assert found(services, link_id).keys() == {"elsewhere"}
    assert checked(services, link_id).keys() == {"elsewhere"}


def test_a_lost_link_that_is_recovered_is_not_called_made_elsewhere(services, clerk, levers):
    clerk.search(RC)
    levers.fault("create_link", "cut", when="after")
    row = clerk.create(RC, clerk.payable(RC)[:1])
    services.clock.advance(seconds=4)
    row = clerk.resolve(row.id)
    assert row.state == "RECOVERED"
    assert found(services, row.link_id) == {}


def test_an_unchanged_answer_leaves_the_version_as_it_is(services, levers, made):
    levers.set_link(made, raw=raw_amount(totalAmount=1))
    version = checked(services, made)["sums"].version
    for _ in range(3):
        assert checked(services, made)["sums"].version == version


def test_a_check_that_fails_loses_no_answer(services, levers, made, monkeypatch):
    monkeypatch.setattr(checks, "check_sums", lambda *_: 1 / 0)
    levers.pay(made)
    checked(services, made)
    with services.store.read() as connection:
        assert links.find(connection, made).status == "PAID"


# Acknowledging


@pytest.fixture
def late(services, levers, made):
    levers.expire(made)
    checked(services, made)
    levers.pay(made)
    return checked(services, made)["late"]


def test_an_acknowledgement_is_recorded_with_its_note_in_the_history(services, clerk, made, late):
    assert (
        services.discrepancies.acknowledge(late.id, late.version, clerk.person_id, f"  {NOTE} ") is DiscrepancyKind.LATE
    )
    row = found(services, made)["late"]
    assert (row.acknowledged_by, row.note, row.acknowledged_at) == (clerk.person_id, NOTE, services.clock())
    with services.store.read() as connection:
        [event] = [each for each in links.events_of(connection, made) if each.kind == "finding_seen"]
        assert discrepancies.count_open(connection).get("late") is None
        assert [each.id for each in discrepancies.list_acknowledged(connection, 5)] == [late.id]
    assert (event.person_id, event.old, event.new) == (clerk.person_id, "late", NOTE)


def test_a_discrepancy_that_changed_since_it_was_read_is_not_acknowledged(services, clerk, levers, made, late):
    levers.set_link(made, status="ACTIVE")
    checked(services, made)
    with pytest.raises(DiscrepancyChanged):
        services.discrepancies.acknowledge(late.id, late.version, clerk.person_id, NOTE)
    assert found(services, made)["late"].acknowledged_at is None


def test_an_acknowledged_discrepancy_is_open_again_when_it_changes(services, clerk, levers, made, late):
    services.discrepancies.acknowledge(late.id, late.version, clerk.person_id, NOTE)
    assert checked(services, made)["late"].acknowledged_at is not None
    levers.set_link(made, status="ACTIVE")
    row = checked(services, made)["late"]
    assert (row.acknowledged_at, row.note, row.version) == (None, None, late.version + 1)


def test_a_discrepancy_of_another_kind_on_the_same_link_stays_open(services, clerk, levers, made, late):
    services.discrepancies.acknowledge(late.id, late.version, clerk.person_id, NOTE)
    levers.set_link(made, raw=raw_amount(totalAmount=1))
    rows = checked(services, made)
    assert rows["late"].acknowledged_at is not None
    assert rows["sums"].acknowledged_at is None


def test_two_people_cannot_acknowledge_the_same_discrepancy(services, clerk, colleague, late):
    services.discrepancies.acknowledge(late.id, late.version, clerk.person_id, NOTE)
    with pytest.raises(DiscrepancyChanged):
        services.discrepancies.acknowledge(late.id, late.version, colleague.person_id, "Me too")


@pytest.mark.parametrize("note", ["", "  ", "ok", "x" * 501])
def test_a_note_that_is_too_short_or_too_long_is_refused(services, clerk, late, note):
    with pytest.raises(NoteRefused):
        services.discrepancies.acknowledge(late.id, late.version, clerk.person_id, note)


def test_a_discrepancy_that_does_not_exist_cannot_be_acknowledged(services, clerk):
    with pytest.raises(LookupError):
        services.discrepancies.acknowledge(4711, 1, clerk.person_id, NOTE)


# The alarm of duplicate links


@pytest.fixture
def duplicate_links(services, clerk, levers):
    """Create two links on the same challans, and pay the second after both were live."""
    clerk.search(RC)
    ids = clerk.payable(RC)[:1]
    first = clerk.create(RC, ids).link_id
    levers.expire(first)
    services.clock.advance(seconds=1)
    services.link_poller.refresh(first)
    clerk.search(RC)
    second = clerk.create(RC, ids).link_id
    services.clock.advance(seconds=1)
    levers.pay(first)
    services.link_poller.refresh(first)
    return first, second


def test_acknowledging_the_discrepancy_of_an_alarm_acknowledges_the_alarm(services, clerk, duplicate_links):
    first, _ = duplicate_links
    row = found(services, first)["double"]
    assert row.facts["challans"] == 1
    services.discrepancies.acknowledge(row.id, row.version, clerk.person_id, NOTE)
    assert found(services, first)["double"].note == NOTE
    with services.store.read() as connection:
        noted = [
            event.new for event in links.events_of(connection, first) if event.kind == links.DUPLICATE_ACKNOWLEDGED
        ]
    assert noted == [NOTE]


def test_acknowledging_an_alarm_on_its_links_page_acknowledges_the_discrepancy(services, clerk, duplicate_links):
    first, _ = duplicate_links
    with services.store.read() as connection:
        newest = max(event.id for event in links.events_of(connection, first) if event.kind == links.DUPLICATE)
    services.duplicate_alarms.acknowledge(first, clerk.person_id, NOTE, newest)
    assert found(services, first)["double"].note == NOTE


def test_a_newer_alarm_opens_the_discrepancy_again(services, clerk, levers, duplicate_links):
    first, _ = duplicate_links
    row = found(services, first)["double"]
    services.discrepancies.acknowledge(row.id, row.version, clerk.person_id, NOTE)
    levers.expire(first)
    checked(services, first)
    levers.pay(first)
    assert checked(services, first)["double"].acknowledged_at is None


def test_an_acknowledged_discrepancy_is_never_deleted(services, clerk, levers, made):
    levers.set_link(made, raw=raw_amount(totalAmount=1))
    row = checked(services, made)["sums"]
    services.discrepancies.acknowledge(row.id, row.version, clerk.person_id, NOTE)
    levers.set_link(made, raw=None)
    row = checked(services, made)["sums"]
    assert row.withdrawn_at == services.clock()
    assert row.note == NOTE


def test_acknowledged_discrepancies_are_counted_while_they_still_hold(services, clerk, levers, made):
    levers.set_link(made, raw=raw_amount(totalAmount=1))
    row = checked(services, made)["sums"]
    services.discrepancies.acknowledge(row.id, row.version, clerk.person_id, NOTE)
    with services.store.read() as connection:
        assert discrepancies.count_open(connection) == {}
        assert discrepancies.count_acknowledged_open(connection) == {"sums": 1}
        assert discrepancies.find_open(connection, row.id) is None
    levers.set_link(made, raw=None)
    checked(services, made)
    with services.store.read() as connection:
        assert discrepancies.count_acknowledged_open(connection) == {}


def test_a_payment_taken_back_is_listed_until_it_is_paid_again_acknowledged_or_not(services, clerk, levers, made):
    levers.pay(made)
    checked(services, made)
    levers.set_link(made, status="CANCELLED")
    row = checked(services, made)["late"]

    def not_paid():
        with services.store.read() as connection:
            return [(row.facts["unsaid"]["state"], row.status) for row in discrepancies.late_links_not_paid(connection)]

    assert not_paid() == [("CANCELLED", "CANCELLED")]
    services.discrepancies.acknowledge(row.id, row.version, clerk.person_id, NOTE)
    assert not_paid() == [("CANCELLED", "CANCELLED")]
    levers.set_link(made, status="PAID")
    checked(services, made)
    assert not_paid() == []


def test_duplicates_of_several_links_at_once_equal_those_of_each(services, clerk, duplicate_links):
    first, second = duplicate_links
    alone = clerk.create(RC, clerk.payable(RC)[-1:]).link_id
    with services.store.read() as connection:
        together = duplicates.of_links(connection, [first, second, alone])
        assert {key: [row.id for row in rows] for key, rows in together.items()} == {first: [second], second: [first]}
        for link_id in (first, second, alone):
            each = [row.id for row in duplicates.of_link(connection, link_id)]
            assert [row.id for row in together.get(link_id, ())] == each


@pytest.mark.databases
def test_pages_of_a_kind_leave_out_nothing_and_repeat_nothing(services, clerk):
    clerk.search(RC)
    now = services.clock()
    names = [f"00000000-0000-4000-8000-{number:012}" for number in range(9)]
    with services.store.write() as connection:
        for number, name in enumerate(names):
            values = "(:id, 'ACTIVE', :at, '[]', false, 'observed', :at, 1)"
            columns = "(id, status, status_since, modes, detailed, origin, first_seen_at, version)"
            when = now.replace(tzinfo=None) if services.store.is_sqlite else now
            connection.execute(text(f"INSERT INTO link {columns} VALUES {values}"), {"id": name, "at": when})
            discrepancies.record(connection, name, DiscrepancyKind.ELSEWHERE, {}, now - timedelta(minutes=number // 3))
    shown, place = [], None
    with services.store.read() as connection:
        while rows := discrepancies.list_open(connection, DiscrepancyKind.ELSEWHERE, 2, place):
            shown += [row.link_id for row in rows]
            place = discrepancies.Place(rows[-1].found_at, rows[-1].id)
        assert discrepancies.count_open(connection) == {"elsewhere": 9}
    assert sorted(shown) == names
    assert len(set(shown)) == 9


def test_acknowledging_only_adds_to_the_history(services, clerk, made, late):
    with services.store.read() as connection:
        before = connection.execute(link_event.select().order_by(link_event.c.id)).all()
    services.discrepancies.acknowledge(late.id, late.version, clerk.person_id, NOTE)
    with services.store.write() as connection:
        after = connection.execute(link_event.select().order_by(link_event.c.id)).all()
        connection.execute(update(discrepancy).values(note="again"))
    assert after[: len(before)] == before
    assert len(after) == len(before) + 1
