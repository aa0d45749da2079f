"""Links that can be paid and must not be sent now: Follow up keeps their rows, and offers them to nobody."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from dashboard.domain.sharing import Channel
from dashboard.store.links.tables import link
from tests.support.clock import MovableClock
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web.links.test_list import Ledger, link_id, shown
from tests.web.sharing.steps import adds_a_driver, chooses
from tests.web.sharing.test_follow_up import press, shared, snoozed, waiting

pytestmark = pytest.mark.hour(5)  # Half past ten in India.


@pytest.fixture
def entered(app: Flask, clock: MovableClock) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def row(page: Page, number: int) -> Any:
    [found] = page.all(f".follow:has(#more-{link_id(number)})")
    return found


def contact(page: Page, number: int) -> str:
    return words(row(page, number).select_one(".follow-contact").get_text(" "))


def offers_nothing(page: Page, number: int) -> bool:
    """Return whether a row leads to the page of its link, and sends it to nobody."""
    found = row(page, number)
    sends = [str(each["action"]) for each in found.select("form") if "/snooze" not in each["action"]]
    first = found.select_one(".follow-first a")
    is_check = first is not None and words(first.get_text()).startswith("Check first · ")
    return is_check and first["href"] == f"/links/{link_id(number)}" and all("/note" in each for each in sends)


@pytest.mark.parametrize(
    ("oddness", "why"),
    [
        ({"payment_url": None}, "Cannot be sent: no payment URL yet"),
        ({"payment_url": "javascript:alert(1)"}, "Cannot be sent: payment URL not safe"),
        ({"unstated": "payment_url"}, "Cannot be sent: no payment URL any more"),
        ({"paid_at": True}, "Cannot be sent: may be paid already"),
        ({"payment_url": None, "checked_at": None}, "Cannot be sent: not checked yet"),
    ],
)
@pytest.mark.parametrize("vehicles", ["MH12AB1001", ""])
def test_a_link_that_cannot_be_sent_waits_with_its_reason_and_leads_to_its_page(
    staff: WebClient, entered: Ledger, clock: MovableClock, oddness: dict[str, Any], why: str, vehicles: str
) -> None:
    adds_a_driver(staff, vehicles=vehicles)
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    entered.enter(2, expires_at=clock() + timedelta(hours=20))
    if "paid_at" in oddness:
        oddness = {"paid_at": clock()}
    with entered.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(1)).values(**oddness))
    page = staff.page("/follow-up")
    assert waiting(page) == [1, 2], "a row of its own"
    assert contact(page, 1) == f"Not sent yet {why}"
    assert offers_nothing(page, 1)
    assert not offers_nothing(page, 2)
    said = words(row(page, 1).select_one(".follow-driver").get_text(" "))
    assert said.startswith("Ramesh Kumar") if vehicles else said == "–", "nobody is asked for"
    assert "2 links" in words(page.one("#ends-soon-title").get_text())


def test_a_link_that_is_found_for_challans_that_are_paid_waits_for_nobody(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    adds_a_driver(staff)
    entered.enter(1, status="PAID", paid_at=clock())
    entered.enter(2, covers=1)
    entered.enter(3)
    assert waiting(staff.page("/follow-up")) == [3]
    assert shown(staff.page("/links?only=not-sent")) == [3]
    assert shown(staff.page("/links?only=check")) == [], "nor is it to be checked first"
    assert "before sending" not in staff.page("/").one(".figures").get_text()
    driver = staff.page(staff.page("/drivers").link("Ramesh Kumar"))
    [row_of_paid] = [each for each in driver.all("tr") if "paid with another link" in each.get_text()]
    assert not row_of_paid.select(".button"), "there is nothing to do with it"


def test_a_link_that_somebody_has_comes_back_no_more_once_its_challans_are_paid_elsewhere(
    manager: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    ramesh = int(adds_a_driver(manager))
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    entered.services.sharing.record_share(link_id(1), Channel.WHATSAPP, 1, ramesh, "en")
    assert "comes back" in manager.page("/follow-up").text
    entered.enter(2, covers=1, status="PAID", paid_at=clock())
    manager.page(f"/links/{link_id(2)}").submit("Save the note", note="Ramesh knows that he must not pay it.")
    assert "comes back" not in manager.page("/follow-up").text
    entered.services.follow_ups.ask([link_id(1)], 1)
    assert waiting(manager.page("/follow-up")) == [1], "a person asked for it"
    ends = words(manager.page("/").one(".figures").get_text(" "))
    assert "Ends within 24 h ₹501.00 1 link 1 cannot be sent Open" in ends, "it is counted once"


def test_what_cannot_be_sent_is_in_no_message_and_in_no_sum_of_what_is_sent(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    adds_a_driver(staff)
    adds_a_driver(staff, name="Lakshmi Devi", phone="98765 43211", vehicles="MH14GH2300")
    for number, rc in ((1, "MH12AB1001"), (2, "MH14GH2300"), (3, "MH14GH2300")):
        entered.enter(number, rc=rc, payment_url=None if number == 3 else f"https://pay.example/{number}")
    page = staff.page("/follow-up")
    assert words(page.one("#not-sent-title").get_text()).endswith("3 links · ₹1,506.00")
    assert words(page.one("#follow-sends").get_text()) == "Send 2 links · ₹1,003.00"
    counted = words(page.one("#follow-count > p").get_text())
    assert counted == "3 links to follow up · ₹1,506.00 · 1 cannot be sent", "so the counts add up"
    assert page.link("1 cannot be sent") == f"#follow-{link_id(3)}"
    assert page.all(f"#follow-{link_id(3)}"), "its row says why"
    queue = staff.page(page.link("Send 2 messages"))
    assert len(queue.all(".reminder-list li")) == 2
    home = staff.page("/")
    [not_sent] = (words(each.get_text(" ")) for each in home.all(".figure-card") if "Not sent" in each.get_text())
    assert "3 links Send 2 1 cannot be sent Check" in not_sent
    assert home.link("Check · 1 cannot be sent") == f"/links/{link_id(3)}"
    assert "MH14 GH 2300 Cannot be sent: no payment URL yet" in words(home.one(".attention-item").get_text(" "))
    assert shown(staff.page("/links?only=not-sent")) == [3, 2, 1]


def test_the_driver_of_a_link_that_cannot_be_sent_is_not_asked_for(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    entered.enter(1, payment_url=None)
    entered.enter(2, rc="KA05MN4321")
    page = staff.page("/follow-up")
    counted = words(page.one("#follow-count").get_text())
    assert counted == "2 links to follow up · ₹1,003.00 · 1 has no driver · 1 cannot be sent"
    said = [words(staff.page("/links").one(f"#row-{link_id(each)} .driver").get_text(" ")) for each in (1, 2)]
    assert said == ["Cannot be sent no payment URL yet", "No driver Not sent yet"], "in two lines, as other rows"
    assert not [each for each in page.all("a") if "Choose drivers" in each.get_text()], "one gets it in its row"
    assert "1 vehicle without a driver · ₹502.00" in staff.page("/follow-up/drivers").text
    entered.enter(3, rc="MH14GH2300")
    page = staff.page("/follow-up")
    choice = staff.page(page.link("Choose drivers"))
    assert "2 vehicles without a driver · ₹1,005.00" in choice.text
    entered.enter(4, rc="KA05MN4321", payment_url=None)
    assert "2 vehicles without a driver · ₹1,005.00" in staff.page("/follow-up/drivers").text, "nor its amount"


def test_a_driver_who_is_chosen_is_sent_only_what_can_be_sent(staff: WebClient, entered: Ledger) -> None:
    for number in (1, 2):
        entered.enter(number, payment_url=None if number == 2 else "https://pay.example/1")
    entered.enter(3, rc="KA05MN4321")
    queue = chooses(staff, "/follow-up/drivers", {"MH12AB1001": "Ravi, 98765 43212"}, send="")
    assert [words(each.get_text()) for each in queue.all(".reminder-links .plate")] == ["MH12 AB 1001"]
    assert words(queue.one(".reminder-amount").get_text()) == "₹501.00"


def test_what_was_sent_and_can_be_sent_no_more_is_not_reminded_of(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    ramesh = int(adds_a_driver(staff))
    before = clock() - timedelta(hours=13)
    for number in (1, 2):
        entered.enter(number, expires_at=clock() + timedelta(hours=17))
        shared(entered, number, ramesh, at=before)
    assert "2 links" in words(staff.page("/follow-up").one(".follow-sum").get_text())
    entered.enter(2, payment_url=None, expires_at=clock() + timedelta(hours=17))
    page = staff.page("/follow-up")
    assert offers_nothing(page, 2)
    assert "no payment URL" in contact(page, 2)
    home = staff.page("/")
    assert home.link("Remind 1"), "as many as Follow up reminds of"
    assert "2 links 1 to remind · 1 cannot be sent" in home.text
    assert not offers_nothing(page, 1)
    press(page, 2, "4 hours")
    page = staff.page("/follow-up")
    assert snoozed(page) == [2]
    assert offers_nothing(page, 2)


def test_a_message_that_was_opened_before_is_still_asked_about(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    staff.post(f"/links/{link_id(1)}/nudge", data={"number": "98765 43211"})
    entered.enter(1, payment_url=None, expires_at=clock() + timedelta(hours=20))
    assert "Check first" in staff.page("/follow-up").one(f"#first-{link_id(1)}").get_text()


def test_a_link_to_be_checked_that_is_followed_up_says_why(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="ON_HOLD")
    staff.post("/links/chosen/follow-up", data={"link": link_id(1), "csrf_token": staff.csrf_token()})
    row = words(staff.page("/follow-up").one(f"#follow-{link_id(1)}").get_text(" "))
    assert "Check before sending: we do not know this state" in row


def test_a_driver_is_sent_only_what_can_be_sent(staff: WebClient, entered: Ledger) -> None:
    driver = adds_a_driver(staff)
    for number in (1, 2):
        entered.enter(number, payment_url=None if number == 2 else "https://pay.example/1")
    page = staff.page(f"/drivers/{driver}")
    assert link_id(2) not in page.link("Send 1 link")
    acts = page.one(f"#row-{link_id(2)} .acts")
    assert words(acts.get_text()) == "Check first · MH12 AB 1001"
    entered.enter(1, payment_url=None, status="PAID")
    assert not [each for each in staff.page(f"/drivers/{driver}").all("a") if each.get_text().startswith("Send ")]


def act(visitor: WebClient) -> str:
    [found] = visitor.page("/drivers").all(".driver-act")
    return words(found.get_text(" "))


def test_the_list_of_drivers_offers_to_send_only_what_can_be_sent(staff: WebClient, entered: Ledger) -> None:
    driver = adds_a_driver(staff)
    for number in (1, 2):
        entered.enter(number, payment_url=None if number == 2 else "https://pay.example/1")
    assert link_id(2) not in staff.page("/drivers").link("Send Ramesh Kumar")
    entered.enter(1, payment_url=None)
    assert act(staff) == "Check first · Ramesh Kumar Cannot be sent"
    assert staff.page("/drivers").link("Check first · Ramesh Kumar") == f"/drivers/{driver}#open-links"
    entered.enter(1, status="PAID")
    assert staff.page("/drivers").link("Check first · Ramesh Kumar") == f"/links/{link_id(2)}"
    page = staff.page(f"/drivers/{driver}")
    assert words(page.one(".driver-facts").get_text(" ")) == "Owes ₹502.00 1 link · Cannot be sent"
    assert words(page.one(f"#row-{link_id(2)} .driver-sent").get_text()) == "Cannot be sent: no payment URL yet"


def test_a_driver_is_not_reminded_of_what_cannot_be_sent_any_more(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    driver = adds_a_driver(staff)
    for number in (1, 2):
        entered.enter(number, expires_at=clock() + timedelta(hours=30))
        shared(entered, number, int(driver), at=clock() - timedelta(hours=13))
    assert staff.page(f"/drivers/{driver}").link("Remind about 2 links")
    with entered.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(2)).values(paid_at=clock()))
    page = staff.page(f"/drivers/{driver}")
    assert link_id(2) not in page.link("Remind about 1 link")
    assert "Cannot be sent: may be paid already" in words(page.one(f"#row-{link_id(2)} .driver-sent").get_text(" "))
    assert act(staff) == "Remind Ramesh Kumar"
    with entered.services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == link_id(1)).values(paid_at=clock()))
    assert act(staff) == "Check first · Ramesh Kumar Cannot be sent"
    assert not [each for each in staff.page(f"/drivers/{driver}").all("a") if "Remind" in each.get_text()]
