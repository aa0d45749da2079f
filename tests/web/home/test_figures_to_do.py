"""Test what the figures of the first page ask for: what Follow up has of them, and nothing else."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from bs4 import Tag
from flask import Flask
from sqlalchemy import update

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from dashboard.store.links.tables import link
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import ASHA
from tests.support.sends import sends_to_a_number
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.links.test_list import Ledger, link_id, shown, words_of
from tests.web.sharing.steps import adds_a_driver

#: Half past ten in India.
pytestmark = pytest.mark.hour(5)


@pytest.fixture
def entered(app: Flask, clock: MovableClock) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def card(page: Page, words: str) -> Tag:
    """Return the figure of this name, with what is done about it."""
    [found] = (each for each in page.all(".figure-card") if words_of(each).startswith(words))
    return found


def act(page: Page, words: str) -> str:
    """Return what the figure asks for; "" where it asks for nothing."""
    found = card(page, words).select_one(".figure-act")
    return words_of(found) if found else ""


def is_marked(page: Page, words: str) -> bool:
    return "figure-waiting" in (card(page, words).get("class") or ())


def badge(page: Page) -> str:
    return words_of(page.one("#menu-count-follow_up")).split(" ")[0]


def sends(entered: Ledger, number: int) -> None:
    sends_to_a_number(entered.services.sharing, link_id(number))


def test_a_figure_whose_links_were_all_sent_asks_for_nothing_and_says_when_to_remind(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    for number in (1, 2):
        entered.enter(number, expires_at=clock() + timedelta(hours=20))
        sends(entered, number)
    page = staff.page("/")
    assert words_of(page.one(".figures-quiet")) == "Nothing to do now."
    assert act(page, "Ends within 24 h") == ""
    assert words_of(card(page, "Ends within 24 h")).endswith("2 links 2 sent back in Follow up 10:30 pm")
    assert "All sent. 2 links" in staff.page("/follow-up").text


def test_of_links_in_two_figures_each_is_asked_for_once(staff: WebClient, entered: Ledger, clock: MovableClock) -> None:
    for number in (1, 2, 3):
        entered.enter(number, expires_at=clock() + timedelta(hours=36))
    sends(entered, 3)
    entered.enter(4)
    clock.advance(hours=13)
    steps.comes_back(staff, ASHA)
    adds_a_driver(staff)
    page = staff.page("/")
    assert not page.all(".figures-quiet")
    assert words_of(card(page, "Not sent")).endswith("3 links 2 also end within 24 h Send 3")
    assert words_of(card(page, "Ends within 24 h")).endswith("3 links 1 to remind · 2 not sent Remind 1")
    assert page.link("Remind 1") == "/follow-up"
    assert badge(page) == "4"
    sends(entered, 3)
    page = staff.page("/")
    said = words_of(card(page, "Ends within 24 h"))
    assert said.endswith("2 not sent · 1 sent back in Follow up tomorrow 11:30 am")


@pytest.mark.parametrize(("left", "marked"), [(7, False), (5, True)])
def test_a_figure_is_marked_while_little_time_is_left_to_pay(
    staff: WebClient, entered: Ledger, clock: MovableClock, left: int, marked: bool
) -> None:
    """What waits all day is no alarm."""
    entered.enter(1, expires_at=clock() + timedelta(hours=13 + left))
    entered.enter(2)
    sends(entered, 1)
    clock.advance(hours=13)
    steps.comes_back(staff, ASHA)
    page = staff.page("/")
    assert act(page, "Ends") == "Remind 1"
    assert is_marked(page, "Ends") is marked
    assert not is_marked(page, "Not sent")


def test_where_nothing_that_ends_was_sent_one_figure_sends_it(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    page = staff.page("/")
    assert words_of(card(page, "Ends within 24 h")).endswith("1 link not sent")
    assert act(page, "Not sent").startswith("Send to… MH12 AB 1001")
    entered.enter(2, expires_at=clock() + timedelta(hours=20))
    assert words_of(card(staff.page("/"), "Ends within 24 h")).endswith("2 links none of them sent")


def test_each_link_that_ends_is_in_one_part_of_its_figure(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    for number in range(1, 7):
        entered.enter(number, expires_at=clock() + timedelta(hours=36))
    for number in (1, 2):
        sends(entered, number)
    clock.advance(hours=13)
    steps.comes_back(staff, ASHA)
    sends(entered, 2)
    # Nobody was sent it, and it is counted with what is snoozed alone.
    entered.services.follow_ups.snooze(link_id(3), clock() + timedelta(hours=4), 1)
    entered.enter(6, status="ON_HOLD", expires_at=clock() + timedelta(hours=20))
    said = words_of(card(staff.page("/"), "Ends within 24 h"))
    assert said.endswith("6 links 1 to remind · 2 not sent · 1 to check · 1 sent · 1 snoozed Remind 1")


def test_what_is_urgent_and_is_not_counted_as_ending_is_said_as_links_does(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=2))
    sends(entered, 1)
    page = staff.page("/")
    assert not [each for each in page.all(".figure-words") if words_of(each) == "Urgent"], "it is among those that end"
    clock.advance(hours=3)
    steps.comes_back(staff, ASHA)
    with entered.services.store.write() as connection:
        connection.execute(update(link).values(not_found=2))
    page = staff.page("/")
    assert "Nothing ends within 24 h" not in page.text
    assert not page.all(".figures-quiet"), "no quiet day"
    names = [words_of(each) for each in page.all(".figure-words")]
    assert "Urgent" not in names, "the service does not find it, which is said in its place"
    not_found = card(page, "Not found at the service")
    assert words_of(not_found) == "Not found at the service ₹501.00 1 link MH12 AB 1001"
    assert "figure-urgent" in not_found["class"], "its name is underlined, as what it asks for is on its list"
    assert shown(staff.page(str(not_found.a["href"]))) == [1]
    entered.enter(2, expires_at=clock() + timedelta(hours=40))
    with entered.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(2)).values(failure="ServiceFailed"))
    page = staff.page("/")
    urgent = card(page, "Urgent")
    assert words_of(urgent) == "Urgent ₹1,003.00 2 links 1 check failed · 1 not found"
    assert urgent.a["title"] == "Ends within 24 h or overdue, check failed, or driver says money was taken"
    assert shown(staff.page(str(urgent.a["href"]))) == [1, 2]
    assert words_of(card(page, "Not found at the service")).endswith("₹501.00 1 link MH12 AB 1001")
    entered.enter(3, rc="KA05MN4321")
    entered.enter(4, rc="KA05MN4322")
    with entered.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(3)).values(not_found=2))
    more = words_of(card(staff.page("/"), "Not found at the service"))
    assert more.endswith("2 links KA05 MN 4321 and MH12 AB 1001")
    with entered.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(4)).values(not_found=2))
    assert words_of(card(staff.page("/"), "Not found at the service")).endswith("3 links"), "its list has them"


def test_what_is_to_be_checked_before_it_is_sent_is_said_beside_what_was_not_sent(
    staff: WebClient, entered: Ledger
) -> None:
    entered.enter(1)
    entered.enter(2, status="ON_HOLD")
    page = staff.page("/")
    not_sent = card(page, "Not sent")
    assert words_of(not_sent).startswith("Not sent ₹501.00 1 link MH12 AB 1001 ")
    assert shown(staff.page(page.link("Check · + 1 to check before sending"))) == [2]
    assert shown(staff.page(str(not_sent.a["href"]))) == [1]
    for address, element in ((not_sent.a["href"], "#links-sum"), ("/follow-up", "#follow-count")):
        beside = staff.page(str(address)).one(f"{element} a[href='/links?only=check']")
        assert words_of(beside) == "+ 1 to check before sending", address
    assert shown(staff.page("/links?only=check")) == [2]
    sends(entered, 1)
    assert words_of(staff.page("/follow-up").one("a[href='/links?only=check']")) == "+ 1 to check before sending", (
        "nothing waits"
    )
    sends(entered, 2)
    assert "to check before sending" not in staff.page("/").text + staff.page("/follow-up").text


def test_what_is_urgent_for_a_failed_check_is_counted_apart_from_what_ends(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, expires_at=entered.clock() + timedelta(hours=2))
    entered.enter(2, expires_at=entered.clock() + timedelta(hours=40))
    with entered.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(2)).values(failure="ServiceFailed"))
    assert words_of(card(staff.page("/"), "Urgent")) == "Urgent ₹1,003.00 2 links 1 check failed"


def test_what_is_urgent_for_a_failed_check_alone_says_so_and_since_when_it_is_not_checked(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    made = steps.link_of(steps.create(staff, "MH1001"))
    clock.advance(seconds=60)
    steps.check(staff, made)
    recent = "#recent-links .section-head"
    assert "Checked just now" in words_of(staff.page("/").one(recent))
    levers.fault("link_status", "status", status=503, count=9)
    clock.advance(seconds=60)
    steps.check(staff, made)
    page = staff.page("/")
    said = [words_of(card(page, name)) for name in ("Not sent", "Open")]
    assert said[0].startswith("Not sent ₹559.00 1 link")
    assert said[1] == "Open ₹559.00 1 link 1 check failed"
    assert "Check failed" not in [words_of(each) for each in page.all(".figure-words")], "the same link"
    assert "Nothing to do now" not in page.text
    assert re.search(r"1 not checked since \d+:\d\d [ap]m", words_of(page.one(recent)))
    assert "Checked just now" not in page.text, "the list is of the last answer"
    levers.clear_faults()
    clock.advance(seconds=600)
    steps.check(staff, made)
    page = staff.page("/")
    assert not [each for each in page.all(".figure-words") if words_of(each) == "Check failed"]
    assert "Checked just now" in page.text


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (9, "back in Follow up tomorrow morning"),  # 2:30 pm, so that the rest ends at 2:30 am
        (15, "back in Follow up tomorrow 8:30 am"),  # 8:30 pm
        (19, "back in Follow up 12:30 pm"),  # half past midnight
    ],
)
def test_nobody_is_told_to_remind_in_the_night(
    staff: WebClient, entered: Ledger, clock: MovableClock, at: int, said: str
) -> None:
    clock.advance(hours=at - 5)
    steps.comes_back(staff, ASHA)
    entered.enter(1, expires_at=clock() + timedelta(hours=23))
    sends(entered, 1)
    assert words_of(card(staff.page("/"), "Ends")).endswith(f"1 sent {said}")


def test_a_figure_whose_links_are_all_snoozed_says_till_when(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    entered.enter(1)
    adds_a_driver(staff)
    page = staff.page("/")
    assert act(page, "Not sent") == "Send 1"
    entered.services.follow_ups.snooze(link_id(1), clock().replace(hour=3, minute=30) + timedelta(days=1), 1)
    page = staff.page("/")
    assert "₹501.00" in words_of(card(page, "Not sent"))
    assert act(page, "Not sent") == ""
    assert words_of(card(page, "Not sent")).endswith("1 snoozed till tomorrow 9:00 am")


def test_the_open_page_hears_of_a_snooze(staff: WebClient, entered: Ledger, clock: MovableClock) -> None:
    entered.enter(1)
    asks = str(staff.page("/").one("#home-panel")["hx-get"])
    entered.services.follow_ups.snooze(link_id(1), clock() + timedelta(hours=4), 1)
    assert "1 snoozed till today" in words_of(card(Page(staff, steps.poll(staff, asks), region=True), "Not sent"))


def test_the_links_that_a_figure_sends_are_those_that_nobody_was_given(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    """Two links of one driver go in one message, and what was sent before is not among them."""
    details = DriverDetails("Ramesh", "98765 43210", None, "en", None, ("MH12AB1001", "KA05MN4321"))
    driver_id = entered.services.drivers.add(details, 1)
    entered.enter(1)
    entered.enter(2, rc="KA05MN4321")
    entered.enter(3, rc="TN09BX5555")
    entered.enter(4, expires_at=clock() + timedelta(hours=20))
    entered.services.sharing.record_share(link_id(4), Channel.WHATSAPP, 1, driver_id, "en")
    clock.advance(hours=13)
    steps.comes_back(staff, ASHA)
    page = staff.page("/")
    assert act(page, "Not sent") == "Send 2"
    assert words_of(card(page, "Not sent")).endswith("3 links Send 2 1 has no driver Choose · 1 has no driver")
    assert page.link("Choose · 1 has no driver") == f"/links/{link_id(3)}/share"
    reminders = staff.page(page.link("Send 2"))
    named = words_of(reminders.one("#reminder"))
    assert "MH12 AB 1001" in named
    assert "KA05 MN 4321" in named
    assert "TN09" not in named
    assert "₹1,003.00" in named


def test_a_link_without_a_driver_asks_for_one(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    alone = card(staff.page("/"), "Not sent").select_one(".figure-act")
    assert words_of(alone.summary) == "Send to… MH12 AB 1001"
    menu = Page(staff, staff.get(str(alone.select_one(".drop-sheet")["hx-get"]), headers=HTMX), region=True)
    assert menu.one("form")["action"] == f"/links/{link_id(1)}/nudge", "in its place"
    assert alone.select_one("a")["href"] == f"/links/{link_id(1)}/share", "without scripts"
    entered.enter(2, rc="KA05MN4321")
    assert staff.page("/").link("Choose drivers") == "/follow-up/drivers"


def test_what_must_not_be_shared_is_said_beside_what_can_be_sent(staff: WebClient, entered: Ledger) -> None:
    adds_a_driver(staff)
    entered.enter(1, payment_url=None)
    page = staff.page("/")
    assert words_of(card(page, "Not sent")).endswith(
        "1 link MH12 AB 1001 Check first 1 cannot be sent: no payment URL yet"
    )
    assert page.link("Check first") == f"/links/{link_id(1)}", "where it is said why"
    entered.enter(2, rc="KA05MN4321", payment_url="javascript:alert(1)")
    page = staff.page("/")
    assert words_of(card(page, "Not sent")).endswith("2 links Check 2 links 2 cannot be sent")
    assert shown(staff.page(page.link("Check 2 links"))) == [2, 1]
    entered.enter(3)
    entered.enter(4, rc="KA05MN4321")
    page = staff.page("/")
    assert words_of(card(page, "Not sent")).endswith(
        "4 links Send 1 1 has no driver Choose · 1 has no driver 2 cannot be sent Check · 2 cannot be sent"
    )
    assert sorted(shown(staff.page(page.link("Check · 2 cannot be sent")))) == [1, 2], "those, and no others"
    assert page.link("Choose · 1 has no driver") == f"/links/{link_id(4)}/share"
    assert len(staff.page(page.link("Send 1")).all(".reminder-links li")) == 1


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        ({"status": "ON_HOLD"}, "we do not know this state"),
        ({"listed": "KA01AA0001"}, "challan of another vehicle"),
        ({"asks": Decimal(400)}, "amounts do not match"),
    ],
)
def test_a_link_that_is_to_be_checked_first_is_not_counted_as_not_sent(
    staff: WebClient, entered: Ledger, clock: MovableClock, odd: dict[str, Any], why: str
) -> None:
    adds_a_driver(staff)
    entered.enter(1, **odd)
    page = staff.page("/")
    assert "Nothing to send, 1 to check first" in words_of(page.one(".figures-none"))
    assert badge(page) == ""
    assert shown(staff.page("/links?only=not-sent")) == []
    assert shown(staff.page("/links?only=check")) == [1]
    assert "Nothing to follow up." in staff.page("/follow-up").text
    [item] = page.all(".attention-item")
    assert words_of(item).startswith(f"MH12 AB 1001 Check before you send it: {why}")
    assert page.link("Open the link") == f"/links/{link_id(1)}"
    entered.services.follow_ups.ask([link_id(1)], 1)
    assert badge(staff.page("/")) == "1", "a person asked for it"


def test_each_link_that_is_counted_as_to_check_or_as_one_that_cannot_be_sent_is_named_as_such(
    staff: WebClient, entered: Ledger, levers: Levers
) -> None:
    entered.enter(1, status="ON_HOLD", payment_url=None)
    entered.enter(2, rc="KA05MN4321", payment_url=None)
    page = staff.page("/")
    assert "1 to check before sending" in words_of(card(page, "Not sent"))
    items = page.all(".attention-item")
    assert [words_of(each).split(" Check now")[0] for each in items] == [
        "MH12 AB 1001 Check before you send it: no payment URL yet ₹501.00",
        "KA05 MN 4321 Cannot be sent: no payment URL yet ₹502.00",
    ]
    levers.forget_calls()
    answer = page.submit("Check now · KA05 MN 4321")
    assert answer.headers["Location"] == f"/links/{link_id(2)}", "where it says what came of it"
    assert [each["operation"] for each in levers.calls()] == ["link_status"]


def test_more_links_than_are_named_are_counted_and_have_a_list_of_exactly_the_others(
    staff: WebClient, entered: Ledger
) -> None:
    for number in range(1, 8):
        entered.enter(number, status="ON_HOLD")
    for number in range(11, 17):
        entered.enter(number, payment_url=None)
    page = staff.page("/")
    items = [words_of(each) for each in page.all(".attention-item")]
    assert len([each for each in items if "Check before you send it: we do not know this state" in each]) == 3
    assert len([each for each in items if "Cannot be sent: no payment URL yet" in each]) == 3
    said = [each for each in page.all(".attention-item") if "more" in each.get_text()]
    assert [words_of(each) for each in said] == [
        "4 more to check before sending Open the list",
        "3 more cannot be sent Open the list",
    ]
    lists = [set(shown(staff.page(each.select_one("a")["href"]))) for each in said]
    assert lists == [{4, 5, 6, 7}, {14, 15, 16}]


def test_a_challan_of_the_same_vehicle_in_another_spelling_is_nothing_odd(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, listed="mh-12 ab·1001")
    assert "1 link" in words_of(card(staff.page("/"), "Not sent"))
