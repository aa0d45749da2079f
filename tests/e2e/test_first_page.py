"""Test the first page in a real browser: sends from its rows."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from tests.e2e.conftest import Office
from tests.e2e.manager_steps import ManagersDesk, ends_soon, links_of, sending_tab
from tests.e2e.tab import Loads
from tests.support.people import ASHA

pytestmark = pytest.mark.e2e

CAR = "DL01CB2002"
#: Shorter than the polling interval of the page, which would turn the row later by itself.
AT_ONCE = 9_000


@pytest.fixture
def asha(office: Office, page: Page) -> ManagersDesk:
    return sending_tab(page, office, ASHA)


@pytest.fixture
def link_id(office: Office) -> str:
    """Return a link that was not sent, of a vehicle with a usual driver."""
    person = office.app.extensions["people"].find(ASHA.email).id
    office.services.drivers.add(DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, (CAR,)), person)
    [made] = links_of(office, CAR, ASHA, [2500])
    return made


def sends(button: Locator, *, is_by_key: bool) -> None:
    """Press a button that opens WhatsApp in a new tab."""
    with button.page.context.expect_page() as opened:
        if is_by_key:
            button.press("Enter")
        else:
            button.click()
    opened.value.wait_for_url(re.compile("^https://wa.me/"))


@pytest.mark.parametrize("is_by_key", [False, True])
def test_a_send_turns_its_row_and_the_figures_while_the_page_stays_in_view(
    asha: ManagersDesk, office: Office, link_id: str, is_by_key: bool
):
    page = asha.page
    asha.opens("/")
    row = page.locator(f".recent-links [data-row='{link_id}']")
    expect(page.locator(".figures-asking .figure-card", has_text="Not sent")).to_contain_text("1 link")
    send = row.get_by_role("button", name=re.compile("^Send DL01"))
    office.levers.fault("link_status", "delay", seconds=1)
    sends(send, is_by_key=is_by_key)
    expect(row.locator(".given")).to_contain_text(re.compile(r"^\s*Ramesh Yadav\s*Sent"), timeout=AT_ONCE)
    expect(page.locator(".figures-none")).to_contain_text("Nothing to send", timeout=AT_ONCE)
    if is_by_key:
        expect(row.locator(".plate-link")).to_be_focused()


@pytest.mark.parametrize("is_by_key", [False, True])
def test_a_send_of_a_link_that_ends_soon_takes_its_button_away_at_once(
    asha: ManagersDesk, office: Office, link_id: str, is_by_key: bool
):
    page = asha.page
    ends_soon(office, link_id)
    asha.opens("/")
    row = page.locator(f".attention [data-row='/links/{link_id}']")
    expect(row).to_contain_text("Not sent, ends ")
    send = row.get_by_role("button", name="Send DL01 CB 2002 to Ramesh Yadav by WhatsApp, in a new tab")
    sends(send, is_by_key=is_by_key)
    expect(row.locator(".attention-done")).to_contain_text("Sent ", timeout=AT_ONCE)
    expect(row.get_by_role("button")).to_have_count(0)
    if is_by_key:
        expect(row.locator(".plate-link")).to_be_focused()


@pytest.mark.parametrize("width", [1024, 1280, 1920])
def test_the_driver_of_a_recent_link_is_named_in_full_beside_its_button(asha: ManagersDesk, office: Office, width: int):
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails("Ramchandra Venkateswaran Pillai", "98765 43210", None, "hi", None, (CAR,))
    office.services.drivers.add(details, person)
    [link_id] = links_of(office, CAR, ASHA, [2500])
    asha.page.set_viewport_size({"width": width, "height": 800})
    asha.opens("/")
    row = asha.page.locator(f".recent-links [data-row='{link_id}']")
    expect(row.get_by_role("button", name=re.compile("^Send DL01"))).to_be_visible()
    for part in (".plate", ".num", ".when", ".given-name"):
        assert row.locator(part).first.evaluate("each => each.scrollWidth <= each.clientWidth"), part


def test_on_a_phone_work_is_in_sight_without_scrolling(asha: ManagersDesk, office: Office, link_id: str):
    ended, *_others = links_of(office, "KA05MN4321", ASHA, [2500])
    office.levers.expire(ended)
    office.polls_until(ended, status="EXPIRED")
    asha.page.set_viewport_size({"width": 390, "height": 844})
    asha.opens("/")
    expect(asha.page.locator(".figures-asking > li")).to_have_count(2)
    sums = asha.page.locator(".figures-asking .figure-sum")
    edges = {round(sum_.evaluate("each => each.getBoundingClientRect().left")) for sum_ in sums.all()}
    assert len(edges) == 1, "the sums stand at one edge"
    row = asha.page.locator(f".recent-links [data-row='{link_id}']")
    box, bar = row.bounding_box(), asha.page.locator(".site-nav").bounding_box()
    assert box is not None
    assert bar is not None
    assert box["y"] + box["height"] < bar["y"]


@pytest.mark.parametrize("width", [390, 1280])
def test_a_link_without_a_driver_is_sent_to_somebody_in_place(
    asha: ManagersDesk, office: Office, loads: Loads, width: int
):
    person = office.app.extensions["people"].find(ASHA.email).id
    [link_id] = links_of(office, CAR, ASHA, [2500])
    page = asha.page
    page.set_viewport_size({"width": width, "height": 844})
    asha.opens("/")
    loads.addresses.clear()
    row = page.locator(f".recent-links [data-row='{link_id}']")
    row.locator("summary", has_text="Send to…").click()
    sheet = row.locator(".drop-sheet")
    expect(sheet.get_by_label("Driver", exact=True)).to_be_visible()
    expect(sheet.get_by_role("link", name="Choose a driver")).to_have_count(0)
    expect(sheet).to_be_in_viewport(ratio=1)
    # What changes elsewhere on the page does not close it.
    office.services.drivers.add(DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, (CAR,)), person)
    page.evaluate("document.querySelector('[data-panel=recent-links]').poll()")
    sheet.get_by_label("Driver", exact=True).fill("98765 43299")
    sends(sheet.get_by_role("button", name=re.compile("^WhatsApp")), is_by_key=False)
    expect(row.get_by_role("button", name="Not sent")).to_be_visible(timeout=AT_ONCE)
    assert loads.addresses == [], "in place"


def test_an_ended_link_is_reviewed_again_by_one_press(asha: ManagersDesk, office: Office, link_id: str):
    office.levers.expire(link_id)
    office.polls_until(link_id, status="EXPIRED")
    page = asha.page
    asha.opens("/")
    page.locator(".figures-asking").get_by_role("button", name="Create again").click()
    expect(page.get_by_role("button", name="Create payment link")).to_be_visible()
    assert page.url.endswith(f"/vehicles/{CAR}/review?replaces={link_id}")
    page.go_back()
    expect(page.get_by_role("heading", name="Search a vehicle")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_buttons_of_the_cards_stand_alike_and_cover_nothing(asha: ManagersDesk, office: Office, width: int):
    person = office.app.extensions["people"].find(ASHA.email).id
    driver = office.services.drivers.add(DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, (CAR,)), person)
    links_of(office, "MH12NS0001", ASHA, [98_500, 500])
    sent = links_of(office, CAR, ASHA, [98_500, 500])
    for each in sent:
        office.services.sharing.record_share(each, Channel.WHATSAPP, person, driver, "hi")
    for clock in (office.clock, office.levers):
        clock.advance(seconds=10_800)
    for each in sent:
        ends_soon(office, each)
    for car, ends, status in (
        ("MH12EX0001", office.levers.expire, "EXPIRED"),
        ("MH12FD0001", office.levers.fail, "FAILED"),
    ):
        for each in links_of(office, car, ASHA, [98_500, 500]):
            ends(each)
            office.polls_until(each, status=status)
    page = asha.page
    office.signs_in(page.context, ASHA)
    page.set_viewport_size({"width": width, "height": 844})
    asha.opens("/")
    cards = page.locator(".figures-asking > li")
    expect(cards).to_have_count(4)
    places: list[tuple[float, ...]] = []
    for card in cards.all():
        box, button, figure = (
            each.bounding_box() for each in (card, card.locator(".figure-act"), card.locator(".figure-sum .amount"))
        )
        assert box is not None
        assert button is not None
        assert figure is not None
        is_beside = button["x"] >= figure["x"] + figure["width"]
        assert is_beside or button["y"] >= figure["y"] + figure["height"], "the sum is not covered"
        places.append((button["y"] - box["y"], button["width"], button["height"]))
    assert all(max(each) - min(each) <= 1 for each in zip(*places, strict=True)), places
