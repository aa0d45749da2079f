"""Giving a link to a driver: only a living one, in the right words, by every channel, and remembered."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import zxingcpp
from flask import Flask
from sqlalchemy import update

from dashboard.domain import messages
from dashboard.domain.messages import LANGUAGES, NAMES, TemplateRefused
from dashboard.store.accounts import audit
from dashboard.store.links.tables import link
from dashboard.store.sharing import shares
from dashboard.web.shared import qr
from tests.conftest import ServedReplica
from tests.support.another import asking
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import ASHA, PASSWORD
from tests.support.visitor import Visitor
from tests.web import steps
from tests.web.steps import RC, challan, searched

URL = "https://pay.example.in/prepaid-payment/3f9d2c81b7e64a55a0c1d2e3f4a5b6c7"


@pytest.fixture
def levers(replica: ServedReplica) -> Levers:
    replica.levers.add_vehicle(RC, [challan(n) for n in range(3)])
    return replica.levers


def makes_a_link(visitor: Visitor) -> str:
    page = searched(visitor)
    boxes = [str(box["value"]) for box in page.all("input[type=checkbox][name=challan]")]
    review = visitor.read(page.submit("Review and create", challan=boxes))
    answer = review.submit("Create payment link")
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"].rsplit("/", 1)[-1]


def adds_a_driver(visitor: Visitor, **fields: str) -> str:
    usual = {"name": "Ramesh Kumar", "phone": "98765 43210", "language": "hi", "vehicles": "mh-12 ab 1001"}
    answer = visitor.page("/drivers").submit("Add the driver", **usual | fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"].rsplit("/", 1)[-1]


def prepares(visitor: Visitor, link_id: str, **chosen: str) -> Page:
    page = visitor.page(f"/links/{link_id}/share")
    return visitor.read(page.submit("Look at the link and word the message", **chosen))


def ways(page: Page) -> dict[str, str]:
    return {str(a["data-channel"]): str(a["href"]) for a in page.all("share-options a[target]")}


def test_the_message_names_vehicle_count_amount_deadline_and_url(staff: Visitor, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    url = levers.link(link_id)["paymentUrl"]
    page = staff.read(staff.page(f"/links/{link_id}").submit("Share with a driver"))
    message = page.one("#share-message").get_text()
    assert "Challans of vehicle MH12 AB 1001 to be paid: 3. Amount: ₹" in message
    assert re.search(r"₹[\d,]+\.\d\d by UPI", message)
    assert re.search(r"before \d+ \w+ 20\d\d, \d\d:\d\d IST", message)
    assert url in message


def test_every_channel_carries_the_whole_message(staff: Visitor, levers: Levers) -> None:
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


def test_whatsapp_and_sms_go_to_the_number_with_its_country(staff: Visitor, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    for phone in ("09876543210", "00919876543210", "+91 (0) 98765 43210"):
        found = ways(prepares(staff, link_id, driver=adds_a_driver(staff, phone=phone)))
        assert found["whatsapp"].startswith("https://wa.me/919876543210?text="), phone
        assert found["sms"].startswith("sms:+919876543210?body="), phone


def test_the_usual_driver_of_the_vehicle_and_the_language_are_chosen_by_themselves(
    staff: Visitor, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff)
    message = staff.read(staff.page(f"/links/{link_id}").submit("Share with a driver")).one("#share-message")
    assert message["lang"] == "hi"
    assert message.get_text().startswith("नमस्ते Ramesh Kumar,")


def test_the_language_is_remembered_for_the_driver(staff: Visitor, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff)
    page = prepares(staff, link_id, driver=driver, language="ta")
    record(staff, page, link_id, "whatsapp")
    assert prepares(staff, link_id, driver=driver, language="").one("#share-message")["lang"] == "ta"


def record(visitor: Visitor, page: Page, link_id: str, channel: str) -> None:
    element = page.one("share-options")
    token = page.one("meta[name=csrf-token]")["content"]
    fields = {"channel": channel, "driver": element["data-driver"], "language": element["data-language"]}
    answer = visitor.post(f"/links/{link_id}/shared", data=fields | {"csrf_token": token})
    assert answer.status_code == 204


def test_who_was_given_what_by_whom_and_how_is_known(staff: Visitor, app: Flask, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff)
    record(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
    assert "WhatsApp, to Ramesh Kumar · Asha Rao" in staff.page(f"/links/{link_id}/share").text
    page = staff.page(f"/drivers/{driver}")
    assert "WhatsApp · by Asha Rao" in page.text
    assert page.all(f'a[href="/links/{link_id}"]')
    with app.extensions["store"].read() as connection:
        entry = audit.newest(connection)[0]
        assert [row.channel for row in shares.of_link(connection, link_id)] == ["whatsapp"]
    assert (entry.action, entry.subject) == ("share", link_id)


def test_a_link_is_looked_at_before_it_is_shared_and_a_dead_one_stays_in_the_house(
    staff: Visitor, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    levers.expire(link_id)
    clock.advance(seconds=6)
    page = staff.page(f"/links/{link_id}")
    answer = page.submit("Share with a driver")
    refused = Page(staff, answer)
    assert refused.status == 409
    assert "This link is EXPIRED" in refused.text
    assert not refused.all("share-options")
    assert not refused.all("svg.qr")
    assert staff.get(f"/links/{link_id}/qr.svg").status_code == 409


NUDGE = "Nudge by WhatsApp about MH12 AB 1001, in a new tab"


@pytest.fixture
def given(staff: Visitor, levers: Levers, clock: Any) -> str:
    """A link that ends today and that its driver was given by WhatsApp."""
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff)
    record(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
    levers.set_link(link_id, expiresAt=f"{clock() + timedelta(hours=5):%Y-%m-%dT%H:%M:%S}Z")
    steps.check(staff, link_id)
    clock.advance(seconds=61)
    return link_id


def test_one_tap_nudges_the_driver_again_by_whatsapp(staff: Visitor, levers: Levers, app: Flask, given: str) -> None:
    queue = staff.page("/follow-up")
    page = staff.read(queue.submit(NUDGE))
    whatsapp = str(page.one("main a[href^='https://wa.me/']")["href"])
    assert whatsapp.startswith("https://wa.me/919876543210?text=%E0%A4%A8"), "in the driver's language"
    assert page.one("meta[http-equiv=refresh]")["content"] == f"0; url={whatsapp}"
    assert "WhatsApp opens with the message for Ramesh Kumar" in page.text
    staff.read(queue.submit(NUDGE))
    with app.extensions["store"].read() as connection:
        assert [row.channel for row in shares.of_link(connection, given)] == ["whatsapp"] * 2
        assert audit.newest(connection)[0].action == "share"


@pytest.mark.parametrize("gone", ["the driver", "the phone", "nobody known", "nobody"])
def test_a_nudge_that_would_reach_nobody_is_shared_in_another_way(
    staff: Visitor, app: Flask, given: str, gone: str
) -> None:
    queue = staff.page("/follow-up")
    driver = str(queue.all(f"#follow-{given} input[name=driver]")[0]["value"])
    if gone == "the driver":
        staff.page(f"/drivers/{driver}").submit("Has left")
    elif gone == "the phone":
        staff.page(f"/drivers/{driver}").submit("Save the driver", phone="")
    asked = {"nobody known": "9999", "nobody": "x"}.get(gone, driver)
    answer = queue.submit(NUDGE, driver=asked)
    assert answer.headers["Location"].startswith(f"/links/{given}/share")
    with app.extensions["store"].read() as connection:
        assert len(shares.of_link(connection, given)) == 1


def test_a_nudge_that_was_opened_long_ago_is_looked_at_again(staff: Visitor, given: str, clock: Any) -> None:
    address = staff.page("/follow-up").submit(NUDGE).headers["Location"]
    assert staff.page(address).all("meta[http-equiv=refresh]")
    clock.advance(minutes=2)
    assert staff.get(address).headers["Location"].startswith(f"/links/{given}/share")


def test_a_dead_link_is_not_nudged(staff: Visitor, levers: Levers, app: Flask, given: str) -> None:
    page = staff.page("/follow-up")
    levers.expire(given)
    refused = Page(staff, page.submit(NUDGE))
    assert refused.status == 409
    assert "This link is EXPIRED" in refused.text
    assert not refused.all("meta[http-equiv=refresh]")
    with app.extensions["store"].read() as connection:
        assert len(shares.of_link(connection, given)) == 1


def test_who_was_given_it_in_another_way_is_not_sent_whatsapp(staff: Visitor, given: str) -> None:
    driver = str(staff.page("/follow-up").all(f"#follow-{given} input[name=driver]")[0]["value"])
    record(staff, prepares(staff, given, driver=driver), given, "sms")
    buttons = staff.page("/follow-up").buttons()
    assert NUDGE not in buttons
    assert "Nudge again" in buttons


def test_a_fresh_look_is_not_made_twice(staff: Visitor, levers: Levers, clock: Any) -> None:
    link_id = makes_a_link(staff)
    clock.advance(seconds=30)
    levers.forget_calls()
    for _ in range(2):
        staff.page(f"/links/{link_id}").submit("Share with a driver")
    assert levers.count("link_status") == 1


def test_the_driver_and_the_language_that_were_chosen_outlast_the_session(
    staff: Visitor, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff)
    other = adds_a_driver(staff, name="Suresh Patil", vehicles="")
    page = staff.page(f"/links/{link_id}/share")
    clock.advance(hours=1)
    ended = page.submit("Look at the link and word the message", driver=other, language="mr")
    shown = staff.read(staff.page(ended.headers["Location"]).submit("Sign in", email=ASHA.email, password=PASSWORD))
    chosen = [str(option["value"]) for option in shown.all("select option[selected]")]
    assert chosen == [other, "mr"]


def test_a_look_that_somebody_else_has_begun_is_waited_for(
    staff: Visitor, levers: Levers, clock: Any, app: Flask
) -> None:
    link_id = makes_a_link(staff)
    clock.advance(seconds=30)
    page = staff.page(f"/links/{link_id}")
    levers.expire(link_id)
    with asking(app.extensions["services"].link_poller, levers, link_id):
        refused = Page(staff, page.submit("Share with a driver"))
    assert "This link is EXPIRED" in refused.text
    assert not refused.all("share-options")
    assert levers.count("link_status") == 1


def test_when_the_service_is_silent_nothing_is_shared_and_it_says_so(
    staff: Visitor, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    clock.advance(seconds=30)
    levers.fault("link_status", "cut")
    answer = staff.page(f"/links/{link_id}").submit("Share with a driver")
    page = Page(staff, answer)
    assert answer.status_code == 504
    assert "The service did not answer" in page.text
    assert not page.all("share-options")


def test_what_was_prepared_long_ago_is_prepared_again(staff: Visitor, levers: Levers, clock: Any) -> None:
    link_id = makes_a_link(staff)
    prepares(staff, link_id)
    clock.advance(minutes=3)
    page = staff.page(f"/links/{link_id}/share")
    assert not page.all("share-options")
    assert "Look at the link and word the message" in page.buttons()


def test_opening_the_page_asks_the_service_nothing(staff: Visitor, levers: Levers, clock: Any) -> None:
    link_id = makes_a_link(staff)
    clock.advance(minutes=3)
    levers.forget_calls()
    staff.page(f"/links/{link_id}/share")
    staff.page(f"/links/{link_id}/qr")
    assert not levers.calls()


# The QR code


def pixels(code: qr.QrCode, scale: int = 6) -> memoryview:
    """The drawn path, as a grey picture."""
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


def test_the_code_on_the_page_and_in_the_file_is_of_this_links_url(staff: Visitor, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    url = levers.link(link_id)["paymentUrl"]
    code = prepares(staff, link_id).one("svg.qr")
    side = int(str(code["viewbox"]).split()[2])
    found = zxingcpp.read_barcode(pixels(qr.QrCode(side, str(code.path["d"]))))  # type: ignore[index]
    assert found is not None
    assert found.text == url
    file = staff.get(f"/links/{link_id}/qr.svg")
    assert file.headers["Content-Disposition"] == f'attachment; filename="payment-link-{RC}.svg"'
    assert file.data.startswith(b"<?xml")
    assert "MH12 AB 1001" in staff.page(f"/links/{link_id}/qr").text


# Messages and their languages

LONG = dict.fromkeys(NAMES, "x" * 300)
MISSING: dict[str, str] = {}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_message_can_be_filled_with_anything(code: str) -> None:
    language = LANGUAGES[code]
    assert messages.check(language.body) == language.body
    filled = messages.fill(language.body, {name: f"«{name}»" for name in NAMES})
    assert "{" not in filled
    assert all(f"«{name}»" in filled for name in NAMES)
    assert LONG["url"] in messages.fill(language.body, LONG)
    assert "{url}" in messages.fill(language.body, MISSING)
    assert "{" not in messages.fill(language.subject, dict.fromkeys(NAMES, "x"))


def test_a_value_that_looks_like_a_name_is_not_filled_again() -> None:
    assert messages.fill("{driver} {url}", {"driver": "{url}", "url": "U"}) == "{url} U"


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("of vehicle {vehicle} to be paid", "of vehicle to be paid"),
        ("{vehicle} का चालान", "का चालान"),
        ("pay for {vehicle}.", "pay for."),
        ("{driver} {vehicle} {mode}", "Ramesh UPI"),
        ("a {vehicle} {vehicle} b", "a b"),
        ("{driver}, {vehicle}: {url}", "Ramesh,: U"),
        ("two  blanks {plate}", "two  blanks {plate}"),
    ],
)
def test_what_is_empty_leaves_no_gap(template: str, filled: str) -> None:
    assert messages.fill(template, {"driver": "Ramesh", "vehicle": "", "mode": "UPI", "url": "U"}) == filled


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_message_about_no_known_vehicle_has_no_gap(code: str) -> None:
    language = LANGUAGES[code]
    text = messages.fill(language.body, dict.fromkeys(NAMES, "x") | {"vehicle": ""})
    assert not re.search(r"  |^ | $", text, re.MULTILINE)


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_is_not_known_is_said_in_the_same_language(staff: Visitor, levers: Levers, clock: Any, code: str) -> None:
    link_id = makes_a_link(staff)
    levers.set_link(link_id, raw={"expiresAt": None, "amount": None, "paymentModeOptions": []})
    language = LANGUAGES[code]
    with staff.application.extensions["store"].write() as connection:
        connection.execute(update(link).values(expires_at=None, total=None, modes=[]))
    message = prepares(staff, link_id, language=code).one("#share-message").get_text()
    for words in (language.unknown_amount, language.unknown_deadline, language.any_mode, language.somebody):
        assert words in message
    assert "None" not in message.replace(levers.link(link_id)["paymentUrl"], "")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", "Write the message."),
        ("Pay {amount}", "The message needs {url}"),
        ("{url} {plate}", "{plate} is not a name"),
        ("{url} {", "A brace stands alone"),
        ("{url!r}", "by themselves"),
        ("{{driver}} {url}", "in one pair of braces"),
        ("{url} {{", "in one pair of braces"),
        ("{driver} {url}}}", "in one pair of braces"),
        ("{url} " + "x" * 1300, "at most 1200 letters"),
    ],
)
def test_a_message_that_cannot_be_used_is_refused_in_words(body: str, said: str) -> None:
    with pytest.raises(TemplateRefused, match=re.escape(said)):
        messages.check(body)


def test_managers_reword_a_message_and_go_back(manager: Visitor, staff: Visitor, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    page = manager.page("/messages")
    manager.read(page.submit("Save the message in English", body="Pay {amount} for {vehicle}: {url}"))
    message = prepares(staff, link_id, language="en").one("#share-message").get_text()
    assert re.fullmatch(r"Pay ₹[\d,.]+ for MH12 AB 1001: http\S+", message)
    page = manager.page("/messages")
    assert "Changed by Meera Iyer" in page.text
    manager.read(page.submit("Go back to the original in English"))
    assert "Hello driver" in prepares(staff, link_id, language="en").one("#share-message").get_text()


def test_a_refused_message_is_still_there_with_its_reason(manager: Visitor) -> None:
    answer = manager.page("/messages").submit("Save the message in Tamil", body="இல்லை")
    page = Page(manager, answer)
    assert page.status == 422
    assert "The message needs {url}" in page.text
    assert page.one("#body-ta").get_text().strip() == "இல்லை"


def test_staff_are_told_who_words_the_messages(staff: Visitor) -> None:
    assert "This is for managers and administrators" in staff.page("/messages", status=403).text


# Drivers


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": " "}, "Enter the driver’s name."),
        ({"phone": "call me"}, "Enter ten digits"),
        ({"phone": "12345"}, "Enter ten digits"),
        ({"email": "ramesh"}, "Enter an e-mail address"),
        ({"vehicles": "MH12AB1001, <b>"}, "only letters A to Z and digits"),
    ],
)
def test_a_driver_that_cannot_be_reached_is_explained_and_kept(
    staff: Visitor, fields: dict[str, str], said: str
) -> None:
    usual = {"name": "Ramesh Kumar", "phone": "", "vehicles": ""}
    answer = staff.page("/drivers").submit("Add the driver", **usual | fields)
    page = Page(staff, answer)
    assert page.status == 422
    assert said in page.text
    for name, value in fields.items():
        assert str(page.one(f"#{name}").get("value", "")).strip() == value.strip()


def test_a_driver_is_changed_leaves_and_comes_back(staff: Visitor) -> None:
    driver = adds_a_driver(staff)
    page = staff.page(f"/drivers/{driver}")
    assert page.one("#vehicles")["value"] == "MH12 AB 1001"
    staff.read(page.submit("Save the driver", name="Ramesh K.", vehicles="KA05MN4321, MH12AB1001"))
    listed = staff.page("/drivers")
    assert listed.link("Ramesh K.") == f"/drivers/{driver}"
    assert listed.link("KA05 MN 4321") == "/vehicles/KA05MN4321"
    staff.read(staff.page(f"/drivers/{driver}").submit("Has left"))
    assert "Have left (1)" in staff.page("/drivers").text
    staff.read(staff.page(f"/drivers/{driver}").submit("Is back"))
    assert "Have left" not in staff.page("/drivers").text
