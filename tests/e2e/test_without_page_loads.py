"""Test that from sign-in on no document is loaded: address, title, focus, menu and Back at every step."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import links_of, tab_of
from tests.e2e.steps import Desk
from tests.e2e.tab import Held, Loads
from tests.support.people import ASHA, MEERA
from tests.support.waiting import until

pytestmark = pytest.mark.e2e


def is_at(desk: Desk, path: str, title: str, place: str) -> None:
    """Check the address, the title, and the current place in the menu."""
    expect(desk.page).to_have_url(re.compile(f"^{re.escape(desk.url)}{path}$"))
    expect(desk.page).to_have_title(re.compile(title))
    expect(desk.page.locator("#site-nav [aria-current=page]")).to_have_text(place)


def test_from_search_to_the_copied_url(desk: Desk, loads: Loads):
    is_at(desk, "/", "Challan Dashboard", "Search")
    desk.searches("mh-12 ab 1001")
    is_at(desk, f"/vehicles/{RC}", "MH12 AB 1001", "Search")
    desk.ticks_all_payable()
    desk.reviews()
    desk.creates_the_link()
    link_id = desk.sees_the_link("ACTIVE")
    is_at(desk, f"/links/{link_id}", "MH12 AB 1001", "Links")
    assert desk.copies_the_payment_url() == desk.payment_url()
    assert loads.addresses == []


def test_the_menu_of_the_person_marks_its_own_places(desk: Desk, loads: Loads):
    here = desk.page.locator(".person-sheet [aria-current=page]")
    expect(here).to_have_count(0)
    desk.page.locator(".person-menu summary").click()
    desk.page.get_by_role("link", name="My account").click()
    expect(desk.page.get_by_role("heading", name="My account", level=1)).to_be_visible()
    expect(here).to_have_text("My account")
    desk.page.locator("#site-nav").get_by_role("link", name="Drivers").click()
    expect(desk.page.locator("#site-nav [aria-current=page]")).to_have_text("Drivers")
    expect(here).to_have_count(0)
    assert loads.addresses == []


def test_a_page_whose_styles_are_not_in_the_first_bundle_has_them(office: Office, browser: Browser):
    links_of(office, "DL01CB2002", ASHA, [500])
    with tab_of(browser, office, MEERA) as meera:
        meera.opens("/")
        documents = Loads(meera.page)
        meera.page.get_by_role("navigation", name="Main").get_by_role("link", name="Overview").click()
        expect(meera.page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
        expect(meera.page.locator(".overview-top")).to_have_css("display", "grid")
        assert documents.addresses == []


def test_a_link_that_is_followed_while_a_form_is_being_answered_is_not_lost(office: Office, browser: Browser):
    with tab_of(browser, office, ASHA) as asha:
        page = asha.page
        asha.opens("/drivers")
        asha.fills_the_driver(name="Ramesh Yadav", phone="98765 43210")
        form, link = Held(page, "/drivers$"), Held(page, "/follow-up$")
        page.get_by_role("button", name="Add the driver").click()
        until(form.count, "the form was not sent")
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Follow up").click()
        until(link.count, "the page was not asked for")
        form.let_go()
        expect(page.locator("main")).to_contain_text("Ramesh Yadav is added.")
        link.let_go()
        expect(page.get_by_role("heading", level=1)).to_have_text("Follow up")
        expect(page).to_have_url(f"{office.url}/follow-up")
        expect(page.locator("#site-nav [aria-current=page]")).to_have_text("Follow up")


def test_back_and_forward_return_to_page_and_place(desk: Desk, loads: Loads):
    desk.page.set_viewport_size({"width": 800, "height": 260})
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.page.evaluate("scrollTo(0, 300)")
    # A click of the test's mouse would scroll to the menu first.
    desk.page.get_by_role("link", name="Links", exact=True).dispatch_event("click")
    is_at(desk, "/links", "Links", "Links")
    assert desk.page.evaluate("scrollY") == 0
    expect(desk.page.locator("#main")).to_be_focused()
    desk.page.go_back()
    is_at(desk, f"/vehicles/{RC}", "MH12 AB 1001", "Search")
    expect(desk.page.locator("html")).to_have_js_property("scrollTop", 300)
    desk.page.go_forward()
    is_at(desk, "/links", "Links", "Links")
    assert loads.addresses == []


def test_following_up_by_rows_keeps_focus_and_half_typed_notes(desk: Desk, office: Office, loads: Loads):
    for rc, fine in (("DL01CB2002", 500), ("DL01CB2003", 2500), ("DL01CB2004", 900)):
        links_of(office, rc, ASHA, [fine])
    with office.services.store.write() as connection:
        connection.exec_driver_sql("UPDATE link SET first_seen_at = '2020-01-01 00:00:00.000000'")
    page = desk.page
    page.evaluate("customElements.whenDefined('challan-table')")  # So has the script that hands the focus on.
    page.get_by_role("navigation", name="Main").get_by_role("link", name=re.compile("^Follow up")).click()
    is_at(desk, "/follow-up", r"Follow up \(3\)", "Follow up 3 waiting")
    rows = page.locator("#follow-not-sent > li")
    expect(rows).to_have_count(3)
    rows.nth(2).locator(".follow-more summary").click()
    rows.nth(2).get_by_label("Note on").fill("half typed")
    rows.nth(0).locator(".follow-more summary").click()
    rows.nth(0).get_by_label("Note on").fill("Called him")
    page.keyboard.press("Enter")
    expect(rows.nth(0)).to_contain_text("Called him")
    expect(rows.nth(0).get_by_label("Note on")).to_have_value("")
    expect(rows.nth(0).locator(".follow-more summary")).to_be_focused()
    rows.nth(0).locator(".follow-more summary").click()
    rows.nth(0).get_by_role("button", name="4 hours").focus()
    page.keyboard.press("Enter")
    expect(rows).to_have_count(2)
    expect(rows.nth(0).locator("summary", has_text="Send to…")).to_be_focused()
    expect(page.locator("#follow-snoozed > li")).to_have_count(1)
    expect(page.get_by_role("heading", name="Snoozed · 1 link")).to_be_visible()
    is_at(desk, "/follow-up", r"Follow up \(2\)", "Follow up 2 waiting")
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(3)
    expect(page.locator("#follow-snoozed > li")).to_have_count(0)
    expect(page.get_by_text("half typed")).to_have_count(0)
    expect(rows.nth(2).get_by_label("Note on")).to_have_value("half typed")
    is_at(desk, "/follow-up", r"Follow up \(3\)", "Follow up 3 waiting")
    assert loads.addresses == []


def test_a_links_own_parts_change_alone(desk: Desk, office: Office, loads: Loads):
    [link_id] = links_of(office, "DL01CB2002", ASHA, [2500])
    page = desk.page
    desk.opens(f"/links/{link_id}")
    loads.addresses.clear()
    page.get_by_text("Add cost centre").click()
    page.get_by_label("Trip").fill("half typed")
    page.get_by_role("button", name="Check now").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#announcer")).to_contain_text("Checked just now. Active")
    expect(page.get_by_role("button", name="Check now")).to_be_focused()
    expect(page.get_by_label("Trip")).to_have_value("half typed")
    page.get_by_role("button", name="Save details").click()
    expect(page.locator("#own-fields dl")).to_contain_text("half typed")
    expect(page.locator("#own-fields summary")).to_be_focused()
    is_at(desk, f"/links/{link_id}", "DL01 CB 2002", "Links")
    assert loads.addresses == []


def test_focus_stays_with_a_link_whose_check_finds_it_paid(desk: Desk, office: Office):
    [link_id] = links_of(office, "DL01CB2002", ASHA, [2500])
    page = desk.page
    page.route("**/panel?*", lambda route: route.fulfill(status=204))
    desk.opens(f"/links/{link_id}")
    office.levers.pay(link_id)
    page.get_by_role("button", name="Check now").focus()
    page.keyboard.press("Enter")
    desk.sees_status("PAID")
    expect(page.get_by_role("button", name="Check now")).to_be_hidden()
    expect(page.locator("#link-panel")).to_be_focused()


def test_what_is_half_typed_beside_a_saved_form_stays(office: Office, desk: Desk, loads: Loads):
    office.signs_in(desk.page.context, MEERA)
    page = desk.page
    desk.opens("/drivers")
    loads.addresses.clear()
    page.get_by_label("Name").fill("Lakshmi")
    page.get_by_label("Phone").fill("12")
    page.get_by_role("button", name="Add the driver").click()
    expect(page.get_by_label("Phone")).to_be_focused()
    page.get_by_label("Phone").fill("98765 43210")
    page.keyboard.press("Enter")
    is_at(desk, r"/drivers\?added=1", "Drivers", "Drivers")
    expect(page.locator("#driver-new")).to_contain_text("Lakshmi is added.")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    expect(page.get_by_label("Name", exact=True)).to_be_empty()
    page.get_by_role("link", name="Open Lakshmi").click()
    is_at(desk, "/drivers/1", "Lakshmi", "Drivers")
    page.get_by_text("Change details", exact=True).click()
    page.get_by_label("Note").fill("half typed")
    page.get_by_role("button", name="Driver has left").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Lakshmi has left")
    expect(page.get_by_role("button", name="Driver is back")).to_be_focused()
    expect(page.get_by_label("Note")).to_have_value("half typed")
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Lakshmi")
    expect(page.get_by_label("Note")).to_have_value("half typed")
    page.get_by_label("Name").fill("Lakshmi Rao")
    page.get_by_role("button", name="Save the driver").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Lakshmi Rao")
    expect(page.get_by_text("Change details", exact=True)).to_be_visible()
    is_at(desk, "/drivers/1", "Lakshmi Rao", "Drivers")
    assert loads.addresses == []

    desk.opens("/messages")
    loads.addresses.clear()
    save = page.get_by_role("button", name="Save message")
    expect(save).not_to_have_class(re.compile("button-primary"))
    expect(page.locator(".text-marks > mark:not(.is-wrong)")).to_have_count(7)
    page.get_by_label("Message in English").fill("Without its {placeholder}")
    expect(page.locator(".text-marks > mark")).to_have_class(["is-wrong"])
    expect(save).to_have_class(re.compile("button-primary"))
    save.click()
    expect(page.get_by_label("Message in English")).to_be_focused()
    expect(page.locator("#wording-en")).to_contain_text("There is no {placeholder}.")
    page.get_by_label("Message in English").fill("Pay here: {url}")
    page.get_by_role("button", name="Save message").click()
    expect(page.locator("#toasts")).to_contain_text("The message in English is saved.")
    expect(page.get_by_role("button", name="Save message")).to_be_focused()
    page.get_by_role("link", name="தமிழ்").click()
    expect(page.get_by_label("Message in Tamil")).to_be_visible()
    is_at(desk, "/messages/ta", "Messages in Tamil", "Messages")
    assert loads.addresses == []
