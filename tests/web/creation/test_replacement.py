"""Test a replacement link, from the ended link's page through the review; each link is named on the other's page."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from werkzeug.test import TestResponse

from dashboard.domain.sharing import Answer
from dashboard.services.container import Services
from dashboard.store.accounts import audit
from dashboard.store.creation import intents
from dashboard.store.engine import Store
from dashboard.store.links import links
from dashboard.store.sharing import questions
from dashboard.web.links.texts import PAID_WITH_DUPLICATE
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import REVIEW, VEHICLE, calls_of

NEW = "Create again"


CREATE = "Create payment link"


def reissue(visitor: WebClient, link_id: str) -> TestResponse:
    return visitor.page(f"/links/{link_id}").submit(NEW)


def reissued(visitor: WebClient, link_id: str) -> str:
    """Create a replacement; return its id."""
    return steps.link_of(visitor.read(reissue(visitor, link_id)).submit(CREATE))


def covered(page: Page) -> list[str]:
    return [value for name, value in page.form(CREATE).fields if name == "challan"]


def replaced_by(store: Store, link_id: str) -> str | None:
    """Return the link that the intent of a link replaces."""
    with store.read() as connection:
        row = links.find(connection, link_id)
        assert row is not None
        intent = intents.find(connection, row.intent_id)
    assert intent is not None
    found: str | None = intent.replaces
    return found


# From the page of the ended link


@pytest.mark.parametrize("end", ["expire", "fail", "cancel"])
def test_an_ended_link_offers_a_new_one_and_a_live_or_paid_one_does_not(
    staff: WebClient, five: dict[str, str], levers: Levers, end: str
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    assert NEW not in staff.page(f"/links/{link_id}").buttons()
    getattr(levers, end)(link_id)
    page = steps.check(staff, link_id)
    assert page.buttons().count(NEW) == 1
    # Of a failed link the driver is asked first.
    [again] = [each for each in page.all("#link-panel button") if words(each.get_text()).startswith(NEW)]
    assert ("button-primary" in again["class"]) == (end != "fail")
    levers.pay(link_id)
    assert NEW not in steps.check(staff, link_id).buttons()


@pytest.mark.parametrize("is_paid", [False, True])
def test_an_ended_link_whose_challans_are_all_on_another_leads_there(
    staff: WebClient, old: str, levers: Levers, services: Services, is_paid: bool
) -> None:
    staff.read(steps.refresh(staff))
    other = steps.link_of(steps.create(staff, "MH1001", "MH1002"))
    assert NEW in staff.page(f"/links/{old}").buttons(), "its other challans are on none"
    rest = steps.link_of(steps.create(staff, "MH1003", "MH1004", "MH1005"))
    if is_paid:
        levers.pay(rest)
        services.link_poller.refresh(rest)
    page = staff.page(f"/links/{old}")
    assert NEW not in page.buttons()
    said = words(page.one("#link-panel .panel-act").get_text(" "))
    assert "2 of its 5 challans are on another link Active" in said
    assert f"3 of its 5 challans are on another link {'Paid' if is_paid else 'Active'}" in said
    assert {f"/links/{other}", f"/links/{rest}"} == {link["href"] for link in page.all("#link-panel .panel-act a")}
    levers.expire(other)
    steps.check(staff, other)
    assert NEW in staff.page(f"/links/{old}").buttons(), "two are on no other link any more"


def test_a_panel_that_was_open_when_the_link_ended_offers_it_by_itself(
    staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    asks = str(staff.page(f"/links/{link_id}").one("#link-panel")["hx-get"])
    levers.expire(link_id)
    services.link_poller.refresh(link_id)
    region = Page(staff, steps.poll(staff, asks), region=True)
    answer = region.submit(NEW)
    assert answer.headers["Location"] == f"{REVIEW}?replaces={link_id}"


def test_a_replacement_begins_with_a_poll_and_a_search_and_leads_to_the_review(
    staff: WebClient, old: str, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    clock.advance(minutes=1)
    levers.forget_calls()
    answer = reissue(staff, old)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{REVIEW}?replaces={old}")
    assert [call["operation"] for call in levers.calls()] == ["link_status", "search"]
    page = staff.read(answer)
    assert covered(page) == list(five.values())
    assert page.field("Expires after (hours)")["value"] == "72"
    assert page.link(named(page)) == f"/links/{old}"
    assert "Replaces the link created" in page.text
    assert ", which has expired. A late payment may still arrive: money may be paid twice." in page.text
    assert page.one(".origin .pays-twice")
    assert str(page.soup).count(f"/links/{old}") == 1, "it is named once"
    assert "Left out" not in page.text
    assert page.one("input[name=replaces]")["value"] == old


def named(page: Page) -> str:
    """Return the text by which the page names the other link: the moment it was created."""
    (name,) = {words(a.get_text()) for a in page.all("main .origin a[href^='/links/']")}
    assert name.startswith("the link created ")
    return str(name)


def test_a_challan_that_can_no_longer_be_paid_is_left_out_with_its_number_and_reason(
    staff: WebClient, old: str, five: dict[str, str], levers: Levers
) -> None:
    levers.set_challan(five["MH1002"], status="IN_COURT_REVIEW")
    levers.set_challan(five["MH1004"], gone=True)
    page = staff.read(reissue(staff, old))
    assert covered(page) == [five[number] for number in ("MH1001", "MH1003", "MH1005")]
    foot = page.one(".review-list tfoot")
    assert words(foot.get_text(" ")).startswith("Left out (2): MH1002"), "below what is on the link"
    rows = {row.strong.get_text(strip=True): row.get_text(" ") for row in page.all(".left-out > li")}
    assert rows.keys() == {"MH1002", "MH1004"}
    assert words(rows["MH1002"]) == "MH1002 In court review ₹559.00"
    assert "No longer listed. It may have been paid." in rows["MH1004"]


def test_many_left_out_challans_are_folded_and_counted_by_their_reason(
    staff: WebClient, old: str, five: dict[str, str], levers: Levers
) -> None:
    for number in ("MH1001", "MH1002", "MH1003"):
        levers.set_challan(five[number], status="IN_COURT_REVIEW")
    assert not staff.read(reissue(staff, old)).all("details:has(.left-out)"), "few are in view"
    levers.set_challan(five["MH1004"], gone=True)
    page = staff.read(reissue(staff, old))
    assert words(page.one("details:has(.left-out) > summary").get_text(" ")) == "4 not payable"
    assert len(page.all("details:not([open]) .left-out > li")) == 4


@pytest.fixture
def failed(staff: WebClient, old: str, levers: Levers, services: Services) -> str:
    """Put two challans of the expired link on another one, whose payment fails; return its id."""
    link_id = steps.link_of(steps.create(staff, "MH1001", "MH1002"))
    levers.fail(link_id)
    services.link_poller.refresh(link_id)
    return link_id


def test_challans_of_a_failed_payment_are_left_out_of_a_replacement_until_their_driver_denies_it(
    staff: WebClient, old: str, failed: str, five: dict[str, str], services: Services, clock: MovableClock
) -> None:
    page = staff.read(reissue(staff, old))
    assert covered(page) == [five[number] for number in ("MH1003", "MH1004", "MH1005")]
    assert "Left out (" in page.text
    assert {each["href"] for each in page.all(".left-out a")} == {f"/links/{failed}"}
    assert [words(each.get_text(" ")) for each in page.all(".left-out .challan-status")] == [
        "Failed Check payment , the link that held MH1001",
        "Failed Check payment , the link that held MH1002",
    ]
    with services.store.write() as connection:
        questions.note_answer(connection, failed, Answer.NOT_TAKEN, at=clock(), person_id=1)
    page = staff.read(reissue(staff, old))
    assert covered(page) == list(five.values())
    assert not page.all(".left-out")


def test_many_challans_of_a_failed_payment_are_folded_and_counted(
    staff: WebClient, old: str, levers: Levers, services: Services
) -> None:
    levers.fail(link_id := steps.link_of(steps.create(staff, "MH1001", "MH1002", "MH1003", "MH1004")))
    services.link_poller.refresh(link_id)
    page = staff.read(reissue(staff, old))
    assert words(page.one("details:has(.left-out) > summary").get_text(" ")) == "4 on failed links"


def test_challans_of_a_failed_payment_that_were_ticked_are_not_called_left_out(
    staff: WebClient, old: str, failed: str, five: dict[str, str]
) -> None:
    steps.select(staff, "MH1001")
    page = staff.read(reissue(staff, old))
    assert set(covered(page)) == {five[number] for number in ("MH1001", "MH1003", "MH1004", "MH1005")}
    assert [each.get_text() for each in page.all(".left-out .challan-no")] == ["MH1002"]


def test_a_failed_link_itself_is_replaced_with_all_its_challans(
    staff: WebClient, failed: str, five: dict[str, str]
) -> None:
    assert covered(staff.read(reissue(staff, failed))) == [five["MH1001"], five["MH1002"]]


def test_nothing_is_reviewed_where_a_payment_of_all_the_challans_failed(
    staff: WebClient, old: str, five: dict[str, str], levers: Levers, services: Services
) -> None:
    link_id = steps.link_of(steps.create(staff))
    levers.fail(link_id)
    services.link_poller.refresh(link_id)
    answer = reissue(staff, old)
    page = staff.read(answer)
    assert answer.status_code == 422
    assert "None of its challans can go on a new link." in page.text
    shown = [words(each.get_text(" ")) for each in page.all("#link-challans .challan-status")]
    assert shown == [f"Failed Check payment , the link that held {number}" for number in five]
    assert {each["href"] for each in page.all("#link-challans .challan-status a")} == {f"/links/{link_id}"}


def test_what_the_link_before_had_of_an_unknown_amount_is_said_and_never_added_up(
    staff: WebClient, old: str, five: dict[str, str], levers: Levers
) -> None:
    levers.set_challan(five["MH1002"], challanAmount=None, raw={"totalAmount": None})
    page = staff.read(reissue(staff, old))
    said = [words(each.get_text(" ")) for each in page.all(".table-review td.total") if "was" in each.get_text()]
    assert len(said) == 1
    assert said[0].startswith("unknown was ₹")
    assert said[0].endswith(" on the link before")
    assert "The total may be higher." in page.text, "it is in no sum"


def test_one_left_out_challan_is_said_in_the_singular(
    staff: WebClient, old: str, five: dict[str, str], levers: Levers
) -> None:
    levers.set_challan(five["MH1002"], status="DISPOSED")
    assert "Left out (1):" in staff.read(reissue(staff, old)).text


def test_challans_ticked_before_are_on_the_link_too_and_the_page_says_so(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, "MH1001", "MH1002"))
    steps.select(staff, "MH1004")
    levers.expire(link_id)
    steps.check(staff, link_id)
    page = staff.read(reissue(staff, link_id))
    assert covered(page) == [five[number] for number in ("MH1001", "MH1002", "MH1004")]
    assert "1 of the challans below was not on it: it was selected before." in page.text


@pytest.mark.parametrize(("status", "said"), [("PAID", "and is paid."), ("ACTIVE", "and is active.")])
def test_a_link_that_has_not_ended_after_all_is_not_replaced(
    staff: WebClient, old: str, levers: Levers, clock: MovableClock, status: str, said: str
) -> None:
    page = staff.page(f"/links/{old}")
    levers.set_link(old, status=status)
    clock.advance(minutes=1)
    levers.forget_calls()
    answer = page.submit(NEW)
    shown = staff.read(answer)
    assert answer.status_code == 422
    assert f"This link was checked just now, {said}" in shown.text
    assert shown.one("#link-panel")["data-status"] == status
    assert NEW not in shown.buttons()
    assert [call["operation"] for call in levers.calls()] == ["link_status"]


@pytest.mark.parametrize(("operation", "status"), [("link_status", 504), ("search", 504)])
def test_when_the_service_does_not_answer_the_page_says_so_and_nothing_is_done(
    staff: WebClient, old: str, levers: Levers, clock: MovableClock, operation: str, status: int
) -> None:
    page = staff.page(f"/links/{old}")
    clock.advance(minutes=1)
    levers.fault(operation, "cut", count=3)
    answer = page.submit(NEW)
    shown = staff.read(answer)
    assert answer.status_code == status
    assert "The service did not answer" in shown.text
    assert "No new link was requested." in shown.text
    assert NEW in shown.buttons()
    assert levers.count("create_link") == 1
    assert steps.ticked(staff.page(VEHICLE)) == []


def test_when_nothing_can_be_paid_any_more_the_page_says_why_for_each(
    staff: WebClient, old: str, five: dict[str, str], levers: Levers
) -> None:
    for number, challan_id in five.items():
        levers.set_challan(challan_id, status="DISPOSED" if number != "MH1005" else "SOLD", seen=True)
    answer = reissue(staff, old)
    page = staff.read(answer)
    assert answer.status_code == 422
    assert not page.all("main > .link-problem .notice"), "it is no error"
    assert NEW not in page.buttons(), "it was just tried"
    said = "None of its challans can go on a new link. No link was requested. All challans of MH12 AB 1001"
    assert words(page.one("#link-panel .panel-act").get_text(" ")) == said
    assert page.one("#link-panel .panel-act .button")["href"] == VEHICLE
    assert not page.all("#link-challans .section-more"), "once"
    assert "Cannot go on a new link (5)" in page.text
    listed = page.one("#link-challans")
    assert listed.find_previous(id="link-panel"), "what became of the link stands first"
    assert "Was to pay" in listed.get_text(" ")
    rows = [words(row.get_text(" ")) for row in page.all("#link-challans tbody tr")]
    assert [row.split()[0] for row in rows] == list(five), "as the vehicle lists them"
    assert ["SOLD" in row for row in rows] == [False] * 4 + [True]
    assert staff.get(REVIEW).headers["Location"] == VEHICLE, "the selection stays empty"
    assert NEW in steps.check(staff, old).buttons(), "a check offers it again"


def test_a_colleague_may_replace_a_link_and_a_stranger_is_asked_to_sign_in(
    staff: WebClient, manager: WebClient, visitor: WebClient, old: str, store: Store
) -> None:
    assert visitor.post(f"/links/{old}/reissue").headers["Location"].startswith("/sign-in")
    new = reissued(manager, old)
    assert replaced_by(store, new) == old
    page = staff.page(f"/links/{old}")
    assert "Created by Meera Iyer" in page.text


def test_a_link_that_nobody_knows_cannot_be_replaced(staff: WebClient, old: str, levers: Levers) -> None:
    token = staff.page("/").one("meta[name=csrf-token]")["content"]
    levers.forget_calls()
    assert staff.post(f"/links/{uuid.uuid4()}/reissue", data={"csrf_token": token}).status_code == 404
    assert levers.calls() == []


def test_a_replacement_is_written_in_the_audit_log(staff: WebClient, old: str, store: Store) -> None:
    reissue(staff, old)
    with store.read() as connection:
        (entry,) = [row for row in audit.newest(connection) if row.action == "reissue"]
    assert (entry.subject, entry.name) == (old, "Asha Rao")


# Sessions that end


def ends(clock: MovableClock) -> None:
    clock.advance(minutes=31)


def signs_in_again(visitor: WebClient, answer: TestResponse) -> TestResponse:
    assert answer.headers["Location"].startswith("/sign-in")
    return visitor.signs_in(ASHA.email, at=answer.headers["Location"])


def test_a_session_that_ended_at_the_button_leads_back_to_it_and_calls_nothing(
    staff: WebClient, old: str, levers: Levers, clock: MovableClock
) -> None:
    page = staff.page(f"/links/{old}")
    ends(clock)

    def press() -> TestResponse:
        return signs_in_again(staff, page.submit(NEW))

    back: list[Any] = []
    assert calls_of(levers, lambda: back.append(press())) == 0
    assert back[0].headers["Location"] == f"/links/{old}"
    assert NEW in staff.page(f"/links/{old}").buttons()


def test_a_session_that_ended_at_the_review_keeps_the_replaced_link(
    staff: WebClient, old: str, store: Store, levers: Levers, clock: MovableClock
) -> None:
    review = staff.read(reissue(staff, old))
    ends(clock)
    back = signs_in_again(staff, review.submit(CREATE, hours="96"))
    assert back.headers["Location"] == f"{REVIEW}?replaces={old}"
    assert levers.count("create_link") == 1
    page = staff.read(back)
    assert page.field("Expires after (hours)")["value"] == "96"
    assert replaced_by(store, steps.link_of(page.submit(CREATE))) == old


def test_a_session_that_ended_at_the_selection_keeps_the_replaced_link(
    staff: WebClient, old: str, five: dict[str, str], clock: MovableClock
) -> None:
    page = staff.page(staff.read(reissue(staff, old)).link("Change the selection"))
    ends(clock)
    back = signs_in_again(staff, page.submit("Review and create", challan=[five["MH1001"]]))
    assert back.headers["Location"] == f"{REVIEW}?replaces={old}"


# No withdrawal


def test_the_review_says_that_a_link_cannot_be_cancelled(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    assert "You cannot cancel or extend it once created." in steps.reviewed(staff).text


# Copying the new one


def copies(visitor: WebClient, page: Page) -> TestResponse:
    """Post what the page's script posts when somebody clicks Copy link."""
    token = str(page.one("meta[name=csrf-token]")["content"])
    address = str(page.one("copy-field")["data-copied"])
    return visitor.post(address, headers={"X-CSRFToken": token, "HX-Request": "true"})


def test_the_new_address_is_copied_only_once_the_old_link_was_polled_once_more(
    staff: WebClient, old: str, levers: Levers, clock: MovableClock
) -> None:
    new = reissued(staff, old)
    page = staff.page(f"/links/{new}")
    assert page.all("copy-field[data-check-first]")
    clock.advance(seconds=10)
    levers.fault("link_status", "status", status=400)
    held_back = copies(staff, page)
    assert (held_back.status_code, held_back.mimetype) == (504, "text/plain")
    assert "could not be checked" in held_back.text
    assert copies(staff, page).status_code == 204
    clock.advance(seconds=10)
    levers.pay(old)
    refused = copies(staff, page)
    assert (refused.status_code, refused.text) == (409, PAID_WITH_DUPLICATE)


def test_an_address_without_an_earlier_link_is_copied_at_once(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    page = staff.page(f"/links/{link_id}")
    assert not page.all("copy-field[data-check-first]")
    levers.forget_calls()
    assert copies(staff, page).status_code == 204
    assert levers.count("link_status") == 0
