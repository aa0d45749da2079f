"""Test what pages say of a link that the service no longer knows, and what they no longer offer."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from flask import Flask
from sqlalchemy import select, update

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from dashboard.errors import NotFound, Unreachable
from dashboard.services.container import Services
from dashboard.store.creation.intents import intent
from dashboard.store.engine import Store
from dashboard.store.links.tables import link
from dashboard.store.sharing import drivers, shares
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.people import ASHA, MEERA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.links.test_list import Ledger, link_id, words_of
from tests.web.reconciliation.test_discrepancies import enter_duplicates
from tests.web.steps import comes_back

TITLE = "The service no longer knows this link"


def not_found(services: Services, levers: Levers, *link_ids: str, times: int = 2) -> None:
    levers.fault("link_status", "status", status=404, count=4000)
    for each in link_ids * times:
        with pytest.raises(NotFound):
            services.link_poller.refresh(each)


def banner(staff: WebClient) -> str:
    return " ".join(each.get_text() for each in staff.page("/").all(".banner"))


@pytest.fixture
def created(staff: WebClient, searched: dict[str, str]) -> str:
    return steps.link_of(steps.create(staff, "MH1001", "MH1002"))


@pytest.fixture
def unknown(created: str, services: Services, levers: Levers) -> str:
    """A link that was answered 404 for twice."""
    not_found(services, levers, created)
    return created


def test_its_page_says_so_first_and_offers_nothing_to_copy_share_or_print(staff: WebClient, unknown: str) -> None:
    page = staff.page(f"/links/{unknown}")
    assert page.text.index("Not found at the service") < page.text.index("Do not send this link")
    advice = [each.get_text() for each in page.all("#link-panel .panel-act > p")]
    assert advice == [
        "Do not send this link",
        "The service no longer knows it. We check it once a day; after its end a manager can release its challans.",
    ], "what to do first, then why"
    assert page.one("#link-panel")["data-status"] == "ACTIVE", "the last known state, as the service spelled it"
    assert page.one("#link-panel")["data-copyable"] == "false"
    assert {"Copy link", "Other ways to send it"}.isdisjoint(page.buttons())
    assert not page.all("svg.qr")
    assert not page.all("#payment-url")
    assert "prepaid-payment" not in page.text
    assert "can still be paid" not in page.text
    assert page.text.count("no longer knows") == 1
    assert page.one("#link-panel .panel-state").get_text().strip() == "Not found at the service"
    known, sent = page.all("#link-panel .panel-sent")
    assert known.get_text().startswith("Last known: Active, ")
    assert sent.get_text() == "Not sent from here"
    assert page.all("#link-panel .panel-act > .panel-warning"), "with the sign of every warning"
    shared = staff.page(f"/links/{unknown}/share")
    assert f"{TITLE}. Do not give it to anybody." in shared.text
    assert not shared.all("share-options")
    assert not staff.page(f"/links/{unknown}/qr").all("svg.qr")
    assert staff.get(f"/links/{unknown}/qr.png").status_code == 409


def test_who_has_it_is_still_said(staff: WebClient, created: str, services: Services, levers: Levers) -> None:
    services.sharing.record_share(created, Channel.SMS, 1, None, "en")
    not_found(services, levers, created)
    said = [words_of(each) for each in staff.page(f"/links/{created}").all("#link-panel .panel-sent")]
    assert said[1].startswith("Prepared as an SMS"), said


def test_since_when_stands_in_its_timeline_and_when_that_was_checked_beside_the_button(
    staff: WebClient, unknown: str, services: Services, levers: Levers
) -> None:
    not_found(services, levers, unknown, times=1)
    page = staff.page(f"/links/{unknown}")
    assert page.one("#link-timeline").get_text().count("Not found at the service") == 1
    assert page.one(".panel-checked").get_text().startswith("Checked ")


def test_after_one_404_it_is_offered_still(staff: WebClient, created: str, services: Services, levers: Levers) -> None:
    not_found(services, levers, created, times=1)
    assert "Copy link" in staff.page(f"/links/{created}").buttons()


def test_lists_and_the_export_say_so(staff: WebClient, manager: WebClient, unknown: str, clock: MovableClock) -> None:
    for address in ("/links", "/", f"/vehicles/{steps.RC}"):
        assert "Not found" in staff.page(address).text, address
    assert words_of(staff.page("/links").one(".at-state .state")) == "Not found", "what is known now stands first"
    assert words_of(staff.page("/links").one("#links-list tbody .acts")).startswith("Check first")
    clock.advance(hours=26)
    comes_back(staff, ASHA)
    comes_back(manager, MEERA)
    assert not staff.page("/follow-up").all(".follow"), "there is nothing to give to anybody"
    rows = list(csv.DictReader(io.StringIO(manager.get("/links/export.csv").text.lstrip("\ufeff"))))
    assert [row["State"] for row in rows] == ["ACTIVE, not found at the service"]


def test_the_list_adds_it_up_apart_from_what_is_to_collect_and_finds_it_alone(
    staff: WebClient, unknown: str, levers: Levers
) -> None:
    levers.clear_faults()
    known = steps.link_of(steps.create(staff, "MH1003"))
    listed = staff.page("/links")
    assert words_of(listed.one("#links-sum")) == "2 links To collect ₹559.00 Not found at the service ₹1,118.00"
    active = words_of(staff.page("/links?state=ACTIVE").one("#links-sum"))
    assert active.endswith("To collect ₹559.00 Not found at the service ₹1,118.00")
    counted = [words_of(each) for each in listed.all(".tab")]
    assert counted[2:4] == ["Active 1 ₹559.00", "Not found 1 ₹1,118.00"], "each link once, as its row calls it"
    assert counted[4].startswith("Paid"), "beside the links that can be paid"
    for tab, row in zip(listed.all(".tab")[2:4], (known, unknown), strict=True):
        of_tab = staff.page(str(tab["href"]))
        assert [each["data-row"] for each in of_tab.all("tbody tr")] == [row]
        assert words_of(of_tab.one(".tab[aria-current]")) == words_of(tab)
        assert not of_tab.all("#save-view"), "a tab is no view to save"
    both = staff.page("/links?state=ACTIVE")
    assert words_of(both.one(".tab[aria-current]")) == "Active and Not found 2 ₹1,677.00", "as bookmarks have it"
    traits = {each["value"]: each["data-traits"].split() for each in listed.all("[name=link]")}
    assert ("unknown" in traits[unknown], "unknown" in traits[known]) == (True, False), "so does the bar of the chosen"
    cards = [words_of(each) for each in staff.page("/").all(".figure-card")]
    assert any(each.startswith("Not sent ₹559.00 ") for each in cards), "which is all that is open"
    assert [each["data-row"] for each in staff.page("/links?only=open").all("tbody tr")] == [known]
    alone = staff.page("/links?only=unknown")
    assert [each["data-row"] for each in alone.all("tbody tr")] == [unknown]
    assert words_of(alone.one("#links-sum")).startswith("1 link matches this filter ₹")
    assert staff.get("/find?q=not found at the service").headers["Location"] == f"/links/{unknown}"


def test_a_row_says_that_the_check_of_its_link_failed(
    staff: WebClient, created: str, services: Services, levers: Levers
) -> None:
    def state() -> str:
        return words_of(staff.page("/links?only=action").one(f"[data-row='{created}'] .at-state"))

    assert not staff.page("/links?only=action").all("tbody tr"), "it is not urgent yet"
    levers.fault("link_status", "cut", count=3)
    with pytest.raises(Unreachable):
        services.link_poller.refresh(created)
    row = staff.page("/links?only=action").one(f"[data-row='{created}']")
    said = words_of(row.select_one(".unchecked"))
    assert re.fullmatch(r"check failed, last checked \d+:\d\d [ap]m", said), "this is why it is urgent"
    assert [words_of(each) for each in row.select(".acts .button")] == ["Check first · MH12 AB 1001"]
    levers.clear_faults()
    not_found(services, levers, created)
    assert state() == "Not found last known: Active"


def test_its_challans_and_its_request_say_so(staff: WebClient, unknown: str, store: Store) -> None:
    assert "Not found last known: Active" in steps.row(staff.page(steps.VEHICLE), "MH1001")
    with store.read() as connection:
        request_id = connection.execute(select(intent.c.id).where(intent.c.link_id == unknown)).scalar_one()
    assert "Not found last known: Active" in staff.page(f"/requests/{request_id}").text


@pytest.fixture
def forgotten(app: Flask, clock: MovableClock) -> str:
    """Enter two links with the same challan, given to driver 1, that the service no longer knows; return an id."""
    entered = Ledger(app.extensions["services"], clock)
    enter_duplicates(entered)
    entered.enter(3, "AB00000001")
    with entered.services.store.write() as connection:
        driver_id = drivers.add(connection, DriverDetails("Ramesh", None, None, "hi", None), at=clock(), by=1)
        for number in (1, 2):
            given = {"channel": Channel.WHATSAPP, "language": "hi", "person_id": 1, "at": clock()}
            shares.add(connection, link_id=link_id(number), driver_id=driver_id, **given)
        connection.execute(update(link).values(not_found=2))
    return link_id(1)


@pytest.mark.parametrize(
    ("address", "shown_in"),
    [
        ("/drivers/1", ".table-links tbody tr"),
        ("/find?q=00000001", ".table-links tbody tr"),
        ("/reconcile", "#double .discrepancy-state, #double .discrepancy-facts p:has(.state)"),
        ("/reconcile/statement/open?day={tomorrow}", ".table-links tbody tr:not(.balance-total)"),
        ("/vehicles", ".banner-links li"),
    ],
)
def test_every_list_and_the_banner_say_so(
    manager: WebClient, forgotten: str, clock: MovableClock, address: str, shown_in: str
) -> None:
    tomorrow = (clock().astimezone(ZoneInfo("Asia/Kolkata")) + timedelta(days=1)).date()
    shown = manager.page(address.format(tomorrow=tomorrow)).all(shown_in)
    assert shown
    assert all("not found" in each.get_text(" ").lower() for each in shown), forgotten


def test_a_manager_releases_its_challans_after_its_end(
    staff: WebClient, manager: WebClient, unknown: str, clock: MovableClock, levers: Levers
) -> None:
    button = "Release the challans"
    assert button not in manager.page(f"/links/{unknown}").buttons()
    clock.advance(hours=49)
    levers.set_link(unknown, status="EXPIRED")
    comes_back(staff, ASHA)
    comes_back(manager, MEERA)
    asha = staff.page(f"/links/{unknown}")
    assert button not in asha.buttons()
    advice = asha.one("#link-panel .panel-gone").get_text()
    assert "Once a manager has released its challans, they can go on a new link." in advice
    assert [words_of(each) for each in asha.all("main .button-primary")] == ["Copy details for a manager"]
    told = asha.one(".link-release [data-copy-source]").get_text()
    assert "MH12 AB 1001 · ₹1,118.00" in told
    assert told.endswith(f"/links/{unknown}")
    asked = manager.page(f"/links/{unknown}").one(".link-release [data-copy-source]").get_text()
    assert asked.startswith(f"Get Payment Link: does this link still exist?\nPayment link: {unknown}")
    assert "has ended" not in asha.text, "the service did not say so"
    assert "Checking." not in asha.text
    stopped = manager.page(f"/links/{unknown}/qr")
    assert stopped.link("See what to do") == f"/links/{unknown}#release-title"
    assert "It may still be payable. Ask the service’s support before you release its challans." in stopped.text
    told = staff.page(f"/links/{unknown}/qr").text
    assert "It may still be payable. Do not create another until a manager has looked." in told
    page = manager.page(f"/links/{unknown}")
    assert not page.one("details#release-link").has_attr("open")
    assert [words_of(each) for each in page.all("main .button-primary")] == ["Copy details for support"], "first"
    advice = page.one("#link-panel .panel-gone").get_text()
    assert "if it still exists, money may be paid twice. If they say it is gone, release its challans" in advice
    assert page.one("#link-panel [data-checked]").get_text().startswith("Last check "), "a day is over"
    refused = manager.read(page.submit(button, reason="short"))
    assert refused.status == 422
    assert refused.one("details#release-link").has_attr("open"), "what is wrong is seen"
    assert "If somebody pays this link all the same, they are paid twice." in refused.one("#release-link").get_text()
    assert "Write why, in at least 10 characters" in refused.text
    done = manager.read(page.submit(button, reason="Purged, says the support."))
    assert "Meera" in done.text
    assert "Meera Iyer released its challans at" in done.text
    assert "Purged, says the support." in done.text
    [released] = [each for each in done.all("#link-timeline .timeline-entry") if "Purged" in each.get_text()]
    assert words_of(released.select(".timeline-words")[0]).startswith("Challans released: Purged, says")
    assert "meaning-neutral" in released["class"], "that it is no longer known stands before it"
    assert button not in done.buttons()
    assert [each.get_text() for each in done.all("main .button-primary")] == ["Choose challans"]
    assert done.link("Choose challans") == steps.VEHICLE
    assert done.one("#link-panel .panel-free").get_text() == "You can create a new link for all 2 challans"
    assert "nobody should pay with it any more" in done.one("#link-panel").get_text()
    amounts = done.one("#link-amounts").get_text(" ")
    assert "Total by UPI" in amounts, "what it came to is still known"
    assert set(steps.ticked(staff.page(steps.VEHICLE))) | set(steps.boxes(staff.page(steps.VEHICLE))) >= {
        "MH1001",
        "MH1002",
    }


def test_a_key_that_knows_none_of_our_links_is_told_in_the_banner(
    staff: WebClient, searched: dict[str, str], services: Services, levers: Levers, clock: MovableClock
) -> None:
    link_ids = [steps.link_of(steps.create(staff, f"MH100{n}")) for n in range(1, 4)]
    clock.advance(seconds=20)
    not_found(services, levers, *link_ids[:2], times=1)
    title = "The API key does not know our links"
    assert title not in banner(staff)
    not_found(services, levers, link_ids[2], times=1)
    assert title in banner(staff)
    levers.clear_faults()
    assert services.link_poller.refresh(link_ids[0])
    assert title not in banner(staff), "one link that it knows shows that the key is ours"
