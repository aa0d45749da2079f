"""Test two people who edit the same record: the second to save reads what the first saved, and loses no input."""

from __future__ import annotations

import pytest

from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from dashboard.store.links import custom_fields
from dashboard.store.sharing import drivers, message_templates
from tests.support.clock import MovableClock
from tests.support.page import Page, words
from tests.support.people import MEERA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver

VEHICLE = "/vehicles/MH12AB1001"
KEPT = "What you typed is still here and not saved yet. Save again"


@pytest.fixture
def driver(staff: WebClient) -> str:
    """Add a driver as Asha, and return the address of the driver's page."""
    return f"/drivers/{adds_a_driver(staff, vehicles='')}"


def phone(store: Store) -> str | None:
    with store.read() as connection:
        (row,) = drivers.listed(connection)
    found: str | None = row.phone
    return found


def english(store: Store) -> str:
    with store.read() as connection:
        return str(message_templates.find(connection, "en").body)


def conflict(page: Page) -> str:
    assert page.status == 409
    return words(page.one("main form .notice").get_text(" "))


def test_a_phone_number_that_a_colleague_corrected_is_not_overwritten_unseen(
    staff: WebClient, manager: WebClient, driver: str, store: Store, clock: MovableClock
) -> None:
    clock.advance(seconds=90)
    open_at_ashas, open_at_meeras = staff.page(driver), manager.page(driver)
    clock.advance(minutes=2)
    assert open_at_meeras.submit("Save the driver", phone="98765 43211").status_code == 303
    refused = Page(staff, open_at_ashas.submit("Save the driver", note="Night shift only", vehicles="KA05MN4321"))
    said = conflict(refused)
    assert "Meera Iyer saved this at " in said
    assert "m, while you were writing." in said
    assert KEPT in said
    assert "The form has their change already: Phone" in said
    assert "Save again to keep yours" not in said, "nobody changed the same"
    assert phone(store) == "98765 43211"
    assert refused.field("Phone (optional)")["value"] == "98765 43211", "it is not overwritten by who did not touch it"
    assert refused.field("Note (optional)").get_text(strip=True) == "Night shift only"
    assert refused.field("Usual vehicles (optional)")["value"] == "KA05MN4321"

    assert refused.submit("Save the driver").status_code == 303
    assert phone(store) == "98765 43211"
    assert "Night shift only" in staff.page(driver).text


def test_saved_again_it_overwrites_what_others_saved(
    staff: WebClient, manager: WebClient, driver: str, store: Store, clock: MovableClock
) -> None:
    page = staff.page(driver)
    manager.page(driver).submit("Save the driver", phone="98765 43211")
    again = Page(staff, page.submit("Save the driver", phone="98765 43212"))
    assert phone(store) == "98765 43211"
    manager.page(driver).submit("Save the driver", phone="98765 43213")
    once_more = Page(staff, again.submit("Save the driver"))
    assert "Phone 98765 43213" in conflict(once_more), "changed once more"
    assert once_more.submit("Save the driver").status_code == 303
    assert phone(store) == "98765 43212"


def test_a_mistyped_field_does_not_hide_a_conflict(
    staff: WebClient, manager: WebClient, driver: str, store: Store
) -> None:
    page = staff.page(driver)
    manager.page(driver).submit("Save the driver", phone="98765 43211")
    mistyped = Page(staff, page.submit("Save the driver", phone="12"))
    assert mistyped.status == 422
    assert "Phone 98765 43211" in conflict(Page(staff, mistyped.submit("Save the driver", phone="98765 43212")))
    assert phone(store) == "98765 43211"


def test_a_form_that_is_sent_twice_or_saves_the_same_is_no_conflict(
    staff: WebClient, manager: WebClient, driver: str
) -> None:
    page, other = staff.page(driver), manager.page(driver)
    for _ in range(2):
        assert page.submit("Save the driver", phone="98765 43211", vehicles="KA05MN4321").status_code == 303
    assert other.submit("Save the driver", phone="98765 43211", vehicles="ka 05 mn 4321").status_code == 303


def test_a_conflict_with_ones_own_change_says_so(staff: WebClient, driver: str) -> None:
    page = staff.page(driver)
    staff.page(driver).submit("Save the driver", phone="98765 43211")
    assert "You saved this at" in conflict(Page(staff, page.submit("Save the driver", phone="98765 43212")))


def test_a_conflict_without_an_audit_entry_names_nobody(
    staff: WebClient, driver: str, store: Store, clock: MovableClock
) -> None:
    other = f"/drivers/{adds_a_driver(staff, name='Suresh Patil', phone='')}"
    clock.advance(minutes=1)
    page = staff.page(driver)
    staff.page(driver).submit("Driver has left")
    staff.page(other).submit("Save the driver", phone="98765 43219")
    with store.write() as connection:
        drivers.set_language(connection, int(driver.rsplit("/", 1)[-1]), "ta")
    said = conflict(Page(staff, page.submit("Save the driver", phone="98765 43212")))
    assert "This was changed while you were writing." in said
    assert "The form has their change already: Language" in said


