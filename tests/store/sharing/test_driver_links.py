"""Test which links are those of a driver, by whom they were given or would be, on both databases."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import insert

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.link_filters import LinkFilter, Only
from dashboard.domain.roles import Role
from dashboard.domain.sharing import Channel
from dashboard.store.accounts import people
from dashboard.store.links import links, listing, totals
from dashboard.store.links.tables import COPIED, link, ranks
from dashboard.store.sharing import driver_links, drivers, shares
from tests.support.query_plans import plan, statements

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
OWN, SHARED = "MH12AB1001", "MH12AB1002"

pytestmark = pytest.mark.databases


class Office:
    """Enter links by a name, drivers, and to whom links were given."""

    def __init__(self, connection):
        self.connection = connection
        self.names = {}
        person = {"email": "asha@example.com", "name": "Asha", "role": Role.STAFF, "password_hash": ""}
        self.person_id = people.add(connection, **person, created_at=NOW).id

    def driver(self, name, *vehicles):
        details = DriverDetails(name, None, None, "en", None, vehicles)
        return drivers.add(self.connection, details, at=NOW, by=self.person_id)

    def link(self, name, rc=OWN, status="ACTIVE"):
        link_id = str(uuid.UUID(int=len(self.names) + 1, version=4))
        self.names[link_id] = name
        at = NOW - timedelta(hours=len(self.names))
        row = {"id": link_id, "rc": rc, "status": status, "status_since": at, "first_seen_at": at, "modes": []}
        row |= {"total": Decimal(100), "detailed": True, "origin": "created", "version": 1, "expires_at": NOW}
        self.connection.execute(insert(link).values(**row, **ranks(row)))
        return link_id

    def given(self, link_id, driver_id, ago, channel=Channel.WHATSAPP):
        how = {"channel": channel, "language": "en", "person_id": self.person_id}
        at = NOW - timedelta(hours=ago)
        return shares.add(self.connection, link_id=link_id, driver_id=driver_id, at=at, **how)

    def found(self, **asked):
        """Return the names of the links of a filter, which are counted as well."""
        filtered = LinkFilter(**asked)
        rows = listing.page(self.connection, filtered, UTC, NOW, place=None, limit=50)
        assert totals.total(self.connection, filtered, UTC, NOW).number == len(rows)
        return {self.names[row.id] for row in rows}


@pytest.fixture
def office(ledger):
    with ledger.write() as connection:
        yield Office(connection)


@pytest.fixture
def ramesh(office):
    """Enter links of a vehicle that Ramesh usually drives, and of one that Lakshmi drives as well."""
    ramesh = office.driver("Ramesh Yadav", OWN, SHARED)
    lakshmi = office.driver("Lakshmi Devi", SHARED)
    left = office.driver("Sunil Rane", OWN)
    drivers.set_left(office.connection, left, NOW)
    office.link("not sent")
    office.link("failed, never sent", status="FAILED")
    office.link("expired, never sent", status="EXPIRED")
    office.link("paid, never sent", status="PAID")
    office.link("of two drivers", rc=SHARED)
    office.link("of nobody", rc=None)
    office.given(office.link("sent to him, expired", status="EXPIRED"), ramesh, ago=1)
    office.given(office.link("sent to her", rc=OWN), lakshmi, ago=1)
    copied = office.link("copied")
    links.record_event(office.connection, copied, COPIED, NOW, person_id=office.person_id)
    office.given(office.link("shown to nobody"), None, ago=1, channel=Channel.QR)
    again = office.link("sent to her, then shown to nobody")
    office.given(again, lakshmi, ago=2)
    office.given(again, None, ago=1, channel=Channel.QR)
    return ramesh


HIS = {
    "not sent",
    "failed, never sent",
    "sent to him, expired",
    "copied",
    "shown to nobody",
    "sent to her, then shown to nobody",
}


@pytest.mark.parametrize("few", [0, 2000], ids=["frequent", "rare"])
@pytest.mark.parametrize("typed", ["ramesh", "  Ramesh Ya ", "YADAV"])
def test_links_are_found_by_the_driver_whom_their_rows_name(office, ramesh, monkeypatch, typed, few):
    monkeypatch.setattr(listing, "_FEW", few)
    assert office.found(driver=str(ramesh)) == HIS
    assert office.found(text=typed) == HIS
    assert office.found(text=typed, states=("FAILED",)) == {"failed, never sent"}
    assert office.found(text="Ramesh%") == office.found(text="Suresh") == set()


def test_who_has_left_is_not_a_usual_driver_any_more(office, ramesh):
    assert office.found(text="sunil") == set()
    drivers.set_left(office.connection, ramesh, NOW)
    assert office.found(driver=str(ramesh)) == {"sent to him, expired"}
    assert office.found(text="lakshmi") == {"of two drivers", "sent to her", "sent to her, then shown to nobody"}


def test_links_that_no_driver_has_are_listed_for_their_usual_driver(office, ramesh):
    found = driver_links.for_usual_driver(office.connection, ramesh)
    assert [office.names[each] for each in found] == [
        "not sent",
        "failed, never sent",
        "copied",
        "shown to nobody",
        "sent to her, then shown to nobody",
    ]


def test_unpaid_links_are_told_apart_by_what_became_of_them(office, ramesh):
    assert office.found(only=Only.SENT) == {"sent to her", "shown to nobody", "sent to her, then shown to nobody"}
    assert office.found(only=Only.COPIED) == {"copied"}
    assert office.found(only=Only.NOT_SENT) == {"not sent", "of two drivers", "of nobody"}


def test_the_links_of_a_driver_are_read_from_the_shares_and_vehicles_of_this_one(store):
    with statements(store) as sent, store.read() as connection:
        listing.page(connection, LinkFilter(driver="1"), UTC, NOW, place=None, limit=50)
    steps = "\n".join(plan(store, words, values) for words, values in sent if words.startswith("SELECT"))
    assert "SEARCH share USING INDEX ix_share_driver_id_at (driver_id=?)" in steps
    assert "SEARCH link USING INDEX ix_link_rc (rc=?)" in steps
    assert "SCAN link" not in steps
