"""Test sharing a payment link with a driver: the message, the channels, the QR code, and no share of an ended link."""

from __future__ import annotations

import re
from base64 import b64encode
from datetime import timedelta
from urllib.parse import parse_qs, unquote, urlsplit
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.languages import LANGUAGES
from dashboard.domain.sharing import Channel
from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import ManagersDesk, ends_soon, links_of, own_tab, reach, tab_of
from tests.e2e.tab import Loads
from tests.support.people import ASHA, MEERA
from tests.support.qr_codes import read_qr_code

pytestmark = pytest.mark.e2e

CAR, TRUCK = "DL01CB2002", "KA05MN4321"
INDIA = ZoneInfo("Asia/Kolkata")

#: How wide the longest line of a message is as it is typed, and in the layer behind it that holds the marks.
WIDTHS_OF_WORDS = """() => [...document.querySelectorAll(".marked-text > *")].toReversed().map(each => {
  each.style.cssText = "field-sizing: fixed; inline-size: 0; padding: 0; white-space: pre";
  return each.scrollWidth;
})"""


@pytest.fixture
def asha(office: Office, page: Page) -> ManagersDesk:
    # A test must not open a telephone or mail program.
    page.context.route(re.compile("^https://wa.me/"), lambda route: route.fulfill(body="sent on"))
    return own_tab(page, office, ASHA)


def test_a_driver_is_sent_the_link_in_his_language_and_the_share_is_listed_everywhere(
    asha: ManagersDesk, office: Office
):
    page = asha.page
    asha.adds_a_driver(name="Ramesh Yadav", phone="98765 43210", email="ramesh@fleet.example", language="हिन्दी")
    page.get_by_role("link", name="Open Ramesh Yadav").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ramesh Yadav")
    page.get_by_text("Change details").click()
    asha.fills_the_driver(vehicles="dl-01 cb 2002")
    page.get_by_role("button", name="Save the driver").click()
    [link_id] = links_of(office, CAR, ASHA, [2500])
    url = office.levers.link(link_id)["paymentUrl"]

    # He is the only usual driver of this vehicle, so he and his language are preselected.
    asha.opens(f"/links/{link_id}")
    asha.shares()
    expect(page.get_by_label("Driver", exact=True)).to_have_value("Ramesh Yadav, +91 98765 43210")
    expect(asha.message()).to_have_attribute("lang", "hi")
    expect(asha.message()).to_contain_text("नमस्ते Ramesh Yadav")
    asha.writes_the_message(language="English")
    said = asha.message().input_value()
    for part in ("DL01 CB 2002", "Vehicle DL01 CB 2002 has 1 unpaid challan.", "UPI", "before", url):
        assert part in said
    assert re.search(r"₹2,\d{3}\.\d\d", said)

    # Every channel has the same message and the same person.
    ways = {
        each.inner_text(): str(each.get_attribute("href")) for each in page.locator("share-options a[target]").all()
    }
    whatsapp, sms, mail = urlsplit(ways["WhatsApp Ramesh Yadav"]), ways["SMS"], urlsplit(ways["E-mail"])
    assert (whatsapp.netloc, whatsapp.path) == ("wa.me", "/919876543210")
    assert parse_qs(whatsapp.query)["text"] == [said]
    assert sms.startswith("sms:+919876543210?body=")
    assert unquote(sms.partition("body=")[2]) == said
    assert mail.path == "ramesh@fleet.example"
    assert parse_qs(mail.query)["body"] == [said]
    assert "DL01 CB 2002" in parse_qs(mail.query)["subject"][0]

    # Each share is listed on the link, on the driver, and in the link's timeline.
    assert asha.copies_the_message() == said
    with page.expect_popup(), page.expect_response(re.compile("/shared$")):
        page.get_by_role("link", name="WhatsApp Ramesh Yadav").click()
    past = page.locator("section", has=page.get_by_role("heading", name="Sent so far"))
    expect(past.get_by_role("listitem")).to_have_count(2)
    expect(page.locator("[data-said]")).to_have_text("Sent on WhatsApp to Ramesh Yadav")
    expect(past).to_contain_text("Sent on WhatsApp to Ramesh Yadav · Asha Rao")
    past.get_by_role("link", name="Ramesh Yadav").first.click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_contain_text("Sent 2 times")
    page.get_by_text("Change details").click()
    expect(page.get_by_role("combobox", name="Language").locator(":checked")).to_have_text("English")
    page.locator("tbody").get_by_role("link").first.click()
    asha.sees_in_the_timeline("WhatsApp")
    expect(page.locator("#link-timeline")).to_contain_text("Ramesh Yadav")
    links_of(office, TRUCK, ASHA, [900])
    today = f"{office.services.clock().astimezone(INDIA):%Y-%m-%d}"
    asha.opens("/links")
    asha.filters(driver="Ramesh Yadav", **{"from": today, "to": today})
    asha.sees_links(link_id)


