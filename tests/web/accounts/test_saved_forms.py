"""What was typed into a form that was sent with an ended session waits on a page, and is saved by a click."""

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
from tests.support.visitor import Visitor
from tests.web import steps

WORDS = "Hello {driver}, please pay for {vehicle} here: {url}"


@pytest.fixture
def signs_in_again(clock: MovableClock) -> Callable[..., Page]:
    """The session of a manager ends while a form is open; it is sent, and its sender signs in again."""

    def go(manager: Visitor, address: str, button: str, **fields: str) -> Page:
        page = manager.page(address)
        clock.advance(hours=1)
        answer = page.submit(button, **fields)
        assert answer.status_code == 303
        signing_in = manager.page(answer.headers["Location"])
        assert "What you entered is kept" in signing_in.text
        return manager.read(signing_in.submit("Sign in", email=MEERA.email, password="a long enough phrase"))

    return go


def saved(page: Page) -> TestResponse:
    """Save it: the browser sends the form on, to where it belongs."""
    answer = page.submit("Save it")
    assert answer.status_code == 307
    fields = [(str(each["name"]), str(each["value"])) for each in page.all("main form input[name]")]
    return page.client.post(answer.headers["Location"], data=MultiDict(fields))


def test_a_new_driver_waits_and_is_added_once_saved(
    manager: Visitor, store: Store, signs_in_again: Callable[..., Page]
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
    assert manager.get("/kept").headers["Location"] == "/", "it waits no more"
    again = manager.read(page.submit("Save it"))
    assert "It was sent already" in again.text
    with store.read() as connection:
        assert len(drivers.listed(connection)) == 1


def test_the_wording_of_a_message_waits(manager: Visitor, store: Store, signs_in_again: Callable[..., Page]) -> None:
    page = signs_in_again(manager, "/messages", "Save the message in English", body=WORDS)
    assert "The wording of a message: English" in page.text
    assert WORDS in page.text
    saved(page)
    with store.read() as connection:
        assert message_templates.find(connection, "en").body == WORDS


def test_own_fields_wait(
    manager: Visitor, five: dict[str, str], store: Store, signs_in_again: Callable[..., Page]
) -> None:
    steps.searched(manager)
    page = signs_in_again(manager, "/vehicles/MH12AB1001", "Save our fields", cost_centre="Pune", note="For the depot")
    assert "Our own fields on a vehicle: MH12 AB 1001" in page.text
    for words in ("Cost centre Pune", "Trip (empty)", "Customer to recharge (empty)", "Note For the depot"):
        assert words in page.text
    saved(page)
    with store.read() as connection:
        assert (
            custom_fields.of(connection, custom_fields.VEHICLE, ["MH12AB1001"])["MH12AB1001"]["cost_centre"] == "Pune"
        )


def test_what_will_not_do_is_explained_once_it_is_saved(manager: Visitor, signs_in_again: Callable[..., Page]) -> None:
    page = signs_in_again(manager, "/drivers", "Add the driver", name="Ravi Kumar", phone="12")
    answer = saved(page)
    assert answer.status_code == 422
    assert Page(manager, answer).field("Name")["value"] == "Ravi Kumar"


def test_a_driver_who_was_changed_is_named(manager: Visitor, store: Store, signs_in_again: Callable[..., Page]) -> None:
    added = manager.page("/drivers").submit("Add the driver", name="Ravi Kumar", phone="98765 43210")
    address = added.headers["Location"]
    page = signs_in_again(manager, address, "Save the driver", name="Ravi K.", phone="", language="hi")
    assert "What is known of a driver: Ravi Kumar" in page.text
    for words in ("Name Ravi K.", "Phone (empty)", "Language Hindi"):
        assert words in page.text
    saved(page)
    with store.read() as connection:
        (row,) = drivers.listed(connection)
        assert (row.name, row.phone, row.language) == ("Ravi K.", None, "hi")


def test_a_note_and_a_saved_view_wait(
    manager: Visitor,
    five: dict[str, str],
    levers: Levers,
    clock: MovableClock,
    signs_in_again: Callable[..., Page],
) -> None:
    steps.searched(manager)
    link_id = steps.link_of(steps.create(manager, "MH1001"))
    levers.set_link(link_id, expiresAt=f"{clock() + timedelta(hours=9):%Y-%m-%dT%H:%M:%S}Z")
    steps.check(manager, link_id)
    page = signs_in_again(manager, "/follow-up", "Add the note", note="Pays tonight")
    assert "A note on a link: MH12 AB 1001 Note Pays tonight" in page.text
    saved(page)
    assert "Pays tonight" in manager.page(f"/links/{link_id}").text
    page = signs_in_again(manager, "/links?state=ACTIVE&vehicle=MH12", "Save this view", name="Open ones")
    assert "Name Open ones" in page.text
    saved(page)
    (view,) = manager.page("/links").all(".view-name")
    assert (view.get_text(), view["href"]) == ("Open ones", "/links?state=ACTIVE&vehicle=MH12")


def test_what_waits_can_be_left(manager: Visitor, store: Store, signs_in_again: Callable[..., Page]) -> None:
    page = signs_in_again(manager, "/drivers", "Add the driver", name="Ravi Kumar")
    assert "It was not saved." in manager.read(page.submit("Do not save it")).text
    assert manager.get("/kept").headers["Location"] == "/"
    with store.read() as connection:
        assert drivers.listed(connection) == []


def test_it_waits_on_when_the_session_ends_again(
    manager: Visitor, store: Store, clock: MovableClock, signs_in_again: Callable[..., Page]
) -> None:
    page = signs_in_again(manager, "/drivers", "Add the driver", name="Ravi Kumar")
    clock.advance(hours=1)
    signing_in = manager.page(page.submit("Save it").headers["Location"])
    page = manager.read(signing_in.submit("Sign in", email=MEERA.email, password="a long enough phrase"))
    assert "Name Ravi Kumar" in page.text
    saved(page)
    with store.read() as connection:
        assert [row.name for row in drivers.listed(connection)] == ["Ravi Kumar"]


def test_what_waits_is_for_its_person_alone(manager: Visitor, staff: Visitor, clock: MovableClock) -> None:
    page = manager.page("/drivers")
    clock.advance(hours=1)
    signing_in = manager.page(page.submit("Add the driver", name="Ravi Kumar").headers["Location"])
    answer = signing_in.submit("Sign in", email=ASHA.email, password="a long enough phrase")
    assert "Ravi Kumar" not in manager.read(answer).text
    assert manager.get("/kept").headers["Location"] == "/"


def test_what_nobody_knows_the_sender_of_is_shown_to_nobody(manager: Visitor, staff: Visitor) -> None:
    page = manager.page("/drivers")
    manager.page("/").submit("Sign out")
    fields = {"csrf_token": page.one("meta[name=csrf-token]")["content"], "name": "Ravi Kumar"}
    answer = manager.post("/drivers", data=fields, headers={"Sec-Fetch-Site": "same-origin"})
    signing_in = manager.page(answer.headers["Location"])
    assert "is kept" not in signing_in.text
    answer = signing_in.submit("Sign in", email=ASHA.email, password="a long enough phrase")
    assert "Ravi Kumar" not in manager.read(answer).text


def test_what_was_typed_is_only_text(manager: Visitor, signs_in_again: Callable[..., Page]) -> None:
    page = signs_in_again(manager, "/drivers", "Add the driver", name="<b>Ravi</b>")
    assert "<b>Ravi</b>" in page.text
    assert page.all("dd b") == []


def test_without_anything_kept_there_is_nothing_to_see(manager: Visitor) -> None:
    assert manager.get("/kept").headers["Location"] == "/"
