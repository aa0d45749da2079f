"""Test the page of a request that does not become a link at once: every word on it is true (I6)."""

from __future__ import annotations

import re
import socket
import uuid
from collections.abc import Callable

import pytest
from flask import Flask

from dashboard.services.container import Services
from dashboard.settings import Settings
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import FALSE_WORDS, REVIEW, VEHICLE, calls_of, next_look
from tests.web.steps import state_of_request as state


def buttons_and_links(page: Page) -> str:
    return " | ".join([*page.buttons(), *(a.get_text(" ") for a in page.all("main a"))])


# An unclear outcome


NO_ANSWER, ERROR = "The service did not answer.", "The service answered with an error."
UNCLEAR = {
    "cut before": ({"kind": "cut", "when": "before"}, NO_ANSWER),
    "cut after": ({"kind": "cut", "when": "after"}, NO_ANSWER),
    "500 before": ({"kind": "status", "status": 500, "when": "before"}, ERROR),
    "500 after": ({"kind": "status", "status": 500, "when": "after"}, ERROR),
    "502 after": ({"kind": "status", "status": 502, "when": "after"}, ERROR),
    "not JSON": ({"kind": "corrupt", "corruption": "html", "when": "after"}, ERROR),
    "no id": ({"kind": "corrupt", "corruption": "missing-field", "missing": "data.id", "when": "after"}, ERROR),
}


@pytest.mark.parametrize(("fault", "said"), UNCLEAR.values(), ids=UNCLEAR)
def test_an_unknown_outcome_is_never_called_a_failure(
    staff: WebClient, searched: dict[str, str], levers: Levers, fault: dict[str, str], said: str
) -> None:
    levers.fault("create_link", **fault)
    address = steps.request_of(steps.create(staff))
    for page in (staff.page(address), staff.region(f"{address}/panel", on=address)):
        assert state(page) == "UNKNOWN"
        assert f"{said} The link may or may not exist. These challans stay reserved." in page.text
        assert "Do not create it elsewhere: money could be paid twice." in page.text
        assert next_look(page).startswith("We check again in 3 s.")
        assert not FALSE_WORDS.search(page.response.text)
        assert "Check now" in page.buttons()
        assert "Try again" not in buttons_and_links(page)


def test_the_challans_of_an_unclear_request_stay_reserved(
    staff: WebClient, manager: WebClient, unclear: str, levers: Levers
) -> None:
    page = staff.page(VEHICLE)
    assert list(steps.boxes(page)) == ["MH1003", "MH1004", "MH1005"]
    assert "your request of" in steps.row(page, "MH1001")
    theirs = manager.page(VEHICLE)
    assert "Asha Rao’s request of" in steps.row(theirs, "MH1001")
    assert theirs.all(f'tr[data-challan="MH1001"] a[href="{unclear}"]')
    of_what = "Fines ₹1,000.00, legal fee and GST ₹118.00"
    assert f"Challans requested (2) · ₹1,118.00 {of_what}" in staff.page(unclear).text


def test_an_attempt_on_request_finds_the_link_and_shows_it(
    staff: WebClient, unclear: str, levers: Levers, clock: MovableClock
) -> None:
    clock.advance(seconds=5)
    page = staff.read(staff.page(unclear).submit("Check now"))
    assert state(page) == "RECOVERED"
    assert "most likely made by the request of" in page.text
    assert page.one("#request-panel .button-primary").get_text() == "Send the link"
    (link,) = levers.truth()["links"]
    assert page.field("Payment URL")["value"] == levers.link(link["id"])["paymentUrl"]
    assert "Copy link" in page.buttons()
    assert page.link("Open the link") == f"/links/{link['id']}"
    assert page.text.count("Active") == 1, "of each row that is known"
    assert page.one("copy-field")["data-follows"] == "request-panel"
    shown = staff.page(f"/links/{link['id']}").text
    assert "most likely made by the request of" in shown
    assert "Created by Asha Rao" in shown
    assert levers.count("create_link") == 1


