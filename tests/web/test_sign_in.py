"""Signing in and out."""

from __future__ import annotations

from flask import Flask

from dashboard.store import audit
from tests.support.clock import MovableClock
from tests.support.people import ASHA, PASSWORD, add
from tests.support.visitor import Visitor


def test_the_right_password_leads_to_the_search(app: Flask, visitor: Visitor) -> None:
    add(app, ASHA)
    answer = visitor.signs_in(ASHA.email)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert "Asha Rao" in visitor.page("/").everything
