"""What was typed into a form that was sent with an ended session waits on a page, and is saved by a click."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dashboard.store import drivers, message_templates, own_fields
from dashboard.store.engine import Store
from tests.support.clock import MovableClock
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


def test_a_new_driver_waits_and_is_added_once_saved(
    manager: Visitor, store: Store, signs_in_again: Callable[..., Page]
) -> None:
    page = signs_in_again(manager, "/drivers", "Add the driver", name="Ravi Kumar", phone="98765 43210")
    assert "Not saved yet" in page.text
    assert "Ravi Kumar" in page.text
    assert "98765 43210" in page.text
    with store.read() as connection:
        assert drivers.listed(connection) == []
    assert page.submit("Save it").status_code == 303
    with store.read() as connection:
        assert [row.name for row in drivers.listed(connection)] == ["Ravi Kumar"]


def test_the_wording_of_a_message_waits(manager: Visitor, store: Store, signs_in_again: Callable[..., Page]) -> None:
    page = signs_in_again(manager, "/messages", "Save the message in English", body=WORDS)
    assert WORDS in page.text
    page.submit("Save it")
    with store.read() as connection:
        assert message_templates.find(connection, "en").body == WORDS


def test_own_fields_wait(
    manager: Visitor, five: dict[str, str], store: Store, signs_in_again: Callable[..., Page]
) -> None:
    steps.searched(manager)
    page = signs_in_again(manager, "/vehicles/MH12AB1001", "Save our fields", cost_centre="Pune", note="For the depot")
    assert "Cost centre" in page.text
    page.submit("Save it")
    with store.read() as connection:
        assert own_fields.of(connection, own_fields.VEHICLE, ["MH12AB1001"])["MH12AB1001"].cost_centre == "Pune"


def test_what_will_not_do_is_explained_once_it_is_saved(manager: Visitor, signs_in_again: Callable[..., Page]) -> None:
    page = signs_in_again(manager, "/drivers", "Add the driver", name="Ravi Kumar", phone="12")
    answer = page.submit("Save it")
    assert answer.status_code == 422
    assert Page(manager, answer).field("Name")["value"] == "Ravi Kumar"


def test_what_waits_is_for_its_person_alone(manager: Visitor, staff: Visitor, clock: MovableClock) -> None:
    page = manager.page("/drivers")
    clock.advance(hours=1)
    signing_in = manager.page(page.submit("Add the driver", name="Ravi Kumar").headers["Location"])
    answer = signing_in.submit("Sign in", email=ASHA.email, password="a long enough phrase")
    assert "Ravi Kumar" not in manager.read(answer).text
    assert manager.get("/kept").headers["Location"] == "/"


def test_what_was_typed_is_only_text(manager: Visitor, signs_in_again: Callable[..., Page]) -> None:
    page = signs_in_again(manager, "/drivers", "Add the driver", name="<b>Ravi</b>")
    assert "<b>Ravi</b>" in page.text
    assert page.all("dd b") == []


def test_without_anything_kept_there_is_nothing_to_see(manager: Visitor) -> None:
    assert manager.get("/kept").headers["Location"] == "/"
