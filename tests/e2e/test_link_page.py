"""Test the page of a payment link: whom it is sent to, and the part of its address by which links differ."""

from __future__ import annotations

from collections.abc import Iterator

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


def test_the_button_names_the_driver_who_is_chosen(asha: ManagersDesk) -> None:
    page = asha.page
    asha.adds_a_driver(name="Ramesh Yadav", phone="98765 43210")
    asha.creates_a_link(RC)
    button = page.locator(".share-send .button")
    ground = "each => getComputedStyle(each).backgroundColor"
    expect(button).to_have_accessible_name("WhatsApp to the chosen driver , in a new tab")
    quiet = button.evaluate(ground)
    page.get_by_label("Driver", exact=True).select_option(label="Ramesh Yadav · +91 98765 43210")
    expect(button).to_have_accessible_name("WhatsApp Ramesh Yadav , in a new tab")
    assert button.evaluate(ground) != quiet, "to send it is the next step now"


def test_a_field_that_is_too_short_for_the_payment_url_shows_its_end(asha: ManagersDesk) -> None:
    page = asha.page
    page.set_viewport_size({"width": 390, "height": 844})
    asha.creates_a_link(RC)
    field = page.get_by_label("Payment URL")
    is_at_end = "each => each.scrollLeft > 0 && Math.ceil(each.scrollLeft + each.clientWidth) >= each.scrollWidth"
    assert field.evaluate(is_at_end)
    field.focus()
    assert field.evaluate("each => each.selectionEnd - each.selectionStart") == len(field.input_value())
    page.get_by_role("button", name="Copy link").focus()
    page.wait_for_function(is_at_end, arg=field.element_handle())
