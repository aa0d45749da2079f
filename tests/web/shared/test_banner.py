"""Test the banner on every page while calls are blocked, and the STAGING mark."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from dashboard.domain.allowance_resets import INDIA
from dashboard.services.container import Services
from dashboard.settings import Settings
from tests.conftest import CANARY
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import REVIEW, VEHICLE, calls_of

REFUSED = "The API key was refused"


def banner(page: Page) -> str:
    found = page.all(".banner")
    assert len(found) <= 1
    return words(found[0].get_text(" ")) if found else ""


def everywhere(visitor: WebClient) -> dict[str, str]:
    """Return the banner of each kind of page."""
    links = [str(a["href"]) for a in visitor.page("/").all(".recent-links a[href^='/links/']")]
    pages = ["/", "/vehicles", VEHICLE, "/vehicles/KA05MN4321", *links]
    shown = {address: banner(visitor.page(address)) for address in pages}
    return shown | {"/nowhere": banner(visitor.page("/nowhere", status=404))}


@pytest.fixture
def linked(staff: WebClient, five: dict[str, str]) -> str:
    """Search a vehicle and create a link on two of its challans; return the link's id."""
    steps.searches(staff)
    return steps.link_of(steps.create(staff, "MH1001", "MH1002"))


def test_there_is_no_banner_while_all_is_well(staff: WebClient, linked: str) -> None:
    assert set(everywhere(staff).values()) == {""}


# The key


def test_a_refused_key_is_on_every_page_and_stops_all_calls(staff: WebClient, linked: str, levers: Levers) -> None:
    levers.revoke_secret()
    page = staff.read(steps.search(staff))
    assert page.status == 503
    for address, said in everywhere(staff).items():
        assert REFUSED in said, address
        assert re.search(r"Stopped since [\w ,]*\d:\d\d [ap]m\. Links are not checked either", said), address
        assert "amounts and states are the last known. Tell an administrator." in said, address
        assert "Try again" not in said, "only an administrator can"

    def try_everything() -> None:
        steps.search(staff)
        steps.search(staff, "KA05MN4321")
        steps.refresh(staff)
        steps.check(staff, linked)
        answer = steps.create(staff, "MH1003")
        assert answer.status_code == 503
        page = staff.read(answer)
        assert REFUSED in page.text
        assert "Nothing was sent." in page.text
        assert "On the new link (1)" in page.text

    assert calls_of(levers, try_everything) == 0


def test_an_administrator_reads_what_to_do_about_a_refused_key_and_staff_whom_to_tell(
    staff: WebClient, manager: WebClient, admin: WebClient, linked: str, levers: Levers
) -> None:
    levers.revoke_secret()
    steps.search(staff)
    page = admin.page("/")
    said = page.one(".banner").get_text(" ", strip=True)
    assert "No calls have been made since" in said
    assert "A new key is tried at once." in said
    assert page.one(".banner-links a")["href"] == "/service"
    assert not manager.page("/").all(".banner-links")
    assert "Tell an administrator" in banner(manager.page("/"))


def test_the_first_page_says_when_links_were_checked_last_while_the_key_is_refused(
    staff: WebClient, linked: str, levers: Levers
) -> None:
    assert "Checked just now" in staff.page("/").text
    before = staff.page("/").one("#recent-links")["data-shown"]
    levers.revoke_secret()
    steps.search(staff)
    page = staff.page("/")
    assert "Checked just now" not in page.text
    assert re.search(r"Last checked [\w ,]*\d:\d\d [ap]m", page.text)
    assert page.one("#recent-links")["data-shown"] != before, "the list is fetched again"


def test_stored_data_stays_usable_while_the_key_is_refused(staff: WebClient, linked: str, levers: Levers) -> None:
    levers.revoke_secret()
    steps.search(staff)
    page = staff.page(VEHICLE)
    assert list(steps.boxes(page)) == ["MH1003", "MH1004", "MH1005"]
    assert "The service answered with an error: the API key was refused, so no calls are being made." in page.text
    link = staff.page(f"/links/{linked}")
    assert link.one("#link-panel")["data-status"] == "ACTIVE"
    assert "Copy link" in link.buttons()


