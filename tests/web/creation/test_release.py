"""Test the release of a request's claims: who may, what its page says before and after, and what is recorded."""

from __future__ import annotations

import json
import re
import uuid
from datetime import timedelta

import pytest
from sqlalchemy import update

from dashboard.services.container import Services
from dashboard.store.accounts import audit
from dashboard.store.creation import intents
from dashboard.store.creation.intents import intent
from dashboard.store.engine import Store
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.oracle import DENIALS
from tests.support.page import Page, words
from tests.support.people import ARUN, ASHA, MEERA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import VEHICLE, poll

BUTTON = "Release the challans"
WHY = "The driver waits at the depot."
CONSEQUENCE = "If the link exists and another is made, money may be paid twice."


def may_release(page: Page) -> bool:
    told = page.one("#request-panel")["data-may-release"] == "true"
    assert all(form.has_attr("hidden") is not told for form in page.all("release-form"))
    return told


def overrides(store: Store) -> list[tuple[str | None, str | None, str | None]]:
    with store.read() as connection:
        rows = [row for row in audit.newest(connection) if row.action == "override"]
    return [(row.name, row.subject, row.detail["reason"]) for row in rows]


# Before a release


def test_the_page_says_why_the_request_is_not_resolved(staff: WebClient, unsettled: str) -> None:
    page = staff.page(unsettled)
    assert "MH1001 is no longer listed and may already have been paid." in steps.panel_of_request(page)
    rows = page.one('section[aria-labelledby="asked-title"]').get_text(" ")
    assert "No longer listed" in rows
    assert "paid" not in rows, "the panel says so"
    heading = words(page.one("#asked-title").get_text())
    assert heading == "Challans requested (3) · ₹1,118.00 + ₹559.00 no longer listed", "that one may be paid already"
    was, *listed = sorted(page.all(".request .total"), key=lambda cell: "was" not in cell["class"])
    assert was["data-label"] == "Was to pay"
    assert {cell["data-label"] for cell in listed} == {"To pay"}
    assert page.one("#request-panel .panel-headline").get_text() == "Ask a manager: the link may or may not exist"
    last, then = r"Last checked (today|yesterday) [\d:]+ [ap]m", r"Next check (today|tomorrow) [\d:]+ [ap]m"
    said = steps.panel_of_request(page)
    assert re.search(f"{last} {then}: now once a day, as checks could not tell", said), "a long gap has a reason"
    assert not steps.FALSE_WORDS.search(page.response.text)


def test_a_check_that_comes_soon_needs_no_reason(staff: WebClient, unsettled: str, services: Services) -> None:
    with services.store.write() as connection:
        connection.execute(update(intent).values(next_check_at=services.clock() + timedelta(minutes=10)))
    said = steps.panel_of_request(staff.page(unsettled))
    assert re.search(r"Next check (today|tomorrow) [\d:]+ [ap]m", said)
    assert "once a day" not in said


def test_a_manager_reads_the_consequence_before_the_click(manager: WebClient, unsettled: str) -> None:
    page = manager.page(unsettled)
    assert may_release(page)
    headline = page.one("#request-panel .panel-headline").get_text()
    assert headline == "Ask the service’s support: the link may or may not exist"
    said = [each.get_text() for each in page.all("release-form section > p")]
    assert said == [
        f"Only once the service’s support says that this link does not exist. {CONSEQUENCE}",
        "After a release, those that are still listed can go on a new link. "
        "We check once more before, and keep checking.",
    ]
    assert page.field("Reason").has_attr("required")
    assert page.buttons().count(BUTTON) == 1
    assert not page.one("release-form").find_parent(id="request-panel"), "what is typed survives a swap of the panel"
    assert not steps.FALSE_WORDS.search(page.response.text)


def test_staff_read_who_may_release_and_why(staff: WebClient, unsettled: str) -> None:
    page = staff.page(unsettled)
    assert may_release(page)
    assert BUTTON not in page.buttons()
    assert not page.all("release-form")
    assert "Only a manager or an administrator can release these challans." in page.text
    for_manager = page.one("#request-panel textarea").get_text()
    assert for_manager.startswith(
        "Payment link for MH12 AB 1001: it may or may not exist. Please release its challans."
    )
    assert for_manager.endswith(unsettled)
    copies = [each.get_text() for each in page.all("#request-panel [data-copy-button]")]
    assert copies == ["Copy details for a manager"], "who then asks the support"
    assert page.one("#request-panel .button-primary").get_text() == copies[0]
    assert "Do not create it elsewhere: money could be paid twice." in page.text
    assert CONSEQUENCE not in page.text, "the warning above says so"
    assert "once more now" not in page.text


