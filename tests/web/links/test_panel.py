"""Test the live panel of a link: when it polls, what it costs the service, and what it says."""

from __future__ import annotations

import json
import re
import uuid
from datetime import timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from dashboard.domain.sharing import Channel
from dashboard.services.container import Services
from dashboard.store.engine import Store
from dashboard.store.links.tables import link
from tests.support.clock import MovableClock
from tests.support.concurrent_polls import poll_in_flight
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver
from tests.web.steps import RC, calls_of, poll

POLLING = ("hx-get", "hx-trigger", "hx-swap")


@pytest.fixture
def link_id(staff: WebClient, five: dict[str, str]) -> str:
    """Create a link as Asha."""
    steps.searches(staff)
    return steps.link_of(steps.create(staff))


def address(link_id: str) -> str:
    return f"/links/{link_id}/panel"


def seen(visitor: WebClient, link_id: str) -> str:
    """Return the address that the panel polls, with the fingerprint of what it shows."""
    return str(visitor.page(f"/links/{link_id}").one("#link-panel")["hx-get"])


def watch(services: Services) -> list[str]:
    """Poll the links that are due, as a round of the watcher does."""
    due = services.link_poller.claim_due(50)
    for link_id in due:
        services.link_poller.poll_claimed(link_id)
    return due


# Answers


def test_the_region_is_one_element_that_polls_beside_the_counts_of_the_menu(staff: WebClient, link_id: str) -> None:
    region = staff.region(address(link_id), on=f"/links/{link_id}")
    first, *counts = (str(root["id"]) for root in region.all("body > *"))
    assert first == "link-panel"
    assert counts == ["menu-count-follow_up"], "what waits is renewed with what changed"
    panel = region.one("#link-panel")
    assert panel["data-status"] == "ACTIVE"
    assert panel["hx-trigger"] == "every 3s"
    assert panel["hx-swap"] == "outerHTML"
    assert str(panel["hx-get"]).startswith(f"{address(link_id)}?seen=")
    assert "₹2,795.00 Active by UPI · ₹2,850.90 by credit card" in region.text
    assert "Payment URL" not in region.text, "the copy field is outside of the region"


def test_an_unchanged_panel_is_not_sent_again(
    staff: WebClient, link_id: str, services: Services, clock: MovableClock
) -> None:
    asks = seen(staff, link_id)
    answer = poll(staff, asks)
    assert (answer.status_code, answer.data) == (204, b"")
    first = json.loads(answer.headers["HX-Trigger"])["checked"]["at"]
    clock.advance(seconds=4)
    assert watch(services) == [link_id]
    answer = poll(staff, asks)
    assert answer.status_code == 204, "the time of the check is not part of what was seen"
    assert json.loads(answer.headers["HX-Trigger"])["checked"]["at"] > first
    assert "HX-Request" in answer.headers["Vary"]


@pytest.mark.parametrize(
    ("end", "status"), [("pay", "PAID"), ("expire", "EXPIRED"), ("fail", "FAILED"), ("cancel", "CANCELLED")]
)
def test_a_changed_panel_is_sent(
    staff: WebClient, link_id: str, levers: Levers, services: Services, clock: MovableClock, end: str, status: str
) -> None:
    asks = seen(staff, link_id)
    getattr(levers, end)(link_id)
    assert poll(staff, asks).status_code == 204, "nobody has asked the service yet"
    clock.advance(seconds=4)
    watch(services)
    region = Page(staff, poll(staff, asks), region=True)
    assert (region.status, region.one("#link-panel")["data-status"]) == (200, status)
    assert region.one("#link-panel")["data-copyable"] == "false"


