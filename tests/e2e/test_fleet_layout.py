"""Test what the pages of the fleet look like where room is scarce: on a short phone, and on a sheet of paper."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from dashboard.domain.fleet import FleetVehicle
from tests.e2e.conftest import Office
from tests.e2e.manager_steps import tab_of
from tests.support.fleet import planned
from tests.support.lanes import take_parts
from tests.support.people import MEERA

pytestmark = pytest.mark.e2e

_PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")


def a_searched_run(office: Office, vehicles: int, challans: int = 1) -> tuple[str, list[FleetVehicle]]:
    listed = [FleetVehicle(f"MH14LY{n:04}") for n in range(vehicles)]
    for each in listed:
        numbers = [f"{each.rc}-{n}" for n in range(1, challans + 1)]
        office.levers.add_vehicle(each.rc, [{"challanNo": number, "challanAmount": 500} for number in numbers])
    run = office.services.fleet_searches.start("Layout", listed, None)
    take_parts(office.services, run)
    return run, listed


def test_the_bar_of_the_review_is_one_line_on_a_short_phone(office: Office, browser: Browser) -> None:
    run, _listed = a_searched_run(office, 8)
    with tab_of(browser, office, MEERA, viewport={"width": 390, "height": 640}, reduced_motion="reduce") as desk:
        desk.opens(f"/fleet/runs/{run}/review")
        bar, menu = desk.page.locator(".selection-bar"), desk.page.locator(".site-nav")
        expect(bar).to_contain_text("8 of 8 vehicles")
        heights = [each["height"] for each in (bar.bounding_box(), menu.bounding_box()) if each]
        assert sum(heights) < 640 / 5


def test_lists_stand_below_the_form_where_more_searches_are_recent_than_are_shown(
    office: Office, browser: Browser
) -> None:
    _run, listed = a_searched_run(office, 1)
    with tab_of(browser, office, MEERA, viewport={"width": 1280, "height": 800}, reduced_motion="reduce") as desk:
        form, lists = desk.page.locator(".fleet-start .fleet-form"), desk.page.locator("[aria-labelledby=lists-title]")
        recent = desk.page.locator("[aria-labelledby=runs-title]")
        desk.opens("/fleet")
        beside, of_recent = lists.bounding_box(), recent.bounding_box()
        assert beside
        assert of_recent
        assert beside["x"] == of_recent["x"]
        for _ in range(5):
            take_parts(office.services, office.services.fleet_searches.start("Again", listed, None))
        desk.opens("/fleet")
        expect(recent.locator(".fleet-rest")).to_be_visible()
        below, of_form = lists.bounding_box(), form.bounding_box()
        assert below
        assert of_form
        assert below["x"] == of_form["x"]
        assert below["y"] > of_form["y"] + of_form["height"]


def test_on_a_phone_the_figures_of_a_search_come_first_and_what_is_next_stands_at_the_thumb(
    office: Office, browser: Browser
) -> None:
    _run, listed = a_searched_run(office, 3)
    unknown = [FleetVehicle("GJ01ZZ9999")]
    again = office.services.fleet_searches.start("With a new one", [*listed, *unknown], None)
    take_parts(office.services, again)
    with tab_of(browser, office, MEERA, viewport={"width": 390, "height": 844}, reduced_motion="reduce") as desk:
        page = desk.page
        desk.opens(f"/fleet/runs/{again}")
        figures, lead = page.locator(".run-panel"), page.get_by_role("link", name="Review and create links")
        expect(lead).to_be_in_viewport()
        tops = [each["y"] for each in (figures.bounding_box(), lead.bounding_box()) if each]
        assert tops == sorted(tops)
        assert tops[0] < 200
        cut = page.locator(".fleet-tally").evaluate_all("all => all.filter(e => e.getBoundingClientRect().right > 390)")
        assert not cut
        details = page.get_by_role("link", name="Add RC type and city")
        expect(details).to_be_hidden()
        page.locator("#job-more").click()
        expect(details).to_be_in_viewport()
        expect(figures).to_be_in_viewport()
        page.locator("#job-more").click()
        # Of a menu that is open, its button alone is marked.
        here = page.locator(".site-nav > [aria-current]")
        marked = here.evaluate("e => getComputedStyle(e).boxShadow")
        page.locator(".more-button").click()
        expect(here).not_to_have_css("box-shadow", marked)


def test_on_a_phone_the_bar_of_the_review_is_not_over_the_open_filter(office: Office, browser: Browser) -> None:
    run, _listed = a_searched_run(office, 8)
    with tab_of(browser, office, MEERA, viewport={"width": 390, "height": 844}, reduced_motion="reduce") as desk:
        desk.opens(f"/fleet/runs/{run}/review")
        bar, show = desk.page.locator(".selection-bar"), desk.page.get_by_role("button", name="Show", exact=True)
        expect(bar).to_be_in_viewport()
        desk.page.locator(".fleet-filter summary").click()
        expect(show).to_be_in_viewport()
        expect(bar).not_to_be_in_viewport()


def test_a_count_of_the_menu_moves_no_place_as_it_grows_and_leaves_no_hole_at_zero(
    office: Office, browser: Browser
) -> None:
    with tab_of(browser, office, MEERA, viewport={"width": 1366, "height": 768}, reduced_motion="reduce") as desk:
        page = desk.page
        desk.opens("/fleet")
        fleet = page.locator(".site-nav").get_by_role("link", name="Fleet", exact=True)
        count = page.locator("#menu-count-follow_up")
        follow_up = page.locator(".site-nav a[href='/follow-up']")
        bare = follow_up.evaluate("e => { e.querySelector('.menu-count').remove(); return e.offsetWidth; }")
        desk.opens("/fleet")
        assert abs(follow_up.evaluate("e => e.offsetWidth") - bare) < 1
        count.evaluate("e => { e.textContent = '5'; }")
        before = fleet.evaluate("e => e.getBoundingClientRect().x")
        count.evaluate("e => { e.textContent = '12'; }")
        assert abs(fleet.evaluate("e => e.getBoundingClientRect().x") - before) < 1


def test_on_a_phone_more_of_a_plan_opens_within_the_page(office: Office, browser: Browser) -> None:
    run, listed = a_searched_run(office, 2)
    meera = office.app.extensions["people"].find(MEERA.email)
    links = planned(office.services, listed)
    plan = office.services.fleet_plans.start("Layout", links, hours=48, person_id=meera.id, run_id=run)
    take_parts(office.services, plan, most=1)  # The rest is left, so that its buttons stand beside these.
    with tab_of(browser, office, MEERA, viewport={"width": 390, "height": 844}, reduced_motion="reduce") as desk:
        desk.opens(f"/fleet/plans/{plan}")
        parts = ["#plan-panel > .card", "#plan-choose", "#job-pause", "#plan-links", "#plan-panel > table"]
        tops = [each["y"] for part in parts if (each := desk.page.locator(part).bounding_box())]
        assert len(tops) == len(parts)
        assert tops == sorted(tops), "how far it is, then what can be done, then the links"
        desk.page.locator("#plan-more").click()
        sheet = desk.page.locator(".fleet-more > .drop-sheet")
        expect(sheet).to_be_visible()
        box = sheet.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert desk.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_on_a_phone_what_is_unknown_of_a_link_stands_clear_of_its_challans(office: Office, browser: Browser) -> None:
    rc = "MH14LX0001"
    office.levers.add_vehicle(rc, [{"challanNo": "LX-1"}, {"challanNo": "LX-2", "raw": {"totalAmount": None}}])
    run = office.services.fleet_searches.start("Unknown", [FleetVehicle(rc)], None)
    take_parts(office.services, run)
    meera = office.app.extensions["people"].find(MEERA.email)
    links = planned(office.services, [FleetVehicle(rc)])
    plan = office.services.fleet_plans.start("Unknown", links, hours=48, person_id=meera.id, run_id=run)
    with tab_of(browser, office, MEERA, viewport={"width": 390, "height": 844}, reduced_motion="reduce") as desk:
        desk.opens(f"/fleet/plans/{plan}")
        row = desk.page.locator("#plan-panel tbody tr")
        unknown, challans = row.locator(".without").bounding_box(), row.locator(".counted").bounding_box()
        assert unknown
        assert challans
        assert unknown["y"] + unknown["height"] <= challans["y"]


def test_the_sheet_of_codes_has_twelve_to_a_page_and_none_is_cut(office: Office, browser: Browser) -> None:
    run, listed = a_searched_run(office, 13)
    meera = office.app.extensions["people"].find(MEERA.email)
    links = planned(office.services, listed)
    plan = office.services.fleet_plans.start("Layout", links, hours=48, person_id=meera.id, run_id=run)
    take_parts(office.services, plan)
    with tab_of(browser, office, MEERA, reduced_motion="reduce") as desk:
        desk.opens(f"/fleet/plans/{plan}/sheet")
        expect(desk.page.locator(".fleet-code .qr")).to_have_count(13)
        assert len(_PAGE.findall(desk.page.pdf(prefer_css_page_size=True))) == 2
        desk.page.emulate_media(media="print")
        cut = desk.page.locator(".fleet-code").evaluate_all(
            "all => all.filter(e => e.scrollHeight > e.clientHeight + 1).length"
        )
        assert cut == 0


def test_the_bar_of_a_vehicle_of_the_review_covers_no_row(office: Office, browser: Browser) -> None:
    run, listed = a_searched_run(office, 1, challans=3)
    with tab_of(browser, office, MEERA, viewport={"width": 1280, "height": 800}, reduced_motion="reduce") as desk:
        desk.opens(f"/fleet/runs/{run}/review/vehicles/{listed[0].rc}")
        row, bar = desk.page.locator("tbody tr").last.bounding_box(), desk.page.locator(".selection-bar").bounding_box()
        assert row
        assert bar
        assert row["y"] + row["height"] <= bar["y"] + 1


def test_on_a_phone_the_button_of_a_plan_is_one_line_in_sight_and_what_more_holds_floats(
    office: Office, browser: Browser
) -> None:
    run, _listed = a_searched_run(office, 2, challans=101)
    with tab_of(browser, office, MEERA, viewport={"width": 390, "height": 640}, reduced_motion="reduce") as desk:
        desk.opens(f"/fleet/runs/{run}/review/plan")
        button = desk.page.get_by_role("button", name="Create 4 links")
        box, menu = button.bounding_box(), desk.page.locator(".site-nav").bounding_box()
        assert box
        assert menu
        assert box["y"] + box["height"] <= menu["y"]
        lines = button.evaluate("button => button.clientHeight / parseFloat(getComputedStyle(button).lineHeight)")
        assert lines < 3, "with the room above and below it"
        button.click()
        expect(desk.page.get_by_role("heading", name="Links of Layout")).to_be_visible()
        take_parts(office.services, urlsplit(desk.page.url).path.rpartition("/")[2])
        desk.page.reload()
        panel = desk.page.locator("#plan-links")
        before = panel.bounding_box()
        assert before
        desk.page.locator("#plan-more").click()
        expect(desk.page.get_by_role("link", name="QR codes to print")).to_be_visible()
        assert panel.bounding_box() == before
        expect(desk.page.get_by_role("button", name="Copy · MH14 LY 0000").first).to_be_visible()


def test_on_a_phone_a_message_about_several_links_is_shown_whole_when_that_is_asked_for(
    office: Office, browser: Browser
) -> None:
    run, listed = a_searched_run(office, 6)
    meera = office.app.extensions["people"].find(MEERA.email)
    links = planned(office.services, listed)
    plan = office.services.fleet_plans.start("Layout", links, hours=48, person_id=meera.id, run_id=run)
    take_parts(office.services, plan)
    is_whole = "message => message.scrollHeight <= message.clientHeight + 1"
    with tab_of(browser, office, MEERA, viewport={"width": 390, "height": 640}, reduced_motion="reduce") as desk:
        desk.adds_a_driver(name="Lakshmi Iyer", phone="98765 43210", vehicles=", ".join(each.rc for each in listed))
        expect(desk.page.get_by_role("link", name="Lakshmi Iyer", exact=True)).to_be_visible()
        desk.opens(f"/fleet/plans/{plan}/share")
        drivers = desk.page.get_by_role("region", name="By driver").bounding_box()
        codes = desk.page.get_by_role("link", name="QR codes to print").bounding_box()
        assert drivers
        assert codes
        assert drivers["y"] + drivers["height"] <= codes["y"], (
            "who gets the links stands before what is printed of them"
        )
        desk.opens(f"/fleet/plans/{plan}/share/messages")
        message = desk.page.locator(".phone-message")
        assert not message.evaluate(is_whole)
        desk.page.get_by_text("Whole message").click()
        assert message.evaluate(is_whole)
        desk.page.set_viewport_size({"width": 1280, "height": 800})
        desk.page.reload()
        assert message.evaluate(is_whole)
