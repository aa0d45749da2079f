"""Test what people see of a driver who is forgotten: a number on past links, and nothing to change."""

from __future__ import annotations

from sqlalchemy import select

from dashboard.domain.drivers import DriverDetails
from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.services.container import Services
from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from dashboard.store.sharing import drivers
from tests.support.web_client import WebClient


def test_a_forgotten_driver_is_in_no_list_and_cannot_be_changed_or_brought_back(
    manager: WebClient, services: Services, store: Store
) -> None:
    with store.read() as connection:
        by = int(connection.exec_driver_sql("SELECT id FROM person").scalar_one())
    details = DriverDetails("Ramesh Kumar", "98765 43210", None, "hi", None, ("MH12AB1001",))
    driver_id = services.drivers.add(details, by)
    opened = manager.page(f"/drivers/{driver_id}")
    services.forgetting.forget(services.forgetting.find("Ramesh Kumar"), COMMAND_LINE)
    for address in ("/drivers", "/links", f"/drivers/{driver_id}"):
        text = manager.get(address).text
        assert "Ramesh" not in text, address
        assert "43210" not in text, address
    assert "Forgotten driver" not in manager.get("/drivers").text
    assert opened.submit("Save the driver", name="Ramesh Kumar").status_code == 404
    assert opened.submit("Driver has left").status_code == 404
    with store.read() as connection:
        assert connection.execute(select(drivers.driver.c.name)).scalar_one() == f"Forgotten driver {driver_id}"


def test_an_earlier_name_of_a_forgotten_driver_is_nowhere_either(
    manager: WebClient, services: Services, store: Store
) -> None:
    page = manager.read(manager.page("/drivers").submit("Add the driver", name="Ramesh Kumar", phone="98765 43210"))
    page = manager.page(page.link("Open Ramesh Kumar"))
    manager.read(page.submit("Save the driver", name="Suresh Patil"))

    def named() -> list[str]:
        with store.read() as connection:
            return [str(entry.detail) for entry in audit.newest(connection) if entry.action.startswith("driver ")]

    assert "Ramesh Kumar" in str(named())
    services.forgetting.forget(services.forgetting.find("Suresh Patil"), COMMAND_LINE)
    assert "Ramesh" not in str(named())
    assert "Suresh" not in str(named())
