"""Reminding a driver by WhatsApp from the follow-up queue: one tap, after a check of the link."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from dashboard.domain.sharing import Channel
from dashboard.store.accounts import audit
from dashboard.store.sharing import shares as stored_shares
from dashboard.web.sharing.reminder_address import queue_address, queue_of
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.links.test_list import Ledger, link_id
from tests.web.sharing.steps import adds_a_driver, makes_a_link, prepares, shares

REMIND = "Remind Ramesh Kumar about MH12 AB 1001 by WhatsApp, in a new tab"
#: The drivers of the links of `several`, and the link to their reminders.
NAMES = ("Ramesh Kumar", "Lakshmi Devi", "Imran Shaikh")
SEND_ALL = "Send 3 messages"
IN_STEP = {**HTMX, "HX-Target": "reminder"}
SEND = "Send MH12 AB 1001 to Ramesh Kumar by WhatsApp, in a new tab"


@pytest.fixture
def given(staff: WebClient, levers: Levers, clock: Any) -> str:
    """The id of a link that ends today and that its driver was given by WhatsApp."""
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff)
    shares(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
    levers.set_link(link_id, expiresAt=f"{clock() + timedelta(hours=5):%Y-%m-%dT%H:%M:%S}Z")
    steps.check(staff, link_id)
    clock.advance(minutes=11)
    return link_id


def test_one_tap_opens_whatsapp_for_the_driver_and_records_one_share(
    staff: WebClient, levers: Levers, app: Flask, given: str
) -> None:
    queue = staff.page("/follow-up")
    page = staff.read(queue.submit(REMIND))
    whatsapp = str(page.one("main a[href^='https://wa.me/']")["href"])
    assert whatsapp.startswith("https://wa.me/919876543210?text=%E0%A4%A8"), "in the driver's language"
    assert page.one("meta[http-equiv=refresh]")["content"] == f"0; url={whatsapp}"
    assert words(page.one("h1").get_text()) == "WhatsApp message"
    assert words(page.one("#message-to").get_text()) == "Ramesh Kumar ₹1,677.00"
    assert words(page.one(".reminder-about > p").get_text()) == "+91 98765 43210"
    assert page.one(".back a")["href"] == f"/links/{given}"
    said = words(page.one(".reminder-links").get_text())
    assert re.fullmatch(r"MH12 AB 1001 ends (?:today|tomorrow) \d+:\d\d [ap]m", said), "its amount stands above"
    assert words(page.one("#message-title").get_text()) == "Message · हिन्दी"
    assert page.link("Back to Links") == "/links", "nothing else waits"
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
        staff.page(f"/drivers/{driver}").submit("Driver has left")
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
    assert "Share again MH12 AB 1001" in buttons


def test_the_row_of_a_reminded_driver_says_when_it_was_sent(staff: WebClient, given: str, clock: Any) -> None:
    clock.advance(minutes=10)
    queue = staff.page("/follow-up")
    contact = queue.one(f"#contact-{given}")
    # Just after midnight what was sent minutes ago was sent yesterday.
    assert re.fullmatch(r"Sent (today|yesterday) \d+:\d\d [ap]m WhatsApp · by Asha Rao", words(contact.get_text()))
    assert contact["hx-trigger"] == "stale"
    staff.read(queue.submit(REMIND))
    region = staff.region(str(contact["hx-get"]), on="/follow-up")
    assert words(region.one("[data-said]").get_text()) == "Sent on WhatsApp to Ramesh Kumar, in Hindi"
    assert staff.get(str(contact["hx-get"])).headers["Location"] == "/follow-up"


def test_the_usual_driver_of_a_link_that_was_never_sent_is_one_tap_away(
    staff: WebClient, levers: Levers, app: Flask, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff)
    clock.advance(minutes=16)
    reminder = staff.page("/follow-up/reminders").one(".phone-message").get_text()
    assert "prepaid-payment/…" in reminder
    assert levers.link(link_id)["paymentUrl"] not in reminder, "it is given only after a check"
    queue = staff.page("/follow-up")
    row = words(queue.one(f"#follow-{link_id}").get_text(" "))
    assert "Ramesh Kumar +91 98765 43210" in row
    assert queue.all(f"#follow-not-sent #follow-{link_id}")
    staff.read(queue.submit(SEND))
    with app.extensions["store"].read() as connection:
        assert [row.channel for row in stored_shares.of_link(connection, link_id)] == [Channel.WHATSAPP]
    region = staff.region(f"/follow-up/{link_id}/contact", on="/follow-up")
    assert "Sent on WhatsApp to Ramesh Kumar" in region.text, "though the link waits no more"
    assert region.one("#not-sent-title").get_text() == "Just sent", "the row stands below it still"
    headers = {**HTMX, "HX-Target": f"contact-{link_id}", "HX-Current-URL": "http://localhost/follow-up"}
    undone = Page(staff, region.submit("Undo marking it as sent", headers=headers), region=True)
    assert "Not sent yet" in undone.one(f"#contact-{link_id}").get_text()
    assert undone.one("#not-sent-title").get_text().startswith("Not sent yet · 1 link")
    assert "Undone: this link is not marked as sent." in undone.text
    assert undone.headers["HX-Push-Url"] == "false"
    with app.extensions["store"].read() as connection:
        assert not stored_shares.of_link(connection, link_id)


def test_a_message_leads_back_to_the_page_where_it_was_sent(staff: WebClient, levers: Levers, clock: Any) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff)
    clock.advance(minutes=16)
    queue, link = ("Follow up", "/follow-up", "/follow-up"), ("Payment link", f"/links/{link_id}", "/links")
    places = {
        "/follow-up?after=x": queue,
        "/follow-up/reminders?links=x": queue,
        "/follow-up/reminders?links=x&list=": link,
        "/follow-up/reminders?links=x&of=1": link,
        "/links": link,
    }
    for address, leads in places.items():
        form = staff.page("/follow-up").form(SEND)
        sent = staff.read(form.submit(headers={"Referer": f"http://localhost{address}"}))
        back, current = sent.one(".back a"), sent.one("#site-nav [aria-current=page]")
        assert (words(back.get_text()), back["href"], current["href"]) == leads, address
        assert sent.submit("Undo marking it as sent").headers["Location"] == leads[1]


def test_two_usual_drivers_are_not_guessed_between(staff: WebClient, levers: Levers, clock: Any) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff)
    adds_a_driver(staff, name="Lakshmi", phone="98765 43211")
    clock.advance(minutes=16)
    queue = staff.page("/follow-up")
    assert "No driver" in queue.one(f"#follow-{link_id}").get_text()
    assert SEND not in queue.buttons()


def sends(app: Flask, page: Page, number: int) -> None:
    """Record that the driver of the step was sent a link."""
    driver = int(page.one("#reminder input[name=driver]")["value"])
    app.extensions["services"].sharing.record_share(link_id(number), Channel.WHATSAPP, 1, driver, "hi")


@pytest.fixture
def several(staff: WebClient, app: Flask, clock: Any) -> list[int]:
    """Enter three links that end today, each of a vehicle with a usual driver, and one of a vehicle without."""
    ledger = Ledger(app.extensions["services"], clock)
    for number, name in enumerate(NAMES, 1):
        adds_a_driver(staff, name=name, phone=f"98765 4321{number - 1}", vehicles=f"MH12AB100{number}")
        ledger.enter(number, rc=f"MH12AB100{number}", expires_at=clock() + timedelta(hours=20, minutes=number))
    ledger.enter(4, rc="KA05MN4321", expires_at=clock() + timedelta(hours=19))
    clock.advance(minutes=16)
    return [1, 2, 3]


def test_reminders_go_one_by_one_and_record_nothing_that_was_not_opened(
    staff: WebClient, app: Flask, several: list[int]
) -> None:
    page = staff.page(staff.page("/follow-up").link(SEND_ALL))
    for number in several:
        assert f"{number} of 3" in page.text
        assert page.one("#reminder")["data-row"] == link_id(number)
        assert f"Send on WhatsApp to {NAMES[number - 1]} about MH12 AB 100{number}, in a new tab" in page.buttons()
        assert f"+91 98765 4321{number - 1} · हिन्दी" in " ".join(page.one("#reminder").get_text(" ").split())
        page = staff.page(page.link("Skip and finish" if number == 3 else "Skip"))
    assert page.heading == "Follow up"
    with app.extensions["store"].read() as connection:
        assert not any(stored_shares.of_link(connection, link_id(number)) for number in several)


def test_a_reminder_that_was_opened_is_shown_with_its_undo_and_the_next(
    staff: WebClient, app: Flask, several: list[int]
) -> None:
    page = staff.page(staff.page("/follow-up").link(SEND_ALL))
    driver = int(page.one("#reminder input[name=driver]")["value"])
    app.extensions["services"].sharing.record_share(link_id(1), Channel.WHATSAPP, 1, driver, "hi")
    step = str(page.one("#reminder")["hx-get"])
    region = Page(staff, staff.get(step, headers={**HTMX, "HX-Target": "reminder"}), region=True)
    assert region.one("#reminder")["data-row"] == link_id(2)
    assert "Sent to Ramesh Kumar" in region.text
    assert "number=2" in region.headers["HX-Replace-Url"]
    assert "<title>Reminder 2 of 3" in region.response.text
    assert "Sent on WhatsApp to Ramesh Kumar" in json.loads(region.headers["HX-Trigger"])["announce"]["words"]
    assert "1 of 3 sent" in region.text
    assert region.one("progress")["value"] == "1"
    page = staff.read(staff.page(step).submit("Undo marking it as sent"))
    assert page.one("#reminder")["data-row"] == link_id(1)
    assert "Skip" in page.text


def test_the_count_of_the_menu_comes_along_with_the_next_reminder(
    staff: WebClient, app: Flask, several: list[int]
) -> None:
    page = staff.page(staff.page("/follow-up").link(SEND_ALL))
    assert words(page.one("#menu-count-follow_up").get_text()).startswith("4")
    sends(app, page, 1)
    region = Page(staff, staff.get(str(page.one("#reminder")["hx-get"]), headers=IN_STEP), region=True)
    count = region.one("#menu-count-follow_up[hx-swap-oob=true]")
    assert words(count.get_text()).startswith("3")


def test_a_reminder_that_is_not_recorded_yet_stays_as_it_is(staff: WebClient, several: list[int]) -> None:
    page = staff.page(staff.page("/follow-up").link(SEND_ALL))
    assert staff.get(str(page.one("#reminder")["hx-get"]), headers=IN_STEP).status_code == 204


def test_a_step_that_is_opened_again_after_its_send_stays(staff: WebClient, app: Flask, several: list[int]) -> None:
    page = staff.page(staff.page("/follow-up").link(SEND_ALL))
    sends(app, page, 1)
    again = staff.page(str(page.all(".reminder-list a")[0]["href"]))
    assert words(again.one(".reminder-last").get_text(" ")).startswith("Sent to Ramesh Kumar Not sent? Undo")
    assert "number=2" in again.link("Next: Lakshmi Devi")
    region = Page(staff, staff.get(str(again.one("#reminder")["hx-get"]), headers=IN_STEP), region=True)
    assert region.one("#reminder")["data-row"] == link_id(1), "somebody looks at it"


def test_the_end_of_the_reminders_says_what_was_sent_and_what_was_not(
    staff: WebClient, app: Flask, several: list[int]
) -> None:
    page = staff.page(staff.page(staff.page("/follow-up").link(SEND_ALL)).link("Skip"))
    sends(app, page, 2)
    page = staff.page(str(page.one("#reminder")["hx-get"]))
    assert page.one("#reminder")["data-row"] == link_id(3)
    sends(app, page, 3)
    last = staff.page(str(page.one("#reminder")["hx-get"]))
    assert words(last.one(".reminder-last").get_text(" ")).startswith("Sent to Imran Shaikh Not sent? Undo")
    assert words(last.one(".reminder-actions .button-primary").get_text()) == "Send to Ramesh Kumar"
    assert staff.page(last.link("Send to Ramesh Kumar")).one("#reminder")["data-row"] == link_id(1)
    done = staff.page(last.link("Finish, 1 not sent"))
    said = "2 of 3 messages sent · ₹1,005.00. Not sent: Ramesh Kumar."
    assert words(done.one("#follow-done .notice-waiting").get_text()) == said
    assert "Just sent · 1 link · ₹503.00" in done.text
    assert [words(each.get_text(" ")) for each in done.all(".follow-due button[id^=send-]")] == [
        "Send MH12 AB 1001 to Ramesh Kumar by WhatsApp, in a new tab"
    ], "it is offered once, in its row"
    Ledger(app.extensions["services"], app.extensions["services"].clock).enter(
        9, rc="MH12AB1001", expires_at=app.extensions["services"].clock() + timedelta(hours=20)
    )
    done = staff.page(last.link("Finish, 1 not sent"))
    assert words(done.one("#follow-done .notice-waiting").get_text()) == f"{said} Send what was not sent ₹501.00"
    assert staff.page(done.link("Send what was not sent")).one("#reminder")["data-row"] == link_id(1)


def test_the_reminders_are_exactly_the_links_that_the_button_counted(
    staff: WebClient, app: Flask, clock: Any, several: list[int]
) -> None:
    ramesh = int(staff.page("/follow-up").all(f"#follow-{link_id(1)} input[name=driver]")[0]["value"])
    app.extensions["services"].sharing.record_share(link_id(1), Channel.WHATSAPP, 1, ramesh, "hi")
    address = staff.page("/follow-up").link("Send 2 messages")
    Ledger(app.extensions["services"], clock).enter(5, expires_at=clock() + timedelta(hours=2))
    page = staff.page(address)
    assert page.heading == "Send messages"
    assert words(page.one(".reminder-progress").get_text(" ")) == "0 of 2 sent ₹1,005.00 left"
    assert [each.get_text() for each in page.all(".reminder-list .amount")] == ["₹502.00", "₹503.00"]
    assert page.one("#reminder")["data-row"] == link_id(2)


def test_the_reminders_open_at_the_first_that_is_not_sent_also_by_a_colleague(
    staff: WebClient, manager: WebClient, app: Flask, several: list[int]
) -> None:
    address = staff.page("/follow-up").link(SEND_ALL)
    driver = int(staff.page(address).one("#reminder input[name=driver]")["value"])
    app.extensions["services"].sharing.record_share(link_id(1), Channel.WHATSAPP, 2, driver, "hi")
    page = staff.page(address)
    assert page.one("#reminder")["data-row"] == link_id(2)
    assert words(page.one(".reminder-progress").get_text(" ")) == "1 of 3 sent ₹1,005.00 left"
    first = staff.page(str(page.all(".reminder-list a")[0]["href"]))
    assert "Sent on WhatsApp Meera Iyer , today" in words(first.one(".reminder-last").get_text(" "))
    assert "number=2" in first.link("Next: Lakshmi Devi")


def test_the_focus_works_through_the_reminders(staff: WebClient, app: Flask, several: list[int]) -> None:
    page = staff.page(staff.page("/follow-up").link(SEND_ALL))
    assert words(page.one(".reminder [autofocus]").get_text()).startswith("Send on WhatsApp")
    driver = int(page.one("#reminder input[name=driver]")["value"])
    app.extensions["services"].sharing.record_share(link_id(1), Channel.WHATSAPP, 1, driver, "hi")
    headers = {**HTMX, "HX-Target": "reminder"}
    region = Page(staff, staff.get(str(page.one("#reminder")["hx-get"]), headers=headers), region=True)
    assert words(region.one("[autofocus]").get_text()).startswith("Send on WhatsApp to Lakshmi Devi")
    sent = staff.page(str(page.all(".reminder-list a")[0]["href"]))
    assert words(sent.one(".reminder [autofocus]").get_text()) == "Next: Lakshmi Devi"


def test_the_reminders_are_listed_with_what_became_of_each(staff: WebClient, app: Flask, several: list[int]) -> None:
    page = staff.page(staff.page("/follow-up").link(SEND_ALL))
    second = page.link("Skip")
    driver = int(staff.page(second).one("#reminder input[name=driver]")["value"])
    app.extensions["services"].sharing.record_share(link_id(2), Channel.WHATSAPP, 1, driver, "hi")
    page = staff.page(staff.page(second).link("Next: Imran Shaikh"))
    assert "Sent to Lakshmi Devi" in words(page.one(".reminder-progress").get_text(" "))
    assert "Lakshmi" not in words(page.one(".reminder section").get_text(" ")), "not in the card of the next driver"
    rows = page.all(".reminder-list a")
    said = [re.sub(r" \d+ h", "", words(row.get_text(" "))) for row in rows]
    assert said == [
        "Ramesh Kumar Skipped · हिन्दी MH12 AB 1001 ₹501.00",
        "Lakshmi Devi Sent · हिन्दी MH12 AB 1002 ₹502.00",
        "Imran Shaikh Ends in · हिन्दी MH12 AB 1003 ₹503.00",
    ]
    assert [row.get("aria-current") for row in rows] == [None, None, "step"]
    page = staff.page(str(rows[0]["href"]))
    assert page.one("#reminder")["data-row"] == link_id(1)
    assert "1 of 3" in page.text
    assert len(page.all(".reminder-list a")) == 3


def test_of_several_links_of_a_driver_the_list_says_when_the_first_ends(
    staff: WebClient, app: Flask, clock: Any, several: list[int]
) -> None:
    Ledger(app.extensions["services"], clock).enter(7, rc="MH12AB1001", expires_at=clock() + timedelta(hours=60))
    address = queue_of([link_id(number) for number in (7, 1, 2)], clock())
    page = staff.get("/follow-up/reminders", query_string=address)
    row = words(Page(staff, page).all(".reminder-list a")[0].get_text(" "))
    assert row == "Ramesh Kumar Ends in 20 h · हिन्दी 2 links ₹1,008.00"


def test_reminders_that_nobody_needs_any_more_are_said_and_passed_over(
    staff: WebClient, app: Flask, clock: Any, several: list[int]
) -> None:
    address = staff.page("/follow-up").link(SEND_ALL)
    ledger = Ledger(app.extensions["services"], clock)
    ledger.enter(2, status="PAID", paid_at=clock())
    page = staff.page(address)
    assert len(page.all(".reminder-list > li")) == 3, "they stay those that were counted"
    assert "number=3" in page.link("Skip")
    paid = staff.page(str(page.all(".reminder-list a")[1]["href"]))
    assert "Paid" in paid.one(".reminder-links").get_text()
    assert not paid.all("#reminder form, #reminder .phone-message")
    assert "number=3" in paid.link("Next: Imran Shaikh")


def test_reminders_of_links_without_a_driver_lead_to_the_queue_where_drivers_are_chosen(
    staff: WebClient, app: Flask, clock: Any
) -> None:
    Ledger(app.extensions["services"], clock).enter(1, expires_at=clock() + timedelta(hours=20))
    page = staff.read(staff.get("/follow-up/reminders"))
    assert page.heading == "Follow up"
    assert page.all(".follow-due summary[id^='choose-send-to-']")


@pytest.mark.parametrize(
    "query", ["", "?links=x&number=y&since=-3", "?links=é", "?number=9", "?links=AAAA&since=9999999999999"]
)
def test_an_odd_address_of_the_reminders_is_answered(staff: WebClient, several: list[int], query: str) -> None:
    assert staff.get(f"/follow-up/reminders{query}").status_code in (200, 303)


def test_a_link_that_ended_unpaid_is_offered_again_until_its_challans_are_on_another(
    staff: WebClient, levers: Levers, clock: Any
) -> None:
    ended = makes_a_link(staff)
    levers.expire(ended)
    steps.check(staff, ended)
    page = staff.page("/follow-up")
    assert "Create again for MH12 AB 1001" in words(page.one(f"#follow-ended #follow-{ended}").get_text(" "))
    assert page.heading == "Follow up"
    makes_a_link(staff)
    assert not staff.page("/follow-up").all(f"#follow-{ended}")


@pytest.fixture
def two(staff: WebClient, levers: Levers) -> list[str]:
    """Make two links for one vehicle that has a usual driver; return their ids."""
    adds_a_driver(staff)
    first = makes_a_link(staff)
    levers.issue_challan(steps.RC, challanNo="MH9", challanAmount=900, seen=True)
    return [first, makes_a_link(staff)]


TOGETHER = "Send 2 links MH12 AB 1001 to Ramesh Kumar by WhatsApp, in a new tab"


def test_one_message_names_all_links_of_a_driver_and_is_recorded_for_each(
    staff: WebClient, app: Flask, levers: Levers, two: list[str]
) -> None:
    page = staff.read(staff.page("/follow-up").submit(TOGETHER))
    message = page.one(".phone-message").get_text()
    assert all(str(levers.link(each)["paymentUrl"]) in message for each in two)
    amounts = [words(each.get_text()) for each in page.all(".reminder-links > li > .amount")]
    assert len(amounts) == 2, "each beside its vehicle, below their sum"
    with app.extensions["store"].read() as connection:
        [first], [second] = (stored_shares.of_link(connection, each) for each in two)
    assert (first.channel, first.driver_id, first.at) == (second.channel, second.driver_id, second.at)
    with app.extensions["store"].read() as connection:
        assert {each.subject for each in audit.newest(connection)[:2]} == set(two)


def test_a_link_that_was_paid_meanwhile_is_left_out_of_the_message(
    staff: WebClient, app: Flask, levers: Levers, clock: Any, two: list[str]
) -> None:
    queue = staff.page("/follow-up")
    levers.pay(two[0])
    clock.advance(seconds=10)
    page = staff.read(queue.submit(TOGETHER))
    message = page.one(".phone-message").get_text()
    assert str(levers.link(two[0])["paymentUrl"]) not in message
    assert str(levers.link(two[1])["paymentUrl"]) in message
    with app.extensions["store"].read() as connection:
        assert [len(stored_shares.of_link(connection, each)) for each in two] == [0, 1]


def test_the_page_of_a_message_says_what_was_noted_and_whether_opening_it_records_anything(
    staff: WebClient, two: list[str]
) -> None:
    note = {"note": "Pays at the depot", "csrf_token": staff.csrf_token()}
    staff.post(f"/follow-up/{two[1]}/note", data=note)
    answer = staff.page("/follow-up").submit(TOGETHER)
    sent, unmarked = staff.read(answer), "Opening it here does not mark it as sent."
    assert "Note: Pays at the depot Asha Rao, today" in words(sent.one(".reminder-note").get_text())
    assert unmarked not in sent.text
    staff.read(sent.submit("Undo both links marked as sent"))
    assert unmarked in staff.page(answer.headers["Location"]).text


def test_a_link_that_the_check_finds_doubtful_is_left_out_of_the_message(
    staff: WebClient, app: Flask, levers: Levers, clock: Any, two: list[str]
) -> None:
    queue = staff.page("/follow-up")
    levers.set_link(two[0], status="ON_HOLD")
    clock.advance(seconds=10)
    message = staff.read(queue.submit(TOGETHER)).one(".phone-message").get_text()
    assert str(levers.link(two[0])["paymentUrl"]) not in message
    assert str(levers.link(two[1])["paymentUrl"]) in message
    with app.extensions["store"].read() as connection:
        assert [len(stored_shares.of_link(connection, each)) for each in two] == [0, 1]


def test_a_link_that_the_check_finds_doubtful_is_sent_from_its_own_page_alone(
    staff: WebClient, app: Flask, levers: Levers, clock: Any, given: str
) -> None:
    def sent() -> int:
        with app.extensions["store"].read() as connection:
            return len(stored_shares.of_link(connection, given))

    queue, before = staff.page("/follow-up"), sent()
    levers.set_link(given, status="ON_HOLD")
    clock.advance(seconds=10)
    page = staff.read(queue.submit(REMIND))
    assert page.heading == "Send link MH12 AB 1001"
    assert page.all(".panel-warning"), "it says what to check first"
    assert sent() == before, "the row that was pressed did not know"
    opened = staff.read(staff.page(f"/links/{given}").submit("Remind Ramesh Kumar , on WhatsApp, in a new tab"))
    assert opened.heading == "WhatsApp message", "whoever read the warning sends it anyway"
    assert sent() == before + 1


def test_a_message_of_which_nothing_may_be_sent_says_why(
    staff: WebClient, app: Flask, levers: Levers, clock: Any, two: list[str]
) -> None:
    queue = staff.page("/follow-up")
    for each in two:
        levers.expire(each)
    clock.advance(seconds=10)
    refused = Page(staff, queue.submit(TOGETHER))
    assert refused.status == 409
    assert "This link has expired" in refused.text


def test_a_driver_of_several_links_is_one_of_the_reminders(staff: WebClient, app: Flask, two: list[str]) -> None:
    page = staff.page("/follow-up/reminders")
    assert page.heading == "Send message"
    assert len(page.all(".reminder-links > li")) == 2
    driver = int(page.one("#reminder input[name=driver]")["value"])
    step = str(page.one("#reminder")["hx-get"])
    app.extensions["services"].sharing.record_message(two, Channel.WHATSAPP, 1, driver, "hi")
    region = Page(staff, staff.get(step, headers={**HTMX, "HX-Target": "reminder"}), region=True)
    assert "Sent to Ramesh Kumar" in region.text
    staff.read(staff.page(step).submit("Undo both links marked as sent"))
    with app.extensions["store"].read() as connection:
        assert not any(stored_shares.of_link(connection, each) for each in two)


def test_what_is_left_to_send_is_said_and_what_is_done_next_stands_in_one_place(
    staff: WebClient, app: Flask, several: list[int]
) -> None:
    page = staff.page(staff.page("/follow-up").link(SEND_ALL))
    assert words(page.one(".reminder-progress p").get_text()) == "₹1,506.00 left"
    assert str(page.one(".reminder-about a")["href"]).startswith("tel:+919876543"), "the driver can be called"
    assert words(page.all(".reminder-actions > *")[0].get_text()).startswith("Send on WhatsApp")
    step, driver = str(page.one("#reminder")["hx-get"]), int(page.one("#reminder input[name=driver]")["value"])
    app.extensions["services"].sharing.record_share(link_id(1), Channel.WHATSAPP, 1, driver, "hi")
    following = staff.page(step)
    assert words(following.one(".reminder-progress p").get_text()) == "₹1,005.00 left"
    assert words(following.all(".reminder-actions > *")[0].get_text()).startswith("Send on WhatsApp to Lakshmi Devi")


def test_the_reminder_of_a_driver_goes_back_to_the_driver(staff: WebClient, app: Flask, given: str, clock: Any) -> None:
    driver = int(staff.page("/follow-up").all(f"#follow-{given} input[name=driver]")[0]["value"])
    clock.advance(hours=4)
    staff.signs_in(ASHA.email)
    of_driver = f"/drivers/{driver}"
    page = staff.page(staff.page(of_driver).link("Remind about 1 link"))
    assert page.link("Ramesh Kumar") == of_driver
    assert page.link("Back") == of_driver, "nothing was sent, so nothing is finished"
    app.extensions["services"].sharing.record_share(given, Channel.WHATSAPP, 1, driver, "hi")
    step = str(page.one("#reminder")["hx-get"])
    assert staff.page(step).link("Finish") == of_driver
    undone = staff.read(staff.page(step).submit("Undo marking it as sent"))
    assert undone.link("Back") == of_driver
    assert staff.page(step.replace(f"of={driver}", "of=999")).link("Back") == "/follow-up"


def test_a_message_is_marked_as_sent_only_once_it_was_sent_itself(
    staff: WebClient, app: Flask, two: list[str], clock: Any
) -> None:
    queue = staff.page("/follow-up")
    driver = str(queue.all("input[name=driver]")[0]["value"])
    sent = staff.read(queue.submit(TOGETHER))
    assert sent.one(".back a")["href"] == "/follow-up", "it is about more than one link"
    clock.advance(minutes=11)
    staff.post(f"/links/{two[0]}/nudge", data={"driver": driver, "csrf_token": staff.csrf_token()})
    clock.advance(minutes=1)
    with app.test_request_context():
        address = queue_address(queue_of(two, clock()))
    step = staff.page(address)
    assert not step.all(".reminder-last .follow-sent, .follow-undo"), (
        "only one of its links was sent, by another message"
    )
    said = [re.search(r"Sent \w+ \d+:(\d\d)", words(each.get_text(" "))) for each in step.all(".reminder-links li")]
    assert len({found[1] for found in said if found}) == 2, "each since its own message"
    staff.page(address).submit(words(step.all(".reminder-actions button")[0].get_text()))
    assert staff.page(address).all(".reminder-last .follow-sent")


def test_each_row_of_the_queue_takes_its_own_message_back_and_shows_what_was_noted(
    staff: WebClient, app: Flask, several: list[int]
) -> None:
    page = staff.page(staff.page("/follow-up").link(SEND_ALL))
    services = app.extensions["services"]
    first, second = (
        int(staff.page(str(page.all(".reminder-list a")[at]["href"])).one("#reminder input[name=driver]")["value"])
        for at in (0, 1)
    )
    services.sharing.record_share(link_id(1), Channel.WHATSAPP, 1, first, "hi")
    services.clock.advance(minutes=1)
    services.sharing.record_share(link_id(2), Channel.WHATSAPP, 1, second, "hi")
    services.follow_ups.add_note(link_id(3), "Pays at the depot tonight", 1)
    page = staff.page(str(page.all(".reminder-list a")[2]["href"]))
    undone = page.one(".reminder-list > li:first-child .follow-undo")
    assert f"/links/{link_id(1)}/" in undone["action"]
    assert not undone.select("[data-key]"), "the key takes back the newest, also where both are of one second"
    assert page.one("button[data-key=u]")
    assert not page.all(".reminder-list > li:nth-child(2) .follow-undo"), "that stands above"
    assert "“Pays at the depot tonight”" not in page.text, "the quotes are the browser's"
    assert "Pays at the depot tonight" in words(page.one(".reminder-note").get_text(" "))
    assert len(page.all(".reminder-noted")) == 1
    fields = {each["name"]: each["value"] for each in undone.select("input[type=hidden]")}
    staff.post(str(undone["action"]), data=fields)
    with app.extensions["store"].read() as connection:
        assert not stored_shares.of_link(connection, link_id(1))
        assert stored_shares.of_link(connection, link_id(2))
