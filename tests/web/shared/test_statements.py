"""Test that a page asks the store a fixed number of questions, however many rows it shows."""

from __future__ import annotations

from collections import Counter

import pytest
from sqlalchemy import event

from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.store.engine import Store
from tests.support.levers import Levers
from tests.support.people import ARUN, PASSWORD
from tests.support.web_client import HTMX, IN_PLACE, WebClient
from tests.web import steps
from tests.web.steps import challan

SMALL, LARGE = "MH12BN0003", "MH12BN0060"
ON_FIRST_PAGE = {"HX-Current-URL": "http://localhost/"}


@pytest.fixture
def searched(staff: WebClient, levers: Levers) -> None:
    """Two vehicles, one with twenty times as many challans as the other."""
    for rc, count in ((SMALL, 3), (LARGE, 60)):
        levers.add_vehicle(rc, [challan(number) for number in range(1, count + 1)])
        steps.searches(staff, rc)


@pytest.fixture
def asked(store: Store) -> list[str]:
    """Return the statements that the store executes, but those that begin and end its transactions."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if not statement.startswith(("BEGIN", "PRAGMA", "SAVEPOINT", "RELEASE")):
            found.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    return found


def count(asked: list[str]) -> int:
    number = len(asked)
    asked.clear()
    return number


def search(staff: WebClient, rc: str) -> None:
    answer = staff.post(
        "/search",
        data={"rc_number": rc, "csrf_token": staff.csrf_token()},
        headers={**HTMX, **ON_FIRST_PAGE, "HX-Target": "search-form"},
    )
    assert answer.headers["HX-Push-Url"] == f"/vehicles/{rc}"


def test_a_vehicle_asks_the_same_for_any_number_of_challans(staff: WebClient, searched: None, asked: list[str]) -> None:
    numbers = []
    for rc in (SMALL, LARGE):
        assert staff.get(f"/vehicles/{rc}", headers={**IN_PLACE, **ON_FIRST_PAGE}).status_code == 200
        numbers.append(count(asked))
    assert numbers[1] <= numbers[0] <= 21


def test_a_search_that_finds_nothing_new_asks_the_same_for_any_number_of_challans(
    staff: WebClient, searched: None, asked: list[str]
) -> None:
    numbers = []
    for rc in (SMALL, LARGE):
        search(staff, rc)
        search(staff, rc)
        asked.clear()
        search(staff, rc)
        numbers.append(count(asked))
    assert numbers[0] == numbers[1] <= 37


def test_a_link_of_many_challans_is_created_with_as_many_statements_as_one_of_few(
    staff: WebClient, searched: None, asked: list[str]
) -> None:
    numbers = []
    for rc in (SMALL, LARGE):
        form = staff.read(steps.select(staff, rc=rc))
        asked.clear()
        form.submit("Create payment link")
        numbers.append(count(asked))
    assert numbers[1] <= numbers[0]


@pytest.mark.parametrize("typed", ["MH12FB", "MH100", "red light", "590", "Ravi"])
def test_what_is_typed_into_the_find_box_asks_the_same_for_any_number_of_finds(
    manager: WebClient, levers: Levers, asked: list[str], typed: str
) -> None:
    """Vehicles, links and the eligibility of challans are read together."""
    numbers = []
    for first, last in ((0, 1), (1, 8)):
        for number in range(first, last):
            rc = f"MH12FB{number:04}"
            levers.add_vehicle(rc, [challan(10 * number + n, offenseDetails="Red light") for n in range(1, 4)])
            steps.searches(manager, rc)
            steps.create(manager, rc=rc)
            manager.page("/drivers").submit("Add the driver", name=f"Ravi {number}", vehicles=rc)
        asked.clear()
        assert manager.get("/find", query_string={"q": typed}, headers=HTMX).status_code == 200
        numbers.append(count(asked))
    assert numbers[0] == numbers[1] <= 40


def test_an_order_of_known_vehicles_asks_the_same_for_any_number_of_vehicles(
    staff: WebClient, levers: Levers, asked: list[str]
) -> None:
    numbers = []
    for first, count_of in ((0, 2), (2, 12)):
        for number in range(first, first + count_of):
            levers.add_vehicle(f"MH12KV{number:04}", [challan(number)])
            steps.searches(staff, f"MH12KV{number:04}")
        asked.clear()
        assert staff.get("/vehicles?sort=sum").status_code == 200
        numbers.append(count(asked))
    assert numbers[0] == numbers[1] <= 16


def test_people_and_the_audit_log_ask_the_same_for_any_number_of_rows(
    admin: WebClient, store: Store, asked: list[str]
) -> None:
    people = admin.application.extensions["people"]
    numbers = []
    for batch in range(2):
        for number in range(1 + 20 * batch):
            email = f"person{batch}-{number}@example.com"
            people.add(email=email, name="Ravi", role=ARUN.role, password=PASSWORD, origin=COMMAND_LINE)
        counts = []
        for address in ("/people", "/people/1", "/audit", "/audit?action=person+added&object=person0-0@example.com"):
            admin.get(address)
            asked.clear()
            assert admin.get(address).status_code == 200
            counts.append(count(asked))
        numbers.append(counts)
    assert numbers[0] == numbers[1]
    assert max(numbers[0]) <= 16


@pytest.mark.parametrize("place", ["/", "/follow-up", "/drivers", "/vehicles", f"/vehicles/{LARGE}", "link"])
def test_a_page_builds_none_of_its_statements_anew(staff: WebClient, searched: None, store: Store, place: str) -> None:
    """To build a statement takes several times as long as to execute it."""
    link_id = steps.link_of(steps.create(staff, "MH1001", rc=LARGE))
    place = f"/links/{link_id}" if place == "link" else place
    executed: list[object] = []
    event.listen(store.engine, "before_execute", lambda *of: executed.append(of[1]))
    assert staff.get(place).status_code == 200
    known, executed[:] = list(executed), []
    assert staff.get(place).status_code == 200
    anew = [str(each) for each in executed if not any(each is one for one in known)]
    assert executed, "it asks the store"
    assert anew == []


@pytest.mark.parametrize(
    "address",
    [
        "/",
        steps.VEHICLE,
        "/links/{link}",
        "/links/{link}/share",
        "/links",
        "/follow-up",
        "/vehicles",
        "/drivers",
        "/drivers/1",
    ],
)
def test_no_page_asks_the_same_twice_in_a_transaction(
    manager: WebClient, store: Store, five: dict[str, str], address: str
) -> None:
    """Where the store is on PostgreSQL, each question costs a way to the server and back."""
    manager.page("/drivers").submit("Add the driver", name="Ravi", vehicles=steps.RC)
    steps.searches(manager)
    link_id = steps.link_of(steps.create(manager))
    asked: Counter[tuple[object, str, str]] = Counter()

    def note(connection: object, _cursor: object, statement: str, parameters: object, *_rest: object) -> None:
        if statement.startswith(("SELECT", "WITH")):
            asked[connection, statement, str(parameters)] += 1

    event.listen(store.engine, "before_cursor_execute", note)
    assert manager.get(address.format(link=link_id)).status_code == 200
    assert asked
    assert [question for question, times in asked.items() if times > 1] == []