def test_the_code_on_every_page_and_in_the_file_opens_this_payment_page(asha: ManagersDesk, office: Office):
    page = asha.page
    [link_id] = links_of(office, CAR, ASHA, [2500])
    url = office.levers.link(link_id)["paymentUrl"]
    asha.opens(f"/links/{link_id}")
    code = page.get_by_role("img", name="QR code to pay with")
    assert read_qr_code(code.screenshot()) == url, "on a wide page"
    page.emulate_media(media="print")
    assert read_qr_code(code.screenshot()) == url, "on paper"
    expect(page.get_by_role("button")).to_have_count(0)
    page.emulate_media(media="screen")
    asha.shares()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert read_qr_code(code.screenshot()) == url, scheme
    page.get_by_role("link", name="Large QR code").click()
    expect(page).to_have_url(f"{asha.url}/links/{link_id}/qr")
    with page.expect_download() as file:
        page.get_by_role("link", name="Save picture").click()
    assert file.value.suggested_filename == f"payment-link-{CAR}.png"
    path = file.value.path()
    expect(code).to_be_in_viewport(ratio=1)
    assert read_qr_code(code.screenshot()) == url
    office.levers.expire(link_id)
    expect(page.locator("#link-panel")).to_have_attribute("data-status", "EXPIRED")
    expect(code).to_be_hidden()
    page.set_content(f'<img width="400" src="data:image/png;base64,{b64encode(path.read_bytes()).decode()}">')
    assert read_qr_code(page.locator("img").screenshot()) == url


def test_a_link_that_ends_while_it_is_shared_is_withheld_and_replaced(asha: ManagersDesk, office: Office):
    page = asha.page
    asha.creates_a_link(RC)
    link_id = page.url.rsplit("/", 1)[1]
    asha.shares()
    office.levers.expire(link_id)
    asha.sees_status("EXPIRED")
    expect(asha.message()).to_be_hidden()
    expect(page.get_by_role("link", name="WhatsApp")).to_be_hidden()
    main = page.locator("main")
    expect(main).to_contain_text("This link has expired, so nobody can pay with it.")
    assert page.locator("main [href*='wa.me'], main svg.qr").count() == 0
    asha.is_accessible_and_fits_phones("a link that has ended")
    page.get_by_role("button", name="Create again").click()
    asha.creates_the_link()
    expect(page).not_to_have_url(re.compile(link_id))
    asha.sees_the_link("ACTIVE")
    asha.shares()


