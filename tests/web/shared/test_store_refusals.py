"""Test what people read while the database refuses: the truth, with everything they typed, on every page."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event

from dashboard.store.engine import Store
from tests.rules.test_routes import addresses
from tests.support.page import Page
from tests.support.people import ASHA, PASSWORD, add
from tests.support.web_client import HTMX, WebClient
from tests.web import steps

HEADERS = {"Sec-Fetch-Site": "same-origin"}


@contextmanager
def locked(store: Store) -> Iterator[None]:
    store.patience = 0.05
    other = sqlite3.connect(str(store.url.database), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


@contextmanager
def away(store: Store) -> Iterator[None]:
    """Refuse every new connection, and drop the others."""

    def refuse(*_args: Any) -> None:
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = 14
        raise error

    event.listen(store.engine, "do_connect", refuse)
    store.engine.dispose()
    store._read_cache._entries.clear() if hasattr(store._read_cache, "_entries") else None
    try:
        yield
    finally:
        event.remove(store.engine, "do_connect", refuse)


def test_a_form_is_refused_with_the_truth_and_can_be_sent_again(staff: WebClient, store: Store) -> None:
    page = staff.page("/drivers")
    form = page.form("Add the driver")
    with locked(store):
        answer = form.submit(name="Ramesh Yadav", phone="98765 43210")
        refused = Page(staff, answer)
        assert (refused.status, answer.headers["Retry-After"]) == (503, "5")
        assert "The dashboard is too busy to save" in refused.everything
        assert "Nothing was saved by this click." in refused.text
        again = refused.form("Send it again")
        assert ("name", "Ramesh Yadav") in again.fields
        notice = form.submit(name="Ramesh Yadav", headers=HTMX)
        assert (notice.status_code, notice.headers["HX-Retarget"]) == (503, "#notices")
    assert again.submit().status_code == 303
    assert "Ramesh Yadav" in staff.page("/drivers").text


def test_a_creation_is_refused_before_anything_is_sent_and_sent_again_it_makes_one_link(
    staff: WebClient, store: Store, searched: dict[str, str], levers: Any
) -> None:
    review = steps.reviewed(staff)
    with locked(store):
        answer = review.submit("Create payment link")
        refused = Page(staff, answer)
        assert refused.status == 503
        assert "If you send it again, at most one link is made." in refused.text
    assert steps.link_of(refused.submit("Send it again")) == steps.link_of(review.submit("Create payment link"))


def test_a_page_can_be_read_while_nothing_can_be_written(staff: WebClient, store: Store, clock: Any) -> None:
    clock.advance(minutes=5)  # The use of the session would be recorded now.
    with locked(store):
        assert staff.page("/drivers").heading
        assert staff.get("/readyz").status_code == 503
    assert staff.get("/readyz").status_code == 200


@pytest.mark.parametrize("trouble", [locked, away])
def test_no_address_answers_with_a_fault_of_ours(
    app: Flask, admin: WebClient, store: Store, trouble: Any, settings: Any
) -> None:
    token = admin.csrf_token()
    fields = {"csrf_token": token, "note": "a note that is long enough", "name": "Ramesh", "rc_number": "MH12AB1001"}
    with trouble(store):
        store.patience = 0.01
        for rule, method, address in addresses(app):
            if rule.endpoint in ("static", "accounts.sign_out"):
                continue
            answer = admin.open(address, method=method, data=fields if method == "POST" else None, headers=HEADERS)
            assert answer.status_code != 500, f"{method} {address}: {answer.text[:300]}"
            assert answer.headers["Content-Security-Policy"], address
            if answer.status_code == 503 and rule.endpoint != "operations.readyz":
                assert int(answer.headers["Retry-After"]) > 0, address
                assert "The dashboard" in answer.text or "database" in answer.text, address


def test_signing_in_while_the_database_refuses_keeps_what_was_typed(
    app: Flask, visitor: WebClient, store: Store
) -> None:
    add(app, ASHA)
    form = visitor.page("/sign-in").form("Sign in")
    with locked(store):
        answer = form.submit(email=ASHA.email, password=PASSWORD)
        page = Page(visitor, answer)
        assert (page.status, answer.headers["Retry-After"]) == (503, "5")
        assert "You are not signed in." in page.text
        assert page.field("Email")["value"] == ASHA.email
        assert PASSWORD not in answer.text


def test_while_the_database_is_away_a_missing_address_has_its_headers(staff: WebClient, store: Store) -> None:
    with away(store):
        answer = staff.get("/nowhere")
        assert answer.status_code in (404, 503)
        assert answer.headers["Content-Security-Policy"]
        assert "Internal Server Error" not in answer.text
        assert staff.get("/readyz").status_code == 503
