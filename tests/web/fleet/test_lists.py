"""Test saved lists of vehicles and repeated searches, on their page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import event

from dashboard.services.container import Services
from dashboard.store.engine import Store
from dashboard.store.fleet import schedules
from tests.support.clock import MovableClock
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.fleet.conftest import Sends

Checks = Callable[..., Page]


@pytest.fixture
def pune_trucks(manager: WebClient, checked: Checks) -> None:
    saved = manager.read(checked("MH12AB1001, MH12AB1002").submit("Save as a list", name=" Pune  trucks "))
    assert "“Pune trucks” is saved: 2 vehicles" in saved.text


@pytest.mark.usefixtures("pune_trucks")
def test_a_list_is_shared_by_all_managers_and_used(admin: WebClient) -> None:
    page = admin.page("/fleet")
    assert "2 vehicles · saved" in words(page.one(".fleet-list").get_text(" "))
    draft = admin.read(page.submit("Search · Pune trucks"))
    assert "Search 2 vehicles" in draft.buttons()
    assert draft.one("#title")["value"] == "Pune trucks"


@pytest.mark.usefixtures("pune_trucks")
def test_a_list_is_replaced_only_when_that_is_said(manager: WebClient, checked: Checks) -> None:
    page = checked("KA05MN4321")
    answer = page.submit("Save as a list", name="Pune trucks")
    assert answer.status_code == 409
    refused = manager.read(answer)
    assert "Another list has the name “Pune trucks”." in refused.text
    replaced = manager.read(refused.submit("Save as a list", replace="yes"))
    assert "“Pune trucks” is replaced: 1 vehicle" in replaced.text
    assert len(manager.page("/fleet").all("#lists-title ~ ul > [data-row]")) == 1


@pytest.mark.usefixtures("pune_trucks")
def test_a_list_is_renamed_unless_another_has_the_name(manager: WebClient, checked: Checks) -> None:
    checked("KA05MN4321").submit("Save as a list", name="Karnataka")
    answer = manager.page("/fleet").submit("Rename · Karnataka", name="Pune trucks")
    assert answer.status_code == 409
    assert "Another list has the name “Pune trucks”." in manager.read(answer).text
    renamed = manager.read(manager.page("/fleet").submit("Rename · Karnataka", name="South"))
    assert "“Karnataka” is now “South”" in renamed.text
    assert "“South” is now “Karnataka”" in manager.read(renamed.submit("Undo")).text


@pytest.mark.usefixtures("pune_trucks")
def test_a_deleted_list_comes_back_by_undo(manager: WebClient) -> None:
    page = manager.read(manager.page("/fleet").submit("Delete · Pune trucks"))
    assert "List “Pune trucks” deleted" in page.text
    assert "Use a list" not in page.text
    page = manager.read(page.submit("Undo"))
    assert "Search · Pune trucks" in page.buttons()


@pytest.mark.usefixtures("pune_trucks")
def test_a_deleted_list_whose_name_was_taken_does_not_come_back(manager: WebClient, checked: Checks) -> None:
    deleted = manager.read(manager.page("/fleet").submit("Delete · Pune trucks"))
    checked("KA05MN4321").submit("Save as a list", name="Pune trucks")
    assert "Not undone: another list has the name" in manager.read(deleted.submit("Undo")).text


@pytest.mark.usefixtures("pune_trucks")
def test_a_search_is_repeated_paused_resumed_and_deleted_with_undo(manager: WebClient, store: Store) -> None:
    page = manager.page("/fleet")
    choice = next(str(each["value"]) for each in page.all("#repeat-what option") if each.text == "Pune trucks")
    page = manager.read(page.submit("Save this repeat", what=choice, day=["0", "4"], at="22:15"))
    assert "Mon, Fri at 10:15 pm · next:" in page.text
    named = " · Pune trucks, Mon, Fri at 10:15 pm"
    page = manager.read(page.submit("Pause" + named))
    assert "Mon, Fri at 10:15 pm · paused" in page.text
    page = manager.read(page.submit("Resume" + named))
    assert "next:" in page.text
    page = manager.read(page.submit("Delete" + named))
    assert "Deleted: Pune trucks, Mon, Fri at 10:15 pm" in page.text
    assert page.all("#schedules-title ~ ul") == []
    assert "Mon, Fri at 10:15 pm · next:" in manager.read(page.submit("Undo")).text


@pytest.mark.usefixtures("pune_trucks")
def test_a_repeat_asks_the_source_until_somebody_changes_that(manager: WebClient, services: Services) -> None:
    def asks() -> list[bool]:
        with services.store.read() as connection:
            return [each.repeat.at_source for each in schedules.listed(connection)]

    page = manager.page("/fleet")
    choice = next(str(each["value"]) for each in page.all("#repeat-what option") if each.text == "Pune trucks")
    page = manager.read(page.submit("Save this repeat", what=choice, at="22:15"))
    assert "fresh from the source" in page.text
    named = " · Pune trucks, every day at 10:15 pm"
    page = manager.read(page.submit("Do not ask the source" + named))
    assert "from the service’s cache" in page.text
    assert asks() == [False]
    page = manager.read(page.submit("Undo"))
    assert asks() == [True]
    manager.read(page.submit("Save this repeat", what=choice, at="22:15", source=[]))
    assert asks() == [False], "the same search is changed and not repeated twice"


@pytest.mark.usefixtures("pune_trucks")
def test_a_repeat_without_days_or_time_comes_back_as_it_was_typed(manager: WebClient) -> None:
    answer = manager.page("/fleet").submit("Save this repeat", what="old", days="0", day=[], at="soon")
    assert answer.status_code == 422
    page = manager.read(answer)
    for said in ("Enter a number of days from 1 to 365.", "Choose at least one day.", "Enter a time such as 02:00."):
        assert said in page.text
    assert page.one("#repeat-at")["value"] == "soon"


@pytest.mark.usefixtures("pune_trucks")
def test_a_repeat_of_a_deleted_list_says_that_nothing_is_searched(manager: WebClient, services: Services) -> None:
    page = manager.page("/fleet")
    choice = next(str(each["value"]) for each in page.all("#repeat-what option") if each.text == "Pune trucks")
    page = manager.read(page.submit("Save this repeat", what=choice))
    page = manager.read(page.submit("Delete · Pune trucks"))
    assert "The list was deleted: nothing is searched." in page.text


def test_the_page_lists_recent_searches(manager: WebClient, checked: Checks) -> None:
    checked("MH12AB1001 MH12AB1002").submit("Search 2 vehicles", title="Morning")
    page = manager.page("/fleet")
    assert "Morning" in page.text
    assert "0 of 2 searched" in page.text
    assert "Running" in page.text


def test_the_pages_ask_the_store_the_same_for_any_number_of_vehicles(
    manager: WebClient, send: Sends, store: Store, clock: MovableClock
) -> None:
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        asked.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    numbers = []
    for count in (2, 300):
        address = send("\n".join(f"MH12AB{number:04}" for number in range(count))).headers["Location"]
        asked.clear()
        assert manager.get(address).status_code == 200
        numbers.append(len(asked))
    assert numbers[1] <= numbers[0]


@pytest.mark.usefixtures("five")
def test_a_search_is_repeated_once_there_is_something_to_search_again(manager: WebClient) -> None:
    assert "Save this repeat" not in manager.page("/fleet").buttons()
    steps.searches(manager)
    assert "Save this repeat" in manager.page("/fleet").buttons()
