"""What people type into a form whose session has expired is shown on the page of saved forms, and saved by a click."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from dashboard.store.engine import Store
from dashboard.store.links import custom_fields
from dashboard.store.sharing import drivers, message_templates
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import ASHA, MEERA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver

WORDS = "Hello {driver}, please pay for {vehicle} here: {url}"


@pytest.fixture
def signs_in_again(clock: MovableClock) -> Callable[..., Page]:
    """Let the session of a manager expire while a form is open, send it, and sign in again."""

    def go(manager: WebClient, address: str, button: str, **fields: str) -> Page:
        page = manager.page(address)
        clock.advance(hours=1)
        answer = page.submit(button, **fields)
        assert answer.status_code == 303
        signing_in = manager.page(answer.headers["Location"])
        assert "What you entered is saved" in signing_in.text
        return manager.read(signing_in.submit("Sign in", email=MEERA.email, password="a long enough phrase"))

    return go


def saved(page: Page) -> TestResponse:
    """Submit the saved form, as a browser follows the redirect."""
    answer = page.submit("Save it")
    assert answer.status_code == 307
    fields = [(str(each["name"]), str(each["value"])) for each in page.all("main form input[name]")]
    return page.client.post(answer.headers["Location"], data=MultiDict(fields))


def test_a_new_driver_is_added_once_when_the_saved_form_is_submitted(
    manager: WebClient, store: Store, signs_in_again: Callable[..., Page]
) -> None:
    page = signs_in_again(manager, "/drivers", "Add the driver", name="Ravi Kumar", phone="98765 43210")
    assert "Not saved yet" in page.text
    assert "Ravi Kumar" in page.text
    assert "98765 43210" in page.text
    with store.read() as connection:
        assert drivers.listed(connection) == []
    assert saved(page).status_code == 303
    with store.read() as connection:
        assert [row.name for row in drivers.listed(connection)] == ["Ravi Kumar"]
    assert manager.get("/kept").headers["Location"] == "/", "it is not saved any more"
    again = manager.read(page.submit("Save it"))
    assert "It was sent already" in again.text
    with store.read() as connection:
        assert len(drivers.listed(connection)) == 1


def test_the_body_of_a_message_outlasts_an_expired_session(
    manager: WebClient, store: Store, signs_in_again: Callable[..., Page]
) -> None:
    page = signs_in_again(manager, "/messages", "Save message", body=WORDS)
    assert "Message to drivers: English" in page.text
    assert WORDS in page.text
    saved(page)
    with store.read() as connection:
        assert message_templates.find(connection, "en").body == WORDS


def test_custom_fields_outlast_an_expired_session(
    manager: WebClient, five: dict[str, str], store: Store, signs_in_again: Callable[..., Page]
) -> None:
    steps.searches(manager)
    page = signs_in_again(manager, "/vehicles/MH12AB1001", "Save details", cost_centre="Pune", note="For the depot")
    assert "Cost centre, trip or note of a vehicle: MH12 AB 1001" in page.text
    for words in ("Cost centre Pune", "Trip (empty)", "Customer to recharge (empty)", "Note For the depot"):
        assert words in page.text
    saved(page)
    with store.read() as connection:
        assert (
            custom_fields.of(connection, custom_fields.VEHICLE, ["MH12AB1001"])["MH12AB1001"]["cost_centre"] == "Pune"
        )


def test_an_invalid_field_of_a_saved_form_is_explained_when_it_is_submitted(
    manager: WebClient, signs_in_again: Callable[..., Page]
) -> None:
    page = signs_in_again(manager, "/drivers", "Add the driver", name="Ravi Kumar", phone="12")
    answer = saved(page)
    assert answer.status_code == 422
    assert Page(manager, answer).field("Name")["value"] == "Ravi Kumar"


def test_a_saved_change_names_its_driver(manager: WebClient, store: Store, signs_in_again: Callable[..., Page]) -> None:
    address = f"/drivers/{adds_a_driver(manager, name='Ravi Kumar')}"
    page = signs_in_again(manager, address, "Save the driver", name="Ravi K.", phone="", language="hi")
    assert "Details of a driver: Ravi Kumar" in page.text
    for words in ("Name Ravi K.", "Phone (empty)", "Language हिन्दी"):
        assert words in page.text
    saved(page)
    with store.read() as connection:
        (row,) = drivers.listed(connection)
        assert (row.name, row.phone, row.language) == ("Ravi K.", None, "hi")


def test_a_note_and_a_view_outlast_an_expired_session(
    manager: WebClient,
    five: dict[str, str],
    levers: Levers,
    clock: MovableClock,
    signs_in_again: Callable[..., Page],
) -> None:
    steps.searches(manager)
    link_id = steps.link_of(steps.create(manager, "MH1001"))
    levers.set_link(link_id, expiresAt=f"{clock() + timedelta(hours=9):%Y-%m-%dT%H:%M:%S}Z")
    steps.check(manager, link_id)
    page = signs_in_again(manager, "/follow-up", "Add the note", note="Pays tonight")
    assert "A note on a link: MH12 AB 1001 Note Pays tonight" in page.text
    saved(page)
    assert "Pays tonight" in manager.page(f"/links/{link_id}").text
    page = signs_in_again(manager, "/links?state=ACTIVE&vehicle=MH12", "Save the view", name="Open ones")
    assert "Name Open ones" in page.text
    saved(page)
    (view,) = manager.page("/links").all(".view-name")
    assert (view.get_text(), view["href"]) == ("Open ones", "/links?state=ACTIVE&vehicle=MH12")


def test_a_saved_form_can_be_discarded(manager: WebClient, store: Store, signs_in_again: Callable[..., Page]) -> None:
    page = signs_in_again(manager, "/drivers", "Add the driver", name="Ravi Kumar")
    assert "It was not saved." in manager.read(page.submit("Discard it")).text
    assert manager.get("/kept").headers["Location"] == "/"
    with store.read() as connection:
        assert drivers.listed(connection) == []


def test_a_saved_form_outlasts_a_second_expired_session(
    manager: WebClient, store: Store, clock: MovableClock, signs_in_again: Callable[..., Page]
) -> None:
    page = signs_in_again(manager, "/drivers", "Add the driver", name="Ravi Kumar")
    clock.advance(hours=1)
    signing_in = manager.page(page.submit("Save it").headers["Location"])
    page = manager.read(signing_in.submit("Sign in", email=MEERA.email, password="a long enough phrase"))
    assert "Name Ravi Kumar" in page.text
    saved(page)
    with store.read() as connection:
        assert [row.name for row in drivers.listed(connection)] == ["Ravi Kumar"]


def test_a_saved_form_is_shown_to_its_sender_alone(manager: WebClient, staff: WebClient, clock: MovableClock) -> None:
    page = manager.page("/drivers")
    clock.advance(hours=1)
    signing_in = manager.page(page.submit("Add the driver", name="Ravi Kumar").headers["Location"])
    answer = signing_in.submit("Sign in", email=ASHA.email, password="a long enough phrase")
    assert "Ravi Kumar" not in manager.read(answer).text
    assert manager.get("/kept").headers["Location"] == "/"


def test_a_form_of_an_unknown_sender_is_shown_to_nobody(manager: WebClient, staff: WebClient) -> None:
    page = manager.page("/drivers")
    manager.page("/").submit("Sign out")
    fields = {"csrf_token": page.one("meta[name=csrf-token]")["content"], "name": "Ravi Kumar"}
    answer = manager.post("/drivers", data=fields, headers={"Sec-Fetch-Site": "same-origin"})
    signing_in = manager.page(answer.headers["Location"])
    assert "is kept" not in signing_in.text
    answer = signing_in.submit("Sign in", email=ASHA.email, password="a long enough phrase")
    assert "Ravi Kumar" not in manager.read(answer).text


def test_the_fields_of_a_saved_form_are_shown_as_text(manager: WebClient, signs_in_again: Callable[..., Page]) -> None:
    page = signs_in_again(manager, "/drivers", "Add the driver", name="<b>Ravi</b>")
    assert "<b>Ravi</b>" in page.text
    assert page.all("dd b") == []


def test_without_a_saved_form_its_page_leads_to_the_search(manager: WebClient) -> None:
    assert manager.get("/kept").headers["Location"] == "/"
