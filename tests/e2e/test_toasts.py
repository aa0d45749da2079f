"""Test what is said beside a page: toasts with undo, and answers that come after their page was left."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import links_of
from tests.e2e.steps import Desk
from tests.e2e.tab import Held
from tests.support.people import ASHA

pytestmark = pytest.mark.e2e


@pytest.fixture
def link_id(desk: Desk, office: Office) -> str:
    [made] = links_of(office, "DL01CB2002", ASHA, [2500])
    with office.services.store.write() as connection:
        connection.exec_driver_sql("UPDATE link SET first_seen_at = '2020-01-01 00:00:00.000000'")
    return made


def toasts(desk: Desk) -> Locator:
    return desk.page.locator("#toasts toast-message")


def puts_off(desk: Desk) -> None:
    desk.page.locator(".follow-more summary").click()
    desk.page.get_by_role("button", name="4 hours").click()
    expect(toasts(desk).last).to_contain_text("is snoozed till")


SAYS = "([words, meaning]) => document.dispatchEvent(new CustomEvent('toast', { detail: { words, meaning } }))"


def says(desk: Desk, words: str, meaning: str = "good") -> None:
    desk.page.evaluate(SAYS, [words, meaning])


def test_the_newest_toast_takes_the_place_of_the_last_one_but_not_of_a_failure(desk: Desk):
    desk.opens("/follow-up")
    for words in ("One is done.", "Two are done."):
        says(desk, words)
    expect(toasts(desk)).to_have_text([re.compile("Two are done")])
    for words in ("One was not done.", "Two were not done."):
        says(desk, words, "wrong")
    expect(toasts(desk)).to_have_text([re.compile("One was not"), re.compile("Two were not")])
    says(desk, "Three are done.")
    expect(toasts(desk)).to_have_count(3)
    says(desk, "Four are done.")
    expect(toasts(desk).last).to_contain_text("Four are done.")
    expect(toasts(desk)).to_have_count(3)


def test_a_toast_makes_room_for_a_sheet_and_what_failed_stays_clear_of_it(desk: Desk, link_id: str):
    desk.opens("/follow-up")
    puts_off(desk)
    desk.page.locator("summary", has_text="Snoozed").click()
    expect(toasts(desk)).to_have_count(1)  # A fold of the page is no sheet.
    desk.page.locator(".follow-first summary").click()
    expect(toasts(desk)).to_have_count(0, timeout=3_000)  # Sooner than by itself.
    expect(desk.page.get_by_role("button", name=re.compile("^WhatsApp"))).to_be_visible()
    desk.page.keyboard.press("Escape")
    says(desk, "It was not done.", "wrong")
    says(desk, "It is done.")
    desk.page.locator(".follow-first summary").click()
    expect(toasts(desk)).to_have_text([re.compile("It was not done")])
    desk.page.get_by_role("button", name=re.compile("^WhatsApp")).click(trial=True, timeout=2_000)


def _place(desk: Desk) -> tuple[float, float]:
    box = desk.page.locator("h1").bounding_box()
    assert box is not None
    return box["x"], box["y"]


@pytest.mark.parametrize("width", [1280, 390])
def test_a_toast_covers_no_control_of_a_page_a_little_longer_than_the_window(desk: Desk, width: int) -> None:
    """The window ends below a button that stands where a toast stands otherwise."""
    desk.page.set_viewport_size({"width": width, "height": 1200})
    desk.opens("/account")
    desk.page.locator("summary", has_text="Password").click()
    button = desk.page.get_by_role("button", name="Change password")
    box = button.bounding_box()
    assert box is not None
    foot = 56 if width < 768 else 0
    desk.page.set_viewport_size({"width": width, "height": round(box["y"] + box["height"] + foot + 40)})
    desk.page.evaluate("document.dispatchEvent(new CustomEvent('toast', { detail: { words: 'Done.' } }))")
    expect(toasts(desk)).to_be_visible()
    button.click(trial=True, timeout=2_000)
    said = toasts(desk).bounding_box()
    assert said is not None
    assert said["x"] >= 0
    assert said["y"] >= 0
    assert said["x"] + said["width"] <= width


def test_toasts_have_one_place_from_page_to_page(desk: Desk):
    lefts = set()
    for address in ("/account", "/drivers", "/links"):
        desk.opens(address)
        desk.page.evaluate("document.dispatchEvent(new CustomEvent('toast', { detail: { words: 'Done.' } }))")
        said = toasts(desk).bounding_box()
        assert said is not None
        lefts.add(round(said["x"] + said["width"] / 2 - desk.page.evaluate("document.body.clientWidth") / 2))
        assert said["y"] > 300, "at the foot"
    assert lefts == {0}


def test_what_was_said_ends_with_its_page(desk: Desk):
    desk.opens("/account")
    desk.page.evaluate("document.dispatchEvent(new CustomEvent('toast', { detail: { words: 'Done.' } }))")
    toasts(desk).hover()  # It does not leave by itself.
    desk.page.get_by_role("link", name="Links", exact=True).focus()
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator("h1")).to_have_text("Payment links")
    expect(toasts(desk)).to_have_count(0)


def test_what_stays_from_page_to_page_lies_over_no_bar(desk: Desk):
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks_all_payable()
    desk.page.get_by_role("link", name="Drivers", exact=True).click()
    expect(desk.page.locator("h1")).to_have_text("Drivers")
    said = "words => document.dispatchEvent(new CustomEvent('toast', { detail: { words, meaning: 'wrong' } }))"
    desk.page.evaluate(said, "That was not done. " * 8)
    desk.page.go_back()
    desk.sees_vehicle(RC)
    bar, toast = desk.page.locator("main .selection-bar").bounding_box(), toasts(desk).bounding_box()
    assert bar is not None
    assert toast is not None
    assert toast["y"] + toast["height"] <= bar["y"]


def test_what_was_done_is_said_for_ten_seconds_without_moving_the_page(desk: Desk, link_id: str):
    desk.page.clock.install()
    desk.opens("/follow-up")
    desk.page.locator("h1").click()
    above, footer = _place(desk), desk.page.locator(".site-footer")
    puts_off(desk)
    assert _place(desk) == above
    below = footer.bounding_box()
    desk.page.clock.run_for(9_000)
    expect(toasts(desk)).to_have_count(1)
    toasts(desk).hover()
    desk.page.clock.run_for(60_000)
    expect(toasts(desk)).to_have_count(1)
    desk.page.locator("h1").hover()
    desk.page.clock.run_for(9_000)
    toasts(desk).get_by_role("button", name="Undo").focus()
    desk.page.clock.run_for(60_000)
    expect(toasts(desk)).to_have_count(1)
    desk.page.locator("main").focus()
    desk.page.clock.run_for(11_000)
    expect(toasts(desk)).to_have_count(0)
    assert footer.bounding_box() == below


def test_it_is_undone_on_its_page_and_from_elsewhere(desk: Desk, link_id: str):
    desk.opens("/follow-up")
    puts_off(desk)
    toasts(desk).get_by_role("button", name="Undo").click()
    expect(desk.page.locator(".follow-more summary")).to_be_visible()
    expect(toasts(desk).last).to_contain_text("is back in Follow up")
    puts_off(desk)
    desk.page.get_by_role("link", name="Links", exact=True).click()
    expect(desk.page.locator("h1")).to_have_text("Payment links")
    toasts(desk).get_by_role("button", name="Undo").focus()
    desk.page.keyboard.press("Enter")
    expect(toasts(desk).last).to_contain_text("is back in Follow up")
    expect(desk.page).to_have_url(f"{desk.url}/links")
    toasts(desk).last.get_by_role("button", name="Close this message").focus()
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator("main")).to_be_focused()


def test_a_link_that_was_created_after_its_person_went_elsewhere_is_still_said(desk: Desk, office: Office):
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks_all_payable()
    desk.reviews()
    office.levers.fault("create_link", "delay", seconds=2)
    with desk.page.expect_response(re.compile(f"/vehicles/{RC}/links$")):
        desk.creates_the_link()
        desk.page.keyboard.press("Escape")
        desk.page.get_by_role("link", name="Drivers", exact=True).click()
        expect(desk.page.locator("h1")).to_have_text("Drivers")
    expect(toasts(desk)).to_contain_text("MH12 AB 1001")
    expect(desk.page).to_have_url(f"{desk.url}/drivers")
    expect(desk.page.locator("h1")).to_have_text("Drivers")
    toasts(desk).get_by_role("link", name="Open it").click()
    desk.sees_the_link("ACTIVE")
    assert len(office.levers.truth()["links"]) == 1


def test_what_a_typed_driver_is_read_as_is_not_said_once_the_form_is_sent(desk: Desk, link_id: str):
    """The answer about the name that was typed last comes after that of the form."""
    page = desk.page
    desk.opens("/follow-up/drivers")
    page.locator(".driver-typed").evaluate(
        "row => row.addEventListener('htmx:beforeOnLoad', () => { document.body.dataset.answered = 'yes'; })"
    )
    held = Held(page, "typed=")
    with page.expect_request(re.compile("typed=")):
        page.get_by_label("Driver of DL01 CB 2002").fill("Ramesh Yadav 98765 43210")
    page.get_by_role("button", name="Save and send").click()
    expect(page).to_have_url(re.compile("/reminders"))
    assert held.count()
    held.let_go()
    expect(page.locator("body")).to_have_attribute("data-answered", "yes")
    assert "Done meanwhile" not in page.locator("#toasts").inner_text()


def test_a_note_that_is_saved_after_its_person_went_elsewhere_is_said_without_the_name_of_a_page(
    desk: Desk, link_id: str
):
    page = desk.page
    desk.opens("/follow-up")
    held = Held(page, "/note")
    page.locator(".follow-more summary").click()
    page.get_by_label(re.compile("^Note on")).fill("Calls back")
    with page.expect_request("**/note*"):
        page.get_by_role("button", name="Add the note").click()
    page.get_by_role("link", name="Links", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Payment links")
    held.let_go()
    expect(toasts(desk).locator("[data-toast-words]")).to_have_text("Done meanwhile. Open it")


def test_a_toast_is_accessible_in_light_and_dark(desk: Desk, link_id: str):
    desk.opens("/follow-up")
    desk.page.emulate_media(reduced_motion="reduce")
    puts_off(desk)
    toasts(desk).hover()
    for scheme in ("light", "dark"):
        desk.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # A literal.
        found = Axe().run(desk.page)
        assert found.violations_count == 0, found.generate_report()
