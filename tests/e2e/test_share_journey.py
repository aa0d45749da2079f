"""Test sharing a payment link with a driver: the message, the channels, the QR code, and no share of an ended link."""

from __future__ import annotations

import re
from base64 import b64encode
from urllib.parse import parse_qs, unquote, urlsplit
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import ManagersDesk, links_of, reach, sending_tab, tab_of
from tests.e2e.tab import Held, Loads
from tests.support.people import ASHA
from tests.support.qr_codes import read_qr_code
from tests.support.waiting import until

pytestmark = pytest.mark.e2e

CAR, TRUCK = "DL01CB2002", "KA05MN4321"
INDIA = ZoneInfo("Asia/Kolkata")


@pytest.fixture
def asha(office: Office, page: Page) -> ManagersDesk:
    return sending_tab(page, office, ASHA)


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
    expect(page.locator("[data-said]")).to_have_text("Sent on WhatsApp to Ramesh Yadav, in English")
    expect(past).to_contain_text("Sent on WhatsApp to Ramesh Yadav, in English · by Asha Rao")
    past.get_by_role("link", name="Ramesh Yadav").first.click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_contain_text("Sent")
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
    whatsapp = page.get_by_role("link", name="WhatsApp", exact=True)
    expect(whatsapp).to_be_disabled()
    whatsapp.dispatch_event("click")
    expect(field).to_be_focused()
    field.fill("Lakshm")
    expect(whatsapp).to_be_enabled()
    whatsapp.dispatch_event("click")
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
    copies = asha.page.get_by_role("button", name="Copy message")
    for each in (asha.message(), asha.page.locator("share-options .share-write .button-primary"), copies):
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
        expect(tab.page.locator("main")).to_contain_text("Sent on WhatsApp to Ramesh Yadav, in English · by Asha Rao")
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


def test_enter_writes_in_the_language_of_a_driver_also_before_the_script_has_come(asha: ManagersDesk, office: Office):
    page = asha.page
    asha.adds_a_driver(name="Lakshmi Rao", phone="98765 43210", language="हिन्दी")
    [link_id] = links_of(office, CAR, ASHA, [2500])
    script = Held(page, r"/lazy\.js")
    asha.opens("/")
    page.locator(f"main a[href='/links/{link_id}']").first.click()
    asha.shares()
    expect(asha.message()).to_have_attribute("lang", "en")
    until(script.count, "the script was not asked for")
    driver = page.get_by_label("Driver", exact=True)
    driver.fill("lakshmi rao")
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/share")):
        driver.press("Enter")
    expect(page.get_by_role("radio", name="Hindi")).to_be_checked()
    expect(asha.message()).to_have_attribute("lang", "hi")
    expect(page).to_have_url(re.compile(r"/share\?driver=\d+"))


def test_each_choice_writes_the_message_at_once_and_what_was_sent_is_taken_back(asha: ManagersDesk, office: Office):
    page = asha.page
    asha.adds_a_driver(name="Lakshmi Rao", phone="98765 43210", language="हिन्दी")
    [link_id] = links_of(office, CAR, ASHA, [2500])
    asha.opens(f"/links/{link_id}")
    asha.shares()
    expect(page.locator("share-options:defined")).to_be_visible()
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
    expect(page.locator("#share-past")).to_contain_text("Sent on WhatsApp to Lakshmi Rao, in Tamil · by Asha Rao")
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
