"""Test how links are followed up in a browser: reminded, sent in their row, put off, and given drivers."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from tests.e2e.conftest import Office
from tests.e2e.manager_steps import ManagersDesk, ends_soon, links_of, sending_tab
from tests.e2e.tab import Loads
from tests.support.people import ASHA

pytestmark = pytest.mark.e2e

CAR, TRUCK, VAN = "DL01CB2002", "KA05MN4321", "MH12CD3003"


@pytest.fixture
def asha(office: Office, page: Page) -> ManagersDesk:
    return sending_tab(page, office, ASHA)


def test_a_reminder_is_seen_in_its_row_after_coming_back(asha: ManagersDesk, office: Office):
    [link_id] = links_of(office, CAR, ASHA, [2500])
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ())
    driver = office.services.drivers.add(details, person)
    office.services.sharing.record_share(link_id, Channel.WHATSAPP, person, driver, "hi")
    for clock in (office.clock, office.levers):
        clock.advance(7200)
    ends = office.clock().replace(microsecond=0) + timedelta(hours=5)
    office.levers.set_link(link_id, expiresAt=f"{ends:%Y-%m-%dT%H:%M:%S}Z")
    office.polls_until(link_id, expires_at=ends)
    office.signs_in(asha.page.context, ASHA)
    asha.opens("/follow-up")
    contact = asha.page.locator(f"#contact-{link_id}")
    asha.page.locator("summary", has_text="Sent or copied, last").click()
    expect(contact).to_have_text(re.compile(r"Sent (today|yesterday) [\s\S]*WhatsApp\s· by Asha Rao"))
    asha.page.locator(".follow-more summary").click()
    asha.page.get_by_label("Note on").fill("half typed")
    with asha.page.context.expect_page() as opened:
        asha.page.get_by_role("button", name=re.compile("^Remind Ramesh Yadav")).click()
    opened.value.wait_for_url(re.compile("^https://wa.me/"))
    asha.switches_tab()
    asha.switches_tab(away=False)
    expect(contact).to_contain_text("Sent on WhatsApp to Ramesh Yadav")
    expect(asha.page.get_by_label("Note on")).to_have_value("half typed")


@pytest.fixture
def drives(office: Office):
    """Return what adds the usual driver of vehicles."""
    person = office.app.extensions["people"].find(ASHA.email).id

    def add(name: str, phone: str, *vehicles: str) -> None:
        office.services.drivers.add(DriverDetails(name, phone, None, "hi", None, vehicles), person)

    return add


def test_a_send_of_two_links_is_answered_in_their_row_at_the_click_and_taken_back_by_its_key(
    asha: ManagersDesk, office: Office, drives
):
    drives("Ramesh Yadav", "98765 43210", CAR, TRUCK)
    first, second = [*links_of(office, CAR, ASHA, [2500]), *links_of(office, TRUCK, ASHA, [900])]
    page = asha.page
    asha.opens("/follow-up")
    contact, badge = page.locator(f"#contact-{first}"), page.locator("#menu-count-follow_up")
    expect(badge).to_contain_text("2")
    office.levers.fault("link_status", "delay", seconds=2)
    with page.context.expect_page() as opened:
        page.get_by_role("button", name=re.compile("^Send 2 links DL01")).click()
        expect(contact).to_have_text("Opening WhatsApp…")
    opened.value.wait_for_url(re.compile("^https://wa.me/.*DL01.*KA05"))
    expect(contact).to_contain_text("Sent on WhatsApp to Ramesh Yadav")
    expect(page.locator(f"#contact-{second}")).to_contain_text("Sent ")
    expect(badge).to_have_text("")
    expect(page.locator("#follow-count")).to_contain_text("All sent.")
    expect(page.locator("#main")).to_be_focused()
    expect(page.locator(f"#follow-not-sent #contact-{first}")).to_be_visible()
    asha.opens("/follow-up")
    expect(page.locator(f"#follow-just-sent #contact-{first}")).to_be_visible()
    expect(contact).to_contain_text("Sent on WhatsApp to Ramesh Yadav")
    page.keyboard.press("u")
    expect(contact).to_contain_text("Not sent yet")
    expect(page.locator(f"#follow-not-sent .follow-several #contact-{second}")).to_contain_text("Not sent yet")
    expect(page.get_by_role("button", name=re.compile("^Send 2 links DL01"))).to_be_focused()


def test_after_a_send_the_focus_is_on_the_next_driver_of_the_list(asha: ManagersDesk, office: Office, drives):
    drives("Ramesh Yadav", "98765 43210", CAR)
    drives("Lakshmi Devi", "98765 43211", TRUCK)
    first, _second = [*links_of(office, CAR, ASHA, [2500]), *links_of(office, TRUCK, ASHA, [900])]
    page = asha.page
    asha.opens("/follow-up")
    with page.context.expect_page():
        page.get_by_role("button", name=re.compile("^Send DL01")).press("Enter")
    expect(page.locator(f"#follow-not-sent #contact-{first}")).to_contain_text("Sent on WhatsApp")
    expect(page.get_by_role("button", name=re.compile("^Send KA05"))).to_be_focused()


def test_after_a_snooze_the_focus_is_on_the_next_row_also_of_another_list(asha: ManagersDesk, office: Office, drives):
    drives("Lakshmi Devi", "98765 43211", TRUCK)
    first, _second = [*links_of(office, CAR, ASHA, [2500]), *links_of(office, TRUCK, ASHA, [900])]
    ends_soon(office, first)
    page = asha.page
    asha.opens("/follow-up")
    row = page.locator(f"#follow-ends-soon > #follow-{first}")
    row.locator(".follow-more summary").click()
    row.get_by_role("button", name="4 hours").click()
    expect(page.locator("#follow-ends-soon > li")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^Send KA05"))).to_be_focused()


def test_the_messages_are_worked_through_by_enter_alone(asha: ManagersDesk, office: Office, drives):
    drives("Ramesh Yadav", "98765 43210", CAR)
    drives("Lakshmi Devi", "98765 43211", TRUCK)
    for rc in (CAR, TRUCK):
        links_of(office, rc, ASHA, [900])
    page = asha.page
    asha.opens("/follow-up")
    page.get_by_role("link", name="Send 2 messages").click()
    for number, name in enumerate(("Ramesh Yadav", "Lakshmi Devi"), 1):
        expect(page.locator(".reminder-head")).to_contain_text(f"{number} of 2")
        expect(page.get_by_role("button", name=re.compile(f"^Send on WhatsApp to {name}"))).to_be_focused()
        with page.context.expect_page():
            page.keyboard.press("Enter")
        expect(page.locator("#reminder-progress")).to_have_text(f"{number} of 2 sent")
    expect(page.get_by_role("link", name="Finish")).to_be_focused()
    page.keyboard.press("u")
    expect(page.locator("#reminder-progress")).to_have_text("1 of 2 sent")
    expect(page.get_by_role("button", name=re.compile("^Send on WhatsApp to Lakshmi Devi"))).to_be_focused()
    page.get_by_role("link", name="Skip and finish").click()
    expect(page.locator("#follow-done")).to_contain_text("1 of 2 messages sent · ₹1,006.20. Not sent: Lakshmi Devi.")


def test_a_new_driver_is_saved_and_sent_a_link_in_the_menu_of_its_row(asha: ManagersDesk, office: Office, loads: Loads):
    [link_id] = links_of(office, CAR, ASHA, [2500])
    page = asha.page
    asha.opens("/follow-up")
    loads.addresses.clear()
    row = page.locator(f"#follow-{link_id}")
    row.locator("summary", has_text="Send to…").click()
    field, send = row.get_by_label("Driver", exact=True), row.get_by_role("button", name=re.compile("^WhatsApp"))
    field.fill("Ramesh Yadav 98765")
    send.click()
    expect(field).to_be_focused()
    expect(row.locator("[id^=to-][id$=-error]")).to_contain_text("Enter ten digits")
    field.fill("Ramesh Yadav 98765 43210")
    with page.context.expect_page() as opened:
        send.click()
    opened.value.wait_for_url(re.compile("^https://wa.me/919876543210"))
    sent = page.locator(f"#follow-not-sent > #follow-{link_id}")
    expect(sent).to_contain_text("Sent on WhatsApp to Ramesh Yadav")
    expect(page.locator("#follow-count")).to_contain_text("All sent.")
    assert loads.addresses == []
    # Beside what can be pressed, all of the row opens the link.
    sent.locator(".follow-total").click(force=True)
    expect(page).to_have_url(re.compile(f"/links/{link_id}$"))


def test_those_whom_one_tap_sends_a_link_to_follow_what_is_typed(asha: ManagersDesk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    for rc, name, phone in ((CAR, "Ramesh Yadav", "98765 43210"), (TRUCK, "Suresh Patil", "98200 12345")):
        driver = office.services.drivers.add(DriverDetails(name, phone, None, "hi", None, (rc,)), person)
        [given] = links_of(office, rc, ASHA, [2500])
        office.services.sharing.record_share(given, Channel.WHATSAPP, person, driver, "hi")
    [link_id] = links_of(office, "UP32AB1234", ASHA, [2500])
    asha.opens("/follow-up")
    row = asha.page.locator(f"#follow-{link_id}")
    row.locator("summary", has_text="Send to…").click()
    field, offered = row.get_by_label("Driver", exact=True), row.locator(".drop-list .button:visible")
    title = row.get_by_role("heading", name="Given links lately")
    expect(offered).to_have_count(2)
    for typed, left in (("ram", ["Ramesh Yadav"]), ("98200 1", ["Suresh Patil"]), ("nobody", []), ("", ["", ""])):
        field.fill(typed)
        expect(offered).to_have_count(len(left))
        for each, name in zip(offered.all(), left, strict=True):
            expect(each).to_contain_text(name)
        expect(title).to_be_visible(visible=bool(left))


@pytest.mark.parametrize("opens", ["Send to…", "note for"])
def test_what_the_lowest_row_in_sight_opens_is_in_sight_with_its_button(
    asha: ManagersDesk, office: Office, opens: str
) -> None:
    page = asha.page
    page.set_viewport_size({"width": 1280, "height": 800})
    for number in range(14):
        links_of(office, f"DL01CB20{number:02}", ASHA, [500])
    asha.opens("/follow-up")
    buttons = page.locator("drop-down summary", has_text=opens)
    lowest = "all => all.findLastIndex(each => each.getBoundingClientRect().bottom < innerHeight)"
    button = buttons.nth(buttons.evaluate_all(lowest))
    button.click()
    sheet = page.locator("drop-down > details[open] > .drop-sheet")
    for each in (sheet, button):
        expect(each).to_be_in_viewport(ratio=1)
    # Whom it is sent to is typed at once; of the other menu something is pressed.
    expect(sheet.get_by_label("Driver") if opens == "Send to…" else button).to_be_focused()


def test_keys_go_from_what_is_done_in_one_row_to_that_in_the_next(asha: ManagersDesk, office: Office, drives) -> None:
    drives("Ramesh Yadav", "98765 43210", CAR)
    for rc in (CAR, TRUCK):
        links_of(office, rc, ASHA, [900])
    asha.opens("/follow-up")
    rows, press = asha.page.locator(".follow"), asha.page.keyboard.press
    acts = rows.locator(".follow-first").locator("button, summary")
    for key, place in (("j", 0), ("j", 1), ("k", 0)):
        press(key)
        expect(acts.nth(place)).to_be_focused()


def test_drivers_are_chosen_for_all_vehicles_without_one_and_get_their_messages(
    asha: ManagersDesk, office: Office, drives
):
    drives("Ramesh Yadav", "98765 43210")
    for rc in (CAR, TRUCK):
        links_of(office, rc, ASHA, [900])
    page, keyboard = asha.page, asha.page.keyboard
    asha.opens("/follow-up")
    page.get_by_role("link", name="Choose drivers").click()
    first, second = page.get_by_label("Driver of DL01 CB 2002"), page.get_by_label("Driver of KA05 MN 4321")
    phones = page.get_by_label("Phone", exact=True)
    expect(first).to_be_focused()
    keyboard.type("ramesh yadav")
    keyboard.press("Tab")
    expect(second).to_be_focused()
    keyboard.type("Ram")
    expect(phones).to_have_count(0)
    second.fill("")
    keyboard.type("Lakshmi Devi")
    expect(phones).to_be_visible()
    expect(second).to_be_focused()
    keyboard.press("Tab")
    expect(phones).to_be_focused()
    expect(page.locator(".field-error").filter(visible=True)).to_have_count(0)
    asha.is_accessible_and_fits_phones("choosing drivers")
    # What is typed of a number is in its field.
    second.fill("Suresh Kumar, 98")
    keyboard.press("Tab")
    expect(phones).to_be_focused()
    expect(phones).to_have_value("98")
    expect(second).to_have_value("Suresh Kumar")
    second.fill("")
    expect(phones).to_have_count(0)
    # Whoever is known after all has a number.
    second.fill("Rames")
    uses = page.get_by_role("button", name="Use Ramesh Yadav")
    uses.click()
    expect(second).to_have_value("Ramesh Yadav, +91 98765 43210")
    expect(second).to_be_focused()
    expect(phones).to_have_count(0)
    expect(page.locator(".driver-found")).to_have_count(2)
    second.fill("Ramesh")
    expect(uses).to_be_visible()
    keyboard.press("Tab")
    expect(uses).to_be_focused()
    expect(phones).to_have_count(0)
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(phones).to_be_focused()
    expect(uses).to_have_count(0)
    second.fill("Ramesh Yadav")
    keyboard.press("Tab")
    expect(phones).to_have_count(0)
    # Save goes to a number that nobody saw, and says at once that it lacks; so does the page that refuses it.
    second.fill("Lakshmi Devi")
    keyboard.press("Enter")
    expect(phones).to_be_focused()
    expect(page.get_by_text("Enter the phone number.")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        keyboard.press("Enter")
    expect(page.locator(".new-driver [data-needed]")).to_have_count(0)
    expect(page.get_by_text("Enter the phone number.")).to_be_visible()
    expect(phones).to_be_focused()
    # One click is enough, though leaving the field brings the number into the row.
    second.fill("Ramesh Yadav")
    second.press("Tab")
    expect(phones).to_have_count(0)
    second.fill("Lakshmi Devi")
    page.get_by_role("button", name="Save drivers").click()
    expect(phones).to_be_focused()
    keyboard.type("98765 43210")
    keyboard.press("Enter")
    # The page that refuses it takes the place of this one, with what is typed here.
    expect(page.locator(".new-driver .field-error")).to_contain_text("is Ramesh Yadav already")
    uses.click()
    expect(second).to_have_value(re.compile("^Ramesh Yadav"))
    page.get_by_role("button", name="Save drivers").click()
    expect(page.get_by_role("button", name=re.compile("^Send 2 links"))).to_be_visible()


def test_drivers_are_saved_though_a_later_row_is_empty_and_it_is_asked_who_is_meant(
    asha: ManagersDesk, office: Office, drives
):
    drives("Ramesh Yadav", "98765 43210")
    for rc in (CAR, TRUCK, VAN):
        links_of(office, rc, ASHA, [900])
    page = asha.page
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    asha.opens("/follow-up/drivers")
    for plate, typed in (("DL01 CB 2002", "Ramesh Yadav"), ("KA05 MN 4321", "Ramesh")):
        page.get_by_label(f"Driver of {plate}").fill(typed)
    with page.expect_response(lambda answer: answer.request.method == "POST" and "typed=" not in answer.url) as saved:
        page.keyboard.press("Enter")
    assert saved.value.status == 422
    expect(page.get_by_text("Not saved yet: answer “Did you mean\N{NO-BREAK SPACE}…?” below.")).to_be_visible()
    expect(page.get_by_role("button", name="Use Ramesh Yadav")).to_be_visible()
    expect(page.get_by_label("Phone", exact=True)).to_have_count(0)
    assert not errors
