"""Test sign-in behind TLS and over living sessions, short sessions, and forms saved for somebody else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from dashboard.settings import Settings
from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from tests.support.clock import MovableClock
from tests.support.people import ASHA, MEERA, PASSWORD, add
from tests.support.web_client import WebClient


def client_of(app: Flask) -> WebClient:
    client = app.test_client()
    assert isinstance(client, WebClient)
    return client


def test_a_browser_without_referer_signs_in_over_tls(
    build_app: Callable[[Settings], Flask], environ: dict[str, str]
) -> None:
    del environ["DASHBOARD_INSECURE_COOKIES"]
    app = build_app(Settings.from_environ(environ))
    add(app, ASHA)
    client = client_of(app)
    at = "https://localhost"
    page = client.get("/sign-in", base_url=at)
    token = page.text.partition('name="csrf_token" value="')[2].partition('"')[0]
    fields = {"csrf_token": token, "email": ASHA.email, "password": PASSWORD}
    assert client.post("/sign-in", data=fields, base_url=at).headers["Location"] == "/"


def test_a_refused_page_of_sign_in_says_why(visitor: WebClient) -> None:
    answer = visitor.post("/sign-in", data={"email": ASHA.email, "password": PASSWORD})
    page = visitor.read(answer)
    assert "The page of sign-in was too old, or your browser keeps no cookies." in page.text


def test_signing_in_over_a_session_ends_it(app: Flask, staff: WebClient, store: Store) -> None:
    add(app, MEERA)
    cookie = staff.get_cookie("dashboard")
    assert cookie is not None
    fields = {"csrf_token": staff.csrf_token(), "email": MEERA.email, "password": PASSWORD}
    assert staff.post("/sign-in", data=fields).status_code == 303
    assert "Meera Iyer" in staff.page("/").everything
    old = client_of(app)
    old.set_cookie("dashboard", cookie.value)
    assert old.get("/").status_code == 302
    with store.read() as connection:
        assert "signed out" in {row.action for row in audit.newest(connection)}


def test_whoever_works_stays_signed_in_however_short_the_limit(
    build_app: Callable[[Settings], Flask], environ: dict[str, str], clock: MovableClock
) -> None:
    app = build_app(Settings.from_environ({**environ, "DASHBOARD_SESSION_IDLE_MINUTES": "1"}))
    add(app, ASHA)
    client = client_of(app)
    client.is_signed_in(ASHA.email)
    for _ in range(8):
        clock.advance(seconds=25)
        assert client.get("/").status_code == 200
    clock.advance(seconds=61)
    assert client.get("/").status_code == 302


def test_a_saved_form_outlives_the_sign_in_of_somebody_else(app: Flask, staff: WebClient, clock: MovableClock) -> None:
    services = app.extensions["services"]
    people = app.extensions["people"]
    asha, meera = people.find(ASHA.email), add(app, MEERA)
    key = services.saved_forms.save("vehicles.search", {}, [("rc_number", "MH12AB1001")], asha.id)
    assert services.saved_forms.take(key, meera.id) is None
    assert services.saved_forms.take(key, asha.id) is not None
    assert services.saved_forms.take(key, asha.id) is None


@pytest.mark.parametrize("change", ["UPDATE audit SET action = 'x'", "DELETE FROM audit"])
def test_nothing_changes_or_removes_an_entry_of_the_audit_log(staff: WebClient, store: Store, change: str) -> None:
    with pytest.raises(Exception, match="append-only"), store.write() as connection:
        connection.exec_driver_sql(change)
