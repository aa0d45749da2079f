"""Test the first page: the search, what waits for a person, and what is stored."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from uuid import UUID

import pytest
from flask import Flask
from sqlalchemy import update

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from dashboard.services.accounts.audit import Origin
from dashboard.services.container import Services
from dashboard.store.links.tables import link
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import ASHA
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.links.test_list import Ledger, link_id, shown, words_of
from tests.web.sharing.steps import adds_a_driver
from tests.web.steps import RC, REVIEW, VEHICLE, calls_of

#: A challan of another vehicle.
ANOTHER = {"id": str(UUID(int=9)), "challanNo": "ZZ1", "rcNumber": "KA01AA0001", "status": "PENDING"}
INTO_PLATES = {**HTMX, "HX-Target": "known-plates"}


def test_a_first_day_says_what_to_do(staff: WebClient) -> None:
    page = staff.page("/")
    assert page.field("RC number").get("value", "") == ""
    assert "No vehicle has been searched yet." in page.text
    assert "No payment link yet." in page.text
    assert "Needs attention" not in page.text


def test_exactly_one_button_is_called_search(staff: WebClient, five: dict[str, str]) -> None:
    for address in ("/", VEHICLE):
        assert staff.page(address).buttons().count("Search") == 1, address
    steps.searches(staff)
    for address in ("/", VEHICLE):
        assert staff.page(address).buttons().count("Search") == 1, address


def test_recent_vehicles_and_links_lead_to_their_pages(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, "MH1001", "MH1002"))
    page = staff.page("/")
    assert {a["href"] for a in page.all("#known-vehicles td a, #known-vehicles th a")} == {VEHICLE}
    assert f"/links/{link_id}" in {a["href"] for a in page.all(".recent-links a")}
    assert page.link("Choose a driver · MH12 AB 1001") == f"/links/{link_id}/share"
    links = page.one(".recent-links").get_text(" ")
    assert "Active" in links
    assert "₹1,118.00" in links


def test_links_and_vehicles_belong_to_everybody(staff: WebClient, manager: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    page = manager.page("/")
    assert page.all(f'a[href="{VEHICLE}"]')
    assert manager.page(f"/links/{link_id}").one("#link-panel")["data-status"] == "ACTIVE"


def test_an_outcome_that_is_not_known_needs_attention(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    levers.fault("create_link", "cut", when="after")
    address = steps.request_of(steps.create(staff))
    page = staff.page("/")
    assert page.link("Open the request") == address
    said = words_of(page.one(".attention-item"))
    assert "Link may exist, we are checking Do not create another link." in said
    assert "₹2,795.00" in said
    clock.advance(seconds=5)
    assert page.submit("Check now · MH12 AB 1001").headers["Location"] == address
    assert "whether a link was created" not in staff.page("/").text


def test_an_unpaid_link_that_ends_soon_needs_attention(
    staff: WebClient, five: dict[str, str], clock: MovableClock
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, hours=24))
    assert "Needs attention" not in staff.page("/").text
    clock.advance(hours=19)
    steps.comes_back(staff, ASHA)
    page = staff.page("/")
    item = page.one(".attention-item")
    assert words_of(item).startswith("MH12 AB 1001 Not sent, ends ")
    assert "₹2,795.00" in words_of(item)
    assert not item.select("time-ago"), "when a link was made says nothing here"
    assert page.link("Open the link") == f"/links/{link_id}"


def test_the_driver_of_a_link_that_ends_soon_is_reminded_from_the_first_page(
    staff: WebClient, entered: Ledger, five: dict[str, str], clock: MovableClock
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, hours=24))
    details = DriverDetails("Ramesh", "98765 43210", None, "en", None, (RC,))
    driver_id = entered.services.drivers.add(details, 1)
    clock.advance(hours=19)
    steps.comes_back(staff, ASHA)
    page = staff.page("/")
    item = page.one(".attention-item:has(form)")
    assert "Ramesh" in words_of(item)
    assert page.one(".attention-item form")["action"] == f"/links/{link_id}/nudge"
    assert page.one(".attention-item input[name=driver]")["value"] == str(driver_id)


def test_what_waits_to_be_followed_up_is_told_by_the_menu_and_the_figures(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, total=Decimal(100))
    entered.enter(2, total=Decimal("20.50"))
    page = staff.page("/")
    assert not page.all(".attention-item")
    assert figures(page)["Not sent"] == ("₹120.50", "2 links")
    assert words_of(page.one("#menu-count-follow_up")).startswith("2")


def test_recent_vehicles_are_those_searched_last(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    for number in range(1, 8):
        rc = f"KA05MN100{number}"
        levers.add_vehicle(rc, [steps.challan(1, challanNo=f"KA{number}", status="DISPOSED")])
        clock.advance(seconds=1)
        steps.searches(staff, rc)
    rows = staff.page("/").all("#known-vehicles tbody tr")
    assert [str(row["data-row"]) for row in rows] == [*(f"KA05MN100{number}" for number in (7, 6, 5, 4, 3, 2, 1)), RC]


@pytest.mark.parametrize("part", ["1001", "12 ab", "mh-12", "AB1"])
def test_a_part_of_a_number_finds_known_vehicles_without_the_service(
    staff: WebClient, five: dict[str, str], levers: Levers, part: str
) -> None:
    levers.add_vehicle("KA05MN4321")
    steps.searches(staff)
    steps.searches(staff, "KA05MN4321")

    def type_it() -> None:
        answer = staff.get("/vehicles", query_string={"q": part}, headers=INTO_PLATES)
        region = Page(staff, answer, region=True)
        assert region.one("#known-plates")["data-announce"].startswith("1 known vehicle.")
        assert "<main" not in answer.text
        assert VEHICLE in {a["href"] for a in region.all("a")}
        assert "KA05" not in answer.text
        page = staff.page(f"/vehicles?q={part}")
        assert [a["href"] for a in page.all("table tbody th a")] == [VEHICLE]

    assert calls_of(levers, type_it) == 0


def test_a_list_that_is_cut_off_says_so(staff: WebClient, levers: Levers) -> None:
    for number in range(9):
        levers.add_vehicle(f"KA05MN432{number}")
        steps.searches(staff, f"KA05MN432{number}")
    region = Page(staff, staff.get("/vehicles?q=KA05", headers=INTO_PLATES), region=True)
    assert len(region.all("[role=option]")) == 8
    assert region.one("#known-plates")["data-announce"].startswith("8 or more known vehicles.")


def test_a_part_that_no_known_vehicle_has_offers_the_search(staff: WebClient) -> None:
    assert "No known vehicle has “ZZ”" in staff.page("/vehicles?q=ZZ").text
    assert staff.page("/vehicles?q=ZZ9999").link("Search ZZ99 99") == "/vehicles/ZZ9999"


def test_no_page_that_is_only_opened_calls_the_service(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, "MH1001"))
    levers.fault("create_link", "cut", when="after")
    request = steps.request_of(steps.create(staff, "MH1002"))
    assert steps.select(staff, "MH1003").status_code == 303
    link = f"/links/{link_id}"
    pages = ["/", "/vehicles", "/vehicles?q=MH", VEHICLE, "/vehicles/KA05MN4321", REVIEW, link, request]
    regions = ["/vehicles?q=MH", f"{link}/panel", f"{request}/panel"]

    def walk() -> None:
        for address in pages:
            staff.page(address)
        for address in regions:
            staff.page(address)
            assert staff.get(address, headers=HTMX).status_code == 200, address

    assert calls_of(levers, walk) == 0


def test_every_address_of_the_main_job_refuses_to_act_on_get(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    acts = ["/search", f"{VEHICLE}/refresh", f"{VEHICLE}/selection", f"{VEHICLE}/links", f"/links/{link_id}/check"]
    for address in acts:
        assert staff.get(address).status_code in (303, 405), address


def test_a_vehicle_that_was_never_searched_offers_the_search(staff: WebClient, levers: Levers) -> None:
    page = staff.page(f"/vehicles/{RC}")
    assert page.field("RC number")["value"] == "MH12 AB 1001"
    assert page.heading == "MH12 AB 1001 has not been searched yet"
    assert not page.all("#search-later")
    assert page.one("main [autofocus]").get_text(strip=True) == "Search", "its number is in the field already"
    levers.add_vehicle(RC)
    answer = page.submit("Search")
    assert answer.headers["Location"] == VEHICLE


# The figures of the day


@pytest.fixture
def entered(app: Flask, clock: MovableClock) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def figures(page: Page) -> dict[str, tuple[str, str]]:
    """Return the amount and the count of each figure."""
    return {
        words_of(figure.select_one(".figure-words")): (
            words_of(figure.select_one(".figure-sum")),
            words_of(figure.select_one(".quiet")) if figure.select_one(".quiet") else "",
        )
        for figure in page.all(".figure-card")
    }


#: Half past ten in India.
MORNING = pytest.mark.hour(5)


def enters_a_day(entered: Ledger, clock: MovableClock) -> None:
    now = clock()
    entered.enter(1, total=Decimal("714000.50"))
    entered.enter(2, total=None, expires_at=now + timedelta(hours=13))
    entered.enter(3, total=Decimal(100), expires_at=now + timedelta(hours=14))
    entered.shared(3, ASHA.email)
    entered.enter(4, status="PAID", total=Decimal(500), paid_at=now - timedelta(hours=34))
    entered.enter(5, status="PAID", total=Decimal(900), paid_at=now - timedelta(hours=35))
    entered.enter(6, status="EXPIRED")
    entered.enter(9, status="PAID", total=Decimal(40), paid_at=now - timedelta(hours=10))


@MORNING
def test_each_figure_of_the_day_is_the_sum_of_the_list_that_it_leads_to(
    staff: WebClient, manager: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    enters_a_day(entered, clock)
    page = staff.page("/")
    assert figures(page) == figures(manager.page("/"))
    assert figures(page) == {
        "Open": ("₹7,14,100.50 + 1 unknown", "3 links"),
        "Ends within 24 h": ("₹100.00 + 1 unknown", "2 links"),
        "Not sent": ("₹7,14,000.50 + 1 unknown", "2 links"),
        "Ended unpaid": ("₹506.00", "1 link"),
        "Collected today": ("₹40.00", "1 link"),
        "Collected yesterday": ("₹500.00", "1 link"),
    }
    for figure in page.all(".figure-card:not(:has(> .figure[href^='/follow-up']))"):
        listed = staff.page(str(figure.select_one(".figure")["href"]))
        assert words_of(figure.select_one(".figure-sum")) in words_of(listed.one("#links-sum"))
        assert len(shown(listed)) == int(words_of(figure.select_one(".quiet")).split()[0])


@MORNING
def test_a_payment_without_a_time_counts_on_the_day_that_it_was_first_shown(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    """As in the statement: the service may say PAID before it says when."""
    entered.enter(1, status="PAID", total=Decimal(700))
    with entered.services.store.write() as connection:
        connection.execute(update(link).values(status_since=clock() - timedelta(days=3)))
    entered.enter(2, status="PAID", total=Decimal("20.50"))
    entered.enter(3, status="PAID", total=Decimal(500), paid_at=clock() - timedelta(hours=1))
    entered.enter(4, status="FAILED", total=Decimal(90))
    page = staff.page("/")
    assert figures(page)["Collected today"] == ("₹500.00", "1 link"), "it may have been paid before"
    (card,) = (each for each in page.all(".figure-card") if "Collected" in words_of(each))
    assert shown(staff.page(str(card.a["href"]))) == [3, 2]
    assert words_of(card.select_one(".figure-besides")) == "₹20.50 more, time not known"
    assert card.a["title"] == "Counted on the day the payment was first shown"


@MORNING
def test_a_payment_whose_time_is_not_known_is_never_called_collected_today(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="PAID", total=Decimal("20.50"))
    page = staff.page("/")
    assert figures(page)["Paid, time not known"] == ("₹20.50", "1 link")
    assert "Collected today" not in figures(page)
    assert not page.all(".figure-good")


@MORNING
def test_a_share_comes_to_the_figures_of_the_open_page_without_a_call(
    staff: WebClient, entered: Ledger, clock: MovableClock, levers: Levers
) -> None:
    enters_a_day(entered, clock)
    asks = str(staff.page("/").one("#home-panel")["hx-get"])
    levers.forget_calls()
    entered.shared(1, ASHA.email)
    region = Page(staff, steps.poll(staff, asks), region=True)
    assert figures(region)["Not sent"] == ("Amount unknown", "1 link")
    assert not levers.calls()


@MORNING
def test_what_ends_within_a_day_is_counted_as_on_follow_up(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    """The other lists count the hours, and no two pages may contradict each other."""
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    page = staff.page("/")
    assert "Ends today" not in figures(page)
    assert figures(page)["Ends within 24 h"] == ("₹501.00", "1 link")
    [figure] = (each for each in page.all(".figure") if "Ends within" in words_of(each))
    assert shown(staff.page(str(figure["href"]))) == [1]
    entered.enter(2, rc="KA05MN4321", expires_at=clock() + timedelta(hours=3))
    page = staff.page("/")
    assert "2 links none of them sent" in page.text
    assert "Ends within 24 hours · 2 links · ₹1,003.00" in staff.page("/follow-up").text
    assert figures(page)["Ends within 24 h"] == ("₹1,003.00", "2 links")


def test_nobody_reads_that_nothing_ends_while_the_end_of_an_open_link_is_not_known(
    staff: WebClient, entered: Ledger
) -> None:
    entered.enter(1, expires_at=None)
    said = words_of(staff.page("/").one(".figures-none"))
    assert said == "End of 1 link not known"
    assert "Nothing ends" not in said


@MORNING
def test_where_all_that_ends_within_a_day_ends_today_the_figure_says_today(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=3))
    page = staff.page("/")
    assert figures(page)["Ends today"] == ("₹501.00", "1 link")
    assert "1 link first 1:30 pm" in page.text
    [figure] = (each for each in page.all(".figure") if "Ends today" in words_of(each))
    assert shown(staff.page(str(figure["href"]))) == [1]


@MORNING
def test_figures_that_ask_for_somebody_stand_before_those_that_inform_with_what_needs_attention_below(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    entered.enter(8)
    page = staff.page("/")
    assert list(figures(page)) == ["Not sent"], "what is open is the same link"
    assert not page.all(".figures-rest")
    entered.enter(9, status="PAID", paid_at=clock() - timedelta(days=3))
    entered.services.sharing.record_copy(link_id(8), 1, Origin(None, "127.0.0.1"))
    entered.enter(10)
    page = staff.page("/")
    assert list(figures(page)) == ["Not sent", "Open"]
    assert words_of(page.one(".figures-none")) == "Nothing ends within 24 h", "beside work, the rest is no news"
    enters_a_day(entered, clock)
    entered.enter(7, rc="KA05MN4321", expires_at=clock() + timedelta(hours=2))
    page = staff.page("/")
    asking, informing = (page.all(f"{part} .figure-words") for part in (".figures-asking", ".figures-rest"))
    assert [*map(words_of, asking)] == ["Not sent", "Ended unpaid"]
    assert [*map(words_of, informing)] == ["Ends within 24 h", "Open", "Collected today", "Collected yesterday"]
    assert not page.all(".figures-none")
    places = [each["class"][0] for each in page.all("#home-panel > :is(.attention, .figures)")]
    assert places == ["figures", "attention"]


def test_an_empty_ledger_has_no_figures(staff: WebClient) -> None:
    assert figures(staff.page("/")) == {}


def test_a_recent_link_that_went_to_a_number_is_said_to_be_sent(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    answer = staff.page(f"/links/{link_id}").submit("WhatsApp to the chosen driver , in a new tab", to="98765 43299")
    assert answer.status_code == 303
    asked = staff.page("/").one(f'.recent-links tr[data-row="{link_id}"] .given')
    said = "Not sent yet Was it sent to +91 98765 43299? Yes, sent Not sent"
    assert words_of(asked) == said, "nobody has said so yet"
    staff.read(staff.page("/").submit("Not sent"))
    assert "Send to…" in words_of(staff.page("/").one(f'.recent-links tr[data-row="{link_id}"] .given'))
    staff.page(f"/links/{link_id}").submit("WhatsApp to the chosen driver , in a new tab", to="98765 43299")
    assert staff.page("/").submit("Yes, sent").headers["Location"] == "/"
    row = staff.page("/").one(f'.recent-links tr[data-row="{link_id}"]')
    assert words_of(row.select_one(".given")).startswith("Other number")


@MORNING
def test_a_recent_link_says_who_has_it_and_offers_the_receipt_once_it_is_paid(
    staff: WebClient, entered: Ledger
) -> None:
    entered.enter(1, status="PAID")
    entered.enter(2)
    entered.services.sharing.record_copy(link_id(2), 1, Origin(None, "127.0.0.1"))
    given = {str(row["data-row"]): row.select_one(".given") for row in staff.page("/").all(".recent-links tbody tr")}
    assert given[link_id(1)].select_one(f'a[href^="/links/{link_id(1)}/receipt"]').get_text().startswith("Send receipt")
    assert words_of(given[link_id(2)]) == "Copied 10:30 am"


def test_a_recent_link_that_must_not_be_shared_says_so(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, payment_url=None)
    given = staff.page("/").one(f'.recent-links tr[data-row="{link_id(1)}"] .given')
    assert words_of(given) == "Cannot be sent Check first · MH12 AB 1001", "as in Links"
    assert given.select_one(".given-withheld")["title"] == "no payment URL yet"


@MORNING
def test_a_recent_link_goes_on_saying_when_it_was_sent_and_which_colleague_did(
    staff: WebClient, manager: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    driver = entered.services.drivers.add(DriverDetails("Ramesh", "98765 43210", None, "hi", None, ("MH12AB1001",)), 1)
    entered.enter(1)
    entered.services.sharing.record_share(link_id(1), Channel.WHATSAPP, 1, driver, "hi")
    clock.advance(minutes=11)
    given = f'.recent-links tr[data-row="{link_id(1)}"] .given'
    assert words_of(staff.page("/").one(given)) == "Ramesh Sent 10:30 am"
    assert words_of(manager.page("/").one(given)) == "Ramesh Sent 10:30 am · Asha Rao"
    clock.advance(hours=20)
    steps.comes_back(staff, ASHA)
    assert words_of(staff.page("/").one(given)) == "Ramesh Sent yesterday"


def test_recent_links_that_can_be_paid_come_first_and_the_others_by_the_moment_that_they_show(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    entered.enter(1, status="PAID", paid_at=clock() - timedelta(days=2))
    entered.enter(2, status="PAID", paid_at=clock() - timedelta(days=1))
    entered.enter(3)
    entered.enter(4, status="PAID", paid_at=clock() - timedelta(days=3))
    recent = [row["data-row"] for row in staff.page("/").all(".recent-links tbody tr")]
    assert recent == [link_id(number) for number in (3, 2, 1, 4)]


def test_links_of_one_moment_stand_in_the_order_of_the_list_of_links(staff: WebClient, entered: Ledger) -> None:
    for number in (2, 3, 1):
        entered.enter(number)
    with entered.services.store.write() as connection:
        connection.execute(update(link).values(first_seen_at=entered.clock()))
    recent = [row["data-row"] for row in staff.page("/").all(".recent-links tbody tr")]
    assert recent == [row["data-row"] for row in staff.page("/links").all("tbody tr[data-row]")]
    assert len(recent) == 3


def test_a_recent_link_says_how_long_it_is_left(staff: WebClient, entered: Ledger, clock: MovableClock) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=5))
    entered.enter(2, rc="KA05MN4321", expires_at=clock() + timedelta(hours=20))
    said = {str(row["data-row"]): row for row in staff.page("/").all(".recent-links tbody tr")}
    left = {number: said[link_id(number)].select_one(".when > span") for number in (1, 2)}
    assert {number: words_of(each) for number, each in left.items()} == {1: "5 h left", 2: "20 h left"}
    assert left[1].get("class") == ["follow-urgent"]
    assert not left[2].get("class")


@pytest.mark.parametrize(
    ("oddness", "says", "asks"),
    [
        ({"status": "ON_HOLD"}, "We do not know this state.", "State: ON_HOLD"),
        (
            {"raw": {"challans": [ANOTHER]}},
            "This link also pays for ZZ1 of KA01 AA 0001.",
            "why is a challan of another vehicle on this link?",
        ),
        (
            {"raw": {"amount": {"baseAmount": 500, "legalFee": 50, "gst": 50, "totalAmount": 600}}},
            "The link asks ₹2,195.00 too little: ₹600.00 for challans of ₹2,795.00, fees included.",
            "The amounts of a payment link do not add up",
        ),
    ],
)
def test_a_recent_link_with_something_odd_is_checked_before_it_is_sent(
    staff: WebClient, five: dict[str, str], levers: Levers, oddness: dict[str, object], says: str, asks: str
) -> None:
    adds_a_driver(staff)
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    levers.set_link(link_id, **oddness)
    page = steps.check(staff, link_id)
    assert words_of(page.one("#link-payment .share-doubt")).startswith(says)
    details = [each.get_text() for each in page.all("#link-payment .share-list [data-copy-source]")]
    assert [asks in each for each in details] == [True], "for the service's support"
    acts = [words_of(each) for each in page.all("#link-payment .button-primary")]
    assert acts == ["Copy details for support"], "it was checked just now"
    folds = [words_of(each) for each in page.all("#link-payment details:not([open]) > summary")]
    assert folds == ["Send it anyway", "See message"], "the message is read there as well"
    assert page.one("#link-payment details #payment-url"), "it stands with the other ways to send it anyway"
    row = staff.page("/").one(f'.recent-links tr[data-row="{link_id}"]')
    assert not row.select("button")
    assert row.select_one(f'.given a[href="/links/{link_id}"]').get_text().startswith("Check first")
    share = staff.page(f"/links/{link_id}/share")
    assert share.all(".share-main .button-primary") == []
    assert words_of(share.one("#share-now .panel-warning")).startswith(says), "in the words of its page"
    assert words_of(staff.page(f"/links/{link_id}/qr").one(".screen > .panel-warning")).startswith(says)


def test_a_recent_link_that_was_not_sent_is_sent_from_here(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    row = staff.page("/").one(f'.recent-links tr[data-row="{link_id}"]')
    assert row.select_one(f'a[href="/links/{link_id}/share"]'), "nobody usually drives this vehicle"
    driver = adds_a_driver(staff)
    button = staff.page("/").one(f'.recent-links tr[data-row="{link_id}"] button')
    assert (button["formaction"], button["value"]) == (f"/links/{link_id}/nudge", driver)
    staff.post(str(button["formaction"]), data={"driver": driver, "csrf_token": staff.csrf_token()})
    sent = staff.page("/").one(f'.recent-links tr[data-row="{link_id}"]')
    assert words_of(sent.select_one(".given")) == "Ramesh Kumar Sent Not sent? Undo marking it as sent"
    answer = staff.page("/").submit("Undo marking it as sent")
    assert answer.headers["Location"] == "/"
    button = staff.page("/").one(f'.recent-links tr[data-row="{link_id}"] button')
    assert words_of(button).startswith("Send ")


@pytest.mark.hour(5)
def test_a_recent_link_that_is_snoozed_is_not_offered_to_be_sent(
    staff: WebClient, five: dict[str, str], services: Services, clock: MovableClock
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    adds_a_driver(staff)
    mark = staff.page("/").one("#recent-links")["data-shown"]
    services.follow_ups.snooze(link_id, clock() + timedelta(hours=4), 1)
    page = staff.page("/")
    assert not page.all(".recent-links .given button")
    said = page.one(".recent-links .given a")
    assert said["href"] == f"/links/{link_id}"
    assert words_of(said).startswith("Snoozed till 2:30 pm")
    assert words_of(said.select_one(".together")) == "2:30 pm", "no line ends within it"
    assert page.one("#recent-links")["data-shown"] != mark, "the open page fetches its rows again"
    services.follow_ups.resume(link_id, 1)
    assert staff.page("/").one(".recent-links .given button")
    services.sharing.record_share(link_id, Channel.WHATSAPP, 1, 1, "en")
    clock.advance(minutes=15)
    services.follow_ups.snooze(link_id, clock() + timedelta(hours=4), 1)
    said = staff.page("/").one(f".recent-links tr[data-row='{link_id}'] .given a")
    assert words_of(said).startswith("Snoozed till 2:45 pm"), "as in Links, whoever was sent it"


def test_only_a_link_that_waits_for_a_driver_or_whose_payment_failed_is_said_to_have_none(
    staff: WebClient, app: Flask, clock: MovableClock
) -> None:
    entered = Ledger(app.extensions["services"], clock)
    entered.enter(1)
    for number, status in ((2, "EXPIRED"), (3, "PAID"), (4, "FAILED")):
        entered.enter(number, status=status)
    page = staff.page("/")
    said = {number: "No driver" in page.one(f'tr[data-row="{link_id(number)}"]').get_text() for number in range(1, 5)}
    assert said == {1: True, 2: False, 3: False, 4: True}, "who had those that are over is not known by this"


def test_a_recent_link_that_is_checked_first_says_why_at_its_button(
    staff: WebClient, app: Flask, clock: MovableClock
) -> None:
    Ledger(app.extensions["services"], clock).enter(1, status="ON_HOLD")
    given = staff.page("/").one(f'.recent-links tr[data-row="{link_id(1)}"] .given')
    assert words_of(given) == "Not sent yet No driver Check first · MH12 AB 1001"
    assert given.select_one("a.button")["title"] == "we do not know this state", "as in Links"
