"""The page of a link with scripts: each of its forms changes its own region and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask

from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.web_client import IN_PLACE, WebClient
from tests.web import steps
from tests.web.links.test_list import Ledger, link_id
from tests.web.steps import presses_in_place


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def test_custom_fields_are_saved_in_their_region(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    page = staff.page(f"/links/{link_id(1)}")
    region = presses_in_place(staff, page, "Save details", "own-fields", cost_centre="Pune depot")
    assert not region.all("main, #link-panel")
    assert "Pune depot" in region.text
    assert region.one("summary").has_attr("autofocus")
    assert "HX-Push-Url" not in region.headers, "the address stays"
    assert json.loads(region.headers["HX-Trigger"])["announce"] == {"words": "Saved"}
    refused = presses_in_place(staff, page, "Save details", "own-fields", cost_centre="x" * 500)
    assert (refused.status, refused.one("#own-cost_centre")["aria-invalid"]) == (422, "true")


def test_an_edit_conflict_is_shown_in_the_region_too(staff: WebClient, manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    address = f"/links/{link_id(1)}"
    page = staff.page(address)
    manager.read(manager.page(address).submit("Save details", cost_centre="Mumbai"))
    region = presses_in_place(staff, page, "Save details", "own-fields", cost_centre="Pune")
    assert (region.status, region.headers["HX-Retarget"]) == (409, "#own-fields")
    assert region.headers["HX-Reswap"] == "outerHTML"
    assert region.one("#own-cost_centre")["value"] == "Pune"
    assert "Mumbai" in region.text


def test_a_check_renews_the_panel_and_says_what_it_found(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    region = presses_in_place(staff, staff.page(f"/links/{link_id(1)}"), "Check now", "link-panel")
    assert region.one("#link-panel")["data-status"] == "ACTIVE"
    assert not region.all("main")
    events = json.loads(region.headers["HX-Trigger"])
    assert {"timeline", "payment"} <= set(events["checked"]["parts"])
    assert events["announce"]["words"]


def test_a_new_link_that_cannot_be_reviewed_is_explained_beside_the_fresh_state(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    old = steps.link_of(steps.create(staff, "MH1001"))
    levers.expire(old)
    page = steps.check(staff, old)
    levers.pay(old)
    on = {"HX-Current-URL": f"http://localhost/links/{old}", "X-CSRFToken": staff.csrf_token()}
    region = Page(staff, page.submit("Create again", headers={**IN_PLACE, **on}), region=True)
    assert (region.status, region.headers["HX-Retarget"]) == (422, "#link-problem")
    assert region.headers["HX-Push-Url"] == "false"
    assert region.one("#link-problem").has_attr("autofocus")
    assert "is paid" in region.one("#link-problem .notice").get_text()
    assert region.one("#link-panel")["data-status"] == "PAID"
    assert region.one("#link-panel")["hx-swap-oob"] == "true"
    assert not region.all("main, #own-fields")
