"""Test what every page has on a phone: the bar at the foot, messages above it, and targets for a thumb."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import links_of
from tests.e2e.phone.geometry import HEIGHT, SMALL, WIDTH, bar, box
from tests.e2e.steps import Desk
from tests.support.people import ARUN, ASHA, MEERA
from tests.support.waiting import until

pytestmark = pytest.mark.e2e


def test_a_phone_finds_anything_from_the_same_field_on_every_page(phone: Desk) -> None:
    page = phone.page
    field = page.get_by_label("Find anything")
    boxes = []
    for address in ("/links", "/"):
        phone.opens(address)
        boxes.append(field.bounding_box())
    assert boxes[0] == boxes[1], "the first page has it in its words, too"
    assert boxes[0] is not None
    assert boxes[0]["width"] > 100
    assert boxes[0]["height"] == 44
    field.tap()
    expect(page.get_by_role("dialog", name="Find")).to_be_visible()
    box = field.bounding_box()
    assert box is not None
    assert box["width"] > 200
    expect(page.locator("#palette-found a").first).to_be_visible()
    heights = [box["height"] for each in page.locator("#palette-found a").all() if (box := each.bounding_box())]
    assert heights
    assert min(heights) >= 44


def test_what_more_opens_is_as_wide_as_the_phone_and_marks_it_afterwards(phone: Desk, office: Office) -> None:
    page = phone.page
    office.signs_in(page.context, MEERA)
    phone.opens("/")
    page.get_by_role("button", name="More").tap()
    sheet = page.locator("#more-places").bounding_box()
    assert sheet is not None
    assert (sheet["x"], sheet["width"]) == (0, WIDTH)
    assert 0 <= sheet["y"] + sheet["height"] - bar(page) <= 1, "it ends where the bar begins"
    page.get_by_role("link", name="Drivers").tap()
    more = page.get_by_role("button", name="More (Drivers)")
    expect(more).to_be_visible()
    expect(more).not_to_have_css("box-shadow", "none")
    expect(more.locator(".vh", has_text="Drivers")).to_have_css("position", "absolute")


def test_the_bar_at_the_foot_leads_everywhere_and_hides_nothing(phone: Desk, office: Office) -> None:
    page = phone.page
    top = bar(page)
    assert page.evaluate(SMALL) == []
    page.get_by_role("link", name="Drivers").tap()
    expect(page).to_have_url(f"{phone.url}/drivers")
    expect(page.get_by_role("link", name="Drivers")).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="Search").tap()
    phone.searches(RC)
    phone.sees_vehicle(RC)
    assert page.evaluate(SMALL) == []
    phone.ticks_all_payable()
    sticks = page.locator(".selection-bar").bounding_box()
    assert sticks is not None
    assert sticks["y"] + sticks["height"] <= top + 1, "the sum and its button stand above the bar"
    button = page.get_by_role("button", name="Review and create").bounding_box()
    assert button is not None
    assert abs(button["y"] + button["height"] / 2 - (sticks["y"] + sticks["height"] / 2)) < 2, "one row for both"
    page.evaluate("document.dispatchEvent(new CustomEvent('toast', { detail: { words: 'It is done.' } }))")
    toast = page.locator("toast-message").bounding_box()
    assert toast is not None
    assert toast["y"] + toast["height"] <= sticks["y"] or toast["y"] >= sticks["y"] + sticks["height"]


def test_a_message_covers_no_control_of_a_page_that_just_fits(phone: Desk) -> None:
    page = phone.page
    for address in ("/drivers", "/account"):
        phone.opens(address)
        height = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": WIDTH, "height": max(HEIGHT, height)})
        words = "Maharashtra Transport Fleet: the driver has left, and is not offered any more."
        page.evaluate("words => document.dispatchEvent(new CustomEvent('toast', { detail: { words } }))", words)
        said = page.locator("toast-message")
        said.evaluate("each => Promise.all(each.getAnimations().map(({ finished }) => finished))")
        toast = said.bounding_box()
        assert toast is not None
        controls = page.locator("main :is(a, button, input, summary):visible").all()
        lowest = max(box["y"] + box["height"] for each in controls if (box := each.bounding_box()) is not None)
        assert lowest < toast["y"] + 1, f"{address}: not by a whole pixel"
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})


def test_a_message_stands_below_a_short_page_and_above_the_foot_of_a_long_one(phone: Desk) -> None:
    page = phone.page
    for height in (HEIGHT, 400):
        page.set_viewport_size({"width": WIDTH, "height": height})
        phone.opens("/follow-up")
        page.evaluate("document.dispatchEvent(new CustomEvent('toast', { detail: { words: 'It is done.' } }))")
        until(lambda: is_above(page, "toast-message", "#site-nav"), "it covers the menu")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        until(lambda: is_above(page, "main", "toast-message"), "scrolled to its end, a part of the page is covered")


def is_above(page: Page, one: str, other: str) -> bool:
    above, below = page.locator(one).bounding_box(), page.locator(other).bounding_box()
    assert above is not None
    assert below is not None
    return above["y"] + above["height"] <= below["y"]


def test_the_buttons_of_the_first_page_are_drawn_as_large_as_they_are_touched(phone: Desk, office: Office) -> None:
    links_of(office, "DL01CB2002", ASHA, [2500])
    phone.opens("/")
    for place in (".figures-asking", ".recent-links"):
        button = phone.page.locator(f"{place} summary.button").first
        assert box(button)["height"] >= 44
        edges = button.evaluate(
            "each => [getComputedStyle(each).borderTopWidth, getComputedStyle(each, '::before').content]"
        )
        assert edges == ["1px", "none"], "its edge is drawn on it"


def test_a_link_to_a_part_of_another_page_leads_to_that_part(phone: Desk, office: Office) -> None:
    link_id = phone.creates_a_link(RC)
    office.levers.pay(link_id)
    office.polls_until(link_id, status="PAID")
    phone.opens(f"/links/{link_id}")
    phone.page.get_by_role("link", name="Send receipt…").click()
    expect(phone.page).to_have_url(re.compile("/receipt#thanks-title$"))
    heading = phone.page.get_by_role("heading", name="Send receipt")
    expect(heading).to_be_focused()
    assert phone.page.evaluate("scrollY") > 0
    box = heading.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < HEIGHT / 2


def test_where_the_part_of_a_page_cannot_be_had_that_is_said_and_the_next_link_works(
    phone: Desk, office: Office
) -> None:
    link_id = phone.creates_a_link(RC)
    office.levers.pay(link_id)
    office.polls_until(link_id, status="PAID")
    phone.opens(f"/links/{link_id}")
    headers = {"HX-Retarget": "#notices", "HX-Reswap": "innerHTML", "HX-Push-Url": "false"}
    phone.page.route("**/receipt*", lambda route: route.fulfill(status=503, headers=headers, body="<p>Not now</p>"))
    phone.page.get_by_role("link", name="Send receipt…").click()
    expect(phone.page.locator("#notices")).to_have_text("Not now")
    phone.page.unroute("**/receipt*")
    phone.page.get_by_role("link", name="Send receipt…").click()
    expect(phone.page.get_by_role("heading", name="Send receipt")).to_be_focused()


#: The links that stand alone and are hit by no thumb: what is 20 px above or below their middle is another thing.
MISSED = """() => [...document.querySelectorAll("main a")].filter(each => each.checkVisibility()).filter(each => {
  each.scrollIntoView({ block: "center" });
  const { left, top, bottom } = each.getBoundingClientRect();
  return [-20, 20].some(by => document.elementFromPoint(left + 8, (top + bottom) / 2 + by)?.closest("a") !== each);
}).map(each => `${each.textContent} at ${Math.round(each.getBoundingClientRect().top)}`)"""


def test_a_link_that_stands_alone_is_hit_around_its_words(office: Office, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    office.signs_in(context, ARUN)
    admin = Desk(context.new_page(), office.url)
    for address in ("/audit", "/people"):
        admin.opens(address)
        admin.page.evaluate("document.querySelectorAll('main .table details').forEach(each => { each.open = true; })")
        assert admin.page.evaluate(MISSED) == [], address
    admin.page.get_by_role("link", name="Asha Rao").tap()
    expect(admin.page.get_by_role("heading", level=1)).to_contain_text("Asha Rao")
    assert admin.page.evaluate(MISSED) == []
    context.close()


def test_shortcuts_are_offered_only_where_something_has_keys(office: Office, browser: Browser) -> None:
    for size, touch in (((WIDTH, HEIGHT), True), ((820, 1180), True), ((820, 1180), False)):
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=touch, is_mobile=touch)
        desk = Desk(context.new_page(), office.url)
        desk.signs_in()
        desk.opens("/account")
        choice = desk.page.locator(".account-keys")
        expect(choice).to_be_visible(visible=not touch)
        context.close()
