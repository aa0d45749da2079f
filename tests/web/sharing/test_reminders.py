"""Reminding a driver by WhatsApp from the follow-up queue: one tap, after a check of the link."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from dashboard.domain.sharing import Channel
from dashboard.store.accounts import audit
from dashboard.store.sharing import shares as stored_shares
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, makes_a_link, prepares, shares

REMIND = "Nudge by WhatsApp about MH12 AB 1001, in a new tab"


@pytest.fixture
def given(staff: WebClient, levers: Levers, clock: Any) -> str:
    """The id of a link that ends today and that its driver was given by WhatsApp."""
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff)
    shares(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
    levers.set_link(link_id, expiresAt=f"{clock() + timedelta(hours=5):%Y-%m-%dT%H:%M:%S}Z")
    steps.check(staff, link_id)
    clock.advance(seconds=61)
    return link_id


def test_one_tap_opens_whatsapp_for_the_driver_and_records_one_share(
    staff: WebClient, levers: Levers, app: Flask, given: str
) -> None:
    queue = staff.page("/follow-up")
    page = staff.read(queue.submit(REMIND))
    whatsapp = str(page.one("main a[href^='https://wa.me/']")["href"])
    assert whatsapp.startswith("https://wa.me/919876543210?text=%E0%A4%A8"), "in the driver's language"
    assert page.one("meta[http-equiv=refresh]")["content"] == f"0; url={whatsapp}"
    assert "WhatsApp opens with the message for Ramesh Kumar" in page.text
    staff.read(queue.submit(REMIND))
    with app.extensions["store"].read() as connection:
        assert [row.channel for row in stored_shares.of_link(connection, given)] == [Channel.WHATSAPP] * 2
        assert audit.newest(connection)[0].action == "share"


@pytest.mark.parametrize("gone", ["the driver", "the phone", "nobody known", "nobody"])
def test_a_reminder_that_would_reach_nobody_leads_to_the_share_page(
    staff: WebClient, app: Flask, given: str, gone: str
) -> None:
    queue = staff.page("/follow-up")
    driver = str(queue.all(f"#follow-{given} input[name=driver]")[0]["value"])
    if gone == "the driver":
        staff.page(f"/drivers/{driver}").submit("Mark as left")
    elif gone == "the phone":
        staff.page(f"/drivers/{driver}").submit("Save the driver", phone="")
    asked = {"nobody known": "9999", "nobody": "x"}.get(gone, driver)
    answer = queue.submit(REMIND, driver=asked)
    assert answer.headers["Location"].startswith(f"/links/{given}/share")
    with app.extensions["store"].read() as connection:
        assert len(stored_shares.of_link(connection, given)) == 1


def test_a_reminder_opened_minutes_later_leads_to_the_share_page(staff: WebClient, given: str, clock: Any) -> None:
    address = staff.page("/follow-up").submit(REMIND).headers["Location"]
    assert staff.page(address).all("meta[http-equiv=refresh]")
    clock.advance(minutes=2)
    assert staff.get(address).headers["Location"].startswith(f"/links/{given}/share")


def test_no_reminder_goes_out_for_a_link_that_has_ended(
    staff: WebClient, levers: Levers, app: Flask, given: str
) -> None:
    page = staff.page("/follow-up")
    levers.expire(given)
    refused = Page(staff, page.submit(REMIND))
    assert refused.status == 409
    assert "This link has expired" in refused.text
    assert not refused.all("meta[http-equiv=refresh]")
    with app.extensions["store"].read() as connection:
        assert len(stored_shares.of_link(connection, given)) == 1


def test_a_driver_who_was_given_the_link_by_sms_is_not_reminded_by_whatsapp(staff: WebClient, given: str) -> None:
    driver = str(staff.page("/follow-up").all(f"#follow-{given} input[name=driver]")[0]["value"])
    shares(staff, prepares(staff, given, driver=driver), given, "sms")
    buttons = staff.page("/follow-up").buttons()
    assert REMIND not in buttons
    assert "Nudge again" in buttons


def test_the_row_of_a_reminded_driver_says_when_it_was_sent(staff: WebClient, given: str, clock: Any) -> None:
    clock.advance(minutes=20)
    queue = staff.page("/follow-up")
    contact = queue.one(f"#contact-{given}")
    assert words(contact.get_text()) == "Last shared 21 min ago with Ramesh Kumar."
    assert contact["hx-trigger"] == "stale"
    staff.read(queue.submit(REMIND))
    region = staff.region(str(contact["hx-get"]), on="/follow-up")
    assert words(region.one(f"#contact-{given}").get_text()) == "Last shared 0 s ago with Ramesh Kumar."
    assert staff.get(str(contact["hx-get"])).headers["Location"] == "/follow-up"
