"""Test the main job from end to end, and its failures, in a real browser."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from dashboard.services.accounts.audit import COMMAND_LINE
from tests.e2e.conftest import RC, Office
from tests.e2e.steps import Desk, Driver
from tests.e2e.tab import is_accessible
from tests.support.people import ASHA, PASSWORD

pytestmark = pytest.mark.e2e


def creates_a_link(desk: Desk, rc: str = RC) -> str:
    desk.opens("/")
    desk.searches(rc)
    desk.sees_vehicle(rc)
    desk.ticks_all_payable()
    desk.reviews()
    desk.creates_the_link()
    return desk.sees_the_link("ACTIVE")


def test_staff_create_a_link_the_driver_pays_and_the_panel_shows_paid(desk: Desk, driver: Driver):
    desk.searches("mh-12 ab 1001")
    desk.sees_vehicle(RC)
    expect(desk.payable()).to_have_count(5)
    desk.ticks("MH1098765430", "MH1098765431")
    expect(desk.page.locator("main")).to_contain_text("2 of 5 selected")
    desk.reviews()
    expect(desk.page.get_by_label("Expires after (hours)")).to_have_value("48")
    desk.creates_the_link()
    desk.sees_the_link("ACTIVE")
    copied = desk.copies_the_payment_url()
    assert copied == desk.payment_url()
    driver.opens(copied)
    driver.pays_by_upi()
    desk.sees_status("PAID")
    expect(desk.page.locator("#link-amounts")).to_contain_text("The service does not say how it was paid.")
    expect(desk.page).to_have_title(re.compile("Paid"))
    expect(desk.page.get_by_role("status").first).to_contain_text("Paid")
    desk.cannot_copy()


def test_the_search_of_a_new_vehicle_asks_for_its_type_and_city_on_the_same_page(desk: Desk, office: Office):
    desk.searches("KA 05 MN 4321")
    desk.is_asked_for_type_and_city("KA 05 MN 4321")
    types = desk.page.get_by_label("RC type").locator("option").all_inner_texts()
    cities = desk.page.get_by_label("City").locator("option").all_inner_texts()
    desk.chooses_type_and_city(types[1], cities[1])
    desk.sees_vehicle("KA05MN4321")
    desk.opens("/")
    desk.searches("ka05mn4321")
    desk.sees_vehicle("KA05MN4321")
    assert office.levers.count("search") == 3


def test_a_challan_on_an_active_link_cannot_be_ticked_and_leads_to_its_link(desk: Desk):
    link_id = creates_a_link(desk)
    desk.opens(f"/vehicles/{RC}")
    expect(desk.payable()).to_have_count(0)
    desk.page.get_by_role("link", name=re.compile("Open the link")).first.click()
    expect(desk.page).to_have_url(re.compile(link_id))


def test_a_conflict_names_what_holds_the_challan_and_offers_the_others(desk: Desk, office: Office):
    desk.searches(RC)
    desk.sees_vehicle(RC)
    vehicle = office.levers.vehicle(RC)
    office.levers.set_challan(vehicle["challans"][0]["id"], status="DISPOSED")
    desk.ticks_all_payable()
    desk.reviews()
    desk.creates_the_link()
    expect(desk.page).to_have_url(re.compile("/requests/"))
    panel = desk.page.locator("#request-panel")
    expect(panel).to_have_attribute("data-state", "REJECTED")
    expect(panel).to_contain_text("Disposed")
    desk.page.get_by_role("button", name="Create with the other 4").click()
    desk.creates_the_link()
    desk.sees_the_link("ACTIVE")


def test_a_lost_answer_is_never_called_failed_and_the_link_is_found(desk: Desk, office: Office):
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks_all_payable()
    desk.reviews()
    office.levers.fault("create_link", "cut", when="after")
    desk.creates_the_link()
    panel = desk.page.locator("#request-panel")
    expect(panel).to_contain_text("The link may or may not exist")
    expect(panel).not_to_contain_text(re.compile("not created|failed", re.IGNORECASE))
    expect(panel).to_have_attribute("data-state", "RECOVERED", timeout=20_000)
    expect(panel.get_by_label("Payment URL")).to_have_value(re.compile("/prepaid-payment/"))
    expect(panel.get_by_role("button", name="Copy link")).to_be_visible()
    assert len(office.levers.truth()["links"]) == 1


@pytest.mark.parametrize(("lever", "status"), [("expire", "EXPIRED"), ("fail", "FAILED"), ("cancel", "CANCELLED")])
def test_the_page_of_an_ended_link_shows_that_without_a_reload_and_it_cannot_be_copied(
    desk: Desk, office: Office, lever: str, status: str
):
    link_id = creates_a_link(desk)
    getattr(office.levers, lever)(link_id)
    desk.sees_status(status)
    desk.cannot_copy()
    desk.page.reload()
    desk.cannot_copy()
    desk.opens(f"/vehicles/{RC}")
    expect(desk.payable()).to_have_count(5)


def test_an_undocumented_state_is_shown_as_sent_and_stays_live(desk: Desk, office: Office):
    link_id = creates_a_link(desk)
    office.levers.set_link(link_id, status="ON_HOLD")
    desk.sees_status("ON_HOLD")
    copy = desk.page.get_by_role("button", name="Copy link")
    expect(copy).to_be_hidden()
    desk.page.get_by_text("Send it anyway").click()
    expect(copy).to_be_visible()
    desk.opens(f"/vehicles/{RC}")
    expect(desk.payable()).to_have_count(0)


HOSTILE = "<script>document.title='owned'</script>\"'><img src=x onerror=document.title='owned'>{{7*7}}"


def test_hostile_text_in_any_field_of_the_service_is_shown_as_text(desk: Desk, office: Office):
    text = dict.fromkeys(("challanNo", "state", "challanType", "challanPlace", "offenseDetails"), HOSTILE)
    office.levers.add_vehicle("KA01AA0001", [{"challanAmount": 500, **text}, {"status": HOSTILE, **text}])
    desk.searches("KA01AA0001")
    desk.sees_vehicle("KA01AA0001")
    expect(desk.page.locator("main")).to_contain_text("<script>")
    desk.ticks_all_payable()
    desk.reviews()
    desk.creates_the_link()
    link_id = desk.sees_the_link("ACTIVE")
    office.levers.set_link(link_id, status=HOSTILE, raw={"paymentUrl": "javascript:alert(1)"})
    desk.sees_status(HOSTILE)
    desk.page.reload()
    desk.cannot_copy()
    assert desk.page.locator("main a[href^='javascript']").count() == 0
    assert desk.page.locator("main img, main script").count() == 0
    assert "owned" not in desk.page.title().split(" · ")[-1]


def test_a_session_that_ends_while_a_panel_polls_leads_to_sign_in_and_back(desk: Desk, office: Office):
    creates_a_link(desk)
    here = desk.page.url
    people = office.app.extensions["people"]
    people.end_sessions(people.find(ASHA.email), by=None, origin=COMMAND_LINE)
    expect(desk.page).to_have_url(re.compile("/sign-in"), timeout=15_000)
    desk.signs_in()
    expect(desk.page).to_have_url(here)


def test_a_create_after_the_session_ended_sends_nothing_and_saves_the_selection(desk: Desk, office: Office):
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks("MH1098765430", "MH1098765433")
    desk.reviews()
    desk.page.get_by_label("Expires after (hours)").fill("72")
    people = office.app.extensions["people"]
    people.end_sessions(people.find(ASHA.email), by=None, origin=COMMAND_LINE)
    desk.creates_the_link()
    expect(desk.page).to_have_url(re.compile("/sign-in"))
    desk.signs_in()
    expect(desk.page).to_have_url(f"{desk.url}/vehicles/{RC}/review")
    expect(desk.page.get_by_label("Expires after (hours)")).to_have_value("72")
    expect(desk.page.locator("main")).to_contain_text("MH1098765433")
    assert office.levers.count("create_link") == 0
    desk.creates_the_link()
    desk.sees_the_link("ACTIVE")


def test_during_an_outage_the_panel_shows_the_last_state_with_its_age_and_recovers(desk: Desk, office: Office):
    link_id = creates_a_link(desk)
    office.levers.fault("link_status", "cut", count=1000)
    panel = desk.page.locator("#link-panel")
    expect(panel).to_contain_text("The service did not answer", timeout=15_000)
    expect(panel).to_have_attribute("data-status", "ACTIVE")
    office.levers.clear_faults()
    office.levers.pay(link_id)
    desk.sees_status("PAID")
    expect(panel).not_to_contain_text("The service did not answer")


def test_an_open_panel_reconnects_after_the_dashboard_restarts(desk: Desk, office: Office):
    link_id = creates_a_link(desk)
    office.stop()
    office.levers.pay(link_id)
    office.start()
    desk.sees_status("PAID")


def test_a_failed_search_explains_why_and_the_number_stays_in_its_field(desk: Desk, office: Office):
    office.levers.fault("search", "cut", count=10)
    desk.searches("MH12 AB 1001")
    expect(desk.page.get_by_text("The service did not answer").first).to_be_visible(timeout=15_000)
    expect(desk.page.get_by_label("RC number")).to_have_value("MH12 AB 1001")


def test_everything_works_without_javascript(browser: Browser, office: Office):
    context = browser.new_context(java_script_enabled=False)
    desk = Desk(context.new_page(), office.url)
    desk.page.set_default_timeout(10_000)
    desk.opens("/")
    desk.signs_in()
    desk.searches("KA05MN4321")
    desk.is_asked_for_type_and_city("KA05MN4321")
    desk.opens("/")
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks("MH1098765430")
    desk.reviews()
    desk.page.get_by_label("Expires after (hours)").fill("12")
    desk.creates_the_link()
    expect(desk.page.locator("main")).to_contain_text("Enter a whole number of hours from 24 to 168.")
    expect(desk.page.get_by_label("Expires after (hours)")).to_have_value("12")
    desk.page.get_by_label("Expires after (hours)").fill("24")
    desk.creates_the_link()
    link_id = desk.sees_the_link("ACTIVE")
    office.levers.pay(link_id)
    desk.page.get_by_role("button", name="Check now").click()
    desk.sees_status("PAID")
    context.close()


def test_everything_works_on_a_phone(browser: Browser, office: Office):
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    desk = Desk(phone.new_page(), office.url)
    desk.page.set_default_timeout(10_000)
    desk.opens("/")
    desk.signs_in()
    creates_a_link(desk)
    wide = desk.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide == 0
    phone.close()


def test_a_password_is_read_while_it_is_typed_and_sent_as_a_password(page: Page, office: Office):
    desk = Desk(page, office.url)
    desk.opens("/sign-in")
    field = page.get_by_label("Password")
    page.get_by_label("Email").fill(ASHA.email)
    field.fill("not the password")
    page.get_by_role("button", name="Show password").click()
    expect(field).to_have_attribute("type", "text")
    expect(field).to_be_focused()
    expect(field).to_have_value("not the password")
    is_accessible(page)
    page.evaluate("addEventListener('submit', () => { globalThis.sentAs = document.querySelector('#password').type; })")
    page.locator("form.stack").evaluate("form => form.addEventListener('submit', event => event.preventDefault())")
    field.press("Enter")
    assert page.evaluate("globalThis.sentAs") == "password"
    expect(page.get_by_role("button", name="Show password")).to_be_visible()


def test_everything_works_with_the_keyboard_alone(page: Page, office: Office):
    desk = Desk(page, office.url)
    desk.opens("/sign-in")
    page.get_by_label("Email").focus()
    page.keyboard.type(ASHA.email)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_label("RC number")).to_be_visible()
    page.get_by_label("RC number").focus()
    page.keyboard.type(RC)
    page.keyboard.press("Enter")
    desk.sees_vehicle(RC)
    reach(page, "Select all payable")
    page.keyboard.press("Space")
    expect(page.locator("main")).to_contain_text("5 of 5 selected")
    reach(page, "Review and create")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/review$"))
    reach(page, "Create payment link")
    page.keyboard.press("Enter")
    desk.sees_the_link("ACTIVE")
    reach(page, "Copy link")
    page.keyboard.press("Enter")
    expect(page.locator("#link-payment")).to_contain_text("Copied")


def reach(page: Page, name: str) -> None:
    """Press Tab until the control of this name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate(
            "() => { const e = document.activeElement; "
            "return (e.labels && e.labels.length ? e.labels[0].textContent : e.textContent || '').trim(); }"
        )
        if focused.startswith(name):
            return
    raise AssertionError(f"{name} cannot be reached with the keyboard")


