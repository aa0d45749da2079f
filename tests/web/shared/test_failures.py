"""Test what people read when a call fails: the true status, the fixed words, what is saved and what comes next."""

from __future__ import annotations

import json
import logging

import pytest
from flask import Flask

from dashboard import errors, logs
from dashboard.errors import Operation, ServiceError, Unreachable
from dashboard.web.shared.error_texts import WORDS, explain, status_of
from tests.support.page import Page
from tests.support.web_client import HTMX, WebClient

#: Errors that a call block raises before any call.
BLOCKS = {
    errors.SecretRejected,
    errors.OtherOrganization,
    errors.ServiceNotEnabled,
    errors.AllowanceSpent,
    errors.BreakerOpen,
}
#: Errors that can reach a route. Once a creation is sent, every error becomes its recorded outcome.
POSSIBLE = {
    operation: BLOCKS if operation is Operation.CREATE_PAYMENT_LINK else set(ServiceError.__subclasses__())
    for operation in Operation
}
PAIRS = [
    (operation, kind) for operation, kinds in POSSIBLE.items() for kind in sorted(kinds, key=lambda each: each.__name__)
]


def error_of(kind: type[ServiceError], operation: Operation) -> ServiceError:
    if kind is errors.BreakerOpen:
        return errors.BreakerOpen(operation, cause="Unreachable", retry_after=24)
    return kind(operation)


def test_every_text_is_for_an_error_that_a_route_can_meet() -> None:
    families = (errors.AllowanceSpent, errors.SecretRejected)
    subclasses = {kind.__name__ for family in families for kind in family.__subclasses__()}
    for operation, name in WORDS:
        operations = Operation if operation is None else [operation]
        possible = {kind.__name__ for each in operations for kind in POSSIBLE[each]}
        assert name in possible | subclasses, (operation, name)


@pytest.mark.parametrize(("operation", "kind"), PAIRS)
def test_every_error_that_a_route_can_meet_has_words(operation: Operation, kind: type[ServiceError]) -> None:
    error = error_of(kind, operation)
    title, text = explain(error)
    assert {(operation, kind.__name__), (None, kind.__name__)} & WORDS.keys()
    assert title
    assert text.endswith(".")
    assert 400 <= status_of(error) <= 504
    assert "!" not in title + text
    assert "error occurred" not in title + text


def test_a_reserved_allowance_says_why_and_until_when() -> None:
    title, text = explain(errors.AllowanceReserved(Operation.SEARCH_CHALLANS, retry_after=840, personal=True))
    assert title == "You have reached the hourly search limit of one person"
    assert text.endswith("Try again in 14 min.")
    title, text = explain(errors.AllowanceReserved(Operation.SEARCH_CHALLANS, retry_after=600))
    assert title == "Today’s search limit is reached"
    assert "The rest is reserved for finding out about requests" in text
    _title, text = explain(errors.AllowanceReserved(Operation.CREATE_PAYMENT_LINK, retry_after=600))
    assert "The rest is reserved for links that people create one by one." in text


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        ("Unreachable", "The service did not answer"),
        ("ServiceFailed", "The service answered with an error"),
        ("UnreadableAnswer", "The service answered with an error"),
    ],
)
def test_an_open_breaker_is_described_by_its_latest_failure(cause: str, words: str) -> None:
    for operation in Operation:
        title, text = explain(errors.BreakerOpen(operation, cause=cause, retry_after=23.4))
        assert title == words
        assert text.endswith("Try again in 24 s.")


def test_a_tls_failure_sends_people_to_an_administrator() -> None:
    _, text = explain(Unreachable(Operation.SEARCH_CHALLANS, secure=False, sent=False))
    assert "A secure connection could not be made." in text
    assert "administrator" in text
    title, text = explain(errors.BreakerOpen(Operation.SEARCH_CHALLANS, cause="Insecure", retry_after=23.4))
    assert title == "The service did not answer"
    assert text.startswith("A secure connection could not be made. Tell an administrator.")
    assert text.endswith("Try again in 24 s.")


@pytest.mark.parametrize(
    ("kind", "words", "status"),
    [
        (errors.Unreachable, "The service did not answer", 504),
        (errors.ServiceFailed, "The service answered with an error", 502),
        (errors.SecretRejected, "The API key was refused", 503),
        (errors.AllowanceSpent, "Today’s search limit is reached", 429),
    ],
)
def test_a_failure_is_a_page_or_a_notice_with_its_true_status(
    app: Flask, request: pytest.FixtureRequest, kind: type[ServiceError], words: str, status: int
) -> None:
    def fail() -> str:
        raise kind(Operation.SEARCH_CHALLANS, status=599)

    app.add_url_rule("/fails", view_func=fail)
    staff: WebClient = request.getfixturevalue("staff")
    page = staff.page("/fails", status=status)
    assert words in page.text
    notice = staff.get("/fails", headers=HTMX)
    assert notice.status_code == status
    assert notice.headers["HX-Retarget"] == "#notices"
    assert words in Page(staff, notice, region=True).text
    assert "<main" not in notice.text


def test_an_impossible_registration_number_is_not_found(staff: WebClient) -> None:
    assert "Page not found" in staff.page("/vehicles/%E0%A4%95%E0%A4%96", status=404).text


def test_an_unexpected_failure_is_logged_with_the_id_that_the_page_shows(
    broken_page: str, staff: WebClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.handler.setFormatter(logs.JsonFormatter())
    caplog.set_level(logging.INFO)
    page = staff.page(broken_page, status=500)
    number = page.headers["X-Request-Id"]
    assert number in page.text
    lines = [line for line in caplog.text.splitlines() if "on purpose" in line]
    assert len(lines) == 1, "one event is one line, its trace included"
    assert json.loads(lines[0])["request"] == number
    assert "Traceback" in lines[0]


def test_a_log_line_cannot_be_forged(caplog: pytest.LogCaptureFixture) -> None:
    hostile = "X\nat=2026 level=info message=forged\u2028x"
    record = logging.makeLogRecord({"name": "x", "msg": "rc %s", "args": (hostile,)})
    line = logs.JsonFormatter().format(record)
    assert len(line.splitlines()) == 1
    assert "\\n" in line


def test_every_request_has_an_id_of_its_own(staff: WebClient) -> None:
    numbers = {staff.get("/healthz").headers["X-Request-Id"] for _ in range(5)}
    assert len(numbers) == 5


def test_a_failing_statement_does_not_log_its_values(
    app: Flask, request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> None:
    store = app.extensions["store"]
    typed = "-".join(["canary", "of", "a", "form"])  # In one piece it would be in the trace, as a line of this file.

    def fail() -> str:
        with store.write() as connection:
            connection.exec_driver_sql("INSERT INTO person (email) VALUES (?)", (typed,))
        return ""

    app.add_url_rule("/fails", view_func=fail)
    staff: WebClient = request.getfixturevalue("staff")
    caplog.handler.setFormatter(logs.JsonFormatter())
    assert staff.get("/fails").status_code == 500
    assert "IntegrityError" in caplog.text
    assert typed not in caplog.text
