"""Test the timeline of a link: who created, copied and shared it, and what was observed of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from dashboard.services.container import Services
from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from dashboard.store.sharing import drivers
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.steps import poll

#: Its amount stands above.
PAID = "Paid"


@pytest.fixture
def link_id(staff: WebClient, five: dict[str, str]) -> str:
    """Create a link as Asha."""
    steps.searches(staff)
    return steps.link_of(steps.create(staff))


def entries(page: Page) -> list[str]:
    """Return the entries of the timeline without their moments, but for what is still to come."""
    found = page.all("#link-timeline .timeline-entry:not(.timeline-next) .timeline-words")
    return [words(entry.get_text(" ")) for entry in found]


def hands_on(visitor: WebClient, link_id: str, how: str, **fields: str) -> int:
    """Record a copy or a share as the page's script does; returns the status."""
    token = str(visitor.page(f"/links/{link_id}").one("meta[name=csrf-token]")["content"])
    return visitor.post(
        f"/links/{link_id}/{how}", data=fields, headers={"X-CSRFToken": token, "HX-Request": "true"}
    ).status_code


def copies(store: Store) -> list[tuple[str | None, str | None]]:
    """Return who copied which link, by the audit log, oldest first."""
    with store.read() as connection:
        rows = audit.newest(connection)
    return [(row.name, row.subject) for row in reversed(rows) if row.action == "copy"]


def test_a_created_link_begins_with_who_created_it(staff: WebClient, link_id: str) -> None:
    assert entries(staff.page(f"/links/{link_id}")) == ["Created · Asha Rao"]


def test_every_change_of_status_is_shown_with_its_moment(
    staff: WebClient, link_id: str, levers: Levers, clock: MovableClock
) -> None:
    levers.expire(link_id)
    clock.advance(minutes=1)
    steps.check(staff, link_id)
    levers.pay(link_id)
    clock.advance(minutes=1)
    page = steps.check(staff, link_id)
    listed = entries(page)
    assert sorted(listed) == ["Created · Asha Rao", "Expired", PAID], "a payment is one line"
    moments = [str(time["datetime"]) for time in page.all("#link-timeline time")]
    assert moments == sorted(moments)


def test_a_status_that_goes_backwards_is_shown_too(staff: WebClient, link_id: str, levers: Levers) -> None:
    levers.pay(link_id)
    steps.check(staff, link_id)
    levers.set_link(link_id, status="ACTIVE", paidAt=None)
    steps.check(staff, link_id)
    levers.pay(link_id)
    listed = entries(steps.check(staff, link_id))
    assert sorted(listed) == ["Active, though it was paid before", "Created · Asha Rao", PAID, PAID]


