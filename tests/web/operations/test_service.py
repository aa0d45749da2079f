"""Test the service page for administrators: which calls are blocked and why, and trying again at once."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select, text

from dashboard.domain.allowance_resets import Reset, day_of
from dashboard.errors import Operation
from dashboard.services.container import Services
from dashboard.store.accounts.audit import audit
from dashboard.store.engine import Store
from dashboard.store.operations import allowance_resets, call_counts, clock_checks
from dashboard.store.operations.allowance_resets import Known
from dashboard.store.operations.clock_checks import ClockCheck
from tests.conftest import CANARY
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ARUN
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import RC, VEHICLE, calls_of

LINK = 'a[href="/service"]'
UNTIL = r"Most likely until 11:59 pm\."
ROWS = ["Searching vehicles", "Creating links", "Checking links"]


def rows(page: Page) -> dict[str, list[str]]:
    return {
        words(row.select_one("th strong").get_text()): [words(cell.get_text(" ")) for cell in row.select("td")]  # type: ignore[union-attr]  # It is on the page.
        for row in page.all("table")[0].select("tbody tr")
    }


def waits(admin: WebClient) -> str:
    return words(admin.page("/service").one("[aria-labelledby=attention-title]").get_text(" "))


def below(page: Page) -> list[str]:
    """Return what stands below the verdict: what staff can do now, and what is to be done."""
    return [words(each.get_text()) for each in page.all(".service-verdict p")]


def test_what_needs_attention_stands_before_how_each_part_works(admin: WebClient) -> None:
    parts = [each["aria-labelledby"] for each in admin.page("/service").all("main section")]
    assert parts[:3] == ["verdict-title", "attention-title", "parts-title"]


def try_again(admin: WebClient) -> Page:
    page = admin.page("/service")
    name = "Check the service" if "Check the service" in page.one(".service-verdict").get_text() else "Try again"
    return admin.read(page.submit(name))


@pytest.mark.parametrize("who", ["staff", "manager"])
def test_only_administrators_see_it_and_others_read_why(request: pytest.FixtureRequest, who: str) -> None:
    visitor: WebClient = request.getfixturevalue(who)
    assert "This is for administrators" in visitor.page("/service", status=403).text
    home = visitor.page("/")
    assert not home.all(LINK)
    token = str(home.one('meta[name="csrf-token"]')["content"])
    assert visitor.post("/service/try-again", data={"csrf_token": token}).status_code == 403


def test_while_all_is_well_no_call_is_blocked_and_calls_are_counted(
    admin: WebClient, staff: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    shown = rows(admin.page("/service"))
    assert list(shown) == ROWS
    assert states(admin.page("/service")) == {"Working", "Not tried yet"}
    assert "The service works" in admin.page("/service").text
    assert shown["Searching vehicles"][2] == "1 call · all answered"
    assert [shown[name][2] for name in ROWS[1:]] == ["No call yet.", "No call yet."]
    assert admin.page("/").all(LINK)


def test_a_refused_key_is_tried_again_at_once_when_an_administrator_asks(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    levers.revoke_secret()
    steps.search(staff)
    levers.replace_secret(secret=CANARY)
    not_sent = steps.search(staff)
    assert not_sent.status_code == 503, "nobody tries before its time"
    assert "Not refreshed. The" in staff.read(not_sent).text
    unknown = staff.read(steps.search(staff, "KA05MN7788")).text
    assert "It is tried again automatically, and at once when it changes." in unknown
    assert "Next try within a minute." in staff.page("/").one("#banner").get_text(), "as the service page says"
    refused = admin.page("/service")
    assert states(refused) == {"Key refused"}
    assert "The API key was refused" in refused.one("#banner").get_text()
    assert words(refused.one("#verdict-title").get_text()) == "The API key was refused"
    now, to_do = below(refused)
    assert re.match(r"No calls have been made since \d+:\d\d [ap]m\. Pages show", now)
    assert to_do == "Next try within a minute. Key valid again? Press Try again."
    ask, put, try_it = [words(each.get_text()) for each in refused.all(".service-verdict .service-steps li")]
    assert ask == "Ask the service’s support why the key is refused, and for a valid one."
    assert put.startswith("Whoever runs the server writes the new key to a file")
    assert "Nothing needs a restart." in put
    assert try_it.startswith("Press Try again.")
    assert refused.one("code.key-now").get_text() in try_it
    assert rows(refused)["Searching vehicles"][2] == "2 calls · 1 refused", "it was answered"
    assert "Every call of the last" not in refused.text
    page = try_again(admin)
    assert "The service answers again." in page.text
    assert states(page) == {"Working", "Not tried yet"}
    assert steps.search(staff).headers["Location"] == VEHICLE
    assert "The API key was refused" not in staff.page("/").text


def test_a_try_of_a_key_that_is_still_refused_costs_one_call_and_says_so(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    steps.link_of(steps.create(staff, "MH1001"))
    levers.revoke_secret()
    steps.search(staff)
    pages: list[Page] = []
    assert calls_of(levers, lambda: pages.append(try_again(admin))) == 1
    assert pages[0].status == 503
    assert "The API key was refused" in pages[0].text
    assert states(pages[0]) == {"Key refused"}
    assert rows(pages[0])["Creating links"][2].startswith("Not called since "), "that none failed says nothing then"


def test_an_open_breaker_is_shown_and_may_be_closed(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    levers.fault("search", "status", status=500, count=5)
    for _ in range(5):
        steps.search(staff)
    page = admin.page("/service")
    state = rows(page)["Searching vehicles"][0]
    assert state.startswith("Paused No proper answer since ")
    said = words(page.one(".service-verdict .quiet").get_text())
    assert said.startswith("Next try within a minute."), "two equal times would say nothing"
    assert "Next try" not in state, "one time is said once"
    assert words(page.one("#verdict-title").get_text()) == "Searching is paused"
    assert "The service works" not in admin.page("/service").text
    assert rows(try_again(admin))["Searching vehicles"][0].startswith("Working")


def test_a_request_whose_outcome_is_unknown_is_counted(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    assert "unknown outcome" not in waits(admin)
    steps.searches(staff)
    levers.fault("create_link", "cut")
    steps.create(staff, "MH1001")
    assert "1 link may exist" in admin.page("/service").one("#verdict-title").get_text()
    steps.create(staff, "MH1002")
    assert words(admin.page("/service").one("#verdict-title").get_text()) == "The service works"
    assert "1 link may exist the oldest request was sent" in waits(admin), "while later calls get proper answers"


def test_a_try_renews_cities_and_rc_types(admin: WebClient, staff: WebClient, levers: Levers) -> None:
    steps.search(staff, "KA05MN4321")
    levers.add_city(cityName="Nagpur")
    levers.add_rc_type("E_RICKSHAW", "E-rickshaw")
    try_again(admin)
    page = staff.read(steps.search(staff, "KA05MN4321"))
    assert "Nagpur, Maharashtra" in page.field("City").get_text()
    assert "E-rickshaw" in page.field("RC type").get_text()


def test_a_try_is_in_the_audit_log(admin: WebClient, store: Store) -> None:
    try_again(admin)
    with store.read() as connection:
        assert "service tried again" in connection.execute(select(audit.c.action)).scalars().all()


# Failures, calls, key, clocks, assumptions


def states(page: Page) -> set[str]:
    return {words(each.get_text()) for each in page.all(".service-state .state")}


def written(services: Services) -> None:
    """Do what the watcher does every few seconds."""
    services.call_policy.allowances.write_counts()
    services.call_outcomes.write_counts()


def creation_reaches_its_limit(staff: WebClient, levers: Levers, services: Services) -> None:
    """Search once, and ask for a link that the day's limit refuses."""
    steps.searches(staff)
    levers.fault("create_link", "status", status=429, count=9)
    steps.create(staff, "MH1001")
    written(services)


