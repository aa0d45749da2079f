"""Test that a link and its replacement name each other, whatever became of the request between them."""

from __future__ import annotations

import re
import uuid

import pytest
from flask import Flask

from dashboard.app import create_client
from dashboard.services.container import Services
from dashboard.store.engine import Store
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.creation.test_replacement import CREATE, NEW, covered, named, reissue, reissued, replaced_by
from tests.web.steps import RC, REVIEW


def test_the_old_link_and_its_replacement_name_each_other(
    staff: WebClient, old: str, store: Store, levers: Levers
) -> None:
    new = reissued(staff, old)
    assert replaced_by(store, new) == old
    page = staff.page(f"/links/{new}")
    assert "Replaces the link created" in page.text
    assert ", which has expired." in page.text
    assert page.link(named(page)) == f"/links/{old}"
    before = staff.page(f"/links/{old}")
    leads_on = words(before.one("#link-panel .panel-act").get_text(" "))
    assert re.match(r"All 5 challans are on the new link Active ₹2,795.00 · ends .* Created by Asha Rao", leads_on), (
        leads_on
    )
    assert before.link("Open the new link") == f"/links/{new}"
    assert "Asha Rao · Open the new link" in words(before.one("#link-timeline").get_text(" "))
    assert words(before.one(".panel-state").get_text(" ")) == "Expired replaced"
    assert NEW not in before.buttons()
    assert "Create again" not in before.text
    assert "A late payment may still arrive, so this link is checked until" in before.text