def test_the_page_of_the_refused_call_has_the_banner(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff, "MH1001")
    levers.revoke_secret()
    page = staff.read(review.submit("Create payment link"))
    assert page.one("#request-panel")["data-state"] == "REJECTED"
    assert "No link was created The API key was refused." in page.text
    assert REFUSED in banner(page)


def test_a_refused_key_is_tried_again_after_a_while_and_not_before(
    staff: WebClient, linked: str, levers: Levers, clock: MovableClock
) -> None:
    levers.revoke_secret()
    tried = []
    for minute in range(40):
        before = levers.count("search")
        steps.search(staff)
        if levers.count("search") > before:
            tried.append(minute)
        clock.advance(minutes=1)
    assert tried == [0, 1, 6, 21]
    levers.replace_secret(secret=CANARY)
    clock.advance(minutes=15)
    assert steps.search(staff).status_code == 303
    assert set(everywhere(staff).values()) == {""}


@pytest.fixture
def secret_file(environ: dict[str, str], tmp_path: Path) -> Path:
    file = tmp_path / "secret"
    file.write_text(CANARY)
    del environ["DASHBOARD_API_SECRET"]
    environ["DASHBOARD_API_SECRET_FILE"] = str(file)
    return file


def test_a_key_that_changes_in_its_file_ends_the_banner_at_once(
    secret_file: Path,
    build_app: Callable[[Settings], Flask],
    environ: dict[str, str],
    five: dict[str, str],
    levers: Levers,
) -> None:
    asha = steps.arrives(build_app(Settings.from_environ(environ)), ASHA)
    steps.searches(asha)
    new = levers.replace_secret()
    assert steps.search(asha).status_code == 503
    assert REFUSED in banner(asha.page("/"))
    secret_file.write_text(new)
    assert set(everywhere(asha).values()) == {""}
    page = asha.read(steps.search(asha))
    assert page.status == 200
    assert new not in page.response.text
    assert "refused" not in page.everything


def test_the_key_of_another_organization_stops_everything(
    secret_file: Path,
    build_app: Callable[[Settings], Flask],
    environ: dict[str, str],
    five: dict[str, str],
    levers: Levers,
) -> None:
    asha = steps.arrives(build_app(Settings.from_environ(environ)), ASHA)
    steps.searches(asha)
    steps.link_of(steps.create(asha, "MH1001"))
    levers.assign_vehicle("MH12AB1001", "second")
    secret_file.write_text(levers.replace_secret("second"))
    levers.forget_calls()
    assert steps.search(asha).status_code == 503
    assert [call["operation"] for call in levers.calls()] == ["link_status"], "nothing is searched or entered with it"
    page = asha.page("/")
    assert "The API key belongs to another organization" in banner(page)
    assert calls_of(levers, lambda: steps.search(asha)) == 0


def test_a_key_that_is_turned_away_without_a_limit_is_told_so_everywhere(
    staff: WebClient, admin: WebClient, linked: str, levers: Levers, clock: MovableClock
) -> None:
    levers.fault("*", "status", status=429, count=9)
    page = staff.read(steps.search(staff))
    assert page.status == 503
    assert "limit is reached" not in page.everything
    for address, said in everywhere(staff).items():
        assert "The API key is throttled or was refused" in said, address
    assert "Key refused" in admin.page("/service").text
    levers.clear_faults()
    clock.advance(minutes=2)
    assert steps.search(staff).status_code == 303
    assert set(everywhere(staff).values()) == {""}


# One of two services refused