def test_axe_finds_no_violation_on_any_page_of_the_main_job(desk: Desk, office: Office):
    axe = Axe()
    desk.page.emulate_media(
        reduced_motion="reduce"
    )  # A status that has just changed is animated from one colour to another.

    def check(where: str) -> None:
        for scheme in ("light", "dark"):
            desk.page.emulate_media(color_scheme=scheme)
            found = axe.run(desk.page)
            assert found.violations_count == 0, f"{where}, {scheme}: {found.generate_report()}"

    desk.opens("/")
    check("the first page")
    desk.searches("KA05MN4321")
    desk.is_asked_for_type_and_city("KA05MN4321")
    check("a first search")
    desk.opens("/vehicles/KA05MN4321")
    check("a vehicle never searched")
    desk.opens("/")
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks_all_payable()
    check("a vehicle")
    desk.reviews()
    check("the review")
    office.levers.fault("create_link", "cut", when="after")
    desk.creates_the_link()
    expect(desk.page.locator("#request-panel")).to_be_visible()
    check("a request")
    expect(desk.page.locator("#request-panel")).to_have_attribute("data-state", "RECOVERED", timeout=20_000)
    check("a request that was settled")
    desk.page.get_by_role("link", name="Open the link").click()
    desk.sees_status("ACTIVE")
    check("a link")
    desk.opens("/nothing-here")
    check("not found")
    desk.opens("/")
    check("the first page with something on it")
    desk.page.context.clear_cookies()
    desk.opens("/sign-in")
    check("sign-in")


