"""Test the live region of a request: what it polls for, and the links it shows."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from flask import Flask

from dashboard.domain.sharing import Channel
from dashboard.errors import Operation
from dashboard.services.container import Services
from dashboard.store.creation import intents
from dashboard.store.engine import Store
from dashboard.store.operations import call_blocks
from dashboard.store.operations.call_blocks import CallBlock
from dashboard.web.shared.texts import link_state
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.oracle import DENIALS
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import next_look, poll
from tests.web.steps import state_of_request as state


def test_the_region_of_a_request_is_sent_when_something_changed(
    staff: WebClient, unclear: str, services: Services, clock: MovableClock
) -> None:
    panel = staff.page(unclear).one("#request-panel")
    assert panel["hx-trigger"] == "every 3s"
    asks = str(panel["hx-get"])
    answer = poll(staff, asks)
    assert (answer.status_code, answer.data) == (204, b"")
    assert "checked" in json.loads(answer.headers["HX-Trigger"])
    clock.advance(seconds=4)
    for intent_id in services.outcome_resolver.claim_due(5):
        services.outcome_resolver.resolve(intent_id)
    region = Page(staff, poll(staff, asks), region=True)
    assert (region.status, state(region)) == (200, "RECOVERED")
    first, *counts = (str(root["id"]) for root in region.all("body > *"))
    assert first == "request-panel"
    assert counts == ["menu-count-follow_up"], "what waits is renewed with what changed"
    assert region.field("Payment URL")


def test_a_page_left_open_after_not_created_shows_a_link_that_was_committed_late(
    staff: WebClient, searched: dict[str, str], services: Services, levers: Levers, clock: MovableClock
) -> None:
    levers.break_a4()
    address = steps.request_of(steps.create(staff, "MH1001"))
    clock.advance(seconds=4)
    staff.page(address).submit("Check now")
    clock.advance(seconds=130)
    page = staff.read(staff.page(address).submit("Check now"))
    assert state(page) == "NOT_CREATED"
    assert page.one("#request-panel")["hx-trigger"] == "every 60s"
    asks = str(page.one("#request-panel")["hx-get"])
    assert poll(staff, asks).status_code == 204

    levers.commit_late()
    clock.advance(minutes=15)
    for intent_id in services.outcome_resolver.claim_due(5):
        services.outcome_resolver.resolve(intent_id)
    region = Page(staff, poll(staff, asks), region=True)
    assert state(region) == "RECOVERED"
    assert "That was wrong, and we are sorry" in region.text


def test_the_page_stops_polling_after_the_last_late_check(
    staff: WebClient, searched: dict[str, str], services: Services, levers: Levers, clock: MovableClock
) -> None:
    levers.fault("create_link", "cut", when="before")
    address = steps.request_of(steps.create(staff, "MH1001"))
    for span in (timedelta(seconds=4), timedelta(seconds=130), timedelta(minutes=15), timedelta(hours=24)):
        page = staff.page(address)
        assert page.one("#request-panel").has_attr("hx-get"), f"before {span}"
        clock.advance(seconds=span.total_seconds())
        for intent_id in services.outcome_resolver.claim_due(5):
            services.outcome_resolver.resolve(intent_id)
    steps.comes_back(staff, ASHA)
    page = staff.page(address)
    assert state(page) == "NOT_CREATED"
    assert not page.one("#request-panel").has_attr("hx-get")


def test_the_present_step_is_named_until_there_is_a_result(staff: WebClient, unclear: str, clock: MovableClock) -> None:
    panel = staff.page(unclear).one("#request-panel")
    assert [words(item.get_text()) for item in panel.select(".request-steps li")] == ["Sent", "Checking", "Result"]
    assert words(panel.select_one("[aria-current=step]").get_text()) == "Checking"
    clock.advance(seconds=5)
    page = staff.read(staff.page(unclear).submit("Check now"))
    assert state(page) == "RECOVERED"
    assert not page.all(".request-steps")
    assert page.one(".panel-headline").get_text() == "Link found"


def test_a_rejection_without_a_reason_says_what_to_do_before_another_try(
    staff: WebClient, searched: dict[str, str], levers: Levers
) -> None:
    levers.fault("create_link", "status", status=400)
    page = staff.page(steps.request_of(steps.create(staff)))
    assert state(page) == "REJECTED"
    assert "A challan may have changed: refresh the vehicle, then try again. Rejected again?" in page.text
    details = page.one("#request-panel textarea").get_text()
    assert details.startswith("Create Payment Link: why was this rejected?"), "for the service's support"
    assert "Answer: HTTP 400" in details
    assert [words(each.get_text()) for each in page.all("#request-panel .button-primary")] == ["Refresh from source"]
    assert page.one(f"#request-panel form[action='{steps.VEHICLE}/refresh'] .button-primary")


def test_the_time_until_the_next_attempt_counts_down_in_the_page(staff: WebClient, unclear: str) -> None:
    page = staff.page(unclear)
    assert page.one(".panel-next time-ago[data-until] time").get_text() == "3 s"
    assert next_look(page) == "We check again in 3 s."


def test_whoever_waits_reads_since_when_and_how_long_it_may_last(
    staff: WebClient, unclear: str, clock: MovableClock, services: Services
) -> None:
    page = staff.page(unclear)
    assert re.search(r"Unclear since \d+:\d\d [ap]m Should be settled by \d+:\d\d [ap]m We check again", page.text)
    assert "You can leave: the first page lists this request until its result is known." in page.text
    assert staff.page("/").all(f"main a[href='{unclear}']")
    clock.advance(seconds=131)
    page = staff.page(unclear)
    assert "Unclear since" in page.text
    assert "Should be settled" not in page.text, "what took longer is not foretold"


def test_an_attempt_that_is_under_way_is_shown(
    staff: WebClient, unclear: str, store: Store, services: Services, clock: MovableClock
) -> None:
    asks = str(staff.page(unclear).one("#request-panel")["hx-get"])
    clock.advance(seconds=4)
    assert next_look(staff.page(unclear)).startswith("The next check is due.")
    (intent_id,) = services.outcome_resolver.claim_due(5)
    with store.write() as connection:
        assert intents.begin_attempt(connection, intent_id, clock(), clock() + timedelta(seconds=90))
    region = Page(staff, poll(staff, asks), region=True)
    assert next_look(region) == "Checking now."


def test_an_attempt_that_no_watcher_makes_is_called_overdue(
    staff: WebClient, unclear: str, levers: Levers, clock: MovableClock
) -> None:
    clock.advance(seconds=60)
    asks = str(staff.page(unclear).one("#request-panel")["hx-get"])
    assert next_look(staff.page(unclear)).startswith("The next check is due.")
    clock.advance(seconds=4)
    said = next_look(Page(staff, poll(staff, asks), region=True))
    assert re.match(r"The next check has been due since [\w ,:]+: the dashboard’s background work is", said)
    assert not DENIALS.search(said)


def test_an_attempt_that_is_held_back_is_called_so(
    staff: WebClient, unclear: str, store: Store, clock: MovableClock
) -> None:
    clock.advance(seconds=70)
    with store.write() as connection:
        group = call_blocks.find_locked(connection, Operation.SEARCH_CHALLANS.call_group).scope
        call_blocks.save(
            connection, CallBlock(group, blocked_at=clock(), until=clock() + timedelta(seconds=30), cause="Unreachable")
        )
    said = next_look(staff.page(unclear))
    assert ": checking is on hold for now and resumes automatically." in said
    assert not DENIALS.search(said)


def test_a_payment_url_that_comes_after_its_link_comes_to_the_open_page(
    staff: WebClient, five: dict[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    steps.searches(staff)
    levers.fault("create_link", "cut", when="after")
    address = steps.request_of(steps.create(staff))
    link_id = levers.truth()["links"][0]["id"]
    url = levers.link(link_id)["paymentUrl"]
    levers.set_link(link_id, raw={"paymentUrl": None})
    clock.advance(seconds=5)
    page = staff.read(staff.page(address).submit("Check now"))
    panel = page.one("#request-panel")
    assert panel["data-state"] == "RECOVERED"
    assert "The service sent no payment URL" in page.text
    assert panel["hx-trigger"] == "every 3s"
    assert poll(staff, str(panel["hx-get"])).status_code == 204
    levers.set_link(link_id, raw={"paymentUrl": url})
    clock.advance(minutes=1)
    services.link_poller.refresh(link_id)
    region = Page(staff, poll(staff, str(panel["hx-get"])), region=True)
    assert region.field("Payment URL")["value"] == url
    assert region.one("#request-panel").has_attr("hx-get"), "it can be paid, or end"


def test_a_link_that_was_found_is_said_to_be_ready_to_send_only_while_nothing_about_it_is_doubtful(
    staff: WebClient, unclear: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    clock.advance(seconds=5)
    page = staff.read(staff.page(unclear).submit("Check now"))
    assert page.one("#request-panel .button-primary").get_text() == "Send the link"
    (link,) = levers.truth()["links"]
    levers.set_link(link["id"], raw={"amount": {"baseAmount": 500, "legalFee": 50, "gst": 50, "totalAmount": 600}})
    clock.advance(seconds=5)
    services.link_poller.refresh(link["id"])
    page = staff.page(unclear)
    assert "Copy link" in page.buttons(), "its address is sound"
    assert "Send the link" not in page.text, "it asks another amount than its challans"


def test_a_link_that_was_found_and_sent_is_not_to_be_sent_once_more(
    staff: WebClient, unclear: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    clock.advance(seconds=5)
    page = staff.read(staff.page(unclear).submit("Check now"))
    (link,) = levers.truth()["links"]
    assert page.link("Send the link") == f"/links/{link['id']}/share"
    assert words(page.one(".panel-link .is-unsent").get_text()) == "Not sent yet"
    services.sharing.record_share(link["id"], Channel.QR, 1, None, "en")
    page = staff.page(unclear)
    assert not page.all("a[href$='/share']")
    assert words(page.one(".panel-link > .quiet").get_text()).startswith("Shown as a QR code · "), "and when"
    assert page.link("Open the link") == f"/links/{link['id']}"


@pytest.mark.parametrize("end", ["PAID", "EXPIRED"])
def test_the_page_of_a_request_follows_the_link_that_it_found(
    staff: WebClient, unclear: str, levers: Levers, services: Services, clock: MovableClock, end: str
) -> None:
    clock.advance(seconds=5)
    page = staff.read(staff.page(unclear).submit("Check now"))
    (link,) = levers.truth()["links"]
    assert re.fullmatch(
        r"₹[\d,.]+ Active 3 days left · ends [\w ,:]+", words(page.one(".panel-link > .panel-head").get_text(" "))
    )
    panel = page.one("#request-panel")
    assert (panel["data-status"], panel["data-copyable"]) == ("ACTIVE", "true")
    levers.pay(link["id"]) if end == "PAID" else levers.expire(link["id"])
    clock.advance(seconds=4)
    assert services.link_poller.claim_due(5) == [link["id"]], "reading the page makes the link due"
    services.link_poller.poll_claimed(link["id"])
    region = Page(staff, poll(staff, str(panel["hx-get"])), region=True)
    panel = region.one("#request-panel")
    assert (panel["data-status"], panel["data-copyable"]) == (end, "false")
    assert str(panel["data-words"]).strip().endswith(link_state(end).said)
    assert "Copy link" not in region.buttons()
    assert "left" not in region.one(".panel-link > .panel-head").get_text()
    assert not panel.has_attr("hx-get"), "nothing can change any more"


def test_the_page_follows_every_link_that_holds_a_challan_it_asked_for(
    staff: WebClient, searched: dict[str, str], app: Flask, levers: Levers, services: Services, clock: MovableClock
) -> None:
    review = steps.reviewed(staff, "MH1001", "MH1002", "MH1003")
    holders = {steps.elsewhere(app, searched[number]) for number in ("MH1001", "MH1002")}
    page = staff.read(review.submit("Create payment link"))
    asks = str(page.one("#request-panel")["hx-get"])
    clock.advance(seconds=4)
    assert set(services.link_poller.claim_due(5)) == holders
    for link_id in holders:
        levers.expire(link_id)
        services.link_poller.poll_claimed(link_id)
        region = Page(staff, poll(staff, asks), region=True)
        asks = str(region.one("#request-panel").get("hx-get", ""))
    assert "Expired" in region.text
    assert not asks