def test_managers_word_the_messages_and_staff_do_not(asha: ManagersDesk, office: Office, browser: Browser):
    [link_id] = links_of(office, CAR, ASHA, [2500])
    with tab_of(browser, office, MEERA) as meera:
        meera.opens(f"/links/{link_id}")
        meera.shares()
        meera.is_accessible_and_fits_phones("sharing")
        meera.page.locator("main").get_by_role("link", name="Change the standard text").click()
        text = meera.page.get_by_label("Message in English")
        text.fill("{Driver name}: pay.")
        meera.page.get_by_role("button", name="Save message").click()
        expect(meera.page.locator("#body-en-error")).to_have_text(
            "The message needs {Payment URL}, the address to pay at."
        )
        expect(text).to_have_value("{Driver name}: pay.")
        meera.is_accessible_and_fits_phones("a message refused")
        text.fill("{Vehicle}: {Amount} until {Deadline}, ")
        meera.page.get_by_role("button", name="Payment URL").click()
        expect(text).to_have_value("{Vehicle}: {Amount} until {Deadline}, {Payment URL}")
        expect(meera.page.locator(".phone-message")).to_have_text(re.compile("^DL01 CB 2002: ₹2,"))
        meera.page.get_by_role("button", name="Save message").click()
        expect(meera.page.locator("main")).to_contain_text("Changed by Meera Iyer")
        asha.opens(f"/links/{link_id}")
        asha.shares()
        expect(asha.message()).to_have_text(re.compile(r"^DL01 CB 2002: ₹2,.* until .* [ap]m, http"))
        expect(asha.page.get_by_role("link", name="Change the standard text")).to_have_count(0)
        asha.opens("/messages")
        asha.sees_which_role_is_needed()
        meera.page.get_by_role("button", name="Reset to the original").click()
        expect(text).to_have_value(re.compile("^Hello {Driver name}"))


def test_the_marks_of_placeholders_stand_behind_their_letters_in_every_language(office: Office, browser: Browser):
    with tab_of(browser, office, MEERA, viewport={"width": 1280, "height": 900}) as meera:
        for code in LANGUAGES:
            meera.opens(f"/messages/{code}")
            expect(meera.page.locator(".text-marks > mark")).to_have_count(7)
            typed, marked = meera.page.evaluate(WIDTHS_OF_WORDS)
            assert abs(typed - marked) < 3, f"{code}: but for what is rounded"


