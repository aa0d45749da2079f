"""Test what the list of links offers on each row, and for the rows that are ticked."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from dashboard.services.container import Services
from dashboard.store.accounts import people
from dashboard.store.sharing import drivers, shares
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import ASHA
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.links.test_list import Ledger, link_id, shown, words_of
from tests.web.steps import RC

PAY = "https://pay.example/1"
ON_LIST = {**HTMX, "HX-Target": "links-list", "HX-Current-URL": "http://localhost/links?state=ACTIVE"}


@pytest.fixture
def made(staff: WebClient, five: dict[str, str]) -> list[str]:
    steps.searches(staff)
    return [steps.link_of(steps.create(staff, number)) for number in ("MH1001", "MH1002")]


def drives(services: Services, name: str, phone: str | None) -> int:
    """Add a driver who usually drives the vehicle."""
    with services.store.read() as connection:
        person = people.find_by_email(connection, ASHA.email)
    assert person is not None
    with services.store.write() as connection:  # Not by the service, which refuses what is no phone number.
        details = DriverDetails(name, phone, None, "en", None, (RC,))
        return drivers.add(connection, details, at=services.clock(), by=person.id)


def row(page: Page, of: str) -> Any:
    return page.one(f'tr[data-row="{of}"]')


def test_the_usual_driver_is_named_and_reached_by_whatsapp_from_the_row(
    staff: WebClient, manager: WebClient, made: list[str], services: Services
) -> None:
    driver = drives(services, "Ramesh Kumar", "98200 12345")
    page = staff.page("/links")
    shown_row = row(page, made[0])
    assert shown_row.select_one(".driver").get_text() == "Usual driver: Ramesh Kumar Not sent yet"
    assert shown_row.select_one(".driver bdi")["title"] == "Usual driver: Ramesh Kumar", "it is said to whoever points"
    at_home = words_of(staff.page("/").one(f"[data-row='{made[0]}'] .given"))
    sends = "Send MH12 AB 1001 to Ramesh Kumar by WhatsApp, in a new tab"
    assert at_home == f"Not sent yet Usual driver: Ramesh Kumar {sends}", "in a word that is seen"
    names = {"/": f"[data-row='{made[0]}'] .given-name", "/follow-up": f"#driver-{made[0]} > a:not(.sub)"}
    for address, name in names.items():
        usual = staff.page(address).one(name)
        assert usual["title"] == "Usual driver: Ramesh Kumar", "nobody was sent it"
    button = shown_row.select_one("button[name=driver]")
    assert words_of(button) == "Send MH12 AB 1001 to Ramesh Kumar by WhatsApp, in a new tab"
    assert button["form"] == page.one("#links-remind")["id"]
    answer = staff.post(str(button["formaction"]), data={"driver": button["value"], "csrf_token": staff.csrf_token()})
    assert answer.headers["Location"] == f"/links/{made[0]}/nudge?driver={driver}"
    for address, name in names.items():
        usual = staff.page(address).one(name)
        assert usual["title"] == "Ramesh Kumar", "he has it"
    again = row(manager.page("/links"), made[0])
    assert words_of(again.select_one(".driver")).startswith("Ramesh Kumar Sent today ")
    assert not again.select("form, button[name=driver]"), "it is too early to remind him"


def test_a_send_from_the_row_is_said_there_and_can_be_taken_back(
    staff: WebClient, made: list[str], services: Services, clock: Any
) -> None:
    driver = drives(services, "Ramesh Kumar", "98200 12345")
    staff.page("/links?state=ACTIVE")

    def send() -> None:
        staff.post(f"/links/{made[0]}/nudge", data={"driver": driver, "csrf_token": staff.csrf_token()})

    send()
    page = staff.page("/links?state=ACTIVE")
    said = words_of(row(page, made[0]).select_one(".driver"))
    assert re.fullmatch(r"Ramesh Kumar Sent \d+:\d\d [ap]m · Undo marking it as sent", said), said
    assert not row(page, made[0]).select("button[name=driver]"), "it is too early to remind him"
    undo = row(page, made[0]).select_one(".follow-undo")
    assert (undo["hx-post"], undo["hx-target"]) == (undo["action"], "#links-list")
    fields = {each["name"]: each["value"] for each in undo.select("input")}
    region = Page(staff, staff.post(undo["action"], data=fields, headers=ON_LIST), region=True)
    assert "Not sent yet" in words_of(row(region, made[0]).select_one(".driver"))
    assert "2 links match this filter" in region.text, "the list stays as it was filtered"
    send()
    clock.advance(minutes=11)
    later = row(staff.page("/links"), made[0])
    said = words_of(later.select_one(".driver"))
    assert re.match(r"Ramesh Kumar Sent (today|yesterday) ", said), f"{said}: midnight may have passed"
    assert not later.select("button[name=driver]")


def test_a_sent_link_is_reminded_of_once_it_has_rested_and_not_while_it_is_snoozed(
    staff: WebClient, entered: Ledger, services: Services, clock: Any
) -> None:
    ramesh = drives(services, "Ramesh Kumar", "98200 12345")
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    with services.store.write() as connection:
        shares.add(
            connection,
            link_id=link_id(1),
            driver_id=ramesh,
            channel=Channel.WHATSAPP,
            language="en",
            person_id=1,
            at=clock() - timedelta(hours=13),
        )
    lists = ("/links", f"/drivers/{ramesh}")
    for address in lists:
        button = row(staff.page(address), link_id(1)).select_one(".acts button[name=driver]")
        assert words_of(button) == "Remind Ramesh Kumar about MH12 AB 1001 by WhatsApp, in a new tab"
        assert button["class"] == ["button"], "it is not what is next"
    assert "Remind Ramesh Kumar" in words_of(staff.page("/drivers").one(".driver-act"))
    services.follow_ups.snooze(link_id(1), clock() + timedelta(hours=4), 1)
    for address in lists:
        acts = row(staff.page(address), link_id(1)).select_one(".acts")
        assert not acts.select("button[name=driver]")
        snoozed = acts.select_one(".given-snoozed")
        assert words_of(snoozed).startswith("Snoozed till ")
        assert snoozed["href"] == f"/links/{link_id(1)}", "where it is sent all the same"
    assert words_of(staff.page("/drivers").one(".driver-act")).startswith("Snoozed till ")
    assert not [each for each in staff.page(f"/drivers/{ramesh}").all("a") if "Remind" in each.get_text()]
    assert "Remind" in staff.page(f"/links/{link_id(1)}").text


def test_the_undo_of_a_message_names_those_of_its_links_that_were_not_paid_whichever_the_list_shows(
    staff: WebClient, entered: Ledger, services: Services
) -> None:
    ramesh = drives(services, "Ramesh Kumar", "98200 12345")
    links = [entered.enter(number, payment_url=PAY) for number in (1, 2, 3)]
    services.sharing.record_message(links, Channel.WHATSAPP, 1, ramesh, "en")
    entered.enter(3, status="PAID")
    page = staff.page("/links?state=ACTIVE")
    assert shown(page) == [2, 1]
    assert words_of(row(page, links[1]).select_one(".follow-undo button")) == "Undo both links marked as sent"
    assert len(page.all(".follow-undo")) == 1, "once, in the first of its rows"
    assert "Sent" in words_of(row(page, links[0]).select_one(".driver"))
    driver = staff.page(f"/drivers/{ramesh}")
    undo = driver.one("#open-links .section-head .sent-now")
    assert re.match(r"Not sent\? Undo both links", words_of(undo))
    for hidden in undo.select(".vh"):
        hidden.decompose()
    assert words_of(undo) == "Not sent? Undo both", "the sending is taken back, not the links"
    assert len(driver.all("#open-links .follow-undo")) == 1, "of both, and of neither row alone"
    staff.read(page.submit("Undo both links marked as sent"))
    page = staff.page("/links")
    assert not page.all(".follow-undo")
    assert words_of(row(page, links[2]).select_one(".driver")).startswith("Ramesh Kumar Sent "), "it was paid"
    assert words_of(row(page, links[1]).select_one(".driver")).endswith("Not sent yet")


@pytest.mark.parametrize("phone", [None, "ask the depot"])
def test_a_driver_without_a_phone_is_shared_with_on_the_share_page(
    staff: WebClient, made: list[str], services: Services, phone: str | None
) -> None:
    drives(services, "Ramesh Kumar", phone)
    shown_row = row(staff.page("/links"), made[0])
    assert not shown_row.select("button[name=driver]")
    assert shown_row.select_one("a.button")["href"] == f"/links/{made[0]}/share"


def test_of_two_usual_drivers_none_is_chosen(staff: WebClient, made: list[str], services: Services) -> None:
    drives(services, "Ramesh Kumar", "98200 12345")
    drives(services, "Suresh Patil", "98200 12346")
    assert words_of(row(staff.page("/links"), made[0]).select_one(".driver")) == "No driver Not sent yet"


def test_a_link_that_must_not_be_shared_offers_neither_copy_nor_whatsapp(
    staff: WebClient, made: list[str], services: Services, levers: Levers
) -> None:
    drives(services, "Ramesh Kumar", "98200 12345")
    assert row(staff.page("/links"), made[1]).select("[data-copy-source], button[name=driver]")
    levers.pay(made[1])
    services.link_poller.refresh(made[1])
    levers.set_link(made[0], raw={"paymentUrl": "javascript:alert(1)"})
    services.link_poller.refresh(made[0])
    page = staff.page("/links")
    assert words_of(row(page, made[0]).select_one(".acts")) == "Check first · MH12 AB 1001"
    assert not row(page, made[1]).select("[data-copy-source], button[name=driver]")
    assert (
        words_of(row(page, made[0]).select_one(".driver"))
        == "Usual driver: Ramesh Kumar Cannot be sent payment URL not safe"
    )
    assert words_of(row(page, made[1]).select_one(".driver")) == "", "nobody was sent the link that is paid"
    assert "javascript:" not in page.response.text


ODDNESSES: list[dict[str, Any]] = [{"status": "ON_HOLD"}, {"listed": "KA05MN4321"}, {"asks": Decimal(400)}]


@pytest.mark.parametrize(
    ("oddness", "why"),
    [
        (ODDNESSES[0], "we do not know this state"),
        (ODDNESSES[1], "challan of another vehicle"),
        (ODDNESSES[2], "amounts do not match"),
    ],
    ids=["state", "challan", "amounts"],
)
def test_an_odd_link_that_nobody_has_is_checked_before_it_is_sent_or_copied(
    staff: WebClient, entered: Ledger, services: Services, oddness: dict[str, Any], why: str
) -> None:
    ramesh = drives(services, "Ramesh Kumar", "98200 12345")
    for number in (1, 2):
        entered.enter(number, payment_url=PAY, **oddness)
    given(services, 2, ramesh)
    found = [] if "status" in oddness else ["/find?q=mh12 active"]
    for address in ("/links", f"/drivers/{ramesh}", *found):
        page = staff.page(address)
        acts = row(page, link_id(1)).select_one(".acts")
        assert words_of(acts) == "Check first · MH12 AB 1001", "as Home says, and the vehicles"
        assert acts.select_one("a")["href"] == f"/links/{link_id(1)}"
        if page.all(f"#row-{link_id(1)}"):
            assert f"Not sent yet {why}" in words_of(row(page, link_id(1))), "Home counts it apart"
        assert "Check first" not in words_of(row(page, link_id(2)).select_one(".acts")), "somebody has it already"
    boxes = staff.page("/links").all("tbody [name=link]")
    assert {each["value"]: each["data-traits"] for each in boxes} == {
        link_id(1): "open unsent withheld",
        link_id(2): "open ready",
    }


def test_a_row_that_is_over_offers_the_receipt_or_another_link(
    staff: WebClient, made: list[str], services: Services, levers: Levers
) -> None:
    levers.pay(made[0])
    levers.set_link(made[1], raw={"status": "EXPIRED"})
    for each in made:
        services.link_poller.refresh(each)
    page = staff.page("/links")
    offered = [row(page, each).select_one(".acts a") for each in made]
    assert [words_of(each) for each in offered] == ["Receipt · MH12 AB 1001", "Create again · MH12 AB 1001"]
    assert [each["href"] for each in offered] == [f"/links/{made[0]}/receipt", f"/links/{made[1]}"]
    assert "Receipt" in staff.page(str(offered[0]["href"])).text
    assert "Create again" in staff.page(str(offered[1]["href"])).buttons()


def test_whoever_a_row_names_is_found_by_filter_and_by_name(
    staff: WebClient, made: list[str], services: Services, levers: Levers
) -> None:
    driver = drives(services, "Ramesh Kumar", "98200 12345")
    levers.fail(made[1])
    services.link_poller.refresh(made[1])
    named = {each: words_of(row(staff.page("/links"), each).select_one(".driver")) for each in made}
    assert named == {
        made[0]: "Usual driver: Ramesh Kumar Not sent yet",
        made[1]: "Usual driver: Ramesh Kumar Not sent",
    }
    for asked in (f"driver={driver}", "q=ramesh", "q=Kumar"):
        assert {each["data-row"] for each in staff.page(f"/links?{asked}").all("tr[data-row]")} == set(made), asked
        assert [each["data-row"] for each in staff.page(f"/links?{asked}&state=FAILED").all("tr[data-row]")] == made[1:]
    assert not staff.page("/links?q=lakshmi").all("tr[data-row]")


def test_of_a_failed_link_the_driver_is_asked_before_another_is_offered(
    staff: WebClient, made: list[str], services: Services, levers: Levers
) -> None:
    levers.fail(made[1])
    services.link_poller.refresh(made[1])
    page = staff.page("/links")
    assert words_of(row(page, made[1]).select_one(".driver")) == "No driver Was money taken?", "what is checked first"
    assert words_of(row(page, made[1]).select_one(".acts a")) == "Check payment · MH12 AB 1001"
    unsent = staff.page("/follow-up").one(f"#follow-failed #first-{made[1]}")
    assert words_of(unsent) == "Check payment · MH12 AB 1001", "nobody was given it"
    services.sharing.record_share(made[1], Channel.SMS, 1, None, "en")
    offered = row(staff.page("/links"), made[1]).select_one(".acts a")
    assert words_of(offered) == "Ask driver · MH12 AB 1001"
    assert staff.page(str(offered["href"])).all("form[action$='/ask']")
    queue = staff.page("/follow-up")
    assert words_of(queue.one(f"#first-{made[1]}")).startswith("Ask driver for MH12 AB 1001")


def test_an_ended_link_leads_to_the_one_that_all_its_challans_are_on_by_now(
    staff: WebClient, made: list[str], services: Services, levers: Levers
) -> None:
    driver = drives(services, "Ramesh Kumar", "98200 12345")
    staff.post(f"/links/{made[0]}/nudge", data={"driver": driver, "csrf_token": staff.csrf_token()})
    for each in made:
        levers.expire(each)
        services.link_poller.refresh(each)
    new = steps.link_of(
        staff.read(staff.page(f"/links/{made[0]}").submit("Create again")).submit("Create payment link")
    )
    page = staff.page("/links")
    led, free = (row(page, each).select_one(".acts a") for each in made)
    assert (words_of(led), led["href"]) == ("See new link · MH12 AB 1001", f"/links/{new}")
    assert "button-quiet" in led["class"]
    assert words_of(free) == "Create again · MH12 AB 1001", "its challans are on no other link"
    when = words_of(row(page, made[0]).select_one(".when"))
    assert re.fullmatch(r"today .+ replaced \d+:\d\d [ap]m", when), when
    of_driver = staff.page(f"/drivers/{driver}")
    assert words_of(of_driver.all("#main .acts a")[-1]) == "See new link · MH12 AB 1001"
    assert "replaced " in words_of(of_driver.all(".driver-when")[-1])
    levers.expire(new)
    services.link_poller.refresh(new)
    assert words_of(row(staff.page("/links"), made[0]).select_one(".acts a")) == "Create again · MH12 AB 1001"


def test_a_copied_link_is_recorded_and_no_longer_not_sent(staff: WebClient, made: list[str]) -> None:
    copy = row(staff.page("/links?only=not-sent"), made[0]).select_one("copy-field")
    headers = {"X-CSRFToken": staff.csrf_token(), "HX-Request": "true"}
    assert staff.post(str(copy["data-copied"]), headers=headers).status_code == 204
    assert words_of(row(staff.page("/links"), made[0]).select_one(".driver")).startswith("No driver Copied today ")
    assert made[0] not in staff.page("/links?only=not-sent").response.text


def test_a_link_that_only_its_page_copied_is_not_sent_yet_until_a_person_copies_it(
    staff: WebClient, made: list[str]
) -> None:
    link, headers = made[0], {"X-CSRFToken": staff.csrf_token(), "HX-Request": "true"}
    assert staff.post(f"/links/{link}/copied", data={"unasked": "yes"}, headers=headers).status_code == 204
    assert "Not sent yet" in words_of(row(staff.page("/links"), link).select_one(".driver"))
    assert link in staff.page("/links?only=not-sent").response.text
    assert staff.page("/follow-up").all(f"#follow-not-sent #follow-{link}")
    assert "Not sent yet" in staff.page("/follow-up").one(f"#follow-{link}").get_text()
    panel = staff.page(f"/links/{link}")
    assert "Not sent yet" in panel.one("#link-panel").get_text()
    assert "Copied on creation · Asha Rao" in panel.text
    figure = staff.page("/").text
    assert re.search(r"Not sent .{0,60}\b2 links", figure), figure

    assert staff.post(f"/links/{link}/copied", headers=headers).status_code == 204
    assert "Copied today" in words_of(row(staff.page("/links"), link).select_one(".driver"))
    assert link not in staff.page("/links?only=not-sent").response.text
    assert staff.page("/follow-up").all(f"#follow-sent #follow-{link}")
    panel = staff.page(f"/links/{link}")
    assert "Copied only, " in panel.one("#link-panel").get_text()
    assert panel.text.count("Payment URL copied") == 1, "what the page copied and what a person did is one entry"
    assert "Not sent yet" not in panel.one("#link-panel").get_text()
    assert re.search(r"Not sent .{0,60}\b1 link\b", staff.page("/").text)


def test_lists_do_not_say_that_a_link_created_elsewhere_was_not_sent_at_all(
    staff: WebClient, app: Flask, five: dict[str, str]
) -> None:
    made = steps.elsewhere(app, *sorted(five.values())[:2])
    steps.searches(staff)
    assert "Not sent from here" in staff.page("/follow-up").one(f"#follow-{made}").get_text()
    for address in ("/links", "/", "/vehicles", steps.VEHICLE, f"/links/{made}"):
        page = staff.page(address).text.lower()
        assert "not sent from here" in page, address
        assert "not sent yet" not in page, address


def test_the_list_asks_the_same_for_any_number_of_links(
    staff: WebClient, app: Flask, clock: Any, services: Services
) -> None:
    entered = Ledger(services, clock)
    asked: list[str] = []
    event.listen(services.store.engine, "before_cursor_execute", lambda *arguments: asked.append(arguments[2]))
    counts = []
    for numbers in (range(1, 3), range(3, 50)):
        for number in numbers:
            entered.enter(number, f"MH12AB{number % 5:04}")
        asked.clear()
        assert staff.get("/links").status_code == 200
        counts.append(len(asked))
    assert counts[1] <= counts[0]


# Ticked rows


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def sends(visitor: WebClient, action: str, *numbers: int, headers: dict[str, str] | None = None) -> Any:
    data = {"link": [link_id(number) for number in numbers], "csrf_token": visitor.csrf_token()}
    return visitor.post(f"/links/chosen/{action}", data=data, headers=headers)


def test_the_ticked_links_are_exported_and_no_others(manager: WebClient, entered: Ledger) -> None:
    for number in (1, 2, 3):
        entered.enter(number)
    answer = sends(manager, "export", 1, 3)
    exported = manager.get(answer.headers["Location"]).text
    assert [number for number in (1, 2, 3) if link_id(number) in exported] == [1, 3]


def test_staff_may_not_export_what_they_ticked(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    assert sends(staff, "export", 1).status_code == 403
    assert "Export the chosen" not in staff.page("/links").buttons()


def test_ticked_links_wait_in_follow_up_until_somebody_is_given_them(
    staff: WebClient, entered: Ledger, services: Services
) -> None:
    for number in (1, 2):
        entered.enter(number)
        entered.shared(number, ASHA.email)
    entered.enter(3, status="PAID")
    assert staff.page("/follow-up").all(f"#follow-sent #follow-{link_id(1)}"), "nobody waits for it"
    region = Page(staff, sends(staff, "follow-up", 1, 3, headers=ON_LIST), region=True)
    assert shown(region) == [2, 1], "the list stays as it was filtered"
    assert "1 link is in Follow up. 1 was left out: it can no longer be paid." in region.text
    page = staff.page("/follow-up")
    assert [number for number in (1, 2, 3) if page.all(f"#follow-{link_id(number)}")] == [1, 2]
    assert page.all(f"#follow-chosen #follow-{link_id(1)}")
    entered.clock.advance(minutes=1)
    entered.shared(2, ASHA.email)
    page = staff.page("/follow-up")
    assert page.all(f"#follow-chosen #follow-{link_id(1)}"), "only another link was given to somebody"
    entered.shared(1, ASHA.email)
    assert staff.page("/follow-up").all(f"#follow-just-sent #follow-{link_id(1)}")


def test_without_a_tick_nothing_is_done_and_the_list_says_so(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    page = staff.read(sends(staff, "follow-up"))
    assert "Tick at least one link first." in page.text


def test_ticked_links_are_sent_one_message_after_the_other_and_others_are_named(
    staff: WebClient, made: list[str], services: Services, levers: Levers
) -> None:
    def send(*chosen: str) -> Page:
        data = {"link": list(chosen), "csrf_token": staff.csrf_token()}
        return staff.read(staff.post("/links/chosen/send", data=data))

    assert "Choose drivers first." in send(made[0]).text
    drives(services, "Ramesh Kumar", "98200 12345")
    page = send(*made)
    assert "Ramesh Kumar" in page.one("#reminder").get_text()
    assert "in no message" not in page.text
    levers.pay(made[0])
    steps.check(staff, made[0])
    page = send(*made)
    assert page.one("#reminder")
    assert page.one("#left-out-title").get_text() == "1 chosen link is in no message"
    assert "Paid MH12 AB 1001" in words_of(page.one("#left-out-title + ul"))
    assert "None of the chosen links can still be paid" in send(made[0]).text


def test_a_chosen_link_that_no_message_names_says_what_it_lacks_and_joins_once_it_has_that(
    staff: WebClient, entered: Ledger, services: Services
) -> None:
    drives(services, "Ramesh Kumar", "98200 12345")
    entered.enter(1, payment_url=PAY)
    entered.enter(2, rc="KA05MN4321", payment_url=PAY)
    data = {"link": [link_id(1), link_id(2)], "csrf_token": staff.csrf_token()}
    headers = {"Referer": "http://localhost/links?state=ACTIVE&row=1"}
    address = staff.post("/links/chosen/send", data=data, headers=headers).headers["Location"]
    page = staff.page(address)
    assert page.link("Payment links") == "/links?state=ACTIVE", "where they were chosen"
    assert page.link("Skip and finish" if page.all(".reminder-bar") else "Back") == "/links?state=ACTIVE"
    assert page.one("#site-nav")["data-place"] == "links"
    lacking = page.one("#left-out-title + ul a")
    assert words_of(lacking) == "No driver Send to… KA05 MN 4321 ₹502.00"
    assert lacking["href"] == f"/links/{link_id(2)}/share"
    details = DriverDetails("Lakshmi Devi", None, None, "hi", None, ("KA05MN4321",))
    driver = services.drivers.add(details, 1)
    lacking = staff.page(address).one("#left-out-title + ul a")
    assert words_of(lacking).startswith("Lakshmi Devi No phone number Add phone number")
    assert lacking["href"] == f"/drivers/{driver}?change=phone"
    services.drivers.change(driver, replace(details, phone="98200 54321"), None)
    page = staff.page(address)
    assert not page.all("#left-out-title")
    rows = [words_of(each) for each in page.all(".reminder-list a")]
    assert [row.split(" Ends")[0] for row in rows] == ["Ramesh Kumar", "Lakshmi Devi"]
    assert "हिन्दी" in rows[1], "in which language they are written to"


def given(services: Services, number: int, driver: int) -> None:
    """Mark a link as sent to a driver on WhatsApp."""
    services.sharing.record_share(link_id(number), Channel.WHATSAPP, 1, driver, "en")


def test_of_the_ticked_links_those_that_were_not_sent_go_first_and_a_reminder_is_a_choice_of_its_own(
    staff: WebClient, entered: Ledger, services: Services, clock: Any
) -> None:
    ramesh = drives(services, "Ramesh Kumar", "98200 12345")
    services.drivers.add(DriverDetails("Lakshmi Devi", "98200 54321", None, "hi", None, ("KA05MN4321",)), 1)
    for number, rc in ((1, RC), (2, RC), (3, "KA05MN4321"), (4, "WB19F2048")):
        entered.enter(number, rc=rc, payment_url=PAY)
    given(services, 1, ramesh)
    clock.advance(minutes=5)

    def send(*numbers: int, **more: str) -> tuple[str, Page]:
        data = {"link": [link_id(number) for number in numbers], "csrf_token": staff.csrf_token(), **more}
        address = staff.post("/links/chosen/send", data=data).headers["Location"]
        return address, staff.page(address)

    def messages(page: Page) -> list[str]:
        return [words_of(each).split(" Ends")[0] for each in page.all("[aria-label=Messages] a")]

    def left_out(page: Page) -> list[str]:
        return [re.sub(r"\d+:\d\d [ap]m", "TIME", words_of(each)) for each in page.all("#left-out-title + ul a")]

    address, page = send(1, 2, 3, 4)
    assert messages(page) == ["Ramesh Kumar", "Lakshmi Devi"]
    assert page.one("#reminder")["data-row"] == link_id(2)
    assert len(page.all(".reminder-links li")) == 1, "its driver has the other one already"
    assert left_out(page) == [
        "No driver Send to… WB19 F 2048 ₹504.00",
        "Ramesh Kumar Sent TIME Remind MH12 AB 1001 ₹501.00",
    ]
    given(services, 2, ramesh)
    page = staff.page(address)
    assert messages(page)[0].startswith("Ramesh Kumar Sent"), "what is sent here stays a message"
    assert len(left_out(page)) == 2
    _address, page = send(1, 2, 3, 4, remind="yes")
    assert page.one("#reminder")["data-row"] == link_id(1)
    assert len(page.all(".reminder-links li")) == 2
    assert left_out(page) == [
        "No driver Send to… WB19 F 2048 ₹504.00",
        "Lakshmi Devi Not sent yet Send to… KA05 MN 4321 ₹503.00",
    ]
    _address, page = send(1, 4)
    assert page.one("#reminder")["data-row"] == link_id(1), "where none can be sent, they are reminded"


def test_who_was_sent_a_link_before_joins_no_message_by_a_new_number(
    staff: WebClient, entered: Ledger, services: Services, clock: Any
) -> None:
    drives(services, "Ramesh Kumar", "98200 12345")
    details = DriverDetails("Lakshmi Devi", None, None, "hi", None, ("KA05MN4321",))
    lakshmi = services.drivers.add(details, 1)
    entered.enter(1, payment_url=PAY)
    entered.enter(2, rc="KA05MN4321", payment_url=PAY)
    given(services, 2, lakshmi)
    clock.advance(minutes=5)
    data = {"link": [link_id(1), link_id(2)], "csrf_token": staff.csrf_token()}
    address = staff.post("/links/chosen/send", data=data).headers["Location"]
    services.drivers.change(lakshmi, replace(details, phone="98200 54321"), None)
    page = staff.page(address)
    assert not page.all("[aria-label=Messages] a"), "there is one message, to somebody else"
    assert page.one("#reminder")["data-row"] == link_id(1)
    lacking = words_of(page.one("#left-out-title + ul a"))
    assert re.match(r"Lakshmi Devi Sent \d+:\d\d [ap]m Remind KA05", lacking), lacking


@pytest.mark.parametrize("oddness", ODDNESSES, ids=["state", "challan", "amounts"])
def test_an_odd_link_that_was_chosen_is_in_no_message_until_it_was_checked(
    staff: WebClient, entered: Ledger, services: Services, oddness: dict[str, Any]
) -> None:
    drives(services, "Ramesh Kumar", "98200 12345")
    entered.enter(1, payment_url=PAY)
    entered.enter(2, payment_url=PAY, **oddness)

    def send(*numbers: int) -> Any:
        return sends(staff, "send", *numbers)

    address = send(1, 2).headers["Location"]
    page = staff.page(address)
    assert len(page.all(".reminder-links li")) == 1, "the message names the other one"
    left_out = page.one("#left-out-title + ul a")
    assert left_out["href"] == f"/links/{link_id(2)}"
    assert words_of(left_out).endswith(f"Check first MH12 AB 1001 ₹{oddness.get('asks', 502)}.00")
    alone = staff.read(send(2))
    assert "None of the chosen links can be sent now. Open each to see why." in alone.text
    entered.enter(2, payment_url=PAY)
    page = staff.page(address)
    assert not page.all("#left-out-title"), "it is as it should be"
    assert len(page.all(".reminder-list a")) == 2


def test_of_links_that_must_not_be_shared_no_driver_is_asked_for(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, payment_url=None)
    entered.enter(2, rc="KA05MN4321", payment_url=PAY)
    assert "None of the chosen links can be sent now." in staff.read(sends(staff, "send", 1)).text
    assert "Choose drivers first." in staff.read(sends(staff, "send", 1, 2)).text


def test_a_ticked_link_counts_as_ready_where_a_message_of_its_names_it(
    staff: WebClient, entered: Ledger, services: Services
) -> None:
    ramesh = drives(services, "Ramesh Kumar", "98200 12345")
    for number in (1, 2, 3):
        entered.enter(number, payment_url=PAY)
    given(services, 1, ramesh)
    entered.shared(2, ASHA.email)  # To a number, by SMS.
    page = staff.page("/links")
    traits = [page.one(f"[name=link][value='{link_id(number)}']")["data-traits"] for number in (1, 2, 3)]
    assert traits == ["open ready", "open", "open unsent ready"]


def test_that_links_are_followed_up_is_taken_back_unless_they_were_asked_for_before(
    staff: WebClient, entered: Ledger, services: Services
) -> None:
    for number in (1, 2):
        entered.enter(number)
        entered.shared(number, ASHA.email)
    done = staff.read(sends(staff, "follow-up", 1, 2))
    assert done.all("form[action='/links/chosen/follow-up/undo']")
    after = staff.read(done.submit("Undo"))
    assert "Undone: 2 links are not in Follow up for this any more." in after.text
    assert not staff.page("/follow-up").all("#follow-chosen [data-row]")
    staff.read(sends(staff, "follow-up", 1))
    again = staff.read(sends(staff, "follow-up", 1))
    assert not again.all("form[action='/links/chosen/follow-up/undo']"), "it was asked for before"


def test_what_was_snoozed_since_stays_so_when_its_follow_up_is_taken_back(
    staff: WebClient, entered: Ledger, services: Services, clock: Any
) -> None:
    for number in (1, 2):
        entered.enter(number)
        entered.shared(number, ASHA.email)
    done = staff.read(sends(staff, "follow-up", 1, 2))
    clock.advance(seconds=5)
    services.follow_ups.snooze(link_id(2), services.clock() + timedelta(hours=3), 1)
    after = staff.read(done.submit("Undo"))
    assert "Undone: 1 link is not in Follow up for this any more." in after.text
    assert staff.page("/follow-up").all(f"#follow-snoozed [data-row='{link_id(2)}']")


def test_cards_have_a_box_that_chooses_all_of_a_page(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    assert words_of(staff.page("/links").one(".links-pick-all")) == "Choose all on this page"


def test_whoever_opened_a_message_for_a_number_says_in_its_row_whether_it_was_sent(
    staff: WebClient, manager: WebClient, made: list[str], services: Services
) -> None:
    def opens() -> None:
        button = "WhatsApp to the chosen driver , in a new tab"
        staff.page(f"/links/{made[0]}").submit(button, to="98200 99999")

    opens()
    page = staff.page("/links")
    assert words_of(row(page, made[0]).select_one(".driver")) == "+91 98200 99999 Was it sent?"
    home = staff.page("/").one("a.figure[href='/links?only=not-sent']").parent
    said = "1 has no driver 1 to confirm Follow up · 1 to confirm"
    assert words_of(home.select_one(".figure-lines")) == said, "as Follow up has it"
    assert "1 to confirm · 1 has no driver" in words_of(staff.page("/follow-up").one("#follow-count"))
    assert "Not sent" not in manager.page("/links").buttons(), "nobody else knows"
    region = Page(staff, page.form("Not sent").submit(headers=ON_LIST), region=True)
    assert words_of(row(region, made[0]).select_one(".driver")) == "No driver Not sent yet"
    opens()
    region = Page(staff, staff.page("/links").form("Yes, sent").submit(headers=ON_LIST), region=True)
    assert words_of(row(region, made[0]).select_one(".driver")).startswith("Other number Sent ")
    assert "has no driver" not in words_of(staff.page("/").one("a.figure[href='/links?only=not-sent']").parent)