def test_a_refresh_from_the_source_shows_new_challans_and_the_ticks_stay(desk: Desk, office: Office):
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks("MH1098765430", "MH1098765433")
    office.levers.issue_challan(RC, challanNo="MH2000000001")
    desk.page.get_by_role("button", name="Refresh from source").click()
    expect(desk.payable()).to_have_count(6)
    expect(desk.page.get_by_role("checkbox", name="MH1098765433")).to_be_checked()
    expect(desk.page.get_by_role("checkbox", name="MH1098765431")).not_to_be_checked()
    expect(desk.page.locator("main")).to_contain_text("2 of 6 selected")
    expect(desk.page.locator("tr", has_text="MH2000000001")).to_contain_text("NEW")
    desk.page.get_by_role("checkbox", name="MH1098765431").focus()
    desk.page.keyboard.press("Enter")
    expect(desk.page).to_have_url(re.compile("/review$"))


def test_179_challans_are_planned_as_two_links_and_sent_one_at_a_time(desk: Desk, office: Office):
    office.levers.add_vehicle("HR55AL1790", [{"challanNo": f"HR{n:04}", "challanAmount": 100} for n in range(179)])
    desk.searches("HR55AL1790")
    desk.sees_vehicle("HR55AL1790")
    desk.ticks_all_payable()
    expect(desk.page.locator("main")).to_contain_text("179 challans make 2 links: 100 + 79")
    desk.reviews()
    desk.creates_the_link()
    desk.sees_the_link("ACTIVE")
    assert office.levers.count("create_link") == 1
    desk.page.get_by_role("link", name="Review the next 79").click()
    desk.creates_the_link()
    desk.sees_the_link("ACTIVE")
    assert sorted(len(link["challans"]) for link in office.levers.truth()["links"]) == [79, 100]


def test_when_the_browser_refuses_to_copy_the_payment_url_is_selected(desk: Desk):
    creates_a_link(desk)
    desk.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('denied')); }")
    desk.page.get_by_role("button", name="Copy link").click()
    expect(desk.page.locator("main")).to_contain_text("Ctrl+C")
    assert desk.page.evaluate("getSelection().toString()") == desk.payment_url()
    expect(desk.page.locator("#link-payment")).not_to_contain_text("Copied")
