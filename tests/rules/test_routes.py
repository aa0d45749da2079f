"""Test that every route is guarded and protected, and that every answer has every header."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from werkzeug.routing import AnyConverter, Rule
from werkzeug.test import TestResponse

from dashboard.settings import Settings
from dashboard.web.shared import access
from dashboard.web.shared.security import HEADERS
from tests.support.web_client import HTMX, WebClient

RC = "MH12AB1001"
SAFE = {"HEAD", "OPTIONS"}


def addresses(app: Flask) -> Iterator[tuple[Rule, str, str]]:
    """Yield every rule with each of its methods and an address that it matches."""
    for rule in app.url_map.iter_rules():
        values: dict[str, Any] = {}
        for name in rule.arguments:
            converter = rule._converters[name]
            if isinstance(converter, AnyConverter):
                values[name] = min(converter.items)
                continue
            kind = type(converter).__name__
            values[name] = {"UUIDConverter": uuid4(), "RowId": 1, "PathConverter": "app.css"}.get(kind, RC)
        address = app.url_map.bind("localhost").build(rule.endpoint, values)
        for method in sorted((rule.methods or set()) - SAFE):
            yield rule, method, address


def test_without_signing_in_only_the_open_routes_answer(app: Flask, visitor: WebClient) -> None:
    seen = 0
    for rule, method, address in addresses(app):
        if rule.endpoint in access.OPEN:
            continue
        answer = visitor.open(address, method=method)
        if rule.endpoint in access.TOKEN:
            assert answer.status_code == 401, f"{method} {address} answered {answer.status}"
            continue
        assert answer.status_code in (302, 303), f"{method} {address} answered {answer.status}"
        assert answer.headers["Location"].startswith("/sign-in"), f"{method} {address}"
        assert visitor.open(address, method=method, headers=HTMX).status_code == 401, f"{method} {address}"
        seen += 1
    assert seen > 8


def test_only_these_routes_are_open() -> None:
    health = {"operations.healthz", "operations.readyz"}
    invited = {"accounts.invitation", "accounts.accept_invitation"}
    signing_in = {"accounts.sign_in", "accounts.second_step", "accounts.enter_code"}
    signing_in |= {"accounts.ask_provider", "accounts.provider_answered"}
    assert {"static", "accounts.choose_language"} | signing_in | invited | health == access.OPEN
    assert {"operations.metrics"} == access.TOKEN


def test_every_endpoint_that_a_table_names_exists(app: Flask) -> None:
    named = access.OPEN | access.POLLS | access.NOT_PAGES | {name for name in access.LEAST_ROLE if "." in name}
    assert named <= app.view_functions.keys()
    assert {name for name in access.LEAST_ROLE if "." not in name} <= app.blueprints.keys()


def test_every_route_that_changes_something_needs_a_token(app: Flask, admin: WebClient) -> None:
    posts = [(method, address) for _, method, address in addresses(app) if method != "GET"]
    assert len(posts) > 4
    for method, address in posts:
        answer = admin.open(address, method=method, data={"email": "a@b.in", "password": "x"})
        refused = answer.status_code == 400 or (address == "/sign-in" and answer.status_code == 303)
        assert refused, f"{method} {address} answered {answer.status} to a form without a token"
    assert admin.get("/").status_code == 200, "not even signed out"


def test_every_route_that_changes_something_refuses_other_sites(app: Flask, admin: WebClient) -> None:
    token = str(admin.page("/").one("meta[name=csrf-token]")["content"])
    for _, method, address in addresses(app):
        if method == "GET":
            continue
        for site in ("cross-site", "same-site"):
            data = {"csrf_token": token}
            answer = admin.open(address, method=method, data=data, headers={"Sec-Fetch-Site": site})
            assert answer.status_code == 403, f"{method} {address} from {site} answered {answer.status}"


def test_no_route_changes_anything_on_get(app: Flask) -> None:
    """Only sign-in has both methods at one address."""
    both = [rule.rule for rule in app.url_map.iter_rules() if {"GET", "POST"} <= (rule.methods or set())]
    assert both == ["/sign-in"]


@pytest.fixture
def answers(broken_page: str, visitor: WebClient, staff: WebClient) -> dict[str, TestResponse]:
    """Return one answer of every kind."""
    return {
        "sign-in": visitor.get("/sign-in"),
        "to sign in": visitor.get("/"),
        "page": staff.get("/"),
        "400": staff.post("/sign-out"),
        "401": visitor.get("/", headers=HTMX),
        "403": staff.post("/sign-out", headers={"Sec-Fetch-Site": "cross-site"}),
        "404": staff.get("/nowhere"),
        "404, stranger": visitor.get("/nowhere"),
        "405": staff.get("/sign-out"),
        "413": staff.post("/search", data=b"x" * 3_000_000, content_type="application/x-www-form-urlencoded"),
        "500": staff.get(broken_page),
        "500, htmx": staff.get(broken_page, headers=HTMX),
        "foreign host": visitor.get("/", headers={"Host": "evil.example"}),
        "static": visitor.get("/static/app.css"),
        "static, 404": visitor.get("/static/nothing.css"),
        "health": visitor.get("/healthz"),
        "options": visitor.options("/sign-in"),
        "head": staff.head("/"),
    }


def test_every_answer_carries_every_header(answers: dict[str, TestResponse]) -> None:
    for name, answer in answers.items():
        for header, value in HEADERS.items():
            assert answer.headers.get_all(header) == [value], f"{name}: {header}"
        assert answer.headers["X-Request-Id"], name
        assert "Strict-Transport-Security" not in answer.headers, f"{name}: cookies are insecure here"
        if name not in ("static",):
            assert answer.headers["Cache-Control"] == "no-store", name


def test_every_failure_has_its_status_and_a_page_that_keeps_the_rules(
    answers: dict[str, TestResponse], staff: WebClient
) -> None:
    for name, answer in answers.items():
        if code := re.match(r"\d{3}", name):
            assert answer.status_code == int(code[0]), name
            if "htmx" not in name and name != "401":
                page = staff.read(answer)
                assert page.heading
    assert answers["foreign host"].status_code == 400
    assert "This host is not known here" in answers["foreign host"].text


def test_an_error_of_a_region_is_a_notice_and_leaves_the_page(answers: dict[str, TestResponse]) -> None:
    answer = answers["500, htmx"]
    assert answer.headers["HX-Retarget"] == "#notices"
    assert answer.headers["HX-Reswap"] == "innerHTML"
    assert "<html" not in answer.text
    assert "HX-Request" in answer.headers["Vary"]


def test_the_policy_allows_no_inline_code() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "*" not in policy


def test_strict_transport_security_is_sent_when_cookies_are_secure(build_app: Any, environ: dict[str, str]) -> None:
    del environ["DASHBOARD_INSECURE_COOKIES"]
    client = build_app(Settings.from_environ(environ)).test_client()
    for address in ("/sign-in", "/static/app.css", "/nowhere"):
        answer = client.get(address, base_url="https://localhost")
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"


@pytest.mark.parametrize("fields", [1000, 2000])
def test_a_form_may_have_a_thousand_fields(staff: WebClient, fields: int) -> None:
    token = str(staff.page("/").one("meta[name=csrf-token]")["content"])
    data = {"csrf_token": token, "rc_number": "", "challan": [str(uuid4()) for _ in range(fields)]}
    assert staff.post("/search", data=data).status_code == 422
    assert staff.post("/search", data=data, content_type="multipart/form-data").status_code == 422