def test_absence_is_said_only_when_it_was_verified(
    staff: WebClient, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    levers.fault("create_link", "cut", when="before")
    address = steps.request_of(steps.create(staff, "MH1001"))

    def look() -> Page:
        return staff.read(staff.page(address).submit("Check now"))

    for seconds in (0, 29, 60):
        clock.advance(seconds=seconds)
        page = look()
        assert state(page) == "UNKNOWN", f"{seconds} s later"
        assert not FALSE_WORDS.search(page.response.text)
    clock.advance(seconds=60)
    page = look()
    assert state(page) == "NOT_CREATED"
    assert "We checked twice" in page.text
    assert "and found no link. You can try again; we will check once more first." in page.text
    assert "Try again" in page.buttons()
    levers.forget_calls()
    steps.link_of(staff.page(REVIEW).submit("Create payment link"))
    assert [call["operation"] for call in levers.calls()] == ["search", "create_link"]


def test_a_late_link_is_found_by_the_search_before_a_second_attempt(
    staff: WebClient, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    levers.break_a4()
    address = steps.request_of(steps.create(staff, "MH1001"))
    for seconds in (0, 130):
        clock.advance(seconds=seconds)
        page = staff.read(staff.page(address).submit("Check now"))
    assert state(page) == "NOT_CREATED"
    levers.commit_late()
    page = staff.read(staff.page(REVIEW).submit("Create payment link"))
    assert state(page) == "ATTACHED"
    assert len(levers.truth()["links"]) == 1
    assert page.field("Payment URL")


def tries_again_with_a_prepaid_challan(
    staff: WebClient, searched: dict[str, str], levers: Levers, clock: MovableClock, *numbers: str
) -> Page:
    """Ask for a link whose creation is lost, and once more after the first challan has become prepaid."""
    levers.fault("create_link", "cut", when="before")
    address = steps.request_of(steps.create(staff, *numbers))
    for seconds in (0, 130):
        clock.advance(seconds=seconds)
        staff.page(address).submit("Check now")
    levers.set_challan(searched[numbers[0]], raw={"prepaid": True})
    page = staff.read(staff.page(REVIEW).submit("Create payment link"))
    assert state(page) == "NOT_SENT"
    return page


FILLED, PLAIN = ".button-primary", ":not(.button-primary)"


def test_another_try_says_how_many_challans_it_has_where_others_are_not_free(
    staff: WebClient, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    page = tries_again_with_a_prepaid_challan(staff, searched, levers, clock, "MH1001", "MH1002")
    buttons = [page.one(f"#request-panel .button{kind}").get_text(" ", strip=True) for kind in (FILLED, PLAIN)]
    assert buttons == ["Try again with MH1002 · ₹559.00", "Refresh from source"], "what can be done now comes first"
    assert "Refresh, then try again." not in page.text
    assert "Ask whoever else creates links about MH1001, and refresh later: it may be free" in page.text
    again = staff.read(page.submit("Try again with MH1002 · ₹559.00"))
    assert "On the new link (1)" in again.text


def test_a_second_attempt_whose_search_fails_is_not_sent(
    staff: WebClient, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    page = tries_again_with_a_prepaid_challan(staff, searched, levers, clock, "MH1001")
    assert page.one(".panel-headline").get_text() == "No link was created", "and not what is said of an unsent link"
    found = "MH1001 is marked as already on a payment link, which we cannot see."
    assert f"We checked once more before sending. {found} Nothing was sent. Refresh, then try again." in page.text
    later = "Ask whoever else creates links about MH1001, and refresh later: it may be free if that link ends unpaid."
    assert later in page.text
    assert "selection is saved" not in page.text, "it stands below"
    assert "On a link we cannot see" in page.one("#request-panel table").get_text()
    assert page.one(f"#request-panel form[action='{steps.VEHICLE}/refresh'] .button-primary")
    assert [str(each.get_text()).strip() for each in page.all("#request-panel .button-primary")] == [
        "Refresh from source"
    ]
    assert "Nothing was sent." in page.text
    assert "answered with an error" not in page.text, "it answered, but its answer did not resolve the request"
    assert levers.count("create_link") == 1


def test_an_attempt_without_an_answer_is_shown_and_changes_nothing(
    staff: WebClient, unclear: str, levers: Levers, clock: MovableClock
) -> None:
    levers.fault("search", "cut", count=2)
    clock.advance(seconds=5)
    page = staff.read(staff.page(unclear).submit("Check now"))
    assert state(page) == "UNKNOWN"
    assert page.text.count("The service did not answer.") == 2
    assert not FALSE_WORDS.search(page.response.text)
    assert state(staff.read(page.submit("Check now"))) == "RECOVERED"


def test_a_request_that_attempts_do_not_resolve_needs_attention(
    staff: WebClient, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    levers.fault("create_link", "cut", when="before")
    address = steps.request_of(steps.create(staff, "MH1001"))
    levers.set_challan(searched["MH1001"], raw={"prepaid": True})
    for _ in range(5):
        page = staff.read(staff.page(address).submit("Check now"))
        assert state(page) == "UNKNOWN"
        clock.advance(seconds=30)
    page = staff.read(staff.page(address).submit("Check now"))
    assert state(page) == "NEEDS_ATTENTION"
    assert not page.all(".request-steps"), "no step is under way"
    assert "Ask a manager: the link may or may not exist" in page.text
    assert "These challans stay reserved." in page.text
    assert not FALSE_WORDS.search(page.response.text)
    assert "Check now" in page.buttons()
    assert staff.page("/").link("Open the request") == address


def test_when_every_attempt_fails_the_page_says_why(
    app: Flask, unclear: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    levers.fault("search", "status", status=400, count=10)
    for hours in (1, 24):
        clock.advance(hours=hours)
        services.outcome_resolver.resolve(unclear.rpartition("/")[2])
    page = steps.arrives(app, ASHA).page(unclear)
    assert state(page) == "NEEDS_ATTENTION"
    assert re.search(
        r"The last check, at [\w ,:]+, found nothing out: The service answered with an error: it did not accept the "
        r"search\.",
        page.text,
    )
    assert not FALSE_WORDS.search(page.response.text)


def test_after_the_lifetime_of_its_link_the_page_says_that_looking_cannot_settle_it(
    app: Flask, unclear: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    levers.switch(ended_links_visible=False)
    (made,) = levers.truth()["links"]
    levers.expire(made["id"])
    clock.advance(hours=169)
    services.outcome_resolver.resolve(unclear.rpartition("/")[2])
    page = steps.arrives(app, ASHA).page(unclear)
    assert state(page) == "NEEDS_ATTENTION"
    assert "and the service may no longer show it. Checking again cannot settle it" in page.text
    assert not FALSE_WORDS.search(page.response.text)


def test_a_found_link_with_a_suspicious_address_is_not_offered(
    staff: WebClient, unclear: str, levers: Levers, clock: MovableClock
) -> None:
    (link,) = levers.truth()["links"]
    levers.set_link(link["id"], raw={"paymentUrl": "javascript:alert(1)"})
    clock.advance(seconds=5)
    page = staff.read(staff.page(unclear).submit("Check now"))
    assert state(page) == "RECOVERED"
    assert "Do not send this payment URL" in page.text
    assert "Copy link" not in page.buttons()
    assert not page.all("a[href^=javascript]")


def test_without_htmx_the_region_leads_to_the_page(staff: WebClient, unclear: str) -> None:
    answer = staff.get(f"{unclear}/panel")
    assert (answer.status_code, answer.headers["Location"]) == (303, unclear)


@pytest.mark.parametrize("tail", ["", "/panel"])
def test_a_request_that_is_not_known_is_not_found(staff: WebClient, tail: str) -> None:
    staff.page(f"/requests/{uuid.UUID(int=7)}{tail}", status=404)
    staff.page(f"/requests/not-an-id{tail}", status=404)


def test_an_attempt_on_a_resolved_request_is_harmless(
    staff: WebClient, unclear: str, levers: Levers, clock: MovableClock
) -> None:
    form = staff.page(unclear).form("Check now")
    clock.advance(seconds=5)
    form.submit()
    assert calls_of(levers, form.submit) == 0, "it is resolved"
    form.action = f"/requests/{uuid.UUID(int=7)}/check"
    assert staff.get(form.submit().headers["Location"]).status_code == 404


def test_everybody_sees_the_request_and_may_start_an_attempt(
    staff: WebClient, manager: WebClient, unclear: str, clock: MovableClock
) -> None:
    page = manager.page(unclear)
    assert "Requested by Asha Rao" in page.text
    clock.advance(seconds=5)
    assert state(manager.read(page.submit("Check now"))) == "RECOVERED"


# Refusals


def test_a_spent_allowance_is_said_and_the_selection_saved(
    staff: WebClient, searched: dict[str, str], levers: Levers
) -> None:
    levers.set_organization(linkAllowance=0)
    address = steps.request_of(steps.create(staff, "MH1001", "MH1002", hours="96"))
    page = staff.page(address)
    assert state(page) == "REJECTED"
    said = words(page.one(".panel-said").get_text(" "))
    assert re.match(r"No link was created ₹1,118.00 2 challans, not on a link No new links till about 11:59 pm ", said)
    assert re.search(r"11:59 pm Today’s limit for new links was reached at [\w ,:]+\.", said)
    assert page.text.count("your selection is saved") == 1
    assert "You can still try: nothing is lost." in page.text
    assert words(page.one("#asked-title").get_text()) == "Challans requested (2)", "their sum stands above"
    assert "Try again" in page.buttons()
    assert "Create with the other" not in page.text
    review = staff.page(REVIEW)
    assert "On the new link (2)" in review.text
    assert review.field("Expires after (hours)")["value"] == "96"


def test_each_request_shows_when_it_reached_the_limit_itself(
    staff: WebClient, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    levers.set_organization(linkAllowance=0)
    first = steps.request_of(steps.create(staff, "MH1001"))
    levers.set_organization(linkAllowance=None)
    clock.advance(minutes=2)
    steps.link_of(steps.create(staff, "MH1002"))
    levers.set_organization(linkAllowance=0)
    clock.advance(minutes=2)
    second = steps.request_of(steps.create(staff, "MH1003"))
    assert "The day’s limit for new links was reached at" in staff.page(first).text
    assert "Today’s limit for new links was reached at" in staff.page(second).text


def test_on_another_day_the_page_speaks_of_the_day_that_was(
    app: Flask, staff: WebClient, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    levers.set_organization(linkAllowance=0)
    first = steps.request_of(steps.create(staff, "MH1001"))
    clock.advance(days=1)
    asha = steps.arrives(app, ASHA)
    second = steps.request_of(steps.create(asha, "MH1002"))
    assert re.search(r"The day’s limit for new links was reached at [\w ,:]+\. The", asha.page(first).text)
    assert "Today’s limit for new links was reached at" in asha.page(second).text


def test_a_spent_allowance_is_not_asked_for_again_at_once(
    staff: WebClient, manager: WebClient, searched: dict[str, str], levers: Levers
) -> None:
    levers.set_organization(linkAllowance=0)
    steps.request_of(steps.create(staff, "MH1001"))
    page = manager.read(steps.create(manager, "MH1002"))
    assert page.status == 429
    assert "Today’s limit for new links is reached." in page.text
    assert "Nothing was sent." in page.text
    assert "On the new link (1)" in page.text
    assert levers.count("create_link") == 1


REFUSED = {
    400: "The service rejected the request for a link, and gave no reason.",
    403: "Payment Link Generation is not enabled for your organization.",
    404: "The service does not know the vehicle or one of the challans. Search the vehicle again.",
}


@pytest.mark.parametrize(("status", "said"), REFUSED.items())
def test_a_definite_refusal_is_said_and_frees_the_challans(
    staff: WebClient, searched: dict[str, str], levers: Levers, status: int, said: str
) -> None:
    levers.fault("create_link", "status", status=status)
    page = staff.page(steps.request_of(steps.create(staff, "MH1001")))
    assert state(page) == "REJECTED"
    assert f"No link was created {said}" in page.text
    assert "The challans are free again, and your selection is saved." in page.text
    assert "Try again" in page.buttons()
    assert "Create with the other" not in page.text
    assert steps.ticked(staff.page(VEHICLE)) == ["MH1001"]
    assert not page.one("#request-panel").has_attr("hx-get")


def test_an_unreachable_service_is_known_to_have_received_nothing(
    staff: WebClient,
    searched: dict[str, str],
    build_app: Callable[[Settings], Flask],
    environ: dict[str, str],
    levers: Levers,
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # No process listens on this port.
        environ["DASHBOARD_SERVICE_URL"] = f"http://127.0.0.1:{taken.getsockname()[1]}"
        asha = steps.arrives(build_app(Settings.from_environ(environ)), ASHA)
        page = asha.read(steps.create(asha))
    assert state(page) == "NOT_SENT"
    assert "No link was created The service did not answer. Nothing was sent." in page.text
    assert "Try again" in page.buttons()
    assert len(steps.ticked(asha.page(VEHICLE))) == 5
    assert levers.count("create_link") == 0
