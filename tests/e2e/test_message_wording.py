"""Test how managers word the messages to drivers, in a browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.domain.languages import LANGUAGES
from tests.e2e.conftest import Office
from tests.e2e.manager_steps import ManagersDesk, links_of, sending_tab, tab_of
from tests.support.people import ASHA, MEERA

pytestmark = pytest.mark.e2e

#: How wide the longest line of a message is as it is typed, and in the layer behind it that holds the marks.
WIDTHS_OF_WORDS = """() => [...document.querySelectorAll(".marked-text > *")].toReversed().map(each => {
  each.style.cssText = "field-sizing: fixed; inline-size: 0; padding: 0; white-space: pre";
  return each.scrollWidth;
})"""


@pytest.fixture
def asha(office: Office, page: Page) -> ManagersDesk:
    return sending_tab(page, office, ASHA)


def test_managers_word_the_messages_and_staff_do_not(asha: ManagersDesk, office: Office, browser: Browser):
    [link_id] = links_of(office, "DL01CB2002", ASHA, [2500])
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


def test_what_the_standard_text_lacks_is_said_until_somebody_changes_it(asha: ManagersDesk, office: Office):
    [link_id] = links_of(office, "DL01CB2002", ASHA, [2500])
    office.services.message_templates.save("en", "{vehicle}: {amount}, {url}", 1, None)
    asha.opens(f"/links/{link_id}")
    asha.shares()
    misses = asha.page.get_by_text("The driver does not see when the link ends.")
    expect(misses).to_be_visible()
    asha.message().press("End")
    asha.message().press_sequentially(" till Monday")
    expect(misses).to_be_hidden()
    asha.page.get_by_role("link", name="Standard text").click()
    expect(misses).to_be_visible()


def test_what_the_standard_text_lacks_is_added_to_what_was_typed_at_one_tap(asha: ManagersDesk, office: Office):
    [link_id] = links_of(office, "DL01CB2002", ASHA, [2500])
    office.services.message_templates.save("en", "{vehicle}: {url}", 1, None)
    asha.opens(f"/links/{link_id}")
    asha.shares()
    add, standard = asha.page.get_by_role("button", name="Add "), asha.page.get_by_role("link", name="Standard text")
    expect(add).to_have_text("Add amount and end")
    asha.is_accessible_and_fits_phones("a message that lacks amount and end")
    written = asha.message().input_value()
    amount = re.search(r"₹([\d,]+)", asha.page.locator(".panel-amount").inner_text())
    assert amount
    asha.message().fill(f"{written}\n{amount[1]} in all")
    expect(add).to_have_text("Add the end")
    typed = f"{written}\nCall me"
    asha.message().fill(typed)
    expect(add).to_have_text("Add amount and end")
    add.press("Enter")
    expect(asha.message()).to_have_value(re.compile(f"^{re.escape(typed)}\nPay ₹[\\d,.]+ .*before .*m$"))
    expect(add).to_be_hidden()
    expect(standard).to_be_focused()
    assert asha.copies_the_message() == asha.message().input_value()
    standard.press("Enter")
    expect(asha.message()).to_have_value(written)
    expect(add).to_have_text("Add amount and end")


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


def test_on_a_phone_what_is_written_is_saved_right_below_it_and_read_below_that(office: Office, browser: Browser):
    with tab_of(browser, office, MEERA) as meera:
        meera.page.set_viewport_size({"width": 390, "height": 844})
        meera.opens("/messages")
        save = meera.page.get_by_role("button", name="Save message").bounding_box()
        text, preview = (meera.page.locator(each).bounding_box() for each in (".marked-text", "#message-preview"))
        assert save
        assert text
        assert preview
        assert text["y"] + text["height"] < save["y"] < text["y"] + text["height"] + 80
        assert save["y"] + save["height"] < preview["y"]
