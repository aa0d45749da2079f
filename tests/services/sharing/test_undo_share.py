"""Test taking a share back: by whom, for how long, and that the history keeps it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.links import PaymentLink
from dashboard.domain.sharing import Channel
from dashboard.services.links import ledger
from dashboard.services.schedule import Schedule
from dashboard.services.sharing.drivers import Drivers
from dashboard.services.sharing.share import UNDO_FOR, Sharing, TooLateToUndo
from dashboard.store.accounts import people
from dashboard.store.engine import NotStored
from dashboard.store.links import history
from dashboard.store.sharing import follow_ups, shares
from tests.support.sends import sends_to_a_number

LINK_ID = "00000000-0000-4000-8000-000000000001"
OTHER_LINK = "00000000-0000-4000-8000-000000000099"


@pytest.fixture
def asha_and_meera(store, clock):
    """Add two people and a link; return the ids of the people."""
    with store.write() as connection:
        ids = [
            people.add(
                connection,
                email=f"{name}@fleet.example",
                name=name,
                role="staff",
                password_hash="-",
                created_at=clock(),
            ).id
            for name in ("asha", "meera")
        ]
        answer = PaymentLink(id=LINK_ID, status="ACTIVE", expires_at=clock() + timedelta(hours=48))
        ledger.enter_link(connection, answer, Schedule(), clock(), rc="MH12AB1001")
    return ids


@pytest.fixture
def sharing(store, clock):
    return Sharing(store, None, clock, None)


@pytest.fixture
def shared(sharing, asha_and_meera):
    """Share the link as the first person; return the id of the share."""
    return sends_to_a_number(sharing, LINK_ID, asha_and_meera[0])


def standing(store):
    with store.read() as connection:
        return [share.id for share in shares.of_link(connection, LINK_ID)]


def events(store):
    with store.read() as connection:
        return [event.kind for event in history.newest(connection, LINK_ID, 10)]


def test_a_share_is_taken_back_and_stays_in_the_history(store, clock, sharing, asha_and_meera, shared):
    second = sends_to_a_number(sharing, LINK_ID, asha_and_meera[0], Channel.SMS)
    sharing.undo_share(LINK_ID, shared, asha_and_meera[0])
    assert standing(store) == [second]
    with store.read() as connection:
        assert len(shares.of_link(connection, LINK_ID, also_undone=True)) == 2
        assert shares.newest_of_links(connection, [LINK_ID])[LINK_ID].id == second
    sharing.undo_share(LINK_ID, second, asha_and_meera[0])
    with store.read() as connection:
        assert not shares.newest_of_links(connection, [LINK_ID])


def test_a_second_undo_changes_nothing(store, sharing, asha_and_meera, shared):
    for _ in range(2):
        sharing.undo_share(LINK_ID, shared, asha_and_meera[0])
    assert events(store).count("share_undone") == 1


def test_nobody_takes_back_the_share_of_a_colleague(store, sharing, asha_and_meera, shared):
    with pytest.raises(NotStored):
        sharing.undo_share(LINK_ID, shared, asha_and_meera[1])
    assert standing(store) == [shared]


def test_a_share_is_taken_back_at_its_own_link_only(store, sharing, asha_and_meera, shared):
    with pytest.raises(NotStored):
        sharing.undo_share(OTHER_LINK, shared, asha_and_meera[0])
    with pytest.raises(NotStored):
        sharing.undo_share(LINK_ID, shared + 1, asha_and_meera[0])
    assert standing(store) == [shared]


def test_a_share_can_be_taken_back_for_a_while_only(store, clock, sharing, asha_and_meera, shared):
    clock.advance(seconds=UNDO_FOR.total_seconds() + 1)
    with pytest.raises(TooLateToUndo):
        sharing.undo_share(LINK_ID, shared, asha_and_meera[0])
    assert standing(store) == [shared]


def test_a_link_whose_only_share_was_taken_back_is_followed_up_again(store, clock, sharing, asha_and_meera, shared):
    def waiting():
        with store.read() as connection:
            return follow_ups.counts(connection, clock()).waiting

    clock.advance(minutes=5)
    late = sends_to_a_number(sharing, LINK_ID, asha_and_meera[0], Channel.SMS)
    clock.advance(minutes=5)
    sharing.undo_share(LINK_ID, shared, asha_and_meera[0])
    clock.advance(minutes=5)
    assert waiting() == 0
    sharing.undo_share(LINK_ID, late, asha_and_meera[0])
    clock.advance(minutes=5)
    assert waiting() == 1


def test_the_share_of_a_link_that_was_paid_meanwhile_stands(store, clock, sharing, asha_and_meera):
    details = DriverDetails("Ramesh", "98765 43210", None, "en", None, ())
    asha = asha_and_meera[0]
    driver = Drivers(store, clock).add(details, asha)

    def enters(link_id, status):
        with store.write() as connection:
            answer = PaymentLink(id=link_id, status=status, expires_at=clock() + timedelta(hours=48))
            ledger.enter_link(connection, answer, Schedule(), clock(), rc="MH12AB1001")

    enters(OTHER_LINK, "ACTIVE")
    first, other = sharing.record_message([LINK_ID, OTHER_LINK], Channel.WHATSAPP, asha, driver, "en")
    enters(OTHER_LINK, "PAID")
    with store.read() as connection:
        [size] = shares.message_sizes(connection, shares.newest_of_links(connection, [LINK_ID]).values()).values()
    assert size == 1, "the undo is of one link"
    assert sharing.undo_share(OTHER_LINK, other, asha) == sharing.undo_share(LINK_ID, first, asha)
    assert standing(store) == []
    with store.read() as connection:
        assert [each.id for each in shares.of_link(connection, OTHER_LINK)] == [other]
    enters(LINK_ID, "PAID")
    assert sharing.undo_share(LINK_ID, first, asha) == []
