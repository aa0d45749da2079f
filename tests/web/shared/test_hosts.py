"""Test that requests are accepted for trusted hosts, and through proxies only when they are configured."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from dashboard.settings import Settings
from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from tests.support.people import ASHA, add
from tests.support.web_client import WebClient

FORWARDED = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:8000"])
def test_the_dashboard_answers_to_its_hosts(visitor: WebClient, host: str) -> None:
    assert visitor.get("/sign-in", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:80"]
)
@pytest.mark.parametrize("address", ["/", "/sign-in", "/healthz", "/nowhere", "/static/app.css"])
def test_the_dashboard_answers_to_no_other_host(visitor: WebClient, host: str, address: str) -> None:
    answer = visitor.get(address, headers={"Host": host})
    assert answer.status_code == 400
    assert "evil" not in answer.text
    assert visitor.post(address, headers={"Host": host}).status_code == 400


def test_configured_hosts_replace_the_default_ones(
    build_app: Callable[[Settings], Flask], environ: dict[str, str]
) -> None:
    client = build_app(Settings.from_environ({**environ, "DASHBOARD_TRUSTED_HOSTS": "fleet.example"})).test_client()
    assert client.get("/sign-in", base_url="http://fleet.example").status_code == 200
    assert client.get("/sign-in").status_code == 400


def address_seen(store: Store) -> str:
    with store.read() as connection:
        return str(audit.newest(connection)[0].address)


def test_the_headers_of_a_proxy_that_is_not_configured_are_ignored(
    app: Flask, visitor: WebClient, store: Store
) -> None:
    add(app, ASHA)
    page = visitor.page("/sign-in")
    page.form("Sign in").submit(email=ASHA.email, password="wrong", headers=FORWARDED)
    assert address_seen(store) == "127.0.0.1"


def test_a_configured_proxy_says_where_requests_come_from(
    build_app: Callable[[Settings], Flask], environ: dict[str, str], store: Store
) -> None:
    app = build_app(Settings.from_environ({**environ, "DASHBOARD_PROXY_COUNT": "1"}))
    add(app, ASHA)
    visitor = app.test_client()
    assert isinstance(visitor, WebClient)
    headers = {"X-Forwarded-For": "198.51.100.1, 203.0.113.9", "X-Forwarded-Host": "localhost"}
    visitor.page("/sign-in").form("Sign in").submit(email=ASHA.email, password="wrong", headers=headers)
    assert address_seen(store) == "203.0.113.9", "what the client itself wrote before it is not believed"
    assert visitor.get("/sign-in", headers=FORWARDED).status_code == 400
