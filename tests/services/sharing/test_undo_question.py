"""Test taking back that a driver was asked: by whom, and for how long."""

from __future__ import annotations

import pytest

from dashboard.services.sharing.share import UNDO_FOR, Sharing, TooLateToUndo
from dashboard.store.engine import NotStored
from dashboard.store.sharing import questions
from tests.services.sharing.test_undo_share import LINK_ID, OTHER_LINK, asha_and_meera

__all__ = ["asha_and_meera"]


@pytest.fixture
def sharing(store, clock):
    return Sharing(store, None, clock, None)


@pytest.fixture
def asked(store, sharing, asha_and_meera):
    """Ask as the first person; return the id of the question."""
    assert sharing.record_question(LINK_ID, asha_and_meera[0], None)
    return standing(store).id


def standing(store):
    with store.read() as connection:
        return questions.newest_of_links(connection, [LINK_ID]).get(LINK_ID)


def test_whoever_asked_takes_it_back(store, sharing, asha_and_meera, asked):
    for _ in range(2):
        sharing.undo_question(LINK_ID, asked, asha_and_meera[0])
    assert standing(store) is None


@pytest.mark.parametrize(("person", "link_id", "beside"), [(1, LINK_ID, 0), (0, OTHER_LINK, 0), (0, LINK_ID, 1)])
def test_nobody_takes_back_what_is_not_theirs(store, sharing, asha_and_meera, asked, person, link_id, beside):
    with pytest.raises(NotStored):
        sharing.undo_question(link_id, asked + beside, asha_and_meera[person])
    assert standing(store)


def test_it_can_be_taken_back_for_a_while_only(store, clock, sharing, asha_and_meera, asked):
    clock.advance(seconds=UNDO_FOR.total_seconds() + 1)
    assert not sharing.can_undo_event(standing(store), asha_and_meera[0])
    with pytest.raises(TooLateToUndo):
        sharing.undo_question(LINK_ID, asked, asha_and_meera[0])
    assert standing(store)
