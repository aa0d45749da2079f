"""Test the duplicate alarm: a banner on every page until a manager acknowledges it with a note."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from sqlalchemy import event, update
from werkzeug.test import TestResponse

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from dashboard.services.container import Services
from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from dashboard.store.links import links
from dashboard.store.links.tables import link
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import MEERA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.home.test_home import figures
from tests.web.sharing.steps import adds_a_driver, prepares, shares
from tests.web.steps import RC, REVIEW, VEHICLE

TITLE = "Money may be paid twice"
FIELD = "What was done about it"
NOTE = "The driver was told at the depot not to pay the new link."


@pytest.fixture
def pair(staff: WebClient, five: dict[str, str], levers: Levers, services: Services) -> tuple[str, str]:
    """Create an expired link and its replacement link, without an alarm yet."""
    steps.searches(staff)
    old = steps.link_of(steps.create(staff))
    levers.expire(old)
    steps.check(staff, old)
    review = staff.read(staff.page(f"/links/{old}").submit("Create again"))
    return old, steps.link_of(review.submit("Create payment link"))


@pytest.fixture
def alarmed(pair: tuple[str, str], levers: Levers, services: Services, clock: MovableClock) -> tuple[str, str]:
    """Pay the old link late, while its replacement can still be paid."""
    becomes(levers, services, clock, pair[0], "PAID")
    return pair


def becomes(levers: Levers, services: Services, clock: MovableClock, link_id: str, status: str) -> None:
    """Change the link's status at the service, and poll it."""
    levers.pay(link_id) if status == "PAID" else levers.set_link(link_id, status=status)
    clock.advance(minutes=1)
    services.link_poller.refresh(link_id)


def banner(page: Page) -> str:
    found = page.all(".banner")
    assert len(found) <= 1
    return words(found[0].get_text(" ")) if found else ""


def alarm(page: Page) -> str:
    found = page.all("#double-alarm")
    return words(found[0].get_text(" ")) if found else ""


def everywhere(visitor: WebClient, pair: tuple[str, str]) -> dict[str, str]:
    """Return the banner of every kind of page, by address."""
    pages = ["/", "/vehicles", VEHICLE, "/vehicles/KA05MN4321", f"/links/{pair[0]}", f"/links/{pair[1]}"]
    shown = {address: banner(visitor.page(address)) for address in pages}
    return shown | {"/nowhere": banner(visitor.page("/nowhere", status=404))}


def acknowledges(visitor: WebClient, link_id: str, note: str = NOTE) -> TestResponse:
    return visitor.page(f"/links/{link_id}").submit("Save the note", note=note)


# On every page


