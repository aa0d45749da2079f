"""The follow-up queue with scripts: a row changes or leaves alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from dashboard.domain.sharing import Channel
from tests.support.page import Page
from tests.support.web_client import HTMX, IN_PLACE, WebClient
from tests.web.links.test_list import Ledger, link_id

ON_QUEUE = {"HX-Current-URL": "http://localhost/follow-up"}


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    ledger = Ledger(app.extensions["services"], clock)
    for number in (1, 2, 3):
        ledger.enter(number, expires_at=clock() + timedelta(hours=20, minutes=number))
    return ledger


def sends(visitor: WebClient, number: int, action: str, **fields: str) -> Page:
    headers = {**HTMX, **ON_QUEUE, "HX-Target": f"follow-{link_id(number)}", "X-CSRFToken": visitor.csrf_token()}
    answer = visitor.post(f"/follow-up/{link_id(number)}/{action}", data=fields, headers=headers)
    return Page(visitor, answer, region=True)


def test_a_snoozed_row_leaves_and_its_undo_puts_it_back_in_its_place(staff: WebClient, entered: Ledger) -> None:
    region = sends(staff, 2, "snooze", until="hours")
    assert (region.headers["HX-Reswap"], region.headers["HX-Push-Url"]) == ("none", "false")
    assert region.one(f"[hx-swap-oob='delete:#follow-{link_id(2)}']")
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


def test_a_link_that_was_sent_is_said_in_its_row_and_then_moves_to_those_that_were_sent(
    staff: WebClient, app: Flask, entered: Ledger
) -> None:
    region = staff.region(f"/follow-up/{link_id(2)}/contact", on="/follow-up")
    asks = str(region.one(f"#contact-{link_id(2)}")["hx-get"])
    assert staff.get(asks, headers={**HTMX, **ON_QUEUE}).status_code == 204, "nothing is recorded so far"
    app.extensions["services"].sharing.record_share(link_id(2), Channel.WHATSAPP, 1, None, "en")
    region = staff.region(asks, on="/follow-up")
    assert "Marked as sent by WhatsApp" in region.text
    moved = staff.region(str(region.one("[data-moves]")["hx-get"]), on="/follow-up")
    assert moved.one(f"[hx-swap-oob='delete:#follow-{link_id(2)}']")
    assert [str(each["id"]) for each in moved.all("[hx-swap-oob='beforeend:#follow-sent'] > li")] == [
        f"follow-{link_id(2)}"
    ]
    assert "2 links to follow up · ₹1,004.00" in moved.text
    assert moved.one("#sent-title").get_text() == "Sent or copied, last 12 hours · 1 link · ₹502.00"
    assert staff.get(f"/follow-up/{link_id(2)}/row").headers["Location"] == "/follow-up"


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
