"""Test that drivers leave and come back, and that concurrent edits of a driver do not overwrite each other unseen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.edit_conflicts import Basis, EditConflict
from dashboard.services.sharing.drivers import Drivers
from dashboard.store.accounts import people
from dashboard.store.sharing import drivers as stored

RAMESH = DriverDetails("Ramesh Kumar", "98765 43210", None, "hi", None, ("MH12AB1001",))


@pytest.fixture
def drivers(store, clock):
    return Drivers(store, clock)


@pytest.fixture
def ramesh(store, clock, drivers):
    """Add a driver and return the id."""
    with store.write() as connection:
        added = {"email": "asha@fleet.example", "name": "Asha Rao", "role": "staff"}
        asha = people.add(connection, **added, password_hash="-", created_at=clock())
    return drivers.add(RAMESH, asha.id)


def details(store, driver_id):
    with store.read() as connection:
        return stored.find(connection, driver_id).details(stored.vehicles(connection, [driver_id])[driver_id])


def test_leaving_and_coming_back_are_recorded_once(store, clock, drivers, ramesh):
    assert drivers.leave(ramesh)
    clock.advance(seconds=5)
    assert not drivers.leave(ramesh)
    with store.read() as connection:
        assert not stored.of_vehicle(connection, "MH12AB1001")
        [left] = stored.listed(connection, left=True)
    assert (clock() - left.left_at).total_seconds() == 5
    assert drivers.come_back(ramesh)
    assert not drivers.come_back(ramesh)
    assert details(store, ramesh) == RAMESH, "nothing else has changed"


def test_a_change_on_the_basis_of_older_details_is_refused(store, clock, drivers, ramesh):
    opened = Basis.of(RAMESH.fields(), clock())
    theirs, mine = replace(RAMESH, phone="98765 43211"), replace(RAMESH, vehicles=("KA05MN4321",))
    drivers.change(ramesh, theirs, opened)
    with pytest.raises(EditConflict) as conflict:
        drivers.change(ramesh, mine, opened)
    assert conflict.value.stored == theirs.fields()
    assert details(store, ramesh) == theirs
    drivers.change(ramesh, mine, Basis.of(conflict.value.stored, clock()))
    assert details(store, ramesh) == mine


def test_a_driver_who_is_not_stored_cannot_be_changed(drivers):
    with pytest.raises(LookupError):
        drivers.change(7, RAMESH, None)


def test_a_file_merges_whom_it_knows_by_phone_and_adds_the_others(store, drivers, ramesh):
    listed = DriverDetails("Ramesh K.", "+91 98765-43210", None, "", "Nights", ("KA05MN4321",))
    lakshmi = DriverDetails("Lakshmi Devi", "98765 43211", None, "", None)
    done = drivers.take_in([listed, lakshmi], 1)
    assert done.merged == (ramesh,)
    kept = replace(RAMESH, name="Ramesh K.", note="Nights", vehicles=("KA05MN4321", "MH12AB1001"))
    assert details(store, ramesh) == kept, "an empty cell removes nothing, vehicles are added"
    [added] = done.added
    assert details(store, added) == replace(lakshmi, language="en")
    again = drivers.take_in([lakshmi], 1)
    assert (again.added, again.merged, again.unchanged) == ((), (), 1)


def test_a_file_is_saved_whole_or_not_at_all(store, drivers, ramesh):
    changed = replace(RAMESH, name="Ramesh K.")
    with pytest.raises(IntegrityError):
        drivers.take_in([changed, DriverDetails("Lakshmi Devi", "98765 43211", None, "en", None)], 999)
    assert details(store, ramesh) == RAMESH
