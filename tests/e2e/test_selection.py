"""Test the selection of challans: ticks, the server's answers to them, filters, and lists swapped in place."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from io import BytesIO

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import Office
from tests.e2e.steps import Desk
from tests.e2e.tab import Held, Loads
from tests.support.people import ASHA, MEERA
from tests.support.waiting import until
from tests.support.web_client import WebClient
from tests.web import steps

RC = "MH12AB2300"
COUNT = 18


@pytest.fixture
def many(office: Office) -> None:
    """Add a vehicle with enough challans to filter them."""
    orders = [
        {
            "challanNo": f"MH{number:02}",
            "challanAmount": 100 * number,
            "offenseDetails": "No insurance" if number % 6 == 0 else "No parking",
            "state": "Kerala" if number % 2 else "Punjab",
        }
        for number in range(1, COUNT + 1)
    ]
    office.levers.add_vehicle(RC, orders)


def selected_by(office: Office, count: int) -> None:
    """Wait until Asha's stored selection has this many challans."""
    person = office.app.extensions["people"].find(ASHA.email)
    until(lambda: len(office.services.selections.of(person.id, RC).challan_ids) == count, "the selection was not saved")


def summary(page: Page) -> str:
    return page.locator("#selection-summary [data-words]").inner_text()


def looks_ticked(tick: bytes) -> bool:
    """Return whether a picture of a box holds a light mark on a dark ground."""
    levels = Image.open(BytesIO(tick)).convert("L").crop((4, 4, 14, 14)).getextrema()
    return levels[0] < 120 and levels[1] > 220


def box(page: Page, number: int):
    return page.get_by_role("checkbox", name=f"MH{number:02}", exact=True)


def violations(page: Page) -> str:
    results = Axe().run(page)
    return results.generate_report() if results.violations_count else ""


def test_a_ticked_challan_shows_a_mark_in_its_box(desk: Desk, many: None):
    desk.lists(RC)
    first = box(desk.page, 1)
    assert not looks_ticked(first.screenshot())
    first.check()
    assert looks_ticked(first.screenshot())


def test_a_search_puts_the_focus_on_select_all_and_says_what_was_found(desk: Desk, many: object, loads: Loads):
    desk.lists(RC)
    desk.sees_vehicle(RC)
    expect(desk.page.get_by_label("Select all payable")).to_be_focused()
    expect(desk.page.locator("#announcer")).to_have_text(f"MH12 AB 2300: {COUNT} can be paid, 0 on a link")
    assert loads.addresses == []


def test_a_vehicle_without_challans_puts_the_focus_on_refresh(desk: Desk, office: Office):
    office.levers.add_vehicle("MH12AB2301")
    desk.searches("MH12AB2301")
    desk.sees_vehicle("MH12AB2301")
    expect(desk.page.get_by_role("button", name="Refresh from source")).to_be_focused()


def test_a_tick_counts_at_once_and_the_server_confirms_it(desk: Desk, many: object, loads: Loads):
    desk.lists(RC)
    box(desk.page, 1).check()
    assert summary(desk.page).startswith(f"1 of {COUNT} selected · ₹")
    desk.sees_saved("saved")
    counted = summary(desk.page)
    desk.opens(f"/vehicles/{RC}")
    assert summary(desk.page) == counted, "it is saved"
    expect(box(desk.page, 1)).to_be_checked()


def test_an_answer_to_an_earlier_tick_never_takes_the_place_of_a_later_one(desk: Desk, many: object):
    desk.lists(RC)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    desk.page.route(f"**/vehicles/{RC}/selection", hold)
    with desk.page.expect_request(f"**/vehicles/{RC}/selection"):
        box(desk.page, 1).check()
    box(desk.page, 2).check()
    desk.sees_saved(f"2 of {COUNT} selected")
    assert len(held) == 2
    assert "step=" in (held[1].request.post_data or "")