def test_what_is_typed_into_a_message_and_not_saved_waits_for_its_writer(office: Office, browser: Browser):
    with tab_of(browser, office, MEERA) as meera:
        page = meera.page
        meera.opens("/messages")
        english, marathi = page.get_by_label("Message in English"), page.get_by_label("Message in Marathi")
        tab = page.get_by_role("navigation", name="Languages").get_by_role("link", name="English")
        english.fill("Pay for {Vehicle} at {Payment URL}")
        expect(page.locator("message-draft")).to_contain_text("Not saved")
        page.get_by_role("link", name="मराठी").click()
        expect(marathi).to_be_visible()
        expect(page.locator("message-draft")).to_be_hidden()
        expect(tab).to_contain_text("not saved")
        page.get_by_role("link", name="Drivers", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Drivers")
        page.get_by_role("link", name="Messages", exact=True).click()
        expect(english).to_have_value("Pay for {Vehicle} at {Payment URL}")
        expect(page.locator(".phone-message")).to_have_text(re.compile("^Pay for MH12 AB 1001 at https"))
        page.get_by_role("link", name="मराठी").click()
        expect(marathi).to_be_visible()
        page.go_back()
        expect(english).to_have_value("Pay for {Vehicle} at {Payment URL}")
        page.get_by_role("button", name="Save message").click()
        expect(page.locator("#toasts")).to_contain_text("The message in English is saved.")
        expect(page.locator("message-draft")).to_be_hidden()
        expect(tab).to_have_text("English changed")
        english.fill("Something else {Payment URL}")
        page.get_by_role("button", name="Discard").click()
        expect(english).to_have_value("Pay for {Vehicle} at {Payment URL}")
        expect(page.locator("message-draft")).to_be_hidden()


def test_a_draft_is_not_saved_over_what_a_colleague_saved_meanwhile(office: Office, browser: Browser):
    with tab_of(browser, office, MEERA) as meera, tab_of(browser, office, MEERA) as colleague:
        page = meera.page
        meera.opens("/messages")
        page.get_by_label("Message in English").fill("Mine: {Payment URL}")
        page.get_by_role("link", name="मराठी").click()
        expect(page.get_by_label("Message in Marathi")).to_be_visible()
        colleague.opens("/messages")
        colleague.page.get_by_label("Message in English").fill("Theirs: {Payment URL}")
        colleague.page.get_by_role("button", name="Save message").click()
        expect(colleague.page.locator("#toasts")).to_contain_text("is saved")
        page.get_by_role("navigation", name="Languages").get_by_role("link", name="English").click()
        expect(page.get_by_label("Message in English")).to_have_value("Mine: {Payment URL}")
        page.get_by_role("button", name="Save message").click()
        expect(page.locator("#wording-en")).to_contain_text("What you typed is still here and not saved yet.")
        expect(page.get_by_label("Message in English")).to_have_value("Mine: {Payment URL}")


def test_a_placeholder_stands_apart_from_the_words_beside_it_and_a_misspelt_one_is_put_right(
    office: Office, browser: Browser
):
    with tab_of(browser, office, MEERA) as meera:
        page = meera.page
        meera.opens("/messages")
        text = page.get_by_label("Message in English")
        text.fill("Thank you.")
        page.get_by_role("button", name="Amount").click()
        expect(text).to_have_value("Thank you. {Amount}")
        page.keyboard.press("Home")
        page.get_by_role("button", name="Driver name").click()
        expect(text).to_have_value("{Driver name} Thank you. {Amount}")
        before = text.bounding_box(), page.get_by_role("button", name="Save message").bounding_box()
        text.fill("Pay at {urll}")
        expect(page.locator("#body-en-error")).to_contain_text("There is no {urll}. Did you mean {Payment URL}?")
        after = text.bounding_box(), page.get_by_role("button", name="Save message").bounding_box()
        assert after == before, "nothing moves while somebody types"
        page.get_by_role("button", name="Use {Payment URL}").click()
        expect(text).to_have_value("Pay at {Payment URL}")
        expect(page.locator(".phone-message")).to_have_text(re.compile("^Pay at https"))


def test_a_link_is_shared_by_keyboard_alone(asha: ManagersDesk, office: Office):
    page = asha.page
    [link_id] = links_of(office, CAR, ASHA, [2500])
    asha.opens("/links")
    page.keyboard.press("/")
    page.keyboard.type(link_id[:13])
    page.keyboard.press("Enter")
    asha.sees_status("ACTIVE")
    reach(page, "Other ways")
    page.keyboard.press("Enter")
    expect(asha.message()).to_be_visible()
    reach(page, "Copy message")
    page.keyboard.press("Enter")
    expect(page.locator("[data-said]")).to_have_text("Message copied")
    assert office.levers.link(link_id)["paymentUrl"] in page.evaluate("navigator.clipboard.readText()")
    reach(page, "English")
    for _ in ("Hindi", "Marathi", "Tamil"):
        page.keyboard.press("ArrowDown")
    expect(asha.message()).to_have_attribute("lang", "ta")
    expect(page.get_by_role("radio", name="Tamil")).to_be_focused()


def test_whoever_is_typed_last_is_whom_the_click_after_it_sends_to(asha: ManagersDesk, office: Office):
    page = asha.page
    asha.adds_a_driver(name="Lakshmi Rao", phone="98765 43211")
    asha.adds_a_driver(name="Ramesh Yadav", phone="98765 43210", vehicles=CAR)
    [link_id] = links_of(office, CAR, ASHA, [2500])
    asha.opens(f"/links/{link_id}")
    asha.shares()
    field = page.get_by_label("Driver", exact=True)
    field.fill("Lakshm")
    page.get_by_role("link", name="WhatsApp Ramesh Yadav").click()
    expect(page.locator("#share-to-error")).to_contain_text("Choose a driver from the list")
    assert len(page.context.pages) == 1
    field.fill("Lakshmi Rao")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="WhatsApp", exact=True).click()
    opened.value.wait_for_url(re.compile("^https://wa.me/919876543211"))
    expect(page.locator("#share-sent")).to_contain_text("Sent on WhatsApp to Lakshmi Rao")


