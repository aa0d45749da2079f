"""The follow-up queue with scripts: a row changes or leaves alone."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from dashboard.domain.sharing import Channel
from dashboard.store.sharing import shares
from tests.support.page import Page, words
from tests.support.sends import sends_to_a_number
from tests.support.web_client import HTMX, IN_PLACE, WebClient
from tests.web.links.test_list import Ledger, link_id
from tests.web.sharing.steps import adds_a_driver

ON_QUEUE = {"HX-Current-URL": "http://localhost/follow-up"}


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    ledger = Ledger(app.extensions["services"], clock)
    for number in (1, 2, 3):
        ledger.enter(number, rc=f"MH12AB100{number}", expires_at=clock() + timedelta(hours=20, minutes=number))
    return ledger


def sends(visitor: WebClient, number: int, action: str, **fields: str) -> Page:
    headers = {**HTMX, **ON_QUEUE, "HX-Target": f"follow-{link_id(number)}", "X-CSRFToken": visitor.csrf_token()}
    answer = visitor.post(f"/follow-up/{link_id(number)}/{action}", data=fields, headers=headers)
    return Page(visitor, answer, region=True)


def gone(region: Page) -> list[int]:
    """Return the numbers of the links whose rows the answer takes away."""
    [taken] = region.all("[hx-swap-oob^='delete:']")
    return [int(number) for number in re.findall(r"data-links~='(\d+)-", str(taken["hx-swap-oob"]))]


def test_a_snoozed_row_leaves_and_its_undo_puts_it_back_in_its_place(staff: WebClient, entered: Ledger) -> None:
    region = sends(staff, 2, "snooze", until="hours")
    assert (region.headers["HX-Reswap"], region.headers["HX-Push-Url"]) == ("none", "false")
    assert gone(region) == [2]
    assert [str(each["id"]) for each in region.all("[hx-swap-oob='beforeend:#follow-snoozed'] > li")] == [
        f"follow-{link_id(2)}"
    ]
    assert "2 links to follow up · ₹1,004.00" in region.text
    assert "Snoozed · 1 link · ₹502.00" in region.one("#later-title").get_text()
    assert "Follow up (2)" in region.response.text
    undone = region.form("Undo").submit(headers={**IN_PLACE, **ON_QUEUE, "HX-Trigger-Name": "undo"})
    region = Page(staff, undone, region=True)
    assert region.headers["HX-Reswap"] == "none"
    [back] = region.all(f"[hx-swap-oob='beforebegin:#follow-{link_id(3)}'] > li")
    assert back["id"] == f"follow-{link_id(2)}"
    assert "3 links to follow up" in region.text


def test_a_link_that_was_sent_is_said_in_its_row_which_stays_until_the_page_is_opened_anew(
    staff: WebClient, app: Flask, entered: Ledger
) -> None:
    region = staff.region(f"/follow-up/{link_id(2)}/contact", on="/follow-up")
    asks = str(region.one(f"#contact-{link_id(2)}")["hx-get"])
    assert staff.get(asks, headers={**HTMX, **ON_QUEUE}).status_code == 204, "nothing is recorded so far"
    sends_to_a_number(app.extensions["services"].sharing, link_id(2))
    region = staff.region(asks, on="/follow-up")
    assert "Sent" in words(region.one(f"#contact-{link_id(2)}").get_text())
    assert "2 links to follow up · ₹1,004.00" in words(region.one("#follow-count").get_text()), "it waits no more"
    assert region.one("#menu-count-follow_up").get_text().startswith("2")
    assert "<title>Follow up (2)" in region.response.text
    assert not region.all("[hx-swap-oob^='delete:'], #just-sent-title"), "it stays where it is"
    page = staff.page("/follow-up")
    assert [str(each["id"]) for each in page.all("#follow-just-sent > li")] == [f"follow-{link_id(2)}"]
    assert page.one("#just-sent-title").get_text() == "Just sent · 1 link · ₹502.00"
    assert page.one("#sent-title").get_text() == "Sent or copied before, last 12 hours", "each link is counted once"
    lists = [str(each["id"]) for each in page.all(".follow-list")]
    assert lists.index("follow-ended") < lists.index("follow-just-sent"), "what is done stands below what is to be done"


def test_a_note_changes_its_row_alone(staff: WebClient, entered: Ledger) -> None:
    region = sends(staff, 1, "note", note="Called him")
    assert [str(each["id"]) for each in region.all("li.follow")] == [f"follow-{link_id(1)}"]
    assert "Called him" in region.text
    refused = sends(staff, 1, "note", note=" ")
    assert (refused.status, refused.one(f"#note-{link_id(1)}")["aria-invalid"]) == (422, "true")
    assert not refused.all(f"#follow-{link_id(2)}")


def test_a_link_that_ends_too_soon_is_refused_beside_its_row(staff: WebClient, entered: Ledger, clock: Any) -> None:
    entered.enter(4, expires_at=clock() + timedelta(minutes=30))
    region = sends(staff, 4, "snooze", until="hours")
    assert (region.status, region.headers["HX-Retarget"]) == (422, "#notices")
    assert "was not snoozed: it ends within the hour." in region.text


@pytest.fixture
def of_one_driver(staff: WebClient, app: Flask, clock: Any) -> list[str]:
    """Let the first and the last of four links go to one driver, the others to nobody; return the ids of the two."""
    ledger = Ledger(app.extensions["services"], clock)
    adds_a_driver(staff, vehicles="MH12AB1001, MH14GH2300")
    for number, rc, hours in (
        (1, "MH12AB1001", 20),
        (2, "KA05MN0002", 21),
        (3, "KA05MN0003", 22),
        (4, "MH14GH2300", 40),
    ):
        ledger.enter(number, rc=rc, expires_at=clock() + timedelta(hours=hours))
    return [link_id(1), link_id(4)]


def sends_together(staff: WebClient, app: Flask, of_one_driver: list[str]) -> Page:
    """Record one message about both links, and return what the row then says."""
    page = staff.page("/follow-up")
    driver = int(page.one(f"#first-{link_id(1)} input[name=driver]")["value"])
    app.extensions["services"].sharing.record_message(of_one_driver, Channel.WHATSAPP, 1, driver, "hi")
    return staff.region(str(page.one(f"#contact-{link_id(1)}")["hx-get"]), on="/follow-up")


def test_a_message_about_two_links_is_said_at_both_and_keeps_them_together(
    staff: WebClient, app: Flask, of_one_driver: list[str]
) -> None:
    region = sends_together(staff, app, of_one_driver)
    said = [words(region.one(f"#contact-{each}").get_text(" ")) for each in of_one_driver]
    assert "Not sent? Undo both links" in said[0]
    assert said[1].startswith("Sent ")
    assert "Undo" not in said[1]
    assert "2 links to follow up" in region.text
    [row] = staff.page("/follow-up").all("#follow-just-sent > li")
    assert row["data-links"] == " ".join(of_one_driver)


def test_both_links_of_a_message_are_taken_back_at_once(staff: WebClient, app: Flask, of_one_driver: list[str]) -> None:
    region = sends_together(staff, app, of_one_driver)
    headers = {**HTMX, **ON_QUEUE, "HX-Target": f"contact-{link_id(1)}"}
    undone = Page(staff, region.submit("Undo both links marked as sent", headers=headers), region=True)
    assert "Undone: these 2 links are not marked as sent." in undone.text
    [row] = undone.all("#follow-ends-soon > li, [hx-swap-oob] > li.follow-several")
    assert row["data-links"] == " ".join(of_one_driver)
    with app.extensions["store"].read() as connection:
        assert not any(shares.of_link(connection, each) for each in of_one_driver)


def test_what_is_left_of_a_message_when_one_of_its_links_is_snoozed_is_a_row_of_its_own(
    staff: WebClient, of_one_driver: list[str]
) -> None:
    headers = {**HTMX, **ON_QUEUE, "HX-Target": f"follow-{link_id(1)}", "X-CSRFToken": staff.csrf_token()}
    answer = staff.post(f"/follow-up/{link_id(1)}/snooze", data={"until": "hours"}, headers=headers)
    region = Page(staff, answer, region=True)
    assert gone(region) == [1, 4]
    rows = region.all("[hx-swap-oob] > li.follow")
    assert sorted(str(each["data-links"]) for each in rows) == of_one_driver


@pytest.fixture
def opened(app: Flask, entered: Ledger) -> int:
    """Open WhatsApp for the second link, for nobody in particular; return the id of the share."""
    sharing = app.extensions["services"].sharing
    return int(sharing.record_share(link_id(2), Channel.WHATSAPP, 1, None, "en"))


def contact_of(page: Page, number: int) -> str:
    return words(page.one(f"#contact-{link_id(number)}").get_text(" "))


def test_a_message_of_which_nobody_says_that_it_was_sent_leaves_its_link_in_the_queue(
    staff: WebClient, manager: WebClient, entered: Ledger, opened: int, clock: Any
) -> None:
    page = staff.page("/follow-up")
    assert "3 links to follow up" in page.text
    assert page.link("1 to confirm") == "#asked-title"
    assert words(page.one("#asked-title").get_text(" ")) == "Was it sent? · 1 link · ₹502.00"
    assert page.one(f"#follow-asked #follow-{link_id(2)}")
    assert not manager.page("/follow-up").all("#follow-asked > li"), "of somebody else's message"
    assert contact_of(page, 2).endswith("Was it sent?")
    assert page.one(f"#asked-{link_id(2)}")["class"] == ["vh"], "the head of the group asks it"
    assert not page.all(".follow-acts .button-primary"), "that is answered first"
    assert contact_of(manager.page("/follow-up"), 2).endswith("by Asha Rao · not said to be sent")
    clock.advance(minutes=11)
    assert contact_of(staff.page("/follow-up"), 2).endswith("Was it sent?"), "at any later time"


def test_who_opened_it_says_in_its_row_that_it_was_sent(
    staff: WebClient, entered: Ledger, opened: int, clock: Any
) -> None:
    clock.advance(minutes=11)
    contact = f"contact-{link_id(2)}"
    form = staff.page("/follow-up").form("Yes, sent")
    region = Page(staff, form.submit(headers={**IN_PLACE, **ON_QUEUE, "HX-Target": contact}), region=True)
    assert "2 links to follow up" in region.text
    assert contact_of(region, 2).startswith("Sent ")
    assert "2 links to follow up" in staff.page("/follow-up").text


def test_who_opened_it_says_in_its_row_that_it_was_not_sent(
    staff: WebClient, entered: Ledger, opened: int, clock: Any
) -> None:
    clock.advance(minutes=11)
    form = staff.page("/follow-up").form("Not sent")
    page = staff.read(form.submit())
    assert contact_of(page, 2).startswith("Not sent yet")
    assert "3 links to follow up" in page.text
    assert not page.all("#follow-asked > li")


def test_a_link_whose_message_was_opened_goes_in_no_other_message_until_that_is_answered(
    staff: WebClient, manager: WebClient, entered: Ledger, opened: int
) -> None:
    adds_a_driver(staff, vehicles="MH12AB1001, MH12AB1002, MH12AB1003")
    rows = [str(row["data-links"]).count("-0000-4000-") for row in staff.page("/follow-up").all(".follow")]
    assert rows == [1, 2], "its driver would get it twice"
    rows = [str(row["data-links"]).count("-0000-4000-") for row in manager.page("/follow-up").all(".follow")]
    assert rows == [3], "a colleague may send it"


def test_what_was_opened_after_a_send_takes_the_place_of_its_undo(
    staff: WebClient, app: Flask, entered: Ledger
) -> None:
    sharing, driver = app.extensions["services"].sharing, adds_a_driver(staff)
    sharing.record_share(link_id(2), Channel.WHATSAPP, 1, int(driver), "en")
    row = f'.table-links [data-row="{link_id(2)}"]'
    assert staff.page("/links").one(row).select(".follow-undo")
    sharing.record_share(link_id(2), Channel.WHATSAPP, 1, None, "en")
    assert not staff.page("/links").one(row).select(".follow-undo")
    asked = staff.page("/links").one(f"{row} .driver .sub")
    assert (asked.get_text(), str(asked["title"])[:22]) == ("Was it sent?", "Message prepared today")


def test_links_of_a_vehicle_without_a_driver_stand_together_and_stay_where_one_of_them_leaves(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    entered.enter(4, rc="MH12AB1001", expires_at=clock() + timedelta(hours=20, minutes=4))
    page = staff.page("/follow-up")
    together = page.one(f"#follow-{link_id(1)}")
    assert together["data-links"] == f"{link_id(1)} {link_id(4)}"
    [act] = together.select(".follow-first a")
    assert words(act.get_text(" ")) == "Choose driver · MH12 AB 1001"
    assert act["href"] == "/follow-up/drivers"
    assert "4 have no driver" in page.text, "of links, as on Home"
    region = sends(staff, 4, "snooze", until="hours")
    [left] = [each for each in region.all("[hx-swap-oob] > li") if each["id"] == f"follow-{link_id(1)}"]
    assert left["data-links"] == link_id(1), "it stands there alone now"
    sends(staff, 4, "snooze", until="now")
    adds_a_driver(staff)
    assert (
        staff.page("/follow-up").one(f"#follow-{link_id(1)} .follow-first button").get_text().startswith("Send 2 links")
    )
