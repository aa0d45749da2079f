"""The follow-up queue: which links wait, putting them off, and notes."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Answer, Channel
from dashboard.services.accounts.audit import Origin
from dashboard.store.accounts import audit
from dashboard.store.links.links import record_event
from dashboard.store.links.tables import SHARE_CONFIRMED
from dashboard.store.sharing import drivers, follow_ups, shares
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web.links.test_list import Ledger, link_id, shown
from tests.web.sharing.steps import adds_a_driver, makes_a_link, opens_send_to

#: Noon in India.
NOON = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)
RAMESH = DriverDetails("Ramesh Kumar", None, None, "hi", None)


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def shared(entered: Ledger, number: int, driver_id: int | None = None, at: datetime | None = None) -> None:
    """Record that a link was sent, to a driver or to somebody who is none."""
    sent = {"link_id": link_id(number), "person_id": 1, "at": at or entered.clock()}
    with entered.services.store.write() as connection:
        share_id = shares.add(connection, driver_id=driver_id, channel=Channel.WHATSAPP, language="en", **sent)
        if driver_id is None:
            record_event(connection, kind=SHARE_CONFIRMED, new=str(share_id), **sent)


def waiting(page: Page) -> list[int]:
    """Return the numbers of the links that wait, in the order of the queue."""
    return [
        int(str(item["id"]).removeprefix("follow-")[:8])
        for item in page.all("#follow-ends-soon > li, #follow-not-sent > li")
    ]


def snoozed(page: Page) -> list[int]:
    """Return the numbers of the snoozed links, in their order."""
    return [int(str(item["id"]).removeprefix("follow-")[:8]) for item in page.all("#follow-snoozed > li")]


def press(page: Page, number: int, button: str, **fields: str) -> Any:
    """Press a button of one entry."""
    [entry] = page.all(f"#follow-{link_id(number)}")
    for form in entry.select("form"):
        for each in form.select("button"):
            if button in (each.get_text(strip=True), *each.get_text("|", strip=True).split("|")):
                data = {str(field["name"]): str(field.get("value", "")) for field in form.select("input")}
                if each.get("name"):
                    data[str(each["name"])] = str(each["value"])
                return page.client.post(str(form["action"]), data=data | fields)
    raise AssertionError(f"no button {button!r}")


def test_an_empty_queue_says_what_to_do(staff: WebClient) -> None:
    page = staff.page("/follow-up")
    assert "Nothing to follow up." in page.text
    assert page.link("Search a vehicle") == "/"


def test_an_empty_queue_says_what_comes_back_and_when(staff: WebClient, entered: Ledger, clock: Any) -> None:
    clock.set(NOON)
    for number, hours in ((1, 60), (2, 40), (3, 50)):
        entered.enter(number, expires_at=NOON + timedelta(hours=hours), status="PAID" if number == 2 else "ACTIVE")
        shared(entered, number)
    page = staff.page("/follow-up")
    assert "All sent. 1 link ( ₹503.00 ) comes back tomorrow 2:00 pm , unless it is paid." in page.text
    assert page.link("See active links") == "/links?state=ACTIVE"


def test_the_links_without_a_driver_are_counted_where_the_page_has_all(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    for number in (1, 2):
        entered.enter(number, expires_at=clock() + timedelta(hours=20))
    assert "2 have no driver" in staff.page("/follow-up").text
    for number in range(3, 60):
        entered.enter(number, expires_at=clock() + timedelta(hours=20))
    assert "no driver" not in staff.page("/follow-up").one("#follow-count").get_text()


def test_the_button_over_the_queue_counts_the_messages_and_the_links_that_it_sends(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    adds_a_driver(staff)
    for number in range(1, 52):
        entered.enter(number, expires_at=clock() + timedelta(hours=20))
    page = staff.page("/follow-up")
    [button] = page.all("#follow-count a")
    assert words(button.get_text()) == "Send 7 messages", "at most 8 in one message"
    assert words(page.one("#follow-sends").get_text()).startswith("Send 50 links · ₹")


def test_the_button_over_the_queue_says_which_links_it_sends_and_about_which_it_reminds(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    ramesh = int(adds_a_driver(staff))
    lakshmi = int(adds_a_driver(staff, name="Lakshmi Devi", phone="98765 43211", vehicles="MH14GH2300"))
    for number, rc in ((1, "MH12AB1001"), (2, "MH14GH2300")):
        url = f"https://pay.example/{number}"
        entered.enter(number, rc=rc, payment_url=url, expires_at=clock() + timedelta(hours=20))
    shared(entered, 1, ramesh, at=clock() - timedelta(hours=13))
    page = staff.page("/follow-up")
    [button] = page.all(".follow-acts a")
    assert words(button.get_text()) == "Send 2 messages"
    assert words(page.one("#follow-sends").get_text()) == "2 links, 1 of them a reminder · ₹1,003.00"
    assert staff.page("/").link("Send 1"), "the first page counts what was not sent"
    shared(entered, 2, lakshmi, at=clock() - timedelta(hours=13))
    page = staff.page("/follow-up")
    assert words(page.one(".follow-acts a").get_text()) == "Send 2 messages"
    assert words(page.one("#follow-sends").get_text()) == "Remind about 2 links · ₹1,003.00"
    assert staff.page("/").link("Remind 2"), "as many"


def test_every_row_begins_with_its_driver_and_its_key_presses_what_is_done(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    adds_a_driver(staff, vehicles="MH12AB1001, MH14GH2300")
    for number, rc in ((1, "MH12AB1001"), (2, "MH14GH2300"), (3, "KA05MN4321")):
        entered.enter(number, rc=rc, expires_at=clock() + timedelta(hours=20))
    rows = staff.page("/follow-up").all(".follow")
    assert [len(row.select(".follow-one")) for row in rows] == [2, 1]
    for row in rows:
        first = row.find(True)
        assert first
        assert first["class"] == ["follow-driver"]
        assert row.select(str(row["data-row-control"]))[0] in row.select(".follow-first :is(button, summary)")


def test_links_that_end_soon_or_that_nobody_was_given_wait_and_no_others(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    now = clock()
    entered.enter(1, expires_at=now + timedelta(hours=40))
    entered.enter(2, expires_at=now + timedelta(hours=5))
    entered.enter(3, expires_at=now + timedelta(hours=60))
    entered.enter(4, expires_at=now + timedelta(hours=3), status="PAID")
    entered.enter(5, expires_at=now + timedelta(hours=3), status="EXPIRED")
    for number in (1, 2):
        shared(entered, number, at=now - timedelta(hours=13))
    entered.enter(6, rc="KA05MN4321", expires_at=now + timedelta(hours=70))
    page = staff.page("/follow-up")
    assert waiting(page) == [2, 3, 6]
    assert len(shown(staff.page("/links?only=not-sent"))) == 2, "the list and the queue count alike"
    assert "Not sent yet" in page.one("#not-sent-title").get_text()
    assert page.soup.title is not None
    assert "Follow up (3)" in page.soup.title.get_text()


@pytest.mark.hour(6)  # Noon in India.
def test_a_link_whose_payment_url_was_copied_counts_as_given(staff: WebClient, entered: Ledger, clock: Any) -> None:
    at = clock()
    for number, hours in ((1, 40), (2, 20), (3, 40)):
        entered.enter(number, expires_at=at + timedelta(hours=hours))
    for number in (1, 2):
        entered.services.sharing.record_copy(link_id(number), 1, Origin())
    clock.advance(minutes=20)
    page = staff.page("/follow-up")
    assert waiting(page) == [2, 3]
    assert "Copied by Asha Rao today " in words(page.one(f"#follow-{link_id(2)}").get_text())
    assert not page.all(f"#follow-not-sent #follow-{link_id(2)}")
    assert page.all(f"#follow-sent #follow-{link_id(1)}"), "what waits for nobody is listed too"
    assert page.all(f"#follow-not-sent #follow-{link_id(3)}")
    assert shown(staff.page("/links?needs=action")) == [2]


@pytest.mark.parametrize(
    ("ends_in", "snoozed_for", "back_in"),
    [(48, 0, 24), (20, 0, 12), (16, 0, 10), (8, 0, 3), (48, 40, 40), (2, 0, None)],
    ids=[
        "a day before it ends",
        "after its rest",
        "in its last hours",
        "after a short rest",
        "after a snooze",
        "no more",
    ],
)
def test_the_page_of_a_sent_link_says_when_it_is_back_in_the_queue(
    staff: WebClient, entered: Ledger, clock: Any, ends_in: int, snoozed_for: int, back_in: int | None
) -> None:
    driver = int(adds_a_driver(staff))
    clock.set(now := NOON)
    entered.enter(1, expires_at=now + timedelta(hours=ends_in))
    shared(entered, 1, driver, at=now)
    if snoozed_for:
        with entered.services.store.write() as connection:
            follow_ups.snooze(connection, link_id(1), now + timedelta(hours=snoozed_for), now, by=1)
    page = staff.page(f"/links/{link_id(1)}")
    told = [str(time["datetime"]) for time in page.all(".panel-next time")]
    assert [datetime.fromisoformat(each) for each in told] == ([now + timedelta(hours=back_in)] if back_in else [])
    assert not page.all("#link-payment .share-more .button-primary")
    with entered.services.store.read() as connection:
        hours = [
            hour for hour in range(ends_in + 1) if follow_ups.waiting(connection, now + timedelta(hours=hour), None, 1)
        ]
    assert hours[:1] == ([back_in] if back_in else [])


def test_a_link_that_is_chosen_for_the_queue_has_no_later_moment_for_it(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=48))
    shared(entered, 1)
    with entered.services.store.write() as connection:
        follow_ups.ask(connection, link_id(1), clock() + timedelta(seconds=1), by=1)
    clock.advance(minutes=1)
    assert staff.page("/follow-up").all(f"#follow-{link_id(1)}")
    assert not staff.page(f"/links/{link_id(1)}").all(".panel-next")


def test_every_link_that_was_sent_lately_is_in_one_list_whenever_it_ends(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    now = clock()
    for number, hours in enumerate((5, 20, 47, 60, 48), 1):
        entered.enter(number, expires_at=now + timedelta(hours=hours), status="PAID" if number == 4 else "ACTIVE")
        shared(entered, number, at=now - timedelta(hours=13) if number == 5 else now)
    page = staff.page("/follow-up")
    listed = [int(str(row["id"])[7:15]) for row in page.all("#follow-sent > li")]
    assert listed == [1, 2, 3]
    assert page.one("#sent-title").get_text() == "Sent or copied, last 12 hours · 3 links · ₹1,506.00"
    assert not waiting(page)


def test_the_links_that_were_sent_lately_are_paged(staff: WebClient, entered: Ledger, clock: Any) -> None:
    for number in range(1, 53):
        entered.enter(number, expires_at=clock() + timedelta(hours=40, minutes=number))
        shared(entered, number)
    page = staff.page("/follow-up")
    assert len(page.all("#follow-sent > li")) == 50
    assert "Sent or copied before, last 12 hours · 51 links" in page.one("#sent-title").get_text()
    [more] = [str(a["href"]) for a in page.all("nav.pages a")]
    page = staff.page(more)
    assert [int(str(row["id"])[7:15]) for row in page.all("#follow-sent > li")] == [51], "the last one was just sent"
    assert page.all("details[open] #follow-sent")


def test_a_link_that_is_snoozed_is_in_one_list_alone(staff: WebClient, entered: Ledger, clock: Any) -> None:
    for number, hours in ((1, 20), (2, 47)):
        entered.enter(number, expires_at=clock() + timedelta(hours=hours))
        press(staff.page("/follow-up"), number, "4 hours")
        shared(entered, number)
    page = staff.page("/follow-up")
    assert snoozed(page) == [1]
    assert [int(str(row["id"])[7:15]) for row in page.all("#follow-just-sent > li")] == [2], "it is asked for no more"


@pytest.mark.hour(6)  # Noon in India.
def test_a_copy_is_shown_beside_a_share_only_if_it_is_newer(staff: WebClient, entered: Ledger, clock: Any) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    entered.services.sharing.record_copy(link_id(1), 1, Origin())
    clock.advance(minutes=5)
    shared(entered, 1)
    assert "Copied " not in staff.page("/follow-up").text
    clock.advance(minutes=11)
    entered.services.sharing.record_copy(link_id(1), 1, Origin())
    said = words(staff.page("/follow-up").one(f"#contact-{link_id(1)}").get_text(" "))
    assert re.fullmatch(r"Sent today \S+ [ap]m WhatsApp · by Asha Rao Copied by Asha Rao today \S+ [ap]m", said)


def test_the_queue_is_paged_and_counted_whole(staff: WebClient, entered: Ledger, clock: Any) -> None:
    at = clock()
    for number in range(1, 123):  # Several end at the same moment.
        entered.enter(number, rc=f"MH12AB{number:04}", expires_at=at + timedelta(hours=12, minutes=number // 4))
    page = staff.page("/follow-up")
    assert page.soup.title is not None
    assert "Follow up (122)" in page.soup.title.get_text()
    assert "122 links to follow up · ₹" in page.text
    found = waiting(page)
    while more := [str(a["href"]) for a in page.all("nav.pages a") if a.get_text() == "Next 50"]:
        page = staff.page(*more)
        found += waiting(page)
    assert found == list(range(1, 123))
    [first] = [a for a in page.all("nav.pages a") if a.get_text() == "First 50"]
    assert waiting(staff.page(str(first["href"]))) == found[:50]


def test_what_ends_first_comes_first_and_says_whether_anybody_was_given_it(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    at = clock()
    for number, hours in ((1, 20), (2, 8), (3, 40)):
        entered.enter(number, expires_at=at + timedelta(hours=hours), rc=f"MH12AB100{number}", observed=number == 3)
    entered.enter(4, status="FAILED", rc="MH12AB1004", observed=True)
    shared(entered, 2, at=at - timedelta(hours=13))
    page = staff.page("/follow-up")
    assert [int(str(row["id"])[7:15]) for row in page.all("#follow-ends-soon > li")] == [2, 1]
    said = {number: words(page.one(f"#contact-{link_id(number)}").get_text(" ")) for number in (1, 2, 3, 4)}
    assert said[1].startswith("Not sent yet")
    assert re.fullmatch(r"Sent (yesterday|today) \S+ [ap]m WhatsApp · by Asha Rao", said[2])
    assert said[3].startswith("Not sent from here Created elsewhere, found today")
    assert said[4].startswith("Not sent Created elsewhere, found"), "nobody sends it any more"


def test_each_group_is_headed_by_its_number_and_its_sum(staff: WebClient, entered: Ledger, clock: Any) -> None:
    at = clock()
    for number, status in ((1, "ACTIVE"), (2, "ACTIVE"), (3, "ACTIVE"), (4, "EXPIRED"), (5, "ACTIVE")):
        hours = 40 if number == 2 else 20
        entered.enter(number, expires_at=at + timedelta(hours=hours), status=status, rc=f"MH12AB100{number}")
    entered.enter(6, expires_at=at + timedelta(hours=20), total=None, rc="MH12AB1006")
    entered.enter(7, expires_at=at + timedelta(hours=5), rc="MH12AB1007")
    for number in (3, 7):
        entered.services.sharing.record_copy(link_id(number), 1, Origin())
    with entered.services.store.write() as connection:
        follow_ups.snooze(connection, link_id(5), at + timedelta(hours=1), at, 1)
    entered.enter(8, expires_at=at + timedelta(hours=20), rc="MH12AB1008")
    shared(entered, 8)
    clock.advance(minutes=16)
    titles = [title.get_text() for title in staff.page("/follow-up").all("h2") if "·" in title.get_text()]
    assert titles == [
        "Ends within 24 hours · 4 links · ₹1,511.00 + 1 unknown",
        "Other links not sent yet · 1 link · ₹502.00",
        "Ended unpaid, last 7 days · 1 link · ₹504.00",
        "Sent or copied, last 12 hours · 1 link · ₹508.00",
        "Snoozed · 1 link · ₹505.00",
    ]


def test_a_group_is_counted_over_all_pages(staff: WebClient, entered: Ledger, clock: Any) -> None:
    for number in range(1, 53):
        entered.enter(number, rc=f"MH12AB{number:04}", expires_at=clock() + timedelta(hours=40))
    page = staff.page("/follow-up")
    assert len(waiting(page)) == 50
    assert page.one("#not-sent-title").get_text() == "Not sent yet · 52 links · ₹27,378.00"


def test_links_put_off_have_pages_of_their_own_and_an_action_comes_back_to_its_page(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    at = clock()
    for number in range(1, 112):
        entered.enter(number, rc=f"MH12AB{number:04}", expires_at=at + timedelta(hours=20, minutes=number))
    with entered.services.store.write() as connection:
        for number in range(1, 61):
            follow_ups.snooze(connection, link_id(number), at + timedelta(hours=1), at, 1)
    page = staff.page("/follow-up")
    assert "Snoozed · 60 links · ₹" in page.text
    [next_page, next_later] = [str(a["href"]) for a in page.all("nav.pages a")]
    page = staff.page(next_later)
    assert (waiting(page)[0], snoozed(page)) == (61, list(range(51, 61)))
    page = staff.page(next_page)
    assert (waiting(page), snoozed(page)[0]) == ([111], 1)
    page = staff.read(press(page, 111, "Add the note", note="Called"))
    assert waiting(page) == [111]
    page = staff.read(press(page, 111, "4 hours"))
    assert waiting(page) == list(range(61, 111)), "nothing is left on the page, so the first one is shown"


def test_an_address_that_names_no_place_shows_the_first_page(staff: WebClient, entered: Ledger, clock: Any) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    for query in ("after=x", "after=x~y", "later=~&after=~"):
        assert waiting(staff.page(f"/follow-up?{query}")) == [1]


def test_a_link_is_put_off_and_taken_back(staff: WebClient, entered: Ledger, clock: Any) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    assert press(staff.page("/follow-up"), 1, "4 hours").status_code == 303
    page = staff.page("/follow-up")
    assert (waiting(page), snoozed(page)) == ([], [1])
    assert "by Asha Rao" in page.text
    page = staff.read(press(page, 1, "Undo snooze"))
    assert waiting(page) == [1]
    assert "MH12 AB 1001 is back in Follow up." in page.text


def test_until_tomorrow_is_nine_in_the_morning_where_people_are(staff: WebClient, entered: Ledger, clock: Any) -> None:
    clock.set(NOON)
    entered.enter(1, expires_at=NOON + timedelta(hours=23))
    page = staff.read(press(staff.page("/follow-up"), 1, "Tomorrow"))
    assert "MH12 AB 1001 is snoozed till 22 Nov, 9:00 am." in page.text
    assert "Snoozed till 22 Nov, 9:00 am by Asha Rao" in page.text


def test_whoever_will_pay_today_is_noted_and_not_asked_before_the_evening(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    clock.set(NOON)
    entered.enter(1, expires_at=NOON + timedelta(hours=23))
    entered.enter(2, expires_at=NOON + timedelta(hours=3))
    for number in (1, 2):
        shared(entered, number, at=NOON - timedelta(hours=13))
    page = staff.page("/follow-up")
    assert "Note: Will pay today" not in page.one(f"#follow-{link_id(1)}").get_text()
    assert "Note: Will pay today" in page.one(f"#follow-{link_id(2)}").get_text(), "the evening is after its end"
    page = staff.read(press(page, 1, "Will pay today"))
    assert (waiting(page), snoozed(page)) == ([2], [1])
    assert "MH12 AB 1001 is snoozed till 6:00 pm." in page.everything
    assert "Will pay today" in page.one(f"#follow-{link_id(1)} .follow-note-text").get_text()
    page = staff.read(press(page, 1, "Undo snooze"))
    assert waiting(page) == [2, 1]
    clock.set(NOON + timedelta(hours=5, minutes=30))
    menu = staff.page("/follow-up").one(f"#follow-{link_id(1)} .follow-more .drop-sheet")
    assert "6:30 pm" in words(menu.get_text())
    clock.set(NOON + timedelta(hours=11, minutes=30))
    assert "Note: Will pay today" in staff.page("/follow-up").one(f"#follow-{link_id(1)}").get_text()


def test_a_snooze_ends_an_hour_before_the_links_end_at_the_latest(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    clock.set(NOON)
    ends = NOON + timedelta(hours=6)
    entered.enter(1, expires_at=ends)
    queue = staff.page("/follow-up")
    assert "Tomorrow" not in queue.one(f"#follow-{link_id(1)}").get_text(), "it would be cut short"
    page = staff.read(press(queue, 1, "1 hour before it ends"))
    assert (waiting(page), snoozed(page)) == ([], [1])
    assert re.search(r"MH12 AB 1001 is snoozed till [^.]* [ap]m, an hour before it ends\.", page.text)
    clock.set(ends - timedelta(hours=1))
    assert waiting(staff.page("/follow-up")) == [1]


@pytest.mark.parametrize(("minutes", "why"), [(60, "it ends within the hour."), (0, "it should have ended by now.")])
def test_a_link_that_ends_within_the_hour_is_not_snoozed(
    staff: WebClient, entered: Ledger, clock: Any, minutes: int, why: str
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(minutes=minutes))
    page = staff.page("/follow-up")
    assert "Snooze" not in page.one(f"#follow-{link_id(1)}").get_text()
    token = page.client.csrf_token()
    page = staff.read(staff.post(f"/follow-up/{link_id(1)}/snooze", data={"until": "hours", "csrf_token": token}))
    assert f"MH12 AB 1001 was not snoozed: {why}" in page.text
    assert (waiting(page), snoozed(page)) == ([1], [])


def test_a_link_whose_end_is_unknown_is_put_off_as_asked(staff: WebClient, entered: Ledger, clock: Any) -> None:
    entered.enter(1, expires_at=None)
    clock.advance(minutes=16)
    page = staff.read(press(staff.page("/follow-up"), 1, "4 hours"))
    assert snoozed(page) == [1]


def test_a_link_cannot_be_put_off_until_any_moment(staff: WebClient, entered: Ledger, clock: Any) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    assert press(staff.page("/follow-up"), 1, "4 hours", until="2999-01-01").status_code == 400


def test_sharing_again_preselects_the_driver_who_was_given_the_link_last(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    with entered.services.store.write() as connection:
        driver = drivers.add(connection, RAMESH, at=clock(), by=1)
    shared(entered, 1, driver)
    page = staff.page("/follow-up")
    assert re.search(r"Sent on WhatsApp to Ramesh Kumar.* Undo", page.text)
    assert page.one(f"#follow-{link_id(1)} input[name=driver]")["value"] == str(driver)
    assert "Share another way , MH12 AB 1001" in page.buttons()
    assert page.link("Add phone of Ramesh Kumar") == f"/drivers/{driver}?change=phone"


def test_a_note_is_shown_to_everybody_and_one_that_is_too_long_is_refused(
    staff: WebClient, manager: WebClient, app: Flask, entered: Ledger, clock: Any
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    shared(entered, 1, at=clock() - timedelta(hours=13))
    assert press(staff.page("/follow-up"), 1, "Add the note", note="Called  him, pays tonight").status_code == 303
    assert "Called him, pays tonight Asha Rao" in manager.page("/follow-up").text
    assert press(staff.page("/follow-up"), 1, "No answer").status_code == 303
    assert words(manager.page("/follow-up").one(".follow-note-text q").get_text()) == "No answer"
    answer = press(staff.page("/follow-up"), 1, "Add the note", note="x" * 501)
    page = Page(staff, answer)
    assert page.status == 422
    assert "A note has at most 500 letters." in page.text
    assert page.one(f"#note-{link_id(1)}")["value"] == "x" * 501
    with app.extensions["store"].read() as connection:
        assert audit.newest(connection)[0].action == "note"


def test_what_a_driver_says_is_noted_by_one_tap_only_where_somebody_was_asked(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    clock.set(NOON)
    for number in (1, 2, 3):
        entered.enter(number, rc=f"MH12AB100{number}", expires_at=NOON + timedelta(hours=20))
    adds_a_driver(staff, vehicles="MH12AB1002")
    entered.services.sharing.record_copy(link_id(3), 1, Origin())
    page = staff.page("/follow-up")
    menus = {number: page.one(f"#follow-{link_id(number)} .follow-more").get_text() for number in (1, 2, 3)}
    for offered in ("Will pay today", "No answer", "Wrong number"):
        assert [offered in menus[number] for number in (1, 2, 3)] == [False, True, True], offered
    assert "4 hours" in menus[1]
    assert "Add the note" in menus[1]


def test_after_a_wrong_number_its_driver_gets_another_one(
    staff: WebClient, manager: WebClient, entered: Ledger, clock: Any
) -> None:
    driver = adds_a_driver(staff)
    for number in (1, 2):
        entered.enter(number, rc=f"MH12AB100{number}", expires_at=clock() + timedelta(hours=20))
    shared(entered, 2, at=clock() - timedelta(hours=13))
    assert "Change phone" not in staff.page("/follow-up").text
    for number in (1, 2):
        page = staff.read(press(staff.page("/follow-up"), number, "Wrong number"))
    assert len(page.all(".follow-change")) == 1, "nobody is known to have the other link"
    assert page.link("Change phone of Ramesh Kumar") == f"/drivers/{driver}?change=phone"
    manager.post("/language", data={"language": "hi", "csrf_token": manager.csrf_token()})
    assert manager.page("/follow-up").all(".follow-change"), "in whichever language it was noted"
    clock.advance(minutes=1)
    shared(entered, 1, int(driver))
    assert not staff.page("/follow-up").all(".follow-change")


def test_a_long_name_is_cut_short_and_whole_in_its_title(staff: WebClient, entered: Ledger, clock: Any) -> None:
    name = "Venkatanarasimharajuvaripeta Subrahmanya Ramakrishnan Kumar"
    adds_a_driver(staff, name=name)
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    assert staff.page("/follow-up").one(".follow-driver > a:not(.sub)")["title"] == f"Usual driver: {name}"


def test_where_links_only_ended_unpaid_the_page_leads_down_to_them(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    for number in (1, 2):
        entered.enter(number, rc=f"MH12AB100{number}", status="EXPIRED")
    count = staff.page("/follow-up").one("#follow-count")
    assert words(count.get_text(" ")) == "Nothing to send. 2 links ended unpaid, below."
    assert not count.select("a")


def test_what_is_done_about_a_failed_link_is_a_button_though_it_was_just_sent(
    staff: WebClient, entered: Ledger
) -> None:
    driver = int(adds_a_driver(staff))
    entered.enter(1, status="FAILED")
    shared(entered, 1, driver)
    first = staff.page("/follow-up").one(f"#first-{link_id(1)}")
    assert words(first.get_text(" ")).startswith("Ask driver for MH12 AB 1001")
    assert first["class"] == ["follow-first", "follow-due"], "nothing makes it quiet"


def test_the_heading_leads_to_what_ended_and_to_who_has_no_driver(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, rc="MH12AB1001", status="EXPIRED")
    entered.enter(2, rc="MH14GH2300")
    count = staff.page("/follow-up").one("#follow-count p")
    assert words(count.get_text(" ")) == "1 link to follow up · ₹502.00 + 1 ended unpaid", "its row says the rest"
    assert [each["href"] for each in count.select("a")] == ["#ended-title"]
    entered.enter(4, rc="KA01MN9999", status="FAILED")
    count = staff.page("/follow-up").one("#follow-count p")
    assert words(count.get_text(" ")).endswith("· 2 have no driver + 1 ended unpaid"), "as their rows say"
    assert [each["href"] for each in count.select("a")] == [f"#choose-send-to-{link_id(2)}", "#ended-title"]
    entered.enter(3, rc="KA05MN4321")
    count = staff.page("/follow-up").one("#follow-count")
    leads = [words(each.get_text()) for each in count.select("a[href='/follow-up/drivers']")]
    assert leads == ["3 have no driver", "Choose drivers"]


def test_a_failed_payment_whose_driver_can_be_asked_comes_first_and_is_counted(
    staff: WebClient, entered: Ledger
) -> None:
    entered.enter(1, status="FAILED")
    entered.enter(2, rc="KA05MN4321", status="FAILED")
    shared(entered, 1)
    page = staff.page("/follow-up")
    assert words(page.one("#follow-count p").get_text(" ")) == "2 links to follow up · ₹1,003.00"
    assert words(page.one("#menu-count-follow_up").get_text(" ")).startswith("2 ")
    titles = [words(each.get_text(" ")) for each in page.all(".follow-group:has(li) > h2")]
    assert titles == ["Payment failed · 2 links · ₹1,003.00"], "whoever was given them"
    assert sorted(words(each.get_text(" ")) for each in page.all("#follow-failed .follow-first")) == [
        "Ask driver for MH12 AB 1001, on WhatsApp, in a new tab",
        "Check payment · KA05 MN 4321",
    ]
    assert words(page.one(f"#driver-{link_id(2)}").get_text(" ")) == "No driver"
    row = str(page.one(f"#contact-{link_id(1)}")["hx-get"])
    entered.services.sharing.record_question(link_id(1), 1, None)
    region = Page(staff, staff.get(row, headers=HTMX), region=True)
    assert words(region.one("#failed-title").get_text(" ")) == "Payment failed · 2 links · ₹1,003.00"
    assert len(staff.page("/follow-up").all("#follow-failed > li")) == 2, "it waits for the driver's answer"
    entered.services.sharing.note_answer(link_id(1), Answer.NOT_TAKEN, 1)
    page = staff.page("/follow-up")
    assert len(page.all("#follow-failed > li")) == 1
    assert words(page.one("#follow-ended .follow-first").get_text(" ")) == "Create again for MH12 AB 1001"


def test_the_list_of_links_filters_by_driver(staff: WebClient, entered: Ledger, clock: Any) -> None:
    for number in (1, 2):
        entered.enter(number)
    with entered.services.store.write() as connection:
        driver = drivers.add(connection, RAMESH, at=clock(), by=1)
    shared(entered, 2, driver)
    page = staff.page("/links").submit("Filter", driver=str(driver))
    assert shown(staff.read(page)) == [2]


def test_the_first_row_that_waits_is_marked_whatever_it_waits_for(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    entered.enter(2, status="FAILED", rc="MH12AB1002")
    entered.enter(3, expires_at=clock() + timedelta(hours=20), rc="MH12AB1003")
    shared(entered, 3)
    page = staff.page("/follow-up")
    due = [str(each["id"]) for each in page.all(".follow-due")]
    assert due == [f"first-{link_id(2)}", f"first-{link_id(1)}"], "the style sheet marks the first of them"
    assert not page.all("#follow-failed .state"), "the head of the group says it"
    assert words(page.one(f"#follow-{link_id(2)} .follow-ends").get_text(" ")).startswith("Failed today ")


def test_an_ended_link_says_when_it_ended_or_else_when_that_was_found(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    clock.set(NOON)
    entered.enter(1, expires_at=NOON - timedelta(days=2), status="EXPIRED")
    entered.enter(2, expires_at=None, status="EXPIRED", rc="MH12AB1002")
    entered.enter(3, expires_at=NOON + timedelta(days=1), status="CANCELLED", rc="MH12AB1003")
    clock.advance(hours=1)
    page = staff.page("/follow-up")
    said = {number: words(page.one(f"#follow-{link_id(number)} .follow-ends").get_text(" ")) for number in (1, 2, 3)}
    assert said == {
        1: "Expired 19 Nov, 12:00 pm",
        2: "Expired today 12:00 pm",
        3: "Cancelled today 12:00 pm",
    }
    heads = {words(each.get_text(" ")) for each in page.all(".follow-columns")}
    assert heads == {"Driver Vehicle End Last contact Amount"}, "one head stands over all groups"


def test_what_was_sent_rests_and_comes_back_in_its_last_hours(staff: WebClient, entered: Ledger, clock: Any) -> None:
    now = clock()
    for number, ends, sent in ((1, 2, 0), (2, 5, 2), (3, 5, 4), (4, 10, 11), (5, 10, 13)):
        entered.enter(number, expires_at=now + timedelta(hours=ends), rc=f"MH12AB100{number}")
        shared(entered, number, at=now - timedelta(hours=sent))
    page = staff.page("/follow-up")
    resting = [str(row["id"]) for row in page.all("#follow-sent > li")]
    assert (waiting(page), resting) == ([3, 5], [f"follow-{link_id(number)}" for number in (2, 4)])
    assert page.all(f"#follow-just-sent > #follow-{link_id(1)}"), "it can be undone"
    assert page.soup.title is not None
    assert "Follow up (2)" in page.soup.title.get_text()
    clock.advance(minutes=11)
    assert len(staff.page("/follow-up").all("#follow-sent > li")) == 3
    entered.services.follow_ups.ask([link_id(1)], 1)
    assert waiting(staff.page("/follow-up")) == [1, 3, 5], "a person asked for it"


def test_a_link_without_a_driver_offers_those_of_its_vehicle_first(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=40))
    entered.enter(2, expires_at=clock() + timedelta(hours=40), rc="KA01AB1002")
    entered.enter(3, expires_at=clock() + timedelta(hours=40))
    with entered.services.store.write() as connection:
        known = [
            drivers.add(connection, DriverDetails(name, phone, None, "hi", None), at=clock(), by=1)
            for name, phone in (("Ramesh", "98765 43210"), ("Lakshmi", "98200 12345"), ("Anil", None))
        ]
    for number, driver in ((1, known[0]), (2, known[1]), (2, known[2])):
        shared(entered, number, driver)
    page = staff.page("/follow-up")
    [first] = page.all(f"#first-{link_id(3)} summary")
    assert words(first.get_text()) == "Send to… MH12 AB 1001"
    assert page.one(f"#first-{link_id(3)} a")["href"] == f"/links/{link_id(3)}/share", "without scripts"
    menu = opens_send_to(staff, link_id(3))
    offered = [words(each.get_text(" ")) for each in menu.all(".drop-list button")]
    assert offered == ["Ramesh +91 98765 43210", "Lakshmi +91 98200 12345"]
    assert [each["value"] for each in menu.all("datalist option")] == [
        "Lakshmi, +91 98200 12345",
        "Ramesh, +91 98765 43210",
    ], "all drivers who have a number"
    assert menu.link("Other ways to send it") == f"/links/{link_id(3)}/share"


def test_a_menu_offers_six_drivers_and_any_other_by_name(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    for number in range(7):
        adds_a_driver(staff, name=f"Ravi {number}", phone=f"98765 4321{number}")
    menu = opens_send_to(staff, link_id(1))
    assert len(menu.all(".drop-list button")) == 6
    assert len(menu.all("datalist option")) == 7


def test_a_menu_of_no_place_is_not_served(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    address = f"/links/{link_id(1)}/send-to"
    assert staff.get(address, headers=HTMX).status_code == 404
    assert staff.get(f"{address}?place=row", headers=HTMX).status_code == 404
    assert staff.get(f"{address}?place=ending").headers["Location"] == f"/links/{link_id(1)}/share", "no region"


@pytest.mark.hour(6)  # Late enough that links of 20 hours end tomorrow.
def test_the_heading_of_what_ends_soon_adds_up_to_what_the_first_page_counts(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    ramesh = int(adds_a_driver(staff))
    for number in (1, 2, 3):
        entered.enter(number, expires_at=clock() + timedelta(hours=20))
        shared(entered, number, ramesh, at=clock() - timedelta(hours=1 if number == 2 else 13))
    entered.services.follow_ups.snooze(link_id(3), clock() + timedelta(hours=4), 1)
    heading = words(staff.page("/follow-up").one("#ends-soon-title").get_text())
    assert heading == "Ends within 24 hours · 1 link · ₹501.00"
    assert "3 links 1 to remind · 1 sent · 1 snoozed" in staff.page("/").text
    entered.services.follow_ups.snooze(link_id(1), clock() + timedelta(hours=4), 1)
    assert words(staff.page("/follow-up").one("#ends-soon-title").get_text()) == "Ends within 24 hours"


def test_links_of_one_driver_wait_in_one_row_whatever_they_wait_for(
    staff: WebClient, entered: Ledger, clock: Any
) -> None:
    adds_a_driver(staff, vehicles="MH12AB1001, MH14GH2300")
    entered.enter(1, expires_at=clock() + timedelta(hours=20), observed=True)
    entered.enter(2, rc="KA05MN4321", expires_at=clock() + timedelta(hours=21))
    entered.enter(3, rc="MH14GH2300", expires_at=clock() + timedelta(hours=40))
    page = staff.page("/follow-up")
    rows = page.all("#follow-ends-soon > li")
    assert [str(row["data-links"]).count("-0000-4000-") for row in rows] == [2, 1]
    assert (
        words(page.one("#ends-soon-title").get_text())
        == "Ends within 24 hours · 2 links + 1 in the same message · ₹1,506.00"
    )
    said = [words(page.one(f"#contact-{link_id(number)}").get_text(" ")) for number in (1, 3)]
    assert said[0].startswith("Not sent from here Created elsewhere, found today")
    assert said[1] == "Not sent yet Goes with MH12 AB 1001", "it does not end so soon"
    parts = [str(each.get("class")) for each in rows[0].find_all("div", recursive=False)]
    assert [each for each in parts if "follow-first" in each] == parts[1:2], "its button stands before the links"
    assert not page.all("#follow-not-sent > li")
    assert words(rows[0].select(".follow-sum")[0].get_text(" ")) == "2 links ₹1,004.00"
    menus = [words(each.get_text(" ")) for each in page.all(".follow-several .follow-more .follow-about")]
    assert menus == ["MH12 AB 1001 ₹501.00", "MH14 GH 2300 ₹503.00"], "each menu says which of the links it is about"
    assert page.one(".follow-several .follow-phone")["href"] == "tel:+919876543210"
    assert "Send 2 links MH12 AB 1001, MH14 GH 2300 to Ramesh Kumar by WhatsApp, in a new tab" in page.buttons()
    assert not page.all(".follow-acts a"), "what is alone is sent in its row"


def test_a_link_that_was_made_elsewhere_is_said_to_be_found_and_not_created(
    staff: WebClient, levers: Levers, entered: Ledger, clock: Any
) -> None:
    entered.enter(1, rc="MH14GH2300", expires_at=clock() + timedelta(hours=20), observed=True)
    own = makes_a_link(staff)
    page = staff.page("/follow-up")
    found = words(page.one(f"#contact-{link_id(1)}").get_text(" "))
    assert "Created elsewhere, found " in found
    assert "Created today" not in found
    assert "by Asha Rao" in words(page.one(f"#contact-{own}").get_text(" "))