def test_a_language_chosen_by_hand_stays_when_a_number_is_typed(asha: ManagersDesk, office: Office):
    [link_id] = links_of(office, CAR, ASHA, [2500])
    asha.opens(f"/links/{link_id}")
    asha.shares()
    asha.writes_the_message(language="हिन्दी (Hindi)")
    expect(asha.message()).to_have_attribute("lang", "hi")
    asha.page.get_by_label("Driver", exact=True).fill("98200 12345")
    asha.page.get_by_label("Driver", exact=True).press("Tab")
    expect(asha.page.get_by_role("link", name="WhatsApp 98200 12345")).to_be_visible()
    expect(asha.message()).to_have_attribute("lang", "hi")
    expect(asha.page.get_by_role("radio", name="Hindi")).to_be_checked()


def test_on_a_phone_a_whole_message_and_what_sends_it_are_on_the_first_screen(asha: ManagersDesk, office: Office):
    asha.page.set_viewport_size({"width": 390, "height": 844})
    [link_id] = links_of(office, CAR, ASHA, [2500])
    asha.opens(f"/links/{link_id}")
    asha.shares()
    foot = asha.page.locator("#site-nav").bounding_box()
    assert asha.message().evaluate("each => each.scrollHeight <= each.clientHeight"), "nothing of it is hidden"
    for each in (asha.message(), asha.page.locator("share-options .share-write .button-primary")):
        box = each.bounding_box()
        assert box
        assert foot
        assert box["y"] + box["height"] <= foot["y"]


def test_a_message_is_changed_before_it_is_sent_and_never_without_its_address(asha: ManagersDesk, office: Office):
    page = asha.page
    asha.adds_a_driver(name="Lakshmi Rao", phone="98765 43211", vehicles="")
    asha.adds_a_driver(name="Ramesh Yadav", phone="98765 43210", vehicles=CAR)
    [link_id] = links_of(office, CAR, ASHA, [2500])
    asha.opens(f"/links/{link_id}")
    asha.shares()
    written, standard = asha.message().input_value(), page.get_by_role("link", name="Standard text")
    expect(standard).to_be_hidden()
    asha.message().fill("Pay at once.")
    page.get_by_role("link", name="WhatsApp Ramesh Yadav").click()
    expect(page.locator("#share-message-error")).to_contain_text("The payment URL is missing")
    expect(asha.message()).to_be_focused()
    assert len(page.context.pages) == 1, "nothing was sent"
    asha.is_accessible_and_fits_phones("a message without its address")
    url = str(office.levers.link(link_id)["paymentUrl"])
    asha.message().fill(written.replace(url, f"{url}now"))
    page.get_by_role("button", name="Copy message").click()
    expect(page.locator("#share-message-error")).to_contain_text("The payment URL is missing")
    asha.message().fill(f"{written}\n\nCall me, Asha")
    expect(page.locator("#share-message-error")).to_be_empty()
    assert asha.copies_the_message() == f"{written}\n\nCall me, Asha"
    # Whoever is chosen later is greeted, and gets what was written.
    page.get_by_label("Driver", exact=True).fill("Lakshmi Rao")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="WhatsApp", exact=False).first.click()
    opened.value.wait_for_url(re.compile("^https://wa.me/919876543211"))
    sent = parse_qs(urlsplit(opened.value.url).query)["text"]
    assert sent == [f"{written}\n\nCall me, Asha".replace("Ramesh Yadav", "Lakshmi Rao")]
    standard.click()
    expect(asha.message()).to_have_value(written.replace("Ramesh Yadav", "Lakshmi Rao"))
    expect(standard).to_be_hidden()


