"""The message that was sent last stands with its undo below the queue, and counts once."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from dashboard.domain.sharing import Channel
from dashboard.store.sharing import follow_ups
from tests.support.page import Page, words
from tests.support.sends import sends_to_a_number
from tests.support.web_client import HTMX, WebClient
from tests.web.links.test_list import Ledger, link_id
from tests.web.sharing.steps import adds_a_driver, opens_send_to

NOON = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)
ON_QUEUE = {"HX-Current-URL": "http://localhost/follow-up"}


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    """Enter two links that nobody was given, of one vehicle each."""
    clock.set(NOON)
    ledger = Ledger(app.extensions["services"], clock)
    for number in (1, 2):
        ledger.enter(number, rc=f"MH12AB100{number}", expires_at=clock() + timedelta(hours=40))
    return ledger


def sends(entered: Ledger, number: int, person: int = 1, driver: int | None = None) -> int:
    if driver is None:
        return sends_to_a_number(entered.services.sharing, link_id(number), person)
    return entered.services.sharing.record_share(link_id(number), Channel.WHATSAPP, person, driver, "en")


def listed(page: Page, name: str) -> list[int]:
    return [int(str(row["id"])[7:15]) for row in page.all(f"#follow-{name} > li")]


def test_after_the_last_send_the_page_says_one_thing(staff: WebClient, entered: Ledger, clock: Any) -> None:
    sends(entered, 1)
    clock.advance(minutes=1)
    sends(entered, 2)
    page = staff.page("/follow-up")
    assert (listed(page, "just-sent"), listed(page, "sent"), listed(page, "not-sent")) == ([2], [1], [])
    heads = [words(each.get_text()) for each in page.all("h2") if "·" in each.get_text()]
    assert heads == ["Just sent · 1 link · ₹502.00", "Sent or copied before, last 12 hours · 1 link · ₹501.00"]
    assert not page.all("details[open]"), "the others are in their fold"
    said = words(page.one("#follow-count").get_text(" "))
    assert said.startswith("All sent. 2 links ( ₹1,003.00 ) come back from tomorrow 4:00 am , unless they are paid.")


def test_what_a_colleague_sent_is_not_taken_back_here(staff: WebClient, manager: WebClient, entered: Ledger) -> None:
    sends(entered, 1)
    assert (listed(manager.page("/follow-up"), "just-sent"), listed(manager.page("/follow-up"), "sent")) == ([], [1])
    assert listed(staff.page("/follow-up"), "just-sent") == [1]


def test_the_next_send_takes_the_place_of_the_last_one(staff: WebClient, entered: Ledger, clock: Any) -> None:
    sends(entered, 1)
    clock.advance(minutes=1)
    sends(entered, 2)
    page = staff.page("/follow-up")
    assert (listed(page, "sent"), listed(page, "just-sent")) == ([1], [2])
    said = words(page.one("#follow-done").get_text(" "))
    assert re.fullmatch(r"Sent on WhatsApp, in English \d+:\d\d [ap]m · Undo marking it as sent", said)
    [newest] = page.all("#follow-just-sent > li")
    headers = {**HTMX, **ON_QUEUE, "HX-Target": f"contact-{link_id(2)}"}
    [form] = [each for each in newest.select("form") if "/undo" in str(each.get("action"))]
    answer = staff.post(
        str(form["action"]), data={"back": "follow-up", "csrf_token": staff.csrf_token()}, headers=headers
    )
    undone = Page(staff, answer, region=True)
    assert not undone.one("#follow-done").get_text(strip=True)
    assert [row["data-row"] for row in undone.all("[hx-swap-oob='beforeend:#follow-just-sent'] > li")] == [link_id(1)]
    assert [row["data-row"] for row in undone.all("[hx-swap-oob='beforeend:#follow-not-sent'] > li")] == [link_id(2)]


def test_an_empty_queue_tells_the_snoozed_links_from_those_that_were_sent(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    sends(entered, 1)
    with entered.services.store.write() as connection:
        follow_ups.snooze(connection, link_id(2), NOON + timedelta(hours=21), NOON, 1)
    said = words(staff.page("/follow-up").one("#follow-count").get_text(" "))
    assert said.startswith(
        "Nothing to follow up. 1 link ( ₹501.00 ) comes back tomorrow 4:00 am , unless it is paid. "
        "1 snoozed link ( ₹502.00 ) comes back tomorrow 9:00 am ."
    )


def test_a_link_that_went_to_another_number_is_sent_again_to_whom_one_chooses(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    adds_a_driver(staff)
    sends(entered, 1)
    row = staff.page("/follow-up").one(f"#follow-{link_id(1)}")
    assert words(row.select(".follow-driver")[0].get_text()) == "Other number"
    assert words(row.select(".follow-first summary")[0].get_text()) == "Send again… MH12 AB 1001"
    menu = opens_send_to(staff, link_id(1))
    [usual] = menu.all(".drop-list button")
    assert words(usual.get_text(" ")) == "Ramesh Kumar +91 98765 43210"
    assert [words(each.get_text()) for each in menu.all(".drop-list h3")] == ["Usual drivers"]


def test_the_top_of_the_page_takes_the_last_message_back_as_its_row_does(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    driver = int(adds_a_driver(staff, vehicles="MH12AB1001, MH12AB1002"))
    for number in (1, 2):
        sends(entered, number, driver=driver)
    page = staff.page("/follow-up")
    top, row = page.one("#follow-done form"), page.one("#follow-just-sent form[action*='/undo']")
    assert words(page.one("#follow-done").get_text(" ")).startswith("Sent to Ramesh Kumar ")
    kept = ("action", "hx-post", "hx-target")
    assert [top[each] for each in kept] == [row[each] for each in kept]
    undone = staff.read(page.submit("Undo both links marked as sent"))
    assert (listed(undone, "just-sent"), listed(undone, "not-sent")) == ([], [1]), "one row of both"
    assert not undone.all("#follow-done *")
