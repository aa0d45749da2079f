"""What is found of links is kept with the answer that tells it, and ticked off once, by what a person has read."""

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
from dashboard.store.reconciliation.discrepancies import finding
from tests.support.ledger_fixtures import RC

NOTE = "Asked the service's support."


@pytest.fixture
def made(counter):
    counter.search(RC)
    return counter.create(RC, counter.payable(RC)[:2]).link_id


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


def test_a_link_made_here_with_nothing_wrong_has_no_finding(services, made):
    assert found(services, made) == {}
    assert checked(services, made) == {}


def test_sums_that_stop_adding_up_are_found_and_forgotten_when_they_do_again(services, levers, made):
    levers.set_link(made, raw=raw_amount(totalAmount=1))
    row = checked(services, made)["sums"]
    assert row.facts["parts"][0]["total"] == "1"
    levers.set_link(made, raw=None)
    assert checked(services, made) == {}


def test_amounts_that_are_not_told_are_counted(services, levers, made):
    levers.set_link(made, raw={"paymentModeOptions": [{"paymentMode": "UPI", "totalAmount": 5}]})
    rows = checked(services, made)
    assert rows["unchecked"].facts == {"sums": 1}
    assert "sums" not in rows, "an unknown amount is no zero"


def test_a_link_that_comes_to_cover_other_challans_is_found_by_their_numbers(services, levers, counter, made):
    with services.store.read() as connection:
        kept, dropped = links.challans_of(connection, made)
    other = next(item.challan for item in counter.listed(RC) if item.selectable)
    record = {"id": other.id, "challanNo": other.challan_no, "rcNumber": RC, "status": "PENDING"}
    record |= {"challanType": "ONLINE", "state": "", "challanAmount": 1, "legalFee": 1, "totalAmount": 2}
    mine = {**record, "id": kept.challan_id, "challanNo": kept.challan_no}
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


def test_a_payment_that_is_unsaid_is_found(services, levers, made):
    levers.pay(made)
    assert "late" not in checked(services, made)
    levers.set_link(made, status="CANCELLED")
    assert checked(services, made)["late"].facts["unsaid"]["state"] == "CANCELLED"


def test_a_link_made_elsewhere_is_found_by_the_search_that_shows_it(services, counter, levers, elsewhere):
    counter.search(RC)
    link_id = elsewhere.create_payment_link(RC, counter.payable(RC)[:1], expiry_hours=48, before_send=lambda: None).id
    counter.search(RC)
    assert found(services, link_id).keys() == {"elsewhere"}
    assert checked(services, link_id).keys() == {"elsewhere"}


def test_a_lost_link_that_is_recovered_is_not_called_made_elsewhere(services, counter, levers):
    counter.search(RC)
    levers.fault("create_link", "cut", when="after")
    row = counter.create(RC, counter.payable(RC)[:1])
    services.clock.advance(seconds=4)
    row = counter.resolve(row.id)
    assert row.state == "RECOVERED"
    assert found(services, row.link_id) == {}


def test_an_answer_that_tells_nothing_new_changes_nothing_that_was_found(services, levers, made):
    levers.set_link(made, raw=raw_amount(totalAmount=1))
    version = checked(services, made)["sums"].version
    for _ in range(3):
        assert checked(services, made)["sums"].version == version


def test_judging_that_fails_loses_no_answer(services, levers, made, monkeypatch):
    monkeypatch.setattr(checks, "sums", lambda *_: 1 / 0)
    levers.pay(made)
    checked(services, made)
    with services.store.read() as connection:
        assert links.find(connection, made).status == "PAID"


# Ticking off


@pytest.fixture
def late(services, levers, made):
    levers.expire(made)
    checked(services, made)
    levers.pay(made)
    return checked(services, made)["late"]


def test_a_tick_is_kept_with_its_note_in_the_history(services, counter, made, late):
    assert services.discrepancies.see(late.id, late.version, counter.person_id, f"  {NOTE} ") is DiscrepancyKind.LATE
    row = found(services, made)["late"]
    assert (row.seen_by, row.note, row.seen_at) == (counter.person_id, NOTE, services.clock())
    with services.store.read() as connection:
        [event] = [each for each in links.events_of(connection, made) if each.kind == "finding_seen"]
        assert discrepancies.standing_counts(connection).get("late") is None
        assert [each.id for each in discrepancies.seen(connection, 5)] == [late.id]
    assert (event.person_id, event.old, event.new) == (counter.person_id, "late", NOTE)


def test_what_changed_since_it_was_read_is_not_ticked_off(services, counter, levers, made, late):
    levers.set_link(made, status="ACTIVE")
    checked(services, made)
    with pytest.raises(DiscrepancyChanged):
        services.discrepancies.see(late.id, late.version, counter.person_id, NOTE)
    assert found(services, made)["late"].seen_at is None


def test_what_was_ticked_off_stands_again_when_it_changes(services, counter, levers, made, late):
    services.discrepancies.see(late.id, late.version, counter.person_id, NOTE)
    assert checked(services, made)["late"].seen_at is not None
    levers.set_link(made, status="ACTIVE")
    row = checked(services, made)["late"]
    assert (row.seen_at, row.note, row.version) == (None, None, late.version + 1)


def test_a_finding_of_another_kind_on_the_same_link_stands_by_itself(services, counter, levers, made, late):
    services.discrepancies.see(late.id, late.version, counter.person_id, NOTE)
    levers.set_link(made, raw=raw_amount(totalAmount=1))
    rows = checked(services, made)
    assert rows["late"].seen_at is not None
    assert rows["sums"].seen_at is None


def test_two_people_cannot_tick_off_the_same(services, counter, colleague, late):
    services.discrepancies.see(late.id, late.version, counter.person_id, NOTE)
    with pytest.raises(DiscrepancyChanged):
        services.discrepancies.see(late.id, late.version, colleague.person_id, "Me too")