def test_a_message_of_ones_own_outlasts_another_language_and_the_standard_text(asha: ManagersDesk, office: Office):
    page = asha.page
    asha.adds_a_driver(name="Ramesh Yadav", phone="98765 43210", vehicles=CAR)
    [link_id] = links_of(office, CAR, ASHA, [2500])
    asha.opens(f"/links/{link_id}")
    asha.shares()
    standard, back = (
        page.get_by_role("link", name="Standard text"),
        page.get_by_role("button", name="Bring back my text"),
    )
    own = f"{asha.message().input_value()}\n\nCall me, Asha"
    expect(back).to_be_hidden()
    asha.message().fill(own)
    asha.writes_the_message(language="हिन्दी")
    expect(asha.message()).to_have_value(re.compile("नमस्ते"))
    asha.is_accessible_and_fits_phones("a text that can be brought back")
    asha.writes_the_message(language="मराठी")
    back.click()
    expect(asha.message()).to_have_value(own)
    expect(asha.message()).to_be_focused()
    expect(back).to_be_hidden()
    standard.click()
    expect(asha.message()).not_to_have_value(own)
    back.click()
    expect(asha.message()).to_have_value(own)
    # What was written in a language is there again with it.
    asha.writes_the_message(language="English")
    asha.message().fill(own)
    asha.writes_the_message(language="हिन्दी")
    expect(asha.message()).to_have_value(re.compile("नमस्ते"))
    asha.writes_the_message(language="English")
    expect(asha.message()).to_have_value(own)
    expect(standard).to_be_visible()


def test_without_a_script_a_message_is_worded_and_its_share_recorded_by_hand(office: Office, browser: Browser):
    [link_id] = links_of(office, CAR, ASHA, [2500])
    with tab_of(browser, office, ASHA, java_script_enabled=False) as tab:
        tab.adds_a_driver(name="Ramesh Yadav", phone="98765 43210", vehicles=CAR)
        tab.opens(f"/links/{link_id}")
        tab.shares()
        expect(tab.page.get_by_role("button", name="Copy message")).to_be_hidden()
        expect(tab.message()).to_contain_text("Hello Ramesh Yadav")
        written = tab.message().input_value()
        tab.message().fill("Pay at once.")
        with tab.page.expect_popup() as refused:
            tab.page.get_by_role("button", name="Send by WhatsApp").click()
        expect(refused.value.locator("#share-message-error")).to_contain_text("The payment URL is missing")
        refused.value.close()
        tab.message().fill(f"{written}\n\nCall me, Asha")
        tab.page.context.route("https://wa.me/**", lambda route: route.fulfill(body="WhatsApp"))
        with tab.page.expect_popup() as opened:
            tab.page.get_by_role("button", name="Send by WhatsApp").click()
        opened.value.wait_for_url("https://wa.me/919876543210**")
        assert parse_qs(urlsplit(opened.value.url).query)["text"] == [f"{written}\n\nCall me, Asha"]
        tab.opens(f"/links/{link_id}/share")
        expect(tab.page.locator("main")).to_contain_text("Sent on WhatsApp to Ramesh Yadav · Asha Rao")
        tab.page.get_by_role("button", name="Undo").click()
        tab.page.get_by_label("Sent by").select_option(label="copied by hand")
        tab.page.get_by_role("button", name="Mark as sent").click()
        expect(tab.page.locator("main")).to_contain_text("Message copied, for Ramesh Yadav")
        tab.page.get_by_role("button", name="Undo").click()
        expect(tab.page.locator("main")).to_contain_text("Undone: this link is not marked as sent.")
        expect(tab.page.locator("main")).to_contain_text("Not sent yet.")
        tab.page.get_by_role("link", name="Large QR code").click()
        code = tab.page.get_by_role("img", name="QR code to pay with")
        assert read_qr_code(code.screenshot()) == office.levers.link(link_id)["paymentUrl"]


