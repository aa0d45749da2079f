"""Test paid notifications: on the first page, in its title, and by the browser for people who turn them on."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import event
from werkzeug.test import TestResponse

from dashboard.services.container import Services
from dashboard.store.engine import Store
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import poll


@pytest.fixture
def mine(staff: WebClient, five: dict[str, str]) -> list[str]:
    """Create three links as Asha, and return their ids, the oldest first."""
    steps.searches(staff)
    return [steps.link_of(steps.create(staff, number)) for number in ("MH1001", "MH1002", "MH1003")]


class Office:
    """Pay links, and poll them as the watcher does."""

    def __init__(self, services: Services, levers: Levers, clock: MovableClock) -> None:
        self.services = services
        self.levers = levers
        self.clock = clock

    def pays(self, *link_ids: str) -> None:
        for link_id in link_ids:
            self.levers.pay(link_id)
            self.clock.advance(seconds=1)
            self.services.link_poller.refresh(link_id)


@pytest.fixture
def office(services: Services, levers: Levers, clock: MovableClock) -> Office:
    return Office(services, levers, clock)


def listed(page: Page) -> list[str]:
    """Return the links under "Your links, newly paid", newest first."""
    return [str(a["href"]).rpartition("/")[2] for a in page.all(".paid-since li a.plate-link")]


def panel_address(page: Page) -> str:
    return str(page.one("#home-panel")["hx-get"])


def checked(answer: TestResponse) -> dict[str, Any]:
    return dict(json.loads(answer.headers["HX-Trigger"])["checked"])


# The block


def test_links_of_mine_that_were_paid_are_listed_newest_first(
    staff: WebClient, mine: list[str], office: Office
) -> None:
    assert "Your links, newly paid" not in staff.page("/").text
    office.pays(mine[0], mine[2])
    page = staff.page("/")
    assert listed(page) == [mine[2], mine[0]]
    assert "Your links, newly paid (2)" in page.text
    assert page.one("title").get_text() == "(2 paid) Challan Dashboard"


def test_a_newly_paid_link_is_not_listed_again_among_the_recent_ones(
    staff: WebClient, manager: WebClient, mine: list[str], office: Office
) -> None:
    def recent(client: WebClient) -> set[str]:
        return {str(row["data-row"]) for row in client.page("/").all("#recent-links tr[data-row]")}

    office.pays(mine[2])
    assert recent(staff) == set(mine[:2])
    address = str(staff.page("/").one("#recent-links")["hx-get"])
    assert mine[2] not in staff.get(address, headers={"HX-Request": "true"}).text, "nor once the list is read again"
    assert recent(manager) == set(mine), "it is news to whoever made it"
    staff.page(f"/links/{mine[2]}")
    assert recent(staff) == set(mine), "it has been seen"
    office.pays(*mine[:2])
    staff.page(f"/links/{mine[0]}")
    staff.page(f"/links/{mine[1]}")
    assert recent(staff) == set(mine)


def test_links_that_others_made_are_not_listed(manager: WebClient, mine: list[str], office: Office) -> None:
    office.pays(*mine)
    assert listed(manager.page("/")) == []


def test_a_link_that_was_opened_is_seen(staff: WebClient, mine: list[str], office: Office) -> None:
    office.pays(mine[0], mine[1])
    staff.page(f"/links/{mine[0]}")
    assert listed(staff.page("/")) == [mine[1]]


def test_a_link_whose_panel_turned_to_paid_is_seen(staff: WebClient, mine: list[str], office: Office) -> None:
    asks = str(staff.page(f"/links/{mine[0]}").one("#link-panel")["hx-get"])
    office.pays(mine[0])
    assert listed(staff.page("/")) == [mine[0]], "paid, and its panel not polled since"
    assert poll(staff, asks).status_code == 200
    assert listed(staff.page("/")) == []


def test_a_colleague_who_opens_it_has_not_seen_it_for_me(
    staff: WebClient, manager: WebClient, mine: list[str], office: Office
) -> None:
    office.pays(mine[0])
    manager.page(f"/links/{mine[0]}")
    assert listed(staff.page("/")) == [mine[0]]


def test_mark_as_seen_covers_the_list_and_not_what_was_paid_after_it_was_drawn(
    staff: WebClient, mine: list[str], office: Office
) -> None:
    office.pays(mine[0])
    page = staff.page("/")
    office.pays(mine[1])
    assert page.submit("Mark as seen").status_code == 303
    page = staff.page("/")
    assert listed(page) == [mine[1]], "it was paid after the list was drawn"
    page.submit("Mark as seen")
    page = staff.page("/")
    assert listed(page) == []
    assert page.one("title").get_text() == "Search · Challan Dashboard"


def test_a_moment_in_the_future_cannot_be_marked_as_seen(staff: WebClient, mine: list[str], office: Office) -> None:
    office.pays(mine[0])
    page = staff.page("/")
    assert page.submit("Mark as seen", until="2999-01-01T00:00:00+00:00").status_code == 303
    office.pays(mine[1])
    assert listed(staff.page("/")) == [mine[1]]
    for nonsense in ("", "tomorrow", "2026-13-45"):
        assert page.submit("Mark as seen", until=nonsense).status_code == 303


def test_a_link_that_went_back_and_is_paid_again_is_listed_again(
    staff: WebClient, mine: list[str], office: Office, levers: Levers, clock: MovableClock
) -> None:
    office.pays(mine[0])
    staff.page(f"/links/{mine[0]}")
    levers.set_link(mine[0], status="ACTIVE", paidAt=None)
    clock.advance(seconds=5)
    office.services.link_poller.refresh(mine[0])
    office.pays(mine[0])
    assert listed(staff.page("/")) == [mine[0]]


def test_the_list_shows_twelve_links_and_counts_the_others(staff: WebClient, levers: Levers, office: Office) -> None:
    levers.add_vehicle(steps.RC, [steps.challan(n) for n in range(1, 15)])
    steps.searches(staff)
    made = [steps.link_of(steps.create(staff, f"MH10{number:02}")) for number in range(1, 15)]
    office.pays(*made)
    page = staff.page("/")
    assert listed(page) == list(reversed(made))[:12]
    assert "Your links, newly paid (14)" in page.text
    assert "And 2 more before these." in page.text


# The live region


def test_while_nothing_happens_a_poll_reads_no_link_and_no_request(
    staff: WebClient, mine: list[str], store: Store, services: Services
) -> None:
    asks = panel_address(staff.page("/"))
    asked: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda *arguments: asked.append(arguments[2]))
    answer = poll(staff, asks)
    assert (answer.status_code, answer.data) == (204, b"")
    assert "FROM link_event" in "".join(asked)
    for table in ("link", "link_challan", "intent", "claim", "vehicle"):
        assert not [query for query in asked if re.search(rf"(FROM|JOIN) {table}\b(?!_)", query)], table
    # These read the session, its person, the change token, and the state of the service unless it is cached.
    assert len([query for query in asked if query.startswith("SELECT")]) <= 5, asked
    assert checked(answer)["poll_seconds"] == 15
    assert checked(answer)["at"] == services.clock().isoformat()


def test_a_payment_comes_to_the_open_page(staff: WebClient, mine: list[str], office: Office) -> None:
    page = staff.page("/")
    office.pays(mine[0])
    answer = poll(staff, panel_address(page))
    region = Page(staff, answer, region=True)
    assert listed(region) == [mine[0]]
    panel = region.one("#home-panel")
    assert panel["data-title"] == "(1 paid) Challan Dashboard"
    assert panel["data-words"] == "1 of your links newly paid"
    recent = page.one("#recent-links")
    assert checked(answer)["parts"]["links"] != recent["data-shown"]
    region = staff.region(str(recent["hx-get"]))
    assert region.one("#recent-links")["data-shown"] == checked(answer)["parts"]["links"]
    assert {row["data-row"] for row in region.all("tr[data-row]")} == set(mine[1:]), "it is listed above"


def test_a_change_that_the_page_does_not_show_swaps_nothing_and_is_read_once(
    staff: WebClient, manager: WebClient, mine: list[str]
) -> None:
    copies(staff, mine[0])
    page = staff.page("/")
    copies(manager, mine[0])
    answer = poll(staff, panel_address(page))
    assert answer.status_code == 204
    seen = checked(answer)["seen"]
    assert seen != parse_qs(urlsplit(panel_address(page)).query)["seen"][0]
    again = poll(staff, "/panel", seen)
    assert again.status_code == 204
    assert "links" not in checked(again)["parts"], "nothing but the token was read"


def copies(visitor: WebClient, link_id: str) -> None:
    headers = {"X-CSRFToken": visitor.csrf_token(), "HX-Request": "true"}
    assert visitor.post(f"/links/{link_id}/copied", headers=headers).status_code == 204


def test_a_link_that_comes_to_its_last_hours_comes_to_the_open_page(
    staff: WebClient, five: dict[str, str], clock: MovableClock
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, hours=24))
    clock.advance(hours=17, minutes=58)
    steps.comes_back(staff, ASHA)
    asks = panel_address(staff.page("/"))
    clock.advance(minutes=6)
    region = Page(staff, poll(staff, asks), region=True)
    assert "Not sent, ends " in region.text
    assert "₹2,795.00" in region.text
    assert region.link("Open the link") == f"/links/{link_id}"


def test_a_poll_of_the_first_page_does_not_extend_the_session(staff: WebClient, clock: MovableClock) -> None:
    asks = panel_address(staff.page("/"))
    for _ in range(4):
        clock.advance(minutes=7)
        assert poll(staff, asks).status_code in (200, 204)
    clock.advance(minutes=3)
    assert poll(staff, asks).status_code == 401


def test_without_htmx_the_regions_lead_to_the_page(staff: WebClient) -> None:
    for region in ("/panel", "/recent-links", "/paid-news"):
        answer = staff.get(region)
        assert (answer.status_code, answer.headers["Location"]) == (303, "/")


# Notifications by the browser


def test_no_page_polls_for_notifications_until_somebody_wants_them(staff: WebClient) -> None:
    page = staff.page("/")
    assert not page.all("#paid-notifications")
    assert page.submit("Notify me when a link is paid").status_code == 303
    for place in ("/", "/vehicles"):
        assert staff.page(place).one("#paid-notifications")["hx-trigger"] == "every 15s"
    staff.page("/").submit("Stop notifying me")
    assert not staff.page("/vehicles").all("#paid-notifications")


def test_notifications_for_one_person_are_not_switched_on_for_another(staff: WebClient, manager: WebClient) -> None:
    staff.page("/").submit("Notify me when a link is paid")
    assert not manager.page("/").all("#paid-notifications")


def test_a_link_that_is_paid_while_a_tab_is_open_is_notified_once(
    staff: WebClient, mine: list[str], office: Office, clock: MovableClock
) -> None:
    staff.page("/").submit("Notify me when a link is paid")
    office.pays(mine[0])
    clock.advance(seconds=1)
    element = staff.page("/vehicles").one("#paid-notifications")
    assert not element.select("[data-paid]"), "paid before the page was opened: the first page lists it"
    query = {"after": str(element["data-after"]), "count": str(element["data-count"])}
    assert poll_notices(staff, **query).status_code == 204
    clock.advance(seconds=14)
    office.pays(mine[1])
    region = Page(staff, poll_notices(staff, **query), region=True)
    link = region.one("[data-paid]")
    assert (link["data-paid"], link["href"]) == (mine[1], f"/links/{mine[1]}")
    assert words(link.get_text()).startswith("MH12 AB 1001 is paid: ₹")
    element = region.one("#paid-notifications")
    assert element["data-count"] == "2"
    assert poll_notices(staff, after=str(element["data-after"]), count="2").status_code == 204


def test_a_browser_that_was_away_for_more_than_ten_minutes_gets_no_notices_of_that_time(
    staff: WebClient, mine: list[str], office: Office, clock: MovableClock
) -> None:
    before = clock().isoformat()
    office.pays(*mine)
    clock.advance(minutes=11)
    region = Page(staff, poll_notices(staff, after=before, count="0"), region=True)
    assert not region.all("[data-paid]")
    assert region.one("#paid-notifications")["data-count"] == "3"


def poll_notices(visitor: WebClient, **query: str) -> TestResponse:
    return visitor.get("/paid-news", query_string=query, headers={"HX-Request": "true"})