def test_a_failed_check_is_a_change_and_so_is_its_end(
    staff: WebClient, link_id: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    asks = seen(staff, link_id)
    levers.fault("link_status", "status", status=500)
    clock.advance(seconds=4)
    watch(services)
    region = Page(staff, poll(staff, asks), region=True)
    assert region.status == 200
    assert "The service answered with an error. This is from" in region.text
    assert region.one("#link-panel")["data-status"] == "ACTIVE", "an outage cannot blank the panel"
    asks = str(region.one("#link-panel")["hx-get"])
    clock.advance(seconds=20)
    watch(services)
    region = Page(staff, poll(staff, asks), region=True)
    assert "error" not in region.text


def test_without_htmx_the_region_redirects_to_its_page(staff: WebClient, link_id: str) -> None:
    answer = staff.get(address(link_id))
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/links/{link_id}")
    assert "HX-Request" in answer.headers["Vary"]


def test_the_region_of_an_unknown_link_is_a_notice(staff: WebClient) -> None:
    region = staff.region("/links/00000000-0000-0000-0000-000000000007/panel", status=404)
    assert region.headers["HX-Retarget"] == "#notices"
    assert "Page not found" in region.text


def test_an_expired_session_sends_the_page_to_sign_in_and_back(
    staff: WebClient, link_id: str, clock: MovableClock
) -> None:
    asks = seen(staff, link_id)
    clock.advance(minutes=31)
    answer = staff.get(asks, headers={"HX-Request": "true", "HX-Current-URL": f"http://localhost/links/{link_id}"})
    assert answer.status_code == 401
    back = staff.signs_in(ASHA.email, at=answer.headers["HX-Redirect"])
    assert back.headers["Location"] == f"/links/{link_id}"


# The polling interval, and what delays polls


def checked(answer: TestResponse) -> dict[str, Any]:
    """Return the `checked` event of an answer about the panel."""
    return dict(json.loads(answer.headers["HX-Trigger"])["checked"])


def test_every_answer_carries_the_polling_interval_which_may_change_alone(
    staff: WebClient, link_id: str, services: Services, store: Store, clock: MovableClock
) -> None:
    asks = seen(staff, link_id)
    answer = poll(staff, asks)
    assert (answer.status_code, checked(answer)["poll_seconds"] < 5) == (204, True)
    assert checked(answer)["now"] == clock().isoformat()
    # A link that is watched and backs off cannot change before its next check.
    with store.write() as connection:
        rests = update(link).where(link.c.id == link_id)
        connection.execute(rests.values(next_check_at=clock() + timedelta(minutes=1), watched_at=clock()))
    answer = poll(staff, asks)
    assert (answer.status_code, checked(answer)["poll_seconds"]) == (204, 15)


def test_the_page_polls_again_right_after_the_next_check(
    staff: WebClient, link_id: str, services: Services, store: Store, clock: MovableClock
) -> None:
    asks = seen(staff, link_id)
    watch(services)
    with store.read() as connection:
        wait = (connection.execute(select(link.c.next_check_at)).scalar_one() - clock()).total_seconds()
    assert wait == pytest.approx(3, abs=0.01)
    paces = {checked(poll(staff, asks))["poll_seconds"] for _ in range(30)}
    assert wait + 0.2 < min(paces) < max(paces) < wait + 1.3
    assert len(paces) > 3, "all of them would ask at once"
    clock.advance(seconds=4)
    assert all(checked(poll(staff, asks))["poll_seconds"] < 1.3 for _ in range(5)), "it is being asked for"
    clock.advance(seconds=4)
    assert {checked(poll(staff, asks))["poll_seconds"] for _ in range(5)} == {3}, "nobody comes to ask for it"


def test_a_check_that_nobody_makes_is_reported_after_a_minute(
    staff: WebClient, link_id: str, services: Services, clock: MovableClock
) -> None:
    clock.advance(seconds=70)  # The check is due after 12 to 18 s.
    assert "checks are late" not in staff.page(f"/links/{link_id}").text
    clock.advance(seconds=10)
    page = staff.page(f"/links/{link_id}")
    assert "; checks are late." in page.text
    watch(services)
    region = Page(staff, poll(staff, str(page.one("#link-panel")["hx-get"])), region=True)
    assert "checks are late" not in region.text


def test_while_the_key_is_refused_a_page_says_that_checks_are_stopped(
    staff: WebClient, admin: WebClient, link_id: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    levers.revoke_secret()
    assert steps.refresh(staff).status_code == 503
    clock.advance(seconds=61)
    assert steps.refresh(staff).status_code == 503, "the one try of this minute"
    clock.advance(seconds=20)
    assert watch(services) == []
    page = staff.page(f"/links/{link_id}")
    assert re.search(r"Last checked \S+ [ap]m; checks are stopped\.", page.text)
    assert "data-stopped" in page.one("#link-panel").attrs, "no button is shown that cannot check"
    details = page.one("#link-panel .copy-details textarea").get_text()
    assert details.startswith("The service has refused the API key since "), details
    assert not admin.page(f"/links/{link_id}").all("#link-panel .copy-details"), "the banner leads to the service page"
    assert "The API key was refused" in page.everything
    services.call_policy.try_again()
    again = Page(staff, poll(staff, str(page.one("#link-panel")["hx-get"])), region=True)
    assert "data-stopped" not in again.one("#link-panel").attrs


def test_the_banner_comes_and_goes_on_an_open_page(
    staff: WebClient, link_id: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    page = staff.page(f"/links/{link_id}")
    banner = page.one("#banner")
    assert banner["data-shown"] == ""
    assert checked(poll(staff, seen(staff, link_id)))["parts"]["banner"] == ""
    levers.revoke_secret()
    steps.refresh(staff)
    mark = checked(poll(staff, seen(staff, link_id)))["parts"]["banner"]
    assert mark != ""
    region = staff.region(str(banner["hx-get"]), on=f"/links/{link_id}")
    assert region.one("#banner")["data-shown"] == mark
    assert "The API key was refused" in region.text
    services.call_policy.try_again()
    assert checked(poll(staff, seen(staff, link_id)))["parts"]["banner"] == ""
    assert "refused" not in staff.region(str(banner["hx-get"])).one("#banner").get_text()


# The end of polling


def test_only_a_link_that_can_be_paid_says_that_it_was_not_sent(staff: WebClient, link_id: str, levers: Levers) -> None:
    assert "Not sent yet" in staff.page(f"/links/{link_id}").one("#link-panel").get_text()
    levers.pay(link_id)
    assert "Not sent yet" not in steps.check(staff, link_id).text


def test_a_hindi_page_does_not_say_either_that_an_ended_link_was_not_sent(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    staff.post("/language", data={"language": "hi", "csrf_token": staff.csrf_token()})
    assert "अभी नहीं भेजा" in staff.page(f"/links/{link_id}").text
    levers.expire(link_id)
    assert "अभी नहीं भेजा" not in staff.read(staff.page(f"/links/{link_id}").submit("अभी जाँचें")).text


def test_the_panel_of_a_paid_link_does_not_poll(staff: WebClient, link_id: str, levers: Levers) -> None:
    levers.pay(link_id)
    panel = steps.check(staff, link_id).one("#link-panel")
    assert panel["data-status"] == "PAID"
    assert "Paid" in panel.get_text()
    assert not [name for name in POLLING if panel.has_attr(name)]


def test_the_panel_of_a_link_paid_without_a_time_polls(staff: WebClient, link_id: str, levers: Levers) -> None:
    levers.set_link(link_id, status="PAID")
    levers.set_link(link_id, raw={"paidAt": None})
    page = steps.check(staff, link_id)
    assert "Paid; payment time not known." in page.text
    assert page.one("#link-panel")["hx-trigger"] == "every 15s"


def test_nobody_is_told_that_checks_of_a_paid_link_are_late(
    staff: WebClient, link_id: str, levers: Levers, clock: MovableClock
) -> None:
    levers.set_link(link_id, status="PAID")
    levers.set_link(link_id, raw={"paidAt": None})
    steps.check(staff, link_id)
    clock.advance(seconds=600)
    assert "checks are late" not in staff.page(f"/links/{link_id}").text


@pytest.mark.parametrize("end", ["expire", "fail", "cancel"])
def test_an_ended_link_is_checked_again(staff: WebClient, link_id: str, levers: Levers, end: str) -> None:
    getattr(levers, end)(link_id)
    page = steps.check(staff, link_id)
    assert page.one("#link-panel").has_attr("hx-get")
    assert "late payment" in page.text


def test_an_undocumented_state_is_shown_as_sent_and_counts_as_live(
    staff: WebClient, link_id: str, levers: Levers, clock: MovableClock
) -> None:
    levers.set_link(link_id, status="Zurück_gestellt")
    page = steps.check(staff, link_id)
    panel = page.one("#link-panel")
    assert panel["data-status"] == "Zurück_gestellt"
    assert "Do not send it yet We do not know this state. Ask the service’s support what it means." in page.text
    act = "#link-payment .button-primary"
    assert [each.get_text() for each in page.all(act)] == ["Copy details for support"], "it was checked just now"
    clock.advance(minutes=6)
    assert [each.get_text() for each in staff.page(f"/links/{link_id}").all(act)] == ["Check now"]
    assert panel.has_attr("hx-get")
    assert "Copy link" in page.buttons()


# Texts


def test_a_state_that_goes_backwards_is_shown_with_a_warning(staff: WebClient, link_id: str, levers: Levers) -> None:
    levers.pay(link_id)
    steps.check(staff, link_id)
    levers.set_link(link_id, status="ACTIVE", paidAt=None)
    page = steps.check(staff, link_id)
    assert page.one("#link-panel")["data-status"] == "ACTIVE"
    assert "The service reported this link as paid before. Its present state is shown." in page.text
    assert page.one("#link-panel").has_attr("hx-get")


def test_a_late_payment_of_an_ended_link_is_shown(
    staff: WebClient, link_id: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    levers.expire(link_id)
    steps.check(staff, link_id)
    levers.pay(link_id)
    clock.advance(minutes=16)
    assert watch(services) == [link_id]
    assert staff.page(f"/links/{link_id}").one("#link-panel")["data-status"] == "PAID"


def test_our_own_clock_never_ends_a_link(staff: WebClient, link_id: str, clock: MovableClock) -> None:
    clock.advance(hours=49)
    steps.comes_back(staff, ASHA)
    page = staff.page(f"/links/{link_id}")
    assert page.one("#link-panel")["data-status"] == "ACTIVE"
    assert "This link should have expired. Checking." in page.text


def test_the_countdown_is_by_the_services_clock(
    staff: WebClient, link_id: str, levers: Levers, clock: MovableClock
) -> None:
    """Set the service's clock ten minutes ahead, so that half an hour by ours is twenty minutes left."""
    clock.advance(hours=47, minutes=30)
    levers.advance(timedelta(hours=47, minutes=40).total_seconds())
    steps.comes_back(staff, ASHA)
    steps.check(staff, link_id)
    said = words(staff.page(f"/links/{link_id}").one(".panel-deadline").get_text())
    assert "19 min left" in said or "20 min left" in said


@pytest.mark.parametrize(
    ("value", "amount", "said"),
    [
        (None, {}, "End not known"),
        (None, {"totalAmount": 559}, "End not known"),
        ("0001-01-01T00:00:00Z", {}, ""),
    ],
)
def test_a_link_without_a_sensible_end_has_no_countdown(
    staff: WebClient, five: dict[str, str], levers: Levers, value: str | None, amount: dict[str, int], said: str
) -> None:
    steps.searches(staff)
    covered = [{"id": key, "challanNo": number, "rcNumber": RC} for number, key in five.items()]
    link = {"id": str(uuid.uuid4()), "status": "ACTIVE", "challans": covered, "expiresAt": value, "amount": amount}
    body = json.dumps({"success": True, "data": link})
    levers.fault("create_link", "raw", status=200, body=body, content_type="application/json")
    page = staff.read(steps.create(staff))
    assert page.one("#link-panel")["data-status"] == "ACTIVE"
    assert said in page.text
    assert not page.all(".panel-deadline time-ago")


def test_an_expiry_that_later_answers_leave_out_stays(staff: WebClient, link_id: str, levers: Levers) -> None:
    levers.set_link(link_id, raw={"expiresAt": None})
    assert re.search("4[78] h left", steps.check(staff, link_id).text), "by the service's clock, which goes on"


def test_the_age_of_the_check_is_shown_beside_the_state(
    staff: WebClient, link_id: str, clock: MovableClock, services: Services
) -> None:
    clock.advance(seconds=4)
    assert "Checked 4 s ago" in staff.page(f"/links/{link_id}").text


# Cost


def test_the_service_is_asked_once_an_interval_however_many_people_watch(
    staff: WebClient,
    manager: WebClient,
    admin: WebClient,
    link_id: str,
    levers: Levers,
    services: Services,
    clock: MovableClock,
) -> None:
    people = [staff, manager, admin]
    for person in people:
        person.page(f"/links/{link_id}")
    for _ in range(5):
        clock.advance(seconds=3)
        for person in people * 3:
            assert poll(person, address(link_id)).status_code == 200
        assert calls_of(levers, lambda: [watch(services) for _ in people]) == 1
    assert levers.count("link_status") == 5


def test_a_link_that_nobody_watches_is_polled_less_often(
    staff: WebClient, link_id: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    clock.advance(minutes=1)
    watch(services)
    levers.forget_calls()
    for _ in range(60):
        clock.advance(seconds=1)
        watch(services)
    # Polls are 15 s apart, give or take a fifth: 12 s at the shortest, 18 s at the longest.
    assert 3 <= levers.count("link_status") <= 5


def test_opening_the_page_makes_the_link_due_sooner(
    staff: WebClient, link_id: str, services: Services, clock: MovableClock
) -> None:
    clock.advance(minutes=1)
    watch(services)
    clock.advance(seconds=5)
    assert watch(services) == []
    staff.page(f"/links/{link_id}")
    assert watch(services) == [link_id]


def test_a_paid_link_is_never_polled_again(
    staff: WebClient, link_id: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    levers.pay(link_id)
    steps.check(staff, link_id)
    for _ in range(3):
        clock.advance(hours=1)
        steps.comes_back(staff, ASHA)
        staff.page(f"/links/{link_id}")
        assert watch(services) == []


def test_a_check_on_request_does_not_rely_on_a_poll_that_began_before_it(
    staff: WebClient, services: Services, link_id: str, levers: Levers, clock: MovableClock
) -> None:
    clock.advance(seconds=30)
    levers.pay(link_id)
    page = staff.page(f"/links/{link_id}")
    with poll_in_flight(services.link_poller, levers, link_id):
        panel = staff.read(page.submit("Check now")).one("#link-panel")
    assert panel["data-status"] == "PAID"
    assert levers.count("link_status") == 2


def test_an_expired_link_says_when_it_ended(staff: WebClient, link_id: str, levers: Levers) -> None:
    levers.expire(link_id)
    panel = steps.check(staff, link_id).one("#link-panel")
    assert panel.select_one(".panel-deadline").get_text().strip().startswith("Expired ")
    assert "Ended" not in panel.get_text(), "one word for it"


def test_of_a_failed_link_that_nobody_was_given_the_usual_driver_is_asked_or_somebody_chosen(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    levers.fail(link_id)
    page = steps.check(staff, link_id)
    assert "Ask whoever tried to pay: money may have left the account." in page.text
    assert [words(each.get_text(" ")) for each in page.all(".panel-act .button-primary")] == ["Choose driver to ask"]
    again = page.form("Create again")
    assert again.action == f"/links/{link_id}/reissue"
    assert [words(each.get_text()) for each in page.all(".panel-act details > summary")][-1] == "Create again anyway"
    [lead] = staff.page(f"/links/{link_id}/share").all(".share-stop .button-primary")
    assert lead["href"] == f"/links/{link_id}", "where it is chosen"
    adds_a_driver(staff)
    for address in (f"/links/{link_id}", f"/links/{link_id}/share"):
        page = staff.page(address)
        assert "Ask Ramesh Kumar on WhatsApp , in a new tab" in page.buttons()
        assert "Create again" in page.buttons()


def test_of_an_amount_that_the_service_does_not_give_one_sentence_says_so(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    levers.set_link(link_id, raw={"amount": {"baseAmount": 2500}, "paymentModeOptions": []})
    panel = words(steps.check(staff, link_id).one("#link-panel").get_text(" "))
    assert "Amount unknown" in panel
    assert panel.count("Each check asks again.") == 1
    assert "gives no amount" not in panel, "said once"


def test_what_is_checked_before_a_link_is_created_again_stands_below_the_button(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    levers.expire(link_id)
    said = steps.check(staff, link_id).one("#link-panel .panel-act").get_text()
    assert "We look for a late payment first" in said.partition("Create again")[2]


def test_a_failed_link_says_what_to_ask_before_it_is_created_again(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    services.sharing.record_share(link_id, Channel.SMS, 1, None, "en")
    levers.fail(link_id)
    page = steps.check(staff, link_id)
    said = page.one("#link-panel .panel-act").get_text()
    assert "Ask the driver first" in said.partition("Create again")[0]
    [primary] = page.all(".panel-act .button-primary")
    assert primary.get_text().startswith("Ask the driver on WhatsApp")
    again = page.all(".panel-act button")[-1]
    assert words(again.get_text()) == "Create again"
    asks = staff.read(page.submit("Ask the driver on WhatsApp , in a new tab")).link("Open WhatsApp")
    assert asks.startswith("https://wa.me/?text=Hello%2C%0A%0AA%20payment%20for")


def test_where_a_failed_link_was_to_be_shared_the_driver_is_asked_first_as_well(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    services.sharing.record_share(link_id, Channel.SMS, 1, None, "en")
    levers.fail(link_id)
    steps.check(staff, link_id)
    page = staff.page(f"/links/{link_id}/share")
    [primary] = page.all(".share-stop .button-primary")
    assert primary.get_text().startswith("Ask the driver on WhatsApp")
    assert "Create again" in page.buttons()


def test_the_driver_of_a_failed_link_is_asked_in_their_language(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    services.sharing.record_share(link_id, Channel.WHATSAPP, 1, int(adds_a_driver(staff, language="hi")), "hi")
    levers.fail(link_id)
    page = steps.check(staff, link_id)
    asks = staff.read(page.submit("Ask Ramesh Kumar on WhatsApp , in a new tab")).link("Open WhatsApp")
    assert asks.startswith("https://wa.me/919876543210?text=")
    assert "नमस्ते Ramesh Kumar,\n\nवाहन MH12 AB 1001 के चालानों" in unquote(asks)
    assert "prepaid-payment" not in asks


def test_an_expiry_that_was_seen_late_has_one_time_on_the_page(
    staff: WebClient, link_id: str, levers: Levers, clock: MovableClock
) -> None:
    clock.advance(hours=50)
    steps.comes_back(staff, ASHA)
    levers.expire(link_id)
    page = steps.check(staff, link_id)
    ended = page.one("#link-panel .panel-deadline time")["datetime"]
    assert page.all("#link-timeline .timeline-at time")[-1]["datetime"] == ended
