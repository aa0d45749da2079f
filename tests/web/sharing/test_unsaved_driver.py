"""A link that was opened for somebody who is no driver: whether it was sent, and who it is."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from dashboard.store.sharing import drivers, shares
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web.sharing.steps import adds_a_driver, makes_a_link, prepares
from tests.web.sharing.steps import shares as shares_by
from tests.web.sharing.test_share_in_place import posts
from tests.web.steps import RC, check

_BUTTON = "WhatsApp to the chosen driver , in a new tab"
_NUMBER = "98765 43299"
_SHOWN = "+91\u00a098765\u00a043299"


def opens(visitor: WebClient, link_id: str, number: str = "") -> Page:
    """Open WhatsApp for somebody who is no driver; return the page of the link after it."""
    visitor.read(visitor.page(f"/links/{link_id}").submit(_BUTTON, to=number))
    return visitor.page(f"/links/{link_id}")


def sent(page: Page) -> str:
    return page.one(".panel-sent").get_text()


def test_opened_in_whatsapp_without_a_number_is_not_called_sent(
    staff: WebClient, manager: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    page = opens(staff, link_id)
    assert sent(page).startswith("Prepared in WhatsApp, not confirmed · ")
    assert "Prepared in WhatsApp, not confirmed · Asha Rao" in page.one("#link-timeline").get_text()
    assert "Back in Follow up" not in page.text, "nobody is known to have it"
    assert "Was it sent?" in page.one("#link-payment").get_text()
    assert not page.all(".share-save"), "there is no number to save"
    seen = manager.page(f"/links/{link_id}")
    assert sent(seen).startswith("Prepared in WhatsApp, not confirmed · ")
    assert not seen.all(".share-asked"), "whoever opened it knows"
    assert "Only Asha Rao" not in seen.text, "nobody knows whether it was sent to any number"
    past = staff.page(f"/links/{link_id}/share").one("#share-past")
    assert "Prepared in WhatsApp, not confirmed · by Asha Rao" in past.get_text()


def test_whoever_opened_it_says_that_it_was_sent(staff: WebClient, manager: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    page = staff.read(opens(staff, link_id).submit("Yes, sent"))
    assert sent(page).startswith("Sent on WhatsApp to a number not saved here, ")
    assert "Back in Follow up" in page.text
    timeline = page.one("#link-timeline").get_text()
    assert "Sent on WhatsApp to a number not saved here" in timeline
    assert "confirmed" not in timeline.lower()
    assert page.all(".follow-undo"), "it can still be taken back"


def test_a_colleague_who_is_to_remind_learns_who_has_the_number(
    staff: WebClient, manager: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    staff.read(opens(staff, link_id, _NUMBER).submit("Yes, sent"))
    card = manager.page(f"/links/{link_id}").one("#link-payment")
    said = "Only Asha Rao has this number. Ask Asha Rao, or choose a driver."
    assert card.select_one(".share-only").get_text() == said
    assert card.select_one("input[name=to]")["value"] == ""
    assert not staff.page(f"/links/{link_id}").all(".share-only"), "her field begins with it"
    with staff.session_transaction() as session:
        session.pop("typed_numbers")
    assert "This number was not saved." in staff.page(f"/links/{link_id}").one(".share-only").get_text()
    adds_a_driver(staff)
    assert not manager.page(f"/links/{link_id}").all(".share-only"), "the usual driver is whom to remind"


def test_what_was_not_sent_is_taken_back(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    page = staff.read(opens(staff, link_id).submit("Not sent"))
    assert sent(page) == "Not sent yet"


def test_until_it_is_answered_the_question_takes_the_place_of_the_ways_to_send(
    staff: WebClient, app: Flask, levers: Levers, clock: Any
) -> None:
    link_id = makes_a_link(staff)
    page = opens(staff, link_id, _NUMBER)
    card = page.one("#link-payment")
    assert not card.select(".share-send"), "WhatsApp is not offered as if nothing had been done"
    assert [each.get_text() for each in card.select(".button-primary")] == ["Yes, sent"]
    assert card.select(".share-question ~ copy-field"), "it comes first"
    clock.advance(minutes=2)
    again = staff.read(page.submit("Open WhatsApp again , in a new tab"))
    assert again.link("Open WhatsApp again").startswith("https://wa.me/919876543299?")
    with app.extensions["store"].read() as connection:
        assert len(shares.of_link(connection, link_id)) == 1, "it is one message"


def test_what_was_not_sent_is_put_right_where_it_was_typed(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    page = staff.read(opens(staff, link_id, _NUMBER).submit("Not sent"))
    assert page.one("#send-to")["value"] == "+91 98765 43299"


def test_a_colleague_cannot_say_that_it_was_sent(staff: WebClient, manager: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    form = opens(staff, link_id).form("Yes, sent")
    assert posts(manager, form.action, "share-sent").status == 404


def test_the_number_is_saved_as_the_driver_of_the_vehicle_who_is_then_reminded(
    staff: WebClient, manager: WebClient, app: Flask, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    page = opens(staff, link_id, _NUMBER)
    assert "Was it sent to +91 98765 43299?" in page.text
    assert not page.all(".share-save"), "one question at a time"
    page = staff.read(page.submit("Yes, sent"))
    assert "Save +91 98765 43299 as driver of MH12 AB 1001" in page.text
    assert "43299" not in manager.page(f"/links/{link_id}").text, "it is known to whoever typed it alone"
    page = staff.read(page.submit("Save driver", name="  Vijay   More "))
    assert "Vijay More is now the usual driver of MH12 AB 1001." in page.text
    assert sent(page).startswith("Sent on WhatsApp to Vijay More, ")
    assert any(each.startswith("Remind Vijay More") for each in page.buttons())
    assert "Sent on WhatsApp to Vijay More" in page.one("#link-timeline").get_text()
    assert not page.all(".share-save")
    with app.extensions["store"].read() as connection:
        [saved] = drivers.of_vehicle(connection, RC)
    assert (saved.name, saved.phone) == ("Vijay More", "+91 98765 43299")
    assert staff.page(f"/drivers/{saved.id}").all(f'a[href="/links/{link_id}"]'), "it counts as given to the driver"


@pytest.mark.parametrize(("name", "said"), [(" ", "Enter the driver’s name."), ("x" * 101, "At most 100 letters.")])
def test_a_name_that_cannot_be_saved_comes_back_with_the_reason(
    staff: WebClient, levers: Levers, name: str, said: str
) -> None:
    link_id = makes_a_link(staff)
    answer = staff.read(opens(staff, link_id, _NUMBER).submit("Yes, sent")).submit("Save driver", name=name)
    page = staff.read(answer)
    assert page.status == 422
    assert said in page.one("#driver-name-error").get_text()
    assert page.one("#driver-name")["value"] == name


def test_a_number_that_a_driver_has_makes_that_driver_the_usual_one(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    staff.read(opens(staff, link_id, _NUMBER).submit("Yes, sent"))
    adds_a_driver(staff, phone=_NUMBER, vehicles="")
    page = staff.page(f"/links/{link_id}")
    page = staff.read(page.submit("Make Ramesh Kumar the usual driver of MH12 AB 1001"))
    assert sent(page).startswith("Sent on WhatsApp to Ramesh Kumar, ")
    assert any(each.startswith("Remind Ramesh Kumar") for each in page.buttons())


def test_the_share_page_offers_the_same(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    page = prepares(staff, link_id, to=_NUMBER)
    assert page.one("share-options")["data-to"] == _NUMBER
    fields = {"channel": "whatsapp", "language": "hi", "to": _NUMBER}
    region = posts(staff, f"/links/{link_id}/shared", "share-sent", **fields)
    assert region.one("[data-said]").get_text() == "Prepared in WhatsApp"
    assert {"Yes, sent", "Not sent"} <= set(region.buttons())
    assert not region.all(".share-save"), "one question at a time"
    page = staff.page(f"/links/{link_id}/share")
    assert page.one("#share-to")["value"] == "+91 98765 43299", "the next message is for the same number"
    prepared = f"Prepared in WhatsApp for {words(_SHOWN)}, not confirmed · by Asha Rao"
    assert words(page.one("#share-past .timeline-words").get_text()) == prepared
    assert not page.all(".share-save")
    form = region.form("Yes, sent")
    assert "Save driver" in posts(staff, form.action, "share-sent").buttons()
    page = staff.page(f"/links/{link_id}/share")
    said = f"Sent on WhatsApp to {words(_SHOWN)}, in Hindi · by Asha Rao"
    assert words(page.one("#share-past .timeline-words").get_text()) == said
    page = staff.read(page.submit("Save driver", name="Vijay More", back="share"))
    assert "Sent on WhatsApp to Vijay More , in Hindi · by Asha Rao" in page.text
    assert "Sent on WhatsApp to Vijay More" in page.text


def test_the_number_that_was_sent_to_begins_the_next_message_until_it_is_saved_or_dismissed(
    staff: WebClient, manager: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    page = staff.read(opens(staff, link_id, _NUMBER).submit("Yes, sent"))
    assert sent(page).startswith(f"Sent on WhatsApp to {_SHOWN}, ")
    assert f"Sent on WhatsApp to {_SHOWN}" in page.one("#link-timeline").get_text()
    assert page.one("#send-to")["value"] == "+91 98765 43299"
    assert page.all(".share-send ~ .share-save, .share-more ~ .share-save"), "below what sends"
    seen = manager.page(f"/links/{link_id}")
    assert sent(seen).startswith("Sent on WhatsApp to a number not saved here, ")
    assert "3299" not in seen.text
    page = staff.read(page.submit("Not now , save no driver"))
    assert not page.all(".share-save")
    assert page.one("#send-to")["value"] == "+91 98765 43299", "it is still known"


def test_among_drivers_too_the_field_keeps_the_number(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    adds_a_driver(staff, vehicles="")
    visitor = staff.page(f"/links/{link_id}")
    staff.read(visitor.submit(_BUTTON, to=_NUMBER))
    page = staff.read(staff.page(f"/links/{link_id}").submit("Yes, sent"))
    assert page.one("#send-to")["value"] == "+91 98765 43299"
    assert "Save +91 98765 43299 as driver of MH12 AB 1001" in page.text


def test_the_panel_that_is_polled_says_the_same_to_its_sender_alone(
    staff: WebClient, manager: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    staff.read(opens(staff, link_id, _NUMBER).submit("Yes, sent"))
    for visitor, named in ((staff, _SHOWN), (manager, "a number not saved here"), (staff, _SHOWN)):
        region = visitor.region(f"/links/{link_id}/panel", on=f"/links/{link_id}")
        assert sent(region).startswith(f"Sent on WhatsApp to {named}, ")
        assert bool(region.all(".panel-sent .follow-undo")) == (visitor is staff)


def test_follow_up_names_the_number_in_place_of_a_driver_while_the_link_is_open(
    staff: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)

    def driver() -> str:
        return words(staff.page("/follow-up").one(f"#follow-{link_id} .follow-driver").get_text(" "))

    def listed() -> str:
        return words(staff.page("/links").one(f"#row-{link_id} .nobody").get_text())

    def on_home() -> str:
        return words(staff.page("/").one(f".recent-links tr[data-row='{link_id}'] .given").get_text(" "))

    assert driver() == listed() == "No driver"
    opens(staff, link_id)
    assert (driver(), listed()) == ("Driver not known", "Driver not known"), "somebody may have it"
    assert "No driver" not in on_home()
    assert "has no driver" not in staff.page("/follow-up").text
    act = staff.page("/").one(".figures-asking a.figure-act")
    assert (words(act.get_text()), act["href"]) == ("Follow up", "/follow-up"), "it is not asked for a driver"
    staff.read(staff.page(f"/links/{link_id}").submit("Not sent"))
    opens(staff, link_id, _NUMBER)
    assert driver() == listed() == "+91 98765 43299"
    assert "+91 98765 43299" in on_home()
    staff.read(staff.page(f"/links/{link_id}").submit("Not sent"))
    levers.expire(link_id)
    check(staff, link_id)
    assert driver() == "No driver"


def test_a_number_is_written_to_again_in_the_language_that_it_was_written_to_before(
    staff: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    shares_by(staff, prepares(staff, link_id, to=_NUMBER, language="hi"), link_id, "whatsapp")
    assert staff.page(f"/links/{link_id}/share").one("[name=language][checked]")["value"] == "hi"
    again = staff.read(staff.page(f"/links/{link_id}").submit("Open WhatsApp again , in a new tab"))
    assert again.one(".phone-message")["lang"] == "hi"
    driver = adds_a_driver(staff, name="Lakshmi Devi", phone="98200 12345", language="mr", vehicles="")
    page = staff.page(f"/links/{link_id}/share?driver={driver}")
    assert page.one("[name=language][checked]")["value"] == "mr", "a driver has a language"


def test_the_receipt_begins_with_the_number(staff: WebClient, manager: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    staff.read(opens(staff, link_id, _NUMBER).submit("Yes, sent"))
    levers.pay(link_id)
    page = check(staff, link_id)
    assert "Save +91 98765 43299 as driver of MH12 AB 1001" in page.text
    opened = staff.read(page.submit("Send receipt to +91 98765 43299 , on WhatsApp, in a new tab"))
    assert opened.link("Open WhatsApp").startswith("https://wa.me/919876543299?")
    [said] = staff.page(f"/links/{link_id}").all("#link-payment .receipt-said:not(.follow-sent)")
    assert said.get_text().startswith("Receipt prepared in WhatsApp"), "nobody knows more"
    assert manager.page(f"/links/{link_id}").link("Send receipt…") == f"/links/{link_id}/receipt#thanks-title"


def test_other_ways_begin_with_the_number(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    staff.read(opens(staff, link_id, _NUMBER).submit("Yes, sent"))
    page = prepares(staff, link_id)
    assert page.one("#share-to")["value"] == "+91 98765 43299"
    assert page.link("WhatsApp +91 98765 43299").startswith("https://wa.me/919876543299?")
