"""Test creating a link, and its page: the amounts, the challans, and whether its payment URL can be copied."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import delete, update

from dashboard.domain.allowance_resets import INDIA
from dashboard.services.container import Services
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.store.links.tables import link
from dashboard.store.vehicles.vehicles import challan
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.steps import RC, REVIEW, VEHICLE, calls_of

UNKNOWN = f"/links/{uuid.UUID(int=7)}"


@pytest.fixture
def link_id(staff: WebClient, five: dict[str, str]) -> str:
    """Create a link for the five challans as Asha."""
    steps.searches(staff)
    return steps.link_of(steps.create(staff))


def can_be_copied(page: Page) -> bool:
    """Return whether the page has a field to copy from, with its button and anchor; require all three or none."""
    shown = bool(page.all("input[data-copy-source]"))
    assert page.buttons().count("Copy link") == shown
    return shown


def test_the_challans_of_a_link_and_of_its_receipt_stand_newest_first_and_those_of_a_day_by_number(
    staff: WebClient, levers: Levers
) -> None:
    days = {"MH1": "2026-03-01", "MH2": "2026-05-01", "MH4": "2026-04-01", "MH3": "2026-04-01"}
    orders = [
        {"challanNo": number, "challanDate": f"{day}T0{9 - at}:00:00Z"} for at, (number, day) in enumerate(days.items())
    ]
    levers.add_vehicle("MH12SO0001", orders)
    steps.searches(staff, "MH12SO0001")
    link_id = steps.link_of(steps.create(staff, rc="MH12SO0001"))
    page = staff.page(f"/links/{link_id}")
    assert re.findall(r"MH\d\b", page.one(".link-challans").get_text(" ")) == ["MH2", "MH3", "MH4", "MH1"]
    levers.pay(link_id)
    steps.check(staff, link_id)
    receipt = staff.page(f"/links/{link_id}/receipt")
    assert [words(each.get_text(" ")).split()[0] for each in receipt.all(".receipt-challan th")] == [
        "MH2",
        "MH3",
        "MH4",
        "MH1",
    ]


# Creating


def test_creating_opens_the_page_of_the_link(
    staff: WebClient, five: dict[str, str], levers: Levers, store: Store
) -> None:
    steps.searches(staff)
    answer = steps.create(staff, "MH1001", "MH1002", hours="72")
    link_id = steps.link_of(answer)
    truth = levers.link(link_id)
    page = staff.read(answer)
    assert page.one("#link-panel")["data-status"] == "ACTIVE"
    assert re.search(r"₹[\d,.]+ Active by UPI · ₹[\d,.]+ by credit card", page.text)
    assert page.field("Payment URL")["value"] == truth["paymentUrl"]
    assert can_be_copied(page)
    assert "Created by Asha Rao" in page.text
    assert "for 3 days" in page.text
    assert "3 days" in page.one(".panel-deadline").get_text() or "71 h" in page.one(".panel-deadline").get_text()
    assert steps.audited(store)[1:] == [("create", RC, "Asha Rao")]


def amounts(page: Page) -> list[list[str]]:
    """Return the table of amounts: each part in each way to pay."""
    rows = page.all("table.table-amounts tr")
    return [[" ".join(cell.text.split()) for cell in row.select("th, td")] for row in rows]


def test_the_money_of_a_link_is_shown_in_its_parts(staff: WebClient, link_id: str) -> None:
    page = staff.page(f"/links/{link_id}")
    assert amounts(page) == [
        ["Fines", "₹2,500.00"],
        ["Legal fee", "₹250.00"],
        ["GST", "₹45.00"],
        ["Total by UPINo convenience fee", "₹2,795.00"],
        ["Total by credit cardWith ₹55.90 convenience fee", "₹2,850.90"],
    ]
    assert words(page.one(".panel-amount").get_text()) == "₹2,795.00"
    assert words(page.one(".panel-ways").get_text()) == "by UPI · ₹2,850.90 by credit card"
    assert len(page.all("table.table-covered tbody tr")) == 5


def test_a_link_that_ends_tomorrow_says_so_with_the_time_left(
    staff: WebClient, link_id: str, services: Services
) -> None:
    tomorrow = services.clock().astimezone(INDIA).replace(hour=1, minute=30) + timedelta(days=1)
    with services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id).values(expires_at=tomorrow))
    for address in (f"/links/{link_id}", f"/links/{link_id}/share"):
        deadline = words(staff.page(address).one(".panel-deadline").get_text())
        assert re.fullmatch(r"\d+ h( \d+ min)? left · ends tomorrow 1:30 am", deadline)
    said = words(staff.page(steps.VEHICLE).one(".vehicle-link .quiet").get_text())
    assert re.fullmatch(r"ends tomorrow 1:30 am · \d+ h( \d+ min)? left", said)


def test_an_ended_link_keeps_its_total_by_each_way_to_pay(staff: WebClient, link_id: str, levers: Levers) -> None:
    levers.expire(link_id)
    page = steps.check(staff, link_id)
    assert amounts(page)[-2:] == [
        ["Total by UPINo convenience fee", "₹2,795.00"],
        ["Total by credit cardWith ₹55.90 convenience fee", "₹2,850.90"],
    ]
    assert page.all(".amounts-note") == [], "nobody paid it in any way"
    assert page.all(".panel-ways") == [], "and nobody chooses one any more"


def test_a_challan_of_a_link_has_the_date_offence_and_place_of_the_search(staff: WebClient, link_id: str) -> None:
    listed = {
        row.select_one(".challan-no").get_text(strip=True): row for row in steps.searched(staff).all("tr.challan")
    }
    rows = staff.page(f"/links/{link_id}").all("table.table-covered tbody tr")
    for row in rows:
        number, date = row.select_one(".challan-no").stripped_strings
        searched = listed[number]
        assert date in searched.select_one(".date").get_text()
        offence = row.select_one(".offence > bdi").get_text()
        place = next(row.select_one(".offence > .sub").stripped_strings)
        assert offence == searched.select_one(".offence").get_text()
        assert place in searched.select_one(".place").get_text()


def test_a_challan_that_no_search_has_shown_has_what_the_link_says_of_it(
    staff: WebClient, link_id: str, store: Store
) -> None:
    with store.write() as connection:
        connection.execute(delete(challan))
    row = staff.page(f"/links/{link_id}").all("table.table-covered tbody tr")[0]
    assert words(row.select_one(".offence").get_text()) == "not statedMaharashtra · Online"


def test_a_paid_link_keeps_the_amounts_of_each_way_to_pay_and_says_that_the_way_of_paying_is_not_reported(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    levers.pay(link_id)
    page = steps.check(staff, link_id)
    assert words(page.one(".panel-ways").get_text()) == "₹2,850.90 if paid by credit card (the service does not say)"
    assert page.all(".panel-sent") == [], "that nobody sent it matters no more"
    assert [total for _, total in amounts(page)[-2:]] == ["₹2,795.00", "₹2,850.90"]
    assert words(page.one(".amounts-note").get_text()) == "The service does not say how it was paid."


def test_a_link_that_asks_another_sum_than_its_challans_says_by_how_much(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    assert "Its challans" not in staff.page(f"/links/{link_id}").one("#link-amounts").get_text()
    for asked, words_of_it, difference in ((2800, "Too much by", "₹5.00"), (2790.5, "Too little by", "₹4.50")):
        levers.set_link(link_id, raw={"amount": {"totalAmount": asked}, "paymentModeOptions": []})
        page = steps.check(staff, link_id)
        assert amounts(page)[0] == ["Challans with fees", "₹2,795.00"]
        assert amounts(page)[-1] == [words_of_it, difference]


def test_the_sections_of_a_link_have_one_order_however_many_challans_it_has(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    def order() -> list[str]:
        titles = [words(each.get_text()) for each in staff.page(f"/links/{link_id}").all(".link-body h2")]
        return [title.partition(" (")[0] for title in titles]

    short = order()
    assert short[:3] == ["Challans", "Amounts", "Timeline"]
    about = {"rcNumber": RC, "status": "PENDING"}
    many = [about | {"id": str(uuid.UUID(int=number)), "challanNo": f"C{number}"} for number in range(12)]
    levers.set_link(link_id, raw={"challans": many})
    folded = steps.check(staff, link_id).one(".link-challans > details")
    assert words(folded.select_one("summary").get_text()) == "Show 17 challans"
    assert len(folded.select("tbody tr")) == 17, "with those that later answers leave out"
    assert order() == short


def test_the_qr_code_says_what_it_pays(staff: WebClient, link_id: str, services: Services) -> None:
    for address in (f"/links/{link_id}", f"/links/{link_id}/share"):
        services.sharing.prepare(link_id)
        said = words(staff.page(address).one(".qr-label").get_text(" "))
        assert re.fullmatch(r"MH12 AB 1001 ₹2,795\.00 Ends .+", said)


def test_the_same_form_sent_twice_makes_one_link(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff)
    first, second = (review.submit("Create payment link") for _ in range(2))
    assert steps.link_of(first) == steps.link_of(second)
    assert levers.count("create_link") == 1


def test_the_same_form_sent_twice_at_once_makes_one_link(app: Flask, five: dict[str, str], levers: Levers) -> None:
    clients = [steps.arrives(app, ASHA) for _ in range(2)]
    steps.searches(clients[0])
    reviews = [steps.reviewed(client) for client in clients]
    key = reviews[0].one("input[name=request_key]")["value"]
    forms = [review.form("Create payment link") for review in reviews]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda form: form.submit(request_key=key), forms))
    assert levers.count("create_link") == 1
    assert {answer.status_code for answer in answers} == {303}
    assert len(levers.truth()["links"]) == 1


def test_the_same_form_with_another_selection_is_refused(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff, "MH1001")
    link_id = steps.link_of(review.submit("Create payment link"))
    page = staff.read(review.submit("Create payment link", hours="96"))
    assert page.status == 422
    assert "This form was already used for another selection. No second link was created." in page.text
    assert "not created" not in page.text.lower()
    assert "nothing was created" not in page.text.lower(), "the first sending did create a link"
    assert page.all(f'main a[href="/links/{link_id}"]')
    assert levers.count("create_link") == 1


def test_created_challans_are_no_longer_ticked_nor_selectable(staff: WebClient, link_id: str) -> None:
    page = staff.page(VEHICLE)
    assert steps.boxes(page) == {}
    assert len(steps.group(page, "on_link")) == 5
    assert page.link("open link , which holds MH1003") == f"/links/{link_id}"
    assert staff.get(REVIEW).headers["Location"] == VEHICLE


@pytest.mark.parametrize(("end", "selectable"), [("expire", True), ("fail", True), ("cancel", True), ("pay", False)])
def test_the_challans_follow_the_status_of_their_link(
    staff: WebClient, link_id: str, levers: Levers, end: str, selectable: bool
) -> None:
    getattr(levers, end)(link_id)
    steps.check(staff, link_id)
    page = staff.page(VEHICLE)
    assert bool(steps.boxes(page)) == selectable
    if not selectable:
        assert len(steps.group(page, "paid")) == 5


def test_what_our_own_link_paid_is_no_news_after_a_refresh(staff: WebClient, link_id: str, levers: Levers) -> None:
    levers.pay(link_id)
    steps.check(staff, link_id)
    steps.refresh(staff)
    page = staff.page(VEHICLE)
    assert len(steps.group(page, "paid")) == 5
    assert "CHANGED" not in page.text
    assert "Status was" not in page.text


# The page


def test_a_link_that_the_ledger_does_not_know_is_not_found(staff: WebClient, levers: Levers) -> None:
    for address in (UNKNOWN, f"{UNKNOWN}/panel", f"/links/{str(uuid.UUID(int=7)).upper()}"):
        assert staff.page(address, status=404).heading == "There is no such payment link"
    assert staff.page("/links/not-an-id", status=404).heading == "Page not found"
    assert levers.calls() == []


def test_a_link_of_another_system_says_that_it_was_not_created_here(
    staff: WebClient, five: dict[str, str], levers: Levers, app: Flask
) -> None:
    steps.searches(staff)
    link_id = steps.elsewhere(app, five["MH1001"], five["MH1002"])
    staff.read(steps.refresh(staff))
    page = steps.check(staff, link_id)
    assert "Created outside this dashboard" in page.text
    assert page.one(".link-head").get_text().count("Created outside this dashboard, found ") == 1
    assert page.one("#link-panel")["data-status"] == "ACTIVE"
    assert can_be_copied(page)


def test_a_found_link_that_was_never_checked_is_sent_from_its_page_as_from_lists(
    staff: WebClient, five: dict[str, str], app: Flask, levers: Levers
) -> None:
    steps.searches(staff)
    link_id = steps.elsewhere(app, five["MH1001"], five["MH1002"])
    staff.read(steps.refresh(staff))
    page = staff.page(f"/links/{link_id}")
    assert [words(each.get_text()) for each in page.all("#link-payment .button-primary")] == ["Check now"], (
        "what a search alone has shown is checked first"
    )
    assert "Amount not checked yet" in words(page.one("#link-panel").get_text(" "))
    assert "WhatsApp checks it too, Copy link and the QR code do not." in page.text
    assert "Active check first" in words(page.one("#link-panel .panel-state").get_text(" "))
    assert [words(each.get_text()) for each in page.all("#link-payment > .fold > summary")] == ["Send it anyway"]
    assert page.one("#link-payment details #payment-url"), "its payment URL stands with the other ways to send it"
    assert not page.all(".share-code")
    assert words(page.one("#link-panel .panel-checked").get_text()) == "Not checked yet"
    assert "tell the service" not in page.text, "nobody has asked it yet"
    for part in ("#link-challans", "#link-amounts"):
        assert words(page.one(f"{part} .quiet").get_text()) == "They are shown once the link is checked."
    assert words(page.one("#link-panel .panel-sent").get_text()) == "Not sent from here"
    levers.forget_calls()
    page.submit("WhatsApp to the chosen driver , in a new tab")
    assert levers.count("link_status") == 1, "it is checked as it is sent"
    checked = staff.page(f"/links/{link_id}")
    assert "Not checked yet" not in checked.text
    assert "not checked yet" not in checked.text
    assert "once the link is checked" not in checked.text
    assert can_be_copied(checked)


SUSPECT = [
    "javascript:alert(1)",
    "data:text/html,x",
    "http://pay.example.in/prepaid-payment/abc",
    "https://user@pay.example.in/prepaid-payment/abc",
    "//pay.example.in/x",
    "https://pay.example.in/a b",
    "not an address",
]


@pytest.mark.parametrize("url", SUSPECT)
def test_a_suspicious_payment_url_is_only_text(staff: WebClient, link_id: str, levers: Levers, url: str) -> None:
    levers.set_link(link_id, raw={"paymentUrl": url})
    page = steps.check(staff, link_id)
    assert not can_be_copied(page)
    assert "Do not send this payment URL" in page.text
    assert page.one(".address-text").get_text() == url
    assert not [a for a in page.all("main a") if a["href"] == url]
    assert page.one("#link-panel")["data-copyable"] == "false"


def test_an_administrator_copies_what_support_needs_to_know_of_it(
    admin: WebClient, link_id: str, levers: Levers
) -> None:
    levers.set_link(link_id, raw={"paymentUrl": SUSPECT[0]})
    page = steps.check(admin, link_id)
    [details] = page.one("#link-payment copy-field").select("[data-copy-source]")
    assert {link_id, SUSPECT[0]} <= set(re.split(r"[\s]", details.get_text()))
    assert [words(each.get_text()) for each in page.all("main .button-primary")] == ["Copy details for support"]
    assert [each.get_text(strip=True) for each in page.all("#link-payment button")][-1] == "Check now"


@pytest.fixture
def guarded(build_app: Callable[[Settings], Flask], environ: dict[str, str]) -> WebClient:
    """Sign Asha in at a dashboard that is configured with the address of its payment pages."""
    environ["DASHBOARD_PAYMENT_PAGE_BASE"] = "https://pay.example.in/fleet"
    return steps.arrives(build_app(Settings.from_environ(environ)), ASHA)


@pytest.mark.parametrize(
    ("url", "copied"),
    [
        ("https://pay.example.in/fleet/prepaid-payment/abc", True),
        ("https://pay.example.in/prepaid-payment/abc", False),
        ("https://pay.example.in/fleet/../prepaid-payment/abc", False),
        ("https://pay.example.in.evil.example/fleet/prepaid-payment/abc", False),
        ("https://evil.example/fleet/prepaid-payment/abc", False),
        ("https://pay.example.in:8443/fleet/prepaid-payment/abc", False),
    ],
)
def test_only_addresses_of_the_configured_payment_page_can_be_copied(
    guarded: WebClient, five: dict[str, str], levers: Levers, url: str, copied: bool
) -> None:
    steps.searches(guarded)
    link_id = steps.link_of(steps.create(guarded))
    assert not can_be_copied(guarded.page(f"/links/{link_id}")), "the replica's own page is elsewhere"
    levers.set_link(link_id, raw={"paymentUrl": url})
    assert can_be_copied(steps.check(guarded, link_id)) == copied


def test_an_amount_that_only_the_link_has_says_where_it_comes_from(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    levers.set_challan(five["MH1001"], raw={"challanAmount": None, "totalAmount": None})
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, "MH1001", "MH1002"))
    source = "The search gives no amount of MH1001; the total is the link’s."
    assert source in words(staff.page(f"/links/{link_id}").one("#link-amounts").get_text(" "))
    region = staff.get(f"/links/{link_id}/amounts", headers=HTMX)
    assert source in region.text
    other = steps.link_of(steps.create(staff, "MH1003"))
    assert "the total is the link’s" not in staff.page(f"/links/{other}").text


def test_a_link_without_a_payment_url_says_so(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    levers.fault("create_link", "corrupt", corruption="missing-field", missing="data.paymentUrl", when="after")
    page = staff.read(steps.create(staff))
    assert page.one("#link-panel")["data-status"] == "ACTIVE"
    assert page.one("#link-payment .notice-title").get_text() == "Nobody can pay yet"
    assert "The service sent no payment URL." in page.text
    assert words(page.one(".panel-state .state-waiting").get_text(" ")) == "Active no payment URL", "nobody can pay"
    assert not can_be_copied(page)


@pytest.mark.parametrize("end", ["expire", "fail", "cancel"])
def test_the_payment_url_of_an_ended_link_is_not_offered(
    staff: WebClient, link_id: str, levers: Levers, end: str
) -> None:
    getattr(levers, end)(link_id)
    page = steps.check(staff, link_id)
    assert not can_be_copied(page)
    assert "there is nothing to share" in page.text
    assert "Create again" in page.buttons()
    assert "Check now" in page.buttons(), "a late payment may still arrive"


def test_an_ended_link_says_which_challans_a_new_one_may_have_while_that_is_true(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    levers.expire(link_id)
    page = steps.check(staff, link_id)
    free, again = page.one(".panel-free").get_text(), page.one(".panel-act button").get_text()
    assert words(again) == "Create again", "the sum of the link is said once"
    assert free == "You can create a new link for all 5 challans"
    levers.set_challan(levers.link(link_id)["challans"][0]["id"], status="IN_COURT_REVIEW", seen=True)
    steps.searches(staff)
    part = staff.page(f"/links/{link_id}")
    assert words(part.one(".panel-act button").get_text()) == "Create again · ₹2,236.00", "another sum is said with why"
    assert part.one(".panel-free").get_text() == "You can create a new link for 4 of its 5 challans"
    levers.fail(link_id)
    failed = steps.check(staff, link_id)
    assert "Create again" in failed.buttons()
    assert "You can create a new link" not in failed.one("#link-panel").get_text(), (
        "money may have left the driver’s account"
    )


@pytest.mark.parametrize(("left", "is_marked"), [(7, False), (6, True)])
def test_a_link_that_ends_within_hours_is_marked_on_its_page_and_in_the_list(
    staff: WebClient, link_id: str, levers: Levers, clock: MovableClock, left: int, is_marked: bool
) -> None:
    levers.set_link(link_id, expiresAt=f"{clock() + timedelta(hours=left):%Y-%m-%dT%H:%M:%S}Z")
    assert bool(steps.check(staff, link_id).all(".panel-deadline.is-urgent")) is is_marked
    assert bool(staff.page("/links").all(f"#row-{link_id} .when-left.follow-urgent")) is is_marked


def test_a_link_that_covers_fewer_challans_than_asked_says_so_and_what_else_it_lacks_once_each(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    covered = [{"id": five[number], "challanNo": number, "rcNumber": RC} for number in list(five)[:4]]
    link = {"id": str(uuid.uuid4()), "status": "ACTIVE", "challans": covered, "paymentModeOptions": [], "amount": {}}
    body = json.dumps({"success": True, "data": link})
    levers.fault("create_link", "raw", status=200, body=body, content_type="application/json")
    page = staff.read(steps.create(staff))
    assert page.one("#link-panel")["data-status"] == "ACTIVE"
    assert (
        "The link has 4 of the 5 challans requested. Missing: MH1005, held until this link ends, which is not known; "
        "ask the service’s support." in page.text
    )
    panel = words(page.one("#link-panel").get_text(" "))
    assert "Amount unknown" in panel
    assert panel.count("End not known") == 1
    head = words(page.one(".link-head").get_text(" "))
    assert ", 48 h requested" in head, "for how long it is valid nobody knows"
    assert ", for 48 h" not in head
    assert "Missing" not in panel, "one box has all that is wrong"
    missing = words(page.all("#link-challans tbody tr")[-1].get_text(" "))
    assert missing.startswith("MH1005")
    assert missing.endswith("not on this link –")
    assert "Challans (4, 1 missing)" in page.one("#challans-title").get_text()
    assert panel.count("asks again") == 0, "that is said of the payment URL"
    assert page.all("#link-amounts.panel-none"), "nothing is known of them"
    assert "Note in Reconcile" not in page.text, "staff may not open it"
    seen = manager.page(f"/links/{link['id']}")
    [box] = [words(each.get_text(" ")) for each in seen.all("main .notice")]
    assert "Missing: MH1005, held" in box
    assert box.endswith("Note in Reconcile")
    assert "Reconcile lists this link" not in seen.text, "the panel says what it lists"


def test_a_challan_that_is_missing_on_a_link_is_held_only_until_that_ends(
    staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    covered = [{"id": five[number], "challanNo": number, "rcNumber": RC} for number in list(five)[:4]]
    made = {"id": str(uuid.uuid4()), "status": "ACTIVE", "challans": covered, "paymentUrl": "https://pay.example.in/x"}
    made["expiresAt"] = f"{services.clock() + timedelta(hours=48):%Y-%m-%dT%H:%M:%SZ}"
    body = json.dumps({"success": True, "data": made})
    levers.fault("create_link", "raw", status=200, body=body, content_type="application/json")
    page = staff.read(steps.create(staff))
    assert "Missing: MH1005, held until this link ends." in page.text
    with services.store.write() as connection:
        connection.execute(update(link).values(status="EXPIRED"))
    assert "Missing: MH1005." in staff.page(f"/links/{made['id']}").text


def test_a_total_that_is_not_that_of_the_other_challans_is_not_said_to_leave_one_out(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    other = {"id": str(uuid.UUID(int=9)), "challanNo": "ZZ1", "rcNumber": "KA01AA0001", "status": "PENDING"}
    parts = {"baseAmount": 3000, "legalFee": 300, "gst": 54, "convenienceFee": 0, "totalAmount": 3354}
    levers.set_link(link_id, raw={"challans": [other], "amount": parts})
    page = steps.check(staff, link_id)
    assert "ZZ1 of KA01 AA 0001" in page.text
    assert "may be asked for more" not in page.text, "it may have that of ZZ1"


def test_a_link_that_also_pays_for_another_vehicle_says_so_once_and_what_to_do(
    staff: WebClient, manager: WebClient, link_id: str, levers: Levers
) -> None:
    other = {"id": str(uuid.UUID(int=9)), "challanNo": "ZZ1", "rcNumber": "KA01AA0001", "status": "PENDING"}
    levers.set_link(link_id, raw={"challans": [other]})
    page = steps.check(staff, link_id)
    said = [words(each.get_text(" ")) for each in page.all("main .panel-warning, .share-doubt, main > .notice")]
    assert said == [
        "Do not send it yet",
        "This link also pays for ZZ1 of KA01 AA 0001. Ask the service’s support why. The amount of ZZ1 is not known: "
        "the driver may be asked for more than ₹2,795.00.",
    ], "what to do first"
    assert [words(each.get_text()) for each in page.all("main .button-primary")] == ["Copy details for support"]
    total = "The amount of ZZ1 is not known; the total is that of the other 5 challans."
    assert page.one("#link-amounts .amounts-note").get_text() == total, "so it adds nothing"
    assert words(page.all("#link-challans tbody tr")[0].get_text(" ")).startswith("ZZ1"), "what is wrong comes first"
    assert "Open Reconcile" not in page.text, "staff may not open it"
    assert manager.page(f"/links/{link_id}").one("#link-payment a[href='/reconcile']").get_text() == "Open Reconcile"
    listed = words(manager.page("/reconcile").one("#challans .discrepancy-words").get_text(" "))
    assert listed == "Do not send the link yet: ask the service’s support why its challans differ.", "the same as here"
    assert page.one("#link-challans .challan-pending").get_text() == "other vehicle KA01 AA 0001"
    details = page.one("#link-payment .copy-details textarea").get_text()
    assert "why is a challan of another vehicle on this link?" in details


def test_a_link_that_asks_another_amount_than_its_challans_come_to_says_so_once_and_what_to_do_before_it_is_sent(
    staff: WebClient, manager: WebClient, link_id: str, levers: Levers
) -> None:
    levers.set_link(link_id, raw={"amount": {"baseAmount": 500, "legalFee": 50, "gst": 50, "totalAmount": 600}})
    page = steps.check(staff, link_id)
    first, said = [words(each.get_text(" ")) for each in page.all("main .panel-warning, .share-doubt, main > .notice")]
    assert first == "Do not send it yet"
    assert said == "The link asks ₹2,195.00 too little: ₹600.00 for challans of ₹2,795.00, fees included."
    assert words(page.one(".panel-state").get_text(" ")) == "Active check first", "as in lists"
    assert page.one("#link-payment details #payment-url"), "the URL stands with the other ways to send it anyway"
    assert "is-unsent" not in page.one("#link-panel .panel-sent")["class"], "nobody is to send it now"
    assert [each[0] for each in amounts(page)] == ["Challans with fees", "This link asks", "Too little by"]
    assert [words(each.get_text()) for each in page.all("main .button-primary")] == ["Copy details for support"]
    assert "Send it anyway" in [words(each.get_text()) for each in page.all("#link-payment summary")]
    assert not page.all(".share-code")
    assert "Open Reconcile" not in page.text, "staff may not open it"
    assert manager.page(f"/links/{link_id}").one("#link-payment a[href='/reconcile']").get_text() == "Open Reconcile"
    details = page.one("#link-payment .copy-details textarea").get_text()
    assert "The amounts of a payment link do not add up" in details


def test_amounts_of_a_link_that_match_as_a_manager_found_are_sent_as_of_any_other(
    manager: WebClient, link_id: str, levers: Levers
) -> None:
    levers.set_link(link_id, raw={"amount": {"baseAmount": 500, "legalFee": 50, "gst": 50, "totalAmount": 600}})
    steps.check(manager, link_id)
    form = manager.page("/reconcile").all("section#sums tbody form.tick-form")[0]
    fields = {str(field["name"]): str(field.get("value", "")) for field in form.select("input[name]")}
    sends = {"": ".share-more .button-primary", "/share": ".share-main-way .button-primary", "/qr": ".screen-code"}

    def shown(selector: str) -> dict[str, bool]:
        return {each: bool(manager.page(f"/links/{link_id}{each}").all(selector)) for each in sends}

    assert shown("main .panel-warning") == dict.fromkeys(sends, True)
    manager.post(str(form["action"]), data=fields | {"note": "Asked the service."})
    assert shown("main .panel-warning") == dict.fromkeys(sends, False)
    for each, selector in sends.items():
        assert manager.page(f"/links/{link_id}{each}").all(selector), each


def test_amounts_that_do_not_come_to_a_total_do_not_explain_it(staff: WebClient, link_id: str, levers: Levers) -> None:
    parts = {"baseAmount": 500, "legalFee": 50, "gst": 9, "convenienceFee": 0, "totalAmount": 600}
    levers.set_link(link_id, raw={"amount": parts})
    shown = amounts(steps.check(staff, link_id))
    assert ["This link asks", "₹600.00"] in shown
    assert all("UPI" not in name for name, _ in shown), "nobody knows what a payer is asked"


def test_amounts_of_a_link_that_are_missing_are_unknown(staff: WebClient, link_id: str, levers: Levers) -> None:
    levers.set_link(link_id, raw={"amount": {"baseAmount": 2500}, "paymentModeOptions": [{"paymentMode": "WALLET"}]})
    steps.check(staff, link_id)
    assert amounts(staff.page(f"/links/{link_id}")) == [
        ["WALLET", "unknown"],
        ["This linkFines ₹2,500.00 · the rest unknown", "unknown"],
    ]


def test_what_is_not_known_of_the_only_amount_of_a_link_is_said_in_one_sentence(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    parts = {"baseAmount": 2500, "legalFee": 50}
    levers.set_link(link_id, raw={"amount": parts, "paymentModeOptions": []})
    shown = steps.check(staff, link_id).one("#link-amounts")
    assert amounts(staff.page(f"/links/{link_id}")) == [["Fines", "₹2,500.00"], ["Legal fee", "₹50.00"]]
    assert words(shown.select_one(".amounts-note").get_text()) == "Not known: GST, convenience fee and total."
    assert "unknown" not in shown.get_text()
    parts = {"baseAmount": 2500, "legalFee": 250, "gst": 45, "totalAmount": 2795}
    levers.set_link(link_id, raw={"amount": parts, "paymentModeOptions": []})
    assert "Not known: convenience fee." in steps.check(staff, link_id).one("#link-amounts").get_text()
    assert ["Total", "₹2,795.00"] in amounts(staff.page(f"/links/{link_id}"))


def test_a_check_by_hand_calls_the_service_once(staff: WebClient, link_id: str, levers: Levers) -> None:
    assert calls_of(levers, lambda: steps.check(staff, link_id)) == 1


def test_after_a_failed_check_the_last_state_is_shown_with_its_age(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    levers.fault("link_status", "cut")
    page = steps.check(staff, link_id)
    assert page.one("#link-panel")["data-status"] == "ACTIVE"
    assert "The service did not answer. This is from" in page.text
    assert "We check again automatically." in page.text
    assert can_be_copied(page)
    assert "did not answer" not in steps.check(staff, link_id).text


def test_the_same_link_looks_the_same_to_everybody(staff: WebClient, manager: WebClient, link_id: str) -> None:
    staff.page(f"/links/{link_id}")  # Says once that the link was created.
    assert staff.page(f"/links/{link_id}").text == manager.page(f"/links/{link_id}").text


def test_the_hours_asked_for_are_the_hours_that_are_left(staff: WebClient, link_id: str, services: Services) -> None:
    page = staff.page(f"/links/{link_id}")
    ends = datetime.fromisoformat(str(page.all(".panel-deadline time[datetime]")[0]["datetime"]))
    assert abs(services.clock() + timedelta(hours=48) - ends) < timedelta(minutes=1)
