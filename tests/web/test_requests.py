"""The page of a request whose outcome is not a link at once: every word on it has to be true (I6)."""

from __future__ import annotations

import json
import re
import socket
import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from dashboard.errors import Operation
from dashboard.services.desk import Desk
from dashboard.settings import Settings
from dashboard.store import breakers, intents
from dashboard.store.engine import Store
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.visitor import Visitor
from tests.web import steps
from tests.web.steps import RC, REVIEW, VEHICLE, calls_of, poll

FALSE_WORDS = re.compile(
    r"not created|no link was|failed|could not be created|nothing was (sent|created)", re.IGNORECASE
)


@pytest.fixture
def searched(staff: Visitor, five: dict[str, str]) -> dict[str, str]:
    steps.searched(staff)
    return five


def state(page: Page) -> str:
    return str(page.one("#request-panel")["data-state"])


def buttons_and_links(page: Page) -> str:
    return " | ".join([*page.buttons(), *(a.get_text(" ") for a in page.all("main a"))])


# An outcome that is not known


@pytest.fixture
def unclear(staff: Visitor, searched: dict[str, str], levers: Levers) -> str:
    """The page of a request whose answer was lost after the link was made."""
    levers.fault("create_link", "cut", when="after")
    return steps.request_of(steps.create(staff, "MH1001", "MH1002", hours="72"))


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
    staff: Visitor, searched: dict[str, str], levers: Levers, fault: dict[str, str], said: str
) -> None:
    levers.fault("create_link", **fault)
    address = steps.request_of(steps.create(staff))
    for page in (staff.page(address), staff.region(f"{address}/panel", on=address)):
        assert state(page) == "UNKNOWN"
        assert f"{said} The link may or may not exist. These challans stay reserved." in page.text
        assert "Please do not create it elsewhere." in page.text
        assert next_look(page).startswith("Next look in 3 s.")
        assert not FALSE_WORDS.search(page.response.text)
        assert "Look now" in page.buttons()
        assert "Try again" not in buttons_and_links(page)


def test_the_challans_of_an_unclear_request_stay_reserved(
    staff: Visitor, manager: Visitor, unclear: str, levers: Levers
) -> None:
    page = staff.page(VEHICLE)
    assert list(steps.boxes(page)) == ["MH1003", "MH1004", "MH1005"]
    assert "your request of" in steps.row(page, "MH1001")
    theirs = manager.page(VEHICLE)
    assert "a request by Asha Rao of" in steps.row(theirs, "MH1001")
    assert theirs.all(f'tr[data-challan="MH1001"] a[href="{unclear}"]')


def test_looking_now_finds_the_link_and_shows_it(staff: Visitor, unclear: str, levers: Levers) -> None:
    page = staff.read(staff.page(unclear).submit("Look now"))
    assert state(page) == "RECOVERED"
    assert "Found by checking; most likely made by the request of" in page.text
    (link,) = levers.truth()["links"]
    assert page.field("Payment URL")["value"] == levers.link(link["id"])["paymentUrl"]
    assert "Copy link" in page.buttons()
    assert page.link("Open the link's page") == f"/links/{link['id']}"
    assert page.one("copy-field")["data-follows"] == "request-panel"
    shown = staff.page(f"/links/{link['id']}").text
    assert "Found by checking; most likely made by the request of" in shown
    assert "Made by Asha Rao" in shown
    assert levers.count("create_link") == 1


