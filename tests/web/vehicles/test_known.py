"""Test the list of known vehicles: its orders, and what they are of."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import quote

import pytest
from bs4 import Tag
from sqlalchemy import update

from dashboard.domain.challans import AttachedLink, Challan, SearchResult
from dashboard.domain.sharing import Answer
from dashboard.services.container import Services
from dashboard.store.links.tables import link
from dashboard.store.sharing import questions
from dashboard.store.vehicles import vehicles
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver
from tests.web.steps import challan

SMALL, LARGE, MANY = "MH12ZZ0001", "MH12AA0002", "MH12MM0003"


@pytest.fixture
def three(staff: WebClient, levers: Levers, clock: MovableClock) -> None:
    """Search three vehicles: with one small challan, one large, and two of middle size."""
    for rc, amounts in ((SMALL, [100]), (LARGE, [9000]), (MANY, [400, 500])):
        levers.add_vehicle(
            rc, [{"challanNo": f"{rc[-4:]}{n}", "challanAmount": amount} for n, amount in enumerate(amounts)]
        )
        steps.searches(staff, rc)
        clock.advance(seconds=1)


@pytest.mark.parametrize(
    ("order", "words", "found"),
    [
        ("", "last updated first", [MANY, LARGE, SMALL]),
        ("sum", "highest sum first", [LARGE, MANY, SMALL]),
        ("payable", "most challans to pay first", [MANY, LARGE, SMALL]),
        ("plate", "by number", [LARGE, MANY, SMALL]),
        ("nothing", "last updated first", [MANY, LARGE, SMALL]),
    ],
)
def test_known_vehicles_are_sorted(staff: WebClient, three: None, order: str, words: str, found: list[str]) -> None:
    page = staff.page(f"/vehicles?sort={order}")
    assert [row["data-row"] for row in page.all(".table-vehicles tbody tr")] == found
    assert page.text.count(words) == 2, "where it is chosen, and on the way there"
    assert len(page.all("th[aria-sort]")) == 1
    assert page.one(".sort-menu [aria-current]").get_text() == words, "a phone has no heads"
    assert page.one(".sort-menu summary").get_text() == f"Sort: {words}"
    assert page.one(".sort-menu summary")["data-short"] == "Sort", "where a phone has no room for the order"


def test_before_the_first_search_the_list_says_what_it_will_hold(manager: WebClient) -> None:
    page = manager.page("/vehicles")
    assert "Every vehicle that is searched will stand here" in page.text
    assert [page.link(words) for words in ("Search a vehicle", "Search many at once")] == ["/", "/fleet"]


@pytest.mark.parametrize(("order", "last"), [("sum", LARGE), ("payable", MANY), ("plate", LARGE)])
def test_an_order_is_one_of_all_known_vehicles(
    staff: WebClient, services: Services, three: None, clock: MovableClock, order: str, last: str
) -> None:
    """Not of those updated last alone: since the three, more vehicles were searched than are compared."""
    with services.store.write() as connection:
        for number in range(210):
            challans = (Challan(f"n{number}", f"N{number}", "PENDING", Decimal(5), Decimal(5)),)
            listing = SearchResult(f"MH12XX{number:04}", None, 0, challans)
            vehicles.record_search(connection, listing.rc_number, listing, None, clock())
    page = staff.page(f"/vehicles?sort={order}")
    assert page.all(".table-vehicles tbody tr")[0]["data-row"] == last
    assert "Compared" not in page.text, "the order is whole"


def test_an_order_that_compares_only_the_leading_vehicles_says_so(
    staff: WebClient, services: Services, clock: MovableClock
) -> None:
    """A request holds all that the vehicles with the highest sums have, so that others may have more to pay."""
    with services.store.write() as connection:
        for number in range(205):
            paid_by_link = AttachedLink(f"00000000-0000-4000-8000-{number:012}", "ACTIVE", None, None)
            on_link = Challan(f"n{number}", f"N{number}", "PENDING", Decimal(5), Decimal(5), payment_link=paid_by_link)
            listing = SearchResult(f"MH12XX{number:04}", None, 0, (on_link,))
            vehicles.record_search(connection, listing.rc_number, listing, None, clock())
    assert "Compared: the 200 that lead by their last search." in staff.page("/vehicles?sort=sum").text


def test_an_order_keeps_what_was_looked_for(staff: WebClient, three: None) -> None:
    page = staff.page("/vehicles?q=000")
    assert page.one("#sort-sum")["href"] == "/vehicles?q=000&sort=sum"
    sorted_page = staff.page("/vehicles?q=000&sort=sum")
    assert sorted_page.one("input[name=sort]")["value"] == "sum", "the next look keeps the order"


def test_the_last_row_adds_up_what_the_vehicles_have_to_pay(staff: WebClient, levers: Levers, three: None) -> None:
    page = staff.page("/vehicles")
    sums = [Decimal(re.sub(r"[^\d.]", "", cell.get_text())) for cell in page.all(".table-vehicles tbody td.sum")]
    said = words(page.one("tfoot").get_text(" "))
    assert re.fullmatch(r"Total ₹[\d,.]+ 4", said), said
    total = said.removeprefix("Total ").split()[0]
    assert Decimal(re.sub(r"[^\d.]", "", total)) == sum(sums)
    assert f"To pay {total}" in words(page.one(".known-filter").get_text(" ")), "and above the list"


def searches_many(services: Services, clock: MovableClock, vehicles_searched: int) -> None:
    """Search vehicles with a challan each, of 1 rupee, 2 rupees and so on."""
    with services.store.write() as connection:
        for number in range(vehicles_searched):
            challans = (Challan(f"n{number}", f"N{number}", "PENDING", Decimal(number + 1), Decimal(number + 1)),)
            listing = SearchResult(f"MH12XX{number:04}", None, 0, challans)
            vehicles.record_search(connection, listing.rc_number, listing, None, clock())
            clock.advance(seconds=1)


@pytest.mark.parametrize("address", ["/vehicles", "/vehicles?page=2", "/vehicles?sort=sum&page=2"])
def test_every_page_has_the_sum_of_all_vehicles(
    staff: WebClient, services: Services, clock: MovableClock, address: str
) -> None:
    searches_many(services, clock, 60)
    assert words(staff.page(address).one(".table-vehicles tfoot").get_text(" ")) == "Total ₹1,830.00 60"


@pytest.mark.parametrize("order", ["", "sum", "plate"])
def test_every_known_vehicle_is_on_one_page(
    staff: WebClient, services: Services, clock: MovableClock, order: str
) -> None:
    searches_many(services, clock, 230)
    address: str | None = f"/vehicles?q=XX&sort={order}"
    found, shown = [], []
    while address:
        page = staff.page(address)
        found += [row["data-row"] for row in page.all(".table-vehicles tbody tr")]
        shown.append(re.findall(r"Shown: \d+ to \d+", page.text))
        following = page.all(".pages a[rel=next]")
        address = str(following[0]["href"]) if following else None
    assert "30 vehicles on this page ₹" in page.text, "of the others nothing is said here"
    assert sorted(found) == [f"MH12XX{number:04}" for number in range(230)]
    assert found == sorted(found, reverse=order != "plate")
    assert [each for [each] in shown][::4] == ["Shown: 1 to 50", "Shown: 201 to 230"]
    assert "page=4" in str(page.one(".pages a[rel=prev]")["href"])


def test_a_page_after_the_last_is_the_last(staff: WebClient, three: None) -> None:
    page = staff.page("/vehicles?page=99999")
    assert len(page.all(".table-vehicles tbody tr")) == 3
    assert not page.all(".pages")


def test_the_usual_drivers_are_named(staff: WebClient, three: None) -> None:
    adds_a_driver(staff, name="Lakshmi Devi", vehicles=LARGE)
    [row] = staff.page("/vehicles?q=AA").all(".table-vehicles tbody tr")
    assert row.select_one(".driver a").get_text() == "Lakshmi Devi"


@pytest.mark.parametrize(("typed", "leads"), [("mh 12 qq 77", "/vehicles/MH12QQ77"), ("QQ", None)])
def test_a_number_that_is_not_known_leads_to_its_search(staff: WebClient, typed: str, leads: str | None) -> None:
    page = staff.page(f"/vehicles?q={quote(typed)}")
    found = [link["href"] for link in page.all("main a.button-primary")]
    assert found == ([leads] if leads else [])


def test_a_vehicle_with_nothing_to_pay_says_so(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(SMALL, [{"challanNo": "Z1", "status": "SOLD"}])
    steps.searches(staff, SMALL)
    for address in ("/vehicles", "/"):
        [row] = staff.page(address).all(".table-vehicles tbody tr")
        assert [cell.get_text() for cell in row.select("td.num")] == ["Nothing to pay", "", ""]
        assert not staff.page(address).all("tfoot")


def test_a_vehicle_says_why_none_of_its_challans_can_be_paid(
    staff: WebClient, levers: Levers, services: Services
) -> None:
    def said() -> str:
        return words(staff.page("/").one(".table-vehicles tbody td.sum").get_text(" "))

    levers.add_vehicle(SMALL, [])
    steps.searches(staff, SMALL)
    assert said() == "No challans"
    levers.issue_challan(SMALL, challanNo="Z1", seen=True)
    steps.searches(staff, SMALL)
    link_id = steps.link_of(steps.create(staff, "Z1", rc=SMALL))
    assert said() == "on links ₹559.00"
    levers.pay(link_id)
    services.link_poller.refresh(link_id)
    assert said() == "All paid"


def test_what_is_paid_while_another_link_for_it_is_open_is_not_called_all_paid_alone(
    staff: WebClient, levers: Levers, services: Services, clock: MovableClock
) -> None:
    def said() -> set[str]:
        home = staff.page("/").one(".table-vehicles tbody td.sum")
        listed = staff.page("/vehicles").one(".table-vehicles tbody td.sum")
        head = staff.page(f"/vehicles/{SMALL}").one(".vehicle-sum")
        return {words(each.get_text(" ")) for each in (home, listed, head)}

    levers.add_vehicle(SMALL, [{"challanNo": "Z1"}])
    steps.searches(staff, SMALL)
    old = steps.link_of(steps.create(staff, "Z1", rc=SMALL))
    levers.expire(old)
    steps.check(staff, old)
    review = staff.read(staff.page(f"/links/{old}").submit("Create again"))
    new = steps.link_of(review.submit("Create payment link"))
    levers.pay(old)
    clock.advance(minutes=1)
    services.link_poller.refresh(old)
    assert said() == {"Paid, link still open"}, "it can be paid a second time"
    levers.expire(new)
    services.link_poller.refresh(new)
    assert said() == {"All paid"}


def test_challans_of_a_link_in_an_unusual_state_are_not_called_nothing_to_pay(
    staff: WebClient, levers: Levers, services: Services
) -> None:
    levers.add_vehicle(SMALL, [])
    levers.issue_challan(SMALL, challanNo="Z1", seen=True)
    steps.searches(staff, SMALL)
    link_id = steps.link_of(steps.create(staff, "Z1", rc=SMALL))
    levers.set_link(link_id, status="ON_HOLD")
    services.link_poller.refresh(link_id)
    for part, said in (("tbody", "Held"), ("tfoot", "1 challan")):
        on_link = staff.page("/vehicles").one(f".table-vehicles {part} .counted ~ .counted")
        assert words(on_link.get_text(" ")) == f"₹559.00 {said}", "it may still be paid"
    assert staff.page("/vehicles").one("tbody .counted ~ .counted")["data-label"] == "Held", "a phone has no heads"
    assert words(staff.page("/vehicles").one(".table-vehicles tbody td.sum").get_text(" ")) == "Held"
    assert words(staff.page("/").one(".table-vehicles tbody td.sum").get_text(" ")) == "Held"


def test_what_is_on_links_is_said_with_its_sum_whatever_cannot_be_paid_beside_it(
    staff: WebClient, levers: Levers
) -> None:
    levers.add_vehicle(SMALL, [])
    levers.issue_challan(SMALL, challanNo="Z1", seen=True)
    levers.issue_challan(SMALL, challanNo="Z2", status="SOLD", seen=True)
    steps.searches(staff, SMALL)
    steps.create(staff, "Z1", rc=SMALL)
    for part, to_pay in (("tbody", "All on links"), ("tfoot", "")):
        cells = staff.page("/vehicles").all(f".table-vehicles {part} td.num")
        shown = [words(cell.get_text(" ")) for cell in cells]
        assert shown == [to_pay, "", "₹559.00 1 challan"], "there is no zero to pay"


def test_what_is_on_links_has_the_amounts_of_the_links_where_the_search_left_them_out(
    staff: WebClient, levers: Levers
) -> None:
    levers.add_vehicle(SMALL, [challan(1), challan(2, challanAmount=None)])
    steps.searches(staff, SMALL)
    link_id = steps.link_of(steps.create(staff, "MH1001", "MH1002", rc=SMALL))
    total = words(staff.page(f"/links/{link_id}").one(".panel-amount").get_text())
    own = words(staff.page(f"/vehicles/{SMALL}").one(".vehicle-sum").get_text())
    assert own == f"{total} on links, nothing else to pay"
    assert (
        words(staff.page("/vehicles").one(".table-vehicles tbody .counted ~ .counted").get_text(" "))
        == f"{total} 2 challans"
    )
    levers.add_vehicle(LARGE, [])
    steps.searches(staff, LARGE)
    on_link = staff.page("/find?q=MH12").one(f"[data-row={SMALL}] .counted ~ .counted")
    assert words(on_link.get_text(" ")) == f"{total} 2 challans"
    assert total in staff.region("/find?q=MH12").text, "the palette too"


def test_the_last_link_of_a_vehicle_is_shown_with_its_state_and_a_live_one_first(
    staff: WebClient, levers: Levers, services: Services, three: None, clock: MovableClock
) -> None:
    links = []
    for number in ("00030", "00031"):
        links.append(steps.link_of(steps.create(staff, number, rc=MANY)))
        clock.advance(seconds=1)
    for paid, shown, said in ((1, 0, r"Active ends \d+ \w+ Not sent yet"), (0, 1, r"Paid \d+:\d\d [ap]m")):
        levers.pay(links[paid])
        services.link_poller.refresh(links[paid])
        page = staff.page("/vehicles")
        [cell] = page.all(f"tr[data-row='{MANY}'] .last-link")
        assert re.fullmatch(said, words(cell.get_text()))
        assert [each["href"] for each in cell.select("a")] == [f"/links/{links[shown]}"]
    [cell] = page.all(f"tr[data-row='{SMALL}'] .last-link")
    assert cell.get_text() == "No link"


def test_a_link_that_nobody_was_given_is_sent_from_the_row_of_its_vehicle(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(SMALL, [challan(1)])
    steps.searches(staff, SMALL)
    link_id = steps.link_of(steps.create(staff, "MH1001", rc=SMALL))
    row = staff.page("/vehicles").one(f"[data-row={SMALL}]")
    assert row.select_one(".acts > a")["href"] == f"/links/{link_id}/share"
    staff.post(f"/links/{link_id}/copied", data={"csrf_token": staff.csrf_token()})
    row = staff.page("/vehicles").one(f"[data-row={SMALL}]")
    assert "Not sent yet" not in row.get_text()
    assert not row.select(".acts > a")


def test_a_link_that_nobody_was_given_is_sent_before_another_is_created(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(SMALL, [challan(1), challan(2)])
    steps.searches(staff, SMALL)
    link_id = steps.link_of(steps.create(staff, "MH1001", rc=SMALL))
    act = staff.page("/vehicles").one(f"[data-row={SMALL}] .acts > .button:not(.button-quiet)")
    assert act["href"] == f"/links/{link_id}/share"
    staff.post(f"/links/{link_id}/copied", data={"csrf_token": staff.csrf_token()})
    act = staff.page("/vehicles").one(f"[data-row={SMALL}] .acts > .button:not(.button-quiet)")
    assert words(act.get_text(" ")).startswith("Create link"), "for what else can be paid"


def test_a_request_whose_outcome_is_not_known_is_opened_from_the_row_of_its_vehicle(
    staff: WebClient, levers: Levers
) -> None:
    levers.add_vehicle(SMALL, [challan(1)])
    steps.searches(staff, SMALL)
    levers.fault("create_link", "status", status=500, when="after")
    address = steps.create(staff, "MH1001", rc=SMALL).headers["Location"]
    assert address.startswith("/requests/")
    row = staff.page("/vehicles").one(f"[data-row={SMALL}]")
    assert "Not known yet No driver Choose driver Link may exist" in words(row.get_text(" "))
    [act] = row.select(".acts > a")
    assert (act["href"], words(act.get_text(" "))) == (address, "Open the request · MH12 ZZ 0001")


def test_a_failed_link_is_checked_before_what_was_on_it_goes_on_another(
    staff: WebClient, levers: Levers, services: Services, clock: MovableClock
) -> None:
    for rc, challans in ((SMALL, [challan(1), challan(2)]), (LARGE, [])):
        levers.add_vehicle(rc, challans)
        steps.searches(staff, rc)
    failed = steps.link_of(steps.create(staff, "MH1001", rc=SMALL))
    clock.advance(seconds=1)
    expired = steps.link_of(steps.create(staff, "MH1002", rc=SMALL))
    levers.fail(failed)
    levers.expire(expired)
    for each in (failed, expired):
        services.link_poller.refresh(each)
    steps.searches(staff, SMALL)
    for address in ("/vehicles", "/find?q=MH12"):
        row = staff.page(address).one(f".table-vehicles [data-row={SMALL}]")
        assert row.select_one(".last-link a")["href"] == f"/links/{failed}", "whatever ended later"
        assert not row.select(".acts button[name=all]")
        assert row.select_one(".acts > a")["href"] == f"/links/{failed}"
        assert words(row.select_one(".acts > a").get_text()).startswith("Check payment")
    with services.store.write() as connection:
        questions.note_answer(connection, failed, Answer.NOT_TAKEN, at=clock(), person_id=1)
    row = staff.page("/vehicles").one(f"[data-row={SMALL}]")
    assert row.select(".acts button[name=all]"), "its driver says that no money was taken"


def test_what_was_all_on_a_link_that_ended_is_created_again_by_the_same_name_in_every_list(
    staff: WebClient, levers: Levers, services: Services
) -> None:
    for rc, challans in ((SMALL, [challan(1)]), (LARGE, [])):
        levers.add_vehicle(rc, challans)
        steps.searches(staff, rc)
    first = steps.link_of(steps.create(staff, "MH1001", rc=SMALL))
    levers.expire(first)
    services.link_poller.refresh(first)
    steps.searches(staff, SMALL)
    page = staff.page("/find?q=MH12")
    assert words(page.one(f".table-vehicles [data-row={SMALL}] .acts").get_text(" ")).startswith("Create again")
    assert "Create link" not in page.one("main").get_text()
    review = staff.read(staff.page("/vehicles").submit(f"Create again · {SMALL[:4]} {SMALL[4:6]} {SMALL[6:]}"))
    assert len(review.all("input[name=challan]")) == 1
    assert review.response.request.args["replaces"] == first
    levers.issue_challan(SMALL, challanNo="MH1009", challanAmount=500, seen=True)
    steps.searches(staff, SMALL)
    act = staff.page("/vehicles").one(f"[data-row={SMALL}] .acts > .button:not(.button-quiet)")
    assert words(act.get_text(" ")).startswith("Create link"), "with more than that, it is another link"


def test_of_two_failed_links_the_newer_is_checked_first(
    staff: WebClient, levers: Levers, services: Services, clock: MovableClock
) -> None:
    levers.add_vehicle(SMALL, [challan(1), challan(2)])
    steps.searches(staff, SMALL)
    for name in ("MH1001", "MH1002"):
        clock.advance(seconds=1)
        failed = steps.link_of(steps.create(staff, name, rc=SMALL))
        levers.fail(failed)
        services.link_poller.refresh(failed)
    steps.searches(staff, SMALL)
    assert staff.page("/vehicles").one(f"[data-row={SMALL}] .acts > a")["href"] == f"/links/{failed}"


@pytest.mark.parametrize(
    "oddness",
    [
        {"status": "ON_HOLD"},
        {"raw": {"amount": {"baseAmount": 500, "legalFee": 50, "gst": 50, "totalAmount": 600}}},
    ],
    ids=["state", "amounts"],
)
def test_an_odd_link_is_checked_before_it_is_sent(
    staff: WebClient, levers: Levers, services: Services, oddness: dict[str, Any]
) -> None:
    for rc, challans in ((SMALL, [challan(1)]), (LARGE, [])):
        levers.add_vehicle(rc, challans)
        steps.searches(staff, rc)
    link_id = steps.link_of(steps.create(staff, "MH1001", rc=SMALL))
    act = staff.page("/vehicles").one(f"[data-row={SMALL}] .acts > a")
    assert act["href"] == f"/links/{link_id}/share"
    levers.set_link(link_id, **oddness)
    services.link_poller.refresh(link_id)
    for address in ("/vehicles", "/find?q=MH12"):
        act = staff.page(address).one(f".table-vehicles [data-row={SMALL}] .acts > a")
        assert act["href"] == f"/links/{link_id}"
        assert words(act.get_text()).startswith("Check first"), "as its rows in Links and on Home say"
    assert "Not sent yet" in words(staff.page("/vehicles").one(f"[data-row={SMALL}] .last-link").get_text(" "))


@pytest.fixture
def unchecked(staff: WebClient, levers: Levers, services: Services) -> str:
    """The id of a link that a search has found, with its payment URL, and that was never checked."""
    levers.add_vehicle(SMALL, [challan(1)])
    steps.searches(staff, SMALL)
    link_id = steps.link_of(steps.create(staff, "MH1001", rc=SMALL))
    with services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id).values(checked_at=None))
    return link_id


def act_of(page: Page, rc: str) -> Tag:
    [act] = page.all(f".table-vehicles [data-row={rc}] .acts > a")
    return act


def test_a_link_that_was_never_checked_is_checked_before_it_is_sent(
    staff: WebClient, unchecked: str, services: Services
) -> None:
    with services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == unchecked).values(payment_url=None))
    act = act_of(staff.page("/vehicles"), SMALL)
    assert words(act.get_text()).startswith("Check first")
    assert act["href"] == f"/links/{unchecked}"


def test_a_link_that_a_search_found_with_its_payment_url_is_checked_as_it_is_sent(
    staff: WebClient, unchecked: str
) -> None:
    assert words(act_of(staff.page("/vehicles"), SMALL).get_text()).startswith("Send to…")
    for address in ("/", "/links", "/follow-up"):
        assert "Check first" not in staff.page(address).text, address
    page = staff.page(f"/links/{unchecked}/share")
    assert not page.all(".notice:not([hidden])"), "it is checked as it is sent"
    assert "WhatsApp" in page.text


def test_a_link_that_was_paid_before_a_search_found_it_is_not_the_last_of_its_vehicle(
    staff: WebClient, levers: Levers, services: Services, three: None, clock: MovableClock
) -> None:
    own, other = (steps.link_of(steps.create(staff, number, rc=MANY)) for number in ("00030", "00031"))
    with services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == own).values(status="EXPIRED"))
        found = {"created_at": None, "first_seen_at": clock() + timedelta(hours=1), "status": "PAID"}
        connection.execute(update(link).where(link.c.id == other).values(**found, paid_at=clock() - timedelta(days=4)))
    cell = staff.page("/vehicles").one(f"tr[data-row='{MANY}'] .last-link a")
    assert cell["href"] == f"/links/{own}"


def test_vehicles_with_open_challans_and_those_without_a_driver_are_listed_alone(
    staff: WebClient, levers: Levers, three: None
) -> None:
    levers.add_vehicle("MH12SS0009", [challan(9, status="PAID")])
    steps.searches(staff, "MH12SS0009")
    adds_a_driver(staff, name="Lakshmi Devi", vehicles=LARGE)

    def listed(address: str) -> set[str]:
        return {str(row["data-row"]) for row in staff.page(address).all(".table-vehicles tbody tr")}

    page = staff.page("/vehicles?sort=plate")
    assert [each["href"] for each in page.all("nav[aria-label=Filters] a")] == [
        "/vehicles?only=open&sort=plate",
        "/vehicles?only=no-driver&sort=plate",
    ]
    assert listed("/vehicles?only=open&sort=plate") == {SMALL, LARGE, MANY}
    assert listed("/vehicles?only=no-driver&sort=sum") == {SMALL, MANY, "MH12SS0009"}
    both = staff.page("/vehicles?only=open&only=no-driver")
    assert listed("/vehicles?only=open&only=no-driver") == {SMALL, MANY}
    assert [each["href"] for each in both.all("nav[aria-label=Filters] a[aria-current]")] == [
        "/vehicles?only=no-driver",
        "/vehicles?only=open",
    ]
    assert [each["value"] for each in both.all("input[name=only]")] == ["open", "no-driver"]
    assert both.one("#sort-sum")["href"] == "/vehicles?only=no-driver&only=open&sort=sum", "an order keeps the filter"


def test_a_vehicle_whose_challans_a_link_has_paid_has_no_open_ones(
    staff: WebClient, levers: Levers, services: Services, three: None
) -> None:
    paid = steps.link_of(steps.create(staff, rc=SMALL))
    open_ones = "/vehicles?only=open&sort=plate"
    assert SMALL in {row["data-row"] for row in staff.page(open_ones).all(".table-vehicles tbody tr")}
    levers.pay(paid)
    services.link_poller.refresh(paid)
    page = staff.page(open_ones)
    assert [row["data-row"] for row in page.all(".table-vehicles tbody tr")] == [LARGE, MANY]
    assert words(page.all(".known-filter nav a")[0].get_text(" ")) == "With open challans 2"


def test_a_filter_that_no_known_vehicle_fits_leads_back_to_all(staff: WebClient, three: None) -> None:
    adds_a_driver(staff, name="Lakshmi Devi", vehicles=", ".join((SMALL, LARGE, MANY)))
    page = staff.page("/vehicles?only=no-driver")
    assert "No known vehicle matches this filter." in page.text
    assert page.link("Show all") == "/vehicles"


def test_a_filter_says_how_many_vehicles_it_leaves_before_it_is_chosen(staff: WebClient, three: None) -> None:
    adds_a_driver(staff, vehicles=SMALL)
    page = staff.page("/vehicles")
    chips = page.all(".known-filter nav a")
    assert [words(each.get_text(" ")) for each in chips] == ["With open challans 3", "No driver 2"]
    assert len(staff.page(str(chips[1]["href"])).all(".table-vehicles tbody tr")) == 2


def test_a_known_vehicle_is_searched_again_from_its_row(staff: WebClient, levers: Levers, three: None) -> None:
    levers.issue_challan(LARGE, challanNo="NEW1", challanAmount=700, seen=True)
    page = staff.read(staff.page("/vehicles").submit(f"Refresh · {LARGE[:4]} {LARGE[4:6]} {LARGE[6:]}"))
    assert "NEW1" in page.text


def test_the_list_follows_what_is_typed(staff: WebClient, three: None) -> None:
    page = staff.page("/vehicles?only=no-driver&sort=plate")
    form = page.one("form[role=search]")
    assert form["hx-target"] == "#known-list"
    answer = staff.get("/vehicles?q=aa 00&only=no-driver&sort=plate", headers=HTMX | {"HX-Target": "known-list"})
    region = Page(staff, answer, region=True)
    assert [row["data-row"] for row in region.all(".table-vehicles tbody tr")] == [LARGE]
    assert answer.headers["HX-Replace-Url"] == "/vehicles?q=AA00&only=no-driver&sort=plate"
    assert json.loads(answer.headers["HX-Trigger"])["announce"] == {"words": "1 vehicle"}


def test_a_vehicle_without_a_driver_leads_to_adding_one(staff: WebClient, three: None) -> None:
    for address in ("/vehicles", "/vehicles?only=no-driver"):
        row = staff.page(address).one(f"[data-row={LARGE}]")
        assert words(row.select_one(".driver").get_text()) == "No driver Choose driver"
        assert row.select_one(".driver a")["href"] == "/drivers?vehicle=MH12+AA+0002"
    assert words(row.select_one(".driver .vh").get_text()) == "Choose driver", "said where the row is pointed at"


def test_all_that_a_vehicle_can_pay_is_reviewed_from_its_row(staff: WebClient, levers: Levers, three: None) -> None:
    levers.add_vehicle("MH12SS0009", [])
    steps.searches(staff, "MH12SS0009")
    page = staff.page("/vehicles")
    offered = [row["data-row"] for row in page.all(".table-vehicles tbody tr") if "Create link" in row.get_text()]
    assert offered == [MANY, LARGE, SMALL], "not where nothing can be paid"
    review = staff.read(page.submit(f"Create link · {MANY[:4]} {MANY[4:6]} {MANY[6:]}"))
    assert len(review.all("input[name=challan]")) == 2