def test_a_refused_search_service_leaves_links_usable(staff: WebClient, linked: str, levers: Levers) -> None:
    levers.set_organization(searchEnabled=False)
    page = staff.read(steps.search(staff))
    assert page.status == 503
    for address, said in everywhere(staff).items():
        assert "Challan Search is not enabled for your organization" in said, address
        assert "Payment links stay usable" in said, address
    assert calls_of(levers, lambda: steps.search(staff)) == 0
    assert calls_of(levers, lambda: steps.check(staff, linked)) == 1
    steps.link_of(steps.create(staff, "MH1003"))


def test_a_refused_link_service_leaves_searching_usable(staff: WebClient, linked: str, levers: Levers) -> None:
    levers.set_organization(linksEnabled=False)
    page = steps.check(staff, linked)
    assert "this service is not enabled for your organization" in page.text
    assert page.one("#link-panel")["data-status"] == "ACTIVE"
    for address, said in everywhere(staff).items():
        assert "Payment Link Generation is not enabled for your organization" in said, address
        assert "Searching stays usable" in said, address
    assert steps.search(staff).status_code == 303
    page = staff.read(steps.create(staff, "MH1003"))
    assert page.status == 503
    assert "Searching stays usable, and the selection is saved. Nothing was sent." in page.text


def test_a_refused_service_is_tried_again_after_ten_minutes(
    staff: WebClient, linked: str, levers: Levers, clock: MovableClock
) -> None:
    levers.set_organization(searchEnabled=False)
    steps.search(staff)
    levers.set_organization(searchEnabled=True)
    clock.advance(minutes=9)
    assert steps.search(staff).status_code == 503
    clock.advance(minutes=2)
    assert steps.search(staff).status_code == 303
    assert set(everywhere(staff).values()) == {""}


# Daily allowances


def test_a_spent_search_allowance_is_on_every_page_and_links_go_on(
    staff: WebClient, linked: str, levers: Levers, clock: MovableClock
) -> None:
    levers.set_organization(searchAllowance=0)
    steps.search(staff)
    for address, said in everywhere(staff).items():
        assert "Today’s search limit is reached" in said, address
        assert re.search(r"No (?:new links|searches) since [\w ,:]+, most likely until [\w\s,:]+\.", said)
        assert "Pages show the last results, with their age." in said
        assert said.strip().endswith("Payment links stay usable."), "a try is no news until it is answered"
    steps.link_of(steps.create(staff, "MH1003"))
    levers.set_organization(searchAllowance=None)
    clock.advance(minutes=2)
    assert steps.search(staff).status_code == 303
    assert set(everywhere(staff).values()) == {""}


def waits_until(app: Flask, clock: MovableClock, hour: int, minute: int, second: int = 0) -> WebClient:
    """Move the clock to a time of day in India, and sign Asha in anew."""
    here = clock().astimezone(INDIA)
    wait = here.replace(hour=hour, minute=minute, second=second) - here
    clock.advance(seconds=wait.total_seconds() % 86_400)
    return steps.arrives(app, ASHA)


@pytest.mark.parametrize("meanwhile", ["a state", "the cities"])
def test_an_answer_of_another_operation_clears_no_spent_search_allowance(
    app: Flask, linked: str, levers: Levers, clock: MovableClock, services: Services, meanwhile: str
) -> None:
    staff = waits_until(app, clock, 12, 0)
    levers.set_organization(searchAllowance=0)
    steps.search(staff)
    clock.advance(minutes=2)
    if meanwhile == "a state":
        assert calls_of(levers, lambda: steps.check(staff, linked)) == 1
    else:
        assert calls_of(levers, services.reference_data.probe_service) == 1
    assert "Today’s search limit is reached" in banner(staff.page("/"))
    clock.advance(minutes=2)
    levers.forget_calls()
    steps.search(staff)
    assert levers.count("search") == 1, "its time is up: one may try"
    clock.advance(minutes=2)
    assert calls_of(levers, lambda: steps.search(staff)) == 0, "the second wait is longer"


