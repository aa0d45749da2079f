"""Test in which list of the follow-up queue each link stands, and what the first page counts, on both databases."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import insert

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.money import Sum
from dashboard.domain.roles import Role
from dashboard.domain.sharing import Channel
from dashboard.store.accounts import people
from dashboard.store.home import figures
from dashboard.store.home.figures import QueueCounts
from dashboard.store.links import links
from dashboard.store.links.listing import Place
from dashboard.store.links.tables import COPIED, link, ranks
from dashboard.store.links.totals import Total
from dashboard.store.reconciliation import discrepancies
from dashboard.store.sharing import follow_ups, shares

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)

pytestmark = pytest.mark.databases


@pytest.fixture
def person_id(ledger):
    with ledger.write() as connection:
        values = {"email": "asha@example.com", "name": "Asha", "role": Role.STAFF, "password_hash": ""}
        return people.add(connection, **values, created_at=NOW).id


class Queue:
    """Enter links by a name, each of as many rupees as its number."""

    def __init__(self, connection, person_id):
        self.connection, self.person_id = connection, person_id
        self.names = {}

    def link(self, name, hours, **values):
        link_id = str(uuid.UUID(int=len(self.names) + 1, version=4))
        self.names[link_id] = name
        row = {"id": link_id, "rc": "MH12AB1001", "status": "ACTIVE", "status_since": NOW, "first_seen_at": NOW}
        row |= {"modes": [], "total": Decimal(len(self.names)), "detailed": True, "origin": "created", "version": 1}
        row |= {"expires_at": NOW + hours * HOUR} | values
        self.connection.execute(insert(link).values(**row, **ranks(row)))
        return link_id

    def differs(self, link_id):
        """Let the amounts of a link not match."""
        discrepancies.record(self.connection, link_id, DiscrepancyKind.SUMS, {"parts": []}, NOW)

    def given(self, link_id, ago):
        how = {"driver_id": None, "channel": Channel.QR, "language": "en", "person_id": self.person_id}
        shares.add(self.connection, link_id=link_id, at=NOW - ago * HOUR, **how)

    def named(self, found):
        return [self.names[each.id] for each in found]


def test_each_link_stands_in_one_list(ledger, person_id):
    with ledger.write() as connection:
        queue = Queue(connection, person_id)
        queue.link("ends soon", 2)
        queue.link("not sent", 60)
        queue.given(queue.link("sent", 60), ago=1)
        queue.given(queue.link("sent, ends soon", 20), ago=1)
        queue.given(queue.link("sent long ago, ends soon", 20), ago=13)
        follow_ups.snooze(connection, queue.link("snoozed", 60), NOW + HOUR, NOW - HOUR, person_id)
        asked = queue.link("asked for", 60)
        queue.given(asked, ago=30)
        follow_ups.ask(connection, asked, NOW - 2 * HOUR, person_id)
        copied = queue.link("copied", 60)
        links.record_event(connection, copied, COPIED, NOW - HOUR, person_id=person_id)
        queue.link("to be checked", 60, status="ON_HOLD")
        queue.link("no longer known", 60, not_found=99)
        queue.link("paid", 2, status="PAID", paid_at=NOW - HOUR)
        answered = queue.link("asked for, sent since", 60)
        follow_ups.ask(connection, answered, NOW - 2 * HOUR, person_id)
        queue.given(answered, ago=1)
        queue.differs(queue.link("amounts do not match", 70))
        waits = follow_ups.waiting(connection, NOW, None, 50)
        assert queue.named(waits) == ["ends soon", "sent long ago, ends soon", "not sent", "asked for"]
        snoozed = follow_ups.snoozed(connection, NOW, None, 50)
        assert [(queue.names[each.id], each.snoozed_until) for each in snoozed] == [("snoozed", NOW + HOUR)]
        lately = ["sent, ends soon", "sent", "copied", "asked for, sent since"]
        assert queue.named(follow_ups.sent(connection, NOW, None, 50)) == lately
        assert queue.named(follow_ups.to_check_first(connection, 5)) == ["to be checked", "amounts do not match"]
        assert follow_ups.resting(connection, NOW, queue.names) == {
            each for each, name in queue.names.items() if name in ("sent", "sent, ends soon", "asked for, sent since")
        }
        later = follow_ups.waiting(connection, NOW, Place(waits[1].rank, waits[1].id), 50)
        assert queue.named(later) == ["not sent", "asked for"]
        assert follow_ups.counts(connection, NOW) == follow_ups.FollowUpCounts(waiting=4, snoozed=1)
        totals = follow_ups.totals(connection, NOW)
        assert totals.ends_soon == Total(2, Sum(Decimal(6), 0))
        assert (totals.not_sent.number, totals.chosen.number, totals.sent.number) == (1, 1, 4)
        day = figures.figures(connection, NOW, NOW + 9 * HOUR, NOW - 9 * HOUR, NOW - 33 * HOUR)
        assert day.open == (11, Sum(Decimal(70), 0))
        assert day.ends_today == (1, Sum(Decimal(1), 0))
        assert day.not_sent == (3, Sum(Decimal(9), 0))
        assert day.collected_today == (1, Sum(Decimal(11), 0))
        assert day.collected_yesterday == (0, Sum(Decimal(0), 0))
        assert day.ends_first == NOW + 2 * HOUR
        assert (day.ends_soon[0], day.not_sent_soon, day.to_remind) == (3, 1, 1)
        assert day.ending == QueueCounts(waiting=2, sent=1, snoozed=0, back_at=None)
        assert day.unsent == QueueCounts(waiting=2, sent=0, snoozed=1, back_at=NOW + HOUR)


def test_a_link_whose_amounts_do_not_match_waits_once_that_was_acknowledged(ledger, person_id):
    with ledger.write() as connection:
        queue = Queue(connection, person_id)
        names = ("open", "acknowledged", "withdrawn", "of another kind")
        links_by_name = {name: queue.link(name, 60) for name in names}
        for link_id in links_by_name.values():
            queue.differs(link_id)
        acknowledged = discrepancies.of_link(connection, links_by_name["acknowledged"])[DiscrepancyKind.SUMS]
        how = {"person_id": person_id, "note": "asked", "at": NOW}
        discrepancies.acknowledge(connection, acknowledged.id, acknowledged.version, **how)
        for name in ("withdrawn", "of another kind"):
            discrepancies.withdraw(connection, links_by_name[name], [DiscrepancyKind.SUMS], NOW)
        discrepancies.record(connection, links_by_name["of another kind"], DiscrepancyKind.CHALLANS, {}, NOW)
        assert queue.named(follow_ups.waiting(connection, NOW, None, 50)) == list(names[1:])
        assert queue.named(follow_ups.to_check_first(connection, 5)) == ["open"]
        ids = links_by_name.values()
        assert follow_ups.to_check_of(connection, ids) == {links_by_name["open"]}
        assert discrepancies.with_open_mismatch(connection, ids) == {links_by_name["open"]}
        assert discrepancies.with_open_mismatch(connection, []) == set()
