"""The receipt of a paid link, and the thanks to its driver."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from dashboard.domain.sharing import Channel
from dashboard.store.sharing import shares
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, makes_a_link, prepares
from tests.web.sharing.steps import shares as sends

_BY_CARD = "If paid by credit card: ₹33.54 was added, ₹1,710.54 in all"
_SEND = "Send receipt to Ramesh Kumar , on WhatsApp, in a new tab"


@pytest.fixture
def paid(staff: WebClient, levers: Levers) -> str:
    """Return the id of a paid link, whose vehicle has one usual driver."""
    adds_a_driver(staff)
    link_id = makes_a_link(staff)
    levers.pay(link_id)
    steps.check(staff, link_id)
    return link_id


def test_of_a_paid_link_it_is_said_that_the_link_was_sent_and_not_its_receipt(staff: WebClient, levers: Levers) -> None:
    adds_a_driver(staff)
    link_id = makes_a_link(staff)
    sends(staff, prepares(staff, link_id), link_id, "whatsapp")
    said = ".link-panel .panel-sent"
    assert words(staff.page(f"/links/{link_id}").one(f"{said} .follow-sent").get_text()).startswith("Sent on WhatsApp")
    levers.pay(link_id)
    steps.check(staff, link_id)
    page = staff.page(f"/links/{link_id}")
    assert words(page.one(said).get_text()).startswith("Link: Sent on WhatsApp to Ramesh Kumar")
    assert _SEND in page.buttons()


def test_a_paid_link_offers_a_receipt_that_says_what_was_paid_and_when(
    staff: WebClient, levers: Levers, paid: str
) -> None:
    page = staff.page(staff.page(f"/links/{paid}").link("Open receipt"))
    sheet = words(page.one("article.receipt").get_text(" "))
    assert "₹1,677.00" in sheet
    assert "Paid" in sheet
    assert re.fullmatch(r"\d+ \w+ \d{4}, \d+:\d\d\s[ap]m IST", page.one(".receipt-paid time[datetime]").get_text())
    assert page.heading == "Receipt"
    assert sheet.count("MH12 AB 1001") == 1, "the sheet names the vehicle, and no title repeats it"
    assert words(page.one("article.receipt h2").get_text()) == "3 challans"
    assert "Ramesh Kumar" in sheet
    assert [f"MH10{number:02}" in sheet for number in range(3)] == [True] * 3
    assert paid in sheet
    assert all(each.select_one(".sub") for each in page.all(".receipt-challan")), (
        "offence and date, as the search found them"
    )
    assert [words(each.get_text(" ")) for each in page.all(".receipt-sums tr")] == (
        ["Fines ₹1,500.00", "Legal fee ₹150.00", "GST ₹27.00", "Total ₹1,677.00"]
    ), "without the convenience fee, which is zero"
    assert not [each for each in page.all(".receipt-of dt") if words(each.get_text()) == "Payment"]
    assert words(page.one(".receipt-notes .receipt-how").get_text()) == _BY_CARD, "a note, and no sum that is open"
    assert sheet.count("credit card") == 1
    assert words(page.one(".receipt-amount").get_text(" ")) == "₹1,677.00"
    assert "not reported" not in sheet, "what staff do not know is no matter of the driver's"
    assert sheet.count(paid) == 1
    number = re.search(r"Receipt ([0-9A-F]{4}-[0-9A-F]{4})\b", sheet)[1]
    assert paid.upper().startswith(number.replace("-", ""))
    for typed in (number, number.lower(), number.replace("-", " "), number.replace("-", "")):
        found = staff.get("/find", query_string={"q": typed}, follow_redirects=True).text
        assert f"/links/{paid}" in found, f"people find it as {typed}"


def test_the_thanks_name_no_more_challans_than_are_read_at_a_glance(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle("MH12AB1009", [steps.challan(number) for number in range(4)])
    steps.searches(staff, "MH12AB1009")
    link_id = steps.link_of(steps.create(staff, *(f"MH10{number:02}" for number in range(4)), rc="MH12AB1009"))
    levers.pay(link_id)
    steps.check(staff, link_id)
    page = staff.page(f"/links/{link_id}/receipt")
    assert "MH1003" in page.one("article.receipt").get_text()
    assert "MH10" not in page.one("#share-message").get_text()


def test_the_thanks_are_in_the_drivers_language_and_go_to_his_number(staff: WebClient, paid: str) -> None:
    page = staff.page(f"/links/{paid}/receipt")
    message = page.one("#share-message").get_text()
    assert message.startswith("नमस्ते Ramesh Kumar")
    assert "3 चालानों के लिए आपका भुगतान मिल गया" in message, "how much of two sums it was, the service does not say"
    number = words(page.one(".receipt-number").get_text()).removeprefix("Receipt ")
    assert message.endswith(f"\nरसीद नंबर: {number}")
    assert re.search(r"चालान की कुल राशि: ₹1,677\.00\nभुगतान का समय: \d+ .+\n", message), "whenever it is read"
    assert "\n\nचालान: MH1000, MH1001, MH1002\n" in message, "which ones are paid, whoever asks the driver"
    assert "1,710.54" not in message
    assert page.link("WhatsApp Ramesh Kumar").startswith("https://wa.me/919876543210?text=")
    assert "prepaid-payment" not in page.response.text, "a paid link is given to nobody"


@pytest.mark.parametrize("paid_by", ["number", "whoever was chosen in WhatsApp"])
def test_who_drives_the_vehicle_now_is_not_thanked_for_a_link_that_somebody_else_was_sent(
    staff: WebClient, levers: Levers, app: Flask, paid_by: str
) -> None:
    link_id = makes_a_link(staff)
    channel = Channel.SMS if paid_by == "number" else Channel.WHATSAPP
    app.extensions["services"].sharing.record_share(link_id, channel, 1, None, "en")
    levers.pay(link_id)
    steps.check(staff, link_id)
    adds_a_driver(staff)
    page = staff.page(f"/links/{link_id}")
    assert "Ramesh" not in words(page.one("#link-payment").get_text(" "))
    assert page.link("Send receipt…") == f"/links/{link_id}/receipt#thanks-title"
    receipt = staff.page(f"/links/{link_id}/receipt")
    assert "Ramesh" not in words(receipt.one("article.receipt").get_text(" "))
    assert "Ramesh" not in receipt.one("#share-message").get_text()
    assert receipt.one("[name=to]")["value"] == ""


def test_who_drives_the_vehicle_now_is_not_asked_about_a_failed_link_that_somebody_else_was_sent(
    staff: WebClient, levers: Levers, app: Flask
) -> None:
    link_id = makes_a_link(staff)
    app.extensions["services"].sharing.record_share(link_id, Channel.SMS, 1, None, "en")
    levers.fail(link_id)
    steps.check(staff, link_id)
    adds_a_driver(staff)
    [primary] = staff.page(f"/links/{link_id}").all(".panel-act .button-primary")
    assert primary.get_text().startswith("Ask the driver on WhatsApp")


def test_the_receipt_is_exact_where_all_ways_to_pay_come_to_the_same(
    staff: WebClient, levers: Levers, paid: str
) -> None:
    levers.set_link(paid, raw={"paymentModeOptions": [{"paymentMode": "UPI", "totalAmount": 1677}]})
    steps.check(staff, paid)
    page = staff.page(f"/links/{paid}/receipt?driver=0&language=en")
    assert page.one(".receipt-amount").get_text() == "₹1,677.00"
    message = page.one("#share-message").get_text()
    assert "We received ₹1,677.00 for 3 challans" in message
    assert "Challan total" not in message, "what was received is known"
    assert not page.all(".receipt-how")


@pytest.mark.parametrize("raw", [{"totalAmount": None}, {"totalAmount": 1700}])
def test_no_way_to_pay_is_named_for_an_amount_that_none_is_known_to_come_to(
    staff: WebClient, levers: Levers, paid: str, raw: dict[str, object]
) -> None:
    card = {"paymentMode": "CREDIT_CARD", "totalAmount": 1710.54}
    levers.set_link(paid, raw={"paymentModeOptions": [{"paymentMode": "UPI", **raw}, card]})
    steps.check(staff, paid)
    said = words(staff.page(f"/links/{paid}/receipt").one(".receipt-how").get_text())
    assert said.endswith("₹1,710.54 if paid by credit card")
    assert "1,677" not in said


@pytest.mark.parametrize("status", ["ACTIVE", "EXPIRED"])
def test_a_link_that_is_not_paid_has_no_receipt(staff: WebClient, levers: Levers, status: str) -> None:
    link_id = makes_a_link(staff)
    if status == "EXPIRED":
        levers.expire(link_id)
        steps.check(staff, link_id)
    assert "Receipt" not in staff.page(f"/links/{link_id}").text
    assert staff.get(f"/links/{link_id}/receipt").headers["Location"] == f"/links/{link_id}"


def test_the_page_of_a_paid_link_offers_its_receipt_and_nothing_that_asks_for_money(
    staff: WebClient, levers: Levers, paid: str
) -> None:
    page = staff.page(f"/links/{paid}")
    assert page.one("#share-title").get_text() == "Receipt"
    card = page.one("#link-payment").get_text(" ")
    assert "Send receipt to Ramesh Kumar" in " ".join(card.split())
    opened = staff.read(page.submit(_SEND))
    assert opened.link("Open WhatsApp").startswith("https://wa.me/919876543210?text="), "one tap opens his WhatsApp"
    assert levers.link(paid)["paymentUrl"] not in page.response.text
    assert "nothing to share" not in page.text
    assert "Check now" not in page.buttons(), "nothing can change any more"
    printed = staff.page(page.link("Print"))
    assert printed.all("print-sheet[data-now]")
    assert not staff.page(page.link("Open receipt")).all("print-sheet[data-now]")


def test_a_receipt_that_was_sent_is_recorded_so_that_nobody_sends_it_twice(
    staff: WebClient, manager: WebClient, app: Flask, paid: str
) -> None:
    page = staff.page(f"/links/{paid}")
    for _tap in range(2):
        opened = page.submit(_SEND)
        staff.get(opened.headers["Location"])
    seen = manager.page(f"/links/{paid}")
    said = seen.one("#link-payment .receipt-said.follow-sent").get_text()
    assert re.fullmatch(r"Receipt sent on WhatsApp to Ramesh Kumar, [\d:]+\s[ap]m · Asha Rao", said), said
    assert "Send receipt" not in seen.one("#link-payment").get_text(), "it is not asked for again"
    assert "button-quiet" in seen.one("#link-payment .share-send button")["class"], "and can be sent again"
    own = staff.page(f"/links/{paid}")
    assert words(own.one("#link-payment .receipt-said").get_text()).endswith("m"), "it was themselves"
    timeline = words(seen.one("#link-timeline").get_text(" "))
    assert timeline.count("Receipt sent on WhatsApp to Ramesh Kumar") == 1, "two taps are one"
    assert said in manager.page(f"/links/{paid}/receipt").one("#share-sent").get_text()
    with app.extensions["services"].store.read() as connection:
        assert shares.of_link(connection, paid, also_undone=True) == [], "no driver was reminded of it, or given it"


def test_a_receipt_that_was_not_sent_after_all_is_taken_back_by_whoever_sent_it(
    staff: WebClient, manager: WebClient, clock: MovableClock, paid: str
) -> None:
    for back in ("", "/receipt"):
        staff.page(f"/links/{paid}").submit(_SEND)
        assert "Undo" not in manager.page(f"/links/{paid}").buttons(), "of a colleague"
        staff.page(f"/links/{paid}{back}").submit("Undo")
        page = staff.page(f"/links/{paid}{back}")
        assert "Receipt sent" not in page.one("main").get_text().partition("Timeline")[0]
        assert "Undo" not in page.buttons()
    timeline = words(staff.page(f"/links/{paid}").one("#link-timeline").get_text(" "))
    assert timeline.count("Receipt marked as not sent · Asha Rao") == 2
    assert timeline.count("Receipt sent on WhatsApp to Ramesh Kumar") == 2, "what was taken back can be sent again"
    page = staff.read(staff.page(f"/links/{paid}").submit(_SEND))
    late = staff.page(f"/links/{paid}/receipt")
    clock.advance(minutes=11)
    assert "Too late to undo" in staff.read(late.submit("Undo")).text
    assert "Receipt sent on WhatsApp" in staff.page(f"/links/{paid}").text


def test_taking_a_receipt_back_answers_in_its_place_with_what_comes_next(staff: WebClient, paid: str) -> None:
    staff.page(f"/links/{paid}").submit(_SEND)
    page = staff.page(f"/links/{paid}/receipt")
    assert page.link("Back to Links") == "/links", "nothing waits in Follow up"
    undo = page.form("Undo").action
    assert staff.page(f"/links/{paid}").form("Undo").action == undo
    fields, there = {"csrf_token": staff.csrf_token()}, HTMX | {"HX-Target": "share-sent"}
    region = Page(staff, staff.post(undo, data=fields, headers=there), region=True)
    assert region.one("#share-sent [data-said]").get_text() == "Undone: the receipt is not marked as sent."
    assert "Undo" not in region.buttons()
    assert staff.post(undo.replace("/undo", "9/undo"), data=fields).status_code == 404


@pytest.mark.parametrize(("channel", "said"), [("sms", "Receipt sent by SMS"), ("copy", "Message copied")])
def test_other_ways_to_send_a_receipt_are_recorded_and_a_copy_is_not(
    staff: WebClient, paid: str, channel: str, said: str
) -> None:
    options = staff.page(f"/links/{paid}/receipt").one("#thanks")
    fields = {"channel": channel, "language": options["data-language"], "driver": options["data-driver"]}
    fields["csrf_token"] = staff.csrf_token()
    region = Page(staff, staff.post(options["data-record"], data=fields, headers=HTMX), region=True)
    assert region.one("#share-sent [data-said]").get_text().startswith(said)
    is_recorded = "Receipt sent" in staff.page(f"/links/{paid}").one("#link-timeline").get_text()
    assert is_recorded == (channel == "sms")


def test_what_is_not_paid_has_no_receipt_to_record(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    fields = {"channel": "sms", "csrf_token": staff.csrf_token()}
    assert staff.post(f"/links/{link_id}/receipt/sent", data=fields).status_code == 409
    answer = staff.post(f"/links/{link_id}/receipt/whatsapp", data=fields)
    assert answer.headers["Location"] == f"/links/{link_id}"
    assert "Receipt" not in staff.page(f"/links/{link_id}").text


def test_a_paid_link_says_what_else_of_its_vehicle_can_be_paid(staff: WebClient, levers: Levers) -> None:
    steps.searched(staff)
    answer = steps.create(staff, "MH1000", "MH1001")
    link_id = steps.link_of(answer)
    levers.pay(link_id)
    steps.check(staff, link_id)
    left = staff.page(f"/links/{link_id}")
    said = left.one("#link-payment p strong").get_text()
    assert re.fullmatch(r"\d+ more challans? can be paid · ₹[\d,.]+", said), said
    assert int(said.split()[0]) == len(steps.boxes(staff.page(left.link("Choose challans"))))


def test_what_else_can_be_paid_counts_amounts_that_are_not_known(staff: WebClient, levers: Levers) -> None:
    rc = "MH12UN0001"
    amounts = {"UN1": 500, "UN2": 500, "UN3": None}
    levers.add_vehicle(rc, [{"challanNo": number, "challanAmount": amount} for number, amount in amounts.items()])
    steps.searches(staff, rc)
    for number, said in (
        ("UN1", "2 more challans can be paid · ₹559.00 + 1 unknown"),
        ("UN2", "1 more challan can be paid"),
        ("UN3", None),
    ):
        link_id = steps.link_of(steps.create(staff, number, rc=rc))
        levers.pay(link_id)
        steps.check(staff, link_id)
        page = staff.page(f"/links/{link_id}")
        assert [each.get_text() for each in page.all("#link-payment p strong")] == ([said] if said else [])
    assert "No other challan can be paid, as of the search" in page.one("#link-payment").get_text()


def test_the_thanks_go_to_another_driver_in_his_language_or_to_a_number(staff: WebClient, paid: str) -> None:
    other = adds_a_driver(staff, name="Suresh Patil", phone="98765 43211", language="mr", vehicles="")
    page = staff.page(f"/links/{paid}/receipt?driver={other}")
    assert page.one("#share-message").get_text().startswith("नमस्कार Suresh Patil")
    assert page.link("WhatsApp Suresh Patil").startswith("https://wa.me/919876543211?text=")
    assert "Ramesh Kumar" in page.one("article.receipt").get_text(), "whose receipt it stays"
    address = f"/links/{paid}/receipt?driver=0&number=98765+43299&language=en"
    region = Page(staff, staff.get(address, headers={**HTMX, "HX-Target": "thanks"}), region=True)
    assert region.one("#share-message").get_text().startswith("Hello,")
    assert region.link("WhatsApp 98765 43299").startswith("https://wa.me/919876543299?text=")


def test_a_language_chosen_by_hand_for_a_receipt_stays_for_a_number(staff: WebClient, paid: str) -> None:
    htmx = {**HTMX, "HX-Target": "thanks"}
    chosen = Page(staff, staff.get(f"/links/{paid}/receipt?to=&language=ta", headers=htmx), region=True)
    assert chosen.one("#share-kept")["value"] == "ta"
    region = Page(staff, staff.get(f"/links/{paid}/receipt?to=98765+43299&kept=ta", headers=htmx), region=True)
    assert region.one("#share-message")["lang"] == "ta"


def test_the_receipt_takes_the_place_of_sharing_when_the_link_is_paid_meanwhile(
    staff: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    card = staff.page(f"/links/{link_id}").one("#link-payment")
    assert card.select_one("#share-title").get_text() == "Share"
    levers.pay(link_id)
    now = steps.check(staff, link_id).one("#link-payment")
    assert now["data-shown"] != card["data-shown"], "so the open page fetches it again"
    region = staff.region(str(card["hx-get"]), on=f"/links/{link_id}")
    assert region.one("#share-title").get_text() == "Receipt"
    assert "Send receipt…" in region.text


@pytest.mark.parametrize("end", ["expire", "fail", "cancel"])
def test_an_ended_link_says_why_and_keeps_its_address_as_quiet_text(staff: WebClient, levers: Levers, end: str) -> None:
    link_id = makes_a_link(staff)
    getattr(levers, end)(link_id)
    page = steps.check(staff, link_id)
    assert page.one("#share-title").get_text() == "No longer shared"
    assert page.one(".panel-sent").get_text() == "Not sent from here"
    assert levers.link(link_id)["paymentUrl"] in page.one("details .address-text").get_text()
    assert "late payment" in page.text or "may still arrive" in page.text
    assert "Receipt" not in page.text


@pytest.mark.parametrize("place", ["share", "qr"])
def test_a_paid_link_is_no_alarm_where_it_would_be_sent_and_leads_to_its_receipt(
    staff: WebClient, paid: str, place: str
) -> None:
    page = staff.page(f"/links/{paid}/{place}")
    assert page.one(".notice-good p:first-child").get_text() == "This link is paid. There is nothing to send."
    assert page.all("main .notice-wrong") == []
    assert page.link("Send receipt…") == f"/links/{paid}/receipt#thanks-title"
