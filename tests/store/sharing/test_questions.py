"""Test which questions to drivers stand, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Answer, Channel
from dashboard.store.accounts import people
from dashboard.store.links.tables import link, ranks
from dashboard.store.sharing import drivers, ended_links, questions, shares

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
LINK_ID = "00000000-0000-4000-8000-000000000001"

pytestmark = pytest.mark.databases


@pytest.fixture
def ids(store):
    """Enter a failed link that a person gave to a driver; return the ids of the person and the driver."""
    with store.write() as connection:
        row = {"id": LINK_ID, "rc": "MH12AB1001", "status": "FAILED", "status_since": NOW, "first_seen_at": NOW}
        row |= {"modes": [], "total": None, "detailed": True, "origin": "created", "version": 1, "expires_at": None}
        connection.execute(insert(link).values(**row, **ranks(row)))
        asha = people.add(
            connection, email="asha@fleet.example", name="asha", role="staff", password_hash="-", created_at=NOW
        )
        ramesh = drivers.add(
            connection, DriverDetails("Ramesh Kumar", "98765 43210", None, "hi", None, ()), at=NOW, by=asha.id
        )
        given = {"link_id": LINK_ID, "driver_id": ramesh, "channel": Channel.WHATSAPP, "language": "hi"}
        shares.add(connection, **given, person_id=asha.id, at=NOW)
    return asha.id, ramesh


def asks(store, ids, *, minutes=0):
    with store.write() as connection:
        at = NOW + timedelta(minutes=minutes)
        return questions.add(connection, LINK_ID, ids[1], at=at, person_id=ids[0])


def standing(store):
    with store.read() as connection:
        return questions.newest_of_links(connection, [LINK_ID]).get(LINK_ID)


def failed_number(store):
    with store.read() as connection:
        return ended_links.totals(connection, NOW).failed.number


def test_a_question_names_its_driver_and_is_recorded_once_for_two_taps(store, ids):
    assert failed_number(store) == 1
    assert [asks(store, ids), asks(store, ids)] == [True, False]
    asked = standing(store)
    assert (asked.driver, asked.person_id, asked.at) == ("Ramesh Kumar", ids[0], NOW)
    assert failed_number(store) == 1, "nobody knows yet whether money was taken"
    with store.read() as connection:
        of_all = ended_links.totals(connection, NOW)
    assert (of_all.to_ask, of_all.asked, of_all.taken) == (0, 1, 0)
    assert asks(store, ids, minutes=2), "the driver has not answered"
    assert standing(store).at == NOW + timedelta(minutes=2)


def test_the_newest_answer_since_the_question_counts(store, ids):
    def notes(answer, minutes):
        with store.write() as connection:
            at = NOW + timedelta(minutes=minutes)
            return questions.note_answer(connection, LINK_ID, answer, at=at, person_id=ids[0])

    assert not notes(None, 0), "nothing to take back"
    asks(store, ids)
    assert [notes(Answer.TAKEN, 1), notes(Answer.TAKEN, 1)] == [True, False], "two taps are one"
    answered = standing(store).answered
    assert (answered.answer, answered.person_id, answered.at) == (Answer.TAKEN, ids[0], NOW + timedelta(minutes=1))
    assert failed_number(store) == 1, "somebody sees to the money"
    assert notes(Answer.NOT_TAKEN, 2)
    assert failed_number(store) == 0
    assert notes(Answer.TAKEN, 3), "after all"
    assert failed_number(store) == 1
    assert notes(None, 4), "taken back"
    assert standing(store).answered is None
    assert failed_number(store) == 1
    assert notes(Answer.TAKEN, 5)
    assert asks(store, ids, minutes=6)
    assert standing(store).answered is None, "asked again"
    assert failed_number(store) == 1
    again = standing(store)
    with store.write() as connection:
        questions.undo(connection, again, NOW + timedelta(minutes=7))
    assert standing(store).answered.answer is Answer.TAKEN, "to the question before"
    with store.read() as connection:
        of_all = ended_links.totals(connection, NOW)
    assert (of_all.to_ask, of_all.asked, of_all.taken) == (0, 0, 1)


def test_an_answer_without_a_question_was_asked_for_by_phone(store, ids):
    with store.write() as connection:
        for answer in (Answer.NOT_TAKEN, Answer.NOT_TAKEN, Answer.TAKEN):
            questions.note_answer(connection, LINK_ID, answer, ids[1], at=NOW, person_id=ids[0])
    asked = standing(store)
    assert (asked.by_phone, asked.driver, asked.at) == (True, "Ramesh Kumar", NOW)
    assert asked.answered.answer is Answer.TAKEN, "the newest"
    assert failed_number(store) == 1
    asks(store, ids, minutes=1)
    assert not standing(store).by_phone


def test_a_question_that_was_taken_back_is_found_and_does_not_stand(store, ids):
    asks(store, ids)
    first = standing(store)
    for _ in range(2):
        with store.write() as connection:
            questions.undo(connection, first, NOW)
    assert standing(store) is None
    assert failed_number(store) == 1
    with store.read() as connection:
        assert questions.find(connection, LINK_ID, first.id) == first
        assert questions.find(connection, LINK_ID, first.id + 1) is None, "which is that it was taken back"
    assert asks(store, ids), "and at once asked after all"
    assert standing(store).id > first.id
