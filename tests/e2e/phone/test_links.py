"""Test the list of links and the page of a link on a phone: whole words in few lines, and acts at the foot."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from tests.e2e.conftest import Office
from tests.e2e.manager_steps import links_of
from tests.e2e.phone.geometry import HEIGHT, OVERLAPPING, SMALL, WIDTH, one_line
from tests.e2e.steps import Desk
from tests.support.people import ASHA

pytestmark = pytest.mark.e2e


def test_links_are_filtered_in_one_step_and_the_button_says_how_many_are_shown(phone: Desk, office: Office) -> None:
    links_of(office, "MH12AB2300", ASHA, [500, 800])
    phone.opens("/links")
    page = phone.page
    first = page.locator("tr[data-row]").first.bounding_box()
    assert first is not None
    assert first["y"] < 205, "below the heading, the sum, the search and the tabs"
    filters, show = page.locator(".filter-fold > summary"), page.locator("#filter-show")
    search = page.locator("#filter-q").bounding_box()
    assert search is not None
    expect(show).to_be_hidden()
    filters.tap()
    opened = filters.bounding_box()
    assert opened is not None
    assert opened["y"] == search["y"], "it stays beside the search"
    for field in ("#filter-creator", "#filter-from", "[type=checkbox][name=state][value=PAID]", "#filter-least"):
        expect(page.locator(field)).to_be_visible()
    expect(show).to_have_text(re.compile(r"Show \d+ links"))
    page.locator("#filter-only").select_option("not-sent")
    expect(show).to_have_text("Show 2 links")
    page.locator("[type=checkbox][name=state][value=PAID]").check()
    expect(show).to_have_text("Show 0 links")
    page.locator("[type=checkbox][name=state][value=PAID]").uncheck()
    expect(show).to_have_text("Show 2 links")
    show.tap()
    expect(show).to_be_hidden()
    expect(filters).to_be_focused()
    expect(page.locator("tr[data-row]")).to_have_count(2)
    assert page.evaluate(SMALL) == []


def test_what_is_done_with_the_chosen_rows_stands_above_the_menu(phone: Desk, office: Office) -> None:
    links_of(office, "DL01CB2002", ASHA, [2500])
    phone.opens("/links")
    phone.page.locator("[name=link]").check()
    bar = phone.page.locator("chosen-rows")
    expect(bar.locator(".chosen-count")).to_have_text(
        re.compile(r"^1 chosen · ₹[\d,]+\.\d\d · 1 not sent · 1 without a driver$")
    )
    assert one_line(phone.page, "h1"), "what staff may not do takes no room from the title"
    for name in ("Follow up", "Clear"):
        bar.get_by_role("button", name=name).click(trial=True, timeout=2_000)


def test_seven_links_fit_a_screen_and_long_plates_and_amounts_wrap(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails(
        "Ramesh Kumar Venkatanarasimharajuvaripeta", "98765 43210", None, "hi", None, ("DL01CB2002",)
    )
    driver = office.services.drivers.add(details, person)
    first, *_others = links_of(office, "DL01CB2002", ASHA, [2500] * 8)
    office.services.sharing.record_share(first, Channel.WHATSAPP, person, driver, "hi")
    phone.opens("/links")
    rows = phone.page.locator("#links-rows tbody tr")
    expect(rows).to_have_count(8)
    menu = phone.page.locator("#site-nav").bounding_box()
    seventh = rows.nth(6).bounding_box()
    assert menu
    assert seventh
    assert seventh["y"] + seventh["height"] <= menu["y"] + 1
    links_of(office, "22BH6517AB", ASHA, [1_000_000])
    for width in (WIDTH, 320):
        phone.page.set_viewport_size({"width": width, "height": HEIGHT})
        phone.opens("/links")
        assert phone.page.evaluate(SMALL) == []
        for row in rows.all():
            assert row.evaluate(OVERLAPPING) == []


def test_a_link_that_should_have_ended_has_whole_words_in_few_lines(phone: Desk, office: Office) -> None:
    [overdue] = links_of(office, "DL01CB2002", ASHA, [2500])
    at = office.services.clock().replace(microsecond=0) - timedelta(hours=2)
    office.levers.set_link(overdue, raw={"expiresAt": f"{at:%Y-%m-%dT%H:%M:%S}Z", "status": "ACTIVE"})
    office.polls_until(overdue, expires_at=at)
    for width in (WIDTH, 320):
        phone.page.set_viewport_size({"width": width, "height": HEIGHT})
        phone.opens("/links")
        row = phone.page.locator(f"#row-{overdue}")
        expect(row.locator(".when")).to_contain_text("Should have ended")
        withheld = row.locator(".driver > .sub").first
        expect(withheld).to_have_text("Cannot be sent")
        box, plate = withheld.bounding_box(), row.locator(".plate").bounding_box()
        assert box
        assert plate
        assert box["height"] < 24, "it stands in one line"
        assert box["x"] == plate["x"], "below the plate, as in other rows"
        assert row.evaluate(OVERLAPPING) == []
        act, around = row.get_by_role("link", name="Check first").bounding_box(), row.bounding_box()
        assert act
        assert around
        assert act["y"] >= around["y"]
        assert act["y"] + act["height"] <= around["y"] + around["height"], "its button is over no other row"


def test_what_is_done_less_often_with_a_link_opens_at_the_foot_of_the_screen(phone: Desk, office: Office) -> None:
    links_of(office, "DL01CB2002", ASHA, [2500])
    phone.opens("/follow-up")
    page = phone.page
    more, note = page.locator(".follow-more summary"), page.get_by_label("Note on DL01 CB 2002")
    closings = (
        more.click,
        lambda: page.mouse.click(100, 60),
        lambda: page.keyboard.press("Escape"),
    )
    for closes in closings:
        more.click()
        expect(note).to_be_visible()
        box = note.bounding_box()
        assert box
        assert box["y"] > HEIGHT / 2, "in reach of the thumb"
        assert page.evaluate(SMALL) == []
        closes()
        expect(note).to_be_hidden()
    expect(more).to_be_focused()
    more.click()
    expect(note).to_be_visible()
    page.keyboard.press("Shift+Tab")
    expect(note).to_be_hidden()  # The page under it is reached by no key while it is open.