@pytest.mark.parametrize("note", ["", "  ", "ok", "x" * 501])
def test_a_note_has_something_to_say(services, counter, late, note):
    with pytest.raises(NoteRefused):
        services.discrepancies.see(late.id, late.version, counter.person_id, note)


def test_what_is_not_there_cannot_be_ticked_off(services, counter):
    with pytest.raises(LookupError):
        services.discrepancies.see(4711, 1, counter.person_id, NOTE)


# The double alarm


@pytest.fixture
def doubled(services, counter, levers):
    """Two links on the same challans, the second paid after both lived."""
    counter.search(RC)
    ids = counter.payable(RC)[:1]
    first = counter.create(RC, ids).link_id
    levers.expire(first)
    services.clock.advance(seconds=1)
    services.link_poller.refresh(first)
    counter.search(RC)
    second = counter.create(RC, ids).link_id
    services.clock.advance(seconds=1)
    levers.pay(first)
    services.link_poller.refresh(first)
    return first, second


def test_an_alarm_is_a_finding_and_ticking_it_off_takes_note_of_it(services, counter, doubled):
    first, _ = doubled
    row = found(services, first)["double"]
    assert row.facts["challans"] == 1
    services.discrepancies.see(row.id, row.version, counter.person_id, NOTE)
    assert found(services, first)["double"].note == NOTE
    with services.store.read() as connection:
        noted = [event.new for event in links.events_of(connection, first) if event.kind == links.DOUBLE_SEEN]
    assert noted == [NOTE]


def test_an_alarm_noted_on_its_links_page_is_ticked_off(services, counter, doubled):
    first, _ = doubled
    with services.store.read() as connection:
        newest = max(event.id for event in links.events_of(connection, first) if event.kind == links.DOUBLE)
    services.duplicate_alarms.acknowledge(first, counter.person_id, NOTE, newest)
    assert found(services, first)["double"].note == NOTE


def test_a_newer_alarm_stands_again(services, counter, levers, doubled):
    first, _ = doubled
    row = found(services, first)["double"]
    services.discrepancies.see(row.id, row.version, counter.person_id, NOTE)
    levers.expire(first)
    checked(services, first)
    levers.pay(first)
    assert checked(services, first)["double"].seen_at is None


def test_nothing_ticked_off_is_ever_deleted(services, counter, levers, made):
    levers.set_link(made, raw=raw_amount(totalAmount=1))
    row = checked(services, made)["sums"]
    services.discrepancies.see(row.id, row.version, counter.person_id, NOTE)
    levers.set_link(made, raw=None)
    row = checked(services, made)["sums"]
    assert row.gone_at == services.clock()
    assert row.note == NOTE


def test_what_is_ticked_off_is_counted_while_it_is_still_so(services, counter, levers, made):
    levers.set_link(made, raw=raw_amount(totalAmount=1))
    row = checked(services, made)["sums"]
    services.discrepancies.see(row.id, row.version, counter.person_id, NOTE)
    with services.store.read() as connection:
        assert discrepancies.standing_counts(connection) == {}
        assert discrepancies.ticked_counts(connection) == {"sums": 1}
        assert discrepancies.find_standing(connection, row.id) is None
    levers.set_link(made, raw=None)
    checked(services, made)
    with services.store.read() as connection:
        assert discrepancies.ticked_counts(connection) == {}


def test_a_payment_that_was_unsaid_is_told_ticked_off_or_not_until_it_is_paid_again(services, counter, levers, made):
    levers.pay(made)
    checked(services, made)
    levers.set_link(made, status="CANCELLED")
    row = checked(services, made)["late"]

    def unsaid():
        with services.store.read() as connection:
            return [(row.facts["unsaid"]["state"], row.status) for row in discrepancies.unsaid(connection)]

    assert unsaid() == [("CANCELLED", "CANCELLED")]
    services.discrepancies.see(row.id, row.version, counter.person_id, NOTE)
    assert unsaid() == [("CANCELLED", "CANCELLED")]
    levers.set_link(made, status="PAID")
    checked(services, made)
    assert unsaid() == []


def test_the_others_of_several_links_are_those_of_each(services, counter, doubled):
    first, second = doubled
    alone = counter.create(RC, counter.payable(RC)[-1:]).link_id
    with services.store.read() as connection:
        together = duplicates.sharing_any(connection, [first, second, alone])
        assert {key: [row.id for row in rows] for key, rows in together.items()} == {first: [second], second: [first]}
        for link_id in (first, second, alone):
            each = [row.id for row in duplicates.sharing(connection, link_id)]
            assert [row.id for row in together.get(link_id, ())] == each


@pytest.mark.databases
def test_pages_of_a_kind_leave_out_nothing_and_repeat_nothing(services, counter):
    counter.search(RC)
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
        while rows := discrepancies.standing(connection, DiscrepancyKind.ELSEWHERE, 2, place):
            shown += [row.link_id for row in rows]
            place = discrepancies.Place(rows[-1].found_at, rows[-1].id)
        assert discrepancies.standing_counts(connection) == {"elsewhere": 9}
    assert sorted(shown) == names
    assert len(set(shown)) == 9


def test_the_history_is_only_added_to(services, counter, made, late):
    with services.store.read() as connection:
        before = connection.execute(link_event.select().order_by(link_event.c.id)).all()
    services.discrepancies.see(late.id, late.version, counter.person_id, NOTE)
    with services.store.write() as connection:
        after = connection.execute(link_event.select().order_by(link_event.c.id)).all()
        connection.execute(update(finding).values(note="again"))
    assert after[: len(before)] == before
    assert len(after) == len(before) + 1
