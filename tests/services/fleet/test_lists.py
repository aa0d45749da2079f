"""Test saved lists of vehicles: one list has a name, also when several managers save at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from dashboard.domain.fleet import FleetVehicle
from dashboard.services.fleet.lists import NameTaken
from dashboard.store.engine import NotStored

VEHICLES = [FleetVehicle("MH12AB1001", "TRUCK", "city"), FleetVehicle("MH12AB1002")]


def test_a_list_gives_back_its_vehicles(services, clerk):
    saved = services.fleet_lists.save("Pune trucks", VEHICLES, clerk.person_id)
    listed, vehicles = services.fleet_lists.use(saved.id)
    assert (listed.name, listed.count, vehicles) == ("Pune trucks", 2, VEHICLES)


@pytest.mark.databases
def test_of_several_who_save_under_a_name_at_once_one_does(services, clerk):
    def save(_number):
        try:
            return services.fleet_lists.save("Pune trucks", VEHICLES, clerk.person_id).id
        except NameTaken:
            return None

    with ThreadPoolExecutor(6) as pool:
        saved = [each for each in pool.map(save, range(6)) if each]
    assert len(saved) == 1


def test_a_deleted_list_leaves_its_name_to_another(services, clerk):
    first = services.fleet_lists.save("Pune trucks", VEHICLES, clerk.person_id).id
    services.fleet_lists.delete(first)
    second = services.fleet_lists.save("Pune trucks", VEHICLES[:1], clerk.person_id).id
    with pytest.raises(NameTaken):
        services.fleet_lists.restore(first)
    services.fleet_lists.rename(second, "Other")
    assert services.fleet_lists.restore(first).name == "Pune trucks"
    with pytest.raises(NotStored):
        services.fleet_lists.restore(first)
