"""Sharing a link with a driver: the message, the channels, and the check before them."""

from __future__ import annotations

import io
import re
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import zxingcpp
from flask import Flask
from PIL import Image

from dashboard.domain.sharing import Channel
from dashboard.services.accounts.audit import Origin
from dashboard.store.accounts import audit
from dashboard.store.links import links
from dashboard.store.sharing import shares as stored_shares
from dashboard.web.shared import qr
from dashboard.web.sharing.wording import qr_lines
from tests.support.clock import MovableClock
from tests.support.concurrent_polls import poll_in_flight
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA, PASSWORD
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, makes_a_link, prepares, shares
from tests.web.steps import RC

URL = "https://pay.example.in/prepaid-payment/3f9d2c81b7e64a55a0c1d2e3f4a5b6c7"


def ways(page: Page) -> dict[str, str]:
    return {str(a["data-channel"]): str(a["href"]) for a in page.all("share-options a[target]")}


def test_the_message_names_vehicle_count_amount_deadline_and_url(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    url = levers.link(link_id)["paymentUrl"]
    page = staff.read(staff.page(f"/links/{link_id}").submit("Other ways to send it"))
    message = page.one("#share-message").get_text()
    assert "Vehicle MH12 AB 1001 has 3 unpaid challans. Please pay ₹" in message
    assert re.search(r"₹[\d,]+\.\d\d by UPI", message)
    assert re.search(r"before \d+ \w+, \d+:\d\d [ap]m:", message)
    assert url in message


def test_every_channel_carries_the_whole_message(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff, email="ramesh@fleet.example")
    page = prepares(staff, link_id, driver=driver)
    message = page.one("#share-message").get_text()
    found = ways(page)
    whatsapp = urlsplit(found["whatsapp"])
    assert (whatsapp.scheme, whatsapp.netloc, whatsapp.path) == ("https", "wa.me", "/919876543210")
    assert parse_qs(whatsapp.query)["text"] == [message]
    assert found["sms"].startswith("sms:+919876543210?body=")
    assert unquote(found["sms"].partition("?body=")[2]) == message
    mail = urlsplit(found["email"])
    assert mail.path == "ramesh@fleet.example"
    assert parse_qs(mail.query)["body"] == [message]
    assert "MH12 AB 1001" in parse_qs(mail.query)["subject"][0]


def test_whatsapp_and_sms_go_to_the_number_with_its_country(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    for last, phone in enumerate(("09876543210", "00919876543211", "+91 (0) 98765 43212")):
        found = ways(prepares(staff, link_id, driver=adds_a_driver(staff, phone=phone)))
        assert found["whatsapp"].startswith(f"https://wa.me/91987654321{last}?text="), phone
        assert found["sms"].startswith(f"sms:+91987654321{last}?body="), phone


def test_the_usual_driver_of_the_vehicle_and_their_language_are_preselected(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff)
    message = staff.read(staff.page(f"/links/{link_id}").submit("Other ways to send it")).one("#share-message")
    assert message["lang"] == "hi"
    assert message.get_text().startswith("नमस्ते Ramesh Kumar,")


def test_the_language_is_remembered_for_the_driver(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff)
    page = prepares(staff, link_id, driver=driver, language="ta")
    shares(staff, page, link_id, "whatsapp")
    assert prepares(staff, link_id, driver=driver, language="").one("#share-message")["lang"] == "ta"


def test_one_tap_on_the_page_of_a_link_sends_it_to_the_usual_driver_and_then_reminds(
    staff: WebClient, levers: Levers, clock: MovableClock
) -> None:
    link_id = makes_a_link(staff)
    assert "WhatsApp Ramesh" not in staff.page(f"/links/{link_id}").text, "nobody usually drives this vehicle"
    adds_a_driver(staff)
    page = staff.page(f"/links/{link_id}")
    ready = staff.read(page.submit("WhatsApp Ramesh Kumar , in a new tab"))
    assert any(a["href"].startswith("https://wa.me/919876543210?text=") for a in ready.all("a[href]"))
    sent = staff.page(f"/links/{link_id}")
    assert "Sent on WhatsApp to Ramesh Kumar, " in sent.text
    assert "times in all" not in sent.text
    assert not sent.all("#link-payment .button-primary"), "nobody is to be reminded of what was just sent"
    clock.advance(minutes=10)
    staff.read(sent.submit("Remind Ramesh Kumar , on WhatsApp, in a new tab"))
    clock.advance(minutes=11)
    assert "sent 2 times in all" in staff.page(f"/links/{link_id}").text
    levers.pay(link_id)
    steps.check(staff, link_id)
    assert "Remind" not in staff.page(f"/links/{link_id}").text


def test_what_was_just_sent_is_taken_back_on_the_page_of_the_link_by_whoever_sent_it(
    staff: WebClient, manager: WebClient, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff)
    button = "WhatsApp Ramesh Kumar , in a new tab"
    undo = "Undo marking it as sent"
    assert undo not in staff.page(f"/links/{link_id}").buttons()
    staff.read(staff.page(f"/links/{link_id}").submit(button))
    assert undo not in manager.page(f"/links/{link_id}").buttons()
    back = staff.read(staff.page(f"/links/{link_id}").submit(undo))
    assert back.response.request.path == f"/links/{link_id}"
    assert "Not sent yet" in back.one("#link-panel").get_text()
    assert undo not in back.buttons()
    staff.read(back.submit(button))
    clock.advance(minutes=11)
    assert undo not in staff.page(f"/links/{link_id}").buttons(), "it is too late"


_WHATSAPP = "WhatsApp to the chosen driver, in a new tab"


@pytest.mark.parametrize("typed", ["Ramesh Kumar, +91 98765 43210", "ramesh  kumar", "98765-43210"])
def test_where_nobody_usually_drives_the_vehicle_its_driver_is_typed_on_the_page_of_the_link(
    staff: WebClient, levers: Levers, typed: str
) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff, vehicles="")
    page = staff.page(f"/links/{link_id}")
    assert page.one("#send-to")["placeholder"] == "Name or phone number"
    assert [option["value"] for option in page.all("#send-to-drivers option")] == ["Ramesh Kumar, +91 98765 43210"]
    assert [each.get_text() for each in page.all("#link-payment .button-primary")] == [_WHATSAPP]
    ready = staff.read(page.submit("WhatsApp to the chosen driver , in a new tab", to=typed))
    assert ready.link("Open WhatsApp again").startswith("https://wa.me/919876543210?text=")
    assert "Sent on WhatsApp to Ramesh Kumar, " in staff.page(f"/links/{link_id}").text


@pytest.mark.parametrize("typed", ["Suresh", "98765 432"])
def test_whoever_is_no_driver_and_no_number_is_sent_nothing(staff: WebClient, levers: Levers, typed: str) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff, vehicles="")
    page = staff.page(f"/links/{link_id}")
    refused = staff.read(page.submit("WhatsApp to the chosen driver , in a new tab", to=typed))
    assert (refused.status, refused.one("#send-to")["value"]) == (422, typed)
    assert "Choose a driver from the list" in refused.one("#send-to-error").get_text()
    assert "Not sent yet" in staff.page(f"/links/{link_id}").text