def test_each_choice_writes_the_message_at_once_and_what_was_sent_is_taken_back(asha: ManagersDesk, office: Office):
    page = asha.page
    asha.adds_a_driver(name="Lakshmi Rao", phone="98765 43210", language="हिन्दी")
    [link_id] = links_of(office, CAR, ASHA, [2500])
    asha.opens(f"/links/{link_id}")
    asha.shares()
    loads = Loads(page)
    page.set_viewport_size({"width": 1000, "height": 400})
    expect(page.get_by_role("button", name="Update message")).to_be_hidden()
    whatsapp = page.get_by_role("link", name=re.compile("^WhatsApp"))
    driver = page.get_by_label("Driver", exact=True)
    driver.focus()
    page.evaluate("scrollTo(0, 120)")
    driver.press_sequentially("lakshmi rao")
    driver.press("Enter")
    expect(asha.message()).to_have_attribute("lang", "hi")
    expect(page.locator("#share-to-said")).to_have_text("Lakshmi Rao, +91 98765 43210")
    expect(whatsapp).to_have_attribute("href", re.compile("wa.me/919876543210"))
    expect(page.get_by_role("radio", name="Hindi")).to_be_checked()
    expect(driver).to_be_focused()
    assert page.evaluate("scrollY") == 120
    expect(page.locator("#announcer")).to_have_text("Message in Hindi for Lakshmi Rao")
    expect(page).to_have_url(re.compile(r"/share\?driver=\d+&language=hi$"))
    asha.writes_the_message(language="தமிழ் (Tamil)")
    expect(asha.message()).to_have_attribute("lang", "ta")
    expect(page).to_have_url(re.compile(r"language=ta$"))

    with page.expect_popup():
        whatsapp.click()
    expect(page.locator("#share-sent")).to_contain_text("Sent on WhatsApp to Lakshmi Rao")
    expect(page.locator("#share-past")).to_contain_text("Sent on WhatsApp to Lakshmi Rao · Asha Rao")
    asha.is_accessible_and_fits_phones("just sent")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#share-sent")).to_have_text(re.compile("Undone: this link is not marked as sent."))
    expect(page.locator("#share-sent")).to_be_focused()
    expect(page.locator("#share-past")).to_contain_text("Not sent yet.")
    expect(asha.message()).to_have_attribute("lang", "ta")
    asha.is_accessible_and_fits_phones("a share that was taken back")
    page.get_by_role("link", name="Payment link", exact=True).click()
    asha.sees_in_the_timeline("Marked as not sent")
    page.go_back()
    expect(asha.message()).to_have_attribute("lang", "ta")
    expect(driver).to_have_value("Lakshmi Rao, +91 98765 43210")
    assert loads.addresses == []


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
    page.get_by_role("link", name=re.compile("^Send 2 messages")).click()
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
    expect(row.locator("[id^=to-][id$=-error]")).to_contain_text("type a phone number")
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


@pytest.mark.parametrize("opens", ["Send to…", "note for"])
def test_what_the_lowest_row_in_sight_opens_is_in_sight_with_its_button(
    asha: ManagersDesk, office: Office, opens: str
) -> None:
    page = asha.page
    page.set_viewport_size({"width": 1280, "height": 800})
    links_of(office, CAR, ASHA, [500] * 14)
    asha.opens("/follow-up")
    buttons = page.locator("drop-down summary", has_text=opens)
    lowest = "all => all.findLastIndex(each => each.getBoundingClientRect().bottom < innerHeight)"
    button = buttons.nth(buttons.evaluate_all(lowest))
    button.click()
    sheet = page.locator("drop-down > details[open] > .drop-sheet")
    for each in (sheet, button):
        expect(each).to_be_in_viewport(ratio=1)
    expect(button).to_be_focused()


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
    keyboard.type("Lakshmi Devi")
    keyboard.press("Tab")
    expect(phones).to_be_focused()
    expect(page.locator(".field-error").filter(visible=True)).to_have_count(0)
    asha.is_accessible_and_fits_phones("choosing drivers")
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
    expect(phones).to_be_visible()
    second.fill("Ramesh Yadav")
    keyboard.press("Tab")
    expect(phones).to_have_count(0)
    # Save goes to a number that nobody saw, and says what lacks only after that.
    second.fill("Lakshmi Devi")
    keyboard.press("Enter")
    expect(phones).to_be_focused()
    expect(page.get_by_text("Enter the phone number.")).to_have_count(0)
    keyboard.press("Enter")
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
