"""Test the list of links and the find box in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from tests.e2e.conftest import Office
from tests.e2e.manager_steps import ManagersDesk, links_of, own_tab, reach, tab_of
from tests.e2e.tab import Held, Loads
from tests.support.people import ARUN, ASHA, MEERA

pytestmark = pytest.mark.e2e

HERS, OTHER = "DL01CB2002", "KA05MN4321"


@pytest.fixture
def asha(office: Office, page: Page) -> ManagersDesk:
    return own_tab(page, office, ASHA)


def test_the_audit_log_shows_at_once_whom_and_what_is_chosen(page: Page, office: Office):
    arun = own_tab(page, office, ARUN)
    arun.opens("/audit")
    person = page.get_by_label("Person", exact=True)
    loads = Loads(page)
    person.focus()
    person.select_option(label="Arun Das")
    expect(page).to_have_url(re.compile(r"[?&]person=\d"))
    expect(person).to_be_focused()
    expect(person.locator(":checked")).to_have_text("Arun Das")
    assert loads.addresses == []


def test_the_heads_of_a_long_list_cover_the_buttons_that_pass_under_them(asha: ManagersDesk, office: Office):
    links_of(office, HERS, ASHA, [500] * 16)
    asha.opens("/links")
    asha.page.locator(".table-links tbody tr").nth(14).scroll_into_view_if_needed()
    expect(asha.page.locator(".table-links thead th").last).to_be_in_viewport()
    covers = """head => {
        const { right, top, height } = head.getBoundingClientRect();
        return head.contains(document.elementFromPoint(right - 20, top + height / 2));
    }"""
    for head in asha.page.locator(".table-links thead :is(th, td)").all():
        assert head.evaluate(covers), head.inner_text()


@pytest.mark.parametrize(
    ("address", "opens"),
    [("/links", "Dates"), ("/links", "More filters"), ("/links", "Export"), ("/people", "Invite a person")],
)
def test_the_heads_of_a_table_lie_under_what_is_opened_over_them(office: Office, page: Page, address: str, opens: str):
    links_of(office, HERS, ASHA, [500])
    arun = own_tab(page, office, ARUN)
    arun.opens(address)
    page.locator("main summary", has_text=opens).first.click()
    sheet = page.locator("main details[open] .drop-sheet:visible").last
    expect(sheet).to_be_visible()
    covered = sheet.evaluate("""sheet => {
        const { left, right, top, bottom } = sheet.getBoundingClientRect();
        const under = [];
        for (let y = top + 4; y < Math.min(bottom, innerHeight) - 4; y += 8)
            for (let x = left + 4; x < right - 4; x += 24)
                if (!sheet.contains(document.elementFromPoint(x, y))) under.push([x, y]);
        return under;
    }""")
    assert covered == []


def test_staff_filter_and_sort_the_list_and_save_it_as_a_view(asha: ManagersDesk, office: Office, browser: Browser):
    first, second, third = links_of(office, HERS, ASHA, [500, 2500, 900])
    [hers] = links_of(office, OTHER, MEERA, [7000])
    office.levers.pay(second)
    office.polls_until(second, status="PAID")
    asha.opens("/")
    asha.page.get_by_role("navigation", name="Main").get_by_role("link", name="Links").click()
    asha.sees_links(hers, third, second, first)
    asha.tab("Active").click()
    asha.sees_links(hers, third, first)
    expect(asha.page).to_have_url(re.compile("[?&]state=ACTIVE"))
    expect(asha.page.locator("#links-rows")).to_contain_text("3 links match this filter")

    # The list follows what is typed, without Enter.
    asha.page.locator("#filter-q").press_sequentially(HERS[-6:])
    expect(asha.page).to_have_url(re.compile(f"[?&]q={HERS[-6:]}"))
    asha.sees_links(third, first)
    expect(asha.page.locator("#filter-q")).to_be_focused()
    asha.page.locator("#filter-q").fill("")
    asha.sees_links(hers, third, first)

    # An invalid value gets an error at its field, stays as typed, and filters nothing.
    asha.filters(creator="Asha Rao", least="a lot")
    expect(asha.page.locator("#filter-least")).to_have_value("a lot")
    expect(asha.page.locator("#filter-least-error")).to_have_text("Enter an amount such as 2500 or 2,500.50.")
    asha.sees_links(third, first)
    asha.filters(least="600")
    asha.sees_links(third)

    # A saved view belongs to one person, and is only an address.
    asha.page.locator("#save-view").click()
    asha.page.get_by_label("Name of the view").fill("My open ones")
    asha.page.get_by_role("button", name="Save the view").click()
    expect(asha.page.get_by_role("link", name="My open ones")).to_have_attribute("aria-current", "true")
    loads = Loads(asha.page)
    asha.page.get_by_role("link", name="Clear the filter").click()
    asha.sees_links(hers, third, second, first)
    expect(asha.page).to_have_url(f"{office.url}/links")
    expect(asha.tab("Active")).not_to_have_attribute("aria-current", "true")
    expect(asha.page.locator("#filter-least")).to_have_value("")
    expect(asha.page.locator("#links-count")).to_be_focused()
    asha.page.locator("h1").evaluate("title => { title.dataset.same = 'page'; }")
    asha.page.get_by_role("link", name="My open ones").click()
    asha.sees_links(third)
    expect(asha.tab("Active")).to_have_attribute("aria-current", "true")
    expect(asha.page.locator("#filter-least")).to_have_value("600")
    expect(asha.page.get_by_role("link", name="My open ones")).to_be_focused()
    expect(asha.page.locator("h1[data-same=page]")).to_be_visible()
    assert loads.addresses == []
    asha.page.get_by_role("link", name="Clear the filter").click()
    asha.sees_links(hers, third, second, first)
    asha.page.get_by_role("link", name="Amount").click()
    asha.sees_links(hers, second, third, first)
    expect(asha.page.get_by_role("columnheader", name="Amount")).to_have_attribute("aria-sort", "descending")
    asha.page.get_by_role("link", name="Amount").click()
    asha.sees_links(first, third, second, hers)
    asha.page.go_back()
    asha.sees_links(hers, second, third, first)
    asha.page.reload()
    asha.sees_links(hers, second, third, first)
    with tab_of(browser, office, MEERA) as meera:
        meera.opens("/links")
        expect(meera.rows()).to_have_count(4)
        expect(meera.page.get_by_role("link", name="My open ones")).to_have_count(0)
    asha.page.get_by_role("link", name="My open ones").click()
    asha.sees_links(third)
    asha.page.get_by_role("button", name="Delete the view My open ones").click()
    expect(asha.page.get_by_role("link", name="My open ones")).to_have_count(0)


def test_of_the_ticked_links_those_that_can_be_paid_are_followed_up(asha: ManagersDesk, office: Office):
    first, second, paid = links_of(office, HERS, ASHA, [500, 2500, 900])
    office.levers.pay(paid)
    office.polls_until(paid, status="PAID")
    asha.opens("/links")
    bar, box = asha.page.locator("chosen-rows"), "tr[data-row='{}'] [name=link]"
    said, follow_up = bar.locator(".chosen-count"), bar.get_by_role("button", name="Follow up")
    asha.page.locator(box.format(paid)).check()
    expect(said).to_have_text("1 chosen · nothing to follow up: paid or ended")
    expect(follow_up).to_be_disabled()
    asha.page.locator(box.format(first)).check()
    expect(said).to_have_text(re.compile(r"^2 chosen · ₹5\d\d\.\d\d to collect · 1 not sent · 1 without a driver$"))
    expect(bar.locator("[data-send]")).to_have_text("Choose drivers")
    expect(follow_up).to_have_text("Follow up 1 of 2")
    asha.page.locator(box.format(second)).check()
    expect(follow_up).to_have_text("Follow up 2 of 3")
    asha.page.locator(box.format(paid)).uncheck()
    expect(follow_up).to_have_text("Follow up")
    asha.page.locator(box.format(paid)).check()
    follow_up.click()
    expect(asha.page.locator("#toasts")).to_contain_text("2 links are in Follow up.")


def test_the_bar_sends_what_was_not_sent_and_reminds_of_the_rest_apart(asha: ManagersDesk, office: Office):
    first, second, third = links_of(office, HERS, ASHA, [500, 2500, 900])
    [driverless] = links_of(office, OTHER, ASHA, [700])
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails("Ramesh Yadav", "98765 43210", None, "en", None, (HERS,))
    driver = office.services.drivers.add(details, person)
    office.services.sharing.record_share(first, Channel.WHATSAPP, person, driver, "en")
    asha.opens("/links")
    bar = asha.page.locator("chosen-rows")
    send, remind = bar.locator("[data-send]"), bar.locator("[name=remind]")
    for link_id, sends, reminds in (
        (first, "Remind 1", ""),
        (second, "Send 1", "Remind 1"),
        (third, "Send 2", "Remind 1"),
        (driverless, "Send 2", "Remind 1"),
    ):
        asha.page.locator(f"tr[data-row='{link_id}'] [name=link]").check()
        expect(send).to_have_text(sends)
        expect(remind).to_have_text(reminds) if reminds else expect(remind).to_be_hidden()
    remind.click()
    expect(asha.page.locator(f"#reminder[data-row='{first}'] .reminder-links li")).to_have_count(1)
    asha.opens("/links")
    asha.page.get_by_role("checkbox", name="Choose all on this page").check()
    send.click()
    messages = asha.page.locator("#reminder .reminder-links li")
    expect(messages).to_have_count(2)
    expect(asha.page.locator("#left-out-title + ul").get_by_text(re.compile("^Sent "))).to_have_count(1)


def test_ticks_outlast_a_filter_another_page_and_back(asha: ManagersDesk, office: Office):
    made = links_of(office, HERS, ASHA, [500 + n for n in range(52)])
    page = asha.page
    bar = page.locator("chosen-rows")
    said, box = bar.locator(".chosen-count"), "tr[data-row='{}'] [name=link]"
    asha.opens("/links")
    page.locator(box.format(made[51])).check()
    expect(said).to_have_text(re.compile("^1 chosen · ₹"))
    page.get_by_role("link", name="Next 50").click()
    asha.sees_links(made[1], made[0])
    expect(said).to_have_text(re.compile("^1 chosen · 1 not on this page · ₹"))
    page.locator(box.format(made[0])).check()
    page.locator(".table-links tbody a").first.click()
    expect(page).to_have_url(f"{asha.url}/links/{made[1]}")
    page.go_back()
    expect(page.locator(box.format(made[0]))).to_be_checked()
    expect(said).to_have_text(re.compile("^2 chosen · 1 not on this page · ₹"))
    bar.get_by_role("button", name="Clear").click()
    expect(bar).to_be_hidden()
    page.get_by_role("checkbox", name="Choose all on this page").check()
    bar.get_by_role("button", name="Choose all 52").click()
    expect(said).to_have_text(re.compile("^52 chosen · 50 not on this page · ₹"))
    bar.get_by_role("button", name="Follow up").click()
    expect(page.locator("#toasts")).to_contain_text("52 links are in Follow up.")
    expect(bar).to_be_hidden()


def test_the_list_updates_when_links_enter_and_leave_its_filter(asha: ManagersDesk, office: Office):
    [link_id] = links_of(office, HERS, ASHA, [500])
    asha.opens("/links?state=ACTIVE")
    asha.sees_links(link_id)
    asha.page.locator("body").evaluate("body => { body.dataset.same = 'page'; }")
    office.levers.pay(link_id)
    office.polls_until(link_id, status="PAID")
    asha.comes_back_to_the_tab()
    region = asha.page.locator("#links-rows")
    expect(region).to_contain_text("No active links")
    expect(asha.page.locator("#links-sum")).to_have_text("0 links match this filter")
    [new] = links_of(office, OTHER, MEERA, [900])
    asha.comes_back_to_the_tab()
    expect(region).to_contain_text("1 link matches this filter")
    asha.sees_links(new)
    expect(asha.rows()).to_have_class(re.compile("arrived"))
    expect(asha.page.locator("body")).to_have_attribute("data-same", "page")


def test_paging_a_long_list_by_keyboard_shows_every_link_once(asha: ManagersDesk, office: Office):
    made = links_of(office, OTHER, ASHA, [500 + n for n in range(54)])
    page = asha.page
    asha.opens("/links")
    asha.sees_links(*reversed(made[4:]))
    reach(page, "Next 50")
    page.keyboard.press("Enter")
    asha.sees_links(*reversed(made[:4]))
    reach(page, "Previous 50")
    page.keyboard.press("Enter")
    asha.sees_links(*reversed(made[4:]))
    expect(page.get_by_role("link", name="Previous 50")).to_have_count(0)
    # The find box keeps the focus until it is closed.
    page.keyboard.press("/")
    expect(page.get_by_label("Find anything")).to_be_focused()
    page.keyboard.press("Escape")
    reach(page, "RC number, challan number, driver or link ID")
    page.keyboard.type(f"{OTHER}C07")
    page.keyboard.press("Enter")
    asha.sees_links(made[7])
    reach(page, "Save this view")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name of the view")).to_be_focused()
    page.keyboard.type("Seven")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Seven")).to_be_visible()
    reach(page, "KA05 MN 4321")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{asha.url}/links/{made[7]}")


def test_the_find_box_finds_everything_without_a_call_to_the_service(asha: ManagersDesk, office: Office):
    first, _, _ = links_of(office, HERS, ASHA, [500, 2500, 900])
    asked = office.levers.count("search"), office.levers.count("create_link")
    asha.opens("/links")
    asha.finds("dl-01 cb 2002")
    asha.sees_vehicle(HERS)
    asha.finds(f"{HERS}C01")
    asha.sees_status("ACTIVE")
    asha.finds(first)
    expect(asha.page).to_have_url(f"{asha.url}/links/{first}")
    asha.finds(f"{HERS}C")
    expect(asha.page.get_by_role("heading", name="Challans (3)")).to_be_visible()
    asha.page.get_by_role("link", name=f"{HERS}C00").click()
    expect(asha.page).to_have_url(f"{asha.url}/links/{first}")
    asha.opens("/follow-up")
    asha.finds("DL01CA9999")
    expect(asha.page.locator("main")).to_contain_text("DL01 CA 9999 has not been searched yet")
    asha.is_accessible_and_fits_phones("nothing found")
    asha.opens("/drivers")
    asha.finds("no/such/thing")
    expect(asha.page.locator("h1")).to_contain_text("no/such/thing")
    assert asked == (office.levers.count("search"), office.levers.count("create_link"))


def test_the_list_is_filtered_sorted_saved_and_searched_without_javascript(office: Office, browser: Browser):
    first, second, third = links_of(office, HERS, ASHA, [500, 2500, 900])
    with tab_of(browser, office, MEERA, java_script_enabled=False) as tab:
        tab.opens("/links")
        tab.filters(least="600")
        tab.sees_links(third, second)
        tab.page.get_by_role("link", name="Amount").click()
        tab.sees_links(second, third)
        tab.page.locator("#save-view").click()
        tab.page.get_by_label("Name of the view").fill("Large")
        tab.page.get_by_role("button", name="Save the view").click()
        tab.page.get_by_role("link", name="Clear the filter").click()
        tab.page.get_by_role("link", name="Large").click()
        tab.sees_links(second, third)
        tab.page.get_by_label("Find anything").fill(first)
        tab.page.get_by_role("button", name="Go", exact=True).click()
        tab.sees_status("ACTIVE")


def test_filters_are_applied_at_once_and_leave_focus_place_and_text_alone(asha: ManagersDesk, office: Office):
    first, second, third = links_of(office, HERS, ASHA, [500, 2500, 900])
    page = asha.page
    page.set_viewport_size({"width": 1000, "height": 300})
    asha.opens("/links?vehicle=DL01")
    loads = Loads(page)
    expect(page.get_by_role("button", name="Filter", exact=True)).to_be_hidden()
    page.locator("#save-view").click()
    page.get_by_label("Name of the view").fill("Half typed")
    page.keyboard.press("Escape")
    asha.opens_more_filters()
    paid = page.get_by_role("checkbox", name="Paid")
    paid.focus()
    place = page.evaluate("scrollY")
    assert place > 0, "the box was scrolled into sight"
    page.keyboard.press("Space")
    expect(page.locator("#links-rows")).to_contain_text("No link matches this filter.")
    expect(page).to_have_url(f"{asha.url}/links?state=PAID&vehicle=DL01")
    expect(page.locator("#announcer")).to_have_text("0 links match this filter")
    expect(paid).to_be_focused()
    assert page.evaluate("scrollY") == place
    expect(page.get_by_label("Name of the view")).to_have_value("Half typed")
    page.keyboard.press("Space")
    asha.sees_links(third, second, first)
    expect(page).to_have_url(f"{asha.url}/links?vehicle=DL01")
    page.get_by_label("Min amount").fill("a lot")
    page.keyboard.press("Enter")
    expect(page.locator("#filter-least-error")).to_have_text("Enter an amount such as 2500 or 2,500.50.")
    expect(page.get_by_label("Min amount")).to_have_attribute("aria-invalid", "true")
    asha.is_accessible_and_fits_phones("a filter that cannot be read")
    asha.filters(least="600")
    asha.sees_links(third, second)
    expect(page.get_by_label("Min amount")).not_to_have_attribute("aria-invalid", "true")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Min amount")).to_be_hidden()
    page.get_by_role("link", name="Amount").click()
    asha.sees_links(second, third)
    expect(page.get_by_role("link", name="Amount")).to_be_focused()
    page.go_back()
    asha.sees_links(third, second)
    expect(page.get_by_label("Min amount")).to_have_value("600")
    page.locator("#save-view").click()
    page.get_by_label("Name of the view").fill("Large")
    page.get_by_role("button", name="Save the view").click()
    view = page.get_by_role("link", name="Large")
    expect(view).to_be_focused()
    page.get_by_role("button", name="Delete the view Large").click()
    expect(view).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(view).to_be_visible()
    asha.sees_links(third, second)
    assert loads.addresses == []


def test_whom_a_link_is_sent_to_is_chosen_in_its_row(asha: ManagersDesk, office: Office):
    [link_id] = links_of(office, HERS, ASHA, [500])
    asha.opens("/links")
    page = asha.page
    row = page.locator(f"#row-{link_id}")
    row.get_by_role("link", name="Send to…").click()
    expect(row.get_by_label("Driver or phone number").or_(row.get_by_role("combobox"))).to_be_visible()
    expect(page).to_have_url(f"{asha.url}/links")
    page.keyboard.press("Escape")
    expect(row.locator("details[open]")).to_have_count(0)
    expect(row.locator("summary")).to_be_focused()


def test_a_link_is_followed_although_its_list_is_drawn_anew_meanwhile(asha: ManagersDesk, office: Office):
    links_of(office, HERS, ASHA, [500])
    links_of(office, OTHER, ASHA, [700])
    page = asha.page
    asha.opens("/vehicles")
    list_held, page_held = Held(page, r"/vehicles\?q="), Held(page, f"/vehicles/{HERS}$")
    with page.expect_request(re.compile(r"\?q=")):
        page.get_by_role("searchbox", name="RC number or part of it").press_sequentially("DL01")
    with page.expect_request(re.compile(f"/vehicles/{HERS}$")):
        page.get_by_role("link", name="DL01 CB 2002", exact=True).click()
    list_held.let_go()
    expect(page.locator("#known-list tbody tr")).to_have_count(1)
    page_held.let_go()
    asha.sees_vehicle(HERS)
    page.go_back()
    expect(page).to_have_url(f"{office.url}/vehicles?q=DL01")
    expect(page.get_by_role("searchbox", name="RC number or part of it")).to_have_value("DL01")
    expect(page.locator("#known-list tbody tr")).to_have_count(1)
