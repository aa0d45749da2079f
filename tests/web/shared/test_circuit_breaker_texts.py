"""Test what people read while a circuit breaker is open or searches are reserved, and how that ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from dashboard.errors import Operation
from dashboard.services.container import Services
from dashboard.settings import Settings
from dashboard.web.shared.current import format_moment
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.shared.test_conditions import banner


@pytest.fixture
def searched(staff: WebClient, five: dict[str, str]) -> dict[str, str]:
    steps.searches(staff)
    return five


# Circuit breakers


def silent(levers: Levers, staff: WebClient) -> None:
    """Make five creations whose answers are lost; the service creates no links."""
    levers.fault("create_link", "cut", count=5)
    for number in range(1, 6):
        steps.request_of(steps.create(staff, f"MH100{number}"))


@pytest.fixture
def free(levers: Levers) -> str:
    """Add another vehicle with two payable challans, and return its number."""
    levers.add_vehicle("MH12AB1002", [{"challanNo": f"MH200{n}"} for n in (1, 2)])
    return "MH12AB1002"


def test_a_creation_is_refused_in_words_while_the_breaker_is_open(
    staff: WebClient, searched: dict[str, str], free: str, levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff, free)
    silent(levers, staff)
    levers.forget_calls()
    answer = steps.create(staff, "MH2001", rc=free, hours="96")
    page = staff.read(answer)
    assert page.status == 503
    assert "The service did not answer. Several calls failed, so we did not request a link just now." in page.text
    assert re.search(r"The selection is saved\. Try again in \d+ s\. Nothing was sent\.", page.text)
    assert "may or may not" not in page.text
    assert "On the new link (1)" in page.text
    assert page.field("Expires after (hours)")["value"] == "96"
    assert levers.calls() == []
    assert re.match(r"Creating links is paused The service has not answered since [\w ,]*\d:\d\d [ap]m\.", banner(page))
    assert "Searching and checking links still work." in banner(page)
    assert page.one(".banner")["data-stops"] == "create"
    clock.advance(seconds=31)
    steps.link_of(page.submit("Create payment link"))
    assert banner(staff.page("/")) == ""


def test_a_search_shows_the_last_list_while_the_breaker_is_open(
    app: Flask, staff: WebClient, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    services: Services = app.extensions["services"]
    clock.advance(minutes=9)
    levers.fault("search", "status", status=500, count=5)
    for _ in range(5):
        steps.search(staff)
    levers.forget_calls()
    for page in (staff.read(steps.search(staff)), staff.read(steps.refresh(staff))):
        assert page.status == 503
        assert "The service answered with an error. Showing " in page.text
        assert page.response.headers["Retry-After"] == "30"
        assert len(steps.boxes(page)) == 5
    nothing_known = staff.read(steps.search(staff, "KA05 MN 4321"))
    assert nothing_known.status == 503
    assert "Several calls failed, so we did not call it just now." in nothing_known.text
    assert nothing_known.field("RC number")["value"] == "KA05 MN 4321"
    assert levers.calls() == []
    said = banner(staff.page("/"))
    assert re.match(r"Searching is paused The service has answered with errors since [\w ,]*\d:\d\d [ap]m\.", said)
    assert "Creating links and checking links still work." in said
    link_id = steps.link_of(steps.create(staff, "MH1001"))
    levers.fault("link_status", "status", status=500)
    steps.check(staff, link_id)
    now = banner(staff.page("/"))
    assert "Creating links still works. Checking links may fail too. Pages show the last known data." in now
    assert "Next try within a minute." in said, "not at the minute since when it fails"
    assert staff.page("/").one(".banner")["data-stops"] == "search"
    unsearched = staff.page("/vehicles/KA05MN4321")
    by = re.fullmatch(
        r"Search opens again by (.+)\. A search before that is not sent\.", unsearched.one("#search-later").get_text()
    )
    until = max(block.until for block in services.call_policy.active_blocks())
    with app.app_context():
        opens = format_moment(until + timedelta(minutes=1))
    assert by, "it says by when"
    assert by[1] == opens, "the minute that has not begun before"
    clock.advance(minutes=2)
    assert staff.page("/vehicles/KA05MN4321").one("#search-later").get_text() == "You can search again now."
    meanwhile = {link["href"] for link in unsearched.all(".works-meanwhile a")}
    assert meanwhile == {"/vehicles", "/links", "/follow-up"}, "what is known is read there"
    assert unsearched.one("main [autofocus]")["aria-describedby"] == "search-later"
    assert unsearched.one(".banner [data-next]").get_text() == "Next try within a minute.", "hidden by its style"
    assert unsearched.one("#lazy-styles")["rel"] == ["stylesheet"]
    clock.advance(seconds=31)
    assert "The service" not in steps.searched(staff).text
    assert banner(staff.page("/")) == ""


def test_links_show_their_last_state_while_the_breaker_is_open(
    staff: WebClient,
    admin: WebClient,
    searched: dict[str, str],
    levers: Levers,
    services: Services,
    clock: MovableClock,
) -> None:
    link_id = steps.link_of(steps.create(staff, "MH1001"))
    levers.fault("link_status", "cut", count=5)
    for _ in range(5):
        steps.check(staff, link_id)
    levers.forget_calls()
    page = steps.check(staff, link_id)
    assert levers.calls() == []
    assert page.one("#link-panel")["data-status"] == "ACTIVE"
    assert "The service did not answer. This is from" in page.text
    assert "Copy link" in page.buttons()
    tried = "We try again every half minute, and paused work resumes automatically."
    assert tried in banner(page)
    assert tried in admin.page("/service").one(".service-verdict").get_text(), "the service page says the same"
    levers.pay(link_id)
    clock.advance(minutes=2)
    for taken in services.link_poller.claim_due(5):
        services.link_poller.poll_claimed(taken)
    page = staff.page(f"/links/{link_id}")
    assert page.one("#link-panel")["data-status"] == "PAID"
    assert banner(page) == ""


def test_a_service_that_answers_nothing_is_one_banner(
    staff: WebClient, searched: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    link_id = steps.link_of(steps.create(staff, "MH1005"))
    levers.fault("*", "cut", count=30)
    for _ in range(5):
        steps.check(staff, link_id)
        steps.search(staff)
    for number in range(1, 5):
        steps.create(staff, f"MH100{number}")
    said = banner(staff.page("/"))
    assert said.count("The service has not answered since") == 1
    assert said.startswith("Searching and checking links are paused")
    assert "Creating links may fail too. Pages show" in said
    clock.advance(minutes=7)
    assert banner(staff.page("/")) == "", "nobody has tried for long, so nothing is known of the present"


# One person's limit, and the reserve


def test_a_person_who_has_searched_too_often_reads_why_and_until_when(
    environ: dict[str, str],
    build_app: Callable[[Settings], Flask],
    five: dict[str, str],
    levers: Levers,
    clock: MovableClock,
) -> None:
    app = build_app(Settings.from_environ({**environ, "DASHBOARD_PERSON_SEARCHES_PER_HOUR": "2"}))
    asha = steps.arrives(app, ASHA)
    for _ in range(2):
        steps.searches(asha)
    levers.forget_calls()
    for page in (asha.read(steps.search(asha)), asha.read(steps.refresh(asha))):
        assert page.status == 429
        assert "You have reached the hourly search limit of one person." in page.text
        assert re.search(r"What you entered is kept\. Try again in \d+ (s|min)\.", page.text)
        assert int(page.response.headers["Retry-After"]) <= 3600
        assert len(steps.boxes(page)) == 5
        assert "Not refreshed" not in page.text, "nothing is wrong with the vehicle"
    unknown = asha.read(steps.search(asha, "KA05 MN 4321"))
    assert "You have reached the hourly search limit of one person." in unknown.text
    assert unknown.field("RC number")["value"] == "KA05 MN 4321"
    assert levers.calls() == []
    clock.advance(hours=1)
    steps.comes_back(asha, ASHA)
    steps.searches(asha)


def test_people_read_that_a_reserve_is_kept(
    staff: WebClient, searched: dict[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    def spend(times: int) -> None:
        for _ in range(times):
            services.call_policy.allowances.spend(Operation.SEARCH_CHALLANS, resolving=True, person_id=None)

    spend(49)
    levers.fault("search", "status", status=429)
    assert steps.search(staff).status_code == 429
    clock.advance(days=1)
    steps.comes_back(staff, ASHA)
    spend(30)
    levers.forget_calls()
    page = staff.read(steps.search(staff))
    assert page.status == 429
    said = "Today’s search limit is reached; the rest is reserved for unclear requests. Showing "
    assert said in page.text
    assert levers.calls() == []
    unknown = staff.read(steps.search(staff, "KA05 MN 4321"))
    assert "The rest is reserved" in unknown.text
    clock.advance(days=1)
    steps.comes_back(staff, ASHA)
    steps.searches(staff)
