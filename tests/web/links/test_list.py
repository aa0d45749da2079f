"""Test the list of links: its filters, order, pages and saved views, and the search box for everything."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from flask import Flask
from sqlalchemy import update

from dashboard.domain.challans import Challan, SearchResult
from dashboard.domain.links import AmountBreakdown, LinkChallan, PaymentLink
from dashboard.domain.sharing import Answer, Channel
from dashboard.services.container import Services
from dashboard.services.links import ledger
from dashboard.store.accounts import people
from dashboard.store.links import links, totals
from dashboard.store.links.tables import link, link_challan
from dashboard.store.vehicles import vehicles
from tests.support.clock import MovableClock
from tests.support.page import Page
from tests.support.people import ASHA, MEERA
from tests.support.sends import sends_to_a_number
from tests.support.web_client import WebClient
from tests.web.steps import arrives


def link_id(number: int) -> str:
    return f"{number:08}-0000-4000-8000-000000000000"


class Ledger:
    """Enter links one a second, as the service's answers would; each with a payment URL that is safe.

    They count as created here, unless they are `observed`.
    """

    def __init__(self, services: Services, clock: Any, *, observed: bool = False) -> None:
        self.services = services
        self.clock = clock
        self.observed = observed

    def enter(self, number: int, rc: str = "MH12AB1001", **fields: Any) -> str:
        self.clock.advance(seconds=1)
        now = self.clock()
        total = fields.pop("total", Decimal(500 + number))
        asked = fields.pop("asks", total)
        listed = fields.pop("listed", rc)
        url = fields.pop("payment_url", f"https://pay.example/{number}")
        covers, observed = fields.pop("covers", number), fields.pop("observed", self.observed)
        answer = PaymentLink(
            id=link_id(number),
            status=fields.pop("status", "ACTIVE"),
            expires_at=fields.pop("expires_at", now + timedelta(hours=48)),
            paid_at=fields.pop("paid_at", None),
            amount=AmountBreakdown(asked, None, None, None, asked),
            challans=(LinkChallan(f"c{covers}", f"MH9{covers:04}", listed, "PENDING", None, None, total, None, total),),
            payment_url=url,
        )
        listing = SearchResult(rc, None, 0, (Challan(f"c{covers}", f"MH9{covers:04}", "PENDING", total, total),))
        with self.services.store.write() as connection:
            vehicles.record_search(connection, rc, listing, None, now)
            ledger.enter_link(connection, answer, self.services.schedule, now, rc=rc)
            if not observed:
                connection.execute(update(link).where(link.c.id == link_id(number)).values(origin=links.CREATED))
        return link_id(number)

    def made_by(self, number: int, email: str) -> None:
        with self.services.store.write() as connection:
            person = people.find_by_email(connection, email)
            assert person is not None
            connection.execute(update(link).where(link.c.id == link_id(number)).values(person_id=person.id))

    def shared(self, number: int, email: str) -> None:
        with self.services.store.read() as connection:
            person = people.find_by_email(connection, email)
        assert person is not None
        sends_to_a_number(self.services.sharing, link_id(number), person.id, Channel.SMS)


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def shown(page: Page) -> list[int]:
    """Return the numbers of the links on a page, in its order."""
    return [int(str(row["id"]).removeprefix("row-")[:8]) for row in page.all("tbody tr[id^=row-]")]


def test_an_empty_ledger_says_what_to_do(staff: WebClient) -> None:
    assert "Search a vehicle, tick its challans and create one." in staff.page("/links").text


def test_links_are_listed_newest_first_and_every_row_opens_its_link(staff: WebClient, entered: Ledger) -> None:
    for number in (1, 2, 3):
        entered.enter(number)
    page = staff.page("/links")
    assert shown(page) == [3, 2, 1]
    assert "3 links" in page.text
    assert page.all(f'a[href="/links/{link_id(2)}"]')


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("state=PAID", [2]),
        ("state=PAID&state=EXPIRED", [3, 2]),
        ("vehicle=ka-05", [4]),
        ("q=ka05mn4321", [4]),
        ("q=4321", [4]),
        ("q=MH90002", [2]),
        ("q=mh9000", [4, 3, 2, 1]),
        (f"q={link_id(3)}", [3]),
        ("least=502&most=503", [3, 2]),
        ("least=5,03.50", [4]),
        ("creator=elsewhere", [4, 3, 2, 1]),
        ("needs=action", [4]),
        ("q=nothing-of-the-kind", []),
    ],
)
def test_filters_in_the_address_narrow_the_list(
    staff: WebClient, entered: Ledger, query: str, expected: list[int]
) -> None:
    entered.enter(1)
    entered.enter(2, status="PAID")
    entered.enter(3, status="EXPIRED")
    entered.enter(4, "KA05MN4321", expires_at=entered.clock() + timedelta(hours=5), total=Decimal("504.50"))
    if query == "least=5,03.50":
        query = "least=503.50"
    page = staff.page(f"/links?{query}")
    assert shown(page) == expected
    if not expected:
        assert "No link matches this filter." in page.text


def test_the_list_can_be_filtered_by_who_created_a_link(staff: WebClient, manager: WebClient, entered: Ledger) -> None:
    for number in (1, 2):
        entered.enter(number)
    entered.made_by(1, ASHA.email)
    entered.made_by(2, MEERA.email)
    form = staff.page("/links").form("Filter")
    options = {option.get_text(): option["value"] for option in form.page.one("#filter-creator").select("option")}
    assert list(options) == ["Created by anyone", ASHA.name, MEERA.name, "Created outside this dashboard"]
    assert shown(staff.read(form.submit(creator=options[MEERA.name]))) == [2]


@pytest.mark.hour(20)  # Half past one on the next day in India.
def test_days_begin_at_midnight_in_the_configured_zone(app: Flask, entered: Ledger) -> None:
    day = (entered.clock() + timedelta(days=1)).date()
    entered.enter(1)
    staff = arrives(app, ASHA)
    assert shown(staff.page(f"/links?from={day}&to={day}")) == [1]
    assert shown(staff.page(f"/links?to={day - timedelta(days=1)}")) == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("from=yesterday", "Choose the day again."),
        ("least=a+lot", "Enter an amount such as 2500 or 2,500.50."),
        ("most=NaN", "Enter an amount such as 2500 or 2,500.50."),
        ("from=2026-03-02&to=2026-03-01", "The last day is before the first."),
        ("least=9&most=3", "Max amount is below min amount."),
    ],
)
def test_an_invalid_filter_is_explained_and_stays_in_the_form(
    staff: WebClient, entered: Ledger, query: str, said: str
) -> None:
    entered.enter(1)
    page = staff.page(f"/links?{query}")
    assert said in page.text
    for name, values in parse_qs(query).items():
        assert page.one(f"input#filter-{name}")["value"] == values[0]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("from=yesterday", "Date not applied: 1 link ₹501.00"),
        ("least=a+lot&state=ACTIVE", "Amount not applied: 1 link ₹501.00"),
        ("to=soon&most=much", "Date and amount not applied: 1 link ₹501.00"),
    ],
)
def test_a_list_that_a_filter_could_not_narrow_says_so_and_is_not_exported(
    manager: WebClient, entered: Ledger, query: str, said: str
) -> None:
    entered.enter(1)
    page = manager.page(f"/links?{query}")
    assert words_of(page.one("#links-sum")) == said
    assert not page.all("#export, #save-view")
    assert page.one("#filter-show").has_attr("disabled")
    assert manager.page("/links").one("#export")


@pytest.mark.parametrize(("query", "is_view"), [("state=PAID&only=not-sent", True), ("state=PAID", False)])
def test_what_is_more_than_a_tab_can_be_saved_as_a_view(
    staff: WebClient, entered: Ledger, query: str, is_view: bool
) -> None:
    entered.enter(1, status="PAID")
    page = staff.page(f"/links?{query}")
    assert bool(page.all("#save-view")) == is_view
    assert len(page.all(".tab[aria-current]")) == 1


def test_of_two_wrong_parts_of_the_filter_one_sheet_is_open(staff: WebClient, entered: Ledger) -> None:
    """The sheets lie over each other, so an open one would hide what is wrong in the other."""
    page = staff.page("/links?from=yesterday&least=a+lot")
    dates, more = page.all("details[name=filter]")
    assert (dates.has_attr("open"), more.has_attr("open")) == (True, False)
    [more] = [each for each in staff.page("/links?least=a+lot").all("details[name=filter]") if each.has_attr("open")]
    assert more.select("#filter-least")


def test_a_filter_that_cannot_be_read_can_be_cleared_and_stays_so(staff: WebClient, entered: Ledger) -> None:
    page = staff.page("/links?least=a+lot")
    clear = page.one("#filter-clear")
    assert (clear["href"], clear["aria-label"]) == ("/links", "Clear the filter")
    assert words_of(clear.select_one(".clear-short")) == "Clear", "a phone has no room for more beside the tabs"
    assert not page.all("#save-view"), "there is no filter to save"
    poll = str(page.one("#links-rows")["hx-get"]).replace("seen=", "seen=old-")
    assert staff.region(poll).one("#filter-clear"), "a poll does not take it away"
    assert not staff.page("/links").all("#filter-clear")


@pytest.mark.parametrize(
    ("words", "falling"),
    [("Amount", [2, 3, 1, 4]), ("Payment link", [2, 1, 4, 3]), ("State", [3, 4, 2, 1])],
)
def test_every_column_sorts_both_ways_and_unknown_values_are_not_lost(
    staff: WebClient, entered: Ledger, words: str, falling: list[int]
) -> None:
    now = entered.clock()
    entered.enter(1, "MH12AB1001", total=Decimal(700), expires_at=now + timedelta(hours=30))
    entered.enter(2, "MH12AB1001", total=Decimal(900), expires_at=now + timedelta(hours=40))
    entered.enter(3, "DL01AA0001", total=Decimal(800), expires_at=now + timedelta(hours=50), status="PAID")
    entered.enter(4, "KA05MN4321", total=None, expires_at=None, status="EXPIRED")
    page = staff.page("/links")
    page = staff.page(page.link(words))
    if page.one("th[aria-sort]")["aria-sort"] == "ascending":
        assert shown(page) == falling[::-1]
        page = staff.page(page.link(words))
    assert page.one("th[aria-sort]")["aria-sort"] == "descending"
    assert shown(page) == falling


def test_by_when_what_can_be_paid_comes_first_both_ways(staff: WebClient, entered: Ledger) -> None:
    now = entered.clock()
    for number, (hours, status) in enumerate(((30, "ACTIVE"), (40, "ON_HOLD"), (20, "PAID"), (35, "EXPIRED")), 1):
        entered.enter(number, expires_at=now + timedelta(hours=hours), status=status)
    assert shown(staff.page("/links?sort=ends&dir=up")) == [1, 2, 3, 4]
    assert shown(staff.page("/links?sort=ends&dir=down")) == [2, 1, 4, 3]
    assert shown(staff.page("/links?sort=ends&dir=up&state=PAID&state=ACTIVE")) == [3, 1], "as the states are chosen"


@pytest.mark.parametrize("sort", ["made", "amount", "ends", "vehicle", "state"])
def test_pages_show_every_link_once_there_and_back(staff: WebClient, entered: Ledger, sort: str) -> None:
    for number in range(1, 121):
        total = None if number % 5 else Decimal(number % 3)
        entered.enter(number, f"MH12AB{number % 7:04}", total=total, status="ACTIVE" if number % 2 else "PAID")
    address = f"/links?sort={sort}&dir=up"
    pages = [staff.page(address)]
    while pages[-1].soup.find("a", string="Next 50"):
        pages.append(staff.page(pages[-1].link("Next 50")))
    seen = [number for page in pages for number in shown(page)]
    assert sorted(seen) == list(range(1, 121))
    said = [words_of(page.one(".pages p")) for page in pages]
    assert said == ["1 to 50 of 120", "51 to 100 of 120", "101 to 120 of 120"]
    assert words_of(staff.page(pages[-1].link("Previous 50")).one(".pages p")) == "51 to 100 of 120"
    back = staff.page(staff.page(pages[-1].link("Previous 50")).link("Previous 50"))
    assert shown(back) == shown(pages[0])
    assert not back.soup.find("a", string="Previous 50")


def test_an_invalid_place_is_the_start(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    assert shown(staff.page("/links?row=-1")) == [1]
    for place in ("x", "x~y", f"{link_id(1)}~not-a-moment"):
        assert shown(staff.page(f"/links?after={place}")) == [1]


def test_the_list_polls_and_an_unchanged_one_is_not_sent_again(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    address = str(staff.page("/links?vehicle=MH12").one("#links-rows")["hx-get"])
    unchanged = staff.get(address, headers={"HX-Request": "true"})
    assert (unchanged.status_code, unchanged.data) == (204, b"")
    entered.enter(1, status="PAID")
    region = staff.region(address, on="/links")
    assert "Paid" in region.text
    assert shown(region) == [1]


def test_the_count_is_updated_though_nothing_on_this_page_changed(staff: WebClient, entered: Ledger) -> None:
    for number in range(1, 53):
        entered.enter(number)
    page = staff.page("/links?state=ACTIVE")
    assert "52 links match this filter" in page.text
    address = str(page.one("#links-rows")["hx-get"])
    entered.enter(1, status="PAID")
    region = staff.region(address, on="/links")
    assert "51 links match this filter" in words_of(region.one("#links-sum[hx-swap-oob]"))
    assert shown(region) == shown(page)


def test_a_list_that_was_not_counted_to_the_end_says_so(
    staff: WebClient, entered: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(totals, "COUNTED", 2)
    for number in range(1, 4):
        entered.enter(number)
    assert "More than 2 links match this filter" in staff.page("/links?state=ACTIVE").text
    assert "3 links" in staff.page("/links").text
    entered.enter(1, status="PAID")
    page = staff.page("/links?state=ACTIVE")
    assert "2 links match this filter" in page.text
    assert "More than" not in page.text


def test_a_list_that_becomes_empty_says_so_without_a_table(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    address = str(staff.page("/links?state=ACTIVE").one("#links-rows")["hx-get"])
    entered.enter(1, status="PAID")
    region = staff.region(address, on="/links")
    assert region.text.count("No active links") == 1
    assert region.link("Show all links") == "/links"
    assert not region.all("table")
    assert "vh" in staff.page("/links?state=ACTIVE").one("#links-sum")["class"], "it is said once"
    assert "No link in this state." in staff.page("/links?state=ON_HOLD").text


def test_without_htmx_the_list_region_redirects_to_its_page(staff: WebClient, entered: Ledger) -> None:
    answer = staff.get("/links/rows?state=PAID")
    assert (answer.status_code, urlsplit(answer.headers["Location"]).query) == (303, "state=PAID")


def test_a_saved_view_is_its_persons_own(staff: WebClient, manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="PAID")
    staff.read(staff.page("/links?state=PAID&vehicle=MH12").submit("Save the view", name="  Paid   ones "))
    page = staff.page("/links")
    assert shown(staff.page(page.link("Paid ones"))) == [1]
    assert "Paid ones" not in manager.page("/links").text
    forget = page.one(".view form")["action"]
    token = manager.page("/links").one("meta[name=csrf-token]")["content"]
    assert manager.post(str(forget), data={"csrf_token": token}).status_code == 404
    token = page.one("meta[name=csrf-token]")["content"]
    assert staff.post(str(forget), data={"csrf_token": token}).status_code == 303
    assert not staff.page("/links").all(".view")


def test_a_view_needs_a_name_and_the_typed_name_stays(staff: WebClient) -> None:
    answer = staff.page("/links?state=PAID&vehicle=MH12").submit("Save the view", name="x" * 61)
    assert answer.status_code == 422
    page = Page(staff, answer)
    assert "Give the view a name of at most 60 letters." in page.text
    assert page.one("#view-name")["value"] == "x" * 61


# Finding anything


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("mh12 ab-1001", "/vehicles/MH12AB1001"),
        ("1001", "/vehicles/MH12AB1001"),
        ("MH90001", f"/links/{link_id(1)}"),
        (link_id(1), f"/links/{link_id(1)}"),
        (link_id(2)[:13].upper(), f"/links/{link_id(2)}"),
    ],
)
def test_text_that_names_one_thing_opens_it_without_a_call(
    staff: WebClient, entered: Ledger, replica: Any, typed: str, address: str
) -> None:
    entered.enter(1)
    entered.enter(2, "KA05MN4321")
    replica.levers.forget_calls()
    answer = staff.page("/").submit("Go", q=typed)
    assert (answer.status_code, answer.headers["Location"]) == (303, address)
    assert not replica.levers.calls()


def test_a_challan_number_in_small_letters_is_found(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    with entered.services.store.write() as connection:
        connection.execute(update(link_challan).values(challan_no="mh9abc77"))
        connection.execute(update(vehicles.challan).values(challan_no="mh9abc77"))
    assert shown(staff.page("/links?q=mh9abc77")) == [1]
    assert staff.get("/find?q=mh9abc77").headers["Location"] == f"/links/{link_id(1)}"


def test_text_that_names_several_things_lists_them(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2, "MH12AB1002")
    page = staff.page("/find?q=mh")
    # What was typed is marked within the names.
    found = {words_of(each).replace(" ", ""): each["href"] for each in page.all("main a")}
    assert found["MH12AB1001"] == "/vehicles/MH12AB1001"
    assert found["MH12AB1002"] == "/vehicles/MH12AB1002"
    assert found["MH90001"] == f"/links/{link_id(1)}"


def test_an_unknown_vehicle_number_is_offered_for_searching(staff: WebClient) -> None:
    page = staff.page("/find?q=DL 01 CA 9999")
    assert page.heading == "DL01 CA 9999 has not been searched yet"
    assert page.one("main input[name=rc_number]")["value"] == "DL01CA9999"
    assert page.one("main form[action='/search'] button[type=submit]").get_text(strip=True) == "Search DL01 CA 9999"
    assert page.one("#find")["value"] == "DL 01 CA 9999"


def test_a_part_of_known_numbers_is_not_taken_for_a_new_number(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2, "MH12AB1002")
    page = staff.page("/find?q=MH12AB")
    assert page.one(".table-vehicles [data-row=MH12AB1001] .plate-link")["href"] == "/vehicles/MH12AB1001"
    assert "has not been searched yet" not in page.text


def test_hostile_text_never_becomes_markup(staff: WebClient) -> None:
    page = staff.page("/find?q=%3Cscript%3Ealert(1)%3C/script%3E%25_")
    assert "<script>alert(1)</script>" in page.text


def test_an_empty_search_box_says_what_can_be_found(staff: WebClient) -> None:
    assert staff.page("/find?q=+").heading == "Find anything"


def test_the_ranks_of_a_link_follow_its_fields(entered: Ledger) -> None:
    entered.enter(1, total=Decimal("10.50"))
    entered.enter(1, total=Decimal("99.25"))
    with entered.services.store.read() as connection:
        row = links.find(connection, link_id(1))
    assert row is not None
    assert (row.total, row.amount_rank, row.rc_rank) == (Decimal("99.25"), 99.25, "MH12AB1001")
    assert row.ends_rank == row.expires_at


# Tabs, sums and the moment of each link


def words_of(tag: Any) -> str:
    return " ".join(tag.get_text(" ").split())


def test_every_tab_leads_to_the_links_that_it_counts_and_adds_up(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, total=Decimal(700))
    entered.enter(2, total=Decimal("99999.50"))
    entered.enter(3, total=None, status="PAID")
    entered.enter(4, total=Decimal("714000.40"), status="ON_HOLD", expires_at=entered.clock() + timedelta(hours=2))
    entered.enter(5, total=None)
    page = staff.page("/links")
    assert words_of(page.one(".tab[aria-current]")) == "All 5"
    assert words_of(page.one("#links-sum")) == "5 links To collect ₹8,14,699.90 + 1 unknown Paid Amount unknown"
    assert "Active 3 ₹1,00,699.50 + 1 unknown" in [words_of(tab) for tab in page.all(".tab")]
    assert staff.page("/links?state=ON_HOLD").one(".tab[aria-current] .tab-sum").get_text() == "₹7,14,000.40"
    for tab in page.all(".tab"):
        count = int(tab.select_one(".tab-count").get_text())
        listed = staff.page(str(tab["href"]))
        assert len(shown(listed)) == count, tab
        assert listed.one(".tab[aria-current]")["id"] == tab["id"]
        exact = tab.select_one(".tab-sum")
        assert exact is None or exact.get_text() in words_of(listed.one("#links-sum"))
    assert "3 links match this filter" not in page.text
    assert words_of(staff.page("/links?state=PAID").one("#links-sum")) == "1 link matches this filter Amount unknown"


def test_what_is_paid_and_what_is_not_are_never_one_sum(staff: WebClient, entered: Ledger) -> None:
    for number, (status, total) in enumerate((("ACTIVE", 700), ("PAID", 90), ("EXPIRED", 5), ("FAILED", 3)), 1):
        entered.enter(number, total=Decimal(total), status=status)
    sums = {
        "": "4 links To collect ₹700.00 Paid ₹90.00",
        "?state=ACTIVE&state=EXPIRED": "2 links match this filter To collect ₹700.00",
        "?state=EXPIRED&state=FAILED": "2 links match this filter Incl. replaced links ₹8.00",
        "?state=PAID": "1 link matches this filter ₹90.00",
        "?only=open": "1 link matches this filter ₹700.00",
    }
    for query, said in sums.items():
        page = staff.page(f"/links{query}")
        assert words_of(page.one("#links-sum")) == said, query
        assert "₹79" not in page.one(".tabs").get_text(), query


def test_a_word_that_no_link_has_can_be_found_elsewhere(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    page = staff.page("/links?q=Ramesh")
    assert "No link matches this filter." in page.text
    assert page.link("Find “Ramesh” everywhere") == "/find?q=Ramesh"


def test_tabs_count_within_the_rest_of_the_filter_and_keep_it(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2, "KA05MN4321")
    entered.enter(3, "KA05MN4321", status="PAID")
    entered.enter(4, expires_at=entered.clock() + timedelta(hours=5))
    page = staff.page("/links?vehicle=KA05&state=PAID")
    counts = {words_of(tab).split()[0]: words_of(tab.select_one(".tab-count")) for tab in page.all(".tab")}
    none = dict.fromkeys(("Urgent", "Expired", "Failed", "Cancelled"), "0")
    assert counts == {"All": "2", "Active": "1", "Paid": "1"} | none, "no tab goes away while somebody types"
    assert shown(staff.page(page.link(words_of(page.all(".tab")[2])))) == [2]


@pytest.mark.hour(9)  # Half past two in the afternoon in India.
@pytest.mark.parametrize(
    ("only", "expected"),
    [("open", [5, 4, 3, 2]), ("today", [3]), ("not-sent", [5, 4, 3]), ("action", [3, 4])],
)
def test_the_list_narrows_to_what_waits(staff: WebClient, entered: Ledger, only: str, expected: list[int]) -> None:
    now = entered.clock()
    entered.enter(1, status="PAID")
    entered.enter(2)
    entered.enter(3, expires_at=now + timedelta(hours=9))
    entered.enter(4, expires_at=now + timedelta(hours=10))
    entered.enter(5)
    entered.shared(2, ASHA.email)
    assert shown(staff.page(f"/links?only={only}")) == expected


def test_no_tab_says_that_nothing_is_urgent_beside_failed_payments(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="FAILED")
    for address in ("/links", "/links?state=FAILED", "/links?vehicle=KA05"):
        assert "Urgent" not in words_of(staff.page(address).one(".tabs")), address
    assert words_of(staff.page("/links?only=action").one(".tab[aria-current]")) == "Urgent 0", "it was asked for"
    entered.enter(2, expires_at=entered.clock() + timedelta(hours=5))
    assert words_of(staff.page("/links").all(".tab")[1]).startswith("Urgent 1")
    assert words_of(staff.page("/links?vehicle=KA05").all(".tab")[1]) == "Urgent 0", "no tab moves while somebody types"


def test_a_former_address_of_what_needs_action_still_works(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2, expires_at=entered.clock() + timedelta(hours=5))
    page = staff.page("/links?needs=action")
    assert shown(page) == [2]
    tab = page.one(".tab[aria-current]")
    assert tab.get_text(" ").startswith("Urgent")
    meaning = "Ends within 24 h or overdue, check failed, or driver says money was taken"
    assert tab["title"] == meaning
    assert meaning in words_of(page.one("#links-sum"))
    assert meaning in staff.page("/links?only=action&vehicle=KA99").text, "an empty list says what it would hold"
    entered.enter(2, status="PAID")
    assert "No unpaid link ends within 24 h" in staff.page("/links?only=action").text


def test_what_is_urgent_begins_with_money_that_was_taken_and_what_ends_first(staff: WebClient, entered: Ledger) -> None:
    now = entered.clock()
    for number, hours in ((1, 20), (2, -1), (3, 40), (4, 2), (5, 40)):
        entered.enter(number, expires_at=now + timedelta(hours=hours))
    for number in (6, 7):
        entered.enter(number, status="FAILED")
    entered.services.sharing.note_answer(link_id(6), Answer.TAKEN, 1)
    entered.services.sharing.note_answer(link_id(7), Answer.NOT_TAKEN, 1)
    with entered.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(5)).values(failure="timeout"))
    page = staff.page("/links")
    assert page.link("Urgent 5 ₹2,518.00") == "/links?only=action"
    page = staff.page("/links?only=action")
    assert shown(page) == [6, 2, 4, 1, 5]
    assert page.one("th[aria-sort]")["aria-sort"] == "ascending"
    assert page.link("All 7") == "/links", "the order of what is urgent stays with it"
    by_amount = page.link("Amount")
    assert shown(staff.page(by_amount)) == [6, 5, 4, 2, 1]
    assert staff.page(by_amount).link("All 7") == "/links?sort=amount&dir=down", "somebody chose that one"
    assert shown(staff.page("/links?only=action&sort=made")) == [6, 5, 4, 2, 1]
    place = f"{link_id(6)}~{(now + timedelta(hours=48, seconds=6)).isoformat()}~over"
    assert shown(staff.page(f"/links?{urlencode({'only': 'action', 'after': place, 'row': 2})}")) == [2, 4, 1, 5]
    assert words_of(staff.page("/").one("a[title^='Ends within']")) == "Urgent ₹2,518.00"


def test_many_links_without_a_driver_say_so_once(staff: WebClient, entered: Ledger) -> None:
    for number in range(1, 4):
        entered.enter(number, payment_url="https://pay.example/1")
    page = staff.page("/links")
    assert len(page.all(".acts .button-next")) == 3
    assert not page.all(".links-driverless")
    entered.enter(4, payment_url="https://pay.example/1")
    page = staff.page("/links")
    assert not page.all(".acts .button-next")
    assert words_of(page.one(".links-driverless")) == "4 links here have no driver. Choose drivers"
    staff.post(f"/links/{link_id(4)}/copied", data={"csrf_token": staff.csrf_token()})
    page = staff.page("/links")
    assert page.one(f"#row-{link_id(4)} .driver").get_text().startswith("No driver")
    assert words_of(page.one(".links-driverless")) == "4 links here have no driver. Choose drivers"


def test_of_a_link_that_a_search_found_the_list_says_when_that_was(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    made = words_of(staff.page("/links").one("td.made"))
    assert re.fullmatch(r"found .*\d:\d\d [ap]m created elsewhere", made), made


@pytest.mark.hour(4)  # 9:30 am in India.
def test_one_column_says_when_a_link_ends_was_paid_or_ended(staff: WebClient, entered: Ledger) -> None:
    now = entered.clock()
    entered.enter(1, expires_at=now + timedelta(hours=24))
    entered.enter(2, status="PAID")
    entered.enter(3, status="EXPIRED", expires_at=now - timedelta(hours=24))
    entered.enter(4, expires_at=None)
    entered.enter(5, expires_at=now - timedelta(hours=1))
    entered.enter(6, expires_at=now + timedelta(days=4))
    entered.enter(7, status="EXPIRED", expires_at=now + timedelta(days=2))
    said = {row["id"][4:12]: words_of(row.select_one(".when")) for row in staff.page("/links").all("tr[id^=row-]")}
    assert re.fullmatch(r"2[34] h left tomorrow 9:30 am", said["00000001"])
    assert said["00000002"] == "paid, time not known"
    assert said["00000003"] == "yesterday 9:30 am", "the state beside it says that it expired"
    assert said["00000004"] == "end not known"
    assert said["00000005"] == "Should have ended today 8:30 am"
    assert re.match(r"[34] days left ", said["00000006"])
    assert said["00000006"].endswith(", 9:30 am")
    assert said["00000007"] == "today 9:30 am", "what has ended did not end in the future"


@pytest.mark.hour(18)  # 11:30 pm in India.
def test_a_row_says_what_is_left_and_which_day_that_is_whenever_it_is_shown(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=24))
    assert words_of(staff.page("/links").one(f"#row-{link_id(1)} .when")) == "24 h left tomorrow 11:30 pm"
    for _quarter in range(3):  # Within the time that a session lives without use.
        clock.advance(minutes=15)
        page = staff.page("/links")
    assert words_of(page.one(f"#row-{link_id(1)} .when")) == "23 h left today 11:30 pm"


def test_a_form_without_scripts_leads_to_an_address_without_empty_fields(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    answer = staff.get("/links?q=&state=ACTIVE&creator=&driver=&of=made&from=&to=&only=&least=a+lot&sort=amount&dir=up")
    assert answer.status_code == 303
    clean = answer.headers["Location"]
    assert parse_qs(urlsplit(clean).query, keep_blank_values=True) == {
        "state": ["ACTIVE"], "least": ["a lot"], "sort": ["amount"], "dir": ["up"],
    }  # fmt: skip
    assert staff.get(clean).status_code == 200


def test_all_links_that_a_filter_finds_can_be_chosen(staff: WebClient, entered: Ledger) -> None:
    for number in range(1, 53):
        entered.enter(
            number,
            total=None if number == 2 else Decimal(number),
            status="PAID" if number == 1 else "ACTIVE",
            payment_url=None,
        )
    page = staff.page("/links?least=1&state=ACTIVE&state=PAID")
    button = page.one("[data-choose-all]")
    assert words_of(button) == "Choose all 51"
    found = staff.get(str(button["data-choose-all"])).get_json()
    assert len(found) == 51
    assert found[-1] == {"id": link_id(1), "traits": [], "amount": "1"}
    assert found[0] == {"id": link_id(52), "traits": ["open", "unsent", "withheld"], "amount": "52"}
    assert not staff.page("/links?state=PAID").all("[data-choose-all]"), "they are all on this page"
