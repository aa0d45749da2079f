"""Test what needs attention on the first page: the links that end soon or ended, and what is done with each of them."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from bs4 import Tag
from flask import Flask
from sqlalchemy import update

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Answer, Channel
from dashboard.services.accounts.audit import Origin
from dashboard.store.links.tables import link
from dashboard.web.links.list_page import PAGE_SIZE
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import ASHA
from tests.support.web_client import IN_PLACE, WebClient
from tests.web import steps
from tests.web.links.test_list import Ledger, link_id, shown, words_of

#: Half past ten in India.
pytestmark = pytest.mark.hour(5)

CAR, TRUCK = "MH12AB1001", "KA05MN4321"


@pytest.fixture
def entered(app: Flask, clock: MovableClock) -> Ledger:
    return Ledger(app.extensions["services"], clock)


@pytest.fixture
def driver(entered: Ledger) -> int:
    details = DriverDetails("Ramesh Yadav", "98765 43210", None, "en", None, (CAR, TRUCK))
    return entered.services.drivers.add(details, 1)


def enters(entered: Ledger, number: int, rc: str = CAR, hours: float = 2, **fields: Any) -> None:
    """Enter a link that ends in so many hours, with its payment URL."""
    entered.enter(number, rc=rc, expires_at=entered.clock() + timedelta(hours=hours), **fields)
    with entered.services.store.write() as connection:
        url = f"http://localhost/prepaid-payment/{number}"
        connection.execute(update(link).where(link.c.id == link_id(number)).values(payment_url=url, unstated=None))


def sends(entered: Ledger, number: int, driver: int | None) -> None:
    entered.services.sharing.record_share(link_id(number), Channel.WHATSAPP, 1, driver, "en")


def rows(page: Page) -> list[str]:
    return [words_of(each) for each in page.all(".attention .attention-item")]


def ended(page: Page) -> str:
    """Return what the figure of the links that ended unpaid says, or that there are none."""
    said = [*map(words_of, page.all(".figure-card, .figures-none > span"))]
    [figure] = [each for each in said if each.startswith(("Ended unpaid", "Payment failed", "Nothing ended unpaid"))]
    return figure


def next_figure(page: Page) -> str:
    """Return the words of the figure whose button is marked."""
    return words_of(page.one(".figure-next .figure-words"))


def row(page: Page, number: int) -> Tag:
    return page.one(f'.attention-item[data-row="/links/{link_id(number)}"]')


def button(item: Tag) -> str:
    """Return the button of a row as it is seen; "" where it has none."""
    found = item.select_one(".button")
    return next(filter(None, map(str.strip, found.find_all(string=True))), "") if found else ""


def test_a_link_that_was_just_sent_offers_no_second_send_and_stands_below_those_to_send(
    staff: WebClient, entered: Ledger, driver: int
) -> None:
    enters(entered, 1)
    enters(entered, 2, TRUCK, hours=3)
    page = staff.page("/")
    assert [button(row(page, number)) for number in (1, 2)] == ["Send", "Send"]
    asks = str(page.one("#home-panel")["hx-get"])
    sends(entered, 1, driver)
    region = Page(staff, steps.poll(staff, asks), region=True)
    assert [words_of(each.select_one(".plate")) for each in region.all(".attention .attention-item")] == [
        "KA05 MN 4321",
        "MH12 AB 1001",
    ]
    sent = row(region, 1)
    assert not sent.select("form, button")
    assert words_of(sent.select_one(".attention-done")) == "Sent 10:30 am"
    assert sent.select_one(".attention-done svg use")["href"].endswith("#check")
    assert "MH12" not in staff.page("/follow-up").one("#follow-ends-soon").get_text(" "), "as Follow up has it"


def test_a_link_that_was_sent_asks_again_after_its_rest(
    staff: WebClient, entered: Ledger, driver: int, clock: MovableClock
) -> None:
    enters(entered, 1, hours=5)
    sends(entered, 1, driver)
    clock.advance(hours=3, minutes=1)
    steps.comes_back(staff, ASHA)
    item = row(staff.page("/"), 1)
    assert button(item) == "Remind"
    assert "Ends 3:30 pm Ramesh Yadav" in words_of(item)


def test_a_recent_link_that_ends_soon_is_reminded_of_once_its_driver_had_time_to_pay(
    staff: WebClient, entered: Ledger, driver: int, clock: MovableClock
) -> None:
    reminds = f'.recent-links tr[data-row="{link_id(1)}"] .given button[formaction="/links/{link_id(1)}/nudge"]'
    enters(entered, 1, hours=36)
    sends(entered, 1, driver)
    clock.advance(hours=11, minutes=30)
    steps.comes_back(staff, ASHA)
    assert not staff.page("/").all(reminds), "it ends in more than a day"
    clock.advance(hours=1)
    steps.comes_back(staff, ASHA)
    page = staff.page("/")
    assert words_of(page.one(reminds)).startswith("Remind Ramesh Yadav about MH12 AB 1001")
    assert page.one(reminds)["value"] == str(driver)
    sends(entered, 1, driver)
    assert not staff.page("/").all(reminds), "it rests"
    clock.advance(hours=13)
    steps.comes_back(staff, ASHA)
    assert staff.page("/").all(reminds)
    entered.services.follow_ups.snooze(link_id(1), clock() + timedelta(hours=2), 1)
    assert not staff.page("/").all(reminds)


def test_a_send_that_was_taken_back_is_offered_again(staff: WebClient, entered: Ledger, driver: int) -> None:
    enters(entered, 1)
    sends(entered, 1, driver)
    entered.services.follow_ups.ask([link_id(1)], 1)
    assert button(row(staff.page("/"), 1)) == "Remind", "a person asked for it"


def test_a_snoozed_link_says_till_when_it_rests(staff: WebClient, entered: Ledger, driver: int) -> None:
    enters(entered, 1, hours=5)
    enters(entered, 2, TRUCK, hours=5.5)
    entered.services.follow_ups.snooze(link_id(1), entered.clock() + timedelta(hours=2), 1)
    page = staff.page("/")
    assert words_of(row(page, 1).select_one(".attention-done")) == "Snoozed till 12:30 pm"
    assert not row(page, 1).select("form")
    assert [each.split(" Not sent")[0] for each in rows(page)] == ["KA05 MN 4321", "MH12 AB 1001"]


def test_links_that_rest_hide_none_that_waits(staff: WebClient, entered: Ledger, driver: int) -> None:
    for number in range(1, 14):
        enters(entered, number, hours=1 + number / 10)
        sends(entered, number, driver)
    enters(entered, 14, TRUCK, hours=5)
    assert rows(staff.page("/"))[0].startswith("KA05 MN 4321 Not sent, ends ")


def test_a_link_without_a_driver_leads_to_the_choice_of_one(staff: WebClient, entered: Ledger) -> None:
    enters(entered, 1, hours=0.5)
    item = row(staff.page("/"), 1)
    assert "MH12 AB 1001 Not sent, ends 11:00 am" in words_of(item)
    assert words_of(item.summary) == "Send to… MH12 AB 1001"
    assert item.select_one("a.button")["href"] == f"/links/{link_id(1)}/share", "without scripts"
    menus = [each["id"] for each in staff.page("/").all(".drop-sheet")]
    assert menus == [f"{place}-{link_id(1)}" for place in ("figure", "ending", "send-to")], (
        "the same wherever it stands"
    )


def test_the_button_of_a_row_names_its_driver_to_a_screen_reader_alone(
    staff: WebClient, entered: Ledger, driver: int
) -> None:
    enters(entered, 1)
    found = row(staff.page("/"), 1).select_one("button")
    assert words_of(found) == "Send MH12 AB 1001 to Ramesh Yadav by WhatsApp, in a new tab"
    assert "button-primary" not in found["class"], "Search alone is filled"


def test_a_link_with_something_odd_is_checked_first(staff: WebClient, entered: Ledger, driver: int) -> None:
    enters(entered, 1, status="ON_HOLD")
    item = row(staff.page("/"), 1)
    assert button(item) == "Check first"
    assert not item.select("form")


def test_a_link_that_cannot_be_sent_and_ends_soon_leads_to_its_page(
    staff: WebClient, entered: Ledger, driver: int
) -> None:
    entered.enter(1, rc=CAR, payment_url=None, expires_at=entered.clock() + timedelta(hours=2))
    shown = row(staff.page("/"), 1)
    assert button(shown) == "Check first"
    assert shown.select_one(".button")["href"] == f"/links/{link_id(1)}"


def test_links_that_ended_unpaid_wait_on_follow_up_and_are_counted_as_there(staff: WebClient, entered: Ledger) -> None:
    entered.enter(2, rc="DL01CB2002", status="EXPIRED", total=Decimal("8012.50"))
    entered.enter(3, rc="TN09BX5555", status="CANCELLED", total=Decimal(4006))
    page = staff.page("/")
    assert ended(page) == "Ended unpaid ₹12,018.50 2 links Create 2 again"
    assert page.link("Create 2 again") == "/follow-up#ended-title"
    assert "2 links · ₹12,018.50" in words_of(staff.page("/follow-up").one("#ended-title"))
    entered.enter(4, rc="GJ01AA0001", status="EXPIRED", total=None)
    assert ended(staff.page("/")) == "Ended unpaid ₹12,018.50 + 1 unknown 3 links Create 3 again"
    entered.enter(5, rc="GJ01AA0002", status="FAILED", total=Decimal(1))
    entered.services.sharing.record_question(link_id(5), 1, None)
    entered.services.sharing.note_answer(link_id(5), Answer.NOT_TAKEN, 1)
    assert ended(staff.page("/")).endswith("4 links See all"), "one of them is not to be created again"


def test_a_link_alone_that_ended_is_created_again_at_once(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    only = steps.link_of(steps.create(staff, "MH1001", "MH1002"))
    levers.expire(only)
    steps.check(staff, only)
    page = staff.page("/")
    assert ended(page) == "Ended unpaid ₹1,118.00 1 link MH12 AB 1001 Create again"
    for button in ("Create again", "Create again for MH12 AB 1001"):
        assert page.submit(button).headers["Location"] == f"{steps.REVIEW}?replaces={only}"


def test_what_is_left_of_an_ended_link_is_counted_alike_in_its_row_and_in_its_figure(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    only = steps.link_of(steps.create(staff, "MH1001", "MH1002", "MH1003"))
    levers.expire(only)
    steps.check(staff, only)
    steps.searches(staff)
    clock.advance(minutes=1)
    steps.create(staff, "MH1001")
    page = staff.page("/")
    assert ended(page) == "Ended unpaid ₹1,118.00 1 link MH12 AB 1001 Create again"
    row = words_of(page.one(f'.recent-links tr[data-row="{only}"]'))
    assert "₹1,118.00 left of ₹1,677.00" in row


def test_a_link_that_was_paid_late_is_shown_where_it_was_to_be_created_again(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    only = steps.link_of(steps.create(staff, "MH1001"))
    levers.expire(only)
    steps.check(staff, only)
    page = staff.page("/")
    levers.pay(only)
    clock.advance(minutes=1)
    answer = page.submit("Create again", headers=IN_PLACE | {"HX-Current-URL": "http://localhost/"})
    assert answer.status_code == 422
    assert answer.headers["HX-Push-Url"] == f"/links/{only}"
    assert "is paid" in Page(staff, answer, region=True).one("#link-problem").get_text(" ")


def test_of_links_whose_payment_failed_the_driver_is_asked_before_they_are_created_again(
    staff: WebClient, entered: Ledger
) -> None:
    entered.enter(2, rc="DL01CB2002", status="EXPIRED", total=Decimal("8012.50"))
    entered.enter(3, rc="TN09BX5555", status="FAILED", total=Decimal(4006))
    entered.services.sharing.record_share(link_id(3), Channel.SMS, 1, None, "en")
    page = staff.page("/")
    cards = [words_of(each) for each in page.all(".figures-asking > li")]
    asks = "Ask driver , on WhatsApp, in a new tab"
    assert cards == [
        f"Payment failed ₹4,006.00 1 link TN09 BX 5555 {asks}",
        "Ended unpaid ₹8,012.50 1 link DL01 CB 2002 Create again",
    ]
    assert page.one(".figure-wrong .figure-words").get_text() == "Payment failed", "as red as its state"
    assert page.form(asks).action == f"/links/{link_id(3)}/ask"
    assert page.form("Create again").action == f"/links/{link_id(2)}/reissue"
    assert page.form("Create again for DL01 CB 2002").action == f"/links/{link_id(2)}/reissue", "in the recent links"
    asked = page.one(f'.recent-links button[formaction="/links/{link_id(3)}/ask"]')
    assert words_of(asked) == "Ask driver for TN09 BX 5555, on WhatsApp, in a new tab"
    follow_up = staff.page("/follow-up")
    assert words_of(follow_up.one("#failed-title")) == "Payment failed · 1 link · ₹4,006.00", "as Follow up counts them"
    assert words_of(follow_up.one("#ended-title")) == "Ended unpaid, last 7 days · 1 link · ₹8,012.50"
    entered.enter(4, rc="GJ01AA0001", status="FAILED", total=Decimal(100))
    entered.services.sharing.record_share(link_id(4), Channel.SMS, 1, None, "en")
    entered.enter(5, rc="GJ01AA0002")
    page = staff.page("/")
    assert page.link("Ask about 2") == "/follow-up#failed-title"
    names = [words_of(each) for each in page.all(".figures-asking .figure-words")]
    assert names == ["Payment failed", "Not sent", "Ended unpaid"], "as on Follow up"
    assert next_figure(page) == "Payment failed"
    assert "Ask driver for TN09 BX 5555" in staff.page("/follow-up").text
    for number in (3, 4):
        staff.post(f"/links/{link_id(number)}/ask", data={"csrf_token": staff.csrf_token()})
    assert next_figure(staff.page("/")) == "Not sent", "while their answers are waited for"


def test_of_failed_payments_only_those_are_read_that_are_counted(staff: WebClient, entered: Ledger) -> None:
    for number in (1, 2):
        entered.enter(number, rc=f"TN09BX555{number}", status="FAILED")
    for number in range(3, PAGE_SIZE + 4):
        entered.enter(number, rc="DL01CB2002", status="EXPIRED")
    assert staff.page("/").link("Check 2") == "/follow-up#failed-title", "it is not known whom to ask"


def test_what_is_done_about_failed_payments_follows_what_is_known_of_each(staff: WebClient, entered: Ledger) -> None:
    for number in (1, 2):
        entered.enter(number, status="FAILED")
        entered.services.sharing.record_share(link_id(number), Channel.SMS, 1, None, "en")
    fields = {"csrf_token": staff.csrf_token()}
    assert staff.page("/").link("Ask about 2") == "/follow-up#failed-title"
    entered.enter(3, rc="TN09BX5555", status="FAILED")
    assert staff.page("/").link("See all") == "/follow-up#failed-title", "nobody is known whom to ask about one of them"
    entered.enter(3, rc="TN09BX5555", status="PAID")
    staff.post(f"/links/{link_id(1)}/ask", data=fields)
    assert staff.page("/").link("See all") == "/follow-up#failed-title"
    staff.post(f"/links/{link_id(2)}/ask", data=fields)
    assert staff.page("/").link("Note 2 answers") == "/follow-up#failed-title"
    staff.post(f"/links/{link_id(2)}/answer", data=fields | {"answer": "taken"})
    page = staff.page("/")
    assert page.link("See all") == "/follow-up#failed-title"
    note = page.one(".figure-wrong .figure-note")
    assert words_of(note) == "Driver of MH12 AB 1001 says money was taken"
    assert [(words_of(each), each["href"]) for each in note.select("a")] == [("MH12 AB 1001", f"/links/{link_id(2)}")]
    assert "Urgent" not in [words_of(each) for each in page.all(".figure-words")], "what is urgent is said there"
    assert page.one(".figure-wrong .figure")["title"] == "Without challans that are on another link"
    staff.post(f"/links/{link_id(2)}/answer", data=fields | {"answer": "not taken"})
    page = staff.page("/")
    assert page.link("Note answer") == f"/links/{link_id(1)}"
    assert not page.all(".figure-wrong .figure-note"), "no money was taken"
    staff.post(f"/links/{link_id(1)}/answer", data=fields | {"answer": "taken"})
    assert words_of(staff.page("/").one(".figure-wrong .figure-note")) == "Driver says money was taken", (
        "of the only one"
    )


def test_what_drivers_say_of_money_leads_to_exactly_their_links(staff: WebClient, entered: Ledger) -> None:
    for number in (1, 2, 3, 4):
        entered.enter(number, rc=TRUCK if number == 4 else CAR, status="FAILED")
    with entered.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(4)).values(rc=None))
    fields = {"csrf_token": staff.csrf_token()}
    staff.post(f"/links/{link_id(4)}/answer", data=fields | {"answer": "taken"})
    [unnamed] = staff.page("/").all(".figure-wrong .figure-note > a")
    assert (words_of(unnamed), unnamed["href"]) == ("1 driver says money was taken", f"/links/{link_id(4)}")
    staff.post(f"/links/{link_id(2)}/answer", data=fields | {"answer": "taken"})
    [both] = staff.page("/").all(".figure-wrong .figure-note > a")
    assert words_of(both) == "2 drivers say money was taken"
    assert sorted(shown(staff.page(str(both["href"])))) == [2, 4]


def test_a_failed_payment_of_a_link_that_nobody_was_given_is_one_as_well(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="FAILED")
    page = staff.page("/")
    assert ended(page) == "Payment failed ₹501.00 1 link MH12 AB 1001 Check payment", (
        "on its page it is chosen whom to ask"
    )
    assert page.link("Check payment · MH12 AB 1001") == f"/links/{link_id(1)}"
    entered.services.sharing.record_copy(link_id(1), 1, Origin(None, "127.0.0.1"))
    assert ended(staff.page("/")).startswith("Payment failed ₹501.00 1 link MH12 AB 1001 Ask driver")


def test_a_link_that_ended_long_ago_waits_no_more(staff: WebClient, entered: Ledger, clock: MovableClock) -> None:
    entered.enter(1, status="EXPIRED")
    assert ended(staff.page("/")) == "Ended unpaid ₹501.00 1 link MH12 AB 1001 Create again"
    clock.advance(days=8)
    steps.comes_back(staff, ASHA)
    assert ended(staff.page("/")) == "Nothing ended unpaid"