def test_a_tick_that_replaces_one_on_its_way_and_a_review_leave_the_console_empty(desk: Desk, many: object):
    desk.lists(RC)
    page, said, held = desk.page, list[str](), list[Route]()
    page.on("console", lambda message: said.append(message.text))
    page.route("**/selection", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/selection"):
        box(page, 1).check()
    box(page, 2).check()
    desk.reviews()
    expect(page.locator("#review input[name=challan]")).to_have_count(2)
    assert said == []


def test_an_answer_to_a_form_that_was_sent_before_the_script_had_come_does_not_contradict_the_boxes(
    desk: Desk, many: object
):
    page, held = desk.page, list[Route]()
    script = Held(page, r"/lazy\.js")
    desk.opens("/")
    desk.searches(RC)
    desk.sees_vehicle(RC)
    until(script.count, "the script was not asked for")
    page.route("**/selection", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/selection"):
        page.get_by_role("button", name="Review and create").click()
    page.get_by_text("Select all payable").click()
    script.let_go()
    desk.sees_saved(f"{COUNT} of {COUNT} selected")
    held[0].continue_()
    expect(page.locator("form[aria-busy], .is-waiting")).to_have_count(0)
    desk.sees_saved(f"{COUNT} of {COUNT} selected")
    expect(page.locator("main").get_by_text("Tick a challan first.")).to_be_hidden()
    desk.reviews()


def test_ticks_that_follow_each_other_at_once_are_sent_as_one(desk: Desk, many: object):
    desk.lists(RC)
    desk.sees_vehicle(RC)
    sent: list[str] = []
    desk.page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/selection") else None)
    desk.page.evaluate("document.querySelectorAll('input[name=challan]').forEach((box, at) => at < 3 && box.click())")
    desk.sees_saved(f"3 of {COUNT} selected")
    assert len(sent) == 1


def test_a_challan_that_was_taken_meanwhile_is_named_and_not_counted(desk: Desk, office: Office, many: object):
    desk.lists(RC)
    desk.sees_vehicle(RC)
    colleague = WebClient(office.app)
    colleague.is_signed_in(MEERA.email)
    steps.create(colleague, "MH02", rc=RC)
    desk.ticks("MH01", "MH02")
    said = desk.page.locator("main").get_by_text("MH02 can no longer be paid, and is not counted.")
    expect(said).to_be_visible()
    assert summary(desk.page).startswith(f"1 of {COUNT - 1} selected")
    box(desk.page, 3).check()
    assert summary(desk.page).startswith(f"2 of {COUNT - 1} selected"), "in the browser too"
    desk.reviews()
    expect(desk.page.locator("main")).to_contain_text("Meera Iyer created a payment link for one of these challans")


def test_select_all_ticks_what_a_filter_shows_and_hidden_ticks_are_cleared(desk: Desk, many: object, loads: Loads):
    desk.lists(RC)
    page = desk.page
    box(page, 1).check()
    page.get_by_label("Contains").fill("insurance")
    expect(page.locator("[data-group=payable] .group-head")).to_contain_text("3 of 18 shown · ₹4,024.80")
    page.get_by_label("Select the 3 shown").check()
    expect(page.get_by_text("All 3 shown are selected")).to_be_visible()
    assert summary(page).startswith(f"4 of {COUNT} selected")
    expect(page.locator("main").get_by_text("3 shown, 1 hidden also selected")).to_be_visible()
    assert violations(page) == ""
    expect(page.get_by_role("button", name="Clear all 4")).to_be_visible()
    page.get_by_role("button", name="Clear hidden").click()
    expect(page.get_by_role("button", name="Clear", exact=True)).to_be_visible()
    desk.sees_saved(f"3 of {COUNT} selected")
    expect(page.locator("main").get_by_text("hidden also selected")).to_be_hidden()
    page.get_by_label("Contains").fill("no such thing")
    expect(page.locator("main").get_by_text("No challan fits this filter.")).to_be_visible()
    expect(page.locator(".table-challans")).to_be_hidden()
    # One button for the list, and one for what is selected.
    clears = page.locator("main").get_by_role("button", name=re.compile("Show all|Clear"))
    expect(clears).to_have_text(["Show all", "Clear hidden"])
    expect(page.locator(".select-all")).to_be_hidden()
    expect(page.locator("main").get_by_role("button", name="Show all")).to_have_count(1)
    page.locator("[data-no-hit]").get_by_role("button", name="Show all").click()
    expect(page.locator("tr.challan:visible")).to_have_count(COUNT)
    expect(page.locator("[data-group=payable] .group-shown")).to_be_hidden()
    assert loads.addresses == []


def test_what_is_all_selected_is_said_and_not_offered_again(desk: Desk, many: object):
    desk.lists(RC)
    page = desk.page
    everything, said = page.get_by_label("Select all payable"), page.get_by_text(f"All {COUNT} selected")
    expect(said).to_be_hidden()
    everything.check()
    expect(said).to_be_visible()
    assert page.locator(".select-words").evaluate("each => each.getBoundingClientRect().width") == 1
    assert violations(page) == ""
    desk.sees_saved(f"{COUNT} of {COUNT} selected")
    page.reload()
    expect(said).to_be_visible()
    everything.uncheck()
    expect(said).to_be_hidden()
    desk.sees_saved(f"0 of {COUNT} selected")


def test_filter_and_order_stand_in_the_address_and_come_back(desk: Desk, many: object, loads: Loads):
    desk.lists(RC)
    page = desk.page
    page.get_by_label("State").select_option("Kerala")
    page.get_by_label("Contains").fill("insurance")
    page.get_by_label("Contains").fill("parking")
    page.get_by_role("button", name="Fine").click()
    page.get_by_role("button", name="Fine").click()
    expect(page).to_have_url(f"{desk.url}/vehicles/{RC}?text=parking&state=Kerala&order=-amount")
    shown = page.locator("tr.challan:visible .challan-no label")
    listed = shown.all_text_contents()
    assert listed[0] == "MH17"
    box(page, 17).check()
    desk.sees_saved("saved")
    page.get_by_role("link", name="Links", exact=True).click()
    expect(page).to_have_url(f"{desk.url}/links")
    page.go_back()
    expect(shown).to_have_text(listed)
    expect(page.get_by_label("Contains")).to_have_value("parking")
    expect(box(page, 17)).to_be_checked()
    assert loads.addresses == []
    page.reload()
    expect(shown).to_have_text(listed)
    expect(page.locator("th[aria-sort=descending]")).to_have_text("Fine")


def test_shift_ticks_a_range_by_mouse_and_by_keyboard(desk: Desk, many: object):
    desk.lists(RC)
    page = desk.page
    ticked = page.locator("tr.challan :checked")
    numbers = page.locator("tr.challan-payable")
    numbers.nth(1).locator(".offence").click()
    numbers.nth(4).locator(".offence").click(modifiers=["Shift"])
    expect(ticked).to_have_count(4)
    numbers.nth(6).get_by_role("checkbox").focus()
    page.keyboard.press("Shift+Space")
    expect(ticked).to_have_count(6)
    numbers.nth(5).get_by_role("checkbox").click(modifiers=["Shift"])
    expect(ticked).to_have_count(4)
    desk.sees_saved(f"4 of {COUNT} selected")


def test_ticks_of_an_earlier_visit_are_announced_and_cleared(desk: Desk, many: object, loads: Loads):
    desk.lists(RC)
    page = desk.page
    desk.ticks("MH03", "MH04")
    desk.sees_saved("saved")
    page.get_by_role("link", name="Search", exact=True).click()
    expect(page).to_have_url(f"{desk.url}/")
    desk.lists(RC)
    expect(page.locator("main").get_by_text("Selection kept")).to_be_visible()
    expect(page.locator("#announcer")).to_contain_text("Selection kept")
    assert violations(page) == ""
    page.get_by_role("button", name="Clear", exact=True).click()
    desk.sees_saved(f"0 of {COUNT} selected")
    expect(page.locator("main").get_by_text("Selection kept")).to_be_hidden()
    expect(page.locator("main").get_by_text("2 ticks cleared")).to_be_visible()
    expect(page.locator("#announcer")).to_contain_text("2 ticks cleared")
    assert violations(page) == ""
    page.keyboard.press("u")
    desk.sees_saved(f"2 of {COUNT} selected")
    expect(box(page, 3)).to_be_checked()
    expect(page.locator("main").get_by_text("ticks cleared")).to_be_hidden()
    desk.ticks("MH05")
    desk.reviews()
    page.get_by_role("button", name="Close").click()
    expect(box(page, 5)).to_be_checked()
    expect(page.locator("main").get_by_text("Selection kept")).to_be_hidden()
    assert loads.addresses == []


def test_what_was_ticked_earlier_is_not_said_after_a_tick_but_can_still_be_cleared(desk: Desk, many: object):
    desk.lists(RC)
    page = desk.page
    desk.ticks("MH03", "MH04")
    desk.sees_saved("saved")
    page.reload()
    said = page.locator("main").get_by_text("Selection kept")
    expect(said).to_be_visible()
    desk.ticks("MH05")
    expect(said).to_be_hidden()
    page.get_by_role("button", name="Clear", exact=True).click()
    desk.sees_saved(f"0 of {COUNT} selected")
    expect(page.get_by_role("button", name="Clear", exact=True)).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_oldest_are_ticked_at_once_and_come_into_view_in_their_place(desk: Desk, office: Office, width: int):
    days = {f"MH{number:02}": 100 - number for number in range(1, COUNT + 1)}
    days["MH17"], days["MH02"] = 400, 300
    now = datetime.now(UTC)
    orders = [{"challanNo": name, "challanDate": (now - timedelta(days=age)).isoformat()} for name, age in days.items()]
    office.levers.add_vehicle(RC, orders)
    page = desk.page
    page.set_viewport_size({"width": width, "height": 800})
    desk.lists(RC)
    oldest = page.get_by_role("button", name="Oldest 5")
    oldest.click()
    desk.sees_saved(f"5 of {COUNT} selected")
    names = page.locator("tr.challan:visible .challan-no label")
    assert names.last.text_content() == "MH17", "the list keeps its order, the newest first"
    expect(page.locator("tr.challan:visible:has(:checked)").first).to_be_in_viewport(ratio=1)
    expect(page.locator("tr.challan:visible :checked")).to_have_count(5)
    assert "order" not in page.url
    expect(box(page, 2)).to_be_checked()
    expect(oldest).to_have_attribute("aria-pressed", "true")
    old = page.get_by_role("button", name=re.compile("^90\\+ days"))
    if width == 390:  # The filters have the choice by age.
        expect(old).to_be_hidden()
        assert violations(page) == ""
        oldest.click()
        desk.sees_saved(f"0 of {COUNT} selected")
        return
    old.click()
    desk.sees_saved(f"10 of {COUNT} selected")
    expect(oldest).to_have_attribute("aria-pressed", "false")
    assert violations(page) == ""
    oldest.click()
    oldest.click()
    desk.sees_saved(f"0 of {COUNT} selected")
    page.get_by_role("toolbar", name="Select at once").get_by_role("button").first.focus()
    page.keyboard.press("ArrowRight")
    expect(old).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("tr.challan input:focus")).to_have_count(1)


def test_a_review_of_nothing_is_explained_until_something_is_ticked(desk: Desk, many: object, loads: Loads):
    desk.lists(RC)
    page = desk.page
    page.get_by_role("button", name="Review and create").click()
    said = page.locator("main").get_by_text("Tick a challan first.")
    expect(said).to_be_visible()
    expect(page.locator("#announcer")).to_have_text("Tick a challan first.")
    desk.ticks("MH05")
    expect(said).to_be_hidden()
    desk.reviews()
    assert loads.addresses == []


def test_a_refresh_leaves_everything_else_as_it_is(desk: Desk, office: Office, many: object, loads: Loads):
    desk.page.set_viewport_size({"width": 1000, "height": 500})
    desk.lists(RC)
    page = desk.page
    page.get_by_label("State").select_option("Kerala")
    page.get_by_role("button", name="Fine").click()
    office.levers.issue_challan(RC, challanNo="MH90", challanAmount=50, state="Kerala")
    page.get_by_label("Internal details").locator("summary").click()
    page.get_by_label("Trip").fill("half typed")
    page.evaluate("scrollTo(0, 200)")
    with page.expect_request("**/refresh") as sent:
        # At one go, because the answer may bring the list anew between two.
        page.get_by_role("button", name="Refresh from source").evaluate(
            "(refresh, box) => { refresh.click(); box.focus({preventScroll: true}); box.click(); }",
            box(page, 7).element_handle(),
        )
    assert sent.value.is_navigation_request() is False
    expect(page.get_by_role("checkbox", name="MH90", exact=True)).to_be_visible()
    assert page.locator("tr.challan:visible .challan-no label").first.text_content() == "MH90"
    expect(box(page, 7)).to_be_checked()
    expect(box(page, 7)).to_be_focused()
    desk.sees_saved(f"1 of {COUNT + 1} selected")
    expect(page.get_by_label("Trip")).to_have_value("half typed")
    expect(page).to_have_url(re.compile(r"\?state=Kerala&order=amount$"))
    expect(page.locator("html")).to_have_js_property("scrollTop", 200)
    assert loads.addresses == []


def test_a_refresh_under_way_can_be_left(desk: Desk, office: Office, many: object, loads: Loads):
    desk.lists(RC)
    desk.sees_vehicle(RC)
    office.levers.fault("search", "delay", seconds=2)
    page = desk.page
    # From before it is asked for, because the answer may come while a slow machine turns to the other page.
    with page.expect_response("**/refresh"):
        page.get_by_role("button", name="Refresh from source").click()
        expect(page.locator(".vehicle-refresh [data-while-sending].is-shown")).to_have_count(1)
        page.get_by_role("link", name="Links", exact=True).click()
        expect(page).to_have_url(f"{desk.url}/links")
    expect(page.get_by_role("heading", level=1)).to_have_text("Payment links")
    assert loads.addresses == []


def test_a_refresh_that_fails_says_so_in_place(desk: Desk, office: Office, many: object, loads: Loads):
    desk.lists(RC)
    desk.sees_vehicle(RC)
    office.levers.fault("search", "status", status=500)
    desk.page.get_by_role("button", name="Refresh from source").click()
    told = "Not refreshed. The service answered with an error. Showing "
    expect(desk.page.locator(".vehicle-trouble")).to_contain_text(told)
    expect(desk.page.locator("[role=status]").filter(has_text="The service answered with an error.")).to_have_count(1)
    again = desk.page.get_by_role("button", name="Try again")
    expect(again).to_be_focused()
    again.click()
    expect(desk.page.locator("#vehicle-updated")).to_contain_text("no new challans")
    expect(desk.page.get_by_role("button", name="Refresh from source")).to_be_focused()
    expect(desk.page.locator("tr.challan")).to_have_count(COUNT)
    assert loads.addresses == []


def test_custom_fields_are_saved_beside_the_list(desk: Desk, many: object, loads: Loads):
    desk.lists(RC)
    page = desk.page
    page.get_by_label("State").select_option("Kerala")
    fields = page.get_by_label("Internal details")
    fields.locator("summary").click()
    page.get_by_label("Trip").fill("T-77")
    page.get_by_role("button", name="Save details").click()
    expect(fields.locator("dd")).to_have_text("T-77")
    expect(page).to_have_url(re.compile(r"\?state=Kerala$"))
    assert loads.addresses == []


TICKS = (
    "[...document.querySelectorAll('input[name=challan]')].find((box) => box.labels[0].textContent === 'MH04').click()"
)
BY_LINK, WITH_DOCUMENT = "document.querySelector('#site-nav a[href=\"/links\"]').click()", "location = '/links'"


def test_a_tick_in_a_list_that_has_just_come_in_place_stays(desk: Desk, office: Office, many: object):
    desk.lists(RC)
    desk.sees_vehicle(RC)
    desk.page.evaluate(
        f"addEventListener('htmx:afterSwap', ({{ target }}) => {{ if (target.id === 'vehicle') {{ {TICKS}; }} }})"
    )
    desk.page.get_by_role("button", name="Refresh from source").click()
    desk.sees_saved(f"1 of {COUNT} selected")
    selected_by(office, 1)
    expect(box(desk.page, 4)).to_be_checked()


@pytest.mark.parametrize("leaves", [BY_LINK, WITH_DOCUMENT], ids=["by a link", "with the document"])
def test_a_tick_right_before_leaving_is_saved_too(desk: Desk, office: Office, many: object, leaves: str):
    desk.lists(RC)
    desk.sees_vehicle(RC)
    page = desk.page
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # The list waits for the next tick.
    page.evaluate(f"() => {{ {TICKS}; {leaves}; }}")
    expect(page).to_have_url(f"{desk.url}/links")
    selected_by(office, 1)
    expect(page.locator("#toasts > *")).to_have_count(0)
    desk.opens(f"/vehicles/{RC}")
    expect(box(page, 4)).to_be_checked()


@pytest.mark.parametrize("arrives", ["by htmx", "with the document"])
def test_a_tick_made_before_the_script_of_the_list_has_come_is_saved(
    desk: Desk, office: Office, many: object, arrives: str
):
    script = Held(desk.page, r"/lazy\.js")
    desk.opens("/")
    desk.searches(RC)
    desk.sees_vehicle(RC)
    if arrives == "with the document":
        desk.page.goto(desk.page.url, wait_until="commit")
    box(desk.page, 4).check()
    until(script.count, "the script was not asked for")
    script.let_go()
    selected_by(office, 1)
    desk.sees_saved("saved")


def test_a_tick_that_is_answered_after_leaving_is_not_reported(desk: Desk, many: object):
    desk.lists(RC)
    page = desk.page
    held = Held(page, "/selection$")
    with page.expect_request("**/selection"):
        box(page, 4).check()
    # After the listener of the page, which hears of the answer first.
    page.locator("#selection-sum").evaluate(
        "sum => sum.addEventListener('htmx:beforeOnLoad', () => dispatchEvent(new Event('answered')))"
    )
    page.get_by_role("link", name="Links", exact=True).click()
    expect(page).to_have_url(f"{desk.url}/links")
    assert held.count() == 2, "it was sent on leaving too"
    page.locator("html").evaluate("""html => {
      document.addEventListener("late-answer", () => { html.dataset.reported = "yes"; });
      addEventListener("answered", () => { html.dataset.answered = "yes"; });
    }""")
    held.let_go()
    expect(page.locator("html")).to_have_attribute("data-answered", "yes")
    expect(page.locator("html[data-reported], #toasts > *")).to_have_count(0)


def test_filter_and_order_survive_back_from_the_review(desk: Desk, many: object, loads: Loads):
    desk.lists(RC)
    page = desk.page
    page.get_by_label("State").select_option("Kerala")
    page.get_by_label("Contains").fill("parking")
    page.get_by_role("button", name="Fine").click()
    shown = page.locator("tr.challan:visible .challan-no label")
    listed = shown.all_text_contents()
    view = f"{desk.url}/vehicles/{RC}?text=parking&state=Kerala&order=amount"

    def is_as_it_was() -> None:
        expect(page).to_have_url(view)
        expect(shown).to_have_text(listed)
        expect(page.get_by_label("Contains")).to_have_value("parking")
        expect(page.get_by_label("State")).to_have_value("Kerala")
        expect(page.get_by_role("columnheader", name="Fine")).to_have_attribute("aria-sort", "ascending")
        expect(box(page, 17)).to_be_checked()

    desk.ticks("MH17")
    desk.reviews()
    expect(page).to_have_url(f"{desk.url}/vehicles/{RC}/review")
    page.go_back()
    is_as_it_was()
    assert loads.addresses == []
    desk.reviews()
    page.reload()
    expect(page.get_by_role("button", name="Create payment link")).to_be_visible()
    page.go_back()
    is_as_it_was()


def test_ticks_of_an_ended_session_stay_and_come_back_after_sign_in(desk: Desk, office: Office, many: object):
    desk.lists(RC)
    desk.sees_vehicle(RC)
    office.clock.advance(31 * 60)
    desk.ticks("MH02")
    expect(desk.page.locator("main").get_by_text("Your session has ended. Your ticks stay")).to_be_visible()
    expect(box(desk.page, 2)).to_be_checked()
    desk.page.get_by_role("button", name="Review and create").click()
    expect(desk.page).to_have_url(re.compile("/sign-in"))
    desk.signs_in(ASHA.email)
    expect(desk.page).to_have_url(f"{desk.url}/vehicles/{RC}/review")
    expect(desk.page.locator("main")).to_contain_text("MH02")


def test_a_tick_that_the_dashboard_did_not_answer_says_so_until_one_is_saved(desk: Desk, many: object):
    desk.lists(RC)

    def fails(route: Route) -> None:
        route.abort()

    desk.page.route("**/selection", fails)
    desk.ticks("MH02")
    said = desk.page.locator("main").get_by_text("Not saved yet: no answer.")
    expect(said).to_be_visible()
    desk.page.unroute("**/selection", fails)
    desk.ticks("MH03")
    desk.sees_saved(f"2 of {COUNT} selected")
    expect(said).to_be_hidden()