@pytest.mark.parametrize("basis", [None, "", "x", "-5-0", "99999999999999999999-0"])
def test_a_form_without_a_basis_is_accepted(staff: WebClient, driver: str, store: Store, basis: str | None) -> None:
    assert staff.page(driver).submit("Save the driver", phone="98765 43212", basis=basis).status_code == 303
    assert phone(store) == "98765 43212"


def test_the_body_of_a_message_is_not_overwritten_unseen(manager: WebClient, admin: WebClient, store: Store) -> None:
    page = manager.page("/messages")
    theirs, ours = "Please pay: {url}", "Pay today, please: {url}"
    admin.page("/messages").submit("Save message", body=theirs)
    refused = Page(manager, page.submit("Save message", body=ours))
    assert "Message Please pay: {Payment URL}" in conflict(refused)
    assert refused.field("Message in English").get_text(strip=True) == "Pay today, please: {Payment URL}"
    assert english(store) == theirs
    assert refused.submit("Save message").status_code == 303
    assert english(store) == ours


def test_a_mistyped_body_does_not_hide_a_conflict(manager: WebClient, admin: WebClient, store: Store) -> None:
    page = manager.page("/messages")
    admin.page("/messages").submit("Save message", body="Please pay: {url}")
    mistyped = Page(manager, page.submit("Save message", body="Nothing to pay with"))
    assert mistyped.status == 422
    refused = Page(manager, mistyped.submit("Save message", body="Pay today, please: {url}"))
    assert "Message Please pay: {Payment URL}" in conflict(refused)
    assert english(store) == "Please pay: {url}"


@pytest.mark.parametrize("of", ["vehicle", "link"])
def test_custom_fields_are_not_overwritten_unseen(
    staff: WebClient, manager: WebClient, five: dict[str, str], store: Store, of: str
) -> None:
    steps.searches(staff)
    address = VEHICLE if of == "vehicle" else f"/links/{steps.link_of(steps.create(staff))}"
    page = staff.page(address)
    manager.page(address).submit("Save details", cost_centre="Pune depot")
    refused = Page(staff, page.submit("Save details", cost_centre="Mumbai", trip="T-4711"))
    assert "Save again to keep yours. Saved now: Cost centre Pune depot" in conflict(refused)
    assert "Trip" not in conflict(refused), "which nobody else changed"
    assert refused.field("Cost centre")["value"] == "Mumbai"
    assert refused.one("#own-fields details").has_attr("open")
    assert refused.submit("Save details").status_code == 303
    with store.read() as connection:
        ((_, kept),) = custom_fields.of(connection, of, [address.rsplit("/", 1)[-1]]).items()
    assert kept == {"cost_centre": "Mumbai", "trip": "T-4711"}


def test_custom_fields_that_are_too_long_do_not_hide_a_conflict(
    staff: WebClient, manager: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    page = staff.page(VEHICLE)
    manager.page(VEHICLE).submit("Save details", cost_centre="Pune depot")
    mistyped = Page(staff, page.submit("Save details", trip="T" * 61))
    assert mistyped.status == 422
    refused = Page(staff, mistyped.submit("Save details", trip="T-4711"))
    assert "The form has their change already: Cost centre" in conflict(refused)
    assert refused.field("Cost centre")["value"] == "Pune depot"


def test_a_saved_form_overwrites_nothing_unseen(
    staff: WebClient, manager: WebClient, driver: str, store: Store, clock: MovableClock
) -> None:
    page = manager.page(driver)
    clock.advance(minutes=20)
    staff.page(driver).submit("Save the driver", phone="98765 43211")
    clock.advance(minutes=45)
    answer = page.submit("Save the driver", phone="", note="Night shift only")
    signing_in = manager.page(answer.headers["Location"])
    waiting = manager.read(signing_in.submit("Sign in", email=MEERA.email, password="a long enough phrase"))
    sent_on = waiting.submit("Save it")
    fields = {str(each["name"]): str(each["value"]) for each in waiting.all("main form input[name]")}
    refused = Page(manager, manager.post(sent_on.headers["Location"], data=fields))
    assert "Asha Rao saved this at " in conflict(refused)
    assert phone(store) == "98765 43211"


def test_of_two_who_say_that_a_driver_has_left_neither_says_that_he_is_back(
    staff: WebClient, manager: WebClient, driver: str, store: Store
) -> None:
    both = [staff.page(driver), manager.page(driver)]
    for page in both:
        assert page.submit("Driver has left").status_code == 303
    assert staff.page(driver).buttons().count("Driver is back") == 1
    with store.read() as connection:
        assert [row.action for row in audit.newest(connection)].count("driver left") == 1
        assert drivers.listed(connection, left=True)
