"""Test the page of a payment link: whom it is sent to, and all of its address."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import ManagersDesk, tab_of
from tests.support.people import ASHA

pytestmark = pytest.mark.e2e


@pytest.fixture
def asha(office: Office, browser: Browser) -> Iterator[ManagersDesk]:
    with tab_of(browser, office, ASHA) as desk:
        yield desk


def test_a_driver_is_typed_by_name_or_number(asha: ManagersDesk) -> None:
    page = asha.page
    asha.adds_a_driver(name="Ramesh Yadav", phone="98765 43210")
    asha.creates_a_link(RC)
    field, button = page.get_by_label("Driver", exact=True), page.locator(".share-send .button-primary")
    field.fill("Ramesh")
    button.click()
    expect(page.locator("#send-to-error")).to_have_text(
        "Choose a driver from the list, or type the number after the name: Ramesh, 98…"
    )
    expect(field).to_be_focused()
    assert len(page.context.pages) == 1
    page.context.route("https://wa.me/**", lambda route: route.fulfill(body="WhatsApp"))
    hint = page.locator("#send-to-said .field-hint")
    field.fill("Vijay More, 98765 43299")
    expect(hint).to_have_text("Vijay More will be saved as driver of MH12 AB 1001.")
    field.fill("ramesh yadav")
    expect(hint).to_contain_text("Leave empty to choose in WhatsApp.")
    with page.expect_popup() as opened:
        button.click()
    opened.value.wait_for_url("https://wa.me/919876543210**")
    expect(page.locator(".panel-sent")).to_contain_text("Sent on WhatsApp to Ramesh Yadav", timeout=15_000)
    expect(page.locator(".panel-sent").get_by_role("button", name="Undo")).to_be_visible()


def test_a_message_that_was_opened_is_seen_before_the_page_polls_again(asha: ManagersDesk) -> None:
    page = asha.page
    asha.adds_a_driver(name="Ramesh Yadav", phone="98765 43210", vehicles=RC)
    asha.creates_a_link(RC)
    panel = page.locator("#link-panel")
    panel.evaluate("each => { each.setAttribute('hx-trigger', 'every 900s'); htmx.process(each); }")
    page.context.route("https://wa.me/**", lambda route: route.fulfill(body="WhatsApp"))
    with page.expect_popup() as opened:
        page.locator(".share-send .button-primary").click()
    opened.value.wait_for_url("https://wa.me/919876543210**")
    expect(page.locator(".panel-sent")).to_contain_text("Sent on WhatsApp to Ramesh Yadav")
    expect(page.locator("#link-timeline")).to_contain_text("Sent on WhatsApp to Ramesh Yadav")
    expect(page.locator(".share-send .button")).to_contain_text("Remind Ramesh Yadav")


def test_on_a_phone_checking_stands_below_sending(asha: ManagersDesk) -> None:
    page = asha.page
    page.set_viewport_size({"width": 390, "height": 844})
    asha.creates_a_link(RC)
    check, copied = page.get_by_role("button", name="Check now"), page.get_by_label("Payment URL")
    says = page.locator(".panel-checked")
    top, below, beside = (float((each.bounding_box() or {})["y"]) for each in (copied, check, says))
    assert top < below
    assert abs(below - beside) < 10, "both are one line"


def test_the_challans_and_what_they_come_to_begin_on_one_line(asha: ManagersDesk) -> None:
    page = asha.page
    page.set_viewport_size({"width": 1280, "height": 800})
    asha.creates_a_link(RC)
    tables = [page.locator(f"{each} .table") for each in ("#link-challans", "#link-amounts")]
    challans, amounts = (float((each.bounding_box() or {})["y"]) for each in tables)
    assert challans == amounts


def test_all_of_the_payment_url_is_read_and_selected(asha: ManagersDesk) -> None:
    page = asha.page
    page.set_viewport_size({"width": 390, "height": 844})
    asha.creates_a_link(RC)
    field, letters = page.get_by_label("Payment URL"), page.locator(".copy-url > p")
    expect(letters).to_have_text(field.input_value())
    assert letters.evaluate("each => each.scrollWidth <= each.clientWidth")
    field.focus()
    expect(letters).to_be_hidden()
    assert field.evaluate("each => each.selectionEnd - each.selectionStart") == len(field.input_value())


def test_a_shortened_payment_url_has_no_gap_before_its_end(asha: ManagersDesk) -> None:
    page = asha.page
    asha.creates_a_link(RC)
    letters = page.locator(".copy-url > p")
    for width in range(1200, 1330, 13):
        page.set_viewport_size({"width": width, "height": 800})
        # The letters of the start that are shown, and a letter for what stands for the others.
        gap = letters.evaluate("""each => {
          const [start, end] = each.children;
          const letter = end.getBoundingClientRect().width / end.textContent.length;
          return (start.getBoundingClientRect().width / letter) % 1;
        }""")
        assert gap < 0.2, width


def test_what_happened_stands_below_few_challans_and_beside_many(asha: ManagersDesk) -> None:
    page = asha.page
    page.set_viewport_size({"width": 1280, "height": 800})
    asha.creates_a_link(RC)
    challans, amounts, timeline = (
        page.locator(".link-body").get_by_role("region", name=name) for name in ("Challans", "Amounts", "Timeline")
    )

    def left_edges(*, many: bool) -> list[float]:
        """Draw the page as for few or for many challans; at one go, because a poll may bring the list anew."""
        return cast(
            "list[float]",
            challans.evaluate(
                """(challans, [many, ...others]) => {
                    challans.closest(".link-body").classList.toggle("link-body-few", !many);
                    return [challans, ...others].map((each) => each.getBoundingClientRect().x);
                }""",
                [many, amounts.element_handle(), timeline.element_handle()],
            ),
        )

    expect(page.locator(".link-body-few")).to_be_visible()
    listed, beside, happened = left_edges(many=False)
    assert listed == happened < beside
    listed, beside, happened = left_edges(many=True)
    assert listed < beside == happened


def test_what_is_no_phone_number_is_refused_where_it_was_typed(asha: ManagersDesk) -> None:
    page = asha.page
    asha.creates_a_link(RC)
    field, button = page.get_by_label("Driver", exact=True), page.locator(".share-send .button")
    field.fill("98765 432")
    stands = button.bounding_box()
    button.click()
    expect(page.locator("#send-to-error")).to_contain_text("Enter ten digits")
    assert button.bounding_box() == stands, "it stays beside its field"
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    assert len(page.context.pages) == 1
    page.context.route("https://wa.me/**", lambda route: route.fulfill(body="WhatsApp"))
    field.fill("98765 43299")
    with page.expect_popup() as opened:
        button.click()
    opened.value.wait_for_url("https://wa.me/919876543299**")
    expect(page.get_by_role("button", name="Not sent")).to_be_visible(timeout=15_000)


def test_on_a_phone_the_receipt_is_sent_where_its_message_stands(asha: ManagersDesk, office: Office) -> None:
    page = asha.page
    page.set_viewport_size({"width": 390, "height": 844})
    asha.adds_a_driver(name="Ramesh Yadav", phone="98765 43210", vehicles=RC)
    link_id = asha.creates_a_link(RC)
    office.levers.pay(link_id)
    asha.sees_status("PAID")
    page.get_by_role("link", name="Open receipt").click()
    jump, prints = page.get_by_role("link", name="Send receipt"), page.get_by_role("button", name="Print or PDF")
    for each in (jump, prints):
        expect(each).to_be_in_viewport(ratio=1)
    jump.click()
    for each in (page.locator("#share-message"), page.get_by_role("link", name="WhatsApp Ramesh Yadav")):
        expect(each).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width", [390, 1280])
def test_whoever_comes_back_from_whatsapp_is_asked_where_it_was_sent(asha: ManagersDesk, width: int) -> None:
    page = asha.page
    page.set_viewport_size({"width": width, "height": 844})
    asha.creates_a_link(RC)
    page.context.route("https://wa.me/**", lambda route: route.fulfill(body="WhatsApp"))
    page.get_by_label("Driver", exact=True).fill("98765 43299")
    with page.expect_popup() as opened:
        page.get_by_label("Driver", exact=True).press("Enter")
    opened.value.close()
    expect(page.locator(".share-question")).to_contain_text("Was it sent to +91 98765 43299?", timeout=15_000)
    expect(page.get_by_role("button", name="Not sent")).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Driver", exact=True)).to_have_count(0)
    # One question at a time: whose number it is, once it was sent there.
    expect(page.get_by_role("button", name="Save driver")).to_have_count(0)
    page.get_by_role("button", name="Yes, sent", exact=True).click()
    page.get_by_role("button", name="Save driver").click()
    expect(page.locator("#driver-name-error")).to_contain_text("Enter the driver’s name.")
    asha.is_accessible_and_fits_phones("a number to save as a driver")
    page.get_by_label("Save +91 98765 43299 as driver of MH12 AB 1001").fill("Vijay More")
    page.get_by_role("button", name="Save driver").click()
    expect(page.locator(".share-send .button")).to_have_accessible_name("Remind Vijay More , on WhatsApp, in a new tab")