def test_support_gets_what_it_needs_to_look_the_link_up(manager: WebClient, unsettled: str) -> None:
    details = manager.page(unsettled).one("#request-panel textarea").get_text()
    assert "Vehicle: MH12AB1001" in details
    assert re.search(r"Sent: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", details)
    assert re.search(r"- MH1\d{3} \([0-9a-f-]{36}\)", details)


def test_staff_who_send_the_form_anyway_are_refused(
    staff: WebClient, manager: WebClient, unsettled: str, levers: Levers, store: Store
) -> None:
    form = manager.page(unsettled).form(BUTTON)
    form.page.client = staff
    levers.forget_calls()
    answer = form.submit(reason=WHY)
    page = staff.read(answer)
    assert page.status == 403
    assert "This is for managers and administrators" in page.text
    assert levers.calls() == []
    assert overrides(store) == []


def test_the_form_shows_itself_only_when_it_is_needed(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    levers.fault("create_link", "cut", when="before")
    address = steps.request_of(steps.create(staff, "MH1001"))
    assert not may_release(manager.page(address)), "it may be resolved yet"
    clock.advance(minutes=3)
    staff.page(address).submit("Check now")
    clock.advance(minutes=1)
    staff.page(address).submit("Check now")
    page = manager.page(address)
    assert steps.state_of_request(page) == "NOT_CREATED"
    assert page.all("release-form") == []


def test_attempts_that_would_end_at_once_are_not_promised(
    manager: WebClient, unsettled: str, clock: MovableClock
) -> None:
    clock.advance(days=8)
    steps.comes_back(manager, MEERA)
    page = manager.page(unsettled)
    assert "We check once more before." in page.text
    assert "go on looking." not in page.one("release-form").get_text(" ")
    after = manager.read(steps.release(manager, unsettled))
    assert "We stopped checking at" in steps.panel_of_request(after)
    assert not after.one("#request-panel").has_attr("hx-get")
    assert "set aside" not in manager.page("/").text


# Releasing


@pytest.mark.parametrize(("who", "name"), [("manager", MEERA.name), ("admin", ARUN.name)])
def test_afterwards_the_page_says_who_when_why_and_nothing_false(
    request: pytest.FixtureRequest, staff: WebClient, unsettled: str, store: Store, levers: Levers, who: str, name: str
) -> None:
    visitor: WebClient = request.getfixturevalue(who)
    levers.forget_calls()
    answer = steps.release(visitor, unsettled)
    assert (answer.status_code, answer.headers["Location"]) == (303, unsettled)
    assert [call["operation"] for call in levers.calls()] == ["search"]
    assert json.loads(levers.calls("search")[0]["body"])["bypassCache"] is True
    for page in (visitor.page(unsettled), staff.page(unsettled), staff.region(f"{unsettled}/panel", on=unsettled)):
        assert steps.state_of_request(page) == "NEEDS_ATTENTION"
        assert page.one(".panel-headline").get_text() == "Check first: the link may or may not exist"
        assert steps.panel_of_request(page).count("released by") == 1
        who_why = rf"Challans released by {name}, [\w ,:]+: “The driver waits at the depot\.”"
        assert re.search(who_why, steps.panel_of_request(page))
        warning = "If the first link exists and you create another, money could be paid twice."
        assert page.one("#request-panel .request-warning").get_text() == warning
        order = [" ".join(each.get_text(" ").split()) for each in page.all("#request-panel .request-order > li > p")]
        assert order == [
            "See whether the service shows the link now.",
            "Still not clear? Ask the service’s support.",
            "Only then: MH1002 and MH1003 can go on a new link.",  # not the first, which is not listed any more
        ]
        acts = [each.get_text(" ", strip=True) for each in page.all("#request-panel .request-order .button")]
        assert acts == ["Check now", "Copy details for support", "Choose challans"]
        assert not page.all("#request-panel .panel-actions"), "nothing else is to be done"
        assert "and once more before another link is created." in steps.panel_of_request(page)
        assert "MH1001 is no longer listed and may already have been paid." in steps.panel_of_request(page), (
            "before others are chosen"
        )
        assert page.one("#request-panel")["hx-trigger"] == "every 3s"
        assert BUTTON not in page.buttons()
        assert page.all("release-form") == []
        assert not steps.FALSE_WORDS.search(page.response.text)
        assert "stay reserved" not in page.text
    assert overrides(store) == [(name, "MH12AB1001", WHY)]


def test_the_challans_can_be_ticked_again(staff: WebClient, manager: WebClient, unsettled: str) -> None:
    assert "MH1002" not in steps.boxes(staff.page(VEHICLE))
    steps.release(manager, unsettled)
    assert {"MH1002", "MH1003"} <= steps.boxes(staff.page(VEHICLE)).keys()


def test_what_comes_next_is_the_one_filled_button(staff: WebClient, manager: WebClient, unsettled: str) -> None:
    def filled(visitor: WebClient) -> list[str]:
        buttons = visitor.page(unsettled).all("#request-panel .button-primary")
        return [" ".join(button.get_text().split()) for button in buttons]

    assert filled(manager) == ["Copy details for support"], "support is asked first"
    steps.release(manager, unsettled)
    assert filled(staff) == ["Check now"], "whether the first link exists, before another one"
    assert staff.page(unsettled).link("Choose challans") == VEHICLE
    steps.create(staff, "MH1002", "MH1003")
    assert filled(staff) == ["Check now"]
    order = [each.get_text() for each in staff.page(unsettled).all("#request-panel .request-order > li > p")]
    assert len(order) == 2, "none of them is free any more"
    assert "Choose challans" not in staff.page(unsettled).text


def test_an_open_page_of_a_colleague_follows(staff: WebClient, manager: WebClient, unsettled: str) -> None:
    asks = str(staff.page(unsettled).one("#request-panel")["hx-get"])
    assert poll(staff, asks).status_code == 204
    steps.release(manager, unsettled)
    region = Page(staff, poll(staff, asks), region=True)
    assert "Challans released by Meera Iyer" in region.text
    assert region.one("#request-panel")["data-may-release"] == "false"
    assert poll(staff, str(region.one("#request-panel")["hx-get"])).status_code == 204


def test_it_needs_nobodys_attention_any_more_and_stays_reachable(
    staff: WebClient, manager: WebClient, unsettled: str
) -> None:
    assert staff.page("/").all("#home-panel > .attention:first-child .attention-item.meaning-wrong"), "above all else"
    steps.release(manager, unsettled)
    page = staff.page("/")
    assert not page.all(".attention-item.meaning-wrong")
    item = page.one(".attention-item.meaning-neutral").get_text(" ", strip=True)
    assert "Challans released by Meera Iyer; we still look for the link" in item
    assert page.link("Open the request") == unsettled


def test_a_pause_of_the_attempts_is_said_without_a_word_of_reserving(
    staff: WebClient, manager: WebClient, unsettled: str, levers: Levers, clock: MovableClock
) -> None:
    steps.release(manager, unsettled)
    levers.revoke_secret()
    clock.advance(seconds=10)
    page = staff.read(staff.page(unsettled).submit("Check now"))
    assert "Checking is paused until" in steps.panel_of_request(page)
    assert "stay reserved" not in page.text
    assert "the link may or may not exist" in steps.panel_of_request(page)


def test_a_reason_is_only_text(staff: WebClient, manager: WebClient, unsettled: str) -> None:
    steps.release(manager, unsettled, '<script>alert(1)</script>"><img src=x>')
    page = staff.page(unsettled)
    assert '“<script>alert(1)</script>"><img src=x>”' in steps.panel_of_request(page)
    assert not page.all("main script:not([src]), main img")


# Refusals


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Write why, in at least 10 characters. Everybody can read it, with your name."),
        ("  soon  ", "Write why, in at least 10 characters. Everybody can read it, with your name."),
        ("x" * 501, "Write why in at most 500 characters."),
    ],
)
def test_an_invalid_reason_is_explained_and_stays_in_the_field(
    manager: WebClient, unsettled: str, levers: Levers, store: Store, typed: str, said: str
) -> None:
    levers.forget_calls()
    page = manager.read(steps.release(manager, unsettled, typed))
    assert page.status == 422
    field = page.field("Reason")
    assert field["aria-invalid"] == "true"
    assert field.get_text().strip("\r\n") == typed
    assert said in page.one(f"#{str(field['aria-describedby']).split()[-1]}").get_text()
    assert may_release(page)
    assert levers.calls() == []
    assert overrides(store) == []