def test_a_name_that_two_drivers_have_is_refused(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff, vehicles="")
    adds_a_driver(staff, vehicles="", phone="98765 43211")
    page = staff.page(f"/links/{link_id}")
    refused = staff.read(page.submit("WhatsApp to the chosen driver , in a new tab", to="Ramesh Kumar"))
    assert "Several drivers have this name" in refused.one("#send-to-error").get_text()


def test_one_way_to_send_is_the_next_step_whether_somebody_is_chosen_or_not(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff, vehicles="")
    assert prepares(staff, link_id).one("share-options .button-primary")
    assert prepares(staff, link_id, driver=driver).one("share-options .button-primary")
    levers.pay(link_id)
    steps.check(staff, link_id)
    assert staff.page(f"/links/{link_id}/receipt").one("#thanks .button-primary")
    assert staff.page(f"/links/{link_id}/receipt?driver={driver}").one("#thanks .button-primary")


def test_whoever_has_the_link_is_named_beside_what_would_send_it_again(
    staff: WebClient, levers: Levers, clock: MovableClock
) -> None:
    driver, other = adds_a_driver(staff), adds_a_driver(staff, name="Suresh", phone="98765 43299", vehicles="")
    link_id = makes_a_link(staff)
    shares(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
    clock.advance(minutes=12)  # It can be taken back no longer.
    page = prepares(staff, link_id)
    assert words(page.one("#share-sent").get_text(" ")).startswith("Sent on WhatsApp to Ramesh Kumar,")
    assert not page.all("share-options .button-primary"), "nobody is sent it twice by mistake"
    assert page.link("Remind Ramesh Kumar , on WhatsApp, in a new tab").startswith("https://wa.me/919876543210")
    page = prepares(staff, link_id, driver=other)
    assert re.search(r"Ramesh Kumar has had this link since [\w ,:]+m", words(page.one("share-options").get_text(" ")))
    assert not page.all("share-options .button-primary"), "two drivers with one link may both pay"
    shares(staff, page, link_id, "whatsapp")
    assert "Ramesh Kumar has had this link" in prepares(staff, link_id, driver=other).text
    assert "Suresh has had this link" in prepares(staff, link_id, driver=driver).text


def test_a_link_that_went_to_a_number_is_not_sent_to_a_driver_unawares(staff: WebClient, levers: Levers) -> None:
    driver = adds_a_driver(staff)
    link_id = makes_a_link(staff)
    shares(staff, prepares(staff, link_id, to="98765 43299"), link_id, "whatsapp")
    page = prepares(staff, link_id, driver=driver)
    assert "Prepared in WhatsApp" in words(page.one("share-options .panel-warning").get_text(" "))
    assert not page.all("share-options .button-primary")


def test_a_number_that_a_long_name_hides_is_shown_below_its_field(staff: WebClient, levers: Levers) -> None:
    driver = adds_a_driver(staff, name="Ramachandran Venkatasubramanian Krishnamoorthy")
    link_id = makes_a_link(staff)
    assert words(prepares(staff, link_id, driver=driver).one("#share-to-said").get_text()) == "+91 98765 43210"


@pytest.mark.parametrize(("typed", "digits"), [("98765 43299", "919876543299"), ("", "")])
def test_a_link_is_sent_to_somebody_who_is_no_driver(staff: WebClient, levers: Levers, typed: str, digits: str) -> None:
    link_id = makes_a_link(staff)
    button = "WhatsApp to the chosen driver , in a new tab"
    ready = staff.read(staff.page(f"/links/{link_id}").submit(button, to=typed))
    assert ready.link("Open WhatsApp again").startswith(f"https://wa.me/{digits}?text=Hello%2C")
    primary = [words(each.get_text()) for each in ready.all("main .button-primary")]
    assert primary == ["Yes, sent"], "it was opened: whoever is back says whether it was sent"
    to = "+91 98765 43299" if typed else "Driver not known"
    assert words(ready.one("#message-to").get_text()) == f"{to} ₹1,677.00"
    assert ("Press send in WhatsApp." if typed else "Choose in WhatsApp whom to send it to.") in ready.text
    asked = "Was it sent to +91 98765 43299?" if typed else "Was it sent?"
    said = words(ready.one(".reminder-asked").get_text(" "))
    assert said == f"{asked} Yes, sent Not sent", "of nobody else it is asked"
    assert "marked as sent" not in ready.text.lower()
    assert re.search(r" ends [\w ,:]+ [ap]m$", words(ready.one(".reminder-links").get_text(" ")))
    page = staff.page(f"/links/{link_id}")
    assert page.one(".panel-sent").get_text().startswith("Prepared in WhatsApp")
    assert not page.all("#send-to"), "first it is said whether that was sent"
    assert staff.read(ready.submit("Yes, sent")).all("#send-to"), "the next one may be somebody else again"


def test_a_message_about_several_links_says_which_of_them_were_not_sent(staff: WebClient, levers: Levers) -> None:
    driver = adds_a_driver(staff)
    steps.searches(staff)
    first, second = (steps.link_of(steps.create(staff, number)) for number in ("MH1000", "MH1001"))
    shares(staff, prepares(staff, second, driver=driver), second, "whatsapp")
    prepares(staff, first, driver=driver)
    opened = staff.page(f"/links/{first}/nudge?driver={driver}&also={second}")
    said = [words(each.get_text(" ")) for each in opened.all(".reminder-links li")]
    assert [("Not sent yet" in each, " Sent " in each) for each in said] == [(True, False), (False, True)]


def test_a_message_to_a_driver_says_that_it_is_marked_as_sent(staff: WebClient, levers: Levers) -> None:
    link_id, driver = makes_a_link(staff), adds_a_driver(staff)
    sent = staff.post(f"/links/{link_id}/nudge", data={"driver": driver, "csrf_token": staff.csrf_token()})
    ready = staff.page(sent.headers["Location"])
    said = words(ready.one(".reminder-last").get_text(" "))
    assert re.match(r"Sent \d+:\d\d [ap]m Not sent\? Undo marking it as sent Other ways", said), said
    assert "Not sent" not in ready.buttons(), "nothing is asked"
    assert ready.link("Open WhatsApp again").startswith("https://wa.me/919876543210?text=")
    assert words(ready.one("nav a[aria-current]").get_text()) == "Links", "as the way back"
    assert ready.link("Back to Links") == "/links", "what comes next"
    assert not ready.all(".reminder-actions .button-primary")
    undone = staff.read(ready.submit("Undo marking it as sent"))
    assert undone.one("h1").get_text().strip().startswith("Payment link"), "where it can be sent again"
    assert "Not sent yet" in undone.text
    assert staff.page(sent.headers["Location"]).link("Open WhatsApp").startswith("https://wa.me/919876543210?text=")


def test_two_people_who_are_no_drivers_are_two_shares_and_a_double_tap_is_one(
    staff: WebClient, app: Flask, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    page = staff.page(f"/links/{link_id}")
    for typed, seconds in (("98765 43299", 10), ("98765 43288", 1), ("98765 43288", 1)):
        staff.read(page.submit("WhatsApp to the chosen driver , in a new tab", to=typed))
        clock.advance(seconds=seconds)
    with app.extensions["store"].read() as connection:
        assert len(stored_shares.of_link(connection, link_id)) == 2


def test_what_is_no_phone_number_sends_nothing_and_is_shown_with_the_reason(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    button = "WhatsApp to the chosen driver , in a new tab"
    page = staff.read(staff.page(f"/links/{link_id}").submit(button, to="98765 432"))
    assert page.status == 422
    assert page.one("#send-to")["value"] == "98765 432"
    assert page.one("#send-to")["aria-invalid"] == "true"
    assert "Enter ten digits" in page.one("#send-to-error").get_text()
    assert "Not sent yet" in staff.page(f"/links/{link_id}").text
    page = prepares(staff, link_id, to="98765 432")
    assert page.one("#share-to")["value"] == "98765 432"
    assert page.one("#share-to")["aria-invalid"] == "true"
    assert "Enter ten digits" in page.one("#share-to-error").get_text()
    assert page.link("WhatsApp").startswith("https://wa.me/?text="), "the number that is none is not used"
    sent = prepares(staff, link_id, to="98765 43299")
    assert sent.link("WhatsApp 98765 43299").startswith("https://wa.me/919876543299?text=")


def test_a_share_is_listed_with_the_link_and_with_the_driver(staff: WebClient, app: Flask, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff)
    assert "Not sent yet" in staff.page(f"/links/{link_id}").text
    before = staff.page(f"/links/{link_id}/share").one("#share-now")["data-shown"]
    shares(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
    sent = staff.page(f"/links/{link_id}").text
    assert "Sent on WhatsApp to Ramesh Kumar, " in sent
    assert "Not sent yet" not in sent
    after = staff.page(f"/links/{link_id}/share").one("#share-now")["data-shown"]
    assert before == after, "what was sent does not take the page away from whoever sends"
    assert "Sent on WhatsApp to Ramesh Kumar , in Hindi · by Asha Rao" in staff.page(f"/links/{link_id}/share").text
    page = staff.page(f"/drivers/{driver}")
    assert re.search(r"Sent .{6,9} · Undo", page.text)
    assert page.all(f'a[href="/links/{link_id}"]')
    with app.extensions["store"].read() as connection:
        entry = audit.newest(connection)[0]
        assert [row.channel for row in stored_shares.of_link(connection, link_id)] == [Channel.WHATSAPP]
    assert (entry.action, entry.subject) == ("share", link_id)


def test_a_message_stands_before_what_sends_it(staff: WebClient, levers: Levers) -> None:
    page = prepares(staff, makes_a_link(staff))
    parts = [each.get("id") or each.get("data-channel") for each in page.all("[data-channel], #share-message")]
    assert parts.index("share-message") < parts.index("whatsapp") < parts.index("copy")


def test_the_page_says_where_the_message_goes(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    said = prepares(staff, link_id, driver="0").one("#share-to-said").get_text()
    assert "Leave empty to choose in WhatsApp. New driver? Type e.g. Ramesh, 98200 12345" in said
    page = prepares(staff, link_id, driver=adds_a_driver(staff))
    assert page.one("#share-to")["value"] == "Ramesh Kumar, +91 98765 43210"
    assert page.link("WhatsApp Ramesh Kumar").startswith("https://wa.me/919876543210")
    bare = adds_a_driver(staff, name="Lakshmi Devi", phone="", vehicles="")
    page = prepares(staff, link_id, driver=bare)
    assert page.one("#share-to")["value"] == "Lakshmi Devi"
    assert "No phone number" in page.one("#share-to-said").get_text()
    assert page.link("Add it") == f"/drivers/{bare}?change=phone"
    assert page.link("WhatsApp").startswith("https://wa.me/?text=")


def test_a_copy_by_a_person_is_listed_and_one_by_the_page_is_not(staff: WebClient, app: Flask, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    sharing = app.extensions["services"].sharing
    sharing.record_copy(link_id, 1, Origin(), unasked=True)
    assert "Not sent yet." in staff.page(f"/links/{link_id}/share").one("#share-past").get_text()
    sharing.record_copy(link_id, 1, Origin())
    past = words(staff.page(f"/links/{link_id}/share").one("#share-past").get_text(" "))
    assert "Not sent yet" not in past
    assert "Link copied · by Asha Rao" in past


def test_a_message_to_another_driver_names_the_usual_one(staff: WebClient, levers: Levers) -> None:
    link_id, usual = makes_a_link(staff), adds_a_driver(staff)
    other = adds_a_driver(staff, name="Lakshmi Devi", phone="98765 43211", vehicles="")
    page = staff.page(f"/links/{link_id}/share?driver={other}")
    assert "Usual driver: Ramesh Kumar" in words(page.one("#share-to-said").get_text(" "))
    assert "Usual driver" not in staff.page(f"/links/{link_id}/share?driver={usual}").one("#share-to-said").get_text()


def test_whoever_was_sent_the_first_link_of_a_vehicle_becomes_its_usual_driver_in_one_click(
    staff: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff, vehicles="")
    make = "Make Ramesh Kumar the usual driver of MH12 AB 1001"
    page = prepares(staff, link_id, driver=driver)
    assert make not in page.buttons(), "nothing was sent to him"
    shares(staff, page, link_id, "whatsapp")
    page = staff.read(staff.page(f"/links/{link_id}/share").submit(make))
    assert "Ramesh Kumar is now the usual driver of MH12 AB 1001." in page.text
    assert make not in page.buttons()
    assert "MH12 AB 1001" in staff.page(f"/drivers/{driver}").text
    other = adds_a_driver(staff, name="Lakshmi Devi", phone="98765 43211", vehicles="")
    shares(staff, prepares(staff, link_id, driver=other), link_id, "whatsapp")
    assert not staff.page(f"/links/{link_id}/share").all(".share-usual"), "the vehicle has one by now"


@pytest.mark.parametrize("driver", ["", "x", "9999"])
def test_nobody_unknown_becomes_a_usual_driver(staff: WebClient, levers: Levers, driver: str) -> None:
    link_id = makes_a_link(staff)
    fields = {"driver": driver, "csrf_token": staff.csrf_token()}
    assert staff.post(f"/links/{link_id}/usual-driver", data=fields).status_code == 400


def test_a_link_is_checked_before_it_is_shared_and_an_ended_one_is_refused(
    staff: WebClient, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    levers.expire(link_id)
    clock.advance(seconds=6)
    page = staff.page(f"/links/{link_id}")
    answer = page.submit("Other ways to send it")
    refused = Page(staff, answer)
    assert refused.status == 409
    assert "This link has expired" in refused.text
    assert not refused.all("share-options")
    assert not refused.all("svg.qr")
    assert staff.get(f"/links/{link_id}/qr.png").status_code == 409


def test_a_link_that_was_checked_just_now_is_not_checked_again(staff: WebClient, levers: Levers, clock: Any) -> None:
    link_id = makes_a_link(staff)
    clock.advance(seconds=30)
    levers.forget_calls()
    for _ in range(2):
        staff.page(f"/links/{link_id}").submit("Other ways to send it")
    assert levers.count("link_status") == 1


def test_the_driver_and_the_language_that_were_chosen_outlast_the_session(
    staff: WebClient, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff)
    adds_a_driver(staff, name="Suresh Patil", phone="98765 43211", vehicles="")
    page = staff.page(f"/links/{link_id}/share")
    clock.advance(hours=1)
    ended = page.submit("Update message", to="Suresh Patil", language="mr")
    shown = staff.read(staff.page(ended.headers["Location"]).submit("Sign in", email=ASHA.email, password=PASSWORD))
    chosen = [str(option["value"]) for option in shown.all("#share-language-field input[checked]")]
    assert [shown.one("#share-to")["value"], *chosen] == ["Suresh Patil, +91 98765 43211", "mr"]


@pytest.mark.parametrize("button", ["Update message", "Send by WhatsApp"])
def test_a_changed_message_outlasts_the_session_until_it_is_sent(
    staff: WebClient, levers: Levers, clock: Any, button: str
) -> None:
    adds_a_driver(staff)
    link_id = makes_a_link(staff)
    page = prepares(staff, link_id, language="en")
    changed = f"{page.one('#share-message').get_text()}\nCall me at the depot. Asha"
    clock.advance(hours=1)
    ended = page.submit(button, message=changed)
    shown = staff.read(staff.page(ended.headers["Location"]).submit("Sign in", email=ASHA.email, password=PASSWORD))
    assert "Not sent yet." in shown.text, "nothing is sent by signing in"
    checked = staff.read(shown.submit("Check the link"))
    assert checked.one("#share-message").get_text() == changed
    assert unquote(checked.link("WhatsApp Ramesh Kumar")).endswith(changed)
    hindi = staff.page(f"/links/{link_id}/share?language=hi")
    assert "Call me" not in hindi.one("#share-message").get_text(), "it was written in English"
    standard = staff.page(checked.link("Standard text"))
    assert "Call me" not in standard.one("#share-message").get_text()
    assert changed in unquote(staff.read(checked.submit("Send by WhatsApp")).link("Open WhatsApp again"))
    assert "Call me" not in prepares(staff, link_id, language="en").one("#share-message").get_text()


def test_whoever_is_nobody_disables_what_would_send_to_them(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    page = prepares(staff, link_id, to="Hari")
    disabled = {str(each["data-channel"]) for each in page.all("[data-channel][aria-disabled=true]")}
    assert disabled == {"whatsapp", "sms", "email"}
    assert not prepares(staff, link_id, to="").all("[aria-disabled]"), "WhatsApp asks whom"


def test_the_page_of_a_link_shows_what_one_tap_sends(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    assert staff.page(f"/links/{link_id}").one(".share-see p").get_text().startswith("Hello,")
    adds_a_driver(staff)
    page = staff.page(f"/links/{link_id}")
    shown = page.one(".share-see p")
    assert shown["lang"] == "hi"
    address = staff.read(page.submit("WhatsApp Ramesh Kumar , in a new tab")).link("Open WhatsApp again")
    assert unquote(address).partition("text=")[2] == shown.get_text()
    levers.pay(link_id)
    assert not steps.check(staff, link_id).all(".share-see")


def test_a_check_that_somebody_else_began_before_is_not_relied_on(
    staff: WebClient, levers: Levers, clock: Any, app: Flask
) -> None:
    link_id = makes_a_link(staff)
    clock.advance(seconds=30)
    page = staff.page(f"/links/{link_id}")
    levers.expire(link_id)
    with poll_in_flight(app.extensions["services"].link_poller, levers, link_id):
        refused = Page(staff, page.submit("Other ways to send it"))
    assert "This link has expired" in refused.text
    assert not refused.all("share-options")
    assert levers.count("link_status") == 2


def test_when_the_service_does_not_answer_nothing_is_shared_and_the_page_says_so(
    staff: WebClient, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    clock.advance(seconds=30)
    levers.fault("link_status", "cut")
    answer = staff.page(f"/links/{link_id}").submit("Other ways to send it")
    page = Page(staff, answer)
    assert answer.status_code == 504
    assert "The service did not answer" in page.text
    assert not page.all("share-options")


def test_a_message_prepared_minutes_ago_is_withdrawn_until_the_link_is_checked_again(
    staff: WebClient, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    prepares(staff, link_id)
    clock.advance(minutes=3)
    page = staff.page(f"/links/{link_id}/share")
    assert not page.all("share-options")
    assert "Update message" in page.buttons()


def test_opening_the_share_page_calls_the_service_not_at_all(staff: WebClient, levers: Levers, clock: Any) -> None:
    link_id = makes_a_link(staff)
    clock.advance(minutes=3)
    levers.forget_calls()
    staff.page(f"/links/{link_id}/share")
    staff.page(f"/links/{link_id}/qr")
    assert not levers.calls()


# The QR code


def pixels(code: qr.QrCode, scale: int = 6) -> memoryview:
    """Rasterize the drawn path as a grey picture."""
    side = code.side * scale
    picture = bytearray(b"\xff" * side * side)
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", code.path):
        for row in range(int(y) * scale, (int(y) + 1) * scale):
            start = row * side + int(x) * scale
            picture[start : start + int(length) * scale] = b"\x00" * (int(length) * scale)
    return memoryview(bytes(picture)).cast("B", shape=[side, side])


@pytest.mark.parametrize("url", [URL, URL + "?" + "x" * 400, "http://127.0.0.1:8001/prepaid-payment/a"])
def test_the_drawn_code_reads_as_the_payment_url(url: str) -> None:
    found = zxingcpp.read_barcode(pixels(qr.draw(url)))
    assert found is not None
    assert found.text == url


def test_the_code_on_the_page_and_in_the_file_holds_the_payment_url(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    url = levers.link(link_id)["paymentUrl"]
    code = prepares(staff, link_id).one("svg.qr")
    side = int(str(code["viewbox"]).split()[2])
    found = zxingcpp.read_barcode(pixels(qr.QrCode(side, str(code.path["d"]))))  # type: ignore[index]  # It is on the page.
    assert found is not None
    assert found.text == url
    file = staff.get(f"/links/{link_id}/qr.png")
    assert file.headers["Content-Disposition"] == f'attachment; filename="payment-link-{RC}.png"'
    assert file.data.startswith(b"\x89PNG")
    assert "MH12 AB 1001" in staff.page(f"/links/{link_id}/qr").text


def test_the_page_says_that_whoever_has_the_link_can_see_and_pay_its_challans(staff: WebClient, levers: Levers) -> None:
    page = prepares(staff, makes_a_link(staff), driver=adds_a_driver(staff))
    assert "Anybody with this link can see these challans and pay them" in page.text


def test_the_qr_picture_has_the_code_with_plate_amount_and_deadline_under_it(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    prepares(staff, link_id)
    file = staff.get(f"/links/{link_id}/qr.png")
    assert (file.content_type, file.data[:4]) == ("image/png", b"\x89PNG")
    assert 'filename="payment-link-MH12AB1001.png"' in file.headers["Content-Disposition"]
    found = zxingcpp.read_barcode(Image.open(io.BytesIO(file.data)))
    assert found is not None
    assert found.text == levers.link(link_id)["paymentUrl"]
    with staff.application.extensions["store"].read() as connection:
        stored = links.find(connection, link_id)
    assert stored is not None
    with staff.application.test_request_context():
        plate, amount, deadline = qr_lines(stored)
    assert (plate, amount) == ("MH12 AB 1001", "Rs 1,677.00"), "the font has no rupee sign"
    assert re.fullmatch(r"Pay before \d+ \w+, \d+:\d\d [ap]m", deadline)
    assert (plate + amount + deadline).isascii()


def test_the_qr_page_says_what_is_paid_until_when_and_by_whom(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff)
    prepares(staff, link_id)
    code = words(staff.page(f"/links/{link_id}/qr").one(".screen").get_text(" "))
    amounts = r"MH12 AB 1001 For Ramesh Kumar Scan to pay ₹1,677\.00 by UPI · ₹[\d,.]+ by credit card"
    assert re.search(rf"{amounts} Pay before \d+ \w+, \d+:\d\d [ap]m", code)
    assert code.partition("Pay before")[0].count("₹1,677.00") == 1


def test_the_qr_picture_needs_a_link_that_may_be_shared(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    levers.expire(link_id)
    steps.check(staff, link_id)
    assert staff.get(f"/links/{link_id}/qr.png").status_code == 409
    said = words(staff.page(f"/links/{link_id}/qr").one(".share-stop").get_text(" "))
    assert said.startswith("Nobody can pay with it any more."), "that it has expired stands above"


def test_a_changed_message_stays_while_its_link_is_checked_and_goes_with_its_wording(
    staff: WebClient, levers: Levers
) -> None:
    adds_a_driver(staff)
    link_id = makes_a_link(staff)
    page = prepares(staff, link_id, language="en")
    text = page.one("#share-message").get_text()
    changed = staff.read(page.submit("Update message", message=f"{text}\r\nAsha"))
    assert changed.one("#share-message").get_text() == f"{text}\nAsha"
    whatsapp = unquote(changed.link("WhatsApp Ramesh Kumar"))
    assert whatsapp.endswith(f"{text}\nAsha"), "as it stands there"
    assert not changed.one("[data-standard]").has_attr("hidden")
    again = staff.page(changed.link("Standard text"))
    assert again.one("#share-message").get_text() == text, "in the language that was chosen"
    assert again.one("[data-standard]").has_attr("hidden")


def test_who_is_chosen_without_scripts_brings_their_language_unless_another_is_chosen(
    staff: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    page = prepares(staff, link_id)
    assert page.one("#share-message")["lang"] == "en"
    adds_a_driver(staff, vehicles="")
    lang = staff.read(page.submit("Update message", to="ramesh kumar")).one("#share-message")["lang"]
    assert lang == "hi", "the page still had the language of nobody"
    both = staff.read(page.submit("Update message", to="ramesh kumar", language="mr"))
    assert both.one("#share-message")["lang"] == "mr"
    later = staff.read(both.submit("Update message", language="en"))
    assert later.one("#share-message")["lang"] == "en"
    opened = staff.read(page.submit("Send by WhatsApp", to="ramesh kumar"))
    assert "नमस्ते Ramesh Kumar" in unquote(opened.link("Open WhatsApp again"))
    tamil = staff.read(page.submit("Update message", language="ta"))
    number = staff.read(tamil.submit("Update message", to="98765 43299"))
    assert number.one("#share-message")["lang"] == "ta", "chosen by hand, and a number has none of its own"


def test_a_message_that_was_changed_keeps_its_language_for_whoever_is_chosen(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    page = prepares(staff, link_id)
    adds_a_driver(staff, vehicles="")
    mine = page.one("#share-message").get_text() + " Asha"
    changed = staff.read(page.submit("Update message", to="ramesh kumar", message=mine)).one("#share-message")
    assert (changed["lang"], changed.get_text()) == ("en", mine)


@pytest.mark.parametrize(("message", "said"), [("Pay at once", "URL is missing"), ("x" * 2001, "at most 2000 letters")])
def test_a_message_that_cannot_be_sent_is_neither_sent_nor_recorded(
    staff: WebClient, levers: Levers, message: str, said: str
) -> None:
    adds_a_driver(staff)
    link_id = makes_a_link(staff)
    answer = prepares(staff, link_id).submit("Send by WhatsApp", message=message)
    assert answer.status_code == 422
    page = staff.read(answer)
    assert said in page.one("#share-message-error").get_text()
    assert page.one("#share-message").get_text() == message
    assert "Not sent yet." in staff.page(f"/links/{link_id}/share").text


def test_without_scripts_the_message_is_recorded_once_and_opens_each_way(staff: WebClient, levers: Levers) -> None:
    adds_a_driver(staff, email="ramesh@fleet.example")
    link_id = makes_a_link(staff)
    page = prepares(staff, link_id)
    for way, begins in (
        ("WhatsApp", "https://wa.me/919876543210"),
        ("SMS", "sms:+91987"),
        ("E-mail", "mailto:ramesh@"),
    ):
        for _tap in range(2):
            opened = staff.read(page.submit(f"Send by {way}"))
            assert opened.link(f"Open {way} again").startswith(begins)
            assert " ends " in words(opened.one(".reminder-links").get_text(" "))
    past = staff.page(f"/links/{link_id}/share").one("#share-past").get_text()
    assert [past.count(each) for each in ("Sent on WhatsApp", "Sent by SMS", "Sent by email")] == [1, 1, 1]
    refused = page.submit("Send by SMS", to="Ramesh, 12")
    assert refused.status_code == 422
    token = staff.csrf_token()
    assert staff.post(f"/links/{link_id}/share/send", data={"csrf_token": token, "channel": "qr"}).status_code == 400
