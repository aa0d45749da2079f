"""Asking the driver of a link whose payment failed whether money was taken, and what every page says of it then."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from dashboard.domain.sharing import Channel
from dashboard.services.sharing.share import UNDO_FOR
from dashboard.store.accounts import audit
from dashboard.store.links import links
from dashboard.store.sharing import questions, shares
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, makes_a_link

_ASK = "Ask Ramesh Kumar on WhatsApp , in a new tab"
_UNDO = "Undo marking the driver as asked"


@pytest.fixture
def failed(staff: WebClient, app: Flask, levers: Levers) -> str:
    """Return the id of a link that a driver was sent, and whose payment failed."""
    driver = adds_a_driver(staff)
    link_id = makes_a_link(staff)
    app.extensions["services"].sharing.record_share(link_id, Channel.WHATSAPP, 1, int(driver), "hi")
    levers.fail(link_id)
    steps.check(staff, link_id)
    return link_id


def said(page: Page, of: str) -> str:
    return words(page.one(of).get_text(" "))


def test_a_question_is_recorded_and_said_on_every_page(
    staff: WebClient, manager: WebClient, app: Flask, failed: str
) -> None:
    page = staff.page(f"/links/{failed}")
    for _tap in range(2):
        opened = staff.read(page.submit(_ASK))
        assert opened.link("Open WhatsApp").startswith("https://wa.me/919876543210?text=")
        assert opened.link("Note answer") == f"/links/{failed}", "what comes next"
        assert "कुल: ₹" in opened.text, "which of several payments is meant"
        assert re.search(r"चालान: MH100\d", opened.text)
    asked = r"Asked \d+:\d\d [ap]m · Asha Rao"
    panel = said(staff.page(f"/links/{failed}"), "#link-panel")
    assert re.search(asked + " · Undo", panel), panel
    assert "Create again only once the driver says that no money was taken." in panel
    assert "Ask again" in panel
    assert not staff.page(f"/links/{failed}").all(".panel-act .button-primary"), "the answer is waited for"
    theirs = manager.page(f"/links/{failed}")
    assert re.search(asked, said(theirs, "#link-panel"))
    assert "Undo" not in said(theirs, "#link-panel"), "of a colleague"
    timeline = said(theirs, "#link-timeline")
    assert timeline.count("Asked Ramesh Kumar on WhatsApp · Asha Rao") == 1, "two taps are one"
    assert re.search(r"(Sent|Marked as sent) .*Asked Ramesh", timeline), timeline
    recent = said(staff.page("/"), f".recent-links tr[data-row='{failed}']")
    assert re.search(r"Failed .* Asked \d+:\d\d [ap]m Ramesh Kumar", recent), recent
    row = said(staff.page("/follow-up"), f"#follow-{failed}")
    assert re.search(r"Asked \d+:\d\d [ap]m · Undo .*by Asha Rao", row), row
    assert "Note answer" in row, "on its page"
    assert staff.page("/follow-up").one(f"#follow-failed #follow-{failed}"), "the driver has not answered"
    card = said(staff.page("/"), ".figure-wrong")
    assert card.startswith("Payment failed "), card
    assert card.endswith("Note answer"), card
    assert recent.count("Asked") == 1, "said once"
    assert re.search(r"Undo marking the driver as asked Note answer", recent), recent
    assert re.search(r"Asked \d+:\d\d [ap]m Undo", said(staff.page("/links"), f"#row-{failed}"))
    assert "Ask driver" not in staff.page("/").text, "nobody need ask any more"
    with app.extensions["services"].store.read() as connection:
        assert [each.action for each in audit.newest(connection) if each.action == "question"] == ["question"]
        assert len(shares.of_link(connection, failed)) == 1, "the driver was given nothing by it"


def test_where_no_money_was_taken_the_link_is_created_again(
    staff: WebClient, manager: WebClient, app: Flask, failed: str
) -> None:
    assert not staff.page(f"/links/{failed}").all(".panel-act > .panel-answers"), "nobody was asked"
    staff.page(f"/links/{failed}").submit(_ASK)
    answer = manager.page(f"/links/{failed}").submit("No money taken")
    assert answer.headers["Location"] == f"/links/{failed}"
    page = staff.page(f"/links/{failed}")
    panel = said(page, "#link-panel")
    assert re.search(r"Driver: No money taken, \d+:\d\d [ap]m · noted by Meera", panel), panel
    [primary] = page.all(".panel-act .button-primary")
    assert words(primary.get_text(" ")).startswith("Create again")
    assert not {"No money taken", "Money taken", "Ask again , on WhatsApp, in a new tab"} & set(page.buttons())
    assert _UNDO not in page.buttons(), "it was answered"
    assert "Driver says: no money taken · Meera" in said(page, "#link-timeline")
    assert staff.page("/follow-up").one(f"#follow-ended #follow-{failed}"), "nothing is to be found out any more"
    for place, of in (("/follow-up", f"#follow-{failed}"), ("/links", f"#row-{failed}")):
        row = said(staff.page(place), of)
        assert "No money taken" in row, row
        assert "Create again" in row, row
    with app.extensions["services"].store.read() as connection:
        assert [each.action for each in audit.newest(connection) if each.action == "answer"] == ["answer"]


def test_what_a_driver_says_by_phone_is_noted_without_a_message(
    staff: WebClient, manager: WebClient, app: Flask, failed: str
) -> None:
    page = staff.page(f"/links/{failed}")
    fold = page.one("details:has(> .panel-answers)")
    assert words(fold.summary.get_text()) == "Note the answer"
    assert "open" not in fold.attrs
    page.submit("No money taken")
    page.submit("No money taken")
    theirs = manager.page(f"/links/{failed}")
    assert re.search(r"Driver: No money taken, \d+:\d\d [ap]m · noted by Asha Rao", said(theirs, "#link-panel"))
    timeline = said(theirs, "#link-timeline")
    assert timeline.count("Asked Ramesh Kumar by phone · Asha Rao") == 1, timeline
    assert timeline.count("Driver says: no money taken · Asha Rao") == 1
    assert "on WhatsApp · Asha Rao" not in timeline.split("Asked")[-1]
    assert staff.page("/follow-up").one(f"#follow-ended #follow-{failed}"), "it counts as any other answer"
    staff.page(f"/links/{failed}").submit("Change what the driver says")
    panel = said(staff.page(f"/links/{failed}"), "#link-panel")
    assert re.search(r"Asked \d+:\d\d [ap]m", panel), panel
    assert staff.page("/follow-up").one(f"#follow-failed #follow-{failed}")
    with app.extensions["services"].store.read() as connection:
        assert len([each for each in audit.newest(connection) if each.action == "answer"]) == 2


def test_what_somebody_unknown_says_by_phone_is_noted_as_well(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    levers.fail(link_id)
    steps.check(staff, link_id)
    staff.page(f"/links/{link_id}").submit("Money taken")
    page = staff.page(f"/links/{link_id}")
    assert "Driver: Money taken," in said(page, "#link-panel")
    assert "Asked by phone · Asha Rao" in said(page, "#link-timeline")


def test_where_money_was_taken_a_second_payment_is_warned_of_on_every_page(
    staff: WebClient, app: Flask, failed: str
) -> None:
    staff.page(f"/links/{failed}").submit(_ASK)
    staff.page(f"/links/{failed}").submit("Money taken")
    page = staff.page(f"/links/{failed}")
    panel = said(page, "#link-panel")
    assert "Do not create it again yet, or it may be paid twice." in panel
    asks = "Ask the service’s support what became of the money."
    assert f"{asks} A late payment may still arrive, so this link is checked until" in panel, "now, then later"
    assert not page.all(".panel-act .button-primary:not([data-copy-button])")
    [again] = [each for each in page.all("details button") if each.get_text().startswith("Create again")]
    assert words(again.find_parent("details").summary.get_text()) == "Create again anyway"
    support = page.one("textarea[data-copy-source]").get_text()
    assert failed in support
    assert "FAILED" in support
    utc = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"
    for line in (
        f"Payment failed: {utc}",
        f"Payer said so: {utc}",
        r"Total amount: [\d.]+ INR",
        f"Last checked: {utc}",
    ):
        assert re.search(f"^{line}$", support, re.MULTILINE), support
    with app.extensions["services"].store.read() as connection:
        numbers = [each.challan_no for each in links.challans_of(connection, failed)]
    assert numbers
    assert f"\nChallans: {', '.join(numbers)}\n" in support
    assert "Answered" not in support, "it would read as the driver's answer"
    told = "Driver says money was taken, "
    for place, of, words_there in (
        ("/follow-up", f"#follow-{failed}", "Money taken"),
        ("/links", f"#row-{failed}", told),
    ):
        row = said(staff.page(place), of)
        assert words_there in row, row
        assert "Create again" not in row, row
    assert not staff.page(f"/links/{failed}/share").all(".share-stop button")
    warned = said(staff.page(f"/links/{failed}/share"), ".share-stop.notice-wrong")
    assert "Driver: Money taken" in warned
    assert said(staff.page(f"/links/{failed}/share"), "h1").startswith("Payment link "), "it cannot be sent"
    assert staff.page("/follow-up").all(f"#contact-{failed} .follow-taken"), "it looks like no message that was sent"


def test_money_that_was_taken_is_seen_to_until_the_link_is_paid(staff: WebClient, levers: Levers, failed: str) -> None:
    staff.page(f"/links/{failed}").submit("Money taken")
    page = staff.page("/follow-up")
    assert page.one(f"#follow-failed #follow-{failed}")
    assert "Payment failed · 1 link" in said(page, "#failed-title")
    assert page.link("Check payment · MH12 AB 1001") == f"/links/{failed}"
    home = staff.page("/")
    card = said(home, ".figure-wrong")
    assert card.startswith("Payment failed "), card
    assert card.endswith("1 link MH12 AB 1001 Driver says money was taken Open"), card
    assert home.one(".figure-wrong .figure-act")["href"] == f"/links/{failed}"
    assert said(home, "#menu-count-follow_up").startswith("1 ")
    levers.pay(failed)
    steps.check(staff, failed)
    assert not staff.page("/").all(".figure-wrong")
    assert not staff.page("/follow-up").all(f"#follow-{failed}")


def test_money_that_was_taken_is_seen_to_until_its_challans_are_on_another_link(staff: WebClient, failed: str) -> None:
    staff.page(f"/links/{failed}").submit("Money taken")
    steps.searches(staff)
    review = staff.read(staff.page(f"/links/{failed}").submit("Create again"))
    steps.link_of(review.submit("Create payment link"))
    assert not staff.page("/").all(".figure-wrong")
    assert not staff.page("/follow-up").all(f"#follow-{failed}")


def test_the_driver_can_still_answer_once_the_challans_are_on_another_link(staff: WebClient, failed: str) -> None:
    staff.page(f"/links/{failed}").submit(_ASK)
    steps.searches(staff)
    review = staff.read(staff.page(f"/links/{failed}").submit("Create again"))
    new = steps.link_of(review.submit("Create payment link"))
    page = staff.page(f"/links/{failed}")
    assert page.link("Open the new link") == f"/links/{new}"
    page.submit("Money taken")
    page = staff.page(f"/links/{failed}")
    assert "Driver: Money taken," in said(page, "#link-panel")
    assert "Change what the driver says" in page.buttons()
    assert "Money taken" not in page.buttons()


@pytest.mark.parametrize(
    ("answer", "words_of_it"),
    [
        ("No money taken", "The driver says that no money was taken."),
        ("Money taken", "The driver says that money was taken. It may be paid twice."),
    ],
)
def test_a_review_says_what_the_driver_says_in_place_of_asking(
    staff: WebClient, failed: str, answer: str, words_of_it: str
) -> None:
    steps.searches(staff)
    review = staff.read(staff.page(f"/links/{failed}").submit("Create again"))
    assert "Ask first." in said(review, ".review-send .notice")
    assert review.one("#create-link")["data-only"] == "anyway · ₹1,677.00"
    assert "button-primary" not in review.one("#create-link")["class"], "money may have moved"
    staff.page(f"/links/{failed}").submit(_ASK)
    staff.page(f"/links/{failed}").submit(answer)
    review = staff.read(staff.page(f"/links/{failed}").submit("Create again"))
    notice = said(review, ".review-send .notice")
    assert words_of_it in notice, notice
    assert "Ask first." not in notice
    is_safe = answer == "No money taken"
    assert ("button-primary" in review.one("#create-link")["class"]) is is_safe
    assert review.one("#create-link")["data-only"] == ("₹1,677.00" if is_safe else "anyway · ₹1,677.00")


def test_an_answer_is_changed_and_a_new_question_waits_for_its_own(
    staff: WebClient, clock: MovableClock, failed: str
) -> None:
    page = staff.page(f"/links/{failed}")
    page.submit(_ASK)
    for said_first in ("Money taken", "No money taken"):
        page = staff.page(f"/links/{failed}")
        page.submit(said_first)
        assert f"Driver: {said_first}," in said(staff.page(f"/links/{failed}"), "#link-panel")
        staff.page(f"/links/{failed}").submit("Change what the driver says")
        assert "Driver: " not in said(staff.page(f"/links/{failed}"), "#link-panel")
    assert said(staff.page(f"/links/{failed}"), "#link-timeline").count("The driver’s answer was taken back") == 2
    staff.page(f"/links/{failed}").submit("Money taken")
    clock.advance(minutes=2)
    fields = {"csrf_token": staff.csrf_token()}
    staff.post(f"/links/{failed}/ask", data=fields)
    assert {"Money taken", "No money taken"} <= set(staff.page(f"/links/{failed}").buttons())
    assert staff.post(f"/links/{failed}/answer", data=fields | {"answer": "perhaps"}).status_code == 400


def test_what_a_link_that_was_asked_about_came_to_is_not_answered_any_more(
    staff: WebClient, levers: Levers, app: Flask, failed: str
) -> None:
    staff.page(f"/links/{failed}").submit(_ASK)
    levers.pay(failed)
    steps.check(staff, failed)
    staff.post(f"/links/{failed}/answer", data={"csrf_token": staff.csrf_token(), "answer": "taken"})
    assert "Driver says" not in said(staff.page(f"/links/{failed}"), "#link-timeline")


@pytest.mark.parametrize("place", ["", "/follow-up", "/", "/links"])
def test_a_question_is_taken_back_where_it_is_said(staff: WebClient, failed: str, place: str) -> None:
    staff.page(f"/links/{failed}").submit(_ASK)
    address = place or f"/links/{failed}"
    answer = staff.page(address).submit(_UNDO)
    assert answer.headers["Location"] == address
    page = staff.read(answer)
    assert "Undone: the driver is not marked as asked." in page.text
    assert "Ask Ramesh Kumar" in staff.page(f"/links/{failed}").text
    assert "Marked as not asked" in staff.page(f"/links/{failed}").one("#link-timeline").get_text()


def test_from_follow_up_the_driver_is_asked_by_one_tap_and_the_row_says_so(staff: WebClient, failed: str) -> None:
    page = staff.page("/follow-up")
    contact = page.one(f"#contact-{failed}")
    headers = {**HTMX, "HX-Current-URL": "http://localhost/follow-up", "HX-Target": f"contact-{failed}"}
    assert staff.get(str(contact["hx-get"]), headers=headers).status_code == 204, "nothing has changed"
    opened = staff.read(page.submit("Ask driver for MH12 AB 1001, on WhatsApp, in a new tab"))
    assert opened.link("Open WhatsApp").startswith("https://wa.me/919876543210?text=")
    assert opened.link("Payment link") == f"/links/{failed}"
    region = Page(staff, staff.get(str(contact["hx-get"]), headers=headers), region=True)
    assert said(region, f"#contact-{failed}").startswith("Asked ")
    assert "Note answer" in said(region, f"#first-{failed}")


def test_a_question_can_be_taken_back_for_a_while(staff: WebClient, clock: MovableClock, failed: str) -> None:
    staff.page(f"/links/{failed}").submit(_ASK)
    page = staff.page(f"/links/{failed}")
    clock.advance(seconds=UNDO_FOR.total_seconds() + 1)
    assert "Too late to undo" in staff.read(page.submit(_UNDO)).text
    assert _UNDO not in staff.page(f"/links/{failed}").buttons()
    assert "Asked " in said(staff.page(f"/links/{failed}"), "#link-panel")


def test_without_a_driver_it_is_known_to_be_opened_alone(staff: WebClient, app: Flask, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    app.extensions["services"].sharing.record_share(link_id, Channel.SMS, 1, None, "en")
    levers.fail(link_id)
    opened = staff.read(steps.check(staff, link_id).submit("Ask the driver on WhatsApp , in a new tab"))
    assert opened.link("Open WhatsApp").startswith("https://wa.me/?text=")
    assert "Asha Rao opened WhatsApp to ask the driver, " in said(staff.page(f"/links/{link_id}"), "#link-panel")
    row = f".recent-links tr[data-row='{link_id}']"
    assert re.fullmatch(r"Asking the driver, \d+:\d\d [ap]m", said(staff.page("/"), f"{row} .when"))
    staff.page(f"/links/{link_id}").submit("Money taken")
    assert said(staff.page("/"), f"{row} .when") == "Driver says money was taken"


def test_a_failed_link_that_nobody_was_sent_says_in_its_row_what_to_find_out(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    levers.fail(link_id)
    steps.check(staff, link_id)
    assert said(staff.page("/links"), f"#row-{link_id} .driver") == "No driver Was money taken?"


def test_whoever_sent_it_to_a_number_asks_that_number(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    staff.page(f"/links/{link_id}").submit("WhatsApp to the chosen driver , in a new tab", to="98765 43299")
    levers.fail(link_id)
    opened = staff.read(steps.check(staff, link_id).submit("Ask the driver on WhatsApp , in a new tab"))
    assert opened.link("Open WhatsApp").startswith("https://wa.me/919876543299?text=")


def test_of_a_link_that_nobody_was_given_the_usual_driver_is_asked_everywhere(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    levers.fail(link_id)
    sent = said(steps.check(staff, link_id), ".panel-sent")
    assert sent == "Not sent from here"
    for place, of in (
        ("/", ".recent-links tbody tr"),
        ("/links", f"#row-{link_id}"),
        ("/follow-up", f"#follow-{link_id}"),
    ):
        assert "Check payment" in said(staff.page(place), of), "nobody drives the vehicle"
    assert staff.page("/").link("Check payment") == f"/links/{link_id}", "the figure"
    adds_a_driver(staff)
    for place, of in (
        ("/", ".recent-links tbody tr"),
        ("/links", f"#row-{link_id}"),
        ("/follow-up", f"#follow-{link_id}"),
    ):
        assert "Ask driver" in said(staff.page(place), of)
    assert "Payment failed · 1 link" in said(staff.page("/follow-up"), "#failed-title")
    assert said(staff.page("/"), "#menu-count-follow_up").startswith("1 ")
    opened = staff.read(staff.page("/").submit("Ask driver , on WhatsApp, in a new tab"))
    assert opened.link("Open WhatsApp").startswith("https://wa.me/919876543210?text=")


@pytest.mark.parametrize("typed", [{"to": "Suresh Patil, 98200 12345"}, {"to": "98200 12345"}, {"driver": "1"}])
def test_where_nobody_drives_the_vehicle_it_is_chosen_who_is_asked(
    staff: WebClient, levers: Levers, typed: dict[str, str]
) -> None:
    if "driver" in typed:
        adds_a_driver(staff, name="Suresh Patil", phone="98200 12345", vehicles="KA05MN4321")
    link_id = makes_a_link(staff)
    levers.fail(link_id)
    menu = str(steps.check(staff, link_id).one(f"#ask-{link_id}")["hx-get"])
    form = Page(staff, staff.get(menu, headers=HTMX), region=True).one("form")
    assert form["action"] == f"/links/{link_id}/ask"
    opened = staff.read(staff.post(str(form["action"]), data={"csrf_token": staff.csrf_token(), **typed}))
    assert opened.link("Open WhatsApp").startswith("https://wa.me/919820012345?text=")
    again = staff.read(staff.page(f"/links/{link_id}").submit("Ask again , on WhatsApp, in a new tab"))
    assert again.link("Open WhatsApp").startswith("https://wa.me/919820012345?text="), "the same driver"
    staff.page(f"/links/{link_id}").submit("No money taken")
    assert "Driver: No money taken" in said(staff.page(f"/links/{link_id}"), "#link-panel")


def test_whoever_cannot_be_asked_is_not_marked_as_asked(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    levers.fail(link_id)
    steps.check(staff, link_id)
    for wrong in ({"to": "Suresh"}, {"driver": "7"}):
        answer = staff.post(f"/links/{link_id}/ask", data={"csrf_token": staff.csrf_token(), **wrong})
        assert answer.headers["Location"] == f"/links/{link_id}"
    assert "Asked" not in said(staff.page(f"/links/{link_id}"), ".panel-facts")


def test_of_a_link_that_has_not_failed_nobody_is_asked(staff: WebClient, app: Flask, levers: Levers) -> None:
    adds_a_driver(staff)
    link_id = makes_a_link(staff)
    answers = (
        staff.post(f"/links/{link_id}/ask", data={"csrf_token": staff.csrf_token()}),
        staff.get(f"/links/{link_id}/ask"),
    )
    assert [each.headers["Location"] for each in answers] == [f"/links/{link_id}"] * 2
    with app.extensions["services"].store.read() as connection:
        assert not questions.newest_of_links(connection, [link_id])