def test_a_limit_of_links_does_not_call_searching_usable_after_a_search_that_failed(
    staff: WebClient, linked: str, levers: Levers
) -> None:
    levers.set_organization(linkAllowance=0)
    steps.create(staff, "MH1003")
    levers.fault("search", "cut", count=3)
    steps.search(staff)
    page = staff.page("/")
    assert page.one(".banner.notice-waiting").select_one("use")["href"].endswith("#state-waiting"), "it ends by itself"  # type: ignore[index,union-attr]
    said = banner(page).strip()
    assert said.endswith("Selections are saved. Searching may fail too."), said


def test_while_both_allowances_are_spent_neither_banner_promises_the_other(
    staff: WebClient, linked: str, levers: Levers
) -> None:
    levers.set_organization(linkAllowance=0, searchAllowance=0)
    steps.create(staff, "MH1003")
    steps.search(staff)
    said = " ".join(found.get_text(" ") for found in staff.page("/").all(".banner"))
    assert "Today’s limit for new links is reached" in said
    assert "Today’s search limit is reached" in said
    assert "usable" not in said


def test_the_banner_ends_at_midnight_in_india_before_any_call(
    app: Flask, linked: str, levers: Levers, clock: MovableClock
) -> None:
    staff = waits_until(app, clock, 23, 59, 30)
    levers.set_organization(searchAllowance=0)
    steps.search(staff)
    assert "Today’s search limit is reached" in banner(staff.page("/"))
    clock.advance(seconds=45)
    assert banner(staff.page("/")) == ""
    assert calls_of(levers, lambda: steps.search(staff)) == 0


def test_a_spent_allowance_of_links_leaves_searching_usable(
    app: Flask, staff: WebClient, linked: str, levers: Levers, clock: MovableClock
) -> None:
    levers.set_organization(linkAllowance=0)
    steps.create(staff, "MH1003")
    for address, said in everywhere(staff).items():
        assert "Today’s limit for new links is reached" in said, address
        until = r"most likely until 11:59 pm\. Selections are saved\. Searching stays usable\."
        assert re.search(until, said.replace("\N{NO-BREAK SPACE}", " ")), address
    button = staff.page(VEHICLE).one("#open-review")
    assert button["aria-describedby"] == "selection-summary creates-later"
    later = staff.page(VEHICLE).one("#creates-later").get_text().replace("\N{NO-BREAK SPACE}", " ")
    till = r"Limit reached: no new links till about 11:59 pm\. You can still try: nothing is lost\."
    assert re.fullmatch(till, later), "by night nobody knows which midnight is tonight's"
    assert steps.search(staff).status_code == 303
    clock.advance(days=1)
    page = steps.arrives(app, ASHA).page("/")
    assert "Recent payment links" in page.text
    assert banner(page) == "", "it is another day, and nobody has asked"


# STAGING


def marks(page: Page) -> list[str]:
    return [mark.get_text(" ") for mark in page.all(".staging")]


def test_every_page_carries_the_staging_mark(visitor: WebClient, staff: WebClient, linked: str) -> None:
    steps.select(staff, "MH1003")
    pages = [visitor.page("/sign-in")]
    pages += [staff.page(address) for address in ("/", "/vehicles", VEHICLE, REVIEW, f"/links/{linked}")]
    pages.append(staff.page("/nowhere", status=404))
    for page in pages:
        (mark,) = marks(page)
        assert mark.startswith("STAGING"), page.response.request.path
        assert "no real money" in mark


def test_another_prefix_carries_no_staging_mark(
    build_app: Callable[[Settings], Flask], environ: dict[str, str]
) -> None:
    environ["DASHBOARD_SERVICE_PREFIX"] = "/api/v1"
    app = build_app(Settings.from_environ(environ))
    nobody = app.test_client()
    assert isinstance(nobody, WebClient)
    asha = steps.arrives(app, ASHA)
    for page in (nobody.page("/sign-in"), asha.page("/"), asha.page(VEHICLE), asha.page("/nowhere", status=404)):
        assert marks(page) == []
        assert "STAGING" not in page.everything