def test_calls_of_which_the_last_one_failed_are_not_said_to_work(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, "MH1001"))
    levers.fault("link_status", "status", status=503, count=9)
    clock.advance(seconds=60)
    steps.check(staff, link_id)
    written(services)
    page = admin.page("/service")
    assert states(page) == {"Working", "No proper answer"}
    assert words(page.one("#verdict-title").get_text()) == "The last check of a link got no proper answer"
    services.call_outcomes.count(Operation.GET_PAYMENT_LINK)  # An answer that is counted late.
    written(services)
    assert states(admin.page("/service")) == {"Working", "No proper answer"}, "as the banner has it"
    levers.clear_faults()
    clock.advance(seconds=600)
    steps.check(staff, link_id)
    written(services)
    page = admin.page("/service")
    assert states(page) == {"Working"}
    assert words(page.one("#verdict-title").get_text()) == "The service works"


def test_a_check_that_failed_is_said_at_once(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    levers.fault("locations", "status", status=503, count=9)
    clock.advance(seconds=60)
    page = try_again(admin)
    assert page.status == 502
    assert words(page.one("#verdict-title").get_text()) == "1 of 2 searches got no proper answer"


def test_a_failure_that_no_count_has_yet_is_counted_as_one(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    written(services)
    levers.fault("search", "cut", count=9)
    steps.search(staff)
    page = admin.page("/service")
    assert re.match(r"No proper answer at \d", rows(page)["Searching vehicles"][0]), "it is not known since when"
    [said] = below(page)
    assert re.fullmatch(r"Nothing is paused: staff can go on\. The last time was \d+:\d\d [ap]m\.", said)
    assert re.match(r"\d+:\d\d [ap]m", rows(page)["Searching vehicles"][1]), "so that one can tell which came last"
    assert rows(page)["Searching vehicles"][2] == "2 calls · 1 without a proper answer"
    [searching, *_] = page.all(".service-hours")
    assert searching.select("i.is-failed")


def test_of_a_link_whose_creation_got_no_answer_it_is_said_not_to_create_it_again(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    levers.fault("create_link", "cut")
    steps.create(staff, "MH1001")
    written(services)
    page = admin.page("/service")
    headline = "1 link may exist: its request got no proper answer"
    assert words(page.one("#verdict-title").get_text()) == headline, "before what became of calls"
    assert re.fullmatch(
        r"It was sent .+\. The last call to create a link got no proper answer\. Nothing is paused: staff can go on\.",
        below(page)[0],
    )
    assert "fail" not in page.one("#service-verdict").get_text(), "the link may have been created"
    [_searching, creating, _checking] = page.all(".service-calls tbody tr")
    assert re.search(r"No proper answer at .* 1 call · 1 without a proper answer$", words(creating.get_text(" ")))
    assert below(page)[-1] == "Do not create the same link again till it is known whether it exists."
    assert admin.page(page.link("See the request")).one("#request-panel")
    acts = [words(each.get_text()) for each in page.all("#service-verdict .button")]
    assert acts == ["See the request", "Check the service"], "whether the link exists is found out first"
    assert page.text.count("link may exist") == 1, "not once more among what needs attention"
    assert [words(each.get_text()) for each in page.all("main .button-primary")] == ["See the request"]
    levers.fault("create_link", "cut")
    steps.create(staff, "MH1002")
    written(services)
    assert admin.page("/service").link("See requests") == "/", "where all of them are"


def test_once_the_link_is_found_nobody_is_warned_of_creating_it_again(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    steps.searches(staff)
    levers.fault("create_link", "cut", when="after")
    unclear = steps.request_of(steps.create(staff, "MH1001"))
    clock.advance(seconds=5)
    assert steps.state_of_request(staff.read(staff.page(unclear).submit("Check now"))) == "RECOVERED"
    written(services)
    page = admin.page("/service")
    assert "No proper answer" in page.text, "of the last creation"
    assert "Do not create the same link again" not in page.text


def test_what_is_stopped_comes_before_links_that_may_exist(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    levers.fault("create_link", "cut")
    steps.create(staff, "MH1001")
    levers.fault("search", "status", status=503, count=99)
    for _ in range(5):
        steps.search(staff)
    written(services)
    page = admin.page("/service")
    assert words(page.one("#verdict-title").get_text()) == "Searching is paused"
    assert "1 link may exist" in waits(admin)


def test_a_call_that_the_service_refused_is_not_among_those_that_it_accepted(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    creation_reaches_its_limit(staff, levers, services)
    page = admin.page("/service")
    heads = [words(each.get_text()) for each in page.all(".service-calls thead th")]
    assert dict(zip(heads[1:], rows(page)["Creating links"], strict=True)) | {"State": ""} == {
        "State": "",
        "Last accepted": "none yet",
        "Last 24 hours": "1 call · 1 refused",
    }


def test_failures_of_a_day_are_shown_by_class_and_hour(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    assert "The service has not been asked yet" in admin.page("/service").text
    assert states(admin.page("/service")) == {"Not tried yet"}
    steps.searches(staff)
    written(services)
    assert states(admin.page("/service")) == {"Working", "Not tried yet"}, "nothing is known of creating links"
    assert "Every call of the last 24 hours was answered." in admin.page("/service").text
    levers.fault("search", "status", status=500, count=2)
    for _ in range(2):
        steps.search(staff)
    levers.fault("search", "cut", count=9)
    steps.search(staff)
    written(services)
    page = admin.page("/service")
    failures = {
        words(row.th.span.get_text()): words(row.td.get_text())  # type: ignore[union-attr]  # It is on the page.
        for row in page.all("[aria-labelledby=failures-title] tbody tr")
    }
    assert failures == {"Answered with an error": "2", "No answer": "1"}
    assert "A fault at the service (5xx)." in page.text
    assert words(page.one("#verdict-title").get_text()) == "3 of 4 searches got no proper answer"
    summary = words(page.one("[aria-labelledby=failures-title] summary").get_text(" "))
    assert summary == "No proper answer or refused, last 24 hours 3 of 4 calls: Answered with an error 2, No answer 1"
    assert not page.all("#chart-failures"), "of a single hour the table tells all"
    assert "Every call of the last" not in page.text
    assert rows(page)["Creating links"][1] == "none yet"
    assert {name: row[2] for name, row in rows(page).items()} == {
        "Searching vehicles": "4 calls · 3 without a proper answer",
        "Creating links": "No call yet.",
        "Checking links": "No call yet.",
    }
    [searching, *others] = page.all(".service-hours")
    assert [len(searching.select("i")), len(searching.select(".is-failed:last-child"))] == [24, 1]
    assert not any(each.select(".is-failed, .is-called") for each in others)


def test_an_hour_of_which_a_small_part_failed_is_not_shown_as_failed(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    for _ in range(3):
        steps.searches(staff)
    levers.fault("search", "cut", count=9)
    steps.search(staff)
    written(services)
    [searching, *_others] = admin.page("/service").all(".service-hours")
    assert searching.select("i.is-partly")
    assert not searching.select("i.is-failed")


def test_refused_calls_are_said_in_their_row_and_hours_without_calls_are_empty(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services, clock: MovableClock
) -> None:
    steps.searches(staff)
    levers.fault("search", "status", status=400, count=2)
    for _ in range(2):
        steps.search(staff)
    written(services)
    page = admin.page("/service")
    said = "5 calls · 2 refused"
    assert rows(page)["Searching vehicles"][2] == said
    [searching, *others] = page.all(".service-hours")
    assert len(searching.select(".is-partly")) == 1, "an hour with refused calls does not look like a good one"
    assert not any(each.select("[class]") for each in others)
    clock.advance(hours=30)
    admin.is_signed_in(ARUN.email)
    assert rows(admin.page("/service"))["Searching vehicles"][2] == "No calls in 24 hours"


def test_what_failed_adds_up_over_the_parts_also_before_it_is_written(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    creation_reaches_its_limit(staff, levers, services)
    levers.fault("search", "cut", count=9)
    steps.search(staff)  # Of this no process has written its count.
    page = admin.page("/service")
    said = {name: row[2] for name, row in rows(page).items()}
    assert said["Searching vehicles"] == "2 calls · 1 without a proper answer"
    assert said["Creating links"] == "1 call · 1 refused"
    summary = words(page.one("[aria-labelledby=failures-title] summary").get_text(" "))
    assert summary.endswith("2 of 3 calls: Daily limit reached 1, No answer 1")
    assert words(page.one("#verdict-title").get_text()) == "Today’s limit for new links is reached"
    assert page.one(".service-verdict.service-waiting"), "as in the banner"
    assert "New links: 0 left today" in words(page.one("[aria-labelledby=limits-title] summary").get_text(" "))
    now, _to_do = below(page)
    searching = "Searching may fail: the last call got no proper answer."
    assert re.fullmatch(rf"{UNTIL} Selections are saved\. {re.escape(searching)}", now), (
        "what failed stands at its part"
    )


def test_a_failure_that_another_process_has_not_written_yet_is_counted_in_both_places(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    written(services)
    levers.fault("search", "cut", count=9)
    steps.search(staff)
    services.call_outcomes._unwritten.clear()
    page = admin.page("/service")
    assert rows(page)["Searching vehicles"][2] == "2 calls · 1 without a proper answer"
    summary = words(page.one("[aria-labelledby=failures-title] summary").get_text(" "))
    assert summary.endswith("1 of 2 calls: No proper answer just now")


def test_calls_and_limits_are_shown_by_day(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    assert "No call yet." in admin.page("/service").text
    steps.searches(staff)
    steps.searches(staff)
    levers.fault("search", "status", status=429)
    steps.search(staff)
    written(services)
    page = admin.page("/service")
    [today] = page.all("[aria-labelledby=use-title] tbody tr")
    calls, *others = (words(cell.get_text()) for cell in today.select("td"))
    use = page.one("[aria-labelledby=use-title]")
    assert words(use.summary.get_text()) == "Calls by day, last 14 days"  # type: ignore[union-attr]  # It is on the page.
    assert "A search that is tried again counts again." in use.get_text()
    assert int(calls) > 0
    assert others == ["0", "0"]
    assert not page.all("[aria-labelledby=use-title] .chart"), "bars of a single day would say nothing"
    [limit] = page.all("[aria-labelledby=limits-title] table:last-child tbody tr")
    assert [words(cell.get_text()) for cell in limit.select("td")] == ["Searches and lookups", calls], (
        "the refused call counts nothing"
    )


def limits(admin: WebClient) -> dict[str, list[str]]:
    return {
        words(row.th.get_text(" ")): [words(cell.get_text(" ")) for cell in row.select("td")]  # type: ignore[union-attr]
        for row in admin.page("/service").all("[aria-label='Daily limits'] tbody tr")
    }


def test_nothing_is_known_of_a_daily_limit_until_the_service_refuses(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    assert limits(admin) == {}
    page = admin.page("/service")
    assert "None reached so far" in page.one("[aria-labelledby=limits-title] summary").get_text()
    assert "We assume that it starts again at midnight in India." in page.text
    levers.fault("search", "status", status=429)
    steps.search(staff)
    unknown = ["nothing", "not known", "at midnight in India assumed, not seen yet"]
    assert limits(admin)["New links"] == ["not reached", "0", *unknown]


def test_a_daily_limit_shows_what_is_kept_back_and_what_bulk_work_may_use(admin: WebClient, services: Services) -> None:
    now = services.clock()
    yesterday = day_of(now - timedelta(days=1), None).isoformat()
    with services.store.write() as connection:
        for group in ("search", "create"):
            call_counts.find_locked(connection, yesterday, group)
            call_counts.record(connection, yesterday, group, refused_after=1_200, refused_at=now - timedelta(days=1))
        allowance_resets.find_locked(connection, "search")
        seen = datetime(2026, 9, 12, 6, 10, tzinfo=UTC)
        allowance_resets.save(connection, "search", Known(Reset(650, 705, 1, seen)))
        allowance_resets.find_locked(connection, "create")
        allowance_resets.save(connection, "create", Known(Reset(1435, 5, 3, seen)))
    services.call_policy.allowances.spend(Operation.CREATE_PAYMENT_LINK, bulk=True)
    shown = limits(admin)
    assert shown["Searches and lookups"] == [
        "1,200",
        "0",
        "120 60 for people, 60 for unclear requests",
        "1,080",
        "between 10:50 am and 11:45 am seen on 12 Sep 26",
    ]
    assert shown["New links"] == [
        "1,200",
        "1",
        "60 for people",
        "1,139",
        "between 11:55 pm and 12:05 am seen on 3 days, last on 12 Sep 26",
    ]


def test_bulk_work_may_use_nothing_while_the_service_refuses(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    levers.fault("search", "status", status=429)
    steps.search(staff)
    assert limits(admin)["Searches and lookups"][3] == "0"
    state = rows(admin.page("/service"))["Searching vehicles"][0]
    assert state == "Limit reached", "until when stands above"
    page = admin.page("/service")
    assert words(page.one("#verdict-title").get_text()) == "Today’s search limit is reached"
    assert re.match(UNTIL, below(page)[0])
    assert "Next try" not in page.text, "one time is said, the one that people can go by"
    assert page.one("#attention-title").get_text(" ").startswith("Also needs attention")
    assert not page.all(".service-verdict .button-primary"), "another try is of little use"
    steps.create(staff, "MH1001")
    written(services)
    now, to_do = below(admin.page("/service"))
    now = re.sub(f"^{UNTIL} ", "", now)
    assert now.startswith("Creating links still works. Pages show"), "checking links is not tried yet"
    assert to_do == "Staff can still try: nothing is lost. Limit raised? Press Try again."


def test_the_key_is_shown_by_its_fingerprint_and_age(
    admin: WebClient, staff: WebClient, five: dict[str, str], services: Services
) -> None:
    assert "In use since not recorded" in admin.page("/service").text
    steps.searches(staff)
    page = admin.page("/service")
    assert words(page.one("[aria-labelledby=key-title] dd code").get_text()) == services.call_policy.fingerprint()
    assert page.all("[aria-labelledby=key-title] dd time")
    assert CANARY not in page.everything
    assert "have the old key revoked" in page.text


def test_each_host_shows_how_its_clock_compares(admin: WebClient, services: Services) -> None:
    assert "No host has compared its clock yet." in admin.page("/service").text
    now = services.clock()
    with services.store.write() as connection:
        clock_checks.save(connection, ClockCheck("mumbai-1", now, 0.01, 0.4))
        clock_checks.save(connection, ClockCheck("mumbai-2", now, -4.0, None, now, 12.5))
    clocks = {
        words(row.th.get_text()): [words(cell.get_text(" ")) for cell in row.select("td")]  # type: ignore[union-attr]  # It is on the page.
        for row in admin.page("/service").all("[aria-labelledby=clocks-title] tbody tr")
    }
    assert clocks["mumbai-1"][:4] == ["Agrees", "0 s", "+0.4 s", "none"]
    assert clocks["mumbai-2"][:3] == ["Differs", "-4.0 s", "not compared"]
    assert clocks["mumbai-2"][3].startswith("+12.5 s at ")
    assert words(admin.page("/service").one("[aria-labelledby=clocks-title] summary").get_text(" ")) == "Clocks Differ"


def test_the_checks_say_how_many_work_and_open_the_next_one(admin: WebClient) -> None:
    page = admin.page("/service/assumptions")
    assert page.one(".service-answer").get_text() == "Nothing is checked yet"
    assert [str(each["id"]) for each in page.all(".service-assumption[open]")] == ["A1"]
    assert "not done yet" not in words(page.one(".service-verdict").get_text(" ")), "the group says it"
    answer = page.form("Works").submit()
    assert answer.headers["Location"] == "/service/assumptions#A2", "whoever recorded one goes on with the next"
    page = admin.page("/service/assumptions")
    assert [each.get("class") for each in page.all(".service-progress > i")] == [["is-good"], *[None] * 7]
    assert page.one(".service-answer").get_text() == "1 of 8 works"
    assert "7 not done yet" in words(page.one(".service-verdict").get_text(" "))
    assert [str(each["id"]) for each in page.all(".service-assumption[open]")] == ["A2"]


def test_every_assumption_of_the_protocol_has_a_check(admin: WebClient) -> None:
    protocol = (Path(__file__).parents[3] / "docs/link-creation.md").read_text("utf-8")
    codes = re.findall(r"^\| (A\d) \|", protocol, re.MULTILINE)
    page = admin.page("/service/assumptions")
    assert [str(each["id"]) for each in page.all(".service-assumption")] == codes
    for each in page.all(".service-assumption"):
        assert each.select("li")
        assert "It works when:" in each.get_text()


def test_what_never_goes_out_of_the_dashboard_is_sent_by_a_command_for_staging(
    admin: WebClient, app: Flask, services: Services
) -> None:
    commands = {
        str(each["id"]): each.get_text() for each in admin.page("/service/assumptions").all(".service-command textarea")
    }
    assert list(commands) == ["A1-command", "A2-command", "A7-command"]
    settings = app.extensions["settings"]
    assert f"{settings.service_url}/api/v1/staging/payment-links" in commands["A1-command"]
    app.extensions["settings"] = replace(settings, service_prefix="/api/v1")
    page = admin.page("/service/assumptions")
    assert settings.service_url not in page.one("#A2-command").get_text(), "a link there would take money"
    assert "https://STAGING/payment-links" in page.one("#A2-command").get_text()


@pytest.mark.skipif(shutil.which("curl") is None, reason="the commands are those of curl")
def test_the_commands_of_the_checks_say_at_the_service_what_their_page_says(
    admin: WebClient, five: dict[str, str]
) -> None:
    """Run each as it is copied, with a vehicle and a challan put into it."""
    secret = {**os.environ, "DASHBOARD_API_SECRET": CANARY}

    def said(code: str) -> list[str]:
        command = admin.page("/service/assumptions").one(f"#{code}-command").get_text()
        command = command.replace("VEHICLE", RC).replace("CHALLAN", min(five))
        done = subprocess.run(["bash", "-c", command], env=secret, capture_output=True, text=True, check=True)
        return sorted(done.stdout.split())

    assert said("A7") == ["401"]
    assert said("A1") == ["400"]
    assert said("A2") == ["200", "409"]
    assert said("A2") == ["409", "409"]


def test_what_is_said_of_the_clocks_leads_to_their_table(admin: WebClient) -> None:
    [link] = admin.page("/service/assumptions").all("#A8 .service-steps a")
    assert link["href"] == "/service#clocks-title"
    assert admin.page("/service").one("#clocks-title").get_text() == "Clocks"


def test_links_that_wait_too_long_for_a_check_are_counted(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    for number in ("MH1001", "MH1002"):
        steps.create(staff, number)
    assert "for a check" not in admin.page("/service").text
    clock.advance(minutes=5)
    page = admin.page("/service")
    assert "2 links wait for a check" in page.text
    said = words(page.one("#verdict-title").get_text())
    assert re.fullmatch(r"Automatic checks are \d min late", said), "what is wrong, before what follows"
    assert page.all(".service-verdict.service-waiting"), "though the service itself works"
    now, to_do = below(page)
    assert now == "2 links wait for a check. The service works, and staff can go on."
    assert to_do == "See that dashboard serve or dashboard worker runs: then links are checked by themselves."
    assert "for a check" not in words(page.one("[aria-labelledby=attention-title]").get_text(" ")), "said once"
    shown = [words(each.get_text(" ")) for each in page.all(".service-state")]
    assert (shown[0], shown[-1]) == ("Working", "Late"), "only the checks of links wait"
    [first, _second] = levers.truth()["links"]
    levers.cancel(first["id"])
    steps.check(staff, first["id"])
    clock.advance(minutes=60)
    steps.comes_back(admin, ARUN)
    page = admin.page("/service")
    assert below(page)[0].startswith("2 links wait for a check, 1 of them open. ")


def test_late_links_are_checked_at_a_click(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    made = [steps.link_of(steps.create(staff, number)) for number in ("MH1001", "MH1002")]
    clock.advance(minutes=5)
    levers.pay(made[0])
    page = admin.page("/service")
    assert page.one(".service-verdict .button-primary").get_text() == "Check late links now"
    answers: list[Page] = []
    assert calls_of(levers, lambda: answers.append(admin.read(page.submit("Check late links now")))) == 2
    assert "2 late links checked." in answers[0].text
    assert words(answers[0].one("#verdict-title").get_text()) == "The service works"
    assert "Check late links now" not in answers[0].buttons()
    assert staff.page(f"/links/{made[0]}").one("#link-panel")["data-status"] == "PAID"


@pytest.mark.parametrize("who", ["staff", "manager"])
def test_only_administrators_start_late_checks(request: pytest.FixtureRequest, who: str) -> None:
    visitor: WebClient = request.getfixturevalue(who)
    assert visitor.post("/service/check-late", data={"csrf_token": visitor.csrf_token()}).status_code == 403


def test_late_links_that_the_service_does_not_answer_for_are_said_to_wait(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    steps.link_of(steps.create(staff, "MH1001"))
    clock.advance(minutes=5)
    page = admin.page("/service")
    levers.revoke_secret()
    steps.search(staff)
    answer = admin.read(page.submit("Check late links now"))
    assert "No link could be checked now. Links are checked by themselves." in answer.text


def test_the_head_of_the_page_says_what_the_banner_says_elsewhere(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    clock.advance(minutes=1)
    levers.fault("search", "status", status=500, count=9)
    for _ in range(5):
        steps.search(staff)
    page = admin.page("/service")
    [row] = page.all(".banner-row")
    assert row.has_attr("data-of-service"), "so that it is not said twice"
    title = words(page.one("#verdict-title").get_text())
    assert title == words(row.strong.get_text()) == "Searching is paused"  # type: ignore[union-attr]  # It is on the page.
    assert page.one(".service-verdict.service-wrong"), "as in the banner"
    now, to_do = below(page)
    assert re.match(r"The service has answered with errors since \d+:\d\d [ap]m\. ", now)
    assert now.endswith("Pages show the last known data, with its age.")
    assert re.fullmatch(r"Next try .*\. Try again resumes paused calls at once\.", to_do)


def record(admin: WebClient, code: str, outcome: str, note: str = "", *, status: int = 303) -> Page:
    form = {"outcome": outcome, "note": note, "csrf_token": admin.csrf_token()}
    answer = admin.post(f"/service/assumptions/{code}", data=form)
    assert answer.status_code == status
    return admin.read(answer)


def checks_of(page: Page, code: str) -> list[str]:
    """Return the line below the claim of an assumption, and those of its checks."""
    return [words(each.get_text(" ")) for each in page.all(f"#{code} .newest-check, #{code} .service-checks li")]


def test_a_check_is_shown_with_who_made_it_when_what_came_of_it_and_what_they_saw(
    admin: WebClient, clock: MovableClock
) -> None:
    assert checks_of(admin.page("/service/assumptions"), "A3") == []
    record(admin, "A3", "fails", "  The link came after 40 seconds <b>twice</b>.")
    clock.advance(minutes=20)
    page = record(admin, "A3", "holds")
    assert "The result of A3 is recorded." in page.text
    newest, *all_checks = checks_of(page, "A3")
    assert newest.startswith("Works ")
    assert newest.endswith(", by Arun Das")
    assert [each.split(" by ")[-1] for each in all_checks] == [
        "Arun Das",
        "Arun Das The link came after 40 seconds <b>twice</b>.",
    ]
    assert all_checks[1].startswith("Does not work ")
    assert checks_of(page, "A4") == [], "each assumption has checks of its own"


def test_checks_are_stored_and_the_newest_five_are_shown(admin: WebClient, store: Store) -> None:
    for number in range(7):
        page = record(admin, "A8", "unclear", f"try {number}")
    assert [each.rpartition(" ")[2] for each in checks_of(page, "A8")[1:]] == ["6", "5", "4", "3", "2"]
    with store.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM assumption_check")).scalar_one() == 7


def test_what_does_not_hold_stands_first_and_what_holds_last(admin: WebClient) -> None:
    for code, outcome in (("A1", "holds"), ("A3", "fails")):
        page = admin.page("/service/assumptions")
        form = {"csrf_token": admin.csrf_token(), "outcome": outcome, "note": "seen"}
        admin.post(f"/service/assumptions/{code}", data=form)
    page = admin.page("/service/assumptions")
    order = [str(each["id"]) for each in page.all(".service-assumption")]
    assert order == ["A3", "A2", "A4", "A5", "A6", "A7", "A8", "A1"]
    assert [words(each.get_text()) for each in page.all("h2")] == ["Does not work 1", "Not checked yet 6", "Works 1"]


def test_what_was_never_checked_is_next_and_what_was_checked_longest_ago_stands_first(
    admin: WebClient, clock: MovableClock
) -> None:
    for code in ("A5", "A1"):
        admin.page("/service/assumptions")
        form = {"csrf_token": admin.csrf_token(), "outcome": "holds", "note": ""}
        admin.post(f"/service/assumptions/{code}", data=form)
        clock.advance(minutes=1)
    page = admin.page("/service/assumptions")
    order = [str(each["id"]) for each in page.all(".service-assumption")]
    assert order == ["A2", "A3", "A4", "A6", "A7", "A8", "A5", "A1"]


def test_each_result_is_a_button_of_its_own_and_what_it_means_for_staff_stands_first(admin: WebClient) -> None:
    page = admin.page("/service/assumptions")
    assert words(page.one("#A2 summary").get_text(" ")).startswith("A2 No challan can be paid twice")
    buttons = {words(each.get_text()): each["value"] for each in page.all("#A2 button[name=outcome]")}
    assert buttons == {"Works": "holds", "Does not work": "fails", "Not clear": "unclear"}
    assert "The result of A1 is recorded." in admin.read(page.submit("Works")).text


def test_a_check_is_in_the_audit_log_and_leads_to_its_assumption(admin: WebClient) -> None:
    record(admin, "A2", "holds", "seen by two of us")
    page = admin.page("/audit?action=assumption+checked")
    assert page.link("No challan can be paid twice, even through a link made elsewhere.") == "/service/assumptions#A2"
    assert "Recorded check A2 Works" in page.text


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({}, "Choose a result."),
        ({"outcome": "maybe"}, "Not a valid choice."),
        ({"outcome": "fails", "note": "  "}, "Write what you saw, unless it works."),
        ({"outcome": "holds", "note": "x" * 501}, "Write at most 500 characters."),
    ],
)
def test_a_check_that_says_too_little_is_refused_at_its_own_fields(
    admin: WebClient, store: Store, form: dict[str, str], said: str
) -> None:
    page = record(admin, "A5", form.get("outcome", ""), form.get("note", ""), status=422)
    assert said in words(page.one("#A5[open] .field-error").get_text())
    assert len(page.all(".field-error")) == 1
    with store.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM assumption_check")).scalar_one() == 0


def test_the_service_page_counts_the_assumptions_by_their_newest_check(admin: WebClient) -> None:
    def tally() -> list[str]:
        return [words(each.get_text()) for each in admin.page("/service").all(".service-tally li")]

    assert tally() == ["8 not done yet"]
    record(admin, "A1", "fails", "seen twice")
    record(admin, "A1", "holds")
    record(admin, "A2", "fails", "seen once")
    record(admin, "A3", "unclear", "no network")
    failing = "1 check failed: “No challan can be paid twice, even through a link made elsewhere”"
    assert tally() == [failing, "1 is not clear", "5 not done yet"]
    record(admin, "A3", "fails", "seen once")
    assert tally() == ["2 do not work", "5 not done yet"]
    assert admin.page("/service").link("See the checks") == "/service/assumptions"


def test_only_the_assumptions_of_the_protocol_have_checks(admin: WebClient) -> None:
    record(admin, "B1", "holds", status=404)


def test_what_was_typed_about_a_check_outlives_the_session(admin: WebClient, clock: MovableClock) -> None:
    token = admin.csrf_token()
    clock.advance(minutes=31)
    form = {"outcome": "fails", "note": "seen twice", "csrf_token": token}
    assert "/sign-in" in admin.post("/service/assumptions/A1", data=form).headers["Location"]
    kept = admin.read(admin.signs_in(ARUN.email))
    assert "Check of A1" in kept.text
    assert "seen twice" in kept.text


def test_the_versions_name_the_tables_of_the_database(admin: WebClient, store: Store) -> None:
    versions = words(admin.page("/service").one("[aria-labelledby=versions-title]").get_text(" "))
    with store.read() as connection:
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    assert f"Tables {revision}" in versions
    assert "Dashboard 0.1.0" in versions
