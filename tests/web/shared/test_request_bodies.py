"""Test that a body which no form of ours sends is refused before anything parses it."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
import werkzeug.formparser
from flask import Flask

from tests.rules.test_routes import addresses
from tests.support.web_client import WebClient

URLENCODED = "application/x-www-form-urlencoded"
BODIES: list[Any] = [[1], "a", 5, {"email": 5, "password": 5}, {"name": "a\0b"}, {"email": ["x"] * 50}]


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the kinds of bodies that were parsed."""
    seen: list[str] = []
    real = werkzeug.formparser.FormDataParser.parse

    def parse(parser: Any, stream: Any, mimetype: str, *rest: Any, **more: Any) -> Any:
        seen.append(mimetype)
        return real(parser, stream, mimetype, *rest, **more)

    monkeypatch.setattr(werkzeug.formparser.FormDataParser, "parse", parse)
    return seen


@pytest.mark.parametrize("body", BODIES, ids=json.dumps)
def test_json_is_no_form_at_any_address(app: Flask, admin: WebClient, visitor: WebClient, body: Any) -> None:
    for client in (visitor, admin):
        headers = {"X-CSRFToken": client.csrf_token(), "Sec-Fetch-Site": "same-origin"}
        for _, method, address in addresses(app):
            if method != "GET":
                answer = client.open(address, method=method, json=body, headers=headers)
                assert answer.status_code == 415, f"{method} {address} answered {answer.status}"
    assert "came in a form that is not taken here" in client.page("/").client.post("/search", json=1).text


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "application/x-www-form-urlencoded+json", ""])
def test_a_body_of_another_kind_is_refused(visitor: WebClient, kind: str) -> None:
    assert visitor.post("/sign-in", data=b"email=a&password=b", content_type=kind).status_code == 415


def test_a_body_of_very_many_fields_is_refused_before_it_is_parsed(
    visitor: WebClient, staff: WebClient, parsed: list[str]
) -> None:
    assert visitor.post("/sign-in", data=b"a&" * 8000, content_type=URLENCODED).status_code == 413
    assert staff.post("/search", data=b"a&" * 2500, content_type=URLENCODED).status_code == 413
    assert parsed == []
    assert staff.post("/search", data=b"a&" * 2499, content_type=URLENCODED).status_code == 400, "no token"


def test_strangers_send_16_kb_at_most(visitor: WebClient, staff: WebClient) -> None:
    for address in ("/sign-in", "/search"):
        for more in ({}, {"file": (io.BytesIO(b"x" * 20_000), "x")}):
            data = {"rc_number": "x" * 17_000, **more}
            answer = visitor.post(address, data=data, headers={"Sec-Fetch-Site": "same-origin"})
            assert answer.status_code == 413, address
    assert staff.post("/sign-in", data={"email": "x" * 17_000}).status_code == 413
    assert staff.post("/search", data={"rc_number": "x" * 17_000}).status_code == 400, "no token"


def test_a_form_without_a_body_is_none(staff: WebClient) -> None:
    answer = staff.post("/sign-out", headers={"X-CSRFToken": staff.csrf_token()})
    assert answer.status_code == 303