def test_absence_is_said_only_when_it_was_verified(
    staff: Visitor, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    levers.fault("create_link", "cut", when="before")
    address = steps.request_of(steps.create(staff, "MH1001"))

    def look() -> Page:
        return staff.read(staff.page(address).submit("Look now"))

    for seconds in (0, 29, 60):
        clock.advance(seconds=seconds)
        page = look()
        assert state(page) == "UNKNOWN", f"{seconds} s later"
        assert not FALSE_WORDS.search(page.response.text)
    clock.advance(seconds=60)
    page = look()
    assert state(page) == "NOT_CREATED"
    assert "We looked twice" in page.text
    assert "and found no link. You can try again; we will look once more first." in page.text
    assert "Try again" in page.buttons()
    levers.forget_calls()
    steps.link_of(staff.page(REVIEW).submit("Create payment link"))
    assert [call["operation"] for call in levers.calls()] == ["search", "create_link"]


def test_a_late_link_is_found_by_the_look_before_a_second_attempt(
    staff: Visitor, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    levers.break_a4()
    address = steps.request_of(steps.create(staff, "MH1001"))
    for seconds in (0, 130):
        clock.advance(seconds=seconds)
        page = staff.read(staff.page(address).submit("Look now"))
    assert state(page) == "NOT_CREATED"
    levers.commit_late()
    page = staff.read(staff.page(REVIEW).submit("Create payment link"))
    assert state(page) == "ATTACHED"
    assert len(levers.truth()["links"]) == 1
    assert page.field("Payment URL")


def test_a_second_attempt_that_cannot_be_looked_at_first_is_not_sent(
    staff: Visitor, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    levers.fault("create_link", "cut", when="before")
    address = steps.request_of(steps.create(staff, "MH1001"))
    for seconds in (0, 130):
        clock.advance(seconds=seconds)
        staff.page(address).submit("Look now")
    levers.set_challan(searched["MH1001"], raw={"prepaid": True})
    page = staff.read(staff.page(REVIEW).submit("Create payment link"))
    assert state(page) == "NOT_SENT"
    assert "Nothing was sent, and no link was created." in page.text
    assert "answered with an error" not in page.text, "it answered; what it said did not settle the matter"
    assert levers.count("create_link") == 1


def test_a_look_that_gets_no_answer_says_so_and_changes_nothing(staff: Visitor, unclear: str, levers: Levers) -> None:
    levers.fault("search", "cut", count=2)
    page = staff.read(staff.page(unclear).submit("Look now"))
    assert state(page) == "UNKNOWN"
    assert page.text.count("The service did not answer.") == 2
    assert not FALSE_WORDS.search(page.response.text)
    assert state(staff.read(page.submit("Look now"))) == "RECOVERED"


def test_looking_that_settles_nothing_asks_for_a_person(
    staff: Visitor, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    levers.fault("create_link", "cut", when="before")
    address = steps.request_of(steps.create(staff, "MH1001"))
    levers.set_challan(searched["MH1001"], raw={"prepaid": True})
    for _ in range(5):
        page = staff.read(staff.page(address).submit("Look now"))
        assert state(page) == "UNKNOWN"
        clock.advance(seconds=30)
    page = staff.read(staff.page(address).submit("Look now"))
    assert state(page) == "NEEDS_ATTENTION"
    assert "The link may or may not exist. These challans stay reserved." in page.text
    assert not FALSE_WORDS.search(page.response.text)
    assert "Look now" in page.buttons()
    assert staff.page("/").link("Look at the request") == address


def test_a_found_link_with_a_suspicious_address_is_not_offered(staff: Visitor, unclear: str, levers: Levers) -> None:
    (link,) = levers.truth()["links"]
    levers.set_link(link["id"], raw={"paymentUrl": "javascript:alert(1)"})
    page = staff.read(staff.page(unclear).submit("Look now"))
    assert state(page) == "RECOVERED"
    assert "Do not share this address" in page.text
    assert "Copy link" not in page.buttons()
    assert not page.all("a[href^=javascript]")


# The live region


def test_the_region_of_a_request_is_sent_when_something_changed(
    staff: Visitor, unclear: str, desk: Desk, clock: MovableClock
) -> None:
    panel = staff.page(unclear).one("#request-panel")
    assert panel["hx-trigger"] == "every 3s"
    asks = str(panel["hx-get"])
    answer = poll(staff, asks)
    assert (answer.status_code, answer.data) == (204, b"")
    assert "checked" in json.loads(answer.headers["HX-Trigger"])
    clock.advance(seconds=4)
    for intent_id in desk.reconciling.take_due(5):
        desk.reconciling.look(intent_id)
    region = Page(staff, poll(staff, asks), region=True)
    assert (region.status, state(region)) == (200, "RECOVERED")
    assert [root["id"] for root in region.all("body > *")] == ["request-panel"]
    assert region.field("Payment URL")


def next_look(page: Page) -> str:
    return words(page.one(".panel-next").get_text())


def test_the_time_until_the_next_look_counts_down_in_the_page(staff: Visitor, unclear: str) -> None:
    page = staff.page(unclear)
    assert page.one(".panel-next time-ago[data-until] time").get_text() == "3 s"
    assert next_look(page) == "Next look in 3 s. Please do not create it elsewhere."


def test_a_look_that_is_under_way_is_called_so(
    staff: Visitor, unclear: str, store: Store, desk: Desk, clock: MovableClock
) -> None:
    asks = str(staff.page(unclear).one("#request-panel")["hx-get"])
    clock.advance(seconds=4)
    assert next_look(staff.page(unclear)).startswith("The next look is due.")
    (intent_id,) = desk.reconciling.take_due(5)
    with store.write() as connection:
        assert intents.take_look(connection, intent_id, clock(), clock() + timedelta(seconds=90))
    region = Page(staff, poll(staff, asks), region=True)
    assert next_look(region) == "Looking now. Please do not create it elsewhere."


def test_a_look_that_nobody_makes_is_called_overdue(
    staff: Visitor, unclear: str, levers: Levers, clock: MovableClock
) -> None:
    clock.advance(seconds=60)
    asks = str(staff.page(unclear).one("#request-panel")["hx-get"])
    assert next_look(staff.page(unclear)).startswith("The next look is due.")
    clock.advance(seconds=4)
    said = next_look(Page(staff, poll(staff, asks), region=True))
    assert re.match(r"The look that was due at \d\d:\d\d IST was not made: the dashboard's background work is", said)
    assert said.endswith("Please do not create it elsewhere.")


def test_a_look_that_is_held_back_is_called_so(staff: Visitor, unclear: str, store: Store, clock: MovableClock) -> None:
    clock.advance(seconds=70)
    with store.write() as connection:
        group = breakers.find_locked(connection, Operation.SEARCH_CHALLANS.call_group).call_group
        breakers.record(connection, group, opened_at=clock(), until=clock() + timedelta(seconds=30))
    assert "was not made: checking is held back for now. It goes on by itself." in next_look(staff.page(unclear))


def test_without_htmx_the_region_leads_to_the_page(staff: Visitor, unclear: str) -> None:
    answer = staff.get(f"{unclear}/panel")
    assert (answer.status_code, answer.headers["Location"]) == (303, unclear)


@pytest.mark.parametrize("tail", ["", "/panel"])
def test_a_request_that_is_not_known_is_not_found(staff: Visitor, tail: str) -> None:
    staff.page(f"/requests/{uuid.UUID(int=7)}{tail}", status=404)
    staff.page(f"/requests/not-an-id{tail}", status=404)


def test_looking_now_at_nothing_is_harmless(staff: Visitor, unclear: str, levers: Levers) -> None:
    form = staff.page(unclear).form("Look now")
    form.submit()
    assert calls_of(levers, form.submit) == 0, "it is settled"
    form.action = f"/requests/{uuid.UUID(int=7)}/check"
    assert staff.get(form.submit().headers["Location"]).status_code == 404


# Refusals


def test_a_spent_allowance_is_said_and_the_selection_saved(
    staff: Visitor, searched: dict[str, str], levers: Levers
) -> None:
    levers.set_organization(linkAllowance=0)
    address = steps.request_of(steps.create(staff, "MH1001", "MH1002", hours="96"))
    page = staff.page(address)
    assert state(page) == "REJECTED"
    assert re.search(
        r"Today's limit for new links is reached since [\w ,]*\d\d:\d\d IST\. Your selection is saved\.", page.text
    )
    assert "No link was created." in page.text
    assert "Try again" in page.buttons()
    assert "Create with the other" not in page.text
    review = staff.page(REVIEW)
    assert "Challans on this link (2)" in review.text
    assert review.field("Expires after (hours)")["value"] == "96"


def test_a_spent_allowance_is_not_asked_for_again_at_once(
    staff: Visitor, manager: Visitor, searched: dict[str, str], levers: Levers
) -> None:
    levers.set_organization(linkAllowance=0)
    steps.request_of(steps.create(staff, "MH1001"))
    page = manager.read(steps.create(manager, "MH1002"))
    assert page.status == 429
    assert "Today's limit for new links is reached." in page.text
    assert "Nothing was sent." in page.text
    assert "Challans on this link (1)" in page.text
    assert levers.count("create_link") == 1


REFUSED = {
    400: "The service rejected the request.",
    403: "Payment Link Generation is not enabled for your organization.",
    404: "The service does not know the vehicle or one of the challans. Search the vehicle again.",
}


@pytest.mark.parametrize(("status", "said"), REFUSED.items())
def test_a_definite_refusal_is_said_and_frees_the_challans(
    staff: Visitor, searched: dict[str, str], levers: Levers, status: int, said: str
) -> None:
    levers.fault("create_link", "status", status=status)
    page = staff.page(steps.request_of(steps.create(staff, "MH1001")))
    assert state(page) == "REJECTED"
    assert f"{said} No link was created." in page.text
    assert "The challans are free again, and your selection is kept." in page.text
    assert "Try again" in page.buttons()
    assert "Create with the other" not in page.text
    assert steps.ticked(staff.page(VEHICLE)) == ["MH1001"]
    assert not page.one("#request-panel").has_attr("hx-get")


def test_an_unreachable_service_is_known_to_have_received_nothing(
    staff: Visitor,
    searched: dict[str, str],
    build_app: Callable[[Settings], Flask],
    environ: dict[str, str],
    levers: Levers,
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # Nobody listens there.
        environ["DASHBOARD_SERVICE_URL"] = f"http://127.0.0.1:{taken.getsockname()[1]}"
        asha = steps.arrives(build_app(Settings.from_environ(environ)), ASHA)
        page = asha.read(steps.create(asha))
    assert state(page) == "NOT_SENT"
    assert "The service did not answer. Nothing was sent, and no link was created." in page.text
    assert "Try again" in page.buttons()
    assert len(steps.ticked(asha.page(VEHICLE))) == 5
    assert levers.count("create_link") == 0


# Conflicts


def test_a_conflict_shows_which_link_holds_which_challan_and_offers_the_others(
    staff: Visitor, searched: dict[str, str], app: Flask, levers: Levers
) -> None:
    review = steps.reviewed(staff, "MH1001", "MH1002", "MH1003")
    link_id = steps.elsewhere(app, searched["MH1002"])
    page = staff.read(review.submit("Create payment link"))
    assert state(page) == "ATTACHED"
    assert "One of these challans is already on another link; it is shown here. The others are free again." in page.text
    assert "Not free (1)" in page.text
    held = page.one("#request-panel table").get_text(" ")
    assert "MH1002" in held
    assert "ACTIVE" in held
    assert page.link("open link , which holds MH1002") == f"/links/{link_id}"
    assert "Create with the other 2" in page.buttons()
    rest = staff.read(page.submit("Create with the other 2"))
    assert "Challans on this link (2)" in rest.text
    assert "MH1002" not in rest.text
    steps.link_of(rest.submit("Create payment link"))
    assert len(levers.truth()["links"]) == 2


@pytest.mark.parametrize(
    ("asked", "held", "said"),
    [
        ("1", ["12"], "This challan is already on another link; it is shown here."),
        ("12", ["123"], "All of these challans are already on another link; it is shown here."),
        ("12", ["1", "2"], "All of these challans are already on 2 other links; they are named below."),
        (
            "123",
            ["12"],
            "2 of these challans are already on another link; it is shown here. The other one is free again.",
        ),
        ("1234", ["1", "2"], "2 of these challans are already on 2 other links; they are named below. The others are"),
    ],
)
def test_a_conflict_is_told_as_it_is(
    staff: Visitor, searched: dict[str, str], app: Flask, asked: str, held: list[str], said: str
) -> None:
    review = steps.reviewed(staff, *(f"MH100{number}" for number in asked))
    for numbers in held:
        steps.elsewhere(app, *(searched[f"MH100{number}"] for number in numbers))
    page = staff.read(review.submit("Create payment link"))
    assert state(page) == "ATTACHED"
    told = words(page.one(".panel-words").get_text())
    assert told.startswith(said)
    assert ("free" in told) is not set(asked).issubset("".join(held))


def test_a_conflict_that_is_over_is_told_as_over(
    staff: Visitor, searched: dict[str, str], app: Flask, levers: Levers, desk: Desk, clock: MovableClock
) -> None:
    review = steps.reviewed(staff, "MH1001", "MH1002")
    link_id = steps.elsewhere(app, searched["MH1001"])
    address = steps.request_of(review.submit("Create payment link"))
    levers.expire(link_id)
    clock.advance(seconds=4)
    desk.following.check(link_id)
    told = words(staff.page(address).one(".panel-words").get_text())
    assert told == "No link holds these challans any more; they are free again."


def test_a_conflict_over_a_challan_that_cannot_be_paid_names_it(
    staff: Visitor, searched: dict[str, str], levers: Levers
) -> None:
    levers.set_challan(searched["MH1001"], status="DISPOSED")
    page = staff.read(steps.create(staff))
    assert state(page) == "REJECTED"
    assert "a challan is no longer payable" in page.text
    held = page.one("#request-panel table").get_text(" ")
    assert "MH1001" in held
    assert "DISPOSED" in held
    assert "Create with the other 4" in page.buttons()


def test_a_colleague_goes_on_with_the_challans_of_the_request_and_not_with_their_own(
    staff: Visitor, manager: Visitor, searched: dict[str, str], app: Flask, levers: Levers
) -> None:
    review = steps.reviewed(staff, "MH1001", "MH1002", "MH1003")
    steps.elsewhere(app, searched["MH1002"])
    address = steps.request_of(review.submit("Create payment link", hours="72"))
    steps.select(staff, "MH1004")
    for visitor in (staff, manager):
        sent = levers.count("create_link")
        again = visitor.read(visitor.page(address).submit("Create with the other 2"))
        assert again.response.request.path == REVIEW
        assert "Challans on this link (2)" in again.text
        assert "MH1001" in again.text
        assert "MH1003" in again.text
        assert "MH1004" not in again.text
        assert again.field("Expires after (hours)")["value"] == "72"
        assert levers.count("create_link") == sent, "it is a review"


def test_a_request_whose_challans_went_elsewhere_meanwhile_is_not_tried_again(
    staff: Visitor, manager: Visitor, searched: dict[str, str], levers: Levers
) -> None:
    levers.set_organization(linkAllowance=0)
    address = steps.request_of(steps.create(staff, "MH1001"))
    before = staff.page(address)
    levers.set_challan(searched["MH1001"], status="DISPOSED")
    steps.refresh(manager)
    page = staff.read(before.submit("Try again"))
    assert page.response.request.path == address
    assert "None of these challans can go on a new link now." in page.everything


def test_a_request_that_made_a_link_is_not_tried_again(staff: Visitor, unclear: str, levers: Levers) -> None:
    levers.set_organization(linkAllowance=0)
    form = staff.page(steps.request_of(steps.create(staff, "MH1003"))).form("Try again")
    form.action = f"{unclear}/again"
    assert form.submit().headers["Location"] == unclear, "its challans are reserved"
    form.action = f"/requests/{uuid.UUID(int=7)}/again"
    assert form.submit().status_code == 404


def test_a_conflict_over_the_vehicle_is_explained(staff: Visitor, searched: dict[str, str], levers: Levers) -> None:
    levers.assign_vehicle(RC, "second")
    page = staff.read(steps.create(staff))
    assert state(page) == "REJECTED"
    assert "the vehicle belongs to another organization or was deleted" in page.text
    assert "Create with the other" not in page.text


def test_a_conflict_that_is_not_explained_yet_stays_open(
    staff: Visitor, searched: dict[str, str], levers: Levers
) -> None:
    levers.fault("create_link", "status", status=409)
    page = staff.read(steps.create(staff, "MH1001"))
    assert state(page) == "UNKNOWN"
    assert "The service answered with a conflict that is not explained yet." in page.text
    assert not FALSE_WORDS.search(page.response.text)


def test_everybody_sees_the_request_and_may_look(staff: Visitor, manager: Visitor, unclear: str) -> None:
    page = manager.page(unclear)
    assert "Made by Asha Rao" in page.text
    assert state(manager.read(page.submit("Look now"))) == "RECOVERED"


def test_a_payment_url_that_comes_after_its_link_comes_to_the_open_page(
    staff: Visitor, five: dict[str, str], levers: Levers, desk: Desk, clock: MovableClock
) -> None:
    steps.searched(staff)
    levers.fault("create_link", "cut", when="after")
    address = steps.request_of(steps.create(staff))
    link_id = levers.truth()["links"][0]["id"]
    url = levers.link(link_id)["paymentUrl"]
    levers.set_link(link_id, raw={"paymentUrl": None})
    page = staff.read(staff.page(address).submit("Look now"))
    panel = page.one("#request-panel")
    assert panel["data-state"] == "RECOVERED"
    assert "The service sent no payment URL" in page.text
    assert panel["hx-trigger"] == "every 3s"
    assert poll(staff, str(panel["hx-get"])).status_code == 204
    levers.set_link(link_id, raw={"paymentUrl": url})
    clock.advance(minutes=1)
    desk.following.check(link_id)
    region = Page(staff, poll(staff, str(panel["hx-get"])), region=True)
    assert region.field("Payment URL")["value"] == url
    assert region.one("#request-panel").has_attr("hx-get"), "it can be paid, or end"


@pytest.mark.parametrize("end", ["PAID", "EXPIRED"])
def test_the_page_of_a_request_follows_the_link_that_it_found(
    staff: Visitor, unclear: str, levers: Levers, desk: Desk, clock: MovableClock, end: str
) -> None:
    page = staff.read(staff.page(unclear).submit("Look now"))
    (link,) = levers.truth()["links"]
    assert "ACTIVE can still be paid" in page.text
    panel = page.one("#request-panel")
    assert (panel["data-status"], panel["data-copyable"]) == ("ACTIVE", "true")
    levers.pay(link["id"]) if end == "PAID" else levers.expire(link["id"])
    clock.advance(seconds=4)
    assert desk.following.take_due(5) == [link["id"]], "whoever looks at the page makes the link due"
    desk.following.check_taken(link["id"])
    region = Page(staff, poll(staff, str(panel["hx-get"])), region=True)
    panel = region.one("#request-panel")
    assert (panel["data-status"], panel["data-copyable"]) == (end, "false")
    assert f"{end}: " in str(panel["data-words"])
    assert "Copy link" not in region.buttons()
    assert "can still be paid" not in region.text
    assert not panel.has_attr("hx-get"), "now there is nothing to wait for"


def test_the_page_follows_every_link_that_holds_a_challan_it_asked_for(
    staff: Visitor, searched: dict[str, str], app: Flask, levers: Levers, desk: Desk, clock: MovableClock
) -> None:
    review = steps.reviewed(staff, "MH1001", "MH1002", "MH1003")
    holders = {steps.elsewhere(app, searched[number]) for number in ("MH1001", "MH1002")}
    page = staff.read(review.submit("Create payment link"))
    asks = str(page.one("#request-panel")["hx-get"])
    clock.advance(seconds=4)
    assert set(desk.following.take_due(5)) == holders
    for link_id in holders:
        levers.expire(link_id)
        desk.following.check_taken(link_id)
        region = Page(staff, poll(staff, asks), region=True)
        asks = str(region.one("#request-panel").get("hx-get", ""))
    assert "EXPIRED" in region.text
    assert not asks
