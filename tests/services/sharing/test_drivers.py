"""Test that drivers leave and come back, and that concurrent edits of a driver do not overwrite each other unseen."""

from __future__ import annotations

from dataclasses import replace

import pytest

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
