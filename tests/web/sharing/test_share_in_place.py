"""The share page with scripts: each choice writes the message at once, and what was sent can be taken back."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from flask import Flask

from dashboard.services.container import Services
from dashboard.services.sharing.share import UNDO_FOR
from dashboard.store.accounts import audit
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web.links.test_list import Ledger
from tests.web.sharing.steps import adds_a_driver, makes_a_link, prepares, shares, vehicles_by_driver


def chooses(visitor: WebClient, link_id: str, query: str) -> Page:
    """Choose in a select of the share page, as htmx sends it."""
    headers = {**HTMX, "HX-Target": "share-now", "HX-Current-URL": f"http://localhost/links/{link_id}/share"}
    return Page(visitor, visitor.get(f"/links/{link_id}/share?{query}", headers=headers), region=True)


def posts(visitor: WebClient, address: str, target: str, **fields: str) -> Page:
    headers = {**HTMX, "HX-Target": target, "X-CSRFToken": visitor.csrf_token()}
    return Page(visitor, visitor.post(address, data=fields, headers=headers), region=True)


def announced(page: Page) -> str:
    return str(json.loads(page.headers["HX-Trigger"])["announce"]["words"])


def test_choosing_a_driver_writes_the_message_and_every_channel_in_his_language(
    staff: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    prepares(staff, link_id)
    driver = adds_a_driver(staff, vehicles="", email="ramesh@fleet.example")
    region = chooses(staff, link_id, "to=ramesh+kumar")
    assert words(region.one("#share-to-said[hx-swap-oob]").get_text()) == "Ramesh Kumar, +91 98765 43210"
    message = region.one("#share-message")
    assert (message["lang"], message.get_text()[:19]) == ("hi", "नमस्ते Ramesh Kumar")
    found = {str(a["data-channel"]): str(a["href"]) for a in region.all("share-options a[target]")}
    assert found["whatsapp"].startswith("https://wa.me/919876543210?")
    assert found["sms"].startswith("sms:+919876543210?")
    assert found["email"].startswith("mailto:ramesh@fleet.example?")
    assert region.one("#share-language-field")["hx-swap-oob"] == "true", "his language comes along"
    assert str(region.one("#share-language-field input[checked]")["value"]) == "hi"
    assert region.headers["HX-Replace-Url"] == f"/links/{link_id}/share?driver={driver}&language=hi"
    assert announced(region) == "Message in Hindi for Ramesh Kumar"
    assert not region.tree.xpath("//main")


def test_somebody_new_is_greeted_and_saved_as_a_driver_once_it_is_sent(
    staff: WebClient, services: Services, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    prepares(staff, link_id)
    region = chooses(staff, link_id, "to=Vijay+More+98765+43299&language=mr")
    assert "Vijay More is new: saved as a driver once it is sent." in region.one("#share-to-said").get_text()
    assert region.one("#share-message").get_text().startswith("नमस्कार Vijay More")
    assert region.link("WhatsApp Vijay More").startswith("https://wa.me/919876543299?")
    assert vehicles_by_driver(services) == {}, "looking at a message saves nobody"
    sent = {"channel": "whatsapp", "language": "mr", "to": str(region.one("share-options")["data-to"])}
    region = posts(staff, f"/links/{link_id}/shared", "share-sent", **sent)
    assert region.one("[data-said]").get_text() == "Sent on WhatsApp to Vijay More, in Marathi"
    assert vehicles_by_driver(services) == {"Vijay More": ["MH12AB1001"]}
    region = posts(staff, f"/links/{link_id}/shared", "share-sent", **sent)
    assert vehicles_by_driver(services) == {"Vijay More": ["MH12AB1001"]}, "once"


def test_what_is_wrong_with_whom_was_typed_is_said_beside_the_field(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff, vehicles="")
    prepares(staff, link_id)
    region = chooses(staff, link_id, "to=Rames")
    assert announced(region) == "Choose a driver from the list, or type the number after the name: Rames, 98…"
    assert announced(region) in region.one("#share-to-said #share-to-error").get_text()
    assert not region.all("share-options .button-primary")


def test_choosing_a_language_leaves_the_field_alone_that_has_the_focus(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff)
    prepares(staff, link_id)
    region = chooses(staff, link_id, f"driver={driver}&language=ta")
    assert region.one("#share-message")["lang"] == "ta"
    assert not region.all("#share-language-field")


def test_where_there_are_no_drivers_a_name_alone_lacks_its_number(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    prepares(staff, link_id)
    assert announced(chooses(staff, link_id, "to=Bogus+,")) == "Type the number after the name: Bogus, 98…"
    assert announced(chooses(staff, link_id, "to=98765")).startswith("Enter ten digits")


def test_a_language_chosen_by_hand_stays_for_whoever_has_none_of_their_own(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff, language="ta")
    prepares(staff, link_id)
    kept = chooses(staff, link_id, "to=&language=hi").one("#share-kept")
    assert (kept["name"], kept["value"]) == ("kept", "hi")
    region = chooses(staff, link_id, "to=98765+43299&kept=hi")
    assert region.one("#share-message")["lang"] == "hi"
    assert region.one("#share-language-field input[checked]")["value"] == "hi"
    assert region.one("#share-kept")["value"] == "hi", "also for the next number"
    region = chooses(staff, link_id, "to=ramesh+kumar&kept=hi")
    assert region.one("#share-message")["lang"] == "ta", "a saved driver has his own"
    assert not region.all("#share-kept")


def test_nobody_can_be_chosen_although_the_vehicle_has_a_usual_driver(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff)
    page = prepares(staff, link_id)
    assert page.one("share-options")["data-driver"] != ""
    region = chooses(staff, link_id, "driver=0&language=en")
    assert region.one("share-options")["data-driver"] == ""
    assert "Hello," in region.one("#share-message").get_text()


def test_what_is_no_driver_and_no_language_enters_no_address(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    token = staff.csrf_token()
    for driver in ("x", "-1", "9" * 30, "1&language=hi"):
        fields = {"driver": driver, "language": "../en", "csrf_token": token}
        answer = staff.post(f"/links/{link_id}/share", data=fields)
        assert answer.headers["Location"] == f"/links/{link_id}/share"
    assert chooses(staff, link_id, "driver=77&language=xx").headers["HX-Replace-Url"] == (
        f"/links/{link_id}/share?to=&language=en"
    )


def test_choosing_calls_the_service_not_at_all_and_asks_for_a_check_when_the_last_is_old(
    staff: WebClient, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    clock.advance(minutes=3)
    levers.forget_calls()
    region = chooses(staff, link_id, "driver=0&language=hi")
    assert not region.all("share-options")
    assert region.one("button[form=share-choose]").get_text(strip=True) == "Check the link"
    assert announced(region) == "Check the link before you send it."
    assert not levers.calls()
    region = posts(staff, f"/links/{link_id}/share", "share-now", driver="0", language="hi")
    assert region.one("#share-message")["lang"] == "hi"
    assert region.headers["HX-Push-Url"] == f"/links/{link_id}/share?to=&language=hi"
    assert levers.count("link_status") == 1


def test_a_refused_link_is_said_in_the_place_of_the_message(staff: WebClient, levers: Levers, clock: Any) -> None:
    link_id = makes_a_link(staff)
    levers.expire(link_id)
    clock.advance(seconds=6)
    region = posts(staff, f"/links/{link_id}/share", "share-now", driver="0", language="hi")
    assert (region.status, region.headers["HX-Retarget"]) == (409, "#share-now")
    assert "This link has expired" in region.text
    assert not region.all("share-options")


def test_what_was_sent_stands_there_and_is_taken_back(staff: WebClient, app: Flask, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff)
    prepares(staff, link_id)
    assert staff.page(f"/links/{link_id}/share").all(".share-main-way + #share-sent"), "as it is read out"
    fields = {"channel": "whatsapp", "driver": driver, "language": "hi"}
    region = posts(staff, f"/links/{link_id}/shared", "share-sent", **fields)
    assert region.one("#share-sent [data-said]").get_text() == "Sent on WhatsApp to Ramesh Kumar, in Hindi"
    assert "Not sent? Undo" in " ".join(region.text.split())
    assert "Sent on WhatsApp to Ramesh Kumar , in Hindi · by Asha Rao" in region.text
    assert region.one("#share-past")["hx-swap-oob"] == "true"
    assert region.link("Back to Links") == "/links", "nothing else waits"
    undo = region.form("Undo")
    region = posts(staff, undo.action, "share-sent")
    assert announced(region) == "Undone: this link is not marked as sent."
    assert "Not sent yet." in region.text
    assert "Not sent yet." in staff.page(f"/links/{link_id}/share").text
    timeline = staff.page(f"/links/{link_id}").one("#link-timeline").get_text()
    assert "Sent on WhatsApp to Ramesh Kumar" in timeline, "what happened stays in the history"
    assert "Marked as not sent" in timeline
    assert not staff.page(f"/drivers/{driver}").all("#given-title")
    with app.extensions["store"].read() as connection:
        assert audit.newest(connection)[0].action == "share undone"


def test_once_it_is_sent_what_waits_next_is_the_main_button(
    staff: WebClient, app: Flask, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff)
    Ledger(app.extensions["services"], clock).enter(1, rc="MH12AB1002", expires_at=clock() + timedelta(hours=20))
    prepares(staff, link_id)
    fields = {"channel": "whatsapp", "driver": driver, "language": "hi"}
    region = posts(staff, f"/links/{link_id}/shared", "share-sent", **fields)
    assert [words(each.get_text()) for each in region.all(".button-primary")] == ["Next in Follow up (1)"]
    clock.advance(seconds=UNDO_FOR.total_seconds() + 1)
    page = prepares(staff, link_id, driver=driver)
    assert [words(each.get_text()) for each in page.all(".share-write .button-primary")] == ["Next in Follow up (1)"]


def test_the_usual_driver_is_offered_at_the_first_send_and_made_in_place(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff, vehicles="")
    prepares(staff, link_id)
    fields = {"channel": "whatsapp", "driver": driver, "language": "hi"}
    region = posts(staff, f"/links/{link_id}/shared", "share-sent", **fields)
    offer = region.form("Make Ramesh Kumar the usual driver of MH12 AB 1001")
    region = posts(staff, offer.action, "share-sent", driver=driver)
    assert region.headers["HX-Retarget"] == "#share-sent"
    assert "Undo" in region.buttons(), "what was sent can still be taken back"
    assert not region.all(".share-usual")
    assert "is now the usual driver" in region.text


def test_what_was_sent_to_one_driver_is_not_said_above_the_message_for_another(
    staff: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    ramesh = adds_a_driver(staff, name="Ramesh Kumar", vehicles="")
    lakshmi = adds_a_driver(staff, name="Lakshmi Devi", phone="98200 12399", vehicles="")
    shares(staff, prepares(staff, link_id, driver=ramesh), link_id, "whatsapp")
    address = f"/links/{link_id}/share?driver="
    assert "Sent on WhatsApp to Ramesh Kumar" in staff.page(f"{address}{ramesh}").one("#share-sent").get_text()
    assert "sent to" not in staff.page(f"{address}{lakshmi}").one("#share-sent").get_text()


def test_without_scripts_the_same_form_takes_it_back(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    page = prepares(staff, link_id)
    shares(staff, page, link_id, "sms")
    page = staff.page(f"/links/{link_id}/share")
    page = staff.read(page.submit("Not sent"))
    assert "Undone: this link is not marked as sent." in page.text
    assert "Not sent yet." in page.text


def test_nobody_takes_back_what_a_colleague_sent_nor_anybody_later(
    staff: WebClient, manager: WebClient, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    prepares(staff, link_id)
    region = posts(staff, f"/links/{link_id}/shared", "share-sent", channel="sms", driver="", language="en")
    region = Page(staff, region.form("Yes, sent").submit(headers={**HTMX, "HX-Target": "share-sent"}), region=True)
    undo = region.form("Undo").action
    assert not manager.page(f"/links/{link_id}/share").all("#share-sent form")
    assert posts(manager, undo, "share-sent").status == 404
    assert staff.post(undo, headers=HTMX).status_code == 400, "a form without its token"
    clock.advance(seconds=UNDO_FOR.total_seconds() + 1)
    late = posts(staff, undo, "share-sent")
    assert (late.status, late.headers["HX-Retarget"]) == (409, "#share-sent")
    assert "Too late to undo" in late.text
    assert "SMS" in late.text


def test_another_language_than_the_drivers_is_said_below_the_languages(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    driver = adds_a_driver(staff, language="hi")
    page = prepares(staff, link_id)
    assert not page.one("#share-language-said").get_text()
    english = staff.read(page.submit("Update message", language="en"))
    assert words(english.one("#share-language-said").get_text()) == "Ramesh Kumar reads हिन्दी.", "without scripts"
    region = chooses(staff, link_id, f"driver={driver}&language=ta")
    assert words(region.one("#share-language-said[hx-swap-oob]").get_text()) == "Ramesh Kumar reads हिन्दी."
    assert not chooses(staff, link_id, f"driver={driver}&language=hi").one("#share-language-said").get_text()
    region = chooses(staff, link_id, "to=98765+43299&language=ta")
    assert not region.one("#share-language-said").get_text(), "nobody knows the language of a number"
    region = chooses(staff, link_id, "to=ramesh+kumar&kept=ta")
    assert not region.one("#share-language-field #share-language-said").get_text(), "his own comes along"
