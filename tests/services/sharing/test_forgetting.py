"""Test that a forgotten driver is nowhere in the database, and that links, amounts and shares stay as they are."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import String, cast, func, insert, select, update

from dashboard.domain.assumptions import AssumptionOutcome
from dashboard.domain.drivers import DriverDetails
from dashboard.domain.forgetting import REMOVED, Traces
from dashboard.domain.sharing import Channel
from dashboard.services.accounts import audit as entering
from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.services.sharing.drivers import Drivers
from dashboard.services.sharing.forgetting import Forgetting
from dashboard.store.accounts import audit, people, saved_forms
from dashboard.store.creation import claims
from dashboard.store.creation.intents import claim, intent, intent_event
from dashboard.store.engine import NotStored
from dashboard.store.links import custom_fields, links, saved_views
from dashboard.store.links.tables import link
from dashboard.store.migrate import all_tables
from dashboard.store.operations import assumption_checks
from dashboard.store.sharing import drivers as stored
from dashboard.store.sharing import follow_ups, message_templates, shares
from dashboard.store.vehicles import selections

RAMESH = DriverDetails("Ramesh Kumar", "98765 43210", "ramesh@fleet.example", "hi", "back on Monday", ("MH12AB1001",))
LINK = "00000000-0000-4000-8000-000000000001"
SAID = "told ramesh  kumar on +91-98765-43210 to wait"


@pytest.fixture
def forgetting(ledger, clock):
    return Forgetting(ledger, clock)


@pytest.fixture
def ramesh(ledger, clock):
    """Add a driver to whom a link was given, and whose name stands wherever people type; return the id."""
    now = clock()
    with ledger.write() as connection:
        added = {"email": "asha@fleet.example", "name": "Asha Rao", "role": "staff"}
        asha = people.add(connection, **added, password_hash="-", created_at=now).id
        driver_id = stored.add(connection, RAMESH, at=now, by=asha)
        usual = {"rc": "MH12AB1001", "status": "ACTIVE", "modes": [], "detailed": False, "origin": "observed"}
        usual |= {"version": 1, "status_since": now, "first_seen_at": now, "total": 12, "release_reason": SAID}
        connection.execute(insert(link).values(id=LINK, **usual))
        asked = {"id": LINK, "request_key": "k", "person_id": asha, "rc": "MH12AB1001", "challan_ids": [], "hours": 48}
        asked |= {"state": "NEEDS_ATTENTION", "state_since": now, "sends": 1, "prepared_at": now, "negatives": 0}
        connection.execute(insert(intent).values(**asked, attempts=0, release_reason=SAID))
        connection.execute(insert(intent_event).values(intent_id=LINK, at=now, new="NEEDS_ATTENTION", detail=SAID))
        connection.execute(insert(claim).values(challan_id=LINK, intent_id=LINK, claimed_at=now))
        claims.release(connection, LINK, now, f"released by a manager: {SAID}")
        selections.save(connection, asha, "MH12AB1001", [LINK], "Ramesh Kumar", now)
        shares.add(
            connection,
            link_id=LINK,
            driver_id=driver_id,
            channel=Channel.WHATSAPP,
            language="hi",
            person_id=asha,
            at=now,
        )
        follow_ups.add_note(connection, LINK, SAID, now, asha)
        links.record_event(connection, LINK, "status", now, new="ACTIVE")
        custom_fields.write(connection, custom_fields.LINK, LINK, {"note": SAID, "trip": "Ramesh Kumar"}, now, asha)
        assumption_checks.add(connection, "A1", now, asha, AssumptionOutcome.HOLDS, SAID)
        message_templates.save(connection, "hi", f"{SAID} {{url}}", now, asha)
        saved_views.add(connection, asha, "Ramesh Kumar's", "custom=Ramesh+Kumar&state=active", now)
        saved_forms.save(
            connection, now, person_id=asha, endpoint="sharing.share", view_args={}, fields=[("note", SAID), ("n", "1")]
        )
        entering.record(connection, "override", now, COMMAND_LINE, subject="MH12AB1001", reason=SAID, challans=2)
    return driver_id


def whole_database(store):
    """Return every value of every table as one text."""
    with store.read() as connection:
        rows = [row for table in all_tables().sorted_tables for row in connection.execute(select(table))]
    return "\n".join(str(tuple(row)) for row in rows)


def test_nothing_says_who_a_forgotten_driver_was(ledger, forgetting, ramesh):
    before = whole_database(ledger).lower()
    assert before.count("ramesh") > 10
    forgetting.forget(forgetting.find("Ramesh Kumar"), COMMAND_LINE)
    after = whole_database(ledger).lower()
    for trace in ("ramesh", "kumar", "98765", "43210", "monday"):
        assert trace not in after, trace
    assert f"told {REMOVED} on {REMOVED} to wait" in after


def test_the_link_its_amount_and_its_share_stay(ledger, forgetting, ramesh):
    forgetting.forget(forgetting.find(str(ramesh)), COMMAND_LINE)
    with ledger.read() as connection:
        assert connection.execute(select(link.c.total, link.c.status)).one() == (12, "ACTIVE")
        [share] = shares.of_link(connection, LINK)
        [entry, *_] = audit.newest(connection)
    assert (share.driver_id, share.driver_name) == (ramesh, f"Forgotten driver {ramesh}")
    assert (entry.action, entry.subject, entry.address) == ("driver forgotten", str(ramesh), "command line")


def test_a_forgotten_driver_neither_comes_back_nor_is_found_or_changed(ledger, clock, forgetting, ramesh):
    forgetting.forget(forgetting.find("+91 98765-43210"), COMMAND_LINE)
    drivers = Drivers(ledger, clock)
    assert not drivers.come_back(ramesh)
    with pytest.raises(NotStored):
        drivers.change(ramesh, RAMESH, None)
    assert forgetting.find("Ramesh Kumar") == forgetting.find(str(ramesh)) == []
    with ledger.read() as connection:
        assert stored.listed(connection) == stored.listed(connection, left=True) == []


def test_forgetting_twice_is_recorded_once(ledger, forgetting, ramesh):
    found = forgetting.find(str(ramesh))
    forgetting.forget(found, COMMAND_LINE)
    assert forgetting.forget(found, COMMAND_LINE) == 0
    with ledger.read() as connection:
        assert [entry.action for entry in audit.newest(connection)].count("driver forgotten") == 1


@pytest.mark.databases
@pytest.mark.parametrize("change", ["text", "person", "delete young", "empty"])
def test_the_database_refuses_every_other_change_of_the_audit_log(ledger, clock, ramesh, change):
    table, permit = audit.audit, audit.audit_permit
    statements = {
        "text": [update(table).values(subject="x")],
        "person": [insert(permit).values(deletes_before=None), update(table).values(address="x")],
        "delete young": [insert(permit).values(deletes_before=clock() - timedelta(days=1)), table.delete()],
        "empty": [insert(permit).values(deletes_before=None), table.delete()],
    }[change]

    def execute_all():
        with ledger.write() as connection:
            for statement in statements:
                connection.execute(statement)

    with pytest.raises(Exception, match="append-only"):
        execute_all()
    with ledger.read() as connection:
        assert connection.execute(select(func.count()).select_from(permit)).scalar_one() == 0
        assert connection.execute(select(cast(table.c.subject, String))).scalars().all() == ["MH12AB1001"]


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("Ramesh Kumar paid", "(removed) paid"),
        ("call 098765-43210 or +91 (98765) 43210", "call (removed) or (removed)"),
        ("Ramesh Kumarappa paid 987654321012", "Ramesh Kumarappa paid 987654321012"),
        ("रमेश कुमार को दिया", "(removed) को दिया"),
        ("रमेश कुमारी को दिया", "रमेश कुमारी को दिया"),
    ],
)
def test_whole_names_and_numbers_are_removed_and_no_parts_of_others(text, without):
    people = [("Ramesh Kumar", "9876543210", None), ("रमेश कुमार", None, None)]
    assert Traces(people).removed_from(text) == without


def test_a_person_without_any_detail_leaves_texts_as_they_are():
    assert Traces([("", None, None)]).removed_from({"a": ["b", 1, None]}) == {"a": ["b", 1, None]}