def test_a_recovered_link_says_how_it_was_found(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    levers.fault("create_link", "cut", when="after")
    address = steps.request_of(steps.create(staff))
    clock.advance(seconds=5)
    staff.page(address).submit("Check now")
    found = levers.truth()["links"][0]["id"]
    listed = entries(staff.page(f"/links/{found}"))
    assert listed[0].startswith("Requested; the reply was lost, so we checked · Asha Rao")
    assert "most likely made by the request of" in listed[1]
    assert len(listed) == 2, "its entry in the ledger and its recovery are one event"


def test_a_copy_is_recorded_once_a_minute_for_each_person(
    staff: WebClient, manager: WebClient, link_id: str, clock: MovableClock, store: Store
) -> None:
    assert hands_on(staff, link_id, "copied") == 204
    clock.advance(seconds=59)
    assert hands_on(staff, link_id, "copied") == 204
    assert hands_on(manager, link_id, "copied") == 204
    assert copies(store) == [("Asha Rao", link_id), ("Meera Iyer", link_id)]
    clock.advance(seconds=2)
    assert hands_on(staff, link_id, "copied") == 204
    assert entries(staff.page(f"/links/{link_id}"))[1:] == [
        "Payment URL copied · Asha Rao",
        "Payment URL copied · Meera Iyer",
        "Payment URL copied · Asha Rao",
    ]
    assert len(copies(store)) == 3


def test_copies_of_a_person_in_a_row_are_one_entry(staff: WebClient, link_id: str, clock: MovableClock) -> None:
    for _ in range(3):
        assert hands_on(staff, link_id, "copied") == 204
        clock.advance(minutes=2)
    assert entries(staff.page(f"/links/{link_id}"))[1:] == ["Payment URL copied 3 times · Asha Rao"]


def test_what_comes_by_itself_ends_the_timeline(staff: WebClient, link_id: str, levers: Levers) -> None:
    def coming(page: Page) -> list[str]:
        return [each.get_text() for each in page.all(".timeline-next .timeline-words")]

    assert coming(staff.page(f"/links/{link_id}")) == ["Ends"]
    assert hands_on(staff, link_id, "shared", channel="whatsapp") == 200
    page = staff.page(f"/links/{link_id}")
    assert coming(page) == ["Ends"], "nobody is known to have it yet"
    assert coming(staff.read(page.submit("Yes, sent"))) == ["Back in Follow up", "Ends"]
    levers.pay(link_id)
    assert not coming(steps.check(staff, link_id))


@pytest.mark.parametrize(
    ("channel", "said"),
    [
        (Channel.COPY, "Message copied"),
        (Channel.WHATSAPP, "Prepared in WhatsApp, not confirmed"),
        (Channel.SMS, "Prepared as an SMS, not confirmed"),
        (Channel.EMAIL, "Prepared as an email, not confirmed"),
        (Channel.SHEET, "Shared with the phone’s share sheet"),
        (Channel.QR, "Shown as a QR code"),
        (Channel.PRINT, "Printed"),
    ],
)
def test_each_way_of_sharing_has_its_words(staff: WebClient, link_id: str, channel: Channel, said: str) -> None:
    assert hands_on(staff, link_id, "shared", channel=channel.value) == 200
    assert entries(staff.page(f"/links/{link_id}"))[-1] == f"{said} · Asha Rao"


def test_a_share_with_a_driver_names_them(staff: WebClient, link_id: str, store: Store, clock: MovableClock) -> None:
    with store.write() as connection:
        driver_id = drivers.add(connection, DriverDetails("Ramesh", None, None, "hi", None), at=clock(), by=1)
    assert hands_on(staff, link_id, "shared", channel="whatsapp", driver=str(driver_id)) == 200
    assert entries(staff.page(f"/links/{link_id}"))[-1] == "Sent on WhatsApp to Ramesh · Asha Rao"


def test_a_copy_of_an_unknown_link_is_not_recorded(staff: WebClient, store: Store) -> None:
    token = str(staff.page("/").one("meta[name=csrf-token]")["content"])
    unknown = "/links/00000000-0000-0000-0000-000000000007/copied"
    assert staff.post(unknown, headers={"X-CSRFToken": token, **HTMX}).status_code == 404
    assert copies(store) == []


# Updates of the page


def checked_event(answer: Any) -> dict[str, Any]:
    """Return the `checked` event of an answer about the panel."""
    return dict(json.loads(answer.headers["HX-Trigger"])["checked"])


def test_every_poll_carries_the_fingerprint_of_the_timeline(staff: WebClient, manager: WebClient, link_id: str) -> None:
    page = staff.page(f"/links/{link_id}")
    asks = str(page.one("#link-panel")["hx-get"])
    answer = poll(staff, asks)
    assert answer.status_code == 204
    assert checked_event(answer)["parts"]["timeline"] == page.one("#link-timeline")["data-shown"]
    hands_on(manager, link_id, "copied")
    answer = poll(staff, asks)
    assert answer.status_code == 200, "the panel said that it was not sent yet"
    assert "Copied only, " in answer.text
    assert checked_event(answer)["parts"]["timeline"] != page.one("#link-timeline")["data-shown"]
    region = staff.region(str(page.one("#link-timeline")["hx-get"]), on=f"/links/{link_id}")
    assert entries(region)[-1] == "Payment URL copied · Meera Iyer"
    assert region.one("#link-timeline")["data-shown"] == checked_event(answer)["parts"]["timeline"]


def test_a_payment_url_that_comes_later_can_then_be_copied(
    staff: WebClient, five: dict[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    levers.fault("create_link", "corrupt", corruption="missing-field", missing="data.paymentUrl", when="after")
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    page = staff.page(f"/links/{link_id}")
    assert "The service sent no payment URL." in page.text
    asks = str(page.one("#link-panel")["hx-get"])
    clock.advance(seconds=4)
    for due in services.link_poller.claim_due(50):
        services.link_poller.poll_claimed(due)
    answer = poll(staff, asks)
    card = page.one("#link-payment")
    assert checked_event(answer)["parts"]["card"] != card["data-shown"]
    region = staff.region(str(card["hx-get"]), on=f"/links/{link_id}")
    assert region.field("Payment URL")["value"] == levers.link(link_id)["paymentUrl"]
    assert region.one("#link-payment")["data-shown"] == checked_event(answer)["parts"]["card"]


def test_the_amounts_of_an_open_page_change_with_the_state_of_the_link(
    staff: WebClient, link_id: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    page = staff.page(f"/links/{link_id}")
    shown, asks = page.one("#link-amounts"), str(page.one("#link-panel")["hx-get"])
    assert "by UPI" in shown.get_text()
    assert checked_event(poll(staff, asks))["parts"]["amounts"] == shown["data-shown"], "nothing is fetched in vain"
    levers.pay(link_id)
    clock.advance(seconds=4)
    for due in services.link_poller.claim_due(50):
        services.link_poller.poll_claimed(due)
    answer = poll(staff, asks)
    assert checked_event(answer)["parts"]["amounts"] != shown["data-shown"]
    region = staff.region(str(shown["hx-get"]), on=f"/links/{link_id}")
    assert region.one("#link-amounts")["data-shown"] == checked_event(answer)["parts"]["amounts"]
    assert "The service does not say how it was paid." in region.text


def test_the_regions_redirect_to_their_page_without_htmx(staff: WebClient, link_id: str) -> None:
    for part in ("payment", "timeline", "amounts"):
        answer = staff.get(f"/links/{link_id}/{part}")
        assert (answer.status_code, answer.headers["Location"]) == (303, f"/links/{link_id}")
    assert staff.get("/links/00000000-0000-0000-0000-000000000007/timeline", headers=HTMX).status_code == 404


def test_an_expired_session_records_no_copy(staff: WebClient, link_id: str, clock: MovableClock) -> None:
    token = str(staff.page(f"/links/{link_id}").one("meta[name=csrf-token]")["content"])
    clock.advance(minutes=31)
    answer = staff.post(f"/links/{link_id}/copied", headers={"X-CSRFToken": token, **HTMX})
    assert answer.status_code == 401


def test_a_link_that_a_search_found_after_its_end_says_when_that_was(
    staff: WebClient, five: dict[str, str], app: Flask, levers: Levers, clock: MovableClock
) -> None:
    link_id = steps.elsewhere(app, five["MH1001"], five["MH1002"])
    clock.advance(hours=60)
    steps.comes_back(staff, ASHA)
    levers.expire(link_id)
    steps.searches(staff)
    assert entries(staff.page(f"/links/{link_id}")) == ["Found by a search: Expired"], "no answer has told its end yet"
    page = steps.check(staff, link_id)
    assert entries(page) == ["Ended, unpaid", "Found by a search: Expired"]
    ended = page.one("#link-panel .panel-deadline time")["datetime"]
    assert page.all("#link-timeline .timeline-at time")[0]["datetime"] == ended