def test_a_replacement_without_a_late_payment_is_no_alarm(
    staff: WebClient, pair: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    becomes(levers, services, clock, pair[1], "PAID")
    assert set(everywhere(staff, pair).values()) == {""}
    for link_id in pair:
        assert alarm(staff.page(f"/links/{link_id}")) == ""


@pytest.mark.parametrize("who", ["staff", "manager", "admin"])
def test_a_late_payment_beside_a_replacement_link_is_on_every_page_for_everybody(
    request: pytest.FixtureRequest, alarmed: tuple[str, str], who: str
) -> None:
    visitor: WebClient = request.getfixturevalue(who)
    for address, said in everywhere(visitor, alarmed).items():
        assert TITLE in said, address
        assert "MH12 AB 1001" in said, address
    page = visitor.page("/vehicles")
    named = {str(a["href"]): words(a.get_text()) for a in page.all(".banner a")}
    assert named.keys() == {f"/links/{link_id}" for link_id in alarmed}
    assert named[f"/links/{alarmed[0]}"].endswith(": Paid")
    assert named[f"/links/{alarmed[1]}"].endswith(": Active")


def test_a_link_that_is_active_again_beside_its_replacement_is_an_alarm(
    staff: WebClient, pair: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    becomes(levers, services, clock, pair[0], "ACTIVE")
    assert all(TITLE in said for said in everywhere(staff, pair).values())
    page = staff.page(f"/links/{pair[0]}")
    assert "can both be paid. Share only one, and tell the driver who has another not to pay it." in alarm(page)
    assert words(page.all("#double-alarm .alarm > p")[0].get_text()).count("ends on") == 2


def test_one_of_two_payable_links_is_sent_only_after_a_look_at_both(
    staff: WebClient, manager: WebClient, pair: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    assert "Not sent" in figures(staff.page("/"))
    becomes(levers, services, clock, pair[0], "ACTIVE")
    page = staff.page("/")
    assert "Not sent" not in figures(page), "none of them is offered to be sent at one tap"
    assert not [button for button in page.buttons() if button.startswith("Send")]
    rows = [words(each.get_text(" ")) for each in page.all("[data-row]") if "Active" in each.get_text()]
    assert len(rows) == 2
    assert all("Check first" in row for row in rows)
    assert page.text.count("Two active links have the same challans") == 1, "the alarm says it, and no other row"
    assert "Only one may be paid: send only one." in page.one(".attention-item.meaning-wrong").get_text()
    assert "Check before you send it" not in page.text
    for link_id in pair:
        card = staff.page(f"/links/{link_id}").text
        assert "Send only one of these links If both are paid, money is paid twice." in card
        assert "Another link has the same challans. Send only one" in staff.page(f"/links/{link_id}/share").text
    acknowledges(manager, pair[0])
    assert "Not sent" in figures(staff.page("/"))
    assert "Send only one of these links" not in staff.page(f"/links/{pair[0]}").text


def test_whoever_is_not_signed_in_reads_nothing_of_it(visitor: WebClient, alarmed: tuple[str, str]) -> None:
    page = visitor.page("/sign-in")
    assert banner(page) == ""
    assert "MH12" not in page.response.text


def test_it_comes_before_what_else_is_wrong(staff: WebClient, alarmed: tuple[str, str], levers: Levers) -> None:
    levers.revoke_secret()
    steps.search(staff)
    page = staff.page("/")
    stopped = "Searching and new links are stopped"
    assert [words(each.get_text()) for each in page.all(".banner strong")] == [TITLE, stopped]


def test_several_vehicles_are_named_in_one_banner(
    staff: WebClient, alarmed: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    for n in range(8):
        rc = f"KA01AA000{n}"
        levers.add_vehicle(rc, [steps.challan(1, challanNo=f"KA{n}")])
        steps.searches(staff, rc)
        old = steps.link_of(steps.create(staff, rc=rc))
        levers.expire(old)
        steps.check(staff, old)
        steps.link_of(steps.create(staff, rc=rc))
        becomes(levers, services, clock, old, "PAID")
    page = staff.page("/vehicles")
    lines = [words(line.get_text(" ")) for line in page.all(".banner-links li")]
    assert [line.partition(" link of")[0] for line in lines] == ["MH12 AB 1001", "KA01 AA 0000", "7 more"]
    assert re.fullmatch(r"MH12 AB 1001 link of .+: Paid link of .+: Active", lines[0]), "one line a pair"
    assert page.link("7 more") == "/"
    attention = [words(item.get_text(" ")) for item in staff.page("/").all(".attention-item")]
    paid = "One of two links with the same challans is paid, the other can still be paid"
    assert sum(paid in item for item in attention) == 9


def test_the_banner_costs_at_most_one_query_on_a_page_and_in_a_poll(
    staff: WebClient, pair: tuple[str, str], store: Store
) -> None:
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "alarm_of" in statement:
            asked.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    staff.page(VEHICLE)
    assert len(asked) == 1
    staff.region(f"/links/{pair[0]}/panel", on=f"/links/{pair[0]}")
    # The cached answer holds unless another transaction has committed since.
    assert len(asked) <= 2
    event.remove(store.engine, "before_cursor_execute", note)
    with store.read() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {asked[0]}", tuple("?" * asked[0].count("?"))).all()
    steps_of = [row[3] for row in plan]
    assert any("ix_link_event_kind_link_id" in step for step in steps_of), steps_of
    assert not [step for step in steps_of if step.startswith(("SCAN link", "SCAN theirs"))], steps_of


# On the links' pages


def test_the_page_of_each_link_says_what_to_do(staff: WebClient, alarmed: tuple[str, str]) -> None:
    old, new = (staff.page(f"/links/{link_id}") for link_id in alarmed)
    assert "This link is paid. Do not share the other link" in alarm(old)
    assert "You cannot cancel it; it ends on" in alarm(old)
    assert not old.all(".alarm-tell a, #link-payment .button-primary"), "the receipt waits for what the alarm asks"
    assert "not sent yet: do not send it" in words(old.one("#double-alarm li").get_text(" "))
    assert old.all(f"#double-alarm a[href='/links/{alarmed[1]}']")
    assert "Active ₹2,795.00" in words(old.one("#double-alarm li").get_text(" ")), "which of them it is"
    assert "is paid. Do not share this link; it was not sent yet." in alarm(new), "nobody is to be told"
    assert new.all(f"#double-alarm a[href='/links/{alarmed[0]}']")


def test_the_alarm_names_who_has_the_link_that_nobody_should_pay(
    staff: WebClient, pair: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    driver = int(adds_a_driver(staff, name="Ramesh Kumar", phone="+91 98765 43210", vehicles="MH12AB1001"))
    services.sharing.record_share(pair[1], Channel.WHATSAPP, 1, driver, "hi")
    becomes(levers, services, clock, pair[0], "PAID")
    page = staff.page(f"/links/{pair[0]}")
    assert "Do not share the other link, and tell Ramesh Kumar, who has it, not to pay it." in alarm(page)
    assert words(page.one("#double-alarm li").get_text(" ")).endswith("Ramesh Kumar has it")
    call = page.one(".alarm-tell a.button-primary")
    assert (call["href"], words(call.get_text(" "))) == ("tel:+919876543210", "Call Ramesh Kumar · +91 98765 43210")


def test_a_link_with_a_paid_duplicate_cannot_be_copied(
    staff: WebClient, pair: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    page = staff.page(f"/links/{pair[1]}")
    assert "Copy link" in page.buttons()
    asks = str(page.one("#link-panel")["hx-get"])
    becomes(levers, services, clock, pair[0], "PAID")
    region = Page(staff, steps.poll(staff, asks), region=True)
    assert region.status == 200
    assert region.one("#link-panel")["data-copyable"] == "false"
    assert "Challans of this link were paid with another link. Do not share it." in region.text
    assert "Copy link" not in staff.page(f"/links/{pair[1]}").buttons()


def test_a_link_with_a_paid_duplicate_cannot_be_shared(staff: WebClient, alarmed: tuple[str, str]) -> None:
    for answer in (
        staff.page(f"/links/{alarmed[1]}/share").submit("Update message"),
        staff.get(f"/links/{alarmed[1]}/qr.png"),
    ):
        assert answer.status_code == 409
        assert "Challans of this link were paid with another link. Do not share it." in staff.read(answer).text
    page = staff.page(f"/links/{alarmed[1]}/share")
    assert not page.all("a[href^='https://wa.me']")
    assert page.link("Open the paid link") == f"/links/{alarmed[0]}"
    assert re.search(
        r"Paid with the link of [\w ,:]+m, ₹2,795\.00\. Not sent from here",
        words(page.one(".share-stop").get_text(" ")),
    )


def test_who_has_the_link_is_told_not_to_pay_it_where_another_one_was_paid(
    staff: WebClient, pair: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    driver = adds_a_driver(staff)
    shares(staff, prepares(staff, pair[1], driver=driver), pair[1], "whatsapp")
    becomes(levers, services, clock, pair[0], "PAID")
    said = words(staff.page(f"/links/{pair[1]}/share").one(".share-stop").get_text(" "))
    assert "Sent on WhatsApp to Ramesh Kumar" in said
    assert "Tell Ramesh Kumar not to pay it. Call Ramesh Kumar · +91 98765 43210 Open the paid link" in said


def test_a_link_with_a_paid_duplicate_waits_for_nobody(
    manager: WebClient, alarmed: tuple[str, str], clock: MovableClock
) -> None:
    clock.advance(hours=25)
    steps.comes_back(manager, MEERA)
    for note in ("", NOTE):
        if note:
            acknowledges(manager, alarmed[0])
        said = words(manager.page("/").one(".figures").get_text(" "))
        of_ending = r"Ends (today|within 24 h) ₹2,795.00 1 link (first [\d:]+ [ap]m )?1 paid with another link Open"
        assert re.search(of_ending, said), "it is not to be checked either"
        assert "Nothing to send" in said
        assert not manager.page("/follow-up").all(".follow"), "nobody is sent it or reminded"
        assert not manager.page("/links?only=not-sent").all("tbody tr")
        assert not manager.page("/links?only=check").all("tbody tr")
        row = manager.page("/links?only=open").one(f"#row-{alarmed[1]}")
        assert "Cannot be sent paid with another link" in words(row.get_text(" "))
        assert [words(each.get_text(" ")) for each in row.select(".button")] == ["See paid link · MH12 AB 1001"]
        assert row.select_one(".button")["href"] == f"/links/{alarmed[0]}"  # type: ignore[index]


def test_what_was_paid_with_another_link_is_not_to_collect(manager: WebClient, alarmed: tuple[str, str]) -> None:
    for query in ("", "?only=open"):
        said = words(manager.page(f"/links{query}").one("#links-sum").get_text(" "))
        assert "To collect" not in said
        assert "Paid with another link ₹2,795.00" in said, query
    listed = manager.page("/links?only=paid-elsewhere")
    assert [row["data-row"] for row in listed.all("tbody tr")] == [alarmed[1]]


def test_the_first_page_says_of_what_is_open_how_much_was_paid_with_another_link(
    staff: WebClient, alarmed: tuple[str, str], levers: Levers
) -> None:
    page = staff.page("/")
    assert "Open ₹2,795.00 1 link paid with another link" in words(page.one(".figures").get_text(" ")), "it is not owed"
    row = words(page.one(f'#recent-links tr[data-row="{alarmed[1]}"]').get_text(" "))
    assert row.endswith("Paid with another link")
    assert "See below what to do." in page.one(".banner .banner-brief").get_text()
    assert page.all(".attention-item.meaning-wrong"), "it stands there"
    levers.add_vehicle("KA05MN4321", [steps.challan(7)])
    steps.searches(staff, "KA05MN4321")
    steps.link_of(steps.create(staff, rc="KA05MN4321"))
    said = words(staff.page("/").one(".figures").get_text(" "))
    assert re.search(r"Open ₹[\d,.]+ 2 links ₹2,795.00 of it paid with another link", said), said


def to_do(page: Page) -> str:
    """Return what the first page says of its only alarm, and what to do about it."""
    [item] = page.all(".attention-item.meaning-wrong")
    return words(item.select_one(".attention-words").get_text(" "))


def test_the_first_page_says_what_to_do_with_the_open_link_beside_a_paid_one(
    staff: WebClient, alarmed: tuple[str, str], services: Services
) -> None:
    paid = "One of two links with the same challans is paid, the other can still be paid"
    assert to_do(staff.page("/")).startswith(f"{paid} Do not send it. ")
    services.sharing.record_share(alarmed[1], Channel.COPY, 1, None, "en")
    assert "Tell whoever has it not to pay it." in to_do(staff.page("/"))
    ramesh = services.drivers.add(DriverDetails("Ramesh Yadav", "98765 43210", None, "en", None, (RC,)), 1)
    services.sharing.record_share(alarmed[1], Channel.WHATSAPP, 1, ramesh, "en")
    assert "Tell Ramesh Yadav not to pay it." in to_do(staff.page("/"))


def test_an_open_link_that_was_created_elsewhere_may_have_been_sent_there(
    staff: WebClient, alarmed: tuple[str, str], services: Services
) -> None:
    with services.store.write() as connection:
        connection.execute(update(link).where(link.c.id == alarmed[1]).values(origin=links.OBSERVED))
    assert "Tell whoever has it not to pay it." in to_do(staff.page("/"))
    said = alarm(staff.page(f"/links/{alarmed[0]}"))
    assert "tell the driver who has it not to pay it." in said, "as its page says"


def test_the_first_page_says_when_both_links_are_paid(
    staff: WebClient, alarmed: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    becomes(levers, services, clock, alarmed[1], "PAID")
    both = [words(each.get_text(" ")) for each in staff.page("/").all(".meaning-wrong .attention-words")]
    assert both
    assert all("Two links with the same challans are both paid Ask the service’s support." in each for each in both)


def test_the_first_page_says_when_the_other_link_cannot_be_paid_now(
    staff: WebClient, alarmed: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    becomes(levers, services, clock, alarmed[1], "EXPIRED")
    assert to_do(staff.page("/")).startswith(
        "One of two links with the same challans is paid, and the other cannot be paid now"
    )


def test_a_noted_alarm_says_on_the_first_page_who_noted_it(
    manager: WebClient, staff: WebClient, alarmed: tuple[str, str], services: Services
) -> None:
    row = f'#recent-links tr[data-row="{alarmed[1]}"]'
    assert "Noted by" not in staff.page("/").one(row).get_text()
    acknowledges(manager, alarmed[0])
    page = staff.page("/")
    assert words(page.one(row).get_text(" ")).endswith("Paid with another link Noted by Meera Iyer")
    assert not page.all(".attention-item.meaning-wrong")
    with services.store.write() as connection:
        links.record_event(connection, alarmed[0], links.DUPLICATE, services.clock(), new=alarmed[1])
    assert "Noted by" not in staff.page("/").one(row).get_text(), "of the newer alarm nobody has"


def test_a_link_with_a_paid_duplicate_that_ends_within_hours_asks_for_nothing(
    manager: WebClient, alarmed: tuple[str, str], clock: MovableClock
) -> None:
    acknowledges(manager, alarmed[0], NOTE)
    clock.advance(hours=45)
    steps.comes_back(manager, MEERA)
    [item] = manager.page("/").all(f'.attention-item[data-row="/links/{alarmed[1]}"]')
    assert "paid with another link" in words(item.get_text(" "))
    assert not item.select(".button")


def test_two_paid_links_are_reported_as_paid_twice(
    staff: WebClient, alarmed: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    becomes(levers, services, clock, alarmed[1], "PAID")
    for link_id in alarmed:
        said = alarm(staff.page(f"/links/{link_id}"))
        assert "are both paid: the same challans were paid twice." in said
        assert "You cannot refund from here: ask the service’s support" in said
        assert "Do not share" not in said


def test_one_paid_and_one_ended_link_are_reported_as_such(
    staff: WebClient, alarmed: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    becomes(levers, services, clock, alarmed[1], "EXPIRED")
    page = staff.page(f"/links/{alarmed[0]}")
    assert "This link is paid, and no other link can be paid at present." in alarm(page)
    assert TITLE in banner(page), "it stays until somebody acknowledges it"


def test_a_request_of_unknown_outcome_on_the_same_challans_is_named(
    staff: WebClient, five: dict[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    steps.searches(staff)
    old = steps.link_of(steps.create(staff))
    levers.expire(old)
    steps.check(staff, old)
    levers.fault("create_link", "cut", when="before")
    request = steps.request_of(steps.create(staff))
    becomes(levers, services, clock, old, "PAID")
    page = staff.page(f"/links/{old}")
    assert "with no known outcome yet, holds the same challans." in alarm(page)
    assert page.one("#double-alarm .button-primary")["href"] == request, "its outcome is found first"
    timeline = words(page.one("#link-timeline").get_text(" "))
    assert "Alarm: a request has 5 of these challans too; money may be paid twice" in timeline, timeline
    assert TITLE in banner(page)
    partners = [a["href"] for a in staff.page("/vehicles").all(".banner-links a")]
    assert partners == [f"/links/{old}", request], "the alarm names what has the same challans"
    home = staff.page("/")
    said = words(home.all(".attention-words")[0].get_text(" "))
    assert said.startswith(
        "This link is paid, and a request with no known outcome yet has the same challans "
        "Do not send the link of that request."
    )
    waiting = [each.select_one("a")["href"] for each in home.all(".attention-item")]
    assert waiting == [f"/links/{old}"], "one row for one matter"
    assert home.submit("Check now · MH12 AB 1001").headers["Location"] == request


# Acknowledging


def test_a_manager_acknowledges_and_the_banner_goes_but_not_the_warning(
    manager: WebClient, staff: WebClient, alarmed: tuple[str, str], store: Store
) -> None:
    answer = acknowledges(manager, alarmed[0])
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/links/{alarmed[0]}")
    for visitor in (manager, staff):
        assert set(everywhere(visitor, alarmed).values()) == {""}
    for link_id in alarmed:
        page = staff.page(f"/links/{link_id}")
        assert TITLE in alarm(page)
        assert alarm(page).startswith(f"{TITLE} · noted by Meera Iyer , ")
        assert NOTE in alarm(page)
        assert "Challans of this link are on another link too." in page.text
        assert "Save the note" not in page.buttons()
    assert not staff.page("/").all(".attention-item.meaning-wrong")
    with store.read() as connection:
        (seen,) = [row for row in links.events_of(connection, alarmed[0]) if row.kind == links.DUPLICATE_ACKNOWLEDGED]
        assert seen.new == NOTE
        (entry,) = [row for row in audit.newest(connection) if row.action == "double-seen"]
    assert (entry.subject, entry.name, entry.detail["note"]) == (alarmed[0], "Meera Iyer", NOTE)


def test_it_can_be_acknowledged_on_the_page_of_the_other_link_too(admin: WebClient, alarmed: tuple[str, str]) -> None:
    acknowledges(admin, alarmed[1])
    assert set(everywhere(admin, alarmed).values()) == {""}
    assert "noted by Arun Das" in alarm(admin.page(f"/links/{alarmed[0]}"))


@pytest.mark.parametrize("note", ["", "seen", "  too few  ", "123456789", "x" * 1001])
def test_a_note_that_is_too_short_or_too_long_is_refused(
    manager: WebClient, alarmed: tuple[str, str], store: Store, note: str
) -> None:
    answer = acknowledges(manager, alarmed[0], note)
    page = manager.read(answer)
    assert answer.status_code == 422
    assert "Write at least 10 and at most 1000 characters" in page.text
    assert page.field(FIELD)["aria-invalid"] == "true"
    assert page.field(FIELD).get_text().strip() == note.strip()
    assert TITLE in banner(page)
    with store.read() as connection:
        assert not [row for row in links.events_of(connection, alarmed[0]) if row.kind == links.DUPLICATE_ACKNOWLEDGED]


def test_staff_cannot_acknowledge_and_read_who_can(staff: WebClient, alarmed: tuple[str, str]) -> None:
    page = staff.page(f"/links/{alarmed[0]}")
    assert "Save the note" not in page.buttons()
    assert (
        "A manager or an administrator notes here what was done; until then this alarm shows on every page."
        in alarm(page)
    )
    told = page.one("#double-alarm .copy-details")
    assert words(told.select_one(".button-primary").get_text()) == "Copy details for a manager"
    details = told.select_one("textarea").get_text()
    assert details.startswith("Money may be paid twice: MH12 AB 1001 · ₹2,795.00. This link is paid."), details
    assert f"/links/{alarmed[0]}" in details
    assert "Reconcile" not in alarm(page), "staff cannot open it"
    token = page.one("meta[name=csrf-token]")["content"]
    answer = staff.post(f"/links/{alarmed[0]}/double-seen", data={"csrf_token": token, "note": NOTE, "newest": "1"})
    assert answer.status_code == 403
    assert "This is for managers and administrators" in staff.read(answer).text
    assert TITLE in banner(staff.page("/"))


def test_the_banner_is_back_when_the_new_link_is_paid_as_well(
    manager: WebClient, alarmed: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    acknowledges(manager, alarmed[0])
    becomes(levers, services, clock, alarmed[1], "PAID")
    assert all(TITLE in said for said in everywhere(manager, alarmed).values())
    page = manager.page(f"/links/{alarmed[0]}")
    assert NOTE in alarm(page), "what was noted before stays"
    acknowledges(manager, alarmed[0], "Both are paid; support has the numbers of both links.")
    assert set(everywhere(manager, alarmed).values()) == {""}
    assert NOTE in alarm(manager.page(f"/links/{alarmed[0]}"))


def test_a_note_on_an_alarm_that_has_changed_is_refused_and_stays_in_the_form(
    manager: WebClient, alarmed: tuple[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    page = manager.page(f"/links/{alarmed[0]}")
    becomes(levers, services, clock, alarmed[1], "PAID")
    answer = page.submit("Save the note", note=NOTE)
    again = manager.read(answer)
    assert answer.status_code == 422
    assert "This alarm changed after you opened the page." in again.text
    assert "are both paid" in alarm(again)
    assert again.field(FIELD).get_text().strip() == NOTE
    assert again.submit("Save the note").status_code == 303
    assert banner(manager.page("/")) == ""


@pytest.mark.parametrize("newest", ["", "x", "-1", "9" * 40, "1e3", "٣"])
def test_a_forged_alarm_id_is_refused(manager: WebClient, alarmed: tuple[str, str], newest: str) -> None:
    answer = manager.page(f"/links/{alarmed[0]}").submit("Save the note", note=NOTE, newest=newest)
    assert answer.status_code == 422
    assert TITLE in banner(manager.page("/"))


def test_a_link_without_an_alarm_has_nothing_to_acknowledge(manager: WebClient, pair: tuple[str, str]) -> None:
    token = manager.page("/").one("meta[name=csrf-token]")["content"]
    data = {"csrf_token": token, "note": NOTE, "newest": "1"}
    assert manager.post(f"/links/{pair[0]}/double-seen", data=data).status_code == 404


def test_after_an_expired_session_the_note_is_back_and_needs_sending_again(
    app: Flask, manager: WebClient, alarmed: tuple[str, str], clock: MovableClock
) -> None:
    page = manager.page(f"/links/{alarmed[0]}")
    clock.advance(minutes=31)
    answer = page.submit("Save the note", note=NOTE)
    assert answer.headers["Location"].startswith("/sign-in")
    back = manager.signs_in(MEERA.email, at=answer.headers["Location"])
    page = manager.read(back)
    assert TITLE in banner(page)
    assert page.field(FIELD).get_text().strip() == NOTE
    assert page.submit("Save the note").status_code == 303
    assert banner(manager.page("/")) == ""


def test_a_hostile_note_never_becomes_markup(manager: WebClient, alarmed: tuple[str, str]) -> None:
    hostile = '<script>alert(1)</script>"><img src=x onerror=alert(2)> {{ 7*7 }}'
    acknowledges(manager, alarmed[0], hostile)
    page = manager.page(f"/links/{alarmed[0]}")
    assert hostile in page.one("#double-alarm q").get_text()
    assert not page.all("#double-alarm img, #double-alarm script")


def test_the_banner_is_on_the_vehicle_and_its_review_too(staff: WebClient, alarmed: tuple[str, str]) -> None:
    assert RC in VEHICLE
    assert TITLE in banner(staff.page(VEHICLE))
    assert TITLE in banner(staff.page(REVIEW))
