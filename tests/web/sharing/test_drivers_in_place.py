"""The pages of drivers with scripts: each form changes its own part, and what is half typed beside it stays."""

from __future__ import annotations

from tests.support.page import Page
from tests.support.web_client import IN_PLACE, WebClient
from tests.web.sharing.steps import adds_a_driver
from tests.web.steps import presses_in_place


def undoes(visitor: WebClient, region: Page, *, on: str) -> Page:
    """Press Undo in the toast of this answer, on the page of this address."""
    headers = {**IN_PLACE, "HX-Current-URL": f"http://localhost{on}", "HX-Trigger-Name": "undo"}
    return Page(visitor, region.form("Undo").submit(headers=headers), region=True)


def details(visitor: WebClient, address: str) -> dict[str, str]:
    fields = dict(visitor.page(address).form("Save the driver").fields)
    return {name: value.strip() for name, value in fields.items() if name not in ("csrf_token", "basis")}


def test_a_new_driver_who_cannot_be_added_stays_in_the_form(staff: WebClient) -> None:
    region = presses_in_place(staff, staff.page("/drivers"), "Add the driver", "driver-new", name=" ", phone="12")
    assert (region.status, region.headers["HX-Retarget"]) == (422, "#driver-new")
    assert region.one("#phone")["value"] == "12"
    assert not region.all("main, table")


def test_a_new_driver_is_shown_and_confirmed(staff: WebClient) -> None:
    page = presses_in_place(staff, staff.page("/drivers"), "Add the driver", "driver-new", name="Lakshmi", phone="")
    assert page.headers["HX-Push-Url"].startswith("/drivers?added=")
    assert page.headers["HX-Retarget"] == "#main"
    assert "Lakshmi is added." in page.response.text


def test_saved_details_are_all_shown_at_once(staff: WebClient) -> None:
    page = staff.page(f"/drivers/{adds_a_driver(staff)}")
    saved = presses_in_place(staff, page, "Save the driver", "driver-details", name="Ramesh K.", phone="98765 43299")
    assert saved.headers["HX-Retarget"] == "#main"
    assert saved.one("#driver-head").get_text() == "Ramesh K."
    assert "Call +91 98765 43299" in saved.text
    assert "The details of Ramesh K. are saved." in saved.response.text


def test_wrong_details_and_a_conflict_come_back_into_the_form(staff: WebClient, manager: WebClient) -> None:
    page = staff.page(f"/drivers/{adds_a_driver(staff)}")
    wrong = presses_in_place(staff, page, "Save the driver", "driver-details", phone="12")
    assert (wrong.status, wrong.one("#phone")["aria-invalid"]) == (422, "true")
    assert not wrong.all("#driver-head")
    manager.read(manager.page(page.response.request.path).submit("Save the driver", phone="98765 43211"))
    conflict = presses_in_place(staff, page, "Save the driver", "driver-details", phone="98765 43212")
    assert (conflict.status, conflict.headers["HX-Retarget"]) == (409, "#driver-details")
    assert "Meera Iyer saved this" in conflict.text


def test_saved_details_are_undone_to_every_field_as_it_was(staff: WebClient) -> None:
    here = f"/drivers/{adds_a_driver(staff)}"
    before = details(staff, here)
    changed = {"name": "Ramesh K.", "phone": "98765 43299", "vehicles": "MH12AB1002", "note": "Night shift"}
    region = presses_in_place(staff, staff.page(here), "Save the driver", "driver-details", **changed)
    assert details(staff, here)["note"] == "Night shift"
    undone = undoes(staff, region, on=here)
    assert details(staff, here) == before
    assert "The details of Ramesh Kumar are saved." in undone.response.text
    undoes(staff, undone, on=here)
    assert details(staff, here)["note"] == "Night shift", "which can be undone again"


def test_details_that_others_changed_since_are_not_undone(staff: WebClient, manager: WebClient) -> None:
    here = f"/drivers/{adds_a_driver(staff)}"
    region = presses_in_place(staff, staff.page(here), "Save the driver", "driver-details", note="Night shift")
    manager.read(manager.page(here).submit("Save the driver", note="On leave"))
    refused = undoes(staff, region, on=here)
    assert refused.status == 409
    assert "Meera Iyer saved this" in refused.text
    assert details(staff, here)["note"] == "On leave"


def test_saving_details_as_they_are_offers_no_undo(staff: WebClient) -> None:
    page = staff.page(f"/drivers/{adds_a_driver(staff)}")
    region = presses_in_place(staff, page, "Save the driver", "driver-details")
    assert "are saved." in region.response.text
    assert not region.all("[name=undo]")


def test_leaving_changes_its_own_part_and_can_be_undone(staff: WebClient) -> None:
    page = staff.page(f"/drivers/{adds_a_driver(staff)}")
    region = presses_in_place(staff, page, "Driver has left", "driver-presence")
    assert region.headers["HX-Retarget"] == "#driver-presence"
    assert not region.all("main, #driver-details")
    assert "has left" in region.one("#driver-head").get_text()
    assert region.one("#driver-presence button").get_text() == "Driver is back"
    undone = undoes(staff, region, on=page.response.request.path)
    assert undone.headers["HX-Retarget"] == "#driver-presence"
    assert "has left" not in undone.one("#driver-head").get_text()
    assert undone.form("Undo"), "which can be undone again"


def test_an_undo_from_another_page_stays_there(staff: WebClient) -> None:
    page = staff.page(f"/drivers/{adds_a_driver(staff)}")
    region = presses_in_place(staff, page, "Driver has left", "driver-presence")
    undone = undoes(staff, region, on="/links")
    assert undone.headers["HX-Reswap"] == "none"
    assert "is marked as active." in undone.text
