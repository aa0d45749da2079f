"""Provide a test client that follows redirects, parses pages and checks every answer for secrets."""

from __future__ import annotations

from secrets import token_hex
from typing import Any

import flask
from flask.testing import FlaskClient
from flask_wtf.csrf import generate_csrf
from werkzeug.test import TestResponse

from dashboard.services.accounts.audit import Origin
from dashboard.services.accounts.people import People
from tests.support.page import Page, check_secrets
from tests.support.people import PASSWORD

HTMX = {"HX-Request": "true"}
#: Sent with a link or a form of a page, which shows what comes next without loading a document.
IN_PLACE = {**HTMX, "HX-Boosted": "true"}


class WebClient(FlaskClient):
    """Open pages and regions as a browser does, and assert that no answer holds a secret."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        response = super().open(*args, **kwargs)
        check_secrets(self.application, response)
        return response

    def page(self, address: str, *, status: int = 200) -> Page:
        """Open a page, following redirects, and check the house rules on it."""
        response = self.get(address, follow_redirects=True)
        assert response.status_code == status, f"{address} answered {response.status}: {response.text[:2000]}"
        return Page(self, response)

    def region(self, address: str, *, on: str = "/", status: int = 200) -> Page:
        """Request a region as htmx does from the page `on`."""
        response = self.get(address, headers={**HTMX, "HX-Current-URL": f"http://localhost{on}"})
        assert response.status_code == status, f"{address} answered {response.status}: {response.text[:2000]}"
        return Page(self, response, region=True)

    def in_place(self, address: str, *, on: str = "/", status: int = 200) -> Page:
        """Follow a link of the page `on` as scripts do: the page comes without its document."""
        response = self.get(address, headers={**IN_PLACE, "HX-Current-URL": f"http://localhost{on}"})
        assert response.status_code == status, f"{address} answered {response.status}: {response.text[:2000]}"
        return Page(self, response, region=True)

    def read(self, response: TestResponse) -> Page:
        """Return the page that a form was answered with, after its redirect if there is one."""
        if response.status_code in (302, 303):
            return self.page(response.headers["Location"])
        return Page(self, response)

    def signs_in(self, email: str, password: str = PASSWORD, *, at: str = "/sign-in") -> TestResponse:
        return self.page(at).submit("Sign in", email=email, password=password)

    def is_signed_in(self, email: str) -> None:
        """Start a session as `signs_in` does, without opening the sign-in pages."""
        people: People = self.application.extensions["people"]
        token = people.sign_in(email, PASSWORD, Origin(address="127.0.0.1", user_agent="Werkzeug"))
        with self.session_transaction() as session:
            session["_user_id"] = token

    def csrf_token(self) -> str:
        """Return the token that the forms of this browser's pages hold."""
        with self.session_transaction() as session:
            secret = session.setdefault("csrf_token", token_hex(20))
        with self.application.test_request_context():
            flask.session["csrf_token"] = secret
            return generate_csrf()

    def submit_sign_out(self) -> TestResponse:
        return self.page("/").submit("Sign out")