def test_a_link_that_took_challans_of_an_ended_one_without_replacing_it_names_that_one(
    staff: WebClient, old: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    clock.advance(minutes=1)
    steps.searches(staff)
    new = steps.link_of(steps.create(staff, "MH1001"))
    said = words(staff.page(f"/links/{new}").one("main > .origin").get_text())
    assert re.match(r"Has challans of a link that expired \d+:\d\d [ap]m\.$", said), said
    assert staff.page(f"/links/{new}").one("main > .origin a")["href"] == f"/links/{old}"
    assert not staff.page(f"/links/{old}").all("main > .origin"), "it had them first"
    levers.cancel(new)
    clock.advance(minutes=1)
    services.link_poller.refresh(new)
    assert not staff.page(f"/links/{old}").all("main > .origin"), "it had them first, though both have ended"


def test_once_the_new_one_has_ended_as_well_another_may_be_made(
    staff: WebClient, old: str, levers: Levers, store: Store, services: Services, clock: MovableClock
) -> None:
    first = reissued(staff, old)
    levers.cancel(first)
    clock.advance(minutes=1)
    services.link_poller.refresh(first)
    page = staff.page(f"/links/{old}")
    assert "which is cancelled; created by Asha Rao" in page.text
    second = steps.link_of(staff.read(page.submit(NEW)).submit(CREATE))
    assert replaced_by(store, second) == old
    page = staff.page(f"/links/{old}")
    assert "which is cancelled; created by" in page.text
    assert "on the new link Active" in words(page.one("#link-panel .panel-act").get_text(" ")), "the newest leads on"
    assert page.one("#link-panel a.button-primary")["href"] == f"/links/{second}"


def test_the_old_link_names_the_unclear_request_and_then_the_link_it_created(
    staff: WebClient, old: str, levers: Levers, clock: MovableClock
) -> None:
    levers.fault("create_link", "cut", when="after")
    request = steps.request_of(staff.read(reissue(staff, old)).submit(CREATE))
    page = staff.page(f"/links/{old}")
    assert "Asha Rao requested a new link" in page.text
    assert page.link("Open the request") == request
    assert NEW not in page.buttons()
    clock.advance(seconds=4)
    staff.page(request).submit("Check now")
    assert "All 5 challans are on the new link" in staff.page(f"/links/{old}").text


def test_a_request_that_created_nothing_is_tried_again_for_the_same_old_link(
    staff: WebClient, old: str, levers: Levers, store: Store, clock: MovableClock
) -> None:
    levers.set_organization(linkAllowance=0)
    request = steps.request_of(staff.read(reissue(staff, old)).submit(CREATE))
    again = staff.read(staff.page(request).submit("Try again"))
    assert again.one("input[name=replaces]")["value"] == old
    levers.set_organization(linkAllowance=None)
    clock.advance(hours=2)
    steps.comes_back(staff, ASHA)
    again = staff.read(staff.page(request).submit("Try again"))
    assert replaced_by(store, steps.link_of(again.submit(CREATE))) == old


def test_a_refused_form_keeps_the_replaced_link(staff: WebClient, old: str, store: Store) -> None:
    page = staff.read(staff.read(reissue(staff, old)).submit(CREATE, hours="12"))
    assert page.status == 422
    assert "Replaces the link created" in page.text
    assert replaced_by(store, steps.link_of(page.submit(CREATE, hours="48"))) == old


def test_a_changed_selection_keeps_the_replaced_link(
    staff: WebClient, old: str, five: dict[str, str], store: Store
) -> None:
    review = staff.read(reissue(staff, old))
    page = staff.page(review.link("Change the selection"))
    page = staff.read(page.submit("Refresh from source"))
    answer = page.submit("Review and create", challan=[five["MH1001"], five["MH1005"]])
    assert answer.headers["Location"] == f"{REVIEW}?replaces={old}"
    page = staff.read(answer)
    assert covered(page) == [five["MH1001"], five["MH1005"]]
    assert "left out" not in page.text, "these were unticked"
    assert replaced_by(store, steps.link_of(page.submit(CREATE))) == old


def test_an_old_link_that_is_paid_during_the_review_stops_it(
    staff: WebClient, old: str, levers: Levers, clock: MovableClock
) -> None:
    review = staff.read(reissue(staff, old))
    levers.pay(old)
    clock.advance(minutes=1)
    answer = review.submit(CREATE)
    page = staff.read(answer)
    assert answer.status_code == 422
    assert "The link to be replaced has not ended" in page.text
    assert "No new link was created." in page.text
    assert "which is paid" in page.text
    assert not page.all("input[name=replaces]")
    assert levers.count("create_link") == 1


@pytest.mark.parametrize("replaces", ["not an id", str(uuid.UUID(int=5)), "' OR 1=1 --", "x" * 3000])
def test_a_forged_replaced_link_is_refused_and_nothing_is_sent(
    staff: WebClient, old: str, levers: Levers, replaces: str
) -> None:
    review = staff.read(reissue(staff, old))
    answer = review.submit(CREATE, replaces=replaces)
    assert answer.status_code == 422
    page = staff.read(answer)
    assert "No new link was created." in page.text
    assert not page.all("input[name=replaces]")
    assert levers.count("create_link") == 1
    assert staff.get(REVIEW, query_string={"replaces": replaces}).status_code == 200


def test_a_link_of_another_vehicle_cannot_be_replaced(staff: WebClient, old: str, levers: Levers, store: Store) -> None:
    levers.add_vehicle("KA01AA0001", [steps.challan(1, challanNo="KA1")])
    steps.searches(staff, "KA01AA0001")
    steps.select(staff, rc="KA01AA0001")
    page = staff.page(f"/vehicles/KA01AA0001/review?replaces={old}")
    assert "Replaces" not in page.text
    assert not page.all("input[name=replaces]")
    assert page.submit(CREATE, replaces=old).status_code == 422
    assert replaced_by(store, steps.link_of(page.submit(CREATE))) is None


def test_a_review_without_a_replaced_link_replaces_none(staff: WebClient, old: str, store: Store) -> None:
    page = steps.reviewed(staff)
    assert "Replaces" not in page.text
    assert replaced_by(store, steps.link_of(page.submit(CREATE))) is None


def test_a_link_made_elsewhere_can_be_replaced(
    app: Flask, staff: WebClient, five: dict[str, str], levers: Levers, store: Store
) -> None:
    steps.searches(staff)
    with create_client(app.extensions["settings"]) as client:
        chosen = [five["MH1001"], five["MH1002"]]
        theirs = client.create_payment_link(RC, chosen, expiry_hours=24, before_send=lambda: None).id
    staff.read(steps.refresh(staff))
    levers.fail(theirs)
    steps.check(staff, theirs)
    page = staff.read(reissue(staff, theirs))
    assert covered(page) == chosen
    assert page.field("Expires after (hours)")["value"] == "48", "the hours of a link created elsewhere are unknown"
    new = steps.link_of(page.submit(CREATE))
    assert replaced_by(store, new) == theirs
