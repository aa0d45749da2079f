"""Test the pages on a phone: the bar at the foot, targets for a thumb, and nothing that hides a control."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect
from sqlalchemy import update

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from dashboard.store.vehicles.vehicles import vehicle
from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import ends_soon, links_of
from tests.e2e.steps import Desk
from tests.support.people import ARUN, ASHA, MEERA, PASSWORD
from tests.support.waiting import until
from tests.support.web_client import WebClient
from tests.web.steps import create

pytestmark = pytest.mark.e2e

WIDTH, HEIGHT = 390, 844

#: The controls that are shown and lower or narrower than a thumb needs; a box is hit around itself.
SMALL = """() => [...document.querySelectorAll("button, summary, select, textarea, .button, nav a, input")]
  .filter(each => each.checkVisibility({ visibilityProperty: true }) && !each.matches("[type=checkbox], [type=hidden]"))
  .map(each => [each.textContent.trim() || each.name, each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 1 && (width < 43.5 || height < 43.5))
  .map(([words, { width, height }]) => `${words}: ${width} by ${height}`)"""


#: Where something begins and ends in its line.
SIDES = "each => { const { left, right } = each.getBoundingClientRect(); return { left, right }; }"


def one_line(page: Page, selector: str) -> bool:
    words = page.locator(selector)
    return bool(words.evaluate("each => each.offsetHeight < 2 * parseFloat(getComputedStyle(each).fontSize)"))


@pytest.fixture
def phone(office: Office, browser: Browser) -> Iterator[Desk]:
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    desk = Desk(context.new_page(), office.url)
    desk.signs_in()
    yield desk
    context.close()


def test_the_first_challan_stands_in_the_upper_part_of_a_phone(phone: Desk, office: Office) -> None:
    phone.searches(RC)
    phone.ticks("MH1098765431")
    phone.reviews()
    phone.creates_the_link()
    phone.sees_the_link("ACTIVE")
    phone.opens(f"/vehicles/{RC}")
    link = phone.page.get_by_role("link", name="Open the link").first.bounding_box()
    first = phone.page.locator("tr.challan").first.bounding_box()
    assert link is not None
    assert first is not None
    assert 44 <= link["height"] < 50, "the link is one line"
    assert first["y"] < 350, "with targets for a thumb above it"
    expect(phone.page.get_by_role("link", name="Send to…")).to_be_visible()
    expect(phone.page.locator(".caption-name")).to_have_text(re.compile(r"^Can be paid \(\d+\)$"))
    expect(phone.page.locator(".caption-name")).to_be_visible()


def test_the_links_of_a_colleague_are_led_to_by_targets_for_a_thumb(phone: Desk, office: Office) -> None:
    numbers = ("MH1098765430", "MH1098765431")
    phone.searches(RC)
    phone.ticks(*numbers)
    phone.reviews()
    colleague = WebClient(office.app)
    colleague.is_signed_in(MEERA.email)
    for number in numbers:
        create(colleague, number, rc=RC)
    phone.page.get_by_role("button", name="Create payment link").click()
    expect(phone.page.locator("#review-title")).to_have_text("Already on payment links MH12 AB 1001")
    leads = phone.page.locator(".holding-facts").get_by_role("link", name="Open the link")
    expect(leads).to_have_count(2)
    heights = leads.evaluate_all("all => all.map(each => each.getBoundingClientRect().height)")
    assert min(heights) >= 44


def test_nothing_of_a_challan_is_cut_off_beside_a_large_amount(phone: Desk, office: Office) -> None:
    page, day = phone.page, (office.clock() - timedelta(days=191)).date().isoformat()
    offence = "Over speeding by light motor vehicle, Sec 183(1)(i) MV Act"
    facts = {"challanAmount": 98765.5, "challanDate": day, "offenseDetails": offence}
    old = [{"challanNo": f"MH1098765{number}", **facts} for number in range(180, 300)]
    office.levers.add_vehicle("MH12AB2300", [*old, {"challanNo": "MH1098765999", "challanDate": None}])
    phone.searches("MH12AB2300")
    row = page.locator("tr[data-challan=MH1098765180]")
    expect(row).to_be_visible()
    cut_off = "each => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight"
    assert not any(row.locator(f".{each}").evaluate(cut_off) for each in ("date", "offence", "total"))
    age, number = (box(row.locator(each)) for each in (".date", ".challan-no"))
    assert age["height"] <= number["height"] + 1, "the age stands in the line of the number"
    phone.ticks_all_payable()
    picks = page.locator(".group-picks")
    assert not picks.evaluate("each => each.scrollWidth > each.clientWidth"), "all of what selects at once is seen"


def box(found: Locator) -> FloatRect:
    shown = found.bounding_box()
    assert shown is not None
    return shown


def middle(found: Locator) -> float:
    shown = box(found)
    return shown["y"] + shown["height"] / 2


def test_the_head_of_a_vehicle_has_a_line_for_each_thing(phone: Desk, office: Office) -> None:
    phone.creates_a_link(RC)
    phone.opens(f"/vehicles/{RC}")
    page = phone.page
    plate = box(page.locator(".vehicle-title"))
    icons = [
        box(page.get_by_role("button", name="Refresh from source", exact=True)),
        box(page.get_by_role("link", name="Search another vehicle", exact=True)),
    ]
    assert {each["height"] for each in icons} == {44}
    assert len({each["width"] for each in icons}) == 1, "each with its word below"
    assert icons[0]["y"] == icons[1]["y"] < plate["y"] + plate["height"]
    assert 4 <= abs(icons[0]["x"] - icons[1]["x"]) - icons[0]["width"] <= 16, "beside each other, and apart"
    assert box(page.locator(".vehicle-sum"))["y"] >= icons[0]["y"] + 44
    targets = page.locator(".vehicle-counts a")
    touched = """link => {
      const { left, bottom } = link.getBoundingClientRect();
      return [1, 43].every((above) => document.elementFromPoint(left + 5, bottom - above) === link);
    }"""
    assert [each.evaluate(touched) for each in targets.all()] == [True], "a thumb hits it above its line"
    driver = box(page.get_by_role("link", name="Choose driver"))
    assert driver["x"] == plate["x"], "it stands where lines begin"
    assert driver["y"] >= box(targets.first)["y"] + box(targets.first)["height"]


def test_a_selection_is_told_in_two_lines(phone: Desk, office: Office) -> None:
    orders = [{"challanNo": f"MH{each:02}", "challanAmount": 500 if each else None} for each in range(12)]
    office.levers.add_vehicle("MH12AB2400", orders)
    phone.lists("MH12AB2400")
    phone.ticks_all_payable()
    page = phone.page
    brief, unknown = page.locator(".selection-brief"), page.locator(".selection-without")
    clear = page.get_by_role("button", name="Clear", exact=True)
    expect(brief).to_have_text("12 of 12")
    phone.page.get_by_role("checkbox", name="MH05").uncheck()
    phone.sees_saved("11 of 12")
    for _visit in range(2):
        expect(brief).to_have_text("11 of 12")
        amount, lacks = box(page.locator(".selection-amount")), box(unknown)
        expect(unknown).to_have_text("+ 1 unknown")
        assert lacks["x"] >= amount["x"] + amount["width"]
        assert lacks["y"] < amount["y"] + amount["height"], "in one line"
        assert box(brief)["y"] >= amount["y"] + amount["height"]
        assert box(clear)["x"] >= box(brief)["x"] + box(brief)["width"]
        assert box(clear)["y"] < box(brief)["y"] + box(brief)["height"], "in one line"
        phone.opens("/vehicles/MH12AB2400")
    expect(page.locator("main").get_by_text("Selection kept")).to_be_visible()


def test_what_selects_at_once_takes_one_line_above_the_challans(phone: Desk, office: Office) -> None:
    orders = [{"challanNo": f"MH{each:02}", "challanAmount": 500} for each in range(12)]
    office.levers.add_vehicle("MH12AB2400", orders)
    phone.lists("MH12AB2400")
    page = phone.page
    head, picks = box(page.locator("#payable .group-head")), box(page.locator("#payable .group-picks"))
    assert 44 <= head["height"] <= 54
    assert (picks["y"], picks["height"]) == (head["y"], head["height"]), "in one line"
    count = "each => getComputedStyle(each, '::after').content"
    assert page.locator(".select-words").evaluate(count) == '"All 12"'
    expect(page.locator("#payable .group-name")).to_have_css("position", "absolute")
    assert box(page.locator("tr.challan").first)["y"] < 300
    page.locator("tr.challan").last.scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.querySelector('tr.challan:nth-of-type(8)').offsetTop)")
    expect(page.locator(".challans[data-away]")).to_be_visible()
    stays = box(page.locator("#payable .group-head")), box(page.locator("#payable .group-picks"))
    assert [each["y"] for each in stays] == [44, 44], "and stays over the rows, over their whole width"
    assert sum(each["width"] for each in stays) >= WIDTH - 40
    top = page.get_by_role("button", name="MH12 AB 2400 Top")
    assert (box(top)["y"], box(top)["height"], box(top)["width"]) == (0, 44, WIDTH)
    expect(page.locator("tr.challan:nth-of-type(9)").get_by_text("₹500.00")).to_be_visible()
    top.tap()
    assert page.evaluate("scrollY") == 0
    expect(top).to_be_hidden()


def test_all_that_selects_at_once_is_in_sight(phone: Desk, office: Office) -> None:
    ages = [200] * 110 + [5] * 40
    dates = [(office.clock() - timedelta(days=age)).isoformat() for age in ages]
    office.levers.add_vehicle("MH12AB2401", [{"challanAmount": 500, "challanDate": each} for each in dates])
    phone.lists("MH12AB2401")
    picks = phone.page.locator("#payable .group-picks")
    expect(picks.get_by_role("button")).to_have_text(["Oldest 100"])
    assert picks.evaluate("each => each.scrollWidth - each.clientWidth") == 0
    oldest, filters = box(picks.get_by_role("button")), box(phone.page.locator(".filters-fold > summary"))
    assert oldest["x"] + oldest["width"] <= filters["x"], "beside the filters, which hold the choice by age"
    assert filters["y"] == oldest["y"]
    phone.page.get_by_text("Filters", exact=True).tap()
    phone.page.get_by_label("Age", exact=True).select_option("Over 90 days")
    expect(phone.page.get_by_role("checkbox", name="Select the 110 shown")).to_be_visible()


def bar(page: Page) -> float:
    """Return how high above the foot of the window the bar begins."""
    box = page.locator("#site-nav").bounding_box()
    assert box is not None
    assert (box["x"], box["width"], box["y"] + box["height"]) == (0, WIDTH, HEIGHT)
    return box["y"]


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


def test_the_first_challan_of_many_is_in_the_upper_part_of_a_phone(phone: Desk, office: Office) -> None:
    orders = [{"challanNo": f"MH{number:02}", "state": "Kerala" if number % 2 else "Punjab"} for number in range(18)]
    office.levers.add_vehicle("MH12AB2300", orders)
    phone.searches("MH12AB2300")
    phone.ticks("MH00")
    phone.reviews()
    phone.creates_the_link()
    phone.sees_the_link("ACTIVE")
    phone.opens("/vehicles/MH12AB2300")
    page = phone.page
    expect(page.locator("challan-table:defined")).to_be_attached()
    assert box(page.locator("tr.challan").first)["y"] < 330, "below a link and what selects at once"
    contains, state = page.get_by_label("Contains"), page.get_by_label("State")
    expect(contains).to_be_hidden()
    expect(state).to_be_hidden()
    filters = page.locator(".filters-fold > summary")
    filters.tap()
    expect(contains).to_be_visible()
    assert box(filters)["y"] == box(contains)["y"], "in one line"
    state.select_option("Kerala")
    expect(page.get_by_role("checkbox", name="Select the 9 shown")).to_be_visible()
    filters.tap()
    expect(filters).to_have_text("Filters (1)")
    expect(contains).to_be_visible()
    expect(page.get_by_role("button", name="Show all", exact=True)).to_be_visible()
    page.reload()
    expect(state).to_have_value("Kerala")


def apart(one: FloatRect, other: FloatRect) -> bool:
    """Return whether two boxes have no point in common, but for a pixel at their edges."""
    first, second = sorted((one, other), key=lambda each: each["y"])
    left, right = sorted((one, other), key=lambda each: each["x"])
    return first["y"] + first["height"] <= second["y"] + 1 or left["x"] + left["width"] <= right["x"] + 1


def test_a_name_of_two_lines_and_a_list_of_which_nothing_can_be_paid_hide_nothing(phone: Desk, office: Office) -> None:
    office.levers.add_vehicle("MH12AB2300", [{"challanNo": f"MH{number:02}"} for number in range(18)])
    phone.searches("MH12AB2300")
    phone.ticks(*(f"MH{number:02}" for number in range(18)))
    phone.reviews()
    phone.creates_the_link()
    phone.sees_the_link("ACTIVE")
    person = office.app.extensions["people"].find(ASHA.email).id
    name = "Ramachandran Venkatasubramanian Krishnamoorthy"
    office.services.drivers.add(DriverDetails(name, "98765 43210", None, "hi", None, ("MH12AB2300",)), person)
    page = phone.page
    for width in (WIDTH, 320):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        phone.opens("/vehicles/MH12AB2300")
        driver = box(page.locator(".vehicle-driver > span"))
        assert driver["height"] > 36, "in two lines"
        assert apart(driver, box(page.locator("#vehicle-updated > p")))
        opens = page.locator(".group-head").first.get_by_role("link", name="Open link")
        assert apart(box(opens), box(page.locator(".filters-fold > summary")))


def test_links_are_filtered_in_one_step_and_the_button_says_how_many_are_shown(phone: Desk, office: Office) -> None:
    links_of(office, "MH12AB2300", ASHA, [500, 800])
    phone.opens("/links")
    page = phone.page
    first = page.locator("tr[data-row]").first.bounding_box()
    assert first is not None
    assert first["y"] < 205, "below the heading, the sum, the search and the tabs"
    filters, show = page.locator(".filter-fold > summary"), page.locator("#filter-show")
    search = page.locator("#filter-q").bounding_box()
    assert search is not None
    expect(show).to_be_hidden()
    filters.tap()
    opened = filters.bounding_box()
    assert opened is not None
    assert opened["y"] == search["y"], "it stays beside the search"
    for field in ("#filter-creator", "#filter-from", "[type=checkbox][name=state][value=PAID]", "#filter-least"):
        expect(page.locator(field)).to_be_visible()
    expect(show).to_have_text(re.compile(r"Show \d+ links"))
    page.locator("#filter-only").select_option("not-sent")
    expect(show).to_have_text("Show 2 links")
    page.locator("[type=checkbox][name=state][value=PAID]").check()
    expect(show).to_have_text("Show 0 links")
    page.locator("[type=checkbox][name=state][value=PAID]").uncheck()
    expect(show).to_have_text("Show 2 links")
    show.tap()
    expect(show).to_be_hidden()
    expect(filters).to_be_focused()
    expect(page.locator("tr[data-row]")).to_have_count(2)
    assert page.evaluate(SMALL) == []


def test_the_next_vehicle_is_searched_from_the_head_of_a_vehicle(phone: Desk, office: Office) -> None:
    office.levers.add_vehicle("MH12AB2300", [{"challanNo": "MH01"}])
    office.services.vehicle_search.search("MH12AB2300", 1)
    phone.searches(RC)
    phone.sees_vehicle(RC)
    page = phone.page
    page.get_by_role("link", name="Search another vehicle").tap()
    field = page.get_by_label("RC number")
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport(ratio=1)
    assert page.evaluate(SMALL) == []
    field.press_sequentially("MH12AB23")
    expect(page.get_by_role("option")).to_have_count(1)
    field.fill("MH12AB2300")
    page.get_by_role("button", name="Search", exact=True).tap()
    phone.sees_vehicle("MH12AB2300")
    expect(page.get_by_label("RC number")).to_have_value("")


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


def test_what_is_done_with_the_chosen_rows_stands_above_the_menu(phone: Desk, office: Office) -> None:
    links_of(office, "DL01CB2002", ASHA, [2500])
    phone.opens("/links")
    phone.page.locator("[name=link]").check()
    bar = phone.page.locator("chosen-rows")
    expect(bar.locator(".chosen-count")).to_have_text(
        re.compile(r"^1 chosen · ₹[\d,]+\.\d\d · 1 not sent · 1 without a driver$")
    )
    assert one_line(phone.page, "h1"), "what staff may not do takes no room from the title"
    for name in ("Follow up", "Clear"):
        bar.get_by_role("button", name=name).click(trial=True, timeout=2_000)


#: The parts of a row of the queue that lie over each other.
OVERLAPPING = """row => {
  const named = "a, button:not(.sent-now *), summary, .state, .amount, .when, .driver > *,"
    + " .updated, .driver-sent, .follow-ends > span, .follow-contact, .follow-total, .follow-sum";
  const parts = [...row.querySelectorAll(named)]
    .filter(each => each.checkVisibility())
    .map(each => [each, each.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 1 && height > 1);
  return parts.flatMap(([one, a], at) => parts.slice(at + 1)
    .filter(([other, b]) => !one.contains(other) && !other.contains(one)
      && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
    .map(([other]) => `${one.textContent.trim()} | ${other.textContent.trim()}`));
}"""


def test_several_links_of_a_driver_stand_clear_of_each_other_whatever_is_said_of_them(
    phone: Desk, office: Office
) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    vehicles = ("DL01CB2002", "KA05MN4321", "MH14GH2300")
    details = DriverDetails("Ramesh Kumar Venkatanarasimharajuvaripeta", "98765 43210", None, "hi", None, vehicles)
    driver = office.services.drivers.add(details, person)
    sent, noted, _plain = (each for rc in vehicles for each in links_of(office, rc, ASHA, [2500]))
    office.services.sharing.record_share(sent, Channel.WHATSAPP, person, driver, "hi")
    for clock in (office.clock, office.levers):
        clock.advance(13 * 3600)
    for link_id in (sent, noted):
        ends_soon(office, link_id)
    office.services.follow_ups.add_note(noted, "Called twice; pays at the depot tonight, after he is back", person)
    office.signs_in(phone.page.context, ASHA)
    for width in (WIDTH, 320):
        phone.page.set_viewport_size({"width": width, "height": HEIGHT})
        phone.opens("/follow-up")
        row = phone.page.locator(".follow-several")
        expect(row.locator(".follow-one")).to_have_count(3)
        assert row.evaluate(OVERLAPPING) == []
        assert phone.page.evaluate(SMALL) == []
        for part in (".follow-phone", ".follow-urgent >> nth=0", ".follow-urgent >> nth=1"):
            words = row.locator(part).evaluate(
                "each => { const range = document.createRange(); range.selectNodeContents(each);"
                " return range.getBoundingClientRect().height; }"
            )
            assert words < 30, f"{part} is one line"


def test_seven_links_fit_a_screen_and_long_plates_and_amounts_wrap(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails(
        "Ramesh Kumar Venkatanarasimharajuvaripeta", "98765 43210", None, "hi", None, ("DL01CB2002",)
    )
    driver = office.services.drivers.add(details, person)
    first, *_others = links_of(office, "DL01CB2002", ASHA, [2500] * 8)
    office.services.sharing.record_share(first, Channel.WHATSAPP, person, driver, "hi")
    phone.opens("/links")
    rows = phone.page.locator("#links-rows tbody tr")
    expect(rows).to_have_count(8)
    menu = phone.page.locator("#site-nav").bounding_box()
    seventh = rows.nth(6).bounding_box()
    assert menu
    assert seventh
    assert seventh["y"] + seventh["height"] <= menu["y"] + 1
    links_of(office, "22BH6517AB", ASHA, [1_000_000])
    for width in (WIDTH, 320):
        phone.page.set_viewport_size({"width": width, "height": HEIGHT})
        phone.opens("/links")
        assert phone.page.evaluate(SMALL) == []
        for row in rows.all():
            assert row.evaluate(OVERLAPPING) == []


def test_a_link_that_should_have_ended_has_whole_words_in_few_lines(phone: Desk, office: Office) -> None:
    [overdue] = links_of(office, "DL01CB2002", ASHA, [2500])
    at = office.services.clock().replace(microsecond=0) - timedelta(hours=2)
    office.levers.set_link(overdue, raw={"expiresAt": f"{at:%Y-%m-%dT%H:%M:%S}Z", "status": "ACTIVE"})
    office.polls_until(overdue, expires_at=at)
    for width in (WIDTH, 320):
        phone.page.set_viewport_size({"width": width, "height": HEIGHT})
        phone.opens("/links")
        row = phone.page.locator(f"#row-{overdue}")
        expect(row.locator(".when")).to_contain_text("Should have ended")
        withheld = row.locator(".driver > .sub").first
        expect(withheld).to_have_text("Cannot be sent")
        box, plate = withheld.bounding_box(), row.locator(".plate").bounding_box()
        assert box
        assert plate
        assert box["height"] < 24, "it stands in one line"
        assert box["x"] == plate["x"], "below the plate, as in other rows"
        assert row.evaluate(OVERLAPPING) == []
        act, around = row.get_by_role("link", name="Check first").bounding_box(), row.bounding_box()
        assert act
        assert around
        assert act["y"] >= around["y"]
        assert act["y"] + act["height"] <= around["y"] + around["height"], "its button is over no other row"


def test_a_link_that_rests_or_is_snoozed_makes_the_list_no_wider(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ("DL01CB2002", "KA05MN4321"))
    driver = office.services.drivers.add(details, person)
    [rests], [snoozed] = (links_of(office, rc, ASHA, [2500]) for rc in ("DL01CB2002", "KA05MN4321"))
    for link_id in (rests, snoozed):
        office.services.sharing.record_share(link_id, Channel.WHATSAPP, person, driver, "hi")
    office.services.follow_ups.snooze(snoozed, office.services.clock() + timedelta(hours=4), person)
    phone.page.set_viewport_size({"width": 320, "height": HEIGHT})
    for address in ("/links", f"/drivers/{driver}"):
        phone.opens(address)
        expect(phone.page.locator(f"#row-{snoozed} .given-snoozed")).to_be_visible()
        assert phone.page.evaluate("document.documentElement.scrollWidth") == 320
        assert phone.page.locator(f"#row-{snoozed}").evaluate(OVERLAPPING) == []


def test_the_rows_of_drivers_and_known_vehicles_are_low(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ("DL01CB2002",))
    driver = office.services.drivers.add(details, person)
    office.services.drivers.add(DriverDetails("Lakshmi Devi", "98765 43211", None, "hi", None, ()), person)
    [sent] = links_of(office, "DL01CB2002", ASHA, [2500])
    links_of(office, "22BH6517AB", ASHA, [1_000_000])
    office.services.sharing.record_share(sent, Channel.WHATSAPP, person, driver, "hi")
    for address in ("/vehicles", "/drivers", f"/drivers/{driver}", "/find?q=B"):
        for width in (WIDTH, 320):
            phone.page.set_viewport_size({"width": width, "height": HEIGHT})
            phone.opens(address)
            rows = phone.page.locator(".table-cards tbody tr")
            expect(rows.first).to_be_visible()
            for row in rows.all():
                assert row.evaluate(OVERLAPPING) == [], address
                assert width < WIDTH or row.evaluate("each => each.clientHeight") < 90, address


def test_known_vehicles_have_their_one_act_in_low_rows_below_whole_filters(phone: Desk, office: Office) -> None:
    office.levers.add_vehicle("MH12AB2500", [])
    office.levers.add_vehicle("MH12AB2600", [{"challanNo": "MH1"}, {"challanNo": "MH2", "challanAmount": None}])
    for rc in ("MH12AB2500", "MH12AB2600"):
        phone.opens("/")
        phone.searches(rc)
        phone.sees_vehicle(rc)
    links_of(office, "DL01CB2002", ASHA, [2500])
    phone.opens("/vehicles")
    rows = phone.page.locator(".table-wide tbody tr")
    expect(rows).to_have_count(3)
    for row in rows.all():
        acts = row.locator(".acts > .button:not(.button-quiet)")
        assert row.evaluate("each => each.offsetHeight") < (90 if acts.count() else 65)
    create = rows.filter(has_text="MH12 AB 2600").get_by_role("button", name="Create link").bounding_box()
    assert create
    assert create["height"] >= 43.5
    assert phone.page.evaluate(SMALL) == []
    expect(rows.filter(has_text="MH12 AB 2600")).to_contain_text("2")
    words = "each => getComputedStyle(each, '::before').content"
    assert phone.page.locator("[data-row=MH12AB2600] .counted").first.evaluate(words) == '"2 challans to pay "'
    chips = phone.page.locator(".known-filter > .presets")
    for address in ("/vehicles", "/vehicles?only=no-driver&only=open"):
        phone.opens(address)
        assert not chips.evaluate("each => each.scrollWidth > each.clientWidth"), f"no filter is cut off on {address}"


def test_a_known_vehicle_that_was_not_searched_lately_shows_its_driver_and_the_whole_day(
    phone: Desk, office: Office
) -> None:
    office.levers.add_vehicle("MH12AB2600", [{"challanNo": "MH1"}, {"challanNo": "MH2", "challanAmount": None}])
    phone.opens("/")
    phone.searches("MH12AB2600")
    phone.sees_vehicle("MH12AB2600")
    person = office.app.extensions["people"].find(ASHA.email).id
    office.services.drivers.add(DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ("MH12AB2600",)), person)
    before = office.services.clock() - timedelta(days=3)
    with office.services.store.write() as connection:
        connection.execute(update(vehicle).values(searched_at=before))
    for width in (WIDTH, 320):
        phone.page.set_viewport_size({"width": width, "height": HEIGHT})
        phone.opens("/vehicles")
        row = phone.page.locator(".table-wide tbody tr")
        expect(row.get_by_role("link", name="Ramesh Yadav")).to_be_visible()
        expect(row.get_by_text("+ 1 unknown")).to_be_visible()
        updated = row.locator(".updated")
        expect(updated).to_be_visible()
        assert not updated.evaluate("each => each.scrollWidth > each.clientWidth"), "no word is cut off"
        assert row.evaluate(OVERLAPPING) == []


def test_a_driver_is_added_to_a_known_vehicle(phone: Desk, office: Office) -> None:
    links_of(office, "DL01CB2002", ASHA, [500])
    phone.opens("/vehicles?only=no-driver")
    add = phone.page.locator(".table-wide tbody").get_by_role("link", name="Choose driver")
    expect(add).to_be_visible()
    assert phone.page.evaluate(SMALL) == []


def test_a_finger_on_the_plate_of_a_known_vehicle_opens_the_vehicle(phone: Desk, office: Office) -> None:
    links_of(office, "DL01CB2002", ASHA, [500])
    for part in (0.1, 0.5, 0.95):
        phone.opens("/vehicles")
        box = phone.page.locator("tr[data-row=DL01CB2002] .plate").bounding_box()
        assert box is not None
        phone.page.touchscreen.tap(box["x"] + 20, box["y"] + part * box["height"])
        expect(phone.page).to_have_url(re.compile("/vehicles/DL01CB2002"))


def test_the_rows_of_links_to_follow_up_are_of_one_height_also_once_sent(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ("DL01CB2002",))
    driver = office.services.drivers.add(details, person)
    mine, bare, ended = (
        each for rc in ("DL01CB2002", "KA05MN4321", "MH14GH2300") for each in links_of(office, rc, ASHA, [2500])
    )
    office.levers.expire(ended)
    office.polls_until(ended, status="EXPIRED")
    phone.opens("/follow-up")
    rows = [phone.page.locator(f"#follow-{link_id}") for link_id in (mine, bare, ended)]

    def heights() -> list[int]:
        return [row.evaluate("each => each.clientHeight") for row in rows]

    before = heights()
    assert max(before) - min(before) <= 2
    office.services.sharing.record_share(mine, Channel.WHATSAPP, person, driver, "hi")
    phone.page.evaluate("id => htmx.trigger(document.getElementById(id), 'stale')", f"contact-{mine}")
    expect(rows[0].get_by_role("button", name="Undo")).to_be_visible()
    assert heights() == before


def test_what_was_sent_just_now_is_taken_back_by_a_word_of_its_row(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ("DL01CB2002", "KA05MN4321"))
    driver = office.services.drivers.add(details, person)
    [sent], [asked] = (links_of(office, rc, ASHA, [2500]) for rc in ("DL01CB2002", "KA05MN4321"))
    for link_id in (sent, asked):
        office.services.sharing.record_share(link_id, Channel.WHATSAPP, person, driver, "hi")
    office.levers.fail(asked)
    office.polls_until(asked, status="FAILED")
    office.services.sharing.record_question(asked, person, driver)
    phone.opens("/")
    for link_id in (sent, asked):
        undo = phone.page.locator(f".recent-links tr[data-row='{link_id}']").get_by_role("button", name="Undo")
        expect(undo).to_be_visible()
        assert box(undo)["height"] >= 44
        assert undo.evaluate("each => getComputedStyle(each, '::before').content") in ("none", "normal"), "no box"
        assert undo.evaluate("each => getComputedStyle(each).borderTopColor") == "rgba(0, 0, 0, 0)", "a plain link"
    row = phone.page.locator(f".recent-links tr[data-row='{asked}']")
    expect(row.get_by_role("link", name="Note answer")).to_be_visible()
    assert row.evaluate(OVERLAPPING) == []


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


def test_a_link_is_sent_again_from_the_page_of_its_driver_and_copied_once_another_has_it(
    phone: Desk, office: Office
) -> None:
    driver, other = (
        office.services.drivers.add(DriverDetails(name, phone_number, None, "hi", None, ()), 1)
        for name, phone_number in (("Ramesh Yadav", "98765 43210"), ("Suresh Patil", "98765 43211"))
    )
    [sent] = links_of(office, "DL01CB2002", ASHA, [2500])
    row = phone.page.locator(f"#row-{sent}")
    for given_to, act in ((driver, "Send again"), (other, "Copy")):
        office.services.sharing.record_share(sent, Channel.WHATSAPP, 1, given_to, "hi")
        phone.opens(f"/drivers/{driver}")
        button = row.get_by_role("button", name=act)
        expect(button).to_be_visible()
        assert min(box(button)["width"], box(button)["height"]) >= 44
        assert row.evaluate(OVERLAPPING) == []


def test_what_is_done_less_often_with_a_link_opens_at_the_foot_of_the_screen(phone: Desk, office: Office) -> None:
    links_of(office, "DL01CB2002", ASHA, [2500])
    phone.opens("/follow-up")
    page = phone.page
    more, note = page.locator(".follow-more summary"), page.get_by_label("Note on DL01 CB 2002")
    closings = (
        more.click,
        lambda: page.mouse.click(100, 60),
        lambda: page.keyboard.press("Escape"),
    )
    for closes in closings:
        more.click()
        expect(note).to_be_visible()
        box = note.bounding_box()
        assert box
        assert box["y"] > HEIGHT / 2, "in reach of the thumb"
        assert page.evaluate(SMALL) == []
        closes()
        expect(note).to_be_hidden()
    expect(more).to_be_focused()
    more.click()
    expect(note).to_be_visible()
    page.keyboard.press("Shift+Tab")
    expect(note).to_be_hidden()  # The page under it is reached by no key while it is open.


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


def test_the_cards_of_people_and_of_the_audit_log_leave_nothing_out_and_have_one_form(
    office: Office, browser: Browser
) -> None:
    links_of(office, "DL01CB2002", ASHA, [2500])
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    office.signs_in(context, ARUN)
    admin = Desk(context.new_page(), office.url)
    admin.opens("/people")
    for each in admin.page.locator(".table-people tbody td:not(.has-none)").all():
        expect(each).to_be_visible()
    admin.opens("/audit")
    cards = admin.page.locator(".table-audit tr[data-row]")
    assert cards.count() > 1
    for cell, side in (("td:nth-child(2)", "left"), ("th", "right")):
        places = {each.evaluate(SIDES)[side] for each in cards.locator(f"{cell} > *").all()}
        assert len(places) == 1, "who it was on one side, and when on the other"
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


def test_a_second_factor_is_set_up_on_the_phone_that_shows_its_page(phone: Desk) -> None:
    page = phone.page
    phone.opens("/account/second-factor")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").tap()
    opens = page.get_by_role("link", name="Open the app")
    expect(opens).to_have_attribute("href", re.compile("^otpauth://totp/"))
    expect(page.get_by_role("img", name="QR code")).to_be_hidden()
    expect(page.get_by_role("button", name="Copy the key")).to_be_visible()
    assert page.evaluate(SMALL) == []
    page.get_by_text("Show the QR code").tap()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()


def test_the_list_of_drivers_says_what_somebody_paid_who_owes_nothing(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    ids = [
        office.services.drivers.add(DriverDetails(name, f"98765 4321{number}", None, "hi", None, ()), person)
        for number, name in enumerate(("Ramesh Yadav", "Lakshmi Devi"))
    ]
    paid, owed = links_of(office, "DL01CB2002", ASHA, [2500, 1500])
    for link_id, driver in ((paid, ids[0]), (owed, ids[1])):
        office.services.sharing.record_share(link_id, Channel.WHATSAPP, person, driver, "hi")
    office.levers.pay(paid)
    office.services.link_poller.refresh(paid)
    phone.opens("/drivers")
    rows = phone.page.locator(".table-drivers tbody tr")
    expect(rows.filter(has_text="Ramesh Yadav").locator(".driver-paid")).to_be_visible()
    expect(rows.filter(has_text="Lakshmi Devi").locator(".driver-owed")).to_be_visible()
    expect(rows.filter(has_text="Lakshmi Devi").locator(".driver-paid")).to_be_hidden()


def test_the_total_of_a_statement_stands_in_its_balance_alone(phone: Desk, office: Office) -> None:
    links_of(office, "DL01CB2002", ASHA, [2500])
    links_of(office, "22BH6517AB", ASHA, [1500])
    office.signs_in(phone.page.context, MEERA)
    phone.opens("/reconcile/statement")
    expect(phone.page.locator(".balance-total").first).to_be_visible()
    expect(phone.page.locator(".statement-totals")).to_be_hidden()


def test_a_search_that_fails_without_scripts_is_told_in_a_line_of_the_head_of_the_vehicle(
    office: Office, browser: Browser
) -> None:
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True, java_script_enabled=False
    )
    office.signs_in(context, ASHA)
    desk = Desk(context.new_page(), office.url)
    desk.opens("/")
    desk.page.get_by_label("RC number").fill(RC)
    desk.page.get_by_role("button", name="Search", exact=True).click()
    before = box(desk.page.locator("tr.challan").first)
    office.levers.fault("search", "cut", count=3)
    desk.opens("/")
    desk.page.get_by_label("RC number").fill(RC)
    desk.page.get_by_role("button", name="Search", exact=True).click()
    told = desk.page.locator(".vehicle-trouble")
    expect(told).to_contain_text("Not refreshed. The service did not answer. Showing ")
    again = desk.page.get_by_role("button", name="Try again")
    assert abs(middle(told) - middle(again)) < 8, "what tries again stands beside it"
    assert box(desk.page.locator("tr.challan").first)["y"] < before["y"] + 60
    context.close()


def test_a_found_challan_that_no_link_can_take_has_its_fine_without_a_sign_before_it(
    phone: Desk, office: Office
) -> None:
    number = "MH1098765990"
    held = {"challanNo": number, "challanAmount": 500, "status": "IN_COURT_REVIEW"}
    office.levers.add_vehicle("MH12AB1002", [held])
    phone.lists(RC)
    phone.opens("/")
    phone.lists("MH12AB1002")
    phone.opens("/find?q=MH1098765&of=challans")
    row = phone.page.locator(".found-challans tbody tr", has=phone.page.get_by_text(number, exact=True))
    expect(row.locator(".found-sum")).to_contain_text("Fine ₹")
    expect(row.locator(".found-sum > .quiet")).to_be_hidden()


def test_the_numbers_of_drivers_and_what_they_lack_are_hit_by_a_thumb(phone: Desk, office: Office) -> None:
    for name, number, vehicles in (("Ramesh Yadav", "98765 43210", ("DL01CB2002",)), ("Suresh Patil", None, ())):
        office.services.drivers.add(DriverDetails(name, number, None, "hi", None, vehicles), 1)
    phone.opens("/drivers")
    is_hit = """(each, by) => {
      const { left, top, bottom } = each.getBoundingClientRect();
      return document.elementFromPoint(left + 8, (top + bottom) / 2 + by)?.closest("a") === each;
    }"""
    for words, by in (("+91 98765 43210", 20), ("Add usual vehicle", -20), ("Add phone number", 20)):
        target = phone.page.get_by_role("link", name=words)
        assert target.evaluate(is_hit, by), words
        assert target.evaluate("each => getComputedStyle(each).fontSize") == "14px"


def test_a_driver_shows_when_he_paid_last_beside_what_he_paid(phone: Desk, office: Office) -> None:
    driver = office.services.drivers.add(DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ()), 1)
    paid, _open = links_of(office, "DL01CB2002", ASHA, [2500, 1500])
    for link_id in (paid, _open):
        office.services.sharing.record_share(link_id, Channel.WHATSAPP, 1, driver, "hi")
    office.levers.pay(paid)
    office.polls_until(paid, status="PAID")
    phone.opens(f"/drivers/{driver}")
    facts = phone.page.locator(".driver-facts > div")
    expect(facts).to_have_count(3)
    expect(facts.nth(2)).to_be_visible()
    expect(facts.nth(2)).to_contain_text("Last paid")
    between = "each => each.children[1].getBoundingClientRect().top - each.children[0].getBoundingClientRect().bottom"
    assert [each.evaluate(between) for each in facts.all()] == [0, 0, 0], "each figure is close to its name"


def test_what_is_said_at_the_foot_of_a_message_has_one_size_and_is_hit_by_a_thumb(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    driver = office.services.drivers.add(DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ()), person)
    [link_id] = links_of(office, "DL01CB2002", ASHA, [2500])
    office.services.sharing.prepare(link_id)
    office.services.sharing.record_share(link_id, Channel.WHATSAPP, person, driver, "hi")
    phone.page.context.route("https://wa.me/**", lambda route: route.fulfill(status=204))
    office.signs_in(phone.page.context, ASHA)
    phone.opens(f"/links/{link_id}/nudge?driver={driver}")
    foot = phone.page.locator(".reminder-last")
    acts = [foot.get_by_role("button", name="Undo"), foot.get_by_role("link", name="Other ways")]
    for each in acts:
        assert min(box(each)["width"], box(each)["height"]) >= 44
    sizes = {each.evaluate("each => getComputedStyle(each).fontSize") for each in [foot, *acts]}
    assert len(sizes) == 1


def test_the_limit_of_links_stands_in_one_line_above_the_button_that_it_stops_and_no_longer_in_the_banner(
    phone: Desk, office: Office
) -> None:
    phone.searches(RC)
    phone.ticks("MH1098765431")
    office.levers.set_organization(linkAllowance=0)
    phone.reviews()
    phone.page.get_by_role("button", name="Create payment link").click()
    expect(phone.page.locator("#request-panel")).to_contain_text(
        re.compile(r"reached at .+\. It most likely ends at .+\. The")
    )
    banner = phone.page.get_by_role("region", name="What is wrong")
    expect(banner, "the page of the request says it").to_be_hidden()
    phone.opens("/links")
    expect(banner).to_be_visible()
    phone.opens(f"/vehicles/{RC}")
    later = phone.page.locator("#creates-later")
    expect(later).to_have_text(re.compile("^Limit reached: no new links till about "))
    expect(banner).to_be_hidden()
    assert one_line(phone.page, "#creates-later")
    bar = box(phone.page.locator(".selection-bar"))
    assert bar["height"] < 90, "beside the button stand two lines"
    phone.opens(f"/vehicles/{RC}/review")
    expect(phone.page.locator("#create-later")).to_be_visible()
    expect(banner).to_be_hidden()
