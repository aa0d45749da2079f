"""Test the page of a vehicle on a phone: its head, its challans, and the bar with the selection."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, FloatRect, expect

from dashboard.domain.drivers import DriverDetails
from tests.e2e.conftest import RC, Office
from tests.e2e.phone.geometry import HEIGHT, SMALL, WIDTH, box, middle
from tests.e2e.steps import Desk
from tests.support.people import ASHA, MEERA
from tests.support.web_client import WebClient
from tests.web.steps import create

pytestmark = pytest.mark.e2e


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
        title = page.locator(".group-head").first.locator(".group-title")
        assert apart(box(title), box(page.locator(".filters-fold > summary")))


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


def test_the_limit_of_links_stands_in_one_line_above_the_button_that_it_stops_and_no_longer_in_the_banner(
    phone: Desk, office: Office
) -> None:
    phone.searches(RC)
    phone.ticks("MH1098765431")
    office.levers.set_organization(linkAllowance=0)
    phone.reviews()
    phone.page.get_by_role("button", name="Create payment link").click()
    expect(phone.page.locator("#request-panel")).to_contain_text(
        re.compile(r"No new links till about .+Today’s limit for new links was reached at .+\. The")
    )
    banner = phone.page.get_by_role("region", name="What is wrong")
    expect(banner, "the page of the request says it").to_be_hidden()
    phone.opens("/links")
    expect(banner).to_be_visible()
    phone.opens(f"/vehicles/{RC}")
    later = phone.page.locator("#creates-later")
    expect(later).to_have_text(re.compile("^Limit reached: no new links till about "))
    expect(banner).to_be_hidden()
    bar = box(phone.page.locator(".selection-bar"))
    assert bar["height"] < 115, "a line till when, one what the button does, and two beside it"
    phone.opens(f"/vehicles/{RC}/review")
    expect(phone.page.locator("#create-later")).to_be_visible()
    expect(banner).to_be_hidden()