def test_when_the_service_does_not_answer_the_reason_stays(
    manager: WebClient, unsettled: str, levers: Levers, store: Store
) -> None:
    levers.fault("search", "cut", count=3)
    page = manager.read(steps.release(manager, unsettled))
    assert page.status == 504
    said = page.one("release-form").get_text(" ")
    assert "The service did not answer" in said
    assert "Nothing was released." in said
    assert page.field("Reason").get_text().strip() == WHY
    assert overrides(store) == []
    assert manager.read(page.submit(BUTTON)).all("release-form") == []
    assert overrides(store) == [(MEERA.name, "MH12AB1001", WHY)]


def test_while_another_attempt_is_under_way_the_reason_stays(
    manager: WebClient, unsettled: str, store: Store, clock: MovableClock
) -> None:
    with store.write() as connection:
        assert intents.begin_attempt(connection, unsettled.rsplit("/", 1)[1], clock(), clock() + timedelta(hours=1))
    page = manager.read(steps.release(manager, unsettled))
    assert page.status == 422
    assert "This request is being checked just now. Nothing was released." in page.one("release-form").get_text(" ")
    assert page.field("Reason").get_text().strip() == WHY
    assert overrides(store) == []


def test_what_the_attempt_before_finds_is_shown(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock, store: Store
) -> None:
    steps.searches(staff)
    levers.break_a4()
    address = steps.request_of(steps.create(staff, "MH1001", "MH1002"))
    levers.set_challan(five["MH1001"], raw={"prepaid": True})
    clock.advance(minutes=3)
    for _ in range(6):
        clock.advance(seconds=10)
        page = staff.read(staff.page(address).submit("Check now"))
    assert steps.state_of_request(page) == "NEEDS_ATTENTION"
    said = steps.panel_of_request(page)
    assert "MH1001 is marked as already on a payment link, which we cannot see." in said
    assert not DENIALS.search(said)
    levers.commit_late()
    page = manager.read(steps.release(manager, address))
    assert steps.state_of_request(page) == "RECOVERED"
    assert "Nothing was released: we checked once more first and found out what happened to the request." in page.text
    assert page.field("Payment URL")
    assert "Set aside" not in page.text
    assert overrides(store) == []


