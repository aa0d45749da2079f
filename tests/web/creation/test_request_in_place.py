"""Test the forms of a request's page while scripts run: what they change is swapped in, and the rest stays."""

from __future__ import annotations

from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import ASHA, MEERA
from tests.support.web_client import IN_PLACE, WebClient
from tests.web import steps

WHY = "The driver waits at the depot."


def sends(visitor: WebClient, page: Page, button: str, **fields: str) -> Page:
    """Press a button as scripts do."""
    headers = {**IN_PLACE, "X-CSRFToken": visitor.csrf_token()}
    headers["HX-Current-URL"] = f"http://localhost{page.response.request.path}"
    return Page(visitor, page.submit(button, headers=headers, **fields), region=True)


def presses(visitor: WebClient, page: Page, button: str, **fields: str) -> Page:
    """Press a button as scripts do, and check that the answer replaces the region of the request alone."""
    region = sends(visitor, page, button, **fields)
    assert region.response.headers["HX-Retarget"] == "#request"
    assert region.one("#request")
    assert not region.all("#main, h1"), "the head of the page stays"
    return region


def test_a_release_swaps_in_the_state_and_takes_its_form_away(manager: WebClient, unsettled: str) -> None:
    region = presses(manager, manager.page(unsettled), "Release the challans", reason=WHY)
    assert f"released by {MEERA.name}" in steps.panel_of_request(region)
    assert not region.all("release-form")
    assert region.response.headers["HX-Push-Url"] == unsettled
    assert not manager.page(unsettled).all("release-form")


def test_a_refused_reason_comes_back_into_its_place(manager: WebClient, unsettled: str) -> None:
    region = presses(manager, manager.page(unsettled), "Release the challans", reason="soon")
    assert region.status == 422
    assert region.response.headers["HX-Push-Url"] == "false"
    assert region.field("Reason")["aria-invalid"] == "true"
    assert region.field("Reason").get_text().strip() == "soon"


def test_a_failed_check_before_the_release_is_said_in_its_place(
    manager: WebClient, unsettled: str, levers: Levers
) -> None:
    levers.fault("search", "cut", count=3)
    region = presses(manager, manager.page(unsettled), "Release the challans", reason=WHY)
    assert region.status == 504
    assert "Nothing was released." in region.one("release-form").get_text(" ")
    assert region.field("Reason").get_text().strip() == WHY


def test_what_is_not_free_any_more_is_said_beside_its_state(
    staff: WebClient, manager: WebClient, searched: dict[str, str], levers: Levers
) -> None:
    levers.set_organization(linkAllowance=0)
    page = staff.page(steps.request_of(steps.create(staff, "MH1001")))
    levers.set_challan(searched["MH1001"], status="DISPOSED")
    steps.refresh(manager)
    region = presses(staff, page, "Try again")
    assert "None of these challans can go on a new link now." in region.text
    assert "None of these challans" not in staff.page("/").everything, f"{ASHA.name} has read it"


def test_what_is_free_goes_to_the_review_in_place_of_the_page(
    staff: WebClient, searched: dict[str, str], levers: Levers
) -> None:
    levers.set_organization(linkAllowance=0)
    page = staff.page(steps.request_of(steps.create(staff, "MH1001")))
    review = sends(staff, page, "Try again")
    assert review.response.headers["HX-Retarget"] == "#main"
    assert review.response.headers["HX-Push-Url"].startswith(f"{steps.VEHICLE}/review")
    assert "Create payment link" in review.buttons()