def test_a_second_manager_reads_that_it_was_done(
    manager: WebClient, admin: WebClient, unsettled: str, store: Store, levers: Levers
) -> None:
    form = admin.page(unsettled).form(BUTTON)
    steps.release(manager, unsettled)
    levers.forget_calls()
    page = admin.read(form.submit(reason="Another reason altogether."))
    assert "Nothing was released now: a colleague did it before you." in page.text
    assert "Challans released by Meera Iyer" in steps.panel_of_request(page)
    assert levers.calls() == []
    assert [row[0] for row in overrides(store)] == [MEERA.name]


def test_a_request_that_does_not_need_it_keeps_its_challans(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers, store: Store
) -> None:
    steps.searches(staff)
    levers.fault("create_link", "cut", when="after")
    address = steps.request_of(steps.create(staff, "MH1001"))
    page = manager.read(steps.release(manager, address))
    assert "Nothing was released: this request does not need it." in page.text
    assert steps.state_of_request(page) == "UNKNOWN"
    assert "your request of" in steps.row(staff.page(VEHICLE), "MH1001")
    assert overrides(store) == []


def test_a_request_that_is_not_known_is_not_found(manager: WebClient, unsettled: str) -> None:
    form = manager.page(unsettled).form(BUTTON)
    form.action = f"/requests/{uuid.UUID(int=7)}/set-aside"
    assert manager.read(form.submit(reason="")).status == 404


# An ended session


def test_a_reason_outlasts_the_session_and_signing_in_releases_nothing(
    manager: WebClient, unsettled: str, clock: MovableClock, store: Store
) -> None:
    why = "ड्राइवर डिपो पर रुका है। " * 20
    form = manager.page(unsettled).form(BUTTON)
    clock.advance(hours=1)
    sign_in = manager.read(form.submit(reason=why))
    assert "What you entered is saved" in sign_in.text
    answer = manager.signs_in(MEERA.email, at="/sign-in")
    assert answer.headers["Location"] == unsettled
    for _ in range(2):  # A reload must not lose the text either.
        page = manager.page(unsettled)
        assert page.field("Reason").get_text().strip() == why.strip()
    assert overrides(store) == []
    assert manager.read(page.submit(BUTTON)).all("release-form") == []
    assert len(overrides(store)) == 1


def test_a_saved_reason_is_for_its_request_and_person_alone(
    staff: WebClient, manager: WebClient, unsettled: str, clock: MovableClock, five: dict[str, str], levers: Levers
) -> None:
    form = manager.page(unsettled).form(BUTTON)
    clock.advance(hours=1)
    form.submit(reason=WHY)
    manager.signs_in(MEERA.email, at="/sign-in")
    steps.comes_back(staff, ASHA)
    levers.fault("create_link", "cut", when="before")
    other = steps.request_of(steps.create(staff, "MH1004"))
    assert manager.page(other).field("Reason").get_text().strip() == ""
    assert WHY not in staff.page(unsettled).text
